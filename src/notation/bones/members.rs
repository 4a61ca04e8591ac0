//! What is plain to see about the members of a list without rolling anything: the least and the greatest
//! that they can be. Only warnings look at this; the engine does its own, sharper reasoning.

use crate::ir::Comparison;

/// Bounds of every member of a list; `None` where there is no bound, or none is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Members {
    pub(super) low: Option<i64>,
    pub(super) high: Option<i64>,
}

impl Members {
    pub(super) const UNKNOWN: Self = Self {
        low: None,
        high: None,
    };

    /// Members that are all this number.
    pub(super) fn only(value: Option<i64>) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    pub(super) fn at_least(low: i64) -> Self {
        Self {
            low: Some(low),
            high: None,
        }
    }

    /// The members of either list.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }

    pub(super) fn negated(self) -> Self {
        Self {
            low: self.high.and_then(i64::checked_neg),
            high: self.low.and_then(i64::checked_neg),
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let add = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
        Self {
            low: add(self.low, other.low),
            high: add(self.high, other.high),
        }
    }

    pub(super) fn times(self, other: Self) -> Self {
        let corners = || {
            let mine = [self.low?, self.high?];
            let theirs = [other.low?, other.high?];
            let products = mine.map(|mine| theirs.map(|theirs| mine.checked_mul(theirs)));
            products.into_iter().flatten().collect::<Option<Vec<_>>>()
        };
        corners().map_or(Self::UNKNOWN, |corners| Self {
            low: corners.iter().copied().min(),
            high: corners.iter().copied().max(),
        })
    }

    /// What can be left of the members after a comparison with such numbers.
    pub(super) fn kept(self, comparison: Comparison, number: Self) -> Self {
        let above = |bound: Option<i64>| self.low.max(bound);
        let below = |bound: Option<i64>| match (self.high, bound) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let (mut low, mut high) = (self.low, self.high);
        match comparison {
            Comparison::Equal => (low, high) = (above(number.low), below(number.high)),
            Comparison::Greater => low = above(number.low.and_then(|low| low.checked_add(1))),
            Comparison::GreaterOrEqual => low = above(number.low),
            Comparison::Less => high = below(number.high.and_then(|high| high.checked_sub(1))),
            Comparison::LessOrEqual => high = below(number.high),
            Comparison::NotEqual => {}
        }
        Self { low, high }
    }

    /// Whether no member at all can compare so with any of these numbers.
    pub(super) fn never(self, comparison: Comparison, number: Self) -> bool {
        let kept = self.kept(comparison, number);
        let crossed = matches!((kept.low, kept.high), (Some(low), Some(high)) if low > high);
        let same = self.low.is_some() && self.low == self.high && self == number;
        crossed || comparison == Comparison::NotEqual && same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(low: i64, high: i64) -> Members {
        Members {
            low: Some(low),
            high: Some(high),
        }
    }

    #[test]
    fn comparisons_beyond_the_bounds_keep_nothing() {
        let d6 = between(1, 6);
        let only = |value| Members::only(Some(value));
        assert!(d6.never(Comparison::Greater, only(6)));
        assert!(!d6.never(Comparison::Greater, only(5)));
        assert!(d6.never(Comparison::GreaterOrEqual, only(7)));
        assert!(d6.never(Comparison::Less, only(1)));
        assert!(d6.never(Comparison::LessOrEqual, only(0)));
        assert!(d6.never(Comparison::Equal, only(0)));
        assert!(!d6.never(Comparison::Equal, Members::UNKNOWN));
        assert!(only(3).never(Comparison::NotEqual, only(3)));
        assert!(!d6.never(Comparison::NotEqual, d6));
    }

    #[test]
    fn products_take_their_bounds_from_the_corners() {
        assert_eq!(between(-2, 3).times(between(-5, 4)), between(-15, 12));
        assert_eq!(between(1, 6).plus(between(1, 6)), between(2, 12));
        assert_eq!(between(1, 6).negated(), between(-6, -1));
        assert_eq!(
            Members::only(Some(i64::MAX)).times(between(2, 2)),
            Members::UNKNOWN
        );
    }
}
