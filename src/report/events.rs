//! The words for an event, which the lines of one rule, the grid of several and pictures share.

use super::{Answered, Query, one_line};
use crate::number::Integer;

/// The words for an event.
pub(crate) fn event(query: &Query, rule: &Answered) -> String {
    let words = query.name().replace('-', " ");
    match query {
        Query::Exactly(number) if rule.is_condition && *number == Integer::ONE => "yes".into(),
        Query::Exactly(number) if rule.is_condition && *number == Integer::ZERO => "no".into(),
        Query::AtLeast(number) | Query::AtMost(number) | Query::Exactly(number) => {
            format!("{words} {}", rule.answer.unit.show(number))
        }
        Query::Label(text) => format!("{words} {}", one_line(text)),
        Query::Condition(text) => one_line(text),
    }
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
