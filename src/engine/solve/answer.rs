//! The answer with the law of a number, with at most as many outcomes as the limits allow.

use crate::algebra::Law;
use crate::engine::answer::Answer;
use crate::limits::Budget;

/// The answer with the law of a number, with at most as many outcomes as the limits allow.
pub(in crate::engine) fn answer(law: Law, budget: &Budget<'_>) -> Answer {
    let most = usize::try_from(budget.limits().outcomes).unwrap_or(usize::MAX);
    Answer::new(law.cut(most), budget.states())
}
