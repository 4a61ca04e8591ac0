//! The seeds of tests with random programs and texts.
//!
//! Each random test uses a fixed seed, so that a failure can be reproduced. If the environment variable `DICEDIST_SEED` is a
//! number, the test uses that seed as well. `.ci/run` makes a new seed in each run and prints it; `DICEDIST_SEED=123 cargo test`
//! repeats that run.

use std::env;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestRunner};

/// The seed of every run.
const FIXED: u64 = 1;

/// The fixed seed, and the seed in the environment, if there is one.
pub(crate) fn seeds() -> impl Iterator<Item = u64> {
    let given = env::var("DICEDIST_SEED").ok();
    let given = given.map(|text| {
        let seed = text.trim().parse();
        seed.unwrap_or_else(|_| panic!("DICEDIST_SEED is a number, not '{text}'"))
    });
    [FIXED].into_iter().chain(given)
}

/// Tests `cases` random values for each seed.
#[track_caller]
pub(crate) fn for_each_seed<S: Strategy>(
    cases: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> TestCaseResult,
) {
    for seed in seeds() {
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
}
