use std::fmt;

use crate::limits::LimitReached;
use crate::number::Overflow;

/// Why an operation on distributions gave no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The operation would cost more than the budget allows.
    Limit(LimitReached),
    /// Some possible outcome is longer than [`crate::number::MAX_BITS`] bits.
    Overflow,
}

impl From<LimitReached> for Stop {
    fn from(limit: LimitReached) -> Self {
        Self::Limit(limit)
    }
}

impl From<Overflow> for Stop {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => limit.fmt(formatter),
            Self::Overflow => Overflow.fmt(formatter),
        }
    }
}

impl std::error::Error for Stop {}
