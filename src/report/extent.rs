//! Where the bulk of a distribution lies.

use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::number::Integer;

/// The two values between which the bulk lies: at the lower one and below it lies more than one part in `parts` of the whole, and
/// so at the upper one and above it. Tails count. `None` for an end that no listed value reaches.
pub(crate) fn central<'a>(
    answer: &Answer,
    numbers: &'a Distribution<Integer>,
    parts: u32,
) -> [Option<&'a Integer>; 2] {
    let total = answer.total();
    [
        first_beyond(answer.below(), numbers.iter(), parts, total),
        first_beyond(answer.above(), numbers.iter().rev(), parts, total),
    ]
}

fn first_beyond<'a>(
    tail: Option<&Tail>,
    outcomes: impl Iterator<Item = (&'a Integer, &'a Weight)>,
    parts: u32,
    total: &Weight,
) -> Option<&'a Integer> {
    let mut passed = tail.map_or(Weight::ZERO, |tail| tail.weight.clone());
    for (outcome, weight) in outcomes {
        passed += weight;
        if &passed * parts > *total {
            return Some(outcome);
        }
    }
    None
}
