//! Mixtures of distributions, and functions of two independent values: weights are summed by outcome.

use super::numbers::{Support, common_progression, memory};
use super::progression::{index, is_dense, pick};
use super::{Numbers, Stop, Weight, Weights, limbs};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::ValueMap;
use crate::number::Integer;

impl Numbers {
    /// A mixture: the value of part `i` with probability `wᵢ / total`, where `wᵢ` is its weight here. If these weights
    /// sum to less than the total, the rest is mass elsewhere.
    ///
    /// The law: `P(x) = Σᵢ wᵢ/total · Pᵢ(x)`; the new total is `total` times the least common multiple of
    /// the totals of the parts.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    ///
    /// # Panics
    ///
    /// If the weights sum to more than the total.
    ///
    /// # Examples
    ///
    /// A coin, then a die of 4 or 6 sides:
    ///
    /// ```
    /// use dicedist::algebra::Numbers;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let (d4, d6) = (Numbers::die(4), Numbers::die(6));
    /// let either = Numbers::mixture(&[(1_u32.into(), &d4), (1_u32.into(), &d6)], &2_u32.into(), &budget)?;
    /// assert_eq!(either.total(), &24_u32.into());
    /// assert_eq!(either.weight_of(&1.into()), 5_u32.into()); // (1/4 + 1/6) / 2
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn mixture(
        parts: &[(Weight, &Self)],
        total: &Weight,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        assert!(
            parts.iter().map(|(weight, _)| weight).sum::<Weight>() <= *total,
            "weights within the total"
        );
        let common = parts.iter().fold(Weight::from(1_u32), |common, (_, part)| {
            super::weight::lcm(&common, &part.total)
        });
        let whole = total * &common;
        let parts: Vec<(Weight, &Self)> = parts
            .iter()
            .map(|(weight, part)| (weight * (&common / &part.total), *part))
            .collect();
        Self::measure_sum(&parts, whole, budget)
    }

    /// The sum of measures, each times a factor, over a given total.
    pub(crate) fn measure_sum(
        parts: &[(Weight, &Self)],
        whole: Weight,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let occupied: Vec<&(Weight, &Self)> = parts
            .iter()
            .filter(|(weight, part)| *weight != Weight::ZERO && !part.is_empty())
            .collect();
        let Some((first, step, length)) =
            common_progression(occupied.iter().map(|(_, part)| *part))
        else {
            return Ok(Self::impossible(whole));
        };
        let outcomes: u64 = occupied
            .iter()
            .map(|(_, part)| part.weights.len() as u64)
            .sum();
        if let Some(length) = length.filter(|&length| is_dense(length, outcomes)) {
            let _reserved = Reserved::new(budget, Weights::bytes_for(length, whole.bits()))?;
            let length = usize::try_from(length).map_err(|_| memory(budget))?;
            let mut weights = Weights::zeros(length, whole.bits());
            for (weight, part) in occupied {
                let digits = weight.to_u64_digits();
                budget.work((part.weights.limbs().len() * digits.len()) as u64)?;
                match &part.support {
                    Support::Progression {
                        first: start,
                        step: own,
                    } if part.weights.len() == 1 || *own == step => {
                        let offset = index(&first, &step, start);
                        weights.add_limbs_product(&part.weights, &digits, offset);
                    }
                    _ => {
                        for at in 0..part.weights.len() {
                            let slot = index(&first, &step, &part.outcome_at(at));
                            weights.add_number_product(slot, part.weights.at(at), &digits);
                        }
                    }
                }
            }
            return Ok(Self::from_lattice(&first, &step, weights, whole));
        }
        let mut sums = Accumulator::new(whole.bits(), budget);
        for (weight, part) in occupied {
            let factor = weight.to_u64_digits();
            for at in 0..part.weights.len() {
                budget.work(factor.len() as u64 + 8)?;
                sums.add_product(part.outcome_at(at), part.weights.at(at), &factor)?;
            }
        }
        sums.finish(whole)
    }

    /// The distribution of a function of two independent values, from all pairs of outcomes. The mass of pairs for
    /// which the function gives `None` lies elsewhere afterwards.
    ///
    /// Takes time in proportion to the number of pairs; [`Numbers::add`] takes less.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], and the function's own.
    pub fn combined(
        &self,
        other: &Self,
        mut function: impl FnMut(&Integer, &Integer) -> Result<Option<Integer>, Stop>,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let total = &self.total * &other.total;
        let mut sums = Accumulator::new(total.bits(), budget);
        let right: Vec<(Integer, usize)> = (0..other.weights.len())
            .filter(|&index| !other.weights.is_zero_at(index))
            .map(|index| (other.outcome_at(index), index))
            .collect();
        for index in 0..self.weights.len() {
            if self.weights.is_zero_at(index) {
                continue;
            }
            let outcome = self.outcome_at(index);
            let weight = limbs::trimmed(self.weights.at(index));
            for (second, at) in &right {
                budget.work(8 + weight.len() as u64)?;
                if let Some(image) = function(&outcome, second)? {
                    sums.add_product(image, other.weights.at(*at), weight)?;
                }
            }
        }
        sums.finish(total)
    }
}

/// Sums of weights by outcome. The outcomes are sorted at the end only.
struct Accumulator<'a> {
    slots: ValueMap<Integer, usize>,
    limbs: Vec<u64>,
    width: usize,
    budget: &'a Budget<'a>,
    reserved: Reserved<'a>,
}

impl<'a> Accumulator<'a> {
    fn new(bits: u64, budget: &'a Budget<'a>) -> Self {
        Self {
            slots: ValueMap::default(),
            limbs: Vec::new(),
            width: limbs::limbs_for(bits),
            budget,
            reserved: Reserved::none(budget),
        }
    }

    /// Adds the product of two weights to the weight of an outcome.
    fn add_product(
        &mut self,
        outcome: Integer,
        weight: &[u64],
        factor: &[u64],
    ) -> Result<(), LimitReached> {
        let width = self.width;
        let slots = self.slots.len();
        self.budget.has_room_for_more(&self.slots, 1)?;
        self.budget.has_room_for_more(&self.limbs, width)?;
        let slot = *self.slots.entry(outcome).or_insert(slots);
        if slot == slots {
            self.limbs.resize(self.limbs.len() + width, 0);
            // The weight and its entry, and as much again for the empty room of growing tables.
            self.reserved
                .grow_to((slots as u64 + 1) * (width as u64 * 8 + 48) * 2)?;
        }
        add_product(&mut self.limbs[slot * width..][..width], weight, factor);
        Ok(())
    }

    /// The measure with these sums over a total.
    fn finish(self, total: Weight) -> Result<Numbers, Stop> {
        // The sums in the order of their outcomes, and once more on a progression.
        let entries = (self.slots.len() * size_of::<(Integer, usize)>()) as u64;
        let sums = size_of_val(&*self.limbs) as u64;
        self.budget.has_room_for(entries + 2 * sums)?;
        let mut entries: Vec<(Integer, usize)> = self.slots.into_iter().collect();
        entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let held = Weights::from_limbs(self.limbs, self.width);
        let weights = pick(&held, entries.iter().map(|(_, slot)| *slot));
        let points = entries.into_iter().map(|(outcome, _)| outcome).collect();
        Ok(Numbers::from_points(points, weights, total))
    }
}

/// `acc += weight·factor`; the sum must fit.
fn add_product(acc: &mut [u64], weight: &[u64], factor: &[u64]) {
    let (weight, factor) = (limbs::trimmed(weight), limbs::trimmed(factor));
    for (shift, &digit) in factor.iter().enumerate() {
        if !weight.is_empty() {
            let over = limbs::add_mul(&mut acc[shift..], weight, digit);
            debug_assert_eq!(over, 0, "weights within the total");
        }
    }
}
