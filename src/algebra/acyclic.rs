//! The moments of chains that never come back to a state, except by steps from a state to itself.
//!
//! The duel of two fighters is such a chain: hit points never rise, and a round may miss. The states are taken in topological
//! order, from the last to the first. A state with total T and weight w back to itself is left by its other steps over
//! `T - w`. So a moment is a number over a product of such numbers, which is one of a few [`Denominators`]. Moments are reduced only at
//! the end.
//!
//! Cost: one product a step, with numbers as long as the denominators.

use std::collections::BTreeMap;

use num_traits::One;

use super::Weight;
use super::accumulator::Accumulator;
use super::denominators::{DenominatorId, Denominators};
use super::elimination::SystemColumn;
use super::weight::probability;
use super::weights::from_limbs;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::Map;
use crate::number::Fraction;

/// The bytes of a number of so many bits.
fn bytes_of(bits: u64) -> u64 {
    bits / 8 + 64
}

/// The limbs of a number over a denominator.
type Scaled = (Vec<u64>, DenominatorId);

/// Sums of numbers, those over the same denominator together.
type Sums = Map<DenominatorId, Accumulator>;

/// A step: where it leads, the number that it adds, and its weight.
pub(super) type ColumnStep<'a> = (SystemColumn, u64, &'a Weight);

/// The moments of the sum of a chain's steps from 0 to an order, if no state is reached again after another. Each state
/// that takes part has its total and its steps. Moment 0 is known if the chain surely ends.
pub(super) fn moments_in_order(
    states: &[Option<(&Weight, Vec<ColumnStep<'_>>)>],
    start: usize,
    order: usize,
    surely_ends: bool,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Fraction>>, LimitReached> {
    let next = |index: usize| {
        let steps = states[index].iter().flat_map(|(_, steps)| steps);
        steps.filter_map(move |&(to, _, _)| other_state(to, index))
    };
    let Some(in_order) = topological_order(states.len(), next) else {
        return Ok(None);
    };
    let mut denominators = Denominators::new();
    let leaving = states.iter().enumerate().map(|(index, state)| {
        let Some((total, steps)) = state else {
            return Some(DenominatorId::ONE);
        };
        let back = steps
            .iter()
            .filter(|(to, ..)| *to == SystemColumn::State(index));
        let back = back.map(|(_, _, weight)| *weight).sum::<Weight>();
        denominators.of(&(*total - back))
    });
    let Some(leaving) = leaving.collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let mut held = Reserved::none(budget);
    let mut moments: Vec<Vec<Scaled>> = vec![Vec::new(); states.len()];
    let one: Scaled = (vec![1], DenominatorId::ONE);
    let at_end = [one.clone()];
    for &index in in_order.iter().rev() {
        let Some((_, steps)) = &states[index] else {
            continue;
        };
        // For each number that steps to other states add, and for each order i: Σ w·mᵢ of these states.
        let mut means: BTreeMap<u64, Vec<Sums>> = BTreeMap::new();
        // The steps back to the state itself.
        let mut back: Vec<(u64, &Weight)> = Vec::new();
        for &(to, add, weight) in steps {
            let next: &[Scaled] = match to {
                SystemColumn::End(_) => &at_end,
                SystemColumn::State(next) if next == index => {
                    back.push((add, weight));
                    continue;
                }
                SystemColumn::State(next) => &moments[next],
                SystemColumn::Never => continue,
            };
            let means = means
                .entry(add)
                .or_insert_with(|| vec![Sums::default(); order + 1]);
            for ((limbs, over), sums) in next.iter().zip(means) {
                budget.work(limbs.len() as u64 + 1)?;
                let sum = sums.entry(*over).or_default();
                sum.add_product(limbs, weight.iter_u64_digits());
            }
        }
        for j in 0..=order {
            if j == 0 && surely_ends {
                moments[index].push(one.clone());
                continue;
            }
            // Numbers with the same denominator are added first.
            let mut sums = Sums::default();
            for (add, means) in &means {
                for (i, means) in means.iter().enumerate().take(j + 1) {
                    let factor = power_of_sum(*add, j - i) * choose(j, i);
                    for (over, mean) in means {
                        let sum = sums.entry(*over).or_default();
                        sum.add_product(mean.limbs(), factor.iter_u64_digits());
                    }
                }
            }
            for &(add, weight) in &back {
                for (i, (limbs, over)) in moments[index].iter().enumerate() {
                    let factor = weight * power_of_sum(add, j - i) * choose(j, i);
                    let sum = sums.entry(*over).or_default();
                    sum.add_product(limbs, factor.iter_u64_digits());
                }
            }
            let (limbs, over) = over_one_denominator(sums, &mut denominators);
            held.take(bytes_of(limbs.len() as u64 * 64))?;
            let over = denominators.product(over, leaving[index]);
            moments[index].push((limbs, over));
        }
    }
    let of_start = std::mem::take(&mut moments[start]).into_iter();
    let fractions =
        of_start.map(|(limbs, over)| probability(&from_limbs(&limbs), &denominators.value(over)));
    Ok(Some(fractions.collect()))
}

/// The power of a number that a step adds.
fn power_of_sum(add: u64, exponent: usize) -> Weight {
    (0..exponent).fold(Weight::one(), |power, _| power * add)
}

/// The binomial coefficient of small numbers.
pub(super) fn choose(n: usize, k: usize) -> u64 {
    (0..k.min(n - k)).fold(1, |ways, step| ways * (n - step) as u64 / (step as u64 + 1))
}

/// The sum of numbers over different denominators.
fn over_one_denominator(sums: Sums, denominators: &mut Denominators) -> Scaled {
    let over = sums.keys().fold(DenominatorId::ONE, |common, &over| {
        denominators.common(common, over)
    });
    let mut number = Weight::ZERO;
    for (own, part) in sums {
        number += part.to_weight() * denominators.quotient(over, own);
    }
    (number.to_u64_digits(), over)
}

/// The state that a step leads to, if it is another one.
fn other_state(to: SystemColumn, from: usize) -> Option<usize> {
    match to {
        SystemColumn::State(next) if next != from => Some(next),
        _ => None,
    }
}

/// The states in an order in which each comes after all states with a step to it. `None` if there is no such order.
pub(super) fn topological_order<I: Iterator<Item = usize>>(
    states: usize,
    next: impl Fn(usize) -> I,
) -> Option<Vec<usize>> {
    let mut incoming = vec![0_usize; states];
    for to in (0..states).flat_map(&next) {
        incoming[to] += 1;
    }
    let mut order: Vec<usize> = (0..states).filter(|&to| incoming[to] == 0).collect();
    let mut taken = 0;
    while let Some(&from) = order.get(taken) {
        taken += 1;
        for to in next(from) {
            incoming[to] -= 1;
            if incoming[to] == 0 {
                order.push(to);
            }
        }
    }
    (order.len() == states).then_some(order)
}
