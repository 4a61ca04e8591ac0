//! Answers as objects of Python: outcomes and weights here, and what is done with them in the modules below.

mod pair;
mod pickle;
mod questions;

use std::sync::Arc;

use dicedist::algebra::{Law, Listing as _, Weight};
use dicedist::engine;
use dicedist::number::Fraction;
use dicedist::summary::Figure;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::convert::{figure, weight};
use crate::error::plain;
use crate::outcome::{Reader, written};
use crate::worker;

/// The most outcomes that questions are answered about at once; more are left to a worker.
const FEW: usize = 2_000;

/// So many members of a list are made between two looks at what the user wants: those of thousands of dice are long.
const MOST_AT_ONCE: usize = 64;

/// A distribution: the listed outcomes with their weights over one total, and what lies elsewhere.
#[pyclass(frozen, module = "dicedist._engine")]
pub(crate) struct Answer {
    pub(crate) answer: Arc<engine::Answer>,
    /// Whether the outcomes are shown as `True` and `False`.
    pub(crate) is_condition: bool,
    /// Whether lists are in the order of the rule.
    pub(crate) is_ordered: bool,
}

impl Answer {
    pub(crate) fn new(answer: engine::Answer) -> Self {
        Self {
            answer: Arc::new(answer),
            is_condition: false,
            is_ordered: false,
        }
    }

    fn reader(&self) -> Reader<'_> {
        Reader {
            unit: &self.answer.unit,
            shape: &self.answer.shape,
            is_condition: self.is_condition,
        }
    }

    /// What a question about the answer gives; Python goes on meanwhile.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&engine::Answer) -> T + Send + 'static,
    ) -> PyResult<T> {
        if self.answer.outcomes().len() <= FEW {
            return Ok(question(&self.answer));
        }
        let answer = Arc::clone(&self.answer);
        worker::run(py, None, move |_| question(&answer))
    }
}

/// How a distribution is made of outcomes.
#[pymethods]
impl Answer {
    /// The distribution of weighted outcomes over a total; what the weights leave of it never ends, or is unresolved.
    #[staticmethod]
    #[pyo3(signature = (outcomes, weights, total=None, never_ends=None, order=None))]
    fn of(
        py: Python<'_>,
        outcomes: Vec<Bound<'_, PyAny>>,
        weights: Vec<Bound<'_, PyAny>>,
        total: Option<Bound<'_, PyAny>>,
        never_ends: Option<Bound<'_, PyAny>>,
        order: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let weights: Vec<Weight> = weights.iter().map(weight).collect::<PyResult<_>>()?;
        let sum: Weight = weights.iter().sum();
        let total = match total {
            Some(total) => weight(&total)?,
            None => sum.clone(),
        };
        let never_ends = match never_ends {
            Some(never_ends) => weight(&never_ends)?,
            None => Weight::ZERO,
        };
        if total == Weight::ZERO {
            let message = "a distribution needs an outcome with a weight above 0";
            return Err(plain(py, "domain", message, None));
        }
        if outcomes.len() != weights.len() || sum + &never_ends > total {
            return Err(PyValueError::new_err(
                "the weights do not fit the outcomes and the total",
            ));
        }
        let weighted = outcomes
            .into_iter()
            .zip(weights)
            .filter(|(_, weight)| *weight != Weight::ZERO);
        let written = written(py, weighted.collect(), total, order)?;
        let mut answer = engine::Answer::new(Law::else_unresolved(written.outcomes, never_ends), 0);
        answer.unit = written.unit;
        answer.shape = written.shape;
        Ok(Self {
            is_condition: written.is_condition,
            ..Self::new(answer)
        })
    }
}

/// What is listed.
#[pymethods]
impl Answer {
    fn __len__(&self) -> usize {
        self.answer.outcomes().len()
    }

    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let reader = self.reader();
        let outcomes = self.answer.outcomes().iter();
        listed(py, outcomes, |(value, _)| reader.value(py, value))
    }

    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let weights = self.answer.outcomes().weights().iter();
        listed(py, weights, |weight| {
            Ok(weight.into_pyobject(py)?.into_any())
        })
    }

    /// The probabilities of the listed outcomes; of a sampled distribution and one with unresolved results the bounds of each.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let figures = PyList::empty(py);
        let length = self.answer.outcomes().len();
        // Long fractions take long to reduce, so other threads go on meanwhile.
        for start in (0..length).step_by(MOST_AT_ONCE) {
            let places = start..length.min(start + MOST_AT_ONCE);
            let found: Vec<Figure> =
                py.detach(|| places.map(|place| self.figure_of(Some(place))).collect());
            for found in &found {
                figures.append(figure(py, found)?)?;
            }
            py.check_signals()?;
        }
        Ok(figures)
    }

    /// The probability of the listed outcome at a place.
    fn probability<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        if place >= self.answer.outcomes().len() {
            return Err(PyIndexError::new_err("there is no such place"));
        }
        figure(py, &self.figure_of(Some(place)))
    }

    #[getter]
    fn total(&self) -> Weight {
        self.answer.total().clone()
    }

    #[getter]
    fn is_numeric(&self) -> bool {
        self.answer.numbers().is_some()
    }

    /// How many parts 1 has: each outcome is a multiple of such a part.
    #[getter]
    fn parts(&self) -> num_bigint::BigInt {
        self.answer.unit.parts().to_big()
    }

    #[getter]
    fn is_condition(&self) -> bool {
        self.is_condition
    }

    #[getter]
    fn is_ordered(&self) -> bool {
        self.is_ordered
    }

    #[getter]
    fn is_complete(&self) -> bool {
        self.answer.is_complete() && !self.is_sampled()
    }

    #[getter]
    fn is_sampled(&self) -> bool {
        self.answer.sampling().is_some()
    }

    /// The texts in their order, if there are any.
    fn labels(&self) -> Vec<String> {
        self.answer
            .shape
            .labels()
            .iter()
            .map(|label| label.text.to_string())
            .collect()
    }

    /// The names of the parts of a record.
    fn fields(&self) -> Option<Vec<String>> {
        let parts = self.answer.shape.parts()?;
        Some(parts.iter().map(|part| part.name.to_string()).collect())
    }

    #[getter]
    fn states(&self) -> u64 {
        self.answer.states
    }
}

impl Answer {
    /// The probability of the outcome at a place, or of one that is not listed.
    fn figure_of(&self, place: Option<usize>) -> Figure {
        let answer = &self.answer;
        if let Some(sampling) = answer.sampling() {
            return match place.map(|place| &sampling.intervals[place]) {
                Some(interval) => Figure::between(interval.low.clone(), interval.high.clone()),
                None => Figure::between(Fraction::default(), sampling.unseen.clone()),
            };
        }
        let listed = place.map(|place| answer.outcomes().weights()[place].clone());
        let sure = listed.unwrap_or_default();
        // What is listed is no part of a tail.
        let open = match place {
            Some(_) => answer.unresolved(),
            None => answer.total() - answer.outcomes().mass() - answer.never_ends(),
        };
        let possible = &sure + open;
        let [sure, possible] = [sure, possible].map(|weight| answer.probability(&weight));
        Figure::between(sure, possible)
    }
}

/// The list of what a function makes of each item. A signal ends it.
fn listed<'py, T>(
    py: Python<'py>,
    items: impl Iterator<Item = T>,
    make: impl Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (place, item) in items.enumerate() {
        list.append(make(item)?)?;
        if place % MOST_AT_ONCE == 0 {
            py.check_signals()?;
        }
    }
    Ok(list)
}
