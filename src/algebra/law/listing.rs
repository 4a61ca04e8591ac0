//! The listed part of a law: numbers, beyond which tails may lie, or lists, which have no tails.

use std::hash::Hash;
use std::sync::Arc;

use super::moments::Moments;
use super::parts::{Mass, Unlisted};
use super::source::Source;
use crate::algebra::{Distribution, Numbers, Stop, Weight};
use crate::limits::Budget;
use crate::map::ValueMap;
use crate::number::Integer;

/// The most listed outcomes of a law that is a part of a source.
const MOST_LISTED: usize = 1_000;

/// Unresolved weight is as bad as listed weight that a tail takes over, and that is 2 to this power times as much.
const RARITY: u32 = 20;

/// Listed weight that is rarer than 1 in 2 to this power costs nothing where a tail takes it over.
const LITTLE: u32 = 10;

/// The listed part of a law: outcomes with their weights, over the total of the law.
pub trait Listing {
    /// The common denominator.
    fn total(&self) -> &Weight;

    /// The sum of all listed weights.
    fn mass(&self) -> Weight;

    /// The weight of the listed numbers in an interval, both ends included; `None` is no end. Zero for lists, which lie
    /// in no interval.
    fn weight_between(&self, low: Option<&Integer>, high: Option<&Integer>) -> Weight;
}

/// A listed part that can be mixed with others.
pub trait Mixing: Listing + Clone {
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

    /// Adds masses to the unlisted part: to a tail where possible, else to the unresolved weight. A tail takes over the
    /// listed outcomes that it reaches.
    #[must_use]
    fn place(self, masses: Vec<Mass>, unlisted: &mut Unlisted) -> Self;

    /// Makes masses unresolved, no more than `most` of them, that would take over far more listed weight than they have. Where a die lies in
    /// its tail, the difference from another die may be small, and most small differences come from dice that are listed.
    fn leave_rare_open(&self, _masses: &mut [Mass], _most: &Weight) {}

    /// The moments of the listed outcomes; `None` for lists.
    fn moments(&self) -> Option<Moments>;

    /// The source of outcomes that are all listed, if they are few; `None` for lists.
    fn source(&self) -> Option<Source>;
}

impl Listing for Numbers {
    fn total(&self) -> &Weight {
        self.total()
    }

    fn mass(&self) -> Weight {
        self.mass()
    }

    fn weight_between(&self, low: Option<&Integer>, high: Option<&Integer>) -> Weight {
        let is_inside = |outcome: &Integer| {
            low.is_none_or(|low| low <= outcome) && high.is_none_or(|high| outcome <= high)
        };
        let inside = self.iter().filter(|(outcome, _)| is_inside(outcome));
        inside.map(|(_, weight)| weight).sum()
    }
}

impl Mixing for Numbers {
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
                // A tail that reaches all listed outcomes would take them all over, so its weight is unresolved
                // instead.
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

    fn leave_rare_open(&self, masses: &mut [Mass], most: &Weight) {
        let above = |mass: &Mass| mass.low.clone().filter(|_| mass.high.is_none());
        let below = |mass: &Mass| Some(-mass.high.as_ref().filter(|_| mass.low.is_none())?);
        let (Some(least), Some(greatest)) = (self.min().cloned(), self.max()) else {
            return;
        };
        let (rare, half) = (Listing::total(self) >> LITTLE, most >> 1);
        let mirrored = self.iter().map(|(outcome, weight)| (-outcome, weight));
        leave_rare_open((&least, self.iter().rev()), &rare, masses, above, &half);
        leave_rare_open((&-&greatest, mirrored), &rare, masses, below, &half);
    }

    fn moments(&self) -> Option<Moments> {
        Some(Moments::of(self))
    }

    fn source(&self) -> Option<Source> {
        (self.len() <= MOST_LISTED).then(|| Source::Listed(Arc::new(self.clone())))
    }
}

/// Makes masses without an upper end unresolved, no more than `most` of them, where their tail would take over more than a rare weight of
/// outcomes. The outcomes descend to the least one. `end` is the lower end of such a mass.
fn leave_rare_open(
    (least, outcomes): (&Integer, impl Iterator<Item = (Integer, Weight)>),
    rare: &Weight,
    masses: &mut [Mass],
    end: impl Fn(&Mass) -> Option<Integer>,
    most: &Weight,
) {
    let mut outcomes = outcomes.peekable();
    let ends = masses.iter().enumerate();
    let ends = ends.filter_map(|(place, mass)| Some((end(mass).filter(|end| end > least)?, place)));
    let mut ends: Vec<(Integer, usize)> = ends.collect();
    ends.sort_unstable();
    // The listed weight that a tail from each end on takes over, beyond what is rare as well, the farthest end first.
    let mut taken = Weight::ZERO;
    let mut all_taken = vec![Weight::ZERO];
    for (end, _) in ends.iter().rev() {
        while let Some((_, weight)) = outcomes.next_if(|(outcome, _)| outcome >= end) {
            taken += weight;
        }
        all_taken.push(if taken > *rare {
            &taken - rare
        } else {
            Weight::ZERO
        });
    }
    let mut unresolved = Weight::ZERO;
    let mut best = (all_taken[ends.len()].clone(), 0);
    for (place, (_, mass)) in ends.iter().enumerate() {
        unresolved += &masses[*mass].weight;
        if unresolved > *most {
            break;
        }
        let cost = (&unresolved << RARITY) + &all_taken[ends.len() - 1 - place];
        if cost < best.0 {
            best = (cost, place + 1);
        }
    }
    for (_, mass) in &ends[..best.1] {
        let weight = std::mem::take(&mut masses[*mass].weight);
        masses[*mass] = Mass::anywhere(weight);
    }
}

impl Listing for Distribution<Integer> {
    fn total(&self) -> &Weight {
        self.total()
    }

    fn mass(&self) -> Weight {
        self.mass()
    }

    fn weight_between(&self, low: Option<&Integer>, high: Option<&Integer>) -> Weight {
        let outcomes = self.outcomes();
        let start = low.map_or(0, |low| outcomes.partition_point(|outcome| outcome < low));
        let end = high.map_or(outcomes.len(), |high| {
            outcomes.partition_point(|outcome| outcome <= high)
        });
        (start..end).map(|index| self.weight(index)).sum()
    }
}

impl<T> Listing for Distribution<Vec<T>> {
    fn total(&self) -> &Weight {
        self.total()
    }

    fn mass(&self) -> Weight {
        self.mass()
    }

    fn weight_between(&self, _: Option<&Integer>, _: Option<&Integer>) -> Weight {
        Weight::ZERO
    }
}

impl<T: Clone + Hash + Ord> Mixing for Distribution<Vec<T>> {
    fn weighted_sum(
        parts: &[(Weight, &Self)],
        total: Weight,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let mut weights: ValueMap<Vec<T>, Weight> = ValueMap::default();
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

    fn source(&self) -> Option<Source> {
        None
    }
}
