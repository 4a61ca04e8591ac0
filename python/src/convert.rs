//! Numbers of Python and of the library.

use dicedist::algebra::Weight;
use dicedist::algebra::weight::reduced;
use dicedist::number::{Fraction, Integer, MAX_BITS};
use dicedist::summary::{Figure, Moment};
use num_bigint::{BigInt, Sign};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyInt, PyType};

use crate::error::plain;

/// The function that makes a `Fraction` of a numerator and a denominator without a common divisor.
static COPRIME: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static FRACTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static INTERVAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A fraction as an instance of `fractions.Fraction`.
pub(crate) fn fraction<'py>(py: Python<'py>, number: &Fraction) -> PyResult<Bound<'py, PyAny>> {
    let coprime = COPRIME.get_or_try_init(py, || {
        let module = py.import("dicedist._numbers")?;
        module.getattr("coprime").map(Bound::unbind)
    })?;
    let number = py.detach(|| reduced(number));
    coprime.bind(py).call1((number.numer(), number.denom()))
}

/// An integer as an `int`.
pub(crate) fn int<'py>(py: Python<'py>, number: &Integer) -> PyResult<Bound<'py, PyAny>> {
    Ok(match number.to_i64() {
        Some(number) => number.into_pyobject(py)?.into_any(),
        None => number.to_big().into_pyobject(py)?.into_any(),
    })
}

/// A fraction as an `int` where it is whole.
pub(crate) fn number<'py>(py: Python<'py>, number: &Fraction) -> PyResult<Bound<'py, PyAny>> {
    if number.is_integer() {
        return Ok(number.numer().into_pyobject(py)?.into_any());
    }
    fraction(py, number)
}

/// A figure as a `Fraction`, or as an `Interval` if it is not exact.
pub(crate) fn figure<'py>(py: Python<'py>, figure: &Figure) -> PyResult<Bound<'py, PyAny>> {
    match figure {
        Figure::Exact(exact) => fraction(py, exact),
        Figure::Between { low, high } => interval(py, fraction(py, low)?, fraction(py, high)?),
    }
}

/// A moment as a `Fraction`, an `Interval`, or infinity; `None` if there is none.
pub(crate) fn moment<'py>(py: Python<'py>, moment: &Moment) -> PyResult<Option<Bound<'py, PyAny>>> {
    let infinity = |sign: f64| PyFloat::new(py, f64::INFINITY.copysign(sign)).into_any();
    Ok(match moment {
        Moment::Finite(exact) => Some(fraction(py, exact)?),
        Moment::Between { low, high } => {
            Some(interval(py, fraction(py, low)?, fraction(py, high)?)?)
        }
        Moment::Infinite => Some(infinity(1.0)),
        Moment::Undefined => None,
        _ => Some(interval(py, infinity(-1.0), infinity(1.0))?),
    })
}

fn interval<'py>(
    py: Python<'py>,
    low: Bound<'py, PyAny>,
    high: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = INTERVAL.import(py, "dicedist._numbers", "Interval")?;
    class.call1((low, high))
}

/// The integer of an `int`, or of whatever stands for one. A float is none.
pub(crate) fn integer(object: &Bound<'_, PyAny>) -> PyResult<Integer> {
    if object.is_instance_of::<PyInt>()
        && let Ok(small) = object.extract::<i64>()
    {
        return Ok(small.into());
    }
    let Ok(big) = object.extract::<BigInt>() else {
        let name = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a whole number is needed here, and not {name}"
        )));
    };
    Integer::from_big(big).map_err(|_| {
        let message = format!("the number is longer than {MAX_BITS} bits");
        plain(object.py(), "overflow", &message, None)
    })
}

/// Whether an object is a `Fraction`.
pub(crate) fn is_fraction(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = FRACTION.import(object.py(), "fractions", "Fraction")?;
    object.is_instance(class)
}

/// The fraction of an `int` or a `Fraction`.
pub(crate) fn rational(object: &Bound<'_, PyAny>) -> PyResult<Fraction> {
    if is_fraction(object)? {
        let [numerator, denominator] =
            ["numerator", "denominator"].map(|name| object.getattr(name));
        let denominator: BigInt = denominator?.extract()?;
        // A class of somebody else may say anything.
        if denominator.sign() != Sign::Plus {
            return Err(PyValueError::new_err("a denominator is above 0"));
        }
        return Ok(Fraction::new(numerator?.extract()?, denominator));
    }
    integer(object).map(|integer| Fraction::from_integer(integer.to_big()))
}

/// A weight: a whole number that is not negative.
pub(crate) fn weight(object: &Bound<'_, PyAny>) -> PyResult<Weight> {
    let Ok(weight) = object.extract::<BigInt>() else {
        let name = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a weight is a whole number, and not {name}"
        )));
    };
    weight.try_into().map_err(|_| {
        let message = "a weight is not negative";
        plain(object.py(), "domain", message, None)
    })
}

/// The values of names.
pub(crate) fn values(given: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Integer)>> {
    let values = given.iter();
    values
        .map(|(name, value)| Ok((name.extract()?, integer(&value)?)))
        .collect()
}
