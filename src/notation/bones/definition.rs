//! Definitions: a name, perhaps with parameters, and the tree that it stands for.

use std::collections::BTreeSet;

use super::tree::Tree;
use crate::notation::environment;
use crate::notation::reader::quote::shortened;
use crate::source::Span;

/// A definition that was read. The places of its tree are places of its own source.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    /// The places of the parameters; `None` for a named roll.
    pub(super) parameters: Option<Vec<Span>>,
    pub(super) tree: Tree,
    /// The whole definition.
    pub(super) span: Span,
    /// The names that need values from outside, here and in the definitions that this one uses.
    pub(super) free: BTreeSet<String>,
}

impl environment::Definition for Definition {}

impl Definition {
    /// The beginning of the definition, as the user wrote it: `attack(bonus, ac)`.
    pub(super) fn heading(&self) -> String {
        let source = &self.tree.source;
        let Some(parameters) = &self.parameters else {
            return shortened(&self.name);
        };
        let names: Vec<&str> = parameters.iter().map(|&span| source.slice(span)).collect();
        format!("{}({})", self.name, names.join(", "))
    }

    /// The source, the line and the text of the definition, for a note.
    pub(super) fn place(&self) -> String {
        let source = &self.tree.source;
        let text = source.slice(self.span).split_whitespace();
        let text = text.collect::<Vec<_>>().join(" ");
        let text = crate::source::shortened(&text, 80);
        let line = source.position(self.span.start).line;
        format!("{}, line {line}: `{text}`", source.name())
    }
}
