//! Parsers of characters that notations share: numbers, words, blanks, comments.

use chumsky::prelude::*;

use crate::source::{Source, Span};

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

/// The words of each line, for notations with a rule a line; a line that begins with `//` is a comment.
pub(super) fn lines(source: &Source) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let words = line.split(is_blank).filter(|word| !word.is_empty());
        // Where a word begins is how far its first byte is from the first of the line.
        let words: Vec<Span> = words
            .map(|word| {
                let start = start + (word.as_ptr() as usize - line.as_ptr() as usize);
                Span::new(start, start + word.len())
            })
            .collect();
        start += line.len();
        let is_comment = |first: &Span| source.slice(*first).starts_with("//");
        if words.first().is_some_and(|first| !is_comment(first)) {
            lines.push(words);
        }
    }
    lines
}
