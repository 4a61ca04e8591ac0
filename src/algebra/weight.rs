//! Weights: the integer numerators of probabilities, and their totals.

use std::borrow::Cow;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Zero as _};

use super::gcd::gcd;
pub(crate) use super::product::power;
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
    ratio(&BigInt::from(weight.clone()), total)
}

/// Reducing a fraction takes noticeable time if its denominator is longer than this, in bits.
const LONG: u64 = 1 << 19;

/// The fraction `sum / total`, reduced unless its total is longer than [`LONG`]. A caller that shows numerator and
/// denominator calls [`reduced`] first.
#[must_use]
pub(crate) fn figure(sum: &BigInt, total: &Weight) -> Fraction {
    if total.bits() <= LONG {
        return ratio(sum, total);
    }
    Fraction::new_raw(sum.clone(), total.clone().into())
}

/// A figure in lowest terms. Those of summaries and comparisons are not reduced where that would take long.
#[must_use]
pub fn reduced(fraction: &Fraction) -> Cow<'_, Fraction> {
    if fraction.denom().bits() <= LONG {
        Cow::Borrowed(fraction)
    } else {
        Cow::Owned(ratio(fraction.numer(), fraction.denom().magnitude()))
    }
}

/// The fraction `sum / total`, reduced. It equals [`Fraction::new`], but takes far less time for long numbers.
///
/// # Panics
///
/// If `total` is zero.
#[must_use]
pub fn ratio(sum: &BigInt, total: &Weight) -> Fraction {
    assert!(!total.is_zero(), "a total is not zero");
    let common = common_divisor(total, sum.magnitude());
    if common.is_one() {
        return Fraction::new_raw(sum.clone(), total.clone().into());
    }
    let numerator = BigInt::from_biguint(sum.sign(), sum.magnitude() / &common);
    Fraction::new_raw(numerator, (total / common).into())
}

/// The least common multiple: the smallest total that both totals divide.
#[must_use]
pub fn lcm(a: &Weight, b: &Weight) -> Weight {
    if a == b {
        a.clone()
    } else if a.is_zero() || b.is_zero() {
        Weight::ZERO
    } else {
        a / common_divisor(a, b) * b
    }
}

/// The greatest common divisor of `divisor`, the divisor of some numbers, and one more number.
///
/// The remainder of the number by the divisor is taken first. In most cases it is zero, since the divisor divides the
/// number. Otherwise it leaves two numbers no longer than the divisor.
#[must_use]
pub fn common_divisor(divisor: &Weight, number: &Weight) -> Weight {
    if divisor.is_zero() {
        return number.clone();
    }
    if let (Ok(short), Ok(number)) = (u64::try_from(divisor), u64::try_from(number)) {
        return short.gcd(&(number % short)).into();
    }
    let rest = number % divisor;
    if rest.is_zero() {
        return divisor.clone();
    }
    gcd(divisor, &rest)
}

/// The largest weight whose share of a total is no more than this.
pub(crate) fn part_of(total: &Weight, share: &Fraction) -> Weight {
    total * share.numer().magnitude() / share.denom().magnitude()
}
