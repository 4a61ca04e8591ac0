//! The distribution of the sum of a chain's steps, value after value.
//!
//! Let `F_s(x) = Σ_v P(from s the chain ends having added v)·x^v`. Then `F = A + M·F`, where A holds the steps that end
//! the chain and M the other steps. The entries of both are polynomials in x with the probabilities of steps as
//! coefficients. So F is a vector of rational functions, and its coefficients satisfy a linear recurrence. The
//! recurrence is run forwards: with `u_v(s)` the probability of being in s having added v,
//!
//! ```text
//! u_v(s) = Σ_{s' → s adding k ≥ 1} p·u_{v-k}(s')          P(v) = Σ_{s' ends adding k ≥ 0} p·u_{v-k}(s')
//! ```
//!
//! Idle steps, which add nothing, are removed first ([`super::idle`]). A chain that then comes back to no state is solved from its end
//! ([`super::sums_in_order`]).
//!
//! The denominators are known in advance. For each state, reduce the weights of its steps to other states and the
//! total; let L be the least common multiple of these reduced totals. Let M be the least common multiple of the totals
//! of all states, and g the greatest common divisor of all numbers that steps between states add. Then `u_v` is a
//! vector of integers over `L^(v/g)`, and `P(v)` is an integer over `L^⌊v/g⌋·M`.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::One;

use super::accumulator::Accumulator;
use super::idle::{Moves, rows_without_idle_steps};
use super::linear::{Chain, EndId, StateId, Target};
use super::sums_in_order::sums_in_order;
use super::weight::{common_divisor, lcm};
use super::windows::{Source, Windows};
use super::{Numbers, Stop, Weight, Weights, product};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Fraction;

/// The first values of the sum of a chain's steps with their exact weights, and where the other weight lies.
///
/// All weights are over one total. The listed weights, the tail and `never` sum to the total, less the mass elsewhere
/// of states whose weights sum to less than their total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// For each way to end, ascending: the values below [`Sums::tail_from`].
    pub listed: Vec<(EndId, Numbers)>,
    /// The tail lies at or above this value.
    pub tail_from: u64,
    /// The weight of ending with a value that is not listed.
    pub tail: Weight,
    /// The weight of never ending.
    pub never: Weight,
    /// The common denominator.
    pub total: Weight,
}

impl Chain {
    /// The distribution of the sum of the steps. It is listed from 0 on, until the probability of the rest is at most
    /// the tolerance or `most` values are listed. A sum with finitely many values is listed to its end, unless that
    /// takes much memory.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    ///
    /// # Examples
    ///
    /// A d6 that is rolled again, and added, after each 6:
    ///
    /// ```
    /// use dicedist::algebra::{Chain, EndId, Target};
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    /// use dicedist::number::Fraction;
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let mut chain = Chain::new();
    /// let rolling = chain.add_state(6_u32.into());
    /// for face in 1..=5 {
    ///     chain.add_step(rolling, 1_u32.into(), face, Target::End(EndId(0)));
    /// }
    /// chain.add_step(rolling, 1_u32.into(), 6, Target::State(rolling));
    /// let tolerance = Fraction::new(1.into(), 36.into());
    /// let sums = chain.sums(rolling, &tolerance, 1_000, &budget)?;
    /// assert_eq!(sums.tail_from, 12); // two sixes: 1 of 36
    /// assert_eq!(&sums.tail * 36_u32, sums.total);
    /// assert_eq!(sums.listed[0].1.weight_of(&8.into()) * 36_u32, sums.total);
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn sums(
        &self,
        start: StateId,
        tolerance: &Fraction,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<Sums, Stop> {
        let ending = self.ending(start, budget)?;
        self.sums_ending(start, ending, (tolerance, most), budget)
    }

    /// The sums, given the weights of ending and of never ending, and the total of both.
    pub(super) fn sums_ending(
        &self,
        start: StateId,
        (ending, never, ends_total): (Weight, Weight, Weight),
        (tolerance, most): (&Fraction, u64),
        budget: &Budget<'_>,
    ) -> Result<Sums, Stop> {
        let alive = self.alive(start);
        let rows = rows_without_idle_steps(self, &alive, |_| Some(0), budget)?;
        if let Some(rest) = sums_in_order(&rows, start.index(), budget)? {
            let total = lcm(&ends_total, &rest.total);
            let by_rest = &total / &rest.total;
            let mut listed = Vec::with_capacity(rest.by_end.len());
            for (end, numbers) in rest.by_end {
                listed.push((end, numbers.weighted(&by_rest, total.clone(), budget)?));
            }
            let last = listed.iter().filter_map(|(_, numbers)| numbers.max()).max();
            let last = last.and_then(|last| u64::try_from(last.to_i64()?).ok());
            return Ok(Sums {
                listed,
                tail_from: last.map_or(0, |last| last + 1),
                tail: Weight::ZERO,
                never: never * (&total / &ends_total),
                total,
            });
        }
        let mut run = Run::new(rows, start, budget)?;
        // The weight that has been listed so far, over `run.scale`.
        let mut seen = Weight::ZERO;
        while run.value < most && !run.is_over() {
            // ending/total - seen/scale ≤ tolerance, multiplied out.
            let rest = &ending * &run.scale - &seen * &ends_total;
            let bound = tolerance.numer() * BigInt::from(&ends_total * &run.scale);
            if BigInt::from(rest) * tolerance.denom() <= bound {
                break;
            }
            let (grown, weight) = run.advance()?;
            seen = seen * grown + weight;
        }
        let total = lcm(&ends_total, &run.scale);
        let (by_ends, by_run) = (&total / &ends_total, &total / &run.scale);
        let tail = &ending * &by_ends - &seen * &by_run;
        Ok(Sums {
            tail_from: run.value,
            tail,
            never: never * by_ends,
            listed: run.listed(&by_run, &total)?,
            total,
        })
    }
}

/// The quotient of a weight and one of its divisors.
fn quotient(weight: Weight, divisor: &Weight) -> Weight {
    if divisor.is_one() {
        weight
    } else {
        weight / divisor
    }
}

/// The weight of being in the state that a step comes from, if it leads to the value in a slot.
#[inline]
fn before(reached: &[Vec<Accumulator>], slot: usize, source: Source) -> &Accumulator {
    // Before the value 0, nothing is reached.
    let earlier = slot.checked_sub(source.add);
    let earlier = earlier.unwrap_or_else(|| slot + reached.len() - source.add);
    &reached[earlier][source.state]
}

/// The state of the recurrence, between two values.
struct Run<'a> {
    /// The steps into each state, which add at least 1, with weights over `common^(add/unit)`.
    into: Windows,
    /// The ways to end, and the steps that end the chain in each, with weights over `common^⌊add/unit⌋·closing`, where
    /// `closing` is M of the module head.
    ends: Vec<EndId>,
    last: Windows,
    /// L of the module head.
    common: Weight,
    /// g of the module head: every sum before the last step is a multiple of it.
    unit: u64,
    /// `u_v` of the module head at index `v mod n`: by state, over `common^(v/unit)`.
    reached: Vec<Vec<Accumulator>>,
    /// The next value to list.
    value: u64,
    /// The denominator of the weights listed so far: `common^⌊v/unit⌋·closing`, where v is the last listed value, or 0
    /// before the first.
    scale: Weight,
    /// For each end, the listed values v with their weights over `common^⌊v/unit⌋·closing`.
    found: BTreeMap<EndId, Vec<(u64, Weight)>>,
    start: usize,
    budget: &'a Budget<'a>,
    reserved: Reserved<'a>,
    bytes: u64,
}

impl<'a> Run<'a> {
    /// The recurrence of a chain without idle steps, from a state on.
    fn new(
        mut rows: Vec<Option<Moves>>,
        start: StateId,
        budget: &'a Budget<'a>,
    ) -> Result<Self, Stop> {
        let (mut common, mut closing) = (Weight::one(), Weight::one());
        // For each state, the greatest common divisor of its total and the weights of its steps to states.
        let mut divisors = Vec::with_capacity(rows.len());
        for row in &rows {
            budget.check()?;
            let Some(row) = row else {
                divisors.push(Weight::one());
                continue;
            };
            let mut divisor = row.total.clone();
            for (step, weight) in &row.to {
                if matches!(step.to, Target::State(_)) && !divisor.is_one() {
                    divisor = common_divisor(&divisor, weight);
                }
            }
            closing = lcm(&closing, &row.total);
            common = lcm(&common, &(&row.total / &divisor));
            divisors.push(divisor);
        }
        let between = rows.iter().flatten().flat_map(|row| row.to.keys());
        let between = between.filter(|step| matches!(step.to, Target::State(_)));
        let unit = between.fold(0, |unit, step| step.add.gcd(&unit)).max(1);
        let mut into: Vec<Vec<(Source, Weight)>> = vec![Vec::new(); rows.len()];
        let mut last: BTreeMap<EndId, Vec<(Source, Weight)>> = BTreeMap::new();
        let mut history = 1;
        for (from, row) in rows.iter_mut().enumerate() {
            let Some(row) = row else { continue };
            let divisor = &divisors[from];
            let (inner, outer) = (&common / (&row.total / divisor), &closing / &row.total);
            for (step, weight) in std::mem::take(&mut row.to) {
                budget.check()?;
                let add = step.add;
                history = history.max(add + 1);
                let (steps, weight, powers) = match step.to {
                    Target::State(next) => {
                        let weight = quotient(weight, divisor) * &inner;
                        (&mut into[next.index()], weight, add / unit - 1)
                    }
                    Target::End(end) => (last.entry(end).or_default(), weight * &outer, add / unit),
                };
                let weight = match powers {
                    0 => weight,
                    _ => weight * product::power(&common, powers, budget)?,
                };
                let add = usize::try_from(add).map_err(|_| super::numbers::memory(budget))?;
                steps.push((Source { state: from, add }, weight));
            }
        }
        let history = usize::try_from(history).map_err(|_| super::numbers::memory(budget))?;
        let table = (history as u64)
            .saturating_mul(rows.len() as u64)
            .saturating_mul(32);
        let reserved = Reserved::new(budget, table)?;
        let (ends, last) = last.into_iter().unzip();
        Ok(Self {
            into: Windows::of(into),
            ends,
            last: Windows::of(last),
            common,
            unit,
            reached: vec![vec![Accumulator::default(); rows.len()]; history],
            value: 0,
            scale: closing,
            found: BTreeMap::new(),
            start: start.index(),
            budget,
            bytes: table,
            reserved,
        })
    }

    /// Whether no state can be reached any more: all values are listed.
    fn is_over(&self) -> bool {
        self.value > 0 && self.reached.iter().flatten().all(Accumulator::is_zero)
    }

    /// The index of a value in `reached`.
    fn slot(&self, value: u64) -> usize {
        usize::try_from(value % self.reached.len() as u64).expect("below a length")
    }

    /// Lists one more value. Returns the factor by which the scale has grown, and the weight of the value over the new
    /// scale.
    fn advance(&mut self) -> Result<(Weight, Weight), LimitReached> {
        self.budget.check()?;
        let slot = self.slot(self.value);
        let mut now = std::mem::take(&mut self.reached[slot]);
        now.iter_mut().for_each(Accumulator::clear);
        if self.value == 0 {
            now[self.start].add(&[1]);
        }
        if self.value.is_multiple_of(self.unit) {
            let before = |source| before(&self.reached, slot, source);
            self.into.add_to(&mut now, before, self.budget)?;
        }
        self.reached[slot] = now;
        let mut ended = vec![Accumulator::default(); self.ends.len()];
        let before = |source| before(&self.reached, slot, source);
        self.last.add_to(&mut ended, before, self.budget)?;
        let mut all = Weight::ZERO;
        for (&end, weight) in self.ends.iter().zip(ended) {
            if weight.is_zero() {
                continue;
            }
            let weight = weight.to_weight();
            all += &weight;
            self.bytes += weight.bits() / 8 + 48;
            self.found
                .entry(end)
                .or_default()
                .push((self.value, weight));
        }
        // The weights of `reached` are about as long as the scale.
        let numbers = self.reached.len() * self.reached[slot].len();
        let numbers = numbers + self.into.sums() + self.last.sums();
        let held = self.scale.bits() / 8 * numbers as u64;
        self.reserved.grow_to(self.bytes + held)?;
        let grown = if self.value > 0 && self.value.is_multiple_of(self.unit) {
            self.common.clone()
        } else {
            Weight::one()
        };
        self.scale *= &grown;
        self.value += 1;
        Ok((grown, all))
    }

    /// For each end, the listed values with their weights over a total; `factor` is this total over the scale.
    fn listed(
        self,
        factor: &Weight,
        total: &Weight,
    ) -> Result<Vec<(EndId, Numbers)>, LimitReached> {
        let mut listed = Vec::with_capacity(self.found.len());
        for (end, found) in self.found {
            let first = found.first().map_or(0, |(value, _)| *value);
            let length = found.last().map_or(0, |(value, _)| value - first + 1);
            self.budget
                .take_memory(Weights::bytes_for(length, total.bits()))?;
            self.budget
                .give_memory(Weights::bytes_for(length, total.bits()));
            let length =
                usize::try_from(length).map_err(|_| super::numbers::memory(self.budget))?;
            let mut weights = Weights::zeros(length, total.bits());
            // A weight is over a smaller power of `common` the smaller its value is, so its factor grows from the last
            // value down.
            let mut power = factor.clone();
            let mut at = self.value.div_ceil(self.unit);
            for (value, weight) in found.into_iter().rev() {
                self.budget.look_at_clock()?;
                while at > value / self.unit + 1 {
                    power *= &self.common;
                    at -= 1;
                }
                let index = usize::try_from(value - first).expect("below a length");
                weights.set(index, &(weight * &power));
            }
            let first = i64::try_from(first).expect("values are counted one by one");
            listed.push((end, Numbers::from_weights(first, weights, total.clone())));
        }
        Ok(listed)
    }
}
