//! Conditions that must be decided first.
//!
//! Dice are revealed whether or not the program evaluates them in the end. If a die surely shows a face, that makes
//! no difference. If a die or a loop may never end, it does: a program waits for it only where it evaluates it. So a
//! condition in front of such a die or loop is decided before the die or loop.

use crate::algebra::Weight;
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::map::Map;

/// The nodes that are searched for a part that may never end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum EndlessParts {
    /// Dice.
    Dice,
    /// Dice, and nodes that wait for loops. The root itself is not searched.
    DiceAndLoops,
}

/// A condition that is surely evaluated, and that decides whether a die or loop that may never end is evaluated.
pub(in crate::engine) fn condition_to_decide(
    store: &mut Store<'_>,
    root: NodeId,
    among: EndlessParts,
) -> Attempt<Option<NodeId>> {
    if !store.pools.has_endless() && (among == EndlessParts::Dice || !store.has_loop(root)) {
        return Ok(None);
    }
    let order = store.descending(root);
    let is_condition = |id: &NodeId| {
        let node = store.nodes.get(*id);
        matches!(node, Node::If(..) | Node::Copies(..) | Node::Draws(..))
    };
    if !order.iter().any(is_condition) {
        return Ok(None);
    }
    let mut endless: Map<NodeId, bool> = Map::default();
    for &id in order.iter().rev() {
        let mut may_not_end = match *store.nodes.get(id) {
            Node::Draw(pool) | Node::Pool(pool) => store
                .pools
                .die_of(store.pools.get(pool).die)
                .may_never_show(),
            Node::Draws(_, die, _) => store.pools.die_of(die).may_never_show(),
            Node::Over(_) if id != root && among == EndlessParts::DiceAndLoops => {
                store.law(id)?.never_ends() != Weight::ZERO
            }
            _ => false,
        };
        store.nodes.for_children(store.nodes.get(id), |child| {
            may_not_end |= endless.get(&child).copied().unwrap_or(false);
        });
        endless.insert(id, may_not_end);
    }
    if !endless[&root] {
        return Ok(None);
    }
    let mut is_evaluated: Map<NodeId, ()> = Map::default();
    is_evaluated.insert(root, ());
    for &id in &order {
        if !is_evaluated.contains_key(&id) {
            continue;
        }
        let waits = |part: NodeId| endless.get(&part).copied().unwrap_or(false);
        match *store.nodes.get(id) {
            Node::If(condition, a, b) => {
                if waits(a) || waits(b) {
                    return Ok(Some(condition));
                }
                is_evaluated.insert(condition, ());
            }
            Node::Copies(count, list) => {
                if store.bounds(count)?.low >= 1 {
                    is_evaluated.insert(list, ());
                } else if waits(list) {
                    return Ok(Some(count));
                }
                is_evaluated.insert(count, ());
            }
            Node::Draws(count, die, _) => {
                if store.pools.die_of(die).may_never_show() && store.bounds(count)?.low < 1 {
                    return Ok(Some(count));
                }
                is_evaluated.insert(count, ());
            }
            Node::Map(list, _) | Node::Loop(list, ..) => {
                is_evaluated.insert(list, ());
            }
            ref node => store.nodes.for_children(node, |child| {
                is_evaluated.insert(child, ());
            }),
        }
    }
    Ok(None)
}
