//! Multiset differences of a list and members that were taken from it.
//!
//! With `P` made from `L` by filters and selections by rank, each of these operations leaves some members of `L`, and
//! these together are the difference: `L less (filter c of Q) = (L less Q), (filter not-c of Q)`, and likewise for
//! `high n` and `drop high n`, down to `L less L`, which is empty. Such a difference cannot fail. Any other
//! difference is [unsupported](Stop::Unsupported) here.

use crate::engine::program::{Compare, Node, NodeId, Store, narrow};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::{Attempt, Stop, if_supported};
use crate::ir::{Folding, Selection};
use crate::map::ValueMap;

/// A multiset less a part of it.
pub(in crate::engine) fn difference(
    store: &mut Store<'_>,
    whole: NodeId,
    part: NodeId,
) -> Attempt<NodeId> {
    if whole == part {
        return Ok(store.empty());
    }
    if store.is_empty_list(part) {
        return Ok(whole);
    }
    if let Some((source, left)) = taken_from(store, part)?
        && let Some(less) = if_supported(difference(store, whole, source))?
    {
        return store.join(&[less, left]);
    }
    // Both lists are joins: each part of one is taken from a part of the other.
    let (mut sources, parts) = (parts_of(store, whole), parts_of(store, part));
    if sources.len() < 2 && parts.len() < 2 {
        return known_difference(store, whole, part);
    }
    let mut left = Vec::new();
    for part in parts {
        if store.is_known(part) {
            let source = sources.iter().position(|&source| store.is_known(source));
            let source = source.ok_or(NOT_A_PART)?;
            let source = sources.swap_remove(source);
            left.push(known_difference(store, source, part)?);
            continue;
        }
        let mut source = part;
        loop {
            if let Some(index) = sources.iter().position(|&other| other == source) {
                sources.swap_remove(index);
                break;
            }
            let (next, rest) = taken_from(store, source)?.ok_or(NOT_A_PART)?;
            left.push(rest);
            source = next;
        }
    }
    left.append(&mut sources);
    store.join(&left)
}

fn parts_of(store: &Store<'_>, list: NodeId) -> Vec<NodeId> {
    match store.nodes.get(list) {
        Node::Join(parts) => parts.to_vec(),
        _ => vec![list],
    }
}

/// The list that the members of `part` were taken from, and the members that were left.
fn taken_from(store: &mut Store<'_>, part: NodeId) -> Attempt<Option<(NodeId, NodeId)>> {
    Ok(match store.nodes.get(part).clone() {
        Node::Filter(compare, number, list) => {
            Some((list, store.filtered(compare.negated(), number, list)?))
        }
        Node::Select(selection, n, list) => {
            let Some(others) = others(selection) else {
                return Ok(None);
            };
            Some((list, store.select(others, n, list)?))
        }
        // A list that is there or not is taken from itself.
        Node::Copies(count, list) if is_zero_or_one(store, count)? => {
            let not = store.complement(count)?;
            Some((list, store.copies(not, list)?))
        }
        // `v`, as often as it is in a list.
        Node::Copies(count, value) => {
            let Node::Fold(Folding::Count, equal) = *store.nodes.get(count) else {
                return Ok(None);
            };
            match *store.nodes.get(equal) {
                Node::Filter(Compare::Equal, number, list) if number == value => {
                    Some((list, store.filtered(Compare::Unequal, number, list)?))
                }
                _ => None,
            }
        }
        _ => None,
    })
}

fn is_zero_or_one(store: &mut Store<'_>, number: NodeId) -> Attempt<bool> {
    let bounds = store.bounds(number)?;
    Ok(bounds.low >= 0 && bounds.high <= 1)
}

fn known_difference(store: &mut Store<'_>, whole: NodeId, part: NodeId) -> Attempt<NodeId> {
    let (Some(whole), Some(part)) = (store.known_members(whole), store.known_members(part)) else {
        return Err(NOT_A_PART);
    };
    let mut left: ValueMap<i64, i64> = ValueMap::default();
    store.has_room_for::<(i64, i64)>(2 * (whole.len() + part.len()))?;
    for (sign, members) in [(1, &whole), (-1, &part)] {
        for &(value, count) in members.iter() {
            store.budget.check()?;
            *left.entry(value).or_default() += sign * i64::from(count);
        }
    }
    store.has_room_for::<(i64, u32)>(left.len())?;
    let mut members = Vec::with_capacity(left.len());
    for (value, count) in left {
        let count = u32::try_from(narrow(count.into())?).map_err(|_| NOT_A_PART)?;
        if count > 0 {
            members.push((value, count));
        }
    }
    members.sort_unstable();
    Ok(store.known(&members)?)
}

/// A member to remove may be missing, which is an error. A difference is total only where no such member can be
/// missing.
pub(in crate::engine) const NOT_A_PART: Stop = Stop::Unsupported(Reason::DifferenceMayFail);

/// The selection of the members that a selection by rank leaves.
pub(in crate::engine) fn others(selection: Selection) -> Option<Selection> {
    match selection {
        Selection::High => Some(Selection::DropHigh),
        Selection::Low => Some(Selection::DropLow),
        Selection::DropHigh => Some(Selection::High),
        Selection::DropLow => Some(Selection::Low),
        _ => None,
    }
}
