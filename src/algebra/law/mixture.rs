//! Mixtures of laws, sums of measures, and the same law over another total.

use std::rc::Rc;

use super::Law;
use super::known::Known;
use super::listing::Mixing;
use super::parts::{Mass, Remainder};
use super::source::Source;
use crate::algebra::weight::{common_divisor, lcm, part_of, probability};
use crate::algebra::{Numbers, Stop, Weight};
use crate::limits::{Budget, LimitReached};
use crate::number::Fraction;

impl<L: Mixing> Law<L> {
    /// The law of a roll that never ends.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn certain_to_never_end(budget: &Budget<'_>) -> Result<Self, Stop> {
        let one = Weight::from(1_u32);
        let remainder = Remainder {
            never_ends: one.clone(),
            ..Remainder::nothing(one)
        };
        Self::measure_sum(&[], remainder, budget)
    }

    /// A mixture of laws with these weights, and a remainder. Its total is the total of the remainder times the least
    /// common multiple of the totals of the laws.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn mixture(
        parts: &[(Weight, Rc<Self>)],
        remainder: Remainder,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let one = Weight::from(1_u32);
        let common = parts
            .iter()
            .fold(one, |common, (_, law)| lcm(&common, law.total()));
        let scaled: Vec<(Weight, &Self)> = parts
            .iter()
            .map(|(weight, law)| (weight * (&common / law.total()), &**law))
            .collect();
        let mixed = parts.iter().map(|(weight, _)| weight);
        let is_whole = mixed.sum::<Weight>() == remainder.total;
        let masses = remainder.masses.into_iter();
        let remainder = Remainder {
            masses: masses.map(|mass| mass.times(&common)).collect(),
            never_ends: remainder.never_ends * &common,
            total: remainder.total * common,
            ..remainder
        };
        let law = Self::measure_sum(&scaled, remainder, budget)?;
        if law.unlisted.is_none() || !is_whole {
            return Ok(law);
        }
        let weights = parts.iter().map(|(weight, _)| weight.clone());
        let sources = parts.iter().map(|(_, law)| law.source());
        let sources: Option<Vec<_>> = sources.collect();
        let source = sources.and_then(|sources| Source::mixture(weights.zip(sources).collect()));
        Ok(law.coming_from(source))
    }

    /// The sum of measures, each times a factor, and of a remainder, over the total of the remainder.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn measure_sum(
        parts: &[(Weight, &Self)],
        remainder: Remainder,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let Remainder {
            mut masses,
            mut never_ends,
            total,
            moments,
            leaves_rare_open,
        } = remainder;
        masses.retain(|mass| mass.weight != Weight::ZERO);
        let listed: Vec<(Weight, &L)> = parts
            .iter()
            .map(|(factor, law)| (factor.clone(), &law.listed))
            .collect();
        let listed = L::weighted_sum(&listed, total.clone(), budget)?;
        let complete = parts.iter().all(|(_, law)| law.unlisted.is_none());
        if complete && masses.is_empty() && never_ends == Weight::ZERO {
            return Ok(listed.into());
        }
        // The listed parts together, and then what each part has beside its listed part.
        let masses_known = moments.or_else(|| Mass::known_of_all(&masses, &total));
        let mut known = masses_known.and_then(|masses| {
            let listed = Known::All(listed.moments()?);
            listed.plus_share(&masses, &Fraction::from_integer(1.into()))
        });
        for (factor, law) in parts {
            budget.look_at_clock()?;
            masses.extend(law.masses().into_iter().map(|mass| mass.times(factor)));
            never_ends += law.never_ends() * factor;
            if law.unlisted.is_some() {
                known = known.and_then(|sum| {
                    let share = probability(&(law.total() * factor), &total);
                    let listed = Known::All(law.listed.moments()?);
                    sum.plus_share(&law.known()?.less(&listed)?, &share)
                });
            }
        }
        if leaves_rare_open {
            let tolerance = &budget.limits().tolerance;
            let most = part_of(&total, tolerance);
            listed.leave_rare_open(&mut masses, &most);
        }
        // Where all that ends is listed, the listed part tells the same.
        let is_told = !masses.is_empty()
            || parts.iter().any(|(_, law)| {
                law.unlisted
                    .as_ref()
                    .is_some_and(|own| own.known().is_some())
            });
        let known = known.filter(|_| is_told);
        Ok(Self::with_known(listed, masses, never_ends, known))
    }

    /// The law in which the weight missing from the total never ends.
    ///
    /// # Panics
    ///
    /// If the weights sum to more than the total.
    #[must_use]
    pub fn missing_never_ends(self) -> Self {
        let masses = self.masses();
        let known: Weight = masses.iter().map(|mass| &mass.weight).sum();
        let never_ends = self.total() - self.listed.mass() - known;
        let known = self.unlisted.and_then(|unlisted| unlisted.known());
        Self::with_known(self.listed, masses, never_ends, known)
    }

    /// The same law, given the probability that it never ends: unresolved weight becomes weight that never ends. The
    /// law is unchanged if it knows as much already, or has too little unresolved weight.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn with_never(self, share: &Fraction, budget: &Budget<'_>) -> Result<Self, Stop> {
        let factor = share.denom().magnitude();
        let before = self.never_ends() * factor;
        let never_ends = share.numer().magnitude() * self.total();
        if never_ends <= before || &never_ends - &before > self.unresolved() * factor {
            return Ok(self);
        }
        let total = self.total() * factor;
        let listed = L::weighted_sum(&[(factor.clone(), &self.listed)], total, budget)?;
        let mut unlisted = self.unlisted.unwrap_or_default();
        for weight in unlisted.weights_mut() {
            *weight *= factor;
        }
        unlisted.unresolved -= &never_ends - before;
        unlisted.never_ends = never_ends;
        Ok(Self {
            listed,
            unlisted: Some(unlisted),
        })
    }
}

impl Law {
    /// The same law with all weights divided by their greatest common divisor, unless all is listed.
    ///
    /// The total of a chain grows with every value, whether or not the probabilities need it, and the powers of the law
    /// would grow with it.
    ///
    /// # Errors
    ///
    /// [`LimitReached`].
    pub fn reduced(self, budget: &Budget<'_>) -> Result<Self, LimitReached> {
        let Some(mut unlisted) = self.unlisted else {
            return Ok(self);
        };
        let mut common = self.listed.total().clone();
        let weights = self.listed.iter().map(|(_, weight)| weight);
        let others = unlisted.weights_mut().map(|weight| weight.clone());
        for weight in others.chain(weights) {
            // Each weight costs a division, and sometimes a greatest common divisor.
            let limbs = common.bits() / 64 + 1;
            budget.work(limbs.saturating_mul(limbs))?;
            common = common_divisor(&common, &weight);
        }
        for weight in unlisted.weights_mut() {
            *weight /= &common;
        }
        let weights = self.listed.iter();
        let listed = Numbers::new(
            weights.map(|(outcome, weight)| (outcome, weight / &common)),
            self.listed.total() / &common,
        );
        Ok(Self {
            listed,
            unlisted: Some(unlisted),
        })
    }

    /// The same law over the least total, if all is listed. This makes its powers shorter.
    #[must_use]
    pub fn in_lowest_terms(self) -> Self {
        match self.unlisted {
            None => self.listed.in_lowest_terms().into(),
            Some(_) => self,
        }
    }
}
