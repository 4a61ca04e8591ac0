//! What was probably meant by texts that cannot be read: each correction is read, and has the numbers and the words of the text.

use std::collections::BTreeMap;

use dicedist::notation::{self, Environment};
use dicedist::source::Source;
use dicedist::{Dialect, Error};

use crate::tabletop::texts;

/// The tables of all notations. A word that no correction has is one of their words.
const TABLES: [&str; 2] = [
    include_str!("../../src/notation/bones/meant.txt"),
    include_str!("../../src/notation/tabletop/meant.txt"),
];

/// Mistakes whose corrections count with the numbers of the text: `7-9` is a distance of 1 from 8.
const COUNTING: [&str; 8] = [
    "arm",
    "between",
    "challenge",
    "faces",
    "middle",
    "reroll",
    "sides",
    "top",
];

/// Numbers as words.
const NUMBERS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

/// The error of a text for which nobody names a notation.
fn error(text: &str) -> Option<Error> {
    let source = Source::new("rule", text);
    notation::rules(Dialect::Bones, &source)
        .into_iter()
        .find_map(|rule| {
            let rule = rule.ok()?;
            let found = notation::recognise(&source, rule, &Environment::default());
            found.err().map(|found| found.error)
        })
}

/// Each number of a text with how often it occurs. One of one die is none.
fn numbers(text: &str) -> BTreeMap<&str, usize> {
    let mut numbers = BTreeMap::new();
    for number in text.split(|letter: char| !letter.is_ascii_digit()) {
        if !number.is_empty() && number != "1" {
            *numbers.entry(number).or_default() += 1;
        }
    }
    numbers
}

/// The words of two letters or more.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphabetic());
    words
        .filter(|word| word.chars().nth(1).is_some())
        .map(str::to_lowercase)
}

/// Why a correction of a text is a wrong one.
fn fault(text: &str, corrected: &str, code: &str) -> Option<String> {
    if error(corrected).is_some() {
        return Some("it is not read".into());
    }
    let has = numbers(corrected);
    let lost = numbers(text)
        .into_iter()
        .find(|(number, times)| has.get(number).is_none_or(|found| found < times));
    if let Some((number, _)) = lost.filter(|_| !COUNTING.contains(&code)) {
        return Some(format!("it has lost {number}"));
    }
    let is_number = |word: &str| {
        let singular = word.trim_end_matches('s');
        [word, singular, singular.trim_end_matches('e')]
            .iter()
            .any(|word| NUMBERS.contains(word))
    };
    let small = corrected.to_lowercase();
    let is_word = |word: &String| {
        TABLES
            .iter()
            .any(|table| words(table).any(|known| known == *word))
    };
    let lost =
        words(text).find(|word| !small.contains(&**word) && !is_word(word) && !is_number(word));
    lost.map(|word| format!("it has lost `{word}`"))
}

/// Texts of the other tests, and each with a slip in it.
fn typed() -> Vec<String> {
    let slips = [
        " ", "(", ")", "!", ">", "x ", "=>", " to ", "[", "2", ",", " or ", " fire ",
    ];
    let mut typed = Vec::new();
    for (number, text) in texts().enumerate() {
        typed.push(text.to_owned());
        if number % 5 > 0 {
            continue;
        }
        for (at, slip) in text
            .char_indices()
            .map(|(at, _)| at)
            .zip(slips.iter().cycle())
        {
            // A slip within a word makes another word.
            let before = text[..at]
                .chars()
                .next_back()
                .is_some_and(char::is_alphabetic);
            let is_word = |text: &str| text.starts_with(char::is_alphabetic);
            if !before || !is_word(&text[at..]) && !is_word(slip) {
                typed.push(format!("{}{slip}{}", &text[..at], &text[at..]));
            }
        }
    }
    typed
}

#[test]
fn each_correction_is_read_and_has_the_numbers_and_the_words_of_the_text() {
    let (mut corrected, mut wrong) = (0, Vec::new());
    for text in typed() {
        let Some(error) = error(&text) else { continue };
        let finding = &error.diagnostics()[0];
        for correction in &finding.corrections {
            let place = correction.span;
            let whole = format!(
                "{}{}{}",
                &text[..place.start],
                correction.text,
                &text[place.end..]
            );
            corrected += 1;
            if let Some(fault) = fault(&text, &whole, finding.code) {
                wrong.push(format!("{text}: {whole}: {fault}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {corrected}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(corrected > 250, "{corrected}");
}
