//! Prints a tree: as canonical text with no more parentheses than needed, and as an indented tree for people.
//!
//! Reading the canonical text gives the same program, and printing that program gives the same text.

use super::tree::{CallPart, Chosen, Infix, NamePart, Node, Prefix, SequencePart, Tree};
use crate::notation::reader::outline;
use crate::notation::reader::tree::NodeId;
use crate::stack;

/// The canonical text of a program: each statement on a line, or on several.
pub(super) fn text(tree: &Tree) -> String {
    let mut printer = Printer {
        tree,
        indent: 0,
        out: String::new(),
    };
    if let Node::Block(statements) = tree.node(tree.root) {
        for &statement in statements {
            printer.statement(statement);
            printer.line();
        }
    }
    printer.out.trim_end().to_owned()
}

/// The tree of a program, a line for each node.
pub(super) fn tree(tree: &Tree) -> String {
    outline::outline(tree, |id| words(tree, id))
}

/// The line of a node.
fn words(tree: &Tree, id: NodeId) -> String {
    match tree.node(id) {
        Node::Assign(name, _) => format!("{}:", tree.slice(*name)),
        Node::Block(_) => "block".into(),
        Node::Call(pieces) => {
            let words = pieces.iter().map(|piece| match piece {
                CallPart::Value(_) => "_",
                CallPart::Word(word) => tree.slice(*word),
            });
            format!("[{}]", words.collect::<Vec<_>>().join(" "))
        }
        Node::Function(places, _) => format!("function: {}", heading(tree, places)),
        Node::Group(_) => "()".into(),
        Node::If(..) => "if".into(),
        Node::Infix(operator, ..) => operator.symbol().into(),
        Node::Loop(name, ..) => format!("loop {}", tree.slice(*name)),
        Node::Number | Node::Variable => tree.words(id).into(),
        Node::Output(_, None) => "output".into(),
        Node::Output(_, Some(name)) => format!("output named {}", tree.slice(*name)),
        Node::Prefix(operator, _) => operator.symbol().into(),
        Node::Result(_) => "result".into(),
        Node::Sequence(_) => "sequence".into(),
        Node::Set(name, Chosen::Text(text)) => {
            format!("set {} to {}", tree.slice(*name), tree.slice(*text))
        }
        Node::Set(name, Chosen::Value(_)) => format!("set {}", tree.slice(*name)),
    }
}

/// The name of a function with its parameters, as defined.
fn heading(tree: &Tree, places: &[NamePart]) -> String {
    let places = places.iter().map(|place| match place {
        NamePart::Parameter(name, kind) => match kind.letter() {
            Some(letter) => format!("{}:{letter}", tree.slice(*name)),
            None => tree.slice(*name).into(),
        },
        NamePart::Word(word) => tree.slice(*word).into(),
    });
    places.collect::<Vec<_>>().join(" ")
}

struct Printer<'t> {
    tree: &'t Tree,
    indent: usize,
    out: String,
}

/// The level of prefixes and of operands, above all levels of infix operators.
const PREFIX: u16 = super::tree::LEVELS + 1;

impl Printer<'_> {
    fn line(&mut self) {
        self.out.push('\n');
        let indent = self.indent.min(100);
        self.out.extend(std::iter::repeat_n("  ", indent));
    }

    /// Writes a token. Between two `d` stands a blank, because `dd` is a word.
    fn push(&mut self, text: &str) {
        if self.out.ends_with('d') && text.starts_with('d') {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    fn statement(&mut self, id: NodeId) {
        let tree = self.tree;
        stack::level(|| match tree.node(id) {
            Node::Assign(name, value) => {
                self.push(tree.slice(*name));
                self.push(": ");
                self.value(*value, 0);
            }
            Node::Function(places, body) => {
                self.push("function: ");
                self.push(&heading(tree, places));
                self.push(" ");
                self.statement(*body);
            }
            Node::If(branches, otherwise) => {
                let mut word = "if ";
                for &(condition, block) in branches {
                    self.push(word);
                    word = " else if ";
                    self.value(condition, 0);
                    self.push(" ");
                    self.statement(block);
                }
                if let Some(block) = otherwise {
                    self.push(" else ");
                    self.statement(*block);
                }
            }
            Node::Loop(name, members, block) => {
                self.push("loop ");
                self.push(tree.slice(*name));
                self.push(" over ");
                self.value(*members, 0);
                self.push(" ");
                self.statement(*block);
            }
            Node::Output(value, name) => {
                self.push("output ");
                self.value(*value, 0);
                if let Some(name) = name {
                    self.push(" named ");
                    self.push(tree.slice(*name));
                }
            }
            Node::Result(value) => {
                self.push("result: ");
                self.value(*value, 0);
            }
            Node::Set(name, chosen) => {
                self.push("set ");
                self.push(tree.slice(*name));
                self.push(" to ");
                match chosen {
                    Chosen::Text(text) => self.push(tree.slice(*text)),
                    Chosen::Value(value) => self.value(*value, 0),
                }
            }
            Node::Block(statements) => self.block(statements),
            _ => self.value(id, 0),
        });
    }

    fn block(&mut self, statements: &[NodeId]) {
        self.push("{");
        self.indent += 1;
        for &statement in statements {
            self.line();
            self.statement(statement);
        }
        self.indent -= 1;
        if !statements.is_empty() {
            self.line();
        }
        self.push("}");
    }

    /// Writes a value, in parentheses if its operator is looser than `loosest`.
    fn value(&mut self, id: NodeId, loosest: u16) {
        let tree = self.tree;
        let id = tree.ungrouped(id);
        stack::level(|| match tree.node(id) {
            Node::Infix(operator, ..) if operator.level() < loosest => {
                self.push("(");
                self.value(id, 0);
                self.push(")");
            }
            Node::Infix(operator, a, b) => {
                let level = operator.level();
                self.value(*a, level);
                let space = if *operator == Infix::Dice { "" } else { " " };
                self.push(space);
                self.push(operator.symbol());
                self.push(space);
                self.value(*b, level + 1);
            }
            Node::Prefix(operator, value) => {
                self.push(operator.symbol());
                self.value(*value, PREFIX);
            }
            Node::Sequence(parts) => self.sequence(parts),
            Node::Call(pieces) => self.call(pieces),
            _ => self.push(tree.words(id)),
        });
    }

    fn sequence(&mut self, parts: &[SequencePart]) {
        self.push("{");
        for (number, part) in parts.iter().enumerate() {
            self.push(if number == 0 { "" } else { ", " });
            self.value(part.first, 0);
            if let Some(last) = part.last {
                self.push("..");
                self.value(last, 0);
            }
            if let Some(times) = part.times {
                self.push(":");
                self.value(times, 0);
            }
        }
        self.push("}");
    }

    fn call(&mut self, pieces: &[CallPart]) {
        self.push("[");
        let mut is_behind_value = false;
        for (number, piece) in pieces.iter().enumerate() {
            self.push(if number == 0 { "" } else { " " });
            match *piece {
                CallPart::Word(word) => self.push(self.tree.slice(word)),
                // A sign behind a value would stand between two values.
                CallPart::Value(value) if is_behind_value && self.begins_with_sign(value) => {
                    self.push("(");
                    self.value(value, 0);
                    self.push(")");
                }
                CallPart::Value(value) => self.value(value, 0),
            }
            is_behind_value = matches!(piece, CallPart::Value(_));
        }
        self.push("]");
    }

    /// Whether the text of a value begins with a sign that can also stand between values.
    fn begins_with_sign(&self, mut id: NodeId) -> bool {
        let mut level = 0;
        loop {
            id = self.tree.ungrouped(id);
            match self.tree.node(id) {
                Node::Infix(operator, left, _) if operator.level() >= level => {
                    level = operator.level();
                    id = *left;
                }
                Node::Prefix(prefix, _) => {
                    return matches!(prefix, Prefix::Die | Prefix::Minus | Prefix::Plus);
                }
                _ => return false,
            }
        }
    }
}
