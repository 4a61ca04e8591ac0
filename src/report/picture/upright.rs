//! One rule or a few, with values to the right and chances upward: bars, an outline, dots or curves.

use std::ops::Range;

use super::asked::{Asked, Values};
use super::chance::Chance;
use super::chart::{Along, Bin, Chart, Half};
use super::curves::{Curve, DOT, draw_lines, name_places, radii};
use super::field::{Axis, Canvas, Field, Grid, LABELS_HEIGHT, pixel};
use super::frame::{ABOVE, AREA, BAND, FADED, Key, MARGIN, Note, PART, SHADE, Sample, whisker};
use super::kind::Kind;
use super::lanes::Lanes;
use super::mark::{Anchor, Look, Mark, Point, Rect, text_box};
use super::means::{Mean, Means};
use super::names::{LONGEST_BESIDE, fitting_names};
use super::numbers::{WHOLE, share_axis, share_ticks};
use super::palette::{Role, roles};
use super::text::{Font, LABEL, SMALL, TINY};
use super::values::{GAP, MOST_LABELS};
use super::words::Picture;
use crate::report::View;

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

/// The least height of a bar in pixels, and the sizes of the percentages above bars.
const LEAST_BAR: f64 = 0.8;
const SIZES: [f64; 2] = [TINY.size, 10.5];

/// The places of a chart.
struct Plan<'a> {
    chart: &'a Chart,
    picture: &'a Picture,
    roles: Vec<Role>,
    lanes: Lanes<'a>,
    area: Rect,
    axes: [Axis; 2],
    /// The slots of a pixel.
    unit: f64,
}

/// A percentage above a bar, with its box and size.
type Percentage<'a> = (&'a str, Rect, f64);

/// Draws the chart; returns the height of the picture.
pub(super) fn draw(chart: &Chart, picture: &Picture) -> (Canvas, f64) {
    let canvas = Canvas::new(picture.width);
    let mut head = picture.head(&canvas);
    let notes = notes(chart, picture);
    let foot = LABELS_HEIGHT + Note::height(&notes);
    let mut plan = Plan::new(chart, picture, head, foot);
    let several = chart.series.len() > 1;
    let all = chart.names();
    let shown = fitting_names(&all, LABEL.size, LONGEST_BESIDE);
    let names = name_places(&plan.curves(), &shown, plan.area, &plan.upright_lines());
    let names = names.filter(|_| several);
    if several && names.is_none() {
        let is_line = chart.kind == Kind::Lines;
        let sample = if is_line { Sample::Line } else { Sample::Block };
        head = picture.legend(&canvas, &all, sample, &[], head);
        plan = Plan::new(chart, picture, head, foot);
    }
    let area = plan.area;
    for run in shaded(chart, picture) {
        let [left, right] = run.map(|end| plan.pixel((end, 0.0)).0);
        let look = Look::new("asked", Role::SoftInk, "").with_opacity(SHADE);
        let corners = [(left, area.top), (right, area.bottom)];
        canvas.put(Mark::rect(corners[0], corners[1], look));
    }
    let place = (MARGIN, area.top - plan.lanes.height() - 20.0);
    canvas.text(&chart.name_of_chances, place, Anchor::Start, SMALL);
    let name = if chart.slots().next().is_some() {
        chart.name.as_str()
    } else {
        ""
    };
    let mut field = canvas.field(area, plan.axes.clone(), Grid::Level, name);
    if matches!(chart.along, Along::Names) {
        let places = chart
            .bins
            .iter()
            .map(|bin| plan.pixel((bin.middle(), 0.0)).0);
        let labels = chart.bins.iter().map(|bin| bin.label.clone());
        let (labels, places): (Vec<String>, Vec<f64>) = (labels.collect(), places.collect());
        canvas.names_below(&labels, &places, area.bottom + 15.0, 1.0 / plan.unit);
    }
    plan.half(&canvas);
    let percentages = plan.percentages(&canvas);
    let boxes: Vec<Rect> = percentages.iter().map(|(_, place, _)| *place).collect();
    plan.lanes
        .draw(&canvas, area, |at| plan.pixel((at, 0.0)).0, &boxes);
    let means = plan.means();
    means.draw(&canvas, &boxes);
    match chart.kind {
        Kind::Bars if chart.is_outline => plan.outline(&canvas, &mut field),
        Kind::Bars => plan.bars(&canvas, &mut field),
        _ => plan.lines(&canvas, &mut field),
    }
    for (text, place, size) in percentages {
        let font = Font { size, ..TINY };
        canvas.text(text, place.middle(), Anchor::Middle, font);
    }
    for (index, place) in names.iter().flatten().enumerate() {
        let name = (shown[index].as_str(), all[index].as_str());
        canvas.name(name, plan.roles[index], *place);
    }
    means.name(
        &canvas,
        &plan.upright_lines(),
        !several && picture.has_answers,
    );
    plan.columns(&canvas, &mut field);
    for bin in chart.bins.iter().filter(|bin| bin.is_far) {
        let x = plan.pixel((bin.edges[0], 0.0)).0 - GAP;
        canvas.axis_break((x, area.bottom), true);
    }
    canvas.notes(&notes, area.bottom + LABELS_HEIGHT);
    (canvas, area.bottom + foot)
}

/// The runs of values that the only question about several rules is about, along the axis.
fn shaded(chart: &Chart, picture: &Picture) -> Vec<[f64; 2]> {
    let only = picture.only_asked().filter(|_| chart.series.len() > 1);
    let runs = only.iter().flat_map(|asked| asked.values.runs());
    let shown: Vec<[f64; 2]> = runs.filter_map(|run| Some(chart.run(run)?.0)).collect();
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
    if chart.all().any(|chance| chance.bounds.is_some()) {
        let key = if chart.has_whiskers() {
            Key::Whisker
        } else {
            Key::Band
        };
        notes.push(Note::on(key, "the interval of each sampled chance"));
    }
    if !shaded(chart, picture).is_empty() {
        notes.push(Note::on(Key::Shade, "what is asked about"));
    }
    let asked = picture.only_asked().map(|asked| &asked.values);
    let holds = matches!(asked, Some(Values::Holding(runs)) if !runs.is_empty());
    if chart.is_outline && chart.gathers && holds {
        let text = "the part of each range for which the condition holds";
        notes.push(Note::on(Key::Part, text));
    }
    let mut beside = (0..chart.series.len()).flat_map(|rule| chart.drawn(rule, true));
    // Hatching is seen from a part of the highest chance on.
    let visible = chart.highest() * 0.02;
    if beside.any(|(.., chance)| chance.share > visible) {
        let text = "the chance of several values together, or of none";
        notes.push(Note::on(Key::Hatch, text));
    }
    let mut series = 0..chart.series.len();
    if chart.questions == Some(Half::Unsaid)
        && series.any(|series| chart.crossing(series).is_some())
    {
        let text = "the first or the last value with a chance of one half or more";
        notes.push(Note::on(Key::Upright, text));
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
            Kind::Lines if !matches!(self.along, Along::Values { .. }) => true,
            Kind::Lines => self.view == View::Exactly && self.slots().count() <= MOST_WHISKERS,
            _ => !self.is_outline,
        }
    }
}

impl<'a> Plan<'a> {
    /// The places of a chart between a head and a foot of these heights.
    fn new(chart: &'a Chart, picture: &'a Picture, head: f64, foot: f64) -> Self {
        let highest = chart.highest();
        let is_near_half = chart.questions.is_some() && highest >= FAR_FROM_HALF;
        let is_total = chart.view != View::Exactly || is_near_half;
        let scale = if is_total { WHOLE } else { share_axis(highest) };
        let is_line = chart.kind == Kind::Lines;
        // This leaves room above the highest bar for its percentage and the pointer of the mean.
        let least = if is_line && is_total {
            0.0
        } else {
            highest * 1.0001 / 0.92
        };
        let lanes = Lanes::of(chart, picture);
        let ticks = share_ticks(scale);
        let area = picture.area(&ticks, head + ABOVE + lanes.height(), foot, 0.0);
        let x = picture.axis(chart, &area);
        let ticks = Picture::spaced(ticks, &area);
        Self {
            chart,
            picture,
            roles: roles(chart.series.len()),
            lanes,
            area,
            unit: (x.to - x.from) / area.width(),
            axes: [
                x,
                Axis {
                    ticks,
                    ..Axis::new(0.0, scale.0.max(least))
                },
            ],
        }
    }

    fn pixel(&self, point: Point) -> Point {
        pixel(&self.area, [&self.axes[0], &self.axes[1]], point)
    }

    /// The means, where there is something to see of them.
    fn means(&self) -> Means {
        let chart = self.chart;
        let is_certain = self.roles.len() == 1 && chart.bins.len() == 1;
        let are_shown = chart.view == View::Exactly && !is_certain;
        let values = [chart.slots().next(), chart.slots().last()];
        let [low, high] = values.map(|bin| bin.and_then(|bin| bin.values).unwrap_or_default());
        let [left, right] = chart.axis().map(|end| self.pixel((end, 0.0)).0);
        let only = self.roles.len() == 1;
        let series = chart.means.iter().zip(&self.roles).filter(|_| are_shown);
        let means = series.filter_map(|(mean, role)| {
            let value = (*mean)?;
            let x = match value {
                _ if value < low[0] => left - 1.0,
                _ if value > high[1] => right + 1.0,
                _ => self.pixel((chart.place(value), 0.0)).0,
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
        let halves = (0..self.chart.series.len()).filter_map(|series| self.chart.crossing(series));
        let halves = halves.map(|bin| self.chart.bins[bin].middle());
        let dotted = self.lanes.crossings().into_iter().chain(halves);
        let dotted = dotted.map(|at| self.pixel((at, 0.0)).0);
        self.means().lines().into_iter().chain(dotted).collect()
    }

    /// What stands out of the values of the only rule.
    fn stands_out(&self) -> Option<&Asked> {
        let asked = self.picture.only_asked();
        asked.filter(|_| self.chart.series.len() == 1)
    }

    /// The opacity of a bin, which is full if it is asked about, or if nothing is.
    fn opacity(&self, bin: &Bin) -> f64 {
        let mut targets = self.lanes.targets().peekable();
        let is_asked = if self.chart.series.len() == 1 && targets.peek().is_some() {
            targets.any(|at| bin.edges[0] < at && at < bin.edges[1])
        } else {
            let only = self.stands_out();
            only.is_none_or(|asked| asked.is_about(self.chart, bin))
        };
        if is_asked { 1.0 } else { FADED }
    }

    /// A dashed line at one half, with thin lines down from where the chances of a sweep pass it.
    fn half(&self, canvas: &Canvas) {
        if self.chart.questions.is_none() || self.axes[1].to < 0.5 {
            return;
        }
        let area = self.area;
        let y = self.pixel((0.0, 0.5)).1;
        let line = vec![(area.left, y), (area.right, y)];
        canvas.put(Mark::lines(&[line], 1.2, "5 4", Look::plain(Role::SoftInk)));
        canvas.text_if_free("50%", (area.left - 8.0, y), Anchor::End, SMALL);
        for (series, role) in self.roles.iter().enumerate() {
            let bin = self.chart.crossing(series);
            let chance = bin.and_then(|bin| self.chart.chances[series][bin].as_ref());
            if let Some((bin, chance)) = bin.zip(chance) {
                let (x, y) = self.pixel((self.chart.bins[bin].middle(), chance.share));
                let look = Look::new("half", *role, "").with_opacity(0.6);
                let line = vec![(x, y), (x, area.bottom)];
                canvas.put(Mark::lines(&[line], 1.0, "", look));
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
            let mut places = [
                ((*x, y - 12.0), Anchor::Middle),
                ((*x, y + 13.0), Anchor::Middle),
                ((x + 9.0, *y), Anchor::Start),
                ((x - 9.0, *y), Anchor::End),
            ]
            .into_iter();
            places.any(|(place, anchor)| {
                let own = text_box(&chance.label, place, anchor, TINY.size);
                let covers = obstacles.iter().any(|other| other.overlaps(&own));
                !covers && canvas.text_if_free(&chance.label, place, anchor, TINY)
            });
        }
    }

    /// The corners of the bar of a bin, in a group of those of the rules that have one there. A positive share has a visible bar.
    fn bar(&self, rule: usize, index: usize, share: f64) -> [Point; 2] {
        let bin = &self.chart.bins[index];
        let count = self.roles.len() as f64;
        let part = if count > 1.0 { 0.86 } else { 0.8 };
        let most = WIDEST[usize::from(bin.is_beside)];
        let width = (bin.width() / self.unit * part).min(most * count) / count;
        let width = width.max(STEM) * self.unit;
        let has_bar = |own: &Vec<Option<Chance>>| {
            let chance = own.get(index).and_then(Option::as_ref);
            chance.is_some_and(|chance| chance.share > 0.0)
        };
        let here: Vec<bool> = self.chart.chances.iter().map(has_bar).collect();
        let count = here.iter().filter(|is_here| **is_here).count().max(1) as f64;
        let before = here[..rule].iter().filter(|is_here| **is_here).count() as f64;
        let left = bin.middle() + width * (before - count / 2.0);
        let least = LEAST_BAR / self.area.height() * self.axes[1].to;
        let share = if share > 0.0 { share.max(least) } else { 0.0 };
        [(left, share), (left + width, 0.0)]
    }

    /// The bars on the axis, in pixels, with their rules and chances.
    fn boxes(&self) -> Vec<(&'a Chance, Rect)> {
        let rules = 0..self.chart.series.len();
        let bars = rules.flat_map(|rule| {
            let drawn = self.chart.drawn(rule, false);
            drawn.map(move |(index, _, chance)| {
                let [a, b] = self.bar(rule, index, chance.share).map(|it| self.pixel(it));
                (chance, Rect::between(a, b))
            })
        });
        bars.collect()
    }

    /// The percentages above bars: of all, if there is room, in the larger of two sizes; else of the highest bars.
    fn percentages(&self, canvas: &Canvas) -> Vec<Percentage<'a>> {
        let are_bars = self.chart.kind == Kind::Bars && !self.chart.is_outline;
        let mut bars = if are_bars { self.boxes() } else { Vec::new() };
        if bars.len() > MOST_LABELS * self.roles.len() {
            return Vec::new();
        }
        bars.sort_by(|(a, _), (b, _)| b.share.total_cmp(&a.share));
        let exact = bars.iter().filter(|(chance, _)| chance.bounds.is_none());
        let wanted = exact.count();
        let [large, small] = SIZES.map(|size| self.percentages_of(&bars, canvas, size));
        let are_all = small.len() == wanted && large.len() < wanted;
        if are_all { small } else { large }
    }

    /// The percentages above the highest of these bars, down to the first that has no room. Equal bars have all theirs, or none.
    fn percentages_of(
        &self,
        bars: &[(&'a Chance, Rect)],
        canvas: &Canvas,
        size: f64,
    ) -> Vec<Percentage<'a>> {
        let exact = bars.iter().filter(|(chance, _)| chance.bounds.is_none());
        let exact: Vec<&(&Chance, Rect)> = exact.collect();
        let mut placed: Vec<Percentage> = Vec::new();
        for equal in exact.chunk_by(|(a, _), (b, _)| a.label == b.label) {
            let before = placed.len();
            for (chance, bar) in equal {
                let (text, at) = (&chance.label, (bar.middle().0, bar.top - 9.0));
                let place = text_box(text, at, Anchor::Middle, size);
                let spaced = place.wider(1.0);
                let covers = |other: &Rect| other.overlaps(&spaced);
                let is_covered = bars.iter().any(|(_, other)| covers(other))
                    || placed.iter().any(|(_, other, _)| covers(other));
                let is_within = self.area.left <= place.left && place.right <= self.area.right;
                if is_covered || !is_within || !canvas.is_free(&place) {
                    placed.truncate(before);
                    return placed;
                }
                placed.push((text, place, size));
            }
        }
        placed
    }

    fn bars(&self, canvas: &Canvas, field: &mut Field) {
        for rule in 0..self.chart.series.len() {
            let drawn = self.chart.drawn(rule, false);
            field.draw(drawn.clone().map(|(index, bin, chance)| {
                let [a, b] = self.bar(rule, index, chance.share);
                let look = Look::new("bar", self.roles[rule], self.chart.words(rule, bin, chance));
                Mark::rect(a, b, look.with_opacity(self.opacity(bin)))
            }));
            for (index, _, chance) in drawn {
                let [a, b] = self.bar(rule, index, chance.share).map(|it| self.pixel(it));
                let (middle, half) = (f64::midpoint(a.0, b.0), (b.0 - a.0) / 4.0);
                self.whisker(canvas, chance, (middle, half), Role::Ink);
            }
        }
    }

    /// The columns beside the axis, hatched, with their chances.
    fn columns(&self, canvas: &Canvas, field: &mut Field) {
        for rule in 0..self.chart.series.len() {
            let drawn = || self.chart.drawn(rule, true);
            field.draw(drawn().map(|(index, bin, chance)| {
                let [a, b] = self.bar(rule, index, chance.share);
                let look = Look::new(
                    "beside",
                    self.roles[rule],
                    self.chart.words(rule, bin, chance),
                );
                Mark::rect(a, b, look.with_opacity(self.opacity(bin))).hatched()
            }));
            for (_, bin, chance) in drawn().filter(|_| self.roles.len() == 1) {
                let (x, y) = self.pixel((bin.middle(), chance.share));
                let place = (x, y.min(self.area.bottom) - 9.0);
                canvas.text_if_free(&chance.label, place, Anchor::Middle, TINY);
            }
        }
    }

    /// The lines of the interval of a sampled share at a place.
    fn interval(&self, chance: &Chance, (x, half): Point) -> Option<Vec<Vec<Point>>> {
        let [low, high] = chance.bounds?.map(|bound| self.pixel((0.0, bound)).1);
        Some(whisker(x, half.clamp(1.0, 6.0), low, high))
    }

    fn whisker(&self, canvas: &Canvas, chance: &Chance, place: Point, role: Role) {
        if let Some(lines) = self.interval(chance, place) {
            let look = Look::new("interval", role, "");
            canvas.put(Mark::lines(&lines, 1.2, "", look));
        }
    }

    fn outline(&self, canvas: &Canvas, field: &mut Field) {
        let chart = self.chart;
        let role = self.roles[0];
        let area = |points: Vec<Point>, opacity| {
            Mark::polygon(points, Look::new("area", role, "").with_opacity(opacity))
        };
        let whole: Vec<_> = chart.drawn(0, false).collect();
        let all = whole
            .iter()
            .map(|(_, bin, chance)| (bin.edges, chance.share));
        let outline = outline(all.clone());
        let asked = self.stands_out();
        let opacity = if asked.is_some() { 0.2 } else { AREA };
        let parts: Vec<Vec<Point>> = match (asked, &chart.holds) {
            (None, _) => Vec::new(),
            // The values for which a condition holds may be anywhere in a range.
            (Some(_), Some(holds)) => {
                let bins = whole
                    .iter()
                    .map(|(index, bin, _)| (bin.edges, holds[*index]));
                let bins: Vec<([f64; 2], f64)> = bins.collect();
                let runs = bins.chunk_by(|(_, a), (_, b)| (*a > 0.0) == (*b > 0.0));
                let runs = runs.filter(|run| run[0].1 > 0.0);
                runs.map(|run| self::outline(run.iter().copied())).collect()
            }
            (Some(asked), None) => {
                let runs = asked.values.runs().into_iter();
                let runs = runs.filter_map(|run| Some(chart.run(run)?.0));
                let part = |[low, high]: [f64; 2]| {
                    let inner = all.clone().map(move |([left, right], share)| {
                        ([left.max(low), right.min(high)], share)
                    });
                    self::outline(inner.filter(|([left, right], _)| left < right))
                };
                runs.map(part).collect()
            }
        };
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let parts = parts.map(|part| area(part, PART));
        field.draw([area(outline.clone(), opacity)].into_iter().chain(parts));
        self.band(canvas, field, 0, Role::Ink);
        field.draw([Mark::lines(
            &[outline],
            1.6,
            "",
            Look::new("outline", role, ""),
        )]);
        self.strips(field);
    }

    /// The intervals of sampled shares as a band, which has a gap where a value has none. That of an outline has its steps.
    fn band(&self, canvas: &Canvas, field: &mut Field, rule: usize, role: Role) {
        let drawn = self.chart.drawn(rule, false);
        let bounded = drawn.filter_map(|(index, bin, it)| Some((index, bin, it, it.bounds?)));
        let bounded: Vec<_> = bounded.collect();
        for run in bounded.chunk_by(|(a, ..), (b, ..)| a + 1 == *b) {
            if let [(_, bin, chance, _)] = run {
                let x = self.pixel((bin.middle(), 0.0)).0;
                self.whisker(canvas, chance, (x, DOT), role);
                continue;
            }
            let edge = |high: usize| {
                run.iter().flat_map(move |(_, bin, _, bounds)| {
                    let [left, right] = bin.edges;
                    let middle = f64::midpoint(left, right);
                    let places = if self.chart.is_outline {
                        vec![left, right]
                    } else {
                        vec![middle]
                    };
                    places.into_iter().map(move |x| (x, bounds[high]))
                })
            };
            let upper: Vec<Point> = edge(1).collect();
            let outline = edge(0).chain(upper.into_iter().rev()).collect();
            let look = Look::new("band", role, "").with_opacity(BAND);
            field.draw([Mark::polygon(outline, look)]);
        }
    }

    /// A strip for each bin that nobody sees: it says what all series have there.
    fn strips(&self, field: &mut Field) {
        let bins = self.chart.bins.iter().enumerate();
        let strips = bins
            .filter(|(_, bin)| !bin.is_beside)
            .filter_map(|(index, bin)| {
                let rules = self.chart.chances.iter().enumerate();
                let texts = rules.filter_map(|(rule, own)| {
                    Some(self.chart.words(rule, bin, own.get(index)?.as_ref()?))
                });
                let texts: Vec<String> = texts.collect();
                let look = Look::new("strip", Role::Ground, texts.join("\n")).with_opacity(0.0);
                let corners = [(bin.edges[0], self.axes[1].to), (bin.edges[1], 0.0)];
                (!texts.is_empty()).then(|| Mark::rect(corners[0], corners[1], look))
            });
        let strips: Vec<Mark> = strips.collect();
        field.draw(strips);
    }

    /// The places of the dots of a series, in pixels, with their bins. Stems stand side by side.
    fn dots(&self, rule: usize) -> Vec<(usize, &'a Chance, Point)> {
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

    /// The parts of a line through dots that are within these ranges of bins.
    fn parts(dots: &[(usize, &Chance, Point)], ranges: &[Range<usize>]) -> Vec<Vec<Point>> {
        let parts = ranges.iter().map(|range| {
            let here = dots.iter().filter(|(bin, ..)| range.contains(bin));
            here.map(|(.., point)| *point).collect::<Vec<_>>()
        });
        parts.filter(|part| part.len() > 1).collect()
    }

    /// The series as curves, in pixels; none for bars.
    fn curves(&self) -> Vec<Curve> {
        let are_curves = self.chart.kind == Kind::Lines;
        let (joined, across) = self.chart.joined();
        let rules = (0..self.chart.series.len()).filter(|_| are_curves);
        let half = self.pixel((0.0, 0.5)).1;
        let half = vec![(self.area.left, half), (self.area.right, half)];
        let curves = rules.map(|rule| {
            let dots = self.dots(rule);
            let half = self.chart.questions.map(|_| half.clone());
            let whiskers = dots
                .iter()
                .filter_map(|(_, it, (x, _))| self.interval(it, (*x, 4.0)));
            let stem =
                |&(_, _, (x, y)): &(usize, &Chance, Point)| vec![(x, self.area.bottom), (x, y)];
            // A bin without a dot parts a line.
            let runs = dots.chunk_by(|a, b| a.0 + 1 == b.0);
            let lines = if self.chart.has_stems {
                dots.iter().map(stem).collect()
            } else {
                runs.flat_map(|run| Self::parts(run, &joined)).collect()
            };
            Curve {
                points: dots.iter().map(|(.., point)| *point).collect(),
                lines,
                others: whiskers
                    .flatten()
                    .chain(Self::parts(&dots, &across))
                    .chain(half)
                    .collect(),
            }
        });
        curves.collect()
    }

    fn lines(&self, canvas: &Canvas, field: &mut Field) {
        let chart = self.chart;
        let (has_dots, has_whiskers) = (chart.has_dots(), chart.has_whiskers());
        let (_, across) = chart.joined();
        let (mut points, mut lines, mut dotted) = (Vec::new(), Vec::new(), Vec::new());
        for (rule, curve) in self.curves().into_iter().enumerate() {
            points.push(curve.points);
            lines.push(curve.lines);
            dotted.push(Self::parts(&self.dots(rule), &across));
        }
        let radii = radii(&points);
        let (half, is_small) = (
            (1.0 / self.unit / 3.0).min(4.0),
            chart.bins.len() > MOST_DOTS,
        );
        let scale = if is_small && !chart.has_stems {
            0.5
        } else {
            1.0
        };
        for rule in (0..lines.len()).filter(|_| !has_whiskers) {
            self.band(canvas, field, rule, self.roles[rule]);
        }
        for (rule, radii) in radii.iter().enumerate() {
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
            self.strips(field);
        }
    }
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
