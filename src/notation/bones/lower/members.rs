//! Loops with a state over the members of a list.
//!
//! A loop over a list of known length is unfolded, unless its rounds are alike: those that roll a die each, or do not look at the
//! member. These, and those over a list of any length, have the number of rounds that are over as one more part of their state.

use super::lowering::Lowering;
use super::state::PartFacts;
use super::values::{Bound, Members, TypedTerm, ValueType};
use super::variables::Variables;
use crate::ir::{Arithmetic, Comparison, Expr, Folding, Selection};
use crate::notation::bones::tree::{Loop, Node, Tree};
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// The longest list that a loop is unfolded for.
const MOST_ROUNDS: usize = 200;

/// The longest list that a loop is unfolded for if its rounds are alike and its state is made of numbers.
const FEW_ROUNDS: usize = 8;

/// The rounds of a loop: their number, and the value that each round looks at.
#[derive(Clone, Copy)]
pub(super) struct Rounds {
    count: Expr,
    member: Member,
}

#[derive(Clone, Copy)]
enum Member {
    /// The next member of a list.
    Of(Expr),
    /// A roll of a die.
    Roll(Expr),
}

impl Lowering<'_, '_> {
    /// `repeat … for y in L do …`
    pub(super) fn for_each(
        &mut self,
        id: (NodeId, bool),
        repeated: &Loop,
        names: &[Span],
        first: &[TypedTerm],
        (name, list): (Span, NodeId),
    ) -> TypedTerm {
        // The first values are evaluated before the list.
        let (bound, first) = self.starts(first);
        let members = self.term(list);
        let members = self.as_member(&members, list);
        let rolled = members.length.and_then(|_| self.build.dice(members.expr));
        let site = self.site_at(id.0);
        let is_unread =
            || members.known.is_some() && !is_read(self.tree, repeated.body, self.tree.slice(name));
        let are_alike = rolled.is_some() || is_unread();
        let is_number =
            |value: &TypedTerm| value.kind == ValueType::Number && value.parts().is_none();
        let most = if are_alike && first.iter().all(is_number) {
            FEW_ROUNDS
        } else {
            MOST_ROUNDS
        };
        if let Some(length) = members.length.filter(|&length| length <= most) {
            let value = self.unfolded(id, repeated, names, first, (name, &members, length));
            return self.bound(bound, value);
        }
        if self.failure.is_some() {
            return TypedTerm::list(self.build.empty());
        }
        let of = &members.members;
        let value = if let Some((count, die)) = rolled {
            let member = Member::Roll(die);
            let rounds = Rounds { count, member };
            self.counted(id, repeated, names, &first, (name, rounds, of))
        } else {
            let length = members.known.as_ref().map(|known| known.len());
            self.shared(&members, |this, list| {
                let count = match length {
                    Some(length) => this.build.integer(Integer::from(length)),
                    None => this.build.fold(Folding::Count, list, site),
                };
                let member = Member::Of(list);
                let rounds = Rounds { count, member };
                this.counted(id, repeated, names, &first, (name, rounds, of))
            })
        };
        // A body that needs to know the member of a known list is unfolded all the same.
        let value = match self.value_by_value(&members) {
            None => value,
            Some(known) => self.unfolded(id, repeated, names, first, (name, &members, known.len())),
        };
        self.bound(bound, value)
    }

    /// A loop over a list with one round after the other, and the values of each round bound.
    pub(super) fn unfolded(
        &mut self,
        (id, is_last): (NodeId, bool),
        repeated: &Loop,
        names: &[Span],
        mut state: Vec<TypedTerm>,
        (member, list, length): (Span, &TypedTerm, usize),
    ) -> TypedTerm {
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
                let value = TypedTerm::number(value).of(list.members.clone());
                self.variable(&mut bound, value)
            };
            let outside = self.scope.len();
            self.enter(names, &state);
            self.scope.push(Bound::new(member, &value));
            let mut parts: Vec<PartFacts> = state.iter().map(PartFacts::of).collect();
            let (next, whole) = loop {
                let (next, whole) = self.step(repeated.body, &parts, &variables);
                if self.failure.is_some() {
                    self.scope.truncate(outside);
                    return TypedTerm::list(self.build.empty());
                }
                let wider = parts.iter().zip(&next);
                let wider: Vec<PartFacts> = wider
                    .map(|(part, next)| part.or(PartFacts::of(next)))
                    .collect();
                if whole.is_none() || wider == parts {
                    break (next, whole);
                }
                parts = wider;
            };
            self.scope.truncate(outside);
            let next = match whole {
                None => next,
                Some(whole) => {
                    let packed = self.variable(&mut bound, TypedTerm::list(whole));
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
        first: &[TypedTerm],
        (member, rounds, of): (Span, Rounds, &Members),
    ) -> TypedTerm {
        let site = self.site_at(id);
        let variables = Variables::all(names.len());
        let (zero, one) = (self.build.integer(0), self.build.integer(1));
        let mut parts: Vec<PartFacts> = first.iter().map(PartFacts::of).collect();
        let round = PartFacts::of(&TypedTerm::number(zero));
        loop {
            let state = self.build.name();
            let packed = self.build.variable(state);
            let all: Vec<PartFacts> = std::iter::once(round.clone())
                .chain(parts.iter().cloned())
                .collect();
            let mut values = self.unpack(packed, &all, id);
            let place = values.remove(0);
            let outside = self.scope.len();
            let bound = self.enter(names, &values);
            let index = self.build.name();
            let variable = self.build.variable(index);
            let value = match rounds.member {
                Member::Of(list) => {
                    let build = &mut self.build;
                    let rest = build.select(Selection::DropFirst, variable, list, site);
                    build.select(Selection::First, one, rest, site)
                }
                Member::Roll(die) => die,
            };
            let shown = self.build.name();
            let current = TypedTerm::number(self.build.variable(shown)).of(of.clone());
            self.scope
                .push(Bound::new(self.tree.slice(member), &current));
            let (next, whole) = self.step(repeated.body, &parts, &variables);
            self.scope.truncate(outside);
            if self.failure.is_some() {
                return TypedTerm::list(self.build.empty());
            }
            let wider = parts.iter().zip(&next);
            let wider: Vec<PartFacts> = wider
                .map(|(part, next)| part.or(PartFacts::of(next)))
                .collect();
            if wider != parts {
                parts = wider;
                continue;
            }
            let over = self.build.arithmetic(Arithmetic::Add, variable, one, site);
            let next = match whole {
                None => {
                    let mut next = next;
                    next.insert(0, TypedTerm::number(over));
                    self.pack(&next, &all, id)
                }
                Some(whole) => self.with_round(whole, over, &parts, &all, id),
            };
            // A member of a known list that no round looks at is not taken.
            let is_known = self.build.constant(rounds.count).is_some()
                && matches!(rounds.member, Member::Of(_));
            let next = if is_known && !self.build.free(next).contains(&shown) {
                next
            } else {
                self.build.bind(shown, value, next)
            };
            let nothing = self.build.empty();
            let goes_on = self
                .build
                .filter(Comparison::Greater, variable, rounds.count, site);
            let next = self.build.choose(goes_on, next, nothing);
            let next = self.leave(bound, next);
            let next = self.build.bind(index, place.expr, next);
            let mut start = vec![TypedTerm::number(zero)];
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
        parts: &[PartFacts],
        all: &[PartFacts],
        id: NodeId,
    ) -> Expr {
        let name = self.build.name();
        let packed = self.build.variable(name);
        let mut values = self.unpack(packed, parts, id);
        values.insert(0, TypedTerm::number(over));
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
