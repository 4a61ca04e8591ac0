//! Expressions whose type is known only when the program runs, as bindings for other languages need them.

use std::sync::Arc;

use super::expression::{Condition, Expression, Given, Number, Parts, Pool, rule};
use super::term::Term;
use crate::ir::{Labels, Member, Part, Shape};
use crate::rule::Rule;

/// An expression of any type.
///
/// # Examples
///
/// A closure that may return what it likes:
///
/// ```
/// use dicedist::dice::{Any, Fields, d};
///
/// let wanted = "both";
/// let shared = d(6).share(|x| match wanted {
///     "sum" => Any::Number(&x + &x),
///     _ => Any::Fields(Fields::new([("once", x.clone()), ("twice", &x + &x)])),
/// });
/// let answer = shared.rule().solver().answer()?;
/// assert_eq!(answer.shape.parts().unwrap()[1].name.as_ref(), "twice");
/// assert_eq!(answer.outcomes().len(), 6);
/// # Ok::<(), dicedist::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Any {
    /// A condition.
    Condition(Condition),
    /// A record.
    Fields(Fields),
    /// An expression that is given a condition.
    Given(Box<Given<Any>>),
    /// A number.
    Number(Number),
    /// A list of numbers.
    Pool(Pool),
}

/// A record with any number of parts. [`record`](super::record) makes one whose number of parts is known when the program is
/// compiled.
#[derive(Clone, Debug)]
pub struct Fields {
    term: Term,
    parts: Arc<[Part]>,
}

impl Fields {
    /// The record of these numbers.
    #[must_use]
    pub fn new(parts: impl IntoIterator<Item = (impl Into<Arc<str>>, impl Into<Number>)>) -> Self {
        let parts = parts.into_iter().map(|(name, number)| {
            let part = Part {
                name: name.into(),
                has_labels: false,
            };
            (part, number.into().0)
        });
        let (parts, terms): (Vec<Part>, Vec<Term>) = parts.unzip();
        let length = terms.len();
        let term = Term::of_all(terms.into(), |build, parts| build.core.join(parts));
        Self {
            term: term.with_length(Some(length)),
            parts: parts.into(),
        }
    }
}

impl Any {
    /// The rule of this expression, which can be solved, rolled and explained.
    #[must_use]
    pub fn rule(&self) -> Rule {
        rule(self)
    }

    /// Whether the outcomes are those of a condition: 1 where it holds, and 0 where it does not.
    #[must_use]
    pub fn is_condition(&self) -> bool {
        match self {
            Self::Condition(_) => true,
            Self::Given(given) => given.like().is_condition(),
            Self::Fields(_) | Self::Number(_) | Self::Pool(_) => false,
        }
    }

    /// The same expression, given that a condition holds. An expression that is given a condition already is then given both.
    #[must_use]
    pub fn given(&self, condition: Condition) -> Given<Self> {
        Given::new(self, condition)
    }
}

impl Expression for Any {
    type Outcome = Vec<Member>;
}

impl Parts for Any {
    fn term(&self) -> &Term {
        match self {
            Self::Condition(condition) => condition.term(),
            Self::Fields(fields) => &fields.term,
            Self::Given(given) => given.term(),
            Self::Number(number) => number.term(),
            Self::Pool(pool) => pool.term(),
        }
    }

    fn with(&self, term: Term) -> Self {
        match self {
            Self::Condition(condition) => Self::Condition(condition.with(term)),
            Self::Fields(fields) => Self::Fields(Fields {
                term,
                parts: Arc::clone(&fields.parts),
            }),
            Self::Given(given) => Self::Given(Box::new(given.with(term))),
            Self::Number(number) => Self::Number(number.with(term)),
            Self::Pool(pool) => Self::Pool(pool.with(term)),
        }
    }

    fn value(&self) -> Term {
        match self {
            Self::Condition(condition) => condition.value(),
            other => other.term().clone(),
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Self::Condition(_) | Self::Number(_) | Self::Pool(_) => Shape::Numbers,
            Self::Fields(fields) => Shape::Record {
                parts: Arc::clone(&fields.parts),
                labels: Labels::default(),
            },
            Self::Given(given) => given.shape(),
        }
    }
}
