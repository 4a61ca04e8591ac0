//! Closed parts: numbers whose pools occur nowhere else in a program.
//!
//! A closed part is independent of the rest, so a die with its distribution takes its place. The largest closed parts
//! are found as dominators of the leaves: each path from the root to a pool of the part passes the part.

use crate::algebra::Weight;
use crate::engine::program::{Drawing, Node, NodeId, Pool, PoolId, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::TermId;
use crate::map::Map;

/// The node with every largest closed part replaced by a die of the same distribution. Closed parts with loops are
/// left as they are, unless `with_loops`. But a number that waits for a loop within the body of another loop is always solved:
/// else each round of the outer loop would leave one more inner loop to wait for.
///
/// A closed part dominates the leaves of its pools: every path from the root to them passes it. Ids ascend from
/// children to parents, so one pass down finds immediate dominators.
pub(in crate::engine) fn closed_parts_solved(
    store: &mut Store<'_>,
    root: NodeId,
    with_loops: bool,
) -> Attempt<NodeId> {
    // A comparison is often decided before all dice of a pool are revealed.
    let is_comparison = matches!(store.nodes.get(root), Node::AtLeast(..) | Node::Equals(..));
    if is_comparison && store.pools_of(root).len() < 2 {
        return Ok(root);
    }
    let order = store.descending(root);
    let place: Map<NodeId, usize> = order
        .iter()
        .enumerate()
        .map(|(place, &id)| (id, place))
        .collect();
    // Immediate dominators by place. A parent always has a smaller place than its child.
    let mut dominator: Vec<Option<usize>> = vec![None; order.len()];
    let mut leaves: Vec<(PoolId, usize)> = Vec::new();
    for (index, &id) in order.iter().enumerate() {
        let node = store.nodes.get(id).clone();
        if let Some(pool) = store.nodes.pool_of(&node) {
            leaves.push((pool, index));
            leaves.extend(store.pools.deck_of(pool).map(|deck| (deck, index)));
        }
        store.nodes.for_children(&node, |child| {
            if let Some(&child) = place.get(&child) {
                dominator[child] = Some(match dominator[child] {
                    None => index,
                    Some(other) => common_dominator(&dominator, other, index),
                });
            }
        });
    }
    let mut replaced = Vec::new();
    let mut dominated: Map<usize, Vec<PoolId>> = Map::default();
    for &(pool, leaf) in &leaves {
        let mut above = Some(leaf);
        while let Some(place) = above {
            dominated.entry(place).or_default().push(pool);
            above = dominator[place];
        }
    }
    let mut uses: Map<PoolId, usize> = Map::default();
    for &(pool, _) in &leaves {
        *uses.entry(pool).or_default() += 1;
    }
    let outermost = order.iter().filter_map(|&id| body_of_loop(store, id)).max();
    let mut covered = vec![false; order.len()];
    for (index, &id) in order.iter().enumerate() {
        covered[index] = dominator[index].is_some_and(|above| covered[above]);
        if index == 0 || covered[index] || !store.is_number(id) {
            continue;
        }
        let pools = store.pools_of(id);
        let all: usize = pools.iter().filter_map(|pool| uses.get(pool)).sum();
        let closed = dominated
            .get(&index)
            .is_some_and(|dominated| dominated.len() == all);
        let waits_for = match *store.nodes.get(id) {
            Node::Draw(_) => continue,
            Node::Over(list) => body_of_loop(store, list),
            _ => None,
        };
        let is_inner = waits_for.is_some_and(|body| Some(body) < outermost);
        if closed && (with_loops || is_inner || !store.has_loop(id)) {
            let law = store.law(id)?;
            // A die that may never show anything is waited for only where a hazard says so. A new die has no hazard, but takes
            // the place of one if it is what waits for a loop.
            let is_known = if is_inner {
                law.unresolved() == Weight::ZERO
            } else {
                law.never_ends() == Weight::ZERO
            };
            if !is_known {
                continue;
            }
            covered[index] = true;
            let die = store.pools.die(law, store.budget)?;
            let pool = store.pools.pool(Pool {
                die,
                dice: 1,
                drawing: Drawing::Independent,
            });
            replaced.push((id, store.nodes.intern(Node::Draw(pool))));
        }
    }
    if replaced.is_empty() {
        return Ok(root);
    }
    store.replaced(root, &replaced)
}

/// The body of a loop. Within an arena, the body of a loop stands behind the bodies of the loops in it.
fn body_of_loop(store: &Store<'_>, id: NodeId) -> Option<TermId> {
    match *store.nodes.get(id) {
        Node::Loop(_, closure, ..) => Some(store.nodes.body_of(closure).term),
        _ => None,
    }
}

/// The nearest place that dominates both places.
fn common_dominator(dominator: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    let above =
        |place: usize| dominator[place].expect("a node below the root has a parent before it");
    while a != b {
        if a > b {
            a = above(a);
        } else {
            b = above(b);
        }
    }
    a
}
