//! Two exact answers to one rule: do they contradict each other?
//!
//! An answer may leave weight open, so it gives the weight of an event as an interval. Two answers contradict each
//! other if these intervals are disjoint for some event, or if both know a moment and it differs.

use crate::algebra::Weight;
use crate::engine::{Answer, MemberRef, Value};
use crate::limits::{Budget, LimitReached, Limits, Unobserved};
use crate::number::Unit;
use crate::summary::{Figure, Moment, Summary};

/// A figure on which two exact answers contradict each other, in words; `None` if they agree.
///
/// If both know the whole distribution, the listed probabilities must be equal. Mass in a tail may lie on any value of
/// the tail. Unresolved mass may also add to a listed value, or never end. Moments must be equal if both know them.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::{Law, Mass, Numbers, Weight};
/// use dicedist::compare::disagreement;
/// use dicedist::engine::Answer;
///
/// let tail = vec![Mass::at_or_above(2.into(), 1_u32.into())];
/// let ones = |total: u32| Numbers::new([(1.into(), 1_u32.into())], total.into());
/// let half = Answer::new(Law::new(ones(2), tail, Weight::ZERO, None), 1);
/// let coin = Answer::new(Law::from(Numbers::die(2)), 2);
/// assert_eq!(disagreement(&half, &coin), None);
/// let one = Answer::new(Law::from(ones(1)), 1);
/// assert_eq!(disagreement(&half, &one).unwrap(), "the probability of (1) is 1/2 by one and 1 by the other");
/// ```
#[must_use]
pub fn disagreement(one: &Answer, other: &Answer) -> Option<String> {
    let limits = Limits::unbounded();
    let found = disagreement_within(one, other, &Budget::start(&limits, &Unobserved));
    found.ok().flatten()
}

/// As [`disagreement`], within a budget. Linear in the number of outcomes, with two products of long weights for each.
///
/// # Errors
///
/// [`LimitReached`] of the budget.
pub fn disagreement_within(
    one: &Answer,
    other: &Answer,
    budget: &Budget<'_>,
) -> Result<Option<String>, LimitReached> {
    Ok(values(one, other, budget)?
        .or_else(|| never_ends(one, other))
        .or_else(|| tails(one, other))
        .or_else(|| moments(one, other)))
}

/// The least and the most weight of an event.
type Bounds = (Weight, Weight);

/// The complaint about the first listed value whose weights contradict each other.
fn values(
    one: &Answer,
    other: &Answer,
    budget: &Budget<'_>,
) -> Result<Option<String>, LimitReached> {
    let limbs = [one, other].map(|answer| answer.total().bits() / 64 + 1);
    let mut listed = [one, other].map(|answer| answer.outcomes().iter().peekable());
    loop {
        budget.work(2 * limbs[0] * limbs[1])?;
        let next = listed
            .each_mut()
            .map(|outcomes| outcomes.peek().map(|(value, _)| *value));
        let Some(value) = next.into_iter().flatten().min() else {
            return Ok(None);
        };
        for outcomes in &mut listed {
            outcomes.next_if(|(other, _)| *other == value);
        }
        let event = || {
            let value = value.exact(&Unit::WHOLE, &one.shape);
            format!("the probability of ({value})")
        };
        let found = contradiction(event, one, other, |answer| weight_of(answer, value));
        if found.is_some() {
            return Ok(found);
        }
    }
}

/// Bounds of the weight of one value. Unresolved weight may add to it.
fn weight_of(answer: &Answer, value: Value<'_>) -> Bounds {
    let mut members = value.members();
    if answer.numbers().is_some()
        && let (Some(MemberRef::Number(number)), None) = (members.next(), members.next())
    {
        return answer.law.weight_between(Some(number), Some(number));
    }
    let outcomes = answer.outcomes();
    let place = outcomes.place(value);
    let listed = place.map_or(Weight::ZERO, |place| outcomes.weights()[place].clone());
    let most = &listed + answer.unresolved();
    (listed, most)
}

/// The complaint about the weights of never ending. Unresolved weight may never end.
fn never_ends(one: &Answer, other: &Answer) -> Option<String> {
    let event = || "the probability that it never ends".into();
    contradiction(event, one, other, |answer| {
        let least = answer.never_ends();
        let most = &least + answer.unresolved();
        (least, most)
    })
}

/// The complaint about the weight from the bound of a tail on.
fn tails(one: &Answer, other: &Answer) -> Option<String> {
    one.numbers().zip(other.numbers())?;
    [one, other].into_iter().find_map(|answer| {
        let below = answer.below().and_then(|tail| {
            let event = || format!("the probability of {} or less", tail.bound);
            contradiction(event, one, other, |answer| {
                answer.law.weight_between(None, Some(&tail.bound))
            })
        });
        let tail = answer.above().filter(|_| below.is_none());
        let above = tail.and_then(|tail| {
            let event = || format!("the probability of {} or more", tail.bound);
            contradiction(event, one, other, |answer| {
                answer.law.weight_between(Some(&tail.bound), None)
            })
        });
        below.or(above)
    })
}

/// The complaint about an event whose bounds are disjoint.
fn contradiction(
    event: impl FnOnce() -> String,
    one: &Answer,
    other: &Answer,
    weight: impl Fn(&Answer) -> Bounds,
) -> Option<String> {
    let (bounds, others) = (weight(one), weight(other));
    // The weights are over different totals.
    let exceeds = |(least, a): (&Weight, &Answer), (most, b): (&Weight, &Answer)| {
        least * b.total() > most * a.total()
    };
    let is_apart = exceeds((&bounds.0, one), (&others.1, other))
        || exceeds((&others.0, other), (&bounds.1, one));
    is_apart.then(|| {
        let text = |answer: &Answer, (least, most): &Bounds| match Figure::between(
            answer.probability(least),
            answer.probability(most),
        ) {
            Figure::Exact(exact) => exact.to_string(),
            Figure::Between { low, high } => format!("{low} to {high}"),
        };
        let (event, bounds, others) = (event(), text(one, &bounds), text(other, &others));
        format!("{event} is {bounds} by one and {others} by the other")
    })
}

/// The complaint about a moment that both know and that differs.
fn moments(one: &Answer, other: &Answer) -> Option<String> {
    let (one, other) = (Summary::of(one), Summary::of(other));
    let differ = |name, one: &Moment, other: &Moment| {
        let (text, other_text) = (known(one)?, known(other)?);
        (one != other).then(|| format!("the {name} is {text} by one and {other_text} by the other"))
    };
    differ("mean", &one.mean, &other.mean)
        .or_else(|| differ("variance", &one.variance, &other.variance))
}

/// A moment as text, if it is known to be finite or infinite.
fn known(moment: &Moment) -> Option<String> {
    match moment {
        Moment::Finite(moment) => Some(moment.to_string()),
        Moment::Infinite => Some("infinite".into()),
        Moment::Between { .. } | Moment::Undefined | Moment::Unknown => None,
    }
}
