//! What two distributions, or several, make together.

use std::sync::Arc;

use dicedist::compare::{Comparison, Dominance, Overlap};
use dicedist::number::Unit;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Answer;
use crate::arithmetic::{self, Operator};
use crate::convert::{figure, fraction, weight};
use crate::error::exception;
use crate::limits::Bounds;
use crate::worker;

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
        limits: Bounds,
    ) -> PyResult<Self> {
        let operator = Operator::named(operator)
            .ok_or_else(|| PyValueError::new_err("there is no such operator"))?;
        let (ours, theirs) = (Arc::clone(&self.answer), Arc::clone(&other.answer));
        let combined = worker::run(py, None, move |observer| {
            arithmetic::combined(operator, &ours, &theirs, &limits.0, observer)
        })?;
        combined
            .map(Self::new)
            .map_err(|error| exception(py, &error, None))
    }

    /// The sum of so many independent rolls.
    fn power(&self, py: Python<'_>, rolls: u32, limits: crate::limits::Bounds) -> PyResult<Self> {
        let ours = Arc::clone(&self.answer);
        let power = worker::run(py, None, move |observer| {
            arithmetic::power(&ours, rolls, &limits.0, observer)
        })?;
        power
            .map(Self::new)
            .map_err(|error| exception(py, &error, None))
    }

    /// A mixture of distributions with these weights.
    #[staticmethod]
    fn mixture(
        py: Python<'_>,
        parts: Vec<(PyRef<'_, Self>, Bound<'_, PyAny>)>,
        limits: Bounds,
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
            .map_err(|error| exception(py, &error, None))?;
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
