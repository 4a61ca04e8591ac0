//! Text that is shown: in a terminal, on a page, in a file that somebody opens. It gives no orders to what shows it.
//!
//! [`Shown`] is the only writer of all formats of text, so that none of them can forget it.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

/// What stands in place of a character that is not to be shown.
const REPLACEMENT: char = '\u{fffd}';

/// A text of a stranger on one line: a blank for each line end and tab, and U+FFFD for each character that controls a terminal or is
/// invisible. Signs that join letters or pictures stay where they join.
///
/// # Examples
///
/// ```
/// use dicedist::source::shown;
///
/// assert_eq!(shown("hit\n\u{1b}[2J\u{202e}"), "hit \u{fffd}[2J\u{fffd}");
/// ```
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    replaced(text, &mut None, |character| match character {
        '\n' | '\t' => Some(' '),
        _ => None,
    })
}

/// A writer of text that is shown. Whatever is written to it loses the characters that [`shown`] replaces; line ends and tabs stay.
///
/// # Examples
///
/// ```
/// use std::io::Write as _;
///
/// use dicedist::source::Shown;
///
/// let mut out = Shown::on(Vec::new());
/// write!(out, "{}\n", "\u{1b}]0;mine\u{7}")?;
/// assert_eq!(out.to_string(), "\u{fffd}]0;mine\u{fffd}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Shown<W> {
    inner: W,
    /// The last character.
    before: Option<char>,
    /// The end of what was written, as long as more may belong to it: a part of a character, or a carriage return.
    rest: Vec<u8>,
}

impl<W: Write> Shown<W> {
    /// A writer on another one.
    pub fn on(inner: W) -> Self {
        Self {
            inner,
            before: None,
            rest: Vec::new(),
        }
    }

    /// The writer below, for what is no text of a stranger: a picture, or the codes of a terminal around a text.
    pub fn raw(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The writer below.
    pub fn into_inner(self) -> W {
        self.inner
    }

    /// Writes a text between the codes of a terminal that colour it.
    ///
    /// # Errors
    ///
    /// The errors of writing.
    pub fn coloured(&mut self, code: &'static str, text: &str) -> io::Result<()> {
        write!(self.raw(), "\x1b[{code}m")?;
        self.write_all(text.as_bytes())?;
        write!(self.raw(), "\x1b[0m")
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        let mut signs = text.chars().skip(1);
        let shown = replaced(text, &mut self.before, |character| {
            let next = signs.next();
            let stays = match character {
                '\n' | '\t' => true,
                '\r' => next == Some('\n'),
                _ => false,
            };
            stays.then_some(character)
        });
        self.inner.write_all(shown.as_bytes())
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.rest);
        let all = if all.is_empty() {
            bytes
        } else {
            all.extend_from_slice(bytes);
            &all
        };
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            let is_last = chunks.peek().is_none();
            let (valid, invalid) = (chunk.valid(), chunk.invalid());
            match valid.strip_suffix('\r') {
                Some(text) if is_last && invalid.is_empty() => {
                    self.text(text)?;
                    self.rest.push(b'\r');
                }
                _ => self.text(valid)?,
            }
            if is_last && std::str::from_utf8(invalid).is_err_and(|it| it.error_len().is_none()) {
                self.rest.extend_from_slice(invalid);
            } else if !invalid.is_empty() {
                self.text("\u{fffd}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// What was written to memory.
impl fmt::Display for Shown<Vec<u8>> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&String::from_utf8_lossy(&self.inner))
    }
}

/// A text of several lines in memory.
impl<T: AsRef<str>> From<T> for Shown<Vec<u8>> {
    fn from(text: T) -> Self {
        let mut shown = Self::on(Vec::new());
        // Writing to memory does not fail.
        let _ = shown.write_all(text.as_ref().as_bytes());
        shown
    }
}

/// The text with another character for each one that is not to be shown: the one that a function gives, or U+FFFD.
fn replaced<'t>(
    text: &'t str,
    before: &mut Option<char>,
    mut other: impl FnMut(char) -> Option<char>,
) -> Cow<'t, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        *before = text.chars().next_back().or(*before);
        return Cow::Borrowed(text);
    }
    let sign = |character: char| {
        let other = other(character);
        let sign = match (other, *before) {
            (Some(other), _) => other,
            (None, before) if joins(before, character) => character,
            (None, _) if character.is_control() || is_invisible(character) => REPLACEMENT,
            (None, _) => character,
        };
        *before = Some(sign);
        sign
    };
    Cow::Owned(text.chars().map(sign).collect())
}

/// Whether a character joins two others, or chooses the form of the one before it. After a letter of ASCII none does, and not after
/// another one, but that a picture in colour may be joined.
fn joins(before: Option<char>, character: char) -> bool {
    let is_form = |character| matches!(character, '\u{fe00}'..='\u{fe0f}');
    let Some(before) = before.filter(|it| !it.is_ascii() && *it != REPLACEMENT) else {
        return false;
    };
    let follows = !is_invisible(before) || is_form(before) && character == '\u{200d}';
    (is_form(character) || matches!(character, '\u{200c}' | '\u{200d}')) && follows
}

/// Whether a character shows nothing, or changes the direction of the text around it. A text for people must show it in
/// another way.
///
/// # Examples
///
/// ```
/// use dicedist::source::is_invisible;
///
/// assert!(is_invisible('\u{202e}') && is_invisible('\u{200b}') && !is_invisible(' '));
/// ```
#[must_use]
pub fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text written in pieces of so many bytes.
    fn in_pieces(text: &[u8], length: usize) -> String {
        let mut out = Shown::on(Vec::new());
        for piece in text.chunks(length) {
            out.write_all(piece).unwrap();
        }
        out.to_string()
    }

    #[test]
    fn what_is_written_is_the_same_in_pieces_of_any_length() {
        let text = "größe\u{9b}31m\r\n\tx\ry\u{202e}👩\u{200d}🚀 a\u{200d}b\u{e0041}\u{0}\u{7f}\u{2028}\u{feff}";
        let expected = "größe\u{fffd}31m\r\n\tx\u{fffd}y\u{fffd}👩\u{200d}🚀 a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}";
        for length in 1..=text.len() {
            assert_eq!(in_pieces(text.as_bytes(), length), expected, "{length}");
        }
        assert_eq!(in_pieces(b"a\xffb", 1), "a\u{fffd}b");
    }

    #[test]
    fn signs_that_join_stay_where_they_join() {
        for stays in [
            "❤\u{fe0f}\u{200d}🔥",
            "می\u{200c}خواهم",
            "👨\u{200d}👩\u{200d}👧",
        ] {
            assert_eq!(shown(stays), stays);
        }
        assert_eq!(shown("é\u{200d}\u{200d}"), "é\u{200d}\u{fffd}");
    }

    #[test]
    fn only_the_program_colours_a_text() {
        let mut out = Shown::on(Vec::new());
        out.coloured("1", "\u{1b}[2J").unwrap();
        assert_eq!(out.to_string(), "\u{1b}[1m\u{fffd}[2J\u{1b}[0m");
    }
}
