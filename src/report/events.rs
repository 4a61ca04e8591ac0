//! The words for an event and its chance, which the lines of one rule and the grid of several share.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

use super::{Answered, Query, Style, one_line};
use crate::algebra::weight::reduced;
use crate::number::{Fraction, Integer};

/// The longest denominator of a fraction that is written, in bits: about ten thousand digits.
const LONGEST_FRACTION: u64 = 33_220;

/// The longest denominator of a fraction that is written unasked, in bits: about 45 digits.
const LONGEST_UNASKED: u64 = 150;

/// The longest denominator of a fraction that is reduced, in bits.
const LONGEST_REDUCED: u64 = 1 << 19;

/// The words for an event.
pub(crate) fn event(query: &Query, rule: &Answered) -> String {
    if let Some(word) = of_condition(query, rule) {
        return word.into();
    }
    let words = query.name().replace('-', " ");
    match query {
        Query::AtLeast(number) | Query::AtMost(number) | Query::Exactly(number) => {
            format!("{words} {}", rule.answer.unit.show(number))
        }
        Query::Label(text) => format!("{words} {}", one_line(text)),
        Query::Condition(text) => one_line(text),
    }
}

/// The answer of a condition that an event is.
fn of_condition(query: &Query, rule: &Answered) -> Option<&'static str> {
    match query {
        Query::Exactly(number) if rule.is_condition && *number == Integer::ONE => Some("yes"),
        Query::Exactly(number) if rule.is_condition && *number == Integer::ZERO => Some("no"),
        _ => None,
    }
}

/// The words for an event in a picture.
#[cfg(feature = "svg")]
pub(crate) fn in_a_picture(query: &Query, rule: &Answered) -> String {
    if let Some(word) = of_condition(query, rule) {
        return word.into();
    }
    let unit = &rule.answer.unit;
    match query {
        Query::AtLeast(number) => format!("{} or more", unit.show(number)),
        Query::AtMost(number) => format!("{} or less", unit.show(number)),
        Query::Exactly(number) => format!("exactly {}", unit.show(number)),
        Query::Label(text) => one_line(text),
        Query::Condition(text) => with_signs(&one_line(text)),
    }
}

/// A condition with the signs of mathematics, unless it has labels, which stay as they are.
#[cfg(feature = "svg")]
fn with_signs(condition: &str) -> String {
    if condition.contains('"') {
        return condition.into();
    }
    let signs = [(">=", "≥"), ("<=", "≤"), ("!=", "≠"), ("-", "−")];
    let mut text = condition.to_owned();
    for (typed, sign) in signs {
        text = text.replace(typed, sign);
    }
    text
}

/// The chance of an event for a picture, with a sign before it if it is not exact: `≈` for the observed share of a sample, `≥` for the
/// lower bound of what is known within bounds alone.
#[cfg(feature = "svg")]
pub(crate) fn share(query: &Query, rule: &Answered) -> Option<(&'static str, Fraction)> {
    if let Some(seen) = rule.seen(query) {
        return Some(("≈", seen));
    }
    let event = rule.event(query)?;
    let sign = if event.exact().is_some() { "" } else { "≥" };
    Some((sign, event.low().clone()))
}

/// The most by which an observed share can differ from the chance.
pub(crate) fn distance(seen: &Fraction, [low, high]: [&Fraction; 2]) -> Fraction {
    (high - seen).max(seen - low)
}

/// Why a question has no answer.
pub(crate) fn why_not(rule: &Answered, query: &Query) -> &'static str {
    let shape = &rule.answer.shape;
    match query {
        _ if shape.parts().is_some() => {
            "a record: ask about its parts, as in --chance \"hits >= 2\""
        }
        Query::Exactly(_) | Query::Label(_) => "a list is no single value",
        _ if shape.is_single() => "labels have no order",
        _ => "a list has no order; write sum(…), count or max(…) for one number",
    }
}

/// A fraction in lowest terms, or a remark that it is too long to read, or longer than is of use to somebody who has not asked for
/// fractions. A fraction with a very long denominator is reduced only
/// if its numerator becomes 1: otherwise the reduced fraction is hardly shorter, and reducing is slow.
pub(crate) fn readable(fraction: &Fraction, style: &Style) -> String {
    let (longest, too_long) = if style.fractions {
        (LONGEST_FRACTION, "(too long to read; --format json has it)")
    } else {
        (LONGEST_UNASKED, "(long; --fractions has it)")
    };
    let (numerator, denominator) = (fraction.numer(), fraction.denom());
    let is_long = |denominator: &BigInt| denominator.bits() > longest;
    if denominator.bits() <= LONGEST_REDUCED {
        let fraction = reduced(fraction);
        return if is_long(fraction.denom()) {
            too_long.into()
        } else {
            fraction.to_string()
        };
    }
    if numerator.is_zero() {
        return "0".into();
    }
    match denominator.div_rem(numerator) {
        (parts, rest) if rest.is_zero() && !is_long(&parts) => {
            Fraction::new(1.into(), parts).to_string()
        }
        _ => too_long.into(),
    }
}
