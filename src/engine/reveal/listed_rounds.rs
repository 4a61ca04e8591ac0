//! All values that a loop with a known first value can take, by listing what each round can lead to.
//!
//! So it is seen between which numbers its members lie.

use crate::engine::evaluate::paths::{Paths, paths};
use crate::engine::outcomes::List;
use crate::engine::program::{
    Body, Bounds, ClosureId, MARKS, Node, NodeId, Order, Store, merged, narrow,
};
use crate::engine::simplify::{Forms as _, as_asked};
use crate::engine::stop::{Attempt, if_supported};
use crate::engine::translate::Translator;
use crate::map::Map;
use crate::number::Integer;
use std::rc::Rc;

/// The most members of a list whose node is remembered.
const SHORT: usize = 8;

/// A loop with a known value.
struct KnownLoop {
    id: NodeId,
    node: NodeId,
    closure: ClosureId,
    order: Order,
}

/// The least and the greatest member of all values of a loop with a known value, errors aside. `None` if its values are
/// many, or if their rounds cannot be listed.
pub(in crate::engine) fn ends_of_members(
    store: &mut Store<'_>,
    list: NodeId,
) -> Attempt<Option<(i64, i64)>> {
    let Some(first) = known_loop(store, list)?.filter(|known| known.id == list) else {
        return Ok(None);
    };
    let Some(body) = KnownBody::of(store, first.closure, first.order)? else {
        return Ok(None);
    };
    let empty = store.empty();
    let mut seen: Map<NodeId, ()> = Map::from_iter([(first.node, ())]);
    let mut open = vec![first.node];
    let mut ends = (i64::MAX, i64::MIN);
    while let Some(value) = open.pop() {
        store.budget.check()?;
        let Bounds { low, high, .. } = store.bounds(value)?;
        ends = (ends.0.min(low), ends.1.max(high));
        if seen.len() as u64 > store.most_states() {
            return Ok(None);
        }
        let Some(round) = body.round(store, value)? else {
            return Ok(None);
        };
        // An error ends the loop.
        for &next in round.iter().flatten() {
            if next != empty && seen.insert(next, ()).is_none() {
                open.push(next);
            }
        }
    }
    Ok(Some(ends))
}

/// The body of a loop, if it hides nothing but its own rolls.
struct KnownBody {
    closure: ClosureId,
    order: Order,
    closed: Body,
    environment: Vec<List>,
}

impl KnownBody {
    /// `None` if the body uses what is hidden.
    fn of(store: &mut Store<'_>, closure: ClosureId, order: Order) -> Attempt<Option<Self>> {
        let body = store.nodes.body_of(closure).clone();
        let environment = body.environment.iter().map(|&id| known_list(store, id));
        let environment = environment.collect::<Attempt<Option<Vec<List>>>>()?;
        Ok(environment.map(|environment| Self {
            closure,
            order,
            closed: body,
            environment,
        }))
    }

    /// What a round with a known value leads to. `None` if the ways are many.
    fn round(&self, store: &mut Store<'_>, value: NodeId) -> Attempt<Option<Rc<[Option<NodeId>]>>> {
        if let Some(round) = store.rounds.ends(&self.closed, value, self.order) {
            return Ok(Some(round));
        }
        let mut environment = self.environment.clone();
        environment.extend(known_list(store, value)?);
        let terms = &mut store.rounds.terms;
        let found = paths(
            store.arena,
            self.closed.term,
            &mut environment,
            terms,
            store.budget,
        )?;
        let round = match found {
            Some(found) => self.with_nodes(store, &found)?,
            None => self.by_law(store, value)?,
        };
        let Some(round) = round else {
            store.rounds.note_many_paths(self.closure);
            return Ok(None);
        };
        let round: Rc<[Option<NodeId>]> = round.into();
        let kept = Rc::clone(&round);
        store
            .rounds
            .keep_ends(self.closed.clone(), value, self.order, kept);
        Ok(Some(round))
    }

    /// What a round leads to by the distribution of the body, if this is a number or several numbers that cannot fail.
    fn by_law(&self, store: &mut Store<'_>, value: NodeId) -> Attempt<Option<Vec<Option<NodeId>>>> {
        Ok(if_supported(self.ends_by_law(store, value))?.flatten())
    }

    fn ends_by_law(
        &self,
        store: &mut Store<'_>,
        value: NodeId,
    ) -> Attempt<Option<Vec<Option<NodeId>>>> {
        let mut environment = self.closed.environment.to_vec();
        let (next, hazards) = Translator::new(store).collecting_hazards(|translator| {
            translator.translate_with(self.closed.term, value, self.order, &mut environment)
        })?;
        let next = as_asked(store, next, self.closed.asked)?;
        let are_numbers = match store.nodes.get(next).clone() {
            Node::Chain(parts) => parts.iter().all(|&part| store.is_number(part)),
            _ => store.is_number(next),
        };
        if !hazards.is_empty() || !are_numbers {
            return Ok(None);
        }
        let law = store.law_of_list(next)?;
        if law.listed.mass() != *law.total() {
            return Ok(None);
        }
        let mut ends = Vec::with_capacity(law.listed.len());
        for (list, _) in law.listed.iter() {
            let list = list.iter().copied().map(Integer::from).collect();
            let Some(next) = node_of(store, &list, self.order)? else {
                return Ok(None);
            };
            ends.push(Some(next));
        }
        Ok(Some(ends))
    }

    /// The ends of paths as nodes. `None` if a member is too long.
    fn with_nodes(
        &self,
        store: &mut Store<'_>,
        paths: &Paths,
    ) -> Attempt<Option<Vec<Option<NodeId>>>> {
        let mut ends = Vec::with_capacity(paths.ends.len());
        for (end, _) in &paths.ends {
            ends.push(match end {
                Ok(list) => match known_node_of(store, list, self.order)? {
                    Some(next) => Some(as_asked(store, next, self.closed.asked)?),
                    None => return Ok(None),
                },
                Err(_) => None,
            });
        }
        Ok(Some(ends))
    }
}

/// The only loop of a program that hides nothing else, if its value is known.
fn known_loop(store: &mut Store<'_>, root: NodeId) -> Attempt<Option<KnownLoop>> {
    if store.pools_of(root).len() != 1 {
        return Ok(None);
    }
    let mut found = None;
    for id in store.descending(root) {
        if let Node::Loop(value, closure, order, _) = *store.nodes.get(id) {
            if found.is_some() {
                return Ok(None);
            }
            found = Some((id, value, closure, order));
        }
    }
    let Some((id, value, closure, order)) = found else {
        return Ok(None);
    };
    if store.rounds.has_many_paths(closure) || store.loop_image(closure, order)?.is_dice {
        return Ok(None);
    }
    let node = value;
    let value = known_list(store, node)?.filter(|value| {
        let mark = Integer::from(MARKS);
        !value.is_empty() && value.iter().all(|member| *member < mark)
    });
    Ok(value.map(|_| KnownLoop {
        id,
        node,
        closure,
        order,
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

/// As [`node_of`], for lists of which many come again.
fn known_node_of(store: &mut Store<'_>, list: &List, order: Order) -> Attempt<Option<NodeId>> {
    if !(2..=SHORT).contains(&list.len()) {
        return node_of(store, list, order);
    }
    let known = store.rounds.lists.get(&order);
    if let Some(&known) = known.and_then(|known| known.get(list)) {
        return Ok(Some(known));
    }
    let node = node_of(store, list, order)?;
    if let Some(node) = node {
        let known = store.rounds.lists.entry(order).or_default();
        known.insert(list.clone(), node);
    }
    Ok(node)
}

/// A list as a node. `None` if a member is too long, or could be a mark.
fn node_of(store: &mut Store<'_>, list: &List, order: Order) -> Attempt<Option<NodeId>> {
    let narrow = |member: &Integer| {
        let member = narrow(member.to_i64()?.into()).ok()?;
        (member < MARKS).then_some(member)
    };
    if let [only] = &list[..] {
        return Ok(narrow(only).map(|only| store.constant(only)));
    }
    let Some(members) = list.iter().map(narrow).collect::<Option<Vec<i64>>>() else {
        return Ok(None);
    };
    if order == Order::Ignored {
        let members = members.into_iter().map(|member| (member, 1)).collect();
        let members = merged(members, store.budget)?;
        return Ok(Some(store.known(&members)?));
    }
    let members = members
        .into_iter()
        .map(|member| store.constant(member))
        .collect();
    store.chain(members).map(Some)
}
