//! Rules: how they are read, solved and rolled.

use std::sync::Arc;

use dicedist::ir::{Member, Shape};
use dicedist::limits::{Budget, Limits};
use dicedist::notation::{self, Environment};
use dicedist::number::{Fraction, Integer};
use dicedist::source::{Source, Span};
use dicedist::{Dialect, Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use crate::answer::Answer;
use crate::convert::values;
use crate::error::{exception, findings};
use crate::limits::Bounds;
use crate::outcome::Reader;
use crate::worker;

/// A rule that was read from a text, or made of an expression.
#[pyclass(frozen, module = "dicedist._engine")]
pub(crate) struct Rule {
    rule: Arc<dicedist::Rule>,
    /// The values of free names.
    values: Vec<(String, Integer)>,
    /// Whether it was built as a condition.
    is_condition: bool,
}

impl Rule {
    pub(crate) fn built(rule: dicedist::Rule, is_condition: bool) -> Self {
        Self {
            rule: Arc::new(rule),
            values: Vec::new(),
            is_condition,
        }
    }

    fn raised(&self, py: Python<'_>, error: &Error) -> PyErr {
        exception(py, error, self.rule.source())
    }
}

/// The names of all notations.
#[pyfunction]
pub(crate) fn dialects() -> Vec<&'static str> {
    Dialect::ALL.iter().map(|dialect| dialect.name()).collect()
}

/// All rules of a text, in the notation of this name, or in those that are recognised.
#[pyfunction]
#[pyo3(signature = (text, dialect=None))]
pub(crate) fn read(py: Python<'_>, text: String, dialect: Option<&str>) -> PyResult<Vec<Rule>> {
    let source = Source::new("rule", &*text);
    let dialect = dialect.map(|name| {
        name.parse::<Dialect>()
            .map_err(|unknown| unknown.to_string())
    });
    let dialect = match dialect.transpose() {
        Ok(dialect) => dialect,
        Err(message) => return Err(crate::error::plain(py, "parse", &message, None)),
    };
    let rules = worker::run(py, None, move |_| match dialect {
        Some(dialect) => dicedist::Rule::all(dialect, &text),
        None => recognised(&text),
    })?;
    let rules = rules.map_err(|error| exception(py, &error, Some(&source)))?;
    Ok(rules
        .into_iter()
        .map(|rule| Rule::built(rule, false))
        .collect())
}

/// The rules of a text for which nobody named a notation, as the command reads them.
fn recognised(text: &str) -> Result<Vec<dicedist::Rule>, Error> {
    let source = Source::new("rule", text);
    if notation::program(&source).is_some() {
        return dicedist::Rule::all(Dialect::Anydice, text);
    }
    match dicedist::Rule::all(Dialect::Bones, text) {
        Err(error) if error.kind() == ErrorKind::Parse => {}
        read => return read,
    }
    let mut environment = Environment::default();
    let mut found = Vec::new();
    for rule in notation::rules(Dialect::Bones, &source) {
        let rule = rule?;
        if rule.is_definition {
            notation::define(rule.dialect, &source, rule.span, &mut environment)?;
        } else if rule.names_dialect {
            found.push(rule);
        } else {
            let recognised = notation::recognise(&source, rule, &environment);
            found.extend(recognised?.into_iter().map(|recognised| recognised.rule));
        }
    }
    if let Some(first) = found.first()
        && found.iter().all(|rule| rule.dialect == first.dialect)
    {
        return dicedist::Rule::all(first.dialect, text);
    }
    // Each rule is read alone, with blanks in place of the rules of other notations: so its places stay.
    let mut rules = Vec::new();
    for rule in &found {
        let mut alone = text.as_bytes().to_vec();
        for other in found.iter().filter(|other| other.span != rule.span) {
            blank(&mut alone, other.span);
        }
        let alone = String::from_utf8_lossy(&alone).into_owned();
        rules.extend(dicedist::Rule::all(rule.dialect, &alone)?);
    }
    Ok(rules)
}

/// Blanks in place of a rule with its name and the sign behind it. The ends of lines stay.
fn blank(bytes: &mut [u8], span: Span) {
    let ends_rule = |byte: &u8| matches!(byte, b';' | b'\n');
    let before = bytes[..span.start].iter().rposition(ends_rule);
    let behind = bytes[span.end..].iter().position(ends_rule);
    let start = before.map_or(0, |before| before + 1);
    let end = behind.map_or(bytes.len(), |behind| span.end + behind + 1);
    for byte in bytes[start..end].iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

/// What is known of a rule before it is solved.
#[pymethods]
impl Rule {
    #[getter]
    fn name(&self) -> &str {
        self.rule.name()
    }

    /// The text that the rule was read from; `None` for an expression.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.rule.source().map(Source::text)
    }

    #[getter]
    fn dialect(&self) -> Option<&'static str> {
        self.rule.parsed().map(|parsed| parsed.dialect().name())
    }

    #[getter]
    fn free_names(&self) -> Vec<String> {
        let given = |name: &String| self.values.iter().any(|(given, _)| given == name);
        self.rule
            .free_names()
            .into_iter()
            .filter(|name| !given(name))
            .collect()
    }

    #[getter]
    fn all_names(&self) -> Vec<String> {
        self.rule.free_names().into_iter().collect()
    }

    #[getter]
    fn values(&self) -> Vec<(String, num_bigint::BigInt)> {
        let values = self.values.iter();
        values
            .map(|(name, value)| (name.clone(), value.to_big()))
            .collect()
    }

    fn canonical(&self) -> String {
        self.rule.to_string()
    }

    fn with_values(&self, given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut all = self.values.clone();
        let mut rule = dicedist::Rule::clone(&self.rule);
        for (name, value) in values(given)? {
            rule = rule.with(name.clone(), value.clone());
            all.retain(|(known, _)| *known != name);
            all.push((name, value));
        }
        Ok(Self {
            rule: Arc::new(rule),
            values: all,
            is_condition: self.is_condition,
        })
    }

    fn results(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let rule = Arc::clone(&self.rule);
        let results = worker::run(py, None, move |observer| {
            let limits = Limits::default();
            rule.results_within(&Budget::start(&limits, observer))
        })?;
        let results = results.map_err(|error| self.raised(py, &error))?;
        let results = results.into_iter().map(|result| Self {
            rule: Arc::new(result),
            values: self.values.clone(),
            is_condition: self.is_condition,
        });
        Ok(results.collect())
    }

    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rule = Arc::clone(&self.rule);
        let warnings = worker::run(py, None, move |_| rule.warnings())?;
        let warnings = warnings.map_err(|error| self.raised(py, &error))?;
        findings(py, &warnings, self.rule.source())
    }

    /// The distribution.
    #[pyo3(signature = (bounds, seed=None, ordered=false, progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        bounds: Bounds,
        seed: Option<u64>,
        ordered: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let rule = Arc::clone(&self.rule);
        let solved = worker::run(py, progress, move |observer| {
            let mut solver = rule.solver().limits(bounds.0).observe(observer);
            if let Some(seed) = seed {
                solver = solver.sample_if_needed(seed);
            }
            if ordered {
                solver = solver.in_order();
            }
            let answer = solver.answer()?;
            Ok((answer, rule.is_condition()?))
        })?;
        let (answer, is_condition) = solved.map_err(|error: Error| self.raised(py, &error))?;
        let is_condition = (is_condition || self.is_condition) && is_truth(&answer);
        Ok(Answer {
            is_condition,
            is_ordered: ordered,
            ..Answer::new(answer)
        })
    }

    /// Random values.
    fn roll<'py>(&self, py: Python<'py>, count: usize, seed: u64) -> PyResult<Bound<'py, PyList>> {
        let rule = Arc::clone(&self.rule);
        let rolled = worker::run(py, None, move |observer| {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            let limits = Limits::default();
            let program = rule.program_within(&Budget::start(&limits, observer))?;
            let is_condition = rule.is_condition()?;
            let shape = program.shape().clone();
            let is_whole = program.unit().is_whole();
            let mut rolls = Vec::new();
            for _ in 0..count {
                if observer.is_interrupted() {
                    break;
                }
                rolls.push(if is_whole {
                    Rolled::Members(rule.solver().observe(observer).roll_as(&mut generator)?)
                } else {
                    Rolled::Number(rule.solver().observe(observer).roll_as(&mut generator)?)
                });
            }
            Ok((rolls, shape, is_condition))
        })?;
        let (rolls, shape, is_condition) =
            rolled.map_err(|error: Error| self.raised(py, &error))?;
        let reader = Reader {
            unit: &dicedist::number::Unit::WHOLE,
            shape: &shape,
            is_condition: (is_condition || self.is_condition) && rolls.iter().all(Rolled::is_truth),
        };
        listed(py, &rolls, &reader, &shape)
    }
}

/// Whether each outcome is 0 or 1: that of a condition of AnyDice may be another one.
fn is_truth(answer: &dicedist::Answer) -> bool {
    let has_tail = answer.above().is_some() || answer.below().is_some();
    let numbers = answer
        .numbers()
        .filter(|_| answer.unit.is_whole() && !has_tail);
    numbers.is_some_and(|numbers| numbers.outcomes().iter().all(is_bit))
}

fn is_bit(number: &Integer) -> bool {
    number.is_zero() || *number == Integer::ONE
}

/// A random value.
enum Rolled {
    Members(Vec<Member>),
    Number(Fraction),
}

impl Rolled {
    fn is_truth(&self) -> bool {
        match self {
            Self::Members(members) => {
                matches!(&members[..], [Member::Number(number)] if is_bit(number))
            }
            Self::Number(_) => false,
        }
    }
}

/// Random values as values of Python: lists, if one of them has not exactly one member.
fn listed<'py>(
    py: Python<'py>,
    rolls: &[Rolled],
    reader: &Reader<'_>,
    shape: &Shape,
) -> PyResult<Bound<'py, PyList>> {
    let is_number = |roll: &Rolled| match roll {
        Rolled::Members(members) => matches!(&members[..], [Member::Number(_)]),
        Rolled::Number(_) => true,
    };
    let are_numbers = *shape == Shape::Numbers && rolls.iter().all(is_number);
    let values = PyList::empty(py);
    for roll in rolls {
        values.append(match roll {
            Rolled::Number(number) => crate::convert::number(py, number)?,
            Rolled::Members(members) => match &members[..] {
                [Member::Number(number)] if are_numbers => reader.number(py, number)?,
                members => reader.value(py, dicedist::engine::Value::Members(members))?,
            },
        })?;
    }
    Ok(values)
}
