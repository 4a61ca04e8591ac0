//! Errors of evaluation: their kind, their place, and their message.

use crate::error::{Diagnostic, Error, ErrorKind};
use crate::number::Fraction;
use crate::source::Span;

/// An error of evaluation. Failures are ordered by place: the first in the text is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Failure {
    pub(crate) span: Span,
    pub(crate) kind: ErrorKind,
}

impl Failure {
    /// The error of a rule that can reach this failure. The probability is that of any failure.
    pub(crate) fn into_error(self, probability: Fraction) -> Error {
        let note = if probability == Fraction::from_integer(1.into()) {
            "the rule always fails".into()
        } else {
            format!("the rule fails with probability {probability}")
        };
        Error::new(self.kind, self.diagnostic().with_note(note)).with_probability(probability)
    }

    /// The error of one roll that ran into this failure.
    pub(crate) fn into_roll_error(self) -> Error {
        Error::new(
            self.kind,
            self.diagnostic()
                .with_note("this roll failed; others may not"),
        )
    }

    /// The error of a rule of which some samples failed. This failure is the first of theirs in the text.
    pub(crate) fn into_sampled_error(self, failed: u64, samples: u64) -> Error {
        let note = format!(
            "{failed} of {samples} random rolls of the rule failed; the exact probability is not known"
        );
        Error::new(self.kind, self.diagnostic().with_note(note))
    }

    fn diagnostic(self) -> Diagnostic {
        let (message, help) = match self.kind {
            ErrorKind::BadDie => ("a die with fewer than one side can be rolled here", None),
            ErrorKind::DivisionByZero => ("a division by zero can happen here", None),
            ErrorKind::Domain => (
                "an operand outside the domain of its operator can occur here",
                None,
            ),
            ErrorKind::NegativeCount => (
                "a negative count can occur here",
                Some("a count must be 0 or more"),
            ),
            ErrorKind::Overflow => ("an integer here becomes longer than 65536 bits", None),
            ErrorKind::Type => (
                "a list where one number is needed",
                Some("sum, count or high 1 make one number of a list"),
            ),
            _ => ("this cannot be evaluated", None),
        };
        let diagnostic = Diagnostic::new(self.span, message);
        match help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}

/// The error of a program that asks for the shares of a list that never has a member.
pub(crate) fn no_shares(place: Span) -> Error {
    let diagnostic = Diagnostic::new(place, "there is never a member here, so none has a share")
        .with_label("always empty");
    Error::new(ErrorKind::Domain, diagnostic).with_probability(Fraction::from_integer(1.into()))
}

/// The error of a program that asks for the shares of a value that some paths leave unresolved.
pub(crate) fn unresolved_shares(place: Span) -> Error {
    let message = "the shares of a loop that was not followed to its end are not known";
    Error::new(ErrorKind::Limit, Diagnostic::new(place, message))
}
