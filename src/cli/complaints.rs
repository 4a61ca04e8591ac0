//! Complaints about a whole call: what could not be answered, and the warnings, after all answers.
//!
//! In: the rules that were refused, and the warnings of all rules. Out: text or JSON on standard error.

use std::collections::BTreeSet;
use std::io::{self, Write as _};

use dicedist::Diagnostic;
use dicedist::ask::Series;
use dicedist::report::{self, Refused};
use dicedist::source::{Shown, Source, Span, escaped};

use super::alike::alike;
use super::status::Status;
use super::terminal::Color;
use super::{diagnostic, terminal};

/// The most errors, and the most warnings, that are shown in full: each takes time that grows with the text.
const MOST_SHOWN: usize = 100;

/// Says what is wrong with the call as a whole, rather than with one rule.
pub(super) fn about_all(is_json: bool, status: Status, message: &str) {
    let mut text = Shown::on(Vec::new());
    if is_json && report::json::write_failure(status.name(), message, &mut text).is_ok() {
        terminal::complain(text);
    } else {
        terminal::complain(format!("error: {}\n", escaped(message)));
    }
}

/// The warnings of all rules, each once: the series of a rule share theirs.
pub(super) struct Warnings(Vec<(Option<Source>, Diagnostic)>);

impl Warnings {
    /// The warnings, and with an explanation also the remarks about how the rules are read.
    pub(super) fn of(all: &[Series], explains: bool) -> Self {
        let mut seen: BTreeSet<(usize, Option<Span>, &str)> = BTreeSet::new();
        let mut warnings = Vec::new();
        let mut explained = BTreeSet::new();
        for series in all {
            for warning in &series.reading.warnings {
                if seen.insert((series.rule, warning.span, &warning.message)) {
                    warnings.push((Some(series.source.clone()), warning.clone()));
                }
            }
            if explains && explained.insert(series.rule) {
                let remarks = series.parsed.remarks().into_iter();
                warnings.extend(remarks.map(|remark| (Some(series.source.clone()), remark)));
            }
        }
        Self(warnings)
    }

    /// Adds a warning about one rule, or, without a source, about all.
    pub(super) fn add(&mut self, source: Option<Source>, warning: Diagnostic) {
        self.0.push((source, warning));
    }
}

/// Says what could not be answered, and what is probably not meant as it is written.
pub(super) fn write(color: Color, refused: &[Refused], warnings: &Warnings) {
    let color = color.is_on_complaints();
    let mut text = Shown::on(Vec::new());
    let mut write = || -> io::Result<()> {
        let mut groups = alike(refused).into_iter();
        for group in groups.by_ref().take(MOST_SHOWN) {
            let named = (group.name(), group.values());
            diagnostic::write_error(group.first, named, color, &mut text)?;
        }
        let more: usize = groups.map(|group| group.len()).sum();
        if more > 0 {
            writeln!(text, "error: {more} more could not be answered")?;
        }
        for (source, warning) in warnings.0.iter().take(MOST_SHOWN) {
            diagnostic::write_warning(source.as_ref(), warning, color, &mut text)?;
        }
        Ok(())
    };
    // Writing to memory does not fail.
    let _ = write();
    terminal::complain(text);
}

pub(super) fn write_json(refused: &[Refused]) {
    let mut text = Shown::on(Vec::new());
    if !refused.is_empty() && report::json::write_errors(refused, &mut text).is_ok() {
        terminal::complain(text);
    }
}
