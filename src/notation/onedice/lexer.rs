//! Splits a text of single-width or double-width characters into tokens. Characters that are no part of the language become
//! [`Token::Unknown`].

use super::operator::Operator;
use crate::notation::reader::gaps::BLANKS;
use crate::notation::reader::lexed;
use crate::source::Span;

/// The kind of a token. Its text is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Assign,
    Close,
    CloseTuple,
    Colon,
    Comma,
    /// `i`, the index of a round.
    Index,
    Infix(Operator),
    Integer,
    K,
    M,
    /// `{NAME}`
    Name,
    Open,
    OpenTuple,
    Q,
    Tp,
    Unknown,
}

/// The words and signs. A word comes before the shorter words that it begins with.
const WORDS: [(&str, Token); 43] = [
    ("$t", Token::Infix(Operator::Variable)),
    ("max", Token::Infix(Operator::AtMost)),
    ("min", Token::Infix(Operator::AtLeast)),
    ("df", Token::Infix(Operator::Fate)),
    ("dh", Token::Infix(Operator::DropHigh)),
    ("dl", Token::Infix(Operator::DropLow)),
    ("kh", Token::Infix(Operator::KeepHigh)),
    ("kl", Token::Infix(Operator::KeepLow)),
    ("lp", Token::Infix(Operator::Loop)),
    ("sp", Token::Infix(Operator::Slice)),
    ("tp", Token::Tp),
    ("a", Token::Infix(Operator::Pool)),
    ("b", Token::Infix(Operator::Bonus)),
    ("c", Token::Infix(Operator::Cross)),
    ("d", Token::Infix(Operator::Roll)),
    ("f", Token::Infix(Operator::Fate)),
    ("i", Token::Index),
    ("k", Token::K),
    ("m", Token::M),
    ("p", Token::Infix(Operator::Penalty)),
    ("q", Token::Q),
    ("x", Token::Infix(Operator::Multiply)),
    ("&", Token::Infix(Operator::And)),
    ("(", Token::Open),
    (")", Token::Close),
    ("*", Token::Infix(Operator::Multiply)),
    ("×", Token::Infix(Operator::Multiply)),
    ("+", Token::Infix(Operator::Add)),
    (",", Token::Comma),
    ("、", Token::Comma),
    ("-", Token::Infix(Operator::Subtract)),
    ("−", Token::Infix(Operator::Subtract)),
    ("/", Token::Infix(Operator::Divide)),
    ("÷", Token::Infix(Operator::Divide)),
    (":", Token::Colon),
    ("<", Token::Infix(Operator::Less)),
    ("=", Token::Assign),
    (">", Token::Infix(Operator::Greater)),
    ("?", Token::Infix(Operator::Choose)),
    ("[", Token::OpenTuple),
    ("]", Token::CloseTuple),
    ("^", Token::Infix(Operator::Power)),
    ("|", Token::Infix(Operator::Or)),
];

/// The lower-case ASCII character that a character stands for, or the character itself. Chinese keyboards have signs and
/// digits of double width, and other brackets.
pub(super) fn plain(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            let narrow = u32::from(character) - 0xfee0;
            char::from_u32(narrow).map_or(character, |narrow| narrow.to_ascii_lowercase())
        }
        '【' => '[',
        '】' => ']',
        '「' => '{',
        '」' => '}',
        '《' | '〈' => '<',
        '》' | '〉' => '>',
        '￥' | '¥' => '$',
        _ => character.to_ascii_lowercase(),
    }
}

/// The tokens of a text.
pub(super) type Lexed = lexed::Lexed<Token>;

/// The tokens of a part of a text.
pub(super) fn lex(text: &str, span: Span) -> Lexed {
    lexed::lex(text, span, BLANKS, first)
}

/// The token at the beginning of a text, and its length in bytes.
fn first(text: &str) -> (Token, usize) {
    let digits = lexed::run(text, |digit| plain(digit).is_ascii_digit());
    if digits > 0 {
        return (Token::Integer, digits);
    }
    if let Some(length) = name(text) {
        return (Token::Name, length);
    }
    for (word, token) in WORDS {
        if let Some(length) = length_of(word, text) {
            return (token, length);
        }
    }
    let power = "……";
    if text.starts_with(power) {
        return (Token::Infix(Operator::Power), power.len());
    }
    let letters = lexed::run(text, char::is_alphabetic);
    (Token::Unknown, letters.max(lexed::first(text)))
}

/// The length in bytes of a name in braces, with the braces, at the beginning of a text. Blanks alone are no name.
fn name(text: &str) -> Option<usize> {
    let open = text.chars().next().filter(|&open| plain(open) == '{')?;
    let inner = &text[open.len_utf8()..];
    let length = lexed::run(inner, |letter| !matches!(plain(letter), '{' | '}' | '\n'));
    let close = inner[length..].chars().next()?;
    let is_name =
        plain(close) == '}' && inner[..length].contains(|letter: char| !letter.is_whitespace());
    is_name.then(|| open.len_utf8() + length + close.len_utf8())
}

/// The length in bytes of a word at the beginning of a text, in any case and width.
fn length_of(word: &str, text: &str) -> Option<usize> {
    let mut letters = text.chars();
    let mut length = 0;
    for letter in word.chars() {
        let found = letters.next().filter(|&found| plain(found) == letter)?;
        length += found.len_utf8();
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(text, Span::new(0, text.len())).tokens
    }

    #[test]
    fn no_word_begins_with_an_earlier_one() {
        for (at, (word, _)) in WORDS.iter().enumerate() {
            let earlier = &WORDS[..at];
            assert!(
                earlier.iter().all(|(other, _)| !word.starts_with(other)),
                "{word}"
            );
        }
    }

    #[test]
    fn words_need_no_blanks_between_them() {
        use Operator::{AtLeast, Fate, KeepHigh, Roll};
        let infix = Token::Infix;
        assert_eq!(
            tokens("3miniKHd4dF"),
            [
                Token::Integer,
                infix(AtLeast),
                Token::Index,
                infix(KeepHigh),
                infix(Roll),
                Token::Integer,
                infix(Fate),
            ]
        );
    }

    #[test]
    fn both_widths_are_read() {
        assert_eq!(
            tokens("【２Ｄ６，￥ｔ１】？（｛力量｝）：３"),
            tokens("[2d6,$t1]?({x}):3")
        );
    }
}
