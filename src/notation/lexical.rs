//! Parsers of characters that notations share: numbers, words, blanks, comments.

use chumsky::prelude::*;

/// A run of ASCII digits.
pub(super) fn digits<'s>() -> impl Parser<'s, &'s str, &'s str> + Clone {
    any()
        .filter(char::is_ascii_digit)
        .repeated()
        .at_least(1)
        .to_slice()
}

/// A run of letters of any script; which of them make a word is for the notation to say.
pub(super) fn letters<'s>() -> impl Parser<'s, &'s str, &'s str> + Clone {
    any()
        .filter(|letter: &char| letter.is_alphabetic())
        .repeated()
        .at_least(1)
        .to_slice()
}

/// One blank that does not end a line.
pub(super) fn blank<'s>() -> impl Parser<'s, &'s str, ()> + Clone {
    any()
        .filter(|blank: &char| *blank != '\n' && is_blank(*blank))
        .ignored()
}

/// Whether a character separates tokens and means nothing; a byte order mark does, too.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// A comment from its mark to the end of the line, which is left for the next parser.
pub(super) fn comment<'s>(mark: &'static str) -> impl Parser<'s, &'s str, ()> + Clone {
    just(mark)
        .then(any().filter(|end: &char| *end != '\n').repeated())
        .ignored()
}
