//! The rows of a picture of lists: the lists with their chances, and what is left out.

use std::collections::BTreeSet;

use super::axis::{typeset, typeset_words};
use super::chance::{Chance, decimals, decimals_of_few};
use super::chart::place;
use super::picture::{Picture, shortened};
use super::text::{LABEL, fitting};
use crate::algebra::Weight;
use crate::engine::{Answer, MemberRef, Value};
use crate::number::Integer;
use crate::report::lists::{Lists, Place, list_label};
use crate::report::scale::Scale;
use crate::report::sheet::{shape_of, unit_of};
use crate::report::{Answered, WITHOUT_VALUE};

/// The largest number of lists that are drawn by themselves.
const MOST_LISTS: usize = 30;

/// The most rows whose percentages are to add up, where two decimals do.
const FEW_ROWS: usize = 6;

/// The length of the longest number in characters.
const LONGEST_VALUE: usize = 32;

/// A list, with its chance in each rule.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) chances: Vec<Chance>,
    /// Whether the row is mass at no single value.
    pub(super) hatched: bool,
    /// The only number of the list, as a place.
    number: Option<f64>,
    /// For each rule, whether one of the conditions holds, if any is asked, and it is known.
    holds: Vec<Option<bool>>,
    /// Whether the number of the row before is farther away than the nearest two are from each other.
    pub(super) is_far: bool,
}

impl Row {
    /// The rules in which the row has a positive share, with the chance.
    pub(super) fn possible(&self) -> impl Iterator<Item = (usize, &Chance)> {
        let chances = self.chances.iter().enumerate();
        chances.filter(|(_, chance)| chance.share > 0.0)
    }

    /// Whether the list is asked about in a rule, if any is.
    pub(super) fn is_asked(&self, picture: &Picture, rule: usize) -> bool {
        if let Some(Some(holds)) = self.holds.get(rule) {
            return *holds;
        }
        let Some((number, asked)) = self.number.zip(picture.only_asked()) else {
            return picture.labels.is_empty() || picture.labels.contains(&self.label);
        };
        let mut runs = asked.values.runs().into_iter();
        runs.any(|[low, high]| low <= number && number <= high)
    }

    /// The label as it stands beside the bars.
    pub(super) fn shown(&self, room: f64) -> String {
        let label = if self.label.contains(' ') {
            self.label.clone()
        } else {
            shortened(&self.label, LONGEST_VALUE)
        };
        fitting(&label, LABEL.size, room)
    }
}

/// The rows: all lists in order if they are few, else the most likely lists and the rest; then mass without a value.
pub(super) fn rows(rules: &[Answered]) -> (Vec<Row>, String) {
    let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
    let Lists {
        shown,
        left_out,
        rest,
    } = Lists::of(&answers, MOST_LISTS);
    let mut scales: Vec<Scale> = answers
        .iter()
        .map(|answer| Scale::new(answer.total()))
        .collect();
    let are_sampled = answers.iter().map(|answer| answer.sampling().is_some());
    let are_sampled: Vec<bool> = are_sampled.collect();
    let weights = shown.iter().flat_map(|(_, places)| {
        let places = places.iter().zip(&answers);
        places.filter_map(|(place, answer)| Some((place.as_ref()?.1, answer.total())))
    });
    let is_sampled = are_sampled.contains(&true);
    let digits = if shown.len() <= FEW_ROWS && left_out == 0 && !is_sampled {
        decimals_of_few(weights)
    } else {
        decimals(weights)
    };
    let note = note(rules, &shown, left_out, digits);
    let rest = (left_out > 0).then(|| Row {
        label: format!("{} others", typeset(&left_out.to_string())),
        chances: chances(&mut scales, &are_sampled, &rest, digits),
        hatched: true,
        is_far: false,
        number: None,
        holds: Vec::new(),
    });
    let zero = Weight::ZERO;
    let far = far(&shown).filter(|_| left_out == 0);
    let named = shown
        .into_iter()
        .enumerate()
        .map(|(index, (list, places))| {
            let holds = rules.iter().zip(&places);
            let holds = holds.map(|(rule, place)| holds_at(rule, place.as_ref()?.0));
            let holds = holds.collect();
            let weights = places
                .into_iter()
                .map(|place| place.map_or(&zero, |(_, weight)| weight));
            let label = list_label(list, unit_of(&answers), shape_of(&answers));
            Row {
                label: typeset_words(&label),
                chances: chances(&mut scales, &are_sampled, weights, digits),
                hatched: false,
                is_far: far.as_ref().is_some_and(|far| far[index]),
                number: number(list).and_then(|number| place(&unit_of(&answers).fraction(number))),
                holds,
            }
        });
    let mut rows: Vec<Row> = named.collect();
    rows.extend(rest);
    let without_value = WITHOUT_VALUE.map(|(label, mass)| {
        let weights: Vec<Weight> = rules.iter().map(|rule| mass(&rule.answer)).collect();
        (label, weights)
    });
    let tails: Vec<Weight> = answers.iter().map(|answer| answer.tail_weight()).collect();
    for (label, weights) in [("tails", tails)].into_iter().chain(without_value) {
        let chances = chances(&mut scales, &are_sampled, &weights, digits);
        if chances.iter().any(|chance| chance.share > 0.0) {
            rows.push(Row {
                label: label.into(),
                chances,
                hatched: true,
                is_far: false,
                number: None,
                holds: Vec::new(),
            });
        }
    }
    (rows, note)
}

/// Whether one of the conditions holds for an outcome of a rule; `None` if none is asked, or if it is not known of one.
fn holds_at(rule: &Answered, place: usize) -> Option<bool> {
    if rule.holds.is_empty() || rule.holds.len() < rule.conditions.len() {
        return None;
    }
    let mut all = rule.holds.values();
    Some(all.any(|holds| holds.get(place) == Some(&true)))
}

/// What is said above the bars: what they are, which lists are left out, and what a full colour means.
fn note(
    rules: &[Answered],
    shown: &[(Value, Vec<Place>)],
    left_out: usize,
    digits: usize,
) -> String {
    let mut parts = vec![if left_out > 0 {
        format!("chance, {}", left_out_of(rules, shown, left_out))
    } else {
        "chance".into()
    }];
    match rules.iter().map(|rule| rule.holds.len()).max() {
        None | Some(0) => {}
        // One rule says it below the title.
        Some(1) if rules.len() == 1 => {}
        Some(1) => parts.push("in full colour where the condition holds".into()),
        Some(_) => parts.push("in full colour where one of the conditions holds".into()),
    }
    let held = held_by_others(rules, shown, digits).filter(|_| left_out > 0);
    parts.extend(held.map(|held| format!("asked about among the others: {held}")));
    parts.join("; ")
}

/// The words for lists that are left out: `of the 30 most likely of 126 lists; 45 more are as likely as the last`.
fn left_out_of(rules: &[Answered], shown: &[(Value, Vec<Place>)], left_out: usize) -> String {
    let answers = || rules.iter().map(|rule| &rule.answer);
    let what = if answers().all(|answer| answer.numbers().is_some()) {
        "values"
    } else if answers().all(|answer| answer.shape.is_single()) {
        let are_records = answers().all(|answer| answer.shape.parts().is_some());
        if are_records { "records" } else { "labels" }
    } else {
        "lists"
    };
    let count = typeset(&(shown.len() + left_out).to_string());
    let [equal, most, like] = if answers().any(|answer| answer.sampling().is_some()) {
        ["seen equally often", "most often rolled", "rolled as often"]
    } else {
        ["equally likely", "most likely", "as likely"]
    };
    let only = match rules {
        [rule] => Some(&rule.answer),
        _ => None,
    };
    if only.is_some_and(|only| are_equal(only.outcomes().weights())) {
        return format!("of the first {MOST_LISTS} of {count} {what}, all {equal}");
    }
    let ties = match only.map_or(0, |only| ties(only, shown)) {
        0 => String::new(),
        1 => format!("; one more is {like} as the last"),
        ties => format!(
            "; {} more are {like} as the last",
            typeset(&ties.to_string())
        ),
    };
    format!("of the {MOST_LISTS} {most} of {count} {what}{ties}")
}

/// How many lists that are left out are as likely as the last of those that are shown.
fn ties(answer: &Answer, shown: &[(Value, Vec<Place>)]) -> usize {
    let places = shown.iter().filter_map(|(_, places)| *places.first()?);
    let weights: Vec<&Weight> = places.map(|(_, weight)| weight).collect();
    let Some(last) = weights.last() else {
        return 0;
    };
    let all = answer.outcomes().weights().iter();
    let ours = weights.iter().filter(|weight| *weight == last);
    all.filter(|weight| weight == last).count() - ours.count()
}

/// The chance that one of the conditions holds in a list that is left out, if any is asked of the only rule.
fn held_by_others(
    rules: &[Answered],
    shown: &[(Value, Vec<Place>)],
    digits: usize,
) -> Option<String> {
    let [rule] = rules else {
        return None;
    };
    holds_at(rule, 0)?;
    let shown: BTreeSet<usize> = shown
        .iter()
        .filter_map(|(_, places)| places.first()?.map(|(place, _)| place))
        .collect();
    let weights = rule.answer.outcomes().weights().iter().enumerate();
    let others =
        weights.filter(|(place, _)| !shown.contains(place) && holds_at(rule, *place) == Some(true));
    let weight: Weight = others.map(|(_, weight)| weight).sum();
    let chance = Chance::new(&weight, &mut Scale::new(rule.answer.total()), digits);
    Some(chance.label)
}

/// Whether all weights are equal.
fn are_equal(weights: &[Weight]) -> bool {
    weights.windows(2).all(|pair| pair[0] == pair[1])
}

/// For each of ascending numbers, whether it is farther from the one before than the nearest two are from each other; `None` for
/// lists, and for labels.
fn far(shown: &[(Value, Vec<Place>)]) -> Option<Vec<bool>> {
    let numbers = shown.iter().map(|(value, _)| number(*value)?.to_i64());
    let numbers = numbers.collect::<Option<Vec<i64>>>()?;
    let distances = numbers.windows(2).map(|pair| pair[1].abs_diff(pair[0]));
    let distances: Vec<u64> = distances.collect();
    let nearest = distances.iter().min()?;
    let far = distances.iter().map(|distance| distance > nearest);
    Some([false].into_iter().chain(far).collect())
}

/// The only member of a list, if it is a number.
fn number(value: Value<'_>) -> Option<&Integer> {
    let mut members = value.members();
    match (members.next(), members.next()) {
        (Some(MemberRef::Number(number)), None) => Some(number),
        _ => None,
    }
}

/// The chance of a weight in each rule.
fn chances<'a>(
    scales: &mut [Scale],
    are_sampled: &[bool],
    weights: impl IntoIterator<Item = &'a Weight>,
    digits: usize,
) -> Vec<Chance> {
    let pairs = scales.iter_mut().zip(weights).zip(are_sampled);
    let chances = pairs.map(|((scale, weight), is_sampled)| {
        let chance = Chance::new(weight, scale, digits);
        if *is_sampled {
            chance.estimated()
        } else {
            chance
        }
    });
    chances.collect()
}
