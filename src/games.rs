//! Games and mechanics of dice, cards and bags, by their names: a rule for each, and one figure of it.
//!
//! ```
//! use dicedist::games;
//!
//! let yahtzee = &games::find("yahtzee")[0];
//! assert_eq!(yahtzee.answer(), "4.6029% (347897/7558272)");
//! ```
//!
//! `games.tsv` has a line for each, below the headings: the names, other words that lead there, what is asked, the rule, the question,
//! the figure and where it comes from. A figure that begins with `~` has six decimals. Behind `= ` stands a formula; `judge` is
//! the program of the tests that lists every path, and `recursion` one in another language that adds up what each roll leaves, and that the tests do not run. Else it is what is cited, and behind the last colon the number that stands there.

use crate::notation::{is_word, nearest_word};
use crate::number::Fraction;
use crate::report::decimal;

/// The lines of all games.
const LINES: &str = include_str!("games.tsv");

/// Words that say nothing about a game.
const PLAIN: [&str; 17] = [
    "a", "all", "an", "and", "at", "by", "for", "from", "game", "in", "of", "on", "or", "rpg",
    "the", "ttrpg", "with",
];

/// A game or a mechanic with a rule, and a figure of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Game {
    /// The heading that it stands below.
    pub kind: &'static str,
    /// Its names, with commas between them.
    pub names: &'static str,
    /// Other words that lead here.
    pub words: &'static str,
    /// What the figure is.
    pub asked: &'static str,
    /// The rule, in any notation that is recognised.
    pub rule: &'static str,
    /// What is asked of the rule: `mean`, or an option of the command with its value: `at least 15`, `exactly yes`.
    pub question: &'static str,
    /// The mean or the chance: a fraction, or `~` and six decimals of it.
    pub figure: &'static str,
    /// Where the figure comes from.
    pub source: &'static str,
}

impl Game {
    /// The figure as people read it: a chance in percent.
    #[must_use]
    pub fn answer(&self) -> String {
        let (by, sign) = match self.question {
            "mean" => (1, ""),
            _ => (100, "%"),
        };
        let exact = self.figure.strip_prefix('~').is_none();
        let Some(value) = self.value() else {
            return self.figure.to_owned();
        };
        let is_whole = by == 1 && value.is_integer();
        let rounded = decimal::fixed(&(value * Fraction::from_integer(by.into())), 4);
        if exact && !is_whole {
            format!("{rounded}{sign} ({})", self.figure)
        } else {
            format!("{rounded}{sign}")
        }
    }

    /// The figure, or six decimals of it.
    #[must_use]
    pub fn value(&self) -> Option<Fraction> {
        match self.figure.strip_prefix("~0.") {
            None => self.figure.parse().ok(),
            Some(decimals) => {
                let number = decimals.parse::<u32>().ok()?;
                Some(Fraction::new(number.into(), 1_000_000.into()))
            }
        }
    }

    /// Whether one of its names, or of the other words that lead here, begins with each of some words.
    fn has(&self, words: &[String], begins: fn(&str, &str) -> bool) -> bool {
        let own = words_of(self.names).chain(words_of(self.words));
        let own: Vec<String> = own.collect();
        let is_own = |word: &String| own.iter().any(|own| begins(own, word));
        !words.is_empty() && words.iter().all(is_own)
    }
}

/// The words of a text in small letters, less those that say nothing.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && !"'&".contains(letter));
    let words = words.map(|word| word.trim_matches(['\'', '&']).to_lowercase());
    words.filter(|word| !word.is_empty() && !PLAIN.contains(&word.as_str()))
}

/// All games and mechanics, below their headings.
pub fn all() -> impl Iterator<Item = Game> {
    let mut kind = "";
    LINES.lines().filter_map(move |line| {
        if let Some(heading) = line.strip_prefix("# ") {
            kind = heading;
            return None;
        }
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        Some(Game {
            kind,
            names: next(),
            words: next(),
            asked: next(),
            rule: next(),
            question: next(),
            figure: next(),
            source: next(),
        })
    })
}

/// The games and mechanics that words lead to. Those with just these words come alone; else a word may also be the beginning of one.
#[must_use]
pub fn find(words: &str) -> Vec<Game> {
    let words: Vec<String> = words_of(words).collect();
    let with = |begins: fn(&str, &str) -> bool| -> Vec<Game> {
        all().filter(|game| game.has(&words, begins)).collect()
    };
    let same = with(|own, word| own == word);
    if same.is_empty() {
        with(|own, word| own.starts_with(word))
    } else {
        same
    }
}

/// The game or mechanic whose names have most in common with a text. A name counts where the text has all its words, two of them, one
/// with a digit (`V5`), or the first of a game (`Vampire`); and its words count the more, the rarer they are among all names. `None` if all that a game and
/// the text have in common is common.
#[must_use]
pub fn about(text: &str) -> Option<Game> {
    let text: Vec<String> = words_of(text).collect();
    let rarity = |word: &String| {
        let has = |game: &Game| words_of(game.names).any(|own| own == *word);
        if is_telling(word) {
            RARE / all().filter(has).count().max(1)
        } else {
            1
        }
    };
    let likeness = |game: &Game| -> usize {
        let (mut likeness, mut counts) = (0, false);
        for name in game.names.split(", ") {
            let words: Vec<String> = words_of(name).collect();
            let common: Vec<&String> = words.iter().filter(|word| text.contains(word)).collect();
            let is_whole =
                common.len() == words.len() && common.iter().any(|word| is_telling(word));
            let is_own = |word: &&String| word.len() > 1 && !COMMON.contains(&word.as_str());
            let common: Vec<&String> = common.into_iter().filter(is_own).collect();
            let has_digit = |word: &&String| word.bytes().any(|letter| letter.is_ascii_digit());
            let begins = |word: &&String| {
                let is_first = words.first() == Some(*word) && game.kind != MECHANICS;
                is_first && word.len() > 4 && is_telling(word)
            };
            let counts_alone = |word: &&String| has_digit(word) || begins(word);
            counts |= is_whole || common.len() > 1 || common.iter().any(counts_alone);
            likeness += common.iter().map(|word| rarity(word)).sum::<usize>();
            likeness += if is_whole { common.len() * RARE / 2 } else { 0 };
        }
        if counts { likeness } else { 0 }
    };
    let games = all().map(|game| (likeness(&game), game));
    let games = games.filter(|(likeness, _)| *likeness >= RARE / 2);
    // Of games that are as like, the first one.
    let best = games.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map(|(_, game)| game)
}

/// Whether a word says something about a game: rolls, numbers and words of Bones do not.
fn is_telling(word: &str) -> bool {
    let sides = word
        .trim_start_matches(|sign: char| sign.is_ascii_digit())
        .strip_prefix('d');
    let is_digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    let is_roll = sides.is_some_and(is_digits) || is_digits(word);
    word.len() > 1 && !is_word(word) && !is_roll
}

/// The heading of what many games have: its names are words of any rule.
const MECHANICS: &str = "Mechanics";

/// What a word counts that one game has.
const RARE: usize = 60;

/// Words of names that all rules have.
const COMMON: [&str; 31] = [
    "average", "best", "chance", "dice", "die", "drop", "eight", "even", "five", "four", "going",
    "hand", "hit", "hits", "keep", "nine", "no", "odd", "one", "opposed", "pool", "push", "reroll",
    "roll", "save", "seven", "six", "success", "ten", "three", "two",
];

/// The word of a game or a mechanic that is most like another word.
#[must_use]
pub fn nearest(word: &str) -> Option<String> {
    let own: Vec<String> = all()
        .flat_map(|game| words_of(game.names).chain(words_of(game.words)))
        .collect();
    nearest_word(word, own.iter().map(String::as_str)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_by_their_words() {
        let found =
            |words: &str| -> Vec<&str> { find(words).iter().map(|game| game.names).collect() };
        assert_eq!(found("King of Tokyo"), ["King of Tokyo"]);
        assert_eq!(found("tokyo"), ["King of Tokyo"]);
        assert_eq!(found("kniff"), ["Yahtzee, Kniffel, Yatzy"]);
        assert!(found("bag").len() > 2);
        assert_eq!(found("the"), [""; 0]);
        assert_eq!(found("no such game"), [""; 0]);
        assert_eq!(nearest("yatzee").as_deref(), Some("yahtzee"));
        let about = |text: &str| about(text).map_or("", |game| game.names);
        assert_eq!(about("usage die d8"), "Countdown, usage die, resource die");
        assert!(about("vampire V5, 6 dice and 2 hunger").starts_with("Vampire"));
        assert!(about("call of cthulhu 55 hard").ends_with("hard and extreme success"));
        assert_eq!(about("2d6 + 3 fire damage"), "");
        assert_eq!(about("can't stop"), "Can't Stop");
        assert!(about("vampire").starts_with("Vampire"));
        assert!(about("settlers").starts_with("Catan"));
        assert!(found("d&d").iter().all(|names| names.contains("D&D")));
    }
}
