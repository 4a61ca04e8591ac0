//! What the page needs of an answer beside the report: running totals for curves and tables, and where a condition holds.

use dicedist::number::Integer;
use dicedist::report::{Answered, Query, decimal};
use serde::Serialize;

/// The most outcomes whose running totals are taken exactly. The page adds up the decimals of more.
const MOST: usize = 3000;

/// The chances of each listed number or more, and or less, and whether the only condition holds for each outcome.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Curves<'a> {
    at_least: Option<Vec<f64>>,
    at_most: Option<Vec<f64>>,
    holds: Option<&'a [bool]>,
}

/// The curves of a rule.
pub(crate) fn of(rule: &Answered) -> Curves<'_> {
    let [at_least, at_most] = totals(rule).map_or([None, None], |both| both.map(Some));
    Curves {
        at_least,
        at_most,
        holds: rule.only_holds(),
    }
}

/// The running totals of an exact rule of numbers, from above and from below; of a chance that is open, the least one.
fn totals(rule: &Answered) -> Option<[Vec<f64>; 2]> {
    let numbers = rule.answer.numbers()?.outcomes();
    if numbers.len() > MOST || rule.answer.sampling().is_some() {
        return None;
    }
    let chances = |query: fn(Integer) -> Query| {
        let chance =
            |value: &Integer| Some(decimal::nearest(rule.event(&query(value.clone()))?.low()));
        numbers.iter().map(chance).collect::<Option<Vec<f64>>>()
    };
    Some([chances(Query::AtLeast)?, chances(Query::AtMost)?])
}
