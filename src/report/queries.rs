//! Writes only the probabilities of queries, each as a percentage, a decimal and an exact fraction.
//!
//! [`super::csv`] and [`super::markdown`] write queries in their own forms.

use std::io;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

use super::figures::{self, between};
use super::grid::{Align, Column, Grid, Part, escaped};
use super::{Answered, Labels, Query, Report, Style, labels, one_line};
use crate::algebra::weight::reduced;
use crate::number::Fraction;
use crate::summary::Figure;

/// The longest denominator of a fraction that is written, in bits: about ten thousand digits.
const LONGEST_FRACTION: u64 = 33_220;

/// The longest denominator of a fraction that is reduced, in bits.
const LONGEST_REDUCED: u64 = 1 << 19;

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
///
/// let faces = (1_i64..=8).map(|face| (Integer::from(face), 1u32.into()));
/// let d8 = Answer::exact(Outcomes::Numbers(Distribution::new(faces, 8u32.into())), 8);
/// let style = Style {
///     queries: vec![Query::AtLeast(Integer::from(6_i64))],
///     ..Style::default()
/// };
/// let mut text = Vec::new();
/// report::queries::write(&Report::of(&[Answered::new("d8", d8)]), &style, &mut text)?;
/// assert_eq!(String::from_utf8(text)?, "at least 6  37.5000%  0.375000  3/8\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut impl io::Write) -> io::Result<()> {
    let rules = report.rules;
    if rules.is_empty() || style.queries.is_empty() {
        return Ok(());
    }
    let Lines {
        title,
        names,
        parts,
    } = Lines::of(rules, style);
    if let Some(title) = title {
        writeln!(out, "{title}\n")?;
    }
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
    rules: &[Answered],
    style: &Style,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let Lines {
        title,
        names,
        parts,
    } = Lines::of(rules, style);
    if let Some(title) = title {
        writeln!(out, "**{}**\n", escaped(&title))?;
    }
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
    grid.write_markdown(out)
}

/// A fraction in lowest terms, or a remark that it is too long to read. A fraction with a very long denominator is reduced only
/// if its numerator becomes 1: otherwise the reduced fraction is hardly shorter, and reducing is slow.
fn readable(fraction: &Fraction) -> String {
    const TOO_LONG: &str = "(too long to read; --format json has it)";
    let (numerator, denominator) = (fraction.numer(), fraction.denom());
    let is_long = |denominator: &BigInt| denominator.bits() > LONGEST_FRACTION;
    if denominator.bits() <= LONGEST_REDUCED {
        let fraction = reduced(fraction);
        return if is_long(fraction.denom()) {
            TOO_LONG.into()
        } else {
            fraction.to_string()
        };
    }
    if numerator.is_zero() {
        return "0".into();
    }
    match denominator.div_rem(numerator) {
        (parts, rest) if rest.is_zero() && !is_long(&parts) => {
            Fraction::new(1.into(), parts).to_string()
        }
        _ => TOO_LONG.into(),
    }
}

/// Why a question has no answer.
fn why_not(rule: &Answered, query: &Query) -> &'static str {
    let shape = &rule.answer.shape;
    match query {
        _ if shape.parts().is_some() => {
            "a record: ask about its parts, as in --chance \"hits >= 2\""
        }
        Query::Exactly(_) | Query::Label(_) => "a list is no single value",
        _ if shape.is_single() => "labels have no order",
        _ => "a list has no order",
    }
}

/// The lines of all rules and queries, by columns.
struct Lines {
    title: Option<String>,
    /// The rule of each line, if there are several rules.
    names: Option<Vec<String>>,
    /// The headings and cells of the columns: the events, then their probabilities.
    parts: [(&'static str, Vec<String>, Align); 4],
}

impl Lines {
    fn of(rules: &[Answered], style: &Style) -> Self {
        let Labels { shared, short, .. } = labels(rules);
        let mut names = Vec::new();
        let [mut events, mut percentages, mut decimals, mut fractions] = [const { Vec::new() }; 4];
        for (rule, name) in rules.iter().zip(&short) {
            for query in &style.queries {
                names.push(name.clone());
                let words = query.name().replace('-', " ");
                events.push(match query {
                    Query::AtLeast(number) | Query::AtMost(number) | Query::Exactly(number) => {
                        format!("{words} {}", rule.answer.unit.show(number))
                    }
                    Query::Label(text) => format!("{words} {}", one_line(text)),
                    Query::Condition(text) => one_line(text),
                });
                let event = rule.event(query);
                // For a sample the observed share is shown, with bounds in place of the fraction.
                let seen = rule.seen(query).map(Figure::Exact);
                let sampled = seen.is_some();
                let text = |text: &dyn Fn(&Fraction) -> String| {
                    let figure = event.as_ref().map(|event| seen.as_ref().unwrap_or(event));
                    figure.map_or_else(|| "-".into(), |figure| between(figure, text))
                };
                let percent = |share: &Fraction| figures::percent(share, style.digits);
                percentages.push(text(&percent));
                decimals.push(text(&|share| figures::share(share, style.digits + 2)));
                fractions.push(match &event {
                    None => why_not(rule, query).into(),
                    Some(event) if sampled => format!("sampled, {}", between(event, percent)),
                    Some(Figure::Exact(exact)) => readable(exact),
                    Some(Figure::Between { low, high }) => {
                        format!("{} to {}", readable(low), readable(high))
                    }
                });
            }
        }
        Self {
            title: shared,
            names: (rules.len() > 1).then_some(names),
            parts: [
                ("event", events, Align::Left),
                ("probability", percentages, Align::Right),
                ("decimal", decimals, Align::Right),
                ("fraction", fractions, Align::Left),
            ],
        }
    }
}
