//! Between which numbers the members of a value lie.

use crate::ir::Folding;

/// The ends between which all members of a value lie, where they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) least: Option<i64>,
    pub(super) greatest: Option<i64>,
}

impl Bounds {
    pub(super) fn at_least(least: i64) -> Self {
        Self {
            least: Some(least),
            greatest: None,
        }
    }

    pub(super) fn at_most(greatest: i64) -> Self {
        Self {
            least: None,
            greatest: Some(greatest),
        }
    }

    pub(super) fn between(least: i64, greatest: i64) -> Self {
        Self {
            least: Some(least),
            greatest: Some(greatest),
        }
    }

    /// The bounds of what is one or the other.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            least: self.least.zip(other.least).map(|(a, b)| a.min(b)),
            greatest: self.greatest.zip(other.greatest).map(|(a, b)| a.max(b)),
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let sum = |(a, b): (i64, i64)| a.checked_add(b);
        Self {
            least: self.least.zip(other.least).and_then(sum),
            greatest: self.greatest.zip(other.greatest).and_then(sum),
        }
    }

    pub(super) fn times(self, factor: i64) -> Self {
        let [a, b] = [self.least, self.greatest].map(|end| end?.checked_mul(factor));
        let (least, greatest) = if factor < 0 { (b, a) } else { (a, b) };
        Self { least, greatest }
    }

    /// The bounds of the sum of any number of members.
    fn of_sum(self) -> Self {
        Self {
            least: self.least.filter(|&least| least >= 0).map(|_| 0),
            greatest: self.greatest.filter(|&greatest| greatest <= 0).map(|_| 0),
        }
    }

    pub(super) fn folded(self, folding: Folding) -> Self {
        match folding {
            Folding::Count => Self::at_least(0),
            Folding::Only => self,
            Folding::Sum => self.of_sum(),
            _ => Self::default(),
        }
    }
}
