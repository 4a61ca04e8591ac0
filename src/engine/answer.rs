//! The answer of an analysis: listed outcomes with their weights, and the weight that lies on no listed outcome.

use super::confidence::{self, Interval};
use super::outcomes::{Outcomes, Value};
use super::reason::Reason;
use crate::algebra::weight::probability;
use crate::algebra::{Distribution, Law, Moments, Tail, Weight};
use crate::ir::{Program, Shape};
use crate::limits::{Budget, LimitReached};
use crate::number::{Fraction, Integer, Unit};

/// The whole distribution of a rule, as a [`Law`]: the listed outcomes, and the weight that lies on none of them.
///
/// All weights are over one total, [`Answer::total`]. The listed weights, the tails, the unresolved weight and the
/// never-ending weight sum to exactly that total.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The distribution.
    pub law: Law<Outcomes>,
    /// How the outcomes were found.
    pub method: Method,
    /// The evaluator that found the outcomes.
    pub route: Route,
    /// How many states were visited.
    pub states: u64,
    /// The unit of all outcomes, bounds and moments of the law. A report shows each outcome by [`Unit::show`].
    pub unit: Unit,
    /// What the members of the outcomes stand for.
    pub shape: Shape,
    /// Where the engine could not decide whether the rule can fail: the most that the probability of an error can be.
    /// Otherwise 0.
    pub may_fail: Fraction,
    /// Where a plan for a loop is the best of those that stay within so many situations, and there are more of them
    /// ([`Limits::situations`](crate::limits::Limits::situations)); otherwise `None`. A plan that leaves them was not looked at and may be better. All probabilities are those of the plan.
    pub plays_within: Option<u64>,
    /// The ends between which the probability lies that a roll is kept, if the rule leaves rolls out. They are equal where it is
    /// known. The law is that of the rolls that are kept.
    pub given: Option<[Fraction; 2]>,
    /// The distributions of the parts of a record, where they were found apart from the listed records.
    pub(crate) margins: Vec<Option<Self>>,
}

/// The evaluator that found an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// Every path listed, for the reason given.
    Enumerated(Reason),
    /// Residual programs.
    Residual,
    /// Counted random rolls. The limit is the one that stopped an exact attempt before, if there was such an attempt.
    Sampled(Option<LimitReached>),
}

/// How outcomes were found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Every probability is exact, and no weight lies in a tail.
    Exact,
    /// Every listed probability is exact, and so is the weight of each tail.
    ExactWithTail,
    /// Every stated weight is exact, and some weight is [unresolved](Answer::unresolved): no more than the tolerance of a
    /// number, less than half of lists.
    ExactWithUnresolved,
    /// The rule was rolled. Weights count samples, and only the intervals are guaranteed, with the confidence that
    /// they state.
    Sampled(Box<Sampling>),
}

/// How a rule was sampled, and how far its counts can be trusted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sampling {
    /// How many samples were taken: the total.
    pub samples: u64,
    /// The limit that stopped sampling before all samples that were asked for; `None` if these are all.
    pub stopped: Option<LimitReached>,
    /// The seed of the random generator.
    pub seed: u64,
    /// How many steps a sample may take. A sample that takes more has no outcome and counts as
    /// [unresolved](Answer::unresolved).
    pub steps: u64,
    /// A lower bound of the probability that all bounds below hold together.
    pub confidence: Fraction,
    /// The interval of each listed outcome's probability, in the order of the outcomes.
    pub intervals: Vec<Interval>,
    /// The interval of the probability that a sample takes more than [`Sampling::steps`].
    pub overlong: Interval,
    /// The upper bound of the probability of any outcome that no sample showed.
    pub unseen: Fraction,
    /// An upper bound of the distance between the true and the counted cumulative distribution, at any number. A
    /// sample that took too many steps counts as larger than any number.
    pub band: Fraction,
}

impl Sampling {
    /// Bounds of the probability that the value is at most some number, given the share of samples for which it was.
    /// They hold together with all intervals.
    #[must_use]
    pub fn at_most(&self, seen: &Fraction) -> Interval {
        Interval::centred_at(seen, &self.band)
    }

    /// Bounds of the probability that the value is at least some number, given the share of samples for which it was.
    #[must_use]
    pub fn at_least(&self, seen: &Fraction) -> Interval {
        // The probability is 1 - F - P(overlong), with F the probability of all smaller numbers.
        let overlong = &self.overlong.high - &self.overlong.low;
        Interval::centred_at(seen, &(&self.band + overlong))
    }

    /// Bounds of the probability that the value lies in a range with these ends, both included, given the number of
    /// samples for which it did. `None` is no end. They hold together with all intervals, whichever ranges are asked for,
    /// and are closest for a range with one end, and for a round block: the values from a multiple of w to the next, where
    /// w is 2 or 5, or 1, 2 or 5 times a higher power of ten.
    #[must_use]
    pub fn between(&self, low: Option<&Integer>, high: Option<&Integer>, count: u64) -> Interval {
        let seen = Fraction::new(count.into(), self.samples.max(1).into());
        let (band, closer) = match (low, high) {
            (Some(low), Some(high)) => {
                let twice = &self.band + &self.band;
                let rank = confidence::rank_of_block(&low.to_big(), &high.to_big());
                let closer = rank.map(|rank| confidence::of_block(self.samples, rank, count));
                (Interval::centred_at(&seen, &twice), closer)
            }
            (Some(_), None) => {
                let closer = confidence::of_half_line(self.samples, count);
                (self.at_least(&seen), Some(closer))
            }
            (None, Some(_)) => {
                let closer = confidence::of_half_line(self.samples, count);
                (self.at_most(&seen), Some(closer))
            }
            (None, None) => (self.at_least(&seen), None),
        };
        match closer {
            Some(closer) => band.and(closer),
            None => band,
        }
    }
}

impl Answer {
    /// The answer with this law, found by residual programs.
    #[must_use]
    pub fn new(law: impl Into<Law<Outcomes>>, states: u64) -> Self {
        let law = law.into();
        Self {
            method: if law.unresolved() != Weight::ZERO {
                Method::ExactWithUnresolved
            } else if law.above().or(law.below()).is_some() {
                Method::ExactWithTail
            } else {
                Method::Exact
            },
            law,
            route: Route::Residual,
            states,
            unit: Unit::WHOLE,
            shape: Shape::Numbers,
            may_fail: Fraction::default(),
            plays_within: None,
            given: None,
            margins: Vec::new(),
        }
    }

    /// The same answer in units of this program's result.
    #[must_use]
    pub(in crate::engine) fn of_program(self, program: &Program) -> Self {
        let unit = program.unit().clone();
        Self { unit, ..self }.shaped(program.shape(), program.is_sorted())
    }

    /// The same answer with what a shape reads in place of the integers.
    fn shaped(self, shape: &Shape, is_sorted: bool) -> Self {
        if *shape == Shape::Numbers {
            return self;
        }
        let read = |(value, weight): (Value<'_>, &Weight)| {
            let mut members = value
                .numbers()
                .map_or_else(Vec::new, |list| shape.read(list));
            // The order of integers that stand for numbers and labels is not that of numbers and labels.
            if is_sorted && shape.parts().is_none() {
                members.sort_unstable();
            }
            (members, weight.clone())
        };
        let read: Vec<_> = self.outcomes().iter().map(read).collect();
        let mut places: Vec<usize> = (0..read.len()).collect();
        places.sort_by(|&a, &b| read[a].0.cmp(&read[b].0));
        let mut method = self.method.clone();
        if let Method::Sampled(sampling) = &mut method {
            let intervals = places
                .iter()
                .map(|&place| sampling.intervals[place].clone());
            sampling.intervals = intervals.collect();
        }
        let never_ends = self.never_ends();
        let outcomes = Outcomes::Members(Distribution::new(read, self.total().clone()));
        let law = Law::else_unresolved(outcomes, never_ends);
        if !matches!(method, Method::Sampled(_)) {
            method = Self::new(law.clone(), 0).method;
        }
        Self {
            law,
            method,
            shape: shape.clone(),
            ..self
        }
    }

    /// The answer whose whole distribution is listed.
    #[must_use]
    pub fn exact(outcomes: Outcomes, states: u64) -> Self {
        Self::new(Law::from(outcomes), states)
    }

    /// The answer to a rule out of which nothing comes: no outcome, and no weight.
    #[must_use]
    pub fn nothing() -> Self {
        let none = Distribution::new(std::iter::empty(), Weight::from(1_u32));
        Self::exact(Outcomes::Numbers(none), 0)
    }

    /// The listed outcomes.
    #[must_use]
    pub fn outcomes(&self) -> &Outcomes {
        &self.law.listed
    }

    /// The listed outcomes, if all of them are numbers.
    #[must_use]
    pub fn numbers(&self) -> Option<&Distribution<Integer>> {
        self.outcomes().numbers()
    }

    /// The tail above all listed outcomes.
    #[must_use]
    pub fn above(&self) -> Option<&Tail> {
        self.law.above()
    }

    /// The tail below all listed outcomes.
    #[must_use]
    pub fn below(&self) -> Option<&Tail> {
        self.law.below()
    }

    /// Whether the outcomes are known to go on without end beyond those that are listed. A tail of another answer may have an end.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        let unlisted = self.law.unlisted.as_ref();
        unlisted.is_some_and(|unlisted| unlisted.is_endless)
    }

    /// The weight in both tails.
    #[must_use]
    pub fn tail_weight(&self) -> Weight {
        let tails = [self.below(), self.above()];
        tails.into_iter().flatten().map(|tail| &tail.weight).sum()
    }

    /// The weight of paths whose outcome is not known.
    #[must_use]
    pub fn unresolved(&self) -> Weight {
        self.law.unresolved()
    }

    /// The weight of paths that never end.
    #[must_use]
    pub fn never_ends(&self) -> Weight {
        self.law.never_ends()
    }

    /// The moments of the whole distribution, given that the roll ends, where the engine found them apart from the
    /// listed outcomes. `None` where the listed outcomes are the whole distribution, or where the moments are
    /// unknown.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        let unlisted = self.law.unlisted.as_ref()?;
        unlisted.moments.as_ref()?.given_that_it_ends()
    }

    /// The ends between which the mean lies, given that the roll ends, where the engine found them but not the moments.
    #[must_use]
    pub fn mean_between(&self) -> Option<[Fraction; 2]> {
        let unlisted = self.law.unlisted.as_ref()?;
        unlisted.mean.as_ref()?.given_that_it_ends()
    }

    /// The common denominator of all weights.
    #[must_use]
    pub fn total(&self) -> &Weight {
        self.law.total()
    }

    /// A weight of this answer as a probability, reduced.
    #[must_use]
    pub fn probability(&self, weight: &Weight) -> Fraction {
        probability(weight, self.total())
    }

    /// How the rule was sampled, if it was.
    #[must_use]
    pub fn sampling(&self) -> Option<&Sampling> {
        match &self.method {
            Method::Sampled(sampling) => Some(sampling),
            Method::Exact | Method::ExactWithTail | Method::ExactWithUnresolved => None,
        }
    }

    /// The answer to questions about these numbers only: how much lies at, below and above each of them. All outcomes between two of
    /// the numbers are merged into the first of them, so that little is left of a long distribution. An answer whose outcomes are lists, or
    /// that is sampled, stays as it is. Takes time in proportion to the outcomes.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// let answer = Rule::bones("d100")?.solver().answer()?.about(&[90.into()]);
    /// let listed: Vec<_> = answer.numbers().unwrap().iter().map(|(n, weight)| format!("{n}: {weight}")).collect();
    /// assert_eq!(listed, ["1: 89", "90: 1", "91: 10"]);
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn about(self, numbers: &[Integer]) -> Self {
        if self.sampling().is_some() {
            return self;
        }
        let place = |outcome: &Integer| {
            let below = numbers.iter().filter(|number| *number < outcome).count();
            (below, numbers.contains(outcome))
        };
        let merged = |outcomes: Outcomes| match outcomes {
            Outcomes::Lists(_) | Outcomes::Members(_) => outcomes,
            Outcomes::Numbers(listed) => {
                let mut merged: Vec<(Integer, Weight)> = Vec::new();
                let mut last = None;
                for (outcome, weight) in listed.iter() {
                    let place = Some(place(outcome));
                    match merged.last_mut().filter(|_| place == last) {
                        Some((_, sum)) => *sum += weight,
                        None => merged.push((outcome.clone(), weight.clone())),
                    }
                    last = place;
                }
                Outcomes::Numbers(Distribution::new(merged, listed.total().clone()))
            }
        };
        Self {
            law: self.law.relisted(merged),
            ..self
        }
    }

    /// The same answer, ready for reports. Without this the first report makes a number for each weight, and the answer keeps
    /// them beside the form in which they were computed, which may take as much memory again.
    ///
    /// # Errors
    ///
    /// A [`LimitReached`] of the budget.
    pub fn unpacked(self, budget: &Budget<'_>) -> Result<Self, LimitReached> {
        let listed = match self.law.listed {
            Outcomes::Numbers(numbers) => Outcomes::Numbers(numbers.unpacked(budget)?),
            Outcomes::Lists(lists) => Outcomes::Lists(lists.unpacked(budget)?),
            Outcomes::Members(members) => Outcomes::Members(members.unpacked(budget)?),
        };
        let unlisted = self.law.unlisted;
        Ok(Self {
            law: Law { listed, unlisted },
            ..self
        })
    }

    /// Whether the listed outcomes are the whole distribution.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.law.unlisted.is_none()
    }
}
