//! Rules of all forms of Bones against an independent judge, which knows nothing of the crate but its fractions.
//!
//! The judge has a tree ([`tree`]) and a reader ([`read`]) of its own, and evaluates what it reads path by path ([`eval`],
//! [`loops`]). Random rules are made of templates ([`generate`]), printed as text, and answered by both
//! ([`product`]); each also after a change that changes nothing ([`laws`]). A rule on which they differ is made small
//! ([`shrink`]).
//!
//! `DICEDIST_JUDGE=20000` tries that many rules, with all faults in the output.

#![allow(
    clippy::match_bool,
    clippy::match_same_arms,
    clippy::too_many_lines,
    clippy::type_complexity,
    clippy::unnecessary_wraps,
    reason = "one arm for each form of the language, and one function for each law"
)]

mod anydice;
mod eval;
mod expand;
pub(crate) mod generate;
mod kinds;
mod law;
mod laws;
mod loops;
pub(crate) mod product;
mod read;
mod shrink;
mod tree;

use std::collections::BTreeMap;
use std::time::Duration;
use std::{env, fs, thread};

use dicedist::number::Fraction;
use num_traits::Zero;
use serde_json::Value as Json;

use self::generate::{Forms, Random};
use self::law::{Law, Member, Value};
use self::product::{Fault, Outcome, examined};
use self::tree::Program;
use crate::command::package;
use crate::seeds::seed;

/// How many rules are tried, unless the environment says otherwise.
const RULES: u64 = 150;

/// What is no fault of a random rule. A record in a list needs bounds that are known, which a random one need not have.
const ALLOWED: [Fault; 1] = [Fault::Refused];

/// What says too little of a rule, and nothing wrong: it must be rare.
const RARE: [(Fault, &str); 2] = [
    (Fault::Cut, "a loop is cut"),
    (Fault::FalseWarning, "a warning is false"),
];

/// The shares of the numbers that the last rule of a text has, and what is left open. `None` where it is too long for the judge.
pub(crate) fn numbers(text: &str) -> Option<(Vec<(i128, Fraction)>, Fraction)> {
    let programs = read::read(text).unwrap_or_else(|message| panic!("{text}: {message}"));
    let program = programs.last().expect("a rule");
    let law = eval::judge(program, &[], false);
    let law = law.ok()?.kept().expect("the condition can hold");
    let number = |value: &Value| match value.as_slice() {
        [Member::Number(number)] => *number,
        _ => panic!("{text} is no number"),
    };
    let values = law.values.iter();
    let values = values.map(|(value, share)| (number(value), share.clone()));
    Some((values.collect(), law.open.clone()))
}

/// Deeply nested rules need more room than a test has.
pub(crate) fn with_room(test: impl FnOnce() + Send + 'static) {
    let room = thread::Builder::new().stack_size(1 << 28).spawn(test);
    if let Err(panic) = room.unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}

#[derive(Default)]
struct Tally {
    counts: BTreeMap<&'static str, u64>,
    faults: Vec<String>,
}

impl Tally {
    fn count(&mut self, what: &'static str, is: bool) {
        *self.counts.entry(what).or_default() += u64::from(is);
    }

    fn add(
        &mut self,
        outcome: Outcome,
        program: &Program,
        name: &str,
        again: impl Fn(&Program) -> Outcome,
    ) {
        self.count("rules", true);
        self.count("not judged", outcome.is_unjudged);
        self.count("a limit is reached", outcome.is_limit);
        self.count("judged exactly", outcome.is_exact);
        self.count("with errors", outcome.is_error);
        for (fault, name) in RARE {
            self.count(name, outcome.faults.contains_key(&fault));
        }
        let is_rare = |fault| RARE.iter().any(|(rare, _)| *rare == fault);
        let faults = outcome.faults.into_iter();
        for (fault, what) in
            faults.filter(|&(fault, _)| !ALLOWED.contains(&fault) && !is_rare(fault))
        {
            let small = shrink::shrunk(program, |other| again(other).faults.contains_key(&fault));
            let what = again(&small).faults.remove(&fault).unwrap_or(what);
            let text = format!("{name}: {fault:?}: {what}\n{small}");
            println!("{text}");
            self.faults.push(text);
        }
    }
}

/// A random rule, and the same rule changed by one of the laws.
fn try_rule(tally: &mut Tally, forms: &Forms, seed: u64, index: u64, time: Duration) {
    let in_order = index.is_multiple_of(3);
    let (program, fails) = generate::generate(forms, seed, index);
    let again = |program: &Program| {
        let mut outcome = examined(program, in_order, time);
        if fails {
            // The judge does not see every error behind what it leaves open.
            outcome.faults.remove(&Fault::FalseWarning);
        }
        outcome
    };
    tally.add(again(&program), &program, &format!("rule {index}"), again);
    let mut random = Random::new(seed, index);
    let Some((name, changed)) = laws::changed(&program, &mut random) else {
        return;
    };
    let laws = [&program, &changed].map(|program| eval::judge(program, &[], in_order));
    if let [Ok(before), Ok(after)] = &laws {
        let is_exact = before.open.is_zero() && after.open.is_zero();
        let agree = match name {
            // What is left out of one has a value of its own in the other.
            "joint" => before
                .values
                .iter()
                .all(|(value, share)| after.values.get(value) == Some(share)),
            _ => before == after,
        };
        assert!(
            agree || !is_exact,
            "the judge breaks the law '{name}':\n{program}\n{changed}"
        );
        tally.add(
            again(&changed),
            &changed,
            &format!("rule {index}, {name}"),
            again,
        );
    }
}

#[test]
fn rules_of_all_forms_agree_with_an_independent_judge() {
    let asked = env::var("DICEDIST_JUDGE").ok();
    let asked: Option<u64> = asked.map(|text| text.trim().parse().expect("a number of rules"));
    let rules = asked.unwrap_or(RULES);
    let time = Duration::from_millis(if asked.is_some() { 1_000 } else { 250 });
    with_room(move || {
        let forms = Forms::new();
        let seed = seed();
        let mut tally = Tally::default();
        for index in 0..rules {
            try_rule(&mut tally, &forms, seed, index, time);
            // Many rules are for looking at all faults, and few for finding one.
            if asked.is_none() && !tally.faults.is_empty() {
                break;
            }
        }
        for (what, count) in &tally.counts {
            println!("{count:7} {what}");
        }
        let faults = tally.faults.join("\n");
        assert!(faults.is_empty(), "with DICEDIST_SEED={seed}:\n{faults}");
        let all = tally.counts["rules"];
        for most in ["not judged", "a limit is reached"] {
            assert!(tally.counts[most] * 10 <= all, "{:?}", tally.counts);
        }
        for (_, rare) in RARE {
            assert!(tally.counts[rare] * 50 <= all, "{:?}", tally.counts);
        }
        assert!(
            tally.counts["judged exactly"] * 2 >= all,
            "{:?}",
            tally.counts
        );
    });
}

/// Stands for a quote within quotes.
const QUOTE: &str = "\u{1}";

/// The texts of the commands on the page of the language, and the files of examples, where no value of a name is given.
fn documents() -> Vec<String> {
    let page = fs::read_to_string(package("docs/bones.md")).unwrap();
    let commands = page
        .lines()
        .filter_map(|line| line.strip_prefix("$ dicedist "));
    let mut texts = Vec::new();
    for command in commands.filter(|command| !command.contains("--set")) {
        let mut rules: Vec<String> = Vec::new();
        let command = command.replace("\\\"", QUOTE);
        let mut rest = command.as_str();
        let mut is_value = false;
        while let Some(first) = rest.chars().next() {
            let end = if ['"', '\''].contains(&first) {
                first
            } else {
                ' '
            };
            let word = rest.trim_start_matches(end).split(end).next().unwrap();
            let length = word.len() + if end == ' ' { 0 } else { 2 };
            rest = rest[length..].trim_start();
            let is_switch = ["--fractions", "--explain", "--all", "--ordered"].contains(&word);
            match word.starts_with('-') && end == ' ' {
                true => is_value = !is_switch,
                false if is_value => is_value = false,
                false => rules.push(word.to_owned()),
            }
        }
        texts.push(rules.join(";").replace(QUOTE, "\""));
    }
    for folder in ["examples/bones", "examples/questions"] {
        for entry in fs::read_dir(package(folder)).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            if !text.contains("--set") {
                texts.push(text);
            }
        }
    }
    texts
}

/// The text that is refused on purpose: it shows what the error says.
const REFUSED: &str = "let x = d6 in (x == 3) or 4";

/// Parts of texts of the pages that the judge does not read: a mistake with its message, and dice of the tabletop notation, for which
/// `table_dice` has words of Bones.
const NOT_READ: [&str; 4] = ["1 < x < 3", "2d6+3", "4d6kh3", "high 3 4d6"];

#[test]
fn documents_and_questions_agree_with_an_independent_judge() {
    with_room(|| {
        let (mut all, mut unjudged) = (0, Vec::new());
        for text in documents() {
            let programs = match read::read(&text) {
                Ok(programs) => programs,
                Err(message) => {
                    let is_known = NOT_READ.iter().any(|part| text.contains(part));
                    assert!(is_known, "{text}: {message}");
                    continue;
                }
            };
            for program in programs {
                let outcome = examined(&program, false, Duration::from_secs(10));
                all += 1;
                if outcome.is_unjudged || outcome.is_limit {
                    unjudged.push(program.to_string());
                }
                let is_refused = program.to_string() == REFUSED;
                assert!(
                    is_refused || outcome.faults.is_empty(),
                    "{program}\n{:?}",
                    outcome.faults
                );
            }
        }
        assert!(
            all > 200 && unjudged.len() * 5 < all,
            "{} of {all} are not judged: {}",
            unjudged.len(),
            unjudged.join("\n")
        );
    });
}

/// A value in the form of the vectors.
fn name(value: &Value) -> String {
    let text = |member: &Member| match member {
        Member::Number(number) => number.to_string(),
        Member::Label(text) => text.to_string(),
        Member::Record(names, parts) => {
            let parts = names.iter().zip(parts);
            let parts =
                parts.map(|(part, value)| format!("{part}: {}", name(&vec![value.clone()])));
            parts.collect::<Vec<_>>().join(", ")
        }
        Member::States(_) => unreachable!("no value of a rule"),
    };
    value.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// What differs from what a vector expects, if anything does.
fn differs(law: &Law, expect: &Json) -> Option<String> {
    let fraction = |value: &Json| value.as_str().map(|text| text.parse::<Fraction>().unwrap());
    if expect["kind"] == "error" {
        let is_kind = |kind: &str| law.errors.contains_key(kind);
        let is_expected = expect["error"]
            .as_str()
            .map_or(!law.errors.is_empty(), is_kind);
        let share = fraction(&expect["probability"]);
        let agrees = is_expected && share.is_none_or(|share| share == law.fails());
        return (!agrees).then(|| format!("errors {:?}", law.errors));
    }
    let kept = law.kept()?;
    let agrees = |least: &Fraction, expected: &Fraction| {
        least <= expected && *expected <= least + &kept.open
    };
    let mut found: BTreeMap<String, Fraction> = BTreeMap::new();
    for (value, share) in &kept.values {
        *found.entry(name(value)).or_default() += share;
    }
    for (value, share) in expect["outcomes"].as_object()? {
        let least = found.remove(value).unwrap_or_default();
        if fraction(share).is_some_and(|share| !agrees(&least, &share)) {
            return Some(format!("P({value}) is {least}"));
        }
    }
    if expect["kind"] == "pmf" && !found.is_empty() || !law.errors.is_empty() {
        return Some(format!("not expected: {found:?} {:?}", law.errors));
    }
    let given = Fraction::from_integer(1.into()) - &law.left_out;
    for (field, found) in [("never_ends", &kept.never), ("given", &given)] {
        if fraction(&expect[field]).is_some_and(|share| !agrees(found, &share)) {
            return Some(format!("{field} is {found}"));
        }
    }
    None
}

/// Loops whose rounds give nothing, never end or fail, behind what uses their values. Each was once answered wrongly.
const LOOPS: [&str; 20] = [
    "while x=1 do (let q=(while y=d2 do (if ==1 y then 1 else ())) in ())",
    "while x=1 do (<1 (while y=d2 do (if ==1 y then 1 else ())))",
    "while x=1 do ((0*(sum(while y=d2 do (if ==1 y then 1 else ()))))#5)",
    "sum (while x=d3 do (if ==1 x then ==1 (2#(sum (while y=d2 do ==1 y))) else ()))",
    "count (while x=d3 do (if ==1 x then ==1 (2#(sum (while y=d2 do ==1 y))) else ()))",
    "sum (while x=d3 do (if ==1 x then ==9 (3#(sum (while y=d2 do ==1 y))) else ()))",
    "count (while x=d3 do (if ==1 x then ==9 (3#(sum (while y=d2 do ==1 y))) else ()))",
    "sum (while x=d3 do (if ==1 x then (if ==1 d2 then ==1 (2#(sum (while y=d2 do ==1 y))) else ()) else ()))",
    "count (while x=d3 do (if ==1 x then (if ==1 d2 then ==1 (2#(sum (while y=d2 do ==1 y))) else ()) else ()))",
    "sum last 1 (while x=1 do ==9 ((sum x)#(sum (while y=d2 do ==1 y))))",
    "(sum last 1 (while x=1 do ==9 ((sum x)#(sum (while y=d2 do ==1 y))))) == 1",
    "sum last 1 (while x=d2 do (foreach i in x do ==9 (sum (while y=d2 do ==1 y))))",
    "sum last 1 (while x=d3 do ==9 (sum first 2 (while y=x do if ==1 y then y else ())))",
    "sum drop last 1 (while x=(1, 0-1) do ==9 ((count ==1 x)#(sum (while y=d2 do ==1 y))))",
    "sum last 1 (while x=d3 do if ==1 x then ==9 (foreach i in x do sum (while y=d2 do ==1 y)) else ())",
    "1/(2-(sum last 1 (while x=1 do (if ==1 x then d2/(d2-1) else ()))))",
    "1/(2-(high 1 (while x=1 do (if ==1 x then d2/(d2-1) else ()))))",
    "1/(1-(count ==2 (while x=1 do (if ==1 x then d2/(d2-1) else ()))))",
    "1/(3-(sum first 2 (while x=1 do (if ==1 x then d2/(d2-1) else ()))))",
    "count(while x=3 do (<x (count(while y=4 do (if >2 y then y-(d2+0/(d3-1)) else ())))))",
];

#[test]
fn loops_that_were_wrong_agree_with_an_independent_judge() {
    for text in LOOPS {
        let programs = read::read(text).unwrap();
        let outcome = examined(&programs[0], false, Duration::from_secs(10));
        assert!(outcome.is_exact && !outcome.is_limit, "{text}");
        assert!(outcome.faults.is_empty(), "{text}: {:?}", outcome.faults);
    }
}

/// What the judge says is right by other programs, by enumeration and on paper.
#[test]
fn the_judge_agrees_with_the_golden_vectors() {
    with_room(|| {
        let mut judged = 0;
        for file in ["bones", "faults"] {
            let text =
                fs::read_to_string(package("tests/golden").join(format!("{file}.json"))).unwrap();
            let vectors: Vec<Json> = serde_json::from_str(&text).unwrap();
            for vector in vectors.iter().filter(|vector| vector["dialect"] == "bones") {
                let (program, expect) = (vector["program"].as_str().unwrap(), &vector["expect"]);
                // The vectors are older than the conditions and definitions of Bones.
                if expect["error"] == "parse" {
                    continue;
                }
                let programs =
                    read::read(program).unwrap_or_else(|message| panic!("{program}: {message}"));
                let in_order = vector["options"].to_string().contains("--ordered");
                let [program] = &programs[..] else { continue };
                let Ok(law) = eval::judge(program, &[], in_order) else {
                    continue;
                };
                let difference = differs(&law, expect);
                assert_eq!(difference, None, "{program}: {expect}");
                judged += 1;
            }
        }
        assert!(judged > 250, "only {judged} vectors are judged");
    });
}
