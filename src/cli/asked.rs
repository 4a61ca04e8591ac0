//! The probabilities that the command line asks for.

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;

use dicedist::number::{Fraction, Integer, Unit};
use dicedist::report::Query;

use super::values;

/// A probability that is asked for.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    /// The kind of the event, and its number.
    Number(fn(Integer) -> Query, Fraction),
    Label(Arc<str>),
    Condition(Arc<str>),
}

impl Asked {
    /// The number in the question.
    pub(super) fn number(&self) -> Option<&Fraction> {
        match self {
            Self::Number(_, number) => Some(number),
            Self::Label(_) | Self::Condition(_) => None,
        }
    }

    /// The event; `None` if its number is not whole in the unit.
    pub(super) fn query(&self, unit: &Unit) -> Option<Query> {
        Some(match self {
            Self::Number(query, number) => query(unit.value(number)?),
            Self::Label(text) => Query::Label(text.clone()),
            Self::Condition(text) => Query::Condition(text.clone()),
        })
    }
}

/// A number, or the text of a label.
#[derive(Clone, Debug)]
pub(super) enum NumberOrLabel {
    Number(Fraction),
    Label(Arc<str>),
}

impl FromStr for NumberOrLabel {
    type Err = Infallible;

    /// Any text that is no number is a label. Quotes around it may stay.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match values::number(text) {
            Ok(number) => Self::Number(number),
            Err(_) => Self::Label(text.trim_matches('"').into()),
        })
    }
}
