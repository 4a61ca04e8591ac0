//! The errors of reading and of evaluating a roll, with their wording.

use super::grammar::Failure;
use super::token::{Token, Unknown};
use super::words::Function;
use crate::error::{Diagnostic, ErrorKind, Remedy};
use crate::notation::mend::explain;
use crate::notation::reader::failure::Limit;
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::quote::shortened;
use crate::source::Span;

/// The kinds of error. The comment of each begins with a short roll that has the error.
#[derive(Debug)]
pub(super) enum ParseError {
    /// `2d20kh1 adv`
    AdvantageOfOther,
    /// `floor(1, 2)`
    Arguments(Function),
    /// A text without a roll
    Empty,
    /// `10d10!>8f1`
    FailureWithoutTarget,
    /// `{3d6*2}kh1`
    GroupOfOther,
    /// `{2d6}r1`
    GroupModifier,
    /// `3d6ms<>3`
    MarginSign,
    /// `1d20+@{}`
    NoName,
    /// `d00`
    NoSides,
    /// `4d6min`
    NoNumber { modifier: &'static str },
    /// `4d6df`
    NothingMarked { modifier: &'static str },
    /// `(2d6+3)kh1`
    ParenthesisModifier,
    /// `8d10>=8>=9`
    SecondScore,
    /// `7<=(2d6)<=9`
    SideBySide,
    /// Dice with more than six marks
    TooManyMarks,
}

impl ParseError {
    /// The error in words, at a place.
    pub(super) fn diagnostic(&self, span: Span) -> Diagnostic {
        let (message, help) = match self {
            Self::AdvantageOfOther => (
                "advantage needs a plain `1d20` or `d20` at the beginning of the roll",
                "as in `1d20+5 adv`",
            ),
            Self::Arguments(function) => {
                let name = function.name();
                let (number, arguments) = match function.arguments() {
                    (1, 1) => ("one number", "1d6"),
                    (2, 2) => ("two numbers", "1d6,2"),
                    _ => ("one number or more", "1d6"),
                };
                return Diagnostic::new(span, format!("`{name}` takes {number}"))
                    .with_help(format!("as in `{name}({arguments})`"));
            }
            Self::Empty => ("there is no roll here", "as in `2d6+3`"),
            Self::FailureWithoutTarget => (
                "`f` counts failures against the successes of a target, and there is no target before it",
                "as in `8d10>=8f1`",
            ),
            Self::GroupOfOther => (
                "the modifiers of a group with one member choose among its dice, so it must be a sum of dice and numbers",
                "put the modifiers on the dice inside",
            ),
            Self::GroupModifier => (
                "this modifier is for dice, not for a group",
                "put it on the dice inside",
            ),
            Self::MarginSign => (
                "a margin needs `>`, `>=`, `=`, `<` or `<=`",
                "as in `1d20ms>=15`",
            ),
            Self::NoName => ("there is no name in these braces", "as in `@{name}`"),
            Self::NoSides => ("no die has 00 sides", "as in `1d100`"),
            Self::NoNumber { modifier } => {
                return Diagnostic::new(span, format!("`{modifier}` needs a number"))
                    .with_help(format!("as in `4d6{modifier}2`"));
            }
            Self::NothingMarked { modifier } => {
                let message = format!("`{modifier}` says nothing about which dice fail");
                return Diagnostic::new(span, message).with_help(format!(
                    "write `{modifier}1` for dice that show 1, or `cs>=5{modifier}` for those that show less than 5"
                ));
            }
            Self::ParenthesisModifier => (
                "modifiers stand behind dice or braces, and behind a parenthesis only if it holds nothing but dice",
                "write braces around several rolls, as in `{2d6+3,1d12}kh1`",
            ),
            Self::SecondScore => (
                "dice count in one way only, and this is a second",
                "leave one of them out",
            ),
            Self::SideBySide => (
                "two comparisons stand side by side",
                "write `(10d10>=8)>=3` to compare a number of dice, and `let t = 2d6 in t >= 7 and t <= 9` in Bones for what lies between",
            ),
            Self::TooManyMarks => (
                "more than six of `cs`, `cf`, `df` and `sf` mark these dice",
                "write fewer of them",
            ),
        };
        Diagnostic::new(span, message).with_help(help)
    }
}

/// The error for the place where the grammar fails.
pub(super) fn unexpected(tokens: Tokens<Token>, failure: &Failure) -> Diagnostic {
    match tokens.token(failure.at) {
        Some(Token::Unknown(Unknown::Sign)) => {
            explain::unknown_sign(tokens.place(failure.at), tokens.word(failure.at), "a roll")
        }
        Some(Token::Unknown(Unknown::Hash)) => {
            let message = "`#` repeats a roll only behind a plain number at the beginning";
            Diagnostic::new(tokens.place(failure.at), message).with_help("as in `6#4d6kh3`")
        }
        found => {
            let is_word = found == Some(Token::Unknown(Unknown::Word));
            explain::unexpected(tokens, failure, |_| !is_word)
        }
    }
}

/// A value from outside that is not given.
pub(super) fn unbound(span: Span, name: &str, default: Option<&str>) -> Diagnostic {
    let message = match default {
        Some(default) => format!(
            "`{}` has no value, because its default `{}` is no whole number",
            shortened(name),
            shortened(default)
        ),
        None => format!("`{}` has no value", shortened(name)),
    };
    Diagnostic::new(span, message).with_remedy(Remedy::GiveValue(name.into()))
}

/// A quotient whose values have no common denominator within the limits.
pub(super) fn no_unit(span: Span) -> Diagnostic {
    let message =
        "`/` is exact here, and the possible values have no common denominator within the limits";
    Diagnostic::new(span, message)
        .with_help("write `floor(a/b)` or `a//b` to round the quotient down")
}

/// A roll that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    limit.complaint(place, "write several equal parts as one, as `10d6`")
}

/// An error of evaluating a roll, in the words of the notation.
pub(super) fn of_evaluation(kind: ErrorKind, finding: Diagnostic) -> Diagnostic {
    match kind {
        ErrorKind::Domain => finding.with_help(
            "numbers of dice and of sides are whole (`floor(…)` rounds down), a root is exact or directly inside \
             `floor(…)`, and 0 has no negative power",
        ),
        _ => finding,
    }
}
