//! What is asked of a list, so that only this is kept while the list is made.

use crate::engine::operate;
use crate::engine::outcomes::List;
use crate::ir::{Comparison, Selection, TermId};
use crate::number::Integer;

/// What is asked of a list that is made part by part.
pub(super) enum ListQuestion<'a> {
    /// All members.
    Whole,
    /// Some of the members.
    Selected(Selection, &'a Integer),
    /// The members that pass a comparison with a number.
    Passing(Comparison, &'a Integer, &'a ListQuestion<'a>),
    /// The body of a `foreach` for each member.
    Each(TermId, &'a ListQuestion<'a>),
}

impl ListQuestion<'_> {
    /// What is asked of parts in front of another part.
    pub(super) fn of(&self, so_far: &[Integer], more: &[Integer]) -> List {
        match self {
            Self::Passing(_, _, asked) | Self::Each(_, asked) => asked.of(so_far, more),
            Self::Selected(selection, count) => {
                let joined = [so_far, more].concat();
                operate::select(*selection, count, &joined).unwrap_or(joined)
            }
            Self::Whole => [so_far, more].concat(),
        }
    }
}
