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
