//! Programs that leave rolls out: the distribution of all other rolls.
//!
//! Two programs that leave no roll out are answered instead: whether a roll is kept, and the value with a blank for each roll that
//! is left out. The weight of what is left out is taken from the blank again. So loops, tails and moments are found as in any other
//! program.

use num_traits::Zero as _;

use super::answer::Answer;
use super::outcomes::{Outcomes, Value};
use crate::algebra::weight::{lcm, probability};
use crate::algebra::{Distribution, Law, Mass, Moments, Numbers, Tail, Weight};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::Program;
use crate::limits::{Budget, LimitReached};
use crate::number::{Fraction, Integer};
use crate::source::Span;

/// Answers a program that leaves no roll out.
pub(super) type Evaluate<'e> = dyn Fn(&Program) -> Result<Answer, Error> + 'e;

/// The answer of a program by an evaluator of programs that leave no roll out.
pub(super) fn answer(
    program: &Program,
    budget: &Budget<'_>,
    evaluate: &Evaluate<'_>,
) -> Result<Answer, Error> {
    let Some(place) = program.rejects_at() else {
        return evaluate(program);
    };
    let verdict = evaluate(&program.verdict());
    let number = program.ends_with_numbers();
    let value = if number {
        evaluate(&program.zero_where_rejected())
    } else {
        evaluate(&program.empty_where_rejected())
    };
    // An error before the condition is an error of both programs; the value names the first error.
    let value = value?;
    let verdict = verdict?;
    let Some(answer) = kept(&value, &verdict, number, place)? else {
        let value = evaluate(&program.empty_where_rejected())?;
        let answer = kept(&value, &verdict, false, place)?;
        return answer.ok_or_else(|| LimitReached::States(budget.limits().states).into());
    };
    Ok(answer)
}

/// The error of a condition that never holds.
fn never_holds(place: Span) -> Error {
    let finding = Diagnostic::new(place, "the condition never holds")
        .with_label("no roll is left")
        .with_help("change the condition, or ask for the value without it");
    Error::new(ErrorKind::Domain, finding)
}

/// The distribution of the rolls that are kept. `None` if the weight of the blank lies in a tail.
fn kept(
    value: &Answer,
    verdict: &Answer,
    number: bool,
    place: Span,
) -> Result<Option<Answer>, Error> {
    let of = |n: i64| {
        let numbers = verdict.numbers();
        numbers.map_or(Weight::ZERO, |numbers| numbers.weight_of(&n.into()))
    };
    let common = lcm(value.total(), verdict.total());
    let (scale, verdict_scale) = (&common / value.total(), &common / verdict.total());
    let (left_out, sure) = (of(0) * &verdict_scale, of(1) * &verdict_scale);
    let open = verdict.unresolved() * &verdict_scale;
    if sure == Weight::ZERO {
        // Where it is open whether the condition ever holds, nothing is known of the rolls that are kept.
        return if open == Weight::ZERO {
            Err(never_holds(place))
        } else {
            Ok(None)
        };
    }
    // Where it is open whether a roll is kept, it counts as kept without a known value. That bounds each probability rightly: a
    // share p/q of what is kept lies between p/(q + r) and (p + r)/(q + r) for any part r that is open.
    let total = &sure + &open;
    let blank: &[Integer] = if number { &[Integer::ZERO] } else { &[] };
    let mut rest = left_out.clone();
    let mut outcomes = Vec::with_capacity(value.outcomes().len());
    for (outcome, weight) in value.outcomes().iter() {
        let members = match outcome {
            Value::List(list) => list,
            Value::Members(_) => unreachable!("an evaluator answers in integers"),
            Value::Number(number) => std::slice::from_ref(number),
        };
        let mut weight = weight * &scale;
        if members == blank {
            let taken = rest.clone().min(weight.clone());
            weight -= &taken;
            rest -= &taken;
            // Open weight may be left out as well.
            let taken = open.clone().min(weight.clone());
            weight -= taken;
        }
        if weight != Weight::ZERO {
            outcomes.push((members.to_vec(), weight));
        }
    }
    // The rest of the blank's weight must be unresolved.
    if rest > value.unresolved() * &scale {
        return Ok(None);
    }
    let never = value.never_ends() * &scale;
    let never_before = verdict.never_ends() * &verdict_scale;
    let never = if never > never_before {
        never - never_before
    } else {
        Weight::ZERO
    };
    let states = value.states.max(verdict.states);
    let chance = probability(&sure, &common);
    let (share, part) = (
        probability(&total, &common),
        probability(&left_out, &common),
    );
    let answer = if number {
        let numbers = outcomes
            .into_iter()
            .map(|(mut list, weight)| (list.pop().expect("one number"), weight));
        let tail = |tail: &Tail| (tail.bound.clone(), &tail.weight * &scale);
        let above = value.above().map(tail);
        let below = value.below().map(tail);
        let above = above.map(|(bound, weight)| Mass::at_or_above(bound, weight));
        let below = below.map(|(bound, weight)| Mass::at_or_below(bound, weight));
        let mut masses: Vec<Mass> = above.into_iter().chain(below).collect();
        let moments = value.law.unlisted.as_ref().and_then(|unlisted| {
            let moments = unlisted.moments.clone()?;
            let scaled = |moment: Option<Fraction>| moment.map(|moment| moment / &share);
            let ends = (moments.ends - &part) / &share;
            (verdict.unresolved() == Weight::ZERO && !ends.is_zero()).then(|| Moments {
                ends,
                first: scaled(moments.first),
                second: scaled(moments.second),
            })
        });
        let listed = Numbers::new(numbers, total);
        // Open weight of the value or of the condition may be any number.
        let tails: Weight = masses.iter().map(|mass| &mass.weight).sum();
        let known = listed.mass() + tails + &never;
        if known < *listed.total() {
            masses.push(Mass::anywhere(listed.total() - known));
        }
        Answer::new(Law::new(listed, masses, never, moments), states)
    } else {
        let outcomes = Outcomes::from_lists(Distribution::new(outcomes, total));
        Answer::new(Law::else_unresolved(outcomes, never), states)
    };
    Ok(Some(Answer {
        route: value.route,
        may_fail: value.may_fail.clone().max(verdict.may_fail.clone()),
        plays_within: value.plays_within.max(verdict.plays_within),
        given: Some([chance, share]),
        ..answer
    }))
}
