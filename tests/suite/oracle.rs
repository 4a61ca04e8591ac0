//! Every golden vector, through the real binary.
//!
//! The vectors are in the folder that the environment variable `DICEDIST_VECTORS` names, or in `tests/golden`, whose README
//! describes them. All kinds are tried. A vector that does not pass is a failure, also if a limit is reached.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, slice, thread};

use dicedist::Dialect;
use dicedist::number::Fraction;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::command::{Said, package, run};

/// The time that a vector may take, in seconds.
const PATIENCE: &str = "20";

#[derive(Debug, Deserialize)]
struct Vector {
    id: String,
    dialect: String,
    program: String,
    options: Vec<String>,
    expect: Expected,
}

/// What a program gives, or each of its results.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Expected {
    One(Box<Expectation>),
    Each(Vec<Expectation>),
}

#[derive(Debug, Deserialize)]
struct Expectation {
    kind: String,
    #[serde(default)]
    outcomes: BTreeMap<String, Value>,
    #[serde(default)]
    results: Vec<BTreeMap<String, Value>>,
    names: Option<Vec<String>>,
    #[serde(default)]
    points: BTreeMap<String, Value>,
    error: Option<String>,
    mean: Option<String>,
    variance: Option<String>,
    moments: Option<String>,
    never_ends: Option<String>,
    given: Option<String>,
    query: Option<String>,
    probability: Option<String>,
    residual: Option<String>,
    support_size: Option<usize>,
    sha256: Option<String>,
}

/// The default of `--tolerance`.
fn tolerance() -> Fraction {
    Fraction::new(1.into(), 1_000_000_000_000_i64.into())
}

/// Why a vector does not pass.
type Verdict = Result<(), String>;

macro_rules! demand {
    ($condition:expr, $($message:tt)+) => {
        match $condition {
            true => {}
            false => return Err(format!($($message)+)),
        }
    };
}

#[test]
fn golden_vectors_pass_through_the_binary() {
    let folder =
        env::var_os("DICEDIST_VECTORS").map_or_else(|| package("tests/golden"), PathBuf::from);
    let mut failures = Vec::new();
    let own = |name| package(&format!("tests/golden/{name}.json"));
    let files = Dialect::ALL
        .iter()
        .map(|dialect| folder.join(format!("{dialect}.json")));
    for path in files.chain(["faults", "endless"].map(own)) {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let vectors: Vec<Vector> = serde_json::from_str(&text).unwrap();
        assert!(!vectors.is_empty(), "{path:?}");
        for (vector, verdict) in vectors.iter().zip(judge_all(&vectors)) {
            let Vector { id, program, .. } = vector;
            if let Err(message) = verdict {
                failures.push(format!("{id}: {program:?}: {message}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The verdict on each vector, in their order.
fn judge_all(vectors: &[Vector]) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(vector) = vectors.get(index) else {
                        break;
                    };
                    let verdict = judge(vector);
                    verdicts.lock().unwrap().insert(index, verdict);
                }
            });
        }
    });
    verdicts.into_inner().unwrap().into_values().collect()
}

fn judge(vector: &Vector) -> Verdict {
    let fixed = [
        "--dialect",
        &vector.dialect,
        "--format",
        "json",
        "--exact",
        "--time-limit",
        PATIENCE,
    ];
    let options = vector.options.iter().map(String::as_str);
    let said = run(fixed
        .into_iter()
        .chain(options)
        .chain(["--", &vector.program]));
    if let Expected::One(expect) = &vector.expect
        && expect.kind == "error"
    {
        let is_newer = has_grown(vector, expect) && said.code == Some(0);
        let old = ["-d", "dicelab", "--format", "json", "--", &vector.program];
        let said = if is_newer { run(old) } else { said };
        return judge_error(expect, &said);
    }
    demand!(
        said.code == Some(0),
        "status {:?}: {}",
        said.code,
        said.stderr
    );
    let json = said.json();
    let rules = json["rules"]
        .as_array()
        .ok_or_else(|| "no rules".to_owned())?;
    let all = match &vector.expect {
        Expected::One(expect) if expect.kind == "several" => {
            return judge_several(expect, rules);
        }
        Expected::One(expect) => slice::from_ref(&**expect),
        Expected::Each(all) => all,
    };
    demand!(rules.len() == all.len(), "{} results", rules.len());
    rules.iter().zip(all).try_for_each(|(rule, expect)| {
        let listing = Listing::of(rule)?;
        match expect.kind.as_str() {
            "big" => judge_big(expect, rule, &listing),
            "bounds" | "prefix" => judge_prefix(expect, rule, &listing),
            "float" => judge_float(expect, &listing),
            "pmf" => judge_pmf(&expect.outcomes, &listing)
                .and_then(|()| judge_rest(expect, rule, &listing)),
            "query" => judge_query(expect, rule),
            kind => Err(format!("unknown kind {kind}")),
        }
    })
}

fn judge_several(expect: &Expectation, rules: &[Value]) -> Verdict {
    let expected = &expect.results;
    demand!(rules.len() == expected.len(), "{} results", rules.len());
    for (rule, outcomes) in rules.iter().zip(expected) {
        judge_result(outcomes, rule)?;
    }
    if let Some(expected) = &expect.names {
        let names: Vec<&str> = rules
            .iter()
            .filter_map(|rule| rule["name"].as_str())
            .collect();
        demand!(names == *expected, "names {names:?}");
    }
    Ok(())
}

/// What a whole distribution leaves: how likely the rule never ends, and how likely its condition was.
fn judge_rest(expect: &Expectation, rule: &Value, listing: &Listing) -> Verdict {
    if let Some(expected) = &expect.never_ends {
        let found = &listing.never_ends;
        demand!(*found == parse(expected)?, "never ends: {found}");
    }
    if let Some(expected) = &expect.given {
        let found = &rule["given"];
        demand!(found == expected, "given: {found}");
    }
    Ok(())
}

/// The answer to an option.
fn judge_query(expect: &Expectation, rule: &Value) -> Verdict {
    let found = &rule["queries"][0];
    let (text, probability) = (found["value"].as_str(), found["probability"].as_str());
    demand!(text == expect.query.as_deref(), "the query is {found}");
    demand!(
        probability == expect.probability.as_deref(),
        "the answer is {found}"
    );
    Ok(())
}

/// The probabilities of one rule, as JSON has them.
pub(crate) struct Listing {
    /// The outcomes in the order of the output.
    outcomes: Vec<(String, Fraction)>,
    tail: Fraction,
    unresolved: Fraction,
    never_ends: Fraction,
}

impl Listing {
    /// Reads the probabilities, which must add up to 1.
    pub(crate) fn of(rule: &Value) -> Result<Self, String> {
        let mut outcomes = Vec::new();
        for outcome in rule["outcomes"]
            .as_array()
            .ok_or_else(|| "no outcomes".to_owned())?
        {
            outcomes.push((name(&outcome["value"]), fraction(&outcome["probability"])?));
        }
        let tails = match &rule["tail"] {
            Value::Array(both) => both.clone(),
            Value::Null => Vec::new(),
            one => vec![one.clone()],
        };
        let mut tail = zero();
        for end in &tails {
            tail += fraction(&end["probability"])?;
        }
        let mass = |part: &Value| match part {
            Value::Null => Ok(zero()),
            part => fraction(&part["probability"]),
        };
        let listing = Self {
            outcomes,
            tail,
            unresolved: mass(&rule["unresolved"])?,
            never_ends: mass(&rule["never_ends"])?,
        };
        let listed: Fraction = listing
            .outcomes
            .iter()
            .map(|(_, probability)| probability)
            .sum();
        let sum = listed + &listing.tail + &listing.unresolved + &listing.never_ends;
        // Nothing comes out of an empty die.
        let is_nothing = rule["dialect"] == "anydice" && listing.outcomes.is_empty();
        let expected = if is_nothing { zero() } else { whole(1) };
        demand!(sum == expected, "the probabilities sum to {sum}");
        Ok(listing)
    }

    fn probability(&self, value: &str) -> Option<&Fraction> {
        let found = self.outcomes.iter().find(|(listed, _)| listed == value);
        found.map(|(_, probability)| probability)
    }
}

/// Whether a text may be read that a vector expects to be no rule. The vectors of Bones are older than its conditions, dice
/// with any faces and definitions. dicelab has stayed as Bones was, and still refuses such a text.
fn has_grown(vector: &Vector, expect: &Expectation) -> bool {
    vector.dialect == "bones" && expect.error.as_deref() == Some("parse")
}

fn judge_error(expect: &Expectation, said: &Said) -> Verdict {
    demand!(
        said.code == Some(1),
        "no error but status {:?}: {}{}",
        said.code,
        said.stdout,
        said.stderr
    );
    let errors = said.errors();
    let kind = errors["errors"][0]["kind"].as_str();
    let is_expected = expect.error.is_none() || kind == expect.error.as_deref();
    demand!(
        is_expected,
        "the error is {kind:?}, expected {:?}",
        expect.error
    );
    let probability = errors["errors"][0]["probability"].as_str();
    demand!(
        expect.probability.is_none() || probability == expect.probability.as_deref(),
        "the error has {probability:?}"
    );
    let listed = &said.json()["errors"][0]["kind"];
    demand!(listed.as_str() == kind, "the document says {listed}");
    Ok(())
}

/// One result of several: a whole distribution, or one that is too long to list.
fn judge_result(expected: &BTreeMap<String, Value>, rule: &Value) -> Verdict {
    let listing = Listing::of(rule)?;
    let Some(sha256) = expected.get("sha256").and_then(Value::as_str) else {
        return judge_pmf(expected, &listing);
    };
    let points = expected["points"].as_object().ok_or("no points")?;
    for (value, probability) in points {
        let expected = fraction(probability)?;
        let found = listing.probability(value);
        demand!(found == Some(&expected), "P({value}) is not {expected}");
    }
    demand!(digest(&listing) == sha256, "the digest differs");
    Ok(())
}

fn judge_pmf(expected: &BTreeMap<String, Value>, listing: &Listing) -> Verdict {
    demand!(listing.tail == zero(), "a tail of {}", listing.tail);
    demand!(
        listing.unresolved == zero(),
        "unresolved: {}",
        listing.unresolved
    );
    for (value, probability) in expected {
        let (expected, found) = (fraction(probability)?, listing.probability(value));
        demand!(
            found == Some(&expected),
            "P({value}) is {}, expected {expected}",
            found.map_or("nothing".into(), ToString::to_string)
        );
    }
    let extra: Vec<&String> = listing
        .outcomes
        .iter()
        .map(|(value, _)| value)
        .filter(|value| !expected.contains_key(*value))
        .collect();
    demand!(extra.is_empty(), "not expected: {extra:?}");
    demand!(is_ascending(listing), "the values are not in order");
    Ok(())
}

fn judge_prefix(expect: &Expectation, rule: &Value, listing: &Listing) -> Verdict {
    let residual = expect
        .residual
        .as_ref()
        .map(|text| parse(text))
        .transpose()?
        .unwrap_or_else(zero);
    for (value, probability) in &expect.outcomes {
        let least = fraction(probability)?;
        let most = &least + &residual;
        match listing.probability(value) {
            Some(found) => demand!(
                least <= *found && *found <= most,
                "P({value}) is {found}, expected {least}"
            ),
            // An outcome that is too improbable to be listed is in the tail.
            None => demand!(
                least <= listing.tail,
                "P({value}) is not listed, expected {least}"
            ),
        }
    }
    // Lists that are not listed are unresolved mass, because lists have no tails.
    let are_lists = expect.outcomes.keys().any(|value| value.contains(' '));
    demand!(
        listing.unresolved == zero() || (are_lists && listing.unresolved <= tolerance()),
        "unresolved: {}",
        listing.unresolved
    );
    if let Some(expected) = &expect.never_ends {
        let expected = parse(expected)?;
        demand!(
            listing.never_ends == expected,
            "never ends: {}",
            listing.never_ends
        );
    }
    if expect.mean.is_some() || expect.variance.is_some() {
        let is_conditional = expect.moments.is_some() && listing.never_ends != zero();
        demand!(
            (rule["moments"] == "conditional") == is_conditional,
            "moments are {}",
            rule["moments"]
        );
    }
    judge_moments(expect, rule)
}

fn judge_moments(expect: &Expectation, rule: &Value) -> Verdict {
    for (name, expected) in [("mean", &expect.mean), ("variance", &expect.variance)] {
        let found = &rule[name]["exact"];
        match expected.as_deref() {
            None => {}
            Some("infinite") => demand!(
                found == "infinite",
                "the {name} is {found}, expected infinite"
            ),
            Some(expected) => {
                let (expected, found) = (parse(expected)?, fraction(found)?);
                demand!(
                    found == expected,
                    "the {name} is {found}, expected {expected}"
                );
            }
        }
    }
    Ok(())
}

fn judge_big(expect: &Expectation, rule: &Value, listing: &Listing) -> Verdict {
    for (value, probability) in &expect.points {
        let expected = fraction(probability)?;
        let found = listing.probability(value);
        let is_impossible = expected == zero() && found.is_none();
        demand!(
            is_impossible || found == Some(&expected),
            "P({value}) is wrong"
        );
    }
    if let Some(size) = expect.support_size {
        demand!(
            listing.outcomes.len() == size,
            "{} values, expected {size}",
            listing.outcomes.len()
        );
    }
    if let Some(expected) = &expect.sha256 {
        let found = digest(listing);
        demand!(found == *expected, "the sha256 is {found}");
    }
    judge_moments(expect, rule)
}

/// The sha256 of a whole distribution as text.
fn digest(listing: &Listing) -> String {
    let mut hash = Sha256::new();
    for (value, probability) in &listing.outcomes {
        let (numerator, denominator) = (probability.numer(), probability.denom());
        hash.update(format!("{value} {numerator}/{denominator}\n"));
    }
    let mut found = String::new();
    for byte in hash.finalize() {
        let _ = write!(found, "{byte:02x}");
    }
    found
}

fn judge_float(expect: &Expectation, listing: &Listing) -> Verdict {
    for (value, probability) in &expect.outcomes {
        let expected = probability.as_f64().ok_or_else(|| "no number".to_owned())?;
        let found = listing.probability(value).map_or(0.0, to_f64);
        demand!(
            (found - expected).abs() <= 1e-9,
            "P({value}) is {found}, expected {expected}"
        );
    }
    let known: BTreeSet<&String> = expect.outcomes.keys().collect();
    for (value, probability) in &listing.outcomes {
        let is_negligible = to_f64(probability) <= 1e-9;
        demand!(
            known.contains(value) || is_negligible,
            "P({value}) is {probability}, expected 0"
        );
    }
    Ok(())
}

fn is_ascending(listing: &Listing) -> bool {
    let members = |value: &str| -> Vec<Fraction> {
        let members = value.split_whitespace();
        members.map_while(|member| member.parse().ok()).collect()
    };
    listing
        .outcomes
        .is_sorted_by(|(a, _), (b, _)| members(a) <= members(b))
}

/// A value in the form of the vectors: members joined by blanks.
fn name(value: &Value) -> String {
    match value {
        Value::Array(members) => members.iter().map(name).collect::<Vec<_>>().join(" "),
        Value::String(fraction) => fraction.clone(),
        Value::Object(parts) => {
            let parts = parts
                .iter()
                .map(|(part, value)| format!("{part}: {}", name(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
        number => number.to_string(),
    }
}

/// A reduced fraction in JSON.
fn fraction(value: &Value) -> Result<Fraction, String> {
    let text = value
        .as_str()
        .ok_or_else(|| format!("{value} is no fraction"))?;
    let fraction = parse(text)?;
    demand!(fraction.to_string() == text, "{text} is not reduced");
    Ok(fraction)
}

fn parse(text: &str) -> Result<Fraction, String> {
    text.parse().map_err(|_| format!("{text} is no fraction"))
}

/// The fraction to about a trillionth, for vectors that are correct to a billionth.
fn to_f64(fraction: &Fraction) -> f64 {
    let trillion = whole(1_000_000_000_000);
    let scaled = (fraction * trillion).round().to_integer();
    scaled.to_string().parse::<f64>().unwrap() / 1e12
}

fn zero() -> Fraction {
    whole(0)
}

fn whole(value: i64) -> Fraction {
    Fraction::from_integer(value.into())
}
