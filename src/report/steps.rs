//! Writes the pool after each step of a script: the expected number of each value, the size and the sum.

use std::io::{self, Write as _};

use super::decimal;
use super::grid::{Align, Column, Grid, Subcolumn};
use super::people::{self, Block, Medium};
use super::sheet::Sheet;
use super::table::with_bars;
use super::{Answered, Report, Style};
use crate::algebra::weight::probability;
use crate::engine::{Answer, Outcomes};
use crate::number::Fraction;
use crate::source::Shown;
use crate::summary::Summary;

/// One step with its answers.
#[derive(Clone, Debug)]
pub struct Step {
    /// The heading: the instruction and its place.
    pub heading: String,
    /// The share of each value among all members; `None` for a pool that is always empty.
    pub members: Option<Answer>,
    /// The number of members.
    pub size: Answer,
    /// The sum of the members.
    pub sum: Answer,
}

/// Writes, for each step, the expected number of members of each value, and the distributions of the size and of the sum.
///
/// # Errors
///
/// The errors of writing to `out`.
pub fn write(steps: &[Step], style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    for step in steps {
        let mut blocks = vec![Block::Title(step.heading.clone())];
        blocks.extend(expected(step, style).map(Block::Grid));
        for (name, answer) in [("size", &step.size), ("sum", &step.sum)] {
            let rules = [Answered::new(name, answer.clone())];
            let report = Report::of(&rules);
            let sheet = Sheet::of(&rules, style, None)?;
            let mut grid = with_bars(&report, &sheet, &[name.into()], style, Medium::Terminal)?;
            grid.labels.heading = name.into();
            blocks.push(Block::Grid(grid));
            let note = sheet.note.iter();
            blocks.extend(note.map(|note| Block::Remark(style.with_way_to_all(note))));
        }
        people::write(&blocks, Medium::Terminal, style, out)?;
        writeln!(out)?;
    }
    Ok(())
}

/// The expected number of members of each value, and of all members.
fn expected(step: &Step, style: &Style) -> Option<Grid> {
    let members = step.members.as_ref()?;
    let size = Summary::of(&step.size).mean.finite()?.clone();
    let Outcomes::Numbers(shares) = members.outcomes() else {
        return None;
    };
    let (mut labels, mut counts): (Vec<String>, Vec<Fraction>) = shares
        .iter()
        .map(|(value, weight)| {
            let share = probability(weight, shares.total());
            (value.to_string(), share * &size)
        })
        .unzip();
    labels.push("all".into());
    counts.push(size);
    let decimals = counts
        .iter()
        .map(|count| decimal::fixed(count, style.digits))
        .collect();
    let mut parts = vec![Subcolumn::new(decimals, Align::Right)];
    if style.fractions {
        let fractions = counts.iter().map(ToString::to_string).collect();
        parts.push(Subcolumn::new(fractions, Align::Left));
    }
    let heading = "expected".into();
    Some(Grid::new(
        Column::of("value", labels, Align::Right),
        [Column { heading, parts }],
    ))
}
