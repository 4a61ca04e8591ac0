//! Sums whose generating function is a power of a quotient of two polynomials.
//!
//! A *renewal* is a die that is rolled again and added, with the same distribution each time. Let `E(x)` be the
//! polynomial of the rolls that end it, `R(x)` that of the rolls that go on, and T their common total. Its sum has the
//! generating function `E/(T - R)`. The sum of n renewals has `F = Pⁿ/Qⁿ`, and `F'/F = n·P'/P - n·Q'/Q` gives each
//! coefficient from a few before it, to any depth (see [`super::recurrence`]). With r the least exponent of R,
//! coefficient i is an integer over `Q(0)^(n + i/r)`.
//!
//! Rolling again on a finite set of values leads to a quotient again. Let `p` be the part of `F` on the set. Values
//! that are added until one lies in the set have `p/(1 - (F - p))`. Values that are added until one does not lie in the
//! set have `(F - p)/(1 - p)`.

use super::rational::{MOST_DEGREE, Polynomial, Rational};
use super::recurrence::{Recurrence, Terms};
use super::remainders::remainders;
use super::weight::{part_of, probability};
use super::{Chain, EndId, Numbers, StateId, Stop, Target, Weight, Weights, product};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::{Fraction, Integer};
use num_traits::{One as _, Zero as _};
use std::sync::Arc;

/// The distribution of a sum on 0, 1, 2, … with the generating function `(P/Q)ⁿ`. The sum is finite with probability 1.
///
/// # Examples
///
/// Fifty d6 that are rolled again, and added, on a 6:
///
/// ```
/// use dicedist::algebra::Quotient;
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let faces = |faces: std::ops::RangeInclusive<u64>| faces.map(|face| (face, 1_u32.into()));
/// let die = Quotient::renewal(faces(1..=5), faces(6..=6), &6_u32.into()).unwrap();
/// let sums = die.power(50).unwrap().sums(&limits.tolerance, 10_000, &budget)?.unwrap();
/// // All of them show a 1, once.
/// assert_eq!(sums.listed.weight_of(&50.into()) * num_bigint::BigUint::from(6_u32).pow(50), sums.total);
/// assert_eq!(sums.listed.mass() + sums.tail, sums.total);
/// # Ok::<(), dicedist::limits::LimitReached>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quotient {
    top: Terms,
    bottom: Terms,
    n: u64,
}

/// The first outcomes of a [`Quotient`] with their exact weights, and the weight of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstSums {
    /// The outcomes below [`FirstSums::tail_from`].
    pub listed: Numbers,
    /// The tail lies at or above this outcome.
    pub tail_from: u64,
    /// The weight of all outcomes that are not listed.
    pub tail: Weight,
    /// The common denominator.
    pub total: Weight,
}

/// A renewal that adds one and the same number whenever it goes on.
pub(super) struct OnlyStep {
    /// The number that is added.
    pub(super) step: u64,
    /// The weight of going on.
    pub(super) goes_on: Weight,
    /// The last numbers that are added, ascending, with their weights.
    pub(super) ends: Vec<(u64, Weight)>,
}

/// The most bits of a coefficient: products of two coefficients can then be added.
const MOST_BITS: u32 = 54;

/// The most terms of a polynomial.
const MOST_TERMS: usize = 1 << 10;

impl Quotient {
    /// The sum of steps up to and including the first that ends. `ends` holds the steps that end, `goes_on` the others,
    /// each of which adds at least 1; the weights of all steps sum to the total. `None` if a number is too large, or no
    /// step ends.
    pub fn renewal(
        ends: impl IntoIterator<Item = (u64, Weight)>,
        goes_on: impl IntoIterator<Item = (u64, Weight)>,
        total: &Weight,
    ) -> Option<Self> {
        let total = Terms::new(vec![(0, i128::try_from(total).ok()?)]);
        Self::new(terms(ends)?, total.minus(&terms(goes_on)?))
    }

    /// The sum of a chain's steps from a state on. `None` if it may not be finite, or if the chain has too many states or numbers that are
    /// too large.
    pub(super) fn of_chain(chain: &Chain, start: StateId) -> Option<Self> {
        Self::of_rational(Rational::of_chain(chain, start)?)
    }

    /// The number with these outcomes, all listed. `None` if one of them is negative, or too large.
    pub(super) fn of_listed(numbers: &Numbers) -> Option<Self> {
        let outcomes = numbers.iter();
        let outcomes =
            outcomes.map(|(outcome, weight)| Some((outcome.to_i64()?.try_into().ok()?, weight)));
        let outcomes = outcomes.collect::<Option<Vec<(u64, Weight)>>>()?;
        Self::renewal(outcomes, [], numbers.total()).filter(|_| numbers.mass() == *numbers.total())
    }

    /// One of several numbers, each with its weight. `None` if one of them is a power, or if a number is too large.
    pub(super) fn mixture(parts: &[(&Weight, Arc<Self>)]) -> Option<Self> {
        let all: Weight = parts.iter().map(|(weight, _)| *weight).sum();
        let mut sum: Option<Rational> = None;
        for (weight, part) in parts {
            let (part, 1) = part.as_rational()? else {
                return None;
            };
            let part = part.scaled(&probability(weight, &all));
            sum = Some(match sum {
                Some(sum) => sum.plus(&part)?,
                None => part,
            });
        }
        Self::of_rational(sum?)
    }

    /// The sum of a random number of independent values. `None` if the value is a power, or if a number is too large.
    pub(super) fn random_sum(count: &Self, value: &Self) -> Option<Self> {
        let (count, n) = count.as_rational()?;
        let (value, 1) = value.as_rational()? else {
            return None;
        };
        Self::of_rational(count.of(&value)?)?.power(n)
    }

    /// The number with this generating function. `None` if it may not be finite, or if a coefficient is too large.
    fn of_rational(function: Rational) -> Option<Self> {
        let function = function.reduced();
        let is_finite = function.at_one().is_some_and(|all| all.is_one());
        let [top, bottom] = function.in_whole_numbers().map(|polynomial| {
            let terms = polynomial.iter().enumerate();
            let terms =
                terms.map(|(exponent, factor)| Some((exponent, i128::try_from(factor).ok()?)));
            terms.collect::<Option<Vec<_>>>().map(Terms::new)
        });
        Self::new(top?, bottom?).filter(|_| is_finite)
    }

    /// `P/Q`, and n. `None` if an exponent is too large.
    pub(super) fn as_rational(&self) -> Option<(Rational, u64)> {
        let polynomial = |terms: &Terms| {
            let mut polynomial = Polynomial::new();
            for (exponent, coefficient) in terms.iter() {
                (exponent <= MOST_DEGREE).then_some(())?;
                polynomial.resize(exponent, Fraction::zero());
                polynomial.push(Fraction::from_integer(coefficient.into()));
            }
            Some(polynomial)
        };
        let (top, bottom) = (polynomial(&self.top)?, polynomial(&self.bottom)?);
        Some((Rational { top, bottom }, self.n))
    }

    /// As [`Quotient::renewal`], where a step may add independent values of another law to its number. Each step has its
    /// number, the count of these values, and its weight. `None` if the law is a power, or if a number is too large.
    pub(crate) fn renewal_with(
        ends: &[(u64, u32, Weight)],
        goes_on: &[(u64, u32, Weight)],
        total: &Weight,
        law: &Self,
    ) -> Option<Self> {
        if law.n != 1 {
            return None;
        }
        let most = ends
            .iter()
            .chain(goes_on)
            .map(|&(_, count, _)| count)
            .max()?;
        // Numerator and denominator are multiplied by the power of the law's denominator that makes them polynomials.
        let sum = |steps: &[(u64, u32, Weight)]| {
            steps
                .iter()
                .try_fold(Terms::new(Vec::new()), |sum, (add, count, weight)| {
                    let step = terms([(*add, weight.clone())])?;
                    let tops = law.top.power(*count)?;
                    let bottoms = law.bottom.power(most - count)?;
                    Some(sum.plus(&step.product(&tops)?.product(&bottoms)?))
                })
        };
        let total = Terms::new(vec![(0, i128::try_from(total).ok()?)]);
        let all = total.product(&law.bottom.power(most)?)?;
        Self::new(sum(ends)?, all.minus(&sum(goes_on)?))
    }

    fn new(top: Terms, bottom: Terms) -> Option<Self> {
        let is_small = [&top, &bottom]
            .iter()
            .all(|terms| terms.len() <= MOST_TERMS && terms.bits() <= MOST_BITS);
        (is_small && top.len() > 0 && bottom.at_zero() > 0).then_some(Self { top, bottom, n: 1 })
    }

    /// The sum of independent values of this law up to and including the first one in a set. The values in the set are
    /// `last`, with the weights that they have in this law over `total`. `None` for a power, or if a number is too
    /// large.
    #[must_use]
    pub fn until(&self, last: &[(u64, Weight)], total: &Weight) -> Option<Self> {
        let (last, total) = self.part(last, total)?;
        let ended = last.times(&self.bottom);
        let bottom = self.bottom.minus(&self.top).times(&total).plus(&ended);
        Self::new(ended, bottom)
    }

    /// The sum of independent values of this law up to and including the first one that is not in a set. The values in
    /// the set are `some`, with the weights that they have in this law over `total`. `None` for a power, or if a number
    /// is too large.
    #[must_use]
    pub fn while_among(&self, some: &[(u64, Weight)], total: &Weight) -> Option<Self> {
        let (some, total) = self.part(some, total)?;
        let top = self.top.times(&total).minus(&some.times(&self.bottom));
        Self::new(top, total.minus(&some).times(&self.bottom))
    }

    /// Some outcomes with their weights, and the total, as polynomials; `None` if they are too large, or this is a
    /// power.
    fn part(&self, part: &[(u64, Weight)], total: &Weight) -> Option<(Terms, Terms)> {
        let total = Terms::new(vec![(0, i128::try_from(total).ok()?)]);
        let part = terms(part.iter().cloned())?;
        let is_small = part.bits().max(total.bits()) <= MOST_BITS && part.len() <= MOST_TERMS;
        (self.n == 1 && is_small).then_some((part, total))
    }

    /// This law as a renewal that adds the same number whenever it goes on; `None` if it is no such renewal.
    pub(super) fn only_step(&self) -> Option<OnlyStep> {
        let step = self.bottom.second()?;
        let goes_on = self.bottom.at_zero() - self.bottom.at_one();
        if self.n != 1 || self.bottom.len() != 2 || goes_on <= 0 {
            return None;
        }
        let ends = self.top.iter().map(|(exponent, weight)| {
            let weight = u128::try_from(weight).ok()?;
            Some((exponent as u64, weight.into()))
        });
        Some(OnlyStep {
            step: step as u64,
            goes_on: goes_on.unsigned_abs().into(),
            ends: ends.collect::<Option<Vec<_>>>()?,
        })
    }

    /// The sum of n independent values of this law; `None` if n is 0 or the power is too large.
    #[must_use]
    pub fn power(&self, n: u64) -> Option<Self> {
        Some(Self {
            n: self.n.checked_mul(n).filter(|&n| n > 0)?,
            ..self.clone()
        })
    }

    /// The value plus a constant; `None` for a power, or if an outcome would be negative.
    #[must_use]
    pub fn shifted(&self, by: i64) -> Option<Self> {
        let distance = usize::try_from(by.unsigned_abs()).ok()?;
        let top = match by {
            0.. => self.top.shifted(distance),
            _ if distance <= self.top.least() => self.top.lowered(distance),
            _ => return None,
        };
        (self.n == 1).then(|| Self {
            top,
            ..self.clone()
        })
    }

    /// The outcomes from the least on, listed until the rest is no more probable than the tolerance, or until the list
    /// reaches about `most` beyond the mean. `None` if the numbers are too large.
    ///
    /// Takes a few steps for each limb of each listed weight and each term of the polynomials.
    ///
    /// # Errors
    ///
    /// [`LimitReached`].
    pub fn sums(
        &self,
        tolerance: &Fraction,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<Option<FirstSums>, LimitReached> {
        let Some(mean) = self.mean().and_then(|mean| mean.checked_add(most)) else {
            return Ok(None);
        };
        let mut length = 64;
        loop {
            let Some(sums) = self.listed(length, budget)? else {
                return Ok(None);
            };
            if sums.tail <= part_of(&sums.total, tolerance) || length as u64 >= mean {
                // The kept sums, and once more on a progression with gaps.
                let bytes = sums.listed.weights().bytes();
                budget.has_room_for(bytes.saturating_mul(3))?;
                return Ok(Some(sums.with_tail_within(tolerance)));
            }
            length *= 2;
        }
    }

    /// The first `length` outcomes, from the least on; `None` if the numbers are too large.
    fn listed(
        &self,
        length: usize,
        budget: &Budget<'_>,
    ) -> Result<Option<FirstSums>, LimitReached> {
        let least = self.top.least();
        let top = self.top.lowered(least);
        let lead = Weight::from(self.bottom.at_zero().unsigned_abs());
        let deep = self.bottom.second().map_or(0, |step| (length - 1) / step) as u64;
        let Some((first, exponent)) = (least as u64)
            .checked_mul(self.n)
            .and_then(|first| Some((i64::try_from(first).ok()?, self.n.checked_add(deep)?)))
        else {
            return Ok(None);
        };
        let bits = lead.bits().saturating_mul(exponent);
        let _reserved = Reserved::new(budget, Weights::bytes_for(length as u64, bits))?;
        let n = i128::from(self.n);
        let powers = [(top.clone(), n), (self.bottom.clone(), -n)];
        let Some(recurrence) = Recurrence::of_powers(&powers, length) else {
            return Ok(None);
        };
        let total = product::power(&lead, exponent, budget)?;
        let start = product::power(&Weight::from(top.at_zero().unsigned_abs()), self.n, budget)?
            * product::power(&lead, deep, budget)?;
        let width = super::limbs::limbs_for(total.bits());
        let weights = recurrence.run(&start, width, None, budget)?;
        let listed = Numbers::from_weights(first, weights, total.clone());
        Ok(Some(FirstSums {
            tail_from: first.unsigned_abs() + length as u64,
            tail: &total - listed.mass(),
            listed,
            total,
        }))
    }

    /// The outcomes below a bound, whatever the tolerance. `None` if the numbers are too large.
    ///
    /// # Errors
    ///
    /// [`LimitReached`].
    pub(super) fn sums_below(
        &self,
        bound: u64,
        budget: &Budget<'_>,
    ) -> Result<Option<FirstSums>, LimitReached> {
        let least = (self.top.least() as u64).saturating_mul(self.n);
        match usize::try_from(bound.saturating_sub(least)) {
            Ok(length @ 1..) => self.listed(length, budget),
            _ => Ok(None),
        }
    }

    /// The distribution of the sum of one renewal modulo a number, and the number of renewals. `None` if this is no power of a
    /// renewal, or if that takes many states.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub(super) fn residues(
        &self,
        modulus: u64,
        budget: &Budget<'_>,
    ) -> Result<Option<(Numbers, u64)>, Stop> {
        let as_weight = |number: i128| u128::try_from(number).ok().map(Weight::from);
        let steps = |terms: &Terms, sign: i128| {
            let terms = terms.iter();
            let steps = terms.map(|(add, weight)| Some((add as u64, as_weight(sign * weight)?)));
            steps.collect::<Option<Vec<_>>>()
        };
        let total = Terms::new(vec![(0, self.bottom.at_zero())]);
        let goes_on = steps(&self.bottom.minus(&total), -1);
        let (Some(ends), Some(goes_on)) = (steps(&self.top, 1), goes_on) else {
            return Ok(None);
        };
        let mut renewal = Chain::new();
        let state = renewal.add_state(self.bottom.at_zero().unsigned_abs().into());
        for (add, weight) in goes_on {
            renewal.add_step(state, weight, add, Target::State(state));
        }
        for (add, weight) in ends {
            renewal.add_step(state, weight, add, Target::End(EndId(0)));
        }
        let residues = remainders(&renewal, state, modulus, budget)?;
        Ok(residues.map(|residues| (residues, self.n)))
    }

    /// The mean, rounded up: `n·(P'/P - Q'/Q)` at 1.
    fn mean(&self) -> Option<u64> {
        let slope = |terms: &Terms| Some(terms.derivative(1).at_one() / terms.at_one().max(1) + 1);
        let top = slope(&self.top)?;
        let bottom = self.bottom.derivative(1).at_one();
        let bottom = bottom / self.bottom.at_one().max(1) - 1;
        u64::try_from((top - bottom).max(1).checked_mul(i128::from(self.n))?).ok()
    }
}

impl FirstSums {
    /// Moves the last outcomes to the tail, as long as the tail stays no more probable than the tolerance.
    fn with_tail_within(self, tolerance: &Fraction) -> Self {
        let most = part_of(&self.total, tolerance);
        let (mut tail, mut tail_from) = (self.tail.clone(), self.tail_from);
        while let Some(last) = tail_from.checked_sub(1) {
            let more = &tail
                + self
                    .listed
                    .weight_of(&Integer::from_big(last.into()).expect("64 bits"));
            if more > most {
                break;
            }
            (tail, tail_from) = (more, last);
        }
        let end = Integer::from_big(tail_from.into()).expect("64 bits");
        Self {
            listed: self.listed.filtered(|outcome| *outcome < end),
            tail_from,
            tail,
            total: self.total,
        }
    }
}

/// The polynomial with these exponents and coefficients; `None` if a number does not fit.
fn terms(weights: impl IntoIterator<Item = (u64, Weight)>) -> Option<Terms> {
    let terms = weights.into_iter().map(|(exponent, weight)| {
        Some((
            usize::try_from(exponent).ok()?,
            i128::try_from(weight).ok()?,
        ))
    });
    terms.collect::<Option<Vec<_>>>().map(Terms::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Unobserved};

    /// Every coefficient of `(P/Q)ⁿ` by long division and products, which the code above does not use.
    fn divided(top: &[i64], bottom: &[i64], n: u32, length: usize) -> Vec<Fraction> {
        let whole = |number: i64| Fraction::from_integer(number.into());
        let mut quotient: Vec<Fraction> = Vec::new();
        for index in 0..length {
            let mut rest = whole(top.get(index).copied().unwrap_or(0));
            for (place, &factor) in bottom.iter().enumerate().skip(1).take(index) {
                rest -= whole(factor) * &quotient[index - place];
            }
            quotient.push(rest / whole(bottom[0]));
        }
        let mut power = vec![whole(0); length];
        power[0] = whole(1);
        for _ in 0..n {
            let product =
                (0..length).map(|sum| (0..=sum).map(|at| &power[at] * &quotient[sum - at]).sum());
            power = product.collect();
        }
        power
    }

    #[track_caller]
    fn agrees(quotient: &Quotient, expected: &[Fraction]) {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let sums = quotient.listed(expected.len(), &budget).unwrap().unwrap();
        for (outcome, expected) in expected.iter().enumerate() {
            let weight = sums.listed.weight_of(&Integer::from(outcome));
            let found = Fraction::new(weight.into(), sums.total.clone().into());
            assert_eq!(found, *expected, "{outcome}");
        }
        assert_eq!(sums.listed.mass() + sums.tail, sums.total);
    }

    fn ones(places: &[u64]) -> Vec<(u64, Weight)> {
        places.iter().map(|&place| (place, 1_u32.into())).collect()
    }

    #[test]
    fn powers_of_renewals_agree_with_long_division() {
        let die = Quotient::renewal(ones(&[0, 1, 2]), ones(&[3, 5]), &5_u32.into()).unwrap();
        for n in 1..5 {
            let expected = divided(&[1, 1, 1], &[5, 0, 0, -1, 0, -1], n, 30);
            agrees(&die.power(n.into()).unwrap(), &expected);
        }
        let geometric = Quotient::renewal(ones(&[0]), ones(&[1]), &2_u32.into()).unwrap();
        agrees(
            &geometric.power(3).unwrap(),
            &divided(&[1], &[2, -1], 3, 20),
        );
    }

    #[test]
    fn renewals_of_renewals_agree_with_long_division() {
        // A d4 that is rolled again on a 4; then its sum, rolled again from 3 on, or up to 2.
        let die = Quotient::renewal(ones(&[1, 2, 3]), ones(&[4]), &4_u32.into()).unwrap();
        let high = die.until(&ones(&[1, 2]), &4_u32.into()).unwrap();
        // (x+x²)/4 / (1 - ((x+x²+x³)/(4-x⁴) - (x+x²)/4)), times 4·(4-x⁴)
        let top = [0, 4, 4, 0, 0, -1, -1];
        let bottom = [16, 0, 0, -4, -4, -1, -1];
        agrees(&high, &divided(&top, &bottom, 1, 25));
        let low = die.while_among(&ones(&[1, 2]), &4_u32.into()).unwrap();
        // ((x+x²+x³)/(4-x⁴) - (x+x²)/4) / (1 - (x+x²)/4)
        let top = [0, 0, 0, 4, 0, 1, 1];
        let bottom = [16, -4, -4, 0, -4, 1, 1];
        agrees(&low, &divided(&top, &bottom, 1, 25));
    }

    #[test]
    fn a_chain_whose_states_are_alike_is_a_renewal() {
        let weight = |weight: u32| Weight::from(weight);
        let renewal = Quotient::renewal(
            [(1, weight(2)), (2, weight(1))],
            [(4, weight(1))],
            &weight(4),
        );
        // The second state is the first with all weights doubled, and goes back to it.
        let chain = |again: u32| {
            let mut chain = Chain::new();
            let states = [chain.add_state(weight(4)), chain.add_state(weight(8))];
            for (state, next, by) in [(0, 1, 1), (1, 0, 2)] {
                let end = Target::End(EndId(by));
                chain.add_step(states[state], weight(by), 1, end);
                chain.add_step(states[state], weight(by), 1, end);
                chain.add_step(states[state], weight(by), 2, end);
                chain.add_step(
                    states[state],
                    weight(by * again),
                    4,
                    Target::State(states[next]),
                );
            }
            (chain, states[0])
        };
        let (alike, start) = chain(1);
        assert_eq!(Quotient::of_chain(&alike, start), renewal);
        // Something is left out of each state, so the sum may never be known.
        let (partial, start) = chain(0);
        assert_eq!(Quotient::of_chain(&partial, start), None);
        // A state that ends in another way.
        let (mut other, start) = chain(1);
        let third = other.add_state(weight(1));
        other.add_step(third, weight(1), 3, Target::End(EndId(0)));
        other.states[start.index()].steps[3].to = Target::State(third);
        let ends = [(1, weight(2)), (2, weight(1)), (7, weight(1))];
        let expected = Quotient::renewal(ends, [], &weight(4));
        assert_eq!(Quotient::of_chain(&other, start), expected);
    }

    #[test]
    fn tosses_up_to_a_run_of_heads_have_the_function_of_feller() {
        // For r heads in a row: (1 - x/2)·(x/2)^r / (1 - x + (x/2)^(r+1)) (Feller, volume 1, XIII.7).
        let run = |heads: usize| {
            let mut chain = Chain::new();
            let states: Vec<_> = (0..heads).map(|_| chain.add_state(2_u32.into())).collect();
            for (place, state) in states.iter().enumerate() {
                let next = states.get(place + 1);
                let next = next.map_or(Target::End(EndId(0)), |next| Target::State(*next));
                chain.add_step(*state, 1_u32.into(), 1, Target::State(states[0]));
                chain.add_step(*state, 1_u32.into(), 1, next);
            }
            Quotient::of_chain(&chain, states[0]).unwrap()
        };
        agrees(
            &run(2).power(2).unwrap(),
            &divided(&[0, 0, 2, -1], &[8, -8, 0, 1], 2, 30),
        );
        agrees(
            &run(3).power(4).unwrap(),
            &divided(&[0, 0, 0, 2, -1], &[16, -16, 0, 0, 1], 4, 40),
        );
    }
}
