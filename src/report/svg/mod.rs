//! Draws answers as an SVG picture: bars for a few values, an outline for many, a line or grouped bars for each of several
//! rules, horizontal bars for lists.
//!
//! `chart` decides what is shown, from exact sums. The other modules draw the chart with plotters on a `canvas`. No font file is
//! needed: the viewer sets the text, and its width is only estimated, with room to spare. The same input gives the same bytes.
//!
//! - In the layout [`Layout::Transposed`] the rules stand along the horizontal axis, and each value is a line. So they do where
//!   chances are asked of a sweep: each question is a line.
//! - The chance that is asked of one rule is the part of the picture in full colour.
//! - Two series differ in colour, in grey, and in dashes and markers or in place.
//! - Mass at no single value is hatched: tails, unresolved mass, and rolls that never end.
//! - Far ends with less than 0.1% of every rule are cut off, and a note says so.

// Doubles are places on the picture here. Every probability was summed exactly before it became a double.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_arithmetic,
    reason = "drawing"
)]

mod axis;
mod canvas;
mod chart;
mod frame;
mod heat;
mod lists;
mod numbers;
mod palette;
mod picture;
mod transposed;

use std::io;

use super::{Layout, Report, Style, View};
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
/// assert!(String::from_utf8(svg)?.contains("<title id=\"title\">a &lt;coin&gt;</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut impl io::Write) -> io::Result<()> {
    let rules = report.rules;
    let summaries = report.summaries();
    let lines = match Lines::of_questions(report, style) {
        None if style.layout == Layout::Transposed => Lines::of(report, style)?,
        questions => questions,
    };
    if let Some(lines) = lines {
        let of_rules = Picture::of(rules, summaries, style, style.view);
        let names = of_rules.names.clone();
        let picture = lines.picture(of_rules);
        let mut drawing = String::new();
        let size = transposed::draw(&lines, &names, &picture, &mut drawing)?;
        return out.write_all(document(&drawing, size, &picture).as_bytes());
    }
    let means: Vec<Option<f64>> = summaries
        .iter()
        .map(|summary| summary.mean.finite().and_then(chart::place))
        .collect();
    let chart = chart::Chart::of(rules, &means, style.view);
    // Rows are drawn one by one, so there is no cumulative view of them.
    let view = chart.as_ref().map_or(View::Exactly, |_| style.view);
    let picture = Picture::of(rules, summaries, style, view);
    let mut drawing = String::new();
    let size = match chart {
        Some(chart) => numbers::draw(&chart, &picture, &mut drawing)?,
        None => match heat::Map::of(rules) {
            Some(map) => heat::draw(&map, &picture, &mut drawing)?,
            None => lists::draw(rules, &picture, &mut drawing)?,
        },
    };
    out.write_all(document(&drawing, size, &picture).as_bytes())
}

/// The complete SVG document: the drawing with its size in pixels, a title, and a description for people who cannot see it.
fn document(drawing: &str, (width, height): (f64, f64), picture: &Picture) -> String {
    let body = drawing.split_once('>').map_or("", |(_, body)| body);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"title description\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>{body}",
        width * 10.0,
        height * 10.0,
        escaped(&picture.title),
        escaped(&picture.description),
        body = joined_lines(body),
    )
}

/// The drawing with consecutive lines of one colour and width, such as the dashes of a curve, joined to one path.
fn joined_lines(body: &str) -> String {
    let mut joined = String::with_capacity(body.len());
    let mut style = None;
    for line in body.split_inclusive('\n') {
        let polyline = line.strip_prefix("<polyline ").and_then(|rest| {
            let (own, rest) = rest.split_once("points=\"")?;
            Some((own, rest.split_once('"')?.0.trim_end()))
        });
        let own = polyline.map(|(own, _)| own);
        if style.is_some() && own != style {
            joined.push_str("\"/>\n");
        }
        match polyline {
            Some((own, points)) => {
                if Some(own) != style {
                    joined.extend(["<path ", own, "d=\""]);
                }
                joined.extend(["M", points]);
            }
            None => joined.push_str(line),
        }
        style = own;
    }
    if style.is_some() {
        joined.push_str("\"/>\n");
    }
    joined
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
