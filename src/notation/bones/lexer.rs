//! Splits a text into tokens. Characters that are no part of the language become [`Token::Unknown`].

use std::collections::BTreeSet;

use super::table::Table;
use crate::notation::reader::gaps::Gaps;
use crate::notation::reader::lexed;
use crate::notation::reader::quote::quoted;
use crate::source::Span;

/// The kind of a token. Its text is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Abs,
    And,
    /// `d` before a brace
    AnyDie,
    Assign,
    Best,
    /// A name before a parenthesis that a definition gives a meaning
    Called,
    Caret,
    Case,
    Close,
    CloseBrace,
    Colon,
    Comma,
    Compare,
    Count,
    D,
    Def,
    Distinct,
    Div,
    Do,
    Dot,
    Dots,
    Draw,
    Drop,
    Else,
    Equal,
    Fate,
    First,
    For,
    Foreach,
    /// `from` after the name of a choice
    From,
    Given,
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
    Max,
    Min,
    Minus,
    Mod,
    Name,
    /// A comma before the next name of the state of a loop
    NextState,
    Not,
    NotEqual,
    Of,
    Open,
    OpenBrace,
    /// A brace that begins a record
    OpenRecord,
    Or,
    /// The name of a part of a record: before `of`, or before the colon in a record
    PartName,
    Percent,
    /// `d` before a percent sign
    Percentile,
    Perm,
    Plus,
    Prod,
    Rank,
    Repeat,
    Reroll,
    Rev,
    Semicolon,
    /// A comma between arguments or entries: it makes no list
    Separator,
    Slash,
    Sort,
    Star,
    Sum,
    /// Text between double quotes
    Text,
    Then,
    Unknown,
    Until,
    While,
    Without,
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

/// The words of Bones that are names in a rule where something binds them or gives them a value.
pub(super) const SOFT_KEYWORDS: [(&str, Token); 23] = [
    ("abs", Token::Abs),
    ("and", Token::And),
    ("best", Token::Best),
    ("case", Token::Case),
    ("compare", Token::Compare),
    ("dF", Token::Fate),
    ("def", Token::Def),
    ("distinct", Token::Distinct),
    ("div", Token::Div),
    ("draw", Token::Draw),
    ("for", Token::For),
    ("given", Token::Given),
    ("max", Token::Max),
    ("min", Token::Min),
    ("mod", Token::Mod),
    ("not", Token::Not),
    ("of", Token::Of),
    ("or", Token::Or),
    ("rank", Token::Rank),
    ("repeat", Token::Repeat),
    ("reroll", Token::Reroll),
    ("until", Token::Until),
    ("without", Token::Without),
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
        let mut words = KEYWORDS.iter().chain(&SOFT_KEYWORDS);
        words.any(|&(_, token)| token == self)
    }

    /// Whether a token is a word that can be a name where something binds it.
    pub(super) fn is_soft(self) -> bool {
        SOFT_KEYWORDS.iter().any(|&(_, token)| token == self)
    }

    /// Whether an operand may end with this token.
    pub(super) fn ends_operand(self) -> bool {
        matches!(
            self,
            Self::Close | Self::CloseBrace | Self::Fate | Self::Integer | Self::Name | Self::Text
        )
    }

    /// Whether arguments in parentheses follow a token.
    pub(super) fn takes_arguments(self) -> bool {
        matches!(self, Self::Abs | Self::Called | Self::Max | Self::Min)
    }

    /// Whether a token is a comma of any kind.
    pub(super) fn is_comma(self) -> bool {
        matches!(self, Self::Comma | Self::NextState | Self::Separator)
    }

    /// Whether a token is an arithmetic operator.
    pub(super) fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Self::Caret
                | Self::Div
                | Self::Dot
                | Self::Minus
                | Self::Mod
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
            Self::Count
                | Self::Distinct
                | Self::Perm
                | Self::Prod
                | Self::Rev
                | Self::Sort
                | Self::Sum
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

/// The names that a text can use without binding them.
#[derive(Clone, Copy)]
pub(super) struct Names<'n> {
    /// Whether a name has a value from outside.
    pub(super) is_given: &'n dyn Fn(&str) -> bool,
    /// Whether a name has a definition.
    pub(super) is_defined: &'n dyn Fn(&str) -> bool,
}

/// The tokens of a part of a text.
pub(super) fn lex(table: Table, text: &str, span: Span, names: Names<'_>) -> Lexed {
    let mut lexed = lexed::lex(text, span, table.gaps(), |rest| first(table, rest));
    if table == Table::Bones {
        read_words(&mut lexed, text, names);
    }
    lexed
}

/// Whether a word is a name, at least where something binds it.
pub(super) fn is_name(word: &str) -> bool {
    first(Table::Dicelab, word) == (Token::Name, word.len())
}

/// The soft keyword of a word.
pub(super) fn soft_keyword(word: &str) -> Option<Token> {
    let mut keywords = SOFT_KEYWORDS.iter();
    keywords
        .find(|(keyword, _)| *keyword == word)
        .map(|&(_, token)| token)
}

/// The soft keywords that are names in a rule, because `let`, `foreach` or `while` binds them.
pub(super) fn bound_keywords<'s>(lexed: &Lexed, text: &'s str) -> BTreeSet<&'s str> {
    bound(lexed, text, |before, after| {
        matches!(
            (before, after),
            (Token::Let | Token::While, Token::Assign) | (Token::Foreach, Token::In)
        )
    })
    .filter(|name| soft_keyword(name).is_some())
    .collect()
}

/// The names between two tokens that make them bound.
fn bound<'s>(
    lexed: &Lexed,
    text: &'s str,
    binds: impl Fn(Token, Token) -> bool,
) -> impl Iterator<Item = &'s str> {
    let triples = lexed.tokens.windows(3).enumerate();
    let bound = triples.filter(move |(_, triple)| {
        let is_word = triple[1] == Token::Name || triple[1].is_soft();
        is_word && binds(triple[0], triple[2])
    });
    bound.map(|(at, _)| {
        let span = lexed.spans[at + 1];
        &text[span.start..span.end]
    })
}

/// Finds the soft keywords among the names, and what else depends on the next token.
fn read_words(lexed: &mut Lexed, text: &str, names: Names<'_>) {
    let bound_words = bound_keywords(lexed, text);
    let word = |span: Span| &text[span.start..span.end];
    for (token, &span) in lexed.tokens.iter_mut().zip(&lexed.spans) {
        if *token == Token::Name
            && let Some(keyword) = soft_keyword(word(span))
            && !bound_words.contains(word(span))
            && !(names.is_given)(word(span))
        {
            *token = keyword;
        }
    }
    let bound_names: BTreeSet<&str> = bound(lexed, text, |before, after| {
        after == Token::Assign || matches!(before, Token::Best | Token::For | Token::Foreach)
    })
    .collect();
    for at in 1..lexed.tokens.len() {
        let (before, after) = (lexed.spans[at - 1], lexed.spans[at]);
        let is_called = before.end == after.start
            && !bound_names.contains(word(before))
            && (names.is_defined)(word(before));
        lexed.tokens[at - 1] = match (lexed.tokens[at - 1], lexed.tokens[at]) {
            (Token::D, Token::OpenBrace) => Token::AnyDie,
            (Token::D, Token::Percent) => Token::Percentile,
            (Token::Name, Token::Open) if is_called => Token::Called,
            (_, Token::Of) if starts_with_letter(word(before)) => Token::PartName,
            (token, _) => token,
        };
    }
    for at in 2..lexed.tokens.len() {
        let before = [lexed.tokens[at - 2], lexed.tokens[at - 1], lexed.tokens[at]];
        if before == [Token::Best, Token::Name, Token::Name] && word(lexed.spans[at]) == "from" {
            lexed.tokens[at] = Token::From;
        }
    }
    read_records(lexed, |span| starts_with_letter(word(span)));
    read_commas(lexed);
}

/// Whether a token's text is a word.
fn starts_with_letter(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

/// Finds the braces of records, which stand where an operand begins, and the names of the parts.
fn read_records(lexed: &mut Lexed, is_word: impl Fn(Span) -> bool) {
    let tokens = &mut lexed.tokens;
    // For each open bracket, whether it is that of a record.
    let mut open = Vec::new();
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map(|before| tokens[before]);
        match tokens[at] {
            Token::OpenBrace => {
                let ends_percentile =
                    before == Some(Token::Percent) && at > 1 && tokens[at - 2] == Token::Percentile;
                let is_record = !ends_percentile
                    && before
                        .is_none_or(|before| before != Token::AnyDie && !before.ends_operand());
                if is_record {
                    tokens[at] = Token::OpenRecord;
                }
                open.push(is_record);
            }
            Token::Open => open.push(false),
            Token::Close | Token::CloseBrace => {
                open.pop();
            }
            Token::Colon if open.last() == Some(&true) => {
                let begins_part = at > 1
                    && is_word(lexed.spans[at - 1])
                    && (tokens[at - 2] == Token::OpenRecord || tokens[at - 2].is_comma());
                if begins_part {
                    tokens[at - 1] = Token::PartName;
                }
            }
            _ => {}
        }
    }
}

/// Finds the commas that make no list: directly between the parentheses of a call or between braces, and before the next
/// name of the state of a loop.
fn read_commas(lexed: &mut Lexed) {
    let tokens = &mut lexed.tokens;
    // For each open bracket, whether its commas separate.
    let mut open = Vec::new();
    for at in 0..tokens.len() {
        match tokens[at] {
            Token::Open => {
                let before = at.checked_sub(1).map(|before| tokens[before]);
                open.push(before.is_some_and(Token::takes_arguments));
            }
            Token::OpenBrace | Token::OpenRecord => open.push(true),
            Token::Close | Token::CloseBrace => {
                open.pop();
            }
            Token::Comma if tokens[at + 1..].starts_with(&[Token::Name, Token::Assign]) => {
                tokens[at] = Token::NextState;
            }
            Token::Comma if open.last() == Some(&true) => tokens[at] = Token::Separator,
            _ => {}
        }
    }
}

/// The token at the beginning of a text, and its length in bytes.
fn first(table: Table, text: &str) -> (Token, usize) {
    let digits = lexed::run(text, |letter| letter.is_ascii_digit());
    if digits > 0 {
        return (Token::Integer, digits);
    }
    let letters = lexed::run(text, char::is_alphabetic);
    if letters > 0 {
        return (Token::of_word(&text[..letters]), letters);
    }
    let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
    if let Some(&(sign, token)) = sign {
        return (token, sign.len());
    }
    let own = match (table, text.as_bytes().first()) {
        (Table::Bones, Some(b'{')) => Some((Token::OpenBrace, 1)),
        (Table::Bones, Some(b'}')) => Some((Token::CloseBrace, 1)),
        (Table::Bones, Some(b'"')) => quoted(text).map(|length| (Token::Text, length)),
        _ => None,
    };
    own.unwrap_or_else(|| (Token::Unknown, lexed::first(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Names<'static> = Names {
        is_given: &|_| false,
        is_defined: &|_| false,
    };

    #[track_caller]
    fn words(table: Table, text: &str) -> Vec<&str> {
        let lexed = lex(table, text, Span::new(0, text.len()), NOTHING);
        let slice = |span: Span| &text[span.start..span.end];
        lexed.spans.into_iter().map(slice).collect()
    }

    #[test]
    fn words_are_the_longest_runs_of_letters() {
        let lexed = |text| lex(Table::Bones, text, Span::new(0, text.len()), NOTHING).tokens;
        assert_eq!(lexed("d6"), [Token::D, Token::Integer]);
        assert_eq!(lexed("dd6"), [Token::Name, Token::Integer]);
        assert_eq!(lexed("sum3#d2").len(), 5);
        assert_eq!(lexed("Sum"), [Token::Name]);
        assert_eq!(lexed("größe"), [Token::Unknown]);
    }

    #[test]
    fn new_words_are_names_where_something_binds_them() {
        let tokens = |text: &str| lex(Table::Bones, text, Span::new(0, text.len()), NOTHING).tokens;
        assert_eq!(tokens("not 1"), [Token::Not, Token::Integer]);
        assert_eq!(tokens("let not=1 in not")[5], Token::Name);
        assert_eq!(tokens("d{1}")[0], Token::AnyDie);
        assert_eq!(tokens("d%")[0], Token::Percentile);
        assert_eq!(tokens("\"a b\"")[0], Token::Text);
        assert_eq!(tokens("\"a // b\"")[0], Token::Unknown);
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
        let lexed = lex(Table::Dicelab, text, Span::new(1, 3), NOTHING);
        assert_eq!(lexed.tokens, [Token::Hash, Token::Integer]);
        assert_eq!(lexed.spans[0], Span::new(1, 2));
    }
}
