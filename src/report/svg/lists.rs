//! Draws lists, one horizontal bar for each. Of many lists the most likely are drawn, and one bar for the rest.

use std::collections::BTreeSet;

use super::axis::{percent_label, round_step, ticks, typeset, typeset_words};
use super::canvas::{Anchor, Canvas, Mark, Rect};
use super::chance::{Chance, decimals};
use super::chart::place;
use super::frame::{self, FADED, MARGIN, Sample, WIDTH};
use super::names::fitting_names;
use super::palette::{Role, roles};
use super::picture::{Picture, shortened};
use super::text::{Font, LABEL, SMALL, fitting, widest};
use crate::algebra::Weight;
use crate::engine::{Answer, MemberRef, Value};
use crate::number::Integer;
use crate::report::lists::{Lists, Place, list_label};
use crate::report::scale::Scale;
use crate::report::sheet::{shape_of, unit_of};
use crate::report::{Answered, WITHOUT_VALUE};

/// The largest number of lists that are drawn by themselves.
const MOST_LISTS: usize = 30;

/// The length of the longest number in characters, which fits into [`LABELS`].
const LONGEST_VALUE: usize = 32;

/// The largest width of the labels.
const LABELS: f64 = 280.0;

/// The height of a bar, the gap between the bars of one list and the next, and by how much both are enlarged at most so that a few
/// bars have this height together.
const BAR: f64 = 13.0;
const GAP: f64 = 7.0;
const LARGEST: f64 = 2.4;
const LEAST_HEIGHT: f64 = 200.0;

/// The most bars with their chances, and the most rules whose bars have no names.
const MOST_CHANCES: usize = 80;
const MOST_UNNAMED: usize = 3;

/// The chances of several rules beside their bars, and the largest width of a name there.
const CHANCE: Font = Font {
    size: 10.5,
    ..SMALL
};
const LONGEST_NAME: f64 = 110.0;

/// The space above a row that is far from the one before.
const BREAK: f64 = 20.0;

/// The space above the bars, for a note, and below them, for the axis.
const HEAD: f64 = 28.0;
const FOOT: f64 = 34.0;

/// A list, with its chance in each rule.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) chances: Vec<Chance>,
    /// Whether the row is mass at no single value.
    pub(super) hatched: bool,
    /// The only number of the list, as a place.
    number: Option<f64>,
    /// Whether one of the conditions holds, if any is asked of the only rule, and it is known.
    holds: Option<bool>,
    /// Whether the number of the row before is farther away than the nearest two are from each other.
    is_far: bool,
}

impl Row {
    /// The rules in which the row has a positive share, with the chance.
    fn possible(&self) -> impl Iterator<Item = (usize, &Chance)> {
        let chances = self.chances.iter().enumerate();
        chances.filter(|(_, chance)| chance.share > 0.0)
    }

    /// Whether the list is asked about, if any is.
    pub(super) fn is_asked(&self, picture: &Picture) -> bool {
        if let Some(holds) = self.holds {
            return holds;
        }
        let Some((number, asked)) = self.number.zip(picture.only_asked()) else {
            return picture.labels.is_empty() || picture.labels.contains(&self.label);
        };
        let mut runs = asked.values.runs().into_iter();
        runs.any(|[low, high]| low <= number && number <= high)
    }

    /// The label as it stands beside the bars.
    fn shown(&self, room: f64) -> String {
        let label = if self.label.contains(' ') {
            self.label.clone()
        } else {
            shortened(&self.label, LONGEST_VALUE)
        };
        fitting(&label, LABEL.size, room)
    }
}

/// Draws the lists; returns the height of the picture.
pub(super) fn draw(rules: &[Answered], picture: &Picture) -> (Canvas, f64) {
    let (rows, note) = rows(rules);
    let mut canvas = Canvas::new(WIDTH);
    let mut head = frame::head(&mut canvas, picture);
    let several = rules.len() > 1;
    if several {
        head = frame::legend(&mut canvas, &picture.names, Sample::Block, head);
    }
    // A row has bars only for the rules in which it is possible.
    let bars = rows.iter().map(|row| row.possible().count()).sum::<usize>();
    let has_chances = bars <= MOST_CHANCES;
    let natural = bars as f64 * BAR + rows.len() as f64 * GAP;
    let enlarged = (LEAST_HEIGHT / natural).clamp(1.0, LARGEST);
    let bar = if several && !has_chances {
        BAR * 0.75
    } else {
        BAR * enlarged
    };
    let gap = enlarged * if several { GAP * 1.5 } else { GAP };
    // In grey, the colours of many rules are much alike.
    let names = if rules.len() > MOST_UNNAMED {
        fitting_names(&picture.names, CHANCE.size, LONGEST_NAME)
    } else {
        vec![String::new(); rules.len()]
    };
    let text = |rule: usize, chance: &Chance| match names[rule].as_str() {
        "" => chance.label.clone(),
        name => format!("{} {name}", chance.label),
    };
    let font = if several { CHANCE } else { SMALL };
    let group = |row: &Row| bar * row.possible().count().max(1) as f64;
    let before = |row: &Row| if row.is_far { BREAK } else { 0.0 };
    let labels = rows.iter().map(|row| row.shown(LABELS));
    let labels = widest(&labels.collect::<Vec<_>>(), LABEL.size);
    let left = MARGIN + labels + 10.0;
    let texts = rows.iter().flat_map(Row::possible);
    let texts = texts.map(|(rule, chance)| text(rule, chance));
    let texts = widest(&texts.collect::<Vec<_>>(), font.size);
    let right = WIDTH - MARGIN - 6.0 - if has_chances { texts } else { 0.0 };
    let top = head + HEAD;
    let bottom = top
        + rows
            .iter()
            .map(|row| before(row) + group(row) + gap)
            .sum::<f64>();
    let (end, step) = scale(&rows);
    let x = |share: f64| left + (share / end).min(1.0) * (right - left);

    canvas.text(&note, (MARGIN, head + 10.0), Anchor::Start, SMALL);
    for share in ticks(0.0, end, step).values {
        let label = percent_label(share, step);
        canvas.line((x(share), top - 4.0), (x(share), bottom), 1.0, Role::Grid);
        canvas.text_if_free(&label, (x(share), bottom + 14.0), Anchor::Middle, LABEL);
    }
    let roles = roles(rules.len());
    let mut row_top = top;
    let mut breaks = Vec::new();
    for row in &rows {
        if row.is_far {
            breaks.push(row_top + BREAK / 2.0);
        }
        row_top += before(row);
        let height = group(row) + gap;
        let middle = row_top + height / 2.0;
        let mut upper = row_top + gap / 2.0;
        row_top += height;
        canvas.text(&row.shown(LABELS), (left - 8.0, middle), Anchor::End, LABEL);
        for (rule, chance) in row.possible() {
            let rect = Rect {
                left,
                top: upper,
                right: x(chance.share).max(left + 0.8),
                bottom: upper + bar,
            };
            upper += bar;
            let words = picture.words(rule, &row.label, chance);
            if row.hatched {
                canvas.hatch(rect, Mark::new("beside", roles[rule], &words));
            } else {
                let is_asked = row.is_asked(picture);
                let opacity = if is_asked { 1.0 } else { FADED };
                let mark = Mark::new("bar", roles[rule], &words);
                canvas.rect(rect, mark.with_opacity(opacity));
            }
            if has_chances {
                let at = (rect.right + 6.0, f64::midpoint(rect.top, rect.bottom));
                canvas.text(&text(rule, chance), at, Anchor::Start, font);
            }
            if chance.share > end {
                // The bar is broken: it is longer than the axis.
                let gap = Rect {
                    left: rect.right - 26.0,
                    top: rect.top - 2.0,
                    right: rect.right - 20.0,
                    bottom: rect.bottom + 2.0,
                };
                canvas.rect(gap, Mark::plain(Role::Ground));
            }
        }
    }
    canvas.line((left, top - 4.0), (left, bottom), 1.2, Role::Axis);
    for middle in breaks {
        frame::axis_break(&mut canvas, (left, middle), false);
        frame::dots(&mut canvas, (left - 18.0, middle));
    }
    (canvas, bottom + FOOT)
}

/// The end of the axis of chances, and the step between its ticks.
fn scale(rows: &[Row]) -> (f64, f64) {
    let highest = |rows: &mut dyn Iterator<Item = &Row>| {
        let shares = rows.flat_map(|row| row.chances.iter().map(|chance| chance.share));
        shares.fold(0.0, f64::max)
    };
    let named = highest(&mut rows.iter().filter(|row| !row.hatched));
    let whole = highest(&mut rows.iter());
    // The rest may have a much higher share than every list. Then its bar is cut off.
    let highest = if whole <= named * 2.5 || named == 0.0 {
        whole
    } else {
        named
    };
    let step = round_step((highest / 5.0).max(1e-300));
    (((highest * 1.02 / step).ceil() * step).min(1.0), step)
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
    let digits = decimals(weights);
    let note = if left_out > 0 {
        let count = shown.len() + left_out;
        let are_numbers = answers.iter().all(|answer| answer.numbers().is_some());
        let what = if are_numbers { "values" } else { "lists" };
        let are_equal = match &answers[..] {
            [only] => are_equal(only.outcomes().weights()),
            _ => false,
        };
        let count = typeset(&count.to_string());
        let is_sampled = answers.iter().any(|answer| answer.sampling().is_some());
        let equal = if is_sampled {
            "seen equally often"
        } else {
            "equally likely"
        };
        if are_equal {
            format!("chance, of the first {MOST_LISTS} of {count} {what}, all {equal}")
        } else {
            let ties = match &answers[..] {
                [only] => ties(only, &shown),
                _ => 0,
            };
            let most = if is_sampled {
                "most often rolled"
            } else {
                "most likely"
            };
            let like = if is_sampled {
                "rolled as often"
            } else {
                "as likely"
            };
            let ties = match ties {
                0 => String::new(),
                1 => format!("; one more is {like} as the last"),
                ties => format!(
                    "; {} more are {like} as the last",
                    typeset(&ties.to_string())
                ),
            };
            format!("chance, of the {MOST_LISTS} {most} of {count} {what}{ties}")
        }
    } else {
        "chance".into()
    };
    let note = match rules {
        [rule] if rule.holds.len() > 1 => {
            format!("{note}; in full colour where one of the conditions holds")
        }
        _ => note,
    };
    let held = (left_out > 0)
        .then(|| held_by_others(rules, &shown, digits))
        .flatten();
    let note = match held {
        Some(held) => format!("{note}; asked about among the others: {held}"),
        None => note,
    };
    let rest = (left_out > 0).then(|| Row {
        label: format!("{} others", typeset(&left_out.to_string())),
        chances: chances(&mut scales, &are_sampled, &rest, digits),
        hatched: true,
        is_far: false,
        number: None,
        holds: None,
    });
    let zero = Weight::ZERO;
    let far = far(&shown).filter(|_| left_out == 0);
    let named = shown
        .into_iter()
        .enumerate()
        .map(|(index, (list, places))| {
            let holds = match (rules, &places[..]) {
                ([rule], [Some((place, _))]) => holds(rule, *place),
                _ => None,
            };
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
                holds: None,
            });
        }
    }
    (rows, note)
}

/// Whether one of the conditions holds for an outcome of a rule; `None` if none is asked, or if it is not known of one.
fn holds(rule: &Answered, place: usize) -> Option<bool> {
    if rule.holds.is_empty() || rule.holds.len() < rule.conditions.len() {
        return None;
    }
    let mut all = rule.holds.values();
    Some(all.any(|holds| holds.get(place) == Some(&true)))
}

/// How many lists that are left out are as likely as the last of those that are shown.
fn ties(answer: &Answer, shown: &[(Value, Vec<Place>)]) -> usize {
    let weight =
        |(_, places): &(Value, Vec<Place>)| places.first()?.map(|(_, weight)| weight.clone());
    let Some(last) = shown.last().and_then(weight) else {
        return 0;
    };
    let weights = answer.outcomes().weights().iter();
    let all = weights.filter(|weight| **weight == last).count();
    let ours = shown
        .iter()
        .filter(|one| weight(one).as_ref() == Some(&last));
    all - ours.count()
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
    holds(rule, 0)?;
    let shown: BTreeSet<usize> = shown
        .iter()
        .filter_map(|(_, places)| places.first()?.map(|(place, _)| place))
        .collect();
    let weights = rule.answer.outcomes().weights().iter().enumerate();
    let others =
        weights.filter(|(place, _)| !shown.contains(place) && holds(rule, *place) == Some(true));
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
