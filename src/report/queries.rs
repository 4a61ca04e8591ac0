//! Writes only the probabilities of queries, each as a percentage, a decimal and an exact fraction.
//!
//! [`super::csv`] and [`super::markdown`] write queries in their own forms.

use std::io;

use super::chance::Chance;
use super::events::{self, why_not};
use super::grid::{Align, Column, Grid};
use super::people::{self, Block, Medium};
use super::{Answered, Report, Style, labels, targets};
use crate::source::Shown;

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
/// use dicedist::Dist;
/// use dicedist::report::{self, Answered, Query, Report, Style};
/// use dicedist::source::Shown;
///
/// let d8: Dist = Dist::uniform(1..=8);
/// let mut style = Style::default();
/// style.queries = vec![Query::AtLeast(6.into())];
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
        [] => Vec::new(),
        _ if style.queries.is_empty() => Vec::new(),
        [rule] => vec![Block::Grid(of_one(rule, report, style, medium))],
        rules => targets::blocks(rules, style, medium),
    }
}

/// The headings of the columns for each query to a rule.
const HEADINGS: [(&str, Align); 4] = [
    ("event", Align::Left),
    ("probability", Align::Right),
    ("decimal", Align::Right),
    ("fraction", Align::Left),
];

fn of_one(rule: &Answered, report: &Report, style: &Style, medium: Medium) -> Grid {
    let digits = style.digits;
    let lines = style.queries.iter().map(|query| {
        let event = events::event(query, rule);
        match Chance::of(query, rule) {
            None => [event, "-".into(), "-".into(), why_not(rule, query).into()],
            Some(chance) => [
                event,
                chance.percent(digits),
                chance.decimal(digits + 2),
                chance.fraction(style),
            ],
        }
    });
    let lines: Vec<[String; 4]> = lines.collect();
    let columns = HEADINGS.into_iter().enumerate();
    let mut columns = columns.map(|(column, (heading, align))| {
        let cells = lines.iter().map(|line| line[column].clone());
        Column::of(heading, cells.collect(), align)
    });
    // The rule stands in each line if others were refused.
    let rule = (!report.refused.is_empty()).then(|| {
        let names = labels(report.rules).short.into_iter().cycle();
        Column::of("rule", names.take(lines.len()).collect(), Align::Left)
    });
    let mut first = rule.or_else(|| columns.next()).unwrap_or_default();
    let mut columns: Vec<Column> = columns.collect();
    if medium == Medium::Terminal {
        // All parts belong to one column, so that a long fraction makes long lines and not further panels.
        let parts = columns.into_iter().flat_map(|column| column.parts);
        let (heading, parts) = (String::new(), parts.collect());
        first.heading.clear();
        columns = vec![Column { heading, parts }];
    }
    Grid::new(first, columns)
}
