//! Markup of Markdown, and texts between it in which no sign means anything.

use std::io::{self, Write as _};

use crate::source::{Shown, shown};

/// The signs that mean something in Markdown, wherever they stand.
const SIGNS: [char; 15] = [
    '\\', '|', '*', '_', '`', '<', '>', '#', '~', '[', ']', '!', '&', '$', '@',
];

/// A page of Markdown: what is written to it is either markup of the program, or a text in which no sign means anything.
pub(crate) struct Page<'o, W>(pub(super) &'o mut Shown<W>);

impl<W: io::Write> Page<'_, W> {
    /// Writes a text between two pieces of markup.
    pub(super) fn put(
        &mut self,
        before: &'static str,
        text: &str,
        after: &'static str,
    ) -> io::Result<()> {
        self.0.write_all(before.as_bytes())?;
        let mut escaped = String::with_capacity(text.len());
        for character in shown(text).chars() {
            if SIGNS.contains(&character) {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        // An address becomes a link without any sign around it.
        let escaped = escaped.replace("://", "\\://").replace("www.", "www\\.");
        self.0.write_all(escaped.as_bytes())?;
        self.0.write_all(after.as_bytes())
    }
}
