//! Numbers along an axis: the bins that are shown, each for a value, a range, a tail, or mass without a value; their places; and the
//! chance of each rule in each bin.
//!
//! Values are to scale. Long gaps between a few values are breaks of the axis.

use std::collections::BTreeSet;
use std::ops::Range;

use super::chance::{Told, at_most, decimals, masses};
use super::chart::{Along, Bin, Chart, Join};
use super::kind::{ChartKind, is_gappy};
use super::numbers::{name_of_chances, round_step, typeset};
use super::text::{LABEL, text_width};
use super::words::Picture;
use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::limits::LimitReached;
use crate::number::{Fraction, Integer, Unit};
use crate::report::bulk::bulk_ends;
use crate::report::ranges::Span;
use crate::report::share::Share;
use crate::report::sheet::{Cell, column, in_words, is_open, unit_of};
use crate::report::{Answered, Report, View, are_conditions, decimal};

/// The most bins of a series with percentages above them, that are bars, and that are drawn one by one, however far apart.
pub(super) const MOST_LABELS: usize = 18;
const MOST_BARS: i64 = 90;
const MOST_SINGLE: usize = 60;

/// The far ends beyond the bulk of every rule are cut off if they are such a part of an axis of more than a few slots.
const LEAST_CUT: i64 = 6;
const FEW_SLOTS: i64 = 12;

/// Gaps longer than this part of an axis of many slots are breaks if they cover most of it: this many parts of that many.
const LONG: i64 = 10;
const MANY_SLOTS: i64 = 60;
const MOST: [i64; 2] = [3, 4];

/// The largest number of columns of cells with room for a decimal.
pub(super) const MOST_DECIMAL: usize = 11;

/// A rule that has values in fewer ranges is narrow; so many slots are drawn one by one beside it.
const NARROW: i64 = 8;
const MOST_FINE: i64 = 2_000;

/// The least share of mass without a value that is drawn; a smaller share is a line of text.
const LEAST_DRAWN: f64 = 0.000_5;

/// The space before a column and at a break, the least width of a column, and about the width of what is no axis, in pixels.
pub(super) const GAP: f64 = 14.0;
const COLUMN: f64 = 30.0;
const AROUND: f64 = 110.0;

/// The values of rules that an axis has room for.
pub(super) struct Extent<'a> {
    answers: Vec<&'a Answer>,
    numbers: Vec<&'a Distribution<Integer>>,
    values: Vec<i64>,
    /// The first and the last value that is shown, and the distance of neighbouring values.
    pub(super) shown: [i64; 2],
    pub(super) apart: i64,
    /// How many slots there are, without those of breaks, and whether a rule has so many gaps that it is no curve.
    pub(super) slots: i64,
    pub(super) is_gappy: bool,
    /// How many parts 1 has.
    parts: f64,
}

/// The greatest common divisor of all differences of values.
fn common_distance(values: &BTreeSet<i64>) -> i64 {
    let first = values.first().copied().unwrap_or_default();
    let step = values
        .iter()
        .fold(0, |step, value| num_integer::gcd(step, value - first));
    step.max(1)
}

fn tail(answer: &Answer, above: bool) -> Option<&Tail> {
    if above {
        answer.above()
    } else {
        answer.below()
    }
}

/// A number so small that its differences with other such numbers fit into 64 bits.
pub(super) fn small(number: &Integer) -> Option<i64> {
    number
        .to_i64()
        .filter(|number| number.unsigned_abs() < 1 << 61)
}

impl<'a> Extent<'a> {
    /// The extent of rules whose outcomes are numbers; `None` for others, and for numbers that are too large for an axis.
    pub(super) fn of(rules: &'a [Answered]) -> Option<Self> {
        let numbers = rules.iter().map(|rule| rule.answer.numbers());
        let numbers = numbers.collect::<Option<Vec<_>>>()?;
        let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
        let values = numbers.iter().flat_map(|one| one.outcomes()).map(small);
        let values = values.collect::<Option<BTreeSet<i64>>>()?;
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
            let own = numbers.outcomes().iter().filter_map(small);
            let own: Vec<i64> = own.filter(|own| (low..=high).contains(own)).collect();
            is_gappy(&own, apart)
        });
        Some(extent)
    }

    fn is_sampled(&self) -> bool {
        self.answers
            .iter()
            .any(|answer| answer.sampling().is_some())
    }

    fn unit(&self) -> &'a Unit {
        unit_of(&self.answers)
    }

    /// A value as a number on the axis.
    fn place(&self, value: i64) -> f64 {
        value as f64 / self.parts
    }

    /// The first and the last value without unlikely far ends, if that makes room for the values, or puts all tails into one column.
    fn bulk(&self) -> [i64; 2] {
        let [first, last] = self.shown;
        let rules = self.answers.iter().zip(&self.numbers);
        let bulks = rules.map(|(answer, numbers)| {
            let [low, high] = bulk_ends(answer, numbers).map(|end| end?.to_i64());
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
            && below
                .last()
                .is_none_or(|bound| **bound < Integer::from(low))
            && above
                .first()
                .is_none_or(|bound| **bound > Integer::from(high));
        if all > FEW_SLOTS && (all - rest) * LEAST_CUT >= all || has_many_tails {
            [low, high]
        } else {
            [first, last]
        }
    }

    fn shown(&self) -> impl Iterator<Item = i64> + Clone {
        let [low, high] = self.shown;
        let values = self.values.iter().copied();
        values.filter(move |value| (low..=high).contains(value))
    }

    /// The values that are shown, in runs between breaks, each from its first to its last value.
    fn runs(&self) -> Vec<[i64; 2]> {
        let shown: Vec<i64> = self.shown().collect();
        let covered = self.shown[1] - self.shown[0] + self.apart;
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
        let (is_single, apart) = (self.slots <= most, self.apart);
        if !is_filled && (is_single || self.shown().count() <= MOST_SINGLE) {
            return (self.shown().map(|value| [value; 2]).collect(), apart);
        }
        let round = round_step(self.slots as f64 / (most as f64 * 0.7)).max(1.0) as i64;
        // A number near the round one may make every range full. Sampled ranges begin at round numbers, which have the closest bounds.
        let mut near = [round].into_iter().chain((round / 2).max(1)..=round * 2);
        let (runs, is_sampled) = (self.runs(), self.is_sampled());
        let is_whole = runs.len() == 1 && !is_sampled && self.slots <= 1_000_000;
        let is_full = |width: &i64| self.slots / width <= most && self.slots % width == 0;
        let width = if is_single {
            apart
        } else {
            let full = if is_whole { near.find(is_full) } else { None };
            full.unwrap_or(round) * apart
        };
        let spans = runs.into_iter().flat_map(|[first, last]| {
            let start = if is_sampled && !is_single {
                first.div_euclid(width) * width
            } else {
                first
            };
            let end = if is_single { 0 } else { width - 1 };
            let starts = (0..=(last - start) / width).map(move |index| start + index * width);
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
    kind: ChartKind,
    picture: &Picture,
) -> Result<Chart, LimitReached> {
    let (rules, answers, view) = (report.rules, &extent.answers, picture.view);
    let is_exact = view == View::Exactly;
    let is_outline = kind == ChartKind::Bars && rules.len() <= 1 && extent.slots > MOST_BARS;
    let is_outline = is_outline && extent.values.len() > MOST_SINGLE;
    // Running totals have one band, however many values there are.
    let has_ranges = extent.is_sampled() && is_exact && (is_outline || kind == ChartKind::Lines);
    let most = kind.most_slots(rules.len(), has_ranges);
    // Ranges would hide the shape of a rule that has hardly more values than a range.
    let is_narrow = extent.numbers.iter().any(|numbers| {
        let ends = [numbers.outcomes().first(), numbers.outcomes().last()];
        let [low, high] = ends.map(|end| end.and_then(Integer::to_i64).unwrap_or(0));
        (high - low) / extent.apart < NARROW * extent.slots / most
    });
    let are_single = kind == ChartKind::Lines && is_exact && is_narrow && !has_ranges;
    let most = most.max(if are_single { MOST_FINE } else { 0 });
    let (values, width) = extent.ranges(most, is_outline || !is_exact);
    let gathers = width != extent.apart;
    let laying = Laying {
        extent,
        view,
        gathers,
        are_conditions: are_conditions(rules),
        pixel: extent.slots.max(1) as f64 / (picture.width - AROUND),
    };
    let mut chart = Chart::new(kind, view, &picture.names);
    let (columns, runs) = laying.columns(&values, &mut chart.notes);
    let (bins, spans): (Vec<Bin>, Vec<Span>) = columns.into_iter().unzip();
    let digits = digits(kind, view, extent, bins.len(), is_outline);
    for (rule, (answer, numbers)) in answers.iter().zip(&extent.numbers).enumerate() {
        let cells = column(report.budget, answer, numbers, &spans, view)?;
        let drawn = drawn(view, answer, &cells);
        let cells = cells.into_iter().zip(&bins).enumerate();
        let chances = cells.map(|(index, (cell, bin))| {
            let is_there = cell.weight != Weight::ZERO;
            let is_drawn = match view {
                _ if bin.is_beside => is_there,
                View::Exactly => is_there || is_outline,
                _ => drawn.contains(&index),
            };
            let chance = is_drawn.then(|| {
                // Small tails have two decimals.
                let is_small = bin.is_beside && cell.share().nearest() < 0.001;
                Told::new(cell.share(), if is_small { 2 } else { digits })
            })?;
            Some(match cell.bounds.as_ref().filter(|_| !bin.is_beside) {
                // Cells have no room for intervals.
                Some(bounds) if kind == ChartKind::Cells => chance.within(bounds).estimated(),
                Some(bounds) => chance.within(bounds),
                None => chance,
            })
        });
        chart.chances[rule] = chances.collect();
    }
    chart.bins = bins;
    if let ([rule], [numbers]) = (rules, &extent.numbers[..]) {
        chart.holds = holding(rule, numbers, &spans);
    }
    let gathered = typeset(&extent.unit().show(&width.into()));
    let (value, steps) = if is_exact {
        (None, format!(", in ranges of {gathered} values"))
    } else {
        (Some("this value"), format!(", in steps of {gathered}"))
    };
    let is_open = answers.iter().any(|answer| is_open(answer, view));
    let least = if is_open { " (or more)" } else { "" };
    let steps = if gathers { &steps } else { "" };
    chart.name_of_chances = format!("{}{least}{steps}", name_of_chances(view, value));
    let name = picture.x_label.as_ref().unwrap_or(&picture.values);
    chart.name.clone_from(name);
    chart.means = vec![None; rules.len()];
    if !laying.are_conditions {
        chart.means.clone_from(&picture.means);
    }
    chart.is_outline = is_outline;
    chart.has_stems = kind == ChartKind::Lines && is_exact && extent.is_gappy && !gathers;
    chart.gathers = gathers;
    chart.along = Along::Values {
        unit: extent.unit().clone(),
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
    let is_zero = |cell: &Cell| cell.weight == Weight::ZERO;
    let most = cells.iter().map(|cell| &cell.weight).max();
    let is_most = |cell: &Cell| Some(&cell.weight) == most;
    match view {
        View::Exactly => 0..0,
        View::AtLeast => {
            let from = cells.iter().rposition(is_most);
            let from = from.filter(|_| answer.below().is_some()).unwrap_or(0);
            let to = cells.iter().position(is_zero);
            from..to.map_or(cells.len(), |zero| zero + 1)
        }
        View::AtMost => {
            let from = cells.iter().rposition(is_zero).unwrap_or(0);
            let to = cells.iter().position(is_most);
            let to = to.filter(|_| answer.above().is_some());
            from..to.map_or(cells.len(), |last| last + 1)
        }
    }
}

/// The decimals of the percentages in the picture.
fn digits(kind: ChartKind, view: View, extent: &Extent, bins: usize, is_outline: bool) -> usize {
    match kind {
        ChartKind::Cells if bins > MOST_DECIMAL => 0,
        ChartKind::Bars if bins <= MOST_LABELS && !is_outline => {
            let rules = extent.answers.iter().zip(&extent.numbers);
            let weights = rules.flat_map(|(answer, numbers)| {
                numbers
                    .iter()
                    .map(|(_, weight)| Share::new(weight, answer.total()))
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
            match self.beyond(above, end, &mut hidden)? {
                Ok(column) => Some(column),
                Err(words) => {
                    unseen.push(words);
                    None
                }
            }
        });
        if !unseen.is_empty() {
            let (unseen, most) = (unseen.join(" and "), at_most(&extent.answers, &hidden));
            notes.push(format!("not shown: values {unseen} (together {most})"));
        }
        let (mut all, mut runs, mut place) = (Vec::new(), Vec::new(), 0.0);
        if let Some((bin, span)) = before {
            place = bin.edges[1] + gap;
            all.push((bin, span));
        }
        for [first, last] in extent.runs() {
            let own = values.iter();
            let own = own.filter(|own| own[1] >= first && own[0] <= last);
            let mut end = place;
            for [from, to] in own {
                let slots = |value: i64| place + (value - first) as f64 / extent.apart as f64;
                let step = if self.gathers { 1 } else { extent.apart };
                let edges = [slots(*from), slots(to + step)];
                let is_first = end <= place;
                let is_joined = !is_first && (edges[0] - end).abs() < 1e-9;
                end = edges[1];
                let (label, words) = self.texts([*from, *to]);
                let bin = Bin {
                    words,
                    edges,
                    values: Some([*from, *to].map(|value| extent.place(value))),
                    is_far: is_first && !runs.is_empty(),
                    join: if is_joined { Join::Line } else { Join::No },
                    ..Bin::named(label, 0)
                };
                let [low, high] = [from, to].map(|value| Some(Integer::from(*value)));
                all.push((bin, Span { low, high }));
            }
            runs.push(([first, last], place));
            place = end + 2.0 * gap;
        }
        if let Some((bin, span)) = after {
            let start = all.last().map_or(1.0, |(bin, _)| bin.edges[1]) + gap;
            all.push((bin.moved(start), span));
        }
        (all, runs)
    }

    /// What lies beyond an end of the axis: a column, where there is a tail that the view counts; else the words for the values that are
    /// cut off, whose weights are hidden.
    fn beyond(
        &self,
        above: bool,
        end: i64,
        hidden: &mut [Weight],
    ) -> Option<Result<Column, String>> {
        let extent = self.extent;
        let is_beyond = |value: i64| if above { value > end } else { value < end };
        let of = |value: &Integer| value.to_i64().is_none_or(is_beyond);
        let tails = extent.answers.iter().map(|answer| tail(answer, above));
        let tails = tails.map(|tail| tail.filter(|tail| of(&tail.bound)));
        let has_tail = tails.clone().any(|tail| tail.is_some());
        // A view that counts away from this side has no place for a tail.
        let silent = if above { View::AtMost } else { View::AtLeast };
        if has_tail && self.view != silent {
            let (sign, way) = if above { ('≥', 1) } else { ('≤', -1) };
            let bound = end + way * extent.apart;
            let (next, place) = (Some(Integer::from(end + way)), extent.place(bound));
            let (values, low, high) = if above {
                ([place, f64::INFINITY], next, None)
            } else {
                ([f64::NEG_INFINITY, place], None, next)
            };
            let label = format!("{sign}{}", self.text(bound));
            return Some(Ok((self.beside(label, Some(values)), Span { low, high })));
        }
        let is_cut = extent.values.iter().any(|value| is_beyond(*value));
        for ((hidden, numbers), tail) in hidden.iter_mut().zip(&extent.numbers).zip(tails) {
            let own = numbers.iter().filter(|(value, _)| of(value));
            *hidden += own.map(|(_, weight)| weight).sum::<Weight>();
            *hidden += tail.map_or(Weight::ZERO, |tail| tail.weight.clone());
        }
        let word = if above { "above" } else { "below" };
        (is_cut || has_tail).then(|| Err(format!("{word} {}", self.text(end))))
    }

    fn text(&self, value: i64) -> String {
        typeset(&self.extent.unit().show(&value.into()))
    }

    /// A column beside the axis, at its beginning.
    fn beside(&self, label: String, values: Option<[f64; 2]>) -> Bin {
        let width = text_width(&label, LABEL.size).max(COLUMN) * self.pixel;
        Bin {
            values,
            edges: [0.0, width],
            is_beside: true,
            ..Bin::named(label, 0)
        }
    }

    /// The label of a bin of these values, and its event in words.
    fn texts(&self, values: [i64; 2]) -> (String, String) {
        let [low, high] = values.map(|value| self.text(value));
        let single = in_words(low.clone(), self.are_conditions);
        match self.view {
            View::AtLeast => (single, format!("at least {low}")),
            View::AtMost => (high.clone(), format!("at most {high}")),
            View::Exactly if self.gathers => (format!("{low}–{high}"), format!("{low} to {high}")),
            View::Exactly => (single.clone(), single),
        }
    }

    /// Adds the columns of mass without a value, or notes on it.
    fn add_mass_without_value(&self, chart: &mut Chart) {
        let answers = &self.extent.answers;
        for (label, weights) in masses(answers) {
            let chances = answers.iter().zip(&weights);
            let chances = chances.map(|(answer, weight)| {
                let chance = Told::new(Share::new(weight, answer.total()), 1);
                Some(chance).filter(|chance| chance.share > 0.0)
            });
            let chances: Vec<Option<Told>> = chances.collect();
            let is_drawn = |it: &Told| it.share >= LEAST_DRAWN;
            if self.view == View::Exactly && chances.iter().flatten().any(is_drawn) {
                let left = chart.bins.last().map_or(1.0, |bin| bin.edges[1]);
                let bin = self.beside(label.into(), None);
                chart.push(bin.moved(left + GAP * self.pixel), chances);
            } else {
                let note = format!("{label}: {}", at_most(answers, &weights));
                chart.notes.push(note);
            }
        }
    }
}

/// The share of each span for which the only condition on a rule holds, if one is asked.
fn holding(rule: &Answered, numbers: &Distribution<Integer>, spans: &[Span]) -> Option<Vec<f64>> {
    let holds = rule.only_holds()?;
    let mut outcomes = numbers.iter().zip(holds).peekable();
    let shares = spans.iter().map(|span| {
        let mut weight = Weight::ZERO;
        let is_here = |value: &Integer| span.high.as_ref().is_none_or(|high| value <= high);
        while let Some(((value, own), holds)) = outcomes.next_if(|((value, _), _)| is_here(value)) {
            if *holds && span.low.as_ref().is_none_or(|low| low <= value) {
                weight += own;
            }
        }
        Share::new(&weight, rule.answer.total()).nearest()
    });
    Some(shares.collect())
}
