//! Many weights over one total as fractions in lowest terms.
//!
//! The totals of dice are products of small primes. So the common factor of a weight and the total is found prime by prime with
//! one-word divisions, which costs much less than a general gcd. Thousands of rows share a few dozen denominators.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

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
    primes: Vec<PrimePower>,
    /// The total without these primes.
    rest: Weight,
    /// The text of each denominator, by its common factor with the total.
    denominators: ValueMap<Weight, String>,
}

#[derive(Debug)]
struct PrimePower {
    prime: u64,
    exponent: u32,
    /// The highest power of the prime that fits a word, and its exponent.
    word: u64,
    word_exponent: u32,
}

impl<'a> LowestTerms<'a> {
    /// Fractions over this total, which must not be zero.
    pub(crate) fn new(total: &'a Weight) -> Self {
        let mut rest = total.clone();
        let mut primes = Vec::new();
        let mut candidates = 2..=LARGEST_PRIME;
        while let Some(prime) = candidates.find(|_| !rest.is_one()) {
            let word_exponent = u64::MAX.ilog(prime);
            let mut power = PrimePower {
                prime,
                exponent: u32::MAX,
                word: prime.pow(word_exponent),
                word_exponent,
            };
            // A composite candidate divides nothing: its prime factors are already split off.
            power.exponent = power.valuation(&rest);
            if power.exponent > 0 {
                rest /= BigUint::from(prime).pow(power.exponent);
                primes.push(power);
            }
        }
        Self {
            total,
            primes,
            rest,
            denominators: ValueMap::default(),
        }
    }

    /// The numerator and the denominator of `weight / total`, reduced.
    pub(crate) fn of(&mut self, weight: &Weight) -> (String, &str) {
        let common = if weight.is_zero() {
            self.total.clone()
        } else {
            self.common_factor(weight)
        };
        let numerator = if common.is_one() {
            weight.to_string()
        } else {
            (weight / &common).to_string()
        };
        if !self.denominators.contains_key(&common) {
            let denominator = (self.total / &common).to_string();
            self.denominators.insert(common.clone(), denominator);
        }
        (numerator, &self.denominators[&common])
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

    fn common_factor(&self, weight: &Weight) -> Weight {
        let mut common = if self.rest.is_one() {
            Weight::one()
        } else {
            common_divisor(&self.rest, weight)
        };
        for power in &self.primes {
            match power.valuation(weight) {
                0 => {}
                exponent => common *= BigUint::from(power.prime).pow(exponent),
            }
        }
        common
    }
}

impl PrimePower {
    /// The exponent of the prime in an integer that is not zero, at most its exponent in the total.
    fn valuation(&self, integer: &Weight) -> u32 {
        if self.prime == 2 {
            let zeros = integer.trailing_zeros().unwrap_or(0);
            return u32::try_from(zeros).unwrap_or(u32::MAX).min(self.exponent);
        }
        let mut count = 0;
        let mut shortened: Option<Weight> = None;
        loop {
            let left = shortened.as_ref().unwrap_or(integer);
            let mut word = (left % self.word).to_u64().unwrap_or_default();
            if word != 0 {
                while word.is_multiple_of(self.prime) {
                    word /= self.prime;
                    count += 1;
                }
                return count.min(self.exponent);
            }
            count += self.word_exponent;
            if count >= self.exponent {
                return self.exponent;
            }
            shortened = Some(left / self.word);
        }
    }
}

#[cfg(test)]
mod tests {
    use num_integer::Integer as _;

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
