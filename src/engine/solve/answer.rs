//! A distribution as an answer, with no more outcomes than were asked for.

use crate::algebra::{Distribution, Weight};
use crate::algebra::{Law, Unlisted};
use crate::engine::answer::{Answer, Method, Moments, Outcomes, Tail};
use crate::limits::Budget;
use crate::number::Integer;
use std::ops::Range;

/// The answer that a number is.
pub(in crate::engine) fn answer(law: Law, budget: &Budget<'_>) -> Answer {
    let listed = law.listed.into_distribution();
    let Some(mut unlisted) = law.unlisted else {
        return Answer::exact(Outcomes::Numbers(listed), budget.states());
    };
    let most = usize::try_from(budget.limits().outcomes).unwrap_or(usize::MAX);
    let outcomes = Outcomes::Numbers(cut(listed, &mut unlisted, most));
    let mut answer = Answer::exact(outcomes, budget.states());
    if let Some(tail) = unlisted.below {
        answer.tails.push(Tail::AtMost(tail.bound, tail.weight));
    }
    if let Some(tail) = unlisted.above {
        answer.tails.push(Tail::AtLeast(tail.bound, tail.weight));
    }
    if !answer.tails.is_empty() {
        answer.method = Method::ExactWithTail;
    }
    answer.unresolved = unlisted.unresolved;
    answer.never_ends = unlisted.never_ends;
    let moments = unlisted.moments;
    let moments = moments.and_then(|moments| moments.given_that_it_ends());
    answer.moments = moments.map(|moments| Moments {
        variance: moments.variance(),
        mean: moments.first,
    });
    answer
}

/// The distribution with so many outcomes at most: those beyond are in the tail, where it has one.
fn cut(
    listed: Distribution<Integer>,
    unlisted: &mut Unlisted,
    most: usize,
) -> Distribution<Integer> {
    let excess = listed.len().saturating_sub(most);
    let (low, high) = match (&unlisted.below, &unlisted.above) {
        (None, None) => (0, 0),
        (Some(_), None) => (excess, 0),
        (None, Some(_)) => (0, excess),
        (Some(_), Some(_)) => (excess / 2, excess - excess / 2),
    };
    if excess == 0 || low + high == 0 {
        return listed;
    }
    let kept = low..listed.len() - high;
    let mass = |places: Range<usize>| -> Weight { places.map(|index| listed.weight(index)).sum() };
    if let Some(tail) = unlisted.below.as_mut().filter(|_| low > 0) {
        tail.bound.clone_from(&listed.outcomes()[kept.start - 1]);
        tail.weight += mass(0..kept.start);
    }
    if let Some(tail) = unlisted.above.as_mut().filter(|_| high > 0) {
        tail.bound.clone_from(&listed.outcomes()[kept.end]);
        tail.weight += mass(kept.end..listed.len());
    }
    let outcomes = listed.iter().take(kept.end).skip(kept.start);
    let outcomes = outcomes.map(|(outcome, weight)| (outcome.clone(), weight.clone()));
    Distribution::new(outcomes, listed.total().clone())
}
