//! What is known of the rounds of loops with known values.

use std::rc::Rc;

use crate::engine::evaluate::listed::ListedTerms;
use crate::engine::outcomes::List;
use crate::engine::program::node::{Asked, Body, ClosureId, NodeId};
use crate::engine::program::order::Order;
use crate::ir::{Arena, TermId};
use crate::map::{Map, ValueMap};

/// A round of a loop: the term and the environment of its body, what is asked of its values, its value, and whether its values
/// keep their order.
type Round = (TermId, Box<[NodeId]>, Asked, NodeId, Order);

/// What a round can lead to: the next value, or nothing where it fails.
type Ends = Rc<[Option<NodeId>]>;

/// What is known of the rounds of loops with known values.
#[derive(Debug)]
pub(in crate::engine) struct Rounds {
    /// The terms that are listed once for all rounds.
    pub(in crate::engine) terms: ListedTerms,
    /// The bodies of loops with a round that has too many paths to list.
    many_paths: Map<ClosureId, ()>,
    /// The ends of rounds that have been listed.
    ends: ValueMap<Round, Ends>,
    /// Short lists as nodes, by whether they keep their order.
    pub(in crate::engine) lists: Map<Order, ValueMap<List, NodeId>>,
}

impl Rounds {
    pub(super) fn of(arena: &Arena) -> Self {
        Self {
            terms: ListedTerms::of(arena),
            many_paths: Map::default(),
            ends: ValueMap::default(),
            lists: Map::default(),
        }
    }

    /// Whether a round of a loop with this body was found to have too many paths to list.
    pub(in crate::engine) fn has_many_paths(&self, body: ClosureId) -> bool {
        self.many_paths.contains_key(&body)
    }

    /// Notes that a round of a loop with this body has too many paths to list.
    pub(in crate::engine) fn note_many_paths(&mut self, body: ClosureId) {
        self.many_paths.insert(body, ());
    }

    /// The ends of a round with this body and value, if they have been listed.
    pub(in crate::engine) fn ends(&self, body: &Body, value: NodeId, order: Order) -> Option<Ends> {
        let key = (
            body.term,
            body.environment.clone(),
            body.asked,
            value,
            order,
        );
        self.ends.get(&key).cloned()
    }

    /// Keeps the ends of a round with this body and value.
    pub(in crate::engine) fn keep_ends(
        &mut self,
        body: Body,
        value: NodeId,
        order: Order,
        ends: Ends,
    ) {
        let key = (body.term, body.environment, body.asked, value, order);
        self.ends.insert(key, ends);
    }
}
