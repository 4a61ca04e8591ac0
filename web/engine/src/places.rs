//! Places in a text as a browser counts them: in units of UTF-16.

use dicedist::source::Span;

/// The units of UTF-16 before each byte of a text.
pub(crate) struct Places<'t>(&'t str);

impl<'t> Places<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self(text)
    }

    /// The place of a byte. A byte within a character counts as its first one, and one beyond the end as the end.
    pub(crate) fn at(&self, byte: usize) -> usize {
        let mut end = byte.min(self.0.len());
        while !self.0.is_char_boundary(end) {
            end -= 1;
        }
        self.0[..end].chars().map(char::len_utf16).sum()
    }

    /// The two ends of a span.
    pub(crate) fn span(&self, span: Span) -> [usize; 2] {
        [self.at(span.start), self.at(span.end)]
    }
}
