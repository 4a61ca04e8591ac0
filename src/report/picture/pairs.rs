//! A record of two numbers as cells: the chance of each pair of values, the distribution of each part, and what is asked about.

use std::collections::BTreeSet;

use super::cells::Margins;
use super::chance::{Told, at_most, masses};
use super::chart::{Along, Bin, Chart};
use super::kind::ChartKind;
use super::numbers::typeset;
use super::values::{Extent, small};
use super::words::event;
use crate::algebra::{Distribution, Weight};
use crate::engine::{Answer, MemberRef, Outcomes};
use crate::number::Integer;
use crate::report::share::Share;
use crate::report::{Answered, Query, Style, View};

/// The most values of a part that have cells of their own.
const MOST_VALUES: usize = 60;

/// The most conditions that are outlined.
const MOST_OUTLINES: usize = 3;

/// The chart of an only rule whose values are records of two numbers, with its margins; `None` for other rules, or if there are too many
/// values.
pub(super) fn chart_of(rules: &[Answered], style: &Style) -> Option<(Chart, Margins)> {
    let [rule] = rules else {
        return None;
    };
    let answer = &rule.answer;
    let names: Vec<String> = answer.part_names().map(str::to_owned).collect();
    let names: [String; 2] = names.try_into().ok()?;
    let pairs = pairs(answer)?;
    let shown = [0, 1].map(|part| AxisValues::of(part, &pairs, answer.total()));
    let [Some(across), Some(up)] = shown else {
        return None;
    };
    let (width, height) = (across.weights.len(), up.weights.len());
    let holds = style.queries.iter().filter_map(|query| {
        let Query::Condition(text) = query else {
            return None;
        };
        Some((event(query, rule, style), rule.holds.get(text)?))
    });
    let holds = holds.take(MOST_OUTLINES);
    let mut asked: Vec<_> = holds
        .map(|(words, holds)| (words, holds, BTreeSet::new()))
        .collect();
    let chance =
        |weight: &Weight| Told::new(Share::new(weight, answer.total()), 1).of_answer(answer);
    let part = |part: usize, value: i64| format!("{} {}", names[part], typeset(&value.to_string()));
    let mut unseen = Weight::ZERO;
    let labels = up.values().map(|value| typeset(&value.to_string()));
    let labels: Vec<String> = labels.collect::<Vec<_>>().into_iter().rev().collect();
    let mut chart = Chart::new(ChartKind::Cells, View::Exactly, &labels);
    for (series, value) in chart.series.iter_mut().rev().zip(up.values()) {
        series.words = part(1, value);
    }
    for own in &mut chart.chances {
        own.resize(width, None);
    }
    for (index, ([x, y], weight)) in pairs.iter().enumerate() {
        let (Some(column), Some(place)) = (across.place(*x), up.place(*y)) else {
            unseen += *weight;
            continue;
        };
        // The second part ascends from below.
        let row = height - 1 - place;
        for (_, holds, cells) in &mut asked {
            if holds.get(index) == Some(&true) {
                cells.insert((column, row));
            }
        }
        chart.chances[row][column] = Some(chance(weight));
    }
    let margin = |index: usize, shown: &AxisValues| -> Vec<(Told, String)> {
        let values = shown.values().zip(&shown.weights);
        let cells = values.map(|(value, weight)| {
            let chance = chance(weight);
            let words = format!("{}: {}", part(index, value), chance.words);
            (chance, words)
        });
        cells.collect()
    };
    let [columns, mut sides] = [margin(0, &across), margin(1, &up)];
    sides.reverse();
    let mut notes = Vec::new();
    let beyond = [across.beyond(&names[0]), up.beyond(&names[1])].concat();
    if !beyond.is_empty() {
        let (beyond, most) = (beyond.join(", "), at_most(&[answer], &[unseen]));
        notes.push(format!("not shown: {beyond} (together {most})"));
    }
    for (label, weights) in masses(&[answer]) {
        notes.push(format!("{label}: {}", at_most(&[answer], &weights)));
    }
    asked.retain(|(.., cells)| !cells.is_empty());
    let round = |first: i64, apart: i64| {
        usize::try_from(first.div_euclid(apart).rem_euclid(100)).unwrap_or(0)
    };
    let bins = across.values().enumerate().map(|(slot, value)| Bin {
        words: part(0, value),
        ..Bin::named(typeset(&value.to_string()), slot)
    });
    chart.bins = bins.collect();
    chart.along = Along::Variable;
    chart.name_of_chances = String::new();
    chart.name.clone_from(&names[0]);
    chart.notes = notes;
    let margins = Margins {
        name: names[1].clone(),
        parts: [columns, sides],
        rounds: [round(-across.low, across.apart), round(up.high, up.apart)],
        asked: asked
            .into_iter()
            .map(|(words, _, cells)| (words, cells))
            .collect(),
    };
    Some((chart, margins))
}

/// The values of a part that have cells: their first and last, and the distance of neighbours.
struct AxisValues {
    low: i64,
    high: i64,
    apart: i64,
    /// The first and the last value of all.
    ends: [i64; 2],
    weights: Vec<Weight>,
}

impl AxisValues {
    /// The values of a part that an axis of its own would show; `None` if that are too many.
    fn of(part: usize, pairs: &[([i64; 2], &Weight)], total: &Weight) -> Option<Self> {
        let own = pairs.iter();
        let own = own.map(|(pair, weight)| (Integer::from(pair[part]), (*weight).clone()));
        let own = Distribution::new(own, total.clone());
        let alone = [Answered::new("", Answer::exact(Outcomes::Numbers(own), 0))];
        let extent = Extent::of(&alone)?;
        let ([low, high], apart) = (extent.shown, extent.apart);
        let count = usize::try_from((high - low) / apart + 1).ok();
        let count = count.filter(|count| *count <= MOST_VALUES)?;
        let numbers = alone[0].answer.numbers()?;
        let values = (0..).map(|place| low + place * apart).take(count);
        let weights = values.map(|value| numbers.weight_of(&value.into()));
        let [Some(first), Some(last)] = [numbers.outcomes().first(), numbers.outcomes().last()]
        else {
            return None;
        };
        Some(Self {
            low,
            high,
            apart,
            ends: [small(first)?, small(last)?],
            weights: weights.collect(),
        })
    }

    /// The values with cells, ascending.
    fn values(&self) -> impl Iterator<Item = i64> {
        let values = (0..).map(|place| self.low + place * self.apart);
        values.take(self.weights.len())
    }

    /// The place of a value; `None` if it has no cell.
    fn place(&self, value: i64) -> Option<usize> {
        let place = usize::try_from((value - self.low) / self.apart).ok()?;
        (value >= self.low && place < self.weights.len()).then_some(place)
    }

    /// The words for the values of the part of this name without cells.
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
            MemberRef::Number(number) => small(number),
        });
        let pair: [i64; 2] = numbers.collect::<Option<Vec<_>>>()?.try_into().ok()?;
        Some((pair, weight))
    });
    pairs.collect()
}
