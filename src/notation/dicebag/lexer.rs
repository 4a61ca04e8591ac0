//! Characters to tokens. Every text has tokens; what is no part of the language is [`Token::Unknown`].
//!
//! Blanks are part of the language: ` + ` with a blank on both sides is another operator than `+`. Any other
//! blank between two tokens is a token, which no rule has.

use chumsky::prelude::*;

use crate::notation::lexical;
use crate::source::Span;

/// The kind of a token; what it says is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Blanks that are not those of an operator.
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
pub(super) const LETTERS: [char; 9] = ['A', 'E', 'K', 'T', 'a', 'd', 'e', 'k', 't'];

/// The operators that have blanks on both sides.
pub(super) const SPACED: [char; 5] = ['*', '+', '-', '/', 'x'];

/// A rule as tokens; blanks around the whole of it belong to none.
#[derive(Debug)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    /// The bytes of each token in the whole source. That of a spaced operator is the operator alone.
    pub(super) spans: Vec<Span>,
}

impl Token {
    /// Whether an operand may end with this token.
    pub(super) fn ends_operand(self) -> bool {
        matches!(self, Self::Close | Self::Integer)
    }

    /// Whether an operand may begin with this token.
    pub(super) fn begins_operand(self) -> bool {
        matches!(
            self,
            Self::Integer | Self::Letter('d') | Self::Minus | Self::Open
        )
    }
}

/// The tokens of a part of a text.
pub(super) fn lex(text: &str, span: Span) -> Lexed {
    let found = lexer()
        .parse(&text[span.start..span.end])
        .into_output()
        .expect("every character is part of some token");
    let (tokens, spans) = found
        .into_iter()
        .map(|(token, place): (Token, SimpleSpan)| {
            let place = Span::new(span.start + place.start, span.start + place.end);
            (token, place)
        })
        .unzip();
    Lexed { tokens, spans }
}

fn lexer<'s>() -> impl Parser<'s, &'s str, Vec<(Token, SimpleSpan)>> {
    let blank = || lexical::blank().or(just('\n').ignored());
    let blanks = || blank().repeated().at_least(1);
    let placed = |token, extra: &mut chumsky::input::MapExtra<'s, '_, _, _>| (token, extra.span());
    let spaced = blanks()
        .ignore_then(one_of(SPACED).map(Token::Spaced).map_with(placed))
        .then_ignore(blanks());
    let symbol = choice((
        select! {
            '(' => Token::Open,
            ')' => Token::Close,
            '+' => Token::Plus,
            '-' => Token::Minus,
        },
        one_of(LETTERS).map(Token::Letter),
        any().to(Token::Unknown),
    ));
    let token = choice((lexical::digits().to(Token::Integer), symbol));
    let single = choice((
        blanks().to(Token::Blank).map_with(placed),
        token.map_with(placed),
    ));
    let at_end = || blank().repeated().then(end());
    blank().repeated().ignore_then(
        at_end()
            .not()
            .ignore_then(choice((spaced, single)))
            .repeated()
            .collect()
            .then_ignore(at_end()),
    )
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
