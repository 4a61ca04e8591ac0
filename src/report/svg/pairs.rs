//! A record of two numbers as pairs of values: the chance of each pair, the distribution of each part, and what is asked about.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::typeset;
use super::beside::at_most;
use super::chance::Chance;
use super::picture::event;
use super::viewport::{END_PARTS, lattice};
use crate::algebra::Weight;
use crate::engine::{Answer, MemberRef};
use crate::report::bulk::first_beyond;
use crate::report::scale::Scale;
use crate::report::{Answered, Query, Style, WITHOUT_VALUE};

/// The most values of a part that have fields of their own, and the most of which none is cut off.
const MOST_VALUES: usize = 60;
const FEW_VALUES: usize = 12;

/// The most conditions that are outlined.
const MOST_OUTLINES: usize = 3;

/// The place of a pair: those of its values among the values of their parts.
pub(super) type Place = (usize, usize);

/// The shares of pairs of values.
pub(super) struct Pairs {
    pub(super) names: [String; 2],
    /// The values of both parts, ascending and evenly spaced, and their distances.
    values: [Vec<i64>; 2],
    apart: [i64; 2],
    /// The chance of each pair that can come up.
    pub(super) chances: BTreeMap<Place, Chance>,
    /// The distribution of each part.
    pub(super) margins: [Vec<Chance>; 2],
    /// The conditions that are asked, with the pairs for which they hold.
    pub(super) asked: Vec<(String, BTreeSet<Place>)>,
    /// What has no field.
    pub(super) notes: Vec<String>,
}

impl Pairs {
    /// The pairs of a single rule whose values are records of two numbers; `None` for other rules, or if there are too many values.
    pub(super) fn of(rules: &[Answered], style: &Style) -> Option<Self> {
        let [rule] = rules else {
            return None;
        };
        let answer = &rule.answer;
        let names: Vec<String> = answer.part_names().map(str::to_owned).collect();
        let names: [String; 2] = names.try_into().ok()?;
        let pairs = pairs(answer)?;
        let shown = [0, 1].map(|part| Shown::of(part, &pairs, answer.total()));
        let [Some(first), Some(second)] = shown else {
            return None;
        };
        let values = [&first, &second].map(Shown::values);
        let holds = style.queries.iter().filter_map(|query| {
            let Query::Condition(text) = query else {
                return None;
            };
            Some((event(query, rule, style), rule.holds.get(text)?))
        });
        let holds: Vec<(String, &Vec<bool>)> = holds.take(MOST_OUTLINES).collect();
        let mut asked: Vec<BTreeSet<Place>> = vec![BTreeSet::new(); holds.len()];
        let mut chances = BTreeMap::new();
        let mut scale = Scale::new(answer.total());
        let mut unseen = Weight::ZERO;
        let is_sampled = answer.sampling().is_some();
        let mut chance = |weight: &Weight| {
            let chance = Chance::new(weight, &mut scale, 1);
            if is_sampled {
                chance.estimated()
            } else {
                chance
            }
        };
        for (index, (pair, weight)) in pairs.iter().enumerate() {
            let (Some(x), Some(y)) = (first.place(pair[0]), second.place(pair[1])) else {
                unseen += *weight;
                continue;
            };
            for ((_, holds), asked) in holds.iter().zip(&mut asked) {
                if holds.get(index) == Some(&true) {
                    asked.insert((x, y));
                }
            }
            chances.insert((x, y), chance(weight));
        }
        let margins =
            [&first, &second].map(|shown| shown.weights.iter().map(&mut chance).collect());
        let mut beyond = first.beyond(&names[0]);
        beyond.extend(second.beyond(&names[1]));
        let mut notes = Vec::new();
        if !beyond.is_empty() {
            let beyond = beyond.join(", ");
            notes.push(format!(
                "not shown: {beyond} (together {})",
                at_most(&[answer], &[unseen])
            ));
        }
        for (label, weight) in WITHOUT_VALUE {
            let weight = weight(answer);
            if weight != Weight::ZERO {
                notes.push(format!("{label}: {}", at_most(&[answer], &[weight])));
            }
        }
        Some(Self {
            names,
            values,
            apart: [first.apart, second.apart],
            chances,
            margins,
            asked: holds
                .into_iter()
                .map(|(words, _)| words)
                .zip(asked)
                .filter(|(_, places)| !places.is_empty())
                .collect(),
            notes,
        })
    }

    /// The number of values of each part.
    pub(super) fn counts(&self) -> [usize; 2] {
        self.values.each_ref().map(Vec::len)
    }

    /// Whether a value of a part is round: a multiple of so many distances of values.
    pub(super) fn is_round(&self, part: usize, place: usize, step: i64) -> bool {
        self.values[part][place].div_euclid(self.apart[part]) % step == 0
    }

    /// A value of a part as people read it.
    pub(super) fn label(&self, part: usize, place: usize) -> String {
        typeset(&self.values[part][place].to_string())
    }
}

/// The values of a part that have fields.
struct Shown {
    /// Their first and their last.
    low: i64,
    high: i64,
    /// The distance of neighbouring fields.
    apart: i64,
    /// The first and the last value of all.
    ends: [i64; 2],
    /// The weights of the values with fields.
    weights: Vec<Weight>,
}

impl Shown {
    /// All values of a part, or, of many, those without unlikely far ends; `None` if that are too many.
    fn of(part: usize, pairs: &[([i64; 2], &Weight)], total: &Weight) -> Option<Self> {
        let mut all: BTreeMap<i64, Weight> = BTreeMap::new();
        for (pair, weight) in pairs {
            *all.entry(pair[part]).or_default() += *weight;
        }
        let ends = [*all.first_key_value()?.0, *all.last_key_value()?.0];
        let apart = lattice(&all.keys().copied().collect());
        let count = |[low, high]: [i64; 2]| usize::try_from((high - low) / apart + 1).ok();
        let bulk = [
            first_beyond(None, all.iter(), END_PARTS, total)?,
            first_beyond(None, all.iter().rev(), END_PARTS, total)?,
        ]
        .map(i64::clone);
        let pays = count(ends).is_none_or(|all| {
            let rest = count(bulk).unwrap_or(all);
            all > FEW_VALUES && (all - rest) * 6 > all
        });
        let [low, high] = if pays { bulk } else { ends };
        if count([low, high])? > MOST_VALUES {
            return None;
        }
        let mut shown = Self {
            low,
            high,
            apart,
            ends,
            weights: Vec::new(),
        };
        let weights = shown.values().into_iter();
        shown.weights = weights
            .map(|value| all.remove(&value).unwrap_or_default())
            .collect();
        Some(shown)
    }

    /// The values with fields, ascending.
    fn values(&self) -> Vec<i64> {
        let count = (self.high - self.low) / self.apart + 1;
        (0..count)
            .map(|place| self.low + place * self.apart)
            .collect()
    }

    /// The place of a value; `None` if it has no field.
    fn place(&self, value: i64) -> Option<usize> {
        let place = usize::try_from((value - self.low) / self.apart).ok()?;
        (value >= self.low && place < self.weights.len()).then_some(place)
    }

    /// The words for the values of the part of this name without fields.
    fn beyond(&self, name: &str) -> Vec<String> {
        let words = |end: i64, word: &str| format!("{name} {word} {}", typeset(&end.to_string()));
        let below = (self.ends[0] < self.low).then(|| words(self.low, "below"));
        let above = (self.high < self.ends[1]).then(|| words(self.high, "above"));
        below.into_iter().chain(above).collect()
    }
}

/// The pairs of values with their weights.
fn pairs(answer: &Answer) -> Option<Vec<([i64; 2], &Weight)>> {
    let pairs = answer.outcomes().iter().map(|(value, weight)| {
        let numbers = value.members().map(|member| match member {
            MemberRef::Label(_) => None,
            // The bound makes differences fit into 64 bits, too.
            MemberRef::Number(number) => number.to_i64().filter(|number| number.abs() < 1 << 61),
        });
        let pair: [i64; 2] = numbers.collect::<Option<Vec<_>>>()?.try_into().ok()?;
        Some((pair, weight))
    });
    pairs.collect()
}
