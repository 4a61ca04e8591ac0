//! The marks of means: a dashed line behind the data, with a pointer at its upper end.

use super::field::Canvas;
use super::mark::{Anchor, Look, Mark, Point, Rect, text_box};
use super::numbers::figure;
use super::palette::Role;
use super::text::{Font, SMALL};
use super::words::LONGEST_MEAN;

/// The size of the pointer of a mean, and the lengths that a line is drawn and left out in turn.
const POINTER: f64 = 9.0;
const DASHES: [f64; 2] = [4.0, 4.0];

/// The distance of a text beside a mean from other lines, because its letters may be wider than the estimate, and the least distance of
/// an upright line from a text.
const SPARE: f64 = 9.0;
const OFF: f64 = 3.0;

const FONT: Font = Font {
    edge: true,
    ..SMALL
};

/// The mean of a series: its value, its place, and its colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    pub(super) value: f64,
    pub(super) x: f64,
    pub(super) role: Role,
}

/// Means of several series, ascending, above an axis between two ends.
#[derive(Debug)]
pub(super) struct Means {
    pub(super) all: Vec<Mean>,
    pub(super) area: Rect,
}

fn look(role: Role) -> Look {
    Look::new("mean", role, "")
}

fn words(mean: f64) -> String {
    format!("mean {}", figure(&format!("{mean:.2}"), LONGEST_MEAN))
}

impl Means {
    /// The means within the axis.
    fn visible(&self) -> Vec<Mean> {
        let (left, right) = (self.area.left, self.area.right);
        let within = self
            .all
            .iter()
            .filter(|mean| (left..=right).contains(&mean.x));
        within.copied().collect()
    }

    /// The places of the lines.
    pub(super) fn lines(&self) -> Vec<f64> {
        self.visible().iter().map(|mean| mean.x).collect()
    }

    /// Draws the lines. The dashes of means at the same place alternate, and their pointers stand side by side, with their tips at the
    /// means. No line goes through one of the `texts`.
    pub(super) fn draw(&self, canvas: &Canvas, texts: &[Rect]) {
        let means = self.visible();
        let (top, bottom) = (self.area.top, self.area.bottom);
        for line in means.chunk_by(|a, b| b.x - a.x < 1.4) {
            let pitch = (DASHES[0] + DASHES[1]) * line.len() as f64;
            let dash = format!("{} {}", DASHES[0], pitch - DASHES[0]);
            for (turn, mean) in line.iter().enumerate() {
                let first = top + turn as f64 * (DASHES[0] + DASHES[1]);
                let parts = upright(mean.x, [first, bottom], texts).into_iter();
                let parts = parts.filter_map(|[from, to]| {
                    // The dashes go on below a text as if it were not there.
                    let from = first + ((from - first) / pitch).ceil() * pitch;
                    (from < to).then(|| vec![(mean.x, from), (mean.x, to)])
                });
                let parts: Vec<_> = parts.collect();
                canvas.put(Mark::lines(&parts, 1.3, &dash, look(mean.role)));
            }
        }
        for group in means.chunk_by(|a, b| b.x - a.x < POINTER) {
            let sum: f64 = group.iter().map(|mean| mean.x).sum();
            let left = sum / group.len() as f64 - POINTER * group.len() as f64 / 2.0;
            for (index, mean) in group.iter().enumerate() {
                let left = left + POINTER * index as f64;
                let pointer = vec![(mean.x, top + 8.0), (left, top), (left + POINTER, top)];
                canvas.put(Mark::polygon(pointer, look(mean.role)));
            }
        }
    }

    /// Draws pointers to the means beyond an end of the axis, and the names of all where there is room beside lines at other places. The
    /// mean of an only series has its value where nothing else says it.
    pub(super) fn name(&self, canvas: &Canvas, lines: &[f64], says_value: bool) {
        let y = self.area.top + 5.0;
        let has_room = |text: &Rect| {
            let spaced = text.wider(SPARE);
            let mut lines = lines.iter();
            canvas.is_free(text) && !lines.any(|x| (spaced.left..=spaced.right).contains(x))
        };
        let mut boxes: Vec<Rect> = Vec::new();
        for (edge, inward, anchor) in [
            (self.area.left, 1.0, Anchor::Start),
            (self.area.right, -1.0, Anchor::End),
        ] {
            let beyond = self
                .all
                .iter()
                .filter(|mean| (mean.x - edge) * inward < 0.0);
            let beyond: Vec<&Mean> = beyond.collect();
            let Some(first) = beyond.first() else {
                continue;
            };
            for (index, mean) in beyond.iter().enumerate() {
                let tip = edge + inward * POINTER * index as f64;
                let (back, half) = (tip + inward * 8.0, POINTER / 2.0);
                let pointer = vec![(tip, y), (back, y - half), (back, y + half)];
                canvas.put(Mark::polygon(pointer, look(mean.role)));
            }
            let name = match beyond.len() {
                1 => words(first.value),
                _ => "means beyond".into(),
            };
            let end = edge + inward * POINTER * beyond.len() as f64;
            boxes.push(Rect::between((edge, y - POINTER), (end, y + POINTER)));
            let place = (end + inward * 5.0, y);
            let text = text_box(&name, place, anchor, FONT.size);
            if has_room(&text) {
                canvas.text(&name, place, anchor, FONT);
                boxes.push(text);
            }
        }
        let means = self.visible();
        let (Some(first), Some(last)) = (means.first(), means.last()) else {
            return;
        };
        let name = match means.len() {
            1 if says_value => words(first.value),
            1 => "mean".into(),
            _ => "means".into(),
        };
        let places = [
            ((last.x + 10.0, y), Anchor::Start),
            ((first.x - 10.0, y), Anchor::End),
        ];
        let mut free = places.into_iter().filter(|(place, anchor)| {
            let text = text_box(&name, *place, *anchor, FONT.size);
            let spaced = text.wider(8.0);
            has_room(&text) && !boxes.iter().any(|other| other.overlaps(&spaced))
        });
        if let Some((place, anchor)) = free.next() {
            canvas.text(&name, place, anchor, FONT);
        }
    }
}

/// The parts of an upright line that keep off texts.
pub(super) fn upright(x: f64, [from, to]: [f64; 2], texts: &[Rect]) -> Vec<[f64; 2]> {
    let near = texts.iter().map(|text| text.wider(OFF));
    let near = near.filter(|text| (text.left..=text.right).contains(&x));
    let mut gaps: Vec<[f64; 2]> = near
        .map(|text| [text.top - OFF, text.bottom + OFF])
        .collect();
    gaps.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut parts, mut start) = (Vec::new(), from);
    for [above, below] in gaps {
        parts.push([start, above.min(to)]);
        start = start.max(below);
    }
    parts.push([start, to]);
    parts.retain(|[from, to]| from < to);
    parts
}

/// Lines down from points to a height, dotted, which keep off texts.
pub(super) fn dotted(canvas: &Canvas, points: &[Point], bottom: f64, texts: &[Rect]) {
    for &(x, y) in points {
        let parts = upright(x, [y, bottom], &canvas.texts_and(texts));
        let parts = parts.into_iter().map(|[from, to]| vec![(x, from), (x, to)]);
        let parts: Vec<_> = parts.collect();
        canvas.put(Mark::lines(&parts, 1.2, "2 3", Look::plain(Role::SoftInk)));
    }
}
