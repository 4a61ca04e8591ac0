//! The tree of a rule.

use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::{self, NodeId};

/// A node of a rule. The value of a number is the text of its place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Binary(Binary, NodeId, NodeId),
    /// `dE`, which is `1dE`.
    Die(NodeId),
    /// Parentheses, which keep a place and have no other meaning.
    Group(NodeId),
    Integer,
    Negate(NodeId),
}

/// The operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    /// `A` or `a`
    Again(Extreme),
    BonusAdd,
    BonusSubtract,
    Dice,
    Divide,
    /// `E` or `e`
    Explode(Extreme),
    /// `K` or `k`
    Keep(Extreme),
    Multiply,
    Repeat,
    Subtract,
    /// `T` or `t`
    Test(Extreme),
}

/// A rule as written.
pub(super) type Tree = tree::Tree<Node>;

impl tree::Node for Node {
    fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
        match *self {
            Self::Binary(_, a, b) => {
                visit(a);
                visit(b);
            }
            Self::Die(a) | Self::Group(a) | Self::Negate(a) => visit(a),
            Self::Integer => {}
        }
    }

    fn grouped(&self) -> Option<NodeId> {
        match *self {
            Self::Group(inner) => Some(inner),
            _ => None,
        }
    }
}

impl Binary {
    /// The operator as written, with its blanks.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Add => " + ",
            Self::Again(Extreme::High) => "A",
            Self::Again(Extreme::Low) => "a",
            Self::BonusAdd => "+",
            Self::BonusSubtract => "-",
            Self::Dice => "d",
            Self::Divide => " / ",
            Self::Explode(Extreme::High) => "E",
            Self::Explode(Extreme::Low) => "e",
            Self::Keep(Extreme::High) => "K",
            Self::Keep(Extreme::Low) => "k",
            Self::Multiply => " * ",
            Self::Repeat => " x ",
            Self::Subtract => " - ",
            Self::Test(Extreme::High) => "T",
            Self::Test(Extreme::Low) => "t",
        }
    }

    /// The operator of a letter, which stands between its operands without blanks.
    pub(super) fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'A' => Self::Again(Extreme::High),
            'a' => Self::Again(Extreme::Low),
            'd' => Self::Dice,
            'E' => Self::Explode(Extreme::High),
            'e' => Self::Explode(Extreme::Low),
            'K' => Self::Keep(Extreme::High),
            'k' => Self::Keep(Extreme::Low),
            'T' => Self::Test(Extreme::High),
            't' => Self::Test(Extreme::Low),
            _ => return None,
        })
    }
}
