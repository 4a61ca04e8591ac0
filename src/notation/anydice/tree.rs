//! The tree of a program as written.

use crate::ir::Comparison;
use crate::notation::reader::tree::{self, NodeId};
use crate::source::Span;

/// A program as written.
pub(super) type Tree = tree::Tree<Node>;

/// Operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Infix {
    Add,
    And,
    At,
    Dice,
    Condition(Comparison),
    Divide,
    Multiply,
    Or,
    Power,
    Subtract,
}

/// Operators before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Prefix {
    /// `d`
    Die,
    /// `#`
    Length,
    Minus,
    /// `!`
    Not,
    Plus,
}

/// The type of a parameter, which decides how it takes its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ParameterType {
    /// No type, or `:?`
    Any,
    /// `:d`
    Die,
    /// `:n`
    Number,
    /// `:s`
    Sequence,
}

/// A part of the name of a function, as defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamePart {
    Parameter(Span, ParameterType),
    Word(Span),
}

/// A part of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallPart {
    Value(NodeId),
    Word(Span),
}

/// A part of a sequence: `first`, `first..last`, either with `: times`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SequencePart {
    pub(super) first: NodeId,
    pub(super) last: Option<NodeId>,
    pub(super) times: Option<NodeId>,
}

/// What a setting is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    Text(Span),
    Value(NodeId),
}

/// A node of a program: a value, a statement, or a block of statements.
#[derive(Debug)]
pub(super) enum Node {
    Assign(Span, NodeId),
    Block(Box<[NodeId]>),
    Call(Box<[CallPart]>),
    Function(Box<[NamePart]>, NodeId),
    Group(NodeId),
    /// Conditions with their blocks, and the block for the case that none of them holds.
    If(Box<[(NodeId, NodeId)]>, Option<NodeId>),
    Infix(Infix, NodeId, NodeId),
    Loop(Span, NodeId, NodeId),
    Number,
    Output(NodeId, Option<Span>),
    Prefix(Prefix, NodeId),
    Result(NodeId),
    Sequence(Box<[SequencePart]>),
    Set(Span, Chosen),
    Variable,
}

impl Infix {
    /// How tightly the operator binds; `&` and `|` are the loosest. All are left associative.
    pub(super) fn level(self) -> u16 {
        match self {
            Self::And | Self::Or => 1,
            Self::Condition(_) => 2,
            Self::Add | Self::Subtract => 3,
            Self::Divide | Self::Multiply => 4,
            Self::Power => 5,
            Self::At => 6,
            Self::Dice => 7,
        }
    }

    /// Whether the value is 1 or 0.
    pub(super) fn is_truth(self) -> bool {
        matches!(self, Self::And | Self::Condition(_) | Self::Or)
    }

    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::And => "&",
            Self::At => "@",
            Self::Condition(Comparison::Equal) => "=",
            Self::Condition(Comparison::Greater) => ">",
            Self::Condition(Comparison::GreaterOrEqual) => ">=",
            Self::Condition(Comparison::Less) => "<",
            Self::Condition(Comparison::LessOrEqual) => "<=",
            Self::Condition(Comparison::NotEqual) => "!=",
            Self::Dice => "d",
            Self::Divide => "/",
            Self::Multiply => "*",
            Self::Or => "|",
            Self::Power => "^",
            Self::Subtract => "-",
        }
    }
}

/// The number of levels of infix operators.
pub(super) const LEVELS: u16 = 7;

impl Prefix {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Die => "d",
            Self::Length => "#",
            Self::Minus => "-",
            Self::Not => "!",
            Self::Plus => "+",
        }
    }
}

impl ParameterType {
    /// The letter after the colon of a parameter.
    pub(super) fn letter(self) -> Option<char> {
        match self {
            Self::Any => None,
            Self::Die => Some('d'),
            Self::Number => Some('n'),
            Self::Sequence => Some('s'),
        }
    }
}

impl tree::Node for Node {
    fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Number | Self::Set(_, Chosen::Text(_)) | Self::Variable => {}
            Self::Assign(_, value)
            | Self::Function(_, value)
            | Self::Group(value)
            | Self::Output(value, _)
            | Self::Prefix(_, value)
            | Self::Result(value)
            | Self::Set(_, Chosen::Value(value)) => visit(*value),
            Self::Block(statements) => {
                for &statement in statements {
                    visit(statement);
                }
            }
            Self::Call(pieces) => {
                for piece in pieces {
                    if let CallPart::Value(value) = piece {
                        visit(*value);
                    }
                }
            }
            Self::If(branches, otherwise) => {
                for &(condition, block) in branches {
                    visit(condition);
                    visit(block);
                }
                if let Some(block) = *otherwise {
                    visit(block);
                }
            }
            Self::Infix(_, a, b) | Self::Loop(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            Self::Sequence(parts) => {
                for part in parts {
                    visit(part.first);
                    if let Some(last) = part.last {
                        visit(last);
                    }
                    if let Some(times) = part.times {
                        visit(times);
                    }
                }
            }
        }
    }

    fn grouped(&self) -> Option<NodeId> {
        match self {
            Self::Group(inner) => Some(*inner),
            _ => None,
        }
    }
}
