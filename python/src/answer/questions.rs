//! Questions about one distribution.

use dicedist::algebra::weight::ratio;
use dicedist::algebra::{Tail, Weight};
use dicedist::number::{Fraction, Integer};
use dicedist::summary::{self, Figure, Moment, Query, Root, Summary};
use num_bigint::Sign;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Answer;
use crate::convert::{figure, fraction, moment, rational};
use crate::outcome::{self, chance, numeric};

impl Answer {
    /// The place of an outcome among the listed ones.
    fn place(&self, outcome: &Bound<'_, PyAny>) -> Option<usize> {
        let answer = &self.answer;
        outcome::place(outcome, answer.outcomes(), &answer.unit, &answer.shape)
    }

    fn optional<'py>(
        &self,
        py: Python<'py>,
        number: Option<&Integer>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        number
            .map(|number| self.reader().number(py, number))
            .transpose()
    }
    /// A number in the unit of the answer, rounded by a function.
    fn in_unit(
        &self,
        number: &Fraction,
        round: impl FnOnce(&Fraction) -> Fraction,
    ) -> Option<Integer> {
        let scaled = number * Fraction::from_integer(self.answer.unit.parts().to_big());
        Integer::from_big(round(&scaled).to_integer()).ok()
    }

    fn event<'py>(&self, py: Python<'py>, query: Option<Query>) -> PyResult<Bound<'py, PyAny>> {
        if self.answer.numbers().is_none() {
            return Err(PyTypeError::new_err("the outcomes are no numbers"));
        }
        let found = self.ask(py, move |answer| {
            query.and_then(|query| summary::event(answer, &query))
        })?;
        let one = Fraction::from_integer(1.into());
        figure(
            py,
            &found.unwrap_or_else(|| Figure::between(Fraction::default(), one)),
        )
    }
}

/// Questions.
#[pymethods]
impl Answer {
    fn exactly<'py>(&self, outcome: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = outcome.py();
        if self.answer.numbers().is_some()
            && let Ok(number) = numeric(outcome)
        {
            return match self.answer.unit.value(&number) {
                Some(number) => self.event(py, Some(Query::Exactly(number))),
                // No number of the unit: what is unresolved may be anything, but not that.
                None => fraction(py, &Fraction::default()),
            };
        }
        figure(py, &self.figure_of(self.place(outcome)))
    }

    fn at_least<'py>(&self, bound: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let bound_in_unit = self.in_unit(&numeric(bound)?, Fraction::ceil);
        self.event(bound.py(), bound_in_unit.map(Query::AtLeast))
    }

    fn at_most<'py>(&self, bound: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let bound_in_unit = self.in_unit(&numeric(bound)?, Fraction::floor);
        self.event(bound.py(), bound_in_unit.map(Query::AtMost))
    }

    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mean = self.ask(py, summary::mean)?;
        moment(py, &mean)
    }

    fn variance<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let summary = self.ask(py, Summary::of)?;
        moment(py, &summary.variance)
    }

    /// The skewness as its sign and its square; `None` if it is not known exactly.
    fn skewness<'py>(&self, py: Python<'py>) -> PyResult<Option<(i8, Bound<'py, PyAny>)>> {
        let summary = self.ask(py, Summary::of)?;
        let Moment::Finite(Root { sign, square }) = &summary.skewness else {
            return Ok(None);
        };
        let sign = match sign {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        };
        Ok(Some((sign, fraction(py, &lowest(square))?)))
    }

    fn excess_kurtosis<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let summary = self.ask(py, Summary::of)?;
        let kurtosis = match summary.excess_kurtosis {
            Moment::Finite(exact) => Moment::Finite(lowest(&exact)),
            other => other,
        };
        moment(py, &kurtosis)
    }

    fn min<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let summary = self.ask(py, Summary::of)?;
        self.optional(py, summary.min.as_ref())
    }

    fn max<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let summary = self.ask(py, Summary::of)?;
        self.optional(py, summary.max.as_ref())
    }

    /// The places of the most likely outcomes; `None` if they are not certain.
    fn modes(&self, py: Python<'_>) -> PyResult<Option<Vec<usize>>> {
        self.ask(py, |answer| Summary::of(answer).mode)
    }

    fn quantile<'py>(
        &self,
        probability: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let probability_wanted = rational(probability)?;
        let py = probability.py();
        let found = self.ask(py, move |answer| {
            summary::quantile(answer, &probability_wanted)
        })?;
        self.optional(py, found.as_ref())
    }

    /// The tail below the listed outcomes: its greatest possible outcome, and its probability.
    fn below<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        self.tail(py, self.answer.below())
    }

    /// The tail above the listed outcomes: its least possible outcome, and its probability.
    fn above<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        self.tail(py, self.answer.above())
    }

    pub(super) fn unresolved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        chance(py, &self.answer.unresolved(), self.answer.total())
    }

    pub(super) fn never_ends<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        chance(py, &self.answer.never_ends(), self.answer.total())
    }

    #[getter]
    fn never_ends_weight(&self) -> Weight {
        self.answer.never_ends()
    }

    /// The probability that a roll is kept, if the rule leaves rolls out and it is known.
    fn kept<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.answer
            .given
            .as_ref()
            .filter(|[low, high]| low == high)
            .map(|[kept, _]| fraction(py, kept))
            .transpose()
    }

    /// How a sampled distribution was sampled.
    fn sampling<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(sampling) = self.answer.sampling() else {
            return Ok(None);
        };
        let fields = PyDict::new(py);
        fields.set_item("samples", sampling.samples)?;
        fields.set_item("seed", sampling.seed)?;
        fields.set_item("confidence", fraction(py, &sampling.confidence)?)?;
        fields.set_item("stopped", sampling.stopped.map(|limit| limit.name()))?;
        Ok(Some(fields))
    }
}

impl Answer {
    fn tail<'py>(
        &self,
        py: Python<'py>,
        tail: Option<&Tail>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let Some(tail) = tail else {
            return Ok(None);
        };
        let bound = self.reader().number(py, &tail.bound)?;
        Ok(Some((
            bound,
            chance(py, &tail.weight, self.answer.total())?,
        )))
    }
}

/// A figure of the shape in lowest terms, to which the library does not bring it.
fn lowest(figure: &Fraction) -> Fraction {
    ratio(figure.numer(), figure.denom().magnitude())
}
