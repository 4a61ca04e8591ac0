//! Text that somebody typed, as it is shown again: no longer than a person reads, and without giving orders to the terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use dicedist::source::{is_invisible, shortened};

/// The longest word of the command line that is repeated whole, in characters.
const LONGEST_WORD: usize = 200;

/// A word of the command line as part of a message.
pub(super) fn echoed(word: &str) -> String {
    let is_special = |character| is_harmful(character) || matches!(character, '\n' | '\t');
    written_out(&shortened(word, LONGEST_WORD), is_special).into_owned()
}

/// The text with control characters and invisible ones written out, as `<U+202E>`.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    written_out(text, is_harmful)
}

/// Whether a character controls the terminal or is invisible.
pub(super) fn is_harmful(character: char) -> bool {
    (character.is_control() && character != '\n' && character != '\t') || is_invisible(character)
}

fn written_out(text: &str, is_special: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for character in text.chars() {
        if is_special(character) {
            let _ = write!(out, "<U+{:04X}>", u32::from(character));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
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
        assert_eq!(escaped("two\nlines"), "two\nlines");
    }
}
