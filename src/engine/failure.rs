//! Errors of evaluation: their kind, their place, and their message.

use num_bigint::BigInt;
use num_traits::{One as _, Zero as _};

use crate::error::{Diagnostic, Error, ErrorKind};
use crate::number::Fraction;
use crate::source::Span;

/// The probability of a failure. It is a lower bound where a loop was followed only so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chance {
    Exactly(Fraction),
    AtLeast(Fraction),
}

impl Chance {
    /// The chance of something certain.
    pub(crate) fn certain() -> Self {
        Self::Exactly(Fraction::one())
    }

    /// A chance of at least this share. It is the chance itself if no weight is open.
    pub(crate) fn of(least: Fraction, is_exact: bool) -> Self {
        if is_exact {
            Self::Exactly(least)
        } else {
            Self::AtLeast(least)
        }
    }
}

/// An error of evaluation. Failures are ordered by place: the first in the text is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Failure {
    pub(crate) span: Span,
    pub(crate) kind: ErrorKind,
}

impl Failure {
    /// The error of a rule that can reach this failure. The chance is that of any failure.
    pub(crate) fn into_error(self, chance: Chance) -> Error {
        let error = |note: String| Error::new(self.kind, self.diagnostic().with_note(note));
        match chance {
            Chance::Exactly(share) if share.is_one() => {
                error("the rule always fails".into()).with_probability(share)
            }
            Chance::Exactly(share) => {
                error(format!("the rule fails with probability {share}")).with_probability(share)
            }
            Chance::AtLeast(share) => {
                let digits = rounded_down(&share);
                let note = format!("the rule fails with a probability of at least {digits}");
                error(note).with_least_probability(share)
            }
        }
    }

    /// The error of one roll that ran into this failure.
    #[cfg(feature = "sampling")]
    pub(crate) fn into_roll_error(self) -> Error {
        Error::new(
            self.kind,
            self.diagnostic()
                .with_note("this roll failed; others may not"),
        )
    }

    /// The error of a rule of which some samples failed. This failure is the first of theirs in the text.
    #[cfg(feature = "sampling")]
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

/// The number of decimals of a lower bound.
const DECIMALS: u32 = 12;

/// A positive share as a decimal that is not greater; a very small one as a fraction with the numerator 1.
fn rounded_down(share: &Fraction) -> String {
    let scale = BigInt::from(10).pow(DECIMALS);
    let digits = (share * Fraction::from_integer(scale)).floor().to_integer();
    if digits.is_zero() {
        return format!("1/{}", share.recip().ceil());
    }
    let text = format!("0.{digits:0>width$}", width = DECIMALS as usize);
    text.trim_end_matches('0').to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_bounds_are_rounded_down() {
        let text = |a: i64, b: i64| rounded_down(&Fraction::new(a.into(), b.into()));
        assert_eq!(text(2, 3), "0.666666666666");
        assert_eq!(text(1, 2), "0.5");
        assert_eq!(text(3, 1_000_000_000), "0.000000003");
        assert_eq!(text(2, 3_000_000_000_000_001), "1/1500000000000001");
    }
}
