//! Weights: the integer numerators of probabilities, and their totals.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

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

/// The greatest common divisor of a divisor so far and one more number.
///
/// A remainder is taken first: where the divisor divides the number, as it mostly does, that is all, and where
/// it is much shorter, what follows is short.
#[must_use]
pub fn common_divisor(divisor: &Weight, number: &Weight) -> Weight {
    if divisor.is_zero() {
        return number.clone();
    }
    let rest = number % divisor;
    if rest.is_zero() {
        return divisor.clone();
    }
    divisor.gcd(&rest)
}
