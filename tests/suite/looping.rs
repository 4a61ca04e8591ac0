//! Random rules with loops and with unlike dice against an independent judge, [`judge`], which knows nothing of the engine.
//!
//! Each rule is made from a tape of random bytes ([`generator`]), printed as Bones, and analysed with three tolerances. The
//! judge gives lower bounds, and how much it leaves open. [`Fault`] lists what may be wrong with an answer.
//!
//! `DICEDIST_LOOPING=20000` tries that many rules, and `DICEDIST_LOOPING_ALL=1` demands everything, also exact answers where
//! the judge has one, and not only what [`DEMANDED`] lists. With `--nocapture` the shares of unanswered rules are printed, and
//! their commonest forms.

mod ask;
mod chain;
mod generator;
mod judge;
mod rule;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use dicedist::engine;
use dicedist::limits::{Limits, Unobserved};
use dicedist::number::Fraction;
use dicedist::summary::Summary;
use dicedist::{Answer, Dialect, Error};
use num_traits::{One, Zero};

use self::generator::{Made, made};
use self::judge::{Law, List};
use crate::seeds::seeds;

/// How many rules are tried for each seed, unless the environment says otherwise.
const RULES: u64 = 120;

/// The longest tape.
const LONGEST_TAPE: u64 = 44;

/// The denominators of the tolerances.
const TOLERANCES: [i64; 3] = [1_000_000, 1_000_000_000_000, 1_000_000_000_000_000_000];

/// What may be wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// The engine panics.
    Panic,
    /// A probability, mean or variance differs from the judge's.
    Number,
    /// An answer where some path fails.
    MissedError,
    /// An error where no path fails, or of a kind that no path has.
    FalseError,
    /// Another figure with another tolerance.
    Moved,
    /// An answer where some path fails, and as much or more mass is unresolved.
    UndecidedError,
    /// A lower bound of an error's probability where the judge has the exact one, and each loop ends after so many rounds.
    AtLeast,
    /// An answer that is not complete where the judge's is, and each loop ends after so many rounds.
    Incomplete,
    /// As `AtLeast`, but some loop may go on.
    AtLeastOfEndless,
    /// As `Incomplete`, but some loop may go on.
    IncompleteOfEndless,
    /// No mean or variance where the judge has one.
    UnknownMoment,
}

/// The faults that fail the test. The others are only printed, unless the environment demands all.
const DEMANDED: [Fault; 5] = [
    Fault::Panic,
    Fault::Number,
    Fault::MissedError,
    Fault::FalseError,
    Fault::Moved,
];

/// What came of a rule.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is counted by itself")]
struct Outcome {
    faults: BTreeMap<Fault, String>,
    /// The judge gave up.
    is_unjudged: bool,
    /// The engine reached a limit.
    is_limit: bool,
    /// A probability is a lower bound, or mass above the tolerance is unresolved.
    is_inexact: bool,
    /// The judge left nothing open.
    is_exact: bool,
    /// And each loop ends after so many rounds.
    is_finite: bool,
    is_error: bool,
}

/// An answer with numbers that can be compared.
struct Found {
    listed: BTreeMap<List, Fraction>,
    above: Option<(i128, Fraction)>,
    below: Option<(i128, Fraction)>,
    never: Fraction,
    unresolved: Fraction,
    is_complete: bool,
    moments: [Option<Fraction>; 2],
}

impl Found {
    /// `None` if a number is longer than those of the judge: a long product.
    fn new(answer: &Answer) -> Option<Self> {
        let whole = |number: &dicedist::number::Integer| number.to_string().parse::<i128>().ok();
        let listed = answer.outcomes().iter().map(|(value, weight)| {
            let members = value
                .numbers()
                .unwrap()
                .iter()
                .map(whole)
                .collect::<Option<List>>()?;
            Some((members, answer.probability(weight)))
        });
        let tail = |tail: Option<&dicedist::algebra::Tail>| {
            let end = |tail: &dicedist::algebra::Tail| {
                Some((whole(&tail.bound)?, answer.probability(&tail.weight)))
            };
            tail.map_or(Some(None), |tail| end(tail).map(Some))
        };
        let summary = Summary::of(answer);
        Some(Self {
            listed: listed.collect::<Option<_>>()?,
            above: tail(answer.above())?,
            below: tail(answer.below())?,
            never: answer.probability(&answer.never_ends()),
            unresolved: answer.probability(&answer.unresolved()),
            is_complete: answer.is_complete()
                || answer.tail_weight().is_zero() && answer.unresolved().is_zero(),
            moments: [
                summary.mean.finite().cloned(),
                summary.variance.finite().cloned(),
            ],
        })
    }

    fn is_above(&self, value: &List) -> bool {
        let is_above = |(bound, _): &(i128, Fraction)| value.len() == 1 && value[0] >= *bound;
        self.above.as_ref().is_some_and(is_above)
    }

    fn is_below(&self, value: &List) -> bool {
        let is_below = |(bound, _): &(i128, Fraction)| value.len() == 1 && value[0] <= *bound;
        self.below.as_ref().is_some_and(is_below)
    }

    /// What differs from the judge's law, if anything does.
    fn difference(&self, law: &Law) -> Option<String> {
        let tails = [&self.above, &self.below];
        let tails: Fraction = tails.into_iter().flatten().map(|(_, share)| share).sum();
        let all = self.listed.values().sum::<Fraction>() + tails + &self.never + &self.unresolved;
        if all != Fraction::one() {
            return Some(format!("all together is {all}"));
        }
        let differs = |what: &str, found: &Fraction, least: &Fraction| {
            let agrees = *found <= least + &law.open && *least <= found + &self.unresolved;
            let open = if law.open.is_zero() {
                String::new()
            } else {
                format!(" to {}", least + &law.open)
            };
            (!agrees).then(|| {
                let unresolved = &self.unresolved;
                format!("P({what}) is {found} with {unresolved} unresolved, the judge says {least}{open}")
            })
        };
        let none = Fraction::zero();
        for (value, found) in &self.listed {
            let least = law.values.get(value).unwrap_or(&none);
            let difference = differs(&format!("{value:?}"), found, least);
            if difference.is_some() {
                return difference;
            }
        }
        let (mut above, mut below) = (none.clone(), none.clone());
        for (value, least) in &law.values {
            if self.listed.contains_key(value) {
            } else if self.is_above(value) {
                above += least;
            } else if self.is_below(value) {
                below += least;
            } else if *least > self.unresolved {
                return differs(&format!("{value:?}"), &none, least);
            }
        }
        for (tail, least) in [(&self.above, above), (&self.below, below)] {
            if let Some((bound, found)) = tail {
                let difference = differs(&format!("tail at {bound}"), found, &least);
                if difference.is_some() {
                    return difference;
                }
            }
        }
        differs("never ends", &self.never, &law.never)
    }

    /// What differs from the answer with another tolerance, if anything does.
    fn moved(&self, other: &Self) -> Option<String> {
        let differs =
            |a: &Fraction, b: &Fraction| *a > b + &other.unresolved || *b > a + &self.unresolved;
        for (value, a) in &self.listed {
            if let Some(b) = other.listed.get(value).filter(|b| differs(a, b)) {
                return Some(format!("P({value:?}) is {a} and {b}"));
            }
        }
        if differs(&self.never, &other.never) {
            return Some(format!("never ends: {} and {}", self.never, other.never));
        }
        for (a, b) in self.moments.iter().zip(&other.moments) {
            if let Some((a, b)) = a.as_ref().zip(b.as_ref()).filter(|(a, b)| a != b) {
                return Some(format!("moment: {a} and {b}"));
            }
        }
        None
    }
}

/// The mean and the variance of a law of numbers in which nothing is open, given that it ends.
fn moments(law: &Law) -> Option<[Fraction; 2]> {
    if !law.open.is_zero() || law.values.keys().any(|value| value.len() != 1) {
        return None;
    }
    let ends: Fraction = law.values.values().sum();
    if ends.is_zero() {
        return None;
    }
    let whole = |value: &List| Fraction::from_integer(value[0].into());
    let values = || law.values.iter();
    let mean = values()
        .map(|(value, share)| whole(value) * share)
        .sum::<Fraction>()
        / &ends;
    let square = values().map(|(value, share)| whole(value) * whole(value) * share);
    let variance = square.sum::<Fraction>() / &ends - &mean * &mean;
    Some([mean, variance])
}

fn analyzed(
    text: &str,
    in_order: bool,
    tolerance: i64,
    time: Duration,
) -> Result<Result<Answer, Error>, String> {
    let limits = Limits::default()
        .with_time(Some(time))
        .with_states(300_000)
        .with_tolerance(Fraction::new(1.into(), tolerance.into()));
    let program = crate::rules::read(Dialect::Bones, text);
    let program = program.unwrap_or_else(|error| panic!("{text}: {error}"));
    let program = if in_order { program } else { program.sorted() };
    panic::catch_unwind(AssertUnwindSafe(|| {
        engine::analyze(&program, &limits, &Unobserved)
    }))
    .map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.unwrap_or_else(|| "a panic".to_owned())
    })
}

/// Compares the engine with the judge on one rule. The engine may take so much time for each tolerance.
fn examined(made: &Made, in_order: bool, time: Duration) -> Outcome {
    let text = made.rule.to_string();
    let mut outcome = Outcome::default();
    let Ok((law, ends)) = judge::judge(&made.rule, in_order) else {
        outcome.is_unjudged = true;
        return outcome;
    };
    outcome.is_exact = law.open.is_zero();
    outcome.is_finite = ends && outcome.is_exact;
    let fails = law.fails();
    outcome.is_error = !fails.is_zero();
    let mut answers: Vec<Found> = Vec::new();
    let mut errors: Vec<Error> = Vec::new();
    let mut fault = |fault: Fault, what: String| {
        outcome.faults.entry(fault).or_insert(what);
    };
    for tolerance in TOLERANCES {
        let answer = match analyzed(&text, in_order, tolerance, time) {
            Ok(answer) => answer,
            Err(message) => {
                fault(Fault::Panic, message);
                return outcome;
            }
        };
        match answer {
            Err(error) if error.is_limit() => {
                outcome.is_limit = true;
                return outcome;
            }
            Err(error) => {
                outcome.is_error = true;
                examine_error(&error, &law, ends, &mut fault);
                outcome.is_inexact |= error.probability().is_none();
                errors.push(error);
            }
            Ok(answer) => {
                let Some(found) = Found::new(&answer) else {
                    outcome.is_limit = true;
                    return outcome;
                };
                outcome.is_inexact |= found.unresolved > Fraction::new(1.into(), tolerance.into());
                if !fails.is_zero() {
                    let kind = if found.unresolved < fails {
                        Fault::MissedError
                    } else {
                        Fault::UndecidedError
                    };
                    fault(kind, format!("fails with at least {fails}"));
                } else if let Some(difference) = found.difference(&law) {
                    fault(
                        Fault::Number,
                        format!("{difference}, tolerance 1/{tolerance}"),
                    );
                } else {
                    examine_answer(made, &found, &law, ends, &mut fault);
                }
                answers.push(found);
            }
        }
    }
    for pair in answers.windows(2) {
        if let Some(moved) = pair[0].moved(&pair[1]) {
            fault(Fault::Moved, moved);
        }
    }
    for pair in errors.windows(2) {
        let probabilities = pair[0].probability().zip(pair[1].probability());
        if pair[0].kind() != pair[1].kind() || probabilities.is_some_and(|(a, b)| a != b) {
            fault(Fault::Moved, format!("{:?} and {:?}", pair[0], pair[1]));
        }
    }
    if !answers.is_empty() && !errors.is_empty() {
        fault(
            Fault::Moved,
            "an error with some tolerances only".to_owned(),
        );
    }
    outcome
}

fn examine_error(error: &Error, law: &Law, ends: bool, fault: &mut impl FnMut(Fault, String)) {
    let fails = law.fails();
    let most = &fails + &law.open;
    if law.open.is_zero() && !law.errors.contains_key(&error.kind()) {
        let kind = error.kind();
        fault(
            Fault::FalseError,
            format!("{kind}, the judge has {:?}", law.errors),
        );
    }
    let least = error.least_probability().cloned().unwrap_or_default();
    if let Some(exact) = error.probability()
        && !(fails <= *exact && *exact <= most)
    {
        fault(
            Fault::Number,
            format!("fails with {exact}, the judge says {fails} to {most}"),
        );
    } else if least > most {
        fault(
            Fault::Number,
            format!("fails with at least {least}, the judge says {fails} to {most}"),
        );
    } else if error.probability().is_none() && law.open.is_zero() {
        let kind = if ends {
            Fault::AtLeast
        } else {
            Fault::AtLeastOfEndless
        };
        fault(
            kind,
            format!("fails with at least {least}, exactly {fails}"),
        );
    }
}

fn examine_answer(
    made: &Made,
    found: &Found,
    law: &Law,
    ends: bool,
    fault: &mut impl FnMut(Fault, String),
) {
    if law.open.is_zero() && !found.is_complete {
        let unresolved = &found.unresolved;
        let kind = if ends {
            Fault::Incomplete
        } else {
            Fault::IncompleteOfEndless
        };
        fault(kind, format!("{unresolved} is unresolved"));
    }
    let expected = moments(law).or_else(|| judge::mean_and_variance(&made.rule));
    let names = ["mean", "variance"].into_iter();
    for ((name, expected), found) in names
        .zip(expected.into_iter().flatten())
        .zip(&found.moments)
    {
        match found {
            None => fault(Fault::UnknownMoment, format!("the {name} is {expected}")),
            Some(found) if *found != expected => {
                let what = format!("the {name} is {found}, the judge says {expected}");
                fault(Fault::Number, what);
            }
            Some(_) => {}
        }
    }
}

/// The tape of a rule, the same on every machine.
fn tape(seed: u64, index: u64) -> (Vec<u8>, bool) {
    let mut state =
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let length = 4 + next() % LONGEST_TAPE;
    let in_order = next().is_multiple_of(4);
    (
        (0..length).map(|_| next().to_le_bytes()[0]).collect(),
        in_order,
    )
}

/// A shorter or smaller tape whose rule has the same fault.
fn shrunk(mut tape: Vec<u8>, in_order: bool, time: Duration, fault: Fault) -> Vec<u8> {
    let end = Instant::now() + Duration::from_secs(20);
    let has_fault = |tape: &[u8]| {
        let outcome = examined(&made(tape), in_order, time);
        outcome.faults.contains_key(&fault)
    };
    let length = |tape: &[u8]| made(tape).rule.to_string().len();
    loop {
        let before = (length(&tape), tape.len());
        for place in (0..tape.len()).rev() {
            let mut smaller: Vec<Vec<u8>> = vec![tape[..place].to_vec()];
            let mut without = tape.clone();
            without.remove(place);
            smaller.push(without);
            for byte in [0, 1, 2] {
                let mut changed = tape.clone();
                changed[place] = byte;
                smaller.push(changed);
            }
            for other in smaller {
                let is_smaller = (length(&other), other.len()) < (length(&tape), tape.len());
                if is_smaller && has_fault(&other) {
                    tape = other;
                    break;
                }
                if Instant::now() > end {
                    return tape;
                }
            }
            if place >= tape.len() {
                break;
            }
        }
        if (length(&tape), tape.len()) >= before {
            return tape;
        }
    }
}

/// How many rules have a form.
#[derive(Default)]
struct Form {
    all: u64,
    unanswered: u64,
    /// A rule without an exact answer.
    example: String,
}

#[derive(Default)]
struct Tally {
    counts: BTreeMap<&'static str, u64>,
    forms: BTreeMap<&'static str, Form>,
    examples: BTreeMap<Fault, Vec<String>>,
    faults: BTreeMap<Fault, u64>,
    forms_of_faults: BTreeSet<(Fault, Vec<&'static str>)>,
    /// The longest time of an analysis.
    time: Duration,
    /// Whether every fault fails the test, and not only the [`DEMANDED`] absence of some.
    demands_all: bool,
}

impl Tally {
    fn demands(&self, fault: Fault) -> bool {
        self.demands_all || DEMANDED.contains(&fault)
    }

    fn count(&mut self, what: &'static str, is: bool) {
        *self.counts.entry(what).or_default() += u64::from(is);
    }

    fn add(&mut self, seed: u64, index: u64) {
        let (tape, in_order) = tape(seed, index);
        let made = made(&tape);
        let outcome = examined(&made, in_order, self.time);
        self.count("rules", true);
        self.count("not judged", outcome.is_unjudged);
        self.count("a limit is reached", outcome.is_limit);
        self.count(
            "unresolved or 'at least'",
            outcome.is_inexact && !outcome.is_limit,
        );
        self.count("finite", outcome.is_finite);
        self.count("judged exactly", outcome.is_exact);
        self.count("with errors", outcome.is_error);
        let is_unanswered = outcome.is_limit || outcome.is_inexact;
        self.count("not answered exactly", is_unanswered);
        for form in made.forms.iter().copied().collect::<BTreeSet<_>>() {
            let entry = self.forms.entry(form).or_default();
            entry.all += 1;
            if is_unanswered {
                entry.unanswered += 1;
                entry.example = made.rule.to_string();
            }
        }
        for fault in outcome.faults.keys() {
            *self.faults.entry(*fault).or_default() += 1;
            let is_demanded = self.demands(*fault);
            let examples = self.examples.entry(*fault).or_default();
            let most = if is_demanded { 12 } else { 6 };
            if examples.len() < most && self.forms_of_faults.insert((*fault, made.forms.clone())) {
                let tape = if is_demanded {
                    shrunk(tape.clone(), in_order, self.time, *fault)
                } else {
                    tape.clone()
                };
                let small = self::made(&tape);
                let what = examined(&small, in_order, self.time).faults.remove(fault);
                let what = what.unwrap_or_else(|| "not seen again".to_owned());
                let order = if in_order { " (in order)" } else { "" };
                let (rule, forms) = (&small.rule, small.forms.join(", "));
                let example = format!("  {rule}{order}\n    {what}\n    [{forms}] of rule {index}");
                if !examples
                    .iter()
                    .any(|other| other.starts_with(&format!("  {rule}")))
                {
                    println!("{fault:?}\n{example}");
                    examples.push(example);
                }
            }
        }
    }

    fn print(&self) {
        for (what, count) in &self.counts {
            println!("{count:7} {what}");
        }
        for (fault, count) in &self.faults {
            println!("{count:7} {fault:?}");
        }
        let mut forms: Vec<_> = self.forms.iter().collect();
        forms.sort_by_key(|(_, form)| std::cmp::Reverse(form.unanswered));
        for (name, form) in forms.into_iter().take(10) {
            let Form {
                all,
                unanswered,
                example,
            } = form;
            println!(
                "{unanswered:7} of {all} with '{name}' not answered exactly, such as\n        {example}"
            );
        }
    }
}

#[test]
fn loops_agree_with_an_independent_judge() {
    let asked = env::var("DICEDIST_LOOPING").ok();
    let asked: Option<u64> = asked.map(|text| text.trim().parse().expect("a number of rules"));
    let time = Duration::from_millis(if asked.is_some() { 1_000 } else { 250 });
    let rules = asked.unwrap_or(RULES);
    for seed in seeds() {
        let mut tally = Tally {
            time,
            demands_all: env::var_os("DICEDIST_LOOPING_ALL").is_some(),
            ..Tally::default()
        };
        for index in 0..rules {
            tally.add(seed, index);
        }
        tally.print();
        let mut examples = tally.examples.iter();
        if let Some((fault, examples)) = examples.find(|(fault, _)| tally.demands(**fault)) {
            let examples = examples.join("\n");
            panic!("with DICEDIST_SEED={seed}: {fault:?}\n{examples}");
        }
        let unanswered = tally.counts.get("not answered exactly").copied();
        let unanswered = unanswered.unwrap_or_default();
        assert!(
            unanswered * 2 <= rules,
            "with DICEDIST_SEED={seed}: {unanswered} of {rules} rules have no exact answer"
        );
    }
}

/// The probability that a rule never ends.
fn never_ends(text: &str) -> String {
    let answer = crate::rules::analyze(Dialect::Bones, text, &Limits::default()).unwrap();
    answer.probability(&answer.never_ends()).to_string()
}

/// The inner loop never ends with 1/2, which matters although its value does not.
#[test]
fn a_round_that_gives_nothing_may_never_end() {
    for text in [
        "while x=1 do (let q=(while y=d2 do (if ==1 y then 1 else ())) in ())",
        "while x=1 do (<1 (while y=d2 do (if ==1 y then 1 else ())))",
        "while x=1 do ((0*(sum(while y=d2 do (if ==1 y then 1 else ()))))#5)",
    ] {
        assert_eq!(never_ends(text), "1/2", "{text}");
    }
}

/// The same behind a condition: two inner loops end with 1/4 together, and three with 1/8.
#[test]
fn a_round_that_gives_nothing_may_never_end_where_it_is_reached() {
    let endless = "sum (while y=d2 do if ==1 y then y else ())";
    for (body, never) in [
        (format!("if ==1 x then ==1 (2#{endless}) else ()"), "1/4"),
        (format!("if ==1 x then ==9 (3#{endless}) else ()"), "7/24"),
        (
            format!("if ==1 x then (if ==1 d2 then ==1 (2#{endless}) else ()) else ()"),
            "1/8",
        ),
    ] {
        for folded in ["sum", "count"] {
            let text = format!("{folded} (while x=d3 do ({body}))");
            assert_eq!(never_ends(&text), never, "{text}");
        }
    }
}

/// The last value of a loop whose round gives nothing: it is known without the loops of that round, which never end with 1/2 each.
#[test]
fn the_last_value_waits_for_a_round_that_gives_nothing() {
    let endless = "sum (while y=d2 do ==1 y)";
    for (text, never) in [
        (
            format!("sum last 1 (while x=1 do ==9 ((sum x)#({endless})))"),
            "1/2",
        ),
        (
            format!("(sum last 1 (while x=1 do ==9 ((sum x)#({endless})))) == 1"),
            "1/2",
        ),
        (
            format!("sum last 1 (while x=d2 do (foreach i in x do ==9 ({endless})))"),
            "1/2",
        ),
        (
            "sum last 1 (while x=d3 do ==9 (sum first 2 (while y=x do if ==1 y then y else ())))"
                .to_owned(),
            "1/3",
        ),
        (
            format!("sum drop last 1 (while x=(1, 0-1) do ==9 ((count ==1 x)#({endless})))"),
            "1/2",
        ),
        (
            format!(
                "sum last 1 (while x=d3 do if ==1 x then ==9 (foreach i in x do {endless}) else ())"
            ),
            "1/6",
        ),
    ] {
        assert_eq!(never_ends(&text), never, "{text}");
    }
}

/// A 1 is followed by an error with 1/2, and by a 1 or a 2 with 1/4 each; a 2 ends the loop. So the loop fails with
/// `f = 1/2 + f/4 = 2/3`, and else its last value is 2, its highest is 2, and one member is 2: the divisor is 0. The first two
/// values are 1 and 2 with 1/4.
#[test]
fn an_error_behind_a_failing_loop_uses_its_rolls() {
    let failing = "(while x=1 do (if ==1 x then d2/(d2-1) else ()))";
    for (divisor, share) in [
        (format!("2-(sum last 1 {failing})"), "1"),
        (format!("2-(high 1 {failing})"), "1"),
        (format!("1-(count ==2 {failing})"), "1"),
        (format!("3-(sum first 2 {failing})"), "11/12"),
    ] {
        let text = format!("1/({divisor})");
        let error = crate::rules::analyze(Dialect::Bones, &text, &Limits::default()).unwrap_err();
        let least = error.least_probability().unwrap().to_string();
        assert_eq!(least, share, "{text}");
    }
}

/// The inner loop fails with 4/9; else it has two values with 1/3 and three with 2/9. The outer loop fails from 2 with 4/9, and
/// from 3 with `4/9 + 1/3·4/9`.
#[test]
fn a_round_with_a_failing_loop_uses_its_rolls() {
    let inner = "(count(while y=4 do (if >2 y then y-(d2+0/(d3-1)) else ())))";
    let text = format!("count(while x=3 do (<x {inner}))");
    let error = crate::rules::analyze(Dialect::Bones, &text, &Limits::default()).unwrap_err();
    let least = error.least_probability().unwrap().to_string();
    assert_eq!(least, "16/27", "{text}");
}
