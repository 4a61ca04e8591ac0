//! The traits of a notation: [`Notation`] reads texts, and [`SyntaxTree`] is a rule that was read.

use std::collections::BTreeSet;
use std::fmt;

use super::settings::Settings;
use crate::error::{Diagnostic, Error};
use crate::ir::Program;
use crate::source::{Source, Span};

/// A notation. Each has a folder, and a line in [`super::table`].
pub(super) trait Notation: Sync {
    /// The words of each rule of a text. Every rule has at least one word.
    fn rules(&self, text: &str) -> Vec<Vec<Span>>;

    /// Reads one rule: the text of `span`, which lies in the source.
    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error>;

    /// Whether a free variable can have this name. A notation without variables has no names.
    fn is_name(&self, _word: &str) -> bool {
        false
    }
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

    /// The core programs of the results. There is at least one.
    fn lower(&self, settings: &Settings) -> Result<Vec<Reading>, Error>;

    /// The steps of the rule, if its notation has steps.
    fn steps(&self) -> Option<Vec<Step>> {
        None
    }

    /// An error of evaluation in the words of the notation.
    fn in_its_words(&self, error: Error) -> Error {
        error
    }
}

/// One result of a rule as a core program.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The core program; its result is a list in order.
    pub program: Program,
    /// Findings about a rule that has a meaning, but probably not the intended one.
    pub warnings: Vec<Diagnostic>,
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
