//! Expressions of dice: what is made of other expressions without a function.

use dicedist::Dist;
use dicedist::dice::{Any, Condition, Fields, Number, Pool, d};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::answer::Answer;
use crate::convert::integer;
use crate::error::exception;
use crate::rule::Rule;

/// An expression of dice, of any kind. The classes of `dicedist.dice` stand before it.
#[pyclass(frozen, module = "dicedist._engine")]
pub(crate) struct Expression(Any);

impl Expression {
    pub(crate) fn of(any: Any) -> Self {
        Self(any)
    }

    pub(crate) fn any(&self) -> &Any {
        &self.0
    }

    pub(crate) fn number(&self) -> PyResult<Number> {
        match &self.0 {
            Any::Number(number) => Ok(number.clone()),
            Any::Condition(condition) => Ok(condition.clone().number()),
            _ => Err(PyTypeError::new_err("a number is needed here")),
        }
    }

    pub(crate) fn pool(&self) -> PyResult<Pool> {
        match &self.0 {
            Any::Pool(pool) => Ok(pool.clone()),
            Any::Number(number) => Ok(number.clone().into()),
            _ => Err(PyTypeError::new_err("a pool is needed here")),
        }
    }

    pub(crate) fn condition(&self) -> PyResult<Condition> {
        match &self.0 {
            Any::Condition(condition) => Ok(condition.clone()),
            _ => Err(PyTypeError::new_err("a condition is needed here")),
        }
    }
}

fn unknown(operator: &str) -> PyErr {
    PyValueError::new_err(format!("there is no operator {operator}"))
}

/// Expressions without operands of their kind.
#[pymethods]
impl Expression {
    #[staticmethod]
    fn constant(number: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(Any::Number(integer(number)?.into())))
    }

    #[staticmethod]
    fn truth(holds: bool) -> Self {
        Self(Any::Condition(holds.into()))
    }

    #[staticmethod]
    fn die(sides: &Self) -> PyResult<Self> {
        Ok(Self(Any::Number(d(sides.number()?))))
    }

    /// A die with the outcomes of a distribution.
    #[staticmethod]
    fn from_answer(py: Python<'_>, answer: &Answer) -> PyResult<Self> {
        let dist = Dist::try_from(dicedist::Answer::clone(&answer.answer));
        let number = dist.and_then(|dist| Number::try_from(&dist));
        let number = number.map_err(|error| exception(py, &error, None))?;
        Ok(Self(if answer.is_condition {
            Any::Condition(number.equals(1))
        } else {
            Any::Number(number)
        }))
    }

    #[staticmethod]
    fn pool_of(numbers: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let numbers = numbers.iter().map(|number| number.number());
        let numbers: Vec<Number> = numbers.collect::<PyResult<_>>()?;
        Ok(Self(Any::Pool(dicedist::dice::pool(numbers))))
    }

    /// The whole numbers from the first to the last.
    #[staticmethod]
    fn range(first: i64, last: i64) -> Self {
        Self(Any::Pool(Pool::range(first..=last)))
    }

    #[staticmethod]
    fn record(parts: Vec<(String, PyRef<'_, Self>)>) -> PyResult<Self> {
        let parts = parts
            .iter()
            .map(|(name, number)| Ok((name.as_str(), number.number()?)));
        let parts: Vec<(&str, Number)> = parts.collect::<PyResult<_>>()?;
        Ok(Self(Any::Fields(Fields::new(parts))))
    }

    /// The kind of the expression, and that of what is given a condition.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.0 {
            Any::Condition(_) => "condition",
            Any::Fields(_) => "record",
            Any::Given(_) => "given",
            Any::Number(_) => "number",
            Any::Pool(_) => "pool",
            _ => "expression",
        }
    }

    fn rule(&self) -> Rule {
        Rule::built(self.0.rule(), self.0.is_condition())
    }
}

/// What is made of one expression, of two, or of several.
#[pymethods]
impl Expression {
    fn unary(&self, operator: &str) -> PyResult<Self> {
        let of_pool = |of: fn(&Pool) -> Pool| Ok(Any::Pool(of(&self.pool()?)));
        let to_number = |of: fn(&Pool) -> Number| Ok(Any::Number(of(&self.pool()?)));
        let made: PyResult<Any> = match operator {
            "abs" => Ok(Any::Number(self.number()?.abs())),
            "any" => Ok(Any::Condition(self.pool()?.any())),
            "count" => to_number(Pool::count),
            "distinct" => of_pool(Pool::distinct),
            "highest" => to_number(Pool::highest),
            "lowest" => to_number(Pool::lowest),
            "negate" => Ok(Any::Number(-self.number()?)),
            "not" => Ok(Any::Condition(!self.condition()?)),
            "number" => Ok(Any::Number(self.number()?)),
            "only" => to_number(Pool::only),
            "pool" => Ok(Any::Pool(self.pool()?)),
            "product" => to_number(Pool::product),
            "reversed" => of_pool(Pool::reversed),
            "shuffled" => of_pool(Pool::shuffled),
            "sorted" => of_pool(Pool::sorted),
            "sum" => to_number(Pool::sum),
            _ => Err(unknown(operator)),
        };
        made.map(Self)
    }

    /// Two numbers, two conditions, two pools, or a pool and a number.
    fn binary(&self, operator: &str, other: &Self) -> PyResult<Self> {
        let numbers =
            |of: fn(Number, Number) -> Number| Ok(Any::Number(of(self.number()?, other.number()?)));
        let compared = |of: fn(&Number, Number) -> Condition| {
            Ok(Any::Condition(of(&self.number()?, other.number()?)))
        };
        let selected =
            |of: fn(&Pool, Number) -> Pool| Ok(Any::Pool(of(&self.pool()?, other.number()?)));
        let made: PyResult<Any> = match operator {
            "+" => numbers(|a, b| a + b),
            "-" => numbers(|a, b| a - b),
            "*" => numbers(|a, b| a * b),
            "//" => numbers(Number::div_floor),
            "%" => numbers(Number::mod_floor),
            "max" => numbers(Number::max),
            "min" => numbers(Number::min),
            "quotient" => numbers(|a, b| a / b),
            "remainder" => numbers(|a, b| a % b),
            "==" => compared(Number::equals),
            "!=" => compared(Number::differs_from),
            ">=" => compared(Number::at_least),
            "<=" => compared(Number::at_most),
            ">" => compared(Number::more_than),
            "<" => compared(Number::less_than),
            "&" => Ok(Any::Condition(self.condition()? & other.condition()?)),
            "|" => Ok(Any::Condition(self.condition()? | other.condition()?)),
            "chain" => Ok(Any::Pool(self.pool()?.chain(&other.pool()?))),
            "without" => Ok(Any::Pool(self.pool()?.without(&other.pool()?))),
            "compare" => Ok(Any::Number(self.pool()?.compare(&other.pool()?))),
            "contains" => Ok(Any::Condition(self.pool()?.contains(other.number()?))),
            "ranked" => Ok(Any::Number(self.pool()?.ranked(other.number()?))),
            "times" => selected(Pool::times),
            "draw" => selected(Pool::draw),
            "drop_first" => selected(Pool::drop_first),
            "drop_highest" => selected(Pool::drop_highest),
            "drop_last" => selected(Pool::drop_last),
            "drop_lowest" => selected(Pool::drop_lowest),
            "first" => selected(Pool::first),
            "keep_highest" => selected(Pool::keep_highest),
            "keep_lowest" => selected(Pool::keep_lowest),
            "last" => selected(Pool::last),
            _ => Err(unknown(operator)),
        };
        made.map(Self)
    }

    /// One expression where the condition holds, and another where it does not. Both are of one kind.
    fn choose(&self, yes: &Self, no: &Self) -> PyResult<Self> {
        let condition = self.condition()?;
        Ok(Self(condition.choose(yes.0.clone(), no.0.clone())))
    }

    fn given(&self, condition: &Self) -> PyResult<Self> {
        let given = self.0.given(condition.condition()?);
        Ok(Self(Any::Given(Box::new(given))))
    }

    /// The value of the first range that the number is in, else the last expression.
    fn case(&self, arms: Vec<(i64, i64, PyRef<'_, Self>)>, otherwise: &Self) -> PyResult<Self> {
        let arms = arms
            .iter()
            .map(|(low, high, value)| Ok((*low..=*high, value.number()?)));
        let arms: Vec<_> = arms.collect::<PyResult<_>>()?;
        Ok(Self(Any::Number(
            self.number()?.case(arms, otherwise.number()?),
        )))
    }
}
