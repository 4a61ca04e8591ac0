//! Conditions, and how they choose between expressions.

use std::ops::{Add, BitAnd, BitOr, Not};

use super::expression::{Condition, Expression, Number};
use super::term::Term;

impl Condition {
    /// `yes` if the condition holds, otherwise `no`. Only one of them is evaluated.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let damage = d(20).at_least(11).then(d(8) + 3, 0);
    /// assert_eq!(damage.solve()?.mean().to_string(), "15/4"); // half of 15/2
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn then(self, yes: impl Into<Number>, no: impl Into<Number>) -> Number {
        self.choose(yes.into(), no.into())
    }

    /// 1 where the condition holds, else 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let hits = d(6).at_least(5) + d(6).at_least(4);
    /// assert_eq!(hits.solve()?.probability_of(2).to_string(), "1/6");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn number(self) -> Number {
        self.then(1, 0)
    }

    /// `yes` if the condition holds, otherwise `no`. If both are records, the parts have the names of `yes`.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "branches read like operands")]
    pub fn choose<E: Expression>(self, yes: E, no: E) -> E {
        let operands = [self.0, yes.term().clone(), no.term().clone()];
        let [ours, theirs] = [&yes, &no].map(|branch| branch.term().length());
        let term = Term::new(operands, |build, [holds, yes, no]| {
            build.core.choose(holds, yes, no)
        });
        yes.with(term.with_length(ours.filter(|_| ours == theirs)))
    }
}

impl From<bool> for Condition {
    /// A condition that always holds, or never does.
    fn from(holds: bool) -> Self {
        Self(Term::new([], move |build, []| {
            if holds {
                build.core.integer(1)
            } else {
                build.core.empty()
            }
        }))
    }
}

/// How many conditions hold: each counts as 1 or 0.
impl<N: Into<Number>> Add<N> for Condition {
    type Output = Number;

    fn add(self, other: N) -> Number {
        self.number() + other
    }
}

impl BitAnd for Condition {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(Term::new([self.0, other.0], |build, [left, right]| {
            let nothing = build.core.empty();
            build.core.choose(left, right, nothing)
        }))
    }
}

impl BitOr for Condition {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(Term::new([self.0, other.0], |build, [left, right]| {
            let one = build.core.integer(1);
            build.core.choose(left, one, right)
        }))
    }
}

impl Not for Condition {
    type Output = Self;

    fn not(self) -> Self {
        Self(Term::new([self.0], |build, [holds]| {
            let (one, nothing) = (build.core.integer(1), build.core.empty());
            build.core.choose(holds, nothing, one)
        }))
    }
}
