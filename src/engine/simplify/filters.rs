//! Filters in normal form: a filter stands over hidden lists only, and bounds decide it where they can.

use crate::engine::program::{Compare, Node, NodeId, Store};
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::{Comparison, Folding};

pub(in crate::engine) fn filter(
    store: &mut Store<'_>,
    comparison: Comparison,
    number: NodeId,
    list: NodeId,
) -> Attempt<NodeId> {
    let (compare, number) = store.compared(comparison, number)?;
    store.filtered(compare, number, list)
}

pub(in crate::engine) fn compared(
    store: &mut Store<'_>,
    comparison: Comparison,
    number: NodeId,
) -> Attempt<(Compare, NodeId)> {
    Ok(match comparison {
        Comparison::Equal => (Compare::Equal, number),
        Comparison::Greater => (Compare::AtLeast, store.linear(1, &[(1, number)])?),
        Comparison::GreaterOrEqual => (Compare::AtLeast, number),
        Comparison::Less => (Compare::Below, number),
        Comparison::LessOrEqual => (Compare::Below, store.linear(1, &[(1, number)])?),
        Comparison::NotEqual => (Compare::Unequal, number),
    })
}

pub(in crate::engine) fn filtered(
    store: &mut Store<'_>,
    compare: Compare,
    number: NodeId,
    list: NodeId,
) -> Attempt<NodeId> {
    let (bounds, than) = (store.bounds(list)?, store.bounds(number)?);
    match bounds.decides(compare, than) {
        _ if bounds.most == 0 => return Ok(list),
        Some(true) => return Ok(list),
        Some(false) => return Ok(store.empty()),
        None => {}
    }
    if store.is_number(list) {
        let kept = store.indicator(compare, list, number)?;
        return store.copies(kept, list);
    }
    if let Node::Map(inner, closure) = *store.nodes.get(list)
        && let Some(rows) = store.rows_of(closure)
        && let Some(number) = store.as_constant(number)
    {
        return store.map_with(inner, &rows, |image| {
            let members = image.iter().copied();
            Ok(members
                .filter(|&(member, _)| compare.holds(member, number))
                .collect())
        });
    }
    match store.nodes.get(list).clone() {
        Node::Known(members) => {
            store.has_room_for::<(i64, u32)>(members.len())?;
            if let Some(number) = store.as_constant(number) {
                let mut kept = members.to_vec();
                kept.retain(|&(member, _)| compare.holds(member, number));
                return Ok(store.known(&kept)?);
            }
            let mut parts = Vec::with_capacity(members.len());
            for &(value, count) in members.iter() {
                store.step()?;
                let member = store.constant(value);
                let kept = store.indicator(compare, member, number)?;
                let times = store.linear(0, &[(count.into(), kept)])?;
                parts.push(store.copies(times, member)?);
            }
            store.join(&parts)
        }
        Node::Join(parts) => {
            let parts = each_filtered(store, compare, number, &parts)?;
            store.join(&parts)
        }
        Node::Chain(parts) => {
            let parts = each_filtered(store, compare, number, &parts)?;
            store.chain(parts)
        }
        Node::Copies(count, inner) => {
            let inner = store.filtered(compare, number, inner)?;
            store.copies(count, inner)
        }
        Node::If(condition, a, b) => {
            let (a, b) = (
                store.filtered(compare, number, a)?,
                store.filtered(compare, number, b)?,
            );
            store.choose(condition, a, b)
        }
        _ => {
            let id = store.nodes.intern(Node::Filter(compare, number, list));
            if compare == Compare::Equal && than.low == than.high {
                if let Node::Dealt(pool) = *store.nodes.get(list) {
                    let cards = store.cards(pool)?;
                    return store.filtered(compare, number, cards);
                }
                let count = store.fold(Folding::Count, id)?;
                return store.copies(count, number);
            }
            Ok(id)
        }
    }
}

fn each_filtered(
    store: &mut Store<'_>,
    compare: Compare,
    number: NodeId,
    parts: &[NodeId],
) -> Attempt<Vec<NodeId>> {
    parts
        .iter()
        .map(|&part| store.filtered(compare, number, part))
        .collect()
}
