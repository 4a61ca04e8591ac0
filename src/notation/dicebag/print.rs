//! Prints a tree: as canonical text with no more parentheses than needed, and as an indented tree for people.
//!
//! Reading the canonical text gives the same program, and printing that program gives the same text
//! (`printing_what_was_read_is_a_fixed_point`).

use super::tree::{Binary, Node, Tree};
use crate::notation::reader::outline;
use crate::notation::reader::tree::NodeId;
use crate::stack;

/// The levels of precedence, the loosest first.
mod level {
    pub(super) const SUM: u8 = 0;
    pub(super) const PRODUCT: u8 = 1;
    pub(super) const REPEAT: u8 = 2;
    pub(super) const BONUS: u8 = 3;
    pub(super) const MINUS: u8 = 4;
    pub(super) const DICE: u8 = 5;
    pub(super) const ATOM: u8 = 6;
}

/// The canonical text of a rule.
pub(super) fn text(tree: &Tree) -> String {
    part(tree, tree.root)
}

/// The canonical text of a part of a rule.
pub(super) fn part(tree: &Tree, id: NodeId) -> String {
    let mut out = String::new();
    write(tree, id, level::SUM, &mut out);
    out
}

fn level(node: Node) -> u8 {
    match node {
        Node::Binary(operator, ..) => match operator {
            Binary::Add | Binary::Subtract => level::SUM,
            Binary::Divide | Binary::Multiply => level::PRODUCT,
            Binary::Repeat => level::REPEAT,
            Binary::BonusAdd | Binary::BonusSubtract => level::BONUS,
            Binary::Again(_)
            | Binary::Dice
            | Binary::Explode(_)
            | Binary::Keep(_)
            | Binary::Test(_) => level::DICE,
        },
        Node::Die(_) => level::DICE,
        Node::Negate(_) => level::MINUS,
        Node::Group(_) | Node::Integer => level::ATOM,
    }
}

/// Writes a node, in parentheses if its level is below `loosest`.
fn write(tree: &Tree, id: NodeId, loosest: u8, out: &mut String) {
    stack::level(|| {
        let id = tree.ungrouped(id);
        let node = *tree.node(id);
        let level = level(node);
        let in_parentheses = level < loosest;
        out.push_str(if in_parentheses { "(" } else { "" });
        match node {
            Node::Binary(operator, a, b) => {
                // The letters are right associative, the signs left associative.
                let (left, right) = match level {
                    level::DICE => (level + 1, level),
                    level => (level, level + 1),
                };
                write(tree, a, left, out);
                out.push_str(operator.symbol());
                write(tree, b, right, out);
            }
            Node::Die(sides) => {
                out.push('d');
                write(tree, sides, level, out);
            }
            Node::Negate(operand) => {
                out.push('-');
                write(tree, operand, level, out);
            }
            Node::Group(_) | Node::Integer => out.push_str(tree.words(id)),
        }
        out.push_str(if in_parentheses { ")" } else { "" });
    });
}

/// The tree with one line for each node, and with operands indented below.
pub(super) fn tree(tree: &Tree) -> String {
    outline::outline(tree, |id| match tree.node(id) {
        // `1 + 2` and `1+2` differ, and so do their trees.
        Node::Binary(Binary::BonusAdd, ..) => "+ each".into(),
        Node::Binary(Binary::BonusSubtract, ..) => "- each".into(),
        Node::Binary(operator, ..) => operator.symbol().trim().into(),
        Node::Die(_) => "d".into(),
        Node::Negate(_) => "-".into(),
        Node::Group(_) | Node::Integer => tree.words(id).into(),
    })
}
