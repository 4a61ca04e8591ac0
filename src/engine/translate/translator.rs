//! The translator: a store, and the hazards of the translated terms.

use crate::engine::program::Store;
use crate::engine::translate::event::{Hazard, Hazards};

/// Translates terms to nodes, and collects their hazards.
pub(in crate::engine) struct Translator<'s, 'a> {
    pub(in crate::engine) store: &'s mut Store<'a>,
    pub(super) hazards: Hazards,
}

impl<'s, 'a> Translator<'s, 'a> {
    /// A translator without hazards.
    pub(in crate::engine) fn new(store: &'s mut Store<'a>) -> Self {
        Self {
            store,
            hazards: Hazards::default(),
        }
    }

    /// The hazards, in the order of evaluation.
    pub(in crate::engine) fn into_hazards(self) -> Vec<Hazard> {
        self.hazards.found
    }
}
