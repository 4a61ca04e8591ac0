use num_integer::Integer as _;
use num_traits::ToPrimitive;

use super::progression::{Lattice, at, is_dense, on_progression, pick};
use super::{Distribution, Stop, Weight, Weights};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::{Integer, Overflow};

/// A finite measure on the integers: exact weights over one total.
///
/// The weights sum to at most the total. If they sum to less, the rest is mass elsewhere: a roll that failed, or a
/// condition that was not met. Every operation carries it along, since the sum of independent values exists only where
/// each of them has a value.
///
/// Dense outcomes are held as an arithmetic progression (its first member, its step and a vector of weights), scattered
/// outcomes as a sorted list. The outcomes alone decide which form is used, so that equal measures over equal totals
/// are equal values. Outcomes may have any size.
///
/// An operation that takes a [`Budget`] counts the memory that it holds while it runs, its result included. A caller
/// that keeps the result counts it from then on, by [`Numbers::bytes`].
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Numbers;
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let two_d6 = Numbers::die(6).power(2, &budget)?;
/// let mixed = two_d6.add(&Numbers::die(4).scaled(&100.into())?, &budget)?;
/// assert_eq!(mixed.weight_of(&307.into()), 6_u32.into());
/// assert_eq!(mixed.total(), &144_u32.into());
/// # Ok::<(), dicedist::algebra::Stop>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Numbers {
    pub(super) support: Support,
    pub(super) weights: Weights,
    pub(super) total: Weight,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Support {
    /// `first + i·step` for each index `i`. The weights at both ends are not zero. The step is the greatest that
    /// reaches all outcomes, and 1 if there is one outcome.
    Progression { first: Integer, step: Integer },
    /// Strictly ascending outcomes, whose weights are not zero.
    Points(Vec<Integer>),
}

impl Numbers {
    /// A value that is certain.
    #[must_use]
    pub fn certain(outcome: Integer) -> Self {
        Self {
            support: Support::Progression {
                first: outcome,
                step: Integer::ONE,
            },
            weights: Weights::from_u64s(vec![1]),
            total: Weight::from(1_u32),
        }
    }

    /// No outcome at all: the whole total lies elsewhere.
    #[must_use]
    pub fn impossible(total: Weight) -> Self {
        Self {
            support: Support::Points(Vec::new()),
            weights: Weights::from_u64s(Vec::new()),
            total,
        }
    }

    /// A die with the faces 1 to `sides`, each of weight 1.
    ///
    /// # Panics
    ///
    /// If there is no side.
    #[must_use]
    pub fn die(sides: u32) -> Self {
        assert_ne!(sides, 0, "a die has a side");
        Self::from_lattice(
            &Integer::ONE,
            &Integer::ONE,
            Weights::from_u64s(vec![1; sides as usize]),
            sides.into(),
        )
    }

    /// `count` consecutive outcomes from `first` on, each of weight 1.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] if there are too many to hold; [`Stop::Overflow`].
    pub fn uniform(first: &Integer, count: u64, budget: &Budget<'_>) -> Result<Self, Stop> {
        let _reserved = Reserved::new(budget, Weights::bytes_for(count, 1))?;
        let length = usize::try_from(count).map_err(|_| memory(budget))?;
        if length == 0 {
            return Ok(Self::impossible(Weight::ZERO));
        }
        first.add(&Integer::from(length))?;
        Ok(Self::from_lattice(
            first,
            &Integer::ONE,
            Weights::from_u64s(vec![1; length]),
            count.into(),
        ))
    }

    /// The measure with these weighted outcomes over a total. Outcomes come in any order, and the weights of equal ones
    /// are added.
    ///
    /// # Panics
    ///
    /// In debug builds, if the weights sum to more than the total.
    #[must_use]
    pub fn new(weighted: impl IntoIterator<Item = (Integer, Weight)>, total: Weight) -> Self {
        Distribution::new(weighted, total).into()
    }

    /// The measure with these weights of `first`, `first + 1` and so on, over a total.
    ///
    /// # Panics
    ///
    /// In debug builds, if the weights sum to more than the total.
    #[must_use]
    pub fn from_weights(first: i64, weights: Weights, total: Weight) -> Self {
        Self::from_lattice(&Integer::from(first), &Integer::ONE, weights, total)
    }

    /// The measure with these weights of `first + i·step`, in the form that its outcomes require.
    ///
    /// The last outcome must be within the range of [`Integer`].
    pub(crate) fn from_lattice(
        first: &Integer,
        step: &Integer,
        weights: Weights,
        total: Weight,
    ) -> Self {
        debug_assert!(weights.sum() <= total, "weights within the total");
        let support = weights.support();
        if support.is_empty() {
            return Self::impossible(total);
        }
        let mut outcomes = 0_u64;
        let mut gap = 0;
        for index in support.clone() {
            if !weights.is_zero_at(index) {
                outcomes += 1;
                if gap != 1 {
                    gap = (index - support.start).gcd(&gap);
                }
            }
        }
        let gap = gap.max(1);
        let start = at(first, step, support.start);
        let length = (support.len() - 1) / gap + 1;
        // The difference of two outcomes may be longer than an integer; such outcomes are listed point by point.
        let step_of_progression = if length == 1 {
            Ok(Integer::ONE)
        } else {
            step.mul(&Integer::from(gap))
        };
        if is_dense(length as u64, outcomes)
            && let Ok(step) = step_of_progression
        {
            let weights = if gap == 1 {
                weights.slice(support)
            } else {
                pick(&weights, support.step_by(gap))
            };
            return Self {
                support: Support::Progression { first: start, step },
                weights,
                total,
            };
        }
        let indexes: Vec<usize> = support
            .filter(|&index| !weights.is_zero_at(index))
            .collect();
        Self {
            support: Support::Points(
                indexes
                    .iter()
                    .map(|&index| at(first, step, index))
                    .collect(),
            ),
            weights: pick(&weights, indexes.into_iter()),
            total,
        }
    }

    /// The measure with these strictly ascending outcomes, in the form that they require. Outcomes of weight zero are
    /// dropped.
    pub(super) fn from_points(points: Vec<Integer>, weights: Weights, total: Weight) -> Self {
        debug_assert!(points.is_sorted_by(|a, b| a < b), "outcomes ascend");
        debug_assert!(weights.sum() <= total, "weights within the total");
        let (points, weights) = if weights.count_nonzero() == points.len() {
            (points, weights)
        } else {
            let kept: Vec<usize> = (0..points.len())
                .filter(|&index| !weights.is_zero_at(index))
                .collect();
            let weights = pick(&weights, kept.iter().copied());
            let kept = kept.into_iter().map(|index| points[index].clone());
            (kept.collect(), weights)
        };
        let most = (points.len() as u64).saturating_mul(4).saturating_add(16);
        match on_progression(points, weights, most) {
            Ok(Lattice {
                first,
                step,
                weights,
            }) => Self {
                support: Support::Progression { first, step },
                weights,
                total,
            },
            Err((points, weights)) => Self {
                support: Support::Points(points),
                weights,
                total,
            },
        }
    }

    /// The outcomes and their weights on a progression of at most this length; `None` if no such progression holds all
    /// outcomes, or there is none.
    pub(super) fn into_lattice_within(self, most: u64) -> Option<Lattice> {
        match self.support {
            Support::Progression { first, step } => {
                (self.weights.len() as u64 <= most).then_some(Lattice {
                    first,
                    step,
                    weights: self.weights,
                })
            }
            Support::Points(points) => on_progression(points, self.weights, most).ok(),
        }
    }

    /// The common denominator.
    #[must_use]
    pub fn total(&self) -> &Weight {
        &self.total
    }

    /// The same measure over the least total, so that its powers are shorter; unchanged if the total does not fit 64
    /// bits.
    #[must_use]
    pub(crate) fn in_lowest_terms(mut self) -> Self {
        let Some(total) = self.total.to_u64() else {
            return self;
        };
        let weights = (0..self.weights.len()).map(|index| self.weights.get_u64(index));
        let common = weights.fold(total, |common, weight| common.gcd(&weight.unwrap_or(1)));
        if common > 1 {
            self.weights.divide_exactly(common);
            self.total /= common;
        }
        self
    }

    /// The sum of all weights: the total, unless mass lies elsewhere.
    #[must_use]
    pub fn mass(&self) -> Weight {
        self.weights.sum()
    }

    /// How many outcomes are possible.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.support {
            Support::Progression { .. } => self.weights.count_nonzero(),
            Support::Points(points) => points.len(),
        }
    }

    /// Whether no outcome is possible.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// How many bytes the weights and outcomes take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let outcomes = match &self.support {
            Support::Progression { .. } => 2,
            Support::Points(points) => points.len(),
        };
        self.weights.bytes() + (outcomes * size_of::<Integer>()) as u64
    }

    /// The least possible outcome.
    #[must_use]
    pub fn min(&self) -> Option<&Integer> {
        match &self.support {
            Support::Progression { first, .. } => Some(first),
            Support::Points(points) => points.first(),
        }
    }

    /// The greatest possible outcome.
    #[must_use]
    pub fn max(&self) -> Option<Integer> {
        match &self.support {
            Support::Progression { first, step } => Some(at(first, step, self.weights.len() - 1)),
            Support::Points(points) => points.last().cloned(),
        }
    }

    /// The only possible outcome, if there is just one.
    #[must_use]
    pub fn only(&self) -> Option<&Integer> {
        (self.weights.len() == 1).then(|| self.min()).flatten()
    }

    /// The first outcome and the weights of the consecutive integers from it on, if the measure is held as a
    /// progression of step 1.
    #[must_use]
    pub fn window(&self) -> Option<(&Integer, &Weights)> {
        match &self.support {
            Support::Progression { first, step } if *step == Integer::ONE => {
                Some((first, &self.weights))
            }
            _ => None,
        }
    }

    /// The weights as they are held: for a progression one for each member, zeros included; for a list one for each
    /// outcome.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The outcome of the weight at an index, possible or not.
    pub(super) fn outcome_at(&self, index: usize) -> Integer {
        match &self.support {
            Support::Progression { first, step } => at(first, step, index),
            Support::Points(points) => points[index].clone(),
        }
    }

    /// The weight of an outcome; zero where it is impossible.
    #[must_use]
    pub fn weight_of(&self, outcome: &Integer) -> Weight {
        let index = match &self.support {
            Support::Progression { first, step } => outcome
                .sub(first)
                .ok()
                .filter(|offset| offset.rem(step) == Some(Integer::ZERO))
                .and_then(|offset| offset.div(step)?.to_usize())
                .filter(|&index| index < self.weights.len()),
            Support::Points(points) => points.binary_search(outcome).ok(),
        };
        index.map_or(Weight::ZERO, |index| self.weights.get(index))
    }

    /// The possible outcomes with their weights, ascending.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Integer, Weight)> + '_ {
        (0..self.weights.len())
            .filter(|&index| !self.weights.is_zero_at(index))
            .map(|index| (self.outcome_at(index), self.weights.get(index)))
    }

    /// The possible outcomes, ascending.
    pub fn outcomes(&self) -> impl Iterator<Item = Integer> + '_ {
        (0..self.weights.len())
            .filter(|&index| !self.weights.is_zero_at(index))
            .map(|index| self.outcome_at(index))
    }

    /// The same measure in the form that reports read.
    #[must_use]
    pub fn to_distribution(&self) -> Distribution<Integer> {
        self.clone().into_distribution()
    }

    /// As [`Numbers::to_distribution`], without a copy of the weights.
    #[must_use]
    pub fn into_distribution(self) -> Distribution<Integer> {
        let outcomes: Vec<Integer> = self.outcomes().collect();
        let weights = if outcomes.len() == self.weights.len() {
            self.weights
        } else {
            let possible: Vec<usize> = (0..self.weights.len())
                .filter(|&index| !self.weights.is_zero_at(index))
                .collect();
            pick(&self.weights, possible.into_iter())
        };
        Distribution::from_slab(outcomes, weights, self.total)
    }
}

impl From<Distribution<Integer>> for Numbers {
    fn from(distribution: Distribution<Integer>) -> Self {
        let (outcomes, weights, total) = distribution.into_slab();
        Self::from_points(outcomes, weights, total)
    }
}

impl From<&Numbers> for Distribution<Integer> {
    fn from(numbers: &Numbers) -> Self {
        numbers.to_distribution()
    }
}

/// The error of an operation whose result is too long for the address space.
pub(super) fn memory(budget: &Budget<'_>) -> LimitReached {
    LimitReached::Memory(budget.limits().memory)
}

/// The first member, the step and the length of the shortest progression through all outcomes of some measures. The
/// length is `None` if it is longer than 2⁶³, or if the outcomes are farther apart than an [`Integer`] may be; the step is
/// then 1. `None` if there is no outcome.
pub(super) fn common_progression<'a>(
    parts: impl Iterator<Item = &'a Numbers> + Clone,
) -> Option<(Integer, Integer, Option<u64>)> {
    let first = parts.clone().filter_map(Numbers::min).min()?.clone();
    let last = parts.clone().filter_map(Numbers::max).max()?;
    let Ok((step, steps)) = common_step(&first, &last, parts) else {
        return Some((first, Integer::ONE, None));
    };
    let length = steps.to_i64().map(|steps| steps.unsigned_abs() + 1);
    Some((first, step, length))
}

/// The greatest step from the first outcome to all outcomes of some measures, and the number of steps to the last outcome.
fn common_step<'a>(
    first: &Integer,
    last: &Integer,
    parts: impl Iterator<Item = &'a Numbers>,
) -> Result<(Integer, Integer), Overflow> {
    let mut step = Integer::ZERO;
    for part in parts {
        match &part.support {
            Support::Progression {
                first: start,
                step: own,
            } => {
                step = start.sub(first)?.gcd(&step);
                if part.weights.len() > 1 {
                    step = own.gcd(&step);
                }
            }
            Support::Points(points) => {
                for point in points {
                    if step == Integer::ONE {
                        break;
                    }
                    step = point.sub(first)?.gcd(&step);
                }
            }
        }
    }
    if step.is_zero() {
        step = Integer::ONE;
    }
    let steps = last.sub(first)?.div(&step).expect("the step is not 0");
    Ok((step, steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Unobserved};

    fn numbers(weighted: &[(i64, u64)], total: u64) -> Numbers {
        let weighted = weighted
            .iter()
            .map(|&(outcome, weight)| (outcome.into(), weight.into()));
        Numbers::new(weighted, total.into())
    }

    #[test]
    fn equal_measures_are_equal_values_however_they_came_about() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let even = numbers(&[(2, 1), (4, 1), (6, 1)], 3);
        assert_eq!(Numbers::die(3).scaled(&2.into()).unwrap(), even);
        let weights = Weights::from_u64s(vec![0, 1, 0, 1, 0, 1, 0]);
        assert_eq!(Numbers::from_weights(1, weights, 3_u32.into()), even);
        let half = Numbers::die(6).filtered(|face| face.rem(&2.into()) == Some(Integer::ZERO));
        assert_eq!(half.conditioned(), Some(even.clone()));
        let scattered = even
            .add(&numbers(&[(0, 1), (1_000_000, 1)], 2), &budget)
            .unwrap();
        let back = scattered
            .map(|sum| Ok(sum.rem(&1_000_000.into())), &budget)
            .unwrap();
        assert_eq!(back, even.over(&6_u32.into(), &budget).unwrap());
        assert_eq!(even.negated().negated(), even);
        assert_eq!(scattered.negated().negated(), scattered);
        assert_eq!(Numbers::from(scattered.to_distribution()), scattered);
        assert_eq!(Numbers::from(even.to_distribution()), even);
    }

    #[test]
    fn outcomes_beyond_small_integers_are_exact() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let big = Integer::from(2).pow(100).unwrap();
        let die = Numbers::die(6).shifted(&big).unwrap();
        let sum = die.power(10, &budget).unwrap();
        let least = big.mul(&10.into()).unwrap();
        assert_eq!(sum.min(), Some(&least.add(&10.into()).unwrap()));
        assert_eq!(
            sum.weight_of(&least.add(&11.into()).unwrap()),
            10_u32.into()
        );
        assert_eq!(sum.len(), 51);
        let ends = numbers(&[(i64::MIN, 1), (0, 2), (i64::MAX, 1)], 4);
        assert_eq!(ends.len(), 3);
        assert_eq!(ends.add(&ends, &budget).unwrap().len(), 6);
        assert_eq!(
            ends.negated().max(),
            Some(Integer::from(i64::MIN).neg().unwrap())
        );
    }

    #[test]
    fn measures_without_outcomes_stay_without() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let nothing = Numbers::impossible(5_u32.into());
        let die = Numbers::die(6);
        for measure in [
            nothing.add(&die, &budget).unwrap(),
            die.add(&nothing, &budget).unwrap(),
            nothing.power(3, &budget).unwrap(),
            nothing.scaled(&0.into()).unwrap(),
            die.filtered(|_| false),
        ] {
            assert!(measure.is_empty());
            assert_eq!(measure.mass(), Weight::ZERO);
            assert_eq!((measure.min(), measure.max()), (None, None));
        }
        assert_eq!(nothing.conditioned(), None);
    }

    #[test]
    fn zero_times_anything_has_all_of_its_mass() {
        let die = Numbers::die(6).filtered(|face| *face > 2.into());
        let zero = die.scaled(&Integer::ZERO).unwrap();
        assert_eq!(zero, numbers(&[(0, 4)], 6));
    }

    #[test]
    fn outcomes_further_apart_than_integers_are_long_keep_their_weights() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let far = Integer::from(2).pow(65_535).unwrap();
        let ends = [far.neg().unwrap(), far].map(Numbers::certain);
        let one = || Weight::from(1_u32);
        let parts = [(one(), &ends[0]), (one(), &ends[1])];
        let mixture = Numbers::measure_sum(&parts, 2_u32.into(), &budget).unwrap();
        let weights = ends
            .each_ref()
            .map(|end| mixture.weight_of(end.min().unwrap()));
        assert_eq!(weights, [one(), one()]);
    }
}
