//! The traits of a notation: [`Notation`] reads texts, and [`SyntaxTree`] is a rule that was read.

use std::collections::BTreeSet;
use std::fmt;

use std::sync::Arc;

use super::environment::{Definition, Environment};
use super::mend::Table;
use super::settings::Settings;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::Program;
use crate::limits::Budget;
use crate::source::{Source, Span};

/// A notation. Each has a folder, and a line in [`super::table`].
pub(super) trait Notation: Sync {
    /// The words of each rule of a text. Every rule has at least one word.
    fn rules(&self, text: &str) -> Vec<Vec<Span>>;

    /// The rules and definitions of a text. A notation without definitions has only rules.
    fn passages(&self, text: &str) -> Vec<Passage> {
        let rule = |words| Passage {
            words,
            defines: None,
        };
        self.rules(text).into_iter().map(rule).collect()
    }

    /// Reads one rule: the text of `span`, which lies in the source.
    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error>;

    /// As [`Notation::parse`], for a rule that may use an environment.
    fn parse_in(
        &self,
        source: &Source,
        span: Span,
        _environment: &Environment,
    ) -> Result<Box<dyn SyntaxTree>, Error> {
        self.parse(source, span)
    }

    /// Reads one definition: the text of `span`, which lies in the source.
    fn define(
        &self,
        _source: &Source,
        span: Span,
        _environment: &Environment,
    ) -> Result<Arc<dyn Definition>, Error> {
        let nothing = Diagnostic::new(span, "this notation has no definitions");
        Err(Error::new(ErrorKind::Parse, nothing))
    }

    /// The table of what may be meant by a text that is not read.
    fn table(&self) -> Option<&'static Table> {
        None
    }

    /// The words of the notation, for words that are misspelt.
    fn words(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Whether `name: rule` names a rule. Where it does not, only `name [dialect]: rule` does.
    fn has_plain_heads(&self) -> bool {
        true
    }

    /// Whether the name of a rule may have any signs, without quotes.
    fn has_free_names(&self) -> bool {
        false
    }

    /// Whether a free variable can have this name. A notation without variables has no names.
    fn is_name(&self, _word: &str) -> bool {
        false
    }
}

/// A part of a text: a rule with its name, or a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    /// The places of the words; at least one.
    pub(super) words: Vec<Span>,
    /// The name of a definition; `None` for a rule.
    pub(super) defines: Option<Span>,
}

/// A rule that was read, in the terms of its notation.
pub(super) trait SyntaxTree: fmt::Debug + Send + Sync {
    /// The names that nothing in the rule binds.
    fn free_names(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }

    /// The canonical text.
    fn print(&self) -> String;

    /// The tree in the words of the notation, one line for each node.
    fn outline(&self) -> String;

    /// The core programs of the results, within a budget. There is at least one.
    fn lower(&self, settings: &Settings, budget: &Budget<'_>) -> Result<Vec<Reading>, Error>;

    /// The core programs of the results as far as the rule can be run, and the error that stops it.
    fn run(&self, settings: &Settings, budget: &Budget<'_>) -> Outcome {
        let (readings, error) = match self.lower(settings, budget) {
            Ok(readings) => (readings, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        Outcome {
            readings,
            warnings: Vec::new(),
            remarks: Vec::new(),
            error,
        }
    }

    /// The steps of the rule, if its notation has steps.
    fn steps(&self) -> Option<Vec<Step>> {
        None
    }

    /// Findings that are worth knowing only if somebody asks how the rule is read.
    fn remarks(&self) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// What the tree alone shows to be wrong, though it can be read.
    fn refusal(&self) -> Option<Error> {
        None
    }

    /// An error of evaluation in the words of the notation.
    fn in_its_words(&self, error: Error) -> Error {
        error
    }
}

/// One result of a rule as a core program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The core program; its result is a list in order.
    pub program: Program,
    /// What the values of the program are.
    pub kind: Kind,
    /// Findings about a rule that has a meaning, but probably not the intended one.
    pub warnings: Vec<Diagnostic>,
    /// The name of the result and its own part of the text, where the rule is a program that names its results.
    pub title: Option<Title>,
}

/// What a program calls one of its results.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Title {
    /// The name.
    pub name: String,
    /// Whether the program gives the name. Else the name has the place among the results of the program.
    pub is_given: bool,
    /// The place of the value.
    pub span: Span,
}

/// The results of a rule that is run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The results before the error, if there is one. A program may have none.
    pub readings: Vec<Reading>,
    /// Findings that belong to no result.
    pub warnings: Vec<Diagnostic>,
    /// How parts of the rule were answered, for an explanation.
    pub remarks: Vec<Diagnostic>,
    /// The error that stopped the rule.
    pub error: Option<Error>,
}

/// What the values of a result are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A condition: 1 where it holds, and 0 where it does not.
    Condition,
    /// There is no outcome; the program must not be solved.
    Nothing,
    /// Numbers, or lists of numbers.
    #[default]
    Plain,
}

/// One step of a rule that changes a pool step by step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The place of the step.
    pub span: Span,
    /// The share of each value in the pool after the step.
    pub members: Program,
    /// The size of the pool after the step.
    pub size: Program,
    /// The sum of the pool after the step.
    pub sum: Program,
}
