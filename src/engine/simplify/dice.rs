//! Ranges, draws and dice: they become known members or pools once their ends, counts and sides are known.

use crate::engine::operate;
use crate::engine::program::{DieId, Members, Node, NodeId, PoolId, Store, is_infinite};
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;
use crate::limits::LimitReached;
use crate::number::Integer;

pub(in crate::engine) fn range(store: &mut Store<'_>, a: NodeId, b: NodeId) -> Attempt<NodeId> {
    let (Some(from), Some(to)) = (store.as_constant(a), store.as_constant(b)) else {
        let bounds = (store.bounds(a)?, store.bounds(b)?);
        if bounds.0.low > bounds.1.high {
            return Ok(store.empty());
        }
        return Ok(store.nodes.intern(Node::Range(a, b)));
    };
    let length = operate::length_of_range(&Integer::from(from), &Integer::from(to))?;
    // The members, and the node that holds them.
    store.has_room_for::<[(i64, u32); 2]>(length)?;
    Ok(store.known(&(from..=to).map(|value| (value, 1)).collect::<Members>())?)
}

pub(in crate::engine) fn draws(
    store: &mut Store<'_>,
    count: NodeId,
    die: DieId,
    name: PoolId,
) -> Attempt<NodeId> {
    let known = store.pools.die_of(die);
    if let [(only, _)] = *known.faces
        && known.law.unlisted.is_none()
    {
        let only = store.constant(only);
        return store.copies(count, only);
    }
    let Some(dice) = store.as_constant(count) else {
        return Ok(store.nodes.intern(Node::Draws(count, die, name)));
    };
    let dice = u32::try_from(dice).map_err(|_| LimitReached::List)?;
    Ok(match dice {
        0 => store.empty(),
        1 => {
            let pool = store.pools.named(name, die, 1);
            store.nodes.intern(Node::Draw(pool))
        }
        _ => {
            let pool = store.pools.named(name, die, dice);
            store.nodes.intern(Node::Pool(pool))
        }
    })
}

pub(in crate::engine) fn die(
    store: &mut Store<'_>,
    sides: NodeId,
    name: PoolId,
) -> Attempt<NodeId> {
    let high = store.bounds(sides)?.high;
    let most = store.budget.limits().states.try_into().unwrap_or(i64::MAX);
    if high > most && !is_infinite(high) {
        return Err(LimitReached::States(store.budget.limits().states).into());
    }
    let Some(sides) = store.as_constant(sides) else {
        return Ok(store.nodes.intern(Node::Die(sides, name)));
    };
    let sides = sides.max(1);
    let die = store.pools.fair(sides, store.budget)?;
    let one = store.constant(1);
    store.draws(one, die, name)
}
