//! Limits as Python names them.

use std::time::Duration;

use dicedist::Limits;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::rational;

/// The limits of one piece of work: a tuple of time in seconds, states, bytes, outcomes and tolerance. `None` is no limit of
/// the first three.
pub(crate) struct Bounds(pub(crate) Limits);

impl<'py> FromPyObject<'_, 'py> for Bounds {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        type Five<'py> = (
            Option<f64>,
            Option<u64>,
            Option<u64>,
            u64,
            Bound<'py, PyAny>,
        );
        let (time, states, memory, outcomes, tolerance): Five<'py> = object.extract()?;
        let time = match time {
            Some(seconds) if seconds.is_nan() || seconds.is_sign_negative() => {
                return Err(PyValueError::new_err(
                    "the time is a number of seconds, and not below 0",
                ));
            }
            // What is too long for a duration has no end.
            Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
            None => None,
        };
        let limits = Limits::default()
            .with_time(time)
            .with_states(states.unwrap_or(u64::MAX))
            .with_memory(memory.unwrap_or(u64::MAX))
            .with_outcomes(outcomes)
            .with_tolerance(rational(&tolerance)?.max(Default::default()));
        Ok(Self(limits))
    }
}
