//! Rounds whose parts are listed, against the slow evaluator: a law that a test calls with a program.

#![allow(clippy::missing_panics_doc, clippy::unwrap_used, reason = "tests")]

use super::enumerate::result_of;
use super::listed::ListedTerms;
use super::measure::End;
use super::paths::paths;
use crate::algebra::Weight;
use crate::algebra::weight::probability;
use crate::engine::outcomes::List;
use crate::ir::{Program, Term};
use crate::limits::{Budget, Limits, Unobserved};
use crate::number::Fraction;

/// Plays a round many times, for pairs of numbers, so that its parts are met, listed, and looked up: each time its ends must be
/// those of the slow evaluator. The round is the body of two bindings, `let a = … in let b = … in …`.
pub fn rounds_agree(program: &Program) {
    let limits = Limits::default();
    let budget = Budget::start(&limits, &Unobserved);
    let arena = program.arena();
    let mut terms = ListedTerms::of(arena);
    let mut body = program.root();
    for _ in 0..2 {
        let Term::Let(_, inner) = arena.term(body) else {
            panic!("a round of two numbers");
        };
        body = *inner;
    }
    for number in 0..48_i64 {
        let values = [number % 4 + 1, number * 7 % 16 / 4 + 1];
        let mut environment: Vec<List> = values.map(|value| vec![value.into()]).into();
        let expected = result_of(arena, body, &mut environment, &budget).unwrap();
        let expected_total = expected.total.clone();
        let found = paths(arena, body, &mut environment, &mut terms, &budget);
        let found = found.unwrap().unwrap();
        let shares = |ends: Vec<(End, Weight)>, total: &Weight| -> Vec<(End, Fraction)> {
            let share = |(end, weight)| (end, probability(&weight, total));
            ends.into_iter().map(share).collect()
        };
        assert_eq!(
            shares(found.ends, &found.total),
            shares(expected.into_ends(), &expected_total),
            "{values:?}",
        );
    }
}
