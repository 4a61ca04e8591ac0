//! Divides the values of a long table into ranges.
//!
//! The input is the listed values of all rules, and the ends of their bulk. The output is intervals of one round width, which
//! ascend and do not overlap, and a note about them for the reader.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::One;

use super::View;
use crate::number::{Integer, Unit};

/// The largest number of ranges of a long table, without the rows for its far ends.
const MOST_RANGES: u32 = 30;

/// An interval of values; `None` for an end without a bound.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub(super) low: Option<Integer>,
    pub(super) high: Option<Integer>,
}

impl Span {
    pub(super) fn up_to(high: &Integer) -> Self {
        let (low, high) = (None, Some(high.clone()));
        Self { low, high }
    }

    pub(super) fn from(low: &Integer) -> Self {
        let (low, high) = (Some(low.clone()), None);
        Self { low, high }
    }

    pub(super) fn only(value: &Integer) -> Self {
        let [low, high] = [value, value].map(|value| Some(value.clone()));
        Self { low, high }
    }

    /// Whether another interval lies wholly within this interval.
    pub(super) fn contains(&self, other: &Self) -> bool {
        // No end comes before all others.
        let is_above = other.high.is_none() || self.high < other.high;
        self.low <= other.low && (self.high.is_none() || !is_above)
    }

    /// The label of the row; `None` if the view has no row for this interval.
    pub(super) fn label(&self, view: View, unit: &Unit) -> Option<String> {
        let [low, high] = [&self.low, &self.high].map(|end| end.as_ref().map(|end| unit.show(end)));
        match (view, low, high) {
            (View::AtLeast, low, _) => low,
            (View::AtMost, _, high) => high,
            (View::Exactly, Some(low), Some(high)) if low == high => Some(low),
            (View::Exactly, Some(low), Some(high)) => Some(format!("{low}..{high}")),
            (View::Exactly, Some(low), None) => Some(format!(">={low}")),
            (View::Exactly, None, Some(high)) => Some(format!("<={high}")),
            (View::Exactly, None, None) => None,
        }
    }

    /// The interval whose probability the row shows.
    pub(super) fn event(&self, view: View) -> Self {
        Self {
            low: self.low.clone().filter(|_| view != View::AtMost),
            high: self.high.clone().filter(|_| view != View::AtLeast),
        }
    }
}

/// Divides ascending values into ranges of equal width, and returns the width, too. Each far end beyond the bulk becomes one
/// range, if that makes the table much shorter. The first and the last range end with the values, except where `is_whole` asks
/// for the whole range between two multiples of the width.
pub(super) fn ranges(
    values: &[&Integer],
    bulk: Option<[&Integer; 2]>,
    is_whole: [bool; 2],
) -> (Vec<Span>, Option<BigInt>) {
    let ([first, .., last] | [first @ last]) = values else {
        return (Vec::new(), None);
    };
    let (first, last) = (first.to_big(), last.to_big());
    let bulk = bulk.map(|[low, high]| (low.to_big(), high.to_big()));
    // The far ends are gathered only if the bulk covers less than two thirds of the values.
    let (low, high) = bulk
        .filter(|(low, high)| (high - low) * 3 < (&last - &first) * 2)
        .unwrap_or_else(|| (first.clone(), last.clone()));

    let width = round_width(&low, &high);
    // The ranges begin at the first value, or at a round number if some values below it are gathered.
    let round = low.div_floor(&width) * &width;
    let [is_first_whole, is_last_whole] = is_whole;
    let start = if is_first_whole || low > first && round > first {
        round
    } else {
        first.clone()
    };
    let mut spans = Vec::new();
    let integer = |value: BigInt| Integer::from_big(value).ok();
    if start > first {
        spans.push(Span {
            low: None,
            high: integer(&start - 1),
        });
    }
    let mut from = start;
    while from <= high {
        let next = &from + &width;
        spans.push(Span {
            low: integer(from),
            high: integer(&next - 1),
        });
        from = next;
    }
    if from <= last {
        spans.push(Span {
            low: integer(from),
            high: None,
        });
    } else if let Some(end) = spans.last_mut().filter(|_| !is_last_whole) {
        // The last range ends at the last value.
        end.high = integer(last);
    }
    (spans, Some(width))
}

/// The note about the rows, if they are not single values; `None` if they are.
pub(super) fn note(
    values: &[&Integer],
    spans: &[Span],
    width: Option<&BigInt>,
    view: View,
    unit: &Unit,
) -> Option<String> {
    let within = |span: Option<&Span>, value: Option<&&Integer>| {
        span.zip(value).is_some_and(|(span, value)| {
            let is_open = span.low.is_none() || span.high.is_none();
            is_open && span.contains(&Span::only(value))
        })
    };
    let gathers = (
        within(spans.first(), values.first()),
        within(spans.last(), values.last()),
    );
    let ends = match gathers {
        (false, false) if width.is_none() => return None,
        (false, false) => "",
        _ if view != View::Exactly => ", the far ends left out",
        (true, true) => ", the rest gathered in the first and the last row",
        (true, false) => ", the rest gathered in the first row",
        (false, true) => ", the rest gathered in the last row",
    };
    let is_narrower = |span: &Span| match (&span.low, &span.high, width) {
        (Some(low), Some(high), Some(width)) => high.to_big() - low.to_big() + 1 < *width,
        _ => false,
    };
    let each = match view {
        View::Exactly => "ranges",
        View::AtLeast | View::AtMost => "steps",
    };
    let width = width.filter(|width| !width.is_one());
    let width = width.and_then(|width| Integer::from_big(width.clone()).ok());
    let width = width.map_or_else(String::new, |width| {
        format!(" in {each} of {}", unit.show(&width))
    });
    let is_narrow = view == View::Exactly && spans.iter().any(is_narrower);
    let last = if is_narrow {
        ", the last one narrower"
    } else {
        ""
    };
    let count = values.len();
    Some(format!("{count} values{width}{last}{ends}"))
}

/// The least width of the form 1, 2 or 5 times a power of ten that covers an interval with at most [`MOST_RANGES`] + 1 ranges
/// that begin at multiples of the width.
fn round_width(low: &BigInt, high: &BigInt) -> BigInt {
    // Begins with a power of ten that is not more than the width, since 0.30102 < log10(2).
    let least = (high - low) / (2 * MOST_RANGES);
    let digits = least.bits().saturating_sub(1).saturating_mul(30_102) / 100_000;
    let mut power = BigInt::from(10_u32).pow(u32::try_from(digits).unwrap_or(0));
    loop {
        for step in [1u32, 2, 5] {
            let width = &power * step;
            let start = low.div_floor(&width) * &width;
            if (high - &start) / &width <= BigInt::from(MOST_RANGES) {
                return width;
            }
        }
        power *= 10u32;
    }
}
