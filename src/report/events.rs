//! The words for an event and its chance, which the lines of one rule and the grid of several share.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

use super::{Answered, Query, one_line};
use crate::algebra::weight::reduced;
use crate::number::Fraction;
use crate::summary::Figure;

/// The longest denominator of a fraction that is written, in bits: about ten thousand digits.
const LONGEST_FRACTION: u64 = 33_220;

/// The longest denominator of a fraction that is reduced, in bits.
const LONGEST_REDUCED: u64 = 1 << 19;

/// The words for an event.
pub(crate) fn event(query: &Query, rule: &Answered) -> String {
    let words = query.name().replace('-', " ");
    match query {
        Query::AtLeast(number) | Query::AtMost(number) | Query::Exactly(number) => {
            format!("{words} {}", rule.answer.unit.show(number))
        }
        Query::Label(text) => format!("{words} {}", one_line(text)),
        Query::Condition(text) => one_line(text),
    }
}

/// The most by which an observed share can differ from the chance.
pub(crate) fn distance(seen: &Fraction, bounds: &Figure) -> Fraction {
    let above = bounds.high() - seen;
    let below = seen - bounds.low();
    above.max(below)
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

/// A fraction in lowest terms, or a remark that it is too long to read. A fraction with a very long denominator is reduced only
/// if its numerator becomes 1: otherwise the reduced fraction is hardly shorter, and reducing is slow.
pub(crate) fn readable(fraction: &Fraction) -> String {
    const TOO_LONG: &str = "(too long to read; --format json has it)";
    let (numerator, denominator) = (fraction.numer(), fraction.denom());
    let is_long = |denominator: &BigInt| denominator.bits() > LONGEST_FRACTION;
    if denominator.bits() <= LONGEST_REDUCED {
        let fraction = reduced(fraction);
        return if is_long(fraction.denom()) {
            TOO_LONG.into()
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
        _ => TOO_LONG.into(),
    }
}
