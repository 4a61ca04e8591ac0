//! Characters to tokens, and tokens with what is around them.

use super::gaps::Gaps;
use super::quote::shortened;
use crate::source::Span;

/// A text as tokens; blanks and comments lie between them.
#[derive(Clone, Debug)]
pub(crate) struct Lexed<T> {
    pub(crate) tokens: Vec<T>,
    /// The bytes of each token in the whole source.
    pub(crate) spans: Vec<Span>,
}

/// The tokens of a part of a text. `read` gives the token that a text begins with, and its length in bytes.
pub(crate) fn lex<T>(
    text: &str,
    span: Span,
    gaps: Gaps,
    read: impl Fn(&str) -> (T, usize),
) -> Lexed<T> {
    let text = &text[..span.end];
    let mut lexed = Lexed {
        tokens: Vec::new(),
        spans: Vec::new(),
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

/// How many bytes of a text come before the first character that is not so.
pub(crate) fn run(text: &str, is_so: impl Fn(char) -> bool) -> usize {
    text.find(|character| !is_so(character))
        .unwrap_or(text.len())
}

/// How many bytes the first character of a text has.
pub(crate) fn first(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// A rule as tokens, for those who ask what is around a mistake.
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
    pub(crate) fn token(self, at: usize) -> Option<T> {
        self.lexed.tokens.get(at).copied()
    }

    pub(crate) fn before(self, at: usize) -> Option<T> {
        self.token(at.checked_sub(1)?)
    }

    /// The place of a token; for the end, the place after the last one.
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

    /// The text from one token to another, the last one left out.
    pub(crate) fn words(self, from: usize, to: usize) -> &'s str {
        self.slice(self.place(from).to(self.place(to - 1)))
    }

    /// The text of a token as far as it fits into a message; none at the end.
    pub(crate) fn found(self, at: usize) -> Option<String> {
        self.token(at).map(|_| shortened(self.word(at)))
    }

    /// Whether no blank is between a token and the one before it.
    pub(crate) fn is_glued(self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.place(before).end == self.place(at).start)
    }
}
