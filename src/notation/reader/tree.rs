//! The tree of a rule as written, with the place of each node.
//!
//! All nodes lie in one vector, operands before the nodes that contain them. So neither building nor dropping a tree
//! recurses.

use crate::source::{Source, Span};

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(super) u32);

/// A node of any notation.
pub(crate) trait Node: std::fmt::Debug {
    /// Visits the operands from left to right.
    fn each_operand(&self, visit: impl FnMut(NodeId));

    /// The operand of a node that is a pair of parentheses. Such a node keeps a place and has no other meaning.
    fn grouped(&self) -> Option<NodeId> {
        None
    }
}

/// A rule as written.
#[derive(Debug)]
pub(crate) struct Tree<N> {
    pub(crate) source: Source,
    pub(crate) nodes: Vec<N>,
    /// The place of each node.
    pub(crate) spans: Vec<Span>,
    pub(crate) root: NodeId,
}

impl NodeId {
    /// The index of the node among all nodes.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl<N: Node> Tree<N> {
    pub(crate) fn node(&self, id: NodeId) -> &N {
        &self.nodes[id.index()]
    }

    pub(crate) fn span(&self, id: NodeId) -> Span {
        self.spans[id.index()]
    }

    pub(crate) fn slice(&self, span: Span) -> &str {
        self.source.slice(span)
    }

    /// The text of a node.
    pub(crate) fn words(&self, id: NodeId) -> &str {
        self.slice(self.span(id))
    }

    /// The node within any parentheses.
    pub(crate) fn ungrouped(&self, mut id: NodeId) -> NodeId {
        while let Some(inner) = self.node(id).grouped() {
            id = inner;
        }
        id
    }

    /// All nodes, operands before the nodes that contain them.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<N> {
        let count = u32::try_from(self.nodes.len()).expect("fewer nodes than bytes");
        (0..count).map(NodeId)
    }
}
