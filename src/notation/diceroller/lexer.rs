//! Characters to tokens. Every text has tokens; what is no part of the language is [`Token::Unknown`].

use chumsky::prelude::*;

use crate::notation::lexical;
use crate::source::Span;

/// The kind of a token; what it says is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Close,
    CloseSquare,
    Count,
    Dice,
    Graph,
    High,
    Integer,
    Low,
    Minus,
    Open,
    OpenSquare,
    Plus,
    Print,
    Star,
    Sum,
    Unknown,
    Verbosity,
}

impl Token {
    /// The token of a character, if it is one by itself.
    fn of(character: char) -> Option<Self> {
        Some(match character {
            '*' => Self::Star,
            '+' => Self::Plus,
            '-' => Self::Minus,
            'C' => Self::Count,
            'D' => Self::Dice,
            'G' => Self::Graph,
            'H' => Self::High,
            'L' => Self::Low,
            'P' => Self::Print,
            'S' => Self::Sum,
            'V' => Self::Verbosity,
            '[' => Self::OpenSquare,
            ']' => Self::CloseSquare,
            '{' => Self::Open,
            '}' => Self::Close,
            _ => return None,
        })
    }
}

/// A text as tokens; blanks and comments lie between them.
#[derive(Debug)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    /// The bytes of each token in the whole source.
    pub(super) spans: Vec<Span>,
}

/// The tokens of a part of a text. A run of letters that are no instructions is one token.
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
    let sign = any()
        .filter(|sign: &char| Token::of(*sign).is_some())
        .map(|sign| Token::of(sign).unwrap_or(Token::Unknown));
    let word = any()
        .filter(|letter: &char| letter.is_alphabetic() && Token::of(*letter).is_none())
        .repeated()
        .at_least(1)
        .to(Token::Unknown);
    let token = choice((
        lexical::digits().to(Token::Integer),
        sign,
        word,
        any().to(Token::Unknown),
    ));
    let space = choice((
        lexical::blank(),
        just('\n').ignored(),
        lexical::comment("#"),
        lexical::comment("//"),
    ))
    .repeated()
    .boxed();
    space.clone().ignore_then(
        token
            .map_with(|token, extra| (token, extra.span()))
            .then_ignore(space)
            .repeated()
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn words(text: &str) -> Vec<&str> {
        let lexed = lex(text, Span::new(0, text.len()));
        let slice = |span: Span| &text[span.start..span.end];
        lexed.spans.into_iter().map(slice).collect()
    }

    #[test]
    fn instructions_are_single_letters_and_other_letters_stay_together() {
        assert_eq!(words("CD6S"), ["C", "D", "6", "S"]);
        assert_eq!(words("10 0D6"), ["10", "0", "D", "6"]);
        assert_eq!(words("Sum 2d6"), ["S", "um", "2", "d", "6"]);
    }

    #[test]
    fn comments_end_with_their_line() {
        assert_eq!(words("# a\n2D6 # b\n// c\nS"), ["2", "D", "6", "S"]);
        assert!(words(" \n# nothing").is_empty());
    }
}
