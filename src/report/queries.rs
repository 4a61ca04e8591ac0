//! Just the probabilities that were asked for by name, each as a decimal and an exact fraction.

use std::io;

use super::decimal;
use super::figures::{self, between};
use super::grid::{Align, Column, Grid, Part};
use super::{Answered, Labels, Style, labels};
use crate::number::Fraction;
use crate::summary::{self, Figure};

/// Writes a line for each rule and query of the style: percentage, decimal and exact fraction.
///
/// # Errors
///
/// Those of `out`.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Distribution;
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::Integer;
/// use dicedist::report::{self, Answered, Query, Style};
///
/// let faces = (1_i64..=8).map(|face| (Integer::from(face), 1u32.into()));
/// let d8 = Answer::exact(Outcomes::Numbers(Distribution::new(faces, 8u32.into())), 8);
/// let style = Style {
///     queries: vec![Query::AtLeast(Integer::from(6_i64))],
///     ..Style::default()
/// };
/// let mut text = Vec::new();
/// report::queries::write(&[Answered::new("d8", d8)], &style, &mut text)?;
/// assert_eq!(String::from_utf8(text)?, "at least 6  37.5000%  0.375000  3/8\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(rules: &[Answered], style: &Style, out: &mut impl io::Write) -> io::Result<()> {
    if rules.is_empty() || style.queries.is_empty() {
        return Ok(());
    }
    let Labels { shared, short, .. } = labels(rules);
    if let Some(title) = shared {
        writeln!(out, "{title}\n")?;
    }
    let mut grid = Grid {
        corner: String::new(),
        labels: Vec::new(),
        align: Align::Left,
        columns: Vec::new(),
    };
    let [mut events, mut percentages, mut decimals, mut fractions] = [const { Vec::new() }; 4];
    for (rule, name) in rules.iter().zip(&short) {
        for query in &style.queries {
            let words = format!("{} {}", query.name().replace('-', " "), query.value());
            if rules.len() > 1 {
                grid.labels.push(name.clone());
                events.push(words);
            } else {
                grid.labels.push(words);
            }
            let event = summary::event(&rule.answer, query);
            let sampled = rule.answer.sampling().is_some();
            // Of a sample, what was seen, with its bounds where else the fraction is.
            let seen = sampled.then(|| {
                let weight = summary::listed_weight(&rule.answer, query);
                Figure::Exact(rule.answer.probability(&weight))
            });
            let text = |text: &dyn Fn(&Fraction) -> String| {
                let figure = event.as_ref().map(|event| seen.as_ref().unwrap_or(event));
                figure.map_or_else(|| "-".into(), |figure| between(figure, text))
            };
            let percent = |share: &Fraction| figures::percent(share, style.digits);
            percentages.push(text(&percent));
            decimals.push(text(&|share| decimal::fixed(share, style.digits + 2)));
            fractions.push(match &event {
                None => "a list has no order".into(),
                Some(event) if sampled => format!("sampled, {}", between(event, percent)),
                Some(Figure::Exact(exact)) => exact.to_string(),
                Some(Figure::Between { low, high }) => format!("{low} to {high}"),
            });
        }
    }
    let columns = [
        (events, Align::Left),
        (percentages, Align::Right),
        (decimals, Align::Right),
        (fractions, Align::Left),
    ];
    let columns = columns.into_iter().filter(|(cells, _)| !cells.is_empty());
    // One column of parts: a long fraction makes long lines, not panels.
    grid.columns.push(Column {
        heading: String::new(),
        parts: columns
            .map(|(cells, align)| Part::new(cells, align, None))
            .collect(),
    });
    grid.write(style.width, style.color, out)
}
