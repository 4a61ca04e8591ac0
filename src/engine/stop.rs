//! Why an analysis by residual programs ends without a distribution.

use super::answer::Answer;
use crate::engine::reason::Reason;
use crate::error::Error;
use crate::limits::LimitReached;

/// Why a program was not solved as a residual program.
#[derive(Debug)]
pub(in crate::engine) enum Stop {
    /// Residual programs cannot do what the program needs.
    Unsupported(Reason),
    /// The analysis ran into a limit.
    Limit(LimitReached),
}

impl From<LimitReached> for Stop {
    fn from(reached: LimitReached) -> Self {
        Self::Limit(reached)
    }
}

impl From<crate::algebra::Stop> for Stop {
    fn from(stop: crate::algebra::Stop) -> Self {
        match stop {
            crate::algebra::Stop::Limit(reached) => Self::Limit(reached),
            crate::algebra::Stop::Overflow => Self::Unsupported(Reason::LongIntegers),
        }
    }
}

impl From<crate::number::Overflow> for Stop {
    fn from(_: crate::number::Overflow) -> Self {
        Self::Unsupported(Reason::LongIntegers)
    }
}

/// A result that may stop short.
pub(in crate::engine) type Attempt<T> = Result<T, Stop>;

/// `None` if residual programs cannot do what the attempt needs, for callers that have another way.
pub(in crate::engine) fn if_supported<T>(attempt: Attempt<T>) -> Attempt<Option<T>> {
    match attempt {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Unsupported(_)) => Ok(None),
        Err(stop @ Stop::Limit(_)) => Err(stop),
    }
}

/// The answer to a program, or the error that it can run into.
pub(in crate::engine) type Solved = Result<Answer, Error>;
