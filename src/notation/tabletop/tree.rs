//! The tree of a roll.

use super::token::Operator;
use super::words::{Function, Modifier};
use crate::ir::Comparison;
use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::{self, NodeId};
use crate::source::Span;

/// A node of a roll. The value of a number, and the name of a value from outside, are the text of their place.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A roll whose leftmost die is rolled twice.
    Advantage(Extreme, NodeId),
    Binary(Operator, NodeId, NodeId),
    Call(Function, Vec<NodeId>),
    /// A comparison of totals.
    Compare(Comparison, NodeId, NodeId),
    Die(Die),
    /// `(…)`, `[[…]]` or `+…`, which keep a place and have no other meaning.
    Group(NodeId),
    Name,
    Negate(NodeId),
    Number,
    Pool(Pool),
    /// A number of rolls.
    Repeat(NodeId, NodeId),
}

/// Dice with their modifiers.
#[derive(Clone, Debug)]
pub(super) struct Die {
    pub(super) count: Option<NodeId>,
    pub(super) sides: Sides,
    pub(super) modifiers: Vec<Modified>,
}

/// The sides of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    Number(NodeId),
    Word(super::token::Sides),
}

/// `{A, B}` and `(A, B)` with modifiers; `(4d6)kh3`, too.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    pub(super) members: Vec<NodeId>,
    pub(super) modifiers: Vec<Modified>,
    /// Whether it is written as a parenthesis around one member.
    pub(super) is_parenthesis: bool,
}

/// A modifier, or a target, with its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modified {
    pub(super) kind: ChainPart,
    pub(super) argument: Argument,
    pub(super) span: Span,
}

/// What a part of a chain of modifiers is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChainPart {
    Modifier(Modifier),
    Target,
}

/// What follows a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Condition(Comparison, NodeId),
    None,
    Number(NodeId),
}

impl Argument {
    fn number(self) -> Option<NodeId> {
        match self {
            Self::Condition(_, number) | Self::Number(number) => Some(number),
            Self::None => None,
        }
    }
}

/// A roll as written.
pub(super) type Tree = tree::Tree<Node>;

impl tree::Node for Node {
    fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
        let numbers = |modifiers: &[Modified], visit: &mut dyn FnMut(NodeId)| {
            let numbers = modifiers.iter().filter_map(|part| part.argument.number());
            numbers.for_each(visit);
        };
        match self {
            Self::Binary(_, a, b) | Self::Compare(_, a, b) | Self::Repeat(a, b) => {
                visit(*a);
                visit(*b);
            }
            Self::Call(_, arguments) => arguments.iter().copied().for_each(visit),
            Self::Die(die) => {
                die.count.into_iter().for_each(&mut visit);
                if let Sides::Number(sides) = die.sides {
                    visit(sides);
                }
                numbers(&die.modifiers, &mut visit);
            }
            Self::Advantage(_, a) | Self::Group(a) | Self::Negate(a) => visit(*a),
            Self::Pool(pool) => {
                pool.members.iter().copied().for_each(&mut visit);
                numbers(&pool.modifiers, &mut visit);
            }
            Self::Name | Self::Number => {}
        }
    }

    fn grouped(&self) -> Option<NodeId> {
        match *self {
            Self::Group(inner) => Some(inner),
            _ => None,
        }
    }
}

/// The parts of a single sum: its dice, and its constants with whether they are subtracted.
#[derive(Debug, Default)]
pub(super) struct Sum {
    pub(super) dice: Vec<NodeId>,
    pub(super) constants: Vec<(bool, NodeId)>,
}

impl Sum {
    /// The parts of a part of a roll. `Err` holds a part that is neither.
    pub(super) fn of(tree: &Tree, root: NodeId) -> Result<Self, NodeId> {
        let mut sum = Self::default();
        let mut open = vec![(false, root)];
        while let Some((is_negative, id)) = open.pop() {
            let id = tree.ungrouped(id);
            match tree.node(id) {
                _ if is_constant(tree, id) => sum.constants.push((is_negative, id)),
                Node::Binary(Operator::Add, a, b) => {
                    open.extend([(is_negative, *b), (is_negative, *a)]);
                }
                Node::Binary(Operator::Subtract, a, b) => {
                    open.extend([(!is_negative, *b), (is_negative, *a)]);
                }
                Node::Die(_) if !is_negative => sum.dice.push(id),
                _ => return Err(id),
            }
        }
        Ok(sum)
    }
}

/// Whether a part rolls no dice.
pub(super) fn is_constant(tree: &Tree, id: NodeId) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        if matches!(node, Node::Die(_) | Node::Pool(_)) {
            return false;
        }
        tree::Node::each_operand(node, |operand| open.push(operand));
    }
    true
}

/// The leftmost operand of a roll that is no parenthesis.
pub(super) fn leftmost(tree: &Tree, id: NodeId) -> NodeId {
    let mut id = tree.ungrouped(id);
    while let Node::Binary(_, left, _) | Node::Compare(_, left, _) = tree.node(id) {
        id = tree.ungrouped(*left);
    }
    id
}

/// The last operand of a sum or a comparison, in or out of parentheses.
pub(super) fn last_operand(tree: &Tree, id: NodeId) -> NodeId {
    let mut id = tree.ungrouped(id);
    while let Node::Binary(_, _, last) | Node::Compare(_, _, last) | Node::Negate(last) =
        tree.node(id)
    {
        id = tree.ungrouped(*last);
    }
    id
}
