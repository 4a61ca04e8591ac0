//! The types of expressions, and what they have in common: an expression can be part of another one, and become a rule.

use std::fmt;
use std::sync::Arc;

use super::term::{Term, Variable};
use crate::dist::{Dist, Outcome};
use crate::error::Error;
use crate::ir::{Labels, Part, Program, Shape};
use crate::number::Integer;
use crate::rule::Rule;

/// An expression of one number, such as a die, a sum, or a constant.
///
/// Each use of the expression is a separate roll: `&x + &x` adds two rolls. [`Number::share`] rolls once.
///
/// `/` and `%` round toward zero, as for the integers of Rust; [`Number::div_floor`] and [`Number::mod_floor`] round down. A division by
/// zero is an error of the rule, with its probability.
///
/// # Examples
///
/// ```
/// use dicedist::dice::d;
///
/// let damage = d(8) + d(6) + 3;
/// assert_eq!(damage.solve()?.mean().to_string(), "11");
/// # Ok::<(), dicedist::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Number(pub(super) Term);

/// An expression of a list of numbers: dice that were rolled together, or a deck of cards.
///
/// The outcomes of a pool are its lists in ascending order, because few questions are about the order of dice; those of
/// [`Solver::in_order`](crate::Solver::in_order) are in the order of the rule.
///
/// # Examples
///
/// ```
/// use dicedist::dice::{d, pool};
///
/// let mixed = pool([d(6), d(6), d(8), d(10)]);
/// assert_eq!(mixed.keep_highest(2).sum().solve()?.max(), Some(18.into()));
/// # Ok::<(), dicedist::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pool(pub(super) Term);

/// The pool of these numbers, in order.
#[must_use]
pub fn pool(numbers: impl IntoIterator<Item = impl Into<Number>>) -> Pool {
    let numbers: Box<[Term]> = numbers.into_iter().map(|number| number.into().0).collect();
    let length = numbers.len();
    let term = Term::of_all(numbers, |build, members| build.core.join(members));
    Pool(term.with_length(Some(length)))
}

/// An expression that holds or does not. Its outcomes are `true` and `false`; as a number it is 1 or 0.
///
/// `&` and `|` evaluate their right side only where the left does not decide.
///
/// # Examples
///
/// ```
/// use dicedist::dice::d;
///
/// let hit = d(20).share(|roll| roll.equals(20) | ((&roll + 5).at_least(17) & roll.more_than(1)));
/// assert_eq!(hit.solve()?.probability_of(true).to_string(), "9/20");
/// # Ok::<(), dicedist::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Condition(
    /// A list that is empty unless the condition holds.
    pub(super) Term,
);

/// `N` numbers of one roll, each with a name. Its outcomes are these numbers, in the order of the names.
///
/// [`record`](super::record) makes it.
#[derive(Clone, Debug)]
pub struct Record<const N: usize> {
    pub(super) term: Term,
    pub(super) parts: [Part; N],
}

/// The `N` numbers of a state of [`repeat_until`](super::repeat_until), evaluated together. An array of numbers becomes one.
#[derive(Clone, Debug)]
pub struct State<const N: usize>(pub(super) Term);

/// An expression of dice: a [`Number`], a [`Pool`], a [`Condition`], a [`Record`], a [`State`], or one of them that is [`Given`] a condition.
///
/// The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no expression of dice",
    note = "comparisons are methods, such as `at_least`; branches are `then`, `choose` and `case`; a value is used twice by `share`"
)]
pub trait Expression: Parts {
    /// The type of the outcomes.
    type Outcome: Outcome;
}

/// How an expression is taken apart, and put together again.
pub trait Parts: Clone + fmt::Debug {
    #[doc(hidden)]
    fn term(&self) -> &Term;

    /// An expression of the same kind with another term.
    #[doc(hidden)]
    fn with(&self, term: Term) -> Self;

    /// The term of the outcome.
    #[doc(hidden)]
    fn value(&self) -> Term {
        self.term().clone()
    }

    /// What the members of the outcome stand for.
    #[doc(hidden)]
    fn shape(&self) -> Shape {
        Shape::Numbers
    }

    /// The program of a whole expression.
    ///
    /// # Errors
    ///
    /// Those of [`Rule::program`].
    #[doc(hidden)]
    fn program(&self) -> Result<Program, Error> {
        let program = self.value().program()?;
        Ok(program.shaped(self.shape()))
    }
}

/// Implements the methods that all types of expressions have.
macro_rules! expression {
    ($type:ty, $outcome:ty $(, $size:ident)?) => {
        impl$(<const $size: usize>)? Expression for $type {
            type Outcome = $outcome;
        }

        impl$(<const $size: usize>)? $type {
            /// The rule of this expression: what solves, rolls and explains it.
            #[must_use]
            pub fn rule(&self) -> Rule {
                rule(self)
            }

            /// The same expression, given that a condition holds. Rolls for which the condition fails are left out, and so are rolls that
            /// never end before the condition is decided. If both depend on the same roll, share the roll around both.
            ///
            /// # Examples
            ///
            /// ```
            /// use dicedist::dice::d;
            ///
            /// let even = d(6).share(|x| x.given((&x % 2).equals(0)));
            /// assert_eq!(even.solve()?.probability_of(2).to_string(), "1/3");
            /// # Ok::<(), dicedist::Error>(())
            /// ```
            #[must_use]
            pub fn given(&self, condition: Condition) -> Given<Self> {
                Given::new(self, condition)
            }

            /// The distribution of this expression, within the limits of the command line.
            ///
            /// # Errors
            ///
            /// As [`Rule::solve`](crate::Rule::solve); [`ErrorKind::Unbound`](crate::ErrorKind::Unbound) for a value that is used outside
            /// of the closure that it was given to; [`ErrorKind::Limit`](crate::ErrorKind::Limit) for an expression of more than
            /// [`MAX_CHAIN`](crate::limits::MAX_CHAIN) levels.
            pub fn solve(&self) -> Result<Dist<$outcome>, Error> {
                self.rule().solve_as()
            }
        }
    };
}

/// Implements [`Parts`] for a type that holds only a term.
macro_rules! parts {
    ($type:ty $(, $size:ident)?) => {
        impl$(<const $size: usize>)? Parts for $type {
            fn term(&self) -> &Term {
                &self.0
            }

            fn with(&self, term: Term) -> Self {
                Self(term)
            }
        }
    };
}

pub(super) fn rule(expression: &impl Parts) -> Rule {
    Rule::built(expression.program())
}

/// The rule of an expression.
impl<E: Expression> From<E> for Rule {
    fn from(expression: E) -> Self {
        rule(&expression)
    }
}

/// An expression on condition that a condition holds: its distribution is the conditional one. [`Number::given`] makes it.
///
/// It is the end of a rule, so it has no operators; but [`Number::share`], [`Pool::share`] and [`Condition::choose`] may end with it.
#[derive(Clone, Debug)]
pub struct Given<E> {
    term: Term,
    /// An expression of the same kind.
    like: E,
}

impl<E: Expression> Given<E> {
    pub(super) fn new(expression: &E, condition: Condition) -> Self {
        let operands = [condition.0, expression.value()];
        let term = Term::new(operands, |build, [holds, value]| {
            let rejected = build.core.reject(build.site);
            build.core.choose(holds, value, rejected)
        });
        Self {
            term,
            like: expression.clone(),
        }
    }

    /// An expression of the kind of this one.
    pub(super) fn like(&self) -> &E {
        &self.like
    }

    /// The rule of this expression, which can be solved, rolled and explained.
    #[must_use]
    pub fn rule(&self) -> Rule {
        rule(self)
    }

    /// The distribution given that the condition holds.
    ///
    /// # Errors
    ///
    /// As [`Number::solve`]; [`ErrorKind::Domain`](crate::ErrorKind::Domain) if the condition never holds.
    pub fn solve(&self) -> Result<Dist<E::Outcome>, Error> {
        self.rule().solve_as()
    }
}

impl<E: Expression> Expression for Given<E> {
    type Outcome = E::Outcome;
}

impl<E: Expression> Parts for Given<E> {
    fn term(&self) -> &Term {
        &self.term
    }

    fn with(&self, term: Term) -> Self {
        Self {
            term,
            like: self.like.clone(),
        }
    }

    fn shape(&self) -> Shape {
        self.like.shape()
    }
}

/// The result of a closure whose argument is evaluated once.
pub(super) fn shared<E: Expression>(value: Term, body: impl FnOnce(Term) -> E) -> E {
    let variable = Variable::new();
    let body = body(variable.term(value.length()));
    body.with(value.bound(variable, body.term().clone()))
}

expression!(Number, Integer);
expression!(Pool, Vec<Integer>);
expression!(Condition, bool);
expression!(Record<N>, [Integer; N], N);
expression!(State<N>, [Integer; N], N);

parts!(Number);
parts!(Pool);
parts!(State<N>, N);

impl Parts for Condition {
    fn term(&self) -> &Term {
        &self.0
    }

    fn with(&self, term: Term) -> Self {
        Self(term)
    }

    fn value(&self) -> Term {
        self.clone().then(1, 0).0
    }
}

impl<const N: usize> Parts for Record<N> {
    fn term(&self) -> &Term {
        &self.term
    }

    fn with(&self, term: Term) -> Self {
        Self {
            term,
            parts: self.parts.clone(),
        }
    }

    fn shape(&self) -> Shape {
        Shape::Record {
            parts: Arc::new(self.parts.clone()),
            labels: Labels::default(),
        }
    }
}
