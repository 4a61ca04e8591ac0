//! The names of curves, beside the curves.

use super::canvas::{Anchor, Canvas, Point, Rect};
use super::frame::{SAMPLE, Sample, swatch};
use super::palette::Role;
use super::text::{Font, LABEL, text_width};

/// The height of a name with its sample.
const HEIGHT: f64 = 16.0;

/// The least distance of a name from its own curve, and from others; beyond the greatest distance, more is no better.
const LEAST_OWN: f64 = 4.5;
const LEAST_OTHER: f64 = 13.0;
const GREATEST: f64 = 48.0;

/// What a place at the upper edge is worth, as a distance from other curves.
const HIGH: f64 = 12.0;

/// The distance of names that stand together.
const PITCH: f64 = 20.0;

/// The largest number of points of a curve that a name is tried at, and the distance of the points that it is kept off.
const MOST_POINTS: usize = 40;
const STEP: f64 = 6.0;

/// A series as it is drawn.
pub(super) struct Curve {
    /// The places of the values.
    pub(super) points: Vec<Point>,
    pub(super) lines: Vec<Vec<Point>>,
}

impl Curve {
    /// Points all along the curve.
    fn samples(&self) -> Vec<Point> {
        let mut samples = self.points.clone();
        for pair in self.lines.iter().flat_map(|line| line.windows(2)) {
            let (from, to) = (pair[0], pair[1]);
            let steps = ((to.0 - from.0).hypot(to.1 - from.1) / STEP)
                .ceil()
                .max(1.0);
            let parts = (0..=steps as usize).map(|step| step as f64 / steps);
            samples.extend(parts.map(|part| {
                let along = |from: f64, to: f64| from + (to - from) * part;
                (along(from.0, to.0), along(from.1, to.1))
            }));
        }
        samples
    }
}

/// A place for the name of each curve within an area, beside the curve or together in a free part of the area: the left end of
/// its sample. The names are cut. `None` if there is no room. No name stands on a line at one of the `crossings`.
pub(super) fn place(
    curves: &[Curve],
    names: &[String],
    area: Rect,
    crossings: &[f64],
) -> Option<Vec<Point>> {
    if curves.len() != names.len() {
        return None;
    }
    let samples: Vec<Vec<Point>> = curves.iter().map(Curve::samples).collect();
    let widths = names
        .iter()
        .map(|name| SAMPLE + text_width(name, LABEL.size));
    let widths: Vec<f64> = widths.collect();
    let mut taken: Vec<Rect> = Vec::new();
    for (index, (curve, width)) in curves.iter().zip(&widths).enumerate() {
        let every = curve.points.len().div_ceil(MOST_POINTS).max(1);
        let candidates = curve.points.iter().step_by(every);
        let boxes = candidates.flat_map(|point| around(*point, *width));
        let mut best: Option<(f64, Rect)> = None;
        for place in boxes.filter(|place| area.holds(place) && !is_crossed(place, crossings)) {
            let covers = |other: &Rect| {
                let spaced = Rect {
                    left: other.left - 8.0,
                    right: other.right + 8.0,
                    ..*other
                };
                spaced.overlaps(&place)
            };
            if taken.iter().any(covers) || distance(&place, &samples[index]) < LEAST_OWN {
                continue;
            }
            let others = samples
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            let least = others.map(|(_, points)| distance(&place, points));
            let least = least.fold(GREATEST, f64::min);
            // Names high up, where the curve has its values, are found first.
            let score = least + HIGH * (area.bottom - place.top) / area.height();
            if least >= LEAST_OTHER && best.is_none_or(|(other, _)| score > other) {
                best = Some((score, place));
            }
        }
        match best {
            Some((_, place)) => taken.push(place),
            None => return together(&samples, &widths, area, crossings),
        }
    }
    let middle = |place: &Rect| (place.left, f64::midpoint(place.top, place.bottom));
    Some(taken.iter().map(middle).collect())
}

/// Whether an upright line at one of these places goes through a box.
fn is_crossed(place: &Rect, crossings: &[f64]) -> bool {
    let mut crossings = crossings.iter();
    crossings.any(|x| (place.left - 2.0..=place.right + 2.0).contains(x))
}

/// The least distance of a box from points.
fn distance(place: &Rect, points: &[Point]) -> f64 {
    let all = points.iter().map(|point| place.distance(*point));
    all.fold(f64::INFINITY, f64::min)
}

/// Places for all names below each other, where no curve is: as high and as far to the right as there is room.
fn together(
    samples: &[Vec<Point>],
    widths: &[f64],
    area: Rect,
    crossings: &[f64],
) -> Option<Vec<Point>> {
    let width = widths.iter().copied().fold(0.0, f64::max);
    let height = PITCH * widths.len() as f64;
    let down = (0..).map(|step| area.top + 6.0 + f64::from(step) * PITCH);
    let tops = down.take_while(|top| top + height <= area.bottom - 6.0);
    let mut boxes = tops.flat_map(|top| {
        let across = (0..).map(|step| area.right - width - 6.0 - f64::from(step) * PITCH);
        let lefts = across.take_while(|left| *left >= area.left + 6.0);
        lefts.map(move |left| Rect {
            left,
            top,
            right: left + width,
            bottom: top + height,
        })
    });
    let is_free = |place: &Rect| {
        let mut samples = samples.iter();
        samples.all(|points| distance(place, points) >= LEAST_OTHER)
    };
    let place = boxes.find(|place| !is_crossed(place, crossings) && is_free(place))?;
    let rows = (0..widths.len()).map(|row| (place.left, place.top + PITCH * (row as f64 + 0.5)));
    Some(rows.collect())
}

/// The boxes around a point in which a name of this width may stand.
fn around((x, y): Point, width: f64) -> [Rect; 6] {
    let right = x + 8.0;
    let left = x - 8.0 - width;
    [
        (right, y - 12.0),
        (right, y),
        (x - width / 2.0, y - 17.0),
        (left, y - 12.0),
        (left, y),
        (right, y + 14.0),
    ]
    .map(|(left, middle)| Rect {
        left,
        top: middle - HEIGHT / 2.0,
        right: left + width,
        bottom: middle + HEIGHT / 2.0,
    })
}

/// Draws a name and its sample at a place; a browser shows the whole name.
pub(super) fn draw(canvas: &mut Canvas, (name, whole): (&str, &str), role: Role, (x, y): Point) {
    swatch(canvas, (x, y), role, Sample::Line, 1.0);
    let font = Font {
        edge: true,
        ..LABEL
    };
    canvas.text_of((name, whole), (x + SAMPLE, y), Anchor::Start, font);
}
