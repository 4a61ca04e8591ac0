//! Texts as they fit into messages, and how many messages there are.

use crate::source::{self, is_invisible};

/// Of one rule not more complaints, and not more warnings, than this are listed.
pub(crate) const MOST_LISTED: usize = 20;

/// The longest word that is repeated whole, in characters.
const LONGEST_WORD: usize = 20;

/// Whether a text fits into a message.
pub(crate) fn is_short(text: &str) -> bool {
    text.chars().nth(40).is_none() && !text.contains('\n')
}

/// A text as it fits into a message.
pub(crate) fn shortened(word: &str) -> String {
    source::shortened(word, LONGEST_WORD).into_owned()
}

/// Whether a character shows nothing where it stands.
pub(crate) fn is_unseen(character: char) -> bool {
    character.is_control() || character.is_whitespace() || is_invisible(character)
}
