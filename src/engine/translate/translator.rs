//! The translator: a store, and the hazards of the translated terms.

use crate::engine::program::{NodeId, Order, Reduction, Store};
use crate::engine::translate::event::{Hazard, Hazards};
use crate::ir::TermId;
use crate::map::ValueMap;
use hashbrown::Equivalent;

/// Translates terms to nodes, and collects their hazards.
pub(in crate::engine) struct Translator<'s, 'a> {
    pub(in crate::engine) store: &'s mut Store<'a>,
    pub(super) hazards: Hazards,
    /// How many loops over known members are around the current term.
    pub(super) loops: usize,
    /// The values of bodies without hazards, in loops within loops: those ask for the same ones again.
    pub(super) bodies: ValueMap<BodyKey, NodeId>,
    /// A buffer for the values of free variables. Most bodies are known already, and need no memory of their own.
    pub(super) free: Vec<NodeId>,
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

/// A [`BodyKey`] that borrows its parts.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct BodyQuery<'q> {
    pub(super) term: TermId,
    pub(super) free: &'q [NodeId],
    pub(super) reductions: &'q [Reduction],
    pub(super) order: Order,
}

impl BodyQuery<'_> {
    /// The key that this query asks for.
    pub(super) fn to_key(&self) -> BodyKey {
        BodyKey {
            term: self.term,
            free: self.free.into(),
            reductions: self.reductions.into(),
            order: self.order,
        }
    }
}

impl Equivalent<BodyKey> for BodyQuery<'_> {
    fn equivalent(&self, key: &BodyKey) -> bool {
        let BodyKey {
            term,
            free,
            reductions,
            order,
        } = key;
        *self
            == BodyQuery {
                term: *term,
                free,
                reductions,
                order: *order,
            }
    }
}

impl<'s, 'a> Translator<'s, 'a> {
    /// A translator without hazards.
    pub(in crate::engine) fn new(store: &'s mut Store<'a>) -> Self {
        Self {
            store,
            hazards: Hazards::default(),
            loops: 0,
            bodies: ValueMap::default(),
            free: Vec::new(),
        }
    }

    /// The hazards, in the order of evaluation.
    pub(in crate::engine) fn into_hazards(self) -> Vec<Hazard> {
        self.hazards.found
    }
}
