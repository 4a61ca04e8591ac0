//! One budget reaches from the text to the answer, also where nobody measures the memory of the process.

use std::cell::Cell;
use std::time::{Duration, Instant};

use dicedist::limits::{Budget, LimitReached, Limits, Observer, Unobserved};
use dicedist::{Dialect, Dist, Rule};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

/// The time that a limit of a second may take. It is generous, because the machine may be busy.
const QUICK: Duration = Duration::from_secs(4);

const MEMORY: u64 = 64 << 20;

/// Programs that take much before anything is solved, each in a way of its own.
const PROGRAMS: [(Dialect, &str); 12] = [
    (Dialect::Anydice, "output d{1..10000000}"),
    (Dialect::Anydice, "X: {1..9000000} output #X"),
    (Dialect::Anydice, "output #{{1..1000}:9000}"),
    (
        Dialect::Anydice,
        "output [count {1..1000000} in {1..1000000}]",
    ),
    (Dialect::Anydice, "output ((100d100)d100)d100"),
    (
        Dialect::Anydice,
        "loop I over {1..100000} { X: [sort {1..10000}] } output #X",
    ),
    (
        Dialect::Anydice,
        "set \"explode depth\" to 400000 output [explode d{1,2}]",
    ),
    (
        Dialect::Anydice,
        "A: {1..900000} B: [reverse A] C: {A,B} D: {C,C} E: {D,D} output #E",
    ),
    (
        Dialect::Bones,
        "def a = 2^65000; def b = (a,a,a,a,a,a,a,a,a,a); def c = (b,b,b,b,b,b,b,b,b,b); def e = (c,c,c,c,c,c,c,c,c,c); \
         def f = (e,e,e,e,e,e,e,e,e,e); sum(f)",
    ),
    (Dialect::Bones, "sum(foreach i in 1..400000 do 2^65000 + i)"),
    (
        Dialect::Bones,
        "let x = 2^65000 in foreach i in 1..400000 do x + i",
    ),
    (Dialect::Tabletop, "LONG"),
];

fn rules() -> impl Iterator<Item = Rule> {
    let long = format!("1.{}*", "1".repeat(4_000)).repeat(200) + "1d6";
    PROGRAMS
        .into_iter()
        .map(move |(dialect, text)| Rule::read(dialect, &text.replace("LONG", &long)).unwrap())
}

#[test]
fn limits_reach_what_is_done_before_a_rule_is_solved() {
    for rule in rules() {
        let start: String = rule.source().unwrap().text().chars().take(60).collect();
        let started = Instant::now();
        let solver = rule.solver().time(Duration::from_secs(1)).memory(MEMORY);
        let limit = solver.answer().err().and_then(|error| error.limit());
        let time = started.elapsed();
        assert!(time < QUICK, "{start}: {time:?}");
        let is_limit = matches!(
            limit,
            Some(LimitReached::Memory(_) | LimitReached::Time(_) | LimitReached::States(_))
        );
        let is_overflow = start.starts_with("1.1") || start.contains("explode");
        assert!(is_limit || is_overflow, "{start}: {limit:?}");
    }
}

/// Asks to stop when it has been asked so often.
struct Impatient {
    left: Cell<u32>,
}

impl Observer for Impatient {
    fn is_interrupted(&self) -> bool {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        left == 0
    }
}

#[test]
fn observers_are_asked_while_a_program_is_run() {
    for text in [
        "output ((100d100)d100)d100",
        "output [count {1..1000000} in {1..1000000}]",
        "X: 0 loop I over {1..10000000} { X: I } output X",
    ] {
        let rule = Rule::anydice(text).unwrap();
        let started = Instant::now();
        let observer = Impatient { left: Cell::new(3) };
        let stopped = rule.solver().observe(&observer).answer().unwrap_err();
        assert_eq!(stopped.limit(), Some(LimitReached::Interrupted), "{text}");
        assert!(started.elapsed() < QUICK, "{text}");
    }
}

#[test]
fn what_a_limit_prevents_is_found_with_another_one() {
    let rule = Rule::anydice("X: {1..100000} output #X").unwrap();
    let refused = rule.solver().memory(1 << 16).answer();
    assert!(refused.is_err_and(|error| error.is_limit()));
    assert_eq!(rule.solve().unwrap(), Dist::certain(100_000));
}

#[test]
fn a_roll_keeps_to_its_memory() {
    let rule = Rule::bones("let x = 2^65000 in foreach i in 1..400000 do x + i").unwrap();
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let roll = rule.solver().memory(MEMORY);
    let roll = roll.roll_as::<Vec<dicedist::number::Integer>>(&mut generator);
    assert!(roll.is_err_and(|error| error.is_limit()));
}

#[test]
fn distributions_compute_within_a_budget() {
    let limits = Limits::default()
        .with_time(Some(Duration::from_millis(200)))
        .with_memory(MEMORY);
    let (wide, die): (Dist, Dist) = (Dist::uniform(1..=4_000), Dist::uniform(1..=20));
    let computed: [&dyn Fn(&Budget<'_>) -> bool; 3] = [
        &|budget| die.within(budget).times(u32::MAX).is_err(),
        &|budget| wide.within(budget).product(&wide).is_err(),
        &|budget| wide.within(budget).times(3_000).is_err(),
    ];
    for (place, is_refused) in computed.into_iter().enumerate() {
        let started = Instant::now();
        let budget = Budget::start(&limits, &Unobserved);
        assert!(is_refused(&budget), "{place}");
        assert!(started.elapsed() < QUICK, "{place}");
    }
    let budget = Budget::start(&limits, &Unobserved);
    let [sum, difference] = [
        die.within(&budget).plus(&die),
        die.within(&budget).minus(&die),
    ];
    assert_eq!(sum.unwrap(), &die + &die);
    assert_eq!(difference.unwrap(), &die - &die);
    let duel = die.versus_within(&die, &budget).unwrap();
    assert_eq!(duel, die.versus(&die));
}
