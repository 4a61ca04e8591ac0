//! The laws of lists: what residual programs call them, and what they ask of them.

use crate::algebra::{Distribution, Law};
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};

/// The law of a list.
pub(in crate::engine) type LawOfLists = Law<Distribution<Vec<i64>>>;

/// About how much memory a list takes in a law, with its weight.
pub(in crate::engine) fn bytes_of_list(list: &[i64]) -> u64 {
    96 + size_of_val(list) as u64
}

/// All of a law of lists, where it is listed.
pub(in crate::engine) fn complete(law: &LawOfLists) -> Attempt<&Distribution<Vec<i64>>> {
    law.complete().ok_or(Stop::Unsupported(Reason::Tail))
}
