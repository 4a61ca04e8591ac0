//! Prints a tree: as canonical text with no more parentheses than needed, and as an indented tree for people.
//!
//! Reading the canonical text gives the same program, and printing that program gives the same text
//! (`printing_what_was_read_is_a_fixed_point`).

use super::table::Table;
use super::tree::{
    Binding, Case, Connective, How, Loop, Node, Operator, Pair, Pattern, Tree, WeightedFace,
    preposition, symbol,
};
use crate::notation::reader::outline;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::stack;

/// The canonical text of a rule.
pub(super) fn text(table: Table, tree: &Tree) -> String {
    part(table, tree, tree.root)
}

/// The canonical text of a part of a rule, in the precedence of a table.
pub(super) fn part(table: Table, tree: &Tree, id: NodeId) -> String {
    let mut out = String::new();
    let printer = Printer {
        table,
        tree,
        separates: false,
    };
    printer.write(id, level::WHOLE, &mut out);
    out
}

#[derive(Clone, Copy)]
struct Printer<'t> {
    table: Table,
    tree: &'t Tree,
    /// Whether a comma separates here: between the parentheses of a call, and between braces.
    separates: bool,
}

/// The levels of precedence, the loosest first. Bones and dicelab each use some of them. The levels of words and filters depend
/// on the table.
mod level {
    pub(super) const WHOLE: u8 = 0;
    pub(super) const RANGE: u8 = 1;
    pub(super) const JOIN: u8 = 2;
    pub(super) const OR: u8 = 3;
    pub(super) const AND: u8 = 4;
    pub(super) const NOT: u8 = 5;
    pub(super) const COMPARE: u8 = 6;
    pub(super) const ITEM: u8 = 7;
    pub(super) const SUM: u8 = 8;
    pub(super) const LOOSE_MINUS: u8 = 9;
    pub(super) const PRODUCT: u8 = 10;
    pub(super) const MINUS: u8 = 11;
    pub(super) const WORD: u8 = 12;
    pub(super) const REPEAT: u8 = 13;
    pub(super) const POWER: u8 = 14;
    pub(super) const DIE: u8 = 15;
    pub(super) const ATOM: u8 = 16;
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
            Node::Compare(..) => level::COMPARE,
            Node::Connect(Connective::And, ..) => level::AND,
            Node::Connect(Connective::Or, ..) => level::OR,
            Node::Die(_) => level::DIE,
            Node::Filter(filter, ..) if bones && filter.is_by_value() => level::ITEM,
            Node::Filter(..) | Node::Word(..) if bones => level::WORD,
            Node::Best(..)
            | Node::Bind(..)
            | Node::Filter(..)
            | Node::Given(..)
            | Node::If(..)
            | Node::Loop(_)
            | Node::Reroll(_)
            | Node::Word(..) => level::WHOLE,
            Node::AnyDie(_)
            | Node::Call(..)
            | Node::Case(_)
            | Node::Dice(_)
            | Node::Draw(..)
            | Node::Fate
            | Node::Function(..)
            | Node::Group(_)
            | Node::Integer
            | Node::Name
            | Node::Percentile
            | Node::Record(_)
            | Node::Text
            | Node::Unreadable => level::ATOM,
            Node::Join(_) => level::JOIN,
            Node::Negate(_) if bones => level::MINUS,
            Node::Negate(_) => level::LOOSE_MINUS,
            Node::Not(_) => level::NOT,
            Node::Again(..) | Node::On(..) | Node::Pair(..) | Node::Part(..) => level::WORD,
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
            let is_list = self.separates && matches!(node, Node::Join(_));
            if is_list || self.level(node) < loosest {
                out.push('(');
                self.where_commas_join().node(id, node, out);
                out.push(')');
            } else {
                self.node(id, node, out);
            }
        });
    }

    fn where_commas_join(self) -> Self {
        Self {
            separates: false,
            ..self
        }
    }

    fn where_commas_separate(self) -> Self {
        Self {
            separates: true,
            ..self
        }
    }

    /// Writes a node before the word `then`. It stands in parentheses if it ends with a loop, which would take the word.
    fn before_then(&self, id: NodeId, out: &mut String) {
        self.closed_if(self.ends_with_loop(id), id, level::WHOLE, out);
    }

    /// Writes a node, in parentheses if it must be closed or its level is below `loosest`.
    fn closed_if(&self, is_closed: bool, id: NodeId, loosest: u8, out: &mut String) {
        if is_closed {
            out.push('(');
            self.where_commas_join().write(id, level::WHOLE, out);
            out.push(')');
        } else {
            self.write(id, loosest, out);
        }
    }

    /// Whether a node ends with the faces of dice that are rolled again, which could go on with `..`.
    fn ends_with_faces(&self, id: NodeId) -> bool {
        let mut next = Some(id);
        while let Some(id) = next.map(|id| self.tree.ungrouped(id)) {
            let node = self.tree.node(id);
            if let Node::On(..) = node {
                return true;
            }
            next = None;
            if self.level(node) < level::ATOM {
                node.each_operand(|operand| next = Some(operand));
            }
        }
        false
    }

    /// Whether a node ends with a loop that could go on with `then`.
    fn ends_with_loop(&self, id: NodeId) -> bool {
        let mut id = self.tree.ungrouped(id);
        loop {
            id = self.tree.ungrouped(match self.tree.node(id) {
                Node::Best(_, Binding { body, .. }, _)
                | Node::Bind(_, Binding { body, .. })
                | Node::Reroll(Binding { body, .. }) => *body,
                Node::If(_, _, no) => *no,
                Node::Loop(repeated) => match repeated.result {
                    None => return true,
                    Some(result) => result,
                },
                _ => return false,
            });
        }
    }

    /// Writes parts with commas between them that make no list.
    fn separated(&self, parts: &[NodeId], out: &mut String) {
        for (number, part) in parts.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { ", " });
            self.where_commas_separate().write(*part, level::WHOLE, out);
        }
    }

    fn entries(&self, entries: &[WeightedFace], out: &mut String) {
        out.push('{');
        for (number, entry) in entries.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { ", " });
            // A difference of two numbers is taken for a range.
            let face = self.tree.node(self.tree.ungrouped(entry.face));
            let is_closed = matches!(face, Node::Arithmetic(Operator::Subtract, ..));
            let separate = self.where_commas_separate();
            separate.closed_if(is_closed, entry.face, level::WHOLE, out);
            if let Some(weight) = entry.weight {
                out.push_str(": ");
                self.separated(&[weight], out);
            }
        }
        out.push('}');
    }

    fn case(&self, case: &Case, out: &mut String) {
        out.push_str("case ");
        if let Some(value) = case.value {
            // If a binder ends with a `case`, the braces of that `case` would be read as a record.
            self.write(value, level::RANGE, out);
            out.push(' ');
        }
        out.push('{');
        let mut comma = "";
        let separate = self.where_commas_separate();
        for arm in &case.arms {
            out.push_str(comma);
            comma = ", ";
            for (number, pattern) in arm.patterns.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { " or " });
                let (low, high) = pattern.ends();
                if let Some(low) = low {
                    let level = match pattern {
                        Pattern::Holds(_) => level::WHOLE,
                        _ => level::ITEM,
                    };
                    separate.write(low, level, out);
                }
                if !matches!(pattern, Pattern::Holds(_) | Pattern::One(_)) {
                    out.push_str("..");
                }
                if let Some(high) = high {
                    separate.write(high, level::ITEM, out);
                }
            }
            out.push_str(": ");
            separate.write(arm.result, level::WHOLE, out);
        }
        if let Some(otherwise) = case.otherwise {
            out.push_str(comma);
            out.push_str("else: ");
            separate.write(otherwise, level::WHOLE, out);
        }
        out.push('}');
    }

    fn repeated(&self, repeated: &Loop, out: &mut String) {
        out.push_str("repeat ");
        for (number, &(name, first)) in repeated.states.iter().enumerate() {
            out.extend([
                if number == 0 { "" } else { ", " },
                self.tree.slice(name),
                " = ",
            ]);
            self.separated(&[first], out);
        }
        match repeated.how {
            How::For(name, list) => {
                out.extend([" for ", self.tree.slice(name), " in "]);
                self.write(list, level::WHOLE, out);
            }
            How::Until(condition) => {
                out.push_str(" until ");
                self.write(condition, level::WHOLE, out);
            }
            How::While(condition) => {
                out.push_str(" while ");
                self.write(condition, level::WHOLE, out);
            }
        }
        out.push_str(" do ");
        match repeated.result {
            None => self.write(repeated.body, level::WHOLE, out),
            Some(result) => {
                self.before_then(repeated.body, out);
                out.push_str(" then ");
                self.write(result, level::WHOLE, out);
            }
        }
    }

    /// Writes a node that dicelab has not.
    fn form(&self, node: &Node, out: &mut String) {
        match node {
            Node::AnyDie(entries) => {
                out.push('d');
                self.entries(entries, out);
            }
            Node::Best(candidates, Binding { name, value, body }, by) => {
                out.extend(["best ", self.tree.slice(*name), " "]);
                out.extend([preposition(*candidates), " "]);
                self.write(*value, level::WHOLE, out);
                if let Some(by) = by {
                    out.extend([" by ", self.tree.slice(*by)]);
                }
                out.push_str(" do ");
                self.write(*body, level::WHOLE, out);
            }
            Node::Again(again, dice) => self.prefix(again.word(), *dice, level::WORD, out),
            Node::On(dice, once, list) => {
                self.write(*dice, level::REPEAT, out);
                out.push_str(if *once { " once on " } else { " on " });
                let list = self.tree.ungrouped(*list);
                match *self.tree.node(list) {
                    Node::Range(low, high) => {
                        self.write(low, level::ATOM, out);
                        out.push_str("..");
                        self.write(high, level::ATOM, out);
                    }
                    Node::Integer | Node::Name => self.write(list, level::ATOM, out),
                    _ => {
                        out.push('(');
                        self.where_commas_join().write(list, level::WHOLE, out);
                        out.push(')');
                    }
                }
            }
            Node::Call(name, arguments) => {
                out.extend([self.tree.slice(*name), "("]);
                self.separated(arguments, out);
                out.push(')');
            }
            Node::Case(case) => self.case(case, out),
            Node::Compare(comparison, a, b) => {
                self.write(*a, level::ITEM, out);
                out.extend([" ", symbol(*comparison), " "]);
                self.write(*b, level::ITEM, out);
            }
            Node::Connect(connective, a, b) => {
                let level = self.level(node);
                self.write(*a, level, out);
                out.extend([" ", connective.word(), " "]);
                self.write(*b, level + 1, out);
            }
            Node::Draw(count, entries) => {
                self.prefix("draw", *count, level::DIE, out);
                out.push(' ');
                self.entries(entries, out);
            }
            Node::Dice(dice) => out.push_str(&dice.print()),
            Node::Fate => out.push_str("dF"),
            Node::Function(function, arguments) => {
                out.extend([function.word(), "("]);
                self.separated(arguments, out);
                out.push(')');
            }
            Node::Given(value, condition) => {
                self.write(*value, level::RANGE, out);
                out.push_str(" given ");
                self.write(*condition, level::RANGE, out);
            }
            Node::Loop(repeated) => self.repeated(repeated, out),
            Node::Not(a) => self.prefix("not", *a, level::NOT, out),
            Node::Pair(pair, argument, list) => {
                self.prefix(pair.word(), *argument, level::DIE, out);
                if *pair == Pair::Draw {
                    out.push_str(" from");
                }
                self.list_of_filter(*list, level::WORD, out);
            }
            Node::Part(name, records) => {
                out.extend([self.tree.slice(*name), " of"]);
                self.list_of_filter(*records, level::WORD, out);
            }
            Node::Percentile => out.push_str("d%"),
            Node::Record(parts) => {
                out.push('{');
                for (number, &(name, part)) in parts.iter().enumerate() {
                    let comma = if number == 0 { "" } else { ", " };
                    out.extend([comma, self.tree.slice(name), ": "]);
                    self.separated(&[part], out);
                }
                out.push('}');
            }
            Node::Reroll(Binding { name, value, body }) => {
                out.extend(["reroll ", self.tree.slice(*name), " = "]);
                self.write(*value, level::WHOLE, out);
                out.push_str(" until ");
                self.write(*body, level::WHOLE, out);
            }
            _ => {}
        }
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
                out.push_str("if ");
                self.before_then(*condition, out);
                for (word, part) in [(" then ", yes), (" else ", no)] {
                    out.push_str(word);
                    self.write(*part, level::WHOLE, out);
                }
            }
            Node::Integer | Node::Name | Node::Text => out.push_str(self.tree.words(id)),
            Node::Join(members) => {
                for (number, member) in members.iter().enumerate() {
                    out.push_str(if number == 0 { "" } else { ", " });
                    self.write(*member, if bones { level::OR } else { level::ITEM }, out);
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
                self.closed_if(self.ends_with_faces(*low), *low, loosest, out);
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
            _ => self.form(node, out),
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
        Node::Again(again, _) => again.word().into(),
        Node::AnyDie(entries) => format!("d{}", shape(entries)),
        Node::Arithmetic(operator, ..) => operator.symbol().into(),
        Node::Best(candidates, Binding { name, .. }, by) => {
            let by = by.map_or_else(String::new, |by| format!(" by {}", tree.slice(by)));
            format!(
                "best {} {}{by}",
                tree.slice(*name),
                preposition(*candidates)
            )
        }
        Node::Bind(binder, Binding { name, .. }) => {
            format!("{} {}", binder.words()[0], tree.slice(*name))
        }
        Node::Call(name, _) => format!("{}()", tree.slice(*name)),
        Node::Case(case) => patterns(tree, case),
        Node::Compare(comparison, ..) => symbol(*comparison).into(),
        Node::Connect(connective, ..) => connective.word().into(),
        Node::Dice(dice) => dice.print(),
        Node::Die(_) => "d".into(),
        Node::Draw(_, entries) => format!("draw {}", shape(entries)),
        Node::Fate => "dF".into(),
        Node::Filter(filter, ..) => filter.words(),
        Node::Function(function, _) => format!("{}()", function.word()),
        Node::Given(..) => "given".into(),
        Node::Loop(repeated) => {
            let names = repeated.states.iter().map(|&(name, _)| tree.slice(name));
            let names = names.collect::<Vec<_>>().join(", ");
            match repeated.how {
                How::For(name, _) => format!("repeat {names} for {}", tree.slice(name)),
                How::Until(_) => format!("repeat {names} until"),
                How::While(_) => format!("repeat {names} while"),
            }
        }
        Node::Not(_) => "not".into(),
        Node::On(_, once, _) => if *once { "once on" } else { "on" }.into(),
        Node::Pair(pair, ..) => pair.word().into(),
        Node::Part(name, _) => format!("{} of", tree.slice(*name)),
        Node::Percentile => "d%".into(),
        Node::Record(parts) => {
            let names = parts.iter().map(|&(name, _)| tree.slice(name));
            format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
        }
        Node::Reroll(Binding { name, .. }) => format!("reroll {}", tree.slice(*name)),
        Node::Group(_) | Node::Unreadable => "()".into(),
        Node::If(..) => "if".into(),
        Node::Integer | Node::Name | Node::Text => tree.words(id).into(),
        Node::Join(_) => ",".into(),
        Node::Negate(_) => "-".into(),
        Node::Range(..) => "..".into(),
        Node::Repeat(..) => "#".into(),
        Node::Word(word, _) => word.word().into(),
    })
}

/// The braces of a die or a deck: which entries have a weight of their own.
fn shape(entries: &[WeightedFace]) -> String {
    let entries = entries
        .iter()
        .map(|entry| entry.weight.map_or("_", |_| "_: _"));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

/// The patterns of a choice without their numbers.
fn patterns(tree: &Tree, case: &Case) -> String {
    let arms = case.arms.iter().map(|arm| {
        let words = arm.patterns.iter().map(|pattern| {
            let (low, high) = pattern.ends();
            let [low, high] = [low, high].map(|end| end.map_or("", |end| tree.words(end)));
            match pattern {
                Pattern::One(_) => low.into(),
                _ => format!("{low}..{high}"),
            }
        });
        words.collect::<Vec<String>>().join(" or ")
    });
    let arms = arms.chain(case.otherwise.map(|_| "else".to_owned()));
    format!("case {{{}}}", arms.collect::<Vec<_>>().join(", "))
}
