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
use super::linear::{Chain, EndId, StateId, Step, Target};
use super::series::Sums;
use super::weight::lcm;
use super::{Numbers, Stop, Weight, Weights};
use crate::limits::Budget;
use crate::number::Integer;

/// The recurrence is taken unless its weights would be longer by this factor.
const LONGER: u64 = 4;

/// The most bytes of what is added from all states on.
const MOST_BYTES: u64 = 1 << 26;

/// What is added from a state on, for each way to end, over one total.
struct Rest {
    by_end: BTreeMap<EndId, Numbers>,
    total: Weight,
}

impl Chain {
    /// The whole distribution of the sum of the steps, as that of [`Chain::sums`]. `None` where a state comes back, where the sum may
    /// have `most` values or more, and where the recurrence takes no longer.
    pub(super) fn sums_in_order(
        &self,
        start: StateId,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<Option<Sums>, Stop> {
        let Some(order) = self.order_of_few(start, most) else {
            return Ok(None);
        };
        let mut rests: Vec<Option<Rest>> = Vec::new();
        rests.resize_with(self.states.len(), || None);
        for &state in order.iter().rev() {
            rests[state] = Some(self.rest(state, &rests, budget)?);
        }
        let Some(Rest { by_end, total }) = rests.swap_remove(start.index()) else {
            return Ok(None);
        };
        let last = by_end.values().filter_map(Numbers::max).max();
        let last = last.and_then(|last| last.to_i64()?.try_into().ok());
        Ok(Some(Sums {
            listed: by_end.into_iter().collect(),
            tail_from: last.map_or(0, |last: u64| last + 1),
            tail: Weight::ZERO,
            never: Weight::ZERO,
            total,
        }))
    }

    /// The states in an order in which each comes before those that its steps lead to, if that is the shorter way.
    fn order_of_few(&self, start: StateId, most: u64) -> Option<Vec<usize>> {
        let order = topological_order(self.states.len(), |from| {
            self.states[from].steps.iter().filter_map(Step::state)
        })?;
        // The greatest sum, and how many bits the product of the totals on the longest way has.
        let mut ways = vec![(0_u64, 0_u64); self.states.len()];
        let mut longest = 0;
        for &from in order.iter().rev() {
            let state = &self.states[from];
            let (mut sum, mut bits) = (0, 0);
            for step in &state.steps {
                let (next, behind) = step.state().map_or((0, 0), |next| ways[next]);
                sum = sum.max(step.add.checked_add(next)?);
                bits = bits.max(behind);
            }
            longest = longest.max(state.total.bits());
            ways[from] = (sum, bits + state.total.bits());
        }
        let (sum, bits) = ways[start.index()];
        let bytes = Weights::bytes_for(sum, bits).saturating_mul(order.len() as u64);
        let is_short = bits.saturating_mul(LONGER) < longest.saturating_mul(sum);
        (sum < most && bytes < MOST_BYTES && is_short).then_some(order)
    }

    /// What is added from a state on, if that is known for all states to which its steps lead.
    fn rest(
        &self,
        state: usize,
        rests: &[Option<Rest>],
        budget: &Budget<'_>,
    ) -> Result<Rest, Stop> {
        let state = &self.states[state];
        let mut steps: BTreeMap<Target, Vec<(Integer, Weight)>> = BTreeMap::new();
        for step in &state.steps {
            let add = Integer::from_big(step.add.into())?;
            steps
                .entry(step.to)
                .or_default()
                .push((add, step.weight.clone()));
        }
        let certain = |end| Rest {
            by_end: BTreeMap::from([(end, Numbers::certain(Integer::ZERO))]),
            total: Weight::one(),
        };
        let mut parts: BTreeMap<EndId, Vec<(Numbers, Weight)>> = BTreeMap::new();
        let mut common = Weight::one();
        for (to, adds) in steps {
            let ended;
            let next = match to {
                Target::End(end) => {
                    ended = certain(end);
                    &ended
                }
                Target::State(next) => rests[next.index()].as_ref().expect("a later state"),
            };
            common = lcm(&common, &next.total);
            let adds = Numbers::new(adds, state.total.clone());
            for (&end, numbers) in &next.by_end {
                let part = adds.add(numbers, budget)?;
                parts
                    .entry(end)
                    .or_default()
                    .push((part, next.total.clone()));
            }
        }
        let total = &state.total * &common;
        let mut by_end = BTreeMap::new();
        for (end, parts) in parts {
            let parts = parts.iter().map(|(part, own)| (&common / own, part));
            let parts: Vec<_> = parts.collect();
            by_end.insert(end, Numbers::measure_sum(&parts, total.clone(), budget)?);
        }
        Ok(Rest { by_end, total })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::limits::{Limits, Unobserved};
    use crate::number::Fraction;

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
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
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
        let sums = chain
            .sums_in_order(states[0], 10_000, &budget)
            .unwrap()
            .unwrap();
        let mut expected = BTreeMap::new();
        ways(
            &chain,
            states[0],
            0,
            &Fraction::from_integer(1.into()),
            &mut expected,
        );
        let listed = sums.listed.iter().flat_map(|(end, numbers)| {
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
        let greatest = expected.keys().map(|(_, sum)| *sum).max().unwrap();
        assert_eq!((sums.tail_from, sums.tail), (greatest + 1, Weight::ZERO));
        assert!(
            chain
                .sums_in_order(states[0], greatest, &budget)
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn a_state_that_comes_back_is_left_to_the_recurrence() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let mut chain = Chain::new();
        let state = chain.add_state(2_u32.into());
        chain.add_step(state, 1_u32.into(), 1, Target::State(state));
        chain.add_step(state, 1_u32.into(), 1, Target::End(EndId(0)));
        assert!(
            chain
                .sums_in_order(state, 1_000, &budget)
                .unwrap()
                .is_none()
        );
    }
}
