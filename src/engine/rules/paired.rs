//! Dice that carry the rolls made for them.
//!
//! Each die of a pool may carry the list that a body rolls for it: a *paired* die shows both. Draws whose number is a
//! sum over the dice of a pool are carried by these dice in the same way.

use crate::algebra::weight::lcm;
use crate::algebra::{Distribution, Weight};
use crate::engine::program::{Closure, Drawing, Image, Node, NodeId, Pool, PoolId, Store};
use crate::engine::simplify::{
    Forms as _, binomial_at_most, each_of, is_additive, members_for, only_pool, value_of,
};
use crate::engine::stop::Attempt;
use crate::engine::translate::{MOST_LIST_FACES, as_face, die_of_pairs};
use std::rc::Rc;

/// The most different lists of draws that a paired die may carry for one face.
const MOST_DRAWN: u64 = 1_000;

/// The program with the dice of one pool paired with the list that a body rolls for each of them, or with the draws
/// that they ask for. `None` if there is no such pool.
pub(in crate::engine) fn paired(store: &mut Store<'_>, root: NodeId) -> Attempt<Option<NodeId>> {
    let order = store.descending(root);
    for &id in &order {
        let pool = match store.nodes.get(id).clone() {
            Node::Map(list, closure)
                if store.rows_of(closure).is_none() && store.is_closed(closure) =>
            {
                each_of(store, list)
            }
            Node::Draws(count, _, name) => only_pool(store, count)
                .map(|(pool, _)| pool)
                .filter(|&pool| is_additive(store, count, pool))
                .filter(|_| adds_up(store, id, name, &order)),
            _ => None,
        };
        if let Some(pool) = pool
            && let Some(paired) = paired_with(store, root, id, pool)?
        {
            return Ok(Some(paired));
        }
    }
    Ok(None)
}

/// Whether draws are used only in lists and sums to which each member contributes by itself. If a condition switches
/// draws on or off, it is better to know the condition first.
fn adds_up(store: &mut Store<'_>, draws: NodeId, name: PoolId, order: &[NodeId]) -> bool {
    order.iter().all(|&id| {
        let node = store.nodes.get(id).clone();
        let is_plain = match node {
            // Draws of the same name in other places would be the same draws.
            _ if store.nodes.pool_of(&node) == Some(name) => id == draws,
            Node::Draws(..) | Node::Fold(..) | Node::Join(_) | Node::Linear(..) => true,
            Node::Copies(_, list) if store.nodes.mask(list) == 0 => true,
            Node::Copies(n, _) | Node::Filter(_, n, _) | Node::Select(_, n, _) => {
                store.as_constant(n).is_some()
            }
            Node::Map(_, closure) => store.is_closed(closure),
            _ => false,
        };
        is_plain || !store.pools_of(id).contains(&name)
    })
}

/// The program with the dice of a pool paired with their parts of a list. `None` if the paired dice have too many
/// faces.
fn paired_with(
    store: &mut Store<'_>,
    root: NodeId,
    id: NodeId,
    pool: PoolId,
) -> Attempt<Option<NodeId>> {
    store.budget.check()?;
    let known = store.pools.get(pool).clone();
    if known.drawing != Drawing::Independent || !store.shows_faces(known.die) {
        return Ok(None);
    }
    let total = store.pools.die_of(known.die).law.total().clone();
    let faces = Rc::clone(&store.pools.die_of(known.die).faces);
    let mut laws: Vec<Distribution<Vec<i64>>> = Vec::with_capacity(faces.len());
    let mut common = Weight::from(1_u32);
    let mut lists = 0;
    for &(face, _) in &*faces {
        let Some(image) = rolled_for(store, id, face)? else {
            return Ok(None);
        };
        let law = store.law_of_list(image)?;
        let Some(law) = law.complete() else {
            return Ok(None);
        };
        common = lcm(&common, law.total());
        lists += law.len();
        laws.push(law.clone());
    }
    if lists > MOST_LIST_FACES {
        return Ok(None);
    }
    let mut weighted = Vec::with_capacity(lists);
    for (&(face, ref weight), law) in faces.iter().zip(&laws) {
        let factor = weight * (&common / law.total());
        weighted.extend(
            law.iter()
                .map(|(list, weight)| (face, list, weight * &factor)),
        );
    }
    let (die, rows) = die_of_pairs(store, weighted, total * common)?;
    let paired = store.pools.pool(Pool { die, ..known });
    let paired = store.nodes.intern(Node::Pool(paired));
    let (mut shown, mut rolled) = (Vec::new(), Vec::new());
    for (index, (face, image)) in rows.into_iter().enumerate() {
        shown.push((as_face(index), Image::from([(face, 1)])));
        rolled.push((as_face(index), image));
    }
    let [shown, rolled] = [shown, rolled].map(|rows| {
        let table = store.nodes.closure(Closure::Table(rows.into()));
        store.map(paired, table)
    });
    let pool = store.nodes.intern(Node::Pool(pool));
    store
        .replaced(root, &[(pool, shown?), (id, rolled?)])
        .map(Some)
}

/// The list that is rolled for a die with this face: by a body, or as draws that the die asks for.
fn rolled_for(store: &mut Store<'_>, id: NodeId, face: i64) -> Attempt<Option<NodeId>> {
    match *store.nodes.get(id) {
        Node::Map(list, closure) => {
            let members = members_for(store, list, face)?;
            let members = store.known(&members)?;
            store.map(members, closure).map(Some)
        }
        Node::Draws(count, die, _) => {
            let times = value_of(store, count, face);
            let Some(times) = times.and_then(|times| u32::try_from(times).ok()) else {
                return Ok(None);
            };
            let sides = store.pools.die_of(die).faces.len() as u64;
            let lists = binomial_at_most(u64::from(times) + sides - 1, times.into(), MOST_DRAWN);
            if !store.shows_faces(die) || lists.is_none() {
                return Ok(None);
            }
            let (times, name) = (store.constant(times.into()), store.pools.name());
            store.draws(times, die, name).map(Some)
        }
        _ => Ok(None),
    }
}
