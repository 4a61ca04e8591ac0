//! The words for an event, which the lines of one rule, the grid of several and pictures share.

use super::{Answered, Query, one_line};
use crate::number::Integer;

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
