//! Arithmetic progressions of outcomes, with a weight for each member.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::ToPrimitive;

use super::Weights;
use crate::number::{Integer, Overflow};

/// Outcomes `first + i·step` with their weights.
pub(super) struct Lattice {
    pub(super) first: Integer,
    pub(super) step: Integer,
    pub(super) weights: Weights,
}

/// Whether a progression of this length is the form for this many outcomes: one member in four, at least, is an
/// outcome, with some allowance for short progressions.
pub(super) fn is_dense(length: u64, outcomes: u64) -> bool {
    length <= outcomes.saturating_mul(4).saturating_add(16)
}

/// `first + index·step`, for a member that is known to be within the range of [`Integer`].
#[inline]
pub(super) fn at(first: &Integer, step: &Integer, index: usize) -> Integer {
    if let (Some(first), Some(step), Ok(index)) =
        (first.to_i64(), step.to_i64(), i64::try_from(index))
        && let Some(member) = step
            .checked_mul(index)
            .and_then(|offset| first.checked_add(offset))
    {
        return Integer::from(member);
    }
    last(first, step, index + 1).expect("an outcome is within range")
}

/// The last member of a progression of this length, which is at least 1.
pub(super) fn last(first: &Integer, step: &Integer, length: usize) -> Result<Integer, Overflow> {
    first.add(&step.mul(&Integer::from(length - 1))?)
}

/// The index of an outcome that is a member of the progression.
pub(super) fn index(first: &Integer, step: &Integer, outcome: &Integer) -> usize {
    outcome
        .sub(first)
        .ok()
        .and_then(|offset| offset.div(step)?.to_usize())
        .expect("an outcome lies in the progression")
}

/// The weights at these indexes.
pub(super) fn pick(weights: &Weights, indexes: impl ExactSizeIterator<Item = usize>) -> Weights {
    let mut picked = Weights::with_width(indexes.len(), weights.width());
    for (to, from) in indexes.enumerate() {
        picked.at_mut(to).copy_from_slice(weights.at(from));
    }
    picked
}

/// Ascending points and their weights on a progression of at most this length; both unchanged if no such progression holds all
/// points, or there is none.
pub(super) fn on_progression(
    points: Vec<Integer>,
    weights: Weights,
    most: u64,
) -> Result<Lattice, (Vec<Integer>, Weights)> {
    let Some((length, step)) = progression(&points, most) else {
        return Err((points, weights));
    };
    let first = points[0].clone();
    if length == points.len() {
        return Ok(Lattice {
            first,
            step,
            weights,
        });
    }
    let mut spread = Weights::with_width(length, weights.width());
    for (index, point) in points.iter().enumerate() {
        let distance = point.sub(&first).ok().and_then(|far| far.div(&step));
        let Some(slot) = distance.and_then(|distance| distance.to_usize()) else {
            return Err((points, weights));
        };
        spread.at_mut(slot).copy_from_slice(weights.at(index));
    }
    Ok(Lattice {
        first,
        step,
        weights: spread,
    })
}

/// The length and the step of the shortest progression through ascending points, if its length is at most `most`.
/// Stops early: the step can only get shorter, so the length can only grow.
fn progression(points: &[Integer], most: u64) -> Option<(usize, Integer)> {
    let (first, last) = (points.first()?, points.last()?);
    if let (Some(low), Some(high)) = (first.to_i64(), last.to_i64())
        && let Some(span) = high.checked_sub(low)
    {
        // A difference of neighbours cannot overflow, since the whole span fits an i64.
        let (mut step, mut length) = (0, 1);
        for pair in points.windows(2) {
            let next = pair[1].to_i64()?.wrapping_sub(pair[0].to_i64()?).gcd(&step);
            if next != step {
                length = u64::try_from(span / next).ok()?.saturating_add(1);
                step = next;
            }
            if length > most {
                return None;
            }
            if step == 1 {
                break;
            }
        }
        return Some((usize::try_from(length).ok()?, Integer::from(step.max(1))));
    }
    let span = last.to_big() - first.to_big();
    let (mut step, mut length) = (BigInt::ZERO, 1);
    for pair in points.windows(2) {
        let next = (pair[1].to_big() - pair[0].to_big()).gcd(&step);
        if next != step {
            length = (&span / &next + 1_u32).to_u64()?;
            step = next;
        }
        if length > most {
            return None;
        }
    }
    let step = Integer::from_big(step.max(BigInt::from(1))).ok()?;
    Some((usize::try_from(length).ok()?, step))
}
