//! Many weights over one total as fractions in lowest terms.
//!
//! The totals of dice are products of small primes. So a weight is divided by powers of these primes, the highest first, which costs
//! much less than a general gcd. Thousands of rows share a few dozen denominators.

use num_integer::Integer as _;
use num_traits::{One, Zero};

use crate::algebra::Weight;
use crate::algebra::weight::{common_divisor, reduced};
use crate::map::ValueMap;
use crate::number::Fraction;

/// Primes up to this are split off the total.
const LARGEST_PRIME: u64 = 251;

/// The text of a figure in lowest terms.
pub(crate) fn exactly(figure: &Fraction) -> String {
    reduced(figure).to_string()
}

/// Writes weights over one total in lowest terms.
#[derive(Debug)]
pub(crate) struct LowestTerms<'a> {
    total: &'a Weight,
    /// The powers of small primes in the total, and the factor of it without them.
    powers: Vec<PrimePower>,
    rest: Weight,
    /// The text of each denominator, by the exponents of these primes that are left in it, and the factor that was removed from the rest.
    denominators: ValueMap<(Vec<u64>, Weight), String>,
}

/// A power of a prime.
#[derive(Debug)]
struct PrimePower {
    prime: u64,
    exponent: u64,
    /// The prime, its square, the square of that, and so on, up to the exponent.
    squares: Vec<Weight>,
}

impl PrimePower {
    /// The power of a prime in a number, which is divided by it.
    fn taken(prime: u64, number: &mut Weight) -> Option<Self> {
        if !(&*number % prime).is_zero() {
            return None;
        }
        let mut squares = vec![Weight::from(prime)];
        while let Some(last) = squares
            .last()
            .filter(|last| 2 * last.bits() <= number.bits() + 1)
        {
            squares.push(last * last);
        }
        let mut power = Self {
            prime,
            exponent: u64::MAX,
            squares,
        };
        power.exponent = power.divide(number);
        Some(power)
    }

    /// Divides a number by the greatest power of the prime in it, and this one at most. The exponent of that.
    ///
    /// Ever larger powers are taken as long as they go, and then smaller ones.
    fn divide(&self, number: &mut Weight) -> u64 {
        if self.prime == 2 {
            let exponent = number.trailing_zeros().unwrap_or(0).min(self.exponent);
            *number >>= exponent;
            return exponent;
        }
        let mut exponent = 0;
        let mut goes = |level: usize| {
            let more = 1_u64 << level;
            if more > self.exponent - exponent {
                return false;
            }
            let (quotient, remainder) = number.div_rem(&self.squares[level]);
            if remainder.is_zero() {
                *number = quotient;
                exponent += more;
            }
            remainder.is_zero()
        };
        let mut level = 0;
        while level < self.squares.len() && goes(level) {
            level += 1;
        }
        for level in (0..level).rev() {
            goes(level);
        }
        exponent
    }
}

impl<'a> LowestTerms<'a> {
    /// Fractions over this total, which must not be zero.
    pub(crate) fn new(total: &'a Weight) -> Self {
        let mut rest = total.clone();
        // The prime factors of a composite candidate are gone when it comes.
        let powers = (2..=LARGEST_PRIME).filter_map(|prime| PrimePower::taken(prime, &mut rest));
        Self {
            total,
            powers: powers.collect(),
            rest,
            denominators: ValueMap::default(),
        }
    }

    /// The numerator and the denominator of `weight / total`, reduced.
    pub(crate) fn of(&mut self, weight: &Weight) -> (String, &str) {
        let mut numerator = weight.clone();
        let (left, gone) = if weight.is_zero() {
            (vec![0; self.powers.len()], self.rest.clone())
        } else {
            let powers = self.powers.iter();
            let left = powers.map(|power| power.exponent - power.divide(&mut numerator));
            let left: Vec<u64> = left.collect();
            let gone = if self.rest.is_one() {
                Weight::one()
            } else {
                common_divisor(&self.rest, &numerator)
            };
            if !gone.is_one() {
                numerator /= &gone;
            }
            (left, gone)
        };
        let Self {
            total,
            powers,
            rest,
            denominators,
        } = self;
        let key = (left, gone);
        let denominator = denominators.entry(key).or_insert_with_key(|(left, gone)| {
            let is_whole = powers
                .iter()
                .zip(left)
                .all(|(power, &left)| power.exponent == left);
            if is_whole && gone.is_one() {
                return total.to_string();
            }
            let powers = powers.iter().zip(left);
            let smooth = powers
                .map(|(power, &left)| num_traits::pow::Pow::pow(Weight::from(power.prime), left));
            let denominator = smooth.product::<Weight>() * (&*rest / gone);
            denominator.to_string()
        });
        (numerator.to_string(), denominator)
    }

    /// `weight / total` as text: `7/432`, or `0` or `1`.
    pub(crate) fn text(&mut self, weight: &Weight) -> String {
        let (mut text, denominator) = self.of(weight);
        if denominator != "1" {
            text.push('/');
            text.push_str(denominator);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn fractions_are_reduced_as_by_a_general_gcd() {
        let totals = [
            BigUint::from(1296u32),
            BigUint::from(6u32).pow(90),
            BigUint::from(2u32).pow(70) * BigUint::from(257u32).pow(2) * 1009u32,
            (1..=60u32).product(),
            BigUint::from(997u32),
            BigUint::one(),
        ];
        for total in totals {
            let mut terms = LowestTerms::new(&total);
            for step in 0..200u32 {
                let weight = BigUint::from(step) * &total / 200u32 * 36u32 % (&total + 1u32);
                let common = weight.gcd(&total);
                let expected = (
                    (&weight / &common).to_string(),
                    (&total / &common).to_string(),
                );
                let (numerator, denominator) = terms.of(&weight);
                assert_eq!(
                    (numerator, denominator.to_owned()),
                    expected,
                    "{weight}/{total}"
                );
            }
        }
        let total = BigUint::from(6u32);
        let mut terms = LowestTerms::new(&total);
        let texts: Vec<String> = (0..=6u32)
            .map(|weight| terms.text(&weight.into()))
            .collect();
        assert_eq!(texts, ["0", "1/6", "1/3", "1/2", "2/3", "5/6", "1"]);
    }
}
