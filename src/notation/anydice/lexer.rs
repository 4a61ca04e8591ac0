//! Splits a program into tokens. Comments are no tokens. Text without a meaning becomes a token that the grammar never accepts.

use super::tree::{Infix, ParameterType, Prefix};
use crate::ir::Comparison;
use crate::notation::reader::gaps::is_blank;
use crate::notation::reader::lexed::{self, first, run};
use crate::source::Span;

/// The kind of a token. Its text is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    BraceClose,
    BraceOpen,
    Close,
    Colon,
    Comma,
    Dot,
    Keyword(Keyword),
    /// `n` or `s`: the type of a parameter, or a word.
    Kind(ParameterType),
    ListClose,
    ListOpen,
    Number,
    Open,
    Question,
    /// `+`, `-`, `d` and all other operators; some of them are prefixes, too.
    Sign(Sign),
    Text,
    UnclosedComment,
    UnclosedText,
    Unknown,
    Variable,
    Word,
}

/// The words with a meaning of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Else,
    Function,
    If,
    Loop,
    Named,
    Output,
    Over,
    Result,
    Set,
    To,
}

/// The operators as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// `+`, `-` and `d`, which stand between values or before one.
    Both(Infix, Prefix),
    Infix(Infix),
    Prefix(Prefix),
}

/// The tokens of a program.
pub(super) type Lexed = lexed::Lexed<Token>;

const KEYWORDS: [(&str, Keyword); 10] = [
    ("else", Keyword::Else),
    ("function", Keyword::Function),
    ("if", Keyword::If),
    ("loop", Keyword::Loop),
    ("named", Keyword::Named),
    ("output", Keyword::Output),
    ("over", Keyword::Over),
    ("result", Keyword::Result),
    ("set", Keyword::Set),
    ("to", Keyword::To),
];

/// The token of a comparison.
const fn compared(comparison: Comparison) -> Token {
    Token::Sign(Sign::Infix(Infix::Condition(comparison)))
}

/// The signs. A sign comes before the shorter signs that it begins with.
const SIGNS: [(&str, Token); 26] = [
    ("!=", compared(Comparison::NotEqual)),
    ("<=", compared(Comparison::LessOrEqual)),
    (">=", compared(Comparison::GreaterOrEqual)),
    ("!", Token::Sign(Sign::Prefix(Prefix::Not))),
    ("#", Token::Sign(Sign::Prefix(Prefix::Length))),
    ("&", Token::Sign(Sign::Infix(Infix::And))),
    ("(", Token::Open),
    (")", Token::Close),
    ("*", Token::Sign(Sign::Infix(Infix::Multiply))),
    ("+", Token::Sign(Sign::Both(Infix::Add, Prefix::Plus))),
    (",", Token::Comma),
    ("-", Token::Sign(Sign::Both(Infix::Subtract, Prefix::Minus))),
    (".", Token::Dot),
    ("/", Token::Sign(Sign::Infix(Infix::Divide))),
    (":", Token::Colon),
    ("<", compared(Comparison::Less)),
    ("=", compared(Comparison::Equal)),
    (">", compared(Comparison::Greater)),
    ("?", Token::Question),
    ("@", Token::Sign(Sign::Infix(Infix::At))),
    ("[", Token::ListOpen),
    ("]", Token::ListClose),
    ("^", Token::Sign(Sign::Infix(Infix::Power))),
    ("{", Token::BraceOpen),
    ("|", Token::Sign(Sign::Infix(Infix::Or))),
    ("}", Token::BraceClose),
];

/// The tokens of a part of a text, which is one program.
pub(super) fn lex(text: &str, span: Span) -> Lexed {
    let mut lexed = Lexed {
        tokens: Vec::new(),
        spans: Vec::new(),
    };
    let mut at = span.start;
    while at < span.end {
        let rest = &text[at..span.end];
        let blanks = run(rest, is_blank);
        let (token, length) = match rest.strip_prefix('\\') {
            _ if blanks > 0 => (None, blanks),
            Some(comment) => match comment.find('\\') {
                Some(length) => (None, length + 2),
                None => (Some(Token::UnclosedComment), rest.len()),
            },
            None => {
                let (token, length) = first_token(rest);
                (Some(token), length)
            }
        };
        if let Some(token) = token {
            lexed.tokens.push(token);
            lexed.spans.push(Span::new(at, at + length));
        }
        at += length;
    }
    lexed
}

/// Whether a character may stand in the name of a variable.
pub(super) fn is_of_variable(letter: char) -> bool {
    letter.is_ascii_uppercase() || letter == '_'
}

/// The token at the beginning of a text, and its length in bytes.
fn first_token(text: &str) -> (Token, usize) {
    let digits = run(text, |digit| digit.is_ascii_digit());
    if digits > 0 {
        return (Token::Number, digits);
    }
    let variable = run(text, is_of_variable);
    if variable > 0 {
        return (Token::Variable, variable);
    }
    let letters = run(text, |letter| letter.is_ascii_lowercase());
    if letters > 0 {
        let word = &text[..letters];
        let keyword = KEYWORDS.iter().find(|(known, _)| *known == word);
        let token = match keyword {
            Some((_, keyword)) => Token::Keyword(*keyword),
            None if word == "n" => Token::Kind(ParameterType::Number),
            None if word == "s" => Token::Kind(ParameterType::Sequence),
            None if word == "d" => Token::Sign(Sign::Both(Infix::Dice, Prefix::Die)),
            None => Token::Word,
        };
        return (token, letters);
    }
    if let Some(inner) = text.strip_prefix('"') {
        return match inner.find('"') {
            Some(length) => (Token::Text, length + 2),
            None => (Token::UnclosedText, text.len()),
        };
    }
    let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
    match sign {
        Some((sign, token)) => (*token, sign.len()),
        None => (Token::Unknown, first(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn words(text: &str) -> Vec<&str> {
        let lexed = lex(text, Span::new(0, text.len()));
        let slice = |span: &Span| &text[span.start..span.end];
        lexed.spans.iter().map(slice).collect()
    }

    #[test]
    fn letters_of_one_case_end_where_the_other_begins() {
        assert_eq!(words("NdS"), ["N", "d", "S"]);
        assert_eq!(words("N:2output X1"), ["N", ":", "2", "output", "X", "1"]);
        assert_eq!(words("ddX"), ["dd", "X"]);
    }

    #[test]
    fn comments_are_blanks_except_in_strings() {
        assert_eq!(words("1 \\ a \n b \\ 2"), ["1", "2"]);
        assert_eq!(words("\"a \\ b\""), ["\"a \\ b\""]);
        assert_eq!(words("1 \\ 2"), ["1", "\\ 2"]);
    }

    #[test]
    fn no_sign_begins_with_an_earlier_one() {
        for (at, (sign, _)) in SIGNS.iter().enumerate() {
            let earlier = &SIGNS[..at];
            assert!(
                earlier.iter().all(|(other, _)| !sign.starts_with(other)),
                "{sign}"
            );
        }
    }
}
