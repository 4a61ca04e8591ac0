//! What a pickle holds beside the outcomes: masses, moments, and how outcomes are shown.

use std::sync::Arc;

use dicedist::algebra::{Law, Listing as _, Mass, Moments, Numbers, Weight};
use dicedist::engine;
use dicedist::number::Integer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Answer;
use crate::convert::{fraction, integer, rational, weight};

/// A mass in a pickle: its least number, its greatest, and its weight.
type WrittenMass<'py> = (
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
);

/// Pickles.
#[pymethods]
impl Answer {
    /// The same with other masses: tails with their ends as numbers of units, and moments. For pickles.
    fn with_unlisted(
        &self,
        masses: Vec<WrittenMass<'_>>,
        never_ends: Bound<'_, PyAny>,
        moments: Option<[Option<Bound<'_, PyAny>>; 3]>,
        is_condition: bool,
        is_ordered: bool,
    ) -> PyResult<Self> {
        let end = |end: Option<Bound<'_, PyAny>>| end.map(|end| integer(&end)).transpose();
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
                let total = self.answer.total().clone();
                Law::from(Law::new(
                    Numbers::new(numbers, total),
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
