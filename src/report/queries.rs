//! Writes only the probabilities of queries, each as a percentage, a decimal and an exact fraction.
//!
//! [`super::csv`] and [`super::markdown`] write queries in their own forms.

use std::io;

use super::chance::{Chance, readable};
use super::events::{self, why_not};
use super::grid::{Align, Column, Grid};
use super::people::{self, Block, Medium};
use super::{Answered, Report, Style, labels, targets};
use crate::source::Shown;
use crate::summary::Figure;

/// Writes a line for each rule and query of the style: percentage, decimal and exact fraction. A fraction with more than ten
/// thousand digits is left out.
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
/// use dicedist::report::{self, Answered, Query, Report, Style};
/// use dicedist::source::Shown;
///
/// let faces = (1_i64..=8).map(|face| (Integer::from(face), 1u32.into()));
/// let d8 = Answer::exact(Outcomes::Numbers(Distribution::new(faces, 8u32.into())), 8);
/// let mut style = Style::default();
/// style.queries = vec![Query::AtLeast(Integer::from(6_i64))];
/// let mut text = Shown::on(Vec::new());
/// report::queries::write(&Report::of(&[Answered::new("d8", d8)]), &style, &mut text)?;
/// assert_eq!(text.to_string(), "at least 6  37.5000%  0.375000  3/8\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    let blocks = blocks(report, style, Medium::Terminal);
    people::write(&blocks, Medium::Terminal, style, out)
}

/// The queries with their probabilities: a line for each rule, or for each query to the only rule.
pub(super) fn blocks(report: &Report, style: &Style, medium: Medium) -> Vec<Block> {
    match report.rules {
        _ if style.queries.is_empty() => Vec::new(),
        [] => Vec::new(),
        [rule] => vec![Block::Grid(of_one(rule, report, style, medium))],
        rules => targets::blocks(rules, style, medium),
    }
}

/// The headings of what is said of each query to a rule.
const HEADINGS: [(&str, Align); 4] = [
    ("event", Align::Left),
    ("probability", Align::Right),
    ("decimal", Align::Right),
    ("fraction", Align::Left),
];

fn of_one(rule: &Answered, report: &Report, style: &Style, medium: Medium) -> Grid {
    let lines = style.queries.iter().map(|query| {
        let event = events::event(query, rule);
        let Some(chance) = Chance::of(query, rule) else {
            return [event, "-".into(), "-".into(), why_not(rule, query).into()];
        };
        let fraction = match (chance.bound(style.digits), &chance.known) {
            (Some(bound), _) => format!("sampled, {bound}"),
            (None, Figure::Exact(exact)) => readable(exact, style),
            (None, Figure::Between { low, high }) => {
                format!("{} to {}", readable(low, style), readable(high, style))
            }
        };
        let (percent, decimal) = (
            chance.percent(style.digits),
            chance.decimal(style.digits + 2),
        );
        [event, percent, decimal, fraction]
    });
    let lines: Vec<[String; 4]> = lines.collect();
    let cells = |column: usize| lines.iter().map(|line| line[column].clone()).collect();
    let columns = HEADINGS.into_iter().enumerate();
    let mut columns: Vec<Column> = columns
        .map(|(index, (heading, align))| Column::of(heading, cells(index), align))
        .collect();
    // The rule stands in each line if others were refused.
    let (mut corner, labels) = if report.refused.is_empty() {
        columns.remove(0);
        (HEADINGS[0].0, cells(0))
    } else {
        let name = &labels(report.rules).short[0];
        ("rule", vec![name.clone(); lines.len()])
    };
    if medium == Medium::Terminal {
        // All parts belong to one column, so that a long fraction makes long lines and not further panels.
        let parts = columns.into_iter().flat_map(|column| column.parts);
        let (heading, parts) = (String::new(), parts.collect());
        (corner, columns) = ("", vec![Column { heading, parts }]);
    }
    Grid {
        corner: corner.into(),
        labels,
        align: Align::Left,
        columns,
    }
}
