//! Conditions on the values of rules: the programs that answer them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::asked::Asked;
use super::misfit::Misfit;
use super::question::Question;
use super::series::{Parameters, Series};
use crate::engine::{self, Answer, MemberRef, Value};
use crate::error::Error;
use crate::ir::{Builder, Labels, Program, Shape};
use crate::limits::{Budget, Limits, Unobserved};
use crate::notation::{self, Kind, Settings};
use crate::number::{Integer, Unit};
use crate::report::Query;
use crate::source::Source;

/// The conditions of a question, each with its text.
#[derive(Debug)]
pub(super) struct Conditions(Vec<(Arc<str>, Source)>);

/// The words of the conditions of a question. A word that names a part of a rule's value needs no value from `--set`.
pub(super) fn words_in(question: &Question) -> BTreeSet<String> {
    let texts = question.asked.iter().filter_map(|asked| match asked {
        Asked::Condition(source) => Some(source.text()),
        _ => None,
    });
    let is_between = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let words = texts.flat_map(|text| text.split(is_between));
    words.map(str::to_owned).collect()
}

/// A condition on the value of a rule.
#[derive(Clone, Debug)]
pub(super) struct Chance {
    pub(super) text: Arc<str>,
    pub(super) source: Source,
    /// The program that answers it.
    pub(super) program: Program,
}

/// The error of a condition, with the text that its places refer to.
pub(super) type WrongCondition = (Source, Error);

impl Conditions {
    /// The conditions among what is asked.
    pub(super) fn among(asked: &[Asked]) -> Self {
        let conditions = asked.iter().filter_map(|asked| match asked {
            Asked::Condition(source) => Some((source.text().into(), source.clone())),
            _ => None,
        });
        Self(conditions.collect())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The conditions on the value of a rule, or the first that cannot be asked of it.
    pub(super) fn on(&self, series: &Series) -> Result<Vec<Chance>, WrongCondition> {
        let parameters = series.parameters.iter().cloned().collect();
        let settings = Settings::default().with_parameters(parameters);
        let conditions = self.0.iter().map(|(text, source)| {
            let program = &series.reading.program;
            match notation::condition(source, program, &settings) {
                Ok(program) => Ok(Chance {
                    text: Arc::clone(text),
                    source: source.clone(),
                    program,
                }),
                Err(error) => {
                    let note = usable(program);
                    let error = error.map(|finding| finding.with_note(&note));
                    Err((source.clone(), error))
                }
            }
        });
        conditions.collect()
    }
}

/// The most values of a rule of records or lists that are looked at one by one. Pictures have a field for each record.
const MOST_LISTS: usize = 1600;

/// The time for a condition on one value.
const TIME: Duration = Duration::from_millis(100);

impl Conditions {
    /// Whether each condition holds, for each value of a rule of whole numbers, or of records or lists of them. A condition is left out if
    /// there are more values for all of them than `most`, or if it cannot be found within the budget.
    pub(super) fn holding(
        &self,
        answer: &Answer,
        parameters: &Parameters,
        most: usize,
        budget: &Budget<'_>,
    ) -> BTreeMap<Arc<str>, Vec<bool>> {
        let most = most / self.len().max(1);
        let all = self.0.iter().filter_map(|(text, condition)| {
            let holds = holding(condition, answer, parameters, most, budget)?;
            Some((Arc::clone(text), holds))
        });
        all.collect()
    }
}

/// Whether a condition holds, for each value of a rule.
fn holding(
    condition: &Source,
    answer: &Answer,
    parameters: &Parameters,
    most: usize,
    budget: &Budget<'_>,
) -> Option<Vec<bool>> {
    let (shape, most) = match &answer.shape {
        Shape::Numbers if answer.unit != Unit::WHOLE => return None,
        Shape::Numbers if answer.numbers().is_some() => (Shape::Numbers, most),
        Shape::Numbers => (Shape::Numbers, most.min(MOST_LISTS)),
        shape => {
            let parts = Arc::clone(shape.parts()?);
            let labels = Labels::default();
            (Shape::Record { parts, labels }, most.min(MOST_LISTS))
        }
    };
    if answer.outcomes().len() > most {
        return None;
    }
    let settings = Settings::default().with_parameters(parameters.iter().cloned().collect());
    // Solves the condition for a program whose value is always this one.
    let holds = |value: Value| {
        let mut build = Builder::new();
        let members = value.members().map(|member| match member {
            MemberRef::Number(number) => Some(build.integer(number.clone())),
            _ => None,
        });
        let members = members.collect::<Option<Vec<_>>>()?;
        let known = match &members[..] {
            [only] if shape == Shape::Numbers => *only,
            members => build.join(members),
        };
        let known = build.program(known).shaped(shape.clone());
        let program = notation::condition(condition, &known, &settings).ok()?;
        budget.look_at_clock().ok()?;
        let limits = Limits::default()
            .with_states(MOST_STATES)
            .with_time(Some(TIME));
        let answer = engine::analyze(&program, &limits, &Unobserved).ok()?;
        let yes = answer.numbers()?.outcomes() == [Integer::ONE];
        Some(yes)
    };
    let values = answer.outcomes().iter();
    values.map(|(value, _)| holds(value)).collect()
}

/// The most states of a condition on one value.
const MOST_STATES: u64 = 1000;

/// The answers to the conditions on a rule, by their texts, or the first that has none.
pub(super) fn answered(
    chances: Result<Vec<Chance>, WrongCondition>,
    mut solve: impl FnMut(&Program) -> Result<Answer, Error>,
) -> Result<BTreeMap<Arc<str>, Answer>, WrongCondition> {
    let answers = chances?
        .into_iter()
        .map(|chance| match solve(&chance.program) {
            Ok(answer) => Ok((chance.text, answer)),
            Err(error) => Err((chance.source, error)),
        });
    answers.collect()
}

/// What a condition can use.
fn usable(program: &Program) -> String {
    let parts: Vec<&str> = program
        .shape()
        .parts()
        .filter(|_| program.shape().is_single())
        .map(|parts| parts.iter().map(|part| &*part.name).collect())
        .unwrap_or_default();
    match &parts[..] {
        [] => "in a condition, `value` is the value of one rule; rules that stand side by side are compared without a condition".into(),
        parts => format!(
            "in a condition, the parts of the record are names: {}",
            parts.join(", ")
        ),
    }
}

/// The queries, in which `yes` and `no` become 1 and 0 if one rule is a condition and no rule has labels.
pub(super) fn with_yes_and_no(mut queries: Vec<Query>, all: &[Series]) -> Vec<Query> {
    let is_condition = |series: &Series| series.reading.kind == Kind::Condition;
    let has_labels = |series: &Series| !series.reading.program.shape().labels().is_empty();
    if all.iter().any(is_condition) && !all.iter().any(has_labels) {
        for query in &mut queries {
            match query {
                Query::Label(text) if &**text == "yes" => *query = Query::Exactly(Integer::ONE),
                Query::Label(text) if &**text == "no" => *query = Query::Exactly(Integer::ZERO),
                _ => {}
            }
        }
    }
    queries
}

/// Refuses a label that no rule has, unless no rule could be read.
pub(super) fn refuse_unknown_labels(queries: &[Query], all: &[Series]) -> Result<(), Misfit> {
    if all.is_empty() {
        return Ok(());
    }
    let labels = all
        .iter()
        .flat_map(|series| series.reading.program.shape().labels());
    let mut known = BTreeSet::new();
    let labels: Vec<&str> = labels
        .map(|label| &*label.text)
        .filter(|text| known.insert(*text))
        .collect();
    let mut asked = queries.iter().filter_map(|query| match query {
        Query::Label(text) => Some(&**text),
        _ => None,
    });
    match asked.find(|text| !known.contains(text)) {
        Some(text) => Err(Misfit::UnknownLabel {
            text: text.to_owned(),
            labels: labels.into_iter().map(str::to_owned).collect(),
        }),
        None => Ok(()),
    }
}
