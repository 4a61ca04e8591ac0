//! Slices (`sp`), and what says which members they take: one, two or three numbers, by which loops count, too.

use super::facts::Facts;
use super::lower::{Held, Lowering, View};
use super::tree::{Node, Operation};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Selection, Term, TermId};
use crate::notation::reader::tree::NodeId;

/// From which number on, in which steps, and to which number.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) from: Option<Held>,
    pub(super) step: Held,
    pub(super) to: Held,
    /// The tuple that it is taken from, if it is not known of how many members.
    pub(super) of: Option<Held>,
}

impl Lowering<'_> {
    /// `sp`
    pub(super) fn slice(&mut self, id: NodeId, operation: &Operation, view: View) -> TermId {
        let &Operation { left, right, .. } = operation;
        let list = self.tuple(left);
        let list = self.bind(list);
        let of = self.fact(left);
        match self.span(right) {
            None => self.fail(ErrorKind::Domain, id),
            Some(Span {
                from: None,
                to,
                of: None,
                ..
            }) => self.sliced_one(id, list, of, to),
            Some(span) => self.sliced(id, list, of, span, view),
        }
    }

    /// How many members a tuple has.
    fn size(&mut self, list: Held, facts: Facts) -> TermId {
        if let Some(size) = facts.size.constant() {
            return self.constant(size);
        }
        let list = self.at(list);
        self.count(list)
    }

    fn sliced_one(&mut self, id: NodeId, list: Held, of: Facts, place: Held) -> TermId {
        let (zero, one) = (self.constant(0), self.constant(1));
        let size = self.size(list, of);
        let (list, place) = (self.at(list), self.at(place));
        let bad = vec![
            self.filter(Comparison::LessOrEqual, zero, place),
            self.filter(Comparison::Greater, size, place),
        ];
        let place = self.fold(Arithmetic::Subtract, place, one, self.nowhere);
        let member = self.member(place, list);
        self.unless(bad, ErrorKind::Domain, id, member)
    }

    fn sliced(&mut self, id: NodeId, list: Held, of: Facts, span: Span, view: View) -> TermId {
        let nowhere = self.nowhere;
        let (zero, one) = (self.constant(0), self.constant(1));
        let size = self.size(list, of);
        let to = self.at(span.to);
        let to = self.fold(Arithmetic::Min, to, size, nowhere);
        let to = self.bind(to);
        let from = self.from(span, span.to);
        let place = self.at(from);
        let place = self.fold(Arithmetic::Subtract, place, one, nowhere);
        let place = self.bind(place);
        // From here on nothing is bound, so that all terms fit together.
        let wrong_size = self.wrong_size(span);
        let [from, step, to, first] = [from, span.step, to, place].map(|held| self.at(held));
        let bad = vec![
            self.filter(Comparison::LessOrEqual, zero, step),
            self.filter(Comparison::LessOrEqual, zero, from),
            self.filter(Comparison::Less, from, to),
        ];
        let steps = self.steps_between(from, step, to);
        let members = self.at(list);
        let result = match view {
            View::Number => {
                let distance = self.fold(Arithmetic::Multiply, steps, step, nowhere);
                let place = self.fold(Arithmetic::Add, first, distance, nowhere);
                self.member(place, members)
            }
            View::Tuple if self.known(step) == Some(1) => {
                let count = self.fold(Arithmetic::Add, steps, one, nowhere);
                let rest = self.select_by(Selection::DropFirst, first, members);
                self.select_by(Selection::First, count, rest)
            }
            View::Tuple => {
                let steps = self.arena.add(Term::Range(zero, steps, nowhere));
                self.foreach(steps, |this, number| {
                    let [number, first, step, list] =
                        [number, place, span.step, list].map(|held| this.at(held));
                    let distance = this.fold(Arithmetic::Multiply, number, step, nowhere);
                    let place = this.fold(Arithmetic::Add, first, distance, nowhere);
                    this.member(place, list)
                })
            }
        };
        let result = self.unless(bad, ErrorKind::Domain, id, result);
        self.unless(wrong_size, ErrorKind::Domain, id, result)
    }

    /// How many steps there are from one number to another; the error of a step below 1 is found elsewhere.
    pub(super) fn steps_between(&mut self, from: TermId, step: TermId, to: TermId) -> TermId {
        let steps = self.fold(Arithmetic::Subtract, to, from, self.nowhere);
        match self.known(step) {
            Some(..=1) => steps,
            _ => self.fold(Arithmetic::Divide, steps, step, self.nowhere),
        }
    }

    /// The span that a part stands for, by its one, two or three members; none where it surely has another number of them.
    pub(super) fn span(&mut self, part: NodeId) -> Option<Span> {
        let one = Held::Constant(self.constant(1));
        let held = if let Node::Tuple(members) = self.tree.node(self.tree.ungrouped(part)) {
            let members: Vec<_> = members.iter().map(|&id| (id, View::Number)).collect();
            self.held(&members)
        } else {
            let tuple = self.tuple(part);
            let tuple = self.bind(tuple);
            match self.fact(part).size.constant() {
                Some(1) => vec![tuple],
                Some(size) => self.members(tuple, size.clamp(0, 4)),
                None => return Some(self.span_of_any_size(tuple)),
            }
        };
        let (from, step, to) = match held[..] {
            [to] => (None, one, to),
            [from, to] => (Some(from), one, to),
            [from, step, to] => (Some(from), step, to),
            _ => return None,
        };
        let of = None;
        Some(Span { from, step, to, of })
    }

    /// The same of a tuple of any size, which [must be right](Self::wrong_size).
    fn span_of_any_size(&mut self, tuple: Held) -> Span {
        let (one, three) = (self.constant(1), self.constant(3));
        let last = |this: &mut Self| {
            let list = this.at(tuple);
            this.select(Selection::Last, 1, list)
        };
        let list = self.at(tuple);
        let to = last(self);
        let to = self.arena.add(Term::If(list, to, one));
        let to = self.bind(to);
        let list = self.at(tuple);
        let count = self.count(list);
        let is_three = self.filter(Comparison::Equal, three, count);
        let second = self.member(one, list);
        let step = self.arena.add(Term::If(is_three, second, one));
        let step = self.bind(step);
        Span {
            from: None,
            step,
            to,
            of: Some(tuple),
        }
    }

    /// The first number of a span, if `single` is what stands for it where there is none.
    pub(super) fn from(&mut self, span: Span, single: Held) -> Held {
        let Some(tuple) = span.of else {
            return span.from.unwrap_or(single);
        };
        let (list, one, single) = (self.at(tuple), self.constant(1), self.at(single));
        let count = self.count(list);
        let is_many = self.filter(Comparison::Greater, one, count);
        let first = self.select(Selection::First, 1, list);
        let from = self.arena.add(Term::If(is_many, first, single));
        self.bind(from)
    }

    pub(super) fn wrong_size(&mut self, span: Span) -> Vec<TermId> {
        let Some(tuple) = span.of else {
            return Vec::new();
        };
        let (list, one, three) = (self.at(tuple), self.constant(1), self.constant(3));
        let count = self.count(list);
        vec![
            self.filter(Comparison::Less, one, count),
            self.filter(Comparison::Greater, three, count),
        ]
    }

    /// Each member of a tuple of which it is known how many there are.
    fn members(&mut self, tuple: Held, count: i64) -> Vec<Held> {
        (0..count)
            .map(|place| {
                let (place, tuple) = (self.constant(place), self.at(tuple));
                let member = self.member(place, tuple);
                self.bind(member)
            })
            .collect()
    }
}
