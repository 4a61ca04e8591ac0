//! Lists, labels, and numbers that no axis has: the likely ones with their chances, what is left out, and mass without a value.

use std::collections::BTreeSet;

use super::chance::{Told, decimals, decimals_of_few, masses};
use super::chart::{Bin, Chart};
use super::kind::ChartKind;
use super::numbers::{place, shortened, typeset, typeset_words};
use super::words::Picture;
use crate::algebra::Weight;
use crate::engine::{Answer, MemberRef, Value};
use crate::number::Integer;
use crate::report::lists::{ListedOutcome, Lists, list_label};
use crate::report::share::Share;
use crate::report::sheet::{in_words, plural, shape_of, unit_of};
use crate::report::{Answered, View, are_conditions};

/// The largest number of lists that are drawn by themselves, and of those whose percentages are to add up, where two decimals do.
const MOST_LISTS: usize = 30;
const FEW_ROWS: usize = 6;

/// The length of the longest number in characters.
const LONGEST_VALUE: usize = 32;

/// The number of different labels of rules whose values are labels, or yes and no; `None` for other values.
pub(super) fn labels(rules: &[Answered]) -> Option<usize> {
    if are_conditions(rules) {
        return Some(2);
    }
    let values = rules.iter().flat_map(|rule| rule.answer.outcomes().iter());
    let labels = values.map(|(value, _)| match only(value) {
        Some(MemberRef::Label(label)) => Some(label),
        _ => None,
    });
    let labels = labels.collect::<Option<BTreeSet<_>>>()?;
    Some(labels.len()).filter(|count| *count > 0)
}

/// The only member of a list.
fn only(value: Value<'_>) -> Option<MemberRef<'_>> {
    let mut members = value.members();
    members.next().filter(|_| members.next().is_none())
}

fn number(value: Value<'_>) -> Option<&Integer> {
    match only(value) {
        Some(MemberRef::Number(number)) => Some(number),
        _ => None,
    }
}

/// The chart of rules: all lists in order if they are few, else the most likely ones and the rest; then mass without a value.
pub(super) fn chart(rules: &[Answered], picture: &Picture) -> Chart {
    let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
    let Lists {
        shown,
        left_out,
        rest,
    } = Lists::of(&answers, MOST_LISTS);
    let weights = shown.iter().flat_map(|(_, places)| {
        let places = places.iter().zip(&answers);
        places.filter_map(|(place, answer)| Some(Share::new(place.as_ref()?.1, answer.total())))
    });
    let is_sampled = answers.iter().any(|answer| answer.sampling().is_some());
    let digits = if shown.len() <= FEW_ROWS && left_out == 0 && !is_sampled {
        decimals_of_few(weights)
    } else {
        decimals(weights)
    };
    let mut chart = Chart::new(ChartKind::Rows, View::Exactly, &picture.names);
    chart.name_of_chances = note(rules, &shown, left_out, digits);
    let mut faded: Vec<Vec<bool>> = vec![Vec::new(); rules.len()];
    let far = far(&shown).filter(|_| left_out == 0);
    let (unit, shape) = (unit_of(&answers), shape_of(&answers));
    let are_conditions = are_conditions(rules) && shape.parts().is_none();
    let mut add = |label: String, weights: &[Weight], is_beside: bool, is_far: bool| {
        let label = in_words(label, are_conditions);
        let shown = if label.contains(' ') {
            label.clone()
        } else {
            shortened(&label, LONGEST_VALUE)
        };
        let bin = Bin {
            words: label,
            is_beside,
            is_far,
            ..Bin::named(shown, chart.bins.len())
        };
        let chances = answers.iter().zip(weights).map(|(answer, weight)| {
            let chance = Told::new(Share::new(weight, answer.total()), digits);
            Some(chance.of_answer(answer)).filter(|chance| chance.share > 0.0)
        });
        chart.push(bin, chances);
    };
    for (index, (list, places)) in shown.into_iter().enumerate() {
        let label = typeset_words(&list_label(list, unit, shape));
        let value = number(list).and_then(|number| place(&unit.fraction(number)));
        for ((faded, rule), place) in faded.iter_mut().zip(rules).zip(&places) {
            let holds = place.and_then(|(place, _)| holds_at(rule, place));
            let is_asked = match (holds, value.zip(picture.only_asked())) {
                (Some(holds), _) => holds,
                (None, Some((number, asked))) => {
                    let mut runs = asked.runs.iter();
                    runs.any(|[low, high]| (*low..=*high).contains(&number))
                }
                (None, None) if are_conditions && picture.labels == ["yes"] => label == "1",
                (None, None) => picture.labels.is_empty() || picture.labels.contains(&label),
            };
            faded.push(!is_asked);
        }
        let weights = places.into_iter();
        let weights = weights.map(|it| it.map_or(Weight::ZERO, |it| it.1.clone()));
        let is_far = far.as_ref().is_some_and(|far| far[index]);
        add(label, &weights.collect::<Vec<_>>(), false, is_far);
    }
    if left_out > 0 {
        let label = format!("{} others", typeset(&left_out.to_string()));
        add(label, &rest, true, false);
    }
    let tails: Vec<Weight> = answers.iter().map(|answer| answer.tail_weight()).collect();
    if tails.iter().any(|weight| *weight != Weight::ZERO) {
        add("tails".into(), &tails, true, false);
    }
    for (label, weights) in masses(&answers) {
        add(label.into(), &weights, true, false);
    }
    if are_conditions {
        reverse(&mut chart, &mut faded);
    }
    chart.faded = Some(faded);
    chart
}

/// Puts yes before no.
fn reverse(chart: &mut Chart, faded: &mut [Vec<bool>]) {
    let named = chart.slots().count();
    chart.bins[..named].reverse();
    for own in &mut chart.chances {
        own[..named].reverse();
    }
    for own in faded {
        own.reverse();
    }
}

/// Whether one of the conditions holds for an outcome of a rule; `None` if none is asked, or if it is not known of one.
fn holds_at(rule: &Answered, place: usize) -> Option<bool> {
    if rule.holds.is_empty() || rule.holds.len() < rule.conditions.len() {
        return None;
    }
    let mut all = rule.holds.values();
    Some(all.any(|holds| holds.get(place) == Some(&true)))
}

/// The text above the bars: what they show, which lists are left out, and what a full colour means.
fn note(
    rules: &[Answered],
    shown: &[(Value, Vec<ListedOutcome>)],
    left_out: usize,
    digits: usize,
) -> String {
    let mut parts = vec!["chance".to_owned()];
    if left_out > 0 {
        parts[0] = format!("chance, {}", left_out_of(rules, shown, left_out));
    }
    match rules.iter().map(|rule| rule.holds.len()).max() {
        None | Some(0) => {}
        // One rule says it below the title.
        Some(1) if rules.len() == 1 => {}
        Some(1) => parts.push("in full colour where the condition holds".into()),
        Some(_) => parts.push("in full colour where one of the conditions holds".into()),
    }
    if let ([rule], 1..) = (rules, left_out)
        && holds_at(rule, 0).is_some()
    {
        let shown = shown.iter().filter_map(|(_, places)| *places.first()?);
        let shown: BTreeSet<usize> = shown.map(|(place, _)| place).collect();
        let weights = rule.answer.outcomes().weights().iter().enumerate();
        let held = weights
            .filter(|(place, _)| !shown.contains(place) && holds_at(rule, *place) == Some(true));
        let weight: Weight = held.map(|(_, weight)| weight).sum();
        let held = Told::new(Share::new(&weight, rule.answer.total()), digits);
        parts.push(format!("asked about among the others: {}", held.label));
    }
    parts.join("; ")
}

/// The words for lists that are left out: `of the 30 most likely of 126 lists; 45 more are as likely as the last`.
fn left_out_of(
    rules: &[Answered],
    shown: &[(Value, Vec<ListedOutcome>)],
    left_out: usize,
) -> String {
    let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
    let what = plural(&answers);
    let count = typeset(&(shown.len() + left_out).to_string());
    let [equal, most, like] = if answers.iter().all(|answer| answer.sampling().is_none()) {
        ["equally likely", "most likely", "as likely"]
    } else {
        ["seen equally often", "most often rolled", "rolled as often"]
    };
    let [rule] = rules else {
        return format!("of the {MOST_LISTS} {most} of {count} {what}");
    };
    let weights = rule.answer.outcomes().weights();
    if weights.windows(2).all(|pair| pair[0] == pair[1]) {
        return format!("of the first {MOST_LISTS} of {count} {what}, all {equal}");
    }
    let ours = shown.iter().filter_map(|(_, places)| *places.first()?);
    let ours: Vec<&Weight> = ours.map(|(_, weight)| weight).collect();
    let last = ours.last().copied();
    let all = weights
        .iter()
        .filter(|weight| Some(*weight) == last)
        .count();
    let shown = ours.iter().filter(|weight| Some(**weight) == last).count();
    let ties = match all - shown {
        0 => String::new(),
        1 => format!("; one more is {like} as the last"),
        ties => format!(
            "; {} more are {like} as the last",
            typeset(&ties.to_string())
        ),
    };
    format!("of the {MOST_LISTS} {most} of {count} {what}{ties}")
}

/// For each of ascending numbers, whether it is farther from the one before than the nearest two are from each other; `None` for
/// lists, and for labels.
fn far(shown: &[(Value, Vec<ListedOutcome>)]) -> Option<Vec<bool>> {
    let numbers = shown.iter().map(|(value, _)| number(*value)?.to_i64());
    let numbers = numbers.collect::<Option<Vec<i64>>>()?;
    let distances = numbers.windows(2).map(|pair| pair[1].abs_diff(pair[0]));
    let nearest = distances.clone().min()?;
    let far = distances.map(|distance| distance > nearest);
    Some([false].into_iter().chain(far).collect())
}
