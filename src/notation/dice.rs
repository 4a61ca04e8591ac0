//! Dice of one notation in rules of another.

use std::fmt::Debug;
use std::sync::Arc;

use crate::error::{Diagnostic, Error};
use crate::ir::{Builder, Expr};
use crate::limits::Budget;
use crate::source::{Source, Span};

/// Finds and reads dice in texts of other notations.
pub(super) trait DiceReader: Debug + Sync {
    /// The length in bytes of the dice at the beginning of a text; 0 for none.
    fn length(&self, text: &str) -> usize;

    /// Reads dice: the text of `span`, which [`DiceReader::length`] finds.
    fn read(&self, source: &Source, span: Span) -> Option<Arc<dyn Dice>>;
}

/// Dice, of which the total is a number of the rule around them.
pub(super) trait Dice: Debug + Send + Sync {
    /// The canonical text.
    fn print(&self) -> String;

    /// Adds the total to a program.
    fn total(&self, build: &mut Builder, budget: &Budget<'_>) -> Result<Expr, Error>;

    /// Findings about dice that have a meaning, but probably not the intended one.
    fn warnings(&self) -> Vec<Diagnostic>;
}
