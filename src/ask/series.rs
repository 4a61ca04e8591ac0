//! A rule as read, with values for its free names.

use crate::engine::Answer;
use crate::error::Error;
use crate::notation::{Kind, Parsed, Reading};
use crate::number::Integer;
use crate::report::{Answered, Refused};
use crate::source::{Source, Span, shown};

/// Values of the free names of a rule, in the order of the question.
pub type Parameters = Vec<(String, Integer)>;

/// A rule as read, with values for its free names.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Series {
    /// The text that the places of the rule refer to.
    pub source: Source,
    /// The place of the rule among the rules of the question, from 0.
    pub rule: usize,
    /// The name of the rule, or its text.
    pub name: String,
    /// The text of the rule.
    pub expression: String,
    /// The rule as it was read.
    pub parsed: Parsed,
    /// The same text in another notation that reads it, too, where nobody named one.
    pub other: Option<Parsed>,
    /// The values of the free names.
    pub parameters: Parameters,
    /// The program, with what its notation says about it.
    pub reading: Reading,
}

/// The run of a program: its text, its place there, and the values of its names. All its results share it.
#[derive(Clone, Debug)]
pub(super) struct Run(Source, Span, Parameters);

impl Series {
    /// The name with the values of the free names, on one line.
    #[must_use]
    pub fn label(&self) -> String {
        let words: Vec<&str> = self.name.split_whitespace().collect();
        let mut label = shown(&words.join(" ")).into_owned();
        if !self.parameters.is_empty() {
            label = format!("{label} ({})", list(&self.parameters));
        }
        label
    }

    /// This series as one that could not be answered. The error speaks the words of the notation.
    #[must_use]
    pub fn refused(&self, error: Error) -> Refused {
        let error = self.parsed.in_its_words(error);
        let mut refused = Refused::new(self.label(), self.source.clone(), error);
        refused.rule = self.rule;
        refused.warnings.clone_from(&self.reading.warnings);
        refused.parameters.clone_from(&self.parameters);
        refused
    }

    /// As [`Series::refused`], for an error of another text.
    pub(super) fn refused_by(&self, source: Source, error: Error) -> Refused {
        let mut refused = self.refused(error);
        source.text().clone_into(&mut refused.name);
        refused.source = source;
        refused
    }

    /// This series as one with an answer.
    pub(super) fn answered(self, answer: Answer) -> Answered {
        let mut answered = Answered::new(self.name, answer);
        answered.rule = self.rule;
        answered.expression = self.expression;
        answered.dialect = Some(self.parsed.dialect().to_string());
        answered.parameters = self.parameters;
        answered.is_condition = self.reading.kind == Kind::Condition;
        answered.warnings = self.reading.warnings;
        answered
    }

    pub(super) fn run(&self) -> Run {
        Run(
            self.source.clone(),
            self.parsed.span(),
            self.parameters.clone(),
        )
    }

    /// Whether this is a result of a run.
    pub(super) fn is_of(&self, Run(source, span, parameters): &Run) -> bool {
        self.source.is_same(source) && self.parsed.span() == *span && self.parameters == *parameters
    }
}

/// Values as `k=2, n=3`.
#[must_use]
pub fn list(parameters: &[(String, Integer)]) -> String {
    let values: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    values.join(", ")
}
