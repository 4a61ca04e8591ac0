//! Sums, differences, products and copies of independent numbers.

use std::borrow::Cow;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

use super::{Dist, Numeric};
use crate::algebra::{Law, Mass, Numbers, Stop};
use crate::engine::Answer;
use crate::error::Error;
use crate::limits::{Budget, Limits, Unobserved};
use crate::number::{Integer, MAX_BITS, Unit};

impl Dist {
    /// The sum of so many independent rolls. Fast for thousands: by squaring, or by a recurrence.
    ///
    /// # Panics
    ///
    /// As `+`.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let d6: Dist = Dist::uniform(1..=6);
    /// assert_eq!(d6.times(2), &d6 + &d6);
    /// assert_eq!(d6.times(1000).len(), 5001);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn times(&self, rolls: u32) -> Self {
        self.by_law(|law, budget| law.power(rolls, budget))
    }

    /// The distribution of a function of the law, without limits.
    #[track_caller]
    fn by_law(&self, function: impl FnOnce(Law, &Budget<'_>) -> Result<Law, Stop>) -> Self {
        self.must_be_exact();
        let limits = Limits::unbounded();
        let budget = Budget::start(&limits, &Unobserved);
        let law = function(law_of(&self.answer), &budget);
        let law = match law {
            Ok(law) => law,
            Err(stop) => panic!("{}", said(stop)),
        };
        let answer = Answer::new(law, 0);
        Self::try_from(answer).expect("sums and products of whole numbers are whole numbers")
    }
}

impl<T: Numeric> Dist<T> {
    /// The answer in a unit that is a part of its own; `None` if a number is too long.
    pub(super) fn in_unit(&self, unit: &Unit) -> Option<Cow<'_, Answer>> {
        if self.answer.unit == *unit {
            return Some(Cow::Borrowed(&self.answer));
        }
        let factor = unit.parts_of(&self.answer.unit)?;
        let limits = Limits::unbounded();
        let budget = Budget::start(&limits, &Unobserved);
        let law = law_of(&self.answer).scaled(&factor, &budget).ok()?;
        let mut answer = Answer::new(law, 0);
        answer.unit = unit.clone();
        Some(Cow::Owned(answer))
    }
}

/// The law of an answer whose outcomes are numbers.
fn law_of(answer: &Answer) -> Law {
    let listed = answer.numbers().expect("the outcomes are numbers");
    let numbers = Numbers::new(
        listed.iter().map(|(n, weight)| (n.clone(), weight.clone())),
        listed.total().clone(),
    );
    answer.law.clone().relisted(|_| numbers)
}

fn said(stop: Stop) -> String {
    match stop {
        Stop::Limit(reached) => Error::from(reached).to_string(),
        Stop::Overflow => format!("an outcome would be longer than {MAX_BITS} bits"),
    }
}

/// The sum of two independent numbers.
///
/// # Panics
///
/// If one is sampled, or if an outcome would be longer than [`MAX_BITS`] bits.
impl Add for &Dist {
    type Output = Dist;

    #[track_caller]
    fn add(self, other: Self) -> Dist {
        other.must_be_exact();
        self.by_law(|law, budget| law.add(&law_of(&other.answer), budget))
    }
}

/// The difference of two independent numbers.
///
/// # Panics
///
/// As the sum.
impl Sub for &Dist {
    type Output = Dist;

    #[track_caller]
    fn sub(self, other: Self) -> Dist {
        self + &-other
    }
}

/// The product of two independent numbers.
///
/// # Panics
///
/// As the sum.
impl Mul for &Dist {
    type Output = Dist;

    #[track_caller]
    fn mul(self, other: Self) -> Dist {
        other.must_be_exact();
        let anywhere = |_: &Mass, _: &Mass| Ok::<_, Stop>((None, None));
        self.by_law(|law, budget| {
            law.combined(&law_of(&other.answer), Integer::mul, anywhere, budget)
        })
    }
}

/// The opposite of a number.
///
/// # Panics
///
/// As the sum.
impl Neg for &Dist {
    type Output = Dist;

    #[track_caller]
    fn neg(self) -> Dist {
        self * -1
    }
}

/// A number plus a constant.
///
/// # Panics
///
/// As the sum.
impl Add<i64> for &Dist {
    type Output = Dist;

    #[track_caller]
    fn add(self, constant: i64) -> Dist {
        self.by_law(|law, budget| law.shifted(&constant.into(), budget))
    }
}

/// A number less a constant.
///
/// # Panics
///
/// As the sum.
impl Sub<i64> for &Dist {
    type Output = Dist;

    #[track_caller]
    fn sub(self, constant: i64) -> Dist {
        self.by_law(|law, budget| law.shifted(&Integer::neg(&constant.into())?, budget))
    }
}

/// A number times a constant.
///
/// # Panics
///
/// As the sum.
impl Mul<i64> for &Dist {
    type Output = Dist;

    #[track_caller]
    fn mul(self, constant: i64) -> Dist {
        self.by_law(|law, budget| law.scaled(&constant.into(), budget))
    }
}

/// Implements an operator where a side is no reference.
macro_rules! owned {
    ($trait:ident, $method:ident) => {
        impl $trait for Dist {
            type Output = Self;

            #[track_caller]
            fn $method(self, other: Self) -> Self {
                (&self).$method(&other)
            }
        }

        impl $trait<&Self> for Dist {
            type Output = Self;

            #[track_caller]
            fn $method(self, other: &Self) -> Self {
                (&self).$method(other)
            }
        }

        impl $trait<Dist> for &Dist {
            type Output = Dist;

            #[track_caller]
            fn $method(self, other: Dist) -> Dist {
                self.$method(&other)
            }
        }

        impl $trait<i64> for Dist {
            type Output = Self;

            #[track_caller]
            fn $method(self, constant: i64) -> Self {
                (&self).$method(constant)
            }
        }
    };
}

owned!(Add, add);
owned!(Sub, sub);
owned!(Mul, mul);

impl Neg for Dist {
    type Output = Self;

    #[track_caller]
    fn neg(self) -> Self {
        -&self
    }
}

/// The sum of independent rolls; of none 0.
///
/// # Panics
///
/// As the sum of two.
impl Sum for Dist {
    fn sum<I: Iterator<Item = Self>>(rolls: I) -> Self {
        rolls.fold(Self::certain(0), |sum, roll| sum + roll)
    }
}
