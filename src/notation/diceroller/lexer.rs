//! Splits a text into tokens. Characters that are no part of the language become [`Token::Unknown`].

use crate::notation::reader::gaps::Gaps;
use crate::notation::reader::lexed;
use crate::source::Span;

/// The kind of a token. Its text is the text of its span.
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
    /// The token that consists of this character.
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

/// The tokens of a text.
pub(super) type Lexed = lexed::Lexed<Token>;

/// The blanks and comments between tokens.
pub(super) const GAPS: Gaps = Gaps {
    comments: &["#", "//"],
    line_comments: &[],
};

/// The tokens of a part of a text. A run of letters that are no instructions is one unknown token.
pub(super) fn lex(text: &str, span: Span) -> Lexed {
    lexed::lex(text, span, GAPS, |text| {
        let letter = text.chars().next();
        if let Some(sign) = letter.and_then(Token::of) {
            return (sign, 1);
        }
        let digits = lexed::run(text, |letter| letter.is_ascii_digit());
        if digits > 0 {
            return (Token::Integer, digits);
        }
        let is_in_word = |letter: char| letter.is_alphabetic() && Token::of(letter).is_none();
        let length = lexed::run(text, is_in_word);
        (Token::Unknown, length.max(lexed::first(text)))
    })
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
