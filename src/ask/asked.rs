//! The probabilities that a question asks for.

use std::sync::Arc;

use super::typed;
use crate::number::{Fraction, Integer, Unit};
use crate::report::Query;
use crate::source::Source;

/// A probability that is asked for.
#[derive(Clone, Debug)]
pub enum Asked {
    /// That the roll is this number or a higher one.
    AtLeast(Fraction),
    /// That the roll is this number or a lower one.
    AtMost(Fraction),
    /// That the roll is this number.
    Exactly(Fraction),
    /// That the roll is this label.
    Label(Arc<str>),
    /// That a condition in Bones holds for the value of the rule, which it calls `value`. Places of findings are places in this
    /// source.
    Condition(Source),
}

impl Asked {
    /// The question for exactly this number or, for any other text, for exactly this label. Quotes around a label may stay.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::ask::Asked;
    ///
    /// assert!(matches!(Asked::exactly("3/2"), Asked::Exactly(_)));
    /// assert!(matches!(Asked::exactly("critical hit"), Asked::Label(_)));
    /// ```
    #[must_use]
    pub fn exactly(text: &str) -> Self {
        match typed::number(text) {
            Ok(number) => Self::Exactly(number),
            Err(_) => Self::Label(text.trim_matches('"').into()),
        }
    }

    /// The number in the question.
    pub(super) fn number(&self) -> Option<&Fraction> {
        match self {
            Self::AtLeast(number) | Self::AtMost(number) | Self::Exactly(number) => Some(number),
            Self::Label(_) | Self::Condition(_) => None,
        }
    }

    /// The event; `None` if its number is not whole in the unit.
    pub(super) fn query(&self, unit: &Unit) -> Option<Query> {
        let whole = |number: &Fraction| -> Option<Integer> { unit.value(number) };
        Some(match self {
            Self::AtLeast(number) => Query::AtLeast(whole(number)?),
            Self::AtMost(number) => Query::AtMost(whole(number)?),
            Self::Exactly(number) => Query::Exactly(whole(number)?),
            Self::Label(text) => Query::Label(text.clone()),
            Self::Condition(source) => Query::Condition(source.text().into()),
        })
    }
}
