//! Draws the rules side by side along the horizontal axis, with a line for each value, or for each question: how its chance changes
//! from rule to rule.

use std::io;

use super::axis::{percent_label, ticks};
use super::canvas::{Anchor, Canvas, Rect, fitting, text_width};
use super::frame::{self, LABEL, MARGIN, SMALL, Sample, WIDTH};
use super::numbers::share_axis;
use super::palette::{AXIS, GRID, SOFT_INK};
use super::picture::Picture;
use crate::limits::LimitReached;
use crate::number::Fraction;
use crate::report::scale::Scale;
use crate::report::sheet::{Row, Sheet};
use crate::report::{Answered, Report, Style, View, events, labels};

/// The height of the picture, in pixels.
const HEIGHT: f64 = 460.0;

/// The least width of the name of a rule below the axis.
const LEAST_NAME: f64 = 40.0;

/// The largest number of rules of a line that has markers.
const MOST_MARKERS: usize = 45;

/// The note on chances that are estimates.
const SAMPLED: &str = "some chances are sampled: shares of random rolls";

/// The note on chances that are known within bounds alone.
const OPEN: &str = "some chances are lower bounds, because a part is unresolved";

/// The values, each with its share in each rule.
pub(super) struct Lines {
    values: Vec<String>,
    shares: Vec<Vec<f64>>,
    notes: Vec<String>,
    what: What,
}

/// What the lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// The chances of what is asked. They are those of a sweep.
    Questions,
    Values,
}

impl Lines {
    /// The lines of several rules; `None` for one, of which there is nothing to follow.
    pub(super) fn of(report: &Report, style: &Style) -> Result<Option<Self>, LimitReached> {
        if report.rules.len() < 2 {
            return Ok(None);
        }
        let sheet = Sheet::of(report, style)?;
        let share = |row: &Row| -> Vec<f64> {
            let cells = row.cells.iter().zip(report.rules);
            let shares = cells.map(|(cell, rule)| match cell {
                Some(cell) => Scale::new(rule.answer.total()).nearest(&cell.weight),
                None => 0.0,
            });
            shares.collect()
        };
        let is_sampled = |rule: &Answered| rule.answer.sampling().is_some();
        let sampled = report.rules.iter().any(is_sampled).then(|| SAMPLED.into());
        Ok(Some(Self {
            shares: sheet.rows.iter().map(share).collect(),
            values: sheet.rows.into_iter().map(|row| row.label).collect(),
            notes: sheet.note.into_iter().chain(sampled).collect(),
            what: What::Values,
        }))
    }

    /// The lines of what is asked of the rules of a sweep; `None` for other rules, or if nothing is asked that has an answer.
    pub(super) fn of_questions(report: &Report, style: &Style) -> Option<Self> {
        let first = report.rules.first().filter(|_| report.is_sweep())?;
        let names = labels(report.rules).short;
        let mut lines = Self {
            values: Vec::new(),
            shares: Vec::new(),
            notes: Vec::new(),
            what: What::Questions,
        };
        let (mut is_sampled, mut is_open) = (false, false);
        for query in &style.queries {
            let shares = report.rules.iter().map(|rule| events::share(query, rule));
            let Some(shares) = shares.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let event = events::in_a_picture(query, first);
            let (signs, shares): (Vec<&str>, Vec<Fraction>) = shares.into_iter().unzip();
            is_sampled |= signs.contains(&"≈");
            is_open |= signs.contains(&"≥");
            let half = Fraction::new(1.into(), 2.into());
            let reached = shares.iter().position(|share| *share >= half);
            if let Some(reached) = reached.filter(|&reached| reached > 0) {
                lines.notes.push(format!(
                    "{event}: half of the time or more from {} on",
                    names[reached]
                ));
            }
            let share = |share: &Fraction| {
                Scale::new(share.denom().magnitude()).nearest(share.numer().magnitude())
            };
            lines.shares.push(shares.iter().map(share).collect());
            lines.values.push(event);
        }
        lines.notes.extend(is_sampled.then(|| SAMPLED.into()));
        lines.notes.extend(is_open.then(|| OPEN.into()));
        (!lines.values.is_empty()).then_some(lines)
    }

    /// The texts of the picture: its series are the values.
    pub(super) fn picture(&self, of_rules: Picture) -> Picture {
        let none = || vec![String::new(); self.values.len()];
        Picture {
            names: self.values.clone(),
            details: none(),
            means: none(),
            sweep: self.what == What::Values,
            subtitle: match &self.values[..] {
                [question] if self.what != What::Values => question.clone(),
                _ => of_rules.subtitle,
            },
            view: match self.what {
                What::Questions => View::AtLeast,
                What::Values => of_rules.view,
            },
            ..of_rules
        }
    }
}

/// Draws the lines into `buffer`, above the names of the rules; returns the size of the picture.
pub(super) fn draw(
    lines: &Lines,
    rules: &[String],
    picture: &Picture,
    buffer: &mut String,
) -> io::Result<(f64, f64)> {
    let canvas = Canvas::new(buffer, WIDTH, HEIGHT)?;
    let sample = Sample::Line { markers: true };
    let head = frame::head(&canvas, picture, sample)?;
    let highest = lines.shares.iter().flatten().copied().fold(0.0, f64::max);
    let (top, step) = share_axis(highest, picture.view);
    let shares = ticks(0.0, top, step);
    let labels: Vec<String> = shares
        .values
        .iter()
        .map(|share| percent_label(*share, step))
        .collect();
    let widths = labels.iter().map(|label| text_width(label, LABEL.size));
    let area = Rect {
        left: MARGIN + widths.fold(0.0, f64::max) + 10.0,
        top: head + 38.0,
        right: WIDTH - MARGIN - frame::legend_width(picture),
        bottom: HEIGHT - MARGIN - 26.0 - frame::notes_height(&lines.notes),
    };
    let slot = (area.right - area.left) / rules.len() as f64;
    let x = |rule: usize| area.left + (rule as f64 + 0.5) * slot;
    let y = |share: f64| area.bottom - share / top * (area.bottom - area.top);
    for (share, label) in shares.values.iter().zip(&labels) {
        let y = y(*share);
        canvas.line(&[(area.left, y), (area.right, y)], GRID, 1.0)?;
        canvas.text(label, (area.left - 8.0, y), Anchor::End, LABEL)?;
    }
    if lines.what == What::Questions {
        let middle = y(0.5);
        let ends = [(area.left, middle), (area.right, middle)];
        canvas.dashed(&ends, SOFT_INK, 1.2, &[5.0, 4.0])?;
        let half = (area.right - 4.0, middle - 9.0);
        canvas.text("50%", half, Anchor::End, SMALL)?;
    }
    let axis = match picture.view {
        _ if lines.what != What::Values => "chance",
        View::Exactly => "probability of each value",
        View::AtLeast => "probability of at least each value",
        View::AtMost => "probability of at most each value",
    };
    canvas.text(axis, (MARGIN, head + 6.0), Anchor::Start, SMALL)?;
    let markers = rules.len() <= MOST_MARKERS;
    for (shares, appearance) in lines.shares.iter().zip(frame::appearances(picture)) {
        let points = shares.iter().enumerate();
        let points: Vec<_> = points.map(|(rule, share)| (x(rule), y(*share))).collect();
        canvas.dashed(&points, appearance.color, 2.2, appearance.dash)?;
        for point in points.iter().filter(|_| markers) {
            frame::marker(&canvas, *point, appearance, 3.4)?;
        }
    }
    canvas.line(
        &[(area.left, area.bottom), (area.right, area.bottom)],
        AXIS,
        1.2,
    )?;
    let each = (LEAST_NAME / slot).ceil().max(1.0) as usize;
    for (rule, name) in rules.iter().enumerate().step_by(each) {
        let name = fitting(name, LABEL.size, slot * each as f64 - 4.0);
        canvas.text(&name, (x(rule), area.bottom + 16.0), Anchor::Middle, LABEL)?;
    }
    let sides = (area.top - 6.0, area.bottom);
    frame::side(&canvas, picture, sample, area.right + 14.0, sides)?;
    frame::notes(&canvas, &lines.notes, HEIGHT)?;
    canvas.finish()?;
    Ok((WIDTH, HEIGHT))
}
