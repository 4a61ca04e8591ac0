//! Errors of the library as exceptions. The classes are in `python/dicedist/errors.py`.

use dicedist::error::Remedy;
use dicedist::source::Source;
use dicedist::{Diagnostic, Error};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::convert::fraction;

/// The exception of an error in a rule that was read from a text, or built without one.
pub(crate) fn exception(py: Python<'_>, error: &Error, source: Option<&Source>) -> PyErr {
    match built(py, error, source) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

fn built<'py>(
    py: Python<'py>,
    error: &Error,
    source: Option<&Source>,
) -> PyResult<Bound<'py, PyAny>> {
    let findings = findings(py, error.diagnostics(), source)?;
    let probability = error.least_probability();
    let probability = probability.map(|chance| fraction(py, chance)).transpose()?;
    let text = source.map(Source::text);
    let limit = error.limit().map(|limit| limit.name());
    let module = py.import("dicedist.errors")?;
    module.getattr("_from_engine")?.call1((
        error.kind().name(),
        findings,
        text,
        probability,
        error.probability().is_some(),
        limit,
    ))
}

/// Diagnostics as instances of `Finding`.
pub(crate) fn findings<'py>(
    py: Python<'py>,
    diagnostics: &[Diagnostic],
    source: Option<&Source>,
) -> PyResult<Bound<'py, PyList>> {
    let class = py.import("dicedist.errors")?.getattr("Finding")?;
    let findings = PyList::empty(py);
    for diagnostic in diagnostics {
        let diagnostic = diagnostic.brief();
        let fields = PyDict::new(py);
        if let Some((source, span)) = source.zip(diagnostic.span) {
            let position = source.position(span.start);
            let [start, end] = [span.start, span.end].map(|byte| characters(source.text(), byte));
            fields.set_item("start", start)?;
            fields.set_item("end", end)?;
            fields.set_item("line", position.line)?;
            fields.set_item("column", position.column)?;
        }
        fields.set_item("message", &diagnostic.message)?;
        fields.set_item("label", &diagnostic.label)?;
        let notes = diagnostic.notes.iter().cloned();
        let notes = notes.chain(diagnostic.remedies.iter().flat_map(notes_of));
        fields.set_item("notes", PyTuple::new(py, notes.collect::<Vec<_>>())?)?;
        fields.set_item("help", help(&diagnostic))?;
        fields.set_item("correction", diagnostic.correction())?;
        findings.append(class.call((), Some(&fields))?)?;
    }
    Ok(findings)
}

/// The number of characters before a byte.
fn characters(text: &str, byte: usize) -> usize {
    text.char_indices()
        .take_while(|(place, _)| *place < byte)
        .count()
}

/// The help in the words of Python.
fn help(diagnostic: &Diagnostic) -> Option<String> {
    let help = diagnostic.help.as_ref().map(|help| {
        help.replace(
            "`Rule::all` reads several rules",
            "`dicedist.rules` reads several rules",
        )
        .replace(
            "`Rule::results` gives each result as a rule",
            "`.results()` gives each result as a rule",
        )
        .replace("before `Rule::results`", "before `.results()`")
    });
    diagnostic.remedies.iter().fold(help, remedied)
}

/// Which notations could be named.
fn notes_of(remedy: &Remedy) -> Vec<String> {
    let Remedy::NameNotation { nearest, readers } = remedy else {
        return Vec::new();
    };
    let nearest =
        nearest.map(|name| format!("read as {name} (`rule(…, dialect=…)` names another)"));
    let readers = readers
        .iter()
        .map(|name| format!("`rule(…, dialect=\"{name}\")` would read this, in a way of its own"));
    nearest.into_iter().chain(readers).collect()
}

/// The help together with what the caller could change.
fn remedied(help: Option<String>, remedy: &Remedy) -> Option<String> {
    match remedy {
        Remedy::GiveValue(name) => {
            let rust = format!("give it a value with `Rule::with(\"{name}\", …)`");
            let python = format!("give it a value: `rule(…, {name}=…)`");
            Some(help.map_or(python.clone(), |help| help.replace(&rust, &python)))
        }
        Remedy::RaiseLimit(limit) => Some(format!(
            "`solve({}=…)` sets another limit, and `sample=True` rolls instead",
            limit.name()
        )),
        Remedy::FollowMore => Some("`solve(states=…, tolerance=…)` follows more states".into()),
        Remedy::ChooseNotation { own, other } => Some(format!(
            "`rule(…, dialect=\"{other}\")` reads it the other way, and `rule(…, dialect=\"{own}\")` this way without the warning"
        )),
        _ => help,
    }
}

/// What should not happen.
pub(crate) fn internal(py: Python<'_>, message: &str) -> PyErr {
    let class = py
        .import("dicedist.errors")
        .and_then(|module| module.getattr("InternalError"));
    match class.and_then(|class| class.call1((message,))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The exception of something that is no value of a kind: an error of the library that has no rule.
pub(crate) fn plain(py: Python<'_>, kind: &str, message: &str, help: Option<&str>) -> PyErr {
    let exception = py
        .import("dicedist.errors")
        .and_then(|module| module.getattr("_plain"))
        .and_then(|make| make.call1((kind, message, help)));
    match exception {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
