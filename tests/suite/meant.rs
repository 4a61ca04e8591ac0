//! What was probably meant by texts that cannot be read: each correction is read, and has the numbers and the words of the text.

use std::collections::BTreeMap;

use dicedist::engine::analyze;
use dicedist::limits::Unobserved;
use dicedist::notation::{self, Environment, Parsed, Settings};
use dicedist::source::Source;
use dicedist::{Dialect, Error, Limits};

use crate::tabletop::texts;

/// Texts that cannot be read, each with what was meant by it, judged by hand. A text of another notation than those that are found
/// begins with its name.
const CORPUS: &str = include_str!("meant.txt");

/// The tables of all notations. A word that no correction has is one of their words.
const TABLES: [&str; 2] = [
    include_str!("../../src/notation/bones/meant.txt"),
    include_str!("../../src/notation/tabletop/meant.txt"),
];

/// Mistakes whose corrections count with the numbers of the text: `7-9` is a distance of 1 from 8.
const COUNTING: [&str; 11] = [
    "arm",
    "between",
    "challenge",
    "crit",
    "crit-range",
    "difference",
    "faces",
    "middle",
    "reroll",
    "sides",
    "top",
];

/// Numbers as words.
const NUMBERS: [&str; 7] = ["one", "two", "three", "four", "five", "six", "ten"];

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

/// The error of a rule that is read, and has no meaning.
fn refusal(parsed: &Parsed) -> Option<Error> {
    let readings = parsed.lower(&Settings::default());
    let solved = readings.and_then(|readings| {
        let mut programs = readings.iter().map(|reading| &reading.program);
        programs.try_for_each(|program| {
            let solved = analyze(program, &Limits::default(), &Unobserved);
            solved.map(drop).map_err(|error| parsed.in_its_words(error))
        })
    });
    solved.err()
}

/// The error of a text of the corpus, for which a notation is named or not.
fn mistake(text: &str, dialect: Option<Dialect>) -> Option<Error> {
    let source = Source::new("rule", text);
    if let Some(dialect) = dialect {
        let mut environment = Environment::default();
        let mut rules = notation::rules(dialect, &source).into_iter();
        return rules.find_map(|rule| match rule {
            Ok(rule) if rule.is_definition => {
                notation::define(dialect, &source, rule.span, &mut environment).err()
            }
            Ok(rule) => {
                let parsed = notation::parse_in(dialect, &source, rule.span, &environment);
                parsed.map_or_else(Some, |parsed| refusal(&parsed))
            }
            Err(wrong) => Some(wrong.error),
        });
    }
    error(text).or_else(|| {
        let rules = notation::rules(Dialect::Bones, &source)
            .into_iter()
            .flatten();
        let mut found = rules.flat_map(|rule| {
            let found = notation::recognise(&source, rule, &Environment::default());
            found.into_iter().flatten().filter_map(|found| found.parsed)
        });
        found.find_map(|parsed| refusal(&parsed))
    })
}

/// The first correction of a text, applied.
fn corrected(text: &str, error: &Error) -> Option<String> {
    let correction = error.diagnostics()[0].corrections.first()?;
    let (before, behind) = (&text[..correction.span.start], &text[correction.span.end..]);
    Some(format!("{before}{}{behind}", correction.text))
}

#[test]
fn what_is_meant_is_found() {
    let mut wrong = Vec::new();
    for line in CORPUS.lines() {
        let (typed, meant) = line.split_once('\t').expect("a text and what it means");
        let named = typed.split_once(": ");
        let named = named.and_then(|(name, text)| Some((name.parse().ok()?, text)));
        let (dialect, text) = named.map_or((None, typed), |(name, text)| (Some(name), text));
        let found = mistake(text, dialect).and_then(|error| corrected(text, &error));
        if found.as_deref() != Some(meant) {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The codes of the warnings about a text.
fn warned(text: &str) -> Vec<&'static str> {
    let source = Source::new("rule", text);
    let mut codes = Vec::new();
    for rule in notation::rules(Dialect::Bones, &source)
        .into_iter()
        .flatten()
    {
        let found = notation::recognise(&source, rule, &Environment::default());
        for parsed in found.into_iter().flatten().filter_map(|found| found.parsed) {
            let readings = parsed.lower(&Settings::default()).into_iter().flatten();
            let warnings = readings.flat_map(|reading| reading.warnings);
            codes.extend(warnings.map(|warning| warning.code));
        }
    }
    codes
}

#[test]
fn what_looks_otherwise_than_it_is_read_is_warned_of() {
    for (text, code) in [
        ("2d6x10", "no-face"),
        ("2d6!10", "no-face"),
        ("3d8r9", "no-face"),
        ("4d6!!7", "no-face"),
        ("10d10>=8!9", "one-face"),
        ("2d6x2", "one-face"),
        ("4d6kh4", "keeps-all"),
        ("d6+d8+d10kh2", "keeps-all"),
        ("1d20kl1", "keeps-all"),
        ("{d6,d8}kh2", "keeps-all"),
        ("(2d6,d8,d10)k2", "totals"),
        ("4d6 [5+]", "label"),
        ("8d10[>=8]", "label"),
        ("1d20+4 >= dc + 2", "coin"),
        ("high 2 d6+d8+d10", "one-number"),
        ("sort d6, d8", "one-number"),
    ] {
        assert!(warned(text).contains(&code), "{text}: {:?}", warned(text));
    }
    for text in [
        "2d6!5",
        "10d10>=8!>=9",
        "d6!6",
        "4d6kh3",
        "{2d6+3,1d12}kh1",
        "4d6[fire]",
        "sort 3#d6",
    ] {
        let codes = [
            "no-face",
            "keeps-all",
            "totals",
            "label",
            "coin",
            "one-number",
        ];
        let wrong = warned(text).into_iter().find(|code| codes.contains(code));
        assert_eq!(wrong, None, "{text}");
    }
}

#[test]
fn each_warning_has_a_code() {
    for text in texts() {
        assert!(!warned(text).contains(&""), "{text}");
    }
}

/// Texts of the other tests, and each with a slip in it.
fn typed() -> Vec<String> {
    let slips = [
        " ", "(", ")", "!", ">", "x ", "=>", " to ", "[", "2", ",", " or ", " fire ",
    ];
    let is_found = |text: &&str| {
        text.split_once(": ")
            .is_none_or(|(name, _)| name.parse::<Dialect>().is_err())
    };
    let corpus = CORPUS.lines().filter_map(|line| line.split_once('\t'));
    let corpus = corpus.map(|(text, _)| text).filter(is_found);
    let mut typed: Vec<String> = corpus.map(str::to_owned).collect();
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
    assert!(corrected > 800, "{corrected}");
}
