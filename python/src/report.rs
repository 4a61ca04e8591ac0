//! Answers in the formats of the command.

use dicedist::report::{
    Answered, Layout, Pairs, Report, Style, View, csv, json, markdown, png, queries, svg, table,
};
use dicedist::source::Shown;
use dicedist::summary::Query;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answer::Answer;
use crate::convert::{rational, values};
use crate::worker;

/// A rule of a report: its index, name, text, notation, values and answer.
#[derive(FromPyObject)]
pub(crate) struct Entry<'py> {
    rule: usize,
    name: String,
    expression: String,
    dialect: Option<String>,
    values: Bound<'py, PyDict>,
    answer: PyRef<'py, Answer>,
}

impl Entry<'_> {
    fn answered(&self) -> PyResult<Answered> {
        let answer = dicedist::Answer::clone(&self.answer.answer);
        let mut answered = Answered::new(&self.name, answer);
        answered.rule = self.rule;
        answered.expression.clone_from(&self.expression);
        answered.dialect.clone_from(&self.dialect);
        answered.parameters = values(&self.values)?;
        answered.ordered = self.answer.is_ordered;
        answered.is_condition = self.answer.is_condition;
        Ok(answered)
    }
}

/// How answers are shown.
#[derive(FromPyObject)]
pub(crate) struct Options<'py> {
    digits: usize,
    fractions: bool,
    all: bool,
    width: usize,
    view: String,
    layout: String,
    title: Option<String>,
    wide: bool,
    at_least: Vec<Bound<'py, PyAny>>,
}

impl Options<'_> {
    fn style(&self, rules: &[Answered]) -> PyResult<Style> {
        let mut style = Style::default();
        style.digits = self.digits;
        style.fractions = self.fractions;
        style.all = self.all;
        style.way_to_all = Some("`all=True` shows all".into());
        style.width = self.width;
        style.pairs = Pairs::Few;
        style.sheets.wide = self.wide;
        style.title.clone_from(&self.title);
        style.view = match &*self.view {
            "exactly" => View::Exactly,
            "at_least" => View::AtLeast,
            "at_most" => View::AtMost,
            _ => {
                return Err(PyValueError::new_err(
                    "a view is exactly, at_least or at_most",
                ));
            }
        };
        style.layout = match &*self.layout {
            "listing" => Layout::Listing,
            "summary" => Layout::Summary,
            "transposed" => Layout::Transposed,
            _ => {
                return Err(PyValueError::new_err(
                    "a layout is listing, summary or transposed",
                ));
            }
        };
        for bound in &self.at_least {
            let bound = rational(bound)?;
            let unit = rules
                .first()
                .map(|rule| rule.answer.unit.clone())
                .unwrap_or_default();
            let bound = unit
                .value(&bound)
                .ok_or_else(|| PyValueError::new_err("the bound lies between two outcomes"))?;
            style.queries.push(Query::AtLeast(bound));
        }
        Ok(style)
    }
}

/// A picture as a bitmap, with so many pixels in a row for each pixel of the picture.
#[pyfunction]
pub(crate) fn bitmap(
    py: Python<'_>,
    entries: Vec<Entry<'_>>,
    options: Options<'_>,
    scale: u32,
) -> PyResult<Py<PyBytes>> {
    let rules = entries.iter().map(Entry::answered);
    let rules: Vec<Answered> = rules.collect::<PyResult<_>>()?;
    let mut style = options.style(&rules)?;
    style.scale = scale;
    let written = worker::run(py, None, move |_| {
        let mut out = Vec::new();
        png::write(&Report::of(&rules), &style, &mut out).map_err(|error| error.to_string())?;
        Ok(out)
    })?;
    let written = written.map_err(|message: String| PyValueError::new_err(message))?;
    Ok(PyBytes::new(py, &written).unbind())
}

/// The text of a report.
#[pyfunction]
pub(crate) fn report(
    py: Python<'_>,
    format: String,
    entries: Vec<Entry<'_>>,
    options: Options<'_>,
) -> PyResult<String> {
    let rules = entries.iter().map(Entry::answered);
    let rules: Vec<Answered> = rules.collect::<PyResult<_>>()?;
    let style = options.style(&rules)?;
    let written = worker::run(py, None, move |_| {
        let report = Report::of(&rules);
        let mut out = Shown::on(Vec::new());
        let written = match &*format {
            "csv" => csv::write(&report, &style, &mut out),
            "json" => json::write(&report, &style, &mut out),
            "markdown" => markdown::write(&report, &style, &mut out),
            "svg" => svg::write(&report, &style, &mut out),
            "queries" => queries::write(&report, &style, &mut out),
            "table" => table::write(&report, &style, &mut out),
            _ => return Err("there is no such format".into()),
        };
        written.map_err(|error| error.to_string())?;
        Ok(out.to_string())
    })?;
    written.map_err(|message: String| PyValueError::new_err(message))
}
