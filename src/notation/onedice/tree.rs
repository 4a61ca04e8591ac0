//! The tree of a rule: what was written, with places, and where operands were not written.
//!
//! Nodes lie in one vector, operands before the nodes that hold them, so that neither building nor
//! dropping a tree recurses.

use super::lexer::plain;
use super::operator::{Default, Operator, Parameter};
use crate::source::Span;

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub(super) u32);

/// What a node is. Numbers and names are the text of their places.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Parentheses, which mean nothing but keep their place.
    Group(NodeId),
    /// `i`
    Index,
    Infix(Operator, NodeId, NodeId),
    Integer,
    Missing(Default),
    /// `{NAME}`
    Name,
    /// `tp`
    Pop(NodeId),
    Tuple(Box<[NodeId]>),
    /// A parameter, what it belongs to, and its value; the number of bonus and penalty dice need not be written.
    With(Parameter, NodeId, Option<NodeId>),
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

/// An operator with its operands and its parameters, in the order of the text.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) operator: Operator,
    pub(super) left: NodeId,
    pub(super) right: NodeId,
    pub(super) parameters: Vec<(Parameter, Option<NodeId>)>,
}

impl Operation {
    /// Where the value of a parameter stands among the parameters: the last one counts.
    pub(super) fn position(&self, parameter: Parameter) -> Option<usize> {
        let mut parameters = self.parameters.iter();
        parameters.rposition(|&(found, _)| found == parameter)
    }

    pub(super) fn has(&self, parameter: Parameter) -> bool {
        self.position(parameter).is_some()
    }
}

impl<'s> Tree<'s> {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    pub(super) fn slice(&self, span: Span) -> &'s str {
        &self.text[span.start..span.end]
    }

    /// The text of a node.
    pub(super) fn words(&self, id: NodeId) -> &'s str {
        self.slice(self.span(id))
    }

    /// The digits of a number, or the name between braces.
    pub(super) fn plain_words(&self, id: NodeId) -> String {
        let words = self.words(id);
        match self.node(id) {
            Node::Name => {
                let is_brace = |letter| matches!(plain(letter), '{' | '}');
                words.trim_matches(is_brace).trim().into()
            }
            _ => words.chars().map(plain).collect(),
        }
    }

    /// The node within any parentheses.
    pub(super) fn ungrouped(&self, mut id: NodeId) -> NodeId {
        while let Node::Group(inner) = self.node(id) {
            id = *inner;
        }
        id
    }

    /// The operation that a node is, its parameters counted.
    pub(super) fn operation(&self, mut id: NodeId) -> Option<Operation> {
        let mut parameters = Vec::new();
        loop {
            match *self.node(id) {
                Node::Infix(operator, left, right) => {
                    parameters.reverse();
                    return Some(Operation {
                        operator,
                        left,
                        right,
                        parameters,
                    });
                }
                Node::With(parameter, subject, value) => {
                    parameters.push((parameter, value));
                    id = subject;
                }
                _ => return None,
            }
        }
    }

    /// All nodes, operands before what holds them.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        let count = u32::try_from(self.nodes.len()).expect("fewer nodes than bytes");
        (0..count).map(NodeId)
    }
}

impl Node {
    /// Visits the nodes that this one holds, from left to right.
    pub(super) fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Group(a) | Self::Pop(a) => visit(*a),
            Self::Index | Self::Integer | Self::Missing(_) | Self::Name => {}
            Self::Infix(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            Self::Tuple(members) => members.iter().copied().for_each(visit),
            Self::With(_, subject, value) => {
                visit(*subject);
                value.iter().copied().for_each(visit);
            }
        }
    }
}
