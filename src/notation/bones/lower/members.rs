//! Loops with a state over the members of a list.
//!
//! A loop over a list of known length is unfolded, unless its rounds are alike: those that roll a die each, or do not look at the
//! member. These, and those over a list of any length, have the number of rounds that are over as one more part of their state.

use super::lowering::Lowering;
use super::state::Part;
use super::values::{Bound, Kind, Members, Value};
use super::variables::Variables;
use crate::ir::{Arithmetic, Comparison, Expr, Folding, Selection};
use crate::notation::bones::tree::{Loop, Node, Tree};
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// The longest list that a loop is unfolded for.
const MOST_ROUNDS: usize = 200;

/// A loop with so few rounds is unfolded in any case.
const FEW_ROUNDS: usize = 8;

/// The members that the rounds of a loop look at one after the other.
#[derive(Clone, Copy)]
pub(super) enum Rounds {
    /// Those of a list.
    Of(Expr),
    /// So many rolls of a die, each made in its round.
    Rolled(Expr, Expr),
}

impl Lowering<'_, '_> {
    /// `repeat … for y in L do …`
    pub(super) fn for_each(
        &mut self,
        id: (NodeId, bool),
        repeated: &Loop,
        names: &[Span],
        first: &[Value],
        (name, list): (Span, NodeId),
    ) -> Value {
        // The first values are evaluated before the list.
        let (bound, first) = self.starts(first);
        let members = self.term(list);
        let members = self.as_member(&members, list);
        if let Some(rounds) = self.rounds_alike(repeated, &first, name, &members) {
            let value = self.counted(
                id,
                repeated,
                names,
                &first,
                (name, rounds, &members.members),
            );
            return self.bound(bound, value);
        }
        if let Some(length) = members.length.filter(|&length| length <= MOST_ROUNDS) {
            let value = self.unfolded(id, repeated, names, first, (name, &members, length));
            return self.bound(bound, value);
        }
        if self.failure.is_some() {
            return Value::list(self.build.empty());
        }
        let value = self.shared(&members, |this, list| {
            let rounds = Rounds::Of(list);
            this.counted(
                id,
                repeated,
                names,
                &first,
                (name, rounds, &members.members),
            )
        });
        // A body that needs to know the member of a known list is unfolded all the same.
        let value = match self.value_by_value(&members) {
            None => value,
            Some(known) => self.unfolded(id, repeated, names, first, (name, &members, known.len())),
        };
        self.bound(bound, value)
    }

    /// The rounds of a loop that are alike: dice that are rolled one after the other, or numbers that no round looks at, if they are many
    /// and the state is made of numbers.
    fn rounds_alike(
        &mut self,
        repeated: &Loop,
        first: &[Value],
        name: Span,
        list: &Value,
    ) -> Option<Rounds> {
        let is_number = |value: &Value| value.kind == Kind::Number && value.parts().is_none();
        if list.length? <= FEW_ROUNDS || !first.iter().all(is_number) {
            return None;
        }
        if let Some((count, die)) = self.build.dice(list.expr) {
            return Some(Rounds::Rolled(count, die));
        }
        let known = list.known.as_ref().map(|known| known.len());
        let is_unread = !is_read(self.tree, repeated.body, self.tree.slice(name));
        let length = known.filter(|_| is_unread)?;
        let (length, zero) = (
            self.build.integer(Integer::from(length)),
            self.build.integer(0),
        );
        Some(Rounds::Rolled(length, zero))
    }

    /// A loop over a list with one round after the other, and the values of each round bound.
    pub(super) fn unfolded(
        &mut self,
        (id, is_last): (NodeId, bool),
        repeated: &Loop,
        names: &[Span],
        mut state: Vec<Value>,
        (member, list, length): (Span, &Value, usize),
    ) -> Value {
        let site = self.site_at(id);
        let mut bound = Vec::new();
        let variables = Variables::all(names.len());
        let list = self.variable(&mut bound, list.clone());
        let member = self.tree.slice(member);
        for round in 0..length {
            let value = if let Some(known) = list.known.as_deref() {
                self.constant(&known[round..=round], &list.members)
            } else {
                let counts = [round, 1].map(|count| self.build.integer(Integer::from(count)));
                let rest = self
                    .build
                    .select(Selection::DropFirst, counts[0], list.expr, site);
                let value = self.build.select(Selection::First, counts[1], rest, site);
                let value = Value::number(value).of(list.members.clone());
                self.variable(&mut bound, value)
            };
            let outside = self.scope.len();
            self.enter(names, &state);
            self.scope.push(Bound::new(member, &value));
            let mut parts: Vec<Part> = state.iter().map(Part::of).collect();
            let (next, whole) = loop {
                let (next, whole) = self.step(repeated.body, &parts, &variables);
                if self.failure.is_some() {
                    self.scope.truncate(outside);
                    return Value::list(self.build.empty());
                }
                let wider = parts.iter().zip(&next);
                let wider: Vec<Part> = wider.map(|(part, next)| part.or(Part::of(next))).collect();
                if whole.is_none() || wider == parts {
                    break (next, whole);
                }
                parts = wider;
            };
            self.scope.truncate(outside);
            let next = match whole {
                None => next,
                Some(whole) => {
                    let packed = self.variable(&mut bound, Value::list(whole));
                    self.unpack(packed.expr, &parts, id)
                }
            };
            state.clear();
            for value in next {
                state.push(self.variable(&mut bound, value));
            }
        }
        let outside = self.scope.len();
        self.enter(names, &state);
        let value = match repeated.result {
            None => self.whole_state(id, names),
            Some(result) => self.last(is_last, result),
        };
        self.scope.truncate(outside);
        self.bound(bound, value)
    }

    /// A loop over a list of any length: the number of rounds that are over is one more part of the state.
    pub(super) fn counted(
        &mut self,
        (id, is_last): (NodeId, bool),
        repeated: &Loop,
        names: &[Span],
        first: &[Value],
        (member, rounds, of): (Span, Rounds, &Members),
    ) -> Value {
        let site = self.site_at(id);
        let variables = Variables::all(names.len());
        let length = match rounds {
            Rounds::Of(list) => self.build.fold(Folding::Count, list, site),
            Rounds::Rolled(count, _) => count,
        };
        let (zero, one) = (self.build.integer(0), self.build.integer(1));
        let mut parts: Vec<Part> = first.iter().map(Part::of).collect();
        let round = Part::of(&Value::number(zero));
        loop {
            let state = self.build.name();
            let packed = self.build.variable(state);
            let all: Vec<Part> = std::iter::once(round.clone())
                .chain(parts.iter().cloned())
                .collect();
            let mut values = self.unpack(packed, &all, id);
            let place = values.remove(0);
            let outside = self.scope.len();
            let bound = self.enter(names, &values);
            let index = self.build.name();
            let variable = self.build.variable(index);
            let value = match rounds {
                Rounds::Of(list) => {
                    let build = &mut self.build;
                    let rest = build.select(Selection::DropFirst, variable, list, site);
                    build.select(Selection::First, one, rest, site)
                }
                Rounds::Rolled(_, die) => die,
            };
            let shown = self.build.name();
            let current = Value::number(self.build.variable(shown)).of(of.clone());
            self.scope
                .push(Bound::new(self.tree.slice(member), &current));
            let (next, whole) = self.step(repeated.body, &parts, &variables);
            self.scope.truncate(outside);
            if self.failure.is_some() {
                return Value::list(self.build.empty());
            }
            let wider = parts.iter().zip(&next);
            let wider: Vec<Part> = wider.map(|(part, next)| part.or(Part::of(next))).collect();
            if wider != parts {
                parts = wider;
                continue;
            }
            let over = self.build.arithmetic(Arithmetic::Add, variable, one, site);
            let next = match whole {
                None => {
                    let mut next = next;
                    next.insert(0, Value::number(over));
                    self.pack(&next, &all, id)
                }
                Some(whole) => self.with_round(whole, over, &parts, &all, id),
            };
            let next = self.build.bind(shown, value, next);
            let nothing = self.build.empty();
            let goes_on = self
                .build
                .filter(Comparison::Greater, variable, length, site);
            let next = self.build.choose(goes_on, next, nothing);
            let next = self.leave(bound, next);
            let next = self.build.bind(index, place.expr, next);
            let mut start = vec![Value::number(zero)];
            start.extend(first.iter().cloned());
            let start = self.pack(&start, &all, id);
            let rounds = self.build.repeat_while(state, start, next);
            let result = (repeated.result, is_last);
            return self.last_state(id, (names, names), rounds, &all, result);
        }
    }

    /// A packed state with the number of rounds as its first part.
    pub(super) fn with_round(
        &mut self,
        whole: Expr,
        over: Expr,
        parts: &[Part],
        all: &[Part],
        id: NodeId,
    ) -> Expr {
        let name = self.build.name();
        let packed = self.build.variable(name);
        let mut values = self.unpack(packed, parts, id);
        values.insert(0, Value::number(over));
        let packed = self.pack(&values, all, id);
        self.build.bind(name, whole, packed)
    }
}

/// Whether a name stands in a part of a tree.
fn is_read(tree: &Tree, id: NodeId, name: &str) -> bool {
    let mut is_in = matches!(tree.node(id), Node::Name) && tree.words(id) == name;
    tree.node(id).each_operand(|operand| {
        is_in = is_in || stack::level(|| is_read(tree, operand, name));
    });
    is_in
}
