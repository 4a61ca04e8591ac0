//! Products and powers of long weights, within a budget.
//!
//! A multiplication of millions of digits takes seconds. So Karatsuba's steps are taken here, with a look at the clock before
//! each, and the library multiplies the short operands that are left.

use num_bigint::BigUint;

use crate::limits::{Budget, LimitReached, Reserved};

/// Operands shorter than this, in limbs, are multiplied by the library at once.
const AT_ONCE: u64 = 1 << 14;

/// The product of two long weights.
pub(super) fn multiply(
    a: &BigUint,
    b: &BigUint,
    budget: &Budget<'_>,
) -> Result<BigUint, LimitReached> {
    let (short, long) = if a.bits() <= b.bits() { (a, b) } else { (b, a) };
    budget.look_at_clock()?;
    if short.bits() <= AT_ONCE * 64 && long.bits() <= AT_ONCE * 64 * 16 {
        return Ok(short * long);
    }
    let half = long.bits().div_ceil(2);
    let _reserved = Reserved::new(budget, long.bits() / 2)?;
    let split = |number: &BigUint| {
        let top = number >> half;
        let bottom = number - (&top << half);
        (bottom, top)
    };
    let (low, high) = split(long);
    if short.bits() <= half {
        return Ok(multiply(short, &low, budget)? + (multiply(short, &high, budget)? << half));
    }
    let (other_low, other_high) = split(short);
    let bottom = multiply(&low, &other_low, budget)?;
    let top = multiply(&high, &other_high, budget)?;
    let middle = multiply(&(low + high), &(other_low + other_high), budget)? - &bottom - &top;
    Ok((((top << half) + middle) << half) + bottom)
}

/// A power, by squaring and [`multiply`]. It is refused if it does not fit the memory.
pub(crate) fn power(
    base: &BigUint,
    exponent: u64,
    budget: &Budget<'_>,
) -> Result<BigUint, LimitReached> {
    if base.bits() <= 1 {
        return Ok(if exponent == 0 {
            BigUint::from(1_u32)
        } else {
            base.clone()
        });
    }
    let bits = base.bits().saturating_mul(exponent);
    // A multiplication needs several times the memory of its result: here eight times.
    let _reserved = Reserved::new(budget, bits)?;
    if bits <= AT_ONCE * 64
        && let Ok(exponent) = u32::try_from(exponent)
    {
        return Ok(base.pow(exponent));
    }
    let mut result = BigUint::from(1_u32);
    for bit in (0..64 - exponent.leading_zeros()).rev() {
        result = multiply(&result, &result, budget)?;
        if exponent >> bit & 1 == 1 {
            result = multiply(&result, base, budget)?;
        }
    }
    Ok(result)
}
