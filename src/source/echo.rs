//! Words that somebody typed, as messages repeat them: no longer than a person reads, and with the code of what is invisible.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::is_invisible;

/// The longest word that is repeated whole, in characters.
const LONGEST_WORD: usize = 200;

/// A word that somebody gave, as part of a message on one line: at most 200 characters, and no control characters.
///
/// # Examples
///
/// ```
/// use dicedist::source::echoed;
///
/// assert_eq!(echoed("d6\u{1b}[31m"), "d6<U+001B>[31m");
/// ```
#[must_use]
pub fn echoed(word: &str) -> String {
    let word = escaped(&shortened(word, LONGEST_WORD));
    word.replace('\n', "<U+000A>").replace('\t', "<U+0009>")
}

/// The text with the codes of control characters and invisible ones, as `<U+202E>`. Line ends and tabs stay.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        let is_seen = !character.is_control() && !is_invisible(character);
        if is_seen || matches!(character, '\n' | '\t') {
            out.push(character);
        } else {
            let _ = write!(out, "<U+{:04X}>", u32::from(character));
        }
    }
    out
}

/// The text, or its first characters and an ellipsis if it has more than `most` characters.
///
/// # Examples
///
/// ```
/// use dicedist::source::shortened;
///
/// assert_eq!(shortened("größe", 5), "größe");
/// assert_eq!(shortened("größer", 5), "größe…");
/// ```
#[must_use]
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_what_is_harmful_and_what_is_too_much() {
        assert_eq!(
            echoed("größe\u{202e}\n\u{1b}[31m"),
            "größe<U+202E><U+000A><U+001B>[31m"
        );
        assert_eq!(echoed(&"ä".repeat(200)), "ä".repeat(200));
        assert_eq!(
            echoed(&"ä".repeat(300_000)),
            format!("{}…", "ä".repeat(200))
        );
    }
}
