//! Prints a tree: as canonical text with no more parentheses than needed, and as an indented tree for people.
//!
//! Reading the canonical text gives the same program, and printing that program gives the same text
//! (`printing_what_was_read_is_a_fixed_point`).

use super::table::Table;
use super::tree::{Binding, Node, Operator, Tree};
use crate::notation::reader::outline;
use crate::notation::reader::tree::NodeId;
use crate::stack;

/// The canonical text of a rule.
pub(super) fn text(table: Table, tree: &Tree) -> String {
    part(table, tree, tree.root)
}

/// The canonical text of a part of a rule, in the precedence of a table.
pub(super) fn part(table: Table, tree: &Tree, id: NodeId) -> String {
    let mut out = String::new();
    Printer { table, tree }.write(id, level::WHOLE, &mut out);
    out
}

struct Printer<'t> {
    table: Table,
    tree: &'t Tree,
}

/// The levels of precedence, the loosest first. Bones and dicelab each use some of them. The levels of words and filters depend
/// on the table.
mod level {
    pub(super) const WHOLE: u8 = 0;
    pub(super) const RANGE: u8 = 1;
    pub(super) const JOIN: u8 = 2;
    pub(super) const ITEM: u8 = 3;
    pub(super) const SUM: u8 = 4;
    pub(super) const LOOSE_MINUS: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const MINUS: u8 = 7;
    pub(super) const WORD: u8 = 8;
    pub(super) const REPEAT: u8 = 9;
    pub(super) const POWER: u8 = 10;
    pub(super) const DIE: u8 = 11;
    pub(super) const ATOM: u8 = 12;
}

impl Printer<'_> {
    /// The level of a node's outermost operator.
    fn level(&self, node: &Node) -> u8 {
        let bones = self.table == Table::Bones;
        match node {
            Node::Arithmetic(Operator::Add | Operator::Concatenate | Operator::Subtract, ..) => {
                level::SUM
            }
            Node::Arithmetic(Operator::Power, ..) => level::POWER,
            Node::Arithmetic(..) => level::PRODUCT,
            Node::Die(_) => level::DIE,
            Node::Filter(filter, ..) if bones && filter.is_by_value() => level::ITEM,
            Node::Filter(..) | Node::Word(..) if bones => level::WORD,
            Node::Bind(..) | Node::Filter(..) | Node::If(..) | Node::Word(..) => level::WHOLE,
            Node::Group(_) | Node::Integer | Node::Name | Node::Unreadable => level::ATOM,
            Node::Join(_) => level::JOIN,
            Node::Negate(_) if bones => level::MINUS,
            Node::Negate(_) => level::LOOSE_MINUS,
            Node::Range(..) if bones => level::RANGE,
            Node::Repeat(..) if bones => level::REPEAT,
            Node::Range(..) | Node::Repeat(..) => level::ITEM,
        }
    }

    /// Writes a node, in parentheses if its level is below `loosest`.
    fn write(&self, id: NodeId, loosest: u8, out: &mut String) {
        stack::level(|| {
            let id = self.tree.ungrouped(id);
            let node = self.tree.node(id);
            if self.level(node) < loosest {
                out.push('(');
                self.node(id, node, out);
                out.push(')');
            } else {
                self.node(id, node, out);
            }
        });
    }

    fn node(&self, id: NodeId, node: &Node, out: &mut String) {
        let bones = self.table == Table::Bones;
        match node {
            Node::Arithmetic(operator, a, b) => {
                let (left, right, space) = match self.level(node) {
                    level::SUM if *operator == Operator::Concatenate => {
                        (level::SUM, level::SUM + 1, "")
                    }
                    level::POWER => (level::POWER + 1, level::POWER, ""),
                    level => (level, level + 1, " "),
                };
                self.write(*a, left, out);
                out.extend([space, operator.symbol(), space]);
                self.write(*b, right, out);
            }
            Node::Bind(binder, Binding { name, value, body }) => {
                let [word, equals, before_body] = binder.words();
                out.extend([word, " ", self.tree.slice(*name), equals]);
                self.write(*value, level::WHOLE, out);
                out.extend([" ", before_body, " "]);
                self.write(*body, level::WHOLE, out);
            }
            Node::Die(sides) => self.prefix("d", *sides, level::DIE, out),
            Node::Filter(filter, argument, list) => {
                let list_level = if bones {
                    self.level(node)
                } else {
                    level::WHOLE
                };
                let by_value = filter.is_by_value();
                out.push_str(&filter.words());
                out.push_str(if by_value { "" } else { " " });
                self.write(*argument, level::DIE, out);
                self.list_of_filter(*list, list_level, out);
            }
            Node::Group(_) | Node::Unreadable => out.push_str("()"),
            Node::If(condition, yes, no) => {
                for (word, part) in [("if ", condition), (" then ", yes), (" else ", no)] {
                    out.push_str(word);
                    self.write(*part, level::WHOLE, out);
                }
            }
            Node::Integer | Node::Name => out.push_str(self.tree.words(id)),
            Node::Join(members) => {
                for (number, member) in members.iter().enumerate() {
                    out.push_str(if number == 0 { "" } else { ", " });
                    self.write(*member, level::ITEM, out);
                }
            }
            Node::Negate(operand) => {
                let loosest = if bones {
                    level::MINUS
                } else {
                    level::LOOSE_MINUS
                };
                self.prefix("-", *operand, loosest, out);
            }
            Node::Range(low, high) => {
                let loosest = if bones { level::JOIN } else { level::SUM };
                self.write(*low, loosest, out);
                out.push_str("..");
                self.write(*high, loosest, out);
            }
            Node::Repeat(count, body) => {
                let (left, right) = if bones {
                    (level::REPEAT + 1, level::REPEAT)
                } else {
                    (level::SUM, level::ITEM)
                };
                self.write(*count, left, out);
                out.push('#');
                self.write(*body, right, out);
            }
            Node::Word(word, list) => {
                let loosest = if bones { level::WORD } else { level::WHOLE };
                self.prefix(word.word(), *list, loosest, out);
            }
        }
    }

    /// Writes a word or sign and its operand, with a blank between them if they would look like one word.
    fn prefix(&self, word: &str, operand: NodeId, loosest: u8, out: &mut String) {
        out.push_str(word);
        let start = out.len();
        self.write(operand, loosest, out);
        let next = out[start..].chars().next();
        let one_word = word.ends_with(|last: char| last.is_ascii_alphabetic())
            && next.is_some_and(|next| next != '(' && !(word == "d" && next.is_ascii_digit()));
        if one_word {
            out.insert(start, ' ');
        }
    }

    /// Writes the list of a filter, in parentheses if it begins with a minus sign, which would continue the first operand.
    fn list_of_filter(&self, list: NodeId, loosest: u8, out: &mut String) {
        out.push(' ');
        let start = out.len();
        self.write(list, loosest, out);
        if out[start..].starts_with('-') {
            out.insert(start, '(');
            out.push(')');
        }
    }
}

/// The tree with one line for each node, and with operands indented below.
pub(super) fn tree(tree: &Tree) -> String {
    outline::outline(tree, |id| match tree.node(id) {
        Node::Arithmetic(operator, ..) => operator.symbol().into(),
        Node::Bind(binder, Binding { name, .. }) => {
            format!("{} {}", binder.words()[0], tree.slice(*name))
        }
        Node::Die(_) => "d".into(),
        Node::Filter(filter, ..) => filter.words(),
        Node::Group(_) | Node::Unreadable => "()".into(),
        Node::If(..) => "if".into(),
        Node::Integer | Node::Name => tree.words(id).into(),
        Node::Join(_) => ",".into(),
        Node::Negate(_) => "-".into(),
        Node::Range(..) => "..".into(),
        Node::Repeat(..) => "#".into(),
        Node::Word(word, _) => word.word().into(),
    })
}
