//! The lists that loops lead to, by length. The weight of a list is exact once all shorter lists have been continued.

use crate::algebra::weight::{lcm, probability};
use crate::algebra::{Distribution, EndId, Law, Target, Weight};
use crate::engine::program::{LawOfLists, Node, NodeId, Order, Store};
use crate::engine::reveal::{Lists, Stepping, Steps, canonical_state};
use crate::engine::solve::states::{Destination, chain, explored, never_of_loops};
use crate::engine::stop::Attempt;
use crate::map::{Map, ValueMap};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// The distribution of a list with loops.
pub(in crate::engine) fn lists_of_loops(store: &mut Store<'_>, id: NodeId) -> Attempt<LawOfLists> {
    let _part = store
        .budget
        .part("a loop as a chain of states, its lists by length");
    let law = if is_in_order(store, id) {
        listed(store, id, &Lists { order: Order::Kept })?
    } else {
        listed(
            store,
            id,
            &Lists {
                order: Order::Ignored,
            },
        )?
    };
    if law.unresolved() == Weight::ZERO {
        return Ok(law);
    }
    Ok(match never_of_loops(store, id)? {
        Some(never) => law.with_never(&never, store.budget)?,
        None => law,
    })
}

/// Whether a list keeps an order.
fn is_in_order(store: &Store<'_>, id: NodeId) -> bool {
    match *store.nodes.get(id) {
        Node::Chain(_) | Node::Dealt(_) | Node::Loop(_, _, Order::Kept, _) => true,
        Node::If(_, a, b) => is_in_order(store, a) || is_in_order(store, b),
        Node::Copies(_, list) | Node::Select(_, _, list) | Node::Filter(_, _, list) => {
            is_in_order(store, list)
        }
        _ => false,
    }
}

fn listed<A>(store: &mut Store<'_>, id: NodeId, accumulator: &A) -> Attempt<LawOfLists>
where
    A: Stepping<Key = Vec<i64>>,
{
    let state = canonical_state(store, id)?;
    let (key, root) = accumulator.strip(store, state)?;
    let explored = explored(store, root, accumulator)?;
    let states = &explored.states;
    let mut endings: Map<NodeId, LawOfLists> = Map::default();
    for (_, _, to) in states.iter().flat_map(|state| &state.transitions) {
        if let Destination::End(node) = *to
            && !endings.contains_key(&node)
        {
            let law = store.law_of_list(node)?;
            endings.insert(node, (*law).clone());
        }
    }
    let ones = std::iter::repeat_n(Weight::from(1_u32), states.len());
    let (mut chain, ids) = chain(states, ones);
    for (state, &from) in states.iter().zip(&ids) {
        for (_, weight, to) in &state.transitions {
            let to = match *to {
                Destination::State(index) => Target::State(ids[index]),
                Destination::End(_) => Target::End(EndId(0)),
            };
            chain.add_step(from, weight.clone(), 0, to);
        }
    }
    let ends = chain.ends(ids[0], store.budget)?;
    let never = probability(&ends.never, &ends.total);
    let (weights, over) = by_length(store, states, &endings, accumulator, key)?;
    let total = lcm(&over, never.denom().magnitude());
    let factor = &total / over;
    let weights = weights
        .into_iter()
        .map(|(list, weight)| (list, weight * &factor));
    let never = never.numer().magnitude() * (&total / never.denom().magnitude());
    let listed = Distribution::new(weights, total);
    Ok(Law::else_unresolved(listed, never))
}

/// The weights of lists by length, and their total. An unfinished list is continued before any longer one, so a list
/// is exact once all shorter ones have been continued.
fn by_length<A>(
    store: &mut Store<'_>,
    states: &[Steps<Vec<i64>, Destination>],
    endings: &Map<NodeId, LawOfLists>,
    accumulator: &A,
    key: Vec<i64>,
) -> Attempt<(ValueMap<Vec<i64>, Weight>, Weight)>
where
    A: Stepping<Key = Vec<i64>>,
{
    let tolerance = store.tolerance();
    let can_end = can_reach_end(states);
    // After r rounds weights are over `common^r`. The weights of finished lists are over `common^r · closing`.
    let one = Weight::from(1_u32);
    let common = states
        .iter()
        .fold(one.clone(), |common, state| lcm(&common, &state.total));
    let closing = endings
        .values()
        .fold(one.clone(), |closing, law| lcm(&closing, law.total()));
    let mut powers = Powers(vec![one.clone(), common.clone()]);
    let mut open: BTreeMap<usize, ValueMap<(Vec<i64>, usize), RoundWeight>> = BTreeMap::new();
    let mut listed: ValueMap<Vec<i64>, RoundWeight> = ValueMap::default();
    // The weight of unfinished lists, by their number of rounds.
    let mut live: BTreeMap<usize, BigInt> = BTreeMap::new();
    if can_end[0] {
        live.insert(0, one.clone().into());
        let first = RoundWeight {
            weight: one,
            rounds: 0,
        };
        open.entry(key.len()).or_default().insert((key, 0), first);
    }
    let mut rounds_without_growth = 0;
    while let Some((length, level)) = open.pop_first() {
        let last = live.keys().next_back().copied().unwrap_or(0);
        let mut left = BigInt::ZERO;
        for (&rounds, weight) in &live {
            left += weight * BigInt::from(powers.of(last - rounds).clone());
        }
        let bound = tolerance.numer() * BigInt::from(powers.of(last).clone());
        if left * tolerance.denom() <= bound
            || listed.len() as u64 + level.len() as u64 > store.budget.limits().outcomes
            || rounds_without_growth > states.len() + 64
        {
            // Lists of this length and longer ones may still gain weight.
            listed.retain(|list, _| list.len() < length);
            break;
        }
        rounds_without_growth += 1;
        for ((list, state), share) in level {
            store.budget.check()?;
            let state = &states[state];
            *live.entry(share.rounds).or_default() -= BigInt::from(share.weight.clone());
            let factor = share.weight * (&common / &state.total);
            let rounds = share.rounds + 1;
            for (more, weight, to) in &state.transitions {
                let weight = weight * &factor;
                let bytes = A::bytes(&list) + A::bytes(more);
                store.budget.has_room_for(bytes)?;
                let list = accumulator.combine(&list, more);
                match *to {
                    Destination::State(index) if !can_end[index] => {}
                    Destination::State(index) => {
                        if list.len() > length {
                            rounds_without_growth = 0;
                        }
                        *live.entry(rounds).or_default() += BigInt::from(weight.clone());
                        let level = open.entry(list.len()).or_default();
                        store.budget.has_room_for_more(&*level, 1)?;
                        let known = level.entry((list, index)).or_default();
                        known.add(RoundWeight { weight, rounds }, &mut powers);
                    }
                    Destination::End(node) => {
                        let law = &endings[&node].listed;
                        let factor = weight * (&closing / law.total());
                        for (end, weight) in law.iter() {
                            let weight = weight * &factor;
                            let bytes = A::bytes(&list) + A::bytes(end);
                            store.budget.has_room_for(bytes)?;
                            let list = accumulator.combine(&list, end);
                            store.budget.has_room_for_more(&listed, 1)?;
                            let known = listed.entry(list).or_default();
                            known.add(RoundWeight { weight, rounds }, &mut powers);
                        }
                    }
                }
            }
        }
    }
    let last = listed.values().map(|share| share.rounds).max().unwrap_or(0);
    let weights = listed
        .into_iter()
        .map(|(list, share)| (list, share.weight * powers.of(last - share.rounds)))
        .collect();
    Ok((weights, powers.of(last) * closing))
}

/// A weight over the common total of all states to the power of a number of rounds.
#[derive(Debug, Default)]
struct RoundWeight {
    weight: Weight,
    rounds: usize,
}

impl RoundWeight {
    fn add(&mut self, other: Self, powers: &mut Powers) {
        let rounds = self.rounds.max(other.rounds);
        self.weight *= powers.of(rounds - self.rounds);
        self.weight += other.weight * powers.of(rounds - other.rounds);
        self.rounds = rounds;
    }
}

/// The powers of a number, from the power 0 on. At least the first two are there.
struct Powers(Vec<Weight>);

impl Powers {
    fn of(&mut self, exponent: usize) -> &Weight {
        while self.0.len() <= exponent {
            let next = &self.0[self.0.len() - 1] * &self.0[1];
            self.0.push(next);
        }
        &self.0[exponent]
    }
}

/// For each state, whether an end can be reached from it. Linear in the number of steps.
fn can_reach_end<K>(states: &[Steps<K, Destination>]) -> Vec<bool> {
    let mut before = vec![Vec::new(); states.len()];
    let mut can_end = vec![false; states.len()];
    let mut open = Vec::new();
    for (from, state) in states.iter().enumerate() {
        for (_, _, to) in &state.transitions {
            match *to {
                Destination::State(to) => before[to].push(from),
                Destination::End(_) if !can_end[from] => {
                    can_end[from] = true;
                    open.push(from);
                }
                Destination::End(_) => {}
            }
        }
    }
    while let Some(state) = open.pop() {
        for &from in &before[state] {
            if !can_end[from] {
                can_end[from] = true;
                open.push(from);
            }
        }
    }
    can_end
}
