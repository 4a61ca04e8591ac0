//! One round of a loop.
//!
//! [`Node::Loop`] stands for all values of a loop after one value. To *unfold* it is to write out one round: the
//! value of the body, and a loop after that. The steps of a program with loops are found by unfolding its loops and
//! revealing the pools that it mentioned before. The program that is left mentions only pools of the unfolding.
//! Renaming them in the order of their occurrence makes it a state again, often the same one. So the state of `sum
//! (while x = 3#d6 do ((count ==6 x)#d6))` is the number of dice that are rolled next, four states in all.

use crate::algebra::Weight;
use crate::engine::program::{
    Body, BodyMode, Bounds, Closure, Compare, Context, Drawing, MARKS, Node, NodeId, Order, Places,
    Pool, PoolId, Store, is_infinite,
};
use crate::engine::reason::Reason;
use crate::engine::reveal::closed_parts::closed_parts_solved;
use crate::engine::reveal::decks::{add_unseen_places, with_decks_cut};
use crate::engine::reveal::exploration::graph;
use crate::engine::reveal::graph::Leaf;
use crate::engine::reveal::reached::{Stepping, Steps};
use crate::engine::reveal::undecided::{EndlessParts, condition_to_decide};
use crate::engine::simplify::{Forms as _, as_asked};
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::{Translator, possible_failures, zero_once_over};
use crate::map::Map;
use crate::stack;
use std::rc::Rc;

/// The values of a loop after a value, with one round written out, and a number that is 0 once the loops are over which that round
/// asks. It stands beside the values: an empty list among them would be a member that a selection by place may take.
fn unfolded(
    store: &mut Store<'_>,
    value: NodeId,
    body: &Body,
    order: Order,
) -> Attempt<(NodeId, NodeId)> {
    let nothing = store.empty();
    let mut goes_on = store.is_not_empty(value)?;
    let mut seen = value;
    if body.mode == BodyMode::Marked {
        let marks = store.constant(MARKS);
        let marked = store.filtered(Compare::AtLeast, marks, value)?;
        let (marked, zero) = (store.is_not_empty(marked)?, store.constant(0));
        if store.as_constant(marked) != Some(0) {
            seen = without_marks(store, value)?;
        }
        goes_on = store.choose(marked, zero, goes_on)?;
    }
    if store.as_constant(goes_on) == Some(0) {
        return Ok((nothing, store.constant(0)));
    }
    let mut environment = body.environment.to_vec();
    let (mut next, hazards) = Translator::new(store).collecting_hazards(|translator| {
        translator.on_path(goes_on, |translator| {
            translator.translate_with(body.term, seen, order, &mut environment)
        })
    })?;
    let waits = zero_once_over(store, &hazards)?;
    next = as_asked(store, next, body.asked)?;
    if body.mode == BodyMode::Marked {
        let high = store.bounds(next)?.high;
        if high >= MARKS && !is_infinite(high) {
            return Err(Stop::Unsupported(Reason::LongLoopMembers));
        }
        // The first error in the order of evaluation ends the loop.
        let failures = possible_failures(store, &hazards)?;
        next = failures.beside_events(store, next)?;
        for (when, failure) in failures.events.into_iter().rev() {
            let mark = store.mark(failure);
            let mark = store.constant(mark);
            next = store.choose(when, mark, next)?;
        }
    }
    let closure = store.nodes.closure(Closure::Body(body.clone()));
    let name = store.pools.name();
    let after = store.looped(next, closure, order, name)?;
    let rest = store.sequence(order, vec![next, after])?;
    Ok((store.choose(goes_on, rest, nothing)?, waits))
}

/// The value that the body of a loop sees, which is not evaluated for a mark. So any value may stand for one.
fn without_marks(store: &mut Store<'_>, value: NodeId) -> Attempt<NodeId> {
    let marks = store.constant(MARKS);
    match unmarked(store, value)? {
        Some(unmarked) => Ok(unmarked),
        None => store.filtered(Compare::Below, marks, value),
    }
}

/// The value where it is no mark. A number stays a number. `None` if the value is always a mark.
fn unmarked(store: &mut Store<'_>, value: NodeId) -> Attempt<Option<NodeId>> {
    let bounds = store.bounds(value)?;
    if bounds.high < MARKS {
        return Ok(Some(value));
    }
    match *store.nodes.get(value) {
        Node::Constant(_) => return Ok(None),
        Node::Draw(pool) => {
            let faces = Rc::clone(&store.pools.die_of(store.pools.get(pool).die).faces);
            if let Some(&(least, _)) = faces.first().filter(|(least, _)| *least < MARKS) {
                let rows = faces.iter().map(|&(face, _)| {
                    let image = if face < MARKS { face } else { least };
                    (face, vec![(image, 1)].into())
                });
                let table = Closure::Table(rows.collect());
                let table = store.nodes.closure(table);
                return store.map(value, table).map(Some);
            }
        }
        Node::If(condition, a, b) => {
            let a = stack::level(|| unmarked(store, a))?;
            let b = stack::level(|| unmarked(store, b))?;
            return Ok(match (a, b) {
                (Some(a), Some(b)) => Some(store.choose(condition, a, b)?),
                (one, other) => one.or(other),
            });
        }
        // One of two numbers that differ by a constant.
        Node::Linear(constant, ref atoms) => {
            if let [(difference, condition)] = **atoms {
                let Bounds { low, high, .. } = store.bounds(condition)?;
                let is_condition = low == 0 && high == 1;
                let other = constant.saturating_add(difference);
                if is_condition && constant.min(other) < MARKS {
                    return Ok(Some(store.constant(constant.min(other))));
                }
            }
        }
        _ => {}
    }
    let marks = store.constant(MARKS);
    store.filtered(Compare::Below, marks, value).map(Some)
}

/// The program with each of its loops unfolded once.
fn unfold(store: &mut Store<'_>, id: NodeId) -> Attempt<NodeId> {
    let mut replaced: Vec<(NodeId, NodeId)> = Vec::new();
    // Only inner loops are unfolded: an outer loop is made again from its unfolded inner loops.
    for id in store.descending(id).into_iter().rev() {
        let Node::Loop(value, closure, order, _) = *store.nodes.get(id) else {
            continue;
        };
        let body = store.nodes.body_of(closure).clone();
        if store.has_loop(value) || body.environment.iter().any(|&id| store.has_loop(id)) {
            continue;
        }
        let (rest, waits) = unfolded(store, value, &body, order)?;
        let (over, of_rest) = (store.over(id)?, store.over(rest)?);
        let of_round = store.linear(0, &[(1, of_rest), (1, waits)])?;
        replaced.extend([(id, rest), (over, of_round)]);
    }
    store.replaced(id, &replaced)
}

/// The canonical form of a state, which it shares with all states that differ only in the names of pools.
pub(in crate::engine) fn canonical_state(store: &mut Store<'_>, id: NodeId) -> Attempt<NodeId> {
    let mut id = closed_parts_solved(store, id, false)?;
    if let Some(apart) = with_decks_cut(store, id)? {
        id = apart;
    }
    let mut found: Vec<PoolId> = Vec::new();
    let mut seen: Map<NodeId, ()> = Map::default();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if store.nodes.mask(id) == 0 || seen.insert(id, ()).is_some() {
            continue;
        }
        let node = store.nodes.get(id);
        if let Some(pool) = store.nodes.pool_of(node)
            && !found.contains(&pool)
        {
            found.push(pool);
        }
        let first = open.len();
        store.nodes.for_children(node, |child| open.push(child));
        open[first..].reverse();
    }
    let mut decks: Map<PoolId, PoolId> = Map::default();
    let mut renamed: Vec<(PoolId, PoolId)> = Vec::with_capacity(found.len());
    for (index, pool) in found.into_iter().enumerate() {
        let name = match store.pools.known(pool).cloned() {
            Some(Pool {
                die,
                dice,
                drawing: Drawing::Shuffled(places),
            }) => {
                let deck = *decks
                    .entry(places.deck)
                    .or_insert_with(|| store.pools.canonical_deck(index, die, places.of));
                store.pools.places(die, Places { deck, ..places }, dice)
            }
            _ => store.pools.canonical(index, pool),
        };
        if name != pool {
            renamed.push((pool, name));
        }
    }
    if renamed.is_empty() {
        return Ok(id);
    }
    store.under(&mut Context::renaming(renamed), id)
}

/// The steps from a program with loops.
pub(in crate::engine) fn steps<M: Stepping>(
    store: &mut Store<'_>,
    id: NodeId,
    monoid: &M,
) -> Attempt<Steps<M::Key, NodeId>> {
    let mut pools = store.revealable(id);
    let one = Weight::from(1_u32);
    if let Some(condition) = condition_to_decide(store, id, EndlessParts::Dice)? {
        let pools = store.revealable(condition);
        if store.has_loop(condition) || pools.is_empty() {
            return Err(Stop::Unsupported(Reason::NeverEndsBehindCondition));
        }
        return revealed(store, id, &pools, monoid);
    }
    if pools.iter().any(|&pool| store.never_shows(pool)) {
        return Ok(Steps {
            total: one.clone(),
            never: one,
            transitions: Vec::new(),
        });
    }
    if !store.has_loop(id) {
        return revealed(store, id, &store.endless_pools(id), monoid);
    }
    let root = unfold(store, id)?;
    let (mentioned, beside) = (store.pools_of(root), pools_beside_loops(store, root));
    pools.retain(|&pool| {
        let die = store.pools.die_of(store.pools.get(pool).die);
        let can_wait = !die.beyond.is_empty() && !die.may_never_show();
        mentioned.contains(&pool) && (beside.contains(&pool) || !can_wait)
    });
    revealed(store, root, &pools, monoid)
}

/// The steps that reveal these pools of a program.
fn revealed<M: Stepping>(
    store: &mut Store<'_>,
    root: NodeId,
    pools: &[PoolId],
    monoid: &M,
) -> Attempt<Steps<M::Key, NodeId>> {
    let mut pools = pools.to_vec();
    add_unseen_places(store, root, &mut pools)?;
    let one = Weight::from(1_u32);
    let mut transitions = Vec::new();
    if pools.is_empty() {
        let (key, rest) = monoid.strip(store, root)?;
        let rest = canonical_state(store, rest)?;
        transitions.push((key, one.clone(), rest));
        return Ok(Steps {
            total: one,
            never: Weight::ZERO,
            transitions,
        });
    }
    let (graph, total) = graph(store, root, &pools, monoid)?;
    let reached = monoid.reached(&graph, &total, store.budget)?;
    for (reached, (_, leaf)) in reached.into_iter().zip(graph.leaves) {
        let Leaf::Node(leaf) = leaf else {
            return Err(Stop::Unsupported(Reason::LoopOverUnboundedDice));
        };
        let leaf = canonical_state(store, leaf)?;
        let (more, leaf) = monoid.strip(store, leaf)?;
        for (key, weight) in reached {
            transitions.push((monoid.combine(&key, &more), weight, leaf));
        }
    }
    // Unlisted values of a die have no leaf that is a node, so all weight that is missing never ends.
    let never = transitions
        .iter()
        .fold(total.clone(), |left, (_, weight, _)| left - weight);
    Ok(Steps {
        total,
        never,
        transitions,
    })
}

/// The pools of a program that its loops depend on, or that depend on other pools together with them. The others can be
/// left to the end.
fn pools_beside_loops(store: &mut Store<'_>, root: NodeId) -> Vec<PoolId> {
    let parts: Vec<NodeId> = match store.nodes.get(root) {
        Node::Linear(_, atoms) => atoms.iter().map(|&(_, atom)| atom).collect(),
        _ => vec![root],
    };
    let mut pools = Vec::new();
    for group in store.independent_groups(&parts) {
        if group.iter().any(|&index| store.has_loop(parts[index])) {
            for index in group {
                pools.extend_from_slice(&store.pools_of(parts[index]));
            }
        }
    }
    pools
}
