//! Weights: the integer numerators of probabilities, and their totals.

use num_bigint::BigInt;
use num_integer::Integer as _;

use crate::number::Fraction;

/// An integer weight, or a total of weights.
pub type Weight = num_bigint::BigUint;

/// The probability `weight / total`, reduced.
///
/// # Panics
///
/// If `total` is zero.
#[must_use]
pub fn probability(weight: &Weight, total: &Weight) -> Fraction {
    Fraction::new(BigInt::from(weight.clone()), BigInt::from(total.clone()))
}

/// The least common multiple: the smallest total that both totals divide.
#[must_use]
pub fn lcm(a: &Weight, b: &Weight) -> Weight {
    if a == b { a.clone() } else { a.lcm(b) }
}
