//! The tree of a rule: what was written, with places.
//!
//! Nodes lie in one vector, operands before the nodes that hold them, so that neither building nor
//! dropping a tree recurses.

use crate::source::Span;

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub(super) u32);

/// What a node is. Numbers are the text of their places.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Binary(Binary, NodeId, NodeId),
    /// `dE`, which is `1dE`.
    Die(NodeId),
    /// Parentheses, which mean nothing but keep their place.
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

/// Which values an operator is about: those that are high, or those that are low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    High,
    Low,
}

/// A rule as written.
#[derive(Debug)]
pub(super) struct Tree<'s> {
    pub(super) text: &'s str,
    pub(super) nodes: Vec<Node>,
    /// The place of each node.
    pub(super) spans: Vec<Span>,
    pub(super) root: NodeId,
}

impl<'s> Tree<'s> {
    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    pub(super) fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    /// The text of a node.
    pub(super) fn words(&self, id: NodeId) -> &'s str {
        let span = self.span(id);
        &self.text[span.start..span.end]
    }

    /// The node within any parentheses.
    pub(super) fn ungrouped(&self, mut id: NodeId) -> NodeId {
        while let Node::Group(inner) = self.node(id) {
            id = inner;
        }
        id
    }
}

impl Node {
    /// Visits the nodes that this one holds, from left to right.
    pub(super) fn each_operand(self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Binary(_, a, b) => {
                visit(a);
                visit(b);
            }
            Self::Die(a) | Self::Group(a) | Self::Negate(a) => visit(a),
            Self::Integer => {}
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

    /// The operator of a letter, which stands right between its operands.
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
