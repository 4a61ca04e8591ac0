//! The translator: a store, and the hazards of the translated terms.

use crate::engine::program::{NodeId, Order, Reduction, Store};
use crate::engine::translate::event::{Hazard, Hazards};
use crate::ir::TermId;
use crate::map::ValueMap;

/// Translates terms to nodes, and collects their hazards.
pub(in crate::engine) struct Translator<'s, 'a> {
    pub(in crate::engine) store: &'s mut Store<'a>,
    pub(super) hazards: Hazards,
    /// How many loops over known members are around the current term.
    pub(super) loops: usize,
    /// The values of bodies without hazards, in loops within loops: those ask for the same ones again.
    pub(super) bodies: ValueMap<BodyKey, NodeId>,
}

/// A body that rolls nothing, with all that its value depends on.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct BodyKey {
    pub(super) term: TermId,
    /// The values of its free variables.
    pub(super) free: Box<[NodeId]>,
    pub(super) reductions: Box<[Reduction]>,
    pub(super) order: Order,
}

impl<'s, 'a> Translator<'s, 'a> {
    /// A translator without hazards.
    pub(in crate::engine) fn new(store: &'s mut Store<'a>) -> Self {
        Self {
            store,
            hazards: Hazards::default(),
            loops: 0,
            bodies: ValueMap::default(),
        }
    }

    /// The hazards, in the order of evaluation.
    pub(in crate::engine) fn into_hazards(self) -> Vec<Hazard> {
        self.hazards.found
    }
}
