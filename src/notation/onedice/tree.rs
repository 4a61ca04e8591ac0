//! The tree of a rule, with nodes for missing operands.

use super::lexer::plain;
use super::operator::{Default, Operator, Parameter};
use crate::notation::reader::tree::{self, NodeId};

/// A node of a rule. The value of a number or a name is the text of its place.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Parentheses, which keep a place and have no other meaning.
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
    /// A parameter, the operation that it belongs to, and its value. The number of bonus or penalty dice may be missing.
    With(Parameter, NodeId, Option<NodeId>),
}

/// A rule as written.
pub(super) type Tree = tree::Tree<Node>;

/// An operator with its operands and its parameters, in the order of the text.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) operator: Operator,
    pub(super) left: NodeId,
    pub(super) right: NodeId,
    pub(super) parameters: Vec<(Parameter, Option<NodeId>)>,
}

impl Operation {
    /// The index of the last occurrence of a parameter.
    pub(super) fn position(&self, parameter: Parameter) -> Option<usize> {
        let mut parameters = self.parameters.iter();
        parameters.rposition(|&(found, _)| found == parameter)
    }

    pub(super) fn has(&self, parameter: Parameter) -> bool {
        self.position(parameter).is_some()
    }
}

impl Tree {
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

    /// The operation of a node, with the parameters.
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
}

impl tree::Node for Node {
    fn grouped(&self) -> Option<NodeId> {
        match self {
            Self::Group(inner) => Some(*inner),
            _ => None,
        }
    }

    fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
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
