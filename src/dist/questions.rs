//! Questions about a distribution: probabilities, moments, quantiles, comparisons.

use super::{Dist, IntoOutcome, Numeric, Outcome};
use crate::algebra::Listing as _;
use crate::algebra::weight::probability;
use crate::compare::{Comparison, disagreement};
use crate::engine::{Sampling, Value};
use crate::limits::{Budget, LimitReached, Limits, Unobserved};
use crate::number::{Fraction, Integer};
use crate::summary::{self, Figure, Moment, Query, Summary};

impl<T: Outcome> Dist<T> {
    /// The probability of an outcome. A list is given in ascending order, unless the rule was solved in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::{Dist, Rule};
    /// use dicedist::number::Integer;
    ///
    /// let best: Dist<Vec<Integer>> = Rule::bones("high 2 3#d6")?.solve_as()?;
    /// assert_eq!(best.probability_of([6, 6]).to_string(), "2/27"); // 1 + 3 * 5 of 216
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn probability_of(&self, outcome: impl IntoOutcome<T>) -> Figure {
        let outcome = outcome.into_outcome();
        let answer = &self.answer;
        if let Some(number) = outcome.number(&answer.unit)
            && let Some(figure) = summary::event(answer, &Query::Exactly(number))
        {
            return figure;
        }
        let place = outcome.place(answer);
        if let Some(sampling) = self.sampling() {
            let interval = place.map(|place| sampling.intervals[place].clone());
            return match interval {
                Some(interval) => Figure::between(interval.low, interval.high),
                None => Figure::between(Fraction::default(), sampling.unseen.clone()),
            };
        }
        let listed = place.map(|place| answer.outcomes().weights()[place].clone());
        let sure = listed.unwrap_or_default();
        let open = answer.total() - answer.outcomes().mass() - answer.never_ends();
        let possible = &sure + open;
        let [sure, possible] = [sure, possible].map(|weight| answer.probability(&weight));
        Figure::between(sure, possible)
    }

    /// How the rule was sampled; `None` for an exact distribution.
    #[must_use]
    pub fn sampling(&self) -> Option<&Sampling> {
        self.answer.sampling()
    }

    /// The probability of results that were not followed to their end. They may be any outcome.
    #[must_use]
    pub fn unresolved(&self) -> Fraction {
        self.answer.probability(&self.answer.unresolved())
    }

    /// The probability that a roll never ends.
    #[must_use]
    pub fn never_ends(&self) -> Fraction {
        self.answer.probability(&self.answer.never_ends())
    }

    /// The figures that describe the distribution, in one pass: linear in the outcomes.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::of(&self.answer)
    }

    /// The most likely outcomes, ascending; none if it is not certain which they are.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let d6: Dist = Dist::uniform(1..=6);
    /// assert_eq!((&d6 + &d6).modes(), [7.into()]);
    /// assert_eq!(d6.modes().len(), 6);
    /// ```
    #[must_use]
    pub fn modes(&self) -> Vec<T> {
        if !self.is_complete() && self.summary().mode.is_none() {
            return Vec::new();
        }
        let Some(most) = self.weights().map(|(_, weight)| weight).max() else {
            return Vec::new();
        };
        let likely = self.weights().filter(|&(_, weight)| weight == most);
        likely.map(|(outcome, _)| outcome).collect()
    }

    /// Whether two distributions are consistent: both can be true of the same rule. Complete distributions agree if they are equal. A list
    /// can be compared with a number, and the result of an exact analysis with that of a limited one.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        disagreement(&self.answer, &other.answer).is_none()
    }
}

impl<T: Numeric> Dist<T> {
    /// The probability of this outcome or a higher one.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// let ability = Rule::bones("sum(drop low 1 4#d6)")?.solve()?;
    /// assert_eq!(ability.at_least(18).to_string(), "7/432");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn at_least(&self, bound: impl IntoOutcome<T>) -> Figure {
        self.event(
            bound
                .into_outcome()
                .ceil(&self.answer.unit)
                .map(Query::AtLeast),
        )
    }

    /// The probability of this outcome or a lower one.
    #[must_use]
    pub fn at_most(&self, bound: impl IntoOutcome<T>) -> Figure {
        self.event(
            bound
                .into_outcome()
                .floor(&self.answer.unit)
                .map(Query::AtMost),
        )
    }

    /// The probability of a higher outcome than this.
    #[must_use]
    pub fn more_than(&self, bound: impl IntoOutcome<T>) -> Figure {
        let floor = bound.into_outcome().floor(&self.answer.unit);
        self.event(floor.map(|floor| Query::AtLeast(floor + 1)))
    }

    /// The probability of a lower outcome than this.
    #[must_use]
    pub fn less_than(&self, bound: impl IntoOutcome<T>) -> Figure {
        let ceil = bound.into_outcome().ceil(&self.answer.unit);
        self.event(ceil.map(|ceil| Query::AtMost(ceil - 1)))
    }

    /// The probability of an outcome from the first of these to the second.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// let move_ = Rule::tabletop("2d6")?.solve()?;
    /// assert_eq!(move_.between(7, 9).to_string(), "5/12"); // 6 + 5 + 4 of 36
    /// assert_eq!(move_.more_than(9), move_.at_least(10));
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn between(&self, least: impl IntoOutcome<T>, most: impl IntoOutcome<T>) -> Figure {
        let (from, above) = (self.at_least(least), self.more_than(most));
        let not_negative = |share: Fraction| share.max(Fraction::default());
        Figure::between(
            not_negative(from.low() - above.high()),
            not_negative(from.high() - above.low()),
        )
    }

    fn event(&self, query: Option<Query>) -> Figure {
        let figure = query.and_then(|query| summary::event(&self.answer, &query));
        // A bound that is too long for a number says nothing.
        let one = Fraction::from_integer(1.into());
        figure.unwrap_or_else(|| Figure::between(Fraction::default(), one))
    }

    /// The mean, given that the roll ends; of a sample the mean of the rolls.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::number::Fraction;
    /// use dicedist::Rule;
    ///
    /// let exploding = Rule::tabletop("1d6!")?.solve()?;
    /// assert_eq!(exploding.mean(), Fraction::new(21.into(), 5.into())); // m = 7/2 + m/6
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn mean(&self) -> Moment {
        summary::mean(&self.answer)
    }

    /// The variance, given that the roll ends. Linear in the outcomes.
    #[must_use]
    pub fn variance(&self) -> Moment {
        self.summary().variance
    }

    /// The standard deviation, rounded; `None` if the variance is not known exactly.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().to_f64().map(f64::sqrt)
    }

    /// The least possible outcome; `None` if there is none, or if it is not known.
    #[must_use]
    pub fn min(&self) -> Option<T> {
        self.in_ones(self.summary().min)
    }

    /// The greatest possible outcome; `None` if there is none, or if it is not known.
    #[must_use]
    pub fn max(&self) -> Option<T> {
        self.in_ones(self.summary().max)
    }

    /// The least outcome with at least half of the probability at or below it; `None` if it is not certain.
    #[must_use]
    pub fn median(&self) -> Option<T> {
        self.quantile(&Fraction::new(1.into(), 2.into()))
    }

    /// The least outcome with at least this probability at or below it, given that the roll ends; `None` if it is not certain, or if
    /// the probability is not above 0 and at most 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    /// use dicedist::number::Fraction;
    ///
    /// let d20: Dist = Dist::uniform(1..=20);
    /// assert_eq!(d20.quantile(&Fraction::new(95.into(), 100.into())), Some(19.into()));
    /// ```
    #[must_use]
    pub fn quantile(&self, probability: &Fraction) -> Option<T> {
        self.in_ones(summary::quantile(&self.answer, probability))
    }

    /// [`Dist::quantile`] in hundredths: `percentile(95)` is the least outcome that 95% of the rolls do not exceed.
    #[must_use]
    pub fn percentile(&self, percent: u32) -> Option<T> {
        self.quantile(&Fraction::new(percent.into(), 100.into()))
    }

    /// The tail below the listed outcomes: its greatest possible outcome, and its probability.
    #[must_use]
    pub fn below(&self) -> Option<(T, Fraction)> {
        self.tail(self.answer.below()?)
    }

    /// The tail above the listed outcomes: its least possible outcome, and its probability.
    #[must_use]
    pub fn above(&self) -> Option<(T, Fraction)> {
        self.tail(self.answer.above()?)
    }

    fn tail(&self, tail: &crate::algebra::Tail) -> Option<(T, Fraction)> {
        let weight = probability(&tail.weight, self.total());
        Some((self.in_ones(Some(tail.bound.clone()))?, weight))
    }

    /// How this distribution compares with another, as two independent rolls: who is higher how often, and how far the distributions
    /// lie apart. `None` if one is sampled, or if fractions have no common denominator of at most
    /// [`MAX_BITS`](crate::number::MAX_BITS) bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    /// use dicedist::compare::Dominance;
    ///
    /// let [d6, d8]: [Dist; 2] = [Dist::uniform(1..=6), Dist::uniform(1..=8)];
    /// let duel = d8.versus(&d6).unwrap();
    /// assert_eq!(duel.a_wins.to_string(), "9/16");
    /// assert_eq!(duel.dominance, Dominance::A);
    /// ```
    #[must_use]
    pub fn versus(&self, other: &Self) -> Option<Comparison> {
        let limits = Limits::unbounded();
        let compared = self.versus_within(other, &Budget::start(&limits, &Unobserved));
        compared.ok().flatten()
    }

    /// As [`Dist::versus`], within a budget.
    ///
    /// # Errors
    ///
    /// The limit of the budget that is reached.
    pub fn versus_within(
        &self,
        other: &Self,
        budget: &Budget<'_>,
    ) -> Result<Option<Comparison>, LimitReached> {
        let unit = self.answer.unit.common(&other.answer.unit);
        let answers = unit.ok().and_then(|unit| {
            let [ours, theirs] = [self, other].map(|dist| dist.in_unit(&unit));
            Some([ours?, theirs?])
        });
        match answers {
            Some([ours, theirs]) => Comparison::within(&ours, &theirs, budget),
            None => Ok(None),
        }
    }

    /// A number of the answer as an outcome.
    fn in_ones(&self, number: Option<Integer>) -> Option<T> {
        number.map(|number| T::read(Value::Number(&number), &self.answer.unit))
    }
}
