//! Running totals of an answer, for curves and tables on the page.

use dicedist::number::Integer;
use dicedist::report::{Answered, Query, decimal};
use serde::Serialize;

/// The most outcomes whose running totals are taken exactly. The page adds up the decimals of more.
const MOST: usize = 3000;

/// The chances of each listed number or more, and or less.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Curves {
    at_least: Vec<f64>,
    at_most: Vec<f64>,
}

/// The curves of an exact rule of numbers; of a chance that is open, the least one.
pub(crate) fn of(rule: &Answered) -> Option<Curves> {
    let numbers = rule.answer.numbers()?.outcomes();
    if numbers.len() > MOST || rule.answer.sampling().is_some() {
        return None;
    }
    let chances = |query: fn(Integer) -> Query| {
        let chance =
            |value: &Integer| Some(decimal::nearest(rule.event(&query(value.clone()))?.low()));
        numbers.iter().map(chance).collect::<Option<Vec<f64>>>()
    };
    Some(Curves {
        at_least: chances(Query::AtLeast)?,
        at_most: chances(Query::AtMost)?,
    })
}
