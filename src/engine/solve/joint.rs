//! The distribution of a program whose parts depend on each other.
//!
//! Closed parts are solved first. Then conditions are decided that stand before a part that may never end, loops are
//! followed, and single dice that many nodes use are revealed one after the other. At last pools are revealed face by
//! face.

use crate::algebra::weight::probability;
use crate::algebra::{Known, Law, Mass, Remainder, Weight};
use crate::engine::program::{Context, Hidden, Node, NodeId, PoolId, ShownDice, Store, narrow};
use crate::engine::reason::Reason;
use crate::engine::reveal::{
    EndlessParts, Tails, add_unseen_places, closed_parts_solved, condition_to_decide,
    dice_in_tails, graph, with_decks_cut, with_single_dice_as_pools,
};
use crate::engine::rules::rewritten;
use crate::engine::simplify::Forms as _;
use crate::engine::solve::accumulate::{Accumulator, LawOf};
use crate::engine::solve::first_values::with_values_as_dice;
use crate::engine::stop::{Attempt, Stop};
use std::rc::Rc;

/// The distribution of a program whose parts depend on each other.
pub(in crate::engine) fn joint<A: Accumulator>(
    store: &mut Store<'_>,
    id: NodeId,
    accumulator: &A,
) -> Attempt<LawOf<A>> {
    let closed = closed_parts_solved(store, id, true)?;
    if closed != id {
        return Ok((*accumulator.law(store, closed)?).clone());
    }
    if let Some(apart) = with_decks_cut(store, id)? {
        return Ok((*accumulator.law(store, apart)?).clone());
    }
    if let Some(condition) = condition_to_decide(store, id, EndlessParts::DiceAndLoops)? {
        return conditioned_on_number(store, id, condition, accumulator);
    }
    // Conditions before what may never end are decided by now, so the program waits for each die that never shows anything.
    let mentioned = store.revealable(id);
    if mentioned.iter().any(|&pool| store.never_shows(pool)) {
        return Ok(Law::certain_to_never_end(store.budget)?);
    }
    if store.has_loop(id) {
        match without_ending_loops(store, id)? {
            None => return Ok(Law::certain_to_never_end(store.budget)?),
            Some(rest) if rest != id => return Ok((*accumulator.law(store, rest)?).clone()),
            Some(_) => {}
        }
        if let Some(simpler) = with_values_as_dice(store, id)? {
            return Ok((*accumulator.law(store, simpler)?).clone());
        }
        if let Some(pool) = die_of_several_loops(store, id) {
            return conditioned_on_die(store, id, pool, accumulator);
        }
        return accumulator.of_loops(store, id);
    }
    if let Some(rewritten) = rewritten(store, id)? {
        return Ok((*accumulator.law(store, rewritten)?).clone());
    }
    let mut pools: Vec<PoolId> = store.revealable(id);
    let pooled = with_single_dice_as_pools(store, id, &pools)?;
    if pooled != id {
        return Ok((*accumulator.law(store, pooled)?).clone());
    }
    if let Some(pool) = store.first_die_to_reveal(id) {
        return conditioned_on_die(store, id, pool, accumulator);
    }
    add_unseen_places(store, id, &mut pools)?;
    assert!(
        !pools.is_empty(),
        "a program that hides something has a pool to reveal"
    );
    reveal_by_faces(store, id, &pools, accumulator)
}

/// The program without waiting for loops that end with probability 1. `None` if the program waits for a loop that
/// never ends.
fn without_ending_loops(store: &mut Store<'_>, root: NodeId) -> Attempt<Option<NodeId>> {
    let mut over = store.descending(root);
    over.retain(|&id| id != root && matches!(store.nodes.get(id), Node::Over(_)));
    let mut replaced = Vec::new();
    for id in over {
        let law = store.law(id)?;
        if law.never_ends() == *law.total() {
            return Ok(None);
        }
        if law.never_ends() == Weight::ZERO && law.listed.mass() == *law.total() {
            replaced.push((id, store.constant(0)));
        }
    }
    if replaced.is_empty() {
        return Ok(Some(root));
    }
    store.replaced(root, &replaced).map(Some)
}

/// A die on which several loops depend, or several conditions before loops. Once it is known, each of these loops is a
/// part by itself. A die that a body uses comes first: without it, no round is known.
fn die_of_several_loops(store: &mut Store<'_>, id: NodeId) -> Option<PoolId> {
    let order = store.descending(id);
    let is_loop = |&id: &NodeId| matches!(store.nodes.get(id), Node::Loop(..));
    let loops: Vec<NodeId> = order.iter().copied().filter(is_loop).collect();
    let used = loops.iter().flat_map(|&id| match *store.nodes.get(id) {
        Node::Loop(_, closure, ..) => store.nodes.body_of(closure).environment.to_vec(),
        _ => Vec::new(),
    });
    let die = |value: NodeId| match *store.nodes.get(value) {
        Node::Draw(pool) => Some(pool),
        _ => None,
    };
    let used: Vec<PoolId> = used.filter_map(die).collect();
    let first = store.first_die_to_reveal(id);
    let found = used.into_iter().chain(first).find(|pool| {
        let mut depend = loops
            .iter()
            .filter(|&&id| store.pools_of(id).contains(pool));
        depend.nth(1).is_some()
    });
    if found.is_some() {
        return found;
    }
    let first = first?;
    let mut choices = order.into_iter().filter(|&id| match *store.nodes.get(id) {
        Node::If(condition, ..) | Node::Copies(condition, _) => {
            store.has_loop(id) && store.pools_of(condition)[..] == [first]
        }
        _ => false,
    });
    choices.nth(1).map(|_| first)
}

/// The distribution of a program as a mixture over the values of the only die of a pool.
pub(in crate::engine) fn conditioned_on_die<A: Accumulator>(
    store: &mut Store<'_>,
    id: NodeId,
    pool: PoolId,
    accumulator: &A,
) -> Attempt<LawOf<A>> {
    let _part = store
        .budget
        .part("one die revealed, and the rest for each of its faces");
    let die = store.pools.die_of(store.pools.get(pool).die);
    let (faces, beyond) = (Rc::clone(&die.faces), Rc::clone(&die.beyond));
    let mut remainder = Remainder {
        never_ends: die.law.never_ends(),
        leaves_rare_open: true,
        ..Remainder::nothing(die.law.total().clone())
    };
    // What is known of the moments of the masses.
    let mut known = Some(Known::nothing());
    let mut parts = Vec::with_capacity(faces.len());
    for &(value, ref weight) in &*faces {
        store.budget.count_states(1)?;
        let shown = ShownDice {
            pool,
            value,
            dice: 1,
        };
        let rest = store.under(&mut Context::new(Vec::new(), vec![shown]), id)?;
        parts.push((weight.clone(), accumulator.law(store, rest)?));
    }
    for part in &*beyond {
        let hidden = Hidden {
            low: part.low,
            high: part.high,
            least: 1,
            most: 1,
        };
        let mut context = Context::new(vec![(pool, hidden)], Vec::new());
        let rest = store.under(&mut context, id)?;
        if store.pools_of(rest).contains(&pool) {
            // A program that waits for another die that may never show anything has no bounds.
            if store.may_never_show_except(rest, &[pool]) {
                known = None;
                remainder.masses.push(Mass::anywhere(part.weight.clone()));
                continue;
            }
            let bounds = store.within(&mut context, |store| store.bounds(rest))?;
            remainder.masses.push(bounds.mass(part.weight.clone()));
            if store.is_number(rest) {
                let dice = dice_in_tails(store, [pool]);
                let tail = Tails::new(&dice, &mut context).known(store, rest)?;
                let share = probability(&part.weight, &remainder.total);
                known = known
                    .zip(tail)
                    .and_then(|(sum, tail)| sum.plus_share(&tail, &share));
            }
        } else {
            parts.push((part.weight.clone(), accumulator.law(store, rest)?));
        }
    }
    remainder.moments = known;
    Ok(Law::mixture(&parts, remainder, store.budget)?)
}

/// The distribution of a program as a mixture over the values of a number on which it depends.
pub(in crate::engine) fn conditioned_on_number<A: Accumulator>(
    store: &mut Store<'_>,
    root: NodeId,
    number: NodeId,
    accumulator: &A,
) -> Attempt<LawOf<A>> {
    let unsupported = Stop::Unsupported(Reason::NeverEndsBehindCondition);
    let pools = store.pools_of(number);
    let law = store.law(number)?;
    let mut parts = Vec::with_capacity(law.listed.len());
    for (value, weight) in law.listed.iter() {
        store.budget.count_states(1)?;
        let value = value
            .to_i64()
            .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
        let value = store.constant(narrow(value.into())?);
        let rest = store.replaced(root, &[(number, value)])?;
        if store
            .pools_of(rest)
            .iter()
            .any(|pool| pools.binary_search(pool).is_ok())
        {
            // The program looks at the dice of the number elsewhere, too. A single die of them can be revealed for
            // all.
            let pool = store.first_die_to_reveal(number).filter(|&pool| {
                !store
                    .pools
                    .die_of(store.pools.get(pool).die)
                    .may_never_show()
            });
            let pool = pool.ok_or(unsupported)?;
            return conditioned_on_die(store, root, pool, accumulator);
        }
        parts.push((weight, accumulator.law(store, rest)?));
    }
    let _part = store.budget.part("a condition before what may never end");
    let never_ends = law.never_ends();
    let unknown = law.total() - law.listed.mass() - &never_ends;
    let remainder = Remainder {
        masses: vec![Mass::anywhere(unknown)],
        never_ends,
        ..Remainder::nothing(law.total().clone())
    };
    Ok(Law::mixture(&parts, remainder, store.budget)?)
}

/// The distribution of a program by revealing these pools face by face. The program mentions no others.
pub(in crate::engine) fn reveal_by_faces<A: Accumulator>(
    store: &mut Store<'_>,
    root: NodeId,
    pools: &[PoolId],
    accumulator: &A,
) -> Attempt<LawOf<A>> {
    let _part = store.budget.part("pools revealed face by face");
    let (graph, total) = graph(store, root, pools, accumulator)?;
    let law = accumulator.weigh(store, &graph, total)?;
    // All other unlisted weight lies between bounds.
    Ok(if may_never_end(store, pools) {
        law.missing_never_ends()
    } else {
        law
    })
}

/// Whether a die of these pools may never show anything.
fn may_never_end(store: &Store<'_>, pools: &[PoolId]) -> bool {
    pools.iter().any(|&pool| {
        let die = store.pools.die_of(store.pools.get(pool).die);
        die.law.never_ends() != Weight::ZERO
    })
}
