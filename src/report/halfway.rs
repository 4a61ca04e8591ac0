//! Where the chances of a sweep pass one half, in words.

use super::sweeps::{sweeps, variable};
use super::{Answered, Query, labels, one_line};
use crate::number::{Fraction, Integer};
use crate::summary::Figure;

/// The rules of a sweep for which a chance is one half or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// From the rule with this index on.
    From(usize),
    /// Up to the rule with this index.
    UpTo(usize),
}

/// The remark on where the chances of questions pass one half, in the words of `text`. `None` if no chance does, or if the values of a rule
/// do not differ in one ascending variable only.
pub(crate) fn remark(
    rules: &[Answered],
    queries: &[Query],
    text: impl Fn(&Query) -> String,
) -> Option<String> {
    let sweeps = sweeps(rules);
    let mut passed = Vec::new();
    for sweep in &sweeps {
        let variable = variable(sweep).filter(|(_, values)| values.is_sorted_by(|a, b| a < b));
        let Some((_, values)) = variable else {
            continue;
        };
        let names = labels(sweep).short;
        // Nothing is known about values between two that are not neighbours.
        let but = |place: usize, other: usize| {
            let [low, high] = [place.min(other), place.max(other)];
            let are_next = values[low].add(&Integer::ONE) == Ok(values[high].clone());
            if are_next {
                String::new()
            } else {
                format!(", but not at {}", names[other])
            }
        };
        for query in queries {
            let place = match half(sweep, query) {
                Some(Half::From(first)) => {
                    format!("from {} on{}", names[first], but(first, first - 1))
                }
                Some(Half::UpTo(last)) => {
                    format!("up to {}{}", names[last], but(last, last + 1))
                }
                None => continue,
            };
            let event = match sweeps.len() {
                1 => text(query),
                _ => format!("{}, {}", one_line(&sweep[0].name), text(query)),
            };
            passed.push((event, place));
        }
    }
    match &passed[..] {
        [] => None,
        [(event, place)] => Some(format!("{event}: half of the time or more {place}")),
        several => {
            let each = several
                .iter()
                .map(|(event, place)| format!("{event} {place}"));
            let each = each.collect::<Vec<_>>().join("; ");
            Some(format!("half of the time or more: {each}"))
        }
    }
}

/// Where the chance of an event passes one half; `None` if it does not do so exactly once, or not surely.
fn half(rules: &[Answered], query: &Query) -> Option<Half> {
    let chances = rules.iter().map(|rule| rule.event(query));
    Half::of(chances.collect::<Option<Vec<Figure>>>()?.iter())
}

impl Half {
    /// The half of chances that ascend or descend through one half.
    pub(crate) fn of<'a>(chances: impl Iterator<Item = &'a Figure>) -> Option<Self> {
        let half = Fraction::new(1.into(), 2.into());
        let are = chances.map(|chance| {
            let is_surely = *chance.low() >= half;
            (is_surely || *chance.high() < half).then_some(is_surely)
        });
        let are = are.collect::<Option<Vec<bool>>>()?;
        let mut changes = (1..are.len()).filter(|&place| are[place] != are[place - 1]);
        match (changes.next(), changes.next()) {
            (Some(place), None) if are[place] => Some(Self::From(place)),
            (Some(place), None) => Some(Self::UpTo(place - 1)),
            _ => None,
        }
    }

    /// The index of the first or the last rule.
    #[cfg(feature = "svg")]
    pub(crate) fn place(self) -> usize {
        match self {
            Self::From(place) | Self::UpTo(place) => place,
        }
    }
}
