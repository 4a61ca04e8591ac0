//! Tables of the same dice, joined, are one table.
//!
//! The images of a die under two tables, joined, are its image under one table with both rows joined. So a pool of
//! which some dice were taken away, rolled again and put back is one table of dice that carry both. If each row has
//! one member, it is a pool of other dice ([`super::relabelled`]).

use crate::engine::program::{Closure, Image, Members, Node, NodeId, PoolId, Store, merged};
use crate::engine::simplify::{Forms as _, each_of, members_for};
use crate::engine::stop::Attempt;
use crate::map::Map;
use std::rc::Rc;

/// The program with joined tables of one pool merged into one table. `None` if there are none.
pub(in crate::engine) fn joined_tables(
    store: &mut Store<'_>,
    root: NodeId,
) -> Attempt<Option<NodeId>> {
    let mut replaced = Vec::new();
    for id in store.descending(root) {
        let Node::Join(parts) = store.nodes.get(id).clone() else {
            continue;
        };
        let mut others = Vec::with_capacity(parts.len());
        let mut tables: Map<PoolId, Vec<NodeId>> = Map::default();
        let mut order = Vec::new();
        for &part in parts.iter() {
            match each_of(store, part).filter(|&pool| shows_only_faces(store, pool)) {
                Some(pool) => {
                    if !tables.contains_key(&pool) {
                        order.push(pool);
                    }
                    tables.entry(pool).or_default().push(part);
                }
                None => others.push(part),
            }
        }
        let mut is_shorter = false;
        for pool in order {
            let parts = tables
                .remove(&pool)
                .expect("each pool in the order has parts");
            let is_mapped = |part: &NodeId| matches!(store.nodes.get(*part), Node::Map(..));
            if parts.len() > 1 && parts.iter().any(is_mapped) {
                is_shorter = true;
                others.push(one_table(store, pool, &parts)?);
            } else {
                others.extend(parts);
            }
        }
        if is_shorter {
            replaced.push((id, store.join(&others)?));
        }
    }
    if replaced.is_empty() {
        return Ok(None);
    }
    store.replaced(root, &replaced).map(Some)
}

fn shows_only_faces(store: &Store<'_>, pool: PoolId) -> bool {
    store
        .pools
        .known(pool)
        .is_some_and(|known| store.shows_faces(known.die))
}

/// The parts of several lists that belong to each die of a pool, as one table.
fn one_table(store: &mut Store<'_>, pool: PoolId, parts: &[NodeId]) -> Attempt<NodeId> {
    let faces = Rc::clone(&store.pools.die_of(store.pools.get(pool).die).faces);
    let mut rows: Vec<(i64, Image)> = Vec::with_capacity(faces.len());
    for &(face, _) in &*faces {
        let mut members = Members::new();
        for &part in parts {
            members.extend(members_for(store, part, face)?);
        }
        rows.push((face, merged(members, store.budget)?.into()));
    }
    let table = store.nodes.closure(Closure::Table(rows.into()));
    let pool = store.nodes.intern(Node::Pool(pool));
    store.map(pool, table)
}
