//! What players write in words: `4d6 drop lowest`, `highest 3 of 4d6`, `1d20+5 vs 15`.
//!
//! A phrase is rewritten as a roll, one part after another: [`choices`] are about which dice stay, [`targets`] about numbers to
//! reach, [`systems`] about games by their names, [`rolls`] about everything else. What comes out can be read.

mod choices;
mod parts;
mod rolls;
mod systems;
mod targets;

use self::parts::{Roll, joined};
use super::readable::readable;

/// The roll that a text in words probably means.
pub(super) fn meant(text: &str) -> Option<String> {
    read(text).or_else(|| read(&without_hyphens(text)?))
}

/// A text with blanks instead of the hyphens before words: `4d6-drop-lowest`. `None` if there are none.
fn without_hyphens(text: &str) -> Option<String> {
    let mut out = String::new();
    for (at, letter) in text.char_indices() {
        let next = text[at..].chars().skip(1);
        let is_before_word = next
            .take_while(|next| next.is_alphabetic())
            .nth(1)
            .is_some();
        let is_hyphen = letter == '-' && is_before_word && !out.ends_with([' ', '(']);
        out.push(if is_hyphen { ' ' } else { letter });
    }
    (out != text).then_some(out)
}

/// The roll that a text probably means, if it consists of words and rolls.
fn read(text: &str) -> Option<String> {
    // With `#` the text is meant as Bones, or as a repeated roll.
    if text.contains('#') || text.contains("[[") {
        return None;
    }
    let mut plain = text.replace('"', " ").replace('&', " & ");
    if plain.trim_start().starts_with('[') {
        plain = plain.replacen(['[', ']'], " ", 2);
    }
    if !plain.contains(['@', '?']) {
        plain = plain.to_lowercase();
    }
    let plain = in_signs(&plain);
    let mut words: Vec<&str> = plain.split_whitespace().collect();
    while words.first().is_some_and(|word| IDLE.contains(word)) {
        words.remove(0);
    }
    if words.len() > MOST_WORDS {
        return None;
    }
    // A number alone is hardly what somebody wants to know.
    let roll = roll(&words).filter(|roll| roll != text && roll.contains('d'))?;
    readable(roll)
}

/// A text with `plus` and `minus` as signs, and numbers before dice and after signs in digits: `three d6 plus two`.
fn in_signs(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut out = String::new();
    for (at, &word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied();
        let is_die = parts::dice(next).is_some() && next.starts_with('d');
        let digits = parts::number(word).filter(|_| word.starts_with(char::is_alphabetic));
        match (word, digits) {
            ("plus", _) => out.push('+'),
            ("minus", _) => out.push('-'),
            ("times", _) if at + 2 == words.len() && parts::number(next).is_some() => out.push('*'),
            (_, Some(digits)) if is_die => {
                out.push_str(&digits);
                continue;
            }
            (_, Some(digits)) if matches!(before, Some("plus" | "minus" | "+" | "-")) => {
                out.push_str(&digits);
            }
            _ => out.push_str(word),
        }
        out.push(' ');
    }
    out
}

/// Whether a word says something about dice, so that it is no comment.
pub(super) fn has_meaning(word: &str) -> bool {
    let word = word.to_lowercase();
    MEANINGS.iter().any(|stem| word.starts_with(stem))
}

/// Whether a word names an end of the sorted dice.
pub(super) fn is_end(word: &str) -> bool {
    choices::end(&word.to_lowercase()).is_some()
}

/// How words that say something about dice begin.
const MEANINGS: [&str; 60] = [
    "above", "ace", "acing", "add", "adv", "again", "against", "and", "average", "below", "best",
    "blades", "count", "diff", "dis", "divide", "doubl", "down", "drop", "each", "explo", "gwf",
    "half", "halfling", "halv", "high", "hits", "keep", "least", "less", "low", "lucky", "match",
    "max", "mid", "min", "minus", "more", "most", "ones", "or", "order", "over", "pair", "plus",
    "push", "re-roll", "reroll", "same", "sixes", "straight", "success", "thrice", "time", "tripl",
    "twice", "under", "unique", "wild", "worst",
];

/// The most words that are read. Each of them can be read in several ways.
const MOST_WORDS: usize = 12;

/// Words before a roll that say nothing.
const IDLE: [&str; 31] = [
    "a",
    "an",
    "average",
    "avg",
    "calculate",
    "chance",
    "chances",
    "damage",
    "expected",
    "find",
    "is",
    "mean",
    "my",
    "odds",
    "of",
    "output",
    "please",
    "probability",
    "roll",
    "rolling",
    "rolls",
    "show",
    "sum",
    "the",
    "throw",
    "to",
    "total",
    "value",
    "what",
    "what's",
    "whats",
];

/// A reading of some words as a roll. It is given the reading of a part of the words.
type Phrase = fn(&[&str], Roll) -> Option<String>;

/// The readings, in the order in which they are tried.
const PHRASES: [Phrase; 22] = [
    systems::named,
    choices::end_of_two,
    rolls::to_hit,
    rolls::coins,
    rolls::wrapped,
    rolls::repeated,
    targets::some_on,
    targets::chance_on,
    targets::faces,
    targets::versus,
    targets::compared,
    targets::counted,
    targets::less_failures,
    targets::ranged,
    rolls::halved,
    rolls::either,
    choices::best_of,
    choices::middle,
    choices::choice,
    rolls::again,
    rolls::advantage,
    rolls::known,
];

/// The roll that some words mean: a phrase, or else the words themselves.
fn roll(words: &[&str]) -> Option<String> {
    let phrase = PHRASES
        .iter()
        .find_map(|phrase| phrase(words, &roll).and_then(readable));
    phrase.or_else(|| joined(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_become_rolls() {
        for (phrase, roll) in [
            ("highest 3 of 4d6", "4d6kh3"),
            ("[highest 3 of 4d6] + 2", "4d6kh3+2"),
            ("highest(2d20)", "2d20kh1"),
            ("highest 3 4d6", "4d6kh3"),
            ("best of 2d20 + 5", "2d20kh1+5"),
            ("4d6 keep 3", "4d6kh3"),
            ("4d6 drop the lowest", "4d6dl1"),
            ("4d6 reroll 1s drop lowest", "4d6r1dl1"),
            ("4d6 drop lowest reroll ones", "4d6dl1r1"),
            ("middle of 3d6", "3d6dh1dl1"),
            ("d20+5 vs AC 15", "(d20+5)>=15"),
            ("1d20+5 with advantage vs 15", "(2d20kh1+5)>=15"),
            ("3d6 under 12", "(3d6)<12"),
            ("2d6 7 or more", "(2d6)>=7"),
            ("2d6 7+", "(2d6)>=7"),
            ("3d6 total >= 5", "(3d6)>=5"),
            ("4d6 drop lowest >= 10", "(4d6dl1)>=10"),
            ("2d6+1 7-9", "abs(2d6+1-8)<=1"),
            ("5d6 hits on 5+", "5d6>=5"),
            ("10d10 difficulty 7", "10d10>=7"),
            ("8d10s8", "8d10>=8"),
            ("at least one 6 on 4d6", "(4d6=6)>=1"),
            ("P(2d6>=7)", "(2d6)>=7"),
            ("1d20 with advantage", "2d20kh1"),
            ("2d6 reroll 1s", "2d6r1"),
            ("2d6 reroll ones and twos once", "2d6ro1ro2"),
            ("d6 exploding", "d6!"),
            ("5d10 t7", "5d10>=7"),
            ("d20 19-20", "d20>=19"),
            ("3K4d6", "4d6kh3"),
            ("output 3d6", "3d6"),
            ("savage d8", "{1d8!!,1d6!!}kh1"),
            ("4d6dl1 x6", "6#4d6dl1"),
            ("6x 4d6 drop lowest", "6#4d6dl1"),
            ("4d6 drop lowest, 6 times", "6#4d6dl1"),
            ("1d6/2 round up", "ceil(1d6/2)"),
            ("half 1d6", "floor(1d6/2)"),
            ("1d6 or 1d8", "1d6; 1d8"),
        ] {
            assert_eq!(meant(phrase).as_deref(), Some(roll), "{phrase}");
        }
    }

    #[test]
    fn words_without_a_clear_meaning_become_nothing() {
        for text in [
            "2d6 d8 vs 15",
            "chance of 6 on 2d6",
            "highest 1 2#d20",
            "1d6 foo 2",
        ] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
