//! Maps: the images of hidden members under the body of a `foreach`.
//!
//! - A body whose value is known for every possible member is a *table*. Filters, folds and selections go through a
//!   table, row by row. A constant table makes copies, and a table of a table is one table.
//! - A body that rolls has a *name*. Its dice are named after it and the member: they are the same dice wherever the
//!   node is used, and different dice for every other member. Members that become known are replaced by draws.

use crate::engine::program::{
    Body, BodyMode, Bounds, Closure, ClosureId, Image, Members, Node, NodeId, PoolId, Store, merged,
};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::simplify::values::{MOST_ROWS, values};
use crate::engine::stop::{Attempt, Stop};
use crate::ir::{Arithmetic, Folding};
use crate::limits::{Budget, LimitReached};
use std::rc::Rc;

pub(in crate::engine) fn map_with(
    store: &mut Store<'_>,
    list: NodeId,
    rows: &[(i64, Image)],
    mut replace: impl FnMut(&[(i64, u32)]) -> Attempt<Members>,
) -> Attempt<NodeId> {
    let rows = rows
        .iter()
        .map(|(member, image)| Ok((*member, replace(image)?.into())))
        .collect::<Attempt<Rc<[_]>>>()?;
    let closure = store.nodes.closure(Closure::Table(rows));
    store.map(list, closure)
}

pub(in crate::engine) fn map(
    store: &mut Store<'_>,
    list: NodeId,
    closure: ClosureId,
) -> Attempt<NodeId> {
    let content = store.nodes.closure_of(closure).clone();
    if let Closure::Body(body) = &content
        && let BodyMode::Failing(_) = body.mode
    {
        return failing(store, list, closure);
    }
    if let Some(members) = store.known_members(list) {
        return map_known(store, list, &members, closure);
    }
    let named = match &content {
        Closure::Body(body) => body.name,
        Closure::Table(_) => None,
    };
    match store.nodes.get(list).clone() {
        Node::If(condition, a, b) => {
            let (a, b) = (store.map(a, closure)?, store.map(b, closure)?);
            return store.choose(condition, a, b);
        }
        Node::Join(parts) | Node::Chain(parts) => {
            let images = match named {
                None => parts
                    .iter()
                    .map(|&part| store.map(part, closure))
                    .collect::<Attempt<Vec<_>>>()?,
                Some(name) => map_apart(store, &parts, closure, name)?,
            };
            return store.join(&images);
        }
        Node::Copies(count, member) => match (store.as_constant(member), named) {
            (_, None) => {
                let image = store.map(member, closure)?;
                return store.copies(count, image);
            }
            (Some(value), Some(_)) if store.is_closed(closure) => {
                return instance(store, closure, value, count);
            }
            _ => {}
        },
        Node::Map(inner, first) => {
            if let (Some(rows), Closure::Table(_)) = (store.rows_of(first), &content) {
                let budget = store.budget;
                return store.map_with(inner, &rows, |image| mapped(&content, image, budget));
            }
        }
        _ => {}
    }
    match content {
        Closure::Table(rows) => map_by_table(store, list, &rows, closure),
        Closure::Body(body) if body.name.is_none() => {
            if store.is_number(list) {
                return store.value_for(&body, list);
            }
            if store.is_closed(closure)
                && let Some(values) = values(store, list, MOST_ROWS)?
            {
                return tabulated(store, list, &values, closure);
            }
            Ok(store.nodes.intern(Node::Map(list, closure)))
        }
        Closure::Body(_) => Ok(store.nodes.intern(Node::Map(list, closure))),
    }
}

fn map_by_table(
    store: &mut Store<'_>,
    list: NodeId,
    rows: &[(i64, Image)],
    closure: ClosureId,
) -> Attempt<NodeId> {
    let bounds = store.bounds(list)?;
    let mut within = rows
        .iter()
        .filter(|(member, _)| (bounds.low..=bounds.high).contains(member));
    let Some((_, first)) = within.next().cloned() else {
        return Ok(store.empty());
    };
    let mut is_constant = true;
    let mut is_identity = true;
    for (member, image) in rows
        .iter()
        .filter(|(member, _)| (bounds.low..=bounds.high).contains(member))
    {
        is_constant &= *image == first;
        is_identity &= image[..] == [(*member, 1)];
    }
    if is_identity {
        return Ok(list);
    }
    if is_constant {
        let image = store.known(&first)?;
        let count = store.fold(Folding::Count, list)?;
        return store.copies(count, image);
    }
    Ok(store.nodes.intern(Node::Map(list, closure)))
}

fn map_known(
    store: &mut Store<'_>,
    list: NodeId,
    members: &[(i64, u32)],
    closure: ClosureId,
) -> Attempt<NodeId> {
    let content = store.nodes.closure_of(closure).clone();
    store.has_room_for::<(i64, u32)>(members.len())?;
    let mut parts = Vec::with_capacity(members.len());
    match content {
        Closure::Table(_) => {
            let image = mapped(&content, members, store.budget)?;
            return Ok(store.known(&image)?);
        }
        Closure::Body(body) if body.name.is_none() => {
            for &(value, count) in members {
                store.step()?;
                let (member, count) = (store.constant(value), store.constant(count.into()));
                let image = store.value_for(&body, member)?;
                parts.push(store.copies(count, image)?);
            }
        }
        Closure::Body(_) if !store.is_closed(closure) && !members.is_empty() => {
            return Ok(store.nodes.intern(Node::Map(list, closure)));
        }
        Closure::Body(_) => {
            for &(value, count) in members {
                store.step()?;
                let count = store.constant(count.into());
                parts.push(instance(store, closure, value, count)?);
            }
        }
    }
    store.join(&parts)
}

/// The images of the parts of a join under a body that rolls. Rolls are named after the body and the member, so a
/// part needs another name for the body if a member of an earlier part can occur in it, too.
fn map_apart(
    store: &mut Store<'_>,
    parts: &[NodeId],
    closure: ClosureId,
    name: PoolId,
) -> Attempt<Vec<NodeId>> {
    let mut images = Vec::with_capacity(parts.len());
    let mut seen: Vec<Bounds> = Vec::with_capacity(parts.len());
    // Known members come first. The other parts keep the name if these members cannot occur in them.
    let (known, hidden): (Vec<NodeId>, Vec<NodeId>) =
        parts.iter().partition(|&&part| store.is_known(part));
    for (index, &part) in known.iter().chain(&hidden).enumerate() {
        let bounds = store.bounds(part)?;
        let apart = seen
            .iter()
            .all(|other| other.high < bounds.low || bounds.high < other.low);
        seen.push(bounds);
        let closure = if apart {
            closure
        } else {
            let name = store.pools.derived(name, part.0, index);
            renamed(store, closure, name)
        };
        images.push(store.map(part, closure)?);
    }
    Ok(images)
}

fn renamed(store: &mut Store<'_>, closure: ClosureId, name: PoolId) -> ClosureId {
    match store.nodes.closure_of(closure).clone() {
        Closure::Body(body) => store.nodes.closure(Closure::Body(Body {
            name: Some(name),
            ..body
        })),
        Closure::Table(_) => closure,
    }
}

/// The map by a body that rolls nothing and looks at nothing hidden, as a map by a table.
fn tabulated(
    store: &mut Store<'_>,
    list: NodeId,
    values: &[i64],
    closure: ClosureId,
) -> Attempt<NodeId> {
    let mut rows = Vec::with_capacity(values.len());
    for &value in values {
        store.step()?;
        let member = store.constant(value);
        let image = store.map(member, closure)?;
        let image = store
            .known_members(image)
            .ok_or(Stop::Unsupported(Reason::UnknownBody))?;
        rows.push((value, image));
    }
    let table = store.nodes.closure(Closure::Table(rows.into()));
    store.map(list, table)
}

/// The number of members of a list for which the body of a closure fails with the failure of its mode.
fn failing(store: &mut Store<'_>, list: NodeId, closure: ClosureId) -> Attempt<NodeId> {
    let body = store.nodes.body_of(closure).clone();
    if store.is_number(list) {
        return store.fails(&body, list);
    }
    match store.nodes.get(list).clone() {
        Node::Known(members) => {
            store.has_room_for::<(i64, NodeId)>(members.len())?;
            let mut counts = Vec::with_capacity(members.len());
            for &(value, count) in members.iter() {
                store.step()?;
                let member = store.constant(value);
                counts.push((count.into(), store.fails(&body, member)?));
            }
            store.linear(0, &counts)
        }
        Node::Join(parts) | Node::Chain(parts) => {
            store.has_room_for::<(i64, NodeId)>(parts.len())?;
            let mut counts = Vec::with_capacity(parts.len());
            for &part in parts.iter() {
                store.step()?;
                counts.push((1, failing(store, part, closure)?));
            }
            store.linear(0, &counts)
        }
        Node::Copies(count, member) => {
            let failing = failing(store, member, closure)?;
            store.arithmetic(Arithmetic::Multiply, count, failing)
        }
        Node::If(condition, a, b) => {
            let (a, b) = (failing(store, a, closure)?, failing(store, b, closure)?);
            store.choose(condition, a, b)
        }
        _ => {
            let map = match values(store, list, MOST_ROWS)? {
                Some(values) if store.is_closed(closure) => {
                    tabulated(store, list, &values, closure)?
                }
                _ => store.nodes.intern(Node::Map(list, closure)),
            };
            store.fold(Folding::Sum, map)
        }
    }
}

/// Evaluations of a body that rolls, all for one member, joined.
fn instance(
    store: &mut Store<'_>,
    closure: ClosureId,
    value: i64,
    count: NodeId,
) -> Attempt<NodeId> {
    let instance = store.instance(closure, value)?;
    let drawn = store.draws(count, instance.die, instance.name)?;
    match instance.table {
        Some(table) => store.map(drawn, table),
        None => Ok(drawn),
    }
}

/// The images of known members under a table.
pub(in crate::engine) fn mapped(
    table: &Closure,
    members: &[(i64, u32)],
    budget: &Budget<'_>,
) -> Attempt<Members> {
    let Closure::Table(rows) = table else {
        return Err(Stop::Unsupported(Reason::UnknownBody));
    };
    let mut image = Members::new();
    for &(member, count) in members {
        let place = rows
            .binary_search_by_key(&member, |&(member, _)| member)
            .map_err(|_| Stop::Unsupported(Reason::UnknownBody))?;
        budget.has_room_for_more(&image, rows[place].1.len())?;
        for &(value, times) in rows[place].1.iter() {
            let times = times.checked_mul(count).ok_or(LimitReached::List)?;
            image.push((value, times));
        }
    }
    merged(image, budget)
}
