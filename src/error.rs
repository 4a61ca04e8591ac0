//! Errors and warnings: what is wrong with a rule, where, how likely, and what to write instead.
//!
//! The library describes; it never prints. `cli::diagnostic` draws these with the place underlined,
//! `report::json` lists them.

use std::fmt;

use crate::limits::LimitReached;
use crate::number::Fraction;
use crate::source::{Span, shortened, shown};

/// The help for a limit that has no help of its own.
const SMALLER: &str = "make the rule smaller, or split it";

/// The longest text of a [`Diagnostic::brief`], in characters.
const LONGEST_TEXT: usize = 500;

/// The kinds of error, with the names that JSON and the tests use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A die with fewer than one side: `d0`.
    BadDie,
    /// Division, or remainder, by zero: `1/0`.
    DivisionByZero,
    /// An operand outside the domain of its operator: `0^-1`.
    Domain,
    /// A limit of time, states, memory, depth or length was reached: `9999999#d9999999`.
    Limit,
    /// A count that must not be negative: `(0-2)#5`.
    NegativeCount,
    /// An integer longer than [`crate::number::MAX_BITS`] bits: `2^2^2^2^2^2`.
    Overflow,
    /// Text that is no rule: `2d6`.
    Parse,
    /// A list where one number is needed: `(1,2)+3`.
    Type,
    /// A name that nothing binds: `x+1`.
    Unbound,
}

impl ErrorKind {
    /// The name in JSON: `division_by_zero`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BadDie => "bad_die",
            Self::DivisionByZero => "division_by_zero",
            Self::Domain => "domain",
            Self::Limit => "limit",
            Self::NegativeCount => "negative_count",
            Self::Overflow => "overflow",
            Self::Parse => "parse",
            Self::Type => "type",
            Self::Unbound => "unbound",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One finding about a rule.
///
/// Messages are lower case without a full stop, in the words of the user's notation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What was found and what was expected.
    pub message: String,
    /// The place, in bytes of the [`crate::source::Source`] that the rule was read from.
    pub span: Option<Span>,
    /// A short text at the underlined place itself.
    pub label: Option<String>,
    /// Explanations of the message.
    pub notes: Vec<String>,
    /// What to write instead, in text that can be pasted.
    pub help: Option<String>,
    /// A stable name of the mistake; empty if the kind of the error says everything.
    pub code: &'static str,
    /// What was probably meant, the likeliest first. A notation reads the text with any of them, and the help suggests them.
    pub corrections: Vec<Correction>,
    /// Changes that the caller could make. The caller words them, because only the caller knows its own options.
    pub remedies: Vec<Remedy>,
    /// Whether the finding is worth knowing although nothing is wrong.
    pub is_note: bool,
}

/// A change of the text that an editor can make.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Correction {
    /// The place of the rule, or of a line of a long one.
    pub span: Span,
    /// What was probably meant there.
    pub text: String,
}

/// A change that a caller of the library could make without a change of the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Give the free variable of this name a value, in [`crate::notation::Settings::parameters`].
    GiveValue(String),
    /// Raise this limit of the [`crate::Limits`].
    RaiseLimit(LimitReached),
    /// Raise the limit of states or lower the tolerance, so that more states are followed.
    FollowMore,
    /// Name the notation of a rule that no notation reads as it stands.
    NameNotation {
        /// The notation that came furthest, where it is not the default one.
        nearest: Option<&'static str>,
        /// The notations that would read the rule, each in a way of its own.
        readers: Vec<&'static str>,
    },
    /// Choose between two notations that both read the rule.
    ChooseNotation {
        /// The notation that was chosen.
        own: &'static str,
        /// The one that reads the rule otherwise.
        other: &'static str,
    },
}

impl Remedy {
    /// The name that needs a value.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::GiveValue(name) => Some(name),
            _ => None,
        }
    }
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span: Some(span),
            ..Self::without_place(message)
        }
    }

    /// A finding about the rule as a whole.
    pub fn without_place(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            span: None,
            label: None,
            notes: Vec::new(),
            help: None,
            code: "",
            corrections: Vec::new(),
            remedies: Vec::new(),
            is_note: false,
        }
    }

    /// The same finding with a text at the underlined place.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The same finding with one more note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same finding with a suggestion.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same finding with the name of its mistake.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.code = code;
        self
    }

    /// The same finding with what was probably meant by the rule at a place, which the help suggests.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Diagnostic;
    ///
    /// let place = (0..10).into();
    /// let finding = Diagnostic::new(place, "unknown word `keep`").with_corrections(place, ["4d6kh3"]);
    /// assert_eq!(finding.help.as_deref(), Some("write `4d6kh3`"));
    /// assert_eq!(finding.correction(), Some("4d6kh3"));
    /// ```
    #[must_use]
    pub fn with_corrections<T: Into<String>>(
        mut self,
        rule: Span,
        texts: impl IntoIterator<Item = T>,
    ) -> Self {
        let texts = texts.into_iter().map(Into::into);
        let corrections = texts.map(|text| Correction { span: rule, text });
        self.corrections = corrections.collect();
        let quoted = self.corrections.iter().map(|one| format!("`{}`", one.text));
        let quoted: Vec<String> = quoted.collect();
        self.with_help(format!("write {}", quoted.join(" or ")))
    }

    /// The text that was most probably meant, if that is known.
    #[must_use]
    pub fn correction(&self) -> Option<&str> {
        self.corrections.first().map(|correction| &*correction.text)
    }

    /// The same finding with every text cut at 500 characters.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Diagnostic;
    ///
    /// let endless = Diagnostic::without_place("x".repeat(100_000)).brief();
    /// assert_eq!(endless.message, format!("{}…", "x".repeat(500)));
    /// ```
    #[must_use]
    pub fn brief(&self) -> Self {
        let cut = |text: &String| shortened(text, LONGEST_TEXT).into_owned();
        Self {
            message: cut(&self.message),
            span: self.span,
            label: self.label.as_ref().map(cut),
            notes: self.notes.iter().map(cut).collect(),
            help: self.help.as_ref().map(cut),
            code: self.code,
            corrections: self.corrections.clone(),
            remedies: self.remedies.clone(),
            is_note: self.is_note,
        }
    }

    /// The same finding, marked as worth knowing although nothing is wrong.
    #[must_use]
    pub fn as_note(mut self) -> Self {
        self.is_note = true;
        self
    }

    /// The same finding with one more change that the caller could make.
    #[must_use]
    pub fn with_remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }
}

/// Why a rule has no answer: a kind, and at least one [`Diagnostic`].
///
/// # Examples
///
/// ```
/// use dicedist::{ErrorKind, Rule};
///
/// let error = Rule::bones("6/(d6-1)")?.solve().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::DivisionByZero);
/// assert_eq!(error.probability().unwrap().to_string(), "1/6");
/// # Ok::<(), dicedist::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    kind: ErrorKind,
    diagnostics: Vec<Diagnostic>,
    /// The least probability, and whether it is the exact one.
    probability: Option<(Fraction, bool)>,
    limit: Option<LimitReached>,
}

impl Error {
    /// An error with one diagnostic.
    #[must_use]
    pub fn new(kind: ErrorKind, diagnostic: Diagnostic) -> Self {
        Self::with_all(kind, vec![diagnostic])
    }

    /// An error with several diagnostics, the most important first.
    ///
    /// # Panics
    ///
    /// If there is no diagnostic: an error says what is wrong.
    #[must_use]
    pub fn with_all(kind: ErrorKind, mut diagnostics: Vec<Diagnostic>) -> Self {
        assert!(
            !diagnostics.is_empty(),
            "an error has at least one diagnostic"
        );
        if kind == ErrorKind::Limit {
            for finding in &mut diagnostics {
                if finding.help.is_none() && finding.remedies.is_empty() {
                    finding.help = Some(SMALLER.into());
                }
            }
        }
        Self(Box::new(Inner {
            kind,
            diagnostics,
            probability: None,
            limit: None,
        }))
    }

    /// The same error with the probability that evaluating the rule fails.
    #[must_use]
    pub fn with_probability(mut self, probability: Fraction) -> Self {
        self.0.probability = Some((probability, true));
        self
    }

    /// The same error with a lower bound of the probability that evaluating the rule fails.
    #[must_use]
    pub fn with_least_probability(mut self, probability: Fraction) -> Self {
        self.0.probability = Some((probability, false));
        self
    }

    /// What kind of error this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// All findings, the most important first; never empty.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// The exact probability that evaluating the rule fails, if the analysis found it.
    #[must_use]
    pub fn probability(&self) -> Option<&Fraction> {
        let (probability, is_exact) = self.0.probability.as_ref()?;
        is_exact.then_some(probability)
    }

    /// The probability that evaluating the rule fails, or a lower bound of it where the analysis followed a loop only so far.
    #[must_use]
    pub fn least_probability(&self) -> Option<&Fraction> {
        self.0.probability.as_ref().map(|(least, _)| least)
    }

    /// Whether a limit was reached, so that the rule itself may be right.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        self.0.kind == ErrorKind::Limit
    }

    /// The limit of the analysis that was reached. `None` for any other error, also for other limits, such as the depth of
    /// a text.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Error;
    /// use dicedist::limits::LimitReached;
    ///
    /// let error = Error::from(LimitReached::States(1));
    /// assert_eq!(error.limit(), Some(LimitReached::States(1)));
    /// ```
    #[must_use]
    pub fn limit(&self) -> Option<LimitReached> {
        self.0.limit
    }

    /// The same error, where each diagnostic without a place has this one.
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        self.map(|finding| Diagnostic {
            span: finding.span.or(Some(span)),
            ..finding
        })
    }

    /// The same error with every diagnostic changed.
    #[must_use]
    pub fn map(mut self, change: impl FnMut(Diagnostic) -> Diagnostic) -> Self {
        let diagnostics = std::mem::take(&mut self.0.diagnostics);
        self.0.diagnostics = diagnostics.into_iter().map(change).collect();
        self
    }
}

impl From<LimitReached> for Error {
    fn from(reached: LimitReached) -> Self {
        let diagnostic = Diagnostic::without_place(reached.to_string());
        let diagnostic = match reached {
            // These cannot be raised.
            LimitReached::Interrupted => diagnostic.with_help("answer it again, and wait longer"),
            LimitReached::List | LimitReached::Machine(_) => diagnostic,
            LimitReached::Mean => diagnostic.with_help(
                "let the loop end after a known number of rounds: `repeat … for i in 1..20 do …`",
            ),
            LimitReached::Plan => diagnostic.with_help(
                "let the loop end in time: count its rounds, and stop after some of them",
            ),
            LimitReached::Play => diagnostic.with_help(
                "bound the numbers on which a choice depends: `min(n, 100)`; a number to which each round only adds needs no bound",
            ),
            LimitReached::Memory(_)
            | LimitReached::Outcomes(_)
            | LimitReached::States(_)
            | LimitReached::Time(_)
            | LimitReached::Written(_) => diagnostic.with_remedy(Remedy::RaiseLimit(reached)),
        };
        let mut error = Self::new(ErrorKind::Limit, diagnostic);
        error.0.limit = Some(reached);
        error
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finding = &self.0.diagnostics[0];
        formatter.write_str(&shown(&finding.message))?;
        if let Some(help) = &finding.help {
            write!(formatter, " ({})", shown(help))?;
        }
        Ok(())
    }
}

/// What `fn main() -> Result<(), Error>` prints: the kind, then the message of each finding with its place and its help.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.kind)?;
        if let Some((probability, is_exact)) = &self.0.probability {
            let least = if *is_exact { "" } else { "at least " };
            write!(formatter, " with a probability of {least}{probability}")?;
        }
        for finding in &self.0.diagnostics {
            write!(formatter, ": {}", shown(&finding.message))?;
            if let Some(span) = finding.span {
                write!(formatter, " (bytes {} to {})", span.start, span.end)?;
            }
            if let Some(help) = &finding.help {
                write!(formatter, "; {}", shown(help))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
