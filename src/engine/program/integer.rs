//! The integers of residual programs: 62 bits, and two infinite ends.
//!
//! Every number that a node holds is within `-2^62..=2^62`, so that no sum of two wraps. An end of an interval beyond
//! that range is infinite. Arithmetic that leaves the range is an error, and the slow evaluator takes over.

use crate::engine::operate;
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};
use crate::error::ErrorKind;
use crate::ir::Arithmetic;
use crate::number::{Integer, Overflow};

/// The largest magnitude of a number of a residual program.
const LARGEST: i128 = 1 << 62;

/// Whether an end of bounds is infinite.
pub(in crate::engine) fn is_infinite(end: i64) -> bool {
    i128::from(end.unsigned_abs()) > LARGEST
}

/// A number that residual programs can hold, else the reason to give up.
pub(in crate::engine) fn checked(value: i128) -> Attempt<i64> {
    if (-LARGEST..=LARGEST).contains(&value) {
        Ok(i64::try_from(value).expect("within 63 bits"))
    } else {
        Err(Stop::Unsupported(Reason::LongIntegers))
    }
}

/// The sum of two ends. An infinite end stays infinite.
pub(in crate::engine) fn plus(a: i64, b: i64) -> Attempt<i64> {
    match (is_infinite(a), is_infinite(b)) {
        (true, _) => Ok(a),
        (_, true) => Ok(b),
        _ => checked(i128::from(a) + i128::from(b)),
    }
}

pub(in crate::engine) fn minus(a: i64, b: i64) -> Attempt<i64> {
    plus(a, times(b, -1)?)
}

/// The product of two ends. The product of 0 and an infinite end is 0, because 0 times any number is 0.
pub(in crate::engine) fn times(a: i64, b: i64) -> Attempt<i64> {
    let product = widest_product(a, b);
    if is_infinite(product) && !is_infinite(a) && !is_infinite(b) {
        return Err(Stop::Unsupported(Reason::LongIntegers));
    }
    Ok(product)
}

/// The product of two ends, infinite where it is too large: the other factors of a product can be smaller where one is large, so that a
/// bound is often far from each value.
pub(in crate::engine) fn widest_product(a: i64, b: i64) -> i64 {
    let product = i128::from(a) * i128::from(b);
    if product.abs() <= LARGEST {
        i64::try_from(product).expect("within 63 bits")
    } else if product > 0 {
        i64::MAX
    } else {
        i64::MIN
    }
}

/// An upper bound of a power of a number that is at least 1: infinite where the power is too large.
pub(in crate::engine) fn widest_power(base: i64, exponent: i64) -> i64 {
    if base == 1 || exponent <= 0 {
        return 1;
    }
    let power = u32::try_from(exponent)
        .ok()
        .and_then(|exponent| base.checked_pow(exponent));
    power
        .filter(|&power| !is_infinite(power))
        .unwrap_or(i64::MAX)
}

/// A number that residual programs can hold.
pub(in crate::engine) fn narrow(value: i128) -> Attempt<i64> {
    match i64::try_from(value) {
        Ok(small) if small.unsigned_abs() <= 1 << 62 => Ok(small),
        _ => Err(Stop::Unsupported(Reason::LongIntegers)),
    }
}

/// The value of an arithmetic operator, or 0 where the operator is not defined.
pub(in crate::engine) fn value_or_zero(
    operator: Arithmetic,
    a: &Integer,
    b: &Integer,
) -> Result<Integer, Overflow> {
    match operate::arithmetic(operator, a, b) {
        Err(ErrorKind::Overflow) => Err(Overflow),
        value => Ok(value.unwrap_or_default()),
    }
}

/// The first mark. Where the evaluation of a loop fails, its last value is a mark: this number plus the index of the
/// failure. A loop whose members may be as large is left to the slow evaluator.
pub(in crate::engine) const MARKS: i64 = 1 << 61;
