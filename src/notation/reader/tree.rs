//! The tree of a rule: what was written, with places.
//!
//! Nodes lie in one vector, operands before the nodes that hold them, so that neither building nor dropping a tree
//! recurses.

use crate::source::{Source, Span};

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(super) u32);

/// What the nodes of all notations have in common.
pub(crate) trait Node: std::fmt::Debug {
    /// Visits the nodes that this one holds, from left to right.
    fn each_operand(&self, visit: impl FnMut(NodeId));

    /// What a pair of parentheses holds, where the node is one: they mean nothing but keep their place.
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
    /// The place of the node among all nodes.
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

    /// All nodes, operands before what holds them.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<N> {
        let count = u32::try_from(self.nodes.len()).expect("fewer nodes than bytes");
        (0..count).map(NodeId)
    }
}
