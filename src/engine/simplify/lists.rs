//! Joins, chains and copies in normal form.

use crate::engine::program::{Members, Node, NodeId, Order, Store, merged};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::limits::{LimitReached, MAX_LIST};

/// A longer list in order is not written out member by member.
const LONGEST_CHAIN: i64 = 1 << 16;

pub(in crate::engine) fn join(store: &mut Store<'_>, parts: &[NodeId]) -> Attempt<NodeId> {
    if let [only] = *parts
        && !matches!(store.nodes.get(only), Node::Chain(_) | Node::Dealt(_))
    {
        return Ok(only);
    }
    let most = known_in(store, parts);
    store.has_room_for::<(i64, u32)>(most)?;
    let mut known = Members::with_capacity(most);
    store.has_room_for::<NodeId>(parts.len())?;
    let mut hidden = Vec::with_capacity(parts.len());
    collect(store, parts, &mut known, &mut hidden)?;
    if hidden
        .iter()
        .any(|&part| matches!(store.nodes.get(part), Node::Dealt(_)))
    {
        let parts = hidden
            .drain(..)
            .map(|part| without_order(store, part))
            .collect::<Attempt<Vec<NodeId>>>()?;
        collect(store, &parts, &mut known, &mut hidden)?;
    }
    let known = merged(known, store.budget)?;
    hidden.sort_unstable();
    if hidden.is_empty() {
        return Ok(store.known(&known)?);
    }
    if !known.is_empty() {
        let known = store.known(&known)?;
        let place = hidden.partition_point(|&part| part < known);
        hidden.insert(place, known);
    }
    Ok(match hidden[..] {
        [only] => only,
        _ => store.nodes.join(&hidden),
    })
}

/// An upper bound on the number of different known members of all parts.
fn known_in(store: &Store<'_>, parts: &[NodeId]) -> usize {
    let known = parts.iter().map(|&part| match store.nodes.get(part) {
        Node::Constant(_) => 1,
        Node::Known(members) => members.len(),
        Node::Join(inner) | Node::Chain(inner) => known_in(store, inner),
        _ => 0,
    });
    known.sum()
}

fn collect(
    store: &Store<'_>,
    parts: &[NodeId],
    known: &mut Members,
    hidden: &mut Vec<NodeId>,
) -> Result<(), LimitReached> {
    for &part in parts {
        match store.nodes.get(part) {
            Node::Constant(value) => known.push((*value, 1)),
            Node::Known(members) => known.extend_from_slice(members),
            Node::Join(inner) | Node::Chain(inner) => collect(store, inner, known, hidden)?,
            _ => {
                store.budget.has_room_for_more(hidden, 1)?;
                hidden.push(part);
            }
        }
        store.budget.check()?;
    }
    Ok(())
}

/// A part of a multiset. A shuffled list loses its order.
fn without_order(store: &mut Store<'_>, part: NodeId) -> Attempt<NodeId> {
    match *store.nodes.get(part) {
        Node::Dealt(pool) => store.cards(pool),
        _ => Ok(part),
    }
}

pub(in crate::engine) fn chain(store: &mut Store<'_>, parts: Vec<NodeId>) -> Attempt<NodeId> {
    store.has_room_for::<NodeId>(parts.len())?;
    let mut flat = Vec::new();
    for part in parts {
        match store.nodes.get(part) {
            Node::Chain(inner) => {
                store.budget.has_room_for_more(&flat, inner.len())?;
                flat.extend_from_slice(inner);
            }
            Node::Known(members) if members.is_empty() => {}
            Node::Known(members) => {
                // Different members would need an order, but equal members need none.
                let &[(value, count)] = &members[..] else {
                    return Err(Stop::Unsupported(Reason::UnknownOrder));
                };
                if flat.len() + count as usize > MAX_LIST {
                    return Err(LimitReached::List.into());
                }
                store.budget.has_room_for_more(&flat, count as usize)?;
                let member = store.constant(value);
                flat.extend(std::iter::repeat_n(member, count as usize));
            }
            _ => flat.push(part),
        }
    }
    Ok(match flat[..] {
        [] => store.empty(),
        [only] => only,
        _ => {
            store.has_room_for::<NodeId>(flat.len())?;
            store.nodes.intern(Node::Chain(flat.into()))
        }
    })
}

pub(in crate::engine) fn in_order(
    store: &mut Store<'_>,
    list: NodeId,
) -> Attempt<Option<Vec<NodeId>>> {
    Ok(match *store.nodes.get(list) {
        Node::Chain(ref parts) => {
            store.has_room_for::<NodeId>(parts.len())?;
            Some(parts.to_vec())
        }
        Node::Join(_) => None,
        Node::Known(ref members) => match members[..] {
            [(value, count)] => {
                store.has_room_for::<NodeId>(count as usize)?;
                Some(vec![store.constant(value); count as usize])
            }
            _ => None,
        },
        _ => Some(vec![list]),
    })
}

pub(in crate::engine) fn copies(
    store: &mut Store<'_>,
    count: NodeId,
    list: NodeId,
) -> Attempt<NodeId> {
    if store.is_empty_list(list) {
        return Ok(list);
    }
    let Some(times) = store.as_constant(count) else {
        // The inner count may be evaluated for no copies only if it surely ends.
        if let Node::Copies(inner, list) = *store.nodes.get(list)
            && !store.may_never_show(inner)
            && !store.has_loop(inner)
        {
            let count = store.arithmetic(crate::ir::Arithmetic::Multiply, count, inner)?;
            return store.copies(count, list);
        }
        return Ok(store.nodes.intern(Node::Copies(count, list)));
    };
    if times <= 1 {
        return Ok(if times == 1 { list } else { store.empty() });
    }
    if let Node::Chain(parts) = store.nodes.get(list) {
        let parts = parts.to_vec();
        if times > LONGEST_CHAIN / i64::try_from(parts.len()).unwrap_or(i64::MAX) {
            return Err(Stop::Unsupported(Reason::LongListInOrder));
        }
        return store.chain((0..times).flat_map(|_| parts.clone()).collect());
    }
    if let Some(members) = store.known_members(list) {
        let times = u32::try_from(times).map_err(|_| LimitReached::List)?;
        store.has_room_for::<(i64, u32)>(members.len())?;
        let members = members
            .iter()
            .map(|&(value, count)| Ok((value, count.checked_mul(times).ok_or(LimitReached::List)?)))
            .collect::<Result<Members, LimitReached>>()?;
        return Ok(store.known(&members)?);
    }
    if let Node::Join(parts) = store.nodes.get(list).clone() {
        store.has_room_for::<NodeId>(parts.len())?;
        let mut copies = Vec::with_capacity(parts.len());
        for &part in parts.iter() {
            store.step()?;
            copies.push(store.copies(count, part)?);
        }
        return store.join(&copies);
    }
    if let Node::Copies(inner, list) = *store.nodes.get(list) {
        let count = store.linear(0, &[(times, inner)])?;
        return store.copies(count, list);
    }
    Ok(store.nodes.intern(Node::Copies(count, list)))
}

pub(in crate::engine) fn sequence(
    store: &mut Store<'_>,
    order: Order,
    parts: Vec<NodeId>,
) -> Attempt<NodeId> {
    match order {
        Order::Ignored => store.join(&parts),
        Order::Kept => store.chain(parts),
    }
}
