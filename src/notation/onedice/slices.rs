//! Slices (`sp`), and spans: the one, two or three numbers that select the members of a slice or the rounds of a loop.

use super::facts::Facts;
use super::lower::{Lowering, View};
use super::tree::{Node, Operation};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Expr, Selection};
use crate::notation::reader::tree::NodeId;

/// The numbers `from`, `from + step`, … up to `to`.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) from: Option<Expr>,
    pub(super) step: Expr,
    pub(super) to: Expr,
    /// The tuple of the span, if the size of that tuple is not constant. Then `from` is `None`.
    pub(super) of: Option<Expr>,
}

impl Lowering<'_> {
    /// `sp`
    pub(super) fn slice(&mut self, id: NodeId, operation: &Operation, view: View) -> Expr {
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

    /// The size of a tuple.
    fn size(&mut self, list: Expr, facts: Facts) -> Expr {
        if let Some(size) = facts.size.constant() {
            return self.constant(size);
        }
        self.count(list)
    }

    fn sliced_one(&mut self, id: NodeId, list: Expr, of: Facts, place: Expr) -> Expr {
        let (zero, one) = (self.constant(0), self.constant(1));
        let size = self.size(list, of);
        let bad = vec![
            self.filter(Comparison::LessOrEqual, zero, place),
            self.filter(Comparison::Greater, size, place),
        ];
        let place = self.fold(Arithmetic::Subtract, place, one, self.nowhere);
        let member = self.member(place, list);
        self.unless(&bad, ErrorKind::Domain, id, member)
    }

    fn sliced(&mut self, id: NodeId, list: Expr, of: Facts, span: Span, view: View) -> Expr {
        let nowhere = self.nowhere;
        let (zero, one) = (self.constant(0), self.constant(1));
        let size = self.size(list, of);
        let to = self.fold(Arithmetic::Min, span.to, size, nowhere);
        let to = self.bind(to);
        let from = self.from(span, span.to);
        let first = self.fold(Arithmetic::Subtract, from, one, nowhere);
        let first = self.bind(first);
        let wrong_size = self.wrong_size(span);
        let step = span.step;
        let bad = vec![
            self.filter(Comparison::LessOrEqual, zero, step),
            self.filter(Comparison::LessOrEqual, zero, from),
            self.filter(Comparison::Less, from, to),
        ];
        let steps = self.steps_between(from, step, to);
        let result = match view {
            View::Number => {
                let distance = self.fold(Arithmetic::Multiply, steps, step, nowhere);
                let place = self.fold(Arithmetic::Add, first, distance, nowhere);
                self.member(place, list)
            }
            View::Tuple if self.known(step) == Some(1) => {
                let count = self.fold(Arithmetic::Add, steps, one, nowhere);
                let rest = self.select_by(Selection::DropFirst, first, list);
                self.select_by(Selection::First, count, rest)
            }
            View::Tuple => {
                let steps = self.build.range(zero, steps, nowhere);
                self.foreach(steps, |this, number| {
                    let distance = this.fold(Arithmetic::Multiply, number, step, nowhere);
                    let place = this.fold(Arithmetic::Add, first, distance, nowhere);
                    this.member(place, list)
                })
            }
        };
        let result = self.unless(&bad, ErrorKind::Domain, id, result);
        self.unless(&wrong_size, ErrorKind::Domain, id, result)
    }

    /// The number of steps from one number to another. The caller checks that the step is at least 1.
    pub(super) fn steps_between(&mut self, from: Expr, step: Expr, to: Expr) -> Expr {
        let steps = self.fold(Arithmetic::Subtract, to, from, self.nowhere);
        match self.known(step) {
            Some(..=1) => steps,
            _ => self.fold(Arithmetic::Divide, steps, step, self.nowhere),
        }
    }

    /// The span of a part, from its one, two or three members; `None` if its constant size is another number.
    pub(super) fn span(&mut self, part: NodeId) -> Option<Span> {
        let one = self.constant(1);
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

    /// The span of a tuple whose size is not constant. [`Self::wrong_size`] checks the size.
    fn span_of_any_size(&mut self, tuple: Expr) -> Span {
        let (one, three) = (self.constant(1), self.constant(3));
        let last = self.select(Selection::Last, 1, tuple);
        let to = self.build.choose(tuple, last, one);
        let to = self.bind(to);
        let count = self.count(tuple);
        let is_three = self.filter(Comparison::Equal, three, count);
        let second = self.member(one, tuple);
        let step = self.build.choose(is_three, second, one);
        let step = self.bind(step);
        Span {
            from: None,
            step,
            to,
            of: Some(tuple),
        }
    }

    /// The first number of a span; `single` for a span of one number.
    pub(super) fn from(&mut self, span: Span, single: Expr) -> Expr {
        let Some(tuple) = span.of else {
            return span.from.unwrap_or(single);
        };
        let one = self.constant(1);
        let count = self.count(tuple);
        let is_many = self.filter(Comparison::Greater, one, count);
        let first = self.select(Selection::First, 1, tuple);
        let from = self.build.choose(is_many, first, single);
        self.bind(from)
    }

    /// The lists that have a member if the tuple of a span does not have one, two or three members.
    pub(super) fn wrong_size(&mut self, span: Span) -> Vec<Expr> {
        let Some(tuple) = span.of else {
            return Vec::new();
        };
        let (one, three) = (self.constant(1), self.constant(3));
        let count = self.count(tuple);
        vec![
            self.filter(Comparison::Less, one, count),
            self.filter(Comparison::Greater, three, count),
        ]
    }

    /// Each member of a tuple of constant size.
    fn members(&mut self, tuple: Expr, count: i64) -> Vec<Expr> {
        (0..count)
            .map(|place| {
                let place = self.constant(place);
                let member = self.member(place, tuple);
                self.bind(member)
            })
            .collect()
    }
}
