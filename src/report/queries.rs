//! Writes only the probabilities of queries, each as a percentage, a decimal and an exact fraction.
//!
//! [`super::csv`] and [`super::markdown`] write queries in their own forms.

use std::io;

use super::chance::{Chance, readable};
use super::events::{self, why_not};
use super::grid::{Align, Column, Grid, Part};
use super::markup::Page;
use super::targets::Targets;
use super::{Labels, Report, Style, labels};
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
    let rules = report.rules;
    if rules.is_empty() || style.queries.is_empty() {
        return Ok(());
    }
    if rules.len() > 1 {
        return Targets::of(rules, style).write(style, out);
    }
    let Lines { names, parts } = Lines::of(report, style);
    let mut parts: Vec<Part> = parts
        .into_iter()
        .map(|(_, cells, align)| Part::new(cells, align))
        .collect();
    let labels = match names {
        Some(names) => names,
        None => parts.remove(0).into_cells(),
    };
    // All parts belong to one column, so that a long fraction makes long lines and not further panels.
    let grid = Grid {
        corner: String::new(),
        labels,
        align: Align::Left,
        columns: vec![Column {
            heading: String::new(),
            parts,
        }],
    };
    grid.write(style.width, style.color, out)
}

/// Writes the queries as a Markdown table.
pub(crate) fn write_markdown(
    report: &Report,
    style: &Style,
    page: &mut Page<'_, impl io::Write>,
) -> io::Result<()> {
    if report.rules.len() > 1 {
        return Targets::of(report.rules, style).write_markdown(page);
    }
    let Lines { names, parts } = Lines::of(report, style);
    let mut parts = parts.into_iter();
    let (corner, labels) = match names {
        Some(names) => ("rule", names),
        None => parts
            .next()
            .map_or(("", Vec::new()), |(heading, cells, _)| (heading, cells)),
    };
    let grid = Grid {
        corner: corner.into(),
        labels,
        align: Align::Left,
        columns: parts
            .map(|(heading, cells, align)| Column::of(heading, cells, align))
            .collect(),
    };
    grid.write_markdown(page)
}

/// The lines of a rule and its queries, by columns.
struct Lines {
    /// The rule of each line, if others were refused.
    names: Option<Vec<String>>,
    /// The headings and cells of the columns: the events, then their probabilities.
    parts: [(&'static str, Vec<String>, Align); 4],
}

impl Lines {
    fn of(report: &Report, style: &Style) -> Self {
        let rules = report.rules;
        let Labels { short, .. } = labels(rules);
        let mut names = Vec::new();
        let [mut said, mut percentages, mut decimals, mut fractions] = [const { Vec::new() }; 4];
        for (rule, name) in rules.iter().zip(&short) {
            for query in &style.queries {
                names.push(name.clone());
                said.push(events::event(query, rule));
                let chance = Chance::of(query, rule);
                let text = |text: &dyn Fn(&Chance) -> String| {
                    chance.as_ref().map_or_else(|| "-".into(), text)
                };
                percentages.push(text(&|chance| chance.percent(style.digits)));
                decimals.push(text(&|chance| chance.decimal(style.digits + 2)));
                fractions.push(match &chance {
                    None => why_not(rule, query).into(),
                    Some(chance) => match (chance.bound(style.digits), &chance.known) {
                        (Some(bound), _) => format!("sampled, {bound}"),
                        (None, Figure::Exact(exact)) => readable(exact, style),
                        (None, Figure::Between { low, high }) => {
                            format!("{} to {}", readable(low, style), readable(high, style))
                        }
                    },
                });
            }
        }
        Self {
            names: (!report.refused.is_empty()).then_some(names),
            parts: [
                ("event", said, Align::Left),
                ("probability", percentages, Align::Right),
                ("decimal", decimals, Align::Right),
                ("fraction", fractions, Align::Left),
            ],
        }
    }
}
