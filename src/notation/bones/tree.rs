//! The tree of a rule. Names are not resolved yet.

use crate::ir::Comparison;
use crate::notation::reader::tree::{self, NodeId};
use crate::source::Span;

/// A node of a rule. The value of a number or a name is the text of its place.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Arithmetic(Operator, NodeId, NodeId),
    Bind(Binder, Binding),
    Die(NodeId),
    Filter(Filter, NodeId, NodeId),
    /// Parentheses, which keep a place and have no other meaning. Empty parentheses are the empty list.
    Group(Option<NodeId>),
    If(NodeId, NodeId, NodeId),
    Integer,
    Join(Box<[NodeId]>),
    Name,
    Negate(NodeId),
    Range(NodeId, NodeId),
    Repeat(NodeId, NodeId),
    /// Parentheses whose content is wrong and was reported.
    Unreadable,
    Word(Word, NodeId),
}

/// The operators between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Concatenate,
    Divide,
    Multiply,
    Power,
    Remainder,
    Subtract,
}

/// The words that bind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binder {
    Foreach,
    Let,
    While,
}

/// A bound name, its value, and the body in its scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) name: Span,
    pub(super) value: NodeId,
    pub(super) body: NodeId,
}

/// A filter without its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) modifier: Option<Modifier>,
    pub(super) by: By,
}

/// The words before a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifier {
    Drop,
    Keep,
}

/// The property of a member that a filter selects by: rank, position, or value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    First,
    High,
    Last,
    Low,
    Value(Comparison),
}

/// The words with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Count,
    Perm,
    Prod,
    Rev,
    Sort,
    Sum,
}

/// A rule as written.
pub(super) type Tree = tree::Tree<Node>;

impl tree::Node for Node {
    fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Arithmetic(_, a, b)
            | Self::Bind(
                _,
                Binding {
                    value: a, body: b, ..
                },
            )
            | Self::Filter(_, a, b)
            | Self::Range(a, b)
            | Self::Repeat(a, b) => {
                visit(*a);
                visit(*b);
            }
            Self::Die(a) | Self::Group(Some(a)) | Self::Negate(a) | Self::Word(_, a) => visit(*a),
            Self::Group(None) | Self::Integer | Self::Name | Self::Unreadable => {}
            Self::If(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Self::Join(parts) => parts.iter().copied().for_each(visit),
        }
    }

    /// Empty parentheses are not removed.
    fn grouped(&self) -> Option<NodeId> {
        match self {
            Self::Group(inner) => *inner,
            _ => None,
        }
    }
}

impl Node {
    /// Whether the node is a list by dicelab's syntax. For parentheses with a content, the content decides; the caller asks
    /// about that.
    pub(super) fn is_list(&self) -> bool {
        match self {
            Self::Arithmetic(..)
            | Self::Die(_)
            | Self::Integer
            | Self::Name
            | Self::Negate(_)
            | Self::Unreadable
            | Self::Word(Word::Count | Word::Prod | Word::Sum, _) => false,
            Self::Bind(..)
            | Self::Filter(..)
            | Self::Group(_)
            | Self::If(..)
            | Self::Join(_)
            | Self::Range(..)
            | Self::Repeat(..)
            | Self::Word(Word::Perm | Word::Rev | Word::Sort, _) => true,
        }
    }
}

impl Operator {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Concatenate => ".",
            Self::Divide => "/",
            Self::Multiply => "*",
            Self::Power => "^",
            Self::Remainder => "%",
            Self::Subtract => "-",
        }
    }
}

impl Binder {
    /// The word of the binder, the text after the name, and the word before the body.
    pub(super) fn words(self) -> [&'static str; 3] {
        match self {
            Self::Foreach => ["foreach", " in ", "do"],
            Self::Let => ["let", " = ", "in"],
            Self::While => ["while", " = ", "do"],
        }
    }
}

impl Filter {
    /// Whether the filter is one of the six comparisons.
    pub(super) fn is_by_value(self) -> bool {
        matches!(self.by, By::Value(_))
    }

    /// The filter as written, without its operands.
    pub(super) fn words(self) -> String {
        let modifier = match self.modifier {
            None => "",
            Some(Modifier::Drop) => "drop ",
            Some(Modifier::Keep) => "keep ",
        };
        let by = match self.by {
            By::First => "first",
            By::High => "high",
            By::Last => "last",
            By::Low => "low",
            By::Value(comparison) => symbol(comparison),
        };
        format!("{modifier}{by}")
    }
}

impl Word {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Perm => "perm",
            Self::Prod => "prod",
            Self::Rev => "rev",
            Self::Sort => "sort",
            Self::Sum => "sum",
        }
    }
}

/// A comparison as written.
pub(super) fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::NotEqual => "!=",
    }
}
