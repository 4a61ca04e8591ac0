//! Expressions of dice that a function of Python helps to make.

use dicedist::dice::{Any, AnyRounds, Number, repeat_any_until};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::callback::Callback;
use crate::error::exception;
use crate::expression::Expression;

fn numbers(numbers: impl IntoIterator<Item = Number>) -> Vec<Any> {
    numbers.into_iter().map(Any::Number).collect()
}

/// What a function makes of an expression.
#[pymethods]
impl Expression {
    /// The function is called with the value that is rolled once.
    fn share(&self, function: &Bound<'_, PyAny>) -> PyResult<Self> {
        let callback = Callback::new(function);
        let shared = match self.any() {
            Any::Number(number) => number
                .clone()
                .share(|number| callback.any(vec![Any::Number(number)])),
            _ => self
                .pool()?
                .share(|pool| callback.any(vec![Any::Pool(pool)])),
        };
        callback.ended(Self::of(shared))
    }

    /// A number, and a function that makes a condition of it.
    fn conditional(&self, operator: &str, function: &Bound<'_, PyAny>) -> PyResult<Self> {
        let callback = Callback::new(function);
        let condition = |number| callback.condition(numbers([number]));
        let made = match operator {
            "count_if" => Any::Number(self.pool()?.count_if(condition)),
            "keep_if" => Any::Pool(self.pool()?.keep_if(condition)),
            "explode_if" => Any::Number(self.number()?.explode_if(condition)),
            "reroll_if" => Any::Number(self.number()?.reroll_if(condition)),
            "reroll_once_if" => Any::Number(self.number()?.reroll_once_if(condition)),
            "roll_while" => Any::Pool(self.number()?.roll_while(condition)),
            _ => return Err(PyValueError::new_err("there is no such operator")),
        };
        callback.ended(Self::of(made))
    }

    fn explode_at_most(&self, times: usize, function: &Bound<'_, PyAny>) -> PyResult<Self> {
        let callback = Callback::new(function);
        let condition = |number| callback.condition(numbers([number]));
        let made = self.number()?.explode_at_most(times, condition);
        callback.ended(Self::of(Any::Number(made)))
    }

    /// A pool, and a function of its members, or of pools.
    fn functional(&self, operator: &str, function: &Bound<'_, PyAny>) -> PyResult<Self> {
        let callback = Callback::new(function);
        let pool = self.pool()?;
        let number = |number| callback.number(numbers([number]));
        let of_pool = |pool| vec![Any::Pool(pool)];
        let made = match operator {
            "best" => Any::Number(pool.best(number)),
            "best_part" => Any::Number(pool.best_part(|part| callback.number(of_pool(part)))),
            "flat_map" => Any::Pool(pool.flat_map(|it| callback.pool(numbers([it])))),
            "map" => Any::Pool(pool.map(number)),
            "successors" => Any::Pool(pool.successors(|last| callback.pool(of_pool(last)))),
            _ => return Err(PyValueError::new_err("there is no such operator")),
        };
        callback.ended(Self::of(made))
    }

    fn fold(&self, first: &Self, function: &Bound<'_, PyAny>) -> PyResult<Self> {
        let callback = Callback::new(function);
        let step = |value, member| callback.number(numbers([value, member]));
        let made = self.pool()?.fold(first.number()?, step);
        callback.ended(Self::of(Any::Number(made)))
    }
}

/// The rounds of a loop.
#[pyclass(frozen, module = "dicedist._engine")]
pub(crate) struct Rounds(AnyRounds);

/// Changes a state by one round after the other until a condition on it holds.
#[pyfunction]
pub(crate) fn repeat_until(
    py: Python<'_>,
    first: Vec<PyRef<'_, Expression>>,
    until: &Bound<'_, PyAny>,
    round: &Bound<'_, PyAny>,
) -> PyResult<Rounds> {
    let first = first.iter().map(|number| number.number());
    let first: Vec<Number> = first.collect::<PyResult<_>>()?;
    let (until, round) = (Callback::new(until), Callback::new(round));
    let rounds = repeat_any_until(
        first,
        |state| until.condition(numbers(state)),
        |state| round.pool(numbers(state)),
    );
    round.ended(())?;
    until.ended(())?;
    rounds
        .map(Rounds)
        .map_err(|error| exception(py, &error, None))
}

#[pymethods]
impl Rounds {
    fn count(&self) -> Expression {
        Expression::of(Any::Number(self.0.count()))
    }

    fn then(&self, function: &Bound<'_, PyAny>) -> PyResult<Expression> {
        let callback = Callback::new(function);
        let made = self.0.then(|state| callback.any(numbers(state)));
        callback.ended(Expression::of(made))
    }
}
