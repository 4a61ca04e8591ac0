//! When a node that is unchanged stays unchanged.

use crate::engine::program::interval::Hidden;

/// A claim about a node that mentions the dice of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Stable {
    /// If the node is unchanged for so many hidden dice, it is unchanged for more.
    pub(in crate::engine) from: i64,
    /// The node asks only how many dice show faces between these two, ends included. As long as the dice can show them and
    /// others, what the node does not change for one range of faces, it does not change for another.
    faces: (i64, i64),
}

impl Stable {
    /// A node without dice.
    pub(in crate::engine) const ALWAYS: Self = Self {
        from: 0,
        faces: (i64::MAX, i64::MIN),
    };

    /// Nothing is claimed.
    pub(in crate::engine) const NEVER: Self = Self::from(i64::MAX);

    /// A node that may ask for all faces, and is stable from so many dice on.
    pub(in crate::engine) const fn from(dice: i64) -> Self {
        Self {
            from: dice,
            faces: (i64::MIN, i64::MAX),
        }
    }

    /// The dice that show one face, as many as there are.
    pub(in crate::engine) fn showing(face: i64) -> Self {
        Self {
            from: 1,
            faces: (face, face),
        }
    }

    /// The same claim from at least so many dice on.
    pub(in crate::engine) fn at_least(self, dice: i64) -> Self {
        Self {
            from: self.from.max(dice),
            ..self
        }
    }

    /// What holds for two nodes.
    pub(in crate::engine) fn and(self, other: Self) -> Self {
        Self {
            from: self.from.max(other.from),
            faces: (
                self.faces.0.min(other.faces.0),
                self.faces.1.max(other.faces.1),
            ),
        }
    }

    /// Whether dice that show this face make no difference.
    pub(in crate::engine) fn is_blind_to(&self, face: i64) -> bool {
        face < self.faces.0 || self.faces.1 < face
    }

    /// Whether the hidden dice can show all faces that are asked for, and others.
    pub(in crate::engine) fn is_open(&self, hidden: &Hidden) -> bool {
        let (low, high) = self.faces;
        hidden.low < hidden.high && hidden.low <= low && high <= hidden.high
    }
}
