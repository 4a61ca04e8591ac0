//! Lines that lie on one another for a stretch: their dashes alternate there, so that each is seen.

use std::collections::BTreeMap;

use super::canvas::{Canvas, Mark, Point};
use super::palette::Role;

/// The length of a dash where lines alternate, and the least one.
const DASH: f64 = 9.0;
const LEAST_DASH: f64 = 1.5;

/// The radius of a dot that lies alone, and of the smallest of several at one place.
pub(super) const DOT: f64 = 3.4;
const SMALLEST: f64 = 2.0;

/// By how much the largest of more than two dots at one place is larger, for each of them.
const LARGER: f64 = 0.6;

/// A part of a line.
#[derive(Debug, PartialEq)]
pub(super) struct Stretch {
    pub(super) points: Vec<Point>,
    /// How many of the lines that share the stretch are below this one, and how many there are.
    below: usize,
    all: usize,
}

impl Stretch {
    /// The dashes of the stretch, where others share it. The lines begin at one point, and each is longer than those above it.
    pub(super) fn dash(&self) -> Option<String> {
        if self.all < 2 {
            return None;
        }
        let lengths = self.points.windows(2);
        let length: f64 = lengths
            .map(|ends| (ends[1].0 - ends[0].0).hypot(ends[1].1 - ends[0].1))
            .sum();
        let dash = (length / self.all as f64).clamp(LEAST_DASH, DASH);
        let dash = (dash * 10.0).round() / 10.0;
        let length = |dashes: usize| (dash * dashes as f64 * 10.0).round() / 10.0;
        let gap = length(self.below);
        (gap > 0.0).then(|| format!("{} {gap}", length(self.all - self.below)))
    }
}

/// A point to a tenth of a pixel.
fn key((x, y): Point) -> [i64; 2] {
    [x, y].map(|place| (place * 10.0).round() as i64)
}

/// The lines of several series, each cut into stretches that the same series share.
pub(super) fn stretches(series: &[Vec<Vec<Point>>]) -> Vec<Vec<Stretch>> {
    let mut shared: BTreeMap<[[i64; 2]; 2], Vec<usize>> = BTreeMap::new();
    for (index, lines) in series.iter().enumerate() {
        for ends in lines.iter().flat_map(|line| line.windows(2)) {
            let there = shared.entry([key(ends[0]), key(ends[1])]).or_default();
            if there.last() != Some(&index) {
                there.push(index);
            }
        }
    }
    let sharing = |ends: &[Point]| &shared[&[key(ends[0]), key(ends[1])]];
    let cut = |index: usize, line: &[Point]| -> Vec<Stretch> {
        let steps: Vec<&[Point]> = line.windows(2).collect();
        let runs = steps.chunk_by(|a, b| sharing(a) == sharing(b));
        let stretches = runs.map(|run| {
            let here = sharing(run[0]);
            let first = run.iter().take(1).map(|ends| ends[0]);
            Stretch {
                points: first.chain(run.iter().map(|ends| ends[1])).collect(),
                below: here.iter().filter(|other| **other < index).count(),
                all: here.len(),
            }
        });
        stretches.collect()
    };
    let all = series.iter().enumerate();
    all.map(|(index, lines)| lines.iter().flat_map(|line| cut(index, line)).collect())
        .collect()
}

/// Draws the stretches of a line in its colour, with these dashes where it lies alone: those with the same dashes as one path.
pub(super) fn draw(
    canvas: &mut Canvas,
    stretches: &[Stretch],
    (width, dash): (f64, &str),
    role: Role,
) {
    let mut paths: BTreeMap<String, Vec<Vec<Point>>> = BTreeMap::new();
    for stretch in stretches {
        let own = match stretch.all {
            ..2 => dash.to_owned(),
            _ => stretch.dash().unwrap_or_default(),
        };
        let is_plain = own.is_empty();
        let lines = paths.entry(own).or_default();
        match lines.last_mut() {
            // A line without dashes goes on.
            Some(last) if is_plain && last.last() == stretch.points.first() => {
                last.extend(&stretch.points[1..]);
            }
            _ => lines.push(stretch.points.clone()),
        }
    }
    for (dash, lines) in &paths {
        canvas.lines(lines, width, dash, Mark::new("curve", role, ""));
    }
}

/// The radius of each dot of several series. Those at one place are seen around each other.
pub(super) fn radii(series: &[Vec<Point>]) -> Vec<Vec<f64>> {
    let mut shared: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (index, dots) in series.iter().enumerate() {
        for dot in dots {
            shared.entry(key(*dot)).or_default().push(index);
        }
    }
    let radius = |index: usize, dot: &Point| {
        let here = &shared[&key(*dot)];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_shared_alternates() {
        let level = |from: u8, to: u8| -> Vec<Point> {
            (from..=to).map(|x| (f64::from(x) * 20.0, 5.0)).collect()
        };
        let all = stretches(&[vec![level(0, 4)], vec![level(2, 6)], vec![level(2, 3)]]);
        let dashes = |index: usize| -> Vec<(usize, Option<String>)> {
            let own = all[index].iter();
            own.map(|stretch| (stretch.points.len(), stretch.dash()))
                .collect()
        };
        assert_eq!(dashes(0), [(3, None), (2, None), (2, None)]);
        assert_eq!(
            dashes(1),
            [
                (2, Some("13.4 6.7".into())),
                (2, Some("9 9".into())),
                (3, None)
            ]
        );
        assert_eq!(dashes(2), [(2, Some("6.7 13.4".into()))]);
    }
}
