//! Loops that add up to a number: absorbing chains of states.
//!
//! A program with loops is a state, and its steps add numbers. If steps add something, the weight of each outcome is
//! found exactly, one outcome after the other, and so are the moments and the probability that the loop never ends
//! ([`Chain`]). If no step adds anything, the probabilities of the outcomes are the solution of a linear system.
//! Weight that leaves the followed states is unresolved.

use crate::algebra::weight::{lcm, probability};
use crate::algebra::{
    Chain, ChainLaw, EndId, Law, Line, Mass, Moments, Numbers, StateId, Target, Weight,
};
use crate::engine::program::{NodeId, Store};
use crate::engine::reason::Reason;
use crate::engine::reveal::{Monoid as _, Steps, Sums, canonical_state};
use crate::engine::rules::law_of_branching;
use crate::engine::solve::states::{Destination, Search, States, chain, never_of_loops};
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::without_unused_variables;
use crate::map::Map;
use crate::number::{Fraction, Integer};
use num_integer::Integer as _;
use std::rc::Rc;
use std::sync::Arc;

/// The most values that are listed of a loop with states that are not followed.
const FIRST_VALUES: u64 = 400;

/// The distribution of a number with loops. What lies in states that are not followed is unresolved.
pub(in crate::engine) fn law_of_loops(store: &mut Store<'_>, id: NodeId) -> Attempt<Law> {
    let _part = store.budget.part("a loop as a chain of states");
    if let Some(simpler) = without_unused_variables(store, id)? {
        return Ok((*store.law(simpler)?).clone());
    }
    let state = canonical_state(store, id)?;
    let (mut offset, root) = Sums::PulledOut.strip(store, state)?;
    if let Some(law) = law_of_branching(store, root)? {
        return Ok(law.shifted(&offset.into(), store.budget)?);
    }
    let mut monoid = Sums::PulledOut;
    let mut search = Search::of(root, store);
    search.advance(store, &monoid)?;
    if adds_both_signs(search.states()) {
        // If constants are left in the programs there are more states, but no step adds anything.
        (monoid, offset) = (Sums::LeftIn, 0);
        search = Search::of(state, store);
        search.advance(store, &monoid)?;
    }
    let most_values = store.budget.limits().outcomes;
    if search.is_whole() {
        return law_of_states(store, search.states(), offset, most_values);
    }
    let is_open = |law: &Law, store: &Store<'_>| {
        probability(&law.unresolved(), law.total()) > store.budget.limits().tolerance
    };
    let never = never_of_loops(store, id)?;
    let mut before: Option<Fraction> = None;
    loop {
        if search.is_whole() {
            return law_of_states(store, search.states(), offset, most_values);
        }
        let law = law_of_states(store, search.states(), offset, FIRST_VALUES)?;
        let law = match &never {
            Some(never) => law.with_never(never, store.budget)?,
            None => law,
        };
        if !is_open(&law, store) {
            return Ok(law);
        }
        let now = probability(&law.unresolved(), law.total());
        if before.is_some_and(|before| search.is_hopeless(&before, &now, store)) {
            store.note_hopeless();
            return Ok(law);
        }
        if search.is_over() {
            store.note_short();
            return Ok(law);
        }
        before = Some(now);
        search.advance(store, &monoid)?;
    }
}

/// The distribution of the sum of the steps of these states, and of the program that is left at the end.
fn law_of_states(
    store: &mut Store<'_>,
    states: &States<i64>,
    offset: i64,
    most_values: u64,
) -> Attempt<Law> {
    let mut endings: Map<NodeId, Law> = Map::default();
    for (_, _, to) in states.iter().flat_map(|state| &state.transitions) {
        if let Destination::End(node) = *to
            && !endings.contains_key(&node)
        {
            let law = store.law(node)?;
            endings.insert(node, (*law).clone());
        }
    }
    if endings.values().all(|law| law.complete().is_some()) {
        return SumChain::of(states, &endings)?.law(offset, most_values, store);
    }
    // A single program at the end is independent of the way to it.
    if endings.len() > 1 {
        return Err(Stop::Unsupported(Reason::Tail));
    }
    let certain = Law::from(Numbers::certain(Integer::ZERO));
    let zeros = endings.keys().map(|&node| (node, certain.clone()));
    let steps = SumChain::of(states, &zeros.collect())?.law(offset, most_values, store)?;
    let parts = endings.into_values().chain([steps]).map(Rc::new);
    Ok(Law::sum(&parts.collect::<Vec<_>>(), store.budget)?)
}

/// The numbers that steps between states add.
fn inner_steps(states: &[Steps<i64, Destination>]) -> impl Iterator<Item = i64> {
    let steps = states.iter().flat_map(|state| &state.transitions);
    steps.filter_map(|(add, _, to)| matches!(to, Destination::State(_)).then_some(*add))
}

fn adds_both_signs(states: &[Steps<i64, Destination>]) -> bool {
    inner_steps(states).any(|add| add < 0) && inner_steps(states).any(|add| add > 0)
}

/// A chain whose steps add non-negative numbers. The value for a sum is `sign·(first + step·sum)`.
struct SumChain {
    chain: Arc<Chain>,
    start: StateId,
    sign: i64,
    first: i64,
    step: i64,
    /// The outcomes of the ends, if no step between states adds anything.
    ends: Option<Vec<i64>>,
}

impl SumChain {
    /// The chain of states whose inner steps do not add numbers of both signs.
    fn of(states: &[Steps<i64, Destination>], endings: &Map<NodeId, Law>) -> Attempt<Self> {
        let inner = || inner_steps(states);
        let sign = if inner().any(|add| add < 0) { -1 } else { 1 };
        // Each transition to an end, once for each outcome of the program that is left.
        let mut last: Vec<(usize, Weight, i64)> = Vec::new();
        let mut totals: Vec<Weight> = Vec::with_capacity(states.len());
        for (from, state) in states.iter().enumerate() {
            let mut scale = Weight::from(1_u32);
            for (_, _, to) in &state.transitions {
                if let Destination::End(node) = to {
                    scale = lcm(&scale, endings[node].total());
                }
            }
            for (add, weight, to) in &state.transitions {
                let Destination::End(node) = to else { continue };
                let law = &endings[node].listed;
                let factor = weight * (&scale / law.total());
                for (outcome, weight) in law.iter() {
                    let outcome = outcome.to_i64().and_then(|end| end.checked_add(*add));
                    let outcome = outcome.ok_or(Stop::Unsupported(Reason::LongIntegers))?;
                    last.push((from, weight * &factor, sign * outcome));
                }
            }
            totals.push(scale);
        }
        let first = last.iter().map(|&(_, _, end)| end).min().unwrap_or(0);
        let still = inner().all(|add| add == 0);
        let step = last
            .iter()
            .map(|&(_, _, end)| end - first)
            .chain(inner())
            .fold(0_i64, |step, add| step.gcd(&add))
            .max(1);
        let (mut chain, ids) = chain(states, totals.iter().cloned());
        for ((state, scale), &from) in states.iter().zip(&totals).zip(&ids) {
            for (add, weight, to) in &state.transitions {
                if let Destination::State(index) = *to
                    && index < ids.len()
                {
                    let add = (sign * add / step).unsigned_abs();
                    chain.add_step(from, weight * scale, add, Target::State(ids[index]));
                }
            }
        }
        let mut outcomes: Vec<i64> = last.iter().map(|&(_, _, end)| end).collect();
        outcomes.sort_unstable();
        outcomes.dedup();
        for (from, weight, end) in last {
            let (add, way) = if still {
                (0, outcomes.partition_point(|&other| other < end))
            } else {
                (((end - first) / step).unsigned_abs(), 0)
            };
            let way = EndId(u32::try_from(way).expect("fewer than 2^32 outcomes"));
            chain.add_step(ids[from], weight, add, Target::End(way));
        }
        Ok(Self {
            chain: Arc::new(chain),
            start: ids[0],
            sign,
            first,
            step,
            ends: still.then_some(outcomes),
        })
    }

    /// The distribution of the value plus an offset, with at most this many listed values.
    fn law(&self, offset: i64, most: u64, store: &Store<'_>) -> Attempt<Law> {
        let budget = store.budget;
        if let Some(outcomes) = &self.ends {
            let ends = self.chain.ends(self.start, budget)?;
            let listed = ends.weights.iter().map(|(way, weight)| {
                let outcome = self.sign * outcomes[way.0 as usize];
                (Integer::from(outcome), weight.clone())
            });
            let listed = Numbers::new(listed, ends.total.clone());
            let unresolved = &ends.total - listed.mass() - &ends.never;
            let moments = (unresolved == Weight::ZERO).then(|| Moments::of(&listed));
            let masses = vec![Mass::anywhere(unresolved)];
            let law = Law::new(listed, masses, ends.never, moments);
            return Ok(law.shifted(&offset.into(), budget)?);
        }
        let sum = ChainLaw::of(&self.chain, self.start, &store.tolerance(), most, budget)?;
        // sign·(first + step·sum) + offset
        let sign = Integer::from(self.sign);
        let constant = sign.mul(&self.first.into())?.add(&offset.into())?;
        let factor = sign.mul(&self.step.into())?;
        let sum = sum.line(&Line { factor, constant }, budget)?;
        if sum.is_cut {
            store.note_cut();
        }
        Ok(sum.law)
    }
}
