//! Draws answers as an SVG picture: bars for a few values, an outline for many, dots or curves for a few rules, histograms or shaded
//! cells for many, horizontal bars for lists, stacked ones for labels.
//!
//! `chart` decides what is shown, from exact sums. The other modules draw the chart on a `canvas`, which is the SVG document. No font
//! file is needed: the viewer sets the text, and its width is only estimated, with room to spare. The same input gives the same
//! bytes.
//!
//! - Each mark says beside the pointer of a browser what its value and its chance are. The description has the same in words.
//! - A page that is dark has colours of its own.
//! - In the layout [`Layout::Transposed`] the rules stand along the horizontal axis, and each value is a line. So they do where
//!   chances are asked of a sweep: each question is a line.
//! - The chance that is asked of one rule is the part of the picture in full colour.
//! - Series differ in colour, which also differs in grey. Their names stand beside them where there is room, else in a legend.
//! - Labels of several rules are bars of segments, and so are conditions.
//! - A record of two numbers is a heat map with its margins; the parts of a longer record stand side by side, like rules.
//! - Mass at no single value is hatched: tails, unresolved mass, and rolls that never end.
//! - Far ends with less than 0.1% of every rule are cut off, and a note says so. A value far beyond all others has a column after a
//!   break of the axis.

// Doubles are places on the picture here. Every probability was summed exactly before it became a double.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_arithmetic,
    reason = "drawing"
)]

mod asked;
mod axis;
mod below;
mod beside;
mod canvas;
mod cells;
mod chance;
mod chart;
mod direct;
mod frame;
mod heat;
mod histograms;
mod kind;
mod lanes;
mod lists;
mod marks;
mod names;
mod outline;
mod pairs;
mod palette;
mod picture;
mod plot;
mod rows;
mod shared;
mod slots;
mod stacked;
mod text;
mod transposed;
mod upright;
mod viewport;

use std::io;

use super::{Answered, Layout, Report, Style, View};
use cells::Cells;
use chart::Chart;
use kind::{FEW, Kind};
use lanes::Lanes;
use pairs::Pairs;
use picture::Picture;
use transposed::Lines;

/// Writes all rules as one SVG document.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Distribution;
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::Integer;
/// use dicedist::report::{self, Answered, Report, Style};
///
/// let faces = [1_i64, 2].map(|face| (Integer::from(face), 1u32.into()));
/// let coin = Answer::exact(Outcomes::Numbers(Distribution::new(faces, 2u32.into())), 2);
/// let mut svg = Vec::new();
/// report::svg::write(&Report::of(&[Answered::new("a <coin>", coin)]), &Style::default(), &mut svg)?;
/// assert!(String::from_utf8(svg)?.contains(">a &lt;coin&gt;</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut impl io::Write) -> io::Result<()> {
    write_below(report, style, None, out)
}

/// As [`write`], with lines below the title that say what is known of the whole, of which the rules are parts.
fn write_below(
    report: &Report,
    style: &Style,
    whole: Option<Vec<String>>,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let rules = report.rules;
    let summaries = report.summaries();
    let lines = match Lines::of_questions(report, style) {
        None if style.layout == Layout::Transposed => Lines::of(report, style)?,
        questions => questions,
    };
    let means: Vec<Option<f64>> = summaries
        .iter()
        .map(|summary| summary.mean.finite().and_then(chart::place))
        .collect();
    let segments = stacked::segments(rules).filter(|_| lines.is_none());
    let chart = match (&lines, &segments) {
        (None, None) => Chart::of(rules, &means, style.view, report.is_sweep()),
        _ => None,
    };
    let lines = match (lines, &chart, &segments) {
        // More rules than there are colours.
        (None, None, None) if rules.len() > FEW => Lines::of(report, style)?,
        (lines, _, _) => lines,
    };
    // Rows are drawn one by one, so there is no cumulative view of them.
    let view = match (&lines, &chart) {
        (None, None) => View::Exactly,
        _ => style.view,
    };
    let has_intervals = match (&lines, &chart) {
        (None, Some(chart)) => chart.has_intervals(),
        _ => false,
    };
    let mut picture = Picture::of(rules, summaries, style, view, has_intervals);
    if let (None, Some(chart), [rule], [summary]) = (&lines, &chart, rules, summaries) {
        // Each chance stands in its lane.
        if !style.queries.is_empty() && Lanes::of(chart, &picture).len() == style.queries.len() {
            picture.subtitle = vec![picture::detail(rule, summary, has_intervals)];
        }
    }
    if let Some(whole) = whole {
        picture.subtitle = whole;
    }
    let (canvas, height) = match (lines, chart, segments) {
        (Some(lines), _, _) => transposed::draw(&lines, &picture),
        (None, Some(chart), _) => match chart.kind {
            Kind::Field => {
                let lanes = Lanes::of(&chart, &picture);
                Cells::of(&chart, &picture).draw(&picture, &lanes)
            }
            Kind::Histograms => histograms::draw(&chart, &picture),
            _ => plot::draw(&chart, &picture),
        },
        (None, None, Some(segments)) => {
            // Of a few rules the answers stand below the title.
            if !picture.subtitle.is_empty() {
                picture.columns.clear();
            }
            stacked::draw(&segments, &picture)
        }
        (None, None, None) => match (Pairs::of(rules, style), parts(rules)) {
            (Some(pairs), _) => {
                picture.subtitle.append(&mut picture.remarks);
                heat::draw(&pairs, &picture)
            }
            (None, Some(parts)) => {
                let is_asked = !style.queries.is_empty();
                picture.subtitle.append(&mut picture.remarks);
                picture.subtitle.retain(|line| !line.is_empty());
                let asked = is_asked.then_some(picture.subtitle);
                let style = Style {
                    title: Some(picture.title),
                    queries: Vec::new(),
                    ..style.clone()
                };
                return write_below(&Report::of(&parts), &style, asked, out);
            }
            (None, None) => {
                picture.subtitle.splice(0..0, picture.remarks.drain(..));
                lists::draw(rules, &picture)
            }
        },
    };
    let document = canvas.into_document(height, &picture.title, &picture.description);
    out.write_all(document.as_bytes())
}

/// The distributions of the parts of the only rule, where its values are records of numbers: they stand side by side.
fn parts(rules: &[Answered]) -> Option<Vec<Answered>> {
    let [rule] = rules else {
        return None;
    };
    let names: Vec<&str> = rule.answer.part_names().collect();
    let parts = names.iter().map(|name| {
        let part = rule.answer.part(name)?;
        part.numbers()?;
        Some(Answered::new(*name, part))
    });
    parts
        .collect::<Option<Vec<_>>>()
        .filter(|parts| parts.len() > 1)
}
