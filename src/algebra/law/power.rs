//! Sums of independent numbers of one law: of a fixed number of them, or of a random number.

use std::sync::Arc;

use num_bigint::BigInt;

use super::Law;
use super::known::Known;
use super::moments::Moments;
use super::parts::{Mass, Remainder};
use super::source::Source;
use crate::algebra::numbers::memory;
use crate::algebra::weight::{lcm, probability};
use crate::algebra::{Numbers, Quotient, Stop, Weight, power};
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

/// The end of the numbers up to which a law is listed because a comparison asks for it.
const FARTHEST: u64 = 20_000;

impl Law {
    /// The law with this generating function and these moments. It is listed until the rest is no more probable than
    /// the tolerance, or until the list reaches the limit of outcomes beyond the mean. `None` if the numbers are too
    /// large.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub fn of_quotient(
        source: Quotient,
        moments: Option<Moments>,
        tolerance: &Fraction,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, Stop> {
        let Some(sums) = source.sums(tolerance, budget.limits().outcomes, budget)? else {
            return Ok(None);
        };
        let bound = Integer::from_big(sums.tail_from.into())?;
        let tail = Mass::at_or_above(bound, sums.tail);
        let mut law = Self::new(sums.listed, vec![tail], Weight::ZERO, moments);
        if let Some(unlisted) = &mut law.unlisted {
            unlisted.source = Some(Source::Quotient(Arc::new(source)));
        }
        Ok(Some(law))
    }

    /// The same law, listed up to a number, if its generating function is known and its list ends below the number.
    /// `None` where it is listed as far already, or where it cannot be.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub(crate) fn listed_up_to(
        &self,
        number: &Integer,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, Stop> {
        let Some(unlisted) = &self.unlisted else {
            return Ok(None);
        };
        let (Some(tail), Some(source)) = (&unlisted.above, unlisted.quotient()) else {
            return Ok(None);
        };
        let bound = number
            .to_i64()
            .and_then(|number| u64::try_from(number).ok());
        let Some(bound) = bound.filter(|&bound| *number >= tail.bound && bound < FARTHEST) else {
            return Ok(None);
        };
        let Some(sums) = source.sums_below(bound + 1, budget)? else {
            return Ok(None);
        };
        let tail = Mass::at_or_above(Integer::from_big(sums.tail_from.into())?, sums.tail);
        let moments = unlisted.moments.clone();
        let law = Self::new(sums.listed, vec![tail], Weight::ZERO, moments);
        Ok(Some(law.coming_from(unlisted.source.clone())))
    }

    /// The sum of `n` independent numbers of this law.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub fn power(&self, n: u32, budget: &Budget<'_>) -> Result<Self, Stop> {
        if n == 1 {
            return Ok(self.clone());
        }
        let Some(unlisted) = self.unlisted.as_ref().filter(|_| n > 0) else {
            return Ok(self.listed.power(n.into(), budget)?.into());
        };
        let source = unlisted.source.as_ref().and_then(|one| one.power(n));
        let quotient = unlisted.quotient().and_then(|one| one.power(n.into()));
        if let Some(quotient) = quotient {
            let moments = unlisted.moments.as_ref().map(|moments| moments.times(n));
            // The tail of the sum shall be no more probable than the tail of one number.
            let mut tolerance = &budget.limits().tolerance / BigInt::from(1_000);
            if let Some(tail) = &unlisted.above {
                tolerance = tolerance.min(probability(&tail.weight, self.total()));
            }
            if let Some(law) = Self::of_quotient(quotient, moments, &tolerance, budget)? {
                return Ok(law.coming_from(source));
            }
        }
        let listed = self.listed.power(n.into(), budget)?;
        // In a sum that is not listed, at least one number lies in the tail, and the others are no less than the least.
        let others = Integer::from(i64::from(n - 1));
        let low = match (&unlisted.above, self.least()) {
            (Some(tail), Some(least)) => Some(tail.bound.add(&least.mul(&others)?)?),
            _ => None,
        };
        let high = match (&unlisted.below, self.greatest()) {
            (Some(tail), Some(greatest)) => Some(tail.bound.add(&greatest.mul(&others)?)?),
            _ => None,
        };
        let ending = power(&(self.total() - self.never_ends()), n.into(), budget)?;
        let weight = &ending - listed.mass();
        let never_ends = power(self.total(), n.into(), budget)? - ending;
        let mass = Mass { low, high, weight };
        let known = self.known().map(|known| known.times(n));
        let law = Self::with_known(listed, vec![mass], never_ends, known);
        Ok(law.coming_from(source))
    }

    /// The sum of a random number of independent values. Where the number has no end, and no generating functions are known, the weight that
    /// is not listed lies in a tail from the least sum of what is unlisted on, or is unresolved.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub fn random_sum(count: &Self, value: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        match (&count.unlisted, &value.unlisted) {
            (None, None) => {
                let listed = Numbers::random_sum(&count.listed, &value.listed, budget)?;
                return Ok(listed.into());
            }
            (None, Some(_)) => return Self::sum_by_count(&count.listed, value, budget),
            (Some(_), _) => {}
        }
        let known = count.known().zip(value.known());
        let known = known.and_then(|(count, value)| Known::of_sum(&count, &value));
        let quotient = |law: &Self| law.source()?.as_quotient();
        let quotients = quotient(count).zip(quotient(value));
        if let Some(sum) = quotients.and_then(|(n, one)| Quotient::random_sum(&n, &one)) {
            let tolerance = &budget.limits().tolerance / BigInt::from(1_000);
            let moments = known.clone().and_then(Known::all);
            if let Some(law) = Self::of_quotient(sum, moments, &tolerance, budget)? {
                return Ok(law);
            }
        }
        let listed = Numbers::random_sum(&count.listed, &value.listed, budget)?;
        let mass = Mass {
            low: Self::least_unlisted_sum(count, value)?,
            high: None,
            weight: listed.total() - listed.mass(),
        };
        Ok(Self::with_known(listed, vec![mass], Weight::ZERO, known))
    }

    /// The sum of a number of values of which all possible numbers are listed: for each of them, the sum of so many, one after the
    /// other.
    fn sum_by_count(count: &Numbers, value: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        let mut sum = Self::measure_sum(&[], Remainder::nothing(count.total().clone()), budget)?;
        let mut common = Weight::from(1_u32);
        let mut counted = Weight::ZERO;
        let mut sources = Some(Vec::new());
        for (n, weight) in count.iter().filter(|(n, _)| !n.is_negative()) {
            let n = n.to_usize().and_then(|n| u32::try_from(n).ok());
            let n = n.ok_or_else(|| memory(budget))?;
            let part = value.power(n, budget)?;
            let before = std::mem::replace(&mut common, Weight::ZERO);
            common = lcm(&before, part.total());
            let both = [
                (&common / before, &sum),
                (&weight * (&common / part.total()), &part),
            ];
            let remainder = Remainder::nothing(count.total() * &common);
            sum = Self::measure_sum(&both, remainder, budget)?;
            sources = sources.zip(part.source()).map(|(mut sources, source)| {
                sources.push((weight.clone(), source));
                sources
            });
            counted += weight;
        }
        let rest = Mass::anywhere((count.total() - &counted) * &common);
        if rest.weight != Weight::ZERO {
            let remainder = Remainder {
                masses: vec![rest],
                ..Remainder::nothing(sum.total().clone())
            };
            return Self::measure_sum(&[(Weight::from(1_u32), &sum)], remainder, budget);
        }
        Ok(sum.coming_from(sources.and_then(Source::mixture)))
    }

    /// A lower bound of all random sums that are not listed; `None` if values can be negative, or there is other
    /// unlisted weight than tails above. In such a sum, either one value is at least the bound of the values' tail, or
    /// the number of values is at least the bound of the number's tail and each value at least the least value.
    fn least_unlisted_sum(count: &Self, value: &Self) -> Result<Option<Integer>, Stop> {
        let Some(least) = value.least().filter(|least| !least.is_negative()) else {
            return Ok(None);
        };
        let mut bounds = Vec::new();
        if count.unlisted.is_some() {
            let Some(tail) = count.only_tail_above() else {
                return Ok(None);
            };
            bounds.push(tail.bound.mul(&least)?);
        }
        if value.unlisted.is_some() {
            let Some(tail) = value.only_tail_above() else {
                return Ok(None);
            };
            bounds.push(tail.bound.clone());
        }
        Ok(bounds.into_iter().min())
    }
}
