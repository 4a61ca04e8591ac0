//! Which error is reported, and the probability that any error happens.
//!
//! An error hides all errors that would come after it. An error is shown if it can happen without an error before it.
//! The shown error that is first in the text is reported.

use crate::algebra::Weight;
use crate::engine::failure::{Chance, Failure};
use crate::engine::program::{NodeId, Store};
use crate::engine::reason::Reason;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::{
    Hazard, HazardKind, any_of, chance_of, possible_failures, probability_of, zero_once_over,
};
use crate::number::Fraction;

/// The number that is 0 once all loops are over. `Err` with the error to report, and the probability that any error
/// happens.
pub(super) type Verdict = Result<NodeId, (Failure, Chance)>;

/// The verdict on the hazards of a program.
pub(in crate::engine) fn verdict(
    store: &mut Store<'_>,
    mut found: Vec<Hazard>,
) -> Attempt<Verdict> {
    // Evaluation never goes beyond a certain error, or beyond a loop that never ends.
    for (index, hazard) in found.iter().enumerate() {
        let is_last = match hazard.kind {
            HazardKind::Fails(_) => store.as_constant(hazard.when) == Some(1),
            HazardKind::FailsInLoop { .. } => false,
            HazardKind::NeverEnds(_) => {
                let law = store.law(hazard.when)?;
                law.never_ends() == *law.total()
            }
        };
        if is_last {
            found.truncate(index + 1);
            break;
        }
    }
    let possible = possible_failures(store, &found)?.events;
    if possible.is_empty() {
        return zero_once_over(store, &found).map(Ok);
    }
    for hazard in found {
        if let HazardKind::NeverEnds(over) = hazard.kind
            && store.law(over)?.never_ends() != Weight::ZERO
        {
            return Err(Stop::Unsupported(Reason::ErrorsBesideEndlessLoop));
        }
    }
    let any = any_of(store, &possible)?;
    let all = chance_of(store, any)?;
    let mut in_the_text: Vec<usize> = (0..possible.len()).collect();
    in_the_text.sort_by_key(|&index| possible[index].1);
    for index in in_the_text {
        let (when, failure) = possible[index];
        let mut before = possible[..index].to_vec();
        before.retain(|&(_, other)| other != failure);
        let (hidden, zero) = (any_of(store, &before)?, store.constant(0));
        let shown = store.choose(hidden, zero, when)?;
        if probability_of(store, shown)? != Fraction::default() {
            return Ok(Err((failure, all)));
        }
    }
    Err(Stop::Unsupported(Reason::ErrorsHideEachOther))
}
