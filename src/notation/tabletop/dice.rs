//! Dice in rules of other notations: a count, the sides, and modifiers that change dice or choose among them.
//!
//! ```text
//! dice     = digits "d" ( digits | "%" | "F" ) { modifier } ;
//! modifier = ( "kh" | "kl" | "k" | "dh" | "dl" | "d" ) [ digits ]
//!          | ( "!!" | "!p" | "!o" | "!" | "ro" | "rr" | "r" ) [ [ "<" | "<=" | ">" | ">=" ] digits ]
//!          | ( "min" | "max" ) digits ;
//! ```
//!
//! No blank stands between the parts. A target and a comparison with `=` belong to the rule around the dice: `2d6>=8` compares the
//! total.

use crate::notation::reader::lexed::run;

/// What may follow the word of a modifier.
enum Argument {
    /// Digits
    Number,
    /// Digits, with a comparison before them or without
    Condition,
    /// Digits, or nothing
    None,
}

/// The words of the modifiers. A word comes before the shorter words that it begins with.
const MODIFIERS: [(&str, Argument); 15] = [
    ("kh", Argument::None),
    ("kl", Argument::None),
    ("k", Argument::None),
    ("dh", Argument::None),
    ("dl", Argument::None),
    ("d", Argument::None),
    ("!!", Argument::Condition),
    ("!p", Argument::Condition),
    ("!o", Argument::Condition),
    ("!", Argument::Condition),
    ("ro", Argument::Condition),
    ("rr", Argument::Condition),
    ("r", Argument::Condition),
    ("min", Argument::Number),
    ("max", Argument::Number),
];

/// The length in bytes of the dice at the beginning of a text; 0 for none. No letter, digit or `_` follows them.
pub(super) fn length(text: &str) -> usize {
    dice(text).unwrap_or(0)
}

fn dice(text: &str) -> Option<usize> {
    let rest = text.get(digits(text)?..)?;
    let rest = rest.strip_prefix(['d', 'D'])?;
    let mut rest = match digits(rest) {
        Some(length) => &rest[length..],
        None => rest.strip_prefix(['%', 'F', 'f'])?,
    };
    while let Some(after) = modifier(rest) {
        rest = after;
    }
    let goes_on = rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    (!goes_on).then_some(text.len() - rest.len())
}

/// What follows the modifier at the beginning of a text.
fn modifier(text: &str) -> Option<&str> {
    let starts = |word: &str| {
        let start = text.get(..word.len())?;
        start
            .eq_ignore_ascii_case(word)
            .then_some(&text[word.len()..])
    };
    let (rest, argument) = MODIFIERS
        .iter()
        .find_map(|(word, argument)| Some((starts(word)?, argument)))?;
    let number = digits(rest).map(|length| &rest[length..]);
    match argument {
        Argument::Number => number,
        Argument::None => Some(number.unwrap_or(rest)),
        // `2d6!=7` compares.
        Argument::Condition if rest.starts_with('=') => None,
        Argument::Condition => {
            let sign = ["<=", ">=", "<", ">"]
                .iter()
                .find(|sign| rest.starts_with(**sign));
            let number = match sign.map(|sign| &rest[sign.len()..]) {
                Some(rest) => digits(rest).map(|length| &rest[length..]),
                None => number,
            };
            Some(number.unwrap_or(rest))
        }
    }
}

/// The length of the digits at the beginning of a text, if there are any.
fn digits(text: &str) -> Option<usize> {
    Some(run(text, |letter| letter.is_ascii_digit())).filter(|&length| length > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_end_where_their_modifiers_do() {
        let whole = |text: &str| assert_eq!(length(text), text.len(), "{text}");
        for text in [
            "2d6",
            "4d6kh3",
            "1d%",
            "4dF",
            "3d6!>=5",
            "2d20kl",
            "8d6r<3min2",
            "6d6d1",
            "3D6!!6",
        ] {
            whole(text);
        }
        for (text, dice) in [
            ("2d6+3", "2d6"),
            ("2d6>=8", "2d6"),
            ("2d6!=7", "2d6"),
            ("2d6! > 3", "2d6!"),
            ("2d6!>d4", "2d6!"),
            ("4d6kh3)", "4d6kh3"),
        ] {
            assert_eq!(length(text), dice.len(), "{text}");
        }
        for text in [
            "d6", "2d", "2dx", "2d6x", "2d6min", "2d6_", "2", "", "2d6kh3z",
        ] {
            assert_eq!(length(text), 0, "{text}");
        }
    }
}
