//! Why a value cannot be found.

use crate::error::{Diagnostic, Error, ErrorKind};
use crate::limits::LimitReached;
use crate::number::Overflow;
use crate::source::Span;

/// Why a value cannot be found.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    Error(Error),
    /// A body cannot be run on hidden values, for a reason in the words of the notation.
    Open(&'static str),
    /// A number is too long.
    Overflow,
}

/// The result of a step.
pub(super) type Attempt<T> = Result<T, Stop>;

impl Stop {
    pub(super) fn new(kind: ErrorKind, finding: Diagnostic) -> Self {
        Self::Error(Error::new(kind, finding))
    }

    /// The error, where a number that is too long was computed at this place.
    pub(super) fn at(self, span: Span) -> Self {
        match self {
            Self::Overflow => Self::new(
                ErrorKind::Overflow,
                Diagnostic::new(span, "this number is too long"),
            ),
            stop => stop,
        }
    }

    /// The error to report.
    pub(super) fn error(self, span: Span) -> Error {
        match self.at(span) {
            Self::Error(error) => error,
            Self::Open(reason) => Error::new(ErrorKind::Domain, Diagnostic::new(span, reason)),
            Self::Overflow => LimitReached::List.into(),
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<LimitReached> for Stop {
    fn from(reached: LimitReached) -> Self {
        Self::Error(reached.into())
    }
}

impl From<Overflow> for Stop {
    fn from(Overflow: Overflow) -> Self {
        Self::Overflow
    }
}
