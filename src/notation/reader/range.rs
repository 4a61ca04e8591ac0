//! Simple bounds of a value, for warnings. The engine has sharper bounds of its own.

/// Bounds of a number, or of each member of a list; `None` where no bound is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: Option<i64>,
    pub(crate) high: Option<i64>,
}

impl Range {
    pub(crate) const UNKNOWN: Self = Self {
        low: None,
        high: None,
    };

    pub(crate) fn only(value: i64) -> Self {
        Self::between(value, value)
    }

    pub(crate) fn between(low: i64, high: i64) -> Self {
        Self {
            low: Some(low),
            high: Some(high),
        }
    }

    pub(crate) fn at_least(low: i64) -> Self {
        Self {
            low: Some(low),
            high: None,
        }
    }

    /// The number, if the bounds allow only one.
    pub(crate) fn constant(self) -> Option<i64> {
        self.low.filter(|_| self.low == self.high)
    }

    pub(crate) fn is_at_least(self, bound: i64) -> bool {
        self.low.is_some_and(|low| low >= bound)
    }

    pub(crate) fn is_at_most(self, bound: i64) -> bool {
        self.high.is_some_and(|high| high <= bound)
    }

    pub(crate) fn may_be(self, value: i64) -> bool {
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| high >= value)
    }

    /// The smallest range that covers both.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }

    /// The range with both ends clamped between `low` and `high`.
    pub(crate) fn within(self, low: i64, high: i64) -> Self {
        let clamp = |bound: Option<i64>, open| Some(bound.unwrap_or(open).clamp(low, high));
        Self {
            low: clamp(self.low, low),
            high: clamp(self.high, high),
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let add = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
        Self {
            low: add(self.low, other.low),
            high: add(self.high, other.high),
        }
    }

    pub(crate) fn negated(self) -> Self {
        Self {
            low: self.high.and_then(i64::checked_neg),
            high: self.low.and_then(i64::checked_neg),
        }
    }

    pub(crate) fn times(self, other: Self) -> Self {
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

    /// The range divided by a positive constant; unknown for any other divisor.
    pub(crate) fn over(self, divisor: Self) -> Self {
        match divisor.constant() {
            Some(divisor) if divisor > 0 => Self {
                low: self.low.map(|low| low / divisor),
                high: self.high.map(|high| high / divisor),
            },
            _ => Self::UNKNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_take_their_bounds_from_the_corners() {
        let between = Range::between;
        assert_eq!(between(-2, 3).times(between(-5, 4)), between(-15, 12));
        assert_eq!(between(1, 6).plus(between(1, 6)), between(2, 12));
        assert_eq!(between(1, 6).negated(), between(-6, -1));
        assert_eq!(Range::only(i64::MAX).times(between(2, 2)), Range::UNKNOWN);
    }
}
