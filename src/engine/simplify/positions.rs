//! Selections by position: the first or last members of a list in order, and ranked members that keep their order.

use crate::engine::operate;
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::ir::Selection;
use crate::number::Integer;
use crate::stack;

/// The most ways of choosing members by position that are written out as conditions.
const MOST_WAYS: u64 = 1 << 14;

/// The node of a selection, without simplification.
pub(super) fn raw_select(
    store: &mut Store<'_>,
    selection: Selection,
    n: i64,
    list: NodeId,
) -> NodeId {
    let n = store.constant(n);
    store.nodes.intern(Node::Select(selection, n, list))
}

/// The first `n` places of a deck, counted from the end if `from_end`, and its other places.
fn split_from(
    store: &mut Store<'_>,
    part: NodeId,
    n: i64,
    from_end: bool,
) -> Attempt<Option<(NodeId, NodeId)>> {
    let size = store.bounds(part)?.most;
    let split = store.split_places(part, if from_end { size - n } else { n })?;
    Ok(split.map(|(before, after)| {
        if from_end {
            (after, before)
        } else {
            (before, after)
        }
    }))
}

/// Selects members of a chain by rank. They keep their order, so all members must be known first.
pub(super) fn select_in_order(
    store: &mut Store<'_>,
    selection: Selection,
    n: i64,
    list: NodeId,
) -> Attempt<NodeId> {
    let parts = store
        .in_order(list)?
        .expect("a chain and a deck have an order");
    store.has_room_for::<Integer>(parts.len())?;
    let values: Option<Vec<Integer>> = parts
        .iter()
        .map(|&part| store.as_constant(part).map(Integer::from))
        .collect();
    let Some(values) = values else {
        return Ok(raw_select(store, selection, n, list));
    };
    store.has_room_for::<Integer>(2 * values.len())?;
    let selected = operate::select(selection, &Integer::from(n), &values)
        .map_err(|_| Stop::Unsupported(Reason::NegativeCount))?;
    let mut members = Vec::with_capacity(selected.len());
    for member in selected {
        let value = member
            .to_i64()
            .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
        members.push(store.constant(value));
    }
    store.chain(members)
}

/// The first or last members of a list in order.
///
/// `first n (A, B)` is `A, first (n-|A|) B` while `|A| <= n`. If A is a member that is there or not, it is a choice.
pub(super) fn select_by_position(
    store: &mut Store<'_>,
    selection: Selection,
    n: i64,
    list: NodeId,
) -> Attempt<NodeId> {
    let keeps = matches!(selection, Selection::First | Selection::Last);
    let from_end = matches!(selection, Selection::Last | Selection::DropLast);
    let Some(mut parts) = store.in_order(list)? else {
        return Err(Stop::Unsupported(Reason::UnknownOrder));
    };
    if from_end {
        parts.reverse();
    }
    if keeps {
        // Parts behind `n` members that are surely there are not among the first `n`.
        let mut surely = 0_i64;
        for index in 0..parts.len() {
            surely = surely.saturating_add(store.bounds(parts[index])?.least);
            if surely >= n {
                parts.truncate(index + 1);
                break;
            }
        }
    }
    let (mut wanted, mut passed) = (n, 0);
    for &part in &parts {
        let bounds = store.bounds(part)?;
        if wanted == 0 || bounds.least != bounds.most || bounds.most > wanted {
            break;
        }
        wanted -= bounds.most;
        passed += 1;
    }
    // The parts after those, and perhaps once more in the result.
    store.has_room_for::<[NodeId; 2]>(parts.len() - passed)?;
    let rest = parts.split_off(passed);
    let taken = parts;
    let mut result = if keeps { taken } else { Vec::new() };
    if wanted == 0 {
        if !keeps {
            result = rest;
        }
    } else if let Some((&first, others)) = rest.split_first() {
        let ordered = |mut parts: Vec<NodeId>| {
            if from_end {
                parts.reverse();
            }
            parts
        };
        if let Some(split) = split_from(store, first, wanted, from_end)? {
            let mut parts = result;
            if keeps {
                parts.push(split.0);
            } else {
                parts.push(split.1);
                parts.extend_from_slice(others);
            }
            return store.chain(ordered(parts));
        }
        let Node::Copies(condition, member) = *store.nodes.get(first) else {
            if keeps {
                let list = store.chain(ordered([&result[..], &rest].concat()))?;
                return Ok(raw_select(store, selection, n, list));
            }
            return Ok(raw_select(store, selection, n, list));
        };
        let (times, members) = (store.bounds(condition)?, store.bounds(member)?);
        let ways = binomial_at_most(rest.len() as u64, wanted.unsigned_abs(), MOST_WAYS);
        if times.high > 1 || members.least != 1 || members.most != 1 || ways.is_none() {
            return Ok(raw_select(store, selection, n, list));
        }
        store.budget.check()?;
        let others = store.chain(ordered(others.to_vec()))?;
        let (less, same) = (store.constant(wanted - 1), store.constant(wanted));
        let with = stack::level(|| store.select(selection, less, others))?;
        let without = stack::level(|| store.select(selection, same, others))?;
        let with = if keeps {
            store.chain(ordered(vec![member, with]))?
        } else {
            with
        };
        result.push(store.choose(condition, with, without)?);
    }
    if from_end {
        result.reverse();
    }
    store.chain(result)
}

/// The binomial coefficient, if it is at most `most`.
pub(in crate::engine) fn binomial_at_most(n: u64, k: u64, most: u64) -> Option<u64> {
    let Some(rest) = n.checked_sub(k) else {
        return Some(0);
    };
    let mut coefficient = 1_u64;
    for index in 1..=k.min(rest) {
        coefficient = coefficient.checked_mul(n + 1 - index)? / index;
        if coefficient > most {
            return None;
        }
    }
    Some(coefficient)
}
