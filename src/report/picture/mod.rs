//! Draws answers as a picture: upright bars, lines, horizontal bars, shaded cells, or histograms.
//!
//! `kind` decides how the answers are drawn. `values`, `rows`, `pairs` and `sweep` hold what is drawn, from exact sums; `upright`,
//! `level`, `cells`, `multiples` and `sweep` draw it. plotters maps values to places and draws the axes and the marks on a `page`,
//! which is the SVG document.
//!
//! - The chance that is asked of one rule is the part of the picture in full colour.
//! - Series differ in colour, which also differs in grey. Their names stand beside them where there is room, else in a legend.
//! - Mass at no single value is hatched: tails, unresolved mass, and rolls that never end.
//! - Ends with less than 0.1% of every rule are cut off, and a note says so. A value far beyond all others has a column after a
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
mod cells;
mod chance;
mod chart;
mod curves;
mod field;
mod frame;
mod kind;
mod lanes;
mod level;
mod mark;
mod means;
mod multiples;
mod names;
mod numbers;
mod page;
mod pairs;
mod palette;
mod plan;
mod rows;
mod sweep;
mod text;
mod upright;
mod values;
mod words;

use std::io;

use super::{Answered, Layout, Report, Style, View};
use chart::Chart;
use kind::{ChartKind, Contents, FEW, Values};
use lanes::Lanes;
pub(super) use plan::plan;
use values::Extent;
use words::Picture;

/// The SVG document of all rules.
pub(super) fn svg(report: &Report, style: &Style) -> io::Result<String> {
    document(report, style, None)
}

/// The document, with lines below the title that say what is known of the whole, of which the rules are parts.
fn document(report: &Report, style: &Style, whole: Option<Vec<String>>) -> io::Result<String> {
    let (rules, summaries) = (report.rules, report.summaries());
    if let Some((parts, picture)) = parts(report, style) {
        let asked = (!style.queries.is_empty()).then_some(picture.subtitle);
        let style = Style {
            title: Some(picture.title),
            queries: Vec::new(),
            ..style.clone()
        };
        return document(&Report::of(&parts), &style, asked);
    }
    let picture_of = |view, intervals| Picture::of(rules, summaries, style, view, intervals);
    let plain = picture_of(style.view, false);
    let is_transposed = style.layout == Layout::Transposed && rules.len() > 1;
    let labels = rows::labels(rules).filter(|_| rules.len() > 1 && !is_transposed);
    let (questions, extent) = (sweep::questions(report, style, &plain), Extent::of(rules));
    let pairs = pairs::chart_of(rules, style);
    let values = match (&questions, labels, &extent) {
        (Some((chart, _)), ..) => Values::Questions(chart.series.len()),
        (None, Some(labels), _) => Values::Labels(labels),
        (None, None, Some(extent)) => Values::Axis {
            slots: extent.slots,
            is_gappy: extent.is_gappy,
        },
        _ if pairs.is_some() => Values::Pairs,
        _ => Values::Listed,
    };
    // Few rules have no fan.
    let quantiles = (rules.len() > FEW).then(|| sweep::quantiles(rules, &plain));
    let quantiles = quantiles.flatten();
    let case = Contents {
        series: rules.len(),
        values,
        view: style.view,
        is_sweep: report.is_sweep(),
        has_fan: quantiles.is_some(),
    };
    let kind = kind::kind(case);
    if let Some((mut chart, picture)) = questions {
        chart.kind = kind;
        return Ok(drawn(&chart, &picture, values));
    }
    let is_axis = matches!(values, Values::Axis { .. });
    if let (Values::Axis { .. }, ChartKind::Lines, Some(quantiles)) = (values, kind, quantiles) {
        return Ok(plain.document(&sweep::fan(&quantiles, &plain)));
    }
    let has_intervals =
        is_axis && !is_transposed && !matches!(kind, ChartKind::Cells | ChartKind::Multiples);
    // Rows are drawn one by one, so there is no cumulative view of them.
    let view = if is_axis { style.view } else { View::Exactly };
    let mut picture = picture_of(view, has_intervals);
    picture.subtitle = whole.unwrap_or(picture.subtitle);
    if let (None, Some((chart, margins))) = (extent.as_ref().filter(|_| is_axis), pairs) {
        picture.subtitle.append(&mut picture.remarks);
        let canvas = cells::draw(&chart, &picture, Some(&margins));
        return Ok(picture.document(&canvas));
    }
    let is_wide = is_transposed || !is_axis && kind == ChartKind::Cells;
    let drawn_as = if is_transposed {
        ChartKind::Cells
    } else {
        kind
    };
    let mut chart = match extent.filter(|_| is_axis) {
        Some(extent) => values::chart(report, &extent, drawn_as, &picture)?,
        None => rows::chart(rules, &picture),
    };
    if is_wide {
        chart = sweep::transposed(chart, &mut picture);
        let values = Values::Questions(chart.series.len());
        chart.kind = kind::kind(Contents { values, ..case });
    }
    let lanes = Lanes::of(&chart, &picture).len();
    // Each chance stands in its lane.
    if let ([rule], [summary], true) = (rules, summaries, lanes > 0 && lanes == style.queries.len())
    {
        picture.subtitle = vec![words::detail(rule, summary, has_intervals)];
    }
    if chart.kind == ChartKind::Rows && !matches!(values, Values::Labels(_)) {
        picture.subtitle.splice(0..0, picture.remarks.drain(..));
    } else if chart.kind == ChartKind::Rows && !picture.subtitle.is_empty() {
        // Of a few rules the answers stand below the title.
        picture.columns.clear();
    }
    Ok(drawn(&chart, &picture, values))
}

/// The chart as it is drawn.
fn drawn(chart: &Chart, picture: &Picture, values: Values) -> String {
    let canvas = match chart.kind {
        ChartKind::Bars | ChartKind::Lines => upright::draw(chart, picture),
        ChartKind::Cells => cells::draw(chart, picture, None),
        ChartKind::Multiples => multiples::draw(chart, picture),
        ChartKind::Rows if matches!(values, Values::Labels(_)) => level::stacked(chart, picture),
        ChartKind::Rows => level::lists(chart, picture),
    };
    picture.document(&canvas)
}

/// The distributions of the parts of the only rule, where its values are records of numbers other than pairs, with the texts on the
/// whole: they stand side by side.
fn parts(report: &Report, style: &Style) -> Option<(Vec<Answered>, Picture)> {
    let rules = report.rules;
    let [rule] = rules else {
        return None;
    };
    let parts = rule.answer.part_names().map(|name| {
        let part = rule.answer.part(name)?;
        part.numbers()?;
        Some(Answered::new(name, part))
    });
    let parts = parts.collect::<Option<Vec<_>>>()?;
    if parts.len() < 2 || pairs::chart_of(rules, style).is_some() {
        return None;
    }
    let mut picture = Picture::of(rules, report.summaries(), style, View::Exactly, false);
    picture.subtitle.append(&mut picture.remarks);
    picture.subtitle.retain(|line| !line.is_empty());
    Some((parts, picture))
}
