//! Prints a tree: as canonical text with no more parentheses than needed, and as an indented tree for people.
//!
//! Reading the canonical text gives the same program, and printing that program gives the same text
//! (`printing_onedice_is_a_fixed_point`).

use super::operator::{Default, Operator, Parameter, TIGHTEST};
use super::tree::{Node, Tree};
use crate::notation::reader::outline::line;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::stack;

/// The canonical text of a rule.
pub(super) fn text(tree: &Tree) -> String {
    let mut out = String::new();
    write(tree, tree.root, 0, &mut out);
    out
}

/// Writes a node, in parentheses if its level is below `loosest`.
fn write(tree: &Tree, id: NodeId, loosest: u16, out: &mut String) {
    let id = tree.ungrouped(id);
    stack::level(|| {
        if level(tree, id) < loosest {
            out.push('(');
            node(tree, id, out);
            out.push(')');
        } else {
            node(tree, id, out);
        }
    });
}

/// The level of a node's outermost operator.
fn level(tree: &Tree, id: NodeId) -> u16 {
    match (tree.node(id), tree.operation(id)) {
        (_, Some(operation)) => operation.operator.level(),
        (Node::Pop(_), _) => Operator::KeepHigh.level(),
        _ => TIGHTEST + 1,
    }
}

fn node(tree: &Tree, id: NodeId, out: &mut String) {
    match tree.node(id) {
        Node::Group(inner) => write(tree, *inner, 0, out),
        Node::Index => word("i", out),
        Node::Infix(operator, left, right) => {
            let level = operator.level();
            match (operator, tree.node(*left)) {
                (Operator::Variable, Node::Missing(_)) => {}
                // Without parentheses around the die, the operator would be a parameter of the die.
                (Operator::Bonus | Operator::Penalty | Operator::Pool, _)
                    if is_die(tree, *left) =>
                {
                    write(tree, *left, level + 1, out);
                }
                _ => write(tree, *left, level, out),
            }
            word(operator.word(), out);
            match (operator, tree.node(*right)) {
                (Operator::Choose, Node::Missing(_)) => {}
                _ => write(tree, *right, level + 1, out),
            }
        }
        Node::Integer => out.push_str(&tree.plain_words(id)),
        Node::Missing(Default::Number(value)) => out.push_str(&value.to_string()),
        Node::Missing(Default::Sides) => {}
        Node::Name => out.extend(["{", &tree.plain_words(id), "}"]),
        Node::Pop(inner) => {
            write(tree, *inner, Operator::KeepHigh.level(), out);
            word("tp", out);
        }
        Node::Tuple(members) => {
            out.push('[');
            for (number, member) in members.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { "," });
                write(tree, *member, 0, out);
            }
            out.push(']');
        }
        Node::With(parameter, subject, value) => {
            stack::level(|| node(tree, *subject, out));
            word(parameter.word(), out);
            match value {
                None => out.push('1'),
                Some(value) => {
                    let tightest_only = match parameter {
                        Parameter::Else => TIGHTEST,
                        _ if is_bare(tree, *value) => 0,
                        _ => TIGHTEST + 2,
                    };
                    write(tree, *value, tightest_only, out);
                }
            }
        }
    }
}

fn is_die(tree: &Tree, id: NodeId) -> bool {
    let operation = tree.operation(tree.ungrouped(id));
    operation.is_some_and(|operation| operation.operator == Operator::Roll)
}

/// Whether a node needs no parentheses as the value of a parameter.
fn is_bare(tree: &Tree, id: NodeId) -> bool {
    let node = tree.node(tree.ungrouped(id));
    matches!(node, Node::Index | Node::Integer | Node::Name)
}

/// Writes a word or sign, after a blank if two letters would touch.
fn word(word: &str, out: &mut String) {
    let is_letter = |letter: char| letter.is_ascii_alphabetic();
    if out.ends_with(is_letter) && word.starts_with(is_letter) {
        out.push(' ');
    }
    out.push_str(word);
}

/// The tree with one line for each node, and with operands and parameters indented below.
pub(super) fn tree(tree: &Tree) -> String {
    let mut out = String::new();
    write_tree(tree, tree.root, 0, &mut out);
    out
}

fn write_tree(tree: &Tree, id: NodeId, depth: usize, out: &mut String) {
    let id = tree.ungrouped(id);
    let operation = tree.operation(id);
    let head = match (tree.node(id), &operation) {
        (_, Some(operation)) => operation.operator.word().into(),
        (Node::Index, _) => "i".into(),
        (Node::Missing(Default::Number(value)), _) => format!("{value} (not written)"),
        (Node::Missing(Default::Sides), _) => "the sides of a die (not written)".into(),
        (Node::Name, _) => format!("{{{}}}", tree.plain_words(id)),
        (Node::Pop(_), _) => "tp".into(),
        (Node::Tuple(_), _) => "[]".into(),
        _ => tree.plain_words(id),
    };
    line(depth, &head, out);
    let mut below = |id, depth| stack::level(|| write_tree(tree, id, depth, out));
    let Some(operation) = operation else {
        tree.node(id)
            .each_operand(|operand| below(operand, depth + 1));
        return;
    };
    below(operation.left, depth + 1);
    below(operation.right, depth + 1);
    for (parameter, value) in operation.parameters {
        line(depth + 1, parameter.word(), out);
        if let Some(value) = value {
            stack::level(|| write_tree(tree, value, depth + 2, out));
        }
    }
}
