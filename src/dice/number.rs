//! Expressions of one number.

use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, RangeInclusive, Rem, Sub};

use super::expression::{Condition, Expression, Number, Pool, pool, shared};
use super::term::Term;
use crate::dist::Dist;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{Arithmetic, Comparison};
use crate::limits::MAX_CHAIN;
use crate::number::{Integer, Overflow};

impl Number {
    /// A die with these faces, each of which is listed once, and positive weights.
    pub(super) fn picked(faces: Vec<(Integer, Integer)>) -> Self {
        let term = Term::new([], move |build, []| build.core.pick(faces.clone()));
        Self(term.with_length(Some(1)))
    }

    /// The list of `count` separate rolls, in order. A negative count is an error of the rule.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let sum = d(6).times(3).sum();
    /// assert_eq!(sum.solve()?.at_least(16).to_string(), "5/108"); // 10 of 216
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn times(&self, count: impl Into<Self>) -> Pool {
        Pool::from(self.clone()).times(count)
    }

    /// Rolls the number once, and gives it to a closure that may use it several times.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let doubled = d(6).share(|x| &x + &x);
    /// assert_eq!(doubled.solve()?.probability_of(7).to_string(), "0");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn share<E: Expression>(self, body: impl FnOnce(Self) -> E) -> E {
        shared(self.0, |term| body(Self(term)))
    }

    /// Rolls, and rolls again as long as a condition on the last roll holds: the list of all rolls, in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let coins = d(2).roll_while(|coin| coin.equals(2)).count();
    /// assert_eq!(coins.solve()?.probability_of(3).to_string(), "1/8");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn roll_while(&self, condition: impl FnOnce(Self) -> Condition) -> Pool {
        let again = Pool::from(self.clone());
        again.successors(|last| condition(last.only()).choose(again.clone(), Pool::empty()))
    }

    /// An exploding die: it is rolled again and added as long as a condition on the last roll holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    /// use dicedist::number::Fraction;
    ///
    /// let exploding = d(6).explode_if(|roll| roll.equals(6));
    /// assert_eq!(exploding.solve()?.mean(), Fraction::new(21.into(), 5.into())); // m = 7/2 + m/6
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn explode_if(&self, condition: impl FnOnce(Self) -> Condition) -> Self {
        self.roll_while(condition).sum()
    }

    /// An exploding die that is rolled again at most so many times.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let once = d(6).explode_at_most(1, |roll| roll.equals(6));
    /// assert_eq!(once.solve()?.max(), Some(12.into()));
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn explode_at_most(&self, times: usize, condition: impl Fn(Self) -> Condition) -> Self {
        // More levels than an expression may have are refused when it is solved.
        let times = times.min(MAX_CHAIN);
        (0..times).fold(self.clone(), |rest, _| {
            let more = |roll: Self| condition(roll.clone()).then(&roll + &rest, roll);
            self.clone().share(more)
        })
    }

    /// Rerolls as long as a condition holds: the first roll for which it does not hold. Never ends if the condition always holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let die = d(6).reroll_if(|roll| roll.at_most(2));
    /// assert_eq!(die.solve()?.probability_of(6).to_string(), "1/4");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn reroll_if(&self, condition: impl FnOnce(Self) -> Condition) -> Self {
        Self(self.roll_while(condition).last(1).0)
    }

    /// Rerolls once if a condition holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let great_weapon = d(6).reroll_once_if(|roll| roll.at_most(2));
    /// assert_eq!(great_weapon.solve()?.probability_of(1).to_string(), "1/18"); // 1/3 of 1/6
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn reroll_once_if(&self, condition: impl FnOnce(Self) -> Condition) -> Self {
        let again = self.clone();
        self.clone()
            .share(|roll| condition(roll.clone()).then(again, roll))
    }

    /// The result of the first range that contains the number, or `otherwise`.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::{Number, d};
    ///
    /// let reaction = d(6).times(2).sum().case([(2..=4, 0), (5..=9, 1)], 2);
    /// assert_eq!(reaction.solve()?.probability_of(2).to_string(), "1/6");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn case(
        self,
        arms: impl IntoIterator<Item = (RangeInclusive<i64>, impl Into<Self>)>,
        otherwise: impl Into<Self>,
    ) -> Self {
        let arms: Vec<(RangeInclusive<i64>, Self)> = arms
            .into_iter()
            .map(|(range, value)| (range, value.into()))
            .collect();
        let otherwise = otherwise.into();
        self.share(|number| {
            arms.into_iter()
                .rev()
                .fold(otherwise, |rest, (range, value)| {
                    let fits = number.at_least(*range.start()) & number.at_most(*range.end());
                    fits.then(value, rest)
                })
        })
    }

    /// The greater of two numbers.
    #[must_use]
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.combined(Arithmetic::Max, other)
    }

    /// The lesser of two numbers.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.combined(Arithmetic::Min, other)
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        self.share(|number| number.clone().max(-number))
    }

    /// The quotient, rounded down.
    #[must_use]
    pub fn div_floor(self, divisor: impl Into<Self>) -> Self {
        self.combined(Arithmetic::FloorDivide, divisor)
    }

    /// The remainder of [`Number::div_floor`], which has the sign of the divisor.
    #[must_use]
    pub fn mod_floor(self, divisor: impl Into<Self>) -> Self {
        self.combined(Arithmetic::Modulo, divisor)
    }

    /// Whether the number equals `other`.
    #[must_use]
    pub fn equals(&self, other: impl Into<Self>) -> Condition {
        self.compared(Comparison::Equal, other)
    }

    /// Whether the number differs from `other`.
    #[must_use]
    pub fn differs_from(&self, other: impl Into<Self>) -> Condition {
        self.compared(Comparison::NotEqual, other)
    }

    /// Whether the number is `other` or more.
    #[must_use]
    pub fn at_least(&self, other: impl Into<Self>) -> Condition {
        self.compared(Comparison::GreaterOrEqual, other)
    }

    /// Whether the number is `other` or less.
    #[must_use]
    pub fn at_most(&self, other: impl Into<Self>) -> Condition {
        self.compared(Comparison::LessOrEqual, other)
    }

    /// Whether the number is more than `other`.
    #[must_use]
    pub fn more_than(&self, other: impl Into<Self>) -> Condition {
        self.compared(Comparison::Greater, other)
    }

    /// Whether the number is less than `other`.
    #[must_use]
    pub fn less_than(&self, other: impl Into<Self>) -> Condition {
        self.compared(Comparison::Less, other)
    }

    fn compared(&self, comparison: Comparison, other: impl Into<Self>) -> Condition {
        // The condition filters the list whose only member is the number. A filter evaluates `other` first, but independent rolls have no
        // order.
        let operands = [self.0.clone(), other.into().0];
        Condition(Term::new(operands, move |build, [number, other]| {
            build.core.filter(comparison, other, number, build.site)
        }))
    }

    fn combined(self, operator: Arithmetic, other: impl Into<Self>) -> Self {
        let operands = [self.0, other.into().0];
        let term = Term::new(operands, move |build, [left, right]| {
            build.core.arithmetic(operator, left, right, build.site)
        });
        Self(term.with_length(Some(1)))
    }
}

impl<N: Into<Integer>> From<N> for Number {
    /// A constant.
    fn from(number: N) -> Self {
        Self(Term::constant(number.into()))
    }
}

/// A die with the outcomes of a distribution.
///
/// # Errors
///
/// [`ErrorKind::Type`] if the distribution is not [complete](Dist::is_complete) or has no outcome; [`ErrorKind::Overflow`] if a weight is longer than
/// [`MAX_BITS`](crate::number::MAX_BITS) bits.
///
/// # Examples
///
/// ```
/// use dicedist::Rule;
/// use dicedist::dice::Number;
///
/// let ability = Rule::bones("sum(drop low 1 4#d6)")?.solve()?;
/// let bonus = (Number::try_from(&ability)? - 10).div_floor(2);
/// assert_eq!(bonus.solve()?.probability_of(4).to_string(), "7/432");
/// # Ok::<(), dicedist::Error>(())
/// ```
impl TryFrom<&Dist> for Number {
    type Error = Error;

    fn try_from(dist: &Dist) -> Result<Self, Error> {
        if !dist.is_complete() || dist.is_empty() {
            let message = "a die has faces, each with an exact probability, and nothing else";
            let finding = Diagnostic::without_place(message);
            let help = "build the expression from the rule of the distribution";
            return Err(Error::new(ErrorKind::Type, finding.with_help(help)));
        }
        let weighted = dist.weights().map(|(face, weight)| {
            let weight = Integer::from_big(weight.clone().into())?;
            Ok((face, weight))
        });
        let weighted: Result<Vec<_>, Overflow> = weighted.collect();
        let too_long = |_| {
            let finding = Diagnostic::without_place("the weights of the die are too long");
            Error::new(ErrorKind::Overflow, finding)
        };
        weighted.map(Self::picked).map_err(too_long)
    }
}

impl From<&Self> for Number {
    fn from(number: &Self) -> Self {
        number.clone()
    }
}

impl From<Condition> for Number {
    /// 1 where the condition holds, else 0.
    fn from(condition: Condition) -> Self {
        condition.then(1, 0)
    }
}

/// Implements an operator of numbers, on values and references, and beside integers of Rust.
macro_rules! operator {
    ($trait:ident, $method:ident, $operator:expr) => {
        impl<N: Into<Number>> $trait<N> for Number {
            type Output = Number;

            fn $method(self, other: N) -> Number {
                self.combined($operator, other)
            }
        }

        impl<N: Into<Number>> $trait<N> for &Number {
            type Output = Number;

            fn $method(self, other: N) -> Number {
                self.clone().combined($operator, other)
            }
        }

        impl $trait<Number> for i64 {
            type Output = Number;

            fn $method(self, other: Number) -> Number {
                Number::from(self).combined($operator, other)
            }
        }

        impl $trait<&Number> for i64 {
            type Output = Number;

            fn $method(self, other: &Number) -> Number {
                Number::from(self).combined($operator, other)
            }
        }
    };
}

operator!(Add, add, Arithmetic::Add);
operator!(Sub, sub, Arithmetic::Subtract);
operator!(Mul, mul, Arithmetic::Multiply);
operator!(Div, div, Arithmetic::Divide);
operator!(Rem, rem, Arithmetic::Remainder);

impl Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        let term = Term::new([self.0], |build, [number]| {
            build.core.negate(number, build.site)
        });
        Self(term.with_length(Some(1)))
    }
}

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        -self.clone()
    }
}

/// The sum of any number of numbers, at one level.
impl Sum for Number {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        pool(numbers).sum()
    }
}
