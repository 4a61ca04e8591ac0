//! The content of a picture of numbers: its kind, slots of values, and the share of each series in each slot.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::axis::{name_of_chances, round_step, ticks, typeset, value_label};
use super::beside::{Beside, Extra};
use super::chance::decimals;
use super::kind::{FEW, Kind, MOST_CELLS, MOST_LABELS, MOST_ROWS, Sparse, is_gappy, kind};
use super::slots::{Spot, spots};
use super::viewport::{Lattice, Viewport, lattice, per_slot, visible, without_outliers};
use crate::algebra::Distribution;
use crate::engine::Answer;
use crate::number::{Fraction, Integer, Unit};
use crate::report::sheet::{is_open, unit_of};
use crate::report::{Answered, View, decimal};

/// The fewest ranges of values that show the shape of a rule.
const LEAST_RANGES: i64 = 8;

/// The most values of a few rules that are drawn one by one.
const MOST_FINE: i64 = 2000;

/// The most values of an axis that is not broken.
const NEAR_SLOTS: i64 = 60;

/// The part of the distance of neighbouring values by which the place of a value may be off.
const NEAR: f64 = 1e-6;

#[derive(Debug)]
pub(super) struct Chart {
    pub(super) kind: Kind,
    /// The middle of the first slot.
    pub(super) first: f64,
    /// The distance between the middles of neighbouring slots.
    pub(super) width: f64,
    /// The distance of neighbouring values.
    pub(super) apart: f64,
    lattice: Lattice,
    viewport: Viewport,
    unit: Unit,
    /// How many parts 1 has.
    parts: f64,
    view: View,
    /// Whether the values are those of conditions: no and yes.
    pub(super) are_conditions: bool,
    /// Whether the dots of all series stand on stems, because one of them is no curve.
    pub(super) has_stems: bool,
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

#[derive(Debug)]
pub(super) struct Series {
    pub(super) spots: Vec<Spot>,
    pub(super) mean: Option<f64>,
}

impl Series {
    /// Whether the values next to a spot in the series have spots, too.
    pub(super) fn neighbours(&self, index: usize) -> [bool; 2] {
        let slot = |index: usize| self.spots.get(index).map(|spot| spot.slot);
        let here = slot(index);
        let before = index.checked_sub(1).and_then(slot);
        [
            before.map(|slot| slot + 1) == here && here.is_some(),
            slot(index + 1) == here.map(|slot| slot + 1) && here.is_some(),
        ]
    }
}

impl Chart {
    /// Whether the intervals of sampled chances are drawn.
    pub(super) fn has_intervals(&self) -> bool {
        !matches!(self.kind, Kind::Field | Kind::Histograms)
    }

    /// The number of slots.
    pub(super) fn slots(&self) -> i64 {
        self.viewport.slots
    }

    /// The middle of a slot.
    pub(super) fn middle(&self, slot: i64) -> f64 {
        self.first + slot as f64 * self.width
    }

    /// The ends of the axis.
    pub(super) fn axis(&self) -> [f64; 2] {
        let half = self.width / 2.0;
        [self.middle(0) - half, self.middle(self.slots() - 1) + half]
    }

    /// The only columns of values on each side, if they stand for all values beyond the axis.
    pub(super) fn columns(&self) -> [Option<&Extra>; 2] {
        [&self.left, &self.right].map(|side| {
            let mut columns = side.iter().filter(|extra| extra.values.is_some());
            columns.next().filter(|_| columns.next().is_none())
        })
    }

    /// The ends of the values that have places: those of the axis, or of the columns beside it.
    pub(super) fn reach(&self) -> [f64; 2] {
        let [low, high] = self.axis();
        let half = self.apart / 2.0;
        let [left, right] = self.columns().map(|extra| extra?.values);
        [
            left.map_or(low, |[first, _]| first - half),
            right.map_or(high, |[_, last]| last + half),
        ]
    }

    /// Whether a run of values, between edges, has a place in the picture: on the axis, or as all of a column.
    pub(super) fn shows(&self, run: [f64; 2]) -> bool {
        let [low, high] = self.axis();
        let columns = self.columns().into_iter().flatten();
        let is_covered = |extra: &Extra| extra.is_within(run);
        run[0] < high && low < run[1] || columns.into_iter().any(is_covered)
    }

    /// The edges of a run of values: half way from its first and its last value to those beyond.
    pub(super) fn edges(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        let first = self.lattice.first as f64 / self.parts;
        let steps = |value: f64| (value - first) / self.apart;
        [
            first + ((steps(low) - NEAR).ceil() - 0.5) * self.apart,
            first + ((steps(high) + NEAR).floor() + 0.5) * self.apart,
        ]
    }

    /// The first and the last value of a slot, as people read them.
    fn ends(&self, slot: i64) -> [String; 2] {
        let viewport = &self.viewport;
        let low = slot.saturating_mul(viewport.width);
        let low = viewport.low.saturating_add(low);
        [low, low.saturating_add(viewport.width - 1)]
            .map(|value| typeset(&self.unit.show(&value.into())))
    }

    /// The labels of the first and the last value on the axis, as they are among others.
    pub(super) fn end_labels(&self) -> [String; 2] {
        let [low, high] = [self.viewport.low, self.viewport.high];
        [low, high].map(|value| value_label(value, &self.unit, high - low))
    }

    /// Whether the chances are running totals.
    pub(super) fn is_cumulative(&self) -> bool {
        self.view != View::Exactly
    }

    /// Whether all values are decimals.
    pub(super) fn is_decimal(&self) -> bool {
        let mut parts = self.parts as i64;
        for factor in [2, 5] {
            while parts > 1 && parts % factor == 0 {
                parts /= factor;
            }
        }
        parts == 1
    }

    /// The slots in which a rule has a value.
    pub(super) fn occupied(&self) -> BTreeSet<i64> {
        let spots = self.series.iter().flat_map(|series| &series.spots);
        spots.map(|spot| spot.slot).collect()
    }

    /// Values that are this far apart or farther, with their places and labels: round decimals where the values are no decimals.
    pub(super) fn ticks(&self, room: f64) -> Vec<(f64, String)> {
        let [low, high] = [self.viewport.low, self.viewport.high];
        if !self.is_decimal() {
            let step = round_step(room);
            let digits = (-step.log10().floor()).max(0.0) as usize;
            let ticks = ticks(low as f64 / self.parts, high as f64 / self.parts, step);
            let ticks = ticks.values.into_iter();
            return ticks
                .map(|value| (value, typeset(&format!("{value:.digits$}"))))
                .collect();
        }
        let ticks = self
            .lattice
            .ticks([low, high], room * self.parts, self.parts as i64);
        let ticks = ticks.into_iter().map(|value| {
            let label = value_label(value, &self.unit, high - low);
            (value as f64 / self.parts, label)
        });
        ticks.collect()
    }

    /// The label of a slot that gathers no others.
    pub(super) fn label(&self, slot: i64) -> String {
        let [value, _] = self.ends(slot);
        match value.as_str() {
            "0" if self.are_conditions => "no".into(),
            "1" if self.are_conditions => "yes".into(),
            _ => value,
        }
    }

    /// The label of a slot, or the ends of what it gathers.
    pub(super) fn label_of_column(&self, slot: i64) -> String {
        let [low, high] = self.ends(slot);
        match self.view {
            View::Exactly if self.gathered.is_some() => format!("{low}\u{2013}{high}"),
            View::AtMost if self.gathered.is_some() => high,
            _ => self.label(slot),
        }
    }

    /// The event of a slot in words.
    pub(super) fn words(&self, slot: i64) -> String {
        let [low, high] = self.ends(slot);
        match self.view {
            View::AtLeast => format!("{low} or more"),
            View::AtMost if self.gathered.is_some() => format!("{high} or less"),
            View::AtMost => format!("{low} or less"),
            View::Exactly if self.gathered.is_some() => format!("{low} to {high}"),
            View::Exactly => self.label(slot),
        }
    }

    /// The name of the chances.
    pub(super) fn name_of_chances(&self) -> String {
        let value = (self.view != View::Exactly).then_some("this value");
        let name = name_of_chances(self.view, value);
        let least = if self.is_least { " (or more)" } else { "" };
        match &self.gathered {
            Some(width) if self.is_cumulative() => {
                format!("{name}{least}, in steps of {width}")
            }
            Some(width) => format!("{name}{least}, in ranges of {width} values"),
            None => format!("{name}{least}"),
        }
    }

    /// The highest share, or upper bound of a share, in the chart.
    pub(super) fn highest(&self) -> f64 {
        let spots = self.series.iter().flat_map(|series| &series.spots);
        let tops = spots.map(|spot| {
            spot.bounds
                .map_or(spot.chance.share, |[_, high]| high.max(spot.chance.share))
        });
        let extras = self.left.iter().chain(&self.right);
        let extras = extras.flat_map(|extra| &extra.chances);
        tops.chain(extras.map(|chance| chance.share))
            .fold(0.0, f64::max)
    }

    /// The chart of rules whose outcomes are numbers. `None` for lists, for numbers that are too large for an axis, and for values
    /// that are better shown as rows.
    pub(super) fn of(
        rules: &[Answered],
        means: &[Option<f64>],
        view: View,
        is_sweep: bool,
    ) -> Option<Self> {
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
        let shown = |(first, last)| {
            let (low, high) = visible(&answers, &numbers, first, last, lattice);
            let slots = (high - low) / lattice + 1;
            let values: Vec<i64> = values.range(low..=high).copied().collect();
            let sparse = Sparse::of(&values, slots, lattice, rules.len());
            (low, high, slots, values, sparse)
        };
        let (_, _, _, visible_values, sparse) = shown((first, last));
        // A few rules have curves in a cumulative view.
        let are_rows = view == View::Exactly || rules.len() > FEW;
        if sparse == Sparse::Rows && visible_values.len() <= MOST_ROWS && are_rows {
            return None;
        }
        let most = lattice.saturating_mul(Kind::Area.most_slots(rules.len(), false));
        let most = most.min(lattice.saturating_mul(NEAR_SLOTS));
        let near = without_outliers(&answers, &numbers, &values, most);
        let (low, high, slots, visible_values, sparse) = shown(near);
        let has_gaps = have_gaps(&numbers, low..=high, lattice);
        let gaps = (sparse, has_gaps);
        let kind = kind(rules.len(), slots, &visible_values, gaps, view, is_sweep);
        let is_sampled = answers.iter().any(|answer| answer.sampling().is_some());
        // Running totals have one band, however many values there are.
        let has_intervals = is_sampled && view == View::Exactly;
        let most = kind.most_slots(rules.len(), has_intervals);
        let is_single = kind == Kind::Bars || kind == Kind::Dots && sparse == Sparse::Stems;
        // Sampled ranges begin at round numbers, so they need not be full.
        let is_whole = (low, high) == (first, last) && !is_sampled;
        let gathered = lattice * per_slot(slots, is_whole, most);
        let is_narrow = numbers.iter().any(|numbers| is_narrow(numbers, gathered));
        let is_fine = rules.len() > 1 && slots <= MOST_FINE && is_narrow && !has_intervals;
        let width = if is_single || slots <= most || kind == Kind::Dots && is_fine {
            lattice
        } else {
            gathered
        };
        let start = if is_sampled { i64::MIN } else { first };
        let viewport = Viewport::of((low, high), width, lattice, start);
        let (low, gathers) = (viewport.low, viewport.gathers);
        let unit = unit_of(&answers);
        let parts = decimal::nearest(&Fraction::from_integer(unit.parts().to_big()));
        let mut notes = Vec::new();
        let series = rules.iter().zip(&numbers).zip(means);
        let digits = digits(kind, &answers, &numbers, &viewport, view);
        let series = series.map(|((rule, numbers), mean)| Series {
            spots: spots(rule, numbers, &viewport, view, kind, digits),
            mean: *mean,
        });
        let series = series.collect();
        let beside = Beside {
            answers: &answers,
            numbers: &numbers,
            means,
            viewport: &viewport,
            near,
            lattice,
            view,
        };
        let (left, right) = beside.columns(&mut notes);
        let offset = if gathers {
            (width - lattice) as f64 / 2.0
        } else {
            0.0
        };
        Some(Self {
            kind,
            first: (low as f64 + offset) / parts,
            width: width as f64 / parts,
            apart: lattice as f64 / parts,
            lattice: Lattice {
                first,
                last,
                apart: lattice,
            },
            parts,
            unit: unit.clone(),
            view,
            has_stems: kind == Kind::Dots && has_gaps && !gathers,
            are_conditions: rules.iter().all(|rule| rule.is_condition),
            gathered: gathers.then(|| typeset(&unit.show(&width.into()))),
            viewport,
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
        let beside = Beside {
            answers,
            numbers: &[],
            means: &[],
            viewport: &viewport,
            near: (0, 0),
            lattice: 1,
            view,
        };
        let (left, right) = beside.columns(&mut notes);
        Self {
            kind: if answers.len() > FEW {
                Kind::Field
            } else {
                Kind::Bars
            },
            first: 0.0,
            width: 1.0,
            apart: 1.0,
            lattice: Lattice {
                first: 0,
                last: 0,
                apart: 1,
            },
            parts: 1.0,
            viewport,
            unit: Unit::WHOLE,
            view,
            are_conditions: false,
            has_stems: false,
            gathered: None,
            series: Vec::new(),
            left,
            right,
            notes,
            is_least: false,
        }
    }
}

/// Whether ranges of this many values would hide the shape of a rule, because it has hardly more values than a range.
fn is_narrow(numbers: &Distribution<Integer>, gathered: i64) -> bool {
    let ends = [numbers.outcomes().first(), numbers.outcomes().last()];
    let [low, high] = ends.map(|end| end.and_then(Integer::to_i64).unwrap_or(0));
    (high - low) / gathered < LEAST_RANGES
}

/// Whether a rule has so many gaps between its visible values that it is no curve.
fn have_gaps(
    numbers: &[&Distribution<Integer>],
    visible: RangeInclusive<i64>,
    lattice: i64,
) -> bool {
    numbers.iter().any(|numbers| {
        let own = numbers.outcomes().iter().filter_map(Integer::to_i64);
        let own: Vec<i64> = own.filter(|value| visible.contains(value)).collect();
        is_gappy(&own, lattice)
    })
}

/// The decimals of the percentages in the picture.
fn digits(
    kind: Kind,
    answers: &[&Answer],
    numbers: &[&Distribution<Integer>],
    viewport: &Viewport,
    view: View,
) -> usize {
    match kind {
        Kind::Field if viewport.slots > MOST_CELLS => 0,
        Kind::Bars if usize::try_from(viewport.slots).is_ok_and(|slots| slots <= MOST_LABELS) => {
            let weights = answers.iter().zip(numbers).flat_map(|(answer, numbers)| {
                let weights = numbers.iter().map(|(_, weight)| weight);
                weights.map(|weight| (weight, answer.total()))
            });
            match decimals(weights) {
                digits if view == View::Exactly => digits,
                digits => digits.min(1),
            }
        }
        _ => 1,
    }
}

/// A mean as a place on the axis.
pub(super) fn place(mean: &Fraction) -> Option<f64> {
    Some(decimal::nearest(mean)).filter(|mean| mean.is_finite())
}
