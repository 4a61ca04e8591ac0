//! Draws a record of two numbers as a heat map: a field for each pair of values, and the distribution of each part at the margin.

use super::axis::round_step;
use super::canvas::{Anchor, Canvas, Mark, Point, Rect};
use super::cells::{draw_cell, have_labels, is_seen, key};
use super::frame::{self, Key, MARGIN, Note, OUTLINES, WIDTH};
use super::outline::{Corner, outlines};
use super::pairs::Pairs;
use super::palette::{Role, roles};
use super::picture::Picture;
use super::text::{LABEL, SMALL, TINY, fitting, widest};

/// The greatest width of a field, and its height as a part of the width.
const LARGEST_FIELD: f64 = 76.0;
const FLAT: f64 = 0.6;

/// More rows than this are lower.
const MANY_ROWS: usize = 30;

/// The space for the values of the second part, left of the fields; for those of the first part, below them; and for the two
/// distributions, above and on the right.
const LEFT: f64 = 84.0;
const BELOW: f64 = 56.0;
const MARGINS: f64 = 92.0;

/// The length of the longest bar of the distributions.
const LONGEST_BAR: f64 = MARGINS - 46.0;

/// The width of an outline, that of its edge in the colour of the ground, and the largest distance of the next one from it.
const OUTLINE: f64 = 2.0;
const EDGE: f64 = 4.4;
const NEXT_OUTLINE: f64 = 4.2;

/// The height of a text beside its field, and the space between two texts in a row.
const LINE: f64 = LABEL.size + 1.0;
const APART: f64 = 6.0;

/// The places of the fields.
struct Fields {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    counts: [usize; 2],
}

impl Fields {
    /// The field of a pair. The second part ascends from below.
    fn of(&self, column: usize, row: usize) -> Rect {
        let left = self.left + column as f64 * self.width;
        let top = self.top + (self.counts[1] - row - 1) as f64 * self.height;
        Rect {
            left,
            top,
            right: left + self.width - 1.0,
            bottom: top + self.height - 1.0,
        }
    }

    /// The distance of this many outlines from each other, so that all have room within a field.
    fn distance_of_outlines(&self, count: usize) -> f64 {
        let room = self.width.min(self.height) / 2.0 - OUTLINE;
        (room / count.saturating_sub(1).max(1) as f64).clamp(0.0, NEXT_OUTLINE)
    }

    /// A point of an outline, this far within the cells around which it goes.
    fn corner(&self, corner: &Corner, inset: f64) -> Point {
        let (column, row) = corner.cell;
        let left = self.left + column as f64 * self.width;
        let top = self.top + (self.counts[1] as f64 - row as f64 - 1.0) * self.height;
        // The gap between two fields belongs to both.
        let middle = (left + self.width / 2.0 - 0.5, top + self.height / 2.0 - 0.5);
        let along = if corner.is_concave { inset } else { -inset };
        let place = |across: i64, next: i64, half: f64| {
            across as f64 * (half - inset) + next as f64 * (half + along)
        };
        let right = place(corner.across.0, corner.along.0, self.width / 2.0);
        let up = place(corner.across.1, corner.along.1, self.height / 2.0);
        (middle.0 + right, middle.1 - up)
    }

    fn right(&self) -> f64 {
        self.left + self.width * self.counts[0] as f64
    }

    fn bottom(&self) -> f64 {
        self.top + self.height * self.counts[1] as f64
    }
}

/// The least height of a field: outlines need room around the numbers.
fn least_height(pairs: &Pairs) -> f64 {
    match pairs.counts()[1] {
        rows if rows > MANY_ROWS => 10.0,
        _ => 15.0 + 5.0 * pairs.asked.len() as f64,
    }
}

/// Draws the map; returns the height of the picture.
pub(super) fn draw(pairs: &Pairs, picture: &Picture) -> (Canvas, f64) {
    let mut canvas = Canvas::new(WIDTH);
    let head = frame::head(&mut canvas, picture);
    let counts = pairs.counts();
    let room = WIDTH - 2.0 * MARGIN - LEFT - MARGINS;
    let width = (room / counts[0] as f64).min(LARGEST_FIELD);
    let fields = Fields {
        left: MARGIN + LEFT,
        top: head + MARGINS,
        width,
        height: (width * FLAT).max(least_height(pairs)),
        counts,
    };
    let highest = pairs.chances.values().map(|chance| chance.share);
    let highest = highest.fold(0.0, f64::max);
    let field = fields.of(0, 0);
    let room = [field.width(), field.height()];
    let has_labels = have_labels(pairs.chances.values(), highest, room);
    for (&(column, row), chance) in &pairs.chances {
        let [first, second] = &pairs.names;
        let [x, y] = [pairs.label(0, column), pairs.label(1, row)];
        let words = format!("{first} {x}, {second} {y}: {}", chance.words);
        draw_cell(
            &mut canvas,
            fields.of(column, row),
            (chance, has_labels && is_seen(chance)),
            highest,
            &words,
        );
    }
    let step = fields.distance_of_outlines(pairs.asked.len());
    let all = pairs.asked.iter().enumerate();
    let all = all.map(|(index, (_, places))| -> Vec<Vec<Point>> {
        let inset = index as f64 * step;
        let corners = |outline: &Vec<Corner>| {
            let corners = outline.iter();
            corners.map(|corner| fields.corner(corner, inset)).collect()
        };
        outlines(places).iter().map(corners).collect()
    });
    let all: Vec<Vec<Vec<Point>>> = all.collect();
    for lines in &all {
        canvas.lines(lines, EDGE, "", Mark::plain(Role::Ground));
    }
    for (lines, dash) in all.iter().zip(OUTLINES) {
        canvas.lines(lines, OUTLINE, dash, Mark::new("asked", Role::Ink, ""));
    }
    let (left, right, bottom) = (fields.left, fields.right(), fields.bottom());
    canvas.line((left, fields.top), (left, bottom), 1.2, Role::Axis);
    canvas.line((left, bottom), (right, bottom), 1.2, Role::Axis);
    margins(&mut canvas, pairs, &fields);
    for column in labelled(pairs, 0, fields.width) {
        let field = fields.of(column, 0);
        let place = (f64::midpoint(field.left, field.right), bottom + 14.0);
        canvas.text_if_free(&pairs.label(0, column), place, Anchor::Middle, LABEL);
    }
    for row in labelled(pairs, 1, fields.height) {
        let field = fields.of(0, row);
        let place = (left - 8.0, f64::midpoint(field.top, field.bottom));
        canvas.text_if_free(&pairs.label(1, row), place, Anchor::End, LABEL);
    }
    let name = |part: usize, room: f64| fitting(&pairs.names[part], SMALL.size, room);
    let below = (f64::midpoint(left, right), bottom + 34.0);
    let first = name(0, (right - left).max(120.0));
    canvas.text_if_free(&first, below, Anchor::Middle, SMALL);
    let second = name(1, LEFT - 10.0);
    canvas.text(&second, (left - 8.0, fields.top - 12.0), Anchor::End, SMALL);
    if !has_labels {
        key(&mut canvas, highest, (WIDTH - MARGIN, bottom + 34.0));
    }
    let asked = pairs.asked.iter().enumerate();
    let asked = asked.map(|(index, (words, _))| Note::on(Key::Outline(index), words));
    let notes: Vec<Note> = frame::notes(&pairs.notes)
        .into_iter()
        .chain(asked)
        .collect();
    frame::draw_notes(&mut canvas, &notes, bottom + BELOW - 10.0);
    let below = if notes.is_empty() {
        0.0
    } else {
        frame::notes_height(&notes)
    };
    (canvas, bottom + BELOW + below)
}

/// The places of the values of a part that have labels, where one field has this much room: as many as fit, at round distances.
fn labelled(pairs: &Pairs, part: usize, pitch: f64) -> impl Iterator<Item = usize> {
    let count = pairs.counts()[part];
    let labels: Vec<String> = (0..count).map(|place| pairs.label(part, place)).collect();
    let room = if part == 0 {
        widest(&labels, LABEL.size) + APART
    } else {
        LINE
    };
    let step = round_step((room / pitch).max(1.0)) as i64;
    (0..count).filter(move |place| pairs.is_round(part, *place, step))
}

/// The distributions of both parts, as bars above and on the right of the fields.
fn margins(canvas: &mut Canvas, pairs: &Pairs, fields: &Fields) {
    for (part, chances) in pairs.margins.iter().enumerate() {
        let shares = chances.iter().map(|chance| chance.share);
        let highest = shares.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let mut labels = Vec::new();
        for (place, chance) in chances.iter().enumerate() {
            let length = chance.share / highest * LONGEST_BAR;
            let (bar, at, anchor) = if part == 0 {
                let field = fields.of(place, 0);
                let bottom = fields.top - 6.0;
                let top = bottom - length.max(0.8);
                let middle = f64::midpoint(field.left, field.right);
                let gap = field.width() * 0.12;
                let bar = Rect {
                    left: field.left + gap,
                    top,
                    right: field.right - gap,
                    bottom,
                };
                (bar, (middle, top - 9.0), Anchor::Middle)
            } else {
                let field = fields.of(0, place);
                let left = fields.right() + 6.0;
                let right = left + length.max(0.8);
                let middle = f64::midpoint(field.top, field.bottom);
                let gap = field.height() * 0.12;
                let bar = Rect {
                    left,
                    top: field.top + gap,
                    right,
                    bottom: field.bottom - gap,
                };
                (bar, (right + 5.0, middle), Anchor::Start)
            };
            if chance.share > 0.0 {
                let (name, value) = (&pairs.names[part], pairs.label(part, place));
                let words = format!("{name} {value}: {}", chance.words);
                canvas.rect(bar, Mark::new("bar", roles(1)[0], &words));
                labels.push((chance, at, anchor));
            }
        }
        // High bars have their percentages first.
        labels.sort_by(|(a, ..), (b, ..)| b.share.total_cmp(&a.share));
        for (chance, at, anchor) in labels {
            if !canvas.text_if_free(&chance.label, at, anchor, TINY) {
                break;
            }
        }
    }
}
