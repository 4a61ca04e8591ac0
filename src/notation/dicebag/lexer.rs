//! Splits a text into tokens. Characters that are no part of the language become [`Token::Unknown`].
//!
//! Blanks are part of the language: ` + ` with a blank on both sides is another operator than `+`. Any other blank between two
//! tokens is a token that the grammar never accepts.

use crate::notation::reader::gaps::is_blank;
use crate::notation::reader::lexed;
use crate::source::Span;

/// The kind of a token. Its text is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Blanks that belong to no operator.
    Blank,
    Close,
    Integer,
    /// One of `d E e K k A a T t`.
    Letter(char),
    /// `-` without a blank around it.
    Minus,
    Open,
    /// `+` without a blank around it.
    Plus,
    /// One of `+ - * / x` with blanks on both sides.
    Spaced(char),
    Unknown,
}

/// The letters that are operators.
const LETTERS: [char; 9] = ['A', 'E', 'K', 'T', 'a', 'd', 'e', 'k', 't'];

/// The operators that have blanks on both sides.
const SPACED: [char; 5] = ['*', '+', '-', '/', 'x'];

/// The tokens of a rule, without the blanks around the rule. The place of a spaced operator does not contain its blanks.
pub(super) type Lexed = lexed::Lexed<Token>;

/// The tokens of a part of a text.
pub(super) fn lex(text: &str, span: Span) -> Lexed {
    let text = &text[..span.end];
    let mut lexed = Lexed {
        tokens: Vec::new(),
        spans: Vec::new(),
    };
    let blanks = |at: usize| lexed::run(&text[at..], is_blank);
    let mut at = span.start + blanks(span.start);
    loop {
        let start = at + blanks(at);
        let Some(letter) = text[start..].chars().next() else {
            return lexed;
        };
        let end = start + letter.len_utf8();
        let is_spaced = start > at && SPACED.contains(&letter) && blanks(end) > 0;
        let (token, place, next) = if is_spaced {
            (
                Token::Spaced(letter),
                Span::new(start, end),
                end + blanks(end),
            )
        } else if start > at {
            (Token::Blank, Span::new(at, start), start)
        } else {
            let (token, length) = first(&text[at..], letter);
            (token, Span::new(at, at + length), at + length)
        };
        lexed.tokens.push(token);
        lexed.spans.push(place);
        at = next;
    }
}

/// The token at the beginning of a text, and its length in bytes.
fn first(text: &str, letter: char) -> (Token, usize) {
    let token = match letter {
        '(' => Token::Open,
        ')' => Token::Close,
        '+' => Token::Plus,
        '-' => Token::Minus,
        _ if LETTERS.contains(&letter) => Token::Letter(letter),
        _ if letter.is_ascii_digit() => {
            let digits = lexed::run(text, |letter| letter.is_ascii_digit());
            return (Token::Integer, digits);
        }
        _ => Token::Unknown,
    };
    (token, letter.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn tokens(text: &str) -> Vec<Token> {
        lex(text, Span::new(0, text.len())).tokens
    }

    #[test]
    fn blanks_on_both_sides_make_another_operator() {
        use Token::{Blank, Integer, Letter, Minus, Plus, Spaced, Unknown};
        assert_eq!(tokens("1+2"), [Integer, Plus, Integer]);
        assert_eq!(tokens(" 1 \t+  2 "), [Integer, Spaced('+'), Integer]);
        assert_eq!(tokens("1 x 2"), [Integer, Spaced('x'), Integer]);
        assert_eq!(tokens("1 +2"), [Integer, Blank, Plus, Integer]);
        assert_eq!(tokens("1+ 2"), [Integer, Plus, Blank, Integer]);
        assert_eq!(tokens("1 * -2"), [Integer, Spaced('*'), Minus, Integer]);
        assert_eq!(tokens("1x2"), [Integer, Unknown, Integer]);
        assert_eq!(tokens("dD"), [Letter('d'), Unknown]);
        assert_eq!(tokens("1 + "), [Integer, Spaced('+')]);
        assert!(tokens(" \n ").is_empty());
    }

    #[test]
    fn the_place_of_a_spaced_operator_is_without_its_blanks() {
        let text = "1  -  2";
        assert_eq!(lex(text, Span::new(0, 7)).spans[1], Span::new(3, 4));
    }
}
