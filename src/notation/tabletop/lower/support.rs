//! The values that a part of a roll can have, in its unit, as far as they are known before rolling.

use std::collections::BTreeSet;

use crate::notation::reader::range::Range;
use crate::number::Integer;

/// The largest number of values that are listed.
const MOST_VALUES: usize = 4096;

/// A set of integers that contains each value.
#[derive(Clone, Debug)]
pub(super) struct Support {
    range: Range,
    /// All values, if they are few.
    values: Option<BTreeSet<i64>>,
}

impl Support {
    /// No bound is known.
    pub(super) const UNKNOWN: Self = Self {
        range: Range::UNKNOWN,
        values: None,
    };

    /// All integers between two bounds.
    pub(super) fn within(range: Range) -> Self {
        Self {
            range,
            values: None,
        }
    }

    /// One value.
    pub(super) fn only(value: &Integer) -> Self {
        value
            .to_i64()
            .map_or(Self::UNKNOWN, |value| Self::within(Range::only(value)))
    }

    pub(super) fn range(&self) -> Range {
        self.range
    }

    /// Whether no value is negative.
    pub(super) fn is_never_negative(&self) -> bool {
        self.range.is_at_least(0)
    }

    /// All values, ascending; `None` if they are not known, or too many.
    pub(super) fn values(&self) -> Option<BTreeSet<i64>> {
        if let Some(values) = &self.values {
            return Some(values.clone());
        }
        let (low, high) = (self.range.low?, self.range.high?);
        let count = usize::try_from(high.checked_sub(low)?).ok()?;
        (count < MOST_VALUES).then(|| (low..=high).collect())
    }

    /// The support of a function of one value with values in `range`.
    pub(super) fn map(&self, range: Range, function: impl Fn(i64) -> Option<i64>) -> Self {
        let values = self
            .values()
            .and_then(|values| values.into_iter().map(function).collect());
        Self::of(range, values)
    }

    /// The support of a function of two values with values in `range`.
    pub(super) fn combine(
        &self,
        other: &Self,
        range: Range,
        function: impl Fn(i64, i64) -> Option<i64>,
    ) -> Self {
        // Intervals stay intervals: only sets with gaps are worth their pairs.
        if self.values.is_none() && other.values.is_none() && range != Range::UNKNOWN {
            let single = |support: &Self| support.range.constant().is_some();
            if !single(self) && !single(other) {
                return Self::within(range);
            }
        }
        let pairs = || {
            let (mine, theirs) = (self.values()?, other.values()?);
            if mine.len().checked_mul(theirs.len())? > MOST_VALUES {
                return None;
            }
            let pairs = mine
                .iter()
                .flat_map(|&a| theirs.iter().map(move |&b| (a, b)));
            pairs.map(|(a, b)| function(a, b)).collect()
        };
        Self::of(range, pairs())
    }

    fn of(range: Range, values: Option<BTreeSet<i64>>) -> Self {
        let ends = |values: &BTreeSet<i64>| {
            let (low, high) = (*values.first()?, *values.last()?);
            Some(Range::between(low, high))
        };
        match values {
            Some(values) => Self {
                range: ends(&values).unwrap_or(range),
                values: Some(values),
            },
            None => Self::within(range),
        }
    }
}
