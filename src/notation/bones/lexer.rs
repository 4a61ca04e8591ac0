//! Splits a text into tokens. Characters that are no part of the language become [`Token::Unknown`].

use std::collections::{BTreeMap, BTreeSet};

use super::table::Table;
use crate::notation::dice::DiceReader;
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
    At,
    Best,
    /// `by` before the name of a part, in a choice
    By,
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
    /// Dice of another notation
    Dice,
    Distinct,
    Div,
    Do,
    Dot,
    Dots,
    Draw,
    /// `draw` before a number and `from`
    DrawFrom,
    Drop,
    Else,
    Equal,
    Explode,
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
    /// A comma before the next name of a `let` or of the state of a loop
    NextName,
    Not,
    NotEqual,
    Of,
    /// `on` behind dice that explode or are rolled again
    On,
    /// `once` before `on`
    Once,
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
    /// `reroll` before a name and `=`
    Reroll,
    /// `reroll` before dice
    RerollOn,
    Rev,
    Select,
    Semicolon,
    /// A comma between arguments or entries: it makes no list
    Separator,
    Sets,
    Slash,
    Sort,
    Star,
    Straight,
    Sum,
    /// Text between double quotes
    Text,
    Then,
    Unknown,
    Until,
    Where,
    While,
    Without,
}

/// Where a word can be a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    /// Nowhere.
    Never,
    /// In a rule where `let`, `foreach` or `while` binds it, or where it has a value from outside.
    Bound,
    /// In a rule where anything binds it, or where it has a value or a definition.
    Free,
}

/// The words of Bones.
const WORDS: [(&str, Token, Law); 50] = [
    ("abs", Token::Abs, Law::Free),
    ("and", Token::And, Law::Bound),
    ("at", Token::At, Law::Free),
    ("best", Token::Best, Law::Free),
    ("case", Token::Case, Law::Bound),
    ("compare", Token::Compare, Law::Free),
    ("count", Token::Count, Law::Free),
    ("d", Token::D, Law::Never),
    ("dF", Token::Fate, Law::Free),
    ("def", Token::Def, Law::Bound),
    ("distinct", Token::Distinct, Law::Free),
    ("div", Token::Div, Law::Free),
    ("do", Token::Do, Law::Never),
    ("draw", Token::Draw, Law::Free),
    ("drop", Token::Drop, Law::Free),
    ("else", Token::Else, Law::Never),
    ("explode", Token::Explode, Law::Free),
    ("first", Token::First, Law::Free),
    ("for", Token::For, Law::Bound),
    ("foreach", Token::Foreach, Law::Never),
    ("given", Token::Given, Law::Bound),
    ("high", Token::High, Law::Free),
    ("if", Token::If, Law::Never),
    ("in", Token::In, Law::Never),
    ("keep", Token::Keep, Law::Free),
    ("last", Token::Last, Law::Free),
    ("let", Token::Let, Law::Never),
    ("low", Token::Low, Law::Free),
    ("max", Token::Max, Law::Free),
    ("min", Token::Min, Law::Free),
    ("mod", Token::Mod, Law::Free),
    ("not", Token::Not, Law::Bound),
    ("of", Token::Of, Law::Bound),
    ("or", Token::Or, Law::Bound),
    ("perm", Token::Perm, Law::Free),
    ("prod", Token::Prod, Law::Free),
    ("rank", Token::Rank, Law::Free),
    ("repeat", Token::Repeat, Law::Bound),
    ("reroll", Token::Reroll, Law::Free),
    ("rev", Token::Rev, Law::Free),
    ("select", Token::Select, Law::Free),
    ("sets", Token::Sets, Law::Free),
    ("sort", Token::Sort, Law::Free),
    ("straight", Token::Straight, Law::Free),
    ("sum", Token::Sum, Law::Free),
    ("then", Token::Then, Law::Never),
    ("until", Token::Until, Law::Bound),
    ("where", Token::Where, Law::Free),
    ("while", Token::While, Law::Never),
    ("without", Token::Without, Law::Free),
];

/// The words of dicelab, which are never names.
const OF_DICELAB: [Token; 21] = [
    Token::Count,
    Token::D,
    Token::Do,
    Token::Drop,
    Token::Else,
    Token::First,
    Token::Foreach,
    Token::High,
    Token::If,
    Token::In,
    Token::Keep,
    Token::Last,
    Token::Let,
    Token::Low,
    Token::Perm,
    Token::Prod,
    Token::Rev,
    Token::Sort,
    Token::Sum,
    Token::Then,
    Token::While,
];

/// The words of a table.
pub(super) fn words(table: Table) -> impl Iterator<Item = &'static str> {
    let words = WORDS.iter().filter(move |(_, token, _)| match table {
        Table::Bones => true,
        Table::Dicelab => OF_DICELAB.contains(token),
    });
    words.map(|&(word, ..)| word)
}

/// The token of a word, and where it can be a name.
fn word(table: Table, text: &str) -> Option<(Token, Law)> {
    let &(_, token, law) = WORDS.iter().find(|(word, ..)| *word == text)?;
    match table {
        Table::Bones => Some((token, law)),
        Table::Dicelab => OF_DICELAB.contains(&token).then_some((token, Law::Never)),
    }
}

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
    /// Whether a token is a word of the language.
    pub(super) fn is_keyword(self) -> bool {
        self == Self::RerollOn || WORDS.iter().any(|&(_, token, _)| token == self)
    }

    /// Whether an operand may end with this token.
    pub(super) fn ends_operand(self) -> bool {
        matches!(
            self,
            Self::Close
                | Self::CloseBrace
                | Self::Dice
                | Self::Fate
                | Self::Integer
                | Self::Name
                | Self::Text
        )
    }

    /// Whether arguments in parentheses follow a token.
    pub(super) fn takes_arguments(self) -> bool {
        matches!(self, Self::Abs | Self::Called | Self::Max | Self::Min)
    }

    /// Whether a token is a comma of any kind.
    pub(super) fn is_comma(self) -> bool {
        matches!(self, Self::Comma | Self::NextName | Self::Separator)
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

/// The names from outside that a text can use.
#[derive(Clone, Copy)]
pub(super) struct Names<'n> {
    /// Whether a name has a value from outside.
    pub(super) is_given: &'n dyn Fn(&str) -> bool,
    /// Whether a name has a definition.
    pub(super) is_defined: &'n dyn Fn(&str) -> bool,
    /// The reader for dice of another notation, which are numbers.
    pub(super) dice: Option<&'static dyn DiceReader>,
}

/// The tokens of a part of a text.
pub(super) fn lex(table: Table, text: &str, span: Span, names: Names<'_>) -> Lexed {
    if table == Table::Dicelab {
        return lexed::lex(text, span, table.gaps(), |rest| {
            first(table, rest, None, &|_| false)
        });
    }
    let wide = lexed::lex(text, span, table.gaps(), |rest| {
        first(table, rest, names.dice, &|_| true)
    });
    let bound = bound_words(&wide, text);
    let is_name =
        |word: &str| bound.contains_key(word) || (names.is_given)(word) || (names.is_defined)(word);
    let is_long = |span: &Span| {
        !text[span.start..span.end]
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic())
    };
    let words = wide.tokens.iter().zip(&wide.spans);
    let has_long = words
        .into_iter()
        .any(|(&token, span)| token == Token::Name && is_long(span));
    let mut lexed = if has_long {
        lexed::lex(text, span, table.gaps(), |rest| {
            first(table, rest, names.dice, &is_name)
        })
    } else {
        wide
    };
    read_words(&mut lexed, text, names, &bound);
    lexed
}

/// Whether a word is a name, at least where something binds it.
pub(super) fn is_name(table: Table, text: &str) -> bool {
    let is_die = || {
        text.strip_prefix('d')
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match table {
        Table::Dicelab => first(table, text, None, &|_| false) == (Token::Name, text.len()),
        Table::Bones => {
            starts_with_letter(text)
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && !is_die()
                && word(table, text).is_none_or(|(_, law)| law != Law::Never)
        }
    }
}

/// How a rule binds a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// With `let`, `foreach` or `while`
    Old,
    /// With another word, or as a part of a record
    New,
}

/// Whether a word is a name only if `let`, `foreach`, `while` or a value from outside makes it one.
pub(super) fn is_bound_word(text: &str) -> bool {
    word(Table::Bones, text).is_some_and(|(_, law)| law == Law::Bound)
}

/// The words that something binds, wherever they stand: before `=`, before the `in` of a binder, as parameters of a definition. Words
/// with digits or underscores are also bound as parts of records.
fn bound_words<'s>(lexed: &Lexed, text: &'s str) -> BTreeMap<&'s str, How> {
    let slice = |at: usize| {
        lexed
            .spans
            .get(at)
            .map_or("", |span| &text[span.start..span.end])
    };
    let is = |at: usize, token: Token| lexed.tokens.get(at) == Some(&token);
    let mut bound = BTreeMap::new();
    let is_definition = slice(0) == "def" && is(2, Token::Open);
    let parameters = lexed.tokens.iter().position(|&token| token == Token::Close);
    let parameters = parameters.filter(|_| is_definition).unwrap_or(0);
    // For each open bracket, whether it is the brace of a record, as far as the token before it tells.
    let mut open = Vec::new();
    for at in 1..lexed.tokens.len() {
        let name = slice(at);
        match lexed.tokens[at - 1] {
            Token::Open => open.push(false),
            Token::OpenBrace => {
                let before = at
                    .checked_sub(2)
                    .map(|before| (lexed.tokens[before], slice(before)));
                open.push(before.is_none_or(|(token, text)| {
                    let is_word = word(Table::Bones, text).is_some();
                    !matches!(text, "d" | "case") && (is_word || !token.ends_operand())
                }));
            }
            Token::Close | Token::CloseBrace => drop(open.pop()),
            _ => {}
        }
        if !is_name(Table::Bones, name) {
            continue;
        }
        let (before, after) = (slice(at - 1), slice(at + 1));
        let is_of_list = matches!(before, "best" | "for" | "foreach" | "select");
        let is_binder = is(at + 1, Token::Assign)
            || is_of_list && (is(at + 1, Token::In) || before == "best" && after == "from")
            || at > 2 && at < parameters;
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let in_record = open.last() == Some(&true) && matches!(before, "{" | ",");
        let is_part = !is_plain && (after == ":" && in_record || after == "of");
        if is_binder || is_part {
            let is_old = matches!(before, "let" | "while" | "foreach");
            let how = if is_old { How::Old } else { How::New };
            let known = bound.entry(name).or_insert(how);
            if is_old {
                *known = How::Old;
            }
        }
    }
    bound
}

/// Finds the words of the language among the names, and other tokens that depend on the next token.
fn read_words(lexed: &mut Lexed, text: &str, names: Names<'_>, bound: &BTreeMap<&str, How>) {
    let slice = |span: Span| &text[span.start..span.end];
    for (token, &span) in lexed.tokens.iter_mut().zip(&lexed.spans) {
        let name = slice(span);
        let Some((keyword, law)) = word(Table::Bones, name).filter(|_| *token == Token::Name)
        else {
            continue;
        };
        let is_bound = match law {
            Law::Never => false,
            Law::Bound => bound.get(name) == Some(&How::Old),
            Law::Free => bound.contains_key(name) || (names.is_defined)(name),
        };
        if !is_bound && !(names.is_given)(name) {
            *token = keyword;
        }
    }
    for at in 1..lexed.tokens.len() {
        let (before, after) = (lexed.spans[at - 1], lexed.spans[at]);
        let is_called = before.end == after.start
            && !bound.contains_key(slice(before))
            && (names.is_defined)(slice(before));
        lexed.tokens[at - 1] = match (lexed.tokens[at - 1], lexed.tokens[at]) {
            (Token::D, Token::OpenBrace) => Token::AnyDie,
            (Token::D, Token::Percent) => Token::Percentile,
            (Token::Name, Token::Open) if is_called => Token::Called,
            (_, Token::Of) if starts_with_letter(slice(before)) => Token::PartName,
            (token, _) => token,
        };
    }
    read_prepositions(lexed, slice);
    read_records(lexed, |span| starts_with_letter(slice(span)));
    read_commas(lexed);
}

/// Finds `from` behind the name of a choice and behind the number of a `draw`, `by` with the name of a part behind the list of a
/// choice, and `once` and `on` behind dice that explode or are rolled again.
fn read_prepositions<'s>(lexed: &mut Lexed, slice: impl Fn(Span) -> &'s str) {
    let mut is_again = false;
    // Each `draw` that has neither braces nor `from` yet, and each `case` that has no braces, with its depth.
    let (mut waiting, mut depth) = (Vec::new(), 0_usize);
    for at in 1..lexed.tokens.len() {
        let (before, token) = (lexed.tokens[at - 1], lexed.tokens[at]);
        if before == Token::Reroll && lexed.tokens.get(at + 1) != Some(&Token::Assign) {
            lexed.tokens[at - 1] = Token::RerollOn;
        }
        is_again |= matches!(lexed.tokens[at - 1], Token::Explode | Token::RerollOn);
        match before {
            Token::Case | Token::Draw => waiting.push((at - 1, depth)),
            Token::Open => depth += 1,
            Token::OpenBrace => {
                // The braces of a die do not follow an operand. Braces directly behind a `case` may belong to a record in its value.
                let behind = at.checked_sub(2).map(|behind| lexed.tokens[behind]);
                if behind.is_some_and(Token::ends_operand) {
                    waiting.pop_if(|(_, other)| *other == depth);
                }
                depth += 1;
            }
            Token::Close | Token::CloseBrace => {
                depth = depth.saturating_sub(1);
                while waiting.pop_if(|(_, other)| *other > depth).is_some() {}
            }
            _ => {}
        }
        if token != Token::Name {
            continue;
        }
        let ends = before.ends_operand() || before == Token::Once || before == Token::Percent;
        if slice(lexed.spans[at]) == "by"
            && ends
            && lexed.tokens.get(at + 2) == Some(&Token::Do)
            && starts_with_letter(slice(lexed.spans[at + 1]))
        {
            lexed.tokens[at] = Token::By;
            lexed.tokens[at + 1] = Token::PartName;
        }
        lexed.tokens[at] = match slice(lexed.spans[at]) {
            "by" if lexed.tokens[at] == Token::By => Token::By,
            "from" if before == Token::Name && at > 1 && lexed.tokens[at - 2] == Token::Best => {
                Token::From
            }
            "from" if ends && is_count_of_draw(&mut waiting, depth, &lexed.tokens) => {
                if let Some((word, _)) = waiting.pop() {
                    lexed.tokens[word] = Token::DrawFrom;
                }
                Token::From
            }
            "on" if is_again && ends => Token::On,
            "once" if is_again && ends => Token::Once,
            _ => token,
        };
    }
}

/// Drops each last `case` at this depth that has braces directly behind it, because these are its arms. Returns whether the last waiting
/// word is then a `draw` at this depth.
fn is_count_of_draw(waiting: &mut Vec<(usize, usize)>, depth: usize, tokens: &[Token]) -> bool {
    let has_arms = |word: usize| tokens[word..].starts_with(&[Token::Case, Token::OpenBrace]);
    while waiting
        .pop_if(|(word, other)| *other == depth && has_arms(*word))
        .is_some()
    {}
    let last = waiting.last();
    last.is_some_and(|&(word, other)| other == depth && tokens[word] == Token::Draw)
}

/// Whether a token's text is a word.
fn starts_with_letter(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

/// Finds the braces of records, which stand where an operand begins, and the names of the parts.
fn read_records(lexed: &mut Lexed, is_word: impl Fn(Span) -> bool) {
    let tokens = &mut lexed.tokens;
    let of_cases = records_of_cases(tokens);
    // For each open bracket, whether it is that of a record.
    let mut open = Vec::new();
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map(|before| tokens[before]);
        match tokens[at] {
            Token::OpenBrace => {
                let ends_percentile =
                    before == Some(Token::Percent) && at > 1 && tokens[at - 2] == Token::Percentile;
                let is_record = !ends_percentile
                    && before.is_none_or(|before| match before {
                        Token::AnyDie => false,
                        Token::Case => of_cases.contains(&at),
                        _ => !before.ends_operand(),
                    });
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

/// The opening braces directly behind a `case` that are followed by the braces of the arms, and so belong to a record in the value. Without
/// a second pair, the braces hold the arms.
fn records_of_cases(tokens: &[Token]) -> BTreeSet<usize> {
    let mut records = BTreeSet::new();
    // Each `case` and `draw` that has no braces yet: its depth, the brace directly behind a `case`, and such a brace of a `case` in its
    // value. The last one belongs to a record if other braces follow.
    let mut waiting: Vec<(usize, Option<usize>, Option<usize>)> = Vec::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Case | Token::Draw => {
                let begins = *token == Token::Case && tokens.get(at + 1) == Some(&Token::OpenBrace);
                waiting.push((depth, begins.then_some(at + 1), None));
            }
            Token::Comma | Token::Do | Token::Else | Token::In | Token::Then => {
                while waiting.pop_if(|(other, ..)| *other >= depth).is_some() {}
            }
            Token::OpenBrace => {
                let is_behind = at
                    .checked_sub(1)
                    .is_some_and(|before| tokens[before].ends_operand());
                let is_own = |waiting: &mut (usize, _, _)| is_behind && waiting.0 == depth;
                if let Some((_, first, inner)) = waiting.pop_if(is_own) {
                    let around = waiting.last_mut().filter(|(other, ..)| *other == depth);
                    match around {
                        Some((.., last)) => *last = inner.or(first),
                        None => records.extend(inner.or(first)),
                    }
                    records.extend(inner.and(first));
                }
                depth += 1;
            }
            Token::Open => depth += 1,
            Token::Close | Token::CloseBrace => {
                depth = depth.saturating_sub(1);
                while waiting.pop_if(|(other, ..)| *other > depth).is_some() {}
            }
            _ => {}
        }
    }
    records
}

/// Finds the commas that make no list: directly between the parentheses of a call or between braces, and before the next
/// name of a `let` or of the state of a loop.
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
                tokens[at] = Token::NextName;
            }
            Token::Comma if open.last() == Some(&true) => tokens[at] = Token::Separator,
            _ => {}
        }
    }
}

/// The token at the beginning of a text, and its length in bytes. A word with digits or underscores is one token only where it is a
/// name.
fn first(
    table: Table,
    text: &str,
    dice: Option<&dyn DiceReader>,
    is_name_here: &dyn Fn(&str) -> bool,
) -> (Token, usize) {
    let digits = lexed::run(text, |letter| letter.is_ascii_digit());
    if digits > 0 {
        let dice = dice.map_or(0, |reader| reader.length(text));
        if dice > 0 {
            return (Token::Dice, dice);
        }
        return (Token::Integer, digits);
    }
    let letters = lexed::run(text, char::is_alphabetic);
    if letters > 0 {
        let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let longest = letters + lexed::run(&text[letters..], of_name);
        let name = &text[..longest];
        // No other text has a `_`.
        let is_here = || table == Table::Bones && name.contains('_') || is_name_here(name);
        if longest > letters && is_name(Table::Bones, name) && is_here() {
            return (Token::Name, longest);
        }
        let name = &text[..letters];
        let token = match word(table, name) {
            _ if !name.is_ascii() => Token::Unknown,
            Some((token, Law::Never)) => token,
            _ => Token::Name,
        };
        return (token, letters);
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
        dice: None,
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
        assert_eq!(tokens("\"a // b\"")[0], Token::Text);
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
