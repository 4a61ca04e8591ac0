//! Facts about terms of the core program that hold for every environment: which variables a term uses, whether it
//! rolls, and whether it looks at the order of a list.

use crate::engine::program::node::NodeId;
use crate::engine::program::order::Order;
use crate::engine::program::parts::States;
use crate::engine::program::store::Store;
use crate::ir::{Arrangement, Candidates, Comparison, Selection, Term, TermId};
use crate::map::Map;
use crate::number::Integer;
use crate::stack;
use std::rc::Rc;

/// The most members at the end of a list that are looked at one by one.
pub(in crate::engine) const MOST_MEMBERS: usize = 64;

impl Store<'_> {
    /// Whether a term uses a value that is not fully known. The `bound` innermost variables are not in the
    /// environment.
    pub(in crate::engine) fn uses_hidden(
        &mut self,
        id: TermId,
        bound: u32,
        environment: &[NodeId],
    ) -> bool {
        let free = self.free(id);
        free.iter().filter(|&&index| index >= bound).any(|&index| {
            let place = environment.len() - 1 - (index - bound) as usize;
            self.nodes.mask(environment[place]) != 0
        })
    }

    /// The free variables of a term.
    pub(in crate::engine) fn free(&mut self, id: TermId) -> Rc<[u32]> {
        self.terms.free.of(self.arena, id)
    }

    /// Whether the value of a term is rolled, or chosen by what may be rolled.
    pub(in crate::engine) fn is_random(&mut self, id: TermId) -> bool {
        if let Some(&known) = self.terms.random.get(&id) {
            return known;
        }
        let term = self.arena.term(id);
        let mut random = term.rolls() || matches!(term, Term::Best(..));
        term.for_children(|child, _| random = random || stack::level(|| self.is_random(child)));
        self.terms.random.insert(id, random);
        random
    }

    /// Whether a term has a loop or a choice in it.
    pub(in crate::engine) fn has_loops_or_choices(&mut self, id: TermId) -> bool {
        if let Some(&known) = self.terms.loops.get(&id) {
            return known;
        }
        let term = self.arena.term(id);
        let mut found = matches!(term, Term::Best(..) | Term::Play(..) | Term::While(..));
        term.for_children(|child, _| {
            found = found || stack::level(|| self.has_loops_or_choices(child));
        });
        self.terms.loops.insert(id, found);
        found
    }

    /// Whether a term looks at the order of a variable, given whether the order of the term itself matters.
    pub(in crate::engine) fn looks_at_order(
        &mut self,
        id: TermId,
        index: u32,
        order: Order,
    ) -> bool {
        let key = (id, index, order);
        if let Some(&known) = self.terms.ordered.get(&key) {
            return known;
        }
        let looks = stack::level(|| self.compute_looks_at_order(id, index, order));
        self.terms.ordered.insert(key, looks);
        looks
    }

    fn compute_looks_at_order(&mut self, id: TermId, index: u32, order: Order) -> bool {
        let ignored = Order::Ignored;
        match self.arena.term(id) {
            Term::Variable(variable) => *variable == index && order == Order::Kept,
            Term::Integer(_) | Term::Pick(_) | Term::Fail(..) | Term::Reject(_) => false,
            Term::Join(parts) => parts
                .iter()
                .any(|&part| self.looks_at_order(part, index, order)),
            Term::Range(a, b, _) | Term::Arithmetic(_, a, b, _) => {
                self.looks_at_order(*a, index, ignored) || self.looks_at_order(*b, index, ignored)
            }
            Term::Die(a, _)
            | Term::Negate(a, _)
            | Term::Fold(_, a, _)
            | Term::Arrange(Arrangement::Sort | Arrangement::Shuffle, a) => {
                self.looks_at_order(*a, index, ignored)
            }
            Term::Arrange(Arrangement::Distinct | Arrangement::Reverse, a) => {
                self.looks_at_order(*a, index, order)
            }
            Term::Repeat(n, e, _) | Term::Filter(_, n, e, _) => {
                self.looks_at_order(*n, index, ignored) || self.looks_at_order(*e, index, order)
            }
            Term::Select(selection, n, e, _) => {
                let equal = matches!(self.arena.term(*e), Term::Filter(Comparison::Equal, ..));
                let one = Integer::ONE;
                let is_one = matches!(self.arena.term(*n), Term::Integer(n) if *n <= one);
                let inner = match selection {
                    Selection::High | Selection::Low if is_one => ignored,
                    Selection::High | Selection::Low | Selection::DropHigh | Selection::DropLow => {
                        order
                    }
                    _ if equal => ignored,
                    _ => Order::Kept,
                };
                self.looks_at_order(*n, index, ignored) || self.looks_at_order(*e, index, inner)
            }
            Term::Compare(e, f) => {
                self.looks_at_order(*e, index, ignored) || self.looks_at_order(*f, index, ignored)
            }
            Term::Difference(e, f, _) | Term::Without(e, f) => {
                self.looks_at_order(*e, index, order) || self.looks_at_order(*f, index, ignored)
            }
            Term::If(c, e, f) => {
                self.looks_at_order(*c, index, ignored)
                    || self.looks_at_order(*e, index, order)
                    || self.looks_at_order(*f, index, order)
            }
            Term::Let(e, f) => {
                let kept = if self.looks_at_order(*f, 0, order) {
                    Order::Kept
                } else {
                    ignored
                };
                self.looks_at_order(*e, index, kept) || self.looks_at_order(*f, index + 1, order)
            }
            Term::Best(candidates, e, f, choice) => {
                let of_body = match self.arena.choice_of(*choice).aim {
                    None => ignored,
                    Some(_) => Order::Kept,
                };
                let of_list = match candidates {
                    Candidates::Members => Order::Kept,
                    Candidates::Parts => ignored,
                };
                self.looks_at_order(*e, index, of_list)
                    || self.looks_at_order(*f, index + 1, of_body)
            }
            Term::Foreach(e, f) => {
                self.looks_at_order(*e, index, order) || self.looks_at_order(*f, index + 1, order)
            }
            Term::Play(e, f, g) => {
                let of_state = self.order_of_state(*e, *f, (*g, ignored));
                self.looks_at_order(*e, index, of_state)
                    || self.looks_at_order(*f, index + 1, of_state)
                    || self.looks_at_order(*g, index + 1, ignored)
            }
            Term::While(e, f) => {
                self.looks_at_order(*e, index, Order::Kept)
                    || self.looks_at_order(*f, index + 1, Order::Kept)
            }
        }
    }

    /// Whether the order of each list in the state of a play matters: to what the next state holds beside lists, to the lists as
    /// multisets, or to what the last state is worth, which is wanted in some order. All that is taken of the state is bound first.
    pub(in crate::engine) fn order_of_state(
        &mut self,
        first: TermId,
        body: TermId,
        (worth, order): (TermId, Order),
    ) -> Order {
        let Some(states) = States::of(self.arena, first, body) else {
            return Order::Kept;
        };
        if self.takes_multisets(body, Order::Ignored, &states)
            && self.takes_multisets(worth, order, &states)
        {
            Order::Ignored
        } else {
            Order::Kept
        }
    }

    /// Whether a term binds what it takes of its innermost variable, and needs the order of nothing that is bound for a value in some
    /// order. What it takes by place are whole parts of each of these states.
    fn takes_multisets(&mut self, id: TermId, order: Order, states: &States) -> bool {
        let (mut id, mut state) = (id, 0);
        while let Term::Let(value, body) = *self.arena.term(id) {
            if self.free(value).binary_search(&state).is_ok() {
                let is_by_place = self.looks_at_order(value, state, Order::Ignored);
                if self.looks_at_order(body, 0, order)
                    || is_by_place && !states.have_parts_where(self.arena, value, state)
                {
                    return false;
                }
            }
            (id, state) = (body, state + 1);
        }
        self.free(id).binary_search(&state).is_err()
    }

    /// Which members at the end of a list, of so many, a body looks at: the set bits, the last member the lowest. `None` if it looks at the
    /// list itself.
    pub(in crate::engine) fn members_seen(&mut self, body: TermId, count: usize) -> Option<u64> {
        self.members_seen_in(body, (0, count), &mut Map::default())
    }

    /// The members that a term looks at of a list of so many that a variable stands for.
    fn members_seen_in(
        &mut self,
        id: TermId,
        (list, count): (u32, usize),
        known: &mut Map<(TermId, u32), Option<u64>>,
    ) -> Option<u64> {
        if self.free(id).binary_search(&list).is_err() {
            return Some(0);
        }
        if let Some(place) = self.place_of_member(id, list, count) {
            return (place < 64).then(|| 1 << place);
        }
        if let Some(&seen) = known.get(&(id, list)) {
            return seen;
        }
        let arena = self.arena;
        let is_unused = matches!(*arena.term(id), Term::Let(_, body) if self.free(body).binary_search(&0).is_err());
        let mut seen = Some(0);
        let mut look = |id: TermId, bound: u32| {
            let more = stack::level(|| self.members_seen_in(id, (list + bound, count), known));
            seen = seen.zip(more).map(|(seen, more)| seen | more);
        };
        match *arena.term(id) {
            Term::Variable(_) => seen = None,
            // What is bound and not used is not looked at.
            Term::Let(_, body) if is_unused => look(body, 1),
            ref term => term.for_children(look),
        }
        known.insert((id, list), seen);
        seen
    }

    /// The place from the end of the member that a term takes of a list of so many.
    fn place_of_member(&self, id: TermId, variable: u32, count: usize) -> Option<usize> {
        let arena = self.arena;
        let selected = |id| match *arena.term(id) {
            Term::Select(selection, number, list, _) => match arena.term(number) {
                Term::Integer(number) => Some((selection, number.to_usize()?, list)),
                _ => None,
            },
            _ => None,
        };
        let is_whole = |list| *arena.term(list) == Term::Variable(variable);
        match selected(id)? {
            (Selection::Last, 1, list) if is_whole(list) => Some(0),
            (Selection::First, 1, list) if is_whole(list) => count.checked_sub(1),
            (Selection::First, 1, list) => match selected(list)? {
                (Selection::Last, end, list) if is_whole(list) && end <= count => {
                    end.checked_sub(1)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The length of the last state of a loop, and the place from its end of the only number in it that a body looks at. `None` if a
    /// term is no such state, or the body looks at more of it.
    pub(in crate::engine) fn member_seen(
        &mut self,
        id: TermId,
        body: TermId,
    ) -> Option<(usize, Option<usize>)> {
        let Term::Select(Selection::Last, count, list, _) = *self.arena.term(id) else {
            return None;
        };
        let (Term::Integer(count), Term::While(..)) =
            (self.arena.term(count), self.arena.term(list))
        else {
            return None;
        };
        let count = count
            .to_usize()
            .filter(|count| (1..=MOST_MEMBERS).contains(count))?;
        let seen = self.members_seen(body, count)?;
        let place = (seen != 0).then(|| seen.trailing_zeros() as usize);
        (seen.count_ones() <= 1).then_some((count, place))
    }
}
