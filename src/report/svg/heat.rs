//! Draws a record of two numbers as a heat map: a field for each pair of values, and the distribution of each part at the margin.

use std::collections::BTreeMap;
use std::io;

use super::canvas::{Anchor, Canvas, Font, Rect, fitting, text_width};
use super::chart::short_percent;
use super::frame::{self, LABEL, MARGIN, SMALL, Sample, WIDTH};
use super::palette::{AXIS, WHITE, appearance, heat};
use super::picture::Picture;
use crate::engine::{Answer, MemberRef};
use crate::report::Answered;
use crate::report::scale::Scale;

/// The most values of a part that have fields of their own.
const MOST_VALUES: usize = 40;

/// The greatest size of a field, and the least one in which its share is written.
const LARGEST_FIELD: f64 = 56.0;
const READABLE_FIELD: f64 = 38.0;

/// The size of the text of shares.
const SMALLEST: f64 = 11.0;

/// The space for the values of the second part, left of the fields; for those of the first part, below them; and for the two
/// distributions, above and on the right.
const LEFT: f64 = 84.0;
const BELOW: f64 = 48.0;
const MARGINS: f64 = 92.0;

/// The shares of pairs of values.
pub(super) struct Map {
    names: [String; 2],
    /// The values of both parts, ascending, without gaps.
    values: [Vec<i64>; 2],
    /// The share of each pair that can come up, by the places of its values.
    shares: BTreeMap<(usize, usize), f64>,
    /// The distribution of each part.
    margins: [Vec<f64>; 2],
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
        let mut margins = [vec![0.0; values[0].len()], vec![0.0; values[1].len()]];
        let mut shares = BTreeMap::new();
        for (pair, share) in pairs {
            let place = |part: usize| usize::try_from(pair[part] - values[part][0]).ok();
            let (x, y) = (place(0)?, place(1)?);
            margins[0][x] += share;
            margins[1][y] += share;
            shares.insert((x, y), share);
        }
        Some(Self {
            names,
            values,
            shares,
            margins,
        })
    }
}

/// The pairs of values with their shares.
fn pairs(answer: &Answer) -> Option<Vec<([i64; 2], f64)>> {
    let scale = Scale::new(answer.total());
    let pairs = answer.outcomes().iter().map(|(value, weight)| {
        let numbers = value.members().map(|member| match member {
            MemberRef::Label(_) => None,
            MemberRef::Number(number) => number.to_i64(),
        });
        let pair: [i64; 2] = numbers.collect::<Option<Vec<_>>>()?.try_into().ok()?;
        Some((pair, scale.nearest(weight)))
    });
    pairs.collect()
}

/// Draws the map into `buffer`; returns the size of the picture.
pub(super) fn draw(map: &Map, picture: &Picture, buffer: &mut String) -> io::Result<(f64, f64)> {
    let counts = [map.values[0].len(), map.values[1].len()];
    let room = WIDTH - 2.0 * MARGIN - LEFT - MARGINS;
    let field = (room / counts[0] as f64).min(LARGEST_FIELD);
    let high = field.min(LARGEST_FIELD * 0.75);
    let (width, height) = (field * counts[0] as f64, high * counts[1] as f64);
    let total = frame::head_height(picture) + MARGINS + height + BELOW;
    let canvas = Canvas::new(buffer, WIDTH, total.round())?;
    let head = frame::head(&canvas, picture, Sample::Block)?;
    let (left, top) = (MARGIN + LEFT, head + MARGINS);
    let bottom = top + height;
    // The second part ascends from below.
    let x = |place: usize| left + place as f64 * field;
    let y = |place: usize| bottom - (place + 1) as f64 * high;

    let highest = map.shares.values().copied().fold(0.0, f64::max);
    for (&(column, row), &share) in &map.shares {
        let rect = Rect {
            left: x(column),
            top: y(row),
            right: x(column) + field - 1.0,
            bottom: y(row) + high - 1.0,
        };
        let part = if highest > 0.0 { share / highest } else { 0.0 };
        canvas.fill(rect, heat(part))?;
        let label = short_percent(share);
        if field >= READABLE_FIELD && text_width(&label, SMALLEST) < field {
            let font = Font {
                size: SMALLEST,
                color: if part > 0.55 { WHITE } else { SMALL.color },
                ..SMALL
            };
            let centre = (x(column) + field / 2.0, y(row) + high / 2.0);
            canvas.text(&label, centre, Anchor::Middle, font)?;
        }
    }
    canvas.line(&[(left, top), (left, bottom)], AXIS, 1.2)?;
    canvas.line(&[(left, bottom), (left + width, bottom)], AXIS, 1.2)?;
    margins(&canvas, map, (left, top, bottom), (field, high))?;

    let every = |size: f64, least: f64| (least / size).ceil().max(1.0) as usize;
    let longest = map.values[0]
        .iter()
        .map(|value| value.to_string().len())
        .max()
        .unwrap_or(1);
    for place in (0..counts[0]).step_by(every(field, 10.0 + 8.0 * longest as f64)) {
        let at = (x(place) + field / 2.0, bottom + 12.0);
        canvas.text(&map.values[0][place].to_string(), at, Anchor::Middle, LABEL)?;
    }
    for place in (0..counts[1]).step_by(every(high, 15.0)) {
        let at = (left - 8.0, y(place) + high / 2.0);
        canvas.text(&map.values[1][place].to_string(), at, Anchor::End, LABEL)?;
    }
    let name = |part: usize, room: f64| fitting(&map.names[part], LABEL.size, room);
    canvas.text(
        &name(0, width.max(120.0)),
        (left + width / 2.0, bottom + 32.0),
        Anchor::Middle,
        SMALL,
    )?;
    canvas.text(
        &name(1, LEFT - 10.0),
        (left - 8.0, top - 12.0),
        Anchor::End,
        SMALL,
    )?;
    canvas.finish()?;
    Ok((WIDTH, total.round()))
}

/// The distributions of both parts, as bars above and on the right of the fields.
fn margins(
    canvas: &Canvas,
    map: &Map,
    (left, top, bottom): (f64, f64, f64),
    (field, high): (f64, f64),
) -> io::Result<()> {
    let color = appearance(0, 1, false).color;
    let length = MARGINS - 40.0;
    let right = left + field * map.values[0].len() as f64;
    for (part, shares) in map.margins.iter().enumerate() {
        let highest = shares.iter().copied().fold(0.0, f64::max);
        for (place, &share) in shares.iter().enumerate() {
            let bar = if highest > 0.0 {
                share / highest * length
            } else {
                0.0
            };
            let (rect, at, anchor) = if part == 0 {
                let start = left + place as f64 * field;
                let rect = Rect {
                    left: start + field * 0.12,
                    top: top - 6.0 - bar,
                    right: start + field * 0.88 - 1.0,
                    bottom: top - 6.0,
                };
                (rect, (start + field / 2.0, rect.top - 9.0), Anchor::Middle)
            } else {
                let start = bottom - (place + 1) as f64 * high;
                let rect = Rect {
                    left: right + 6.0,
                    top: start + high * 0.12,
                    right: right + 6.0 + bar,
                    bottom: start + high * 0.88 - 1.0,
                };
                (rect, (rect.right + 5.0, start + high / 2.0), Anchor::Start)
            };
            if share > 0.0 {
                canvas.fill(rect, color)?;
                let is_readable = if part == 0 {
                    field >= READABLE_FIELD
                } else {
                    high >= 14.0
                };
                if is_readable {
                    let font = Font {
                        size: SMALLEST,
                        ..SMALL
                    };
                    canvas.text(&short_percent(share), at, anchor, font)?;
                }
            }
        }
    }
    Ok(())
}
