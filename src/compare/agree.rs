//! Two exact answers to one rule: do they contradict each other?
//!
//! An answer may leave weight open, so it says of an event what its weight is at least and at most. Two answers contradict each other on an
//! event where these intervals are apart, and on a moment that both know and that differs.

use std::collections::BTreeSet;

use crate::algebra::Weight;
use crate::engine::{Answer, Outcomes};
use crate::number::Integer;
use crate::summary::{Figure, Moment, Summary};

/// A figure on which two exact answers contradict each other, in words; `None` if they agree.
///
/// Listed probabilities must be equal where both know the whole distribution. Mass that one of them has in a tail may lie on any value
/// there; mass that it has not resolved may also add to what it lists, or never end. Moments must be equal where both know them.
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
    values(one, other)
        .or_else(|| never_ends(one, other))
        .or_else(|| tails(one, other))
        .or_else(|| moments(one, other))
}

/// The least and the most weight of an event.
type Bounds = (Weight, Weight);

fn values(one: &Answer, other: &Answer) -> Option<String> {
    let listed = [one, other].map(|answer| answer.outcomes().iter());
    let listed = listed.into_iter().flatten();
    let values: BTreeSet<&[Integer]> = listed.map(|(value, _)| value.members()).collect();
    values.into_iter().find_map(|value| {
        let what = || {
            let members: Vec<String> = value.iter().map(ToString::to_string).collect();
            format!("the probability of ({})", members.join(" "))
        };
        apart(what, one, other, |answer| weight_of(answer, value))
    })
}

/// The weight of one value: what is not resolved may add to it.
fn weight_of(answer: &Answer, value: &[Integer]) -> Bounds {
    match (answer.outcomes(), value) {
        (Outcomes::Numbers(_), [number]) => answer.law.weight_between(Some(number), Some(number)),
        (Outcomes::Numbers(_), _) => (Weight::ZERO, answer.unresolved()),
        (Outcomes::Lists(lists), _) => {
            let place = lists
                .outcomes()
                .binary_search_by(|list| list.as_slice().cmp(value));
            let listed = place.map_or(Weight::ZERO, |place| lists.weight(place));
            let most = &listed + answer.unresolved();
            (listed, most)
        }
    }
}

/// What is not resolved may never end as well.
fn never_ends(one: &Answer, other: &Answer) -> Option<String> {
    let what = || "the probability that it never ends".into();
    apart(what, one, other, |answer| {
        let least = answer.never_ends();
        let most = &least + answer.unresolved();
        (least, most)
    })
}

/// What one has in a tail, the other must have there as well.
fn tails(one: &Answer, other: &Answer) -> Option<String> {
    one.numbers().zip(other.numbers())?;
    [one, other].into_iter().find_map(|answer| {
        let below = answer.below().and_then(|tail| {
            let what = || format!("the probability of {} or less", tail.bound);
            apart(what, one, other, |answer| {
                answer.law.weight_between(None, Some(&tail.bound))
            })
        });
        let tail = answer.above().filter(|_| below.is_none());
        let above = tail.and_then(|tail| {
            let what = || format!("the probability of {} or more", tail.bound);
            apart(what, one, other, |answer| {
                answer.law.weight_between(Some(&tail.bound), None)
            })
        });
        below.or(above)
    })
}

/// The complaint about an event that cannot have the same probability by both.
fn apart(
    what: impl FnOnce() -> String,
    one: &Answer,
    other: &Answer,
    weight: impl Fn(&Answer) -> Bounds,
) -> Option<String> {
    let (bounds, others) = (weight(one), weight(other));
    // Weights are over different totals.
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
        let (what, bounds, others) = (what(), text(one, &bounds), text(other, &others));
        format!("{what} is {bounds} by one and {others} by the other")
    })
}

fn moments(one: &Answer, other: &Answer) -> Option<String> {
    let (one, other) = (Summary::of(one), Summary::of(other));
    let differ = |what, one: &Moment, other: &Moment| {
        let (text, other_text) = (known(one)?, known(other)?);
        (one != other).then(|| format!("the {what} is {text} by one and {other_text} by the other"))
    };
    differ("mean", &one.mean, &other.mean)
        .or_else(|| differ("variance", &one.variance, &other.variance))
}

/// A moment as text, if anything is known about it.
fn known(moment: &Moment) -> Option<String> {
    match moment {
        Moment::Finite(moment) => Some(moment.to_string()),
        Moment::Infinite => Some("infinite".into()),
        Moment::Undefined | Moment::Unknown => None,
    }
}
