//! The laws of lists.

use crate::algebra::{Distribution, Law};
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};

/// The law of a list.
pub(in crate::engine) type LawOfLists = Law<Distribution<Vec<i64>>>;

/// About how many bytes a list with its weight takes in a law, with what tables and allocators leave empty.
pub(in crate::engine) fn bytes_of_list(list: &[i64]) -> u64 {
    128 + size_of_val(list) as u64
}

/// The listed part of a law that is completely listed.
pub(in crate::engine) fn complete(law: &LawOfLists) -> Attempt<&Distribution<Vec<i64>>> {
    law.complete().ok_or(Stop::Unsupported(Reason::Tail))
}
