//! A question of the page as the library asks it.

use dicedist::Dialect;
use dicedist::ask::{self, Answers, Text};
use dicedist::engine::estimate::Request;
use dicedist::limits::Observer;
use dicedist::notation::{self, Environment};
use dicedist::source::{Source, Span};

use crate::question::{Asked, Kind, Question};
use crate::rules::{self, Found};

/// The most values of all rules that a chart marks where a condition holds: an answer comes with each key.
const MOST_MARKED: usize = 400;

/// The answers to a question, and where the rules stand in its text.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) answers: Answers,
    /// The text.
    pub(crate) source: Source,
    /// The places of the rules in the text.
    pub(crate) spans: Vec<Span>,
}

/// Answers a question.
///
/// # Errors
///
/// What is wrong with the question itself, and not with a rule, in words.
pub(crate) fn answer(question: &Question, observer: &dyn Observer) -> Result<Answered, String> {
    let source = Source::new("rule", question.text.as_str());
    let found = rules::read(&source, question.dialect(), question.names());
    let asked = of_library(question, &source, &found.found)?;
    let answers = asked.answer(&question.limits()?, observer);
    Ok(Answered {
        answers: answers.map_err(|misfit| misfit.to_string())?,
        source,
        spans: found.found.iter().filter_map(Found::span).collect(),
    })
}

fn of_library(
    question: &Question,
    source: &Source,
    found: &[Found],
) -> Result<ask::Question, String> {
    let mut asked = ask::Question::default();
    asked.texts = vec![Text::new(source.clone()).in_dialect(question.dialect())];
    asked.asked = question
        .asked
        .iter()
        .map(chance)
        .collect::<Result<_, _>>()?;
    // The page keeps the values of names that are gone for a moment while somebody types.
    let is_used = |name: &str| {
        let has = |found: &Found| found.names().contains(name);
        found.iter().any(has) || question.asked.iter().any(|asked| uses(asked, name))
    };
    for (name, values) in &question.values {
        if is_used(name) {
            asked.settings.push(format!("{name}={values}").parse()?);
        }
    }
    asked.reading = question.settings();
    asked.ordered = question.ordered && !found.iter().all(Found::runs_program);
    asked.marked = MOST_MARKED;
    if !question.exact {
        let request = Request::default().with_samples(question.samples);
        asked.sampling = Some(request.with_seed(question.seed));
    }
    Ok(asked)
}

/// Whether a condition uses a name.
fn uses(asked: &Asked, name: &str) -> bool {
    let source = Source::new("condition", asked.text.as_str());
    let environment = Environment::with_given([name.to_owned()]);
    let read = notation::parse_in(Dialect::Bones, &source, source.span(), &environment);
    asked.kind == Kind::Chance && read.is_ok_and(|read| read.free_names().contains(name))
}

fn chance(asked: &Asked) -> Result<ask::Asked, String> {
    let text = asked.text.trim();
    Ok(match asked.kind {
        Kind::AtLeast => ask::Asked::AtLeast(ask::typed::number(text)?),
        Kind::AtMost => ask::Asked::AtMost(ask::typed::number(text)?),
        Kind::Exactly => ask::Asked::exactly(text),
        Kind::Chance => ask::Asked::Condition(Source::new("condition", text)),
    })
}
