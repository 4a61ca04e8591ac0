//! What a law can list: numbers, which tails lie beyond, or lists, which have none.

use std::hash::Hash;

use super::moments::Moments;
use super::parts::{Mass, Unlisted};
use crate::algebra::{Distribution, Numbers, Stop, Weight};
use crate::limits::Budget;
use crate::map::Map;

/// The listed part of a law: outcomes with their weights, over the total of the law.
pub trait Listing: Clone {
    /// The common denominator.
    fn total(&self) -> &Weight;

    /// The sum of all listed weights.
    fn mass(&self) -> Weight;

    /// The sum of listings, each times a factor, over a given total.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    fn weighted_sum(
        parts: &[(Weight, &Self)],
        total: Weight,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop>;

    /// Adds masses to what is not listed, in tails as far as they can be; a tail takes the listed outcomes that it reaches.
    #[must_use]
    fn place(self, masses: Vec<Mass>, unlisted: &mut Unlisted) -> Self;

    /// The moments of what is listed, where outcomes have moments.
    fn moments(&self) -> Option<Moments>;
}

impl Listing for Numbers {
    fn total(&self) -> &Weight {
        self.total()
    }

    fn mass(&self) -> Weight {
        self.mass()
    }

    fn weighted_sum(
        parts: &[(Weight, &Self)],
        total: Weight,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        Self::measure_sum(parts, total, budget)
    }

    fn place(mut self, masses: Vec<Mass>, unlisted: &mut Unlisted) -> Self {
        let (least, greatest) = (self.min().cloned(), self.max());
        for Mass { low, high, weight } in masses {
            if weight == Weight::ZERO {
                continue;
            }
            match (low, high) {
                // A tail that reaches all listed outcomes would take them all.
                (Some(low), None) if least.as_ref().is_none_or(|least| low > *least) => {
                    unlisted.add_above(low, weight);
                }
                (None, Some(high)) if greatest.as_ref().is_none_or(|most| high < *most) => {
                    unlisted.add_below(high, weight);
                }
                _ => unlisted.unresolved += weight,
            }
        }
        if let Some(tail) = &mut unlisted.above
            && self.max().is_some_and(|max| max >= tail.bound)
        {
            let before = self.mass();
            self = self.filtered(|outcome| *outcome < tail.bound);
            tail.weight += before - self.mass();
        }
        if let Some(tail) = &mut unlisted.below
            && self.min().is_some_and(|min| *min <= tail.bound)
        {
            let before = self.mass();
            self = self.filtered(|outcome| *outcome > tail.bound);
            tail.weight += before - self.mass();
        }
        self
    }

    fn moments(&self) -> Option<Moments> {
        Some(Moments::of(self))
    }
}

impl<T: Clone + Hash + Ord> Listing for Distribution<Vec<T>> {
    fn total(&self) -> &Weight {
        self.total()
    }

    fn mass(&self) -> Weight {
        self.mass()
    }

    fn weighted_sum(
        parts: &[(Weight, &Self)],
        total: Weight,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let mut weights: Map<Vec<T>, Weight> = Map::default();
        for (factor, part) in parts {
            for (list, weight) in part.iter() {
                budget.check()?;
                *weights.entry_ref(list).or_default() += weight * factor;
            }
        }
        Ok(Self::new(weights, total))
    }

    fn place(self, masses: Vec<Mass>, unlisted: &mut Unlisted) -> Self {
        unlisted.unresolved += masses.into_iter().map(|mass| mass.weight).sum::<Weight>();
        self
    }

    fn moments(&self) -> Option<Moments> {
        None
    }
}
