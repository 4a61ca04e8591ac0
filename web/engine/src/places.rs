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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_beyond_the_basic_plane_are_two_units() {
        let places = Places::of("ö🎲x");
        let at = [0, 1, 2, 6, 7, 99].map(|byte| places.at(byte));
        assert_eq!(at, [0, 0, 1, 3, 4, 4]); // ö: 2 bytes, 1 unit; the die: 4 bytes, 2 units
    }
}
