//! The probabilistic abacus for sums: what the steps of a network add up, where its states are too many to be solved.
//!
//! As in [`super::abacus`], a probability is a number of counters out of 2ᵇ. They are moved sum by sum: all counters of one sum are
//! handed on before those of the next. A counter that is less than a state can hand on stays where it is, so what is listed is never
//! more than its probability. What is still on its way has at least the sum that was reached.
//!
//! The mean has ends: a way that is still on goes on for at most `k / (1 - q)` steps in the mean, if from every state at most the
//! share q is still on its way after k steps.

use std::collections::{BTreeMap, VecDeque};
use std::mem;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

use super::network::{Network, Place};
use super::sums_by_end::{EndSums, SumsByEnd};
use super::{EndId, Numbers, Stop, Weight};
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

/// The bits of all counters.
const BITS: u32 = 126;

/// The bits of a share that is rounded up.
const SHARE_BITS: u32 = 62;

/// The most that a step from state to state adds.
const MOST_ADDED: usize = 1 << 6;

/// The most that a step to an end adds.
const MOST_ADDED_AT_END: usize = 1 << 30;

/// The most bits of the total of a state.
const MOST_BITS_OF_TOTAL: u64 = 48;

/// Of what may be left, one part in so many powers of two may stay on the states of one sum.
const SHARE_OF_SUM: u32 = 12;

/// The most rounds that are looked at for the ends of the mean.
const MOST_ROUNDS: u64 = 1 << 12;

/// A step: its weight, where it leads, and what it adds.
type AddingStep = (u64, Place, usize);

impl Network {
    /// What the steps from the first state to each end add up, until no more than the tolerance, which is greater than 0, is left. `None`
    /// where a step adds too much, and where weights are long or there is mass elsewhere.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`]: each sum costs a pass over all states.
    pub(crate) fn sums_within(
        &self,
        added: &[u64],
        tolerance: &Fraction,
        budget: &Budget<'_>,
    ) -> Result<Option<SumsByEnd>, Stop> {
        let Some(sums) = Sums::of(self, added, budget)? else {
            return Ok(None);
        };
        let most = tolerance * Fraction::from(BigInt::one() << (BITS - 1));
        let most = most.to_integer().to_u128().unwrap_or(u128::MAX);
        sums.until(most).map(Some)
    }
}

/// The states of a network in the order in which steps that add nothing lead from one to another.
struct Sums<'n, 'b> {
    order: Vec<usize>,
    /// Whether some of these steps form a cycle.
    leads_around: bool,
    steps: Vec<Vec<AddingStep>>,
    /// The number of ends.
    ends: usize,
    /// For each state, the total of the weights that do not lead back to it without adding anything.
    leaving: Vec<u128>,
    leads_to_end: Vec<bool>,
    /// The most that is added between states, and at an end.
    most_added: usize,
    most_at_end: usize,
    budget: &'n Budget<'b>,
}

impl<'n, 'b> Sums<'n, 'b> {
    fn of(network: &Network, added: &[u64], budget: &'n Budget<'b>) -> Result<Option<Self>, Stop> {
        let is_long = |total: &Weight| total.bits() > MOST_BITS_OF_TOTAL;
        if network.totals().any(is_long) {
            return Ok(None);
        }
        let added: Option<Vec<usize>> = added.iter().map(|&added| added.try_into().ok()).collect();
        let Some(added) = added else { return Ok(None) };
        let (count, _) = network.size();
        budget.has_room_for((network.steps() * size_of::<AddingStep>()) as u64)?;
        let (mut added, mut most_added, mut most_at_end) = (added.iter(), 0, 0);
        let mut steps: Vec<Vec<AddingStep>> = Vec::with_capacity(count);
        let mut leaving = Vec::with_capacity(count);
        for state in 0..count {
            let mut total = network
                .spread_of(state)
                .total
                .to_u128()
                .unwrap_or(u128::MAX);
            let mut own = Vec::new();
            for ((weight, target), added) in network.steps_of(state).zip(added.by_ref()) {
                let weight = weight.to_u64().unwrap_or(u64::MAX);
                let most = if target.is_end() {
                    &mut most_at_end
                } else {
                    &mut most_added
                };
                *most = (*most).max(*added);
                if target == Place::state(state) && *added == 0 {
                    total -= u128::from(weight);
                } else {
                    own.push((weight, target, *added));
                }
            }
            if own
                .iter()
                .map(|&(weight, ..)| u128::from(weight))
                .sum::<u128>()
                != total
            {
                return Ok(None);
            }
            leaving.push(total);
            steps.push(own);
        }
        if most_added > MOST_ADDED || most_at_end > MOST_ADDED_AT_END {
            return Ok(None);
        }
        budget.has_room_for((count * (most_added + 2) * size_of::<u128>()) as u64)?;
        let (order, leads_around) = in_order(&steps);
        let ends = steps.iter().flatten();
        let ends = ends.filter(|(_, target, _)| target.is_end());
        let ends = ends.map(|(_, target, _)| target.index() + 1).max();
        Ok(Some(Self {
            order,
            leads_around,
            leads_to_end: network.lead_to_ends(),
            steps,
            ends: ends.unwrap_or_default(),
            leaving,
            most_added,
            most_at_end,
            budget,
        }))
    }

    /// All sums until so many counters or fewer are on their way.
    fn until(&self, most: u128) -> Result<SumsByEnd, Stop> {
        let count = self.steps.len();
        let mut never = 0_u128;
        // The counters that are on their way with the next sums.
        let mut layers: VecDeque<Vec<u128>> =
            VecDeque::from(vec![vec![0; count]; self.most_added + 1]);
        // For each end, the counters that came to it with each sum.
        let mut ended: Vec<BTreeMap<u64, u128>> = vec![BTreeMap::new(); self.ends];
        let mut on_the_way = 1_u128 << BITS;
        layers[0][0] = on_the_way;
        // The counters that may stay on states of cycles whose steps add nothing.
        let each = most >> SHARE_OF_SUM;
        let mut sum = 0_u64;
        while on_the_way > most {
            let mut is_moved = true;
            while is_moved {
                is_moved = false;
                for &state in &self.order {
                    let counters = layers[0][state];
                    if counters == 0 {
                        continue;
                    }
                    if !self.leads_to_end[state] {
                        never += counters;
                        on_the_way -= counters;
                        layers[0][state] = 0;
                        continue;
                    }
                    let times = counters / self.leaving[state];
                    if times == 0 {
                        continue;
                    }
                    is_moved = true;
                    layers[0][state] -= times * self.leaving[state];
                    self.budget.work(self.steps[state].len() as u64)?;
                    for &(weight, target, added) in &self.steps[state] {
                        let moved = times * u128::from(weight);
                        if target.is_end() {
                            let ended = &mut ended[target.index()];
                            *ended.entry(sum + added as u64).or_default() += moved;
                            on_the_way -= moved;
                        } else {
                            layers[added][target.index()] += moved;
                        }
                    }
                }
                is_moved &= self.leads_around && layers[0].iter().sum::<u128>() > each;
            }
            // What stays where it is may end in any way.
            on_the_way -= layers[0].iter_mut().map(mem::take).sum::<u128>();
            layers.rotate_left(1);
            sum += 1;
        }
        let total = Weight::one() << BITS;
        let ends = (0..).map(EndId).zip(ended).map(|(end, ended)| {
            let listed = ended.into_iter();
            let listed = listed.map(|(sum, ended)| (Integer::from(sum), Weight::from(ended)));
            EndSums {
                end,
                listed: Numbers::new(listed, total.clone()),
                tail: Weight::ZERO,
            }
        });
        // What is on its way may still come to states that are never left.
        let surely_ends = never == 0 && !self.leads_to_end.contains(&false);
        let late = if surely_ends { on_the_way } else { 0 };
        Ok(SumsByEnd {
            ends: ends.collect(),
            tail_from: sum,
            late: late.into(),
            still_added: if surely_ends { self.longest()? } else { None },
            never: never.into(),
            total,
            is_cut: true,
        })
    }

    /// An upper bound of the mean of what is still added, from any state: by steps between states, and by one to an end.
    fn longest(&self) -> Result<Option<Fraction>, Stop> {
        let one = 1_u128 << SHARE_BITS;
        let mut on_the_way = vec![one; self.steps.len()];
        for round in 1..=MOST_ROUNDS {
            let mut after = Vec::with_capacity(self.steps.len());
            for (steps, leaving) in self.steps.iter().zip(&self.leaving) {
                self.budget.work(steps.len() as u64)?;
                let shares = steps.iter().filter(|(_, target, _)| !target.is_end());
                let shares = shares
                    .map(|&(weight, target, _)| u128::from(weight) * on_the_way[target.index()]);
                after.push(shares.sum::<u128>().div_ceil(*leaving));
            }
            on_the_way = after;
            let most = on_the_way.iter().copied().max().unwrap_or_default();
            if most <= one / 2 {
                let steps = BigInt::from(round) * BigInt::from(one);
                let each = BigInt::from(self.most_added);
                let before = Fraction::new(steps * each, BigInt::from(one - most));
                return Ok(Some(before + BigInt::from(self.most_at_end)));
            }
        }
        Ok(None)
    }
}

/// The states in an order in which steps that add nothing lead to later states, except on cycles; and whether there are cycles.
fn in_order(steps: &[Vec<AddingStep>]) -> (Vec<usize>, bool) {
    let at_once = |state: usize| {
        let own = steps[state].iter();
        own.filter(|(_, target, added)| *added == 0 && !target.is_end())
            .map(|(_, target, _)| target.index())
    };
    let mut before = vec![0_usize; steps.len()];
    for state in 0..steps.len() {
        for target in at_once(state) {
            before[target] += 1;
        }
    }
    let mut order: Vec<usize> = (0..steps.len())
        .filter(|&state| before[state] == 0)
        .collect();
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        for target in at_once(state) {
            before[target] -= 1;
            if before[target] == 0 {
                order.push(target);
            }
        }
        next += 1;
    }
    let around = (0..steps.len()).filter(|&state| before[state] > 0);
    order.extend(around);
    (order, next < steps.len())
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::sums_by_end::Line;
    use super::super::{Law, Spread};
    use super::*;
    use crate::limits::{Limits, Unobserved};

    /// A line of what the steps of a network add up, for each end given its factor and constant.
    fn law_of(
        (network, added): (&Network, &[u64]),
        lines: &[Option<(i64, i64)>],
        tolerance: &Fraction,
    ) -> Option<Law> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let lines = lines.iter().map(|line| {
            line.map(|(factor, constant)| Line {
                factor: factor.into(),
                constant: constant.into(),
            })
        });
        let lines: Vec<_> = lines.collect();
        let sums = network.sums_within(added, tolerance, &budget).unwrap()?;
        Some(sums.law(&lines, None, tolerance, &budget).unwrap())
    }

    /// A d3 is thrown: a 1 counts 1, a 3 counts 3 and ends it, and after a 2 a second d3 is thrown until it shows no 1. Its 2 counts 2
    /// and leads back, or into a trap; its 3 counts 1 and ends it.
    fn throws(with_trap: bool) -> (Network, Vec<u64>) {
        let mut network = Network::default();
        let three = network.add_spread(Rc::new(Spread::even(3)));
        let one = network.add_spread(Rc::new(Spread::even(1)));
        let after = if with_trap { 2 } else { 0 };
        network.add_state(three, [Place::state(0), Place::state(1), Place::end(0)]);
        network.add_state(three, [Place::state(1), Place::state(after), Place::end(0)]);
        let mut added = vec![1, 0, 3, 0, 2, 1];
        if with_trap {
            network.add_state(one, [Place::state(2)]);
            added.push(0);
        }
        (network, added)
    }

    /// With f and g for the generating functions of the sums from both states, `f = (x·f + g + x³)/3` and `g = (g + x²·f + x)/3`, so
    /// `f = (x + 2x³)/(6 - 2x - x²)`, where the trap leaves out `x²·f`: `f = (x + 2x³)/(6 - 2x)`.
    #[test]
    fn sums_are_at_most_the_true_ones_and_miss_no_more_than_the_tolerance() {
        let tolerance = Fraction::new(1.into(), BigInt::from(1_000_000_000_000_u64));
        for (with_trap, divisor) in [(false, [6, -2, -1]), (true, [6, -2, 0])] {
            let (network, added) = throws(with_trap);
            let law = law_of((&network, &added), &[Some((1, 0))], &tolerance);
            let law = law.expect("short steps");
            let share = |weight: Weight| Fraction::new(weight.into(), law.total().clone().into());
            let mut known = vec![Fraction::default(); 2];
            let mut mean = Fraction::default();
            for sum in 1..80_usize {
                let whole = |number: i32| Fraction::from(BigInt::from(number));
                let first = [0, 1, 0, 2].get(sum).copied().unwrap_or_default();
                let exact = whole(first)
                    - whole(divisor[1]) * &known[sum]
                    - whole(divisor[2]) * &known[sum - 1];
                let exact = exact / whole(divisor[0]);
                let found = share(law.listed.weight_of(&Integer::from(sum as u64)));
                assert!(found <= exact, "{sum}: {found} and {exact}");
                assert!(&exact - &found <= tolerance, "{sum}: {found} and {exact}");
                mean += &exact * Fraction::from(BigInt::from(sum));
                known.push(exact);
            }
            let never = share(law.never_ends());
            let never_exact = Fraction::new(i32::from(with_trap).into(), 4.into());
            assert!(never <= never_exact && &never_exact - never <= tolerance);
            let ends = law.known().and_then(|known| known.mean());
            if let Some(ends) = ends.filter(|_| !with_trap) {
                // The sums from 80 up add less than 1e-9.
                let rest = Fraction::new(1.into(), 1_000_000_000.into());
                assert!(ends.low <= &mean + &rest && mean <= ends.high, "{mean}");
                assert!(
                    &ends.high - &ends.low <= rest,
                    "{} to {}",
                    ends.low,
                    ends.high
                );
            } else {
                assert!(with_trap, "the mean has ends");
            }
        }
    }

    /// Two coins in turns: tails lead to the other coin, which counts 65 on one way back, or nothing; heads end it, and count 1 and 2.
    /// Where nothing is counted around, the first coin ends it with 2/3: `f = (g + a)/2` and `g = (f + b)/2`, so `f = (2a + b)/3`.
    #[test]
    fn steps_that_lead_around_are_followed_and_long_ones_refused() {
        let tolerance = Fraction::new(1.into(), 1_000_000_000.into());
        let mut network = Network::default();
        let coin = network.add_spread(Rc::new(Spread::even(2)));
        network.add_state(coin, [Place::state(1), Place::end(0)]);
        network.add_state(coin, [Place::state(0), Place::end(1)]);
        let lines = [Some((1, 0)), Some((-2, 10))];
        assert!(law_of((&network, &[0, 1, 65, 2]), &lines, &tolerance).is_none());
        let law = law_of((&network, &[0, 1, 0, 2]), &lines, &tolerance).expect("short steps");
        for (number, exact) in [(1, 2), (6, 1)] {
            let found = law.listed.weight_of(&Integer::from(number));
            let found = Fraction::new(found.into(), law.total().clone().into());
            let exact = Fraction::new(exact.into(), 3.into());
            assert!(
                found <= exact && exact - &found <= tolerance,
                "{number}: {found}"
            );
        }
        let mean = law.known().and_then(|known| known.mean()).unwrap();
        let exact = Fraction::new(8.into(), 3.into());
        let width = &mean.high - &mean.low;
        assert!(mean.low <= exact && exact <= mean.high);
        assert!(width <= tolerance * Fraction::from(BigInt::from(100)));
    }

    /// A coin leads to the end with heads, and elsewhere with tails: 1 with 1/2, and anything with 1/2.
    #[test]
    fn what_leads_to_ends_without_a_line_may_be_anything() {
        let tolerance = Fraction::new(1.into(), 1_000.into());
        let mut network = Network::default();
        let coin = network.add_spread(Rc::new(Spread::even(2)));
        network.add_state(coin, [Place::end(0), Place::end(1)]);
        let law = law_of((&network, &[1, 0]), &[Some((1, 0)), None], &tolerance);
        let law = law.expect("short steps");
        let total = law.total().clone();
        assert_eq!(law.listed.weight_of(&Integer::ONE) * 2_u32, total);
        assert_eq!(law.unresolved() * 2_u32, total);
        assert!(law.known().is_none());
    }
}
