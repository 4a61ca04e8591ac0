//! One round of a loop with a known value, by listing what the body can lead to.
//!
//! The hit points of a duel are such a value. The body is a calculation with a few dice, and its result is known for
//! each way in which they fall. That takes less than to simplify the calculation for each face of each die.
//! A body that gives nothing but dice is left to revealing: dice that stay hidden are one state together.

use crate::algebra::Weight;
use crate::engine::answer::List;
use crate::engine::evaluate::paths::paths;
use crate::engine::program::{
    BodyMode, ClosureId, MARKS, Members, Node, NodeId, Order, PoolId, Store, merged, narrow,
};
use crate::engine::reveal::reached::{Stepping, Steps};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::number::Integer;
use std::rc::Rc;

/// A loop with a known value, and the rest of a program around it.
struct KnownLoop {
    id: NodeId,
    node: NodeId,
    value: List,
    closure: ClosureId,
    order: Order,
    name: PoolId,
}

/// The steps from a program that hides nothing but the rolls of one loop, whose value is known. `None` for other
/// programs, and where revealing is the better way.
pub(super) fn listed_round<M: Stepping>(
    store: &mut Store<'_>,
    root: NodeId,
    monoid: &M,
) -> Attempt<Option<Steps<M::Key, NodeId>>> {
    let Some(known) = known_loop(store, root)? else {
        return Ok(None);
    };
    let body = store.nodes.body_of(known.closure).clone();
    let Some(mut environment) = body
        .environment
        .iter()
        .map(|&id| known_list(store, id))
        .collect::<Attempt<Option<Vec<List>>>>()?
    else {
        return Ok(None);
    };
    let mode = body.mode;
    let paths = if let Some(paths) = store.listed_paths(&body, known.node) {
        paths
    } else {
        environment.push(known.value);
        let Some(found) = paths(store.arena, body.term, &mut environment, store.budget)? else {
            store.note_many_paths(known.closure);
            return Ok(None);
        };
        let found = Rc::new(found);
        store.keep_paths(body, known.node, Rc::clone(&found));
        found
    };
    let mut transitions = Vec::with_capacity(paths.ends.len());
    for (end, weight) in &paths.ends {
        store.step()?;
        let next = match end {
            Ok(list) => match node_of(store, list, known.order, mode)? {
                Some(next) => next,
                None => return Ok(None),
            },
            Err(failure) if mode == BodyMode::Marked => {
                let mark = store.mark(*failure);
                store.constant(mark)
            }
            // The copy of the loop with marks knows of the error. Here the loop is over.
            Err(_) => store.empty(),
        };
        let after = store.looped(next, known.closure, known.order, known.name)?;
        let rest = store.sequence(known.order, vec![next, after])?;
        let program = store.replaced(root, &[(known.id, rest)])?;
        let (key, program) = monoid.strip(store, program)?;
        transitions.push((key, weight.clone(), program));
    }
    Ok(Some(Steps {
        total: paths.total.clone(),
        never: Weight::ZERO,
        transitions,
    }))
}

/// The only loop of a program that hides nothing else, if its value is known.
fn known_loop(store: &mut Store<'_>, root: NodeId) -> Attempt<Option<KnownLoop>> {
    if store.pools_of(root).len() != 1 {
        return Ok(None);
    }
    let mut found = None;
    for id in store.descending(root) {
        if let Node::Loop(value, closure, order, name) = *store.nodes.get(id) {
            if found.is_some() {
                return Ok(None);
            }
            found = Some((id, value, closure, order, name));
        }
    }
    let Some((id, value, closure, order, name)) = found else {
        return Ok(None);
    };
    if store.has_many_paths(closure) || store.loop_image(closure, order)?.is_dice {
        return Ok(None);
    }
    let node = value;
    let value = known_list(store, node)?.filter(|value| {
        let mark = Integer::from(MARKS);
        !value.is_empty() && value.iter().all(|member| *member < mark)
    });
    Ok(value.map(|value| KnownLoop {
        id,
        node,
        value,
        closure,
        order,
        name,
    }))
}

/// The members of a list, if they are known: in its order, or ascending if it has none.
fn known_list(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<List>> {
    if let Some(members) = store.known_members(id) {
        let length = members.iter().map(|&(_, count)| count as usize).sum();
        store.has_room_for::<Integer>(length)?;
        let members = members
            .iter()
            .flat_map(|&(value, count)| std::iter::repeat_n(Integer::from(value), count as usize));
        return Ok(Some(members.collect()));
    }
    let Node::Chain(parts) = store.nodes.get(id) else {
        return Ok(None);
    };
    let members = parts.iter().map(|&part| store.as_constant(part));
    Ok(members
        .map(|member| member.map(Integer::from))
        .collect::<Option<List>>())
}

/// A list as a node. `None` if a member is too long.
fn node_of(
    store: &mut Store<'_>,
    list: &List,
    order: Order,
    mode: BodyMode,
) -> Attempt<Option<NodeId>> {
    let mut members = Members::with_capacity(list.len());
    for member in list {
        match member.to_i64().map(|member| narrow(member.into())) {
            Some(Ok(member)) if mode != BodyMode::Marked || member < MARKS => {
                members.push((member, 1));
            }
            _ => return Ok(None),
        }
    }
    if order == Order::Ignored {
        let members = merged(members, store.budget)?;
        return Ok(Some(store.known(&members)?));
    }
    let members = members
        .into_iter()
        .map(|(member, _)| store.constant(member))
        .collect();
    store.chain(members).map(Some)
}
