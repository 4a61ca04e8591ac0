//! Errors that no row of a table explains: brackets without a partner, unknown signs, and anything else that was not expected at its place.

use crate::error::Diagnostic;
use crate::notation::reader::failure::{Expected, Failure};
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::lookalike::lookalike;
use crate::notation::reader::quote::{is_unseen, shortened};
use crate::source::Span;

/// The code of a word that is a name in the rule, and stands where only the word has a meaning. This error is certain, so no correction is
/// looked for.
pub(crate) const NAME_AS_WORD: &str = "name-as-word";

/// Brackets, each with the one that closes it. A longer text is one that lacks its end.
const BRACKETS: [(&str, &str); 8] = [
    ("[[", "]]"),
    ("@{", "}"),
    ("?{", "}"),
    ("/*", "*/"),
    ("(", ")"),
    ("（", ")"),
    ("{", "}"),
    ("[", "]"),
];

/// The error about the first bracket without a partner. With such a bracket, other errors would be misleading.
pub(crate) fn brackets<T: Copy>(tokens: Tokens<T>) -> Option<Diagnostic> {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let unclosed = |at: usize, close: &str| {
        let word = tokens.word(at);
        let opening = BRACKETS.iter().find(|(open, _)| word.starts_with(open));
        let opening = opening.map_or(word, |(opening, _)| opening);
        Diagnostic::new(
            tokens.place(at),
            format!("this `{opening}` is never closed"),
        )
        .with_help(format!("write `{close}` where it ends"))
        .with_code("unclosed")
    };
    for at in 0..tokens.lexed.tokens.len() {
        let word = tokens.word(at);
        let is_wide = |wide: &str, plain: &str| word == plain || word == wide;
        if let Some((opening, close)) = BRACKETS.iter().find(|(open, _)| word.starts_with(open)) {
            match word.len() == opening.len() {
                true => open.push((at, close)),
                false if !word.ends_with(close) => return Some(unclosed(at, close)),
                false => {}
            }
            continue;
        }
        let closes = [("）", ")"), ("}", "}"), ("]", "]"), ("]]", "]]")];
        let Some((_, close)) = closes
            .into_iter()
            .find(|(wide, plain)| is_wide(wide, plain))
        else {
            continue;
        };
        match open.pop() {
            Some((_, expected)) if expected == close => {}
            Some((first, expected)) => {
                let opening = tokens.word(first);
                let message = format!("`{opening}` is closed by `{word}`");
                let help = format!("write `{expected}` here, or before it");
                let wrong = Diagnostic::new(tokens.place(at), message).with_help(help);
                return Some(wrong.with_code("crossed"));
            }
            None => {
                let message = format!("this `{word}` closes nothing");
                let wrong = Diagnostic::new(tokens.place(at), message);
                return Some(wrong.with_help("leave it out").with_code("unopened"));
            }
        }
    }
    open.first().map(|(at, close)| unclosed(*at, close))
}

/// The error about a sign that is no part of a notation.
pub(crate) fn unknown_sign(place: Span, sign: &str, notation: &str) -> Diagnostic {
    let first = sign.chars().next().unwrap_or(' ');
    let message = if is_unseen(first) {
        format!(
            "a sign that cannot be seen, U+{:04X}, is no part of {notation}",
            u32::from(first)
        )
    } else {
        format!("`{}` is no sign of {notation}", shortened(sign))
    };
    let wrong = Diagnostic::new(place, message).with_code("unknown-sign");
    match lookalike(first) {
        Some("") => wrong.with_help("leave it out"),
        Some(meant) if !"[]{}".contains(first) => wrong.with_help(format!("write `{meant}`")),
        _ => wrong,
    }
}

/// The error about a word without a meaning.
pub(crate) fn unknown_word(place: Span, word: &str) -> Diagnostic {
    let message = format!("unknown word `{}`", shortened(word));
    Diagnostic::new(place, message).with_code("unknown-word")
}

/// The error for the place where a grammar fails: what it expected, and what stands there. `is_known` says which words have a meaning.
pub(crate) fn unexpected<T: Copy, E: Expected>(
    tokens: Tokens<T>,
    failure: &Failure<E>,
    is_known: impl Fn(&str) -> bool,
) -> Diagnostic {
    let place = tokens.place(failure.at);
    let found = tokens.found(failure.at);
    if let Some(word) = found.as_ref()
        && word.starts_with(char::is_alphabetic)
        && !is_known(tokens.word(failure.at))
    {
        return unknown_word(place, word);
    }
    // A number behind a complete roll is where a modifier could have had one: what is missing stands between them.
    let is_number = found
        .as_ref()
        .is_some_and(|word| word.starts_with(|sign: char| sign.is_ascii_digit()));
    let expected = E::NAMES
        .iter()
        .find(|(expected, name)| failure.expects(*expected) && !(is_number && *name == "a number"));
    let otherwise = if is_number {
        "an operator"
    } else {
        "something else"
    };
    let expected = expected.map_or(otherwise, |(_, name)| *name);
    let found = found.map_or_else(
        || "the end of the rule".into(),
        |found| format!("`{found}`"),
    );
    Diagnostic::new(place, format!("expected {expected}, found {found}")).with_code("unexpected")
}
