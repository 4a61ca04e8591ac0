//! A node under a context: shown dice have their values, and known facts simplify the rest.
//!
//! A node is made again by its constructor from its simplified children. If no child changes, the node is in normal
//! form except for what its new bounds decide. So only these bounds are looked at, and most nodes cost no
//! constructor.

use crate::engine::program::{
    Bounds, Closure, ClosureId, Compare, Context, Epoch, Facet, Knowledge, Node, NodeId, PoolId,
    Store,
};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::simplify::unaffected::{shown_until, stable};
use crate::engine::stop::{Attempt, Stop};
use crate::ir::Arithmetic;
use crate::stack;
use std::rc::Rc;

pub(in crate::engine) fn under(
    store: &mut Store<'_>,
    context: &mut Context,
    id: NodeId,
) -> Attempt<NodeId> {
    store.within(context, |store| store.simplified(id))
}

pub(in crate::engine) fn simplified(store: &mut Store<'_>, id: NodeId) -> Attempt<NodeId> {
    if store.nodes.mask(id) & store.context.mask == 0 || is_known_unchanged(store, id) {
        return Ok(id);
    }
    let memo = memo_of_simplified(store, id)?;
    let known = match memo {
        SimplifiedIn::Epoch(epoch) => store.memos.simplified.get(epoch, id),
        SimplifiedIn::Facet(epoch) => store.memos.facets.get(&(epoch, id)).copied(),
        SimplifiedIn::WithoutDice => store.memos.without_dice.get(Epoch::default(), id),
    };
    match known {
        Some(known) => Ok(known),
        None => simplified_anew(store, id, memo),
    }
}

/// A node whose simplified form is not known yet. It is remembered.
#[inline(never)]
fn simplified_anew(store: &mut Store<'_>, id: NodeId, memo: SimplifiedIn) -> Attempt<NodeId> {
    let replaced = &store.context.replaced;
    let result = match replaced.binary_search_by_key(&id, |&(id, _)| id) {
        Ok(place) => replaced[place].1,
        Err(_) => stack::level(|| rebuild(store, id))?,
    };
    let memos = &mut store.memos;
    match memo {
        SimplifiedIn::Epoch(epoch) => memos.simplified.set(epoch, id, result, store.budget)?,
        SimplifiedIn::Facet(epoch) => {
            memos.facets.insert((epoch, id), result);
        }
        SimplifiedIn::WithoutDice => {
            let always = Epoch::default();
            memos.without_dice.set(always, id, result, store.budget)?;
        }
    }
    if result == id {
        note_unchanged(store, id)?;
    }
    store.charge_nodes()?;
    store.budget.check()?;
    Ok(result)
}

/// Where the simplified form of a node is remembered.
#[derive(Clone, Copy)]
enum SimplifiedIn {
    /// For contexts that are entered one after the other.
    Epoch(Epoch),
    /// For all contexts in which the only pool of the node hides as many dice.
    Facet(Epoch),
    /// For good: the node mentions one pool, which hides no die any more.
    WithoutDice,
}

fn memo_of_simplified(store: &mut Store<'_>, id: NodeId) -> Attempt<SimplifiedIn> {
    if let Knowledge::Hidden {
        level,
        shown,
        first,
    } = store.context.knowledge
    {
        return Ok(SimplifiedIn::Epoch(match shown_until(store, id, shown)? {
            0 => level,
            most => first.after(shown.dice.min(most)),
        }));
    }
    Ok(match (facet_of(store, id), &store.context.knowledge) {
        (Some(Facet { dice: Some(0), .. }), _) if has_one_pool(store, id) => {
            SimplifiedIn::WithoutDice
        }
        (Some(facet), Knowledge::Sizes { facets, .. }) if facets.len() > 1 => {
            SimplifiedIn::Facet(facet.epoch)
        }
        _ => SimplifiedIn::Epoch(store.context.epoch),
    })
}

/// What is known of the only pool of the context that a node mentions.
fn facet_of(store: &Store<'_>, id: NodeId) -> Option<Facet> {
    let mask = store.nodes.mask(id) & store.context.mask;
    store.context.facet(mask).copied()
}

/// Whether a node mentions one pool and no other. Once pools share bits of masks, nobody knows.
fn has_one_pool(store: &Store<'_>, id: NodeId) -> bool {
    store.nodes.mask(id).is_power_of_two() && !store.pools.share_bits()
}

/// Whether a node is unchanged for what its only pool hides, because it was so for fewer dice at this level or at an earlier
/// one.
fn is_known_unchanged(store: &Store<'_>, id: NodeId) -> bool {
    let (memos, context) = (&store.memos, &store.context);
    let always = Epoch::default();
    if let Some(from) = memos.unchanged_from.get(always, id) {
        let stable = memos.stable.get(always, id);
        let hidden = context.hidden_of(store.nodes.mask(id));
        return !matches!(context.knowledge, Knowledge::Alone)
            && has_one_pool(store, id)
            && stable
                .zip(hidden)
                .is_some_and(|(stable, hidden)| hidden.most >= from && stable.is_open(hidden));
    }
    let dice = facet_of(store, id).and_then(|facet| facet.dice);
    dice.is_some_and(|dice| {
        let from = memos.unchanged_from.get(context.level(), id);
        from.is_some_and(|from| dice >= from)
    })
}

/// Notes that a node is unchanged, if it is so for more dice as well.
fn note_unchanged(store: &mut Store<'_>, id: NodeId) -> Attempt<()> {
    let Some(Facet {
        dice: Some(dice), ..
    }) = facet_of(store, id)
    else {
        return Ok(());
    };
    let stable = stable(store, id)?;
    if dice >= stable.from_dice {
        let hidden = store.context.hidden_of(store.nodes.mask(id));
        let is_open = hidden.is_some_and(|hidden| stable.is_open(hidden));
        let epoch = if is_open && has_one_pool(store, id) {
            Epoch::default()
        } else {
            store.context.level()
        };
        let memo = &mut store.memos.unchanged_from;
        memo.set(epoch, id, stable.from_dice, store.budget)?;
    }
    Ok(())
}

/// The node made again by its constructor from its simplified children.
#[expect(clippy::too_many_lines, reason = "one arm a kind of node")]
fn rebuild(store: &mut Store<'_>, id: NodeId) -> Attempt<NodeId> {
    match *store.nodes.get(id) {
        Node::Constant(_) | Node::Known(_) => Ok(id),
        Node::Dealt(pool) => {
            let pool = store.context.name_of(pool);
            Ok(store.nodes.intern(Node::Dealt(pool)))
        }
        Node::Draw(pool) => draw(store, pool),
        Node::Pool(pool) => hidden_pool(store, pool),
        Node::Linear(constant, ref atoms) => {
            let atoms = Rc::clone(atoms);
            let mut stay = 0;
            let changed = loop {
                let Some(&(coefficient, atom)) = atoms.get(stay) else {
                    return Ok(id);
                };
                let part = store.simplified(atom)?;
                if part != atom || !is_open(store, part)? {
                    break (coefficient, part);
                }
                stay += 1;
            };
            if let [_] = *atoms {
                return store.linear(constant, &[changed]);
            }
            let mut parts = Vec::with_capacity(atoms.len());
            parts.extend_from_slice(&atoms[..stay]);
            parts.push(changed);
            for &(coefficient, atom) in &atoms[stay + 1..] {
                parts.push((coefficient, store.simplified(atom)?));
            }
            store.linear(constant, &parts)
        }
        Node::AtLeast(old, number) => {
            if hides_one_die_at_most(store, old) {
                let bounds = store.bounds(old)?;
                if number <= bounds.low || bounds.high < number {
                    return Ok(store.constant(i64::from(number <= bounds.low)));
                }
            }
            let form = store.simplified(old)?;
            let bounds = store.bounds(form)?;
            let is_open = bounds.low < number && number <= bounds.high;
            if form == old && is_open && (bounds.low, bounds.high) != (0, 1) {
                return Ok(id);
            }
            store.at_least(form, number)
        }
        Node::Equals(old, number) => {
            let form = store.simplified(old)?;
            let bounds = store.bounds(form)?;
            if form == old && bounds.low < number && number < bounds.high {
                return Ok(id);
            }
            store.equals(form, number)
        }
        Node::Arithmetic(operator, old_a, old_b) => {
            let (a, b) = (store.simplified(old_a)?, store.simplified(old_b)?);
            if (a, b) == (old_a, old_b) && is_open(store, id)? {
                let (left, right) = (store.bounds(a)?, store.bounds(b)?);
                let is_condition = |bounds: Bounds| bounds.low == 0 && bounds.high == 1;
                let chooses = is_condition(left) || is_condition(right);
                if operator != Arithmetic::Multiply || !chooses {
                    return Ok(id);
                }
            }
            store.arithmetic(operator, a, b)
        }
        Node::Fold(folding, old) => {
            let list = store.simplified(old)?;
            if list == old && is_open(store, id)? {
                return Ok(id);
            }
            store.fold(folding, list)
        }
        Node::If(old, a, b) => {
            let condition = store.simplified(old)?;
            match *store.nodes.get(condition) {
                Node::Constant(0) => store.simplified(b),
                Node::Constant(_) => store.simplified(a),
                _ => {
                    let parts = (condition, store.simplified(a)?, store.simplified(b)?);
                    if parts == (old, a, b) && is_open(store, condition)? {
                        return Ok(id);
                    }
                    store.choose(condition, parts.1, parts.2)
                }
            }
        }
        Node::Join(ref old) => {
            let old = Rc::clone(old);
            match all_simplified(store, &old)? {
                None => Ok(id),
                Some(parts) => store.join(&parts),
            }
        }
        Node::Chain(ref old) => {
            let old = Rc::clone(old);
            match all_simplified(store, &old)? {
                None => Ok(id),
                Some(parts) => store.chain(parts),
            }
        }
        Node::Copies(old_count, old) => {
            let (count, list) = (store.simplified(old_count)?, store.simplified(old)?);
            if (count, list) == (old_count, old) {
                return Ok(id);
            }
            store.copies(count, list)
        }
        Node::Filter(compare, old_number, old) => {
            let (number, list) = (store.simplified(old_number)?, store.simplified(old)?);
            if (number, list) == (old_number, old) {
                let (members, than) = (store.bounds(list)?, store.bounds(number)?);
                let is_known = compare == Compare::Equal && than.low == than.high;
                if members.most > 0 && !is_known && members.decides(compare, than).is_none() {
                    return Ok(id);
                }
            }
            store.filtered(compare, number, list)
        }
        Node::Select(selection, old_n, old) => {
            let (n, list) = (store.simplified(old_n)?, store.simplified(old)?);
            if (n, list) == (old_n, old) && is_lone(store, list) {
                let (wanted, members) = (store.bounds(n)?, store.bounds(list)?);
                if wanted.low == wanted.high && wanted.high < members.most {
                    return Ok(id);
                }
            }
            store.select(selection, n, list)
        }
        Node::Range(a, b) => {
            let (a, b) = (store.simplified(a)?, store.simplified(b)?);
            store.range(a, b)
        }
        Node::Draws(count, die, name) => {
            let count = store.simplified(count)?;
            store.draws(count, die, store.context.name_of(name))
        }
        Node::Die(sides, name) => {
            let sides = store.simplified(sides)?;
            store.die(sides, store.context.name_of(name))
        }
        Node::Map(list, closure) => {
            let list = store.simplified(list)?;
            let closure = closure_simplified(store, closure)?;
            store.map(list, closure)
        }
        Node::Loop(value, closure, order, name) => {
            let value = store.simplified(value)?;
            let closure = closure_simplified(store, closure)?;
            let name = store.context.name_of(name);
            store.looped(value, closure, order, name)
        }
        Node::Over(list) => {
            let list = store.simplified(list)?;
            store.over(list)
        }
    }
}

/// Whether what is left of the only pool of a number is one die at most. Then bounds decide most comparisons, so that the number
/// need not be made again.
fn hides_one_die_at_most(store: &Store<'_>, number: NodeId) -> bool {
    let dice = facet_of(store, number).and_then(|facet| facet.dice);
    dice.is_some_and(|dice| dice <= 1)
}

/// Whether the bounds of a number leave more than one value.
fn is_open(store: &mut Store<'_>, id: NodeId) -> Attempt<bool> {
    let bounds = store.bounds(id)?;
    Ok(bounds.low != bounds.high)
}

/// Whether a list is one hidden part. A selection from such a list compares no members: only their possible number
/// decides anything.
fn is_lone(store: &Store<'_>, list: NodeId) -> bool {
    matches!(
        store.nodes.get(list),
        Node::Pool(_) | Node::Filter(..) | Node::Select(..) | Node::Draws(..)
    )
}

fn closure_simplified(store: &mut Store<'_>, closure: ClosureId) -> Attempt<ClosureId> {
    let Closure::Body(mut body) = store.nodes.closure_of(closure).clone() else {
        return Ok(closure);
    };
    for value in &mut body.environment {
        *value = store.simplified(*value)?;
    }
    body.name = body.name.map(|name| store.context.name_of(name));
    Ok(store.nodes.closure(Closure::Body(body)))
}

/// All parts simplified. `None` if none changes.
fn all_simplified(store: &mut Store<'_>, parts: &[NodeId]) -> Attempt<Option<Vec<NodeId>>> {
    for (stay, &part) in parts.iter().enumerate() {
        let changed = store.simplified(part)?;
        if changed == part {
            continue;
        }
        let mut all = Vec::with_capacity(parts.len());
        all.extend_from_slice(&parts[..stay]);
        all.push(changed);
        for &part in &parts[stay + 1..] {
            all.push(store.simplified(part)?);
        }
        return Ok(Some(all));
    }
    Ok(None)
}

/// The only die of a pool, or its value if it is shown.
fn draw(store: &mut Store<'_>, pool: PoolId) -> Attempt<NodeId> {
    let pool = store.context.name_of(pool);
    let shown = store
        .context
        .shown
        .iter()
        .find(|shown| shown.pool == pool && shown.dice > 0);
    Ok(if let Some(shown) = shown {
        store.constant(shown.value)
    } else {
        let id = store.nodes.intern(Node::Draw(pool));
        let bounds = store.bounds(id)?;
        if bounds.low == bounds.high {
            store.constant(bounds.low)
        } else {
            id
        }
    })
}

/// The dice of a pool: known members for the dice that are shown, and the hidden dice.
fn hidden_pool(store: &mut Store<'_>, pool: PoolId) -> Attempt<NodeId> {
    let pool = store.context.name_of(pool);
    let shown = store
        .context
        .shown
        .iter()
        .find(|shown| shown.pool == pool)
        .copied();
    let hidden = store.nodes.intern(Node::Pool(pool));
    let bounds = store.bounds(hidden)?;
    let rest = if bounds.most == 0 {
        store.empty()
    } else if bounds.low == bounds.high && bounds.least == bounds.most {
        let dice =
            u32::try_from(bounds.most).map_err(|_| Stop::Unsupported(Reason::TooManyDice))?;
        store.known(&[(bounds.low, dice)])?
    } else {
        hidden
    };
    match shown {
        Some(shown) if shown.dice > 0 => {
            let known = store.known(&[(shown.value, shown.dice)])?;
            store.join(&[known, rest])
        }
        _ => Ok(rest),
    }
}

pub(in crate::engine) fn replaced(
    store: &mut Store<'_>,
    root: NodeId,
    replaced: &[(NodeId, NodeId)],
) -> Attempt<NodeId> {
    let mask = replaced
        .iter()
        .fold(0, |mask, &(id, _)| mask | store.nodes.mask(id));
    store.under(&mut Context::replacing(replaced, mask), root)
}
