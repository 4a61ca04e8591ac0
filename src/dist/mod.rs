//! Distributions as values of Rust: [`Dist`].
//!
//! A [`Dist`] is what a rule gives, or what a program makes of other distributions. Its type says what its outcomes are: numbers, lists,
//! labels ([`Outcome`]). Every question about it is answered exactly, or by the two bounds between which the answer lies
//! ([`Figure`](crate::summary::Figure)).
//!
//! ```
//! use dicedist::Dist;
//! use dicedist::number::Fraction;
//!
//! let d6 = Dist::uniform(1..=6);
//! let two = &d6 + &d6;
//! assert_eq!(two.probability_of(7).to_string(), "1/6");
//! assert_eq!(two.at_least(10).to_f64(), 1.0 / 6.0);
//! assert_eq!(two.mean(), Fraction::from_integer(7.into()));
//!
//! let rolled = two.map(|sum| if sum >= 7.into() { "hit" } else { "miss" }.to_owned());
//! assert_eq!(rolled.probability_of("hit").to_string(), "7/12");
//! # Ok::<(), dicedist::Error>(())
//! ```

mod arithmetic;
mod into_outcome;
mod outcome;
mod questions;
mod reports;
#[cfg(feature = "sampling")]
mod roll;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "serde")]
mod written;

use std::marker::PhantomData;

use crate::algebra::weight::lcm;
use crate::algebra::{Law, Weight};
use crate::engine::Answer;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::number::{Fraction, Integer};
use crate::report::Answered;

pub use into_outcome::IntoOutcome;
pub use outcome::{Listed, Numeric, Outcome};

/// An exact distribution: outcomes with their weights, over one total.
///
/// The weight of some outcomes may not be listed: [`Dist::is_complete`] tells. An endless rule has a tail beyond the listed outcomes, some
/// weight may be unresolved within the limits, and some rolls may never end. A distribution can also be an estimate
/// ([`Dist::is_sampled`]), if the rule was solved with [`Solver::sample_if_needed`](crate::Solver::sample_if_needed).
///
/// A `Dist` holds an [`Answer`] whose outcomes have the type `T`.
#[derive(Clone, Debug)]
pub struct Dist<T = Integer> {
    answer: Answer,
    outcome: PhantomData<fn() -> T>,
}

impl<T: Listed> Dist<T> {
    /// The distribution in which each outcome is equally likely. An outcome that comes twice is twice as likely.
    ///
    /// # Panics
    ///
    /// If there is no outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let fate: Dist = Dist::uniform(-1..=1);
    /// assert_eq!(fate.times(4).probability_of(0).to_string(), "19/81");
    /// ```
    #[must_use]
    #[track_caller]
    pub fn uniform(outcomes: impl IntoIterator<Item = impl IntoOutcome<T>>) -> Self {
        Self::weighted(outcomes.into_iter().map(|outcome| (outcome, 1)))
    }

    /// The distribution with these weights. The weights of an outcome that comes twice are added.
    ///
    /// # Panics
    ///
    /// If all weights are 0, or if fractions have no common denominator of at most [`MAX_BITS`](crate::number::MAX_BITS) bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let loot: Dist<String> = Dist::weighted([("gold", 3), ("sword", 1)]);
    /// assert_eq!(loot.probability_of("sword").to_string(), "1/4");
    /// ```
    #[must_use]
    #[track_caller]
    pub fn weighted(weighted: impl IntoIterator<Item = (impl IntoOutcome<T>, u64)>) -> Self {
        let weighted = weighted.into_iter();
        let weighted =
            weighted.map(|(outcome, weight)| (outcome.into_outcome(), Weight::from(weight)));
        let weighted: Vec<(T, Weight)> = weighted.collect();
        let total: Weight = weighted.iter().map(|(_, weight)| weight).sum();
        assert!(
            total != Weight::ZERO,
            "a distribution needs an outcome with a weight above 0"
        );
        Self::over(weighted, total, Weight::ZERO)
    }

    /// A mixture: each distribution as often as its weight says. Weight on outcomes that are not listed becomes unresolved.
    ///
    /// # Panics
    ///
    /// If all weights are 0, or a distribution is sampled.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let (d4, d6): (Dist, Dist) = (Dist::uniform(1..=4), Dist::uniform(1..=6));
    /// let mixed = Dist::mixture([(&d4, 1), (&d6, 2)]);
    /// assert_eq!(mixed.probability_of(6).to_string(), "1/9"); // 2/3 · 1/6
    /// ```
    #[must_use]
    #[track_caller]
    pub fn mixture<'d>(parts: impl IntoIterator<Item = (&'d Self, u64)>) -> Self
    where
        T: 'd,
    {
        let parts: Vec<(&Self, u64)> = parts.into_iter().collect();
        let one = Weight::from(1_u32);
        let common = parts
            .iter()
            .fold(one, |all, (dist, _)| lcm(&all, dist.total()));
        let (mut weighted, mut total, mut never) = (Vec::new(), Weight::ZERO, Weight::ZERO);
        for (dist, times) in parts {
            dist.must_be_exact();
            let scale = &common / dist.total() * times;
            weighted.extend(
                dist.weights()
                    .map(|(outcome, weight)| (outcome, weight * &scale)),
            );
            total += dist.total() * &scale;
            never += dist.answer.never_ends() * &scale;
        }
        assert!(total != Weight::ZERO, "a mixture needs a weight above 0");
        Self::over(weighted, total, never)
    }

    /// The distribution of one certain outcome.
    #[must_use]
    #[track_caller]
    pub fn certain(outcome: impl IntoOutcome<T>) -> Self {
        Self::weighted([(outcome, 1)])
    }

    /// Weighted outcomes over a total. Of the weight that is left, `never_ends` never ends, and the rest is unresolved.
    fn over(weighted: Vec<(T, Weight)>, total: Weight, never_ends: Weight) -> Self {
        let written = T::outcomes(weighted, total);
        let (outcomes, unit, shape) = written.expect("the denominators have a short multiple");
        let answer = Answer {
            unit,
            shape,
            ..Answer::new(Law::else_unresolved(outcomes, never_ends), 0)
        };
        Self {
            answer,
            outcome: PhantomData,
        }
    }
}

impl<T: Outcome> Dist<T> {
    /// The answer that the distribution holds: how it was found, its tails, and what reports need.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The answer that the distribution holds.
    #[must_use]
    pub fn into_answer(self) -> Answer {
        self.answer
    }

    /// The listed outcomes with their probabilities, in ascending order; labels of a rule in the order of their first appearance in it,
    /// and those of [`Dist::map`] and [`Dist::weighted`] in alphabetical order.
    /// Of a sampled distribution these are the shares of the rolls.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let coin: Dist = Dist::uniform(0..=1);
    /// for (outcome, probability) in &coin.times(2) {
    ///     println!("{outcome}: {probability}");
    /// }
    /// assert_eq!(coin.times(2).iter().count(), 3);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (T, Fraction)> + '_ {
        let weighted = self.weights();
        weighted.map(|(outcome, weight)| (outcome, self.answer.probability(weight)))
    }

    /// The listed outcomes with their weights, as [`Dist::iter`] lists them. The weights are over [`Dist::total`].
    pub fn weights(&self) -> impl Iterator<Item = (T, &Weight)> {
        let outcomes = self.answer.outcomes().iter();
        outcomes.map(|(value, weight)| (T::read(value, &self.answer.unit), weight))
    }

    /// The common denominator of all weights.
    #[must_use]
    pub fn total(&self) -> &Weight {
        self.answer.total()
    }

    /// The number of listed outcomes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answer.outcomes().len()
    }

    /// Whether no outcome is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the listed outcomes are the whole distribution, and are exact.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.answer.is_complete() && !self.is_sampled()
    }

    /// Whether the distribution counts random rolls. Then all its figures are bounds.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.answer.sampling().is_some()
    }

    /// The distribution of a function of the outcome. Weight on outcomes that are not listed becomes unresolved.
    ///
    /// # Panics
    ///
    /// If the distribution is sampled, or if fractions have no common denominator of at most
    /// [`MAX_BITS`](crate::number::MAX_BITS) bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let d20: Dist = Dist::uniform(1..=20);
    /// let hit: Dist<bool> = d20.map(|roll| roll >= 15.into());
    /// assert_eq!(hit.probability_of(true).to_string(), "3/10");
    /// ```
    #[must_use]
    #[track_caller]
    pub fn map<U: Listed>(&self, mut function: impl FnMut(T) -> U) -> Dist<U> {
        self.must_be_exact();
        let weighted = self.weights();
        let weighted = weighted.map(|(outcome, weight)| (function(outcome), weight.clone()));
        Dist::over(
            weighted.collect(),
            self.total().clone(),
            self.answer.never_ends(),
        )
    }

    /// The distribution of a function of two independent outcomes. Weight on outcomes that are not listed becomes unresolved. Takes time
    /// in proportion to the product of the numbers of outcomes, without limits; sums are faster with `+`.
    ///
    /// # Panics
    ///
    /// As [`Dist::map`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let d6: Dist = Dist::uniform(1..=6);
    /// let advantage: Dist = d6.combine(&d6, |a, b| a.max(b));
    /// assert_eq!(advantage.probability_of(6).to_string(), "11/36");
    /// ```
    #[must_use]
    #[track_caller]
    pub fn combine<U: Outcome, V: Listed>(
        &self,
        other: &Dist<U>,
        mut function: impl FnMut(T, U) -> V,
    ) -> Dist<V> {
        self.must_be_exact();
        other.must_be_exact();
        let theirs: Vec<(U, &Weight)> = other.weights().collect();
        let mut weighted = Vec::new();
        for (ours, weight) in self.weights() {
            let pairs = theirs.iter().map(|(theirs, by)| {
                let outcome = function(ours.clone(), theirs.clone());
                (outcome, weight * *by)
            });
            weighted.extend(pairs);
        }
        let total = self.total() * other.total();
        let ends =
            (self.total() - self.answer.never_ends()) * (other.total() - other.answer.never_ends());
        let never_ends = &total - ends;
        Dist::over(weighted, total, never_ends)
    }

    /// The distribution given that a condition holds. `None` if it never does, or if the distribution is not
    /// [complete](Dist::is_complete): write the condition into the rule then, with [`Number::given`](crate::dice::Number::given) or `given` of Bones.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let d6: Dist = Dist::uniform(1..=6);
    /// let high = d6.given(|roll| *roll >= 5.into()).unwrap();
    /// assert_eq!(high.probability_of(6).to_string(), "1/2");
    /// ```
    #[must_use]
    pub fn given(&self, mut condition: impl FnMut(&T) -> bool) -> Option<Self>
    where
        T: Listed,
    {
        if !self.is_complete() {
            return None;
        }
        let kept = self.weights().filter(|(outcome, _)| condition(outcome));
        let kept = kept.map(|(outcome, weight)| (outcome, weight.clone()));
        let kept: Vec<(T, Weight)> = kept.collect();
        let total: Weight = kept.iter().map(|(_, weight)| weight).sum();
        (total != Weight::ZERO).then(|| Self::over(kept, total, Weight::ZERO))
    }

    #[track_caller]
    fn must_be_exact(&self) {
        if let Err(error) = self.exact() {
            panic!("{error}");
        }
    }

    /// Fails for a sampled distribution.
    fn exact(&self) -> Result<(), Error> {
        if !self.is_sampled() {
            return Ok(());
        }
        let message = "a sampled distribution has no exact sums and images";
        let finding = Diagnostic::without_place(message);
        let help = "solve the whole rule, or sample it as one";
        Err(Error::new(ErrorKind::Type, finding.with_help(help)))
    }
}

impl<'d, T: Outcome> IntoIterator for &'d Dist<T> {
    type Item = (T, Fraction);
    type IntoIter = Box<dyn Iterator<Item = (T, Fraction)> + 'd>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl<T: Outcome> TryFrom<Answer> for Dist<T> {
    type Error = Error;

    /// The distribution of an answer.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Type`] if some outcome has another type.
    fn try_from(answer: Answer) -> Result<Self, Error> {
        if T::fits(&answer) {
            return Ok(Self {
                answer,
                outcome: PhantomData,
            });
        }
        let message = format!("the values are not all {}", T::NAME);
        let finding = Diagnostic::without_place(message);
        let help = "`solve_as` takes any type of outcomes, and `solve` whole numbers";
        Err(Error::new(ErrorKind::Type, finding.with_help(help)))
    }
}

impl<T> From<Dist<T>> for Answer {
    fn from(dist: Dist<T>) -> Self {
        dist.answer
    }
}

/// Two distributions are equal if they list the same outcomes with the same probabilities, and have the same weights outside of the list.
impl<T: Outcome> PartialEq for Dist<T> {
    fn eq(&self, other: &Self) -> bool {
        let common = lcm(self.total(), other.total());
        let [ours, theirs] = [self, other].map(|dist| &common / dist.total());
        let unlisted = |dist: &Self, scale: &Weight| {
            let masses = dist.answer.law.masses().into_iter();
            let masses = masses.map(|mass| (mass.low, mass.high, mass.weight * scale));
            (masses.collect::<Vec<_>>(), dist.answer.never_ends() * scale)
        };
        self.is_sampled() == other.is_sampled()
            && self.answer.unit == other.answer.unit
            && self.len() == other.len()
            && unlisted(self, &ours) == unlisted(other, &theirs)
            && self
                .weights()
                .zip(other.weights())
                .all(|((a, weight), (b, other))| a == b && weight * &ours == other * &theirs)
    }
}

/// A condition is shown as one, with `no` and `yes`.
impl<T: Outcome> From<Dist<T>> for Answered {
    fn from(dist: Dist<T>) -> Self {
        let answered = Self::from(dist.answer);
        Self {
            is_condition: T::IS_CONDITION,
            ..answered
        }
    }
}
