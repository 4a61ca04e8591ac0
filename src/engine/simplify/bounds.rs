//! Interval analysis of nodes: bounds of the members, and of their number.

use crate::engine::program::{
    BodyMode, Bounds, Closure, Compare, Epoch, Hidden, Node, NodeId, PoolId, Store,
    arithmetic_bounds, fold_bounds, minus, plus, times,
};
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::{Folding, Selection};
use crate::stack;
use std::rc::Rc;

#[inline]
pub(in crate::engine) fn bounds(store: &mut Store<'_>, id: NodeId) -> Attempt<Bounds> {
    // The bounds of a node that mentions no pool of the context hold where all dice are hidden.
    let epoch = store.epoch_of_bounds(id);
    match store.memos.bounds.get(epoch, id) {
        Some(known) => Ok(known),
        None => new_bounds(store, id, epoch),
    }
}

/// Bounds that are not known yet in their epoch.
#[inline(never)]
fn new_bounds(store: &mut Store<'_>, id: NodeId, epoch: Epoch) -> Attempt<Bounds> {
    let bounds = stack::level(|| compute_bounds(store, id))?;
    let memo = &mut store.memos.bounds;
    memo.set(epoch, id, bounds, store.budget)?;
    Ok(bounds)
}

/// What a pool hides in the current context.
fn hidden(store: &Store<'_>, pool: PoolId) -> Hidden {
    if let Some(hidden) = store.context.hidden.iter().find(|(id, _)| *id == pool) {
        return hidden.1;
    }
    let known = store.pools.get(pool);
    let die = store.pools.die_of(known.die);
    let dice = i64::from(known.dice);
    Hidden {
        low: die.low(),
        high: die.high(),
        least: dice,
        most: dice,
    }
}

/// The parts of a join or chain.
fn parts(store: &Store<'_>, list: NodeId) -> Vec<NodeId> {
    match store.nodes.get(list) {
        Node::Join(parts) | Node::Chain(parts) => parts.to_vec(),
        _ => Vec::new(),
    }
}

#[expect(clippy::too_many_lines, reason = "one arm a kind of node")]
fn compute_bounds(store: &mut Store<'_>, id: NodeId) -> Attempt<Bounds> {
    Ok(match *store.nodes.get(id) {
        Node::Constant(value) => Bounds::number(value, value),
        Node::Draw(pool) => {
            let hidden = hidden(store, pool);
            Bounds::number(hidden.low, hidden.high)
        }
        Node::Dealt(pool) | Node::Pool(pool) => {
            let hidden = hidden(store, pool);
            Bounds {
                low: hidden.low,
                high: hidden.high,
                least: 0,
                most: 0,
            }
            .sized(hidden.least, hidden.most)
        }
        Node::Linear(constant, ref atoms) => {
            let atoms = Rc::clone(atoms);
            let apart = bounds_of_counts_apart(store, constant, &atoms)?;
            let (mut low, mut high) = (constant, constant);
            for &(coefficient, atom) in atoms.iter() {
                let bounds = store.bounds(atom)?;
                let ends = (
                    times(coefficient, bounds.low)?,
                    times(coefficient, bounds.high)?,
                );
                low = plus(low, ends.0.min(ends.1))?;
                high = plus(high, ends.0.max(ends.1))?;
            }
            match apart {
                Some(apart) => Bounds::number(low.max(apart.low), high.min(apart.high)),
                None => Bounds::number(low, high),
            }
        }
        // The value is 0, but it must not be taken for known before the loop is over.
        Node::AtLeast(..) | Node::Equals(..) | Node::Over(_) => Bounds::number(0, 1),
        Node::Arithmetic(operator, a, b) => {
            let (a, b) = (store.bounds(a)?, store.bounds(b)?);
            arithmetic_bounds(operator, a, b)?
        }
        Node::Fold(folding, list) => {
            let list = store.bounds(list)?;
            fold_bounds(folding, list)?
        }
        Node::If(_, a, b) => store.bounds(a)?.either(store.bounds(b)?),
        Node::Known(ref members) => {
            let size = members.iter().map(|&(_, count)| i64::from(count)).sum();
            match (members.first(), members.last()) {
                (Some(first), Some(last)) => Bounds {
                    low: first.0,
                    high: last.0,
                    least: size,
                    most: size,
                },
                _ => Bounds::EMPTY,
            }
        }
        Node::Join(ref parts) | Node::Chain(ref parts) => {
            let parts = Rc::clone(parts);
            let mut bounds = Bounds::EMPTY;
            for &part in parts.iter() {
                bounds = bounds.join(store.bounds(part)?);
            }
            bounds
        }
        Node::Copies(count, list) => {
            let copied = if_counted(store, count, list)?;
            let count = store.bounds(count)?;
            let most = times(count.high, copied.most)?;
            copied.sized(count.low.saturating_mul(copied.least), most)
        }
        Node::Filter(compare, number, list) => {
            let (number, list) = (store.bounds(number)?, store.bounds(list)?);
            let filtered = match compare {
                Compare::AtLeast => Bounds {
                    low: list.low.max(number.low),
                    ..list
                },
                Compare::Below => Bounds {
                    high: list.high.min(minus(number.high, 1)?),
                    ..list
                },
                Compare::Equal => Bounds {
                    low: list.low.max(number.low),
                    high: list.high.min(number.high),
                    ..list
                },
                Compare::Unequal => list,
            };
            if filtered.low > filtered.high {
                Bounds::EMPTY
            } else {
                filtered.sized(0, list.most)
            }
        }
        Node::Select(selection, n, list) => {
            let (n, members) = (store.bounds(n)?, list);
            let mut list = store.bounds(list)?;
            if n.low == 1 && n.high == 1 {
                // The best member is no worse than a member that is surely there.
                let parts = parts(store, members);
                for part in parts {
                    let part = store.bounds(part)?;
                    match selection {
                        Selection::High if part.least >= 1 => list.low = list.low.max(part.low),
                        Selection::Low if part.least >= 1 => {
                            list.high = list.high.min(part.high);
                        }
                        _ => {}
                    }
                }
            }
            match selection {
                Selection::First | Selection::Last | Selection::High | Selection::Low => {
                    list.sized(n.low.min(list.least), n.high.min(list.most))
                }
                _ => list.sized(minus(list.least, n.high)?, minus(list.most, n.low)?),
            }
        }
        Node::Range(a, b) => {
            let (a, b) = (store.bounds(a)?, store.bounds(b)?);
            if a.low > b.high {
                Bounds::EMPTY
            } else {
                let least = plus(minus(b.low, a.high)?, 1)?;
                let most = plus(minus(b.high, a.low)?, 1)?;
                Bounds {
                    low: a.low,
                    high: b.high,
                    least: 0,
                    most: 0,
                }
                .sized(least, most)
            }
        }
        Node::Draws(count, die, _) => {
            let count = store.bounds(count)?;
            let die = store.pools.die_of(die);
            let (low, high) = (die.low(), die.high());
            Bounds {
                low,
                high,
                least: 0,
                most: 0,
            }
            .sized(count.low, count.high)
        }
        Node::Die(sides, _) => Bounds::number(1, store.bounds(sides)?.high.max(1)),
        Node::Map(list, closure) => {
            let list = store.bounds(list)?;
            if let Closure::Body(body) = store.nodes.closure_of(closure)
                && let BodyMode::Failing(_) = body.mode
            {
                return Ok(Bounds::number(0, list.most));
            }
            let image = store.image(closure, list)?.bounds;
            let most = times(list.most, image.most)?;
            image.sized(list.least.saturating_mul(image.least), most)
        }
        Node::Loop(_, closure, order, _) => {
            let value = store.loop_image(closure, order)?.bounds;
            Bounds {
                least: 0,
                most: if value.most == 0 { 0 } else { i64::MAX },
                ..value
            }
        }
    })
}

/// Bounds of a sum in which each member of a list counts once: how many members show 1, how many show 2, and so on. `None` for
/// other sums.
///
/// The sum may ask whether any member shows a number, too. Bounds are found for that only where there is no second
/// member: so they are the same for any number of members from 2 on (see [`Stable`](crate::engine::program::Stable)).
fn bounds_of_counts_apart(
    store: &mut Store<'_>,
    constant: i64,
    atoms: &[(i64, NodeId)],
) -> Attempt<Option<Bounds>> {
    let [(_, first), others @ ..] = atoms else {
        return Ok(None);
    };
    let Some((list, is_count)) = counted(store, *first) else {
        return Ok(None);
    };
    let members = store.bounds(list)?.most;
    if others.is_empty() || !is_count && members > 1 {
        return Ok(None);
    }
    // The atoms differ, so the numbers do.
    if others
        .iter()
        .any(|&(_, atom)| counted(store, atom) != Some((list, is_count)))
    {
        return Ok(None);
    }
    let coefficients = atoms.iter().map(|&(coefficient, _)| coefficient);
    let (least, most) = coefficients.fold((0, 0), |(least, most), coefficient| {
        (coefficient.min(least), coefficient.max(most))
    });
    let low = plus(constant, times(least, members)?)?;
    let high = plus(constant, times(most, members)?)?;
    Ok(Some(Bounds::number(low, high)))
}

/// The list, if a number counts its members that show a known number. Also returns whether the number is their count, and not only whether
/// there is any.
fn counted(store: &Store<'_>, atom: NodeId) -> Option<(NodeId, bool)> {
    let (count, is_count) = match *store.nodes.get(atom) {
        Node::AtLeast(count, 1) => (count, false),
        _ => (atom, true),
    };
    let Node::Fold(Folding::Count, filtered) = *store.nodes.get(count) else {
        return None;
    };
    match *store.nodes.get(filtered) {
        Node::Filter(Compare::Equal, number, list) => {
            store.as_constant(number).map(|_| (list, is_count))
        }
        _ => None,
    }
}

/// Bounds of a list where this many copies of it are more than none: a condition on a number bounds the number, or a line of it, that is
/// there if the condition holds.
fn if_counted(store: &mut Store<'_>, count: NodeId, list: NodeId) -> Attempt<Bounds> {
    let bounds = store.bounds(list)?;
    let (condition, holds) = match *store.nodes.get(count) {
        Node::Linear(1, ref atoms) if matches!(**atoms, [(-1, _)]) => (atoms[0].1, false),
        _ => (count, true),
    };
    let Node::AtLeast(number, least) = *store.nodes.get(condition) else {
        return Ok(bounds);
    };
    let (constant, factor) = match *store.nodes.get(list) {
        _ if list == number => (0, 1),
        Node::Linear(constant, ref atoms) => match **atoms {
            [(factor, atom)] if atom == number => (constant, factor),
            _ => return Ok(bounds),
        },
        _ => return Ok(bounds),
    };
    let mut of_number = store.bounds(number)?;
    if holds {
        of_number.low = of_number.low.max(least);
    } else {
        of_number.high = of_number.high.min(minus(least, 1)?);
    }
    // Where the condition cannot hold, no copy is there.
    if of_number.low > of_number.high {
        return Ok(Bounds::EMPTY);
    }
    let one = plus(constant, times(factor, of_number.low)?)?;
    let other = plus(constant, times(factor, of_number.high)?)?;
    Ok(Bounds {
        low: bounds.low.max(one.min(other)),
        high: bounds.high.min(one.max(other)),
        ..bounds
    })
}
