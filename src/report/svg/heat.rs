//! Draws a record of two numbers as a heat map: a field for each pair of values, and the distribution of each part at the margin.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::typeset;
use super::canvas::{Anchor, Canvas, Mark, Point, Rect};
use super::cells::{draw_cell, have_labels};
use super::chance::Chance;
use super::frame::{self, MARGIN, WIDTH};
use super::palette::{Role, roles};
use super::picture::Picture;
use super::text::{LABEL, SMALL, TINY, fitting};
use crate::algebra::Weight;
use crate::engine::{Answer, MemberRef};
use crate::report::Answered;
use crate::report::scale::Scale;

/// The most values of a part that have fields of their own.
const MOST_VALUES: usize = 40;

/// The greatest width of a field, and its height as a part of the width.
const LARGEST_FIELD: f64 = 76.0;
const FLAT: f64 = 0.6;

/// The space for the values of the second part, left of the fields; for those of the first part, below them; and for the two
/// distributions, above and on the right.
const LEFT: f64 = 84.0;
const BELOW: f64 = 56.0;
const MARGINS: f64 = 92.0;

/// The length of the longest bar of the distributions.
const LONGEST_BAR: f64 = MARGINS - 46.0;

/// The note on the border around the pairs that are asked about.
const OUTLINED: &str = "outlined: what is asked about";

/// The shares of pairs of values.
pub(super) struct Map {
    names: [String; 2],
    /// The values of both parts, ascending, without gaps.
    values: [Vec<i64>; 2],
    /// The chance of each pair that can come up, by the places of its values.
    chances: BTreeMap<(usize, usize), Chance>,
    /// The distribution of each part.
    margins: [Vec<Chance>; 2],
    /// The places of the pairs for which the only condition that is asked holds, if one is asked.
    asked: Option<BTreeSet<(usize, usize)>>,
}

impl Map {
    /// The map of a single rule whose values are records of two numbers; `None` for other rules, or if there are too many values.
    pub(super) fn of(rules: &[Answered]) -> Option<Self> {
        let [rule] = rules else {
            return None;
        };
        let answer = &rule.answer;
        let names: Vec<String> = answer.part_names().map(str::to_owned).collect();
        let names: [String; 2] = names.try_into().ok()?;
        let pairs = pairs(answer)?;
        let values = |part: usize| {
            let all = pairs.iter().map(|(pair, _)| pair[part]);
            let (low, high) = (all.clone().min()?, all.max()?);
            let count = usize::try_from(high.checked_sub(low)?).ok()?;
            (count < MOST_VALUES).then(|| (low..=high).collect::<Vec<i64>>())
        };
        let values = [values(0)?, values(1)?];
        let mut margins = values
            .each_ref()
            .map(|values| vec![Weight::ZERO; values.len()]);
        let mut chances = BTreeMap::new();
        let mut scale = Scale::new(answer.total());
        let mut asked = rule.only_holds().map(|_| BTreeSet::new());
        for (index, (pair, weight)) in pairs.into_iter().enumerate() {
            let place = |part: usize| usize::try_from(pair[part] - values[part][0]).ok();
            let (x, y) = (place(0)?, place(1)?);
            margins[0][x] += weight;
            margins[1][y] += weight;
            let holds = rule.only_holds().and_then(|holds| holds.get(index));
            if let (Some(asked), Some(true)) = (&mut asked, holds) {
                asked.insert((x, y));
            }
            chances.insert((x, y), Chance::new(weight, &mut scale, 1));
        }
        let margins = margins.map(|weights| {
            let weights = weights.iter();
            weights
                .map(|weight| Chance::new(weight, &mut scale, 1))
                .collect()
        });
        Some(Self {
            names,
            values,
            chances,
            margins,
            asked,
        })
    }
}

/// The pairs of values with their weights.
fn pairs(answer: &Answer) -> Option<Vec<([i64; 2], &Weight)>> {
    let pairs = answer.outcomes().iter().map(|(value, weight)| {
        let numbers = value.members().map(|member| match member {
            MemberRef::Label(_) => None,
            MemberRef::Number(number) => number.to_i64(),
        });
        let pair: [i64; 2] = numbers.collect::<Option<Vec<_>>>()?.try_into().ok()?;
        Some((pair, weight))
    });
    pairs.collect()
}

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

    /// The border around fields: each side of one of them whose neighbour there is none.
    fn border(&self, asked: &BTreeSet<(usize, usize)>) -> Vec<Vec<Point>> {
        let mut lines = Vec::new();
        for &(column, row) in asked {
            let field = self.of(column, row);
            // The gap between two fields belongs to both.
            let [left, right] = [field.left - 0.5, field.right + 0.5];
            let [top, bottom] = [field.top - 0.5, field.bottom + 0.5];
            let corners = [(left, bottom), (left, top), (right, top), (right, bottom)];
            let beside = [
                (column.checked_sub(1), Some(row)),
                (Some(column), Some(row + 1)),
                (Some(column + 1), Some(row)),
                (Some(column), row.checked_sub(1)),
            ];
            for (side, (column, row)) in beside.into_iter().enumerate() {
                let neighbour = column.zip(row);
                if neighbour.is_none_or(|neighbour| !asked.contains(&neighbour)) {
                    lines.push(vec![corners[side], corners[(side + 1) % 4]]);
                }
            }
        }
        lines
    }

    fn right(&self) -> f64 {
        self.left + self.width * self.counts[0] as f64
    }

    fn bottom(&self) -> f64 {
        self.top + self.height * self.counts[1] as f64
    }
}

/// Draws the map; returns the height of the picture.
pub(super) fn draw(map: &Map, picture: &Picture) -> (Canvas, f64) {
    let mut canvas = Canvas::new(WIDTH);
    let head = frame::head(&mut canvas, picture);
    let counts = map.values.each_ref().map(Vec::len);
    let room = WIDTH - 2.0 * MARGIN - LEFT - MARGINS;
    let width = (room / counts[0] as f64).min(LARGEST_FIELD);
    let fields = Fields {
        left: MARGIN + LEFT,
        top: head + MARGINS,
        width,
        height: (width * FLAT).max(15.0),
        counts,
    };
    let highest = map.chances.values().map(|chance| chance.share);
    let highest = highest.fold(0.0, f64::max);
    let field = fields.of(0, 0);
    let room = [field.width(), field.height()];
    let has_labels = have_labels(map.chances.values(), highest, room);
    for (&(column, row), chance) in &map.chances {
        let [first, second] = &map.names;
        let [x, y] = [map.value(0, column), map.value(1, row)];
        let words = format!("{first} {x}, {second} {y}: {}", chance.words);
        draw_cell(
            &mut canvas,
            fields.of(column, row),
            (chance, has_labels),
            highest,
            &words,
        );
    }
    if let Some(asked) = &map.asked {
        let border = fields.border(asked);
        canvas.lines(&border, 2.4, "", Mark::new("asked", Role::Ink, ""));
    }
    let (left, right, bottom) = (fields.left, fields.right(), fields.bottom());
    canvas.line((left, fields.top), (left, bottom), 1.2, Role::Axis);
    canvas.line((left, bottom), (right, bottom), 1.2, Role::Axis);
    margins(&mut canvas, map, &fields);
    for column in 0..counts[0] {
        let field = fields.of(column, 0);
        let place = (f64::midpoint(field.left, field.right), bottom + 14.0);
        canvas.text_if_free(&map.value(0, column), place, Anchor::Middle, LABEL);
    }
    for row in 0..counts[1] {
        let field = fields.of(0, row);
        let place = (left - 8.0, f64::midpoint(field.top, field.bottom));
        canvas.text_if_free(&map.value(1, row), place, Anchor::End, LABEL);
    }
    let note = String::from(OUTLINED);
    let name = |part: usize, room: f64| fitting(&map.names[part], SMALL.size, room);
    let below = (f64::midpoint(left, right), bottom + 34.0);
    let first = name(0, (right - left).max(120.0));
    canvas.text_if_free(&first, below, Anchor::Middle, SMALL);
    let second = name(1, LEFT - 10.0);
    canvas.text(&second, (left - 8.0, fields.top - 12.0), Anchor::End, SMALL);
    let notes = frame::notes(map.asked.iter().map(|_| &note));
    frame::draw_notes(&mut canvas, &notes, bottom + BELOW - 10.0);
    let below = if notes.is_empty() {
        0.0
    } else {
        frame::notes_height(&notes)
    };
    (canvas, bottom + BELOW + below)
}

impl Map {
    /// A value of a part as people read it.
    fn value(&self, part: usize, place: usize) -> String {
        typeset(&self.values[part][place].to_string())
    }
}

/// The distributions of both parts, as bars above and on the right of the fields.
fn margins(canvas: &mut Canvas, map: &Map, fields: &Fields) {
    for (part, chances) in map.margins.iter().enumerate() {
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
                let (name, value) = (&map.names[part], map.value(part, place));
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
