//! Whether the highest or the lowest are meant.

use crate::ir::Selection;

/// An end of sorted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Extreme {
    High,
    Low,
}

impl Extreme {
    /// The selection of the highest or lowest members.
    pub(super) fn selection(self) -> Selection {
        match self {
            Self::High => Selection::High,
            Self::Low => Selection::Low,
        }
    }
}
