//! `--print-tree`: how a rule is read.

use std::io::Write as _;

use dicedist::ask::Series;
use dicedist::limits::Budget;

use super::destination::to_standard_output;
use super::status::Stop;

/// Prints the tree of each series in the words of its notation, and the core term that it stands for.
pub(super) fn print(all: &[Series], budget: &Budget<'_>) -> Result<(), Stop> {
    to_standard_output(budget, |out| {
        for (index, series) in all.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            if all.len() > 1 {
                writeln!(out, "{}:", series.label())?;
            }
            writeln!(out, "{}", series.parsed.tree().trim_end())?;
            writeln!(out, "\ncore:\n{}", series.reading.program)?;
        }
        Ok(())
    })
}
