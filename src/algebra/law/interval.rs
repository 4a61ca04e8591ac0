//! Bounds of the weight of a law in an interval.
//!
//! A tail that lies wholly in the interval counts in both bounds. A tail that overlaps the interval counts in the upper
//! bound only, and so does unresolved weight. Weight that never ends counts in neither.

use super::Law;
use super::listing::Listing;
use super::parts::Unlisted;
use crate::algebra::Weight;
use crate::number::Integer;

impl<L> Law<L> {
    /// The least and the most weight in an interval, both ends included; `None` is no end. The caller gives the weight
    /// of the listed outcomes in the interval.
    #[must_use]
    pub fn weight_with(
        &self,
        listed: Weight,
        low: Option<&Integer>,
        high: Option<&Integer>,
    ) -> (Weight, Weight) {
        let Some(unlisted) = &self.unlisted else {
            return (listed.clone(), listed);
        };
        let (sure, open) = unlisted.between(low, high);
        let sure = sure + listed;
        let possible = &sure + open;
        (sure, possible)
    }
}

impl<L: Listing> Law<L> {
    /// The least and the most weight in an interval, both ends included; `None` is no end.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::algebra::{Law, Mass, Numbers, Weight};
    ///
    /// let weight = |weight: u32| Weight::from(weight);
    /// let listed = Numbers::new([(1.into(), weight(4)), (2.into(), weight(2))], weight(8));
    /// let masses = vec![Mass::at_or_above(3.into(), weight(1)), Mass::anywhere(weight(1))];
    /// let law = Law::new(listed, masses, Weight::ZERO, None);
    /// assert_eq!(law.weight_between(Some(&2.into()), None), (weight(3), weight(4)));
    /// assert_eq!(law.weight_between(None, Some(&3.into())), (weight(6), weight(8)));
    /// ```
    #[must_use]
    pub fn weight_between(
        &self,
        low: Option<&Integer>,
        high: Option<&Integer>,
    ) -> (Weight, Weight) {
        self.weight_with(self.listed.weight_between(low, high), low, high)
    }
}

impl Unlisted {
    /// The weight that surely lies in an interval, and the further weight that may lie there.
    fn between(&self, low: Option<&Integer>, high: Option<&Integer>) -> (Weight, Weight) {
        let (mut sure, mut open) = (Weight::ZERO, self.unresolved.clone());
        if let Some(tail) = &self.above {
            if high.is_none() && low.is_none_or(|low| *low <= tail.bound) {
                sure += &tail.weight;
            } else if high.is_none_or(|high| *high >= tail.bound) {
                open += &tail.weight;
            }
        }
        if let Some(tail) = &self.below {
            if low.is_none() && high.is_none_or(|high| *high >= tail.bound) {
                sure += &tail.weight;
            } else if low.is_none_or(|low| *low <= tail.bound) {
                open += &tail.weight;
            }
        }
        (sure, open)
    }
}
