//! Findings about the text of a question, for the editor.

use dicedist::error::Remedy;
use dicedist::limits::LimitReached;
use dicedist::source::Span;
use dicedist::{Diagnostic, Error};
use serde::Serialize;

use crate::places::Places;

/// One finding about the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) label: Option<String>,
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
    pub(crate) notes: Vec<String>,
    pub(crate) help: Option<String>,
    pub(crate) correction: Option<Correction>,
    /// What the visitor can change on the page.
    pub(crate) remedies: Vec<Change>,
    /// The probability that the rule fails, where it is known.
    pub(crate) probability: Option<String>,
    /// The rule, where the finding is not about the text.
    pub(crate) rule: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Error,
    Warning,
    Info,
}

/// The whole rule as it was probably meant, with the place that it takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Correction {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) text: String,
}

/// What the visitor can change on the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind", content = "name")]
pub(crate) enum Change {
    /// Give this name a value.
    Value(String),
    /// Raise this limit.
    Limit(&'static str),
    /// Choose this notation.
    Notation(&'static str),
}

/// Where a finding stands: the text, and the place of the rule that it is about.
#[derive(Clone, Copy)]
pub(crate) struct Stand<'t> {
    pub(crate) places: &'t Places<'t>,
    pub(crate) rule: Option<Span>,
    /// Whether the places of the findings are places of the text.
    pub(crate) is_in_text: bool,
}

impl Finding {
    /// The findings of an error.
    pub(crate) fn of_error(error: &Error, stand: Stand<'_>) -> Vec<Self> {
        let findings = error.diagnostics().iter();
        let probability = error.probability().map(ToString::to_string);
        findings
            .map(|finding| Self {
                probability: probability.clone(),
                ..Self::of(finding, Severity::Error, stand)
            })
            .collect()
    }

    /// A warning, or a remark.
    pub(crate) fn of_warning(warning: &Diagnostic, stand: Stand<'_>) -> Self {
        let severity = if warning.is_note {
            Severity::Info
        } else {
            Severity::Warning
        };
        Self::of(warning, severity, stand)
    }

    fn of(finding: &Diagnostic, severity: Severity, stand: Stand<'_>) -> Self {
        let brief = finding.brief();
        let place = brief.span.filter(|_| stand.is_in_text);
        let place = place.or(stand.rule).map(|span| stand.places.span(span));
        let correction = finding.corrections.first().filter(|_| stand.is_in_text);
        Self {
            severity,
            message: brief.message,
            label: brief.label,
            from: place.map(|[from, _]| from),
            to: place.map(|[_, to]| to),
            notes: brief.notes,
            help: brief.help,
            correction: correction.map(|correction| {
                let [from, to] = stand.places.span(correction.span);
                let text = correction.text.clone();
                Correction { from, to, text }
            }),
            remedies: brief.remedies.into_iter().flat_map(changes).collect(),
            probability: None,
            rule: None,
        }
    }
}

fn changes(remedy: Remedy) -> Vec<Change> {
    match remedy {
        Remedy::GiveValue(name) => vec![Change::Value(name)],
        Remedy::RaiseLimit(
            reached @ (LimitReached::Memory(_) | LimitReached::States(_) | LimitReached::Time(_)),
        ) => vec![Change::Limit(reached.name())],
        Remedy::FollowMore => vec![Change::Limit("states")],
        Remedy::NameNotation { nearest, readers } => {
            let names = nearest.into_iter().chain(readers);
            names.map(Change::Notation).collect()
        }
        Remedy::ChooseNotation { own, other } => {
            vec![Change::Notation(other), Change::Notation(own)]
        }
        _ => Vec::new(),
    }
}
