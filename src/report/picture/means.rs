//! The marks of means: a dashed line behind the data, with a pointer at its upper end.

use super::field::Canvas;
use super::mark::{Anchor, Look, Mark, Point, Rect, text_box};
use super::numbers::figure;
use super::palette::Role;
use super::text::{Font, SMALL};
use super::words::LONGEST_MEAN;

/// The size of the pointer of a mean, and the length that a line is drawn and left out in turn.
const POINTER: f64 = 9.0;
const DASH: f64 = 4.0;

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

fn pointer(tip: Point, ends: [Point; 2], role: Role) -> Mark {
    Mark::polygon(vec![tip, ends[0], ends[1]], Look::new("mean", role, ""))
}

fn words(mean: f64) -> String {
    format!("mean {}", figure(&format!("{mean:.2}"), LONGEST_MEAN))
}

impl Means {
    /// The means within the axis.
    fn visible(&self) -> Vec<Mean> {
        let ends = self.area.left..=self.area.right;
        let all = self.all.iter().copied();
        all.filter(|mean| ends.contains(&mean.x)).collect()
    }

    /// The places of the lines.
    pub(super) fn lines(&self) -> Vec<f64> {
        self.visible().iter().map(|mean| mean.x).collect()
    }

    /// Draws the lines behind the data. The dashes of means at the same place alternate, and their pointers stand side by side, with their
    /// tips at the means. No line goes through a text.
    pub(super) fn draw(&self, canvas: &Canvas) {
        let means = self.visible();
        let (top, bottom) = (self.area.top, self.area.bottom);
        for line in means.chunk_by(|a, b| b.x - a.x < 1.4) {
            let pitch = 2.0 * DASH * line.len() as f64;
            let dash = format!("{DASH} {}", pitch - DASH);
            for (turn, mean) in line.iter().enumerate() {
                let first = top + turn as f64 * 2.0 * DASH;
                let parts = upright(canvas, mean.x, [first, bottom]).into_iter();
                let parts = parts.filter_map(|[from, to]| {
                    // The dashes go on below a text as if it were not there.
                    let from = first + ((from - first) / pitch).ceil() * pitch;
                    (from < to).then(|| vec![(mean.x, from), (mean.x, to)])
                });
                let (parts, look) = (parts.collect::<Vec<_>>(), Look::new("mean", mean.role, ""));
                canvas.page().behind(&Mark::lines(&parts, 1.3, &dash, look));
            }
        }
        for group in means.chunk_by(|a, b| b.x - a.x < POINTER) {
            let sum: f64 = group.iter().map(|mean| mean.x).sum();
            let mut left = sum / group.len() as f64 - POINTER * group.len() as f64 / 2.0;
            for mean in group {
                let ends = [(left, top), (left + POINTER, top)];
                let pointer = pointer((mean.x, top + 8.0), ends, mean.role);
                canvas.page().behind(&pointer);
                left += POINTER;
            }
        }
    }

    /// Draws pointers to the means beyond an end of the axis, and the names of all where there is room beside lines at other places. The
    /// mean of an only series has its value where nothing else says it.
    pub(super) fn name(&self, canvas: &Canvas, lines: &[f64], says_value: bool) {
        let y = self.area.top + 5.0;
        let lines = lines
            .iter()
            .map(|x| Rect::around((*x, y), 2.0 * SPARE - 4.0, 1.0));
        let mut others: Vec<Rect> = lines.collect();
        for (edge, inward, anchor) in [
            (self.area.left, 1.0, Anchor::Start),
            (self.area.right, -1.0, Anchor::End),
        ] {
            let all = self.all.iter();
            let beyond = all.filter(|mean| (mean.x - edge) * inward < 0.0);
            let mut tip = edge;
            for mean in beyond.clone() {
                let back = tip + inward * 8.0;
                let ends = [(back, y - POINTER / 2.0), (back, y + POINTER / 2.0)];
                canvas.put(pointer((tip, y), ends, mean.role));
                tip += inward * POINTER;
            }
            let name = match beyond.clone().collect::<Vec<_>>()[..] {
                [] => continue,
                [only] => words(only.value),
                _ => "means beyond".into(),
            };
            others.push(Rect::between((edge, y - POINTER), (tip, y + POINTER)));
            let place = (tip + inward * 5.0, y);
            canvas.place(
                (&name, &name),
                &[(place, anchor)],
                FONT,
                &others[..others.len() - 1],
            );
            others.push(text_box(&name, place, anchor, FONT.size).wider(8.0));
        }
        let means = self.visible();
        let name = match &means[..] {
            [] => return,
            [only] if says_value => words(only.value),
            [_] => "mean".into(),
            _ => "means".into(),
        };
        let places = [
            ((means[means.len() - 1].x + 10.0, y), Anchor::Start),
            ((means[0].x - 10.0, y), Anchor::End),
        ];
        canvas.place((&name, &name), &places, FONT, &others);
    }
}

/// The parts of an upright line that keep off all texts so far.
fn upright(canvas: &Canvas, x: f64, [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
    let near = canvas.page().taken.clone().into_iter();
    let near = near.filter(|text| (text.left - OFF..=text.right + OFF).contains(&x));
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

/// Lines down from a point to a height behind the data, dotted, which keep off texts.
pub(super) fn dotted(canvas: &Canvas, (x, y): Point, bottom: f64) {
    let parts = upright(canvas, x, [y, bottom]).into_iter();
    let parts: Vec<_> = parts.map(|[from, to]| vec![(x, from), (x, to)]).collect();
    let line = Mark::lines(&parts, 1.2, "2 3", Look::plain(Role::SoftInk));
    canvas.page().behind(&line);
}
