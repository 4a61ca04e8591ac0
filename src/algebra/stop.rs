use std::fmt;

use crate::limits::{Budget, LimitReached};
use crate::number::Overflow;

/// Why an operation on distributions gave no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The work, in limbs, from one look at the clock to the next: some tens of microseconds.
const WORK_PER_LOOK: u64 = 1 << 15;

/// Looks at the clock as often as the work done asks for, whether one step is a limb or a million.
pub(super) struct Pace<'a> {
    budget: &'a Budget<'a>,
    work: u64,
}

impl<'a> Pace<'a> {
    pub(super) fn new(budget: &'a Budget<'a>) -> Self {
        Self { budget, work: 0 }
    }

    /// Counts work about to be done.
    #[inline]
    pub(super) fn step(&mut self, limbs: u64) -> Result<(), LimitReached> {
        self.work += limbs;
        if self.work < WORK_PER_LOOK {
            return Ok(());
        }
        self.work = 0;
        self.budget.look_at_clock()
    }
}
