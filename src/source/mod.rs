//! Text that a person wrote, and places in it.

mod echo;
mod shown;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use echo::{echoed, escaped, shortened};
pub use shown::{Shown, is_invisible, shown};

/// A text, such as a rule from the command line or a file, with a name for messages. A clone shares the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

/// A range of bytes of a [`Source`], on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The character within the line, from 1.
    pub column: usize,
}

impl Source {
    /// A source with a name that messages show before the position.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into().into(),
            text: text.into().into(),
        }
    }

    /// The name shown in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether this is the other source or a clone of it: places of one are places of the other.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.text, &other.text)
    }

    /// The text of a span; empty where the span does not lie in this source.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// The span of the whole text.
    #[must_use]
    pub fn span(&self) -> Span {
        Span {
            start: 0,
            end: self.text.len(),
        }
    }

    /// The line and column of a byte offset. Offsets beyond the end are taken as the end, and those inside a
    /// character as its first byte.
    ///
    /// # Examples
    ///
    /// ```
    /// let source = dicedist::source::Source::new("rule", "1 +\nd0");
    /// let position = source.position(4);
    /// assert_eq!((position.line, position.column), (2, 1));
    ///
    /// let source = dicedist::source::Source::new("rule", "größe\nd6");
    /// assert_eq!(source.position(3), source.position(2)); // within the ö
    /// ```
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl Span {
    /// The span from `start` to `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self {
            start: range.start,
            end: range.end,
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.start, self.end)
    }
}
