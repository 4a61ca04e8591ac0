//! What the product says of a text, and what differs from the judge's law.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::time::Duration;

use dicedist::ask::{Asked, Question};
use dicedist::limits::{Limits, Unobserved};
use dicedist::number::{Fraction, Integer};
use dicedist::report::Answered;
use dicedist::source::Source;
use dicedist::summary::{Figure, Summary};
use dicedist::{Dialect, Error};
use num_traits::{One, Zero};

use super::eval::{judge, known, mean_and_variance};
use super::kinds::Kind as Known;
use super::law::{Law, Member, Value};
use super::read::read_one;
use super::tree::{Form, Program, Tree};

/// What may be wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// The product panics.
    Panic,
    /// A probability of a value differs from the judge's, or the mean or the variance does.
    Number,
    /// The probability that the rule never ends differs.
    Never,
    /// The probability of the condition after `given` differs.
    Given,
    /// An answer where some path fails.
    MissedError,
    /// An error where no path fails, or of a kind that no path has.
    FalseError,
    /// No answer to a rule that may be read.
    Refused,
    /// Another probability of an error.
    ErrorChance,
    /// An answer to a question, such as `--at-least` or `--chance`, differs.
    Query,
    /// Another figure with another tolerance.
    Moved,
    /// A warning that the rule may fail, where no path fails.
    FalseWarning,
    /// A loop that the judge solves is cut.
    Cut,
}

/// What is wrong, and how the two differ.
pub(super) type Faults = BTreeMap<Fault, String>;

/// What came of a rule.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is counted by itself")]
pub(super) struct Outcome {
    pub(super) faults: Faults,
    /// The judge gave up.
    pub(super) is_unjudged: bool,
    /// The product reached a limit.
    pub(super) is_limit: bool,
    /// The judge left nothing open.
    pub(super) is_exact: bool,
    pub(super) is_error: bool,
}

/// An answer with numbers that can be compared.
struct Found {
    listed: BTreeMap<Value, Fraction>,
    above: Option<(i128, Fraction)>,
    below: Option<(i128, Fraction)>,
    never: Fraction,
    unresolved: Fraction,
}

fn member(member: dicedist::engine::MemberRef<'_>) -> Option<Member> {
    match member {
        dicedist::engine::MemberRef::Number(number) => Some(Member::Number(whole(number)?)),
        dicedist::engine::MemberRef::Label(label) => Some(Member::Label((*label.text).into())),
        _ => None,
    }
}

fn whole(number: &Integer) -> Option<i128> {
    number.to_string().parse().ok()
}

impl Found {
    /// `None` if a number is longer than those of the judge: a long product.
    fn new(rule: &Answered) -> Option<Self> {
        let answer = &rule.answer;
        let mut listed: BTreeMap<Value, Fraction> = BTreeMap::new();
        for (value, weight) in answer.outcomes().iter() {
            let mut members = value.members().map(member).collect::<Option<Value>>()?;
            if let Some(parts) = answer.shape.parts() {
                let names: super::law::Names =
                    parts.iter().map(|part| (*part.name).into()).collect();
                let records = members.chunks(names.len());
                members = records
                    .map(|record| Member::Record(names.clone(), record.to_vec()))
                    .collect();
            }
            if !rule.ordered {
                members.sort();
            }
            *listed.entry(members).or_default() += answer.probability(weight);
        }
        let tail = |tail: Option<&dicedist::algebra::Tail>| match tail {
            None => Some(None),
            Some(tail) => Some(Some((
                whole(&tail.bound)?,
                answer.probability(&tail.weight),
            ))),
        };
        Some(Self {
            listed,
            above: tail(answer.above())?,
            below: tail(answer.below())?,
            never: answer.probability(&answer.never_ends()),
            unresolved: answer.probability(&answer.unresolved()),
        })
    }

    /// What differs from the judge's law.
    fn compare(&self, law: &Law, faults: &mut Faults) {
        let tails = [&self.above, &self.below].into_iter().flatten();
        let tails: Fraction = tails.map(|(_, share)| share).sum();
        let all = self.listed.values().sum::<Fraction>() + tails + &self.never + &self.unresolved;
        if all != Fraction::one() {
            faults.insert(Fault::Number, format!("all together is {all}"));
        }
        let mut check = |fault: Fault, what: String, found: &Fraction, least: &Fraction| {
            if *found > least + &law.open || *least > found + &self.unresolved {
                let (open, unresolved) = (&law.open, &self.unresolved);
                let text = format!(
                    "P({what}) is {found} with {unresolved} unresolved, the judge says {least} with {open} open"
                );
                faults.entry(fault).or_insert(text);
            }
        };
        let none = Fraction::zero();
        let (mut above, mut below) = (none.clone(), none.clone());
        for (value, found) in &self.listed {
            check(
                Fault::Number,
                format!("{value:?}"),
                found,
                law.values.get(value).unwrap_or(&none),
            );
        }
        for (value, least) in &law.values {
            let is_in =
                |tail: &Option<(i128, Fraction)>, is_above: bool| match (tail, value.as_slice()) {
                    (Some((bound, _)), [Member::Number(value)]) => {
                        if is_above {
                            value >= bound
                        } else {
                            value <= bound
                        }
                    }
                    _ => false,
                };
            if self.listed.contains_key(value) {
            } else if is_in(&self.above, true) {
                above += least;
            } else if is_in(&self.below, false) {
                below += least;
            } else {
                check(Fault::Number, format!("{value:?}"), &none, least);
            }
        }
        for (tail, least) in [(&self.above, above), (&self.below, below)] {
            if let Some((bound, found)) = tail {
                check(Fault::Number, format!("tail at {bound}"), found, &least);
            }
        }
        check(
            Fault::Never,
            "never ends".to_owned(),
            &self.never,
            &law.never,
        );
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
        differs(&self.never, &other.never)
            .then(|| format!("never ends: {} and {}", self.never, other.never))
    }
}

/// The mean and the variance of a law of numbers in which nothing is open, given that it ends.
fn moments(law: &Law) -> Option<[Fraction; 2]> {
    let ends: Fraction = law.values.values().sum();
    if !law.open.is_zero() || ends.is_zero() {
        return None;
    }
    let (mut mean, mut square) = (Fraction::zero(), Fraction::zero());
    for (value, share) in &law.values {
        let [Member::Number(value)] = value.as_slice() else {
            return None;
        };
        let value = Fraction::from_integer((*value).into());
        mean += &value * share / &ends;
        square += &value * &value * share / &ends;
    }
    let variance = square - &mean * &mean;
    Some([mean, variance])
}

/// The questions that are asked of a rule with such values.
fn questions(law: &Law, known: &Known) -> Vec<Asked> {
    let at = |number: i64| Fraction::from_integer(number.into());
    let condition = |text: &str| Asked::Condition(Source::new("condition", text));
    let all = |is: fn(&Value) -> bool| law.values.keys().all(is);
    if let Known::Record(names) = known {
        let are_here = names.iter().map(|name| &**name).eq(["u", "v"]);
        let all = ["u >= 1", "v == u"].into_iter().filter(|_| are_here);
        all.map(condition).collect()
    } else if all(|value| matches!(value.as_slice(), [Member::Number(_)])) && *known != Known::List
    {
        let conditions = [condition("value >= 2"), condition("value % 2 == 0")];
        let bounds = [
            Asked::AtLeast(at(2)),
            Asked::AtMost(at(1)),
            Asked::Exactly(at(2)),
        ];
        bounds.into_iter().chain(conditions).collect()
    } else {
        vec![
            condition("count value >= 1"),
            condition("count distinct value == 2"),
        ]
    }
}

/// The condition on `value` that a question stands for.
fn condition(asked: &Asked) -> String {
    match asked {
        Asked::AtLeast(number) => format!("value >= {number}"),
        Asked::AtMost(number) => format!("value <= {number}"),
        Asked::Exactly(number) => format!("value == {number}"),
        Asked::Condition(source) => source.text().to_owned(),
        Asked::Label(_) => unreachable!("labels are asked for by conditions"),
    }
}

fn literal(member: &Member) -> Tree {
    match member {
        Member::Number(number) => Tree::number(*number),
        Member::Label(text) => Tree::new(Form::Label(text.clone()), []),
        Member::Record(names, parts) => {
            let parts: Vec<Tree> = parts.iter().map(literal).collect();
            Tree::new(Form::Record(names.clone()), parts)
        }
        Member::States(_) => unreachable!("no value of a rule"),
    }
}

/// The probability of an answer to a question.
fn chance(law: &Law, asked: &str) -> Option<Fraction> {
    let mut chance = Fraction::zero();
    for (value, share) in &law.values {
        let mut rule = read_one(asked);
        if let [Member::Record(names, parts)] = value.as_slice() {
            for (name, part) in names.iter().zip(parts) {
                rule = Tree::new(Form::Let(name.clone()), [literal(part), rule]);
            }
        }
        let value: Vec<Tree> = value.iter().map(literal).collect();
        rule = Tree::new(
            Form::Let("value".into()),
            [Tree::new(Form::Join, value), rule],
        );
        let law = judge(
            &Program {
                definitions: Vec::new(),
                rule,
            },
            &[],
            true,
        )
        .ok()?;
        let yes = law
            .values
            .get(&vec![Member::Number(1)])
            .cloned()
            .unwrap_or_default();
        chance += yes * share;
    }
    Some(chance)
}

/// The answer of the product to a text with one rule, or why there is none; a panic is a text.
fn answer(
    text: &str,
    asked: &[Asked],
    in_order: bool,
    tolerance: i64,
    time: Duration,
) -> Result<Result<(Answered, Vec<Option<Figure>>), Error>, String> {
    let limits = Limits::default()
        .with_time(Some(time))
        .with_states(300_000)
        .with_tolerance(Fraction::new(1.into(), tolerance.into()));
    let mut question = Question::of(text);
    question.texts = vec![question.texts[0].clone().in_dialect(Some(Dialect::Bones))];
    question.ordered = in_order;
    question.asked = asked.to_vec();
    let answers = panic::catch_unwind(AssertUnwindSafe(|| question.answer(&limits, &Unobserved)));
    let answers = answers.map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| {
            payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
        })
        .unwrap_or_default()
    })?;
    let mut answers = answers.map_err(|misfit| format!("no question: {misfit}"))?;
    Ok(match answers.refused.pop() {
        // A question may make no sense for the value: whether the rule does is asked without.
        Some(refused) if refused.error.probability().is_none() && !asked.is_empty() => {
            return answer(text, &[], in_order, tolerance, time);
        }
        Some(refused) => Err(refused.error),
        None => {
            let answered = answers.answered.pop().ok_or("no rule")?;
            let figures = answers
                .queries
                .iter()
                .map(|query| answered.event(query))
                .collect();
            Ok((answered, figures))
        }
    })
}

/// An exact answer as a text that has nothing of its reports. `None` for others.
pub(crate) fn canonical(text: &str) -> Option<String> {
    let answered = answer(text, &[], false, 1_000_000_000_000, Duration::from_secs(20));
    let (answered, _) = answered
        .unwrap_or_else(|panic| panic!("{text}: {panic}"))
        .ok()?;
    let answer = &answered.answer;
    let is_exact =
        answer.above().is_none() && answer.below().is_none() && answer.unresolved().is_zero();
    let names: Vec<&str> = answer.shape.parts().map_or_else(Vec::new, |parts| {
        parts.iter().map(|part| &*part.name).collect()
    });
    let member = |member| match member {
        dicedist::engine::MemberRef::Label(label) => format!("\"{}\"", label.text),
        dicedist::engine::MemberRef::Number(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    let mut lines: Vec<String> = Vec::new();
    for (value, weight) in answer.outcomes().iter() {
        let mut members: Vec<String> = value.members().map(member).collect();
        if !names.is_empty() {
            let record = |parts: &[String]| {
                let parts = names.iter().zip(parts);
                let parts: Vec<_> = parts.map(|(name, part)| format!("{name}:{part}")).collect();
                format!("{{{}}}", parts.join(","))
            };
            members = members.chunks(names.len()).map(record).collect();
        }
        lines.push(format!(
            "{} {}",
            members.join(" "),
            answer.probability(weight)
        ));
    }
    lines.sort();
    let never = answer.probability(&answer.never_ends());
    let given = answer.given.as_ref();
    let given = given.map_or_else(Fraction::one, |[given, _]| given.clone());
    is_exact.then(|| format!("{}|{never}|{given}", lines.join(";")))
}

/// Compares the product with the judge's law of a rule.
pub(super) fn examine(program: &Program, law: &Law, in_order: bool, time: Duration) -> Outcome {
    let (text, known) = (&program.to_string(), &known(program));
    let mut outcome = Outcome {
        is_exact: law.open.is_zero(),
        ..Outcome::default()
    };
    let faults = &mut outcome.faults;
    let fails = law.fails();
    let kept = law.kept();
    let asked = questions(law, known);
    let is_condition = *known == Known::Condition;
    // What is exact needs no other tolerance.
    let tolerances: &[i64] = if law.open.is_zero() {
        &[1_000_000_000_000]
    } else {
        &[1_000_000, 1_000_000_000_000]
    };
    let mut before: Option<Found> = None;
    for tolerance in tolerances {
        let (answered, figures) = match answer(text, &asked, in_order, *tolerance, time) {
            Err(message) => {
                faults.insert(Fault::Panic, message);
                return outcome;
            }
            Ok(Err(error)) if error.is_limit() => {
                outcome.is_limit = true;
                return outcome;
            }
            Ok(Err(error)) => {
                outcome.is_error = true;
                examine_error(&error, law, faults);
                return outcome;
            }
            Ok(Ok(answer)) => answer,
        };
        let Some(found) = Found::new(&answered) else {
            outcome.is_limit = true;
            return outcome;
        };
        if fails > found.unresolved {
            faults.insert(
                Fault::MissedError,
                format!("fails with at least {fails} ({:?})", law.errors),
            );
            return outcome;
        }
        let Some(kept) = &kept else {
            faults.insert(Fault::MissedError, "the condition never holds".to_owned());
            return outcome;
        };
        if answered.is_condition != is_condition {
            faults.insert(
                Fault::Number,
                format!("is a condition: {}", answered.is_condition),
            );
        }
        found.compare(kept, faults);
        if law.open.is_zero() && found.unresolved > Fraction::zero() {
            faults.insert(Fault::Cut, format!("{} is unresolved", found.unresolved));
        }
        if law.errors.is_empty() && !answered.answer.may_fail.is_zero() {
            faults.insert(
                Fault::FalseWarning,
                format!("may fail with {}", answered.answer.may_fail),
            );
        }
        let share = Fraction::one() - &law.left_out;
        match &answered.answer.given {
            None if law.left_out.is_zero() || !law.open.is_zero() => {}
            None => drop(faults.insert(
                Fault::Given,
                format!("given is not said, the judge says {share}"),
            )),
            Some([low, high]) => {
                let least = &share - &law.open;
                if *low > share || *high < least {
                    faults.insert(
                        Fault::Given,
                        format!("given is {low} to {high}, the judge says {least} to {share}"),
                    );
                }
            }
        }
        for (asked, figure) in asked.iter().zip(&figures) {
            let text = condition(asked);
            let (Some(low), Some(figure)) = (chance(kept, &text), figure) else {
                continue;
            };
            let high = &low + &kept.open;
            let [least, most] = match figure {
                Figure::Exact(exact) => [exact, exact],
                Figure::Between { low, high } => [low, high],
            };
            if *least > high || *most < low {
                faults.insert(
                    Fault::Query,
                    format!("{text}: {figure}, the judge says {low} to {high}"),
                );
            }
        }
        let summary = Summary::of(&answered.answer);
        let names = [("mean", &summary.mean), ("variance", &summary.variance)];
        let expected = moments(kept).or_else(|| mean_and_variance(program));
        for ((name, found), expected) in names.into_iter().zip(expected.into_iter().flatten()) {
            if found.finite().is_some_and(|found| *found != expected) {
                faults.insert(
                    Fault::Number,
                    format!("the {name} is {found}, the judge says {expected}"),
                );
            }
        }
        if let Some(moved) = before.as_ref().and_then(|before| before.moved(&found)) {
            faults.insert(Fault::Moved, moved);
        }
        before = Some(found);
    }
    outcome
}

fn examine_error(error: &Error, law: &Law, faults: &mut Faults) {
    let (fails, kind) = (law.fails(), error.kind().name());
    let most = &fails + &law.open;
    let never_holds = law.kept().is_none_or(|kept| kept.open.is_one());
    if fails.is_zero() && never_holds && kind == "domain" {
        return;
    }
    if law.open.is_zero() && !law.errors.contains_key(kind) {
        let message = error
            .diagnostics()
            .first()
            .map(|finding| finding.message.clone());
        // What is refused before any roll is refused whatever the rolls do.
        let is_refused = error.probability().is_none()
            && (fails.is_zero() || ["type", "domain"].contains(&kind));
        let fault = if is_refused {
            Fault::Refused
        } else {
            Fault::FalseError
        };
        faults.insert(
            fault,
            format!("{kind} ({message:?}), the judge has {:?}", law.errors),
        );
        return;
    }
    let least = error.least_probability().cloned().unwrap_or_default();
    let exact = error.probability();
    if exact.is_some_and(|exact| !(fails <= *exact && *exact <= most)) || least > most {
        let found = exact.unwrap_or(&least);
        faults.insert(
            Fault::ErrorChance,
            format!("fails with {found}, the judge says {fails} to {most}"),
        );
    }
}

/// Compares the product with the judge on one rule; `None` if the judge gives up.
pub(super) fn examined(program: &Program, in_order: bool, time: Duration) -> Outcome {
    match judge(program, &[], in_order) {
        Err(_) => Outcome {
            is_unjudged: true,
            ..Outcome::default()
        },
        Ok(law) => examine(program, &law, in_order, time),
    }
}
