//! Lists in order: a multiset written out by rank, a chain reversed, and the order of a list forgotten.

use crate::engine::program::{Node, NodeId, Store};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::ir::{Comparison, Folding, Selection};

/// The most evaluations of a repetition that are written out, if the repetition is no pool.
pub(in crate::engine) const MOST_UNROLLED: i64 = 4096;

/// The multiset of the members of a list in order.
pub(in crate::engine) fn unordered(store: &mut Store<'_>, list: NodeId) -> Attempt<NodeId> {
    match *store.nodes.get(list) {
        Node::Chain(ref parts) => {
            let mut parts = parts.to_vec();
            for part in &mut parts {
                *part = unordered(store, *part)?;
            }
            store.join(&parts)
        }
        Node::If(condition, a, b) if !store.is_number(list) => {
            let (a, b) = (unordered(store, a)?, unordered(store, b)?);
            store.choose(condition, a, b)
        }
        Node::Copies(count, inner) => {
            let inner = unordered(store, inner)?;
            store.copies(count, inner)
        }
        Node::Dealt(pool) => store.cards(pool),
        Node::Filter(compare, number, inner) => {
            let inner = unordered(store, inner)?;
            store.filtered(compare, number, inner)
        }
        Node::Select(selection, n, inner)
            if matches!(
                selection,
                Selection::High | Selection::Low | Selection::DropHigh | Selection::DropLow
            ) =>
        {
            let inner = unordered(store, inner)?;
            store.select(selection, n, inner)
        }
        _ => Ok(list),
    }
}

/// A multiset in ascending order: its members by rank, one after the other.
pub(in crate::engine) fn ascending(store: &mut Store<'_>, list: NodeId) -> Attempt<NodeId> {
    let bounds = store.bounds(list)?;
    if bounds.most > MOST_UNROLLED {
        return Err(Stop::Unsupported(Reason::LongListInOrder));
    }
    if let Some(members) = store.known_members(list) {
        let mut parts = Vec::with_capacity(members.len());
        for &(value, count) in members.iter() {
            let member = store.constant(value);
            parts.extend(std::iter::repeat_n(member, count as usize));
        }
        return store.chain(parts);
    }
    let mut ranks = Vec::new();
    for rank in 1..=bounds.most {
        let (one, rank) = (store.constant(1), store.constant(rank));
        let lowest = store.select(Selection::Low, rank, list)?;
        let last = store.select(Selection::High, one, lowest)?;
        let last = store.fold(Folding::Sum, last)?;
        let size = store.fold(Folding::Count, list)?;
        let there = store.comparison(Comparison::GreaterOrEqual, size, rank)?;
        ranks.push(store.copies(there, last)?);
    }
    store.chain(ranks)
}

pub(in crate::engine) fn reversed(store: &mut Store<'_>, list: NodeId) -> Attempt<NodeId> {
    match store.nodes.get(list).clone() {
        Node::Chain(parts) => {
            let mut parts_reversed = Vec::with_capacity(parts.len());
            for &part in parts.iter().rev() {
                parts_reversed.push(reversed(store, part)?);
            }
            store.chain(parts_reversed)
        }
        Node::Copies(count, list) => {
            let list = reversed(store, list)?;
            store.copies(count, list)
        }
        Node::If(condition, a, b) => {
            let (a, b) = (reversed(store, a)?, reversed(store, b)?);
            store.choose(condition, a, b)
        }
        Node::Known(members) if members.len() <= 1 => Ok(list),
        _ if store.is_number(list) => Ok(list),
        _ => Err(Stop::Unsupported(Reason::UnknownOrder)),
    }
}
