//! Products of consecutive integers, by their factors.
//!
//! A quotient of two such products, as a binomial coefficient, is far shorter than either product. So the factors that both have are
//! taken away before anything is multiplied.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::product::multiply;
use crate::limits::{Budget, LimitReached, Reserved};

/// The bytes that the factors of one integer take, at most, on their way.
const BYTES_OF_FACTORS: u64 = 96;

/// The prime factors below a bound of the integers `first, first+1, …`.
pub(super) struct Consecutive<'a> {
    first: u64,
    /// The prime factors of all integers, one after the other.
    primes: Vec<u32>,
    /// For each integer, where its factors begin; then where the last ends.
    starts: Vec<usize>,
    _reserved: Reserved<'a>,
}

impl<'a> Consecutive<'a> {
    /// Factors `count` integers from `first` on, by the primes up to `bound`. `None` if there are too many integers for a machine.
    pub(super) fn new(
        first: u64,
        count: u64,
        bound: u64,
        budget: &'a Budget<'a>,
    ) -> Result<Option<Self>, LimitReached> {
        let (Ok(count), Ok(bound)) = (u32::try_from(count), u32::try_from(bound)) else {
            return Ok(None);
        };
        let longest = u64::from(count.max(bound));
        let reserved = Reserved::new(budget, longest.saturating_mul(BYTES_OF_FACTORS))?;
        let mut is_composite = vec![false; bound as usize + 1];
        // The factors by primes, and how many each integer has.
        let mut factors = Vec::new();
        let mut starts = vec![0_usize; count as usize + 1];
        for prime in 2..=bound {
            if is_composite[prime as usize] {
                continue;
            }
            let step = prime as usize;
            for multiple in is_composite.iter_mut().skip(step).step_by(step) {
                *multiple = true;
            }
            let before = (u64::from(prime) - first % u64::from(prime)) % u64::from(prime);
            #[allow(clippy::cast_possible_truncation)] // less than the prime
            let before = before as u32;
            for place in (before..count).step_by(step) {
                factors.push((place, prime));
                starts[place as usize] += 1;
            }
            budget.work(u64::from((bound + count) / prime) + 4)?;
        }
        budget.work(factors.len() as u64 * 4)?;
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // Each factor goes before those of its integer that were met later.
        let mut primes = vec![0; factors.len()];
        for (place, prime) in factors.into_iter().rev() {
            let start = &mut starts[place as usize];
            *start -= 1;
            primes[*start] = prime;
        }
        Ok(Some(Self {
            first,
            primes,
            starts,
            _reserved: reserved,
        }))
    }

    /// The factors of what a divisor has left of an integer.
    pub(super) fn add_factors(&self, integer: u64, mut left: u64, powers: &mut Vec<(u64, u32)>) {
        let place = usize::try_from(integer - self.first).unwrap_or(usize::MAX);
        for &prime in &self.primes[self.starts[place]..self.starts[place + 1]] {
            let mut exponent = 0;
            while left.is_multiple_of(u64::from(prime)) {
                left /= u64::from(prime);
                exponent += 1;
            }
            if exponent > 0 {
                powers.push((u64::from(prime), exponent));
            }
        }
        if left > 1 {
            powers.push((left, 1));
        }
    }
}

/// A product of powers: bases with their exponents, bases ascending. Bases that are no primes have no factor that matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Powers(Vec<(u64, u32)>);

impl Powers {
    /// Sorts powers, and adds the exponents of equal bases.
    pub(super) fn new(mut powers: Vec<(u64, u32)>) -> Self {
        powers.sort_unstable_by_key(|&(base, _)| base);
        powers.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        Self(powers)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut powers: Vec<(u64, u32)> = Vec::with_capacity(self.len() + other.len());
        let (mut left, mut right) = (self.0.as_slice(), other.0.as_slice());
        while let ([(a, m), lefts @ ..], [(b, n), rights @ ..]) = (left, right) {
            powers.push(match a.cmp(b) {
                Ordering::Less => (*a, *m),
                Ordering::Equal => (*a, m + n),
                Ordering::Greater => (*b, *n),
            });
            if a <= b {
                left = lefts;
            }
            if b <= a {
                right = rights;
            }
        }
        powers.extend_from_slice(left);
        powers.extend_from_slice(right);
        Self(powers)
    }

    /// Takes away the factors that both products have.
    pub(super) fn cancel(&mut self, other: &mut Self) {
        let mut place = 0;
        for (base, exponent) in &mut self.0 {
            while other.0.get(place).is_some_and(|(other, _)| other < base) {
                place += 1;
            }
            if let Some((_, others)) = other.0.get_mut(place).filter(|(other, _)| other == base) {
                let common = *exponent.min(others);
                *exponent -= common;
                *others -= common;
            }
        }
        for powers in [self, other] {
            powers.0.retain(|&(_, exponent)| exponent > 0);
        }
    }

    /// The product, by halves.
    pub(super) fn product(&self, budget: &Budget<'_>) -> Result<BigUint, LimitReached> {
        let mut factors = Vec::new();
        let mut factor = 1_u64;
        for &(base, exponent) in &self.0 {
            for _ in 0..exponent {
                match factor.checked_mul(base) {
                    Some(product) => factor = product,
                    None => factors.push(std::mem::replace(&mut factor, base)),
                }
            }
        }
        factors.push(factor);
        product_of(&factors, budget)
    }
}

fn product_of(factors: &[u64], budget: &Budget<'_>) -> Result<BigUint, LimitReached> {
    if factors.len() <= 32 {
        budget.work(factors.len() as u64 * 16)?;
        return Ok(factors.iter().copied().map(BigUint::from).product());
    }
    let (low, high) = factors.split_at(factors.len() / 2);
    multiply(
        &product_of(low, budget)?,
        &product_of(high, budget)?,
        budget,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Unobserved};

    #[test]
    fn a_product_without_common_factors_is_the_quotient() -> Result<(), LimitReached> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        // 12!/5! is the product of 6 to 12, and 35·36·…·41 / 7! is C(41, 7).
        for (first, count, expected) in [(6_u64, 7_u64, 792_u32), (35, 7, 22_481_940)] {
            let above = Consecutive::new(first, count, 7, &budget)?.expect("a small run");
            let below = Consecutive::new(1, 7, 7, &budget)?.expect("a small run");
            let powers = |run: &Consecutive<'_>, first: u64| {
                let mut powers = Vec::new();
                for integer in first..first + count {
                    run.add_factors(integer, integer, &mut powers);
                }
                Powers::new(powers)
            };
            let (mut above, mut below) = (powers(&above, first), powers(&below, 1));
            above.cancel(&mut below);
            assert_eq!(below, Powers::default());
            assert_eq!(above.product(&budget)?, expected.into(), "{first}");
        }
        Ok(())
    }
}
