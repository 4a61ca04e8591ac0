//! Numbers and figures: integers of any length, reduced fractions with the nearest double, and bounds.

use std::io;

use serde_json::{Number, Value as Json, json};

use crate::number::{Fraction, Integer, Unit};
use crate::report::decimal;
use crate::report::fraction::exactly;
use crate::summary::{Figure, Moment};

/// Writes a number: an integer, or the string of a fraction.
pub(super) fn put_number(out: &mut impl io::Write, value: &Integer, unit: &Unit) -> io::Result<()> {
    let text = unit.exact(value);
    if text.contains('/') {
        write!(out, "\"{text}\"")
    } else {
        write!(out, "{text}")
    }
}

/// A number in a unit: an integer, or the string of a fraction.
pub(super) fn number(value: &Integer, unit: &Unit) -> Json {
    if unit.is_whole() {
        return integer(value);
    }
    let text = unit.exact(value);
    match text.parse() {
        Ok(whole) => integer(&whole),
        Err(_) => Json::from(text),
    }
}

pub(super) fn integer(value: &Integer) -> Json {
    match value.to_i64() {
        Some(small) => Json::from(small),
        // A JSON number may have any length.
        None => serde_json::from_str::<Number>(&value.to_string()).map_or(Json::Null, Json::Number),
    }
}

pub(super) fn moment(moment: &Moment) -> Json {
    match moment {
        Moment::Finite(exact) => json!({
            "exact": exactly(exact),
            "decimal": decimal::nearest(exact),
        }),
        Moment::Infinite => json!({ "exact": "infinite", "decimal": null }),
        Moment::Between { .. } | Moment::Undefined | Moment::Unknown => Json::Null,
    }
}

/// The ends of a moment that is known between two ends only.
pub(super) fn ends(moment: &Moment) -> Option<Json> {
    let Moment::Between { low, high } = moment else {
        return None;
    };
    let end = |end: &Fraction| json!({ "exact": exactly(end), "decimal": decimal::nearest(end) });
    Some(json!({ "low": end(low), "high": end(high) }))
}

pub(super) fn figure(figure: &Figure) -> Json {
    match figure {
        Figure::Exact(exact) => Json::from(exactly(exact)),
        Figure::Between { low, high } => {
            json!({ "low": exactly(low), "high": exactly(high) })
        }
    }
}
