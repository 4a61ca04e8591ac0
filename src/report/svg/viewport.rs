//! The part of the axis that is shown, and how many values a slot gathers.

use std::collections::BTreeSet;

use super::axis::round_step;
use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::number::Integer;
use crate::report::bulk::bulk_ends_among;
use crate::report::scale::Scale;

/// An end of a long axis is cut off if less than one part in this number of every series lies beyond.
pub(super) const END_PARTS: u32 = 1_000;

/// Values are outliers if the gap before them is this much longer than what all others cover, and their share is less than this one,
/// unless each rule has one of them at most.
const FAR: i64 = 3;
const OUTLYING: f64 = 0.1;

/// A step that is a round number is this much longer, at most, than one that is a round number of values.
const MOST_LONGER: f64 = 2.6;

/// The part of the axis that is shown.
#[derive(Debug)]
pub(super) struct Viewport {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) width: i64,
    pub(super) slots: i64,
    /// Whether a slot stands for several values.
    pub(super) gathers: bool,
}

impl Viewport {
    /// The slots of this width between two values. Those that gather several begin at a round number, but not before `start`, which is
    /// the first value. Only those of sampled values do, because round ranges have the closest bounds.
    pub(super) fn of((low, high): (i64, i64), width: i64, lattice: i64, start: i64) -> Self {
        let gathers = width > lattice;
        let low = match low.div_euclid(width) * width {
            round if gathers && low > start => round.max(start),
            _ => low,
        };
        Self {
            low,
            high: if gathers {
                low + (high - low) / width * width + width - 1
            } else {
                high
            },
            width,
            slots: (high - low) / width + 1,
            gathers,
        }
    }
}

/// The places of the values of all rules: evenly spaced, from the first to the last.
#[derive(Debug)]
pub(super) struct Lattice {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) apart: i64,
}

impl Lattice {
    /// Evenly spaced values between two ends, at least as far apart as `room`, where 1 has this many `parts`. They are multiples of a
    /// round number if there are such values.
    pub(super) fn ticks(&self, [low, high]: [i64; 2], room: f64, parts: i64) -> Vec<i64> {
        let apart = self.apart as f64;
        let round = round_step(room / parts as f64).max(1.0) * parts as f64;
        let own = round_step((room / apart).max(1.0)) * apart;
        let is_among = round < own * MOST_LONGER && round % apart == 0.0;
        let step = (if is_among { round } else { own }) as i64;
        let rest = self.first.rem_euclid(self.apart);
        let [low, high] = [low.max(self.first), high.min(self.last)];
        let start = low + (rest - low).rem_euclid(step);
        let steps = (0..).map_while(|index: i64| start.checked_add(step.checked_mul(index)?));
        steps.take_while(|value| *value <= high).collect()
    }
}

/// The number of values that a slot gathers: a round number, or, if all values are shown, a number near it that divides the number
/// of values, so that every slot is full. At most `most` slots remain.
pub(super) fn per_slot(values: i64, all: bool, most: i64) -> i64 {
    let round = (round_step(values as f64 / (most as f64 * 0.7)) as i64).max(1);
    let near = [round].into_iter().chain((round / 2).max(1)..=round * 2);
    let mut near = near.filter(|width| values / width <= most && values % width == 0);
    if !all || values > 1_000_000 {
        return round;
    }
    near.next().unwrap_or(round)
}

/// The greatest common divisor of all differences of values.
pub(super) fn lattice(values: &BTreeSet<i64>) -> i64 {
    let mut all = values.iter();
    let first = all.next().copied().unwrap_or_default();
    let step = all.fold(0, |step, value| num_integer::gcd(step, value - first));
    step.max(1)
}

/// The first and the last of the values without outliers, which are few and far from all others. There are none where the values
/// cover `most` or less.
pub(super) fn without_outliers(
    answers: &[&Answer],
    numbers: &[&Distribution<Integer>],
    values: &BTreeSet<i64>,
    most: i64,
) -> (i64, i64) {
    let values: Vec<i64> = values.iter().copied().collect();
    let are_few = |beyond: &[i64]| {
        let (Some(first), Some(last)) = (beyond.first(), beyond.last()) else {
            return true;
        };
        let range = Integer::from(*first)..=Integer::from(*last);
        let mut rules = answers.iter().zip(numbers);
        rules.all(|(answer, numbers)| {
            let there = numbers.iter().filter(|(value, _)| range.contains(value));
            let weights: Vec<&Weight> = there.map(|(_, weight)| weight).collect();
            let all: Weight = weights.iter().copied().sum();
            weights.len() <= 1 || Scale::new(answer.total()).nearest(&all) < OUTLYING
        })
    };
    let (mut from, mut to) = (0, values.len() - 1);
    while from + 1 < to && values[to] - values[from] > most {
        let gap = |place: &usize| values[place + 1] - values[*place];
        let Some(widest) = (from..to).max_by_key(gap) else {
            break;
        };
        let length = gap(&widest);
        let covers =
            |low: usize, high: usize| high > low && (values[high] - values[low]) <= length / FAR;
        if covers(from, widest) && are_few(&values[widest + 1..]) {
            to = widest;
        } else if covers(widest + 1, to) && are_few(&values[..=widest]) {
            from = widest + 1;
        } else {
            break;
        }
    }
    (values[from], values[to])
}

/// The first and the last value to show: all values, or the values without unlikely far ends.
pub(super) fn visible(
    answers: &[&Answer],
    numbers: &[&Distribution<Integer>],
    first: i64,
    last: i64,
    lattice: i64,
) -> (i64, i64) {
    let mut bulk: Option<(i64, i64)> = None;
    for (answer, numbers) in answers.iter().zip(numbers) {
        let among = |value: &Integer| (first.into()..=last.into()).contains(value);
        let ends = bulk_ends_among(answer, numbers, END_PARTS, among);
        let [low, high] = ends.map(|end| end?.to_i64());
        let (low, high) = (low.unwrap_or(first), high.unwrap_or(last));
        bulk = Some(bulk.map_or((low, high), |(other_low, other_high)| {
            (low.min(other_low), high.max(other_high))
        }));
    }
    let (low, high) = bulk.unwrap_or((first, last));
    // The ends are cut off only if that makes room for the values, or puts all tails into one column.
    let pays = (last - first) / lattice >= 40 && (high - low) / 5 < (last - first) / 6;
    if pays || has_many_tails(answers, low, high) {
        (low, high)
    } else {
        (first, last)
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

/// The tail at one end.
pub(super) fn tail(answer: &Answer, above: bool) -> Option<&Tail> {
    if above {
        answer.above()
    } else {
        answer.below()
    }
}
