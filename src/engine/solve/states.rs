//! The states of a program with loops, and their steps.
//!
//! The states are found one after the other, by one round each ([`rounds`](crate::engine::reveal::rounds)), until no
//! step leads to a new state. A program can have very many states, or states without end, so the search stops after
//! a number of states. A step that leaves these states is left out: its weight is mass elsewhere.

use std::hash::Hash;

use crate::algebra::weight::probability;
use crate::algebra::{Chain, StateId, Target, Weight};
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::reveal::{Stepping, Steps, steps};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::limits::Reserved;
use crate::map::Map;
use crate::number::Fraction;

/// The number of states after which a search looks at what leaves them, and the factor by which it grows.
const FIRST_STATES: usize = 256;
const GROWTH: usize = 8;

/// The bits of the unit in which [`Search::may_leave`] counts weight.
const UNIT_BITS: u64 = 62;

/// The most rounds that [`Search::may_leave`] follows.
const MOST_ROUNDS: usize = 4096;

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::engine) enum Destination {
    /// A state, by its index.
    State(usize),
    /// A program without loops, and without dice that may never show anything.
    End(NodeId),
}

/// The steps from each state. The first state is the first one that was found. A step may lead to a state behind the
/// last one.
pub(in crate::engine) type States<K> = [Steps<K, Destination>];

/// A chain of states, without the steps between them. A step that may never end leads to a trap: a state that is
/// never left.
pub(in crate::engine) fn chain<K>(
    states: &States<K>,
    scales: impl Iterator<Item = Weight>,
) -> (Chain, Vec<StateId>) {
    let mut chain = Chain::new();
    let scales: Vec<Weight> = scales.collect();
    let ids: Vec<StateId> = states
        .iter()
        .zip(&scales)
        .map(|(state, scale)| chain.add_state(&state.total * scale))
        .collect();
    if states.iter().any(|state| state.never != Weight::ZERO) {
        let one = Weight::from(1_u32);
        let trap = chain.add_state(one.clone());
        chain.add_step(trap, one, 0, Target::State(trap));
        for ((state, scale), &from) in states.iter().zip(&scales).zip(&ids) {
            if state.never != Weight::ZERO {
                chain.add_step(from, &state.never * scale, 0, Target::State(trap));
            }
        }
    }
    (chain, ids)
}

/// The states of a program with loops, as far as they are followed.
pub(in crate::engine) struct Search<'a, K> {
    /// The programs of all states that steps lead to.
    nodes: Vec<NodeId>,
    index_of: Map<NodeId, usize>,
    /// The steps from the first of these states.
    states: Vec<Steps<K, Destination>>,
    /// How many states are found before the search looks at what leaves them.
    most: usize,
    /// How many states the search may count.
    left: u64,
    /// The memory that the budget has counted for the states.
    held: Reserved<'a>,
}

impl<'a, K: Clone + Ord> Search<'a, K> {
    /// A search that has found nothing but its first state. It counts no more states than [`Store::most_states`].
    pub(in crate::engine) fn of(root: NodeId, store: &Store<'a>) -> Self {
        Self {
            nodes: vec![root],
            index_of: Map::from_iter([(root, 0)]),
            states: Vec::new(),
            most: FIRST_STATES,
            left: store.most_states(),
            held: Reserved::none(store.budget),
        }
    }

    /// Goes on until there are no more states, until so little weight leaves the states that they may be enough, or until the search has
    /// counted as many states as it may.
    pub(in crate::engine) fn advance<A: Stepping<Key = K>>(
        &mut self,
        store: &mut Store<'a>,
        monoid: &A,
    ) -> Attempt<()> {
        loop {
            while !self.is_whole() && !self.is_over() && self.states.len() < self.most {
                let before = store.budget.states();
                self.step(store, monoid)?;
                self.left = self.left.saturating_sub(store.budget.states() - before);
            }
            self.most = self.most.saturating_mul(GROWTH);
            if self.is_whole() || self.is_over() || !self.may_leave(store)? {
                return Ok(());
            }
        }
    }

    /// Whether the search has counted as many states as it may.
    pub(in crate::engine) fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Whether the limits allow too few states for the unresolved share to fall to the tolerance. This assumes that the share falls by the
    /// same factor each time that the states grow, as from `before` to `now`.
    pub(in crate::engine) fn is_hopeless(
        &self,
        before: &Fraction,
        now: &Fraction,
        store: &Store<'_>,
    ) -> bool {
        // In bits: the logarithm of a share, rounded.
        let bits = |share: &Fraction| {
            let (top, bottom) = (share.numer().bits(), share.denom().bits());
            i64::try_from(bottom).unwrap_or(i64::MAX) - i64::try_from(top).unwrap_or(i64::MAX)
        };
        let limits = store.budget.limits();
        let gain = bits(now) - bits(before);
        let times = match bits(&limits.tolerance)
            .saturating_sub(bits(now))
            .checked_div(gain)
        {
            Some(times) if gain > 0 => u32::try_from(times).unwrap_or(u32::MAX),
            _ => return false,
        };
        let growth = (GROWTH as u64).checked_pow(times);
        let needed = growth.and_then(|growth| growth.checked_mul(self.states.len() as u64));
        needed.is_none_or(|needed| needed > limits.states)
    }

    /// Whether more than the tolerance leaves the states that were found, as far as an estimate can tell. It follows
    /// the weight round by round in units of `2^-62`.
    fn may_leave(&self, store: &Store<'_>) -> Attempt<bool> {
        let unit = |share: &Weight, total: &Weight| {
            let units = (share << UNIT_BITS) / total;
            u64::try_from(units).unwrap_or(u64::MAX)
        };
        let tolerance = &store.budget.limits().tolerance;
        let bound = unit(tolerance.numer().magnitude(), tolerance.denom().magnitude());
        let rows: Vec<Vec<(Option<usize>, u64)>> = self
            .states
            .iter()
            .map(|state| {
                let steps = state.transitions.iter();
                let steps = steps.filter_map(|(_, weight, to)| match *to {
                    Destination::State(to) => {
                        let share = unit(weight, &state.total);
                        Some(((to < self.states.len()).then_some(to), share))
                    }
                    Destination::End(_) => None,
                });
                steps.collect()
            })
            .collect();
        let mut here = vec![0_u64; rows.len()];
        here[0] = 1 << UNIT_BITS;
        let mut left = 0_u64;
        for _ in 0..MOST_ROUNDS {
            store.budget.work(rows.len() as u64)?;
            let mut next = vec![0_u64; rows.len()];
            for (weight, row) in here.iter().zip(&rows).filter(|(weight, _)| **weight > 0) {
                for &(to, share) in row {
                    let part = (u128::from(*weight) * u128::from(share)) >> UNIT_BITS;
                    let part = u64::try_from(part).unwrap_or(u64::MAX);
                    let place = to.map_or(&mut left, |to| &mut next[to]);
                    *place = place.saturating_add(part);
                }
            }
            if left > bound {
                return Ok(true);
            }
            if next.iter().all(|&weight| weight <= 1) {
                break;
            }
            here = next;
        }
        Ok(false)
    }

    /// The states whose steps are known.
    pub(in crate::engine) fn states(&self) -> &States<K> {
        &self.states
    }

    /// Whether the steps of all states are known.
    pub(in crate::engine) fn is_whole(&self) -> bool {
        self.states.len() == self.nodes.len()
    }

    /// Finds the steps of one more state.
    fn step<A: Stepping<Key = K>>(&mut self, store: &mut Store<'a>, monoid: &A) -> Attempt<()> {
        store.budget.count_states(1)?;
        let steps = steps(store, self.nodes[self.states.len()], monoid)?;
        let mut transitions: Vec<(A::Key, Weight, Destination)> =
            Vec::with_capacity(steps.transitions.len());
        for (key, weight, node) in steps.transitions {
            store.budget.work(A::bytes(&key) / 8 + 16)?;
            transitions.push((key, weight, self.destination(store, node)));
        }
        transitions.sort_unstable_by(|(a, _, to), (b, _, other)| (a, to).cmp(&(b, other)));
        transitions.dedup_by(|(key, weight, to), (kept, sum, target)| {
            let is_same = (&*key, &*to) == (&*kept, &*target);
            if is_same {
                *sum += &*weight;
            }
            is_same
        });
        let size =
            |weight: &Weight| size_of::<(A::Key, Weight, Destination)>() as u64 + weight.bits() / 8;
        let sizes = transitions.iter().map(|(_, weight, _)| size(weight));
        self.held.take(sizes.sum())?;
        self.states.push(Steps {
            total: steps.total,
            never: steps.never,
            transitions,
        });
        Ok(())
    }

    fn destination(&mut self, store: &mut Store<'_>, node: NodeId) -> Destination {
        if !store.has_loop(node) && store.endless_pools(node).is_empty() {
            return Destination::End(node);
        }
        let nodes = &mut self.nodes;
        Destination::State(*self.index_of.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        }))
    }
}

/// The probability that some loop of a program never ends. It can be known even if the distribution of the program is
/// not. `None` if the program is nothing but the question whether its loops end.
pub(in crate::engine) fn never_of_loops(
    store: &mut Store<'_>,
    id: NodeId,
) -> Attempt<Option<Fraction>> {
    let mut loops = store.descending(id);
    loops.retain(|&id| matches!(store.nodes.get(id), Node::Loop(..)));
    let over = loops
        .into_iter()
        .map(|list| Ok((1, store.over(list)?)))
        .collect::<Attempt<Vec<_>>>()?;
    let over = store.linear(0, &over)?;
    if over == id {
        return Ok(None);
    }
    let ends = store.law(over)?;
    Ok(Some(probability(&ends.never_ends(), ends.total())))
}
