//! The two languages of this folder, by their precedence tables.

use std::fmt;

/// A precedence table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Bones,
    Dicelab,
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Bones => "Bones",
            Self::Dicelab => "dicelab",
        })
    }
}
