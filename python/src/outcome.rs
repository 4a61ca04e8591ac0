//! Outcomes as values of Python, and back.
//!
//! | in an answer | in Python |
//! |---|---|
//! | a number | `int`, or `Fraction` where it is not whole |
//! | the number of a condition | `bool` |
//! | a label | `str` |
//! | a list | `tuple` |
//! | a record | `Record` |

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dicedist::algebra::{Distribution, Weight};
use dicedist::engine::{MemberRef, Outcomes, Value};
use dicedist::ir::{Label, Labels, Member, Part, Shape};
use dicedist::number::{Fraction, Integer, Unit};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyString, PyTuple, PyType};

use crate::convert::{fraction, int, integer, is_fraction, number, rational};
use crate::error::plain;

static RECORD: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// How the values of an answer are read.
pub(crate) struct Reader<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) shape: &'a Shape,
    pub(crate) is_condition: bool,
}

impl Reader<'_> {
    /// A number as a value of Python.
    pub(crate) fn number<'py>(
        &self,
        py: Python<'py>,
        value: &Integer,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.is_condition {
            return Ok(PyBool::new(py, !value.is_zero()).to_owned().into_any());
        }
        if self.unit.is_whole() {
            return int(py, value);
        }
        number(py, &self.unit.fraction(value))
    }

    /// A value as a value of Python.
    pub(crate) fn value<'py>(
        &self,
        py: Python<'py>,
        value: Value<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Value::Number(value) = value {
            return self.number(py, value);
        }
        let members = value.members().map(|member| match member {
            MemberRef::Number(value) => self.number(py, value),
            MemberRef::Label(label) => Ok(PyString::new(py, &label.text).into_any()),
            _ => Err(PyTypeError::new_err("the outcome is of a new kind")),
        });
        let members: Vec<Bound<'py, PyAny>> = members.collect::<PyResult<_>>()?;
        self.members(py, members)
    }

    /// The value with these members, each of which is a value of Python.
    fn members<'py>(
        &self,
        py: Python<'py>,
        mut members: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(parts) = self.shape.parts() else {
            return match members.len() {
                1 if self.shape.is_single() => Ok(members.remove(0)),
                _ => Ok(PyTuple::new(py, members)?.into_any()),
            };
        };
        let class = RECORD.import(py, "dicedist._record", "Record")?;
        let names = PyTuple::new(py, parts.iter().map(|part| &*part.name))?;
        let record = |members: &[Bound<'py, PyAny>]| {
            let members = PyTuple::new(py, members)?;
            class.call_method1("_of", (&names, members))
        };
        if self.shape.is_single() {
            return record(&members);
        }
        let records = members.chunks(parts.len().max(1)).map(record);
        let records: Vec<Bound<'py, PyAny>> = records.collect::<PyResult<_>>()?;
        Ok(PyTuple::new(py, records)?.into_any())
    }
}

/// An outcome that was given in Python.
enum Given {
    Bool(bool),
    Number(Fraction),
    Text(String),
    List(Vec<Given>),
    Record(Vec<String>, Vec<Given>),
}

impl Given {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(tuple) = object.cast::<PyTuple>() else {
            return Self::member(object);
        };
        let members = tuple.iter().map(|member| Self::member(&member));
        let members: Vec<Self> = members.collect::<PyResult<_>>()?;
        match object.getattr_opt("_fields")? {
            Some(names) => Ok(Self::Record(names.extract()?, members)),
            None => Ok(Self::List(members)),
        }
    }

    /// An outcome of one member.
    fn member(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(truth) = object.cast::<PyBool>() {
            return Ok(Self::Bool(truth.is_true()));
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Text(text.extract()?));
        }
        if object.is_instance_of::<PyTuple>() {
            return Err(PyTypeError::new_err("a tuple in a tuple is no outcome"));
        }
        if is_fraction(object)? {
            return rational(object).map(Self::Number);
        }
        if object.is_instance_of::<PyFloat>() {
            let message = format!(
                "the outcome {object} is a float, and outcomes are exact: use int, Fraction or round"
            );
            return Err(PyTypeError::new_err(message));
        }
        match object
            .call_method0("__index__")
            .and_then(|index| integer(&index))
        {
            Ok(number) => Ok(Self::Number(Fraction::from_integer(number.to_big()))),
            Err(error)
                if error.is_instance_of::<pyo3::exceptions::PyAttributeError>(object.py()) =>
            {
                let name = object.get_type().name()?;
                Err(PyTypeError::new_err(format!(
                    "{name} is no outcome: outcomes are int, Fraction, bool, str, and tuples and records of int and str"
                )))
            }
            Err(error) => Err(error),
        }
    }

    /// The denominator of a number, which may be in a list.
    fn unit(&self, unit: Unit) -> Option<Unit> {
        match self {
            Self::Number(number) if !number.is_integer() => {
                let parts = Integer::from_big(number.denom().clone()).ok()?;
                unit.common(&Unit::new(parts)?).ok()
            }
            Self::List(members) | Self::Record(_, members) => members
                .iter()
                .try_fold(unit, |unit, member| member.unit(unit)),
            _ => Some(unit),
        }
    }

    fn texts<'t>(&'t self, texts: &mut Vec<&'t str>) {
        match self {
            Self::Text(text) => texts.push(text),
            Self::List(members) | Self::Record(_, members) => {
                members.iter().for_each(|member| member.texts(texts));
            }
            Self::Bool(_) | Self::Number(_) => {}
        }
    }

    fn number(&self, unit: &Unit) -> Option<Integer> {
        match self {
            Self::Bool(truth) => unit.value(&Fraction::from_integer(u8::from(*truth).into())),
            Self::Number(number) => unit.value(number),
            Self::Text(_) | Self::List(_) | Self::Record(..) => None,
        }
    }

    /// The members, by the places of labels.
    fn members(&self, unit: &Unit, place: &impl Fn(&str) -> Option<Label>) -> Option<Vec<Member>> {
        match self {
            Self::List(members) | Self::Record(_, members) => {
                let members = members.iter();
                let members = members.map(|member| member.members(unit, place)?.pop());
                members.collect()
            }
            Self::Text(text) => Some(vec![Member::Label(place(text)?)]),
            Self::Bool(_) | Self::Number(_) => {
                self.number(unit).map(|number| vec![Member::Number(number)])
            }
        }
    }
}

/// Outcomes and weights that were given in Python.
pub(crate) struct Written {
    pub(crate) outcomes: Outcomes,
    pub(crate) unit: Unit,
    pub(crate) shape: Shape,
    pub(crate) is_condition: bool,
}

/// The outcomes of an answer with these weights.
///
/// # Errors
///
/// `TypeError` for an object that is no outcome, and for records with different names; an error of kind `overflow` for numbers that are too long.
pub(crate) fn written(
    py: Python<'_>,
    weighted: Vec<(Bound<'_, PyAny>, Weight)>,
    total: Weight,
    order: Option<Vec<String>>,
) -> PyResult<Written> {
    let given = weighted.into_iter();
    let given = given.map(|(outcome, weight)| Ok((Given::of(&outcome)?, weight)));
    let given: Vec<(Given, Weight)> = given.collect::<PyResult<_>>()?;
    let too_long = || plain(py, "overflow", "the outcomes are too long", None);
    let unit = given
        .iter()
        .try_fold(Unit::WHOLE, |unit, (outcome, _)| outcome.unit(unit))
        .ok_or_else(too_long)?;
    let is_condition = !given.is_empty()
        && given
            .iter()
            .all(|(outcome, _)| matches!(outcome, Given::Bool(_)));
    let is_single = |outcome: &Given| !matches!(outcome, Given::List(_) | Given::Record(..));
    let are_single = given.iter().all(|(outcome, _)| is_single(outcome));
    let has_records = given
        .iter()
        .any(|(outcome, _)| matches!(outcome, Given::Record(..)));
    let mut texts = Vec::new();
    given
        .iter()
        .for_each(|(outcome, _)| outcome.texts(&mut texts));
    if texts.is_empty() && !has_records {
        let outcomes = if are_single {
            let numbers = given
                .into_iter()
                .map(|(outcome, weight)| Some((outcome.number(&unit)?, weight)));
            let numbers: Vec<_> = numbers.collect::<Option<_>>().ok_or_else(too_long)?;
            Outcomes::Numbers(Distribution::new(numbers, total))
        } else {
            let lists = given.into_iter().map(|(outcome, weight)| {
                let list = match &outcome {
                    Given::List(members) => members
                        .iter()
                        .map(|member| member.number(&unit))
                        .collect::<Option<Vec<Integer>>>()?,
                    other => vec![other.number(&unit)?],
                };
                Some((list, weight))
            });
            let lists: Vec<_> = lists.collect::<Option<_>>().ok_or_else(too_long)?;
            Outcomes::from_lists(Distribution::new(lists, total))
        };
        let shape = Shape::Numbers;
        return Ok(Written {
            outcomes,
            unit,
            shape,
            is_condition,
        });
    }
    if !unit.is_whole() {
        let message = "fractions do not stand beside texts or in records: use whole numbers there";
        return Err(PyTypeError::new_err(message));
    }
    let labels = match &order {
        Some(order) => Labels::new(order.iter().map(|text| &**text)),
        None => Labels::new(texts.iter().copied().collect::<BTreeSet<_>>()),
    };
    let shape = if has_records {
        record_shape(&given, &labels)?
    } else {
        let labels = labels.clone();
        Shape::Labels {
            labels,
            is_single: are_single,
        }
    };
    let by_text: BTreeMap<&str, Label> = labels
        .all()
        .iter()
        .map(|label| (&*label.text, label.clone()))
        .collect();
    let place = |text: &str| by_text.get(text).cloned();
    let members = given
        .iter()
        .map(|(outcome, weight)| Some((outcome.members(&unit, &place)?, weight.clone())));
    let members: Vec<_> = members.collect::<Option<_>>().ok_or_else(too_long)?;
    let outcomes = Outcomes::Members(Distribution::new(members, total));
    Ok(Written {
        outcomes,
        unit,
        shape,
        is_condition: false,
    })
}

/// The shape of records, all of which have the names of the first.
fn record_shape(given: &[(Given, Weight)], labels: &Labels) -> PyResult<Shape> {
    let mut all: Option<(&Vec<String>, Vec<bool>)> = None;
    for (outcome, _) in given {
        let Given::Record(names, members) = outcome else {
            return Err(PyTypeError::new_err(
                "records and other outcomes do not stand together",
            ));
        };
        let (first, has_labels) = all.get_or_insert_with(|| (names, vec![false; names.len()]));
        if *first != names || names.len() != members.len() {
            return Err(PyTypeError::new_err("all records have the same names"));
        }
        for (has, member) in has_labels.iter_mut().zip(members) {
            *has |= matches!(member, Given::Text(_));
        }
    }
    let (names, has_labels) = all.unwrap_or((&EMPTY, Vec::new()));
    let parts = names.iter().zip(has_labels).map(|(name, has_labels)| Part {
        name: name.as_str().into(),
        has_labels,
    });
    let parts: Arc<[Part]> = parts.collect();
    let labels = labels.clone();
    Ok(Shape::Record { parts, labels })
}

static EMPTY: Vec<String> = Vec::new();

/// The place of an outcome among those of an answer.
pub(crate) fn place(
    outcome: &Bound<'_, PyAny>,
    outcomes: &Outcomes,
    unit: &Unit,
    shape: &Shape,
) -> Option<usize> {
    // What is no outcome at all is not listed.
    let given = Given::of(outcome).ok()?;
    match outcomes {
        Outcomes::Numbers(_) => {
            let number = match &given {
                Given::List(members) => match &members[..] {
                    [only] => only.number(unit)?,
                    _ => return None,
                },
                other => other.number(unit)?,
            };
            outcomes.place(Value::Number(&number))
        }
        Outcomes::Lists(_) => {
            let list = match &given {
                Given::List(members) => members
                    .iter()
                    .map(|member| member.number(unit))
                    .collect::<Option<Vec<_>>>()?,
                other => vec![other.number(unit)?],
            };
            outcomes.place(Value::List(&list))
        }
        Outcomes::Members(_) => {
            let labels = shape.labels();
            let label = |text: &str| labels.iter().find(|label| *label.text == *text).cloned();
            let members = given.members(unit, &label)?;
            outcomes.place(Value::Members(&members))
        }
        _ => None,
    }
}

/// The number that an outcome is, in any unit.
pub(crate) fn numeric(outcome: &Bound<'_, PyAny>) -> PyResult<Fraction> {
    match Given::of(outcome)? {
        Given::Bool(truth) => Ok(Fraction::from_integer(u8::from(truth).into())),
        Given::Number(number) => Ok(number),
        Given::Text(_) | Given::List(_) | Given::Record(..) => {
            Err(PyTypeError::new_err("a number is needed here"))
        }
    }
}

/// A probability as a value of Python.
pub(crate) fn chance<'py>(
    py: Python<'py>,
    weight: &Weight,
    total: &Weight,
) -> PyResult<Bound<'py, PyAny>> {
    fraction(py, &dicedist::algebra::weight::probability(weight, total))
}
