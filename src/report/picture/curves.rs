//! Curves and dots of several series: each can be seen even if they coincide, and has its name beside it.

use std::collections::{BTreeMap, BTreeSet};

use plotters_backend::BackendCoord;

use super::field::Canvas;
use super::frame::{SAMPLE, Sample};
use super::mark::{Anchor, Look, Mark, Point, Rect};
use super::page::units;
use super::palette::Role;
use super::text::{Font, LABEL, text_width};

/// The length of a dash where lines alternate, and the least one.
const DASH: f64 = 9.0;
const LEAST_DASH: f64 = 1.5;

/// The radius of a dot that lies alone, and of the smallest of several at one place; by how much the largest of more than two is larger,
/// for each of them.
pub(super) const DOT: f64 = 3.4;
const SMALLEST: f64 = 2.0;
const LARGER: f64 = 0.6;

/// The height of a name with its sample, and the distance of names that stand together.
const HEIGHT: f64 = 16.0;
const PITCH: f64 = 20.0;

/// The least distance of a name from its own curve, and from others; beyond the greatest distance, more is no better.
const LEAST_OWN: f64 = 4.5;
const LEAST_OTHER: f64 = 13.0;
const GREATEST: f64 = 48.0;

/// The bonus of a place at the upper edge, as a distance from other curves; the space beside an upright line and beside a name.
const HIGH: f64 = 12.0;
const BESIDE: f64 = 8.0;

/// The largest number of points of a curve that a name is tried at, and the distance of the points that it is kept off.
const MOST_POINTS: usize = 40;
const STEP: f64 = 6.0;

/// A series as it is drawn, in pixels.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// The places of the values.
    pub(super) points: Vec<Point>,
    /// The lines through them, or their stems.
    pub(super) lines: Vec<Vec<Point>>,
    /// The lines of intervals, which names must not cover either.
    pub(super) others: Vec<Vec<Point>>,
    /// Those of the others that lead across values that were not asked for.
    pub(super) dotted: Vec<Vec<Point>>,
}

/// Draws the lines of a series in a width, with these dashes where a line lies alone. Where lines of several series coincide, their dashes
/// alternate: they begin at one point, and each dash is longer than those drawn above it.
pub(super) fn draw_lines(
    canvas: &Canvas,
    all: &[Vec<Vec<Point>>],
    index: usize,
    (width, dash): (f64, &str),
    role: Role,
) {
    // The series that share each line between two points.
    let mut shared: BTreeMap<[BackendCoord; 2], BTreeSet<usize>> = BTreeMap::new();
    for (index, lines) in all.iter().enumerate() {
        for ends in lines.iter().flat_map(|line| line.windows(2)) {
            let there = shared.entry([units(ends[0]), units(ends[1])]).or_default();
            there.insert(index);
        }
    }
    let sharing = |ends: &[Point]| &shared[&[units(ends[0]), units(ends[1])]];
    let mut paths: BTreeMap<String, Vec<Vec<Point>>> = BTreeMap::new();
    for line in &all[index] {
        let steps: Vec<&[Point]> = line.windows(2).collect();
        for run in steps.chunk_by(|a, b| sharing(a) == sharing(b)) {
            let here = sharing(run[0]);
            let below = here.range(..index).count();
            let points: Vec<Point> = run[..1].iter().map(|ends| ends[0]).collect();
            let points = [points, run.iter().map(|ends| ends[1]).collect()].concat();
            let own = match here.len() {
                1 => dash.to_owned(),
                count => alternating(&points, below, count),
            };
            let is_plain = own.is_empty();
            let lines = paths.entry(own).or_default();
            match lines.last_mut() {
                // A line without dashes goes on.
                Some(last) if is_plain && last.last() == points.first() => {
                    last.extend(&points[1..]);
                }
                _ => lines.push(points),
            }
        }
    }
    for (dash, lines) in &paths {
        let look = Look::new("curve", role, "");
        canvas.put(Mark::lines(lines, width, dash, look));
    }
}

/// The dashes of a stretch that several lines share.
fn alternating(points: &[Point], below: usize, all: usize) -> String {
    let lengths = points.windows(2);
    let lengths = lengths.map(|ends| (ends[1].0 - ends[0].0).hypot(ends[1].1 - ends[0].1));
    let dash = lengths.sum::<f64>() / all as f64;
    let dash = (dash.clamp(LEAST_DASH, DASH) * 10.0).round() / 10.0;
    let length = |dashes: usize| (dash * dashes as f64 * 10.0).round() / 10.0;
    match below {
        0 => String::new(),
        below => format!("{} {}", length(all - below), length(below)),
    }
}

/// The radius of each dot of several series. Dots at the same place have different radii, so that all are seen.
pub(super) fn radii(series: &[Vec<Point>]) -> Vec<Vec<f64>> {
    let mut shared: BTreeMap<BackendCoord, Vec<usize>> = BTreeMap::new();
    for (index, dots) in series.iter().enumerate() {
        for dot in dots {
            shared.entry(units(*dot)).or_default().push(index);
        }
    }
    let radius = |index: usize, dot: &Point| {
        let here = &shared[&units(*dot)];
        let Some(others @ 1..) = here.len().checked_sub(1) else {
            return DOT;
        };
        let below = here.iter().filter(|other| **other < index).count();
        let largest = DOT + LARGER * (others - 1) as f64;
        let smallest = SMALLEST - LARGER * f64::from(u8::from(others > 1));
        largest - (largest - smallest) * below as f64 / others as f64
    };
    let all = series.iter().enumerate();
    all.map(|(index, dots)| dots.iter().map(|dot| radius(index, dot)).collect())
        .collect()
}

impl Curve {
    /// Points all along the curve.
    fn samples(&self) -> Vec<Point> {
        let mut samples = self.points.clone();
        let lines = self.lines.iter().chain(&self.others);
        for pair in lines.flat_map(|line| line.windows(2)) {
            let (from, to) = (pair[0], pair[1]);
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let steps = (length / STEP).ceil().max(1.0);
            samples.extend((0..=steps as usize).map(|step| {
                let part = step as f64 / steps;
                let along = |from: f64, to: f64| from + (to - from) * part;
                (along(from.0, to.0), along(from.1, to.1))
            }));
        }
        samples
    }
}

/// A place for the name of each curve within an area, beside the curve or together in a free part of the area: the left end of
/// its sample. The names are cut. `None` if there is no room. No name stands on an upright line at one of the `crossings`.
pub(super) fn name_places(
    curves: &[Curve],
    names: &[String],
    area: Rect,
    crossings: &[f64],
) -> Option<Vec<Point>> {
    if curves.len() != names.len() {
        return None;
    }
    let samples: Vec<Vec<Point>> = curves.iter().map(Curve::samples).collect();
    let widths = names.iter().map(|name| text_width(name, LABEL.size));
    let widths: Vec<f64> = widths.map(|width| SAMPLE + width).collect();
    let is_crossed = |place: &Rect| {
        let place = place.wider(BESIDE);
        crossings
            .iter()
            .any(|x| (place.left..=place.right).contains(x))
    };
    let mut taken: Vec<Rect> = Vec::new();
    for (index, (curve, width)) in curves.iter().zip(&widths).enumerate() {
        let every = curve.points.len().div_ceil(MOST_POINTS).max(1);
        let candidates = curve.points.iter().step_by(every);
        let boxes = candidates.flat_map(|point| around(*point, *width));
        let mut best: Option<(f64, Rect)> = None;
        for place in boxes.filter(|place| area.holds(place) && !is_crossed(place)) {
            let mut names = taken.iter();
            if names.any(|other| other.wider(BESIDE).overlaps(&place))
                || place.distance(&samples[index]) < LEAST_OWN
            {
                continue;
            }
            let others = samples.iter().enumerate();
            let others = others.filter(|(other, _)| *other != index);
            let least = others.map(|(_, points)| place.distance(points));
            let least = least.fold(GREATEST, f64::min);
            // Names high up, where the curve has its values, are found first.
            let score = least + HIGH * (area.bottom - place.top) / area.height();
            if least >= LEAST_OTHER && best.is_none_or(|(other, _)| score > other) {
                best = Some((score, place));
            }
        }
        match best {
            Some((_, place)) => taken.push(place),
            None => return stacked_names(&samples, &widths, area, is_crossed),
        }
    }
    Some(taken.iter().map(|it| (it.left, it.middle().1)).collect())
}

/// Places for all names below each other, where no curve is: as high and as far to the right as there is room.
fn stacked_names(
    samples: &[Vec<Point>],
    widths: &[f64],
    area: Rect,
    is_crossed: impl Fn(&Rect) -> bool,
) -> Option<Vec<Point>> {
    let width = widths.iter().copied().fold(0.0, f64::max);
    let height = PITCH * widths.len() as f64;
    let down = (0..).map(|step| area.top + 6.0 + f64::from(step) * PITCH);
    let tops = down.take_while(|top| top + height <= area.bottom - 6.0);
    let mut boxes = tops.flat_map(|top| {
        let across = (0..).map(|step| area.right - width - 6.0 - f64::from(step) * PITCH);
        let lefts = across.take_while(|left| *left >= area.left + 6.0);
        lefts.map(move |left| Rect::between((left, top), (left + width, top + height)))
    });
    let is_free = |place: &Rect| {
        let mut samples = samples.iter();
        !is_crossed(place) && samples.all(|points| place.distance(points) >= LEAST_OTHER)
    };
    let place = boxes.find(is_free)?;
    let rows = (0..widths.len()).map(|row| (place.left, place.top + PITCH * (row as f64 + 0.5)));
    Some(rows.collect())
}

/// The boxes around a point in which a name of this width may stand.
fn around((x, y): Point, width: f64) -> [Rect; 6] {
    let [right, left] = [x + 8.0, x - 8.0 - width].map(|side| side + width / 2.0);
    [
        (right, y - 12.0),
        (right, y),
        (x, y - 17.0),
        (left, y - 12.0),
        (left, y),
        (right, y + 14.0),
    ]
    .map(|middle| Rect::around(middle, width, HEIGHT))
}

impl Canvas {
    /// Draws the name of a curve and its sample at a place; a browser shows the whole name.
    pub(super) fn name(&self, (name, whole): (&str, &str), role: Role, (x, y): Point) {
        self.swatch((x, y), role, Sample::Line, false);
        let font = Font {
            edge: true,
            ..LABEL
        };
        let place = (x + SAMPLE, y);
        self.page().text((name, whole), place, Anchor::Start, font);
    }
}
