//! Claims that a node which one number of hidden dice leaves unchanged is unchanged for more dice, too.

use crate::engine::program::interval::Hidden;

/// A claim about a node that mentions the dice of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Stable {
    /// If the node is unchanged for so many hidden dice, it is unchanged for more.
    pub(in crate::engine) from_dice: i64,
    /// The least and the greatest face about which the node asks: how many dice show it. Other faces make no difference, as
    /// long as the dice can show any.
    faces: (i64, i64),
}

impl Stable {
    /// A node without dice.
    pub(in crate::engine) const ALWAYS: Self = Self {
        from_dice: 0,
        faces: (i64::MAX, i64::MIN),
    };

    /// Nothing is claimed.
    pub(in crate::engine) const NEVER: Self = Self::from_dice(i64::MAX);

    /// A node that may ask about all faces, and is stable from so many dice on.
    pub(in crate::engine) const fn from_dice(dice: i64) -> Self {
        Self {
            from_dice: dice,
            faces: (i64::MIN, i64::MAX),
        }
    }

    /// The dice that show one face, as many as there are.
    pub(in crate::engine) fn showing(face: i64) -> Self {
        Self {
            from_dice: 1,
            faces: (face, face),
        }
    }

    /// The same claim from at least so many dice on.
    pub(in crate::engine) fn at_least(self, dice: i64) -> Self {
        Self {
            from_dice: self.from_dice.max(dice),
            ..self
        }
    }

    /// What holds for two nodes.
    pub(in crate::engine) fn and(self, other: Self) -> Self {
        Self {
            from_dice: self.from_dice.max(other.from_dice),
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

    /// Whether the hidden dice can show all faces that the node asks about, and others.
    pub(in crate::engine) fn is_open(&self, hidden: &Hidden) -> bool {
        let (low, high) = self.faces;
        hidden.low < hidden.high && hidden.low <= low && high <= hidden.high
    }
}
