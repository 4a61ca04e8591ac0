//! The answer with the law of a number, with at most as many outcomes as the limits allow.

use crate::algebra::Law;
use crate::engine::answer::Answer;
use crate::engine::stop::Attempt;
use crate::limits::Budget;

/// The answer with the law of a number, with at most as many outcomes as the limits allow.
pub(in crate::engine) fn answer(law: Law, budget: &Budget<'_>) -> Attempt<Answer> {
    let most = usize::try_from(budget.limits().outcomes).unwrap_or(usize::MAX);
    let law = law.cut(most);
    budget.has_room_for((law.listed.len() as u64).saturating_mul(BYTES_OF_OUTCOME))?;
    Ok(Answer::new(law, budget.states()))
}

/// The bytes of an outcome in an answer: the integer, its weight, and the weight's digits.
const BYTES_OF_OUTCOME: u64 = 64;
