//! Sums, products and mixtures of independent distributions, within limits.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use dicedist::algebra::weight::lcm;
use dicedist::algebra::{Law, Mass, Numbers, Remainder, Stop, Weight};
use dicedist::engine::{Answer, Outcomes};
use dicedist::limits::{Budget, Limits, Observer, Unobserved};
use dicedist::number::{Fraction, Integer, MAX_BITS, Unit};
use dicedist::{Diagnostic, Error, ErrorKind};

/// An operator of independent numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    FloorDivide,
    Max,
    Min,
    Modulo,
    Multiply,
    Subtract,
}

impl Operator {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "+" => Self::Add,
            "//" => Self::FloorDivide,
            "max" => Self::Max,
            "min" => Self::Min,
            "%" => Self::Modulo,
            "*" => Self::Multiply,
            "-" => Self::Subtract,
            _ => return None,
        })
    }
}

/// The distribution of a function of two independent numbers.
///
/// # Errors
///
/// An error of kind `type` for what is no exact distribution of numbers, and those of the limits.
pub(crate) fn combined(
    operator: Operator,
    ours: &Answer,
    theirs: &Answer,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let unit = ours.unit.common(&theirs.unit).map_err(|_| too_long())?;
    let [a, b] = [ours, theirs].map(|answer| law(answer, &unit));
    let (a, b) = (a?, b?);
    let budget = Budget::start(limits, observer);
    let anywhere = |_: &Mass, _: &Mass| Ok::<_, Stop>((None, None));
    if matches!(operator, Operator::FloorDivide | Operator::Modulo) {
        check_divisor(&b)?;
    }
    let found = match operator {
        Operator::Add => a.add(&b, &budget).map(|law| (law, unit)),
        Operator::Subtract => b
            .scaled(&(-1).into(), &budget)
            .and_then(|opposite| a.add(&opposite, &budget))
            .map(|law| (law, unit)),
        Operator::Multiply => {
            let square = unit.parts().mul(unit.parts()).map_err(|_| too_long())?;
            let unit = Unit::new(square).ok_or_else(too_long)?;
            a.combined(&b, Integer::mul, anywhere, &budget)
                .map(|law| (law, unit))
        }
        Operator::FloorDivide => {
            let quotient = |a: &Integer, b: &Integer| Ok(a.div_floor(b).unwrap_or_default());
            a.combined(&b, quotient, anywhere, &budget)
                .map(|law| (law, Unit::WHOLE))
        }
        Operator::Modulo => {
            let rest = |a: &Integer, b: &Integer| Ok(a.mod_floor(b).unwrap_or_default());
            a.combined(&b, rest, anywhere, &budget)
                .map(|law| (law, unit))
        }
        Operator::Max => a
            .combined(&b, |a, b| Ok(a.max(b).clone()), anywhere, &budget)
            .map(|law| (law, unit)),
        Operator::Min => a
            .combined(&b, |a, b| Ok(a.min(b).clone()), anywhere, &budget)
            .map(|law| (law, unit)),
    };
    let (law, unit) = found.map_err(stopped)?;
    Ok(answer(law, unit))
}

/// The sum of so many independent rolls.
///
/// # Errors
///
/// As [`combined`].
pub(crate) fn power(
    of: &Answer,
    rolls: u32,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let law = law(of, &of.unit)?;
    let budget = Budget::start(limits, observer);
    let power = law.power(rolls, &budget).map_err(stopped)?;
    Ok(answer(power, of.unit.clone()))
}

/// A mixture of distributions with these weights, whose sum is above 0.
///
/// # Errors
///
/// As [`combined`].
pub(crate) fn mixture(
    parts: &[(Weight, Arc<Answer>)],
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let mut unit = Unit::WHOLE;
    for (_, part) in parts {
        unit = unit.common(&part.unit).map_err(|_| too_long())?;
    }
    let laws = parts
        .iter()
        .map(|(weight, part)| Ok((weight.clone(), Rc::new(law(part, &unit)?))));
    let laws: Vec<_> = laws.collect::<Result<_, Error>>()?;
    let total: Weight = parts.iter().map(|(weight, _)| weight).sum();
    let budget = Budget::start(limits, observer);
    let mixed = Law::mixture(&laws, Remainder::nothing(total), &budget).map_err(stopped)?;
    Ok(answer(mixed.reduced(&budget).map_err(Error::from)?, unit))
}

/// Whether two distributions of numbers are the same.
pub(crate) fn equal(a: &Answer, b: &Answer) -> bool {
    let (Some(ours), Some(theirs)) = (a.numbers(), b.numbers()) else {
        return false;
    };
    let Ok(unit) = a.unit.common(&b.unit) else {
        return false;
    };
    let scale = |answer: &Answer| unit.parts_of(&answer.unit).unwrap_or(Integer::ONE);
    let (by_a, by_b) = (scale(a), scale(b));
    let common = lcm(a.total(), b.total());
    let [to_a, to_b] = [a, b].map(|answer| &common / answer.total());
    let masses = |answer: &Answer, by: &Integer, to: &Weight| {
        let end = |end: Option<Integer>| end.and_then(|end| end.mul(by).ok());
        let masses = answer.law.masses().into_iter();
        let masses: Vec<_> = masses
            .map(|mass| (end(mass.low), end(mass.high), mass.weight * to))
            .collect();
        (masses, answer.never_ends() * to)
    };
    a.sampling().is_some() == b.sampling().is_some()
        && ours.len() == theirs.len()
        && masses(a, &by_a, &to_a) == masses(b, &by_b, &to_b)
        && ours
            .iter()
            .zip(theirs.iter())
            .all(|((x, v), (y, w))| x.mul(&by_a) == y.mul(&by_b) && v * &to_a == w * &to_b)
}

/// An answer in a unit that is a part of its own; `None` if it has no numbers, or if one is too long.
pub(crate) fn in_unit<'a>(answer: &'a Answer, unit: &Unit) -> Option<Cow<'a, Answer>> {
    if answer.unit == *unit {
        return Some(Cow::Borrowed(answer));
    }
    let law = law(answer, unit).ok()?;
    Some(Cow::Owned(self::answer(law, unit.clone())))
}

fn answer(law: Law, unit: Unit) -> Answer {
    let mut answer = Answer::new(law, 0);
    answer.unit = unit;
    answer
}

/// The law of an answer, in a unit that is a part of its own.
fn law(answer: &Answer, unit: &Unit) -> Result<Law, Error> {
    let Outcomes::Numbers(listed) = answer.outcomes() else {
        let finding = Diagnostic::without_place("the outcomes are no numbers");
        return Err(Error::new(ErrorKind::Type, finding));
    };
    if answer.sampling().is_some() {
        let message = "a sampled distribution has no exact sums and images";
        let finding = Diagnostic::without_place(message);
        let help = "solve the whole rule, or sample it as one";
        return Err(Error::new(ErrorKind::Type, finding.with_help(help)));
    }
    let weighted = listed
        .iter()
        .map(|(number, weight)| (number.clone(), weight.clone()));
    let numbers = Numbers::new(weighted, listed.total().clone());
    let law = answer.law.clone().relisted(|_| numbers);
    let factor = unit.parts_of(&answer.unit).ok_or_else(too_long)?;
    if factor == Integer::ONE {
        return Ok(law);
    }
    let limits = Limits::unbounded();
    law.scaled(&factor, &Budget::start(&limits, &Unobserved))
        .map_err(stopped)
}

/// Fails where a divisor can be zero, or is not known.
fn check_divisor(law: &Law) -> Result<(), Error> {
    let zero = law.listed.weight_of(&Integer::ZERO);
    let total = law.total().clone();
    let unlisted = &total - law.listed.mass();
    if zero == Weight::ZERO && unlisted == Weight::ZERO {
        return Ok(());
    }
    let finding = Diagnostic::without_place("the divisor can be 0");
    let error = Error::new(ErrorKind::DivisionByZero, finding);
    let chance = Fraction::new(zero.into(), total.into());
    Err(if unlisted == Weight::ZERO {
        error.with_probability(chance)
    } else {
        error.with_least_probability(chance)
    })
}

fn stopped(stop: Stop) -> Error {
    match stop {
        Stop::Limit(reached) => reached.into(),
        _ => too_long(),
    }
}

fn too_long() -> Error {
    let message = format!("an outcome would be longer than {MAX_BITS} bits");
    Error::new(ErrorKind::Overflow, Diagnostic::without_place(message))
}
