//! One rule or a few, with values to the right and chances upward: bars, an outline, dots or curves.

use std::ops::Range;

use super::asked::ValueQuestion;
use super::chance::Told;
use super::chart::{Along, Bin, Chart};
use super::curves::{Curve, DOT, draw_lines, name_places, radii};
use super::field::{Axis, Canvas, Field, Grid, LABELS_HEIGHT};
use super::frame::{Around, BAND, Note, SHADE, Sample, whisker};
use super::kind::ChartKind;
use super::lanes::Lanes;
use super::mark::{Anchor, LEAST_BAR, Look, Mark, Point, Rect, text_box};
use super::means::{Mean, Means, dotted};
use super::names::{LONGEST_BESIDE, fitting_names};
use super::numbers::{WHOLE, share_axis, share_ticks};
use super::palette::{Role, roles};
use super::text::{Font, LABEL, SMALL, TINY, widest};
use super::values::{GAP, MOST_LABELS};
use super::words::Picture;
use crate::report::{Query, View};

/// The most bins of a curve that has dots, and of several series whose intervals are told apart one by one.
const MOST_DOTS: usize = 45;
const MOST_WHISKERS: usize = 20;

/// The width of a stem, which is the thin bar of a value far from the others, and the largest width of a bar, on the axis and beside it.
const STEM: f64 = 3.0;
const WIDEST: [f64; 2] = [90.0, 30.0];

/// Chances of questions that all lie below this one have an axis that ends above the highest, and else one up to certainty.
const FAR_FROM_HALF: f64 = 0.4;

/// The least distance of stems side by side, and the width of the stem of a dot and of a curve.
const LEAST_APART: f64 = 2.0;
const THIN: f64 = 1.4;
pub(super) const CURVE: f64 = 2.2;

/// The sizes of the percentages above bars.
const SIZES: [f64; 2] = [TINY.size, 10.5];

/// The opacities of an area: all of it, where a part is asked about, and the part.
const AREA: f64 = 0.4;
const REST: f64 = 0.2;
const PART: f64 = 0.7;

/// The places of a chart.
struct Plan<'a> {
    chart: &'a Chart,
    picture: &'a Picture,
    roles: Vec<Role>,
    lanes: Lanes<'a>,
    area: Rect,
    field: Field,
    /// The slots of a pixel.
    unit: f64,
}

/// Draws the chart, with a legend if the names of series have no room beside them.
pub(super) fn draw(chart: &Chart, picture: &Picture) -> Canvas {
    let needs_legend = chart.series.len() > 1 && chart.kind != ChartKind::Lines;
    let mut ways = [needs_legend, true].into_iter();
    let canvas = ways.find_map(|has_legend| with_legend(chart, picture, has_legend));
    canvas.unwrap_or_else(|| Canvas::new(picture.width))
}

/// The picture with a legend or without; `None` if names need one.
fn with_legend(chart: &Chart, picture: &Picture, has_legend: bool) -> Option<Canvas> {
    let canvas = Canvas::new(picture.width);
    let (all, several) = (chart.names(), chart.series.len() > 1);
    let mut plan = Plan::new(chart, picture, &canvas, has_legend.then_some(&all[..]));
    let shown = fitting_names(&all, LABEL.size, LONGEST_BESIDE);
    let (area, lines) = (plan.area, plan.upright_lines());
    let mut names = Vec::new();
    if several && !has_legend {
        names = name_places(&plan.curves(), &shown, area, &lines)?;
    }
    let below = plan.lanes.draw(&canvas, area, |at| plan.field.along(at));
    plan.half(&canvas);
    canvas.page().settle();
    match chart.kind {
        ChartKind::Bars if chart.is_outline => plan.outline(&canvas),
        ChartKind::Bars => plan.bars(&canvas),
        _ => plan.lines(&canvas),
    }
    for (index, place) in names.into_iter().enumerate() {
        let name = (shown[index].as_str(), all[index].as_str());
        canvas.name(name, plan.roles[index], place);
    }
    let means = plan.means();
    means.name(&canvas, &lines, !several && picture.has_answers);
    plan.columns(&canvas);
    for bin in chart.bins.iter().filter(|bin| bin.is_far) {
        let x = plan.field.along(bin.edges[0]) - GAP;
        canvas.axis_break((x, area.bottom), true);
    }
    for point in below {
        dotted(&canvas, point, area.bottom);
    }
    means.draw(&canvas);
    Some(canvas)
}

/// The runs of values that the only question about several rules is about, along the axis.
fn shaded(chart: &Chart, picture: &Picture) -> Vec<[f64; 2]> {
    let only = picture.only_asked().filter(|_| chart.series.len() > 1);
    let shown: Vec<[f64; 2]> = only.map_or_else(Vec::new, |asked| chart.runs(asked));
    // Runs within a range of values cannot be told apart.
    let least = chart.slots().map(Bin::width).fold(f64::INFINITY, f64::min);
    let mut lengths = shown.iter().map(|[low, high]| high - low);
    let are_apart = shown.len() == 1 || lengths.all(|length| length >= least * 0.999);
    if are_apart { shown } else { Vec::new() }
}

/// The notes below the axis.
fn notes(chart: &Chart, picture: &Picture) -> Vec<Note> {
    let texts = picture.caption.iter().chain(&picture.remarks);
    let mut notes = picture.notes(texts.chain(&chart.notes));
    let ink = || Look::plain(Role::Ink);
    let shade = |role: Role, opacity: f64| Look::plain(role).with_opacity(opacity);
    if chart.all().any(|chance| chance.bounds.is_some()) {
        let text = "the interval of each sampled chance";
        notes.push(if chart.has_whiskers() {
            Note::on(
                Mark::lines(&whisker(9.0, 5.0, -6.0, 6.0), 1.2, "", ink()),
                text,
            )
        } else {
            Note::block(shade(Role::SoftInk, 0.3), text)
        });
    }
    if !shaded(chart, picture).is_empty() {
        notes.push(Note::block(
            shade(Role::SoftInk, SHADE),
            "what is asked about",
        ));
    }
    let holds = picture
        .only_asked()
        .is_some_and(|asked| matches!(asked.query, Query::Condition(_)) && !asked.runs.is_empty());
    if chart.is_outline && chart.gathers && holds {
        let text = "the part of each range for which the condition holds";
        notes.push(Note::block(shade(roles(1)[0], PART), text));
    }
    let mut beside = chart.series().flat_map(|rule| chart.drawn(rule, true));
    // Hatching is seen from a part of the highest chance on.
    let visible = chart.highest() * 0.02;
    if beside.any(|(.., chance)| chance.share > visible) {
        let hatch = Mark::rect([(0.0, -6.0), (18.0, 6.0)], Look::plain(Role::SoftInk));
        let text = "the chance of several values together, or of none";
        notes.push(Note::on(hatch.hatched(true), text));
    }
    let are_said = chart.questions.as_ref().is_some_and(|it| it.are_said);
    if !are_said && chart.crossings().iter().any(Option::is_some) {
        let text = "the first or the last value with a chance of one half or more";
        let line = Mark::line([(9.0, -7.0), (9.0, 7.0)], 1.0, ink());
        notes.push(Note::on(line, text));
    }
    notes
}

impl Chart {
    /// Whether the values of a curve have dots.
    fn has_dots(&self) -> bool {
        !matches!(self.along, Along::Values { .. }) || self.slots().count() <= MOST_DOTS
    }

    /// Whether the intervals of sampled chances are drawn one by one.
    fn has_whiskers(&self) -> bool {
        match self.kind {
            ChartKind::Lines if !matches!(self.along, Along::Values { .. }) => true,
            ChartKind::Lines => self.view == View::Exactly && self.slots().count() <= MOST_WHISKERS,
            _ => !self.is_outline,
        }
    }

    /// The runs of what is asked, along the axis.
    fn runs(&self, asked: &ValueQuestion) -> Vec<[f64; 2]> {
        let runs = asked.runs.iter();
        runs.filter_map(|run| Some(self.run(*run)?.0)).collect()
    }

    fn series(&self) -> Range<usize> {
        0..self.series.len()
    }
}

impl<'a> Plan<'a> {
    /// The places of a chart, in its frame.
    fn new(
        chart: &'a Chart,
        picture: &'a Picture,
        canvas: &Canvas,
        legend: Option<&[String]>,
    ) -> Self {
        let highest = chart.highest();
        let is_near_half = chart.questions.is_some() && highest >= FAR_FROM_HALF;
        let is_total = chart.view != View::Exactly || is_near_half;
        let scale = if is_total { WHOLE } else { share_axis(highest) };
        let is_line = chart.kind == ChartKind::Lines;
        // This leaves room above the highest bar for its percentage and the pointer of the mean.
        let least = if is_line && is_total {
            0.0
        } else {
            highest * 1.0001 / 0.92
        };
        let lanes = Lanes::of(chart, picture);
        let mut y = Axis::new(0.0, scale.0.max(least));
        y.ticks = share_ticks(scale);
        let sample = if is_line { Sample::Line } else { Sample::Block };
        let around = Around {
            legend: legend.map(|names| (sample, names, &[][..])),
            caption: &chart.name_of_chances,
            above: lanes.height(),
            left: widest(y.ticks.iter().map(|(_, label)| label), LABEL.size),
            below: LABELS_HEIGHT,
            notes: notes(chart, picture),
            ..Around::default()
        };
        let area = picture.frame(canvas, around);
        let x = picture.axis(chart, &area);
        let (from, unit) = (x.from, (x.to - x.from) / area.width());
        let along = |at: f64| area.left + (at - from) / unit;
        for run in shaded(chart, picture) {
            let [left, right] = run.map(along);
            let look = Look::new("asked", Role::SoftInk, "").with_opacity(SHADE);
            canvas.put(Mark::rect([(left, area.top), (right, area.bottom)], look));
        }
        let name = chart.slots().next().map_or("", |_| &chart.name);
        let field = canvas.field(area, [x, y.spaced(&area)], Grid::Level, name);
        if matches!(chart.along, Along::Names) {
            let bins = chart.bins.iter();
            let bins = bins.map(|bin| (bin.label.clone(), along(bin.middle())));
            let (labels, places): (Vec<String>, Vec<f64>) = bins.unzip();
            canvas.names_below(&labels, &places, area.bottom + 15.0, 1.0 / unit);
        }
        Self {
            chart,
            picture,
            roles: roles(chart.series.len()),
            lanes,
            area,
            field,
            unit,
        }
    }

    fn pixel(&self, point: Point) -> Point {
        self.field.pixel(point)
    }

    /// The means, where there is something to see of them.
    fn means(&self) -> Means {
        let chart = self.chart;
        let only = self.roles.len() == 1;
        let is_certain = only && chart.bins.len() == 1;
        let are_shown = chart.view == View::Exactly && !is_certain;
        let values = [chart.slots().next(), chart.slots().last()];
        let [low, high] = values.map(|bin| bin.and_then(|bin| bin.values).unwrap_or_default());
        let [left, right] = chart.axis().map(|end| self.field.along(end));
        let series = chart.means.iter().zip(&self.roles).filter(|_| are_shown);
        let means = series.filter_map(|(mean, role)| {
            let value = (*mean)?;
            let x = match value {
                _ if value < low[0] => left - 1.0,
                _ if value > high[1] => right + 1.0,
                _ => self.field.along(chart.place(value)),
            };
            let role = if only { Role::SoftInk } else { *role };
            Some(Mean { value, x, role })
        });
        let mut all: Vec<Mean> = means.collect();
        all.sort_by(|a, b| a.x.total_cmp(&b.x));
        let area = Rect {
            left,
            right,
            ..self.area
        };
        Means { all, area }
    }

    /// The places of the lines of means and of the dotted ones.
    fn upright_lines(&self) -> Vec<f64> {
        let halves = self.chart.crossings().iter().flatten();
        let halves = halves.map(|bin| self.chart.bins[*bin].middle());
        let dotted = self.lanes.crossings().into_iter().chain(halves);
        let dotted = dotted.map(|at| self.field.along(at));
        self.means().lines().into_iter().chain(dotted).collect()
    }

    /// The question whose part of the only rule's values stands out.
    fn stands_out(&self) -> Option<&ValueQuestion> {
        let asked = self.picture.only_asked();
        asked.filter(|_| self.chart.series.len() == 1)
    }

    /// Whether a bin is asked about, or nothing is.
    fn is_asked(&self, bin: &Bin) -> bool {
        let mut targets = self.lanes.targets().peekable();
        if self.chart.series.len() == 1 && targets.peek().is_some() {
            return targets.any(|at| bin.edges[0] < at && at < bin.edges[1]);
        }
        let only = self.stands_out();
        only.is_none_or(|asked| asked.is_about(self.chart, bin))
    }

    /// A dashed line at one half, with thin lines down from where the chances of a sweep pass it.
    fn half(&self, canvas: &Canvas) {
        if self.chart.questions.is_none() || self.field.y.to < 0.5 {
            return;
        }
        let area = self.area;
        let y = self.pixel((0.0, 0.5)).1;
        let line = vec![(area.left, y), (area.right, y)];
        canvas.put(Mark::lines(&[line], 1.2, "5 4", Look::plain(Role::SoftInk)));
        canvas.text_if_free("50%", (area.left - 8.0, y), Anchor::End, SMALL);
        let series = self.chart.crossings().iter().zip(&self.chart.chances);
        for ((bin, chances), role) in series.zip(&self.roles) {
            let chance = bin.and_then(|bin| Some((bin, chances[bin].as_ref()?)));
            if let Some((bin, chance)) = chance {
                let (x, y) = self.pixel((self.chart.bins[bin].middle(), chance.share));
                let look = Look::new("half", *role, "").with_opacity(0.6);
                canvas.put(Mark::line([(x, y), (x, area.bottom)], 1.0, look));
            }
        }
    }

    /// The chances of questions above the dots of rules side by side, below or beside them, where they cover nothing.
    fn answers(&self, canvas: &Canvas, points: &[Vec<Point>]) {
        if self.chart.questions.is_none() || !matches!(self.chart.along, Along::Names) {
            return;
        }
        let half = self.pixel((0.0, 0.5)).1;
        let dots = points.iter().flatten();
        let dots = dots.map(|point| Rect::around(*point, 9.0, 9.0));
        let line = Rect::between((0.0, half - 1.0), (canvas.width(), half + 1.0));
        let obstacles: Vec<Rect> = dots.chain([line]).collect();
        for ((x, y), chance) in points.iter().flatten().zip(self.chart.all()) {
            let places = [
                ((*x, y - 12.0), Anchor::Middle),
                ((*x, y + 13.0), Anchor::Middle),
                ((x + 9.0, *y), Anchor::Start),
                ((x - 9.0, *y), Anchor::End),
            ];
            let label = chance.label.as_str();
            canvas.place((label, label), &places, TINY, &obstacles);
        }
    }

    /// The corners of the bar of a bin, in a group of those of the rules that have one there. A positive share has a visible bar.
    fn corners(&self, rule: usize, index: usize, share: f64) -> [Point; 2] {
        let bin = &self.chart.bins[index];
        let count = self.roles.len() as f64;
        let part = if count > 1.0 { 0.86 } else { 0.8 };
        let most = WIDEST[usize::from(bin.is_beside)];
        let width = (bin.width() / self.unit * part).min(most * count) / count;
        let width = width.max(STEM) * self.unit;
        let has_bar = |own: &Vec<Option<Told>>| {
            let chance = own.get(index).and_then(Option::as_ref);
            chance.is_some_and(|chance| chance.share > 0.0)
        };
        let here: Vec<bool> = self.chart.chances.iter().map(has_bar).collect();
        let count = |here: &[bool]| here.iter().filter(|is_here| **is_here).count() as f64;
        let left = bin.middle() + width * (count(&here[..rule]) - count(&here).max(1.0) / 2.0);
        let least = LEAST_BAR / self.area.height() * self.field.y.to;
        let share = if share > 0.0 { share.max(least) } else { 0.0 };
        [(left, share), (left + width, 0.0)]
    }

    /// The bars of a rule, on the axis or beside it, with their boxes in pixels and their chances.
    fn bars_of(&self, rule: usize, is_beside: bool) -> Vec<(Mark, Rect, &'a Told)> {
        let chart = self.chart;
        let bars = chart.drawn(rule, is_beside).map(|(index, bin, chance)| {
            let corners = self.corners(rule, index, chance.share);
            let [a, b] = corners.map(|corner| self.pixel(corner));
            let (role, is_full) = (self.roles[rule], self.is_asked(bin));
            let mark = chart.bar((rule, bin, chance), corners, role, is_full);
            (mark, Rect::between(a, b), chance)
        });
        bars.collect()
    }

    fn bars(&mut self, canvas: &Canvas) {
        let mut all = Vec::new();
        for rule in self.chart.series() {
            let bars = self.bars_of(rule, false).into_iter();
            let (marks, bars): (Vec<Mark>, Vec<_>) = bars
                .map(|(mark, place, chance)| (mark, (chance, place)))
                .unzip();
            self.field.draw(marks);
            for (chance, place) in &bars {
                let middle = (place.middle().0, place.width() / 4.0);
                self.whisker(canvas, chance, middle, Role::Ink);
            }
            all.extend(bars);
        }
        self.percentages(canvas, all);
    }

    /// The columns beside the axis, hatched, with their chances.
    fn columns(&mut self, canvas: &Canvas) {
        for rule in self.chart.series() {
            for (mark, place, chance) in self.bars_of(rule, true) {
                self.field.draw([mark]);
                let at = (place.middle().0, place.top.min(self.area.bottom) - 9.0);
                if self.roles.len() == 1 {
                    canvas.text_if_free(&chance.label, at, Anchor::Middle, TINY);
                }
            }
        }
    }

    /// Writes the percentages above bars: of all, if there is room, in the larger of two sizes; else of the highest bars.
    fn percentages(&self, canvas: &Canvas, mut bars: Vec<(&Told, Rect)>) {
        if bars.len() > MOST_LABELS * self.roles.len() {
            return;
        }
        bars.sort_by(|(a, _), (b, _)| b.share.total_cmp(&a.share));
        let exact = bars.iter().filter(|(chance, _)| chance.bounds.is_none());
        let wanted = exact.count();
        let [large, small] = SIZES.map(|size| self.percentages_of(&bars, canvas, size));
        let are_all = small.len() == wanted && large.len() < wanted;
        let (shown, size) = if are_all {
            (small, SIZES[1])
        } else {
            (large, SIZES[0])
        };
        for (text, place) in shown {
            let font = Font { size, ..TINY };
            canvas.text(text, place.middle(), Anchor::Middle, font);
        }
    }

    /// The percentages above the highest of these bars, down to the first that has no room. Equal bars have all theirs, or none.
    fn percentages_of<'b>(
        &self,
        bars: &[(&'b Told, Rect)],
        canvas: &Canvas,
        size: f64,
    ) -> Vec<(&'b str, Rect)> {
        let exact = bars.iter().filter(|(chance, _)| chance.bounds.is_none());
        let exact: Vec<&(&Told, Rect)> = exact.collect();
        let mut taken: Vec<Rect> = bars.iter().map(|(_, bar)| *bar).collect();
        let mut placed = Vec::new();
        for equal in exact.chunk_by(|(a, _), (b, _)| a.label == b.label) {
            let before = placed.len();
            for (chance, bar) in equal {
                let at = (bar.middle().0, bar.top - 9.0);
                let place = text_box(&chance.label, at, Anchor::Middle, size);
                let is_within = self.area.left <= place.left && place.right <= self.area.right;
                if !is_within || !canvas.is_free(&place.wider(-1.0), &taken) {
                    placed.truncate(before);
                    return placed;
                }
                taken.push(place);
                placed.push((chance.label.as_str(), place));
            }
        }
        placed
    }

    /// The lines of the interval of a sampled share at a place.
    fn interval(&self, chance: &Told, (x, half): Point) -> Option<Vec<Vec<Point>>> {
        let [low, high] = chance.bounds?.map(|bound| self.pixel((0.0, bound)).1);
        Some(whisker(x, half.clamp(1.0, 6.0), low, high))
    }

    fn whisker(&self, canvas: &Canvas, chance: &Told, place: Point, role: Role) {
        if let Some(lines) = self.interval(chance, place) {
            let look = Look::new("interval", role, "");
            canvas.put(Mark::lines(&lines, 1.2, "", look));
        }
    }

    fn outline(&mut self, canvas: &Canvas) {
        let (chart, role) = (self.chart, self.roles[0]);
        let area = |points: Vec<Point>, opacity| {
            Mark::polygon(points, Look::new("area", role, "").with_opacity(opacity))
        };
        let whole = chart.drawn(0, false);
        let all = whole
            .clone()
            .map(|(_, bin, chance)| (bin.edges, chance.share));
        let outline = outline(all.clone());
        let asked = self.stands_out();
        let parts: Vec<Vec<Point>> = match (asked, &chart.holds) {
            (None, _) => Vec::new(),
            // The values for which a condition holds may be anywhere in a range.
            (Some(_), Some(holds)) => {
                let bins = whole.map(|(index, bin, _)| (bin.edges, holds[index]));
                let bins: Vec<([f64; 2], f64)> = bins.collect();
                let runs = bins.chunk_by(|(_, a), (_, b)| (*a > 0.0) == (*b > 0.0));
                let runs = runs.filter(|run| run[0].1 > 0.0);
                runs.map(|run| self::outline(run.iter().copied())).collect()
            }
            (Some(asked), None) => {
                let part = |[low, high]: [f64; 2]| {
                    let inner = all.clone().map(move |([left, right], share)| {
                        ([left.max(low), right.min(high)], share)
                    });
                    self::outline(inner.filter(|([left, right], _)| left < right))
                };
                chart.runs(asked).into_iter().map(part).collect()
            }
        };
        let opacity = if asked.is_some() { REST } else { AREA };
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let parts = parts.map(|part| area(part, PART));
        let areas = [area(outline.clone(), opacity)].into_iter().chain(parts);
        self.field.draw(areas);
        self.band(canvas, 0, Role::Ink);
        let look = Look::new("outline", role, "");
        self.field.draw([Mark::lines(&[outline], 1.6, "", look)]);
        self.strips();
    }

    /// The intervals of sampled shares as a band, which has a gap where a value has none. That of an outline has its steps.
    fn band(&mut self, canvas: &Canvas, rule: usize, role: Role) {
        let drawn = self.chart.drawn(rule, false);
        let bounded = drawn.filter_map(|(index, bin, it)| Some((index, bin, it, it.bounds?)));
        let bounded: Vec<_> = bounded.collect();
        for run in bounded.chunk_by(|(a, ..), (b, ..)| a + 1 == *b) {
            if let [(_, bin, chance, _)] = run {
                let x = self.field.along(bin.middle());
                self.whisker(canvas, chance, (x, DOT), role);
                continue;
            }
            let is_outline = self.chart.is_outline;
            let edge = |high: usize| {
                run.iter().flat_map(move |(_, bin, _, bounds)| {
                    let middle = [bin.middle(); 2];
                    let places = if is_outline { bin.edges } else { middle };
                    places.map(|x| (x, bounds[high]))
                })
            };
            let upper: Vec<Point> = edge(1).collect();
            let mut outline: Vec<Point> = edge(0).chain(upper.into_iter().rev()).collect();
            outline.dedup();
            let look = Look::new("band", role, "").with_opacity(BAND);
            self.field.draw([Mark::polygon(outline, look)]);
        }
    }

    /// An invisible strip for each bin: a browser shows the chances of all series there.
    fn strips(&mut self) {
        let (chart, top) = (self.chart, self.field.y.to);
        let bins = chart.bins.iter().enumerate();
        let strips = bins.filter(|(_, bin)| !bin.is_beside);
        let strips = strips.filter_map(|(index, bin)| {
            let texts =
                chart.chances.iter().enumerate().filter_map(|(rule, own)| {
                    Some(chart.words(rule, bin, own.get(index)?.as_ref()?))
                });
            let texts: Vec<String> = texts.collect();
            let look = Look::new("strip", Role::Ground, texts.join("\n")).with_opacity(0.0);
            let corners = [(bin.edges[0], top), (bin.edges[1], 0.0)];
            (!texts.is_empty()).then(|| Mark::rect(corners, look))
        });
        self.field.draw(strips);
    }

    /// The places of the dots of a series, in pixels, with their bins. Stems stand side by side.
    fn dots(&self, rule: usize) -> Vec<(usize, &'a Told, Point)> {
        let count = self.chart.series.len() as f64;
        let apart = 1.0 / self.unit / (count + 1.0);
        // In narrow slots they stand in the middle, so that each is at its value.
        let is_aside = self.chart.has_stems && apart >= LEAST_APART;
        let apart = if is_aside { apart.min(2.0 * DOT) } else { 0.0 };
        let aside = (rule as f64 - (count - 1.0) / 2.0) * apart;
        let dots = self.chart.drawn(rule, false).map(|(index, bin, chance)| {
            let (x, y) = self.pixel((bin.middle(), chance.share));
            (index, chance, (x + aside, y))
        });
        dots.collect()
    }

    /// The series as curves, in pixels; none for bars.
    fn curves(&self) -> Vec<Curve> {
        let (joined, across) = self.chart.joined();
        let half = self.pixel((0.0, 0.5)).1;
        let half = vec![(self.area.left, half), (self.area.right, half)];
        let curves = self.chart.series().map(|rule| {
            let dots = self.dots(rule);
            let half = self.chart.questions.as_ref().map(|_| half.clone());
            let all = dots.iter();
            let whiskers = all.filter_map(|(_, it, (x, _))| self.interval(it, (*x, 4.0)));
            let lines = if self.chart.has_stems {
                let stem = |(.., (x, y)): &(_, _, Point)| vec![(*x, self.area.bottom), (*x, *y)];
                dots.iter().map(stem).collect()
            } else {
                // A bin without a dot parts a line.
                let runs = dots.chunk_by(|a, b| a.0 + 1 == b.0);
                runs.flat_map(|run| parts(run, &joined)).collect()
            };
            let dotted = parts(&dots, &across);
            Curve {
                points: dots.iter().map(|(.., point)| *point).collect(),
                lines,
                others: whiskers
                    .flatten()
                    .chain(dotted.clone())
                    .chain(half)
                    .collect(),
                dotted,
            }
        });
        curves.collect()
    }

    fn lines(&mut self, canvas: &Canvas) {
        let chart = self.chart;
        let (has_dots, has_whiskers) = (chart.has_dots(), chart.has_whiskers());
        let curves = self.curves();
        let points: Vec<Vec<Point>> = curves.iter().map(|it| it.points.clone()).collect();
        let lines: Vec<_> = curves.iter().map(|it| it.lines.clone()).collect();
        let dotted: Vec<_> = curves.into_iter().map(|it| it.dotted).collect();
        let half = (1.0 / self.unit / 3.0).min(4.0);
        let is_small = chart.bins.len() > MOST_DOTS && !chart.has_stems;
        let scale = if is_small { 0.5 } else { 1.0 };
        for rule in chart.series().filter(|_| !has_whiskers) {
            self.band(canvas, rule, self.roles[rule]);
        }
        for (rule, radii) in radii(&points).iter().enumerate() {
            let role = self.roles[rule];
            let width = if chart.has_stems { THIN } else { CURVE };
            draw_lines(canvas, &lines, rule, (width, role.dash()), role);
            draw_lines(canvas, &dotted, rule, (1.2, "1.5 4"), role);
            let joined = lines[rule].iter().flatten();
            let joined: Vec<&Point> = joined.filter(|_| !chart.has_stems).collect();
            for ((index, chance, point), radius) in self.dots(rule).into_iter().zip(radii) {
                if has_whiskers {
                    self.whisker(canvas, chance, (point.0, half), role);
                }
                let is_told = has_dots || chart.has_stems;
                let title = is_told.then(|| chart.words(rule, &chart.bins[index], chance));
                if has_dots || !joined.contains(&&point) {
                    let look = Look::new("dot", role, title.unwrap_or_default());
                    canvas.put(Mark::circle(point, radius * scale, look));
                }
            }
        }
        self.answers(canvas, &points);
        if !has_dots && !chart.has_stems {
            self.strips();
        }
    }
}

/// The parts of a line through dots that are within these ranges of bins.
fn parts(dots: &[(usize, &Told, Point)], ranges: &[Range<usize>]) -> Vec<Vec<Point>> {
    let parts = ranges.iter().map(|range| {
        let here = dots.iter().filter(|(bin, ..)| range.contains(bin));
        here.map(|(.., point)| *point).collect::<Vec<_>>()
    });
    parts.filter(|part| part.len() > 1).collect()
}

/// The outline of bins between these ends, as high as their shares, down to the axis at both ends and at each gap.
fn outline(bins: impl Iterator<Item = ([f64; 2], f64)>) -> Vec<Point> {
    let mut outline: Vec<Point> = Vec::new();
    for ([left, right], share) in bins {
        match outline.last() {
            Some((last, _)) if left - last > 1e-6 => outline.extend([(*last, 0.0), (left, 0.0)]),
            Some(_) => {}
            None => outline.push((left, 0.0)),
        }
        outline.extend([(left, share), (right, share)]);
    }
    outline.extend(outline.last().map(|(last, _)| (*last, 0.0)));
    outline
}
