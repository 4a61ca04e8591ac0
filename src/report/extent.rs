//! Where the bulk of a distribution lies.

use crate::algebra::{Distribution, Weight};
use crate::engine::{Answer, Tail};
use crate::number::Integer;

/// The two values between which the bulk lies: at the lower one and below it lies more than one part in `parts` of the whole, and
/// so at the upper one and above it. Tails count. `None` for an end that no listed value reaches.
pub(crate) fn central<'a>(
    answer: &Answer,
    numbers: &'a Distribution<Integer>,
    parts: u32,
) -> [Option<&'a Integer>; 2] {
    let below = |tail: &&Tail| matches!(tail, Tail::AtMost(..));
    let (below, above): (Vec<&Tail>, Vec<&Tail>) = answer.tails.iter().partition(below);
    let total = answer.total();
    [
        first_beyond(&below, numbers.iter(), parts, total),
        first_beyond(&above, numbers.iter().rev(), parts, total),
    ]
}

fn first_beyond<'a>(
    tails: &[&Tail],
    outcomes: impl Iterator<Item = (&'a Integer, &'a Weight)>,
    parts: u32,
    total: &Weight,
) -> Option<&'a Integer> {
    let mut passed: Weight = tails.iter().map(|tail| tail.weight()).sum();
    for (outcome, weight) in outcomes {
        passed += weight;
        if &passed * parts > *total {
            return Some(outcome);
        }
    }
    None
}
