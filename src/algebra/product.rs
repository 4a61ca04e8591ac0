//! Products and powers of long weights, within a budget.
//!
//! The library multiplies short operands, and transforms the long ones. Operands of many millions of digits take seconds, and much
//! memory: Karatsuba's steps split them, with a look at the clock before each.

use num_bigint::BigUint;

use super::field::Field;
use super::limbs;
use crate::limits::{Budget, LimitReached, Reserved};

/// Operands shorter than this, in bits, are left to the library. It has limbs of 32 bits in browsers, which takes four times as long.
const LIBRARY: u64 = if cfg!(target_pointer_width = "64") {
    64 << 12
} else {
    64 << 8
};

/// What the library multiplies at once, in bits.
const AT_ONCE: u64 = 64 << 14;

/// The most digits of 32 bits that a transform gives. Each prime has roots of unity of this order, and of three quarters of it.
const LONGEST: u64 = 1 << 20;

/// The product of two long weights.
pub(super) fn multiply(
    a: &BigUint,
    b: &BigUint,
    budget: &Budget<'_>,
) -> Result<BigUint, LimitReached> {
    let (short, long) = if a.bits() <= b.bits() { (a, b) } else { (b, a) };
    budget.look_at_clock()?;
    if short.bits() < LIBRARY && long.bits() <= AT_ONCE * 16 {
        return Ok(short * long);
    }
    if short.bits() >= LIBRARY && digits(short) + digits(long) <= LONGEST {
        return transformed(short, long, budget);
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
    if bits <= LIBRARY
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

/// The product by transforms modulo three primes.
///
/// The digits of the numbers are coefficients. Each coefficient of the product is below `n·2^64`, so the remainder theorem gives it
/// back from its residues modulo primes that multiply to 2^92.
fn transformed(a: &BigUint, b: &BigUint, budget: &Budget<'_>) -> Result<BigUint, LimitReached> {
    const FIRST: u32 = 15 * (1 << 27) + 1;
    const SECOND: u32 = 63 * (1 << 25) + 1;
    const THIRD: u32 = 27 * (1 << 26) + 1;
    type First = Field<FIRST>;
    type Second = Field<SECOND>;
    type Third = Field<THIRD>;
    /// The first two primes together.
    const BOTH: u64 = FIRST as u64 * SECOND as u64;
    const BY_FIRST: u32 = Second::plain_product(Second::inverse(FIRST % SECOND), Second::RADIX);
    #[allow(clippy::cast_possible_truncation)] // below THIRD
    const BY_BOTH: u32 =
        Third::plain_product(Third::inverse((BOTH % THIRD as u64) as u32), Third::RADIX);
    const FIRST_IN_THIRD: u32 = Third::plain_product(FIRST % THIRD, Third::RADIX);

    let count = digits(a) + digits(b);
    // The operands and the result, and six lists of half as much again at most.
    let _reserved = Reserved::new(budget, 12 * 4 * count)?;
    let first = a.to_u32_digits();
    let second = if a == b {
        None
    } else {
        Some(b.to_u32_digits())
    };
    let operands = [&first[..], second.as_deref().unwrap_or(&first)];
    let count = operands[0].len() + operands[1].len();
    let power = count.next_power_of_two();
    let length = if count <= power / 4 * 3 {
        power / 4 * 3
    } else {
        power
    };
    let x = First::convolution(operands, length, 31, budget)?;
    let y = Second::convolution(operands, length, 5, budget)?;
    let z = Third::convolution(operands, length, 13, budget)?;
    let mut result = Vec::with_capacity(count);
    let mut carry = 0_u128;
    for ((x, y), z) in x.into_iter().zip(y).zip(z).take(count) {
        // Garner's form of the theorem: x + y·FIRST + z·BOTH.
        let y = Second::product(y + SECOND - x, BY_FIRST);
        let below = Third::reduced(x) + Third::product(y, FIRST_IN_THIRD);
        let z = Third::product(z + THIRD - Third::reduced(below), BY_BOTH);
        let low = u64::from(x) + u64::from(y) * u64::from(FIRST);
        carry += u128::from(low) + limbs::product(z.into(), BOTH);
        #[allow(clippy::cast_possible_truncation)] // the digit is the rest
        result.push(carry as u32);
        carry >>= 32;
    }
    Ok(BigUint::new(result))
}

/// The digits of 32 bits.
fn digits(number: &BigUint) -> u64 {
    number.bits().div_ceil(32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Unobserved};

    #[test]
    fn transforms_give_the_library_s_products() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let mut state = 1_u64;
        let mut number = |digits: usize| {
            // Knuth's linear congruential generator.
            let mut next = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                u32::try_from(state >> 32).unwrap()
            };
            BigUint::new((0..digits).map(|_| next()).collect())
        };
        // Lengths at and around powers of two and three times them, equal and unequal; then the largest coefficients.
        for [a, b] in [
            [1, 1],
            [1, 2],
            [2, 2],
            [3, 1],
            [3, 3],
            [3, 4],
            [5, 7],
            [6, 6],
            [7, 6],
            [16, 16],
            [17, 31],
            [100, 1],
            [255, 257],
            [300, 84],
            [384, 384],
            [385, 384],
            [1000, 4000],
            [4096, 4096],
            [6144, 6144],
            [6000, 7000],
        ] {
            let [a, b] = [number(a), number(b)];
            assert_eq!(transformed(&a, &b, &budget), Ok(&a * &b), "{a} {b}");
            assert_eq!(transformed(&a, &a, &budget), Ok(&a * &a), "{a}");
        }
        for bits in [32 * 384, 32 * 8192] {
            let ones = (BigUint::from(1_u32) << bits) - 1_u32;
            let other = &ones - 2_u32;
            assert_eq!(transformed(&ones, &ones, &budget), Ok(&ones * &ones));
            assert_eq!(transformed(&ones, &other, &budget), Ok(&ones * &other));
        }
    }

    #[test]
    fn products_of_any_length_are_the_library_s() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        // (2^a - 1)(2^b - 1) has four terms.
        let one = BigUint::from(1_u32);
        let shorter = [1, 1_000, 300_000, 5_000_000];
        for (a, b) in shorter
            .into_iter()
            .flat_map(|a| [(a, a), (a, a + 77), (a, 40_000_000)])
        {
            let product = multiply(&((&one << a) - &one), &((&one << b) - &one), &budget);
            let expected = (&one << (a + b)) - (&one << a) - (&one << b) + &one;
            assert!(product == Ok(expected), "{a} {b}");
        }
    }
}
