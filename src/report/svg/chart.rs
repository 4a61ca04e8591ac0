//! The content of a picture of numbers: slots of values, the share of each series in each slot, and columns beside the axis.
//!
//! Weights are summed as integers. A share becomes a double once, when its slot is complete.

use std::collections::BTreeSet;

use num_traits::Zero;

use super::axis::round_step;
use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::number::{Fraction, Integer, Unit};
use crate::report::bulk::bulk_ends;
use crate::report::decimal;
use crate::report::scale::Scale;
use crate::report::sheet::{Seen, bounds, is_open, unit_of};
use crate::report::{Answered, View, WITHOUT_VALUE, figures};

/// The largest number of slots of one series that are drawn as bars.
const MOST_BARS: i64 = 90;

/// The largest number of stems, which are thin bars of values that are far apart.
const MOST_STEMS: usize = 60;

/// The number of stems that fit side by side.
const STEMS: i64 = 200;

/// The largest number of values with one row each, for values that are too near to each other for stems.
const MOST_ROWS: usize = 30;

/// The largest number of slots; more are merged into ranges of values.
const MOST_SLOTS: i64 = 350;

/// The largest number of ranges that slots are merged into.
const MOST_RANGES: f64 = 240.0;

/// An end of a long axis is cut off if less than one part in this number of every series lies beyond.
const END_PARTS: u32 = 1_000;

/// The largest number of series with grouped bars, and the largest number of their bars.
const MOST_GROUPED: usize = 4;
const MOST_GROUPED_BARS: i64 = MOST_BARS + 6;

/// The largest number of bars of more than [`MOST_GROUPED`] series.
const MOST_BARS_OF_MANY: i64 = 48;

/// The least share of mass without a value that is drawn; a smaller share is a line of text.
const LEAST_DRAWN: f64 = 0.000_5;

/// How the series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Bars, in groups if there are several series.
    Bars,
    /// An outline, for too many values for bars.
    Area,
    /// A line for each series.
    Lines,
}

pub(super) struct Chart {
    pub(super) kind: Kind,
    /// The middle of the first slot.
    pub(super) first: f64,
    /// The distance between the middles of neighbouring slots.
    pub(super) width: f64,
    /// The distance between neighbouring slots, and the value of the first, in the unit of the values.
    slot: i64,
    low: i64,
    unit: Unit,
    /// The number of slots.
    pub(super) slots: i64,
    /// The width of a slot, as people read it, if a slot gathers several values.
    pub(super) gathered: Option<String>,
    pub(super) series: Vec<Series>,
    /// The columns left of the axis: tails below.
    pub(super) left: Vec<Extra>,
    /// The columns right of the axis, in order: tails above, unresolved mass, rolls that never end.
    pub(super) right: Vec<Extra>,
    pub(super) notes: Vec<String>,
    /// Whether the shares are lower bounds, because unresolved mass may belong to them.
    pub(super) is_least: bool,
}

pub(super) struct Series {
    pub(super) spots: Vec<Spot>,
    pub(super) mean: Option<f64>,
}

/// The share of one slot.
pub(super) struct Spot {
    pub(super) slot: i64,
    pub(super) share: f64,
    pub(super) bounds: Option<[f64; 2]>,
}

/// A column for mass at no single value, with the share of each series.
pub(super) struct Extra {
    pub(super) label: String,
    pub(super) shares: Vec<f64>,
}

impl Chart {
    /// The middle of a slot.
    pub(super) fn middle(&self, slot: i64) -> f64 {
        self.first + slot as f64 * self.width
    }

    /// The value of a slot that gathers no others, as people read it.
    pub(super) fn value(&self, slot: i64) -> String {
        let value = self.low.saturating_add(slot.saturating_mul(self.slot));
        self.unit.show(&value.into())
    }

    /// The highest share, or upper bound of a share, in the chart.
    pub(super) fn highest(&self) -> f64 {
        let spots = self.series.iter().flat_map(|series| &series.spots);
        let tops = spots.map(|spot| {
            spot.bounds
                .map_or(spot.share, |[_, high]| high.max(spot.share))
        });
        let extras = self
            .left
            .iter()
            .chain(&self.right)
            .flat_map(|extra| &extra.shares);
        tops.chain(extras.copied()).fold(0.0, f64::max)
    }

    /// The chart of rules whose outcomes are numbers. `None` for lists, for numbers that are too large for an axis, and for values
    /// that are better shown as rows.
    pub(super) fn of(rules: &[Answered], means: &[Option<f64>], view: View) -> Option<Self> {
        let numbers: Vec<&Distribution<Integer>> = rules
            .iter()
            .map(|rule| rule.answer.numbers())
            .collect::<Option<_>>()?;
        let mut values = BTreeSet::new();
        for number in numbers.iter().flat_map(|one| one.outcomes()) {
            // The bound makes differences fit into 64 bits, too.
            values.insert(number.to_i64().filter(|value| value.abs() < 1 << 61)?);
        }
        let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
        let (Some(first), Some(last)) = (values.first().copied(), values.last().copied()) else {
            return Some(Self::empty(&answers, view));
        };
        let lattice = lattice(&values);
        // Doubles must distinguish neighbouring places on the axis.
        let apart = lattice.max((last - first) / 1000);
        if first.abs().max(last.abs()) / apart >= 1 << 50 {
            return None;
        }
        let (low, high) = visible(&answers, &numbers, first, last, lattice);
        let visible_values = values.range(low..=high).count();
        let slots = (high - low) / lattice + 1;
        let series = i64::try_from(rules.len()).ok()?;
        // A few values far apart are drawn as stems if the stems do not touch, else as rows.
        let is_sparse = slots > MOST_SLOTS && visible_values <= MOST_STEMS;
        let nearest = values
            .range(low..=high)
            .zip(values.range(low..=high).skip(1));
        let nearest = nearest.map(|(value, next)| next - value).min();
        let has_stems = is_sparse
            && nearest.is_none_or(|gap| gap / lattice >= slots.saturating_mul(series) / STEMS);
        if is_sparse && !has_stems && visible_values <= MOST_ROWS && view == View::Exactly {
            return None;
        }
        let most = match rules.len() {
            ..=MOST_GROUPED => MOST_GROUPED_BARS,
            _ => MOST_BARS_OF_MANY,
        };
        let bars = match series {
            1 => slots <= MOST_BARS || visible_values <= MOST_STEMS && !is_sparse || has_stems,
            _ => view == View::Exactly && (slots.saturating_mul(series) <= most || has_stems),
        };
        let kind = match rules.len() {
            _ if bars => Kind::Bars,
            1 => Kind::Area,
            _ => Kind::Lines,
        };
        let mut width = lattice;
        if !bars && slots > MOST_SLOTS {
            width = lattice * per_slot(slots, (low, high) == (first, last));
        }
        let gathers = width > lattice;
        // Slots begin at a round number, but not before the first value.
        let low = if gathers && low > first {
            (low.div_euclid(width) * width).max(first)
        } else {
            low
        };
        let viewport = Viewport {
            low,
            high: if gathers {
                low + (high - low) / width * width + width - 1
            } else {
                high
            },
            width,
            slots: (high - low) / width + 1,
            gathers,
        };
        let unit = unit_of(&answers);
        let parts = decimal::nearest(&Fraction::from_integer(unit.parts().to_big()));
        let mut notes = Vec::new();
        let series = rules
            .iter()
            .zip(&numbers)
            .zip(means)
            .map(|((rule, numbers), mean)| Series {
                spots: spots(&rule.answer, numbers, &viewport, view, kind),
                mean: *mean,
            })
            .collect();
        let (left, right) = extras(&answers, &numbers, &viewport, lattice, view, &mut notes);
        let offset = if gathers {
            (width - lattice) as f64 / 2.0
        } else {
            0.0
        };
        Some(Self {
            kind,
            first: (low as f64 + offset) / parts,
            width: width as f64 / parts,
            slot: viewport.width,
            low: viewport.low,
            unit: unit.clone(),
            slots: viewport.slots,
            gathered: gathers.then(|| unit.show(&width.into())),
            series,
            left,
            right,
            notes,
            is_least: answers.iter().any(|answer| is_open(answer, view)),
        })
    }

    /// The chart of rules without listed values, such as a rule that never ends.
    fn empty(answers: &[&Answer], view: View) -> Self {
        let viewport = Viewport {
            low: 0,
            high: 0,
            width: 1,
            slots: 1,
            gathers: false,
        };
        let mut notes = Vec::new();
        let (left, right) = extras(answers, &[], &viewport, 1, view, &mut notes);
        Self {
            kind: Kind::Bars,
            first: 0.0,
            width: 1.0,
            slot: 1,
            low: 0,
            unit: Unit::WHOLE,
            slots: 1,
            gathered: None,
            series: Vec::new(),
            left,
            right,
            notes,
            is_least: false,
        }
    }
}

/// The part of the axis that is shown.
struct Viewport {
    low: i64,
    high: i64,
    width: i64,
    slots: i64,
    /// Whether a slot stands for several values.
    gathers: bool,
}

/// The number of values that a slot gathers: a round number, or, if all values are shown, a number near it that divides the number
/// of values, so that every slot is full.
fn per_slot(values: i64, all: bool) -> i64 {
    let round = round_step(values as f64 / MOST_RANGES) as i64;
    let near = [round].into_iter().chain((round / 2).max(1)..=round * 2);
    let mut near = near.filter(|width| values / width <= MOST_SLOTS && values % width == 0);
    if !all || values > 1_000_000 {
        return round;
    }
    near.next().unwrap_or(round)
}

/// The greatest common divisor of all differences of values.
fn lattice(values: &BTreeSet<i64>) -> i64 {
    let mut all = values.iter();
    let first = all.next().copied().unwrap_or_default();
    let step = all.fold(0, |step, value| num_integer::gcd(step, value - first));
    step.max(1)
}

/// The first and the last value to show: all values, or the values without unlikely far ends.
fn visible(
    answers: &[&Answer],
    numbers: &[&Distribution<Integer>],
    first: i64,
    last: i64,
    lattice: i64,
) -> (i64, i64) {
    let mut bulk: Option<(i64, i64)> = None;
    for (answer, numbers) in answers.iter().zip(numbers) {
        let [low, high] = bulk_ends(answer, numbers, END_PARTS).map(|end| end?.to_i64());
        let (low, high) = (low.unwrap_or(first), high.unwrap_or(last));
        bulk = Some(bulk.map_or((low, high), |(other_low, other_high)| {
            (low.min(other_low), high.max(other_high))
        }));
    }
    let (low, high) = bulk.unwrap_or((first, last));
    // The ends are cut off only if that makes room for the values, or puts all tails into one column.
    let pays = (last - first) / lattice >= 40 && (high - low) / 3 < (last - first) / 4;
    if pays || has_many_tails(answers, low, high) {
        (low, high)
    } else {
        (first, last)
    }
}

/// The tail at one end.
fn tail(answer: &Answer, above: bool) -> Option<&Tail> {
    if above {
        answer.above()
    } else {
        answer.below()
    }
}

/// Whether the tails of different rules begin at different values, and all tails lie beyond the values to show.
fn has_many_tails(answers: &[&Answer], low: i64, high: i64) -> bool {
    let bounds = |above: bool| -> BTreeSet<&Integer> {
        let tails = answers.iter().filter_map(|answer| tail(answer, above));
        tails.map(|tail| &tail.bound).collect()
    };
    let (below, above) = (bounds(false), bounds(true));
    below.len().max(above.len()) > 1
        && below.iter().all(|bound| **bound < Integer::from(low))
        && above.iter().all(|bound| **bound > Integer::from(high))
}

/// The shares of one rule in the slots that are shown.
fn spots(
    answer: &Answer,
    numbers: &Distribution<Integer>,
    viewport: &Viewport,
    view: View,
    kind: Kind,
) -> Vec<Spot> {
    let weight_of = |tail: Option<&Tail>| tail.map_or(Weight::ZERO, |tail| tail.weight.clone());
    let scale = Scale::new(answer.total());
    let mut passed = weight_of(answer.below());
    let mut ahead = numbers.mass() + weight_of(answer.above());
    let mut outcomes = numbers.iter().enumerate().peekable();
    let slot_of = |outcome: &Integer| {
        outcome.to_i64().map_or(i64::MAX, |value| {
            (value - viewport.low).div_euclid(viewport.width)
        })
    };
    while let Some((_, (_, weight))) = outcomes.next_if(|(_, (outcome, _))| slot_of(outcome) < 0) {
        passed += weight;
        ahead -= weight;
    }
    let occupied: Vec<i64> = numbers.outcomes().iter().map(slot_of).collect();
    let ends = (
        occupied.first().copied().unwrap_or(0),
        occupied.last().copied().unwrap_or(0),
    );
    // A slot without a value has no bar, but a line continues through it. In a cumulative view the line covers the axis from the
    // last 100% to the first 0%, or to the end of the axis at an end without a tail.
    let (from, to) = match (kind, view) {
        (Kind::Lines, View::AtLeast) if answer.below().is_some() => (ends.0, ends.1 + 1),
        (Kind::Lines, View::AtLeast) => (0, ends.1 + 1),
        (Kind::Lines, View::AtMost) if answer.above().is_some() => (ends.0 - 1, ends.1),
        (Kind::Lines, View::AtMost) => (ends.0 - 1, viewport.slots),
        _ => ends,
    };
    let has_gaps = kind == Kind::Bars && (view == View::Exactly || viewport.slots > 4 * MOST_SLOTS);
    let mut shown: Vec<i64> = if has_gaps {
        occupied
    } else {
        (from.max(0)..=to.min(viewport.slots - 1)).collect()
    };
    shown.retain(|slot| (0..viewport.slots).contains(slot));
    shown.dedup();
    let mut spots = Vec::with_capacity(shown.len());
    for slot in shown {
        let mut here = Weight::ZERO;
        let mut listed = Vec::new();
        while let Some((index, (_, weight))) =
            outcomes.next_if(|(_, (outcome, _))| slot_of(outcome) <= slot)
        {
            here += weight;
            listed.push(index);
        }
        let only = listed.first().copied().filter(|_| listed.len() == 1);
        passed += &here;
        let weight = match view {
            View::Exactly => here.clone(),
            View::AtLeast => ahead.clone(),
            View::AtMost => passed.clone(),
        };
        ahead -= &here;
        let from = viewport
            .low
            .saturating_add(slot.saturating_mul(viewport.width));
        let [from, to] = [from, from.saturating_add(viewport.width - 1)].map(Integer::from);
        let seen = match view {
            View::AtLeast => Seen::Range(Some(&from), None),
            View::AtMost => Seen::Range(None, Some(&to)),
            View::Exactly if viewport.gathers => Seen::Range(Some(&from), Some(&to)),
            View::Exactly => Seen::value(only),
        };
        let bounds = bounds(answer, seen, &weight);
        let bounds = bounds.map(|bounds| bounds.each_ref().map(decimal::nearest));
        spots.push(Spot {
            slot,
            share: scale.nearest(&weight),
            bounds,
        });
    }
    spots
}

/// The columns on the left and on the right: tails, with the listed values that were cut off, and mass without a value.
fn extras(
    answers: &[&Answer],
    numbers: &[&Distribution<Integer>],
    viewport: &Viewport,
    lattice: i64,
    view: View,
    notes: &mut Vec<String>,
) -> (Vec<Extra>, Vec<Extra>) {
    let unit = unit_of(answers);
    let show = |value: i64| unit.show(&value.into());
    let mut sides = [Vec::new(), Vec::new()];
    let mut unseen = Vec::new();
    let mut hidden = vec![Weight::ZERO; answers.len()];
    let mut cut_off = [Weight::ZERO, Weight::ZERO].map(|zero| vec![zero; answers.len()]);
    for (rule, numbers) in numbers.iter().enumerate() {
        for (outcome, weight) in numbers.iter() {
            let value = outcome.to_i64().unwrap_or(i64::MAX);
            if value < viewport.low {
                cut_off[0][rule] += weight;
            } else if value > viewport.high {
                cut_off[1][rule] += weight;
            }
        }
    }
    for (side, gathered) in cut_off.into_iter().enumerate() {
        let above = side == 1;
        let (sign, bound) = if above {
            (">=", viewport.high + lattice)
        } else {
            ("<=", viewport.low - lattice)
        };
        let silent = view == if above { View::AtMost } else { View::AtLeast };
        let cut = gathered.iter().any(|weight| !weight.is_zero());
        let tails: Vec<(usize, &Tail)> = answers
            .iter()
            .enumerate()
            .filter_map(|(rule, answer)| Some((rule, tail(answer, above)?)))
            .collect();
        let beyond = |tail: &Tail| {
            if above {
                tail.bound >= Integer::from(bound)
            } else {
                tail.bound <= Integer::from(bound)
            }
        };
        // The values that were cut off and the tails beyond them share one column.
        let mut columns: Vec<(String, Vec<Weight>)> = Vec::new();
        let joined = cut && tails.iter().any(|(_, tail)| beyond(tail));
        if joined {
            columns.push((format!("{sign}{}", show(bound)), gathered.clone()));
        }
        for (rule, tail) in &tails {
            let label = if cut && beyond(tail) {
                format!("{sign}{}", show(bound))
            } else {
                format!("{sign}{}", unit.show(&tail.bound))
            };
            let found = columns.iter().position(|(other, _)| *other == label);
            let index = found.unwrap_or_else(|| {
                columns.push((label, vec![Weight::ZERO; answers.len()]));
                columns.len() - 1
            });
            columns[index].1[*rule] += &tail.weight;
        }
        if cut && !joined && !silent {
            unseen.push(if above {
                format!("above {}", show(viewport.high))
            } else {
                format!("below {}", show(viewport.low))
            });
            for (hidden, weight) in hidden.iter_mut().zip(&gathered) {
                *hidden += weight;
            }
        }
        if !silent {
            sides[side].extend(columns.into_iter().map(|(label, weights)| Extra {
                label,
                shares: shares(answers, &weights),
            }));
        }
    }
    if !unseen.is_empty() {
        let most = shares(answers, &hidden).into_iter().fold(0.0, f64::max);
        let most = at_most(most, answers.len());
        let unseen = unseen.join(" and ");
        notes.push(format!("not shown: values {unseen} (together {most})"));
    }
    for (label, weight) in WITHOUT_VALUE {
        let weights: Vec<Weight> = answers.iter().map(|answer| weight(answer)).collect();
        let shares = shares(answers, &weights);
        let most = shares.iter().copied().fold(0.0, f64::max);
        if most >= LEAST_DRAWN && view == View::Exactly {
            sides[1].push(Extra {
                label: label.into(),
                shares,
            });
        } else if most > 0.0 {
            notes.push(format!("{label}: {}", at_most(most, answers.len())));
        }
    }
    let [left, right] = sides;
    (left, right)
}

/// The text of a share, which is the highest share if there are several rules.
fn at_most(share: f64, rules: usize) -> String {
    let text = short_percent(share);
    if rules > 1 {
        format!("at most {text} of each rule")
    } else {
        text
    }
}

/// A percentage with two or three digits.
pub(super) fn short_percent(share: f64) -> String {
    if (0.999..1.0).contains(&share) {
        return ">99.9%".into();
    }
    let digits = match share * 100.0 {
        9.995.. => 1,
        0.095.. => 2,
        0.009_5.. => 3,
        0.000_95.. => 4,
        0.000_1.. => 5,
        _ => 0,
    };
    figures::percent(&decimal::shortest(share), digits)
}

fn shares(answers: &[&Answer], weights: &[Weight]) -> Vec<f64> {
    let shares = answers.iter().zip(weights);
    shares
        .map(|(answer, weight)| Scale::new(answer.total()).nearest(weight))
        .collect()
}

/// A mean as a place on the axis.
pub(super) fn place(mean: &Fraction) -> Option<f64> {
    Some(decimal::nearest(mean)).filter(|mean| mean.is_finite())
}
