//! Numbers and figures: integers of any length, reduced fractions with the nearest double, and bounds.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::number::{Fraction, Integer, Unit};
use crate::report::decimal;
use crate::report::fraction::exactly;
use crate::summary;

/// A number in a unit: an integer of any length, or the string of a fraction.
pub(super) type Number = Box<RawValue>;

/// A number in a unit.
pub(super) fn number(value: &Integer, unit: &Unit) -> Number {
    let text = match unit.exact(value) {
        fraction if fraction.contains('/') => format!("\"{fraction}\""),
        integer => integer,
    };
    RawValue::from_string(text).expect("digits and quoted fractions are JSON")
}

/// An exact figure with the double nearest to it.
#[derive(Serialize)]
pub(super) struct Exact {
    exact: String,
    decimal: Option<f64>,
}

impl Exact {
    fn new(fraction: &Fraction) -> Self {
        Self {
            exact: exactly(fraction),
            decimal: Some(decimal::nearest(fraction)),
        }
    }

    /// A moment; nothing, if it is unknown or does not exist.
    pub(super) fn moment(moment: &summary::Moment) -> Option<Self> {
        match moment {
            summary::Moment::Finite(exact) => Some(Self::new(exact)),
            summary::Moment::Infinite => Some(Self {
                exact: "infinite".into(),
                decimal: None,
            }),
            summary::Moment::Between { .. }
            | summary::Moment::Undefined
            | summary::Moment::Unknown => None,
        }
    }
}

/// The ends of a moment that is known between two ends only.
pub(super) fn ends(moment: &summary::Moment) -> Option<Figure<Exact>> {
    let summary::Moment::Between { low, high } = moment else {
        return None;
    };
    let [low, high] = [low, high].map(Exact::new);
    Some(Figure::Between { low, high })
}

/// A figure: a fraction, or its two ends.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Figure<T = String> {
    Exact(T),
    Between { low: T, high: T },
}

impl From<&summary::Figure> for Figure {
    fn from(figure: &summary::Figure) -> Self {
        match figure {
            summary::Figure::Exact(exact) => Self::Exact(exactly(exact)),
            summary::Figure::Between { low, high } => {
                let [low, high] = [low, high].map(exactly);
                Self::Between { low, high }
            }
        }
    }
}
