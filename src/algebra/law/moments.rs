//! The first two moments of a law, which its listed part alone does not have.
//!
//! Moments are taken over the paths that end: `E[Xⁱ; X ends]`. So the moments of a mixture are weighted sums of
//! moments, and the moments of a sum of independent numbers follow from those of the numbers.

use num_bigint::BigInt;
use num_traits::One;

use crate::algebra::weight::{probability, ratio};
use crate::algebra::{Numbers, Weight};
use crate::number::{Fraction, Integer};

/// The moments `E[Xⁱ; X ends]` for i = 0, 1, 2; `None` is infinite.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::{Moments, Numbers};
/// use dicedist::number::Fraction;
///
/// let moments = Moments::of(&Numbers::die(6));
/// assert_eq!(moments.first, Some(Fraction::new(7.into(), 2.into())));
/// assert_eq!(moments.given_that_it_ends().unwrap().variance(), Some(Fraction::new(35.into(), 12.into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Moments {
    /// The probability that the roll ends.
    pub ends: Fraction,
    /// The mean given that the roll ends, times the probability that it does.
    pub first: Option<Fraction>,
    /// The mean of the square given that the roll ends, times the same probability.
    pub second: Option<Fraction>,
}

impl Moments {
    /// The moments given that the roll ends; `None` if it never does.
    #[must_use]
    pub fn given_that_it_ends(&self) -> Option<Self> {
        if self.ends.is_one() {
            return Some(self.clone());
        }
        let whole = |moment: &Option<Fraction>| moment.as_ref().map(|moment| moment / &self.ends);
        (self.ends != Fraction::default()).then(|| Self {
            ends: Fraction::from_integer(1.into()),
            first: whole(&self.first),
            second: whole(&self.second),
        })
    }

    /// The variance, for a roll that surely ends; `None` is infinite.
    #[must_use]
    pub fn variance(&self) -> Option<Fraction> {
        let (mean, squares) = (self.first.as_ref()?, self.second.as_ref()?);
        Some(squares - mean * mean)
    }

    /// The moments of a number that is certain.
    pub(crate) fn certain(number: &Integer) -> Self {
        let number = Fraction::from_integer(number.to_big());
        Self {
            ends: Fraction::from_integer(1.into()),
            second: Some(&number * &number),
            first: Some(number),
        }
    }

    /// The moments of a measure without weight: the start of a sum.
    pub(super) fn nothing() -> Self {
        Self {
            ends: Fraction::default(),
            first: Some(Fraction::default()),
            second: Some(Fraction::default()),
        }
    }

    /// The moments of a measure.
    #[must_use]
    pub fn of(numbers: &Numbers) -> Self {
        let (mut first, mut second) = (BigInt::ZERO, BigInt::ZERO);
        for (outcome, weight) in numbers.iter() {
            let outcome = outcome.to_big();
            let product = &outcome * BigInt::from(weight);
            second += &outcome * &product;
            first += product;
        }
        let over = |sum: BigInt| Some(ratio(&sum, numbers.total()));
        Self {
            ends: probability(&numbers.mass(), numbers.total()),
            first: over(first),
            second: over(second),
        }
    }

    /// The moments of a measure over a total, given the sums of its weights, and of its weights times each outcome and
    /// times the square of each.
    pub(crate) fn of_power_sums([mass, first, second]: [BigInt; 3], total: &Weight) -> Self {
        let over = |sum: BigInt| ratio(&sum, total);
        Self {
            ends: over(mass),
            first: Some(over(first)),
            second: Some(over(second)),
        }
    }

    /// The moments of the product of two independent numbers: `E[(XY)ⁱ] = E[Xⁱ]·E[Yⁱ]`. `None` if a moment is infinite.
    pub(crate) fn product(&self, other: &Self) -> Option<Self> {
        Some(Self {
            ends: &self.ends * &other.ends,
            first: Some(self.first.as_ref()? * other.first.as_ref()?),
            second: Some(self.second.as_ref()? * other.second.as_ref()?),
        })
    }

    /// The moments of the sum of two independent numbers.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let both = |a: &Option<Fraction>, b: &Option<Fraction>| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            Some(a * &other.ends + b * &self.ends)
        };
        let first = both(&self.first, &other.first);
        let second = both(&self.second, &other.second).and_then(|squares| {
            let cross = self.first.as_ref()? * other.first.as_ref()?;
            Some(squares + &cross + &cross)
        });
        Self {
            ends: &self.ends * &other.ends,
            first,
            second,
        }
    }

    /// The moments of `by·X`.
    pub(super) fn scaled(&self, by: &Integer) -> Self {
        let by = Fraction::from_integer(by.to_big());
        Self {
            ends: self.ends.clone(),
            first: self.first.as_ref().map(|first| first * &by),
            second: self.second.as_ref().map(|second| second * &by * &by),
        }
    }

    /// The moments of this measure plus `share` times another.
    pub(super) fn plus_share(&self, other: &Self, share: &Fraction) -> Self {
        let sum = |a: &Option<Fraction>, b: &Option<Fraction>| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            Some(a + b * share)
        };
        Self {
            ends: &self.ends + &other.ends * share,
            first: sum(&self.first, &other.first),
            second: sum(&self.second, &other.second),
        }
    }

    /// The moments of the sum of `n` independent numbers, n > 0.
    pub(super) fn times(&self, n: u32) -> Self {
        let power = |n: u32| num_traits::Pow::pow(self.ends.clone(), n);
        let count = Fraction::from_integer(n.into());
        let first = self
            .first
            .as_ref()
            .map(|first| first * &count * power(n - 1));
        let second = self.second.as_ref().and_then(|second| {
            let first = self.first.as_ref()?;
            let squares = second * &count * power(n - 1);
            if n == 1 {
                return Some(squares);
            }
            let others = Fraction::from_integer((n - 1).into());
            Some(squares + first * first * &count * others * power(n - 2))
        });
        Self {
            ends: power(n),
            first,
            second,
        }
    }

    /// The moments of a sum of a random number of independent values: `E[S] = E[N]·E[X]` and
    /// `E[S²] = E[N]·Var[X] + E[N²]·E[X]²` (Wald; Feller, volume 1, XII.1). `None` unless the number and the values
    /// surely end, with a finite mean of the values.
    pub(super) fn of_sum(count: &Self, value: &Self) -> Option<Self> {
        let one = Fraction::from_integer(1.into());
        if count.ends != one || value.ends != one {
            return None;
        }
        let mean = value.first.as_ref()?;
        let first = count.first.as_ref().map(|count| count * mean);
        let second = count.second.as_ref().and_then(|squares| {
            let variance = value.second.as_ref()? - mean * mean;
            Some(count.first.as_ref()? * variance + squares * mean * mean)
        });
        Some(Self {
            ends: one,
            first,
            second,
        })
    }
}
