//! Loops (`lp`). A loop becomes a `repeat` if its body does not use `i`, else a `foreach` over numbers. A loop that sets
//! variables is written out if it has few rounds, else it becomes a `while`.

use super::lower::{Lowering, View};
use super::operator::Parameter;
use super::slices::Span;
use super::tree::{Node, Operation};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Expr, Selection};
use crate::notation::reader::tree::{Node as _, NodeId};

/// The largest number of rounds for which a loop that sets variables is written out.
const MOST_WRITTEN_OUT: i64 = 100;

/// The rounds of a loop.
#[derive(Clone, Copy)]
struct Rounds {
    from: Expr,
    span: Span,
}

impl Lowering<'_> {
    /// `lp`
    pub(super) fn rounds(&mut self, id: NodeId, operation: &Operation, view: View) -> Expr {
        let &Operation { left, right, .. } = operation;
        let span = self.span(left);
        let members = self.tree.node(self.tree.ungrouped(right));
        let (Node::Tuple(members), Some(span)) = (members, span) else {
            return self.fail(ErrorKind::Domain, id);
        };
        let one = self.constant(1);
        let from = self.from(span, one);
        let rounds = Rounds { from, span };
        if self.fact(right).writes {
            return self.rounds_that_write(id, members, rounds, view);
        }
        let nowhere = self.nowhere;
        let (bad, steps) = self.steps(rounds);
        let (step, to) = (span.step, span.to);
        let uses_index = members.iter().any(|&id| self.fact(id).uses_index);
        let list = if !uses_index {
            let one = self.constant(1);
            let count = self.fold(Arithmetic::Add, steps, one, nowhere);
            let body = self.block(|this| this.round(members, from));
            self.build.repeat(count, body, nowhere)
        } else if self.known(step) == Some(1) {
            let numbers = self.build.range(from, to, nowhere);
            self.foreach(numbers, |this, index| this.round(members, index))
        } else {
            let zero = self.constant(0);
            let numbers = self.build.range(zero, steps, nowhere);
            self.foreach(numbers, |this, number| {
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
        let result = self.unless(&bad, ErrorKind::Domain, id, result);
        let wrong_size = self.wrong_size(span);
        self.unless(&wrong_size, ErrorKind::Domain, id, result)
    }

    /// The lists that have a member if the rounds are wrong, and the number of steps from the first round to the last.
    fn steps(&mut self, rounds: Rounds) -> (Vec<Expr>, Expr) {
        let zero = self.constant(0);
        let Rounds { from, span } = rounds;
        let [from, step, to] = [from, span.step, span.to];
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
    fn round(&mut self, members: &[NodeId], index: Expr) -> Expr {
        let outer = self.index.replace(index);
        let parts: Vec<_> = members.iter().map(|&id| (id, View::Number)).collect();
        let parts = self.sequence(&parts);
        self.index = outer;
        self.build.join(&parts)
    }

    /// A loop whose rounds set variables.
    fn rounds_that_write(
        &mut self,
        id: NodeId,
        members: &[NodeId],
        rounds: Rounds,
        view: View,
    ) -> Expr {
        let Some(indices) = self.known_rounds(rounds) else {
            return self.rounds_as_loop(id, members, rounds, view);
        };
        let mut made = Vec::new();
        for index in indices {
            let index = self.constant(index);
            let outer = self.index.replace(index);
            let round: Vec<_> = members.iter().map(|&id| (id, View::Number)).collect();
            made.extend(self.held(&round));
            self.index = outer;
        }
        match view {
            View::Number => made[made.len() - 1],
            View::Tuple => self.build.join(&made),
        }
    }

    /// The constant `i` of each round, if the rounds are constant and few.
    fn known_rounds(&mut self, rounds: Rounds) -> Option<Vec<i64>> {
        let Rounds { from, span } = rounds;
        let [from, step, to] = [from, span.step, span.to];
        let (from, to) = (self.known(from)?, self.known(to)?);
        let step = usize::try_from(self.known(step)?)
            .ok()
            .filter(|&step| step > 0)?;
        let is_few = to.checked_sub(from)? / i64::try_from(step).ok()? < MOST_WRITTEN_OUT;
        (is_few && from <= to).then(|| (from..=to).step_by(step).collect())
    }

    /// A loop that sets variables and whose number of rounds is rolled or large: a `while`. Its state is the next `i`, the
    /// values of the variables, and the members of the rounds so far (for the view as a number, the last member only).
    fn rounds_as_loop(
        &mut self,
        id: NodeId,
        members: &[NodeId],
        rounds: Rounds,
        view: View,
    ) -> Expr {
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
        let first = self.build.join(&first);
        let states = self.looped(first, |this, state| {
            let zero = this.constant(0);
            let index = this.member(zero, state);
            let index = this.bind(index);
            let next = this.block(|this| {
                let store = this.store.clone();
                for (number, &key) in keys.iter().enumerate() {
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
                let mut next = vec![this.fold(Arithmetic::Add, index, span.step, nowhere)];
                next.extend(values);
                if view == View::Tuple {
                    next.push(this.select(Selection::DropFirst, fixed, state));
                    next.extend(made);
                } else if let Some(&last) = made.last() {
                    next.push(last);
                }
                this.build.join(&next)
            });
            let is_over = this.filter(Comparison::Greater, span.to, index);
            let nothing = this.build.empty();
            this.build.choose(is_over, nothing, next)
        });
        // The value of the `while` joins all its states. The last state is the one after the last round.
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
        let state = self.unless(&bad, ErrorKind::Domain, id, state);
        let state = self.unless(&wrong_size, ErrorKind::Domain, id, state);
        let state = self.bind(state);
        for (number, &key) in keys.iter().enumerate() {
            let place = self.constant(1 + i64::try_from(number).unwrap_or(i64::MAX));
            let value = self.member(place, state);
            let value = self.bind(value);
            self.store.set(key, value);
        }
        self.select(Selection::DropFirst, fixed, state)
    }

    /// The constant numbers of the variables that the parts set; `None` if a number is not constant.
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
