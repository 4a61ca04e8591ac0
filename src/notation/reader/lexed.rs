//! Splits a text into tokens, and answers questions about the text around a token.

use super::gaps::Gaps;
use super::quote::shortened;
use crate::source::{Source, Span};

/// The tokens of a text, without the gaps between them.
#[derive(Clone, Debug)]
pub(crate) struct Lexed<T> {
    pub(crate) tokens: Vec<T>,
    /// The place of each token in the whole source.
    pub(crate) spans: Vec<Span>,
}

/// The tokens of a part of a text. `read` returns the token at the beginning of a text, and the token's length in bytes.
pub(crate) fn lex<T>(
    text: &str,
    span: Span,
    gaps: Gaps,
    read: impl Fn(&str) -> (T, usize),
) -> Lexed<T> {
    let text = &text[..span.end];
    // A token has two bytes or more with its gap, mostly.
    let tokens = (span.end - span.start) / 2 + 1;
    let mut lexed = Lexed {
        tokens: Vec::with_capacity(tokens),
        spans: Vec::with_capacity(tokens),
    };
    let mut at = gaps.end(text, span.start, Gaps::begins_line(text, span.start));
    while at < span.end {
        let (token, length) = read(&text[at..]);
        lexed.tokens.push(token);
        lexed.spans.push(Span::new(at, at + length));
        at = gaps.end(text, at + length, false);
    }
    lexed
}

/// The length in bytes of the longest beginning of a text whose characters all satisfy `is_so`.
pub(crate) fn run(text: &str, is_so: impl Fn(char) -> bool) -> usize {
    text.find(|character| !is_so(character))
        .unwrap_or(text.len())
}

/// The length in bytes of the first character of a text.
pub(crate) fn first(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// The tokens of a rule with their text, for messages about a mistake.
#[derive(Debug)]
pub(crate) struct Tokens<'s, T> {
    pub(crate) text: &'s str,
    /// The part of the text that is the rule.
    pub(crate) span: Span,
    pub(crate) lexed: &'s Lexed<T>,
}

impl<T> Clone for Tokens<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Tokens<'_, T> {}

impl<'s, T: Copy> Tokens<'s, T> {
    pub(crate) fn new(source: &'s Source, span: Span, lexed: &'s Lexed<T>) -> Self {
        let text = source.text();
        Self { text, span, lexed }
    }

    pub(crate) fn token(self, at: usize) -> Option<T> {
        self.lexed.tokens.get(at).copied()
    }

    pub(crate) fn before(self, at: usize) -> Option<T> {
        self.token(at.checked_sub(1)?)
    }

    /// The place of a token. For the end of the rule, the place after the last token.
    pub(crate) fn place(self, at: usize) -> Span {
        let end = |last: &Span| Span::new(last.end, last.end);
        let spans = &self.lexed.spans;
        let place = spans.get(at).copied();
        place.unwrap_or_else(|| spans.last().map_or(self.span, end))
    }

    pub(crate) fn slice(self, span: Span) -> &'s str {
        &self.text[span.start..span.end]
    }

    /// The text of a token.
    pub(crate) fn word(self, at: usize) -> &'s str {
        self.slice(self.place(at))
    }

    /// The text from token `from` to the token before `to`.
    pub(crate) fn words(self, from: usize, to: usize) -> &'s str {
        self.slice(self.place(from).to(self.place(to - 1)))
    }

    /// The text of a token, shortened for a message; `None` at the end of the rule.
    pub(crate) fn found(self, at: usize) -> Option<String> {
        self.token(at).map(|_| shortened(self.word(at)))
    }

    /// Whether a token follows the token before it without a gap.
    pub(crate) fn is_glued(self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.place(before).end == self.place(at).start)
    }
}
