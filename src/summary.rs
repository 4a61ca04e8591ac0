//! One distribution in a few exact figures: mean, variance, shape, quantiles, and the probability of events.
//!
//! In: an [`Answer`]. Out: figures that are exact, or that say that they are not known. An answer may list only part of
//! its outcomes and locate the rest in a tail. No figure is taken from the listed part alone.
//!
//! - If some rolls never end, every figure of [`Summary`] is *conditional* on the roll ending. The probabilities of
//!   [`event`] are not: a roll that never ends reaches no target.
//! - The `p`-quantile is the smallest value `x` with `P(X <= x) >= p`; the median of a d6 is 3.
//! - With power sums `S_k = Σ w (x - min)^k`, central moments are integers over a power of `S_0`:
//!   `N_2 = S_0 S_2 - S_1²`, `N_3 = S_0² S_3 - 3 S_0 S_1 S_2 + 2 S_1³`,
//!   `N_4 = S_0³ S_4 - 4 S_0² S_1 S_3 + 6 S_0 S_1² S_2 - 3 S_1⁴`; the variance is `N_2 / S_0²`, the skewness
//!   `N_3 / N_2^(3/2)`, and the kurtosis `N_4 / N_2²`.

mod figure;
mod percentile;
mod shape;

use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use crate::algebra::weight::figure;
use crate::algebra::{Distribution, Listing as _, Weight};
use crate::engine::{Answer, Interval, Outcomes, Sampling};
use crate::ir::Member;
use crate::number::{Fraction, Integer};
use shape::{Shape, Spread};

pub use percentile::Percentile;

/// An event whose probability is asked for. Its number is in the unit of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Query {
    /// The roll is this value or a higher one.
    AtLeast(Integer),
    /// The roll is this value or a lower one.
    AtMost(Integer),
    /// The roll is this value.
    Exactly(Integer),
    /// The roll is this label.
    Label(Arc<str>),
    /// A condition holds: its text. [`crate::notation::condition`] makes the program that answers it.
    Condition(Arc<str>),
}

impl Query {
    /// The name of the kind of event in JSON and CSV, such as `at-least`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::AtLeast(_) => "at-least",
            Self::AtMost(_) => "at-most",
            Self::Exactly(_) | Self::Label(_) => "exactly",
            Self::Condition(_) => "chance",
        }
    }

    /// The number in the event; `None` for labels and conditions.
    #[must_use]
    pub fn number(&self) -> Option<&Integer> {
        match self {
            Self::AtLeast(number) | Self::AtMost(number) | Self::Exactly(number) => Some(number),
            Self::Label(_) | Self::Condition(_) => None,
        }
    }

    /// The event as an interval of numbers: its ends, both included. `None` is no end.
    fn ends(&self) -> Option<[Option<&Integer>; 2]> {
        match self {
            Self::AtLeast(number) => Some([Some(number), None]),
            Self::AtMost(number) => Some([None, Some(number)]),
            Self::Exactly(number) => Some([Some(number), Some(number)]),
            Self::Label(_) | Self::Condition(_) => None,
        }
    }

    /// Whether the event is this one number or label.
    fn is(&self, member: &Member) -> bool {
        match (self, member) {
            (Self::Exactly(number), Member::Number(member)) => number == member,
            (Self::Label(text), Member::Label(label)) => *text == label.text,
            _ => false,
        }
    }
}

/// A figure, known exactly or within bounds. Mass at an unknown place may leave it open.
///
/// # Examples
///
/// ```
/// use dicedist::number::Fraction;
/// use dicedist::summary::Figure;
///
/// let half = Fraction::new(1.into(), 2.into());
/// assert_eq!(Figure::between(half.clone(), half.clone()).exact(), Some(&half));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The exact value.
    Exact(Fraction),
    /// The value lies within these bounds, both included.
    Between {
        /// The lower bound.
        low: Fraction,
        /// The upper bound.
        high: Fraction,
    },
}

impl Figure {
    /// The figure with these bounds; exact where they meet.
    #[must_use]
    pub fn between(low: Fraction, high: Fraction) -> Self {
        if low == high {
            Self::Exact(low)
        } else {
            Self::Between { low, high }
        }
    }

    /// The figure, if it is exact.
    #[must_use]
    pub fn exact(&self) -> Option<&Fraction> {
        match self {
            Self::Exact(figure) => Some(figure),
            Self::Between { .. } => None,
        }
    }

    /// The lower bound; the figure itself, if it is exact.
    #[must_use]
    pub fn low(&self) -> &Fraction {
        match self {
            Self::Exact(low) | Self::Between { low, .. } => low,
        }
    }

    /// The upper bound; the figure itself, if it is exact.
    #[must_use]
    pub fn high(&self) -> &Fraction {
        match self {
            Self::Exact(high) | Self::Between { high, .. } => high,
        }
    }
}

/// A mean, a variance, or a figure of higher moments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moment<T = Fraction> {
    /// The exact value.
    Finite(T),
    /// The exact ends between which the figure lies.
    Between {
        /// The lower end.
        low: T,
        /// The upper end.
        high: T,
    },
    /// The figure is infinite.
    Infinite,
    /// The figure does not exist: for lists, for a rule that never ends, for the skewness and the kurtosis of a
    /// constant.
    Undefined,
    /// The figure is not known, because some mass is not listed.
    Unknown,
}

impl<T> Moment<T> {
    /// The moment, if it is known and finite.
    #[must_use]
    pub fn finite(&self) -> Option<&T> {
        match self {
            Self::Finite(moment) => Some(moment),
            Self::Between { .. } | Self::Infinite | Self::Undefined | Self::Unknown => None,
        }
    }
}

/// The square root of a fraction, with a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The sign of the root.
    pub sign: Sign,
    /// The square of the root.
    pub square: Fraction,
}

/// The figures that describe one distribution.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Distribution;
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::{Fraction, Integer};
/// use dicedist::summary::{Moment, Summary};
///
/// let d6 = Distribution::new((1_i64..=6).map(|face| (Integer::from(face), 1u32.into())), 6u32.into());
/// let summary = Summary::of(&Answer::exact(Outcomes::Numbers(d6), 6));
/// assert_eq!(summary.mean, Moment::Finite(Fraction::new(7.into(), 2.into())));
/// assert_eq!(summary.variance, Moment::Finite(Fraction::new(35.into(), 12.into())));
/// assert_eq!(summary.median, Some(Integer::from(3_i64)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The mean. Like the variance, it is in lowest terms unless its denominator is longer than half a million bits.
    pub mean: Moment,
    /// The variance.
    pub variance: Moment,
    /// The third standardised moment, not in lowest terms; undefined where the variance is zero or infinite.
    pub skewness: Moment<Root>,
    /// The fourth standardised moment less 3, not in lowest terms; undefined where the variance is zero or infinite.
    pub excess_kurtosis: Moment,
    /// The lowest possible value, in the unit of the answer; `None` if it is unknown, or there is none.
    pub min: Option<Integer>,
    /// The smallest value that is exceeded at most half the time, in the unit of the answer; `None` if it is unknown, or there is none.
    pub median: Option<Integer>,
    /// The highest possible value, in the unit of the answer; `None` if it is unknown, or there is none.
    pub max: Option<Integer>,
    /// The indexes of the most likely outcomes among the listed ones, ascending; `None` if they are not certain.
    /// [`Outcomes::value`] gives the outcome at an index.
    pub mode: Option<Vec<usize>>,
    /// Whether all figures are conditional on the roll ending, because it may never end.
    pub conditional: bool,
}

impl Summary {
    /// The summary of an answer, in time linear in the outcomes. Every figure of a sampled answer is unknown, since
    /// nothing in it is exact.
    #[must_use]
    pub fn of(answer: &Answer) -> Self {
        let unknown = Self {
            mean: Moment::Unknown,
            variance: Moment::Unknown,
            skewness: Moment::Unknown,
            excess_kurtosis: Moment::Unknown,
            min: None,
            median: None,
            max: None,
            mode: None,
            conditional: !answer.never_ends().is_zero(),
        };
        if answer.sampling().is_some() {
            return unknown;
        }
        let undefined = Self {
            mean: Moment::Undefined,
            variance: Moment::Undefined,
            skewness: Moment::Undefined,
            excess_kurtosis: Moment::Undefined,
            ..unknown.clone()
        };
        let numbers = match answer.outcomes() {
            Outcomes::Lists(lists) => {
                let mode = mode(lists, answer);
                return Self { mode, ..undefined };
            }
            Outcomes::Members(members) => {
                let mode = mode(members, answer);
                return Self { mode, ..undefined };
            }
            Outcomes::Numbers(numbers) => numbers,
        };
        if answer.never_ends() == *answer.total() {
            return undefined;
        }
        let resolved = answer.unresolved().is_zero();
        let shape = is_listed(answer).then(|| Shape::of(numbers)).flatten();
        let [mean, variance] = moments(answer, shape.as_ref().map(|shape| &shape.spread));
        let (skewness, excess_kurtosis) = match (&variance, &shape) {
            (Moment::Infinite, _) => (Moment::Undefined, Moment::Undefined),
            (Moment::Finite(variance), _) if variance.is_zero() => {
                (Moment::Undefined, Moment::Undefined)
            }
            (_, Some(shape)) => {
                let (sign, square) = shape.skewness();
                (
                    Moment::Finite(Root { sign, square }),
                    Moment::Finite(shape.excess_kurtosis()),
                )
            }
            (_, None) => (Moment::Unknown, Moment::Unknown),
        };
        let (below, above) = (answer.below(), answer.above());
        let outcomes = numbers.outcomes();
        Self {
            mean,
            variance,
            skewness,
            excess_kurtosis,
            min: outcomes
                .first()
                .filter(|_| resolved && below.is_none())
                .cloned(),
            median: quantile(answer, &Fraction::new(1.into(), 2.into())),
            max: outcomes
                .last()
                .filter(|_| resolved && above.is_none())
                .cloned(),
            mode: mode(numbers, answer),
            ..unknown
        }
    }
}

/// The mean of an answer, or the observed mean of a sample.
#[must_use]
pub fn mean(answer: &Answer) -> Moment {
    if answer.sampling().is_some() {
        let [mean, _] = observed_moments(answer);
        return mean;
    }
    let Some(numbers) = answer.numbers() else {
        return Moment::Undefined;
    };
    if answer.never_ends() == *answer.total() {
        return Moment::Undefined;
    }
    let spread = is_listed(answer).then(|| Spread::of(numbers)).flatten();
    let [mean, _] = moments(answer, spread.as_ref());
    mean
}

/// Whether every outcome is listed.
fn is_listed(answer: &Answer) -> bool {
    answer.unresolved().is_zero() && answer.tail_weight().is_zero()
}

/// The mean and the variance: those that the engine knows, else those of the outcomes, if all are listed.
fn moments(answer: &Answer, listed: Option<&Spread>) -> [Moment; 2] {
    let finite = |moment: Option<Fraction>| moment.map_or(Moment::Infinite, Moment::Finite);
    let found = match (answer.moments(), listed) {
        (Some(moments), _) => [finite(moments.first.clone()), finite(moments.variance())],
        (None, Some(spread)) => [spread.mean(), spread.variance()].map(Moment::Finite),
        (None, None) => [mean_between(answer), Moment::Unknown],
    };
    in_ones(found, answer)
}

/// A mean and a variance that are in the unit of an answer, as numbers.
fn in_ones([mean, variance]: [Moment; 2], answer: &Answer) -> [Moment; 2] {
    if answer.unit.is_whole() {
        return [mean, variance];
    }
    let part = Fraction::new(BigInt::one(), answer.unit.parts().to_big());
    let times = |moment: Moment, factor: &Fraction| match moment {
        Moment::Finite(moment) => Moment::Finite(moment * factor),
        Moment::Between { low, high } => Moment::Between {
            low: low * factor,
            high: high * factor,
        },
        other => other,
    };
    [times(mean, &part), times(variance, &(&part * &part))]
}

/// The ends of the mean of an answer whose moments are not known.
fn mean_between(answer: &Answer) -> Moment {
    match answer.mean_between() {
        Some([low, high]) if low == high => Moment::Finite(low),
        Some([low, high]) => Moment::Between { low, high },
        None => Moment::Unknown,
    }
}

/// The indexes of the most likely outcomes; `None` if mass at an unknown place could change them.
fn mode<T>(distribution: &Distribution<T>, answer: &Answer) -> Option<Vec<usize>> {
    let highest = distribution.iter().map(|(_, weight)| weight).max()?;
    let most_likely = |bound: &Weight| {
        let weights = distribution.iter().enumerate();
        weights
            .filter(|(_, (_, weight))| *weight >= bound)
            .map(|(place, _)| place)
            .collect::<Vec<usize>>()
    };
    let unresolved = answer.unresolved();
    if unresolved.is_zero() {
        // A tail lies beyond all listed outcomes. It adds to none of them, but one outcome in it may weigh more.
        let mut tails = [answer.below(), answer.above()].into_iter().flatten();
        let outdone = tails.any(|tail| tail.weight >= *highest);
        return (!outdone).then(|| most_likely(highest));
    }
    let elsewhere = answer.tail_weight() + unresolved;
    if elsewhere >= *highest {
        return None;
    }
    let candidates = most_likely(&(highest - elsewhere));
    (candidates.len() == 1).then_some(candidates)
}

/// The smallest value `x` with `P(X <= x) >= p`, given that the roll ends, in the unit of the answer; `None` if it is not known, or the outcomes
/// are lists.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Distribution;
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::{Fraction, Integer};
///
/// let d20 = Distribution::new((1_i64..=20).map(|face| (Integer::from(face), 1u32.into())), 20u32.into());
/// let answer = Answer::exact(Outcomes::Numbers(d20), 20);
/// let p = Fraction::new(95.into(), 100.into());
/// assert_eq!(dicedist::summary::quantile(&answer, &p), Some(Integer::from(19_i64)));
/// ```
#[must_use]
pub fn quantile(answer: &Answer, p: &Fraction) -> Option<Integer> {
    if answer.sampling().is_some() {
        return None;
    }
    let [zero, one] = [0, 1].map(|whole| Fraction::from_integer(whole.into()));
    if *p <= zero || *p > one {
        return None;
    }
    let numbers = answer.numbers()?;
    let ending = answer.total() - answer.never_ends();
    // P(X <= x) >= a/b is: cumulative weight >= ending weight times a, over b, rounded up.
    let needed = ending * p.numer().magnitude();
    let parts = p.denom().magnitude();
    let needed = (needed + parts - 1_u32) / parts;
    // With the unresolved weight, a lower value may be the quantile.
    let unresolved = answer.unresolved();
    let may_be_enough = if unresolved < needed {
        &needed - unresolved
    } else {
        Weight::ZERO
    };
    // All listed outcomes lie above the tail below and under the tail above.
    let mut passed = answer
        .below()
        .map_or(Weight::ZERO, |tail| tail.weight.clone());
    for (outcome, weight) in numbers.iter() {
        if passed >= may_be_enough {
            return None;
        }
        passed += weight;
        if passed >= needed {
            return Some(outcome.clone());
        }
    }
    None
}

/// The probability of an event, exact, or within bounds if mass lies at an unknown place. For a
/// sampled answer, these are bounds that hold together with its other intervals. Fractions are in lowest terms, unless
/// the denominator is longer than half a million bits.
///
/// `None` where the question has no answer: lists, labels above a number, and conditions, which have an answer of their own
/// ([`crate::report::Answered::conditions`]).
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Distribution;
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::{Fraction, Integer};
/// use dicedist::summary::{Figure, Query, event};
///
/// let d20 = Distribution::new((1_i64..=20).map(|face| (Integer::from(face), 1u32.into())), 20u32.into());
/// let answer = Answer::exact(Outcomes::Numbers(d20), 20);
/// let hit = event(&answer, &Query::AtLeast(Integer::from(15_i64)));
/// assert_eq!(hit, Some(Figure::Exact(Fraction::new(3.into(), 10.into()))));
/// ```
#[must_use]
pub fn event(answer: &Answer, query: &Query) -> Option<Figure> {
    let listed = listed_weight(answer, query)?;
    if let Some(sampling) = answer.sampling() {
        return Some(sampled_event(sampling, &listed, answer, query));
    }
    let (sure, possible) = match query.ends() {
        Some([low, high]) if answer.numbers().is_some() => answer.law.weight_between(low, high),
        _ => {
            let elsewhere = answer.outcomes().mass() + answer.never_ends();
            let open = answer.total() - &elsewhere;
            (listed.clone(), listed + open)
        }
    };
    Some(Figure::between(
        figure(&sure.into(), answer.total()),
        figure(&possible.into(), answer.total()),
    ))
}

/// Bounds of the probability of an event in a sampled answer. A sample that took too many steps may have any value.
fn sampled_event(sampling: &Sampling, listed: &Weight, answer: &Answer, query: &Query) -> Figure {
    let bounds = match query {
        Query::AtLeast(_) | Query::AtMost(_) => {
            let [low, high] = query.ends().unwrap_or_default();
            sampling.between(low, high, listed.try_into().unwrap_or(sampling.samples))
        }
        Query::Exactly(_) | Query::Label(_) | Query::Condition(_) => match place(answer, query) {
            Some(place) => sampling.intervals[place].clone(),
            None => Interval {
                low: Fraction::zero(),
                high: sampling.unseen.clone(),
            },
        },
    };
    let high = bounds.high + &sampling.overlong.high;
    Figure::between(bounds.low, high.min(Fraction::one()))
}

/// The place of a number or label among the listed outcomes.
fn place(answer: &Answer, query: &Query) -> Option<usize> {
    match answer.outcomes() {
        Outcomes::Numbers(numbers) => numbers.outcomes().binary_search(query.number()?).ok(),
        Outcomes::Members(members) => {
            let mut outcomes = members.outcomes().iter();
            outcomes.position(|outcome| matches!(&outcome[..], [only] if query.is(only)))
        }
        Outcomes::Lists(_) => None,
    }
}

/// Mean and variance of the listed numbers of a sample; unknown if there is none.
pub(crate) fn observed_moments(answer: &Answer) -> [Moment; 2] {
    match answer.numbers().and_then(Spread::of) {
        Some(spread) => in_ones(
            [spread.mean(), spread.variance()].map(Moment::Finite),
            answer,
        ),
        None => [Moment::Unknown, Moment::Unknown],
    }
}

/// The weight of the listed outcomes for which an event holds; `None` where the question has no answer.
pub(crate) fn listed_weight(answer: &Answer, query: &Query) -> Option<Weight> {
    if let (Some(_), Some([low, high])) = (answer.numbers(), query.ends()) {
        return Some(answer.outcomes().weight_between(low, high));
    }
    let is_one = answer.shape.is_single() && answer.shape.parts().is_none();
    let is_asked = matches!(query, Query::Exactly(_) | Query::Label(_));
    if !is_asked || !(is_one || answer.numbers().is_some()) {
        return None;
    }
    let place = place(answer, query);
    Some(place.map_or(Weight::ZERO, |place| {
        answer.outcomes().weights()[place].clone()
    }))
}
