//! What stands at the beginning of a text: numbers, names, signs and words.

use super::words::{COMPARISONS, FUNCTIONS, Function, MODIFIERS, Modifier};
use crate::ir::Comparison;
use crate::notation::reader::lexed::run;

/// The number of digits at the beginning of a text.
pub(super) fn digits(text: &str) -> usize {
    run(text, |letter| letter.is_ascii_digit())
}

/// The length of a number at the beginning of a text; 0 if there is none.
pub(super) fn number(text: &str, may_be_negative: bool) -> usize {
    let sign = match text.chars().next() {
        Some(sign @ ('-' | '−' | '–')) if may_be_negative => sign.len_utf8(),
        _ => 0,
    };
    let whole = digits(&text[sign..]);
    if whole == 0 {
        return 0;
    }
    let length = sign + whole;
    let decimals = text[length..].strip_prefix('.').map_or(0, digits);
    length + if decimals > 0 { decimals + 1 } else { 0 }
}

/// Whether a text begins with `d` and the sides of a die.
pub(super) fn begins_die(text: &str) -> bool {
    let Some(sides) = text.strip_prefix(['d', 'D']) else {
        return false;
    };
    let letters = run(sides, char::is_alphabetic);
    let is_letter = sides.starts_with(['F', 'f', 'C', 'c'])
        && (letters == 1 || modifier(&sides[1..]).is_some());
    is_letter
        || sides.starts_with(|sign: char| sign.is_ascii_digit() || "%(@".contains(sign))
        || sides.starts_with("[[")
}

/// The function with a name.
pub(super) fn function(word: &str) -> Option<Function> {
    let mut all = FUNCTIONS.iter();
    let found = all.find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, function)| *function)
}

/// The length of a name from outside at the beginning of a text, and whether it is closed.
pub(super) fn name(text: &str) -> Option<(usize, bool)> {
    if text.starts_with("@{") || text.starts_with("?{") {
        let end = text.find('}');
        return Some((end.map_or(text.len(), |end| end + 1), end.is_some()));
    }
    let rest = text.strip_prefix('@')?;
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut length = 1 + run(rest, is_letter);
    if length == 1 {
        return None;
    }
    while let Some(part) = text[length..].strip_prefix('.') {
        match run(part, is_letter) {
            0 => break,
            part => length += part + 1,
        }
    }
    Some((length, true))
}

/// The comparison sign at the beginning of a text.
pub(super) fn comparison(text: &str) -> Option<(&'static str, Comparison)> {
    COMPARISONS
        .iter()
        .find(|(sign, _)| text.starts_with(sign))
        .copied()
}

/// The modifier at the beginning of a text, and its length. The longest one is taken after which the text can go on.
pub(super) fn modifier(text: &str) -> Option<(Modifier, usize)> {
    let begin = |text: &str| {
        text.chars()
            .take(5)
            .collect::<String>()
            .to_ascii_lowercase()
    };
    let fitting = |text: &str| {
        let text = begin(text);
        let mut found: Vec<_> = MODIFIERS
            .iter()
            .filter(|(word, _)| text.starts_with(word))
            .collect();
        found.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        found
    };
    let goes_on = |text: &str| !text.starts_with(char::is_alphabetic) || !fitting(text).is_empty();
    let fits = |word: &str| {
        let behind = &text[word.len()..];
        // `!odd` explodes and counts, and `4d6-level` drops no die.
        let is_odd = word.ends_with('o') && begin(&text[word.len() - 1..]).starts_with("odd");
        let is_drop = word.starts_with('-');
        let ends = !behind.starts_with(char::is_alphanumeric);
        !is_odd && goes_on(behind) && (!is_drop || ends || modifier(behind).is_some())
    };
    let mut fitting = fitting(text).into_iter();
    let best = fitting.find(|(word, _)| fits(word));
    best.map(|(word, modifier)| (*modifier, word.len()))
}
