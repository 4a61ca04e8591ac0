//! Functions of Python, called while an expression is built.

use std::cell::RefCell;

use dicedist::dice::{Any, Condition, Number, Pool};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::expression::Expression;

/// A function of Python that makes an expression of expressions. Its first exception ends it: later calls give any
/// expression, and [`Callback::ended`] raises the exception.
pub(crate) struct Callback<'f, 'py> {
    function: &'f Bound<'py, PyAny>,
    raised: RefCell<Option<PyErr>>,
}

impl<'f, 'py> Callback<'f, 'py> {
    pub(crate) fn new(function: &'f Bound<'py, PyAny>) -> Self {
        let raised = RefCell::new(None);
        Self { function, raised }
    }

    fn called(&self, arguments: Vec<Any>) -> Option<Any> {
        if self.raised.borrow().is_some() {
            return None;
        }
        let py = self.function.py();
        let arguments = arguments.into_iter().map(Expression::of);
        let result = PyTuple::new(py, arguments.collect::<Vec<_>>())
            .and_then(|arguments| self.function.call1(arguments))
            .and_then(|result| {
                let expression = result.cast::<Expression>()?;
                Ok(expression.get().any().clone())
            });
        match result {
            Ok(result) => Some(result),
            Err(error) => {
                *self.raised.borrow_mut() = Some(error);
                None
            }
        }
    }

    fn refuse(&self, needed: &str) {
        let error = PyTypeError::new_err(format!("the function makes no {needed}"));
        self.raised.borrow_mut().get_or_insert(error);
    }

    /// The result, whatever it is.
    pub(crate) fn any(&self, arguments: Vec<Any>) -> Any {
        self.called(arguments)
            .unwrap_or_else(|| Any::Pool(Pool::empty()))
    }

    pub(crate) fn condition(&self, arguments: Vec<Any>) -> Condition {
        match self.called(arguments) {
            Some(Any::Condition(condition)) => condition,
            _ => {
                self.refuse("condition");
                true.into()
            }
        }
    }

    pub(crate) fn number(&self, arguments: Vec<Any>) -> Number {
        match self.called(arguments) {
            Some(Any::Number(number)) => number,
            _ => {
                self.refuse("number");
                0.into()
            }
        }
    }

    pub(crate) fn pool(&self, arguments: Vec<Any>) -> Pool {
        match self.called(arguments) {
            Some(Any::Pool(pool)) => pool,
            _ => {
                self.refuse("pool");
                Pool::empty()
            }
        }
    }

    /// What was made with the function, unless it raised an exception.
    pub(crate) fn ended<T>(self, made: T) -> PyResult<T> {
        self.raised.into_inner().map_or(Ok(made), Err)
    }
}
