use std::sync::OnceLock;

use super::Weights;
use super::weight::Weight;
use crate::limits::{Budget, LimitReached};

/// A finite measure of exact weights on ordered outcomes, over one total.
///
/// Invariants: outcomes are strictly ascending, no weight is zero, and the weights sum to at most the total. If they
/// sum to less, the rest is mass elsewhere: in a tail, unresolved, or in paths that never end.
///
/// A distribution that was computed as a slab of [`Weights`] keeps the slab. [`Distribution::weight`] reads one weight
/// of it. [`Distribution::iter`] and [`Distribution::weights`] make one number for each weight, and keep the slab beside them.
/// [`Distribution::unpacked`] keeps the numbers alone.
#[derive(Clone, Debug)]
pub struct Distribution<T> {
    outcomes: Vec<T>,
    weights: Storage,
    total: Weight,
}

/// The weights of a distribution, each a number of its own or all in one slab.
#[derive(Clone, Debug)]
enum Storage {
    Each(Vec<Weight>),
    Slab {
        weights: Weights,
        each: OnceLock<Vec<Weight>>,
    },
}

impl Storage {
    /// The weights as numbers of their own; for a slab they are made once.
    fn each(&self) -> &[Weight] {
        match self {
            Self::Each(weights) => weights,
            Self::Slab { weights, each } => each.get_or_init(|| weights.iter().collect()),
        }
    }
}

impl<T: PartialEq> PartialEq for Distribution<T> {
    fn eq(&self, other: &Self) -> bool {
        self.outcomes == other.outcomes
            && self.total == other.total
            && (0..self.len()).all(|index| self.weight(index) == other.weight(index))
    }
}

impl<T: Eq> Eq for Distribution<T> {}

impl<T: Ord> Distribution<T> {
    /// The distribution with these weighted outcomes over a total. Outcomes may come in any order and repeat; zero
    /// weights are dropped.
    ///
    /// # Panics
    ///
    /// In debug builds, if the weights sum to more than the total.
    pub fn new(weighted: impl IntoIterator<Item = (T, Weight)>, total: Weight) -> Self {
        let given = weighted.into_iter();
        let mut weighted: Vec<(T, Weight)> = Vec::with_capacity(given.size_hint().0);
        weighted.extend(given.filter(|(_, weight)| *weight != Weight::ZERO));
        weighted.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut outcomes: Vec<T> = Vec::with_capacity(weighted.len());
        let mut weights: Vec<Weight> = Vec::with_capacity(weighted.len());
        for (outcome, weight) in weighted {
            match (outcomes.last(), weights.last_mut()) {
                (Some(last), Some(sum)) if *last == outcome => *sum += weight,
                _ => {
                    outcomes.push(outcome);
                    weights.push(weight);
                }
            }
        }
        debug_assert!(
            weights.iter().sum::<Weight>() <= total,
            "weights within the total"
        );
        Self {
            outcomes,
            weights: Storage::Each(weights),
            total,
        }
    }

    /// The distribution with these strictly ascending outcomes and their weights, none of which is zero.
    pub(super) fn from_slab(outcomes: Vec<T>, weights: Weights, total: Weight) -> Self {
        debug_assert!(outcomes.is_sorted_by(|a, b| a < b), "outcomes ascend");
        debug_assert_eq!(outcomes.len(), weights.count_nonzero(), "no weight is zero");
        Self {
            outcomes,
            weights: Storage::Slab {
                weights,
                each: OnceLock::new(),
            },
            total,
        }
    }

    /// The weight of an outcome; zero where it is impossible. Logarithmic time.
    pub fn weight_of(&self, outcome: &T) -> Weight {
        self.outcomes
            .binary_search(outcome)
            .map_or(Weight::ZERO, |index| self.weight(index))
    }
}

impl<T> Distribution<T> {
    /// How many outcomes are possible.
    #[must_use]
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether no outcome is possible.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// The common denominator.
    #[must_use]
    pub fn total(&self) -> &Weight {
        &self.total
    }

    /// The outcomes, strictly ascending.
    #[must_use]
    pub fn outcomes(&self) -> &[T] {
        &self.outcomes
    }

    /// The weights of the outcomes, in their order. The first call makes a number for each weight.
    #[must_use]
    pub fn weights(&self) -> &[Weight] {
        self.weights.each()
    }

    /// Outcomes with their weights, ascending.
    #[must_use]
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = (&T, &Weight)> + DoubleEndedIterator + Clone {
        self.outcomes.iter().zip(self.weights.each())
    }

    /// The same distribution with a number of its own for each weight, and no slab beside them.
    ///
    /// # Errors
    ///
    /// A [`LimitReached`] of the budget.
    pub fn unpacked(self, budget: &Budget<'_>) -> Result<Self, LimitReached> {
        let Storage::Slab { weights, each } = self.weights else {
            return Ok(self);
        };
        let each = if let Some(each) = each.into_inner() {
            each
        } else {
            let of_each = size_of::<Weight>() as u64 * weights.len() as u64;
            budget.has_room_for(weights.bytes().saturating_add(of_each))?;
            weights.iter().collect()
        };
        Ok(Self {
            weights: Storage::Each(each),
            ..self
        })
    }

    /// The weight of the outcome at an index.
    ///
    /// # Panics
    ///
    /// If there is no such index.
    #[must_use]
    pub fn weight(&self, index: usize) -> Weight {
        match &self.weights {
            Storage::Each(weights) => weights[index].clone(),
            Storage::Slab { weights, .. } => weights.get(index),
        }
    }

    /// The sum of all weights: the total, unless mass lies elsewhere.
    #[must_use]
    pub fn mass(&self) -> Weight {
        match &self.weights {
            Storage::Each(weights) => weights.iter().sum(),
            Storage::Slab { weights, .. } => weights.sum(),
        }
    }

    /// The outcomes, the weights and the total.
    pub(super) fn into_slab(self) -> (Vec<T>, Weights, Weight) {
        let weights = match self.weights {
            Storage::Each(weights) => weights.into_iter().collect(),
            Storage::Slab { weights, .. } => weights,
        };
        (self.outcomes, weights, self.total)
    }

    /// The same weights on outcomes mapped by a strictly increasing function.
    pub fn relabelled<U: Ord>(self, relabel: impl FnMut(T) -> U) -> Distribution<U> {
        let outcomes: Vec<U> = self.outcomes.into_iter().map(relabel).collect();
        debug_assert!(
            outcomes.is_sorted_by(|a, b| a < b),
            "the map is strictly increasing"
        );
        Distribution {
            outcomes,
            weights: self.weights,
            total: self.total,
        }
    }
}
