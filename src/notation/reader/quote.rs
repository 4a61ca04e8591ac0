//! Texts shortened for messages, and the largest number of messages.

use crate::error::Diagnostic;
use crate::source::{self, is_invisible};

/// The largest number of errors, and of warnings, that are listed for one rule.
pub(crate) const MOST_LISTED: usize = 20;

/// The longest word that is repeated whole, in characters.
const LONGEST_WORD: usize = 20;

/// Whether a text fits into a message: at most 40 characters on one line.
pub(crate) fn is_short(text: &str) -> bool {
    text.chars().nth(40).is_none() && !text.contains('\n')
}

/// Whether a whole rule fits into a message: at most 240 characters on one line.
pub(crate) fn is_line(rule: &str) -> bool {
    rule.chars().nth(240).is_none() && !rule.contains('\n')
}

/// A warning with the text that was meant and what it is for, or with another help where the text is too long for a message.
pub(crate) fn suggesting(
    warning: Diagnostic,
    (meant, purpose): (&str, &str),
    otherwise: &str,
) -> Diagnostic {
    match is_short(meant) {
        true => warning.with_help(format!("write `{meant}`{purpose}")),
        false if otherwise.is_empty() => warning,
        false => warning.with_help(otherwise),
    }
}

/// The first 20 characters of a text, with `…` for the rest.
pub(crate) fn shortened(word: &str) -> String {
    source::shortened(word, LONGEST_WORD).into_owned()
}

/// The length in bytes of the text between double quotes at the beginning of a text, with both quotes. The text is not empty and
/// ends in its line. No comment begins in it.
pub(crate) fn quoted(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let length = inner.find(['"', '\n'])?;
    let is_text = length > 0 && inner[length..].starts_with('"');
    is_text.then_some(length + 2)
}

/// Whether a character shows nothing.
pub(crate) fn is_unseen(character: char) -> bool {
    character.is_control() || character.is_whitespace() || is_invisible(character)
}
