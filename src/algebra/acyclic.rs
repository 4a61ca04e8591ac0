//! The moments of chains that never come back to a state, but for steps from a state to itself.
//!
//! The duel of two fighters is such a chain: hit points never rise, and a round may miss. The states are taken in topological
//! order, from the last to the first. A state with total T and weight w back to itself is left by its other steps over
//! `d = T - w`. So a moment is a number over `∏ dᵢ^eᵢ`, where the dᵢ are the few numbers d of the chain, and eᵢ is the most
//! states with dᵢ on a way to an end. Moments are reduced only at the end.
//!
//! Cost: one product a step, with numbers of up to `Σ eᵢ·log dᵢ` bits.

use std::collections::BTreeMap;

use num_traits::One;

use super::Weight;
use super::accumulator::Accumulator;
use super::elimination::Key;
use super::weight::probability;
use super::weights::from_limbs;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::Map;
use crate::number::Fraction;

/// The most different numbers d. With more of them, the elimination of states is faster.
const MOST_DIVISORS: usize = 8;

/// For each number d, how often it divides a weight.
type Exponents = [u32; MOST_DIVISORS];

/// The bytes of a number of so many bits.
fn bytes_of(bits: u64) -> u64 {
    bits / 8 + 64
}

/// A number over a product of the numbers d.
#[derive(Clone, Debug, Default)]
struct Scaled {
    limbs: Vec<u64>,
    exponents: Exponents,
}

/// Sums of numbers, those over the same product together.
type SumsByExponents = Map<Exponents, Accumulator>;

/// A step: where it leads, the number that it adds, and its weight.
pub(super) type Step<'a> = (Key, u64, &'a Weight);

/// The moments of the sum of a chain's steps from 0 to an order, if no state is reached again after another. Each state
/// that takes part has its total and its steps. Moment 0 is known if the chain surely ends.
pub(super) fn moments_in_order(
    states: &[Option<(&Weight, Vec<Step<'_>>)>],
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
    let leaving = states.iter().enumerate().map(|(index, state)| {
        let (total, steps) = state.as_ref()?;
        let back = steps.iter().filter(|(to, ..)| *to == Key::State(index));
        let back = back.map(|(_, _, weight)| *weight).sum::<Weight>();
        Some(*total - back)
    });
    let Some((divisors, divisor_of)) = divisors(leaving) else {
        return Ok(None);
    };
    let mut powers: Vec<Vec<Weight>> = divisors.iter().map(|_| vec![Weight::one()]).collect();
    let mut held = Reserved::none(budget);
    let mut moments: Vec<Vec<Scaled>> = vec![Vec::new(); states.len()];
    let one = Scaled {
        limbs: vec![1],
        exponents: Exponents::default(),
    };
    let at_end = [one.clone()];
    for &index in in_order.iter().rev() {
        let Some((_, steps)) = &states[index] else {
            continue;
        };
        // For each number that steps to other states add, and for each order i: Σ w·mᵢ of these states.
        let mut means: BTreeMap<u64, Vec<SumsByExponents>> = BTreeMap::new();
        // The steps back to the state itself.
        let mut back: Vec<(u64, &Weight)> = Vec::new();
        for &(to, add, weight) in steps {
            let next: &[Scaled] = match to {
                Key::End(_) => &at_end,
                Key::State(next) if next == index => {
                    back.push((add, weight));
                    continue;
                }
                Key::State(next) => &moments[next],
                Key::Never => continue,
            };
            let means = means
                .entry(add)
                .or_insert_with(|| vec![SumsByExponents::default(); order + 1]);
            for (moment, sums) in next.iter().zip(means) {
                budget.work(moment.limbs.len() as u64 + 1)?;
                let sum = sums.entry(moment.exponents).or_default();
                sum.add_product(&moment.limbs, weight.iter_u64_digits());
            }
        }
        for j in 0..=order {
            if j == 0 && surely_ends {
                moments[index].push(one.clone());
                continue;
            }
            // Numbers with the same denominator are added first.
            let mut sums: SumsByExponents = SumsByExponents::default();
            for (add, means) in &means {
                for (i, means) in means.iter().enumerate().take(j + 1) {
                    let factor = power_of_sum(*add, j - i) * choose(j, i);
                    for (exponents, mean) in means {
                        let sum = sums.entry(*exponents).or_default();
                        sum.add_product(mean.limbs(), factor.iter_u64_digits());
                    }
                }
            }
            for &(add, weight) in &back {
                for (i, moment) in moments[index].iter().enumerate() {
                    let factor = weight * power_of_sum(add, j - i) * choose(j, i);
                    let sum = sums.entry(moment.exponents).or_default();
                    sum.add_product(&moment.limbs, factor.iter_u64_digits());
                }
            }
            let mut sum = over_one_denominator(sums, &divisors, &mut powers);
            sum.exponents[divisor_of[index]] += 1;
            held.take(bytes_of(sum.limbs.len() as u64 * 64))?;
            moments[index].push(sum);
        }
    }
    let of_start = std::mem::take(&mut moments[start]).into_iter();
    let fractions = of_start.map(|moment| {
        let mut denominator = Weight::one();
        let none = Exponents::default();
        scale(
            &mut denominator,
            &none,
            &moment.exponents,
            &divisors,
            &mut powers,
        );
        probability(&from_limbs(&moment.limbs), &denominator)
    });
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

/// Multiplies a number over one product so that it stands over a larger one.
fn scale(
    number: &mut Weight,
    from: &Exponents,
    to: &Exponents,
    divisors: &[Weight],
    powers: &mut [Vec<Weight>],
) {
    for (place, powers) in powers.iter_mut().enumerate() {
        if from[place] < to[place] {
            *number *= power(powers, &divisors[place], to[place] - from[place]);
        }
    }
}

/// The sum of numbers over different products.
fn over_one_denominator(
    sums: SumsByExponents,
    divisors: &[Weight],
    powers: &mut [Vec<Weight>],
) -> Scaled {
    let mut exponents = Exponents::default();
    for others in sums.keys() {
        raise(&mut exponents, others);
    }
    let mut number = Weight::ZERO;
    for (others, part) in sums {
        let mut part = part.to_weight();
        scale(&mut part, &others, &exponents, divisors, powers);
        number += part;
    }
    Scaled {
        limbs: number.to_u64_digits(),
        exponents,
    }
}

/// The power of a number, from a table that grows as needed. It begins with 1.
fn power<'a>(powers: &'a mut Vec<Weight>, base: &Weight, exponent: u32) -> &'a Weight {
    let exponent = exponent as usize;
    while powers.len() <= exponent {
        let next = &powers[powers.len() - 1] * base;
        powers.push(next);
    }
    &powers[exponent]
}

/// The state that a step leads to, if it is another one.
fn other_state(to: Key, from: usize) -> Option<usize> {
    match to {
        Key::State(next) if next != from => Some(next),
        _ => None,
    }
}

/// The states in an order in which each comes after all other states with a step to it. `None` if there is no such order.
fn topological_order<I: Iterator<Item = usize>>(
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

/// The different totals, and the place of each among them. `None` if they are many.
fn divisors(totals: impl Iterator<Item = Option<Weight>>) -> Option<(Vec<Weight>, Vec<usize>)> {
    let mut divisors: Vec<Weight> = Vec::new();
    let mut places = Vec::new();
    for total in totals {
        let Some(total) = total else {
            places.push(0);
            continue;
        };
        let known = divisors.iter().position(|divisor| *divisor == total);
        places.push(known.unwrap_or(divisors.len()));
        if known.is_none() {
            divisors.push(total);
        }
        if divisors.len() > MOST_DIVISORS {
            return None;
        }
    }
    Some((divisors, places))
}

/// Raises each exponent that is less than another.
fn raise(exponents: &mut Exponents, others: &Exponents) {
    for (exponent, other) in exponents.iter_mut().zip(others) {
        *exponent = (*exponent).max(*other);
    }
}
