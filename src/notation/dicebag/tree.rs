//! The tree of a rule.

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
    Again(End),
    BonusAdd,
    BonusSubtract,
    Dice,
    Divide,
    /// `E` or `e`
    Explode(End),
    /// `K` or `k`
    Keep(End),
    Multiply,
    Repeat,
    Subtract,
    /// `T` or `t`
    Test(End),
}

/// Whether an operator is about high or low values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    High,
    Low,
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
            Self::Again(End::High) => "A",
            Self::Again(End::Low) => "a",
            Self::BonusAdd => "+",
            Self::BonusSubtract => "-",
            Self::Dice => "d",
            Self::Divide => " / ",
            Self::Explode(End::High) => "E",
            Self::Explode(End::Low) => "e",
            Self::Keep(End::High) => "K",
            Self::Keep(End::Low) => "k",
            Self::Multiply => " * ",
            Self::Repeat => " x ",
            Self::Subtract => " - ",
            Self::Test(End::High) => "T",
            Self::Test(End::Low) => "t",
        }
    }

    /// The operator of a letter, which stands between its operands without blanks.
    pub(super) fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'A' => Self::Again(End::High),
            'a' => Self::Again(End::Low),
            'd' => Self::Dice,
            'E' => Self::Explode(End::High),
            'e' => Self::Explode(End::Low),
            'K' => Self::Keep(End::High),
            'k' => Self::Keep(End::Low),
            'T' => Self::Test(End::High),
            't' => Self::Test(End::Low),
            _ => return None,
        })
    }
}
