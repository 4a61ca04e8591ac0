//! Answers as objects of Python: outcomes, weights, and questions about them.

use std::sync::Arc;

use dicedist::algebra::{Law, Listing as _, Mass, Moments, Weight};
use dicedist::compare::{Comparison, Dominance, Overlap};
use dicedist::engine;
use dicedist::number::{Fraction, Integer, Unit};
use dicedist::summary::{self, Figure, Query, Summary};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::arithmetic;
use crate::convert::{figure, fraction, moment, rational, weight};
use crate::error::plain;
use crate::outcome::{self, Reader, chance, numeric, written};
use crate::worker;

/// The most outcomes that questions are answered about at once; more are left to a worker.
const FEW: usize = 2_000;

/// So many fractions are made between two looks at what the user wants.
const MOST_AT_ONCE: usize = 64;

/// A mass in a pickle: its least number, its greatest, and its weight.
type WrittenMass<'py> = (
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
);

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

    fn optional<'py>(
        &self,
        py: Python<'py>,
        number: Option<&Integer>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        number
            .map(|number| self.reader().number(py, number))
            .transpose()
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

    /// The same with other masses: tails with their ends as numbers of units, and moments. For pickles.
    fn with_unlisted(
        &self,
        masses: Vec<WrittenMass<'_>>,
        never_ends: Bound<'_, PyAny>,
        moments: Option<[Option<Bound<'_, PyAny>>; 3]>,
        is_condition: bool,
        is_ordered: bool,
    ) -> PyResult<Self> {
        let end = |end: Option<Bound<'_, PyAny>>| {
            end.map(|end| crate::convert::integer(&end)).transpose()
        };
        let masses = masses.into_iter().map(|(low, high, mass)| {
            let (low, high) = (end(low)?, end(high)?);
            Ok(Mass {
                low,
                high,
                weight: weight(&mass)?,
            })
        });
        let masses: Vec<Mass> = masses.collect::<PyResult<_>>()?;
        let moments = match moments {
            Some([ends, first, second]) => {
                let [ends, first, second] =
                    [ends, first, second].map(|moment| moment.as_ref().map(rational).transpose());
                Some(Moments {
                    ends: ends?.unwrap_or_default(),
                    first: first?,
                    second: second?,
                })
            }
            None => None,
        };
        let mut answer = engine::Answer::clone(&self.answer);
        let listed = answer.law.listed;
        let unlisted: Weight = masses.iter().map(|mass| &mass.weight).sum();
        let never_ends = weight(&never_ends)?;
        if listed.mass() + unlisted + &never_ends != *listed.total() {
            return Err(PyValueError::new_err("the weights do not fit the total"));
        }
        let law = match listed {
            engine::Outcomes::Numbers(numbers) => {
                let numbers = numbers
                    .iter()
                    .map(|(number, weight)| (number.clone(), weight.clone()));
                let numbers: Vec<_> = numbers.collect();
                let total = answer_total(&self.answer);
                Law::from(Law::new(
                    dicedist::algebra::Numbers::new(numbers, total),
                    masses,
                    never_ends,
                    moments,
                ))
            }
            listed => Law::else_unresolved(listed, never_ends),
        };
        let method = engine::Answer::new(law.clone(), 0).method;
        answer.law = law;
        answer.method = method;
        Ok(Self {
            answer: Arc::new(answer),
            is_condition,
            is_ordered,
        })
    }

    /// The numbers of an answer that may be written into a pickle; `None` for a sampled one.
    fn unlisted<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let answer = &self.answer;
        if answer.sampling().is_some() {
            return Ok(None);
        }
        let masses = answer.law.masses().into_iter().map(|mass| {
            let end = |end: Option<Integer>| end.map(|end| end.to_big());
            (end(mass.low), end(mass.high), mass.weight)
        });
        let masses: Vec<_> = masses.collect();
        let unlisted = answer.law.unlisted.as_ref();
        let moments = unlisted.and_then(|unlisted| unlisted.moments.as_ref());
        let moments = moments.map(|moments| {
            let numbers = [
                Some(&moments.ends),
                moments.first.as_ref(),
                moments.second.as_ref(),
            ];
            let numbers =
                numbers.map(|number| number.map(|number| fraction(py, number)).transpose());
            numbers.into_iter().collect::<PyResult<Vec<_>>>()
        });
        let moments = moments.transpose()?;
        let fields = (
            masses,
            answer.never_ends(),
            moments,
            self.is_condition,
            self.is_ordered,
        );
        fields.into_pyobject(py).map(Some)
    }
}

fn answer_total(answer: &engine::Answer) -> Weight {
    answer.total().clone()
}

/// What is listed.
#[pymethods]
impl Answer {
    fn __len__(&self) -> usize {
        self.answer.outcomes().len()
    }

    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let outcomes = PyList::empty(py);
        let reader = self.reader();
        for (value, _) in self.answer.outcomes().iter() {
            outcomes.append(reader.value(py, value)?)?;
        }
        Ok(outcomes)
    }

    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.answer.outcomes().weights())
    }

    /// The probabilities of the listed outcomes; of a sampled distribution and one with unresolved results the bounds of each.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let figures = PyList::empty(py);
        let length = self.answer.outcomes().len();
        // Fractions of thousands of dice are long, and take long to reduce.
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
    /// The place of an outcome among the listed ones.
    fn place(&self, outcome: &Bound<'_, PyAny>) -> Option<usize> {
        let answer = &self.answer;
        outcome::place(outcome, answer.outcomes(), &answer.unit, &answer.shape)
    }

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

    fn unresolved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        chance(py, &self.answer.unresolved(), self.answer.total())
    }

    fn never_ends<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        chance(py, &self.answer.never_ends(), self.answer.total())
    }

    #[getter]
    fn never_ends_weight(&self) -> Weight {
        self.answer.never_ends()
    }

    /// The probability that a roll is kept, if the rule leaves rolls out.
    fn kept<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.answer
            .given
            .as_ref()
            .map(|kept| fraction(py, kept))
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
        tail: Option<&dicedist::algebra::Tail>,
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

/// Two distributions.
#[pymethods]
impl Answer {
    /// Whether the same is known of both. For numbers alone.
    fn equals(&self, other: &Self) -> bool {
        arithmetic::equal(&self.answer, &other.answer)
    }

    /// The masses without a value as fractions of the total, for comparisons.
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyAny>; 2]> {
        Ok([self.unresolved(py)?, self.never_ends(py)?])
    }

    /// Sums, differences, products, quotients and remainders of independent numbers.
    fn combined(
        &self,
        py: Python<'_>,
        operator: &str,
        other: &Self,
        limits: crate::limits::Bounds,
    ) -> PyResult<Self> {
        let operator = arithmetic::Operator::named(operator)
            .ok_or_else(|| PyValueError::new_err("there is no such operator"))?;
        let (ours, theirs) = (Arc::clone(&self.answer), Arc::clone(&other.answer));
        let combined = worker::run(py, None, move |observer| {
            arithmetic::combined(operator, &ours, &theirs, &limits.0, observer)
        })?;
        combined
            .map(Self::new)
            .map_err(|error| crate::error::exception(py, &error, None))
    }

    /// The sum of so many independent rolls.
    fn power(&self, py: Python<'_>, rolls: u32, limits: crate::limits::Bounds) -> PyResult<Self> {
        let ours = Arc::clone(&self.answer);
        let power = worker::run(py, None, move |observer| {
            arithmetic::power(&ours, rolls, &limits.0, observer)
        })?;
        power
            .map(Self::new)
            .map_err(|error| crate::error::exception(py, &error, None))
    }

    /// A mixture of distributions with these weights.
    #[staticmethod]
    fn mixture(
        py: Python<'_>,
        parts: Vec<(PyRef<'_, Self>, Bound<'_, PyAny>)>,
        limits: crate::limits::Bounds,
    ) -> PyResult<Self> {
        let is_condition = parts.iter().all(|(part, _)| part.is_condition);
        let parts = parts
            .iter()
            .map(|(part, by)| Ok((weight(by)?, Arc::clone(&part.answer))));
        let parts: Vec<_> = parts.collect::<PyResult<_>>()?;
        let mixed = worker::run(py, None, move |observer| {
            arithmetic::mixture(&parts, &limits.0, observer)
        })?;
        let mixed = mixed
            .map(Self::new)
            .map_err(|error| crate::error::exception(py, &error, None))?;
        Ok(Self {
            is_condition,
            ..mixed
        })
    }

    /// How two independent rolls compare, as a dictionary; `None` if they have no order.
    fn versus<'py>(&self, py: Python<'py>, other: &Self) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (ours, theirs) = (Arc::clone(&self.answer), Arc::clone(&other.answer));
        let compared = worker::run(py, None, move |_| {
            let unit = ours.unit.common(&theirs.unit).unwrap_or(Unit::WHOLE);
            let [ours, theirs] =
                [&*ours, &*theirs].map(|answer| arithmetic::in_unit(answer, &unit));
            Comparison::of(&*ours?, &*theirs?)
        })?;
        let Some(compared) = compared else {
            return Ok(None);
        };
        let fields = PyDict::new(py);
        fields.set_item("a_wins", figure(py, &compared.a_wins)?)?;
        fields.set_item("tie", figure(py, &compared.tie)?)?;
        fields.set_item("b_wins", figure(py, &compared.b_wins)?)?;
        let difference = compared.mean_difference.as_ref();
        fields.set_item(
            "mean_difference",
            difference.map(|by| fraction(py, by)).transpose()?,
        )?;
        fields.set_item("total_variation", figure(py, &compared.total_variation)?)?;
        fields.set_item("kolmogorov", figure(py, &compared.kolmogorov)?)?;
        let dominance = match compared.dominance {
            Dominance::A => "a",
            Dominance::B => "b",
            Dominance::Equal => "equal",
            Dominance::Neither => "neither",
            _ => "open",
        };
        fields.set_item("dominance", dominance)?;
        Ok(Some(fields))
    }

    /// The probability of a tie, and the total variation distance, of labels or records.
    fn overlap<'py>(
        &self,
        py: Python<'py>,
        other: &Self,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let (ours, theirs) = (Arc::clone(&self.answer), Arc::clone(&other.answer));
        let overlap = worker::run(py, None, move |_| Overlap::of(&ours, &theirs))?;
        let overlap = overlap.map(|overlap| {
            Ok((
                figure(py, &overlap.tie)?,
                figure(py, &overlap.total_variation)?,
            ))
        });
        overlap.transpose()
    }
}
