//! The conditions of `--chance`: the programs that answer them for one rule.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dicedist::engine::{self, MemberRef, Value};
use dicedist::ir::Program;
use dicedist::limits::{Limits, Unobserved};
use dicedist::notation::{self, Environment, Kind, Settings};
use dicedist::number::Integer;
use dicedist::report::Query;
use dicedist::source::Source;
use dicedist::{Answer, Dialect, Error};

use super::args::Args;
use super::echo::echoed;
use super::series::{Parameters, Series};
use super::status::Stop;

/// The texts of conditions, as sources of their own.
pub(super) struct Conditions(Vec<(Arc<str>, Source)>);

/// The names that the conditions of a call use. Those that are parts of a rule's value need no values.
pub(super) fn names_in(args: &Args) -> BTreeSet<String> {
    let given = args.settings.iter().map(|setting| setting.name.clone());
    let environment = Environment::with_given(given);
    let read = |text: &Arc<str>| {
        let source = Source::new("--chance", &**text);
        notation::parse_in(Dialect::Bones, &source, source.span(), &environment).ok()
    };
    let conditions = args.chance.iter().filter_map(read);
    conditions.flat_map(|read| read.free_names()).collect()
}

/// A condition on the value of a rule.
pub(super) struct Chance<'c> {
    pub(super) text: &'c Arc<str>,
    pub(super) source: &'c Source,
    /// The program that answers it.
    pub(super) program: Program,
}

impl Conditions {
    /// The conditions among what is asked.
    pub(super) fn among(queries: &[Query]) -> Self {
        let texts = queries.iter().filter_map(|query| match query {
            Query::Condition(text) => Some(text),
            _ => None,
        });
        let sources = texts.map(|text| (text.clone(), Source::new("--chance", &**text)));
        Self(sources.collect())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The conditions on the value of a rule, or the first that cannot be asked of it.
    pub(super) fn on(&self, series: &Series) -> Result<Vec<Chance<'_>>, (&Source, Error)> {
        let parameters = series.parameters.iter().cloned().collect();
        let settings = Settings::default().with_parameters(parameters);
        let conditions = self.0.iter().map(|(text, source)| {
            let program = &series.reading.program;
            match notation::condition(source, program, &settings) {
                Ok(program) => Ok(Chance {
                    text,
                    source,
                    program,
                }),
                Err(error) => {
                    let note = usable(program);
                    Err((source, error.map(|finding| finding.with_note(&note))))
                }
            }
        });
        conditions.collect()
    }
}

/// The most values of a rule for which a condition is looked at one by one.
const MOST_MARKED: usize = 1600;

impl Conditions {
    /// Whether the only condition holds, for each value of a record of numbers, if there is a picture, which marks them.
    pub(super) fn holding(
        &self,
        args: &Args,
        answer: &Answer,
        parameters: &Parameters,
    ) -> Option<Vec<bool>> {
        let ([(_, condition)], Some(_)) = (&self.0[..], &args.svg) else {
            return None;
        };
        if answer.shape.parts().is_none() || answer.outcomes().len() > MOST_MARKED {
            return None;
        }
        let settings = Settings::default().with_parameters(parameters.iter().cloned().collect());
        let holds = |value: Value| {
            let parts = answer.part_names().zip(value.members());
            let parts = parts.map(|(name, member)| match member {
                MemberRef::Number(number) => Some(format!("{name}: {number}")),
                _ => None,
            });
            let record = parts.collect::<Option<Vec<_>>>()?.join(", ");
            let source = Source::new("record", format!("{{{record}}}"));
            let record = notation::parse(Dialect::Bones, &source, source.span()).ok()?;
            let record = record.lower(&settings).ok()?.pop()?.program;
            let program = notation::condition(condition, &record, &settings).ok()?;
            let limits = Limits::default().with_states(MOST_STATES);
            let answer = engine::analyze(&program, &limits, &Unobserved).ok()?;
            let yes = answer.numbers()?.outcomes() == [Integer::ONE];
            Some(yes)
        };
        let values = answer.outcomes().iter();
        values.map(|(value, _)| holds(value)).collect()
    }
}

/// The most states of a condition on one value.
const MOST_STATES: u64 = 1000;

/// The answers to the conditions on a rule, by their texts, or the first that has none.
pub(super) fn answered<'c>(
    chances: Result<Vec<Chance<'c>>, (&'c Source, Error)>,
    mut solve: impl FnMut(&Chance<'c>) -> Result<Answer, Error>,
) -> Result<BTreeMap<Arc<str>, Answer>, (&'c Source, Error)> {
    let answers = chances?.into_iter().map(|chance| match solve(&chance) {
        Ok(answer) => Ok((chance.text.clone(), answer)),
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
        [] => "in a condition, `value` is the value of the rule".into(),
        parts => format!(
            "in a condition, the parts of the record are names: {}",
            parts.join(", ")
        ),
    }
}

/// The questions with `yes` and `no` as the numbers that they are, where no rule has labels and one is a condition.
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

/// Refuses a label that no rule has.
pub(super) fn refuse_unknown_labels(queries: &[Query], all: &[Series]) -> Result<(), Stop> {
    let mut labels: Vec<&str> = Vec::new();
    let of_all = all
        .iter()
        .flat_map(|series| series.reading.program.shape().labels());
    for label in of_all {
        if !labels.contains(&&*label.text) {
            labels.push(&label.text);
        }
    }
    for query in queries {
        let Query::Label(text) = query else {
            continue;
        };
        if labels.contains(&&**text) {
            continue;
        }
        let text = echoed(text);
        return Err(Stop::usage(match &labels[..] {
            [] => format!("--exactly needs a number, found '{text}'; no rule has labels"),
            labels => format!(
                "--exactly '{text}': no rule has this label; there are {}",
                echoed(&labels.join(", "))
            ),
        }));
    }
    Ok(())
}
