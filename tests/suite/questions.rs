//! Real questions from forums, notebooks and rule books. `tests/golden/questions.json` has their answers, found by other programs, by
//! enumeration or by recursion; each file of `examples/questions` asks one of them, and is named after it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use dicedist::number::Fraction;
use serde_json::Value;

use crate::command::{dicedist, package, say};

/// The questions that are asked, in order.
fn questions() -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(package("examples/questions")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let named = paths.into_iter().map(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, path)
    });
    named.collect()
}

/// The probabilities of the values of a rule, lists as their members with blanks between them.
struct Answer {
    kind: String,
    outcomes: BTreeMap<String, Fraction>,
    above: Fraction,
    mean: Value,
}

impl Answer {
    fn of(rule: &Value) -> Self {
        let outcomes = rule["outcomes"].as_array().unwrap().iter();
        let outcomes = outcomes.map(|outcome| {
            let value = match &outcome["value"] {
                Value::Array(members) if members.is_empty() => "()".into(),
                Value::Array(members) => {
                    let members = members.iter().map(Value::to_string);
                    members.collect::<Vec<_>>().join(" ")
                }
                Value::Object(parts) => {
                    let names = rule["parts"].as_array().unwrap().iter();
                    let values = names.map(|name| parts[name.as_str().unwrap()].to_string());
                    values.collect::<Vec<_>>().join(" ")
                }
                Value::String(label) => number_of(label).into(),
                value => value.to_string(),
            };
            (value, fraction(&outcome["probability"]))
        });
        let above = match &rule["tail"]["at_least"] {
            Value::Null => Fraction::from_integer(0.into()),
            _ => fraction(&rule["tail"]["probability"]),
        };
        Self {
            kind: rule["kind"].as_str().unwrap().into(),
            outcomes: outcomes.collect(),
            above,
            mean: rule["mean"]["exact"].clone(),
        }
    }

    fn between(&self, low: i64, high: i64) -> Fraction {
        let zero = Fraction::from_integer(0.into());
        let inside = self.outcomes.iter().filter(|(value, _)| {
            let value: i64 = value.parse().unwrap();
            (low..=high).contains(&value)
        });
        inside.fold(zero, |sum, (_, probability)| sum + probability)
    }

    fn check(&self, expected: &Value, name: &str) {
        let rows = |key: &str| -> Vec<(String, Fraction)> {
            let rows = expected[key].as_object().into_iter().flatten();
            rows.map(|(value, share)| (value.clone(), fraction(share)))
                .collect()
        };
        if self.kind == "condition" && expected.get("answer").is_none() {
            // The answer is the chance of the one row that means yes.
            let yes = ["exactly", "at_least", "outcome"].map(rows).concat();
            let yes = match &yes[..] {
                [(_, probability), ..] => probability.clone(),
                _ => rows("distribution").pop().unwrap().1,
            };
            assert_eq!(self.outcomes["1"], yes, "{name}");
            return;
        }
        let distribution = rows("distribution");
        if !distribution.is_empty() {
            assert_eq!(self.outcomes, distribution.into_iter().collect(), "{name}");
        }
        let summary = expected["distribution_summary"]["probability"].as_object();
        let summary = summary.into_iter().flatten();
        let summary = summary.map(|(value, share)| (value.clone(), fraction(share)));
        let exactly = rows("exactly").into_iter().chain(rows("outcome"));
        for (value, probability) in exactly.chain(summary) {
            assert_eq!(self.outcomes[&value], probability, "{name}: {value}");
        }
        for (value, probability) in rows("at_least") {
            let found = self.between(value.parse().unwrap(), i64::MAX) + &self.above;
            assert_eq!(found, probability, "{name}: at least {value}");
        }
        for (value, probability) in rows("at_most") {
            let found = self.between(i64::MIN, value.parse().unwrap());
            assert_eq!(found, probability, "{name}: at most {value}");
        }
        if let Some(answer) = expected.get("answer") {
            // A chance of yes, or a mean.
            assert_eq!(self.mean, *answer, "{name}");
        }
        if let Some(mean) = expected.get("mean") {
            assert_eq!(self.mean, *mean, "{name}");
        }
    }
}

/// The number that stands for a label in the expected answers.
fn number_of(label: &str) -> &str {
    match label {
        "stable" => "100",
        "dead" => "200",
        "revived" => "300",
        "fumble" | "red" => "0",
        "failure" | "mixed" => "1",
        "regular" | "green" => "2",
        "hard" => "3",
        "extreme" => "4",
        label => panic!("no number for {label}"),
    }
}

fn fraction(text: &Value) -> Fraction {
    let text = text.as_str().unwrap();
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    Fraction::new(numerator.parse().unwrap(), denominator.parse().unwrap())
}

#[test]
fn each_question_has_its_answer() {
    let golden: Value = serde_json::from_str(include_str!("../golden/questions.json")).unwrap();
    let expected: BTreeMap<&str, &Value> = golden["questions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|question| (question["id"].as_str().unwrap(), &question["expect"]))
        .collect();
    let asked = questions();
    assert!(
        asked.len() >= 88,
        "only {} questions are asked",
        asked.len()
    );
    for (name, path) in asked {
        let text = fs::read_to_string(&path).unwrap();
        let command = text.lines().next().unwrap();
        let arguments = command.strip_prefix("// dicedist ");
        let arguments = arguments.unwrap_or_else(|| panic!("{name}: {command}"));
        assert!(arguments.starts_with(&format!("-f examples/questions/{name}.bones")));
        let arguments = arguments
            .split_whitespace()
            .chain(["--exact", "--format", "json"]);
        let said = say(dicedist(arguments).current_dir(package("")));
        assert_eq!(said.code, Some(0), "{name}: {}", said.stderr);
        let report = said.json();
        let expected = expected[name.as_str()];
        let rules = report["rules"].as_array().unwrap();
        if let Some(compared) = expected.get("compare") {
            for (figure, value) in compared.as_object().unwrap() {
                assert_eq!(report["comparisons"][0][figure], *value, "{name}: {figure}");
            }
        } else if let Some(each) = expected.get("rules") {
            let each = each.as_array().unwrap();
            assert_eq!(rules.len(), each.len(), "{name}");
            for (rule, expected) in rules.iter().zip(each) {
                Answer::of(rule).check(expected, &name);
            }
        } else {
            Answer::of(&rules[0]).check(expected, &name);
        }
    }
}
