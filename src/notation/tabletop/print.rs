//! Prints a tree: as canonical text with no more parentheses than needed, and as an indented tree for people.
//!
//! Reading the canonical text gives the same program, and printing that program gives the same text
//! (`printing_a_roll_is_a_fixed_point`).

use super::known::second_target;
use super::lower::outside;
use super::token::{Operator, Sides as Word};
use super::tree::{Argument, ChainPart, Die, Modified, Node, Sides, Tree, last_operand};
use super::words::sign;
use crate::notation::extreme::Extreme;
use crate::notation::reader::outline;
use crate::notation::reader::tree::NodeId;
use crate::stack;

/// The levels of precedence, the loosest first.
mod level {
    pub(super) const COMPARE: u8 = 0;
    pub(super) const SUM: u8 = 1;
    pub(super) const PRODUCT: u8 = 2;
    pub(super) const SIGN: u8 = 3;
    pub(super) const POWER: u8 = 4;
    pub(super) const ATOM: u8 = 5;
}

/// The canonical text of a roll.
pub(super) fn text(tree: &Tree) -> String {
    let mut out = String::new();
    let mut root = tree.root;
    if let Node::Repeat(count, roll) = *tree.node(root) {
        out.push_str(tree.words(count));
        out.push('#');
        root = roll;
    }
    if let Node::Advantage(end, roll) = *tree.node(root) {
        write(tree, roll, level::COMPARE, &mut out);
        out.push(' ');
        out.push_str(advantage(end));
    } else {
        write(tree, root, level::COMPARE, &mut out);
    }
    out
}

fn advantage(end: Extreme) -> &'static str {
    match end {
        Extreme::High => "adv",
        Extreme::Low => "dis",
    }
}

fn level(node: &Node) -> u8 {
    match node {
        Node::Compare(..) => level::COMPARE,
        Node::Binary(operator, ..) => match operator {
            Operator::Add | Operator::Subtract => level::SUM,
            Operator::Power => level::POWER,
            _ => level::PRODUCT,
        },
        Node::Negate(_) => level::SIGN,
        _ => level::ATOM,
    }
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Divide => "/",
        Operator::Floor => "//",
        Operator::Modulo => "%",
        Operator::Multiply => "*",
        Operator::Power => "^",
        Operator::Subtract => "-",
    }
}

/// The sign of a comparison of totals.
fn total_sign(comparison: crate::ir::Comparison) -> &'static str {
    match comparison {
        crate::ir::Comparison::Equal => "==",
        other => sign(other),
    }
}

/// Writes a node, in parentheses if its level is below `loosest`.
fn write(tree: &Tree, id: NodeId, loosest: u8, out: &mut String) {
    stack::level(|| {
        let id = tree.ungrouped(id);
        let node = tree.node(id);
        let own = level(node);
        let in_parentheses = own < loosest;
        out.push_str(if in_parentheses { "(" } else { "" });
        match node {
            Node::Binary(operator, a, b) => {
                let (left, right) = match operator {
                    // The exponent may have a sign.
                    Operator::Power => (level::ATOM, level::SIGN),
                    _ => (own, own + 1),
                };
                write(tree, *a, left, out);
                out.push_str(symbol(*operator));
                write(tree, *b, right, out);
            }
            Node::Compare(comparison, a, b) => {
                // A sign behind dice would be their target.
                let is_total = *comparison == crate::ir::Comparison::Equal;
                let left = if !is_total && ends_with_dice(tree, *a) {
                    u8::MAX
                } else {
                    own + 1
                };
                write(tree, *a, left, out);
                out.push_str(total_sign(*comparison));
                // Two comparisons do not stand side by side.
                let right = match second_target(tree, *comparison, [*a, *b]) {
                    Some(_) => u8::MAX,
                    None => own + 1,
                };
                write(tree, *b, right, out);
            }
            Node::Negate(operand) => {
                out.push('-');
                write(tree, *operand, own, out);
            }
            Node::Call(function, arguments) => {
                out.push_str(function.name());
                list(tree, arguments, ['(', ')'], out);
            }
            Node::Die(die) => dice(tree, die, out),
            Node::Pool(pool) => {
                let brackets = if pool.is_parenthesis {
                    ['(', ')']
                } else {
                    ['{', '}']
                };
                list(tree, &pool.members, brackets, out);
                modifiers(tree, &pool.modifiers, out);
            }
            Node::Name => name(tree, id, out),
            Node::Number => out.push_str(tree.words(id)),
            Node::Advantage(_, inner) | Node::Group(inner) | Node::Repeat(_, inner) => {
                write(tree, *inner, loosest, out);
            }
        }
        out.push_str(if in_parentheses { ")" } else { "" });
    });
}

/// Whether the text of a part ends with dice or a group.
fn ends_with_dice(tree: &Tree, id: NodeId) -> bool {
    let last = tree.node(last_operand(tree, id));
    matches!(last, Node::Die(_) | Node::Pool(_))
}

fn list(tree: &Tree, members: &[NodeId], [open, close]: [char; 2], out: &mut String) {
    out.push(open);
    for (place, &member) in members.iter().enumerate() {
        out.push_str(if place > 0 { "," } else { "" });
        write(tree, member, level::COMPARE, out);
    }
    out.push(close);
}

fn name(tree: &Tree, id: NodeId, out: &mut String) {
    let (name, default) = outside(tree.words(id));
    let parts = match default {
        Some(default) => ["?{", name, "|", default, "}"],
        None => ["@{", name, "", "", "}"],
    };
    out.extend(parts);
}

/// A number of dice or of sides, or the number of a modifier: in parentheses unless it is plain.
fn number(tree: &Tree, id: NodeId, is_argument: bool, out: &mut String) {
    let id = tree.ungrouped(id);
    match tree.node(id) {
        Node::Number if is_argument || tree.words(id).bytes().all(|byte| byte.is_ascii_digit()) => {
            out.push_str(tree.words(id));
        }
        Node::Name if !is_argument && tree.words(id).starts_with('@') => name(tree, id, out),
        _ => list(tree, &[id], ['(', ')'], out),
    }
}

fn dice(tree: &Tree, die: &Die, out: &mut String) {
    if let Some(count) = die.count {
        number(tree, count, false, out);
    }
    out.push('d');
    match die.sides {
        Sides::Number(sides) => number(tree, sides, false, out),
        Sides::Word(word) => out.push_str(match word {
            Word::Coin => "c",
            Word::Fate => "F",
            Word::Percent => "%",
            Word::RareFate => "F.1",
        }),
    }
    modifiers(tree, &die.modifiers, out);
}

fn modifiers(tree: &Tree, modifiers: &[Modified], out: &mut String) {
    for part in modifiers {
        modifier(tree, part, out);
    }
}

fn modifier(tree: &Tree, part: &Modified, out: &mut String) {
    if let ChainPart::Modifier(modifier) = part.kind {
        out.push_str(modifier.word());
    }
    match part.argument {
        Argument::Condition(comparison, argument) => {
            out.push_str(sign(comparison));
            number(tree, argument, true, out);
        }
        Argument::None => {}
        Argument::Number(argument) => number(tree, argument, true, out),
    }
}

/// The tree with one line for each node, and with operands indented below.
pub(super) fn tree(tree: &Tree) -> String {
    outline::outline(tree, |id| match tree.node(id) {
        Node::Advantage(end, _) => advantage(*end).into(),
        Node::Binary(operator, ..) => symbol(*operator).into(),
        Node::Call(function, _) => function.name().into(),
        Node::Compare(comparison, ..) => total_sign(*comparison).into(),
        Node::Die(die) => {
            let mut words = String::from("d");
            if let Sides::Word(_) = die.sides {
                dice(
                    tree,
                    &Die {
                        count: None,
                        modifiers: Vec::new(),
                        ..die.clone()
                    },
                    &mut words,
                );
                words.remove(0);
            }
            words.push_str(&chain(tree, &die.modifiers));
            words
        }
        Node::Negate(_) => "-".into(),
        Node::Pool(pool) => format!("{{}}{}", chain(tree, &pool.modifiers)),
        Node::Repeat(..) => "#".into(),
        Node::Group(_) | Node::Name | Node::Number => tree.words(id).into(),
    })
}

/// The modifiers of a die in the words of the notation.
fn chain(tree: &Tree, parts: &[Modified]) -> String {
    let mut words = String::new();
    for part in parts {
        words.push(' ');
        modifier(tree, part, &mut words);
    }
    words
}
