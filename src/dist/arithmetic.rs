//! Sums, differences, products and copies of independent numbers.

use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

use super::{Dist, Numeric};
use crate::algebra::{Law, Mass, Numbers, Stop};
use crate::engine::Answer;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::limits::{Budget, Limits, Unobserved};
use crate::number::{Integer, MAX_BITS, Unit};

/// A distribution that computes within a budget: what the operators and [`Dist::times`] do without limits, with an error where a limit
/// is reached. [`Dist::within`] makes it.
#[derive(Clone, Copy)]
pub struct Within<'a> {
    dist: &'a Dist,
    budget: &'a Budget<'a>,
}

impl Dist {
    /// The same distribution for computing within a budget.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    /// use dicedist::{Dist, ErrorKind};
    ///
    /// let d20: Dist = Dist::uniform(1..=20);
    /// let limits = Limits::default().with_memory(1 << 20);
    /// let budget = Budget::start(&limits, &Unobserved);
    /// assert_eq!(d20.within(&budget).times(2)?, d20.times(2));
    /// let error = d20.within(&budget).times(1_000_000).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Limit);
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn within<'a>(&'a self, budget: &'a Budget<'a>) -> Within<'a> {
        Within { dist: self, budget }
    }

    /// The sum of so many independent rolls. Fast for thousands: by squaring, or by a recurrence. Without limits: for a number that
    /// a stranger chooses, use [`Dist::within`].
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
        self.without_limits(|dist| dist.times(rolls))
    }

    #[track_caller]
    fn without_limits(&self, compute: impl FnOnce(Within<'_>) -> Result<Self, Error>) -> Self {
        let limits = Limits::unbounded();
        match compute(self.within(&Budget::start(&limits, &Unobserved))) {
            Ok(dist) => dist,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Each of them is an error where a limit of the budget is reached ([`ErrorKind::Limit`]), where an outcome would be longer than
/// [`MAX_BITS`] bits ([`ErrorKind::Overflow`]), and where a distribution is sampled ([`ErrorKind::Type`]).
impl Within<'_> {
    /// The sum of so many independent rolls.
    ///
    /// # Errors
    ///
    /// As all operations of [`Within`].
    pub fn times(self, rolls: u32) -> Result<Dist, Error> {
        self.by_law(|law, budget| law.power(rolls, budget))
    }

    /// The sum of two independent numbers.
    ///
    /// # Errors
    ///
    /// As all operations of [`Within`].
    pub fn plus(self, other: &Dist) -> Result<Dist, Error> {
        other.exact()?;
        self.by_law(|law, budget| law.add(&law_of(&other.answer), budget))
    }

    /// The difference of two independent numbers.
    ///
    /// # Errors
    ///
    /// As all operations of [`Within`].
    pub fn minus(self, other: &Dist) -> Result<Dist, Error> {
        self.plus(&other.within(self.budget).scaled(-1)?)
    }

    /// The product of two independent numbers.
    ///
    /// # Errors
    ///
    /// As all operations of [`Within`].
    pub fn product(self, other: &Dist) -> Result<Dist, Error> {
        other.exact()?;
        let anywhere = |_: &Mass, _: &Mass| Ok::<_, Stop>((None, None));
        self.by_law(|law, budget| {
            law.combined(&law_of(&other.answer), Integer::mul, anywhere, budget)
        })
    }

    fn shifted(self, by: i64) -> Result<Dist, Error> {
        self.by_law(|law, budget| law.shifted(&by.into(), budget))
    }

    fn scaled(self, by: i64) -> Result<Dist, Error> {
        self.by_law(|law, budget| law.scaled(&by.into(), budget))
    }

    /// The distribution of a function of the law.
    fn by_law(
        self,
        function: impl FnOnce(Law, &Budget<'_>) -> Result<Law, Stop>,
    ) -> Result<Dist, Error> {
        self.dist.exact()?;
        let law = function(law_of(&self.dist.answer), self.budget).map_err(|stop| match stop {
            Stop::Limit(reached) => Error::from(reached),
            Stop::Overflow => {
                let message = format!("an outcome would be longer than {MAX_BITS} bits");
                Error::new(ErrorKind::Overflow, Diagnostic::without_place(message))
            }
        })?;
        Dist::try_from(Answer::new(law, 0))
    }
}

impl fmt::Debug for Within<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Within").field(self.dist).finish()
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

/// The sum of two independent numbers.
///
/// # Panics
///
/// If one is sampled, if an outcome would be longer than [`MAX_BITS`] bits, or if there is no memory for the outcomes. There are no
/// limits here: [`Dist::within`] computes within a budget.
impl Add for &Dist {
    type Output = Dist;

    #[track_caller]
    fn add(self, other: Self) -> Dist {
        self.without_limits(|dist| dist.plus(other))
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
        self.without_limits(|dist| dist.minus(other))
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
        self.without_limits(|dist| dist.product(other))
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
        self.without_limits(|dist| dist.shifted(constant))
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
        let opposite =
            |law: Law, budget: &Budget<'_>| law.shifted(&Integer::neg(&constant.into())?, budget);
        self.without_limits(|dist| dist.by_law(opposite))
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
        self.without_limits(|dist| dist.scaled(constant))
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
