//! The lists and tuples that loops lead to, by grade.
//!
//! The *grade* of a list is its length, that of a tuple of numbers the sum of their magnitudes. A step that adds
//! nothing to the grade is idle. Idle steps are solved first: they are an absorbing chain, which ends with the first
//! step of another kind. All steps that are left raise the grade, so an unfinished list of the least grade is
//! continued before all others, and a list is exact once the unfinished ones have a higher grade.

use crate::algebra::weight::{lcm, probability};
use crate::algebra::{Chain, Distribution, EndId, Law, StateId, Target, Weight};
use crate::engine::program::{LawOfLists, Node, NodeId, Order, Store};
use crate::engine::reveal::{Graded, Lists, Monoid as _, Steps, Tuples, canonical_state};
use crate::engine::simplify::Forms as _;
use crate::engine::solve::states::{Destination, Search, States, chain, never_of_loops};
use crate::engine::stop::Attempt;
use crate::limits::{Budget, Reserved};
use crate::map::{Map, ValueMap};
use crate::number::Fraction;
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// The distribution of a list with loops.
pub(in crate::engine) fn lists_of_loops(store: &mut Store<'_>, id: NodeId) -> Attempt<LawOfLists> {
    let _part = store
        .budget
        .part("a loop as a chain of states, its lists by length");
    if let Some(law) = law_of_numbers(store, id)? {
        return Ok(law);
    }
    let order = if is_in_order(store, id) {
        Order::Kept
    } else {
        Order::Ignored
    };
    let monoid = Lists { order };
    let state = canonical_state(store, id)?;
    let (key, root) = monoid.strip(store, state)?;
    let search = Search::of(root, store);
    law_of_states(store, id, search, &key, &monoid)
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

/// The distribution of a list of several numbers with loops. `None` if the list is of another kind.
fn law_of_numbers(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<LawOfLists>> {
    let (numbers, order) = match store.nodes.get(id) {
        Node::Join(parts) => (parts.to_vec(), Order::Ignored),
        Node::Chain(parts) => (parts.to_vec(), Order::Kept),
        _ => return Ok(None),
    };
    let (known, numbers): (Vec<NodeId>, Vec<NodeId>) = match order {
        Order::Ignored => numbers.iter().partition(|&&part| store.is_known(part)),
        Order::Kept => (Vec::new(), numbers),
    };
    if numbers.len() < 2 || !numbers.iter().all(|&part| store.is_number(part)) {
        return Ok(None);
    }
    let law = law_of_tuple(store, &numbers)?;
    if order == Order::Kept {
        return Ok(Some(law));
    }
    let known = match known.first() {
        Some(&known) => store.law_of_list(known)?.listed.outcomes()[0].clone(),
        None => Vec::new(),
    };
    let lists = Lists { order };
    let mut weights: ValueMap<Vec<i64>, Weight> = ValueMap::default();
    for (tuple, weight) in law.listed.iter() {
        let mut list = [&known[..], tuple].concat();
        list.sort_unstable();
        store.budget.work(lists.grade(&list))?;
        *weights.entry(list).or_default() += weight;
    }
    let listed = Distribution::new(weights, law.total().clone());
    Ok(Some(Law::else_unresolved(listed, law.never_ends())))
}

/// The joint distribution of numbers with loops, as lists in this order. What lies in states that are not followed is unresolved.
fn law_of_tuple(store: &mut Store<'_>, numbers: &[NodeId]) -> Attempt<LawOfLists> {
    let tuple = store.chain(numbers.to_vec())?;
    let mut monoid = Tuples::of(numbers.len());
    let state = canonical_state(store, tuple)?;
    loop {
        let (key, root) = monoid.strip(store, state)?;
        let mut search = Search::of(root, store);
        search.advance(store, &monoid)?;
        let keys: Vec<&Vec<i64>> = search.states().iter().flat_map(inner_keys).collect();
        if monoid.leave_in_what_goes_both_ways(&keys) {
            continue;
        }
        return law_of_states(store, tuple, search, &key, &monoid);
    }
}

/// The keys of the steps between states.
fn inner_keys(steps: &Steps<Vec<i64>, Destination>) -> impl Iterator<Item = &Vec<i64>> {
    let steps = steps.transitions.iter();
    steps.filter_map(|(key, _, to)| matches!(to, Destination::State(_)).then_some(key))
}

/// The distribution of a list with these states.
fn law_of_states<'a, A: Graded>(
    store: &mut Store<'a>,
    id: NodeId,
    mut search: Search<'a, Vec<i64>>,
    key: &[i64],
    monoid: &A,
) -> Attempt<LawOfLists> {
    let mut never = None;
    loop {
        search.advance(store, monoid)?;
        let (law, is_full) = listed(store, search.states(), key, monoid)?;
        if law.unresolved() == Weight::ZERO {
            return Ok(law);
        }
        if never.is_none() {
            never = Some(never_of_loops(store, id)?);
        }
        let law = match &never {
            Some(Some(never)) => law.with_never(never, store.budget)?,
            _ => law,
        };
        let missing = probability(&law.unresolved(), law.total());
        if search.is_whole() || is_full || missing <= store.budget.limits().tolerance {
            return Ok(law);
        }
        if search.is_over() {
            store.note_short();
            return Ok(law);
        }
    }
}

/// The distribution of the lists that these states lead to, and whether it has as many lists as the limits allow.
fn listed<A: Graded>(
    store: &mut Store<'_>,
    states: &States<Vec<i64>>,
    key: &[i64],
    monoid: &A,
) -> Attempt<(LawOfLists, bool)> {
    let mut endings: Map<NodeId, LawOfLists> = Map::default();
    for (_, _, to) in states.iter().flat_map(|state| &state.transitions) {
        if let Destination::End(node) = *to
            && !endings.contains_key(&node)
        {
            let law = store.law_of_list(node)?;
            endings.insert(node, (*law).clone());
        }
    }
    let mut held = Reserved::none(store.budget);
    let rows = without_idle_steps(states, monoid, &mut held, store.budget)?;
    let never = never_ending(states, store.budget)?;
    let Listing {
        weights,
        total: over,
        is_full,
    } = by_grade(store, &rows, &endings, monoid, key)?;
    let total = lcm(&over, never.denom().magnitude());
    let factor = &total / over;
    let weights = weights
        .into_iter()
        .map(|(list, weight)| (list, weight * &factor));
    let never = never.numer().magnitude() * (&total / never.denom().magnitude());
    let listed = Distribution::new(weights, total);
    Ok((Law::else_unresolved(listed, never), is_full))
}

/// The probability that these states are never left.
fn never_ending<K>(states: &States<K>, budget: &Budget<'_>) -> Attempt<Fraction> {
    let (mut chain, ids) = whole_chain(states);
    for (state, &from) in states.iter().zip(&ids) {
        for (_, weight, to) in &state.transitions {
            let to = match *to {
                Destination::State(index) if index >= ids.len() => continue,
                Destination::State(index) => Target::State(ids[index]),
                Destination::End(_) => Target::End(EndId(0)),
            };
            chain.add_step(from, weight.clone(), 0, to);
        }
    }
    let ends = chain.ends(ids[0], budget)?;
    Ok(probability(&ends.never, &ends.total))
}

fn whole_chain<K>(states: &States<K>) -> (Chain, Vec<StateId>) {
    chain(
        states,
        std::iter::repeat_n(Weight::from(1_u32), states.len()),
    )
}

/// The first state and all states that a step leads to which is not idle, each with the steps that follow all its idle
/// steps. A step that never ends, or that leaves the states that are followed, is left out.
fn without_idle_steps<A: Graded>(
    states: &States<Vec<i64>>,
    monoid: &A,
    held: &mut Reserved<'_>,
    budget: &Budget<'_>,
) -> Attempt<Vec<Steps<Vec<i64>, Destination>>> {
    let is_idle = |key: &Vec<i64>, to: &Destination| {
        monoid.grade(key) == 0 && matches!(to, Destination::State(_))
    };
    let has_idle: Vec<bool> = states
        .iter()
        .map(|state| {
            let mut steps = state.transitions.iter();
            steps.any(|(key, _, to)| is_idle(key, to))
        })
        .collect();
    // The idle steps as a chain, which ends with a step of another kind.
    let (mut chain, ids) = whole_chain(states);
    let mut exits: Vec<(&Vec<i64>, Destination)> = Vec::new();
    let mut exit_of: ValueMap<(&Vec<i64>, Destination), u32> = ValueMap::default();
    if has_idle.contains(&true) {
        for (state, &from) in states.iter().zip(&ids) {
            for (key, weight, to) in &state.transitions {
                budget.check()?;
                let to = match *to {
                    Destination::State(index) if index >= ids.len() => continue,
                    Destination::State(index) if is_idle(key, to) => Target::State(ids[index]),
                    to => Target::End(EndId(*exit_of.entry((key, to)).or_insert_with(|| {
                        exits.push((key, to));
                        u32::try_from(exits.len() - 1).expect("fewer than 2^32 steps")
                    }))),
                };
                chain.add_step(from, weight.clone(), 0, to);
            }
        }
    }
    let mut place_of: Map<usize, usize> = Map::from_iter([(0, 0)]);
    let mut order = vec![0];
    let mut rows = Vec::new();
    while let Some(&index) = order.get(rows.len()) {
        budget.check()?;
        let state = &states[index];
        let steps = state.transitions.iter();
        let size = size_of::<(Vec<i64>, Weight, Destination)>() as u64;
        held.take(
            steps
                .map(|(key, weight, _)| size + A::bytes(key) + weight.bits() / 8)
                .sum(),
        )?;
        let mut row = if has_idle[index] {
            let ends = chain.ends(ids[index], budget)?;
            let steps = ends.weights.into_iter().map(|(end, weight)| {
                let (key, to) = exits[end.0 as usize];
                (key.clone(), weight, to)
            });
            Steps {
                total: ends.total,
                never: Weight::ZERO,
                transitions: steps.collect(),
            }
        } else {
            state.clone()
        };
        row.transitions.retain_mut(|(_, _, to)| match to {
            Destination::End(_) => true,
            Destination::State(index) if *index >= states.len() => false,
            Destination::State(index) => {
                *index = *place_of.entry(*index).or_insert_with(|| {
                    order.push(*index);
                    order.len() - 1
                });
                true
            }
        });
        rows.push(row);
    }
    Ok(rows)
}

/// Lists with their weights over a total.
struct Listing {
    weights: ValueMap<Vec<i64>, Weight>,
    total: Weight,
    /// Whether there are as many lists as the limits allow.
    is_full: bool,
}

/// The weights of lists by grade. Lists without end are listed down to the tolerance, finitely many lists to the last.
fn by_grade<A: Graded>(
    store: &mut Store<'_>,
    states: &States<Vec<i64>>,
    endings: &Map<NodeId, LawOfLists>,
    monoid: &A,
    key: &[i64],
) -> Attempt<Listing> {
    let is_finite = has_no_cycle(states);
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
    let mut open: BTreeMap<u64, ValueMap<(Vec<i64>, usize), RoundWeight>> = BTreeMap::new();
    let mut listed: ValueMap<Vec<i64>, RoundWeight> = ValueMap::default();
    // The weight of unfinished lists, by their number of rounds.
    let mut live: BTreeMap<usize, BigInt> = BTreeMap::new();
    if can_end[0] {
        live.insert(0, one.clone().into());
        let first = RoundWeight {
            weight: one,
            rounds: 0,
        };
        // The key of the first state may have another sign than the steps.
        open.entry(0).or_default().insert((key.to_vec(), 0), first);
    }
    // The grade of the unfinished lists that are not continued.
    let mut cut_at = None;
    let mut is_full = false;
    while let Some((grade, level)) = open.pop_first() {
        let last = live.keys().next_back().copied().unwrap_or(0);
        is_full = listed.len() as u64 + level.len() as u64 > store.budget.limits().outcomes;
        let mut is_over = is_full;
        if !is_finite {
            let mut left = BigInt::ZERO;
            for (&rounds, weight) in &live {
                left += weight * BigInt::from(powers.of(last - rounds).clone());
            }
            let bound = tolerance.numer() * BigInt::from(powers.of(last).clone());
            is_over |= left * tolerance.denom() <= bound;
        }
        if is_over {
            cut_at = Some(grade);
            break;
        }
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
                let list = monoid.combine(&list, more);
                match *to {
                    Destination::State(index) if !can_end[index] => {}
                    Destination::State(index) => {
                        *live.entry(rounds).or_default() += BigInt::from(weight.clone());
                        let level = open.entry(grade + monoid.grade(more)).or_default();
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
                            let list = monoid.combine(&list, end);
                            store.budget.has_room_for_more(&listed, 1)?;
                            let known = listed.entry(list).or_default();
                            known.add(RoundWeight { weight, rounds }, &mut powers);
                        }
                    }
                }
            }
        }
    }
    if let Some(grade) = cut_at {
        // A list that an unfinished one can still become may gain weight.
        let ends = ends_of(states, endings, monoid);
        store
            .budget
            .work((listed.len() as u64).saturating_mul(ends.len() as u64))?;
        listed.retain(|list, _| {
            let mut grades = ends.iter().map(|end| monoid.grade_between(key, list, end));
            grades.all(|between| between < grade)
        });
    }
    let last = listed.values().map(|share| share.rounds).max().unwrap_or(0);
    let weights = listed
        .into_iter()
        .map(|(list, share)| (list, share.weight * powers.of(last - share.rounds)))
        .collect();
    Ok(Listing {
        weights,
        total: powers.of(last) * closing,
        is_full,
    })
}

/// What the steps that end the chain add.
fn ends_of<A: Graded>(
    states: &States<Vec<i64>>,
    endings: &Map<NodeId, LawOfLists>,
    monoid: &A,
) -> BTreeSet<Vec<i64>> {
    let mut ends = BTreeSet::new();
    for (key, _, to) in states.iter().flat_map(|state| &state.transitions) {
        if let Destination::End(node) = to {
            let lists = endings[node].listed.outcomes().iter();
            ends.extend(lists.map(|list| monoid.combine(key, list)));
        }
    }
    ends
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

/// Whether no state can be reached from itself. Linear in the number of steps.
fn has_no_cycle<K>(states: &States<K>) -> bool {
    let targets = |state: usize| {
        let steps = states[state].transitions.iter();
        steps.filter_map(|&(_, _, to)| match to {
            Destination::State(next) => Some(next),
            Destination::End(_) => None,
        })
    };
    let mut incoming = vec![0_usize; states.len()];
    for next in (0..states.len()).flat_map(targets) {
        incoming[next] += 1;
    }
    let mut open: Vec<usize> = (0..states.len()).filter(|&to| incoming[to] == 0).collect();
    let mut taken = 0;
    while let Some(from) = open.pop() {
        taken += 1;
        for next in targets(from) {
            incoming[next] -= 1;
            if incoming[next] == 0 {
                open.push(next);
            }
        }
    }
    taken == states.len()
}
