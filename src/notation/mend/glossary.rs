//! What people call things at a table, and how Bones says them: the last help, where no row of a table explains a text.
//!
//! ```text
//! reroll again :: sum(reroll 2#d6 once on 1) :: two dice, each rolled once again if it shows 1
//! ```
//!
//! An entry has its words, a rule, and what that rule means. An entry is about a text that has one of its words.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::token::{TokenKind, tokens};

const GLOSSARY: &str = include_str!("../glossary.txt");

/// What a roll looks like, for words among which no dice are.
const LOOKS: &str =
    "a roll is written `2d6+3`, `4d6kh3` or `d20+5 >= 15`, and `count >=5 8#d6` counts dice";

/// The most entries about one text.
const MOST: usize = 2;

struct Entry {
    words: &'static str,
    rule: &'static str,
    meaning: &'static str,
}

fn entries() -> impl Iterator<Item = Entry> {
    let lines = GLOSSARY.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("--"));
    lines.map(|line| {
        let columns: Vec<_> = line.split(" :: ").collect();
        let [words, rule, meaning] = columns[..] else {
            panic!("no line of a glossary: {line}")
        };
        Entry {
            words,
            rule,
            meaning,
        }
    })
}

/// What the entries say that have the most words of a text, as notes. Of those with as many, the first of the list come first.
pub(crate) fn notes(text: &str) -> Vec<String> {
    let tokens = tokens(text).into_iter();
    let tokens = tokens.filter(|token| token.kind != TokenKind::Text);
    let are_words = tokens.clone().all(|token| token.kind != TokenKind::Sign);
    let typed: Vec<String> = tokens.map(|token| token.text).collect();
    let mut found: Vec<(usize, String)> = Vec::new();
    for entry in entries() {
        let own: BTreeSet<&str> = entry.words.split(' ').collect();
        let own = typed.iter().filter(|word| own.contains(word.as_str()));
        let own: Vec<&String> = own.collect();
        if let Some(first) = own.first() {
            let Entry { rule, meaning, .. } = entry;
            let note = format!("an example of `{first}`: `{rule}` ({meaning})");
            found.push((own.into_iter().collect::<BTreeSet<_>>().len(), note));
        }
    }
    if found.is_empty() && are_words && !typed.iter().any(|word| word == "d") {
        found.push((0, LOOKS.to_owned()));
    }
    found.sort_by_key(|(number, _)| Reverse(*number));
    found.into_iter().take(MOST).map(|(_, note)| note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_stands_once() {
        let mut words = BTreeSet::new();
        for word in entries().flat_map(|entry| entry.words.split(' ')) {
            assert!(words.insert(word), "{word} stands twice");
            assert_eq!(tokens(word).len(), 1, "{word} is not one word");
        }
    }

    #[test]
    fn the_entry_with_most_words_comes_first() {
        let notes = notes("10d6 hits, reroll");
        assert!(
            notes[0].starts_with("an example of `reroll`: "),
            "{notes:?}"
        );
        assert!(notes[1].starts_with("an example of `hits`: "), "{notes:?}");
        assert_eq!(super::notes("2d6 frobnicate"), [""; 0]);
        assert_eq!(super::notes("frobnicate 3 of them"), [LOOKS]);
    }
}
