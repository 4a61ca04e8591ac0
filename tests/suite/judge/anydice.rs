//! The judge of AnyDice: a reader and an evaluator of its own, written from the page of the notation. Everything is listed, path by
//! path, in fractions.
//!
//! A random program is written as text, with few parentheses, and both read it: the judge with [`text`], and the crate.

mod run;
mod text;
mod value;
mod writer;

use std::fs;
use std::time::Duration;

use dicedist::engine::analyze;
use dicedist::limits::{Budget, Unobserved};
use dicedist::notation::{self, Kind, Settings};
use dicedist::number::Fraction;
use dicedist::source::Source;
use dicedist::{Dialect, Error, Limits};
use num_traits::One;
use proptest::prelude::*;
use serde_json::Value;

use self::value::{Halt, Law};
use crate::command::package;
use crate::seeds::on_random;

/// The outputs of a program with their names, and the kinds and the probability of the error that stops it.
#[derive(Debug, PartialEq)]
struct Answer {
    outputs: Vec<(String, Law)>,
    error: Option<(Vec<String>, Fraction)>,
}

/// The answer of the judge; `None` where it has none.
fn judged(program: &str) -> Option<Answer> {
    let (outputs, end) = run::run(&text::read(program)?);
    let error = match end {
        Ok(()) => None,
        Err(Halt::Error(kinds, chance)) => {
            Some((kinds.into_iter().map(str::to_owned).collect(), chance))
        }
        Err(Halt::Unclear) => return None,
    };
    Some(Answer { outputs, error })
}

/// The answer of the crate, where calls with more combinations than `most` are solved by states; `None` where that takes too long.
fn found(program: &str, most: u64) -> Option<Answer> {
    let source = Source::new("program", program);
    let parsed = notation::parse(Dialect::Anydice, &source, source.span())
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let settings = Settings::default().with_most_listed(most);
    let limits = Limits::default().with_time(Some(Duration::from_secs(20)));
    let outcome = parsed.run(&settings, &Budget::start(&limits, &Unobserved));
    if outcome.error.as_ref().is_some_and(Error::is_limit) {
        return None;
    }
    let said = |error: &Error| {
        let chance = error.probability().cloned();
        Some((
            vec![error.kind().to_string()],
            chance.unwrap_or_else(Fraction::one),
        ))
    };
    let mut answer = Answer {
        outputs: Vec::new(),
        error: outcome.error.as_ref().and_then(said),
    };
    for reading in outcome.readings {
        let law = match analyze(&reading.program, &limits, &Unobserved) {
            _ if reading.kind == Kind::Nothing => Law::new(),
            Err(error) if error.is_limit() => return None,
            Err(error) => {
                answer.error = said(&error);
                break;
            }
            Ok(solved) => {
                let weighted = solved.outcomes().iter().map(|(value, weight)| {
                    let number = value.numbers().unwrap()[0].to_string();
                    // The judge has no number that does not fit, so no value of its own is this one.
                    let number = number.parse().unwrap_or(i128::MAX);
                    (number, solved.probability(weight))
                });
                weighted.collect()
            }
        };
        answer.outputs.push((reading.title.unwrap().name, law));
    }
    Some(answer)
}

/// Whether an answer is that of the judge, whose error may have one of several kinds.
fn agrees(found: &Answer, judged: &Answer) -> bool {
    found.outputs == judged.outputs
        && match (&found.error, &judged.error) {
            (None, None) => true,
            (Some((kind, chance)), Some((kinds, expected))) => {
                kinds.contains(&kind[0]) && chance == expected
            }
            _ => false,
        }
}

/// How many random programs are drawn.
fn cases() -> u32 {
    let cases = std::env::var("DICEDIST_ANYDICE");
    cases.map_or(300, |cases| cases.parse().unwrap())
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..900)
}

/// The answers to a program, with calls listed and solved by states, are the judge's, if it has one.
fn agree(program: &str) -> Result<(), TestCaseError> {
    let Some(expected) = judged(program) else {
        return Ok(());
    };
    for most in [0, 500, u64::MAX] {
        let Some(found) = found(program, most) else {
            continue;
        };
        prop_assert!(
            agrees(&found, &expected),
            "{program}\n{most}: {found:?}\njudge: {expected:?}"
        );
    }
    Ok(())
}

#[test]
fn random_programs_are_answered_as_the_judge_answers_them() {
    on_random(cases(), &choices(), |choices| {
        agree(&writer::program(&choices, "C: d1"))
    });
}

/// Programs that were answered wrongly once.
const WERE_WRONG: [&str; 2] = [
    // A power of a number that a loop leaves is a number, and no die.
    "function: f A:s { loop M over A { N: 4 } result: #(10^N) } output [f d2]",
    "function: f A:s { loop M over A { N: 4 } result: 2^N != {1, 2} } output [f d2]",
];

#[test]
fn programs_that_were_wrong_are_answered_as_the_judge_answers_them() {
    for program in WERE_WRONG {
        assert!(judged(program).is_some(), "{program}");
        agree(program).unwrap();
    }
}

#[test]
fn a_die_with_one_face_answers_as_one_of_n_sides_where_n_is_1() {
    let laws = |start: &str, choices: &[u16]| {
        let Answer { outputs, error } = found(&writer::program(choices, start), 500)?;
        let laws: Vec<Law> = outputs.into_iter().map(|(_, law)| law).collect();
        Some((laws, error))
    };
    let of_sequences = [
        "C: d{1}",
        "C: d{1,1}",
        "L: {1} C: 1dL",
        "C: {1}d{1,1,1}",
        "L: d1 C: 1@L",
        "C: [highest of d1 and 1]",
        "C: -!(0d2) + 2",
    ];
    on_random(cases() / 10, &choices(), |choices| {
        let expected = laws("loop L over {1} { C: dL }", &choices);
        for start in of_sequences {
            let found = laws(start, &choices);
            prop_assert!(
                found.is_none() || expected.is_none() || found == expected,
                "{}: {found:?}, {expected:?}",
                writer::program(&choices, start)
            );
        }
        Ok(())
    });
}

/// The vectors come from elsewhere, so they judge the judge.
#[test]
fn the_judge_answers_the_golden_vectors() {
    let text = fs::read_to_string(package("tests/golden/anydice.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut answered = 0;
    for vector in &vectors {
        let expect = &vector["expect"];
        let Some(Answer { outputs, error }) = judged(vector["program"].as_str().unwrap()) else {
            continue;
        };
        if let Some(kind) = expect["error"].as_str() {
            // The judge reads more than the grammar allows.
            let found = error.map_or("none".into(), |(kinds, _)| kinds[0].clone());
            assert!(kind == found || kind == "parse", "{found}: {vector}");
            continue;
        }
        let laws = outputs.iter().map(|(_, law)| {
            let law = law
                .iter()
                .map(|(number, chance)| (number.to_string(), chance.to_string().into()));
            Value::Object(law.collect())
        });
        let (laws, expected) = (
            laws.collect::<Vec<_>>(),
            expect["results"].as_array().unwrap(),
        );
        if expected
            .iter()
            .any(|law| law.get("size").is_some() || law.get("points").is_some())
        {
            continue;
        }
        assert_eq!(&laws, expected, "{vector}");
        assert_eq!(error, None, "{vector}");
        if let Some(names) = expect["names"].as_array() {
            let found: Vec<&str> = outputs.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, &found, "{vector}");
        }
        answered += 1;
    }
    assert!(answered > 400, "{answered}");
}
