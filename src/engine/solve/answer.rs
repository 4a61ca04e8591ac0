//! A law as an answer, with no more outcomes than were asked for.

use crate::algebra::Law;
use crate::engine::answer::Answer;
use crate::limits::Budget;

/// The answer that a number is.
pub(in crate::engine) fn answer(law: Law, budget: &Budget<'_>) -> Answer {
    let most = usize::try_from(budget.limits().outcomes).unwrap_or(usize::MAX);
    Answer::new(law.cut(most), budget.states())
}
