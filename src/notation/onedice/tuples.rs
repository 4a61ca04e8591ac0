//! Arithmetic on tuples, what keeps and drops members, slices, and loops.

use super::facts::Facts;
use super::lower::{Held, Lowering, View};
use super::operator::{Operator, Parameter};
use super::tree::{Node, NodeId, Operation};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Selection, SiteId, Term, TermId};

/// A loop that sets variables is written out if it has no more rounds than this.
const MOST_WRITTEN_OUT: i64 = 100;

/// From which number on, in which steps, and to which number.
#[derive(Clone, Copy)]
struct Span {
    from: Option<Held>,
    step: Held,
    to: Held,
    /// The tuple that it is taken from, if it is not known of how many members.
    of: Option<Held>,
}

/// The rounds of a loop.
#[derive(Clone, Copy)]
struct Rounds {
    from: Held,
    span: Span,
}

impl Lowering<'_, '_> {
    /// Two numbers.
    pub(super) fn arithmetic(&mut self, id: NodeId, operation: &Operation) -> TermId {
        let &Operation { left, right, .. } = operation;
        let site = self.site(id, left, right);
        let parts = [(left, View::Number), (right, View::Number)];
        if self.may_be_zero_to_zero(operation) {
            let held = self.held(&parts);
            return self.apply(id, operation, held[0], held[1], site);
        }
        let parts = self.sequence(&parts);
        self.arena.add(Term::Arithmetic(
            arithmetic(operation.operator),
            parts[0],
            parts[1],
            site,
        ))
    }

    fn may_be_zero_to_zero(&self, operation: &Operation) -> bool {
        let may_be_zero = |id| self.fact(id).number.may_be(0);
        operation.operator == Operator::Power
            && may_be_zero(operation.right)
            && may_be_zero(operation.left)
    }

    /// Whether a part is a number as written, or given, which cannot fail.
    pub(super) fn is_literal(&self, id: NodeId) -> bool {
        let node = self.tree.node(self.tree.ungrouped(id));
        matches!(node, Node::Integer | Node::Missing(_) | Node::Name)
            && self.fact(id).number.constant().is_some()
    }

    /// Two numbers, one of which may be the member of a tuple.
    fn apply(
        &mut self,
        id: NodeId,
        operation: &Operation,
        left: Held,
        right: Held,
        site: SiteId,
    ) -> TermId {
        let (left, right) = (self.at(left), self.at(right));
        let operator = arithmetic(operation.operator);
        let value = self
            .arena
            .add(Term::Arithmetic(operator, left, right, site));
        let exponent = self.fact(operation.right).number;
        if operator != Arithmetic::Power
            || !exponent.may_be(0) && self.fact(operation.right).is_many() == Some(false)
        {
            return value;
        }
        // Zero to the power of zero, which the core language takes for 1.
        let (zero, two) = (self.constant(0), self.constant(2));
        let both = self.arena.join([left, right]);
        let zeros = self.filter(Comparison::Equal, zero, both);
        let zeros = self.count(zeros);
        let bad = self.filter(Comparison::Equal, two, zeros);
        self.unless(vec![bad], ErrorKind::Domain, id, value)
    }

    /// Each member of the one tuple with the number of the other side.
    pub(super) fn arithmetic_tuple(&mut self, id: NodeId, operation: &Operation) -> TermId {
        let &Operation { left, right, .. } = operation;
        let (many_left, many_right) = (self.fact(left).is_many(), self.fact(right).is_many());
        if many_left.is_some() && many_left == many_right {
            return self.arithmetic(id, operation);
        }
        let divisor = self.fact(right).number;
        let never_fails = match operation.operator {
            Operator::Divide => many_left == Some(true) && !divisor.may_be(0),
            Operator::Power => many_left == Some(true) && divisor.is_at_least(1),
            _ => true,
        };
        let (Some(many_left), Some(_), true) = (many_left, many_right, never_fails) else {
            // The number is asked for, too: it may fail where no member does.
            let (_, tuple) = self.both(id);
            return self.at(tuple);
        };
        let site = self.site(id, left, right);
        let parts = if many_left {
            [(left, View::Tuple), (right, View::Number)]
        } else {
            [(left, View::Number), (right, View::Tuple)]
        };
        let (list, other) = if many_left {
            (left, right)
        } else {
            (right, left)
        };
        if self.is_literal(other) {
            let list = self.tuple(list);
            let other = self.number(other);
            let other = self.bind(other);
            return self.foreach(list, |this, member| {
                let (left, right) = ordered(many_left, member, other);
                this.apply(id, operation, left, right, site)
            });
        }
        let held = self.held(&parts);
        let (list, other) = if many_left {
            (held[0], held[1])
        } else {
            (held[1], held[0])
        };
        let list = self.at(list);
        self.foreach(list, |this, member| {
            let (left, right) = ordered(many_left, member, other);
            this.apply(id, operation, left, right, site)
        })
    }

    /// The number and the tuple of a part, of the same roll.
    fn both(&mut self, id: NodeId) -> (Held, Held) {
        let id = self.tree.ungrouped(id);
        let operation = self.tree.operation(id);
        let Some(operation) = operation.filter(|found| found.operator.is_arithmetic()) else {
            let tuple = self.tuple(id);
            let tuple = self.bind(tuple);
            let number = self.number_of(id, tuple);
            return (self.bind(number), tuple);
        };
        crate::stack::level(|| self.both_of_arithmetic(id, &operation))
    }

    fn both_of_arithmetic(&mut self, id: NodeId, operation: &Operation) -> (Held, Held) {
        let &Operation { left, right, .. } = operation;
        let site = self.site(id, left, right);
        let (many_left, many_right) = (self.fact(left).is_many(), self.fact(right).is_many());
        let (left_number, left_tuple) = self.both(left);
        let (right_number, right_tuple) = self.both(right);
        let number = self.apply(id, operation, left_number, right_number, site);
        let number = self.bind(number);
        let of_left = |this: &mut Self| {
            let list = this.at(left_tuple);
            this.foreach(list, |this, member| {
                this.apply(id, operation, member, right_number, site)
            })
        };
        let of_right = |this: &mut Self| {
            let list = this.at(right_tuple);
            this.foreach(list, |this, member| {
                this.apply(id, operation, left_number, member, site)
            })
        };
        // What is known on one side leaves a question about the other side alone.
        let tuple = match (many_left, many_right) {
            (Some(true), Some(false)) => of_left(self),
            (Some(false), Some(true)) => of_right(self),
            (Some(_), Some(_)) => return (number, number),
            _ => {
                let [is_many_left, is_many_right] =
                    [left_tuple, right_tuple].map(|tuple| self.has_many(tuple));
                let (spread_left, spread_right) = (of_left(self), of_right(self));
                let number = self.at(number);
                let if_many = self.arena.add(Term::If(is_many_right, number, spread_left));
                let if_few = self
                    .arena
                    .add(Term::If(is_many_right, spread_right, number));
                self.arena.add(Term::If(is_many_left, if_many, if_few))
            }
        };
        (number, self.bind(tuple))
    }

    fn has_many(&mut self, tuple: Held) -> TermId {
        let tuple = self.at(tuple);
        let count = self.count(tuple);
        let one = self.constant(1);
        self.filter(Comparison::Greater, one, count)
    }

    /// The number of a part, from its tuple.
    fn number_of(&mut self, id: NodeId, tuple: Held) -> TermId {
        let tuple = self.at(tuple);
        if self.fact(id).size.constant() == Some(1) {
            return tuple;
        }
        let operator = self.tree.operation(id).map(|operation| operation.operator);
        match (self.tree.node(id), operator) {
            (Node::Pop(_) | Node::Tuple(_), _) | (_, Some(Operator::Loop | Operator::Slice)) => {
                self.last(id, tuple)
            }
            _ => self.sum(tuple),
        }
    }

    /// `kh`, `kl`, `dh` and `dl`
    pub(super) fn keep(
        &mut self,
        selection: Selection,
        id: NodeId,
        operation: &Operation,
        view: View,
    ) -> TermId {
        let &Operation { left, right, .. } = operation;
        let parts = [(left, View::Tuple), (right, View::Number)];
        let range = self.fact(right).number;
        let (list, count, bad) = if range.is_at_least(1) {
            let parts = self.sequence(&parts);
            (parts[0], parts[1], Vec::new())
        } else {
            let held = self.held(&parts);
            let bad = self.outside(held[1], range, 1, None);
            (self.at(held[0]), self.at(held[1]), bad)
        };
        let kept = self.select_by(selection, count, list);
        let result = match view {
            View::Number => self.sum(kept),
            View::Tuple => {
                let is_descending = matches!(selection, Selection::High | Selection::DropHigh);
                self.in_order(kept, is_descending)
            }
        };
        self.unless(bad, ErrorKind::Domain, id, result)
    }

    /// `max` and `min`
    pub(super) fn limit(
        &mut self,
        operator: Arithmetic,
        id: NodeId,
        operation: &Operation,
        view: View,
    ) -> TermId {
        let &Operation { left, right, .. } = operation;
        let range = self.fact(right).number;
        let held = if self.is_literal(right) {
            None
        } else {
            Some(self.held(&[(left, View::Tuple), (right, View::Number)]))
        };
        let (list, bound) = match held {
            Some(held) => (self.at(held[0]), held[1]),
            None => {
                let list = self.tuple(left);
                let bound = self.number(right);
                (list, self.bind(bound))
            }
        };
        let bad = self.outside(bound, range, 1, None);
        let limited = |this: &mut Self, member: TermId| {
            let bound = this.at(bound);
            this.arena
                .add(Term::Arithmetic(operator, member, bound, this.nowhere))
        };
        let result = if self.fact(left).size.constant() == Some(1) {
            limited(self, list)
        } else {
            let list = self.foreach(list, |this, member| {
                let member = this.at(member);
                limited(this, member)
            });
            match view {
                View::Number => self.sum(list),
                View::Tuple => list,
            }
        };
        self.unless(bad, ErrorKind::Domain, id, result)
    }

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
        match facts.size.constant() {
            Some(size) => self.constant(size),
            None => {
                let list = self.at(list);
                self.count(list)
            }
        }
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
    fn steps_between(&mut self, from: TermId, step: TermId, to: TermId) -> TermId {
        let steps = self.fold(Arithmetic::Subtract, to, from, self.nowhere);
        match self.known(step) {
            Some(..=1) => steps,
            _ => self.fold(Arithmetic::Divide, steps, step, self.nowhere),
        }
    }

    /// The span that a part stands for, by its one, two or three members; none where it surely has another number of them.
    fn span(&mut self, part: NodeId) -> Option<Span> {
        let one = Held::Constant(self.constant(1));
        let held = match self.tree.node(self.tree.ungrouped(part)) {
            Node::Tuple(members) => {
                let members: Vec<_> = members.iter().map(|&id| (id, View::Number)).collect();
                self.held(&members)
            }
            _ => {
                let tuple = self.tuple(part);
                let tuple = self.bind(tuple);
                match self.fact(part).size.constant() {
                    Some(1) => vec![tuple],
                    Some(size) => self.members(tuple, size.clamp(0, 4)),
                    None => return Some(self.span_of_any_size(tuple)),
                }
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
    fn from(&mut self, span: Span, single: Held) -> Held {
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

    fn wrong_size(&mut self, span: Span) -> Vec<TermId> {
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

    /// `lp`
    pub(super) fn rounds(&mut self, id: NodeId, operation: &Operation, view: View) -> TermId {
        let &Operation { left, right, .. } = operation;
        let span = self.span(left);
        let members = self.tree.node(self.tree.ungrouped(right));
        let (Node::Tuple(members), Some(span)) = (members, span) else {
            return self.fail(ErrorKind::Domain, id);
        };
        let one = Held::Constant(self.constant(1));
        let from = self.from(span, one);
        let rounds = Rounds { from, span };
        if self.fact(right).writes {
            return self.rounds_that_write(id, members, rounds, view);
        }
        let nowhere = self.nowhere;
        let (bad, steps) = self.steps(rounds);
        let [step, to] = [span.step, span.to].map(|held| self.at(held));
        let uses_index = members.iter().any(|&id| self.fact(id).uses_index);
        let list = if !uses_index {
            let one = self.constant(1);
            let count = self.fold(Arithmetic::Add, steps, one, nowhere);
            let body = self.block(|this| this.round(members, from));
            self.arena.add(Term::Repeat(count, body, nowhere))
        } else if self.known(step) == Some(1) {
            let from = self.at(from);
            let numbers = self.arena.add(Term::Range(from, to, nowhere));
            self.foreach(numbers, |this, index| this.round(members, index))
        } else {
            let zero = self.constant(0);
            let numbers = self.arena.add(Term::Range(zero, steps, nowhere));
            self.foreach(numbers, |this, number| {
                let [from, step, number] = [from, span.step, number].map(|held| this.at(held));
                let distance = this.fold(Arithmetic::Multiply, number, step, nowhere);
                let index = this.fold(Arithmetic::Add, from, distance, nowhere);
                let index = this.bind(index);
                this.round(members, index)
            })
        };
        let result = match view {
            View::Number => self.select(Selection::Last, 1, list),
            View::Tuple => list,
        };
        let result = self.unless(bad, ErrorKind::Domain, id, result);
        let wrong_size = self.wrong_size(span);
        self.unless(wrong_size, ErrorKind::Domain, id, result)
    }

    /// How rounds can be wrong, and how many steps there are from the first to the last.
    fn steps(&mut self, rounds: Rounds) -> (Vec<TermId>, TermId) {
        let zero = self.constant(0);
        let Rounds { from, span } = rounds;
        let [from, step, to] = [from, span.step, span.to].map(|held| self.at(held));
        let mut bad = Vec::new();
        if self.known(step).is_none_or(|step| step < 1) {
            bad.push(self.filter(Comparison::LessOrEqual, zero, step));
        }
        let known = self.known(from).zip(self.known(to));
        if known.is_none_or(|(from, to)| to < from) {
            bad.push(self.filter(Comparison::Less, from, to));
        }
        (bad, self.steps_between(from, step, to))
    }

    /// The members of one round.
    fn round(&mut self, members: &[NodeId], index: Held) -> TermId {
        let outer = self.index.replace(index);
        let parts: Vec<_> = members.iter().map(|&id| (id, View::Number)).collect();
        let parts = self.sequence(&parts);
        self.index = outer;
        self.arena.join(parts)
    }

    /// A loop whose rounds set variables for the next ones.
    fn rounds_that_write(
        &mut self,
        id: NodeId,
        members: &[NodeId],
        rounds: Rounds,
        view: View,
    ) -> TermId {
        let Some(indices) = self.known_rounds(rounds) else {
            return self.rounds_as_loop(id, members, rounds, view);
        };
        let mut made = Vec::new();
        for index in indices {
            let index = Held::Constant(self.constant(index));
            let outer = self.index.replace(index);
            let round: Vec<_> = members.iter().map(|&id| (id, View::Number)).collect();
            made.extend(self.held(&round));
            self.index = outer;
        }
        let made: Vec<_> = made.into_iter().map(|held| self.at(held)).collect();
        match view {
            View::Number => made[made.len() - 1],
            View::Tuple => self.arena.join(made),
        }
    }

    /// The `i` of each round, if that is known without rolling and they are few.
    fn known_rounds(&mut self, rounds: Rounds) -> Option<Vec<i64>> {
        let Rounds { from, span } = rounds;
        let [from, step, to] = [from, span.step, span.to].map(|held| self.at(held));
        let (from, to) = (self.known(from)?, self.known(to)?);
        let step = usize::try_from(self.known(step)?)
            .ok()
            .filter(|&step| step > 0)?;
        let is_few = to.checked_sub(from)? / i64::try_from(step).ok()? < MOST_WRITTEN_OUT;
        (is_few && from <= to).then(|| (from..=to).step_by(step).collect())
    }

    /// The same where the number of rounds is rolled, or large: a `while` whose value is the next `i`, the variables,
    /// and what the rounds have made so far.
    fn rounds_as_loop(
        &mut self,
        id: NodeId,
        members: &[NodeId],
        rounds: Rounds,
        view: View,
    ) -> TermId {
        let nowhere = self.nowhere;
        let span = rounds.span;
        let Some(keys) = self.keys_set(members) else {
            return self.fail(ErrorKind::Limit, id);
        };
        let fixed = i64::try_from(1 + keys.len()).unwrap_or(i64::MAX);
        let mut first = vec![rounds.from];
        for &key in &keys {
            let value = self.read(key);
            first.push(self.bind(value));
        }
        let first: Vec<_> = first.into_iter().map(|held| self.at(held)).collect();
        let first = self.arena.join(first);
        let states = self.looped(first, |this, state| {
            let zero = this.constant(0);
            let state_term = this.at(state);
            let index = this.member(zero, state_term);
            let index = this.bind(index);
            let next = this.block(|this| {
                let store = this.store.clone();
                for (number, &key) in keys.iter().enumerate() {
                    let state = this.at(state);
                    let place = this.constant(1 + i64::try_from(number).unwrap_or(i64::MAX));
                    let value = this.member(place, state);
                    let value = this.bind(value);
                    this.store.set(key, value);
                }
                let outer = this.index.replace(index);
                let round: Vec<_> = members.iter().map(|&id| (id, View::Number)).collect();
                let made = this.held(&round);
                this.index = outer;
                let values: Vec<_> = keys
                    .iter()
                    .map(|&key| {
                        let value = this.read(key);
                        this.bind(value)
                    })
                    .collect();
                this.store = store;
                let [index, step] = [index, span.step].map(|held| this.at(held));
                let mut next = vec![this.fold(Arithmetic::Add, index, step, nowhere)];
                next.extend(
                    values
                        .into_iter()
                        .map(|held| this.at(held))
                        .collect::<Vec<_>>(),
                );
                if view == View::Tuple {
                    let state = this.at(state);
                    next.push(this.select(Selection::DropFirst, fixed, state));
                    next.extend(
                        made.into_iter()
                            .map(|held| this.at(held))
                            .collect::<Vec<_>>(),
                    );
                } else if let Some(&last) = made.last() {
                    next.push(this.at(last));
                }
                this.arena.join(next)
            });
            let [index, to] = [index, span.to].map(|held| this.at(held));
            let is_over = this.filter(Comparison::Greater, to, index);
            let nothing = this.arena.empty();
            this.arena.add(Term::If(is_over, nothing, next))
        });
        // The last value is the one with what all rounds have made.
        let (bad, steps) = self.steps(rounds);
        let wrong_size = self.wrong_size(span);
        let count = if view == View::Tuple {
            let one = self.constant(1);
            let count = self.fold(Arithmetic::Add, steps, one, nowhere);
            let each = self.constant(i64::try_from(members.len()).unwrap_or(i64::MAX));
            let count = self.fold(Arithmetic::Multiply, count, each, nowhere);
            let fixed = self.constant(fixed);
            self.fold(Arithmetic::Add, count, fixed, nowhere)
        } else {
            self.constant(fixed.saturating_add(1))
        };
        let state = self.select_by(Selection::Last, count, states);
        let state = self.unless(bad, ErrorKind::Domain, id, state);
        let state = self.unless(wrong_size, ErrorKind::Domain, id, state);
        let state = self.bind(state);
        for (number, &key) in keys.iter().enumerate() {
            let place = self.constant(1 + i64::try_from(number).unwrap_or(i64::MAX));
            let list = self.at(state);
            let value = self.member(place, list);
            let value = self.bind(value);
            self.store.set(key, value);
        }
        let state = self.at(state);
        self.select(Selection::DropFirst, fixed, state)
    }

    /// The numbers of the variables that are set in some parts, if they are known without rolling.
    fn keys_set(&self, members: &[NodeId]) -> Option<Vec<i64>> {
        let mut keys = Vec::new();
        let mut open = members.to_vec();
        while let Some(id) = open.pop() {
            let node = self.tree.node(id);
            if let Node::With(Parameter::Value, variable, _) = node
                && let Node::Infix(_, _, key) = self.tree.node(*variable)
            {
                keys.push(self.fact(*key).number.constant()?);
            }
            node.each_operand(|operand| open.push(operand));
        }
        keys.sort_unstable();
        keys.dedup();
        Some(keys)
    }
}

fn ordered(member_is_left: bool, member: Held, other: Held) -> (Held, Held) {
    if member_is_left {
        (member, other)
    } else {
        (other, member)
    }
}

fn arithmetic(operator: Operator) -> Arithmetic {
    match operator {
        Operator::Add => Arithmetic::Add,
        Operator::Divide => Arithmetic::Divide,
        Operator::Multiply => Arithmetic::Multiply,
        Operator::Power => Arithmetic::Power,
        _ => Arithmetic::Subtract,
    }
}
