//! Splits a text into tokens. Characters that are no part of the language become [`Token::Unknown`].

use super::table::Table;
use crate::notation::reader::gaps::Gaps;
use crate::notation::reader::lexed;
use crate::source::Span;

/// The kind of a token. Its text is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Assign,
    Caret,
    Close,
    Colon,
    Comma,
    Count,
    D,
    Do,
    Dot,
    Dots,
    Drop,
    Else,
    Equal,
    First,
    Foreach,
    Greater,
    GreaterOrEqual,
    Hash,
    High,
    If,
    In,
    Integer,
    Keep,
    Last,
    Less,
    LessOrEqual,
    Let,
    Low,
    Minus,
    Name,
    NotEqual,
    Open,
    Percent,
    Perm,
    Plus,
    Prod,
    Rev,
    Semicolon,
    Slash,
    Sort,
    Star,
    Sum,
    Then,
    Unknown,
    While,
}

/// The words that cannot be names.
pub(super) const KEYWORDS: [(&str, Token); 21] = [
    ("count", Token::Count),
    ("d", Token::D),
    ("do", Token::Do),
    ("drop", Token::Drop),
    ("else", Token::Else),
    ("first", Token::First),
    ("foreach", Token::Foreach),
    ("high", Token::High),
    ("if", Token::If),
    ("in", Token::In),
    ("keep", Token::Keep),
    ("last", Token::Last),
    ("let", Token::Let),
    ("low", Token::Low),
    ("perm", Token::Perm),
    ("prod", Token::Prod),
    ("rev", Token::Rev),
    ("sort", Token::Sort),
    ("sum", Token::Sum),
    ("then", Token::Then),
    ("while", Token::While),
];

/// The signs. A sign comes before the shorter signs that it begins with.
const SIGNS: [(&str, Token); 21] = [
    ("..", Token::Dots),
    ("==", Token::Equal),
    ("!=", Token::NotEqual),
    ("<=", Token::LessOrEqual),
    (">=", Token::GreaterOrEqual),
    ("%", Token::Percent),
    ("(", Token::Open),
    (")", Token::Close),
    ("*", Token::Star),
    ("+", Token::Plus),
    (",", Token::Comma),
    ("-", Token::Minus),
    (".", Token::Dot),
    ("/", Token::Slash),
    (":", Token::Colon),
    (";", Token::Semicolon),
    ("<", Token::Less),
    ("=", Token::Assign),
    (">", Token::Greater),
    ("#", Token::Hash),
    ("^", Token::Caret),
];

impl Token {
    fn of_word(word: &str) -> Self {
        if !word.is_ascii() {
            return Self::Unknown;
        }
        KEYWORDS
            .iter()
            .find(|(keyword, _)| *keyword == word)
            .map_or(Self::Name, |&(_, token)| token)
    }

    /// Whether a token is a word that cannot be a name.
    pub(super) fn is_keyword(self) -> bool {
        KEYWORDS.iter().any(|&(_, token)| token == self)
    }

    /// Whether an operand may end with this token.
    pub(super) fn ends_operand(self) -> bool {
        matches!(self, Self::Close | Self::Integer | Self::Name)
    }

    /// Whether a token is an arithmetic operator.
    pub(super) fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Self::Caret
                | Self::Dot
                | Self::Minus
                | Self::Percent
                | Self::Plus
                | Self::Slash
                | Self::Star
        )
    }

    /// Whether a token is one of the six comparisons.
    pub(super) fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::Greater
                | Self::GreaterOrEqual
                | Self::Less
                | Self::LessOrEqual
                | Self::NotEqual
        )
    }

    /// Whether a token is a word with one operand.
    pub(super) fn is_word(self) -> bool {
        matches!(
            self,
            Self::Count | Self::Perm | Self::Prod | Self::Rev | Self::Sort | Self::Sum
        )
    }

    /// Whether a token begins a filter.
    pub(super) fn is_filter(self) -> bool {
        self.is_comparison() || matches!(self, Self::First | Self::High | Self::Last | Self::Low)
    }
}

/// The tokens of a text.
pub(super) type Lexed = lexed::Lexed<Token>;

impl Table {
    /// The comments of the language. In dicelab a line whose first character is `#` is a comment; on the first line of a text,
    /// blanks may come before the `#`.
    pub(super) fn gaps(self) -> Gaps {
        Gaps {
            comments: &["//"],
            line_comments: match self {
                Self::Bones => &[],
                Self::Dicelab => &["#"],
            },
        }
    }
}

/// The tokens of a part of a text.
pub(super) fn lex(table: Table, text: &str, span: Span) -> Lexed {
    lexed::lex(text, span, table.gaps(), first)
}

/// Whether a word is a name.
pub(super) fn is_name(word: &str) -> bool {
    first(word) == (Token::Name, word.len())
}

/// The token at the beginning of a text, and its length in bytes.
fn first(text: &str) -> (Token, usize) {
    let digits = lexed::run(text, |letter| letter.is_ascii_digit());
    if digits > 0 {
        return (Token::Integer, digits);
    }
    let letters = lexed::run(text, char::is_alphabetic);
    if letters > 0 {
        return (Token::of_word(&text[..letters]), letters);
    }
    let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
    match sign {
        Some(&(sign, token)) => (token, sign.len()),
        None => (Token::Unknown, lexed::first(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn words(table: Table, text: &str) -> Vec<&str> {
        let lexed = lex(table, text, Span::new(0, text.len()));
        let slice = |span: Span| &text[span.start..span.end];
        lexed.spans.into_iter().map(slice).collect()
    }

    #[test]
    fn words_are_the_longest_runs_of_letters() {
        let lexed = |text| lex(Table::Bones, text, Span::new(0, text.len())).tokens;
        assert_eq!(lexed("d6"), [Token::D, Token::Integer]);
        assert_eq!(lexed("dd6"), [Token::Name, Token::Integer]);
        assert_eq!(lexed("sum3#d2").len(), 5);
        assert_eq!(lexed("Sum"), [Token::Name]);
        assert_eq!(lexed("größe"), [Token::Unknown]);
    }

    #[test]
    fn two_dots_are_one_token() {
        assert_eq!(words(Table::Bones, "1..2.3"), ["1", "..", "2", ".", "3"]);
    }

    #[test]
    fn comments_end_with_their_line() {
        assert_eq!(words(Table::Bones, "6//2\n/2 // end"), ["6", "/", "2"]);
    }

    #[test]
    fn lines_that_begin_with_a_hash_are_comments_in_dicelab_alone() {
        assert_eq!(words(Table::Bones, "3\n#d2"), ["3", "#", "d", "2"]);
        assert_eq!(words(Table::Dicelab, "3\n#d2\n+1"), ["3", "+", "1"]);
        assert_eq!(words(Table::Dicelab, "3\n #d2"), ["3", "#", "d", "2"]);
        assert_eq!(words(Table::Dicelab, "\n  # note\n#more\n3"), ["3"]);
        assert!(words(Table::Dicelab, " #3").is_empty());
        assert_eq!(words(Table::Dicelab, "// x\n #3"), ["#", "3"]);
    }

    #[test]
    fn a_part_of_a_text_begins_a_line_only_where_the_text_does() {
        let text = "2#3";
        let lexed = lex(Table::Dicelab, text, Span::new(1, 3));
        assert_eq!(lexed.tokens, [Token::Hash, Token::Integer]);
        assert_eq!(lexed.spans[0], Span::new(1, 2));
    }
}
