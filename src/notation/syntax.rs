//! What a notation is: how its texts become rules, and what a rule can say of itself once it is read.

use std::collections::BTreeSet;
use std::fmt;

use super::settings::Settings;
use crate::error::{Diagnostic, Error};
use crate::ir::Program;
use crate::source::{Source, Span};

/// A notation. Each has a folder, and a line in [`super::table`].
pub(super) trait Notation: Sync {
    /// The words of each rule of a text; no rule is without words.
    fn rules(&self, text: &str) -> Vec<Vec<Span>>;

    /// Reads one rule: the text of `span`, which lies in the source.
    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error>;

    /// Whether a free variable can have this name; in a notation without variables none can.
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

    /// The tree in the words of the notation, a node a line.
    fn outline(&self) -> String;

    /// The core programs of the results, of which there is at least one.
    fn lower(&self, settings: &Settings) -> Result<Vec<Reading>, Error>;

    /// The steps of the rule, if its notation has any.
    fn steps(&self) -> Option<Vec<Step>> {
        None
    }

    /// An error of evaluation in the words of the notation.
    fn in_its_words(&self, error: Error) -> Error {
        error
    }
}

/// A result of a rule, for the engine.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The core program; its result is a list in order.
    pub program: Program,
    /// What is probably not meant so.
    pub warnings: Vec<Diagnostic>,
}

/// One step of a rule that goes step by step: what there is after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it is written.
    pub span: Span,
    /// The share of each value in the pool after it.
    pub members: Program,
    /// The size of the pool after it.
    pub size: Program,
    /// The sum of the pool after it.
    pub sum: Program,
}
