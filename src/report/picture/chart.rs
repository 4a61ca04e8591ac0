//! What every kind of picture shows: the chance of each series in each bin. Series are rules and bins are values or lists; or series
//! are questions and bins are rules.

use std::ops::Range;

use super::chance::Told;
use super::kind::ChartKind;
use super::mark::{Look, Mark, Point};
use super::numbers::{name_of_chances, round_step, ticks, typeset, value_label};
use super::palette::Role;
use super::text::{LABEL, text_width, widest};
use crate::number::Unit;
use crate::report::View;

/// The part of the distance of neighbouring values by which the place of a value may be off.
const NEAR: f64 = 1e-6;

/// A column, or a row, of the data.
#[derive(Clone, Debug, Default)]
pub(super) struct Bin {
    pub(super) label: String,
    /// The event in words.
    pub(super) words: String,
    /// The left and the right end along the axis, in slots.
    pub(super) edges: [f64; 2],
    /// The first and the last value, infinite at the end of a tail; `None` if the bin has no numbers.
    pub(super) values: Option<[f64; 2]>,
    /// Whether the bin stands beside the axis: a tail, mass without a value, or what is left out.
    pub(super) is_beside: bool,
    /// Whether the axis has a break before the bin.
    pub(super) is_far: bool,
    /// How a line leads here from the bin before.
    pub(super) join: Join,
}

/// How a line leads from a bin to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Join {
    #[default]
    No,
    Line,
    /// Across values that were not asked for.
    Dotted,
}

/// The name of a series, also in words, and whether it is far from the one before.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) name: String,
    pub(super) words: String,
    pub(super) is_far: bool,
}

/// What lies along the axis.
#[derive(Clone, Debug, Default)]
pub(super) enum Along {
    /// Values, where 1 has so many parts, with the distance of neighbouring ones in parts; runs of values between breaks, each with the
    /// place of its first.
    Values {
        unit: Unit,
        parts: f64,
        apart: i64,
        runs: Vec<([i64; 2], f64)>,
    },
    /// The values of a variable, to scale.
    Variable,
    #[default]
    Names,
}

/// The bin where the chance of each question passes one half, if it does, and whether a note says so.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    pub(super) crossings: Vec<Option<usize>>,
    pub(super) are_said: bool,
}

/// The content of a picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    pub(super) kind: ChartKind,
    pub(super) view: View,
    pub(super) series: Vec<Series>,
    pub(super) bins: Vec<Bin>,
    /// The chance of each series in each bin; `None` if nothing is drawn for it.
    pub(super) chances: Vec<Vec<Option<Told>>>,
    /// For each chance, whether it is not asked about. `None` if this depends on places along the axis.
    pub(super) faded: Option<Vec<Vec<bool>>>,
    pub(super) along: Along,
    /// The name of what is along the axis, and of the chances.
    pub(super) name: String,
    pub(super) name_of_chances: String,
    /// The share of each bin for which the only condition on the only rule holds.
    pub(super) holds: Option<Vec<f64>>,
    pub(super) means: Vec<Option<f64>>,
    pub(super) notes: Vec<String>,
    /// Whether the only series has too many values for bars; whether the dots of all series stand on stems, because one is no curve.
    pub(super) is_outline: bool,
    pub(super) has_stems: bool,
    /// Whether a bin gathers several values.
    pub(super) gathers: bool,
    /// What is known of the series, if they are questions.
    pub(super) questions: Option<Questions>,
}

impl Bin {
    /// A bin of a name alone, in a slot.
    pub(super) fn named(label: String, slot: usize) -> Self {
        Self {
            words: label.clone(),
            label,
            edges: [slot as f64, slot as f64 + 1.0],
            ..Self::default()
        }
    }

    /// The bin, which begins at the origin, at a place.
    pub(super) fn moved(mut self, at: f64) -> Self {
        self.edges = self.edges.map(|edge| edge + at);
        self
    }

    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.edges[0], self.edges[1])
    }

    pub(super) fn width(&self) -> f64 {
        self.edges[1] - self.edges[0]
    }
}

impl Chart {
    /// A chart of nothing yet.
    pub(super) fn new(kind: ChartKind, view: View, names: &[String]) -> Self {
        let series = names.iter().cloned();
        let series = series.map(|name| Series {
            words: name.clone(),
            name,
            is_far: false,
        });
        Self {
            kind,
            view,
            series: series.collect(),
            chances: vec![Vec::new(); names.len()],
            name_of_chances: name_of_chances(view, None),
            ..Self::default()
        }
    }

    /// Adds a bin, with the chance of each series.
    pub(super) fn push(&mut self, bin: Bin, chances: impl IntoIterator<Item = Option<Told>>) {
        self.bins.push(bin);
        for (own, chance) in self.chances.iter_mut().zip(chances) {
            own.push(chance);
        }
    }

    /// The same data with a series for each bin, and these bins, one for each series.
    pub(super) fn transposed(self, bins: Vec<Bin>, along: Along) -> Self {
        let names: Vec<String> = self.bins.iter().map(|bin| bin.label.clone()).collect();
        let mut chart = Self::new(self.kind, self.view, &names);
        for (series, bin) in chart.series.iter_mut().zip(&self.bins) {
            series.is_far = bin.is_far;
        }
        for (bin, own) in bins.into_iter().zip(self.chances) {
            chart.push(bin, own);
        }
        Self {
            name_of_chances: name_of_chances(self.view, Some("each value")),
            along,
            name: self.name,
            notes: self.notes,
            gathers: self.gathers,
            ..chart
        }
    }

    pub(super) fn names(&self) -> Vec<String> {
        let series = self.series.iter();
        series.map(|series| series.name.clone()).collect()
    }

    /// The text beside the pointer for a chance: the rule, if there are several, and the event.
    pub(super) fn words(&self, series: usize, bin: &Bin, chance: &Told) -> String {
        let (name, words, chance) = (&self.series[series].words, &bin.words, &chance.words);
        match (&self.along, self.series.len()) {
            (Along::Variable | Along::Names, _) if self.kind != ChartKind::Rows => {
                format!("{words}, {name}: {chance}")
            }
            (_, 1) => format!("{words}: {chance}"),
            _ => format!("{name}, {words}: {chance}"),
        }
    }

    /// The bar of a series in a bin, hatched if it is mass at no single value, in full colour if it `is_full`.
    pub(super) fn bar(
        &self,
        (series, bin, chance): (usize, &Bin, &Told),
        corners: [Point; 2],
        role: Role,
        is_full: bool,
    ) -> Mark {
        let class = if bin.is_beside { "beside" } else { "bar" };
        let look = Look::new(class, role, self.words(series, bin, chance));
        Mark::rect(corners, look.full(is_full)).hatched(bin.is_beside)
    }

    /// The bins on the axis.
    pub(super) fn slots(&self) -> impl Iterator<Item = &Bin> + Clone {
        self.bins.iter().filter(|bin| !bin.is_beside)
    }

    /// The bins of a series that are drawn, on the axis or beside it, with their chances.
    pub(super) fn drawn(
        &self,
        series: usize,
        is_beside: bool,
    ) -> impl Iterator<Item = (usize, &Bin, &Told)> + Clone {
        let bins = self.bins.iter().zip(&self.chances[series]).enumerate();
        let drawn = bins.filter_map(|(index, (bin, it))| Some((index, bin, it.as_ref()?)));
        drawn.filter(move |(_, bin, _)| bin.is_beside == is_beside)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Told> {
        self.chances.iter().flatten().flatten()
    }

    /// The highest share, or upper bound of a share, in the chart.
    pub(super) fn highest(&self) -> f64 {
        self.all().map(Told::highest).fold(0.0, f64::max)
    }

    /// The ends of the axis with what is beside it.
    pub(super) fn ends(&self) -> [f64; 2] {
        ends(self.bins.iter())
    }

    pub(super) fn axis(&self) -> [f64; 2] {
        ends(self.slots())
    }

    /// The place of a value: within its run, in a break, or in the column that has it.
    pub(super) fn place(&self, value: f64) -> f64 {
        let beside = self.bins.iter().filter(|bin| bin.is_beside);
        let mut beside = beside.filter_map(|bin| Some((bin, bin.values?)));
        let is_here = |(_, [low, high]): &(&Bin, [f64; 2])| *low <= value && value <= *high;
        if let Some((bin, [low, high])) = beside.find(is_here) {
            return match value {
                f64::INFINITY => bin.edges[1],
                f64::NEG_INFINITY => bin.edges[0],
                // What begins with the column, or ends with it, covers it.
                _ if value <= low => bin.edges[0] + 0.5,
                _ if value >= high => bin.edges[1] - 0.5,
                _ => bin.middle(),
            };
        }
        let Along::Values {
            parts, apart, runs, ..
        } = &self.along
        else {
            return value;
        };
        let slots = |number: f64, first: i64| (number - first as f64) / *apart as f64;
        let mut before: Option<f64> = None;
        for ([first, last], start) in runs {
            let at = slots(value * parts, *first) + 0.5;
            let end = slots(*last as f64, *first) + 1.0;
            match before {
                Some(before) if at < 0.0 => return f64::midpoint(before, *start),
                _ if at <= end || runs.len() == 1 => return start + at,
                _ => before = Some(start + end),
            }
        }
        before.unwrap_or(0.0) + 0.5
    }

    /// The ends of a run of values along the axis, half way to the values beyond, and whether it goes on at each; `None` if nothing of
    /// it is shown.
    pub(super) fn run(&self, [low, high]: [f64; 2]) -> Option<([f64; 2], [bool; 2])> {
        let Along::Values {
            parts, apart, runs, ..
        } = &self.along
        else {
            return None;
        };
        let (first, apart) = (runs.first()?.0[0] as f64, *apart as f64);
        let steps = |value: f64| (value * parts - first) / apart;
        let value = |steps: f64| (first + steps * apart) / parts;
        let (from, to) = ((steps(low) - NEAR).ceil(), (steps(high) + NEAR).floor());
        let ends = [self.place(value(from)) - 0.5, self.place(value(to)) + 0.5];
        let [left, right] = self.ends();
        let shown = [ends[0].max(left), ends[1].min(right)];
        let is_cut = |end: usize| (ends[end] - shown[end]).abs() > 1e-3;
        let goes_on = [
            low.is_infinite() || is_cut(0),
            high.is_infinite() || is_cut(1),
        ];
        (from <= to && shown[0] < shown[1]).then_some((shown, goes_on))
    }

    /// The labels along the axis with their places, where a slot has this many pixels: all, if there is room; else values at round
    /// distances, which exist, or round decimals where values are no decimals. Names have none here: they may be cut.
    pub(super) fn ticks(&self, slot: f64) -> Vec<(f64, String)> {
        let label = |bin: &Bin| (bin.middle(), bin.label.clone());
        let beside = self.bins.iter().filter(|bin| bin.is_beside).map(label);
        let all = self.slots().map(label);
        let widest = widest(self.slots().map(|bin| &bin.label), LABEL.size);
        let on_axis: Vec<(f64, String)> = match &self.along {
            Along::Names => Vec::new(),
            Along::Values { .. } if !self.gathers && widest + 7.0 <= slot => all.collect(),
            Along::Values { .. } => self.ticks_of_values(slot),
            // Of evenly spaced values of a variable, those at round distances.
            Along::Variable => {
                let middles: Vec<f64> = self.slots().map(Bin::middle).collect();
                let apart = middles.windows(2).map(|pair| pair[1] - pair[0]);
                let least = apart.clone().fold(f64::INFINITY, f64::min);
                let is_even = apart.fold(0.0, f64::max) <= least + NEAR;
                let step = round_step(((widest + 6.0) / slot / least).max(1.0));
                let is_round = |at: f64| ((at / least).floor() % step).abs() < 0.5;
                all.filter(|(at, _)| !is_even || is_round(*at)).collect()
            }
        };
        beside.chain(on_axis).collect()
    }

    fn ticks_of_values(&self, slot: f64) -> Vec<(f64, String)> {
        let Along::Values {
            unit,
            parts,
            apart,
            runs,
        } = &self.along
        else {
            return Vec::new();
        };
        let Some((([first, _], _), ([_, last], _))) = runs.first().zip(runs.last()) else {
            return Vec::new();
        };
        let distance = *apart as f64;
        let room = |width: f64| (width + 24.0) / slot * distance / parts;
        // The parts of a decimal divide a power of ten.
        let is_decimal = 10_i64.pow(18) % (*parts as i64).max(1) == 0;
        if !is_decimal {
            let step = round_step(room(text_width("00.00", LABEL.size)));
            let digits = (-step.log10().floor()).max(0.0) as usize;
            let ticks = ticks(*first as f64 / parts, *last as f64 / parts, step).into_iter();
            let label = |value: f64| typeset(&format!("{value:.digits$}"));
            return ticks.map(|it| (self.place(it), label(it))).collect();
        }
        let label = |value| value_label(value, unit, last - first);
        let room = room(self::widest(&[label(*first), label(*last)], LABEL.size));
        let round = round_step(room).max(1.0) * parts;
        let own = round_step((room * parts / distance).max(1.0)) * distance;
        // A step that is a round number may be somewhat longer than one that is a round number of values.
        let is_among = round < own * 2.6 && round % distance == 0.0;
        let step = (if is_among { round } else { own }) as i64;
        let ticks = runs.iter().flat_map(|([from, to], _)| {
            let start = from + (first.rem_euclid(*apart) - from).rem_euclid(step);
            let start = if start > *to { *from } else { start };
            let values = (0..).map_while(move |at: i64| start.checked_add(step.checked_mul(at)?));
            values.take_while(move |value| value <= to)
        });
        let ticks = ticks.map(|value| (self.place(value as f64 / parts), label(value)));
        ticks.collect()
    }

    /// The bin where the chance of each series passes one half, if they are questions.
    pub(super) fn crossings(&self) -> &[Option<usize>] {
        let questions = self.questions.as_ref();
        questions.map_or(&[], |questions| &questions.crossings)
    }

    /// The bins that lines go through, in runs, and the pairs of bins that dotted lines join.
    pub(super) fn joined(&self) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        let (mut runs, mut across, mut start) = (Vec::new(), Vec::new(), 0);
        for (place, bin) in self.bins.iter().enumerate().skip(1) {
            if bin.join != Join::Line {
                runs.push(start..place);
                start = place;
            }
            if bin.join == Join::Dotted {
                across.push(place - 1..place + 1);
            }
        }
        runs.push(start..self.bins.len());
        (runs, across)
    }
}

/// The first and the last edge of bins.
fn ends<'a>(mut bins: impl Iterator<Item = &'a Bin> + Clone) -> [f64; 2] {
    let ends = bins.clone().next().zip(bins.by_ref().last());
    ends.map_or([0.0, 1.0], |(first, last)| [first.edges[0], last.edges[1]])
}
