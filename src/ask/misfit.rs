//! What is wrong with a question as a whole, rather than with one of its rules.

use std::fmt;

use crate::limits::LimitReached;
use crate::notation::Dialect;
use crate::report::Refused;
use crate::source::echoed;

/// The most series of one question: rules with values for their free names.
pub(super) const MAX_SERIES: usize = 10_000;

/// The most rules of one question that may be wrong.
pub(super) const MAX_WRONG: usize = 1_000;

/// Why a question as a whole has no answer. The caller words the reason with the names of its own options, or shows it as it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Misfit {
    /// A name is given its values twice.
    NameTwice(String),
    /// A name is given values, but is free in no rule.
    NameUnused {
        /// The name.
        name: String,
        /// Why the name can be free in no rule, if that is so: a clause that follows a colon.
        reason: Option<String>,
    },
    /// There are only definitions, and no rule that uses them.
    OnlyDefinitions,
    /// The pools of rules are asked for, and no rule has one. The notation is that of the first rule.
    NoPool(Dialect),
    /// A default number of sides is given, but all rules are in notations in which each die has its sides.
    AllSidesSaid,
    /// Lists are wanted in order, and no result is a list.
    NoLists,
    /// More rules than 10,000.
    TooManyRules,
    /// More than 10,000 combinations of rules and values.
    TooManySeries,
    /// More than 1,000 rules are wrong: the first of them.
    TooManyWrong(Box<Refused>),
    /// A label is asked for that no rule has.
    UnknownLabel {
        /// The label.
        text: String,
        /// The labels that there are.
        labels: Vec<String>,
    },
    /// The values of the rules have no common denominator within the limits.
    NoCommonUnit,
    /// A limit was reached while the rules were read.
    Limit(LimitReached),
}

impl From<LimitReached> for Misfit {
    fn from(reached: LimitReached) -> Self {
        Self::Limit(reached)
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameTwice(name) => {
                write!(f, "the values of '{}' are given twice", echoed(name))
            }
            Self::NameUnused { name, reason } => {
                write!(f, "no rule has a free variable '{}'", echoed(name))?;
                reason.iter().try_for_each(|reason| write!(f, ": {reason}"))
            }
            Self::OnlyDefinitions => {
                f.write_str("there are only definitions, and no rule that uses them")
            }
            Self::NoPool(dialect) => write!(
                f,
                "the result of a rule in {dialect} is the list that it says, and there is no other pool"
            ),
            Self::AllSidesSaid => f.write_str("each die of these rules says its sides"),
            Self::NoLists => f.write_str("an output of anydice is a number, so it has no order"),
            Self::TooManyRules => write!(f, "there are more rules than the limit of {MAX_SERIES}"),
            Self::TooManySeries => write!(f, "more than {MAX_SERIES} series"),
            Self::TooManyWrong(first) => {
                write!(f, "more than {MAX_WRONG} rules are wrong; the first")?;
                if let Some(span) = first.error.diagnostics()[0].span {
                    let line = first.source.position(span.start).line;
                    write!(f, " of {}, line {line}", first.source.name())?;
                }
                write!(f, ": {}", first.error)
            }
            Self::UnknownLabel { text, labels } => {
                write!(f, "no rule has the label '{}'", echoed(text))?;
                if !labels.is_empty() {
                    write!(f, "; there are {}", echoed(&labels.join(", ")))?;
                }
                Ok(())
            }
            Self::NoCommonUnit => f.write_str(
                "the values of these rules have no common denominator within the limits",
            ),
            Self::Limit(reached) => reached.fmt(f),
        }
    }
}

impl std::error::Error for Misfit {}
