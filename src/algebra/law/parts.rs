//! The unlisted part of a law: weight whose outcomes are not listed, and where it lies.

use std::sync::Arc;

use super::known::{Known, MeanBetween};
use super::moments::Moments;
use super::source::Source;
use crate::algebra::weight::probability;
use crate::algebra::{Quotient, Stop, Weight};
use crate::number::{Fraction, Integer};

/// Weight whose outcomes lie between two ends, both included; `None` is no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mass {
    /// The least outcome that it may have.
    pub low: Option<Integer>,
    /// The greatest outcome that it may have.
    pub high: Option<Integer>,
    /// The weight.
    pub weight: Weight,
}

/// Weight that lies beyond all listed outcomes, on one side of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tail {
    /// The end next to the listed outcomes. An outcome of the tail may equal it.
    pub bound: Integer,
    /// The weight.
    pub weight: Weight,
}

/// The weight of a law that is on no listed outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Unlisted {
    /// Weight at or above a bound; every listed outcome is less.
    pub above: Option<Tail>,
    /// Weight at or below a bound; every listed outcome is greater.
    pub below: Option<Tail>,
    /// Weight that may have any outcome, also a listed one, or may never end.
    pub unresolved: Weight,
    /// Weight of paths that never end.
    pub never_ends: Weight,
    /// The moments of the whole law, where they are known.
    pub moments: Option<Moments>,
    /// Ends of the first moment of the whole law, where they are known and the moments are not.
    pub mean: Option<MeanBetween>,
    /// Where the outcomes of the whole law come from, if that is known. From a generating function, the law and its powers can
    /// be listed to any depth.
    pub source: Option<Source>,
    /// Whether the outcomes are known to go on without end, although the source is not kept.
    pub is_endless: bool,
}

/// The part of a mixture beside its laws: masses, and weight that never ends.
#[derive(Clone, Debug)]
pub struct Remainder {
    /// Weight that lies between ends.
    pub masses: Vec<Mass>,
    /// Weight of paths that never end.
    pub never_ends: Weight,
    /// The total of the whole mixture, its laws included.
    pub total: Weight,
    /// What is known of the moments of the masses together, as a measure over that total. `None` if only their ends
    /// are known.
    pub moments: Option<Known>,
    /// Whether masses, those of the laws included, are unresolved where their tail would take over far more listed weight.
    pub leaves_rare_open: bool,
}

impl Mass {
    /// Weight that may have any outcome.
    #[must_use]
    pub fn anywhere(weight: Weight) -> Self {
        Self {
            low: None,
            high: None,
            weight,
        }
    }

    /// Weight whose outcomes are no less than a bound.
    #[must_use]
    pub fn at_or_above(low: Integer, weight: Weight) -> Self {
        Self {
            low: Some(low),
            high: None,
            weight,
        }
    }

    /// Weight whose outcomes are no greater than a bound.
    #[must_use]
    pub fn at_or_below(high: Integer, weight: Weight) -> Self {
        Self {
            low: None,
            high: Some(high),
            weight,
        }
    }

    /// What is known of the moments of masses over a total, if each of them lies between two ends.
    pub(super) fn known_of_all(masses: &[Self], total: &Weight) -> Option<Known> {
        let mut known = Known::nothing();
        for mass in masses {
            let (low, high) = (mass.low.as_ref()?, mass.high.as_ref()?);
            let [low, high] = [low, high].map(|end| Fraction::from_integer(end.to_big()));
            let between = MeanBetween::surely(low, high).into();
            known = known.plus_share(&between, &probability(&mass.weight, total))?;
        }
        Some(known)
    }

    /// The same mass with its weight times a factor.
    #[must_use]
    pub fn times(self, factor: &Weight) -> Self {
        Self {
            weight: self.weight * factor,
            ..self
        }
    }

    /// The same mass with a function applied to its ends.
    pub(super) fn with_ends(
        &self,
        mut function: impl FnMut(&Integer) -> Result<Integer, Stop>,
    ) -> Result<Self, Stop> {
        let mut end = |end: &Option<Integer>| end.as_ref().map(&mut function).transpose();
        Ok(Self {
            low: end(&self.low)?,
            high: end(&self.high)?,
            weight: self.weight.clone(),
        })
    }

    /// The same mass with its ends exchanged, as after a negative factor.
    pub(super) fn with_ends_exchanged(self) -> Self {
        Self {
            low: self.high,
            high: self.low,
            weight: self.weight,
        }
    }
}

impl Unlisted {
    /// The generating function of the whole law, where the source has one.
    #[must_use]
    pub fn quotient(&self) -> Option<Arc<Quotient>> {
        self.source.as_ref()?.as_quotient()
    }

    /// Adds weight at or above a bound.
    pub(super) fn add_above(&mut self, bound: Integer, weight: Weight) {
        match &mut self.above {
            Some(tail) => {
                tail.weight += weight;
                if bound < tail.bound {
                    tail.bound = bound;
                }
            }
            none => *none = Some(Tail { bound, weight }),
        }
    }

    /// Adds weight at or below a bound.
    pub(super) fn add_below(&mut self, bound: Integer, weight: Weight) {
        match &mut self.below {
            Some(tail) => {
                tail.weight += weight;
                if bound > tail.bound {
                    tail.bound = bound;
                }
            }
            none => *none = Some(Tail { bound, weight }),
        }
    }

    /// What is known of the moments of the whole law, apart from its listed part.
    pub(super) fn known(&self) -> Option<Known> {
        let moments = self.moments.clone().map(Known::All);
        moments.or_else(|| self.mean.clone().map(Known::Mean))
    }

    /// Sets what is known of the moments of the whole law.
    pub(super) fn set_known(&mut self, known: Option<Known>) {
        (self.moments, self.mean) = match known {
            Some(Known::All(moments)) => (Some(moments), None),
            Some(Known::Mean(mean)) => (None, Some(mean)),
            None => (None, None),
        };
    }

    /// All weights, in no particular order.
    pub(super) fn weights_mut(&mut self) -> impl Iterator<Item = &mut Weight> {
        let tails = [&mut self.above, &mut self.below].into_iter().flatten();
        tails
            .map(|tail| &mut tail.weight)
            .chain([&mut self.unresolved, &mut self.never_ends])
    }
}

impl Remainder {
    /// The empty remainder of a mixture with this total.
    #[must_use]
    pub fn nothing(total: Weight) -> Self {
        Self {
            masses: Vec::new(),
            never_ends: Weight::ZERO,
            total,
            moments: None,
            leaves_rare_open: false,
        }
    }
}
