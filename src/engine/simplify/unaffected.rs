//! Nodes that a step leaves unchanged, found from the form of a program. So most of a program is looked at once for
//! each level, and not once for every number of dice.
//!
//! - A filter's result does not change with dice that show a rejected face: `>n (v, R) = >n R` where not `v > n`. A
//!   node that looks at a pool through such filters only is the same for any number of dice that show the face
//!   ([`shown_until`]).
//! - While the hidden dice can show different faces, a filter keeps from none to all of them. Their number decides
//!   the result only as long as it is small: a count of them compares with 3 in either way from 3 dice on. A node
//!   that is unchanged for a certain number of dice is unchanged for more ([`stable`]).
//!
//! Both are found for pools of dice with listed faces, and for programs without maps and loops. Nothing is claimed
//! for others.

use crate::engine::program::{
    Compare, Drawing, Epoch, Node, NodeId, PoolId, ShownDice, Stable, Store,
};
use crate::engine::stop::Attempt;
use crate::ir::{Arithmetic, Folding, Selection};
use crate::stack;
use std::rc::Rc;

/// A number of dice that show a face, from which on the simplified form of a node is the same for more of them. 0 if it never
/// depends on their number.
///
/// The three highest members are the same whether three dice show the face or four, and whether any die shows it does not
/// depend on a second one.
pub(in crate::engine) fn shown_until(
    store: &mut Store<'_>,
    id: NodeId,
    shown: ShownDice,
) -> Attempt<u32> {
    if store.nodes.mask(id) & shown.pool.mask() == 0 {
        return Ok(0);
    }
    let always = Epoch::default();
    if let Some(stable) = store.memos.stable.get(always, id)
        && stable.is_blind_to(shown.value)
    {
        return Ok(0);
    }
    let level = store.context.level();
    match store.memos.shown_until.get(level, id) {
        Some(known) => Ok(known),
        None => new_shown_until(store, id, shown, level),
    }
}

/// [`shown_until`], not known yet at the level.
#[inline(never)]
fn new_shown_until(
    store: &mut Store<'_>,
    id: NodeId,
    shown: ShownDice,
    level: Epoch,
) -> Attempt<u32> {
    let until = stack::level(|| compute_shown_until(store, id, shown))?;
    let memo = &mut store.memos.shown_until;
    memo.set(level, id, until, store.budget)?;
    Ok(until)
}

fn compute_shown_until(store: &mut Store<'_>, id: NodeId, shown: ShownDice) -> Attempt<u32> {
    Ok(match *store.nodes.get(id) {
        Node::Draw(pool) | Node::Pool(pool) => {
            if pool == shown.pool {
                u32::MAX
            } else {
                0
            }
        }
        Node::Filter(compare, number, list) if is_filtered_pool(store, list) => {
            match store.as_constant(number) {
                Some(number) if !compare.holds(shown.value, number) => 0,
                Some(_) => shown_until(store, list, shown)?,
                None => u32::MAX,
            }
        }
        // No more copies of a face than are kept make a difference.
        Node::Select(selection, n, list) if is_keeping(selection) => {
            let kept = store.as_constant(n).map_or(u32::MAX, dice);
            let parts = match store.nodes.get(list) {
                Node::Join(parts) => parts.clone(),
                _ => Rc::from([list]),
            };
            let mut most = shown_until(store, n, shown)?;
            for &part in parts.iter() {
                let until = shown_until(store, part, shown)?;
                most = most.max(if is_filtered_pool(store, part) {
                    until.min(kept)
                } else {
                    until
                });
            }
            most
        }
        // The count of shown dice alone decides these.
        Node::AtLeast(form, number) if is_count_of_filter(store, form) => {
            shown_until(store, form, shown)?.min(dice(number))
        }
        Node::Equals(form, number) if is_count_of_filter(store, form) => {
            shown_until(store, form, shown)?.min(dice(number.saturating_add(1)))
        }
        // Nothing is claimed for these, even if their parts do not depend on it.
        Node::Map(..) | Node::Loop(..) | Node::Over(_) | Node::Dealt(_) => u32::MAX,
        Node::Linear(_, ref atoms) => {
            let atoms = Rc::clone(atoms);
            greatest_shown_until(store, atoms.iter().map(|&(_, atom)| atom), shown)?
        }
        Node::Join(ref parts) => {
            let parts = Rc::clone(parts);
            greatest_shown_until(store, parts.iter().copied(), shown)?
        }
        Node::AtLeast(child, _) | Node::Equals(child, _) | Node::Fold(_, child) => {
            shown_until(store, child, shown)?
        }
        ref node => {
            let mut children = Vec::new();
            store.nodes.for_children(node, |child| children.push(child));
            greatest_shown_until(store, children, shown)?
        }
    })
}

fn greatest_shown_until(
    store: &mut Store<'_>,
    ids: impl IntoIterator<Item = NodeId>,
    shown: ShownDice,
) -> Attempt<u32> {
    let mut most = 0;
    for id in ids {
        most = shown_until(store, id, shown)?.max(most);
        if most == u32::MAX {
            break;
        }
    }
    Ok(most)
}

/// A number of dice. A negative number is none, and a large one is all.
fn dice(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

/// When a node that simplification leaves unchanged stays unchanged. The node must mention no pool but that of the dice, which
/// must be able to show different faces.
///
/// By induction on the node: it is unchanged only if its children are unchanged and their bounds decide nothing. From the claimed
/// number of dice on, more dice do not change the outcome of any comparison of bounds that its constructor makes. A filter for one
/// face has the same bounds whatever the range of faces is, as long as that face and another one are in it.
pub(in crate::engine) fn stable(store: &mut Store<'_>, id: NodeId) -> Attempt<Stable> {
    if store.nodes.mask(id) == 0 {
        return Ok(Stable::ALWAYS);
    }
    // It is a matter of the form of the node alone, whatever is known of the dice.
    let always = Epoch::default();
    if let Some(known) = store.memos.stable.get(always, id) {
        return Ok(known);
    }
    let stable = stack::level(|| compute_stable(store, id))?;
    let memo = &mut store.memos.stable;
    memo.set(always, id, stable, store.budget)?;
    Ok(stable)
}

fn compute_stable(store: &mut Store<'_>, id: NodeId) -> Attempt<Stable> {
    Ok(match *store.nodes.get(id) {
        Node::Pool(pool) if is_plain(store, pool) => Stable::from_dice(1),
        Node::Filter(compare, number, list) if is_filtered_pool(store, id) => {
            match (store.as_constant(number), store.nodes.get(list)) {
                (Some(face), Node::Pool(_)) if compare == Compare::Equal => Stable::showing(face),
                _ => Stable::from_dice(1),
            }
        }
        // The list has more members than are selected.
        Node::Select(selection, n, list) if is_keeping(selection) => match store.as_constant(n) {
            Some(n) if is_filtered_pool(store, list) || is_kept(store, list) => {
                stable(store, list)?.at_least(n.saturating_add(1))
            }
            _ => Stable::NEVER,
        },
        Node::Fold(Folding::Count, list) if is_filter(store, list) => stable(store, list)?,
        Node::Fold(Folding::Sum, list) if is_filtered_pool(store, list) || is_kept(store, list) => {
            stable(store, list)?
        }
        Node::Linear(_, ref atoms) => {
            let atoms = Rc::clone(atoms);
            all_stable(store, atoms.iter().map(|&(_, atom)| atom))?
        }
        Node::Join(ref parts) => {
            let parts = Rc::clone(parts);
            all_stable(store, parts.iter().copied())?
        }
        Node::Copies(count, list) => all_stable(store, [count, list])?,
        Node::If(condition, a, b) => all_stable(store, [condition, a, b])?,
        // A count of a filter is in `0..=dice`.
        Node::AtLeast(form, number) if is_count_of_filter(store, form) => {
            stable(store, form)?.at_least(number.max(2))
        }
        Node::Equals(form, number) if is_count_of_filter(store, form) => {
            stable(store, form)?.at_least(number.saturating_add(1))
        }
        Node::AtLeast(form, _) | Node::Equals(form, _) if has_stable_bounds(store, form) => {
            stable(store, form)?
        }
        // A product with a factor that is 0 or 1 is a choice. A count of two dice or more is no such factor.
        Node::Arithmetic(Arithmetic::Multiply, a, b)
            if is_count_of_filter(store, a) && is_count_of_filter(store, b) =>
        {
            all_stable(store, [a, b])?.at_least(2)
        }
        _ => Stable::NEVER,
    })
}

fn all_stable(store: &mut Store<'_>, ids: impl IntoIterator<Item = NodeId>) -> Attempt<Stable> {
    let mut all = Stable::ALWAYS;
    for id in ids {
        all = all.and(stable(store, id)?);
    }
    Ok(all)
}

/// Whether the dice of a pool show listed faces only, and are no places of a shuffled deck.
fn is_plain(store: &Store<'_>, pool: PoolId) -> bool {
    let known = store.pools.get(pool);
    !matches!(known.drawing, Drawing::Shuffled(_))
        && store.pools.die_of(known.die).beyond.is_empty()
}

/// Whether a list is the hidden dice of a pool, filtered by known numbers any number of times.
fn is_filtered_pool(store: &Store<'_>, list: NodeId) -> bool {
    matches!(*store.nodes.get(list), Node::Pool(pool) if is_plain(store, pool))
        || is_filter(store, list)
}

fn is_filter(store: &Store<'_>, list: NodeId) -> bool {
    matches!(*store.nodes.get(list), Node::Filter(_, number, list)
        if store.as_constant(number).is_some() && is_filtered_pool(store, list))
}

fn is_count_of_filter(store: &Store<'_>, id: NodeId) -> bool {
    matches!(*store.nodes.get(id), Node::Fold(Folding::Count, list) if is_filter(store, list))
}

fn is_kept(store: &Store<'_>, list: NodeId) -> bool {
    matches!(*store.nodes.get(list), Node::Select(selection, ..) if is_keeping(selection))
}

/// Whether the bounds of a number are the same for any number of dice from [`stable`] on.
fn has_stable_bounds(store: &Store<'_>, id: NodeId) -> bool {
    match store.nodes.get(id) {
        Node::AtLeast(..) | Node::Equals(..) => true,
        Node::Fold(Folding::Sum, list) => is_kept(store, *list),
        Node::Linear(_, atoms) => atoms
            .iter()
            .all(|&(_, atom)| has_stable_bounds(store, atom)),
        _ => false,
    }
}

fn is_keeping(selection: Selection) -> bool {
    matches!(
        selection,
        Selection::High | Selection::Low | Selection::First | Selection::Last
    )
}
