//! Drops loop variables whose value the result does not depend on.
//!
//! How often `while x=1 do (if ==1 d6 then () else x+1)` goes round does not depend on the number x, which only counts the
//! rounds. With x it has a state for each of infinitely many numbers, and without x only one. So where a program asks no more of a
//! loop than how long its values are, or whether it ends or fails, and the values decide no more than that themselves, one and
//! the same number stands for all their members.

use crate::algebra::Weight;
use crate::engine::program::{
    Body, BodyMode, Bounds, Closure, ClosureId, Compare, LoopQuestion, MARKS, Node, NodeId, Order,
    PoolId, Store,
};
use crate::engine::simplify::{Forms as _, as_asked};
use crate::engine::stop::{Attempt, if_supported};
use crate::engine::translate::event::{Hazard, HazardKind};
use crate::engine::translate::translator::Translator;
use crate::ir::Folding;
use crate::map::Map;
use crate::stack;

/// How much of a value matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Matters {
    /// Whether it has a member.
    Ends,
    /// How many members it has.
    Lengths,
    /// Its members.
    Members,
}

/// The longest list that stands for a value of which it only matters whether it has a member.
const LONGEST: i64 = 4;

/// The program without the parts of loop values on which the result does not depend. `None` if there are none.
pub(in crate::engine) fn without_unused_variables(
    store: &mut Store<'_>,
    root: NodeId,
) -> Attempt<Option<NodeId>> {
    let mut replaced = Vec::new();
    for (id, asked) in loops_of(store, root) {
        let Node::Loop(value, closure, order, name) = *store.nodes.get(id) else {
            continue;
        };
        let body = store.nodes.body_of(closure).clone();
        let is_inner = store.has_loop(value)
            || body
                .environment
                .iter()
                .any(|&captured| store.has_loop(captured));
        if asked == Matters::Members || body.asked != LoopQuestion::Members || is_inner {
            continue;
        }
        let bounds = bounds_of_values(store, value, &body, order)?;
        let matters = deciding(store, &body, asked, bounds, order)?;
        let (member, size) = (0.clamp(bounds.low, bounds.high), bounds.least.max(1));
        let asked = match matters {
            Matters::Ends if size <= LONGEST => LoopQuestion::Ends { member, size },
            Matters::Ends | Matters::Lengths => LoopQuestion::Lengths { member },
            Matters::Members => continue,
        };
        // A list of equal members has one order only, but no form in which its length is hidden.
        if order == Order::Kept && bounds.most > 1 {
            continue;
        }
        let value = as_asked(store, value, asked)?;
        let closure = store.nodes.closure(Closure::Body(Body { asked, ..body }));
        replaced.push((id, store.looped(value, closure, order, name)?));
    }
    if replaced.is_empty() {
        return Ok(None);
    }
    store.replaced(root, &replaced).map(Some)
}

/// The loops of a program, each with what the program asks of its values.
fn loops_of(store: &Store<'_>, root: NodeId) -> Vec<(NodeId, Matters)> {
    let mut asked: Map<NodeId, Matters> = Map::default();
    let mut loops = Vec::new();
    asked.insert(root, Matters::Members);
    for id in store.descending(root) {
        let own = asked.get(&id).copied().unwrap_or(Matters::Members);
        let node = store.nodes.get(id);
        let of_children = match *node {
            Node::Fold(Folding::Count, _) => Matters::Lengths,
            Node::Over(_) => Matters::Ends,
            // Marks are kept in any case.
            Node::Filter(compare, number, _)
                if store
                    .as_constant(number)
                    .is_some_and(|number| number >= MARKS) =>
            {
                match compare {
                    Compare::AtLeast | Compare::Equal => Matters::Ends,
                    Compare::Below => own,
                    Compare::Unequal => Matters::Members,
                }
            }
            Node::Loop(..) => {
                loops.push((id, own));
                Matters::Members
            }
            _ => Matters::Members,
        };
        store.nodes.for_children(node, |child| {
            let known = asked.entry(child).or_insert(of_children);
            *known = of_children.max(*known);
        });
    }
    loops
}

/// Bounds of all values of a loop.
fn bounds_of_values(
    store: &mut Store<'_>,
    first: NodeId,
    body: &Body,
    order: Order,
) -> Attempt<Bounds> {
    let plain = Body {
        mode: BodyMode::Value,
        ..body.clone()
    };
    let closure = store.nodes.closure(Closure::Body(plain));
    either(store, first, closure, order)
}

/// Bounds of a loop's first value and of its later ones.
pub(super) fn either(
    store: &mut Store<'_>,
    first: NodeId,
    closure: ClosureId,
    order: Order,
) -> Attempt<Bounds> {
    let later = store.loop_image(closure, order)?.bounds;
    Ok(store.bounds(first)?.either(later))
}

/// How much of a value within bounds matters to the asked part of the next value, and to the errors and the waiting before it. At least as
/// much as is asked.
fn deciding(
    store: &mut Store<'_>,
    body: &Body,
    asked: Matters,
    bounds: Bounds,
    order: Order,
) -> Attempt<Matters> {
    let mut translator = Translator::new(store);
    let unknown = translator.unknown(bounds);
    let round = translator.of_unknown_value(body, unknown, order, |_, next| Ok(next));
    let Some((next, hazards)) = if_supported(round)? else {
        return Ok(Matters::Members);
    };
    let Node::Draws(count, _, members) = *store.nodes.get(unknown) else {
        return Ok(Matters::Members);
    };
    let hidden = [&*store.pools_of(count), &[members]].concat();
    let mut events = Vec::new();
    for hazard in hazards {
        add_events(store, hazard, &hidden, &mut events)?;
    }
    let (some, length) = (store.is_not_empty(next)?, store.fold(Folding::Count, next)?);
    let mut mentions = |node: NodeId, pools: &[PoolId]| {
        let mentioned = store.pools_of(node);
        pools
            .iter()
            .any(|pool| mentioned.binary_search(pool).is_ok())
    };
    Ok(if events.iter().any(|&event| mentions(event, &[members])) {
        Matters::Members
    } else if asked == Matters::Ends
        && !events
            .iter()
            .chain([&some])
            .any(|&event| mentions(event, &hidden))
    {
        Matters::Ends
    } else if !mentions(length, &[members]) {
        Matters::Lengths
    } else {
        Matters::Members
    })
}

/// The nodes that tell whether a hazard happens, and which.
fn add_events(
    store: &mut Store<'_>,
    hazard: Hazard,
    hidden: &[PoolId],
    events: &mut Vec<NodeId>,
) -> Attempt<()> {
    match hazard.kind {
        HazardKind::Fails(_) => events.push(hazard.when),
        HazardKind::FailsInLoop { marked, .. } => events.extend([hazard.when, marked]),
        HazardKind::NeverEnds(over) => {
            for over in [hazard.when, over] {
                let simpler =
                    stack::level(|| without_unused_variables(store, over))?.unwrap_or(over);
                let pools = store.pools_of(simpler);
                let is_apart = hidden.iter().all(|pool| pools.binary_search(pool).is_err());
                // A loop that surely ends needs no waiting.
                if !is_apart || store.law(simpler)?.never_ends() != Weight::ZERO {
                    events.push(over);
                }
            }
        }
    }
    Ok(())
}
