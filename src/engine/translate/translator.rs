//! The translator: a store, and what may go wrong in what is translated.

use crate::engine::program::Store;
use crate::engine::translate::event::{Hazard, Hazards};

/// Translates terms to nodes, and collects on the way what may go wrong.
pub(in crate::engine) struct Translator<'s, 'a> {
    pub(in crate::engine) store: &'s mut Store<'a>,
    pub(super) hazards: Hazards,
}

impl<'s, 'a> Translator<'s, 'a> {
    /// A translator that has met nothing that may go wrong.
    pub(in crate::engine) fn new(store: &'s mut Store<'a>) -> Self {
        Self {
            store,
            hazards: Hazards::default(),
        }
    }

    /// What may go wrong, in the order of evaluation.
    pub(in crate::engine) fn into_hazards(self) -> Vec<Hazard> {
        self.hazards.found
    }
}
