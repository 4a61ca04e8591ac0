//! The sum of the steps of a chain that comes back to no state: from the last states to the first.
//!
//! With `F_s` the measure of what is added from a state s on, and `D_sn` that of what its steps to n add, `F_s = Σ_n D_sn ∗ F_n`. The
//! denominator of `F_s` is the total of s times the least common multiple of those of the next states. So a weight is no longer
//! than the product of the totals on the longest way, where the recurrence in the values has a power for each value.
//!
//! Takes one convolution for each pair of states with steps between them.

use std::collections::BTreeMap;

use num_traits::One;

use super::acyclic::topological_order;
use super::idle::Moves;
use super::linear::{EndId, Target};
use super::weight::lcm;
use super::{Numbers, Stop, Weight, Weights};
use crate::limits::{Budget, Reserved};
use crate::number::Integer;

/// The most bytes of what is added from the states on that are looked at together.
const MOST_BYTES: u64 = 1 << 26;

/// What is added from a state on, for each way to end, over one total.
pub(super) struct Rest {
    pub(super) by_end: BTreeMap<EndId, Numbers>,
    pub(super) total: Weight,
}

/// The whole distribution of the sum of the steps from a state that has a row. `None` where a state comes back, and where its values need
/// much memory.
pub(super) fn sums_in_order(
    rows: &[Option<Moves>],
    start: usize,
    budget: &Budget<'_>,
) -> Result<Option<Rest>, Stop> {
    let Some((order, bytes)) = order_of_few(rows, start) else {
        return Ok(None);
    };
    let _held = Reserved::new(budget, bytes)?;
    let mut rests: Vec<Option<Rest>> = Vec::new();
    rests.resize_with(rows.len(), || None);
    for (state, over) in order {
        if let Some(row) = &rows[state] {
            rests[state] = Some(rest(row, &rests, budget)?);
        }
        for state in over {
            rests[state] = None;
        }
    }
    Ok(rests.swap_remove(start))
}

/// A state, and those that no later one leads to.
type Turn = (usize, Vec<usize>);

/// The states, each after those that its steps lead to, and the bytes of what is added from those on that are looked at together.
fn order_of_few(rows: &[Option<Moves>], start: usize) -> Option<(Vec<Turn>, u64)> {
    let next = |from: usize| {
        let steps = rows[from].iter().flat_map(|row| row.to.keys());
        steps.filter_map(|step| match step.to {
            Target::State(next) => Some((next.index(), step.add)),
            Target::End(_) => None,
        })
    };
    let mut order = topological_order(rows.len(), |from| next(from).map(|(next, _)| next))?;
    order.reverse();
    let mut last_use = vec![None; rows.len()];
    // The greatest sum, and how many bits the product of the totals on the longest way has.
    let mut ways = vec![(0_u64, 0_u64); rows.len()];
    for (place, &from) in order.iter().enumerate() {
        let Some(row) = &rows[from] else { continue };
        let mut sum = row.to.keys().map(|step| step.add).max().unwrap_or(0);
        let mut bits = 0;
        for (next, add) in next(from) {
            last_use[next] = Some(place);
            sum = sum.max(add.checked_add(ways[next].0)?);
            bits = bits.max(ways[next].1);
        }
        ways[from] = (sum, bits + row.total.bits());
    }
    let mut over: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    for (state, place) in last_use.iter().enumerate() {
        over[place.unwrap_or(rows.len() - 1)].push(state);
    }
    over[rows.len() - 1].retain(|&state| state != start);
    let (mut together, mut most_together) = (0, 0);
    for over in &over {
        together += 1;
        most_together = most_together.max(together);
        together -= over.len().min(together);
    }
    let (sum, bits) = ways[start];
    let bytes = Weights::bytes_for(sum, bits).saturating_mul(most_together as u64);
    (bytes < MOST_BYTES).then(|| (order.into_iter().zip(over).collect(), bytes))
}

/// What is added from a state on, if that is known for all states to which its steps lead.
fn rest(row: &Moves, rests: &[Option<Rest>], budget: &Budget<'_>) -> Result<Rest, Stop> {
    let steps: Vec<_> = row.to.iter().collect();
    let mut parts: BTreeMap<EndId, Vec<(Numbers, &Weight)>> = BTreeMap::new();
    let (one, mut common) = (Weight::one(), Weight::one());
    // The steps to one target stand together.
    for steps in steps.chunk_by(|(one, _), (other, _)| one.to == other.to) {
        let adds = steps.iter().map(|(step, weight)| {
            let add = Integer::from_big(step.add.into())?;
            Ok((add, (*weight).clone()))
        });
        let adds = adds.collect::<Result<Vec<_>, Stop>>()?;
        let adds = Numbers::new(adds, row.total.clone());
        match steps[0].0.to {
            Target::End(end) => parts.entry(end).or_default().push((adds, &one)),
            Target::State(next) => {
                let next = rests[next.index()].as_ref().expect("a later state");
                common = lcm(&common, &next.total);
                for (&end, numbers) in &next.by_end {
                    let part = (adds.add(numbers, budget)?, &next.total);
                    parts.entry(end).or_default().push(part);
                }
            }
        }
    }
    let total = &row.total * &common;
    let mut by_end = BTreeMap::new();
    for (end, parts) in parts {
        let parts = parts.iter().map(|(part, own)| (&common / *own, part));
        let parts: Vec<_> = parts.collect();
        by_end.insert(end, Numbers::measure_sum(&parts, total.clone(), budget)?);
    }
    Ok(Rest { by_end, total })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::super::idle::rows_without_idle_steps;
    use super::super::linear::{Chain, StateId};
    use super::*;
    use crate::limits::{Limits, Unobserved};
    use crate::number::Fraction;

    fn in_order(chain: &Chain, start: StateId) -> Option<Rest> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let alive = chain.alive(start);
        let rows = rows_without_idle_steps(chain, &alive, |_| Some(0), &budget).unwrap();
        sums_in_order(&rows, start.index(), &budget).unwrap()
    }

    /// All sums with their probabilities, way by way.
    fn ways(
        chain: &Chain,
        state: StateId,
        so_far: u64,
        share: &Fraction,
        found: &mut BTreeMap<(EndId, u64), Fraction>,
    ) {
        let state = &chain.states[state.index()];
        for step in &state.steps {
            let of_step = Fraction::new(step.weight.clone().into(), state.total.clone().into());
            let (sum, share) = (so_far + step.add, share * of_step);
            match step.to {
                Target::End(end) => *found.entry((end, sum)).or_default() += share,
                Target::State(next) => ways(chain, next, sum, &share, found),
            }
        }
    }

    /// State k ends with 1 or 2 of 7^(k+1), in two ways, and else goes on to k + 1 or k + 2 by far or near steps.
    #[test]
    fn sums_are_those_of_all_ways() {
        let mut chain = Chain::new();
        let totals = (1..=7_u32).map(|k| Weight::from(7_u32).pow(k));
        let states: Vec<StateId> = totals.map(|total| chain.add_state(total)).collect();
        for (k, &state) in states.iter().enumerate() {
            let add = 60 * k as u64;
            chain.add_step(state, 1_u32.into(), add, Target::End(EndId(1)));
            chain.add_step(state, 1_u32.into(), add + 1, Target::End(EndId(1)));
            chain.add_step(state, 1_u32.into(), 2, Target::End(EndId(4)));
            for next in states.iter().skip(k + 1).take(2) {
                chain.add_step(state, 1_u32.into(), add, Target::State(*next));
                chain.add_step(state, 1_u32.into(), 3, Target::State(*next));
            }
        }
        let sums = in_order(&chain, states[0]).unwrap();
        let mut expected = BTreeMap::new();
        ways(
            &chain,
            states[0],
            0,
            &Fraction::from_integer(1.into()),
            &mut expected,
        );
        let listed = sums.by_end.iter().flat_map(|(end, numbers)| {
            let shares = numbers.iter().filter(|(_, weight)| *weight != Weight::ZERO);
            shares.map(|(sum, weight)| {
                let share = Fraction::new(weight.into(), sums.total.clone().into());
                ((*end, sum.to_i64().unwrap().try_into().unwrap()), share)
            })
        });
        assert_eq!(
            listed.collect::<BTreeMap<(EndId, u64), Fraction>>(),
            expected
        );
    }

    #[test]
    fn a_state_that_comes_back_is_left_to_the_recurrence() {
        let mut chain = Chain::new();
        let state = chain.add_state(2_u32.into());
        chain.add_step(state, 1_u32.into(), 1, Target::State(state));
        chain.add_step(state, 1_u32.into(), 1, Target::End(EndId(0)));
        assert!(in_order(&chain, state).is_none());
    }
}
