//! The states of a program with loops, and their steps.
//!
//! The states are found one after the other, by one round each ([`rounds`](crate::engine::reveal::rounds)), until no
//! step leads to a new state. A program with too many states is followed for a number of states. Steps that leave
//! these states are dropped.

use std::collections::BTreeMap;
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

/// The most states of a loop.
const MOST_STATES: usize = 5_000;

/// The number of states that are followed of a loop with too many states.
pub(in crate::engine) const FOLLOWED: usize = 400;

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::engine) enum Destination {
    /// Destination a state, by its index.
    State(usize),
    /// Destination a program without loops.
    End(NodeId),
}

/// The steps from each state. The first state is the first one that was found.
pub(in crate::engine) type States<K> = Vec<Steps<K, Destination>>;

/// A chain of states, without the steps between them. A step that may never end leads to a trap: a state that is
/// never left.
pub(in crate::engine) fn chain<K>(
    states: &[Steps<K, Destination>],
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
pub(super) struct Explored<'a, K> {
    /// The steps from each state.
    pub(super) states: States<K>,
    /// Whether these are all states.
    pub(super) is_whole: bool,
    /// The memory that the budget has counted for the states.
    _held: Reserved<'a>,
}

/// All states of a program with loops, or as many as are followed.
pub(super) fn explored<'a, A: Stepping>(
    store: &mut Store<'a>,
    root: NodeId,
    monoid: &A,
) -> Attempt<Explored<'a, A::Key>> {
    let mut index_of: Map<NodeId, usize> = Map::default();
    index_of.insert(root, 0);
    let mut nodes = vec![root];
    let mut states: States<A::Key> = Vec::new();
    let mut held = Reserved::none(store.budget);
    let before = store.budget.states();
    while states.len() < nodes.len() {
        let is_costly = store.budget.states() - before > MOST_STATES as u64 * 20;
        if nodes.len() > MOST_STATES || is_costly && states.len() >= FOLLOWED {
            states.truncate(FOLLOWED);
            let followed = states.len();
            for steps in &mut states {
                steps.transitions.retain(
                    |(_, _, to)| !matches!(to, Destination::State(index) if *index >= followed),
                );
            }
            return Ok(Explored {
                states,
                is_whole: false,
                _held: held,
            });
        }
        store.budget.count_states(1)?;
        let Steps {
            total,
            never,
            transitions,
        } = steps(store, nodes[states.len()], monoid)?;
        let mut merged: BTreeMap<(A::Key, Destination), Weight> = BTreeMap::new();
        for (key, weight, node) in transitions {
            store.budget.work(A::bytes(&key) / 8 + 16)?;
            let to = if store.has_loop(node) {
                let index = *index_of.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() - 1
                });
                Destination::State(index)
            } else {
                Destination::End(node)
            };
            *merged.entry((key, to)).or_default() += weight;
        }
        let size =
            |weight: &Weight| size_of::<(A::Key, Weight, Destination)>() as u64 + weight.bits() / 8;
        held.take(merged.values().map(size).sum())?;
        let transitions = merged
            .into_iter()
            .map(|((key, to), weight)| (key, weight, to))
            .collect();
        states.push(Steps {
            total,
            never,
            transitions,
        });
    }
    Ok(Explored {
        states,
        is_whole: true,
        _held: held,
    })
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
