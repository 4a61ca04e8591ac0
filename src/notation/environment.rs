//! What a rule can use besides its own text: definitions, and names that have values from outside.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use super::dice::DiceReader;

/// A definition in the terms of its notation. The notation recognises its own definitions by their type.
pub(super) trait Definition: Any + Debug + Send + Sync {}

/// What a rule can use besides its own text: the definitions before it, and the names that have values from outside.
///
/// [`define`](super::define) adds a definition, and [`parse_in`](super::parse_in) reads a rule that may use it. A clone shares
/// the definitions.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    definitions: Arc<Vec<Arc<dyn Definition>>>,
    given: BTreeSet<String>,
    dice: Option<&'static dyn DiceReader>,
}

impl Environment {
    /// An environment without definitions, in which these names have values, so that a notation does not read them as its words.
    #[must_use]
    pub fn with_given(names: impl IntoIterator<Item = String>) -> Self {
        Self {
            definitions: Arc::default(),
            given: names.into_iter().collect(),
            dice: None,
        }
    }

    /// The same environment, in which dice of another notation are numbers of a rule.
    pub(super) fn with_dice(&self, reader: &'static dyn DiceReader) -> Self {
        Self {
            dice: Some(reader),
            ..self.clone()
        }
    }

    /// The reader of the dice that are numbers of a rule.
    pub(super) fn dice(&self) -> Option<&'static dyn DiceReader> {
        self.dice
    }

    /// Adds a definition after all others.
    pub(super) fn add(&mut self, definition: Arc<dyn Definition>) {
        Arc::make_mut(&mut self.definitions).push(definition);
    }

    /// The definitions of one type, in their order.
    pub(super) fn definitions<D: Definition>(&self) -> Vec<Arc<D>> {
        let all = self.definitions.iter();
        all.filter_map(|definition| {
            let any: Arc<dyn Any + Send + Sync> = definition.clone();
            any.downcast().ok()
        })
        .collect()
    }

    /// Whether a name has a value from outside.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }
}
