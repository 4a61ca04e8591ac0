//! The bulk of a distribution: the values without the far ends.

use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::number::Integer;

/// A far end has at most one part in this number of the mass.
const PARTS: u32 = 1_000;

/// The lowest and the highest value of the bulk. The lowest is the least listed value `v` with `P(at most v) > 1/1000`, the
/// highest the greatest with `P(at least v) > 1/1000`; tails count. `None` if there is no such listed value.
pub(crate) fn bulk_ends<'a>(
    answer: &Answer,
    numbers: &'a Distribution<Integer>,
) -> [Option<&'a Integer>; 2] {
    let total = answer.total();
    [
        first_beyond(answer.below(), numbers.iter(), total),
        first_beyond(answer.above(), numbers.iter().rev(), total),
    ]
}

/// The first outcome up to which more than a far end has passed, with what the tail holds.
fn first_beyond<'a>(
    tail: Option<&Tail>,
    outcomes: impl Iterator<Item = (&'a Integer, &'a Weight)>,
    total: &Weight,
) -> Option<&'a Integer> {
    let mut passed = tail.map_or(Weight::ZERO, |tail| tail.weight.clone());
    for (outcome, weight) in outcomes {
        passed += weight;
        if &passed * PARTS > *total {
            return Some(outcome);
        }
    }
    None
}
