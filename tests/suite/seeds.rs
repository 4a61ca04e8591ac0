//! The seeds of tests with random programs and texts.
//!
//! Each random test uses a fixed seed, so that a failure can be reproduced, or the number in the environment variable
//! `DICEDIST_SEED` in its place. `.ci/run` makes a new seed in each run and prints it; `DICEDIST_SEED=123 cargo test` repeats that
//! run.

use std::env;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestRunner};

/// The seed of a run that has none of its own.
const FIXED: u64 = 1;

/// The seed in the environment, or else the fixed one.
pub(crate) fn seed() -> u64 {
    env::var("DICEDIST_SEED").map_or(FIXED, |text| {
        let seed = text.trim().parse();
        seed.unwrap_or_else(|_| panic!("DICEDIST_SEED is a number, not '{text}'"))
    })
}

/// Runs a test on so many random values.
#[track_caller]
pub(crate) fn on_random<S: Strategy>(
    cases: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> TestCaseResult,
) {
    let seed = seed();
    let config = Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    if let Err(failure) = TestRunner::new(config).run(strategy, &test) {
        panic!("with DICEDIST_SEED={seed}: {failure}");
    }
}
