//! The marks of a chart: bars, an outline, dots and curves. Each says beside the pointer what it stands for.

use std::collections::BTreeMap;

use super::asked::Values;
use super::canvas::{Anchor, Canvas, Mark, Point, Rect, text_box};
use super::chart::{Chart, Series};
use super::direct::Curve;
use super::frame::{FADED, PART, whisker};
use super::kind::{Kind, MOST_LABELS};
use super::palette::Role;
use super::plot::{Plot, STEM};
use super::shared::{DOT, draw as draw_stretches, radii, stretches};
use super::slots::Spot;
use super::text::{Font, TINY};

/// The largest number of slots of a curve that has dots.
const MOST_DOTS: i64 = 45;

/// The largest number of slots of several series whose intervals are told apart one by one.
const MOST_WHISKERS: i64 = 20;

/// The least distance of stems side by side.
const LEAST_APART: f64 = 2.0;

/// The largest width of a bar.
const WIDEST_BAR: f64 = 90.0;
const AREA: f64 = 0.4;
const BAND: f64 = 0.25;

/// The width of a curve, and of the stem of a dot.
const CURVE: f64 = 2.2;
const THIN: f64 = 1.4;

impl Chart {
    /// Whether the values of a curve have dots.
    fn has_dots(&self) -> bool {
        self.slots() <= MOST_DOTS || self.kind == Kind::Dots && self.is_sparse()
    }

    /// Whether the intervals of sampled chances are drawn one by one.
    pub(super) fn has_whiskers(&self) -> bool {
        match self.kind {
            Kind::Dots => self.has_stems || self.is_sparse() || self.slots() <= MOST_WHISKERS,
            kind => kind == Kind::Bars,
        }
    }

    /// Whether few of the slots have values.
    fn is_sparse(&self) -> bool {
        let most = self.series.iter().map(|series| series.spots.len()).max();
        most.is_some_and(|most| (most as f64) < self.slots() as f64 / 4.0)
    }

    /// Whether there is one value of one rule, which needs no mean.
    pub(super) fn is_certain(&self) -> bool {
        let is_beside = !self.left.is_empty() || !self.right.is_empty();
        matches!(&self.series[..], [only] if only.spots.len() == 1) && !is_beside
    }

    /// Whether any value has a chance.
    pub(super) fn has_values(&self) -> bool {
        self.series.iter().any(|series| !series.spots.is_empty())
    }
}

/// The sizes of the percentages above bars.
const SIZES: [f64; 2] = [TINY.size, 10.5];

/// A percentage above a bar, with its box.
pub(super) struct Percentage<'a> {
    text: &'a str,
    pub(super) place: Rect,
    size: f64,
}

/// A dot, and whether its neighbours have dots.
struct Dot<'a> {
    spot: &'a Spot,
    place: Point,
    neighbours: [bool; 2],
}

impl Dot<'_> {
    fn is_alone(&self) -> bool {
        self.neighbours == [false, false]
    }
}

impl Plot<'_> {
    /// Draws the marks of all series, with the percentages above bars.
    pub(super) fn marks(&self, canvas: &mut Canvas, percentages: &[Percentage]) {
        match self.chart.kind {
            Kind::Area => self.area(canvas),
            Kind::Dots | Kind::Curves => self.dots_and_curves(canvas),
            _ => self.bars(canvas, percentages),
        }
    }

    /// The width of a bar.
    fn bar_width(&self) -> f64 {
        let slot = self.slot_width();
        let count = self.roles.len() as f64;
        let part = if count > 1.0 { 0.86 } else { 0.8 };
        (slot * part / count).clamp(STEM, WIDEST_BAR)
    }

    /// The bar of a spot of a series.
    fn bar_of(&self, series: usize, spot: &Spot) -> Rect {
        let (middle, width) = (self.x(self.chart.middle(spot.slot)), self.bar_width());
        let left = self.left_of_bar(series, spot.slot, middle, width);
        self.bar(left, left + width, spot.chance.share)
    }

    /// The percentages above bars: of all, if there is room, in the larger of two sizes; else of the highest bars.
    pub(super) fn percentages(&self, canvas: &Canvas) -> Vec<Percentage<'_>> {
        let series = &self.chart.series;
        let spots: usize = series.iter().map(|series| series.spots.len()).sum();
        if self.chart.kind != Kind::Bars || spots > MOST_LABELS * series.len() {
            return Vec::new();
        }
        let bars = series.iter().enumerate().flat_map(|(index, series)| {
            let spots = series.spots.iter();
            spots.map(move |spot| (spot, self.bar_of(index, spot)))
        });
        let mut bars: Vec<(&Spot, Rect)> = bars.collect();
        bars.sort_by(|(a, _), (b, _)| b.chance.share.total_cmp(&a.chance.share));
        let placed = SIZES.map(|size| self.percentages_of(&bars, canvas, size));
        let wanted = bars
            .iter()
            .filter(|(spot, _)| spot.bounds.is_none())
            .count();
        let [large, small] = placed;
        if small.len() == wanted && large.len() < wanted {
            small
        } else {
            large
        }
    }

    /// The percentages above the highest of these bars, down to the first that has no room. Equal bars have all theirs, or none.
    fn percentages_of<'b>(
        &self,
        bars: &[(&'b Spot, Rect)],
        canvas: &Canvas,
        size: f64,
    ) -> Vec<Percentage<'b>> {
        let exact = bars.iter().filter(|(spot, _)| spot.bounds.is_none());
        let exact: Vec<&(&Spot, Rect)> = exact.collect();
        let mut placed: Vec<Percentage> = Vec::new();
        for equal in exact.chunk_by(|(a, _), (b, _)| a.chance.label == b.chance.label) {
            let before = placed.len();
            for (spot, bar) in equal {
                let (text, x) = (&spot.chance.label, f64::midpoint(bar.left, bar.right));
                let place = text_box(text, (x, bar.top - 9.0), Anchor::Middle, size);
                let spaced = Rect {
                    left: place.left - 1.0,
                    right: place.right + 1.0,
                    ..place
                };
                let is_covered = bars.iter().any(|(_, other)| other.overlaps(&spaced));
                let covers = placed.iter().any(|other| other.place.overlaps(&spaced));
                let is_within = self.outer[0] <= place.left && place.right <= self.outer[1];
                if is_covered || covers || !is_within || !canvas.is_free(&place) {
                    placed.truncate(before);
                    return placed;
                }
                placed.push(Percentage { text, place, size });
            }
        }
        placed
    }

    fn bars(&self, canvas: &mut Canvas, percentages: &[Percentage]) {
        for (index, series) in self.chart.series.iter().enumerate() {
            for spot in &series.spots {
                let rect = self.bar_of(index, spot);
                let title = self.words(index, spot);
                let mark = Mark::new("bar", self.roles[index], &title);
                let opacity = if self.is_asked(spot) { 1.0 } else { FADED };
                canvas.rect(rect, mark.with_opacity(opacity));
                let middle = f64::midpoint(rect.left, rect.right);
                self.whisker(canvas, spot, middle, rect.width() / 4.0, Role::Ink);
            }
        }
        for Percentage { text, place, size } in percentages {
            let middle = |a: f64, b: f64| f64::midpoint(a, b);
            let place = (
                middle(place.left, place.right),
                middle(place.top, place.bottom),
            );
            let font = Font {
                size: *size,
                ..TINY
            };
            canvas.text(text, place, Anchor::Middle, font);
        }
    }

    /// The left edge of a bar within its group. A bar that is alone at its value stands in the middle.
    fn left_of_bar(&self, series: usize, slot: i64, middle: f64, bar: f64) -> f64 {
        let all = self.chart.series.iter();
        let is_here = |series: &Series| {
            let found = series.spots.binary_search_by_key(&slot, |spot| spot.slot);
            found.is_ok_and(|index| series.spots[index].chance.share > 0.0)
        };
        let here: Vec<bool> = all.map(is_here).collect();
        let count = here.iter().filter(|is_here| **is_here).count();
        let before = here[..series].iter().filter(|is_here| **is_here).count();
        middle + bar * (before as f64 - count.max(1) as f64 / 2.0)
    }

    /// The interval of a sampled share.
    fn whisker(&self, canvas: &mut Canvas, spot: &Spot, x: f64, half: f64, role: Role) {
        if let Some([low, high]) = spot.bounds.map(|bounds| bounds.map(|bound| self.y(bound))) {
            let lines = whisker(x, half.clamp(1.0, 6.0), low, high);
            canvas.lines(&lines, 1.2, "", Mark::new("interval", role, ""));
        }
    }

    /// The left and the right edge of a slot.
    fn edges(&self, spot: &Spot) -> [f64; 2] {
        let (middle, half) = (self.chart.middle(spot.slot), self.chart.width / 2.0);
        [middle - half, middle + half].map(|value| self.x(value))
    }

    fn area(&self, canvas: &mut Canvas) {
        for (series, role) in self.chart.series.iter().zip(&self.roles) {
            let whole = |spot: &Spot| spot.chance.share;
            let outline = self.outline(&series.spots, self.chart.axis(), whole);
            let asked = self.stands_out();
            let opacity = if asked.is_some() { 0.2 } else { AREA };
            canvas.polygon(&outline, Mark::new("area", *role, "").with_opacity(opacity));
            let parts: Vec<Vec<Point>> = match asked.map(|asked| &asked.values) {
                None => Vec::new(),
                // The values for which a condition holds may be anywhere in a range.
                Some(Values::Holding(_)) => {
                    let part = |spot: &Spot| spot.asked.unwrap_or(0.0);
                    let runs = series
                        .spots
                        .chunk_by(|a, b| (part(a) > 0.0) == (part(b) > 0.0));
                    let runs = runs.filter(|run| part(&run[0]) > 0.0);
                    runs.map(|run| self.outline(run, self.chart.axis(), part))
                        .collect()
                }
                Some(values) => {
                    let runs = values.runs().into_iter();
                    runs.map(|run| self.outline(&series.spots, self.chart.edges(run), whole))
                        .collect()
                }
            };
            for part in parts.iter().filter(|part| !part.is_empty()) {
                let mark = Mark::new("area", *role, "").with_opacity(PART);
                canvas.polygon(part, mark);
            }
            self.band(canvas, series, |spot| self.edges(spot), Role::Ink);
            canvas.lines(&[outline], 1.6, "", Mark::new("outline", *role, ""));
        }
        self.strips(canvas);
    }

    /// The outline of the slots between two values, down to the axis, as high as their shares. A slot that a value cuts in two has
    /// its part.
    fn outline(&self, spots: &[Spot], ends: [f64; 2], share: impl Fn(&Spot) -> f64) -> Vec<Point> {
        let [low, high] = ends.map(|end| self.x(end));
        let tops = spots.iter().flat_map(|spot| {
            let y = self.y(share(spot));
            let [left, right] = self.edges(spot);
            let inner = (left < high && low < right).then(|| [left.max(low), right.min(high)]);
            inner.into_iter().flatten().map(move |x| (x, y))
        });
        let mut outline: Vec<Point> = tops.collect();
        let ends = outline.first().copied().zip(outline.last().copied());
        if let Some((first, last)) = ends {
            outline.insert(0, (first.0, self.area.bottom));
            outline.push((last.0, self.area.bottom));
        }
        outline
    }

    /// The intervals of sampled shares as a band, which has a gap where a value has none; `places` returns the horizontal places of a
    /// share.
    fn band<const N: usize>(
        &self,
        canvas: &mut Canvas,
        series: &Series,
        places: impl Fn(&Spot) -> [f64; N],
        role: Role,
    ) {
        let spots = series.spots.iter();
        let bounded = spots.filter_map(|spot| Some((spot, spot.bounds?)));
        let bounded: Vec<(&Spot, [f64; 2])> = bounded.collect();
        for run in bounded.chunk_by(|(a, _), (b, _)| a.slot + 1 == b.slot) {
            let edge = |high: usize| {
                let places = &places;
                let run = run.iter();
                run.flat_map(move |(spot, bounds)| places(spot).map(|x| (x, self.y(bounds[high]))))
            };
            let mut outline: Vec<Point> = edge(0).collect();
            if outline.len() == 1 {
                self.whisker(canvas, run[0].0, outline[0].0, DOT, role);
                continue;
            }
            let upper: Vec<Point> = edge(1).collect();
            outline.extend(upper.into_iter().rev());
            canvas.polygon(&outline, Mark::new("band", role, "").with_opacity(BAND));
        }
    }

    /// A strip for each slot that nobody sees: it says what all series have there.
    fn strips(&self, canvas: &mut Canvas) {
        let mut texts: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for (index, series) in self.chart.series.iter().enumerate() {
            for spot in &series.spots {
                let text = self.words(index, spot);
                texts.entry(spot.slot).or_default().push(text);
            }
        }
        let half = self.chart.width / 2.0;
        for (slot, texts) in texts {
            let middle = self.chart.middle(slot);
            let strip = Rect {
                left: self.x(middle - half),
                right: self.x(middle + half),
                ..self.area
            };
            let title = texts.join("\n");
            canvas.rect(
                strip,
                Mark::new("strip", Role::Ground, &title).with_opacity(0.0),
            );
        }
    }

    /// The places of the dots of a series. Stems stand side by side.
    fn dots<'b>(&self, index: usize, series: &'b Series) -> Vec<Dot<'b>> {
        let count = self.chart.series.len() as f64;
        let has_stems = self.chart.has_stems;
        let apart = (self.slot_width() / (count + 1.0)).min(2.0 * DOT);
        // In narrow slots they stand in the middle, so that each is at its value.
        let apart = if apart < LEAST_APART { 0.0 } else { apart };
        let aside = (index as f64 - (count - 1.0) / 2.0) * apart;
        let dots = series.spots.iter().enumerate().map(|(at, spot)| {
            let neighbours = if has_stems {
                [false, false]
            } else {
                series.neighbours(at)
            };
            let x = self.x(self.chart.middle(spot.slot)) + if has_stems { aside } else { 0.0 };
            Dot {
                spot,
                place: (x, self.y(spot.chance.share)),
                neighbours,
            }
        });
        dots.collect()
    }

    /// The series as curves, for the places of their names; none for bars.
    pub(super) fn curves(&self) -> Vec<Curve> {
        if !matches!(self.chart.kind, Kind::Dots | Kind::Curves) {
            return Vec::new();
        }
        let series = self.chart.series.iter().enumerate();
        series
            .map(|(index, series)| {
                let dots = self.dots(index, series);
                Curve {
                    lines: self.lines_of(&dots),
                    points: dots.iter().map(|dot| dot.place).collect(),
                }
            })
            .collect()
    }

    /// The lines through runs of neighbouring dots, or the stems of all.
    fn lines_of(&self, dots: &[Dot]) -> Vec<Vec<Point>> {
        let stem = |dot: &Dot| vec![(dot.place.0, self.area.bottom), dot.place];
        if self.chart.has_stems {
            return dots.iter().map(stem).collect();
        }
        let runs = dots.chunk_by(|a, _| a.neighbours[1]);
        let runs = runs.filter(|run| run.len() > 1);
        runs.map(|run| run.iter().map(|dot| dot.place).collect())
            .collect()
    }

    fn dots_and_curves(&self, canvas: &mut Canvas) {
        let has_dots = self.chart.has_dots();
        let half = ((self.slot_width()) / 3.0).min(4.0);
        let all: Vec<(usize, &Series)> = self.chart.series.iter().enumerate().collect();
        if !self.chart.has_whiskers() {
            for &(index, series) in &all {
                let x = |spot: &Spot| [self.x(self.chart.middle(spot.slot))];
                self.band(canvas, series, x, self.roles[index]);
            }
        }
        let dots: Vec<Vec<Dot>> = all
            .iter()
            .map(|&(index, series)| self.dots(index, series))
            .collect();
        let lines: Vec<Vec<Vec<Point>>> = dots.iter().map(|dots| self.lines_of(dots)).collect();
        let places = dots
            .iter()
            .map(|dots| dots.iter().map(|dot| dot.place).collect());
        let radii = radii(&places.collect::<Vec<_>>());
        let stretches = stretches(&lines);
        for (index, dots) in dots.iter().enumerate() {
            let role = self.roles[index];
            let width = if self.chart.has_stems { THIN } else { CURVE };
            draw_stretches(canvas, &stretches[index], (width, role.dash()), role);
            for (dot, radius) in dots.iter().zip(&radii[index]) {
                if self.chart.has_whiskers() {
                    self.whisker(canvas, dot.spot, dot.place.0, half, role);
                }
                if has_dots || dot.is_alone() {
                    let title = self.words(index, dot.spot);
                    let title = if has_dots { title.as_str() } else { "" };
                    let mark = Mark::new("dot", role, title);
                    canvas.circle(dot.place, *radius, mark);
                }
            }
        }
        if !has_dots {
            self.strips(canvas);
        }
    }

    /// The text beside the pointer at a spot.
    fn words(&self, series: usize, spot: &Spot) -> String {
        let event = self.chart.words(spot.slot);
        self.picture.words(series, &event, &spot.chance)
    }
}
