//! Binomial coefficients and the tails of binomial distributions, exactly.

use num_bigint::BigUint;

use super::limbs::{self, ExactDivisor};
use super::stop::{Pace, Reserved};
use super::weights::from_limbs;
use super::{Weight, convolution};
use crate::limits::{Budget, LimitReached};

/// How many ways there are to choose k of n.
///
/// # Errors
///
/// [`LimitReached`] where that takes too long.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::binomial;
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// assert_eq!(binomial(6, 2, &budget)?, 15_u32.into());
/// assert_eq!(binomial(2, 6, &budget)?, 0_u32.into());
/// # Ok::<(), dicedist::limits::LimitReached>(())
/// ```
pub fn binomial(n: u64, k: u64, budget: &Budget<'_>) -> Result<Weight, LimitReached> {
    let Some(rest) = n.checked_sub(k) else {
        return Ok(Weight::ZERO);
    };
    let k = k.min(rest);
    // C(n, k) < (n·e/k)^k, and certainly below 2^n and n^k.
    let bits = n.min(k.saturating_mul(u64::from(64 - n.leading_zeros())));
    let width = limbs::limbs_for(bits.saturating_add(64));
    let _reserved = Reserved::new(budget, (width as u64).saturating_mul(16))?;
    let mut pace = Pace::new(budget);
    let mut number = vec![0; width];
    number[0] = 1;
    let mut length = 1;
    for step in 1..=k {
        pace.step(length as u64 * 2)?;
        step_ratio(&mut number, &mut length, n - k + step, step);
    }
    Ok(from_limbs(&number))
}

/// `number = number·up/down`, exactly; `length` says how many limbs are in use.
fn step_ratio(number: &mut [u64], length: &mut usize, up: u64, down: u64) {
    if let Some(next) = number.get_mut(*length) {
        *next = 0;
    }
    let used = (*length + 1).min(number.len());
    let carry = limbs::mul(&mut number[..used], up);
    debug_assert_eq!(carry, 0, "a binomial coefficient fits its bound");
    ExactDivisor::new(down).divide(&mut number[..used]);
    *length = limbs::significant(&number[..used]).max(1);
}

/// The weight of fewer than k hits among n independent tries, each with weight `hit` or `miss`:
/// `Σ_{b<k} C(n,b)·hitᵇ·missⁿ⁻ᵇ`, over the total `(hit + miss)ⁿ`.
///
/// Each term comes from the one before; the shorter of the two tails is summed.
///
/// # Errors
///
/// [`LimitReached`] where that takes too long.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::fewer_hits;
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// // At most one six among three dice: 125 + 3·25 of 216.
/// assert_eq!(fewer_hits(2, 3, &1_u32.into(), &5_u32.into(), &budget)?, 200_u32.into());
/// # Ok::<(), dicedist::limits::LimitReached>(())
/// ```
pub fn fewer_hits(
    k: u64,
    n: u64,
    hit: &Weight,
    miss: &Weight,
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    let sum = hit + miss;
    if k > n {
        return convolution::power(&sum, n, budget);
    }
    if k == 0 {
        return Ok(Weight::ZERO);
    }
    if *hit == Weight::ZERO || *miss == Weight::ZERO {
        // No hit at all, or nothing but n ≥ k hits.
        return convolution::power(miss, n, budget);
    }
    if k > n / 2 + 1 {
        // Fewer than k hits are not fewer than n-k+1 misses.
        let others = fewer_hits(n - k + 1, n, miss, hit, budget)?;
        return Ok(convolution::power(&sum, n, budget)? - others);
    }
    let mut term = convolution::power(miss, n, budget)?;
    let mut total = term.clone();
    let mut pace = Pace::new(budget);
    let (Some(up), Some(down)) = (small(hit), small(miss)) else {
        for b in 1..k {
            pace.step(term.bits() / 16 + 8)?;
            term = term * (n - b + 1) * hit / (miss * b);
            total += &term;
        }
        return Ok(total);
    };
    // In place, with room for the factors before the division.
    let width = limbs::limbs_for(sum.bits().saturating_mul(n).saturating_add(128));
    let _reserved = Reserved::new(budget, (width as u64).saturating_mul(16))?;
    let mut digits = term.to_u64_digits();
    digits.resize(width, 0);
    let mut sums = digits.clone();
    for b in 1..k {
        pace.step(width as u64 * 4)?;
        let (above, below) = ((n - b + 1).checked_mul(up), b.checked_mul(down));
        if let (Some(above), Some(below)) = (above, below) {
            limbs::mul(&mut digits, above);
            ExactDivisor::new(below).divide(&mut digits);
        } else {
            limbs::mul(&mut digits, n - b + 1);
            limbs::mul(&mut digits, up);
            ExactDivisor::new(b).divide(&mut digits);
            ExactDivisor::new(down).divide(&mut digits);
        }
        limbs::add(&mut sums, &digits);
    }
    Ok(from_limbs(&sums))
}

pub(super) fn small(number: &BigUint) -> Option<u64> {
    let mut digits = number.iter_u64_digits();
    match (digits.next(), digits.next()) {
        (low, None) => Some(low.unwrap_or(0)),
        _ => None,
    }
}
