//! `--trace`: the pool after each step of a rule.

use std::collections::BTreeSet;

use dicedist::ErrorKind;
use dicedist::ask::Series;
use dicedist::engine;
use dicedist::limits::Budget;
use dicedist::report::{Style, steps};
use dicedist::source::{Span, shortened};

use super::destination::to_standard_output;
use super::progress::Progress;
use super::status::Stop;
use super::watch;

/// The longest text of a step that is shown in its heading, in characters.
const MOST_SHOWN: usize = 60;

/// Prints the steps of each rule, up to the first without an answer. The answer of the whole rule then says why.
pub(super) fn print(
    all: &[Series],
    budget: &Budget<'_>,
    style: &Style,
    quiet: bool,
) -> Result<(), Stop> {
    let mut seen = BTreeSet::new();
    let mut traced = Vec::new();
    for series in all.iter().filter(|series| seen.insert(series.rule)) {
        let Some(steps) = series.parsed.steps() else {
            return Err(Stop::usage(format!(
                "--trace follows the steps of a script, and a rule in {} has none",
                series.parsed.dialect()
            )));
        };
        traced.push((series, steps));
    }
    for (series, steps) in traced {
        let mut answered = Vec::with_capacity(steps.len());
        for step in steps {
            let progress = Progress::start(series.label(), quiet, false);
            let answer = |program| {
                // The rule itself comes after its steps, so nothing takes more than half of the time.
                engine::analyze(program, &budget.share(all.len() + 1), &progress)
            };
            let members = match answer(&step.members) {
                Ok(members) => Some(members),
                // The pool is always empty.
                Err(error) if error.kind() == ErrorKind::Domain => None,
                Err(_) => {
                    stop_if_interrupted()?;
                    break;
                }
            };
            let (Ok(size), Ok(sum)) = (answer(&step.size), answer(&step.sum)) else {
                stop_if_interrupted()?;
                break;
            };
            answered.push(steps::Step {
                heading: heading(series, step.span),
                members,
                size,
                sum,
            });
        }
        let overtime = watch::overtime(budget);
        let writing = Budget::start(&overtime, budget.observer());
        to_standard_output(&writing, |out| steps::write(&answered, style, out))?;
    }
    Ok(())
}

fn stop_if_interrupted() -> Result<(), Stop> {
    if watch::is_interrupted() {
        return Err(Stop::Interrupted);
    }
    Ok(())
}

/// The text of a step, and its line.
fn heading(series: &Series, span: Span) -> String {
    let words: Vec<&str> = series.source.slice(span).split_whitespace().collect();
    let text = words.join(" ");
    let text = shortened(&text, MOST_SHOWN);
    let line = series.source.position(span.start).line;
    format!("after `{text}` (line {line})")
}
