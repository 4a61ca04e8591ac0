//! The lists of several rules in one order, or the most likely lists if there are too many.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use num_traits::Zero;

use super::decimal;
use crate::algebra::Weight;
use crate::engine::{Answer, Outcomes};
use crate::number::{Fraction, Integer};

/// The index of an outcome in a rule, and its weight there; `None` if the rule does not list the outcome.
pub(crate) type Place<'a> = Option<(usize, &'a Weight)>;

/// The lists that are shown, and the number and weight of the lists that are left out.
pub(crate) struct Lists<'a> {
    /// Each list with its place in each rule: ascending, or the most likely first if some lists are left out.
    pub(crate) shown: Vec<(&'a [Integer], Vec<Place<'a>>)>,
    /// The number of lists that are left out.
    pub(crate) left_out: usize,
    /// The weight of the lists that are left out, in each rule.
    pub(crate) rest: Vec<Weight>,
}

impl<'a> Lists<'a> {
    /// The lists of all answers, at most `most`.
    pub(crate) fn of(answers: &[&'a Answer], most: usize) -> Self {
        let mut shown = match answers {
            [only] => places(only)
                .map(|(list, place)| (list, vec![Some(place)]))
                .collect(),
            _ => merged(answers),
        };
        let mut rest = vec![Weight::zero(); answers.len()];
        let left_out = shown.len().saturating_sub(most);
        if left_out > 0 {
            most_likely_first(&mut shown, answers, most);
            for (_, places) in shown.drain(most..) {
                for (rest, place) in rest.iter_mut().zip(places) {
                    if let Some((_, weight)) = place {
                        *rest += weight;
                    }
                }
            }
        }
        Self {
            shown,
            left_out,
            rest,
        }
    }
}

/// A list with its place in each rule.
type Entry<'a> = (&'a [Integer], Vec<Place<'a>>);

/// The lists of several answers, ascending.
fn merged<'a>(answers: &[&'a Answer]) -> Vec<Entry<'a>> {
    let mut lists: BTreeMap<&[Integer], Vec<Place>> = BTreeMap::new();
    for (rule, answer) in answers.iter().enumerate() {
        for (list, place) in places(answer) {
            let entry = lists.entry(list);
            entry.or_insert_with(|| vec![None; answers.len()])[rule] = Some(place);
        }
    }
    lists.into_iter().collect()
}

/// Moves the `most` most likely entries to the front, in the order of their greatest probability in any rule; entries with equal
/// probabilities ascend.
fn most_likely_first(entries: &mut [Entry], answers: &[&Answer], most: usize) {
    let total = answers[0].total();
    if answers.iter().all(|answer| answer.total() == total) {
        greatest_first(entries, most, heaviest);
    } else {
        let likeliest = |(_, places): &Entry| -> Option<Fraction> {
            let shares = places.iter().zip(answers).filter_map(|(place, answer)| {
                place.map(|(_, weight)| decimal::quotient(weight, answer.total()))
            });
            shares.max()
        };
        greatest_first(entries, most, likeliest);
    }
}

/// The greatest weight that a list has in any rule.
fn heaviest<'a>((_, places): &Entry<'a>) -> Option<&'a Weight> {
    places.iter().flatten().map(|(_, weight)| *weight).max()
}

fn greatest_first<'a, K: Ord>(
    entries: &mut [Entry<'a>],
    most: usize,
    key: impl Fn(&Entry<'a>) -> K,
) {
    let order = |a: &Entry<'a>, b: &Entry<'a>| key(b).cmp(&key(a)).then_with(|| a.0.cmp(b.0));
    entries.select_nth_unstable_by(most, order);
    entries[..most].sort_by(order);
}

/// Each outcome as a list, in order, with its place.
fn places(answer: &Answer) -> impl Iterator<Item = (&[Integer], (usize, &Weight))> {
    let weights = answer.outcomes().iter().map(|(_, weight)| weight);
    members(answer.outcomes()).zip(weights.enumerate())
}

/// Each outcome as a list, in order; a number is a list of one member.
fn members(outcomes: &Outcomes) -> Box<dyn Iterator<Item = &[Integer]> + '_> {
    match outcomes {
        Outcomes::Lists(lists) => Box::new(lists.outcomes().iter().map(Vec::as_slice)),
        Outcomes::Numbers(numbers) => Box::new(numbers.outcomes().iter().map(std::slice::from_ref)),
    }
}

/// The number of characters after which a list is cut.
const LONGEST_LABEL: usize = 500;

/// The text of a list: its members, only the first members of a very long list, or `()`.
pub(crate) fn list_label(list: &[Integer]) -> String {
    if list.is_empty() {
        return "()".into();
    }
    let mut label = String::new();
    for (index, member) in list.iter().enumerate() {
        if label.len() > LONGEST_LABEL {
            let _ = write!(label, " … ({} members)", list.len());
            break;
        }
        let blank = if index == 0 { "" } else { " " };
        let _ = write!(label, "{blank}{member}");
    }
    label
}
