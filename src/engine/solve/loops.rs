//! Loops that add up to a number: absorbing chains of states.
//!
//! A program with loops is a state, and its steps add numbers. If steps add something, the weight of each outcome is
//! found exactly, one outcome after the other, and so are the moments and the probability that the loop never ends
//! ([`Chain`]). If no step adds anything, the probabilities of the outcomes are the solution of a linear system.
//! Weight that leaves the followed states is unresolved.

use crate::algebra::weight::lcm;
use crate::algebra::{Chain, EndId, Law, Mass, Moments, Numbers, StateId, Target, Weight};
use crate::engine::program::{NodeId, Store};
use crate::engine::reason::Reason;
use crate::engine::reveal::{Monoid as _, Steps, Sums, canonical_state};
use crate::engine::rules::law_of_branching;
use crate::engine::solve::states::{Destination, FOLLOWED, chain, explored, never_of_loops};
use crate::engine::stop::{Attempt, Stop};
use crate::map::Map;
use crate::number::Integer;
use num_integer::Integer as _;

/// The distribution of a number with loops.
pub(in crate::engine) fn law_of_loops(store: &mut Store<'_>, id: NodeId) -> Attempt<Law> {
    let _part = store.budget.part("a loop as a chain of states");
    let state = canonical_state(store, id)?;
    let (key, root) = Sums::PulledOut.strip(store, state)?;
    if let Some(law) = law_of_branching(store, root)? {
        return Ok(law.shifted(&key.into(), store.budget)?);
    }
    let mut found = explored(store, root, &Sums::PulledOut)?;
    let mut offset = key;
    if adds_both_signs(&found.states) {
        // If constants are left in the programs there are more states, but no step adds anything.
        found = explored(store, state, &Sums::LeftIn)?;
        offset = 0;
    }
    let chain = sum_chain(store, &found.states)?;
    let law = chain.law(offset, found.is_whole, store)?;
    if found.is_whole {
        return Ok(law);
    }
    match never_of_loops(store, id)? {
        Some(never) => Ok(law.with_never(&never, store.budget)?),
        None => Ok(law),
    }
}

fn sum_chain(store: &mut Store<'_>, states: &[Steps<i64, Destination>]) -> Attempt<SumChain> {
    let mut endings: Map<NodeId, Law> = Map::default();
    for (_, _, to) in states.iter().flat_map(|state| &state.transitions) {
        if let Destination::End(node) = *to
            && !endings.contains_key(&node)
        {
            let law = store.law(node)?;
            if law.complete().is_none() {
                return Err(Stop::Unsupported(Reason::Tail));
            }
            endings.insert(node, (*law).clone());
        }
    }
    SumChain::of(states, &endings)
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
    chain: Chain,
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
                if let Destination::State(index) = *to {
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
            chain,
            start: ids[0],
            sign,
            first,
            step,
            ends: still.then_some(outcomes),
        })
    }

    /// The distribution of the value plus an offset. `whole` says whether all states were followed.
    fn law(&self, offset: i64, whole: bool, store: &Store<'_>) -> Attempt<Law> {
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
        let most = if whole {
            budget.limits().outcomes
        } else {
            FOLLOWED as u64
        };
        let sums = self
            .chain
            .sums(self.start, &store.tolerance(), most, budget)?;
        if sums.tail != Weight::ZERO && sums.tail_from < most {
            store.note_cut();
        }
        let (first, step) = (Integer::from(self.first), Integer::from(self.step));
        let place = |sum: &Integer| Ok::<_, Stop>(sum.mul(&step)?.add(&first)?);
        let listed = match sums.listed.into_iter().next() {
            Some((_, listed)) => {
                budget.has_room_for(listed.weights().bytes())?;
                listed.scaled(&step)?.shifted(&first)?
            }
            None => Numbers::impossible(sums.total.clone()),
        };
        let unresolved = &sums.total - listed.mass() - &sums.tail - &sums.never;
        let resolved = unresolved == Weight::ZERO;
        let bound = place(&Integer::from_big(sums.tail_from.into())?)?;
        let tail = Mass::at_or_above(bound, sums.tail);
        let moments = if resolved {
            let moments = self.chain.moments(self.start, 2, budget)?;
            Some(
                Moments {
                    ends: moments[0].clone(),
                    first: Some(moments[1].clone()),
                    second: Some(moments[2].clone()),
                }
                .of_line(&step, &first),
            )
        } else {
            None
        };
        let masses = vec![tail, Mass::anywhere(unresolved)];
        let law = Law::new(listed, masses, sums.never, moments).reduced(budget)?;
        Ok(law
            .scaled(&self.sign.into(), budget)?
            .shifted(&offset.into(), budget)?)
    }
}
