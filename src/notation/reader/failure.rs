//! Failures of a parse: the place at which a text stops being a rule, and what could have stood there.

use std::fmt::Debug;

use chumsky::error::{Error, LabelError};
use chumsky::util::MaybeRef;
use chumsky::{DefaultExpected, span::SimpleSpan};

use super::lexed::Tokens;
use crate::error::{Diagnostic, Error as Refused, ErrorKind};
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::source::Span;

/// A kind of text that a grammar can expect at a place. A notation has at most 32 kinds.
pub(crate) trait Expected: Copy + Debug + PartialEq + 'static {
    /// The end of the rule.
    const END: Self;

    /// What messages call the kinds. Of several, they name the first.
    const NAMES: &'static [(Self, &'static str)];

    /// The number of the kind, below 32.
    fn number(self) -> u8;
}

/// The place at which the text stops being a rule, and what could have stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure<E> {
    /// The index of the token; the number of tokens for the end of the text.
    pub(crate) at: usize,
    /// A set of kinds, one bit for each.
    expected: u32,
    /// A part that was read and is the mistake.
    pub(crate) part: Option<Span>,
    kind: std::marker::PhantomData<E>,
}

impl<E: Expected> Failure<E> {
    pub(crate) fn new(at: usize, expected: E) -> Self {
        Self {
            at,
            expected: 1 << expected.number(),
            part: None,
            kind: std::marker::PhantomData,
        }
    }

    /// The same failure with one more kind that could have stood there.
    pub(crate) fn or(mut self, expected: E) -> Self {
        self.expected |= 1 << expected.number();
        self
    }

    /// The same failure with a part that was read as the mistake.
    pub(crate) fn with_part(mut self, part: Span) -> Self {
        self.part = Some(part);
        self
    }

    pub(crate) fn expects(&self, expected: E) -> bool {
        self.expected & (1 << expected.number()) != 0
    }
}

impl<'s, T: 's, E: Expected> LabelError<'s, &'s [T], DefaultExpected<'s, T>> for Failure<E> {
    fn expected_found<I: IntoIterator<Item = DefaultExpected<'s, T>>>(
        _: I,
        _: Option<MaybeRef<'s, T>>,
        span: SimpleSpan,
    ) -> Self {
        // The parsers of a grammar name what they expect. Only chumsky's own `end()` comes here.
        Self::new(span.start, E::END)
    }
}

impl<'s, T: 's, E: Expected> Error<'s, &'s [T]> for Failure<E> {
    fn merge(self, other: Self) -> Self {
        Self {
            expected: self.expected | other.expected,
            part: self.part.or(other.part),
            ..self
        }
    }
}

/// A limit on the size of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// [`MAX_CHAIN`]
    Chain,
    /// [`MAX_DEPTH`]
    Depth,
}

/// Why a parse has no tree.
#[derive(Debug)]
pub(crate) enum Refusal<E> {
    /// A limit is reached at this token.
    Limit(usize, Limit),
    /// The failures in the order of the text; at least one.
    Failures(Vec<Failure<E>>),
}

impl<E: Expected> Refusal<E> {
    /// The error of the rule in the words of its notation: `unexpected` words a failure, and `too_deep` a limit at a place.
    pub(crate) fn error<'s, T: Copy>(
        &self,
        tokens: Tokens<'s, T>,
        unexpected: impl FnOnce(Tokens<'s, T>, &Failure<E>) -> Diagnostic,
        too_deep: impl FnOnce(Span, Limit) -> Diagnostic,
    ) -> Refused {
        match self {
            Self::Failures(failures) => {
                Refused::new(ErrorKind::Parse, unexpected(tokens, &failures[0]))
            }
            Self::Limit(at, limit) => {
                Refused::new(ErrorKind::Limit, too_deep(tokens.place(*at), *limit))
            }
        }
    }
}

impl Limit {
    /// The diagnostic for a rule that reaches the limit at a place.
    pub(crate) fn complaint(self, place: Span, help: &str) -> Diagnostic {
        let message = match self {
            Self::Chain => format!(
                "more than {MAX_CHAIN} operators depend on each other here, those around them counted"
            ),
            Self::Depth => {
                format!("the parts of the rule are nested deeper than the limit of {MAX_DEPTH}")
            }
        };
        Diagnostic::new(place, message)
            .with_label("the limit is reached here")
            .with_help(help)
    }
}
