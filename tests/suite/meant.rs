//! What was probably meant by texts that cannot be read: each correction is read, and has the numbers and the words of the text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use dicedist::engine::analyze;
use dicedist::limits::{Budget, Unobserved};
use dicedist::notation::{self, Environment, Parsed, Recognised, Settings};
use dicedist::source::Source;
use dicedist::{Dialect, Error, Limits};

use crate::ceilings::files;
use crate::command::package;
use crate::tabletop::texts;

/// Texts that cannot be read, each with what was meant by it, judged by hand. A text of another notation than those that are found
/// begins with its name.
const CORPUS: &str = include_str!("meant.txt");

/// The tables that nearly all corrections come from. A word that no correction has is one of their words.
const TABLES: [&str; 3] = [
    include_str!("../../src/notation/mend/phrases.txt"),
    include_str!("../../src/notation/bones/meant.txt"),
    include_str!("../../src/notation/tabletop/meant.txt"),
];

/// How Bones says what people say: words, a rule, and what it means.
const GLOSSARY: &str = include_str!("../../src/notation/glossary.txt");

/// Mistakes whose corrections count with the numbers of the text: `7-9` is a distance of 1 from 8.
const COUNTING: [&str; 15] = [
    "arm",
    "between",
    "challenge",
    "crit",
    "crit-range",
    "difference",
    "faces",
    "middle",
    "once",
    "python",
    "reroll",
    "sides",
    "system",
    "tens",
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
    let tables: BTreeSet<String> = TABLES.into_iter().flat_map(words).collect();
    let small = corrected.to_lowercase();
    let is_lost =
        |word: &String| !small.contains(&**word) && !tables.contains(word) && !is_number(word);
    let lost = words(text).find(is_lost).filter(|_| code != "misspelt");
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

/// The codes of the warnings about a text, in a notation that is named or found.
fn warned(dialect: Option<Dialect>, text: &str) -> Vec<&'static str> {
    let source = Source::new("rule", text);
    let mut codes = Vec::new();
    // A program of AnyDice assigns what it is given.
    let settings = Settings::default().with_parameter("GIVEN", 1);
    for rule in notation::rules(dialect.unwrap_or_default(), &source) {
        let rule = rule.expect("a rule");
        let parsed: Vec<Parsed> = if dialect.is_some() {
            vec![notation::parse(rule.dialect, &source, rule.span).expect("a rule that is read")]
        } else {
            let found = notation::recognise(&source, rule, &Environment::default());
            let found = found.into_iter().flatten();
            found.filter_map(|found| found.parsed).collect()
        };
        for parsed in parsed {
            let limits = Limits::default();
            let done = parsed.run(&settings, &Budget::start(&limits, &Unobserved));
            let readings = done.readings.into_iter();
            let warnings = readings.flat_map(|reading| reading.warnings);
            codes.extend(warnings.chain(done.warnings).map(|warning| warning.code));
        }
    }
    codes
}

/// Texts with the code of a warning that each has. Above them stands their notation.
const WARNED: &str = "
anydice
X: 1\tno-output
output 3 > 2 > 1\tcompared-condition
output 2d6 <= {1,2}\tcompared-sequence
output 1 / 0\tdivision-by-zero
output d{}\tnothing
output 9007199254740993\tlarge-number
loop N over 3 { output N }\tloop-over-number
output [highest 1 of {5,2}]\tsummed-sequence
GIVEN: 2 output GIVEN\tlost-value
function: f N:n { if N = 6 { result: N + [f d6] } result: N } set \"maximum function depth\" to 2 output [f d6]\tdepth-reached
function: f R:n T:n { T: T+1 result: T } output [f d4 0]\tchanged-variable
bones
let case = 1 in case\tword-as-name
if d6 > 3 then 1 else 2, 3\tcomma-after-else
first 5 perm 1..52\tloose-range
d6 >= 4, 2-3\tloose-range
if d6 == 2-3 then 1 else 0\tloose-range
>6 d6\tnever-kept
let x = d6 in 3#x\trolled-once
if d6 then 1 else 0\tnumber-as-condition
count 4#d6 >= 5\tcounts-all
d6 given d6 > 3\tunrelated-condition
d6 * d6 // 10\tdivisor
let x = d20 in (x - 10)/2\trounding
d1.5\tdigits
d66\td66
count 5+ 4#d6\tcounted-number
low 4d6\tglued-count
high 2 d6+d8+d10\tone-number
let x = 1 in d6\tunused
let f = 0 in foreach i in 1..3 do let f = f+i in f\trunning-total
dicebag
2d6+3\tbonus-of-each
4d6K3\tsides
diceroller
{2D6 G}\tgraph-inside
2D6 S+3\tfilter
1000{2D6 S} G\trepeated-graph
onedice
1d6>3?10:20\ttight-choice
$t1=2d6\tshort-value
4d6dl1\tdrops
1d6b2\tsides
tabletop
2d6x10\tno-face
2d6!10\tno-face
3d8r9\tno-face
4d6!!7\tno-face
10d10>=8!9\tone-face
2d6x2\tone-face
d6+d8+d10kh2\tkeeps-all
1d20kl1\tkeeps-all
{d6,d8}kh2\tkeeps-all
8d10[>=8]\tlabel
2d6!5\tone-face
4d6kh4\tkeeps-all
4d6dl1dl1\tchoices
6 × 3d6\tmultiplied
6 × {4d6}kh3\tmultiplied
(2d6,d8,d10)k2\ttotals
1d20+4 >= dc + 2\tcoin
4d6 [5+]\tlabel
7 // 2\tdivision
max(2d20)\tone-number
1d66\td66
1d6r<=6\tendless
4d6d4\tdrops-all
6d10!dl3\tadded-dice
2d6r1\treroll
4d6cs6\tmarks
4d6!>5\texplodes
4d6>3\tstrict
4d6kh3r1\torder
6d6dh1kh2\tchoices
3d6 >= 11\ttarget
1d20>=1d20\tsecond-roll
{2d6+3}>=4\teach-die
";

/// The files whose codes are those of errors.
const ERRORS: [&str; 3] = ["error.rs", "explain.rs", "header.rs"];

#[test]
fn each_warning_of_each_notation_has_its_code() {
    let mut dialect = None;
    let mut known = BTreeSet::new();
    for line in WARNED.lines().filter(|line| !line.is_empty()) {
        let Some((text, code)) = line.split_once('\t') else {
            dialect = Some(line.parse::<Dialect>().expect("a notation"));
            continue;
        };
        let codes = warned(dialect, text);
        assert!(codes.contains(&code), "{text}: {code}: {codes:?}");
        assert!(!codes.contains(&""), "{text}: {codes:?}");
        known.insert(code);
    }
    // Each code in the sources is one of these, or of an answer and not of a rule. `total` is about dice of tabletop in Bones.
    let of_answers = [
        "ambiguous",
        "nearest-play",
        "not-compared",
        "sampled",
        "total",
        "undecided",
    ];
    let warns = |path: &PathBuf| !ERRORS.iter().any(|name| path.ends_with(name));
    for path in files("src").into_iter().filter(warns) {
        let source = fs::read_to_string(package("").join(&path)).unwrap();
        for code in source.split("with_code(\"").skip(1) {
            let code = code.split('"').next().unwrap_or_default();
            assert!(
                known.contains(code) || of_answers.contains(&code),
                "{}: {code}",
                path.display()
            );
        }
    }
    for text in texts() {
        assert!(!warned(None, text).contains(&""), "{text}");
    }
}

#[test]
fn what_is_meant_as_it_stands_has_no_warning() {
    for text in [
        "2d6!6",
        "10d10>=8!>=9",
        "d6!6",
        "4d6kh3",
        "{2d6+3,1d12}kh1",
        "4d6[fire]",
        "sort 3#d6",
    ] {
        assert_eq!(warned(None, text), [""; 0], "{text}");
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

#[test]
fn each_rule_of_the_glossary_is_read_without_a_warning() {
    let lines = GLOSSARY.lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("--")) {
        let text = line.split(" :: ").nth(1).unwrap();
        let source = Source::new("rule", text);
        let mut environment = Environment::default();
        for rule in notation::rules(Dialect::Bones, &source) {
            let rule = rule.unwrap();
            if rule.is_definition {
                notation::define(rule.dialect, &source, rule.span, &mut environment).unwrap();
                continue;
            }
            let read = notation::recognise(&source, rule, &environment);
            let read = read.unwrap_or_else(|found| panic!("{text}: {}", found.error));
            let [
                Recognised {
                    parsed: Some(parsed),
                    ..
                },
            ] = &read[..]
            else {
                panic!("{text} has several readings")
            };
            for reading in parsed.lower(&Settings::default()).unwrap() {
                assert_eq!(reading.warnings, [], "{text}");
            }
        }
    }
}
