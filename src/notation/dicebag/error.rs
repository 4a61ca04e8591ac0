//! The errors of reading a rule, with their wording.

use std::fmt;

use crate::error::Diagnostic;
use crate::notation::reader::failure::Limit;
use crate::notation::reader::quote::is_unseen;
use crate::source::Span;

/// The kinds of error. The comment of each begins with a short rule that has the error.
#[derive(Debug)]
pub(super) enum ParseError {
    /// `1d6 // note`
    Comment,
    /// A rule without tokens
    Empty,
    /// `d6!`
    Exploding { dice: String, sides: String },
    /// `1d6 +1`; `operands` is the text of short operands
    HalfSpaced {
        operator: char,
        operands: Option<(String, String)>,
    },
    /// `1d6 1d4`
    Juxtaposed { found: Found },
    /// `4d6kh3`, `4d6dl1`
    Keep { help: Option<String> },
    /// `2D6`, `2×3`, `d%`; `meant` is the correct text, and `rule` the whole rule with it
    Lookalike {
        found: String,
        meant: &'static str,
        rule: Option<String>,
    },
    /// `K4d6`, `*2`
    MissingLeft { operator: Found },
    /// `4d`, `1d6 + `
    MissingRight { operator: Found, found: Found },
    /// `4#d6`
    Repetition { help: Option<String> },
    /// `1d6;1d4`
    Semicolon,
    /// `( 1d6)`
    StrayBlank,
    /// `4d6>4`
    Threshold { help: Option<String> },
    /// `1 & 2`, `sum(1d6)`
    Unknown {
        found: String,
        help: Option<&'static str>,
    },
    /// `(1`
    Unclosed,
    /// `1)`
    Unopened,
    /// `6/2`; `rule` is the whole rule with blanks around the operator
    Unspaced {
        operator: &'static str,
        rule: Option<String>,
    },
}

/// The text of a token, shortened for a message; `None` at the end of the rule.
#[derive(Debug)]
pub(super) struct Found(pub(super) Option<String>);

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => formatter.write_str("the end of the rule"),
            Some(word) => write!(formatter, "`{word}`"),
        }
    }
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
            Self::Comment => "a comment has a line of its own in dicebag".into(),
            Self::Empty => "there is no rule here".into(),
            Self::Exploding { .. } => "`!` does not make dice explode in dicebag".into(),
            Self::HalfSpaced { operator, .. } => {
                format!("`{operator}` has a blank on one side only")
            }
            Self::Juxtaposed { found } => format!("expected an operator, found {found}"),
            Self::Keep { .. } => {
                "in dicebag the number of dice to keep stands before `K` or `k`".into()
            }
            Self::MissingLeft { operator } => {
                format!("expected a number or dice before {operator}")
            }
            Self::MissingRight { operator, found } => {
                format!("expected a number or dice after {operator}, found {found}")
            }
            Self::Repetition { .. } => "in dicebag a number of dice stands right before `d`".into(),
            Self::Semicolon => "in dicebag each rule has a line of its own".into(),
            Self::StrayBlank => "no blank can stand here".into(),
            Self::Threshold { .. } => "in dicebag the cutoff stands before `T` or `t`".into(),
            Self::Lookalike { found, .. } | Self::Unknown { found, .. }
                if found.chars().all(is_unseen) =>
            {
                "a sign that cannot be seen is no part of dicebag".into()
            }
            Self::Lookalike { found, .. } | Self::Unknown { found, .. } => {
                format!("`{found}` is no part of dicebag")
            }
            Self::Unclosed => "this `(` is never closed".into(),
            Self::Unopened => "this `)` closes nothing".into(),
            Self::Unspaced { operator, .. } => {
                format!("`{operator}` has a blank on both sides in dicebag")
            }
        }
    }

    fn help(&self) -> Option<String> {
        let write = |what: &str| Some(format!("write `{what}`"));
        match self {
            Self::Comment => Some("begin a line with `//` for a comment".into()),
            Self::Empty => write("3d6` or another rule such as `3K4d6"),
            Self::Exploding { dice, sides } => Some(format!(
                "write `{sides}E{dice}` to roll again at {sides}, and add"
            )),
            Self::HalfSpaced {
                operator: operator @ ('+' | '-'),
                operands: Some((left, right)),
            } => Some(format!(
                "write `{left} {operator} {right}` for one sum, or `{left}{operator}{right}` for each die of {left}"
            )),
            Self::HalfSpaced { operator, .. } => {
                Some(format!("write ` {operator} ` with a blank on both sides"))
            }
            Self::Juxtaposed { .. } => Some("write ` + ` or ` * ` between them".into()),
            Self::Keep { help } | Self::Repetition { help } => write(help.as_ref()?),
            Self::Threshold { help: Some(help) } => {
                Some(format!("write `{help}` for how many they are"))
            }
            Self::Threshold { help: None } => {
                Some("write `5T4d6` for how many of four dice show 5 or more".into())
            }
            Self::Lookalike {
                rule: Some(rule), ..
            }
            | Self::Unspaced {
                rule: Some(rule), ..
            } => write(rule),
            Self::Lookalike { meant: "", .. } | Self::StrayBlank => Some("leave it out".into()),
            Self::Lookalike { meant, .. } => write(meant),
            Self::MissingLeft {
                operator: Found(Some(operator)),
            } => match operator.as_str() {
                "K" | "k" => Some(
                    "write `3K4d6` for the three highest of four dice, `3k4d6` for the lowest"
                        .into(),
                ),
                "E" | "e" => Some("write `6E1d6` to roll again on a 6, and add".into()),
                "A" | "a" => {
                    Some("write `8A5d10` for dice that are rolled again on an 8 or more".into())
                }
                "T" | "t" => Some("write `5T4d6` for how many of four dice show 5 or more".into()),
                "+" => Some("leave it out".into()),
                _ => None,
            },
            Self::MissingRight {
                operator: Found(Some(operator)),
                ..
            } if operator == "d" => Some("write `d6` for a die with six sides".into()),
            Self::MissingLeft { .. } | Self::MissingRight { .. } => None,
            Self::Semicolon => {
                Some("write it on a line of its own, or as an argument of its own".into())
            }
            Self::Unknown { help, .. } => Some(format!("write {}", (*help)?)),
            Self::Unclosed => Some("write `)` where it ends".into()),
            Self::Unopened => Some("leave it out, or write `(` before it".into()),
            Self::Unspaced { operator, .. } => {
                Some(format!("write ` {operator} ` with a blank on both sides"))
            }
        }
    }
}

/// A rule that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    limit.complaint(
        place,
        "write several equal parts as one, as `10d6` or `1d6 x 10`",
    )
}

/// A rule whose program is too long, because its laws are written out.
pub(super) fn too_long(span: Span) -> Diagnostic {
    let message = "the rule becomes too long: each `K`, `k`, `A` or `a` inside of `E`, `e`, `A` or `a` doubles what is \
         written for the dice that are rolled again";
    Diagnostic::new(span, message).with_help("nest them less deeply")
}
