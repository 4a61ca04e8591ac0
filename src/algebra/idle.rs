//! A chain without idle steps: those between states that add nothing.
//!
//! Each idle step is replaced by the steps of the state that it leads to. Before that, the idle steps from that state
//! back to itself are divided out.

use std::collections::BTreeMap;

use num_traits::One;

use super::Weight;
use super::linear::{Chain, StateId, Target};
use super::weight::common_divisor;
use crate::limits::{Budget, LimitReached};

/// The target of a step and the number that it adds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Move {
    pub(super) to: Target,
    pub(super) add: u64,
}

/// The steps of one state. The weights of steps with the same target and the same number are added.
pub(super) struct Moves {
    pub(super) total: Weight,
    pub(super) to: BTreeMap<Move, Weight>,
}

impl Moves {
    /// Divides the weights and the total by their greatest common divisor.
    fn reduce(&mut self) {
        let mut common = self.total.clone();
        for weight in self.to.values() {
            common = common_divisor(&common, weight);
            if common.is_one() {
                return;
            }
        }
        self.total /= &common;
        for weight in self.to.values_mut() {
            *weight /= &common;
        }
    }
}

/// The steps of each state after the removal of some steps: into each state, of those that add no more than `removed` says, which are
/// its idle steps in most cases. States that are not alive have no row, and steps to them are dropped.
pub(super) fn rows_without_idle_steps(
    chain: &Chain,
    alive: &[bool],
    removed: impl Fn(usize) -> Option<u64>,
    budget: &Budget<'_>,
) -> Result<Vec<Option<Moves>>, LimitReached> {
    let mut rows: Vec<Option<Moves>> = Vec::with_capacity(chain.states.len());
    let is_removed = |state: usize, add: u64| removed(state).is_some_and(|most| add <= most);
    // For each state, the states with a step to it that is removed.
    let mut idle: Vec<Vec<usize>> = vec![Vec::new(); chain.states.len()];
    for (index, state) in chain.states.iter().enumerate() {
        budget.check()?;
        let mut row = Moves {
            total: state.total.clone(),
            to: BTreeMap::new(),
        };
        if !alive[index] {
            rows.push(None);
            continue;
        }
        for step in &state.steps {
            if let Target::State(next) = step.to {
                if !alive[next.index()] {
                    continue;
                }
                let next = next.index();
                if is_removed(next, step.add) && !idle[next].contains(&index) {
                    idle[next].push(index);
                }
            }
            let key = Move {
                to: step.to,
                add: step.add,
            };
            *row.to.entry(key).or_default() += &step.weight;
        }
        rows.push(Some(row));
    }
    for index in removal_order(&idle) {
        let here = |add: u64| Move {
            to: Target::State(StateId::of(index)),
            add,
        };
        let all = here(0)..=here(removed(index).unwrap_or(0));
        let Some(row) = &mut rows[index] else {
            continue;
        };
        if let Some(back) = row.to.remove(&here(0)) {
            row.total -= back;
        }
        // A step back that adds something stays, and so do the steps into the state.
        if row.to.range(all.clone()).next().is_some() {
            continue;
        }
        let (total, steps) = (row.total.clone(), row.to.clone());
        for previous in std::mem::take(&mut idle[index]) {
            let Some(row) = rows[previous].as_mut().filter(|_| previous != index) else {
                continue;
            };
            let into: Vec<Move> = row
                .to
                .range(all.clone())
                .map(|(to, _)| to.clone())
                .collect();
            if into.is_empty() {
                continue;
            }
            let into = into
                .into_iter()
                .map(|own| (own.add, row.to.remove(&own).unwrap_or_default()));
            let into: Vec<(u64, Weight)> = into.collect();
            let longest = into.iter().map(|(_, into)| into.bits()).max().unwrap_or(0);
            let limbs = total.bits() / 64 + longest / 64 + 1;
            row.total *= &total;
            for weight in row.to.values_mut() {
                budget.work(limbs)?;
                *weight *= &total;
            }
            for (own, into) in &into {
                for (step, weight) in &steps {
                    budget.work(limbs)?;
                    let to = step.to;
                    let add = own + step.add;
                    if let Target::State(next) = to
                        && is_removed(next.index(), add)
                        && !idle[next.index()].contains(&previous)
                    {
                        idle[next.index()].push(previous);
                    }
                    *row.to.entry(Move { to, add }).or_default() += into * weight;
                }
            }
            row.reduce();
        }
    }
    Ok(rows)
}

/// The order in which the idle steps into the states are removed: a state comes after those that its own idle steps
/// lead to, except where idle steps form a cycle.
fn removal_order(idle: &[Vec<usize>]) -> Vec<usize> {
    let mut outgoing = vec![0_usize; idle.len()];
    for &from in idle.iter().flatten() {
        outgoing[from] += 1;
    }
    let mut order: Vec<usize> = (0..idle.len())
        .filter(|&index| outgoing[index] == 0)
        .collect();
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        next += 1;
        for &from in &idle[index] {
            outgoing[from] -= 1;
            if outgoing[from] == 0 {
                order.push(from);
            }
        }
    }
    let rest = (0..idle.len()).filter(|&index| outgoing[index] > 0);
    order.extend(rest);
    order
}

#[cfg(test)]
mod tests {
    use super::super::EndId;
    use super::*;
    use crate::limits::{Limits, Unobserved};

    fn rows(chain: &Chain) -> Vec<Option<Moves>> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let alive = vec![true; chain.states.len()];
        rows_without_idle_steps(chain, &alive, |_| Some(0), &budget).unwrap()
    }

    /// The number that each step to the end adds, its weight, and the total. Other steps are not expected.
    fn ends(row: Option<&Moves>) -> Vec<(u64, u32, u32)> {
        let row = row.unwrap();
        let short = |weight: &Weight| u32::try_from(weight).unwrap();
        let steps = row.to.iter().map(|(step, weight)| {
            assert_eq!(step.to, Target::End(EndId(0)));
            (step.add, short(weight), short(&row.total))
        });
        steps.collect()
    }

    /// Of 5, a weight of 3 comes back: what is left has 2 as its total.
    #[test]
    fn idle_steps_back_are_divided_out() {
        let mut chain = Chain::new();
        let state = chain.add_state(5_u32.into());
        chain.add_step(state, 3_u32.into(), 0, Target::State(state));
        chain.add_step(state, 1_u32.into(), 1, Target::End(EndId(0)));
        chain.add_step(state, 1_u32.into(), 2, Target::End(EndId(0)));
        assert_eq!(ends(rows(&chain)[0].as_ref()), [(1, 1, 2), (2, 1, 2)]);
    }

    /// Two players take turns with a coin: who begins is the first to show heads with probability 1/2 + 1/8 + … = 2/3.
    #[test]
    fn idle_steps_in_a_circle_are_a_geometric_series() {
        let mut chain = Chain::new();
        let [one, other] = [2_u32, 2].map(|total| chain.add_state(total.into()));
        for (from, to, add) in [(one, other, 1), (other, one, 2)] {
            chain.add_step(from, 1_u32.into(), add, Target::End(EndId(0)));
            chain.add_step(from, 1_u32.into(), 0, Target::State(to));
        }
        let rows = rows(&chain);
        assert_eq!(ends(rows[0].as_ref()), [(1, 2, 3), (2, 1, 3)]);
        assert_eq!(ends(rows[1].as_ref()), [(1, 1, 3), (2, 2, 3)]);
    }

    /// An idle step with probability 1/2 to a state that ends by a d3: each of its faces with probability 1/6.
    #[test]
    fn idle_steps_give_way_to_those_of_the_next_state() {
        let mut chain = Chain::new();
        let first = chain.add_state(2_u32.into());
        let last = chain.add_state(3_u32.into());
        chain.add_step(first, 1_u32.into(), 0, Target::State(last));
        chain.add_step(first, 1_u32.into(), 3, Target::End(EndId(0)));
        for face in 1..=3 {
            chain.add_step(last, 1_u32.into(), face, Target::End(EndId(0)));
        }
        let rows = rows(&chain);
        assert_eq!(ends(rows[0].as_ref()), [(1, 1, 6), (2, 1, 6), (3, 4, 6)]);
    }
}
