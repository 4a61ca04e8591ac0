//! The same reports that the command writes, from a program: a table for people, CSV for spreadsheets.
//!
//! Run with `cargo run --example report_of_a_rule`.

use std::error::Error;
use std::io;

use dicedist::Rule;
use dicedist::report::{self, Answered, Query, Report, Style};
use dicedist::source::Shown;

fn main() -> Result<(), Box<dyn Error>> {
    let mut rules = Vec::new();
    for rule in ["d20", "high 1 2#d20"] {
        rules.push(Answered::new(rule, Rule::bones(rule)?.solver().answer()?));
    }

    let mut out = Shown::on(io::stdout().lock());
    let mut style = Style::default();
    style.digits = 1;
    style.queries = vec![Query::AtLeast(15.into())];
    let report = Report::of(&rules);
    report::table::write(&report, &style, &mut out)?;
    report::queries::write(&report, &style, &mut out)?;
    report::csv::write(&report, &Style::default(), &mut out)?;
    Ok(())
}
