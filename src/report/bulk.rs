//! The bulk of a distribution: the values without the far ends.

use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::number::Integer;

/// The lowest and the highest value of the bulk. The lowest is the least listed value `v` with `P(at most v) > 1/parts`, the
/// highest the greatest with `P(at least v) > 1/parts`; tails count. `None` if there is no such listed value.
pub(crate) fn bulk_ends<'a>(
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

/// The first outcome up to which more than `1/parts` has passed, with what the tail holds.
pub(crate) fn first_beyond<'a, T>(
    tail: Option<&Tail>,
    outcomes: impl Iterator<Item = (T, &'a Weight)>,
    parts: u32,
    total: &Weight,
) -> Option<T> {
    let mut passed = tail.map_or(Weight::ZERO, |tail| tail.weight.clone());
    for (outcome, weight) in outcomes {
        passed += weight;
        if &passed * parts > *total {
            return Some(outcome);
        }
    }
    None
}
