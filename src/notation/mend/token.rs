//! The tokens of any text: numbers, words and signs. They are the same for all notations.

use std::ops::Range;

/// A token with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// The text in small letters.
    pub(super) text: String,
    pub(super) place: Range<usize>,
    /// Whether nothing stands between this token and the one before.
    pub(super) is_glued: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Digits, perhaps with decimals.
    Number,
    /// Letters, or a name from outside: `@str`.
    Word,
    Sign,
    /// A text between quotes, or a comment: nothing in it is looked at.
    Text,
}

/// The signs of more than one character, longer ones first.
const SIGNS: [&str; 14] = [
    "...", "[[", "]]", ">=", "<=", "==", "!=", "<>", "=>", "=<", "->", "..", "//", "**",
];

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() || first == '\u{feff}' {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[at..]);
        let place = at..at + length;
        tokens.push(Token {
            kind,
            text: text[place.clone()].to_lowercase(),
            is_glued: tokens.last().is_some_and(|last| last.place.end == at),
            place,
        });
        at += length;
    }
    tokens
}

/// The kind and the length of the token at the beginning of a text, which is no blank.
fn token(text: &str) -> (TokenKind, usize) {
    let run = |from: usize, is_so: fn(char) -> bool| {
        let end = text[from..].find(|letter| !is_so(letter));
        end.map_or(text.len(), |end| from + end)
    };
    let first = text.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        let whole = run(0, |digit| digit.is_ascii_digit());
        let decimals = text[whole..].strip_prefix('.');
        let has_decimals =
            decimals.is_some_and(|rest| rest.starts_with(|d: char| d.is_ascii_digit()));
        let end = if has_decimals {
            run(whole + 1, |digit| digit.is_ascii_digit())
        } else {
            whole
        };
        return (TokenKind::Number, end);
    }
    if first.is_alphabetic() || first == '_' {
        return (
            TokenKind::Word,
            run(0, |letter| letter.is_alphabetic() || letter == '_'),
        );
    }
    if text.starts_with("@{") || text.starts_with("?{") {
        return (
            TokenKind::Word,
            text.find('}').map_or(text.len(), |end| end + 1),
        );
    }
    if first == '@' && text[1..].starts_with(char::is_alphabetic) {
        let in_name = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
        return (TokenKind::Word, run(1, in_name));
    }
    if first == '"' {
        let end = text[1..]
            .find(['"', '\n'])
            .filter(|end| text[1 + end..].starts_with('"'));
        return end.map_or((TokenKind::Sign, 1), |end| (TokenKind::Text, end + 2));
    }
    if is_comment(text) {
        return (TokenKind::Text, run(0, |letter| letter != '\n'));
    }
    if let Some(length) = label(text) {
        return (TokenKind::Text, length);
    }
    let sign = SIGNS.into_iter().find(|sign| text.starts_with(sign));
    (TokenKind::Sign, sign.map_or(first.len_utf8(), str::len))
}

/// Whether a comment begins here: `// as in D&D`, `# as in D&D`.
fn is_comment(text: &str) -> bool {
    let rest = text.strip_prefix("//").or_else(|| text.strip_prefix('#'));
    let words = rest.and_then(|rest| rest.strip_prefix(' '));
    words.is_some_and(|words| words.trim_start().starts_with(char::is_alphabetic))
}

/// The length of a label: `[fire]`.
fn label(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let length = inner.find(']')?;
    let is_word = |letter: char| letter.is_alphabetic() || letter == ' ';
    (length > 0 && inner[..length].chars().all(is_word)).then_some(length + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_letters_and_signs_are_apart() {
        let words = |text| {
            tokens(text)
                .into_iter()
                .map(|token| token.text)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words("4D6kh3 vs DC15"),
            ["4", "d", "6", "kh", "3", "vs", "dc", "15"]
        );
        assert_eq!(words("1.5=>2..3"), ["1.5", "=>", "2", "..", "3"]);
        assert_eq!(
            words("d6[fire] // drop 1"),
            ["d", "6", "[fire]", "// drop 1"]
        );
        assert_eq!(
            words("@{a b}+@c.d \"x y\""),
            ["@{a b}", "+", "@c.d", "\"x y\""]
        );
    }
}
