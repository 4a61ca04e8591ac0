//! What is known of the moments of a law: all of them, or only ends between which the mean lies.
//!
//! Moments are linear in the law, and so are ends of the first moment. Both pass through mixtures, sums, products and
//! multiples.

use num_traits::One as _;

use super::moments::Moments;
use crate::number::{Fraction, Integer};

/// Ends between which the first moment of a measure lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MeanBetween {
    /// The probability that the roll ends.
    pub ends: Fraction,
    /// The lower end of `E[X; X ends]`.
    pub low: Fraction,
    /// The upper end of `E[X; X ends]`.
    pub high: Fraction,
}

/// What is known of the moments of a measure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Known {
    /// The moments.
    All(Moments),
    /// Ends of the first moment. They are equal where only the first moment is known.
    Mean(MeanBetween),
}

impl MeanBetween {
    /// The ends of the mean given that the roll ends; `None` if it never does.
    #[must_use]
    pub fn given_that_it_ends(&self) -> Option<[Fraction; 2]> {
        let possible = self.ends != Fraction::default();
        possible.then(|| [&self.low / &self.ends, &self.high / &self.ends])
    }

    /// The ends for a number that surely ends, whose mean lies between these ends.
    pub(crate) fn surely(low: Fraction, high: Fraction) -> Self {
        let ends = Fraction::one();
        Self { ends, low, high }
    }

    /// The ends for the sum of two independent numbers.
    fn plus(&self, other: &Self) -> Self {
        let both = |a: &Fraction, b: &Fraction| a * &other.ends + b * &self.ends;
        Self {
            ends: &self.ends * &other.ends,
            low: both(&self.low, &other.low),
            high: both(&self.high, &other.high),
        }
    }

    /// The ends for the product of two independent numbers.
    fn product(&self, other: &Self) -> Self {
        let ours = [&self.low, &self.high].into_iter();
        let products = ours.flat_map(|a| [a * &other.low, a * &other.high]);
        let products: Vec<Fraction> = products.collect();
        Self {
            ends: &self.ends * &other.ends,
            low: products.iter().min().cloned().unwrap_or_default(),
            high: products.into_iter().max().unwrap_or_default(),
        }
    }
}

impl From<Moments> for Known {
    fn from(moments: Moments) -> Self {
        Self::All(moments)
    }
}

impl From<MeanBetween> for Known {
    fn from(mean: MeanBetween) -> Self {
        Self::Mean(mean)
    }
}

impl Known {
    /// What is known of a measure without weight: the start of a sum.
    pub(crate) fn nothing() -> Self {
        Self::All(Moments::nothing())
    }

    /// All moments, if they are known.
    #[must_use]
    pub fn all(self) -> Option<Moments> {
        match self {
            Self::All(moments) => Some(moments),
            Self::Mean(_) => None,
        }
    }

    /// The ends of the first moment; `None` if it is infinite.
    #[must_use]
    pub fn mean(&self) -> Option<MeanBetween> {
        match self {
            Self::All(moments) => {
                let first = moments.first.clone()?;
                Some(MeanBetween {
                    ends: moments.ends.clone(),
                    low: first.clone(),
                    high: first,
                })
            }
            Self::Mean(mean) => Some(mean.clone()),
        }
    }

    /// What is known of the sum of two independent numbers.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::All(a), Self::All(b)) => Some(a.plus(b).into()),
            _ => Some(self.mean()?.plus(&other.mean()?).into()),
        }
    }

    /// What is known of the product of two independent numbers.
    pub(crate) fn product(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::All(a), Self::All(b)) => a.product(b).map(Self::All),
            _ => Some(self.mean()?.product(&other.mean()?).into()),
        }
    }

    /// What is known of the sum of a random number of independent values.
    pub(super) fn of_sum(count: &Self, value: &Self) -> Option<Self> {
        if let (Self::All(count), Self::All(value)) = (count, value) {
            return Moments::of_sum(count, value).map(Self::All);
        }
        let (count, value) = (count.mean()?, value.mean()?);
        let surely = count.ends.is_one() && value.ends.is_one();
        surely.then(|| count.product(&value).into())
    }

    /// What is known of `by·X`.
    pub(crate) fn scaled(&self, by: &Integer) -> Self {
        match self {
            Self::All(moments) => moments.scaled(by).into(),
            Self::Mean(mean) => {
                let factor = Fraction::from_integer(by.to_big());
                let (mut low, mut high) = (&mean.low * &factor, &mean.high * &factor);
                if by.is_negative() {
                    std::mem::swap(&mut low, &mut high);
                }
                let ends = mean.ends.clone();
                MeanBetween { ends, low, high }.into()
            }
        }
    }

    /// What is known of `X + by`.
    pub(crate) fn shifted(&self, by: &Integer) -> Self {
        match self {
            Self::All(moments) => moments.plus(&Moments::certain(by)).into(),
            Self::Mean(mean) => {
                let by = &Fraction::from_integer(by.to_big()) * &mean.ends;
                MeanBetween {
                    ends: mean.ends.clone(),
                    low: &mean.low + &by,
                    high: &mean.high + &by,
                }
                .into()
            }
        }
    }

    /// What is known of this measure plus `share` times another, for a share that is not negative.
    pub(crate) fn plus_share(&self, other: &Self, share: &Fraction) -> Option<Self> {
        if let (Self::All(a), Self::All(b)) = (self, other) {
            return Some(a.plus_share(b, share).into());
        }
        let (a, b) = (self.mean()?, other.mean()?);
        Some(Self::Mean(MeanBetween {
            ends: a.ends + b.ends * share,
            low: a.low + b.low * share,
            high: a.high + b.high * share,
        }))
    }

    /// What is known of this measure without a part of it.
    pub(crate) fn less(&self, part: &Self) -> Option<Self> {
        let minus = Fraction::from_integer((-1).into());
        if let (Self::All(a), Self::All(b)) = (self, part) {
            return Some(a.plus_share(b, &minus).into());
        }
        let (a, b) = (self.mean()?, part.mean()?);
        Some(Self::Mean(MeanBetween {
            ends: a.ends - b.ends,
            low: a.low - b.high,
            high: a.high - b.low,
        }))
    }

    /// What is known of this measure divided by a share of it.
    pub(crate) fn over(&self, share: &Fraction) -> Self {
        let over = |moment: &Fraction| moment / share;
        match self {
            Self::All(moments) => Moments {
                ends: over(&moments.ends),
                first: moments.first.as_ref().map(over),
                second: moments.second.as_ref().map(over),
            }
            .into(),
            Self::Mean(mean) => MeanBetween {
                ends: over(&mean.ends),
                low: over(&mean.low),
                high: over(&mean.high),
            }
            .into(),
        }
    }

    /// What is known of the sum of `n` independent numbers, n > 0.
    pub(crate) fn times(&self, n: u32) -> Self {
        match self {
            Self::All(moments) => moments.times(n).into(),
            Self::Mean(mean) => {
                let others = num_traits::Pow::pow(mean.ends.clone(), n - 1);
                let count = Fraction::from_integer(n.into()) * &others;
                MeanBetween {
                    ends: &mean.ends * others,
                    low: &mean.low * &count,
                    high: &mean.high * count,
                }
                .into()
            }
        }
    }
}
