//! Many weights over one total as fractions in lowest terms.
//!
//! The totals of dice are products of small primes. So a weight is divided by what it shares with a word full of these primes, which
//! costs much less than a general gcd. Thousands of rows share a few dozen denominators.

use std::borrow::Cow;

use num_bigint::BigUint;
use num_integer::Integer as _;
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
    /// The product of small primes that divide the total, and its highest power that fits a word.
    primes: u64,
    word: u64,
    /// The factor of the total with these primes alone, and the factor without them.
    smooth: Weight,
    rest: Weight,
    /// The text of each denominator, by its common factor with the total.
    denominators: ValueMap<Weight, String>,
}

/// The common divisor of a word and a weight.
fn shared(word: u64, weight: &Weight) -> u64 {
    (weight % word).to_u64().unwrap_or_default().gcd(&word)
}

impl<'a> LowestTerms<'a> {
    /// Fractions over this total, which must not be zero.
    pub(crate) fn new(total: &'a Weight) -> Self {
        let mut primes = 1_u64;
        for candidate in 2..=LARGEST_PRIME {
            // The prime factors of a composite candidate are there already.
            let is_new = candidate.gcd(&primes) == 1 && (total % candidate).is_zero();
            if is_new && primes < u64::MAX / candidate {
                primes *= candidate;
            }
        }
        let word = primes.pow(u64::MAX.ilog(primes.max(2)));
        let mut rest = total.clone();
        while let part @ 2.. = shared(word, &rest) {
            rest /= part;
        }
        Self {
            total,
            primes,
            word,
            smooth: total / &rest,
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

    /// The common divisor of the total and a weight that is not zero.
    fn common_factor(&self, weight: &Weight) -> Weight {
        let mut common = if self.rest.is_one() {
            BigUint::one()
        } else {
            common_divisor(&self.rest, weight)
        };
        let (mut weight, mut smooth) = (Cow::Borrowed(weight), Cow::Borrowed(&self.smooth));
        while let part @ 2.. = shared(shared(self.word, &weight), &smooth) {
            common *= part;
            // The word is not used up if it has one more of each prime.
            if u128::from(self.word) % (u128::from(part) * u128::from(self.primes)) == 0 {
                break;
            }
            weight = Cow::Owned(&*weight / part);
            smooth = Cow::Owned(&*smooth / part);
        }
        common
    }
}

#[cfg(test)]
mod tests {
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
