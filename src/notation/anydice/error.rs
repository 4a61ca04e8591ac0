//! The errors of reading and of evaluating a program, with their wording.

use crate::error::{Diagnostic, ErrorKind};
use crate::notation::reader::failure::Limit;
use crate::notation::reader::quote::shortened;
use crate::source::Span;

/// The kinds of error. The comment of each begins with a short program that has the error.
#[derive(Debug)]
pub(super) enum ParseError {
    /// `X = 3`
    Assignment(String),
    /// `function: f { result: 1 X: 2 }`
    BehindResult,
    /// `output 1d4, 1d6`
    Beside(String),
    /// `Output 3d6` or `output 1D6`; what it should be
    Capital(String),
    /// `output (1]`: the bracket that is open, the one that was found, and the one that closes it
    Closed(String, String, &'static str),
    /// `output 0.5`
    Decimal,
    /// `X1: 3`
    DigitInVariable(String),
    /// Anything else: what was expected, and what was found
    Expected(&'static str, Option<String>),
    /// `output 4d6 drop lowest`: the dice, and the word
    Keep(String, String),
    /// `3d6+4`
    NoOutput(Option<String>),
    /// `function: f { output 1 }`
    NotInFunction(&'static str),
    /// `output 1 named 'a'`
    Quote,
    /// `output d6 % 2`
    Remainder,
    /// `result: 3`
    ResultOutside,
    /// `output 1; output 2`
    Semicolon,
    /// `output 2×3`: the sign, and what to write
    Sign(String, Option<&'static str>),
    /// `x: 3`
    SmallVariable(String),
    /// `output "a"`
    Text,
    /// `output (1`: the bracket, and the one that closes it
    Unclosed(String, &'static str),
    /// `\ a comment`
    UnclosedComment,
    /// `output 1 named "a`
    UnclosedText,
    /// `print 3d6`
    Unknown(String),
    /// `output 1)`
    Unopened(String),
}

impl ParseError {
    /// The error in words, at a place.
    pub(super) fn diagnostic(&self, span: Span) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(span, self.message());
        diagnostic.help = self.help();
        diagnostic
    }

    fn message(&self) -> String {
        match self {
            Self::Assignment(_) => "`=` compares; `:` gives a variable its value".into(),
            Self::BehindResult => "nothing can follow `result` in its block, which it ends".into(),
            Self::Beside(_) => "two values cannot stand side by side".into(),
            Self::Capital(_) => {
                "capital letters are variables; the words and the `d` of the language are small"
                    .into()
            }
            Self::Closed(open, found, _) => format!("`{open}` is closed by `{found}`"),
            Self::Decimal => "numbers are whole here".into(),
            Self::DigitInVariable(name) => {
                format!(
                    "`{}` is a variable and a number: names have no digits",
                    shortened(name)
                )
            }
            Self::Expected(what, None) => format!("expected {what}, found the end of the program"),
            Self::Expected(what, Some(found)) => format!("expected {what}, found `{found}`"),
            Self::Keep(_, word) => format!("`{word}` is no operator"),
            Self::NoOutput(_) => "a value alone is no statement".into(),
            Self::NotInFunction(word) => format!("`{word}` cannot stand in a function"),
            Self::Quote => "texts stand between double quotes".into(),
            Self::Remainder => "there is no operator for remainders".into(),
            Self::ResultOutside => "`result` can only stand in a function".into(),
            Self::Semicolon => "statements need nothing between them".into(),
            Self::Sign(sign, _) => format!("`{}` has no meaning here", shortened(sign)),
            Self::SmallVariable(_) => "variables are written in capital letters".into(),
            Self::Text => "a text can only stand after `named` and in `set`".into(),
            Self::Unclosed(open, _) => format!("this `{open}` is never closed"),
            Self::UnclosedComment => "this comment is never closed".into(),
            Self::UnclosedText => "this text is never closed".into(),
            Self::Unknown(word) => format!("there is no statement `{}`", shortened(word)),
            Self::Unopened(close) => format!("this `{close}` closes nothing"),
        }
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Assignment(name) => format!("write `{}: 3`", shortened(name)),
            Self::BehindResult => "write it before `result`".into(),
            Self::Beside(dice) => format!(
                "write `output {dice} + 1d6` for their sum, or a second `output`, or `[highest 1 of {dice} and 1d6]`"
            ),
            Self::Capital(text) => format!("write `{text}`"),
            Self::Closed(_, _, close) => format!("write `{close}` here"),
            Self::Decimal => {
                "multiply all numbers by 10, or divide with `/`, which cuts toward zero".into()
            }
            Self::DigitInVariable(_) => "write `X_A` and `X_B` rather than `X1` and `X2`".into(),
            Self::Expected(..) => return None,
            Self::Keep(dice, word) if word.contains('l') || word == "drop" => {
                format!("write `[highest 3 of {dice}]` or `[lowest 1 of {dice}]`, which keep dice")
            }
            Self::Keep(dice, word) if word.starts_with('r') => format!(
                "write a function that looks at the die, as in `function: again X:n {{ if X = 1 {{ result: d6 }} result: X }} output [again {dice}]`"
            ),
            Self::Keep(dice, _) => format!("write `[highest 3 of {dice}]`"),
            Self::NoOutput(Some(line)) => format!("write `output {line}`"),
            Self::NoOutput(None) => "write `output` before it".into(),
            Self::NotInFunction("output") => "write `result:` for the value of the function".into(),
            Self::NotInFunction(_) => "write it outside of the function".into(),
            Self::Quote => "write `\"…\"`".into(),
            Self::Remainder => "write `N - N/M*M` in a function with parameters `N:n M:n`".into(),
            Self::ResultOutside => "write `output` here".into(),
            Self::Sign(_, Some(sign)) => format!("write `{sign}`"),
            Self::SmallVariable(name) => format!("write `{}: …`", shortened(name)),
            Self::Text => "leave it out, or write `named` before it".into(),
            Self::Unclosed(_, close) => format!("write `{close}` where it ends"),
            Self::UnclosedComment => "write `\\` where it ends".into(),
            Self::UnclosedText => "write `\"` where it ends".into(),
            Self::Unknown(word) if word == "legacy" => {
                "write `output [highest 4 of 5d6]`: this form is for programs of AnyDice Classic"
                    .into()
            }
            Self::Unknown(_) => {
                "write `output 3d6` for a distribution, and `result: X` at the end of a function"
                    .into()
            }
            Self::Semicolon | Self::Sign(_, None) | Self::Unopened(_) => "leave it out".into(),
        })
    }
}

/// A program that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    let help = "write several equal parts as one, as `10d6`, or use variables";
    limit.complaint(place, help)
}

/// An error of evaluating a program, in the words of the notation.
pub(super) fn of_evaluation(kind: ErrorKind, finding: Diagnostic) -> Diagnostic {
    match kind {
        ErrorKind::Domain if finding.help.is_none() => finding.with_help("0 has no negative power"),
        _ => finding,
    }
}
