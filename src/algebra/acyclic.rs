//! Chains that never come back to a state, but for steps from a state to itself.
//!
//! The duel of two fighters is such a chain: hit points never rise, and a round may miss. The states are taken in
//! topological order, and the weight of each is handed on to the next ones. A state with total T and weight w back to
//! itself is left by its other steps over `d = T - w`. So the weight of a state is a number over `∏ dᵢ^eᵢ`, where the dᵢ
//! are the few numbers d of the chain, and eᵢ is the most states with dᵢ on a way there. Weights are reduced only at the
//! end. The moments of the sum of the steps are found likewise, from the last state to the first.
//!
//! Cost: one product a step, with numbers of up to `Σ eᵢ·log dᵢ` bits.

use std::collections::BTreeMap;

use num_traits::{One, Zero};

use super::Weight;
use super::elimination::{Key, Row};
use super::weight::probability;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::ValueMap;
use crate::number::Fraction;

/// The most different numbers d. With more of them, the elimination of states is faster.
const MOST_DIVISORS: usize = 8;

/// For each number d, how often it divides a weight.
type Exponents = [u32; MOST_DIVISORS];

/// The weights of all ends from a state, if no state is reached again after another. The rows are those of the states that
/// take part.
pub(super) fn ends_in_order(
    rows: &[Option<Row>],
    start: usize,
    budget: &Budget<'_>,
) -> Result<Option<Row>, LimitReached> {
    let Some(order) = topological_order(rows) else {
        return Ok(None);
    };
    let mut rows: Vec<Option<Row>> = rows.to_vec();
    for (index, row) in rows.iter_mut().enumerate() {
        if let Some(row) = row {
            budget.check()?;
            row.leave_out_steps_back(index);
            row.reduce();
        }
    }
    let Some((divisors, divisor_of)) = divisors(&rows) else {
        return Ok(None);
    };
    let mut powers: Vec<Vec<Weight>> = divisors.iter().map(|_| vec![Weight::one()]).collect();
    let mut held = Reserved::none(budget);
    let exponents = exponents(&rows, &order, &divisor_of, start);
    let mut masses: Vec<Weight> = vec![Weight::ZERO; rows.len()];
    masses[start] = Weight::one();
    let mut ends: BTreeMap<Key, Weight> = BTreeMap::new();
    let mut bytes = 0;
    for &index in &order {
        let mass = std::mem::take(&mut masses[index]);
        let Some(row) = rows[index].as_ref().filter(|_| !mass.is_zero()) else {
            continue;
        };
        bytes -= bytes_of(&mass).min(bytes);
        let mut from = exponents[&Key::State(index)];
        from[divisor_of[index]] += 1;
        // The mass over the denominators of the next states. Few of them differ.
        let mut scaled: ValueMap<Exponents, Weight> = ValueMap::default();
        for (key, weight) in &row.to {
            let to = &exponents[key];
            let mass = scaled.entry(*to).or_insert_with(|| {
                let mut mass = mass.clone();
                scale(&mut mass, &from, to, &divisors, &mut powers);
                mass
            });
            budget.work(mass.bits() / 64 + 1)?;
            let sum = match key {
                Key::State(next) => &mut masses[*next],
                Key::End(_) | Key::Never => ends.entry(*key).or_default(),
            };
            bytes -= bytes_of(sum).min(bytes);
            *sum += &*mass * weight;
            bytes += bytes_of(sum);
        }
        held.grow_to(bytes)?;
    }
    Ok(Some(over_one_total(
        ends,
        &exponents,
        &divisors,
        &mut powers,
    )))
}

fn bytes_of(weight: &Weight) -> u64 {
    weight.bits() / 8 + 64
}

/// A number over a product of the numbers d.
#[derive(Clone, Debug, Default)]
struct Scaled {
    number: Weight,
    exponents: Exponents,
}

/// A step: where it leads, the number that it adds, and its weight.
pub(super) type Step<'a> = (Key, u64, &'a Weight);

/// The moments of the sum of a chain's steps from 0 to an order, if no state is reached again after another. The rows are
/// those of the states that take part, with the steps that each sums up.
pub(super) fn moments_in_order(
    rows: &[Option<Row>],
    steps: &[Vec<Step<'_>>],
    start: usize,
    order: usize,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Fraction>>, LimitReached> {
    let Some(in_order) = topological_order(rows) else {
        return Ok(None);
    };
    let leaving = rows.iter().enumerate().map(|(index, row)| {
        let mut row = row.clone()?;
        row.leave_out_steps_back(index);
        Some(row)
    });
    let Some((divisors, divisor_of)) = divisors(&leaving.collect::<Vec<_>>()) else {
        return Ok(None);
    };
    let mut powers: Vec<Vec<Weight>> = divisors.iter().map(|_| vec![Weight::one()]).collect();
    let mut held = Reserved::none(budget);
    let mut moments: Vec<Vec<Scaled>> = vec![Vec::new(); rows.len()];
    for &index in in_order
        .iter()
        .rev()
        .filter(|&&index| rows[index].is_some())
    {
        for j in 0..=order {
            // Numbers with the same denominator are added first.
            let mut sums: ValueMap<Exponents, Weight> = ValueMap::default();
            for &(to, add, weight) in &steps[index] {
                let next = match to {
                    Key::End(_) => {
                        let part = weight * power_of_sum(add, j);
                        *sums.entry(Exponents::default()).or_default() += part;
                        continue;
                    }
                    // The state itself has the moments that are known so far.
                    Key::State(next) => &moments[next],
                    Key::Never => continue,
                };
                for (i, moment) in next.iter().enumerate().take(j + 1) {
                    let factor = weight * power_of_sum(add, j - i) * choose(j, i);
                    budget.work(moment.number.bits() / 64 + 1)?;
                    *sums.entry(moment.exponents).or_default() += &moment.number * factor;
                }
            }
            let mut sum = over_one_denominator(sums, &divisors, &mut powers);
            sum.exponents[divisor_of[index]] += 1;
            held.take(bytes_of(&sum.number))?;
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
        probability(&moment.number, &denominator)
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
    sums: ValueMap<Exponents, Weight>,
    divisors: &[Weight],
    powers: &mut [Vec<Weight>],
) -> Scaled {
    let mut exponents = Exponents::default();
    for others in sums.keys() {
        raise(&mut exponents, others);
    }
    let mut number = Weight::ZERO;
    for (others, mut part) in sums {
        scale(&mut part, &others, &exponents, divisors, powers);
        number += part;
    }
    Scaled { number, exponents }
}

/// The weights of the ends over one total, without a common factor.
fn over_one_total(
    ends: BTreeMap<Key, Weight>,
    exponents: &ValueMap<Key, Exponents>,
    divisors: &[Weight],
    powers: &mut [Vec<Weight>],
) -> Row {
    let mut most = Exponents::default();
    for key in ends.keys() {
        raise(&mut most, &exponents[key]);
    }
    let mut total = Weight::one();
    let mut to = ends;
    for (place, powers) in powers.iter_mut().enumerate() {
        total *= power(powers, &divisors[place], most[place]);
        for (key, weight) in &mut to {
            *weight *= power(
                powers,
                &divisors[place],
                most[place] - exponents[key][place],
            );
        }
    }
    let mut row = Row { total, to };
    row.reduce();
    row
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

/// The states in an order in which each comes after all other states with a step to it. `None` if there is no such order.
fn topological_order(rows: &[Option<Row>]) -> Option<Vec<usize>> {
    let next = |index: usize| {
        let keys = rows[index].iter().flat_map(|row| row.to.keys());
        keys.filter_map(move |key| match key {
            Key::State(next) if *next != index => Some(*next),
            _ => None,
        })
    };
    let mut incoming = vec![0_usize; rows.len()];
    for to in (0..rows.len()).flat_map(next) {
        incoming[to] += 1;
    }
    let mut order: Vec<usize> = (0..rows.len()).filter(|&to| incoming[to] == 0).collect();
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
    (order.len() == rows.len()).then_some(order)
}

/// The different totals of the rows, and the place of each row's total among them. `None` if they are many.
fn divisors(rows: &[Option<Row>]) -> Option<(Vec<Weight>, Vec<usize>)> {
    let mut divisors: Vec<Weight> = Vec::new();
    let mut places = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(row) = row else {
            places.push(0);
            continue;
        };
        let known = divisors.iter().position(|divisor| *divisor == row.total);
        places.push(known.unwrap_or(divisors.len()));
        if known.is_none() {
            divisors.push(row.total.clone());
        }
        if divisors.len() > MOST_DIVISORS {
            return None;
        }
    }
    Some((divisors, places))
}

/// For each state and end that can be reached, the exponents of its denominator.
fn exponents(
    rows: &[Option<Row>],
    order: &[usize],
    divisor_of: &[usize],
    start: usize,
) -> ValueMap<Key, Exponents> {
    let mut exponents: ValueMap<Key, Exponents> = ValueMap::default();
    exponents.insert(Key::State(start), Exponents::default());
    for &index in order {
        let Some(&known) = exponents.get(&Key::State(index)) else {
            continue;
        };
        let mut after = known;
        after[divisor_of[index]] += 1;
        for key in rows[index].iter().flat_map(|row| row.to.keys()) {
            raise(exponents.entry(*key).or_default(), &after);
        }
    }
    exponents
}

/// Raises each exponent that is less than another.
fn raise(exponents: &mut Exponents, others: &Exponents) {
    for (exponent, other) in exponents.iter_mut().zip(others) {
        *exponent = (*exponent).max(*other);
    }
}
