//! Text that somebody typed, as it is shown again: no longer than a person reads, and without giving orders to the terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

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
    let is_special = |character| is_harmful(character) || matches!(character, '\n' | '\t');
    written_out(&shortened(word, LONGEST_WORD), is_special).into_owned()
}

/// The text with control characters and invisible ones written out, as `<U+202E>`. Line ends and tabs stay.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    written_out(text, is_harmful)
}

/// Whether a character controls a terminal or is invisible.
#[must_use]
pub fn is_harmful(character: char) -> bool {
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
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
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
