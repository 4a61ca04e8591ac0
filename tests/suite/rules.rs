//! Rules from texts, in one step.

use dicedist::ir::Program;
use dicedist::{Answer, Dialect, Error, Limits, Rule};

/// The core program of a rule; of a rule with several results, that of the first.
pub(crate) fn read(dialect: Dialect, text: &str) -> Result<Program, Error> {
    let results = Rule::read(dialect, text)?.results()?;
    Ok(results[0].program()?.clone())
}

/// The answer of a rule with one result, with its lists as multisets.
pub(crate) fn analyze(dialect: Dialect, text: &str, limits: &Limits) -> Result<Answer, Error> {
    let rule = Rule::read(dialect, text)?;
    rule.solver().limits(limits.clone()).answer()
}
