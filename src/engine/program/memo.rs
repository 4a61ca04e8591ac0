//! Memos by node, each entry with the epoch in which it holds.
//!
//! A fact about a node holds under a context, and contexts change with every step. An entry is valid only in the
//! epoch in which it was made. So a new context forgets everything at no cost, and an old context that is entered
//! again finds every entry that has not been overwritten since. A lost entry costs only its computation.

use std::hash::Hash;

use crate::engine::program::node::NodeId;
use crate::limits::{Budget, LimitReached};

/// The time during which one context holds. The default is the context in which all dice are hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::engine) struct Epoch(u64);

impl Epoch {
    /// The epoch in which no entry holds.
    const NEVER: Self = Self(u64::MAX);

    /// The epoch so many after this one.
    pub(in crate::engine) fn after(self, epochs: u32) -> Self {
        Self(self.0 + u64::from(epochs))
    }
}

/// A fact about each node, from the last epoch in which it was computed.
#[derive(Debug)]
pub(in crate::engine) struct Memo<T> {
    slots: Vec<(Epoch, T)>,
}

/// The nodes for which a memo has slots at first: more than a small rule has.
const FIRST_SLOTS: usize = 128;

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self {
            slots: Vec::with_capacity(FIRST_SLOTS),
        }
    }
}

impl<T: Copy> Memo<T> {
    #[inline]
    pub(in crate::engine) fn get(&self, epoch: Epoch, id: NodeId) -> Option<T> {
        match self.slots.get(id.0 as usize) {
            Some(&(of, value)) if of == epoch => Some(value),
            _ => None,
        }
    }

    #[inline]
    pub(in crate::engine) fn set(
        &mut self,
        epoch: Epoch,
        id: NodeId,
        value: T,
        budget: &Budget<'_>,
    ) -> Result<(), LimitReached> {
        let place = id.0 as usize;
        if place >= self.slots.len() {
            self.grow(place, value, budget)?;
        }
        self.slots[place] = (epoch, value);
        Ok(())
    }

    /// Makes slots up to a place, in which nothing holds; `value` is any value.
    #[cold]
    fn grow(&mut self, place: usize, value: T, budget: &Budget<'_>) -> Result<(), LimitReached> {
        let more = (place + 1 - self.slots.len()).max(FIRST_SLOTS);
        budget.has_room_for_more(&self.slots, more)?;
        let length = self.slots.len() + more;
        self.slots.resize(length, (Epoch::NEVER, value));
        Ok(())
    }
}
