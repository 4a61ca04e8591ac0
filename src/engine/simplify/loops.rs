//! Loops as nodes: the values after a value, and the number that is 0 once the loop is over.

use crate::algebra::Weight;
use crate::engine::program::{ClosureId, DieId, LoopQuestion, Node, NodeId, Order, PoolId, Store};
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::Folding;

pub(in crate::engine) fn looped(
    store: &mut Store<'_>,
    value: NodeId,
    body: ClosureId,
    order: Order,
    name: PoolId,
) -> Attempt<NodeId> {
    if store.bounds(value)?.most == 0 {
        return Ok(store.empty());
    }
    Ok(store.nodes.intern(Node::Loop(value, body, order, name)))
}

pub(in crate::engine) fn over(store: &mut Store<'_>, list: NodeId) -> Attempt<NodeId> {
    if store.nodes.mask(list) == 0 {
        return Ok(store.constant(0));
    }
    match store.nodes.get(list).clone() {
        Node::Join(parts) | Node::Chain(parts) => {
            let mut over = Vec::with_capacity(parts.len());
            for &part in parts.iter() {
                over.push((1, store.over(part)?));
            }
            store.linear(0, &over)
        }
        Node::If(condition, a, b) => {
            let (a, b) = (store.over(a)?, store.over(b)?);
            store.choose(condition, a, b)
        }
        Node::Copies(count, list) => {
            let (over, zero) = (store.over(list)?, store.constant(0));
            let some = store.at_least(count, 1)?;
            store.choose(some, over, zero)
        }
        Node::Loop(..) => Ok(store.nodes.intern(Node::Over(list))),
        Node::Draw(pool) | Node::Pool(pool) => {
            let die = store.pools.get(pool).die;
            Ok(over_of_dice(store, list, die))
        }
        Node::Draws(_, die, _) => Ok(over_of_dice(store, list, die)),
        _ => Ok(store.constant(0)),
    }
}

/// What stands for a value of a loop of which no more is asked than this.
pub(in crate::engine) fn as_asked(
    store: &mut Store<'_>,
    value: NodeId,
    asked: LoopQuestion,
) -> Attempt<NodeId> {
    let (count, member) = match asked {
        LoopQuestion::Members => return Ok(value),
        LoopQuestion::Lengths { member } => (store.fold(Folding::Count, value)?, member),
        LoopQuestion::Ends { member, size } => {
            let some = store.is_not_empty(value)?;
            (store.linear(0, &[(size, some)])?, member)
        }
    };
    let member = store.constant(member);
    store.copies(count, member)
}

/// 0, once the loops that dice stand for are over.
fn over_of_dice(store: &mut Store<'_>, dice: NodeId, die: DieId) -> NodeId {
    if store.pools.die_of(die).law.never_ends() == Weight::ZERO {
        return store.constant(0);
    }
    store.nodes.intern(Node::Over(dice))
}
