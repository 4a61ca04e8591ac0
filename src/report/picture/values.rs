//! Numbers along an axis: the bins that are shown, each for a value, a range, a tail, or mass without a value; their places; and the
//! chance of each rule in each bin.
//!
//! Values are to scale. Long gaps between a few values are breaks of the axis.

use std::collections::BTreeSet;
use std::ops::Range;

use super::chance::{Chance, decimals};
use super::chart::{Along, Bin, Chart, Join};
use super::kind::{Kind, is_gappy};
use super::numbers::{name_of_chances, round_step, typeset};
use super::text::{LABEL, text_width};
use super::words::Picture;
use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::limits::LimitReached;
use crate::number::{Fraction, Integer};
use crate::report::bulk::bulk_ends;
use crate::report::ranges::Span;
use crate::report::scale::Scale;
use crate::report::sheet::{Cell, column, is_open, unit_of};
use crate::report::{Answered, Report, View, WITHOUT_VALUE, decimal};

/// The most bins of a series with percentages above them, that are bars, and that are drawn one by one, however far apart.
pub(super) const MOST_LABELS: usize = 18;
const MOST_BARS: i64 = 90;
const MOST_SINGLE: usize = 60;

/// An end is cut off if less than one part in this number of every rule lies beyond, and a part of an axis of more than a few slots.
pub(super) const END_PARTS: u32 = 1_000;
const LEAST_CUT: i64 = 6;
const FEW_SLOTS: i64 = 12;

/// Gaps longer than this part of an axis of many slots are breaks if they cover most of it: this many parts of that many.
const LONG: i64 = 10;
const MANY_SLOTS: i64 = 60;
const MOST: [i64; 2] = [3, 4];

/// The largest number of columns of cells with room for a decimal.
const MOST_DECIMAL: usize = 11;

/// A rule that has values in fewer ranges is narrow; so many slots are drawn one by one beside it.
const NARROW: i64 = 8;
const MOST_FINE: i64 = 2_000;

/// The least share of mass without a value that is drawn; a smaller share is a line of text.
const LEAST_DRAWN: f64 = 0.000_5;

/// The space before a column and at a break, and the least width of a column, in pixels.
pub(super) const GAP: f64 = 14.0;
const COLUMN: f64 = 30.0;

/// About the width of what is no axis in a picture.
const AROUND: f64 = 110.0;

/// The values of rules that an axis has room for.
pub(super) struct Extent<'a> {
    answers: Vec<&'a Answer>,
    numbers: Vec<&'a Distribution<Integer>>,
    values: Vec<i64>,
    /// The first and the last value that is shown, and the distance of neighbouring values.
    shown: [i64; 2],
    apart: i64,
    /// How many slots there are, without those of breaks, and whether a rule has so many gaps that it is no curve.
    pub(super) slots: i64,
    pub(super) is_gappy: bool,
    /// How many parts 1 has.
    parts: f64,
}

/// The greatest common divisor of all differences of values.
pub(super) fn common_distance(values: &BTreeSet<i64>) -> i64 {
    let mut all = values.iter();
    let first = all.next().copied().unwrap_or_default();
    let step = all.fold(0, |step, value| num_integer::gcd(step, value - first));
    step.max(1)
}

fn tail(answer: &Answer, above: bool) -> Option<&Tail> {
    if above {
        answer.above()
    } else {
        answer.below()
    }
}

impl<'a> Extent<'a> {
    /// The extent of rules whose outcomes are numbers; `None` for others, and for numbers that are too large for an axis.
    pub(super) fn of(rules: &'a [Answered]) -> Option<Self> {
        let numbers = rules.iter().map(|rule| rule.answer.numbers());
        let numbers = numbers.collect::<Option<Vec<_>>>()?;
        let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
        let mut values = BTreeSet::new();
        for number in numbers.iter().flat_map(|one| one.outcomes()) {
            // The bound makes differences fit into 64 bits, too.
            let value = number.to_i64();
            values.insert(value.filter(|value| value.unsigned_abs() < 1 << 61)?);
        }
        let parts = Fraction::from_integer(unit_of(&answers).parts().to_big());
        let parts = decimal::nearest(&parts);
        let apart = common_distance(&values);
        let values: Vec<i64> = values.into_iter().collect();
        let ends = [values.first(), values.last()].map(|end| end.copied().unwrap_or_default());
        // Doubles must distinguish neighbouring places on the axis.
        let (widest, most) = (apart.max((ends[1] - ends[0]) / 1000), 1_i64 << 50);
        if ends[0].abs().max(ends[1].abs()) / widest >= most || parts >= most as f64 {
            return None;
        }
        let mut extent = Self {
            answers,
            numbers,
            values,
            shown: ends,
            apart,
            slots: 1,
            is_gappy: false,
            parts,
        };
        extent.shown = extent.bulk();
        let [low, high] = extent.shown;
        let runs = extent.runs().into_iter();
        extent.slots = runs.map(|[low, high]| (high - low) / apart + 1).sum();
        extent.is_gappy = extent.numbers.iter().any(|numbers| {
            let own = numbers.outcomes().iter().filter_map(Integer::to_i64);
            let own: Vec<i64> = own.filter(|own| (low..=high).contains(own)).collect();
            is_gappy(&own, apart)
        });
        Some(extent)
    }

    /// The first and the last value without unlikely far ends, if that makes room for the values, or puts all tails into one column.
    fn bulk(&self) -> [i64; 2] {
        let [first, last] = self.shown;
        let rules = self.answers.iter().zip(&self.numbers);
        let bulks = rules.map(|(answer, numbers)| {
            let [low, high] = bulk_ends(answer, numbers, END_PARTS).map(|end| end?.to_i64());
            [low.unwrap_or(first), high.unwrap_or(last)]
        });
        let bulk = bulks.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        let [low, high] = bulk.unwrap_or(self.shown);
        let slots = |[low, high]: [i64; 2]| (high - low) / self.apart + 1;
        let (all, rest) = (slots(self.shown), slots([low, high]));
        let bounds = |above: bool| {
            let tails = self.answers.iter().filter_map(|answer| tail(answer, above));
            tails.map(|tail| &tail.bound).collect::<BTreeSet<_>>()
        };
        let (below, above) = (bounds(false), bounds(true));
        let has_many_tails = below.len().max(above.len()) > 1
            && below.iter().all(|bound| **bound < Integer::from(low))
            && above.iter().all(|bound| **bound > Integer::from(high));
        if all > FEW_SLOTS && (all - rest) * LEAST_CUT >= all || has_many_tails {
            [low, high]
        } else {
            [first, last]
        }
    }

    /// The values that are shown, in runs between breaks, each from its first to its last value.
    fn runs(&self) -> Vec<[i64; 2]> {
        let [low, high] = self.shown;
        let shown = self.values.iter().copied();
        let shown: Vec<i64> = shown.filter(|value| (low..=high).contains(value)).collect();
        let covered = high - low + self.apart;
        let is_long = |gap: i64| gap > covered / LONG;
        let gaps = shown.windows(2).map(|pair| pair[1] - pair[0]);
        let long: i64 = gaps.filter(|gap| is_long(*gap)).sum();
        let is_broken = covered / self.apart > MANY_SLOTS && long > covered / MOST[1] * MOST[0];
        let runs = shown.chunk_by(|a, b| !is_broken || !is_long(b - a));
        runs.map(|run| [run[0], run[run.len() - 1]]).collect()
    }

    /// The first and the last value of each bin, of which there are at most about `most`, and the width of a bin. Those of values that no
    /// rule has are there if they are to be `filled`.
    fn ranges(&self, most: i64, is_filled: bool) -> (Vec<[i64; 2]>, i64) {
        let (runs, apart) = (self.runs(), self.apart);
        let [low, high] = self.shown;
        let shown = self
            .values
            .iter()
            .filter(|value| (low..=high).contains(*value));
        let are_few = shown.clone().count() <= MOST_SINGLE && !is_filled;
        if are_few || self.slots <= most && !is_filled {
            return (shown.map(|value| [*value, *value]).collect(), apart);
        }
        let is_sampled = self
            .answers
            .iter()
            .any(|answer| answer.sampling().is_some());
        let round = round_step(self.slots as f64 / (most as f64 * 0.7)).max(1.0) as i64;
        // A number near the round one may make every range full. Sampled ranges begin at round numbers, which have the closest bounds.
        let near = [round].into_iter().chain((round / 2).max(1)..=round * 2);
        let is_whole = runs.len() == 1 && !is_sampled && self.slots <= 1_000_000;
        let mut full = near.filter(|width| self.slots / width <= most && self.slots % width == 0);
        let width = full.next().filter(|_| is_whole).unwrap_or(round) * apart;
        let is_single = self.slots <= most;
        let width = if is_single { apart } else { width };
        let spans = runs.into_iter().flat_map(|[first, last]| {
            let is_round = is_sampled && !is_single;
            let start = if is_round {
                first.div_euclid(width) * width
            } else {
                first
            };
            let starts = (0..=(last - start) / width).map(move |index| start + index * width);
            let end = if is_single { 0 } else { width - 1 };
            starts.map(move |start| [start, start + end])
        });
        (spans.collect(), width)
    }
}

/// A bin in the making, with the values that it stands for.
type Column = (Bin, Span);

/// The chart of rules in a kind of picture of this width.
pub(super) fn chart(
    report: &Report,
    extent: &Extent,
    kind: Kind,
    picture: &Picture,
) -> Result<Chart, LimitReached> {
    let (rules, answers, view) = (report.rules, &extent.answers, picture.view);
    let is_outline = kind == Kind::Bars && rules.len() <= 1 && extent.slots > MOST_BARS;
    let is_outline = is_outline && extent.values.len() > MOST_SINGLE;
    let is_sampled = answers.iter().any(|answer| answer.sampling().is_some());
    // Running totals have one band, however many values there are.
    let has_ranges = is_sampled && view == View::Exactly && (is_outline || kind == Kind::Lines);
    let most = kind.most_slots(rules.len(), has_ranges);
    // Ranges would hide the shape of a rule that has hardly more values than a range.
    let is_narrow = extent.numbers.iter().any(|numbers| {
        let ends = [numbers.outcomes().first(), numbers.outcomes().last()];
        let [low, high] = ends.map(|end| end.and_then(Integer::to_i64).unwrap_or(0));
        (high - low) / extent.apart < NARROW * extent.slots / most
    });
    let are_single = kind == Kind::Lines && view == View::Exactly && is_narrow && !has_ranges;
    let most = if are_single {
        most.max(MOST_FINE)
    } else {
        most
    };
    let (values, width) = extent.ranges(most, is_outline || view != View::Exactly);
    let gathers = width != extent.apart;
    let unit = unit_of(answers);
    let gathered = typeset(&unit.show(&width.into()));
    let are_conditions = !rules.is_empty() && rules.iter().all(|rule| rule.is_condition);
    let laying = Laying {
        extent,
        view,
        gathers,
        are_conditions,
        // The slots of a pixel, about.
        pixel: extent.slots.max(1) as f64 / (picture.width - AROUND),
    };
    let mut chart = Chart::new(kind, view, &picture.names);
    let (columns, runs) = laying.columns(&values, &mut chart.notes);
    let (bins, spans): (Vec<Bin>, Vec<Span>) = columns.into_iter().unzip();
    let digits = digits(kind, view, extent, bins.len(), is_outline);
    for (rule, (answer, numbers)) in answers.iter().zip(&extent.numbers).enumerate() {
        let cells = column(report, answer, numbers, &spans, view)?;
        let drawn = drawn(view, answer, &cells);
        let mut scale = Scale::new(answer.total());
        let cells = cells.into_iter().zip(&bins).enumerate();
        let chances = cells.map(|(index, (cell, bin))| {
            let is_there = cell.weight != Weight::ZERO;
            let is_drawn = match view {
                _ if bin.is_beside => is_there,
                View::Exactly => is_there || is_outline,
                _ => drawn.contains(&index),
            };
            let digits = if bin.is_beside && scale.nearest(&cell.weight) < 0.001 {
                2
            } else {
                digits
            };
            let chance = || {
                let chance = Chance::new(&cell.weight, &mut scale, digits);
                if kind != Kind::Cells {
                    return chance;
                }
                chance.with_whole(&cell.weight, &mut scale)
            };
            let chance = is_drawn.then(chance)?;
            match cell.bounds.as_ref().filter(|_| !bin.is_beside) {
                // Cells have no room for intervals.
                Some(bounds) if kind == Kind::Cells => Some(chance.within(bounds).estimated()),
                Some(bounds) => Some(chance.within(bounds)),
                None => Some(chance),
            }
        });
        chart.chances[rule] = chances.collect();
    }
    chart.bins = bins;
    if let ([rule], [numbers]) = (rules, &extent.numbers[..]) {
        chart.holds = holding(rule, numbers, &spans);
    }
    let value = (view != View::Exactly).then_some("this value");
    let least = answers.iter().any(|answer| is_open(answer, view));
    let least = if least { " (or more)" } else { "" };
    let steps = match value {
        _ if !gathers => String::new(),
        Some(_) => format!(", in steps of {gathered}"),
        None => format!(", in ranges of {gathered} values"),
    };
    chart.name_of_chances = format!("{}{least}{steps}", name_of_chances(view, value));
    chart.name = picture
        .x_label
        .clone()
        .unwrap_or_else(|| picture.values.clone());
    chart.means = if are_conditions {
        vec![None; rules.len()]
    } else {
        picture.means.clone()
    };
    chart.is_outline = is_outline;
    chart.has_stems = kind == Kind::Lines && view == View::Exactly && extent.is_gappy && !gathers;
    chart.gathers = gathers;
    chart.along = Along::Values {
        unit: unit.clone(),
        parts: extent.parts,
        apart: extent.apart,
        runs,
    };
    laying.add_mass_without_value(&mut chart);
    Ok(chart)
}

/// The bins of a rule that a curve of running totals goes through: from the last 100% to the first 0%, and on to an end of the axis, but
/// not to where a tail is. None in a view of single values.
fn drawn(view: View, answer: &Answer, cells: &[Cell]) -> Range<usize> {
    let weight = |cell: &Cell| cell.weight.clone();
    let is_zero = |cell: &Cell| cell.weight == Weight::ZERO;
    let most = cells.iter().map(weight).max().unwrap_or_default();
    let is_most = |cell: &Cell| cell.weight == most;
    let count = cells.len();
    match view {
        View::Exactly => 0..0,
        View::AtLeast => {
            let from = cells
                .iter()
                .rposition(is_most)
                .filter(|_| answer.below().is_some());
            let to = cells
                .iter()
                .position(is_zero)
                .map_or(count, |zero| zero + 1);
            from.unwrap_or(0)..to
        }
        View::AtMost => {
            let from = cells.iter().rposition(is_zero).unwrap_or(0);
            let to = cells
                .iter()
                .position(is_most)
                .filter(|_| answer.above().is_some());
            from..to.map_or(count, |last| last + 1)
        }
    }
}

/// The decimals of the percentages in the picture.
fn digits(kind: Kind, view: View, extent: &Extent, bins: usize, is_outline: bool) -> usize {
    match kind {
        Kind::Cells if bins > MOST_DECIMAL => 0,
        Kind::Bars if bins <= MOST_LABELS && !is_outline => {
            let rules = extent.answers.iter().zip(&extent.numbers);
            let weights = rules.flat_map(|(answer, numbers)| {
                let weights = numbers.iter().map(|(_, weight)| weight);
                weights.map(|weight| (weight, answer.total()))
            });
            decimals(weights).min(if view == View::Exactly { 4 } else { 1 })
        }
        _ => 1,
    }
}

/// How the bins are laid out along the axis.
struct Laying<'a> {
    extent: &'a Extent<'a>,
    view: View,
    gathers: bool,
    are_conditions: bool,
    /// The slots of a pixel, about.
    pixel: f64,
}

impl Laying<'_> {
    /// The bins of these values, and of what lies beside the axis; and the runs between breaks, with the places of their first values.
    fn columns(
        &self,
        values: &[[i64; 2]],
        notes: &mut Vec<String>,
    ) -> (Vec<Column>, Vec<([i64; 2], f64)>) {
        let (extent, gap) = (self.extent, GAP * self.pixel);
        let [low, high] = extent.shown;
        let high = values.last().map_or(high, |last| high.max(last[1]));
        let low = values.first().map_or(low, |first| first[0]);
        let (mut unseen, mut hidden) = (Vec::new(), vec![Weight::ZERO; extent.answers.len()]);
        let [before, after] = [(false, low), (true, high)].map(|(above, end)| {
            self.beyond(above, end, &mut hidden)
                .and_then(|(label, bound)| {
                    let Some(bound) = bound else {
                        unseen.push(label);
                        return None;
                    };
                    let next = Some(Integer::from(if above { end + 1 } else { end - 1 }));
                    let place = bound as f64 / extent.parts;
                    Some(if above {
                        (
                            label,
                            [place, f64::INFINITY],
                            Span {
                                low: next,
                                high: None,
                            },
                        )
                    } else {
                        (
                            label,
                            [f64::NEG_INFINITY, place],
                            Span {
                                low: None,
                                high: next,
                            },
                        )
                    })
                })
        });
        if !unseen.is_empty() {
            let (unseen, most) = (unseen.join(" and "), at_most(&extent.answers, &hidden));
            notes.push(format!("not shown: values {unseen} (together {most})"));
        }
        let (mut all, mut runs, mut place) = (Vec::new(), Vec::new(), 0.0);
        if let Some((label, values, span)) = before {
            let bin = self.beside(label, Some(values), 0.0);
            place = bin.edges[1] + gap;
            all.push((bin, span));
        }
        for [first, last] in extent.runs() {
            let own = values
                .iter()
                .filter(|own| own[1] >= first && own[0] <= last);
            let mut end = place;
            for [from, to] in own {
                let slots = |value: i64| place + (value - first) as f64 / extent.apart as f64;
                let next = if self.gathers {
                    to + 1
                } else {
                    to + extent.apart
                };
                let edges = [slots(*from), slots(next)];
                let is_first = end <= place;
                let is_joined = !is_first && (edges[0] - end).abs() < 1e-9;
                end = edges[1];
                let (label, words) = self.texts([*from, *to]);
                let bin = Bin {
                    label,
                    words,
                    edges,
                    values: Some([from, to].map(|value| *value as f64 / extent.parts)),
                    is_beside: false,
                    is_far: is_first && !runs.is_empty(),
                    join: if is_joined { Join::Line } else { Join::No },
                };
                let [low, high] = [from, to].map(|value| Some(Integer::from(*value)));
                all.push((bin, Span { low, high }));
            }
            runs.push(([first, last], place));
            place = end + 2.0 * gap;
        }
        if let Some((label, values, span)) = after {
            let start = all.last().map_or(1.0, |(bin, _)| bin.edges[1]) + gap;
            all.push((self.beside(label, Some(values), start), span));
        }
        (all, runs)
    }

    /// What lies beyond an end of the axis: the label of its column and the first value there, where there is a tail that the view counts;
    /// else the words for the values that are cut off, whose weights are hidden.
    fn beyond(
        &self,
        above: bool,
        end: i64,
        hidden: &mut [Weight],
    ) -> Option<(String, Option<i64>)> {
        let extent = self.extent;
        let is_beyond = |value: i64| if above { value > end } else { value < end };
        let of = |value: &Integer| value.to_i64().is_none_or(is_beyond);
        let tails = extent.answers.iter().map(|answer| tail(answer, above));
        let tails = tails.map(|tail| tail.filter(|tail| of(&tail.bound)));
        let has_tail = tails.clone().any(|tail| tail.is_some());
        // A view that counts away from this side has no place for a tail.
        let silent = if above { View::AtMost } else { View::AtLeast };
        if has_tail && self.view != silent {
            let bound = if above {
                end + extent.apart
            } else {
                end - extent.apart
            };
            let sign = if above { '≥' } else { '≤' };
            return Some((format!("{sign}{}", self.text(bound)), Some(bound)));
        }
        let is_cut = extent.values.iter().any(|value| is_beyond(*value));
        for ((hidden, numbers), tail) in hidden.iter_mut().zip(&extent.numbers).zip(tails) {
            let own = numbers.iter().filter(|(value, _)| of(value));
            *hidden += own.map(|(_, weight)| weight).sum::<Weight>();
            *hidden += tail.map_or(Weight::ZERO, |tail| tail.weight.clone());
        }
        let word = if above { "above" } else { "below" };
        (is_cut || has_tail).then(|| (format!("{word} {}", self.text(end)), None))
    }

    fn text(&self, value: i64) -> String {
        typeset(&unit_of(&self.extent.answers).show(&value.into()))
    }

    /// A column beside the axis at a place.
    fn beside(&self, label: String, values: Option<[f64; 2]>, left: f64) -> Bin {
        let width = text_width(&label, LABEL.size).max(COLUMN) * self.pixel;
        Bin {
            values,
            edges: [left, left + width],
            is_beside: true,
            ..Bin::named(label, 0)
        }
    }

    /// The label of a bin of these values, and its event in words.
    fn texts(&self, values: [i64; 2]) -> (String, String) {
        let [low, high] = values.map(|value| self.text(value));
        let single = match low.as_str() {
            "0" if self.are_conditions => "no".to_owned(),
            "1" if self.are_conditions => "yes".to_owned(),
            _ => low.clone(),
        };
        match self.view {
            View::AtLeast => (single, format!("{low} or more")),
            View::AtMost => (high.clone(), format!("{high} or less")),
            View::Exactly if self.gathers => {
                (format!("{low}\u{2013}{high}"), format!("{low} to {high}"))
            }
            View::Exactly => (single.clone(), single),
        }
    }

    /// Adds the columns of mass without a value, or notes on it.
    fn add_mass_without_value(&self, chart: &mut Chart) {
        for (label, weight) in WITHOUT_VALUE {
            let answers = &self.extent.answers;
            let weights: Vec<Weight> = answers.iter().map(|answer| weight(answer)).collect();
            let chances = answers.iter().zip(&weights).map(|(answer, weight)| {
                let mut scale = Scale::new(answer.total());
                Chance::new(weight, &mut scale, 1).with_whole(weight, &mut scale)
            });
            let chances: Vec<Chance> = chances.collect();
            let most = chances
                .iter()
                .map(|chance| chance.share)
                .fold(0.0, f64::max);
            if most >= LEAST_DRAWN && self.view == View::Exactly {
                let left = chart.bins.last().map_or(1.0, |bin| bin.edges[1]);
                chart
                    .bins
                    .push(self.beside(label.into(), None, left + GAP * self.pixel));
                for (own, chance) in chart.chances.iter_mut().zip(chances) {
                    own.push(Some(chance).filter(|chance| chance.share > 0.0));
                }
            } else if most > 0.0 {
                chart
                    .notes
                    .push(format!("{label}: {}", at_most(answers, &weights)));
            }
        }
    }
}

/// The share of each span for which the only condition on a rule holds, if one is asked.
fn holding(rule: &Answered, numbers: &Distribution<Integer>, spans: &[Span]) -> Option<Vec<f64>> {
    let holds = rule.only_holds()?;
    let scale = Scale::new(rule.answer.total());
    let mut outcomes = numbers.iter().zip(holds).peekable();
    let shares = spans.iter().map(|span| {
        let mut weight = Weight::ZERO;
        let is_here = |value: &Integer| span.high.as_ref().is_none_or(|high| value <= high);
        while let Some(((value, own), holds)) = outcomes.next_if(|((value, _), _)| is_here(value)) {
            if *holds && span.low.as_ref().is_none_or(|low| low <= value) {
                weight += own;
            }
        }
        scale.nearest(&weight)
    });
    Some(shares.collect())
}

/// The text of the highest of the chances.
pub(super) fn at_most(answers: &[&Answer], weights: &[Weight]) -> String {
    let totals = answers.iter().map(|answer| answer.total());
    let highest = totals
        .zip(weights)
        .max_by(|(a_total, a), (b_total, b)| (*a * *b_total).cmp(&(*b * *a_total)));
    let text = highest.map_or_else(String::new, |(total, weight)| {
        let mut scale = Scale::new(total);
        let digits = match scale.nearest(weight) {
            0.01.. => 1,
            0.001.. => 2,
            0.000_1.. => 3,
            _ => 5,
        };
        scale.percent(weight, digits)
    });
    match answers.len() {
        2.. => format!("at most {text} of each rule"),
        _ => text,
    }
}
