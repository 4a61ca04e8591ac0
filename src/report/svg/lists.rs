//! Draws lists, one horizontal bar for each. Of many lists the most likely are drawn, and one bar for the rest.

use std::io;

use super::axis::{percent_label, round_step, ticks};
use super::canvas::{Anchor, Canvas, Rect, fitting, text_width};
use super::chart::short_percent;
use super::frame::{self, LABEL, MARGIN, SMALL, Sample, WIDTH};
use super::palette::{AXIS, GRID, WHITE};
use super::picture::{Picture, shortened};
use crate::algebra::Weight;
use crate::engine::Answer;
use crate::report::lists::{Lists, Place, list_label};
use crate::report::scale::Scale;
use crate::report::sheet::{shape_of, unit_of};
use crate::report::{Answered, WITHOUT_VALUE};

/// The largest number of lists that are drawn by themselves.
const MOST_LISTS: usize = 30;

/// The length of the longest number in characters, which fits into [`LABELS`].
const LONGEST_VALUE: usize = 32;

/// The largest width of the labels.
const LABELS: f64 = 280.0;

/// The height of a bar, and the gap between the bars of one list and the next.
const BAR: f64 = 13.0;
const GAP: f64 = 7.0;

/// The space above the bars, for a note, and below them, for the axis.
const HEAD: f64 = 30.0;
const FOOT: f64 = 40.0;

struct Row {
    label: String,
    shares: Vec<f64>,
    hatched: bool,
}

impl Row {
    /// The rules in which the row has a positive share, with the share.
    fn possible(&self) -> impl Iterator<Item = (usize, f64)> {
        let shares = self.shares.iter().copied().enumerate();
        shares.filter(|(_, share)| *share > 0.0)
    }
}

/// Draws the lists into `buffer`; returns the size of the picture.
pub(super) fn draw(
    rules: &[Answered],
    picture: &Picture,
    buffer: &mut String,
) -> io::Result<(f64, f64)> {
    let (rows, note) = rows(rules);
    // A row has bars only for the rules in which it is possible.
    let bar = if rules.len() > 1 { BAR * 0.75 } else { BAR };
    let gap = if rules.len() > 1 { GAP * 1.5 } else { GAP };
    let group = |row: &Row| bar * row.possible().count().max(1) as f64;
    let rows_height: f64 = rows.iter().map(|row| group(row) + gap).sum();
    let body = rows_height + HEAD + FOOT;
    let height = (frame::head_height(picture) + body).round();
    let canvas = Canvas::new(buffer, WIDTH, height)?;
    let head = frame::head(&canvas, picture, Sample::Block)?;
    let legend = frame::legend_width(picture);

    let widths = rows.iter().map(|row| text_width(&row.label, LABEL.size));
    let label_room = widths.fold(0.0, f64::max).min(LABELS);
    let left = MARGIN + label_room + 10.0;
    let right = WIDTH - MARGIN - legend - 58.0;
    let top = head + HEAD;
    let bottom = top + rows_height;
    let named = rows
        .iter()
        .filter(|row| !row.hatched)
        .flat_map(|row| &row.shares);
    let all = rows.iter().flat_map(|row| &row.shares);
    // The rest may have a much higher share than every list. Then its bar is cut off.
    let highest = named.copied().fold(0.0, f64::max);
    let whole = all.copied().fold(0.0, f64::max);
    let highest = if whole <= highest * 2.5 || highest == 0.0 {
        whole
    } else {
        highest
    };
    let step = round_step((highest / 5.0).max(1e-300));
    let end = ((highest * 1.02 / step).ceil() * step).min(1.0);
    let x = |share: f64| left + (share / end).min(1.0) * (right - left);

    canvas.text(&note, (left, head + 6.0), Anchor::Start, SMALL)?;
    for share in ticks(0.0, end, step).values {
        canvas.line(&[(x(share), top - 4.0), (x(share), bottom)], GRID, 1.0)?;
        let label = percent_label(share, step);
        canvas.text(&label, (x(share), bottom + 14.0), Anchor::Middle, LABEL)?;
    }
    let appearances = frame::appearances(picture);
    let mut row_top = top;
    for row in &rows {
        let height = group(row) + gap;
        let middle = row_top + height / 2.0;
        let mut upper = row_top + gap / 2.0;
        row_top += height;
        let label = if row.label.contains(' ') {
            fitting(&row.label, LABEL.size, label_room + 1.0)
        } else {
            shortened(&row.label, LONGEST_VALUE)
        };
        canvas.text(&label, (left - 8.0, middle), Anchor::End, LABEL)?;
        for (rule, share) in row.possible() {
            let appearance = appearances[rule];
            let rect = Rect {
                left,
                top: upper,
                right: x(share).max(left + 0.8),
                bottom: upper + bar,
            };
            upper += bar;
            if row.hatched {
                canvas.hatch(rect, appearance.color)?;
            } else {
                canvas.fill(rect, appearance.color)?;
            }
            if rules.len() == 1 {
                let at = (rect.right + 6.0, middle);
                canvas.text(&short_percent(share), at, Anchor::Start, SMALL)?;
                if share > end {
                    let gap = Rect {
                        left: rect.right - 26.0,
                        top: rect.top - 2.0,
                        right: rect.right - 20.0,
                        bottom: rect.bottom + 2.0,
                    };
                    canvas.fill(gap, WHITE)?;
                }
            }
        }
    }
    canvas.line(&[(left, top - 4.0), (left, bottom)], AXIS, 1.2)?;
    frame::side(
        &canvas,
        picture,
        Sample::Block,
        WIDTH - MARGIN - legend + 8.0,
        (top, bottom),
    )?;
    canvas.finish()?;
    Ok((WIDTH, height))
}

/// The rows: all lists in order if they are few, else the most likely lists and the rest; then mass without a value.
fn rows(rules: &[Answered]) -> (Vec<Row>, String) {
    let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
    let Lists {
        shown,
        left_out,
        rest,
    } = Lists::of(&answers, MOST_LISTS);
    let scales: Vec<Scale> = answers
        .iter()
        .map(|answer| Scale::new(answer.total()))
        .collect();
    let note = if left_out > 0 {
        let count = shown.len() + left_out;
        let are_numbers = answers.iter().all(|answer| answer.numbers().is_some());
        let what = if are_numbers { "values" } else { "lists" };
        format!("probability, of the {MOST_LISTS} most likely of {count} {what}")
    } else {
        "probability".into()
    };
    let rest = (left_out > 0).then(|| Row {
        label: format!("{left_out} others"),
        shares: shares(&scales, &rest),
        hatched: true,
    });
    let named = shown.into_iter().map(|(list, places)| {
        let share = |(place, scale): (Place, &Scale)| {
            place.map_or(0.0, |(_, weight)| scale.nearest(weight))
        };
        Row {
            label: list_label(list, unit_of(&answers), shape_of(&answers)),
            shares: places.into_iter().zip(&scales).map(share).collect(),
            hatched: false,
        }
    });
    let mut rows: Vec<Row> = named.chain(rest).collect();
    let without_value = WITHOUT_VALUE.map(|(label, mass)| {
        let weights: Vec<Weight> = rules.iter().map(|rule| mass(&rule.answer)).collect();
        (label, weights)
    });
    let tails: Vec<Weight> = answers.iter().map(|answer| answer.tail_weight()).collect();
    for (label, weights) in [("tails", tails)].into_iter().chain(without_value) {
        let shares = shares(&scales, &weights);
        if shares.iter().any(|share| *share > 0.0) {
            rows.push(Row {
                label: label.into(),
                shares,
                hatched: true,
            });
        }
    }
    (rows, note)
}

/// The weight of each rule as a share.
fn shares(scales: &[Scale], weights: &[Weight]) -> Vec<f64> {
    let share = |(scale, weight): (&Scale, &Weight)| scale.nearest(weight);
    scales.iter().zip(weights).map(share).collect()
}
