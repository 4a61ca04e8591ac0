//! Laws: distributions that may list only part of their outcomes.
//!
//! A loop can have infinitely many outcomes. A [`Law`] has exact weights over one total:
//!
//! - the *listed part*, outcomes with their weights;
//! - a *tail* above the listed outcomes, and one below: weight that lies at or beyond a bound;
//! - *unresolved* weight, which may lie anywhere, on listed outcomes as well, or never end;
//! - the weight of paths that *never end*;
//! - the moments of the whole law, which the listed part alone does not give.
//!
//! # Laws
//!
//! Write `L(x)` for the listed weights, `a` and `b` for the bounds of the tails, and `|·|` for weight.
//!
//! ```text
//! |listed| + |above| + |below| + |unresolved| + |never ends| = total
//! L(x) > 0 implies b < x < a
//! P(x) = L(x)/total for each x between b and a, where nothing is unresolved
//! ```
//!
//! Each operation keeps these laws, and lists the outcomes that follow from the listed parts alone. For example, let X
//! be listed below a and an independent Y below b, both at least 0. Then X + Y is listed below min(a, b). A comparison
//! with a number is complete if the bounds of the tails decide it. There is one exception to the first law: one part of
//! a sum of measures ([`Law::measure_sum`]) has less weight than its total, because the other parts have the rest.

mod indicator;
mod interval;
mod known;
mod listing;
mod mixture;
mod moments;
mod parts;
mod power;
mod residues;
mod source;
mod sum;
mod two_sided;

pub use known::{Known, MeanBetween};
pub use listing::{Listing, Mixing};
pub use moments::Moments;
pub use parts::{Mass, Remainder, Tail, Unlisted};
pub use source::Source;

use crate::algebra::{Numbers, Stop, Weight};
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

/// A distribution that may list only part of its outcomes.
///
/// # Examples
///
/// How often a coin shows heads before the first tails, listed up to 2:
///
/// ```
/// use dicedist::algebra::{Law, Mass, Numbers, Weight};
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let weight = |weight: u32| Weight::from(weight);
/// let listed = Numbers::new([(0.into(), weight(4)), (1.into(), weight(2)), (2.into(), weight(1))], weight(8));
/// let tail = Mass::at_or_above(3.into(), weight(1));
/// let heads = Law::new(listed, vec![tail], Weight::ZERO, None);
///
/// // The sum of two is listed up to 2 as well; all other sums are at least 3.
/// let two = heads.add(&heads, &budget)?;
/// assert_eq!(two.listed.weight_of(&2.into()), weight(4 * 1 + 2 * 2 + 1 * 4));
/// let above = two.unlisted.unwrap().above.unwrap();
/// assert_eq!((above.bound, above.weight), (3.into(), weight(64 - 16 - 16 - 12)));
/// // Whether one is at least 2 is known for certain.
/// let at_least_2 = heads.at_least(&2.into(), &budget)?;
/// assert_eq!(at_least_2.complete().unwrap().weight_of(&1.into()), weight(2));
/// # Ok::<(), dicedist::algebra::Stop>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Law<L = Numbers> {
    /// The listed outcomes.
    pub listed: L,
    /// All other weight, over the same total; `None` if all is listed.
    pub unlisted: Option<Box<Unlisted>>,
}

impl<L> From<L> for Law<L> {
    fn from(listed: L) -> Self {
        Self {
            listed,
            unlisted: None,
        }
    }
}

impl<L: Mixing> Law<L> {
    /// A law of listed outcomes, masses, and weight that never ends, over the total of the listed part. A mass with
    /// only one end becomes a tail, unless it reaches all listed outcomes. All other masses are unresolved.
    ///
    /// If the moments are not given, and each mass lies between two ends, so does the mean.
    #[must_use]
    pub fn new(listed: L, masses: Vec<Mass>, never_ends: Weight, moments: Option<Moments>) -> Self {
        let known = moments.map(Known::All);
        Self::with_known(listed, masses, never_ends, known)
    }

    /// As [`Law::new`], with what is known of the moments.
    pub(crate) fn with_known(
        listed: L,
        mut masses: Vec<Mass>,
        never_ends: Weight,
        known: Option<Known>,
    ) -> Self {
        masses.retain(|mass| mass.weight != Weight::ZERO);
        let known = known.or_else(|| {
            // Moments of the listed part take long, and say nothing where the rest has none.
            let others = (!masses.is_empty()).then(|| Mass::known_of_all(&masses, listed.total()));
            let others = others??;
            let listed = Known::All(listed.moments()?);
            listed.plus_share(&others, &Fraction::from_integer(1.into()))
        });
        let mut unlisted = Unlisted {
            never_ends,
            ..Unlisted::default()
        };
        let listed = listed.place(masses, &mut unlisted);
        if unlisted == Unlisted::default() {
            return listed.into();
        }
        unlisted.set_known(known);
        Self::with_unlisted(listed, unlisted)
    }

    /// The moments of the whole law, where they are known.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        self.known()?.all()
    }

    /// What is known of the moments of the whole law.
    #[must_use]
    pub fn known(&self) -> Option<Known> {
        let Some(unlisted) = &self.unlisted else {
            return self.listed.moments().map(Known::All);
        };
        unlisted.known().or_else(|| {
            let ends_listed = unlisted.above.is_none()
                && unlisted.below.is_none()
                && unlisted.unresolved == Weight::ZERO;
            let moments = ends_listed.then(|| self.listed.moments()).flatten();
            moments.map(Known::All)
        })
    }

    /// The same law, of whose moments this is known.
    #[must_use]
    pub(crate) fn knowing(mut self, known: Option<Known>) -> Self {
        if let Some(unlisted) = self.unlisted.as_mut().filter(|_| known.is_some()) {
            unlisted.set_known(known);
        }
        self
    }
}

impl<L: Listing> Law<L> {
    /// A law of listed outcomes and weight that never ends; all else is unresolved.
    ///
    /// # Panics
    ///
    /// If the weights sum to more than the total.
    #[must_use]
    pub fn else_unresolved(listed: L, never_ends: Weight) -> Self {
        let unresolved = listed.total() - listed.mass() - &never_ends;
        let unlisted = Unlisted {
            unresolved,
            never_ends,
            ..Unlisted::default()
        };
        Self::with_unlisted(listed, unlisted)
    }

    /// The common denominator.
    #[must_use]
    pub fn total(&self) -> &Weight {
        self.listed.total()
    }
}

impl<L> Law<L> {
    /// The listed part, if it is the whole law.
    #[must_use]
    pub fn complete(&self) -> Option<&L> {
        self.unlisted.is_none().then_some(&self.listed)
    }

    /// The tail above the listed outcomes.
    #[must_use]
    pub fn above(&self) -> Option<&Tail> {
        self.unlisted.as_ref()?.above.as_ref()
    }

    /// The tail below the listed outcomes.
    #[must_use]
    pub fn below(&self) -> Option<&Tail> {
        self.unlisted.as_ref()?.below.as_ref()
    }

    /// The weight of paths that never end.
    #[must_use]
    pub fn never_ends(&self) -> Weight {
        let unlisted = self.unlisted.as_ref();
        unlisted.map_or(Weight::ZERO, |unlisted| unlisted.never_ends.clone())
    }

    /// The weight that may lie anywhere.
    #[must_use]
    pub fn unresolved(&self) -> Weight {
        let unlisted = self.unlisted.as_ref();
        unlisted.map_or(Weight::ZERO, |unlisted| unlisted.unresolved.clone())
    }

    /// The tails and the unresolved weight, as masses.
    #[must_use]
    pub fn masses(&self) -> Vec<Mass> {
        let Some(unlisted) = &self.unlisted else {
            return Vec::new();
        };
        let above = unlisted.above.clone();
        let below = unlisted.below.clone();
        let unresolved = (unlisted.unresolved != Weight::ZERO).then(|| self.unresolved());
        let masses = [
            above.map(|tail| Mass::at_or_above(tail.bound, tail.weight)),
            below.map(|tail| Mass::at_or_below(tail.bound, tail.weight)),
            unresolved.map(Mass::anywhere),
        ];
        masses.into_iter().flatten().collect()
    }

    /// The same weights, with the listed part in another form.
    #[must_use]
    pub fn relisted<M>(self, form: impl FnOnce(L) -> M) -> Law<M> {
        Law {
            listed: form(self.listed),
            unlisted: self.unlisted,
        }
    }

    fn with_unlisted(listed: L, unlisted: Unlisted) -> Self {
        let unlisted = (unlisted != Unlisted::default()).then(|| Box::new(unlisted));
        Self { listed, unlisted }
    }
}

impl Law {
    /// As [`Law::new`], but a mass on a single outcome is listed.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn collected(
        listed: Numbers,
        masses: Vec<Mass>,
        never_ends: Weight,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let (mut points, mut others) = (Vec::new(), Vec::new());
        for mass in masses {
            match (mass.low, mass.high) {
                (Some(low), Some(high)) if low == high => points.push((low, mass.weight)),
                (low, high) => others.push(Mass {
                    low,
                    high,
                    weight: mass.weight,
                }),
            }
        }
        let listed = with_points(listed, points, budget)?;
        Ok(Self::new(listed, others, never_ends, None))
    }

    /// The least outcome, listed or not, where it is known: a tail above counts with its bound.
    #[must_use]
    pub fn least(&self) -> Option<Integer> {
        let least = self.listed.min().cloned();
        match &self.unlisted {
            None => least,
            Some(other) if other.below.is_some() || other.unresolved != Weight::ZERO => None,
            Some(other) => {
                let bound = other.above.as_ref().map(|tail| tail.bound.clone());
                least.into_iter().chain(bound).min()
            }
        }
    }

    /// The greatest outcome, listed or not, where it is known: a tail below counts with its bound.
    #[must_use]
    pub fn greatest(&self) -> Option<Integer> {
        let greatest = self.listed.max();
        match &self.unlisted {
            None => greatest,
            Some(other) if other.above.is_some() || other.unresolved != Weight::ZERO => None,
            Some(other) => {
                let bound = other.below.as_ref().map(|tail| tail.bound.clone());
                greatest.into_iter().chain(bound).max()
            }
        }
    }

    /// The same law with at most `most` listed outcomes, if it has a tail that can take over the others.
    #[must_use]
    pub fn cut(self, most: usize) -> Self {
        let Some(mut unlisted) = self.unlisted else {
            return self;
        };
        let excess = self.listed.len().saturating_sub(most);
        let (low, high) = match (&unlisted.below, &unlisted.above) {
            (None, None) => (0, 0),
            (Some(_), None) => (excess, 0),
            (None, Some(_)) => (0, excess),
            (Some(_), Some(_)) => (excess / 2, excess - excess / 2),
        };
        let outcome = |index| self.listed.outcomes().nth(index);
        let ends = (
            low.checked_sub(1).and_then(outcome),
            outcome(self.listed.len() - high),
        );
        if let (Some(tail), Some(bound)) = (&mut unlisted.below, ends.0) {
            tail.bound = bound;
        }
        if let (Some(tail), Some(bound)) = (&mut unlisted.above, ends.1) {
            tail.bound = bound;
        }
        Self {
            listed: self.listed.place(Vec::new(), &mut unlisted),
            unlisted: Some(unlisted),
        }
    }

    /// The tail above, if no other weight is unlisted.
    #[must_use]
    pub fn only_tail_above(&self) -> Option<&Tail> {
        let other = self.unlisted.as_ref()?;
        let is_all = other.below.is_none()
            && other.unresolved == Weight::ZERO
            && other.never_ends == Weight::ZERO;
        other.above.as_ref().filter(|_| is_all)
    }

    /// The distribution of the outcome moved to the nearest bound of a tail if it lies in the tail. Unresolved weight, and that
    /// which never ends, is missing.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn clipped(&self, budget: &Budget<'_>) -> Result<Numbers, Stop> {
        let tails = [self.above(), self.below()].into_iter().flatten();
        let points = tails.map(|tail| (tail.bound.clone(), tail.weight.clone()));
        with_points(self.listed.clone(), points.collect(), budget)
    }
}

/// A measure with further weight on some outcomes.
fn with_points(
    listed: Numbers,
    points: Vec<(Integer, Weight)>,
    budget: &Budget<'_>,
) -> Result<Numbers, Stop> {
    if points.is_empty() {
        return Ok(listed);
    }
    let total = listed.total().clone();
    let points = Numbers::new(points, total.clone());
    let one = Weight::from(1_u32);
    let both = [(one.clone(), &listed), (one, &points)];
    Numbers::measure_sum(&both, total, budget)
}
