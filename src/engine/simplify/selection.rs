//! Selections by rank in normal form: the highest or lowest members of a list.

use crate::engine::program::{Bounds, Members, Node, NodeId, Store, merged, size_of};
use crate::engine::simplify::forms::Forms as _;
use crate::engine::simplify::positions::{raw_select, select_by_position, select_in_order};
use crate::engine::stop::Attempt;
use crate::ir::{Folding, Selection};

pub(in crate::engine) fn select(
    store: &mut Store<'_>,
    selection: Selection,
    n: NodeId,
    list: NodeId,
) -> Attempt<NodeId> {
    let (bounds, number) = (store.bounds(list)?, store.bounds(n)?);
    let keeps = matches!(
        selection,
        Selection::First | Selection::High | Selection::Last | Selection::Low
    );
    if bounds.most == 0 || (keeps && number.low >= bounds.most) || (!keeps && number.high == 0) {
        return Ok(list);
    }
    if (keeps && number.high == 0) || (!keeps && number.low >= bounds.most) {
        return Ok(store.empty());
    }
    if let Node::If(condition, a, b) = *store.nodes.get(list) {
        let (a, b) = (
            store.select(selection, n, a)?,
            store.select(selection, n, b)?,
        );
        return store.choose(condition, a, b);
    }
    // All members are equal, so that only their number matters.
    if bounds.low == bounds.high && matches!(store.nodes.get(list), Node::Join(_)) {
        let (count, member) = (
            store.fold(Folding::Count, list)?,
            store.constant(bounds.low),
        );
        let list = store.copies(count, member)?;
        return store.select(selection, n, list);
    }
    if let Node::Copies(count, member) = *store.nodes.get(list)
        && store.is_number(member)
    {
        let kept = if keeps {
            store.extremum(Selection::Low, n, count)?
        } else {
            let (rest, zero) = (store.difference_of(count, n)?, store.constant(0));
            store.extremum(Selection::High, rest, zero)?
        };
        return store.copies(kept, member);
    }
    let Some(n) = store.as_constant(n) else {
        return Ok(store.nodes.intern(Node::Select(selection, n, list)));
    };
    if let Node::Map(inner, closure) = *store.nodes.get(list)
        && matches!(selection, Selection::High | Selection::Low)
        && let Some(rows) = store.rows_of(closure)
        && rows.iter().any(|(_, image)| size_of(image) > n)
    {
        // A member that is not among the n best of its own row is not among the n best of all.
        let cut = store.map_with(inner, &rows, |image| Ok(best_of(image, selection, n)))?;
        let n = store.constant(n);
        return store.select(selection, n, cut);
    }
    if let Some(apart) = select_from_parts_apart(store, selection, n, list)? {
        return Ok(apart);
    }
    match selection {
        Selection::High | Selection::Low | Selection::DropHigh | Selection::DropLow
            if matches!(store.nodes.get(list), Node::Chain(_) | Node::Dealt(_)) =>
        {
            select_in_order(store, selection, n, list)
        }
        Selection::High => keep(store, n, list, false),
        Selection::Low => keep(store, n, list, true),
        Selection::DropHigh => drop_ranked(store, n, list, false),
        Selection::DropLow => drop_ranked(store, n, list, true),
        Selection::First | Selection::Last | Selection::DropFirst | Selection::DropLast => {
            select_by_position(store, selection, n, list)
        }
    }
}

/// The `n` greatest (or, `reversed`, least) members of a multiset, for n more than 0 and less than its largest size.
///
/// With K the known members and R the rest, where "above" means ranked first:
///
/// - `high n (high m A, B) = high n (A, B)` for m >= n;
/// - a known member above every possible member of R is surely taken: `v, high (n-1) rest`;
/// - a known member below every possible member of R is never taken if R surely has n members above it;
/// - if R surely has r < n members, all above K: `R, high (n-r) K`;
/// - `high 1`: a part is dropped if it cannot exceed another part that surely has a member, or never exceeds another part.
fn keep(store: &mut Store<'_>, n: i64, list: NodeId, reversed: bool) -> Attempt<NodeId> {
    let selection = if reversed {
        Selection::Low
    } else {
        Selection::High
    };
    if let Node::Pool(_) | Node::Filter(..) | Node::Draws(..) = store.nodes.get(list) {
        return Ok(raw_select(store, selection, n, list));
    }
    let (mut known, hidden) = known_and_hidden(
        store,
        list,
        |node| match *node {
            Node::Select(inner, m, list) if inner == selection => Some((m, list)),
            _ => None,
        },
        n,
    )?;
    if reversed {
        known.reverse();
    }
    // From here on the last known member ranks first. `above(a, b)`: a ranks before b, or is equal.
    let above = |a: i64, b: i64| if reversed { a <= b } else { a >= b };
    let mut wanted = n;
    let mut taken = Members::new();
    let mut rest = Bounds::EMPTY;
    let mut parts = Vec::with_capacity(hidden.len());
    for &part in &hidden {
        let bounds = store.bounds(part)?;
        parts.push((part, bounds));
        rest = rest.join(bounds);
    }
    let (best, worst) = if reversed {
        (rest.low, rest.high)
    } else {
        (rest.high, rest.low)
    };
    while let Some(&(value, count)) = known.last() {
        if wanted == 0 || (!parts.is_empty() && !above(value, best)) {
            break;
        }
        let times = wanted.min(count.into());
        taken.push((value, u32::try_from(times).expect("at most a count")));
        wanted -= times;
        if times < i64::from(count) {
            break;
        }
        known.pop();
    }
    if wanted == 0 || parts.is_empty() {
        return with_known(store, taken, None);
    }
    // The known members that can still be taken: the first `wanted`, less the members of R that surely outrank them.
    let mut room = wanted;
    let mut candidates = Members::with_capacity(known.len());
    for &(value, count) in known.iter().rev() {
        let outranked = above(worst, value);
        let room_here = if outranked {
            room.min((room - rest.least).max(0))
        } else {
            room
        };
        let times = room_here.min(count.into());
        if times > 0 {
            candidates.push((value, u32::try_from(times).expect("at most a count")));
        }
        room -= times;
        if room <= 0 || outranked && times < i64::from(count) {
            break;
        }
    }
    let all_outranked = candidates
        .first()
        .is_none_or(|&(value, _)| above(worst, value));
    if all_outranked && rest.least == rest.most && rest.most <= wanted {
        taken.append(&mut candidates);
        let rest = store.join(&hidden)?;
        return with_known(store, taken, Some(rest));
    }
    if wanted == 1 {
        drop_beaten(&mut parts, &mut candidates, reversed);
    }
    let mut remaining: Vec<NodeId> = parts.into_iter().map(|(part, _)| part).collect();
    if !candidates.is_empty() {
        let candidates = store.known(&merged(candidates, store.budget)?)?;
        remaining.push(candidates);
    }
    let remaining = store.join(&remaining)?;
    let bounds = store.bounds(remaining)?;
    let kept = if bounds.most <= wanted {
        remaining
    } else if is_plain_rank(store, remaining) {
        raw_select(store, selection, wanted, remaining)
    } else {
        let wanted = store.constant(wanted);
        store.select(selection, wanted, remaining)?
    };
    with_known(store, taken, Some(kept))
}

/// A selection by rank from a multiset of which some parts, F, rank before all others, R. `None` for other multisets.
///
/// - If F surely has `n` members, they are selected from F alone: `high n (F, R) = high n F`, and a selection that drops leaves R whole.
/// - If F surely has `r` members, and r is at most n, F is taken or dropped whole, and `n - r` members are selected from R.
fn select_from_parts_apart(
    store: &mut Store<'_>,
    selection: Selection,
    n: i64,
    list: NodeId,
) -> Attempt<Option<NodeId>> {
    let (keeps, reversed) = match selection {
        Selection::High => (true, false),
        Selection::Low => (true, true),
        Selection::DropHigh => (false, false),
        Selection::DropLow => (false, true),
        _ => return Ok(None),
    };
    let Node::Join(parts) = store.nodes.get(list) else {
        return Ok(None);
    };
    let is_hidden =
        |part: &&NodeId| !matches!(store.nodes.get(**part), Node::Constant(_) | Node::Known(_));
    if parts.iter().filter(is_hidden).take(2).count() < 2 {
        return Ok(None);
    }
    let parts = parts.clone();
    let mut ranked = Vec::with_capacity(parts.len());
    for &part in &*parts {
        ranked.push((part, store.bounds(part)?));
    }
    if reversed {
        ranked.sort_by_key(|(_, bounds)| bounds.low);
    } else {
        ranked.sort_by_key(|(_, bounds)| std::cmp::Reverse(bounds.high));
    }
    let mut front = Bounds::EMPTY;
    for place in 1..ranked.len() {
        front = front.join(ranked[place - 1].1);
        let next = ranked[place].1;
        let is_apart = if reversed {
            front.high <= next.low
        } else {
            front.low >= next.high
        };
        let (is_whole, is_enough) = (front.least == front.most, front.least >= n);
        if !is_apart || !is_whole && !is_enough {
            continue;
        }
        let [front_parts, rest] = [&ranked[..place], &ranked[place..]]
            .map(|parts| parts.iter().map(|&(part, _)| part).collect::<Vec<_>>());
        let [front_list, rest] = [store.join(&front_parts)?, store.join(&rest)?];
        let from = if is_enough { front_list } else { rest };
        let wanted = store.constant(if is_enough { n } else { n - front.least });
        let selected = store.select(selection, wanted, from)?;
        return Ok(Some(match (is_enough, keeps) {
            (true, true) | (false, false) => selected,
            (true, false) => store.join(&[selected, rest])?,
            (false, true) => store.join(&[front_list, selected])?,
        }));
    }
    Ok(None)
}

/// Whether a list has no form that [`Store::select`] rewrites before it ranks members.
fn is_plain_rank(store: &Store<'_>, list: NodeId) -> bool {
    match store.nodes.get(list) {
        // A whole deck of which no order is asked is known.
        Node::If(..) | Node::Known(_) => false,
        Node::Copies(_, member) => !store.is_number(*member),
        _ => true,
    }
}

fn with_known(store: &mut Store<'_>, members: Members, rest: Option<NodeId>) -> Attempt<NodeId> {
    if members.is_empty()
        && let Some(rest) = rest
    {
        return Ok(rest);
    }
    let known = store.known(&merged(members, store.budget)?)?;
    match rest {
        Some(rest) => store.join(&[known, rest]),
        None => Ok(known),
    }
}

/// The known members of a multiset in ascending order, and its other parts. An inner selection of at least `n`
/// members is replaced by its list.
fn known_and_hidden(
    store: &mut Store<'_>,
    list: NodeId,
    inner: impl Fn(&Node) -> Option<(NodeId, NodeId)>,
    n: i64,
) -> Attempt<(Members, Vec<NodeId>)> {
    let parts = match store.nodes.get(list) {
        Node::Join(parts) | Node::Chain(parts) => parts.len(),
        _ => 1,
    };
    store.has_room_for::<NodeId>(2 * parts)?;
    let mut hidden = Vec::with_capacity(parts);
    let mut known = Members::new();
    let mut open = Vec::with_capacity(parts + 1);
    open.push(list);
    while let Some(part) = open.pop() {
        match store.nodes.get(part) {
            Node::Constant(value) => known.push((*value, 1)),
            Node::Known(members) => {
                store.budget.has_room_for_more(&known, members.len())?;
                known.extend_from_slice(members);
            }
            Node::Join(parts) | Node::Chain(parts) => {
                store.budget.has_room_for_more(&open, parts.len())?;
                open.extend_from_slice(parts);
            }
            node => match inner(node) {
                Some((m, list)) if store.as_constant(m).is_some_and(|m| m >= n) => {
                    open.push(list);
                }
                _ => hidden.push(part),
            },
        }
    }
    hidden.sort_unstable();
    Ok((merged(known, store.budget)?, hidden))
}

/// A multiset less its `n` greatest (or, `reversed`, least) members.
///
/// With K the known members and R the rest: a known member above every possible member of R is surely dropped. A
/// known member below all of R, with n members surely above it, is surely kept. If R surely has r <= n members, all
/// above K, then R and n-r members of K are dropped.
fn drop_ranked(store: &mut Store<'_>, n: i64, list: NodeId, reversed: bool) -> Attempt<NodeId> {
    let selection = if reversed {
        Selection::DropLow
    } else {
        Selection::DropHigh
    };
    let (mut known, hidden) = known_and_hidden(store, list, |_| None, n)?;
    if reversed {
        known.reverse();
    }
    let above = |a: i64, b: i64| if reversed { a <= b } else { a >= b };
    let mut rest = Bounds::EMPTY;
    for &part in &hidden {
        let bounds = store.bounds(part)?;
        rest = rest.join(bounds);
    }
    let (best, worst) = if reversed {
        (rest.low, rest.high)
    } else {
        (rest.high, rest.low)
    };
    let mut unwanted = n;
    let drop_from = |known: &mut Members, unwanted: &mut i64| {
        if let Some(last) = known.last_mut() {
            let times = (*unwanted).min(last.1.into());
            *unwanted -= times;
            last.1 -= u32::try_from(times).expect("at most a count");
            if last.1 == 0 {
                known.pop();
            }
        }
    };
    while unwanted > 0
        && known
            .last()
            .is_some_and(|&(value, _)| hidden.is_empty() || above(value, best))
    {
        drop_from(&mut known, &mut unwanted);
    }
    if unwanted == 0 || hidden.is_empty() {
        let known = store.known(&merged(known, store.budget)?)?;
        return {
            let mut kept = hidden;
            kept.push(known);
            store.join(&kept)
        };
    }
    let outranked = known.last().is_none_or(|&(value, _)| above(worst, value));
    if outranked && rest.least == rest.most && rest.most <= unwanted {
        unwanted -= rest.most;
        while unwanted > 0 && !known.is_empty() {
            drop_from(&mut known, &mut unwanted);
        }
        return Ok(store.known(&merged(known, store.budget)?)?);
    }
    let mut kept = Members::new();
    if rest.least >= unwanted {
        let surely_kept = known.iter().take_while(|&&(value, _)| above(worst, value));
        kept.extend(known.drain(..surely_kept.count()));
    }
    let mut remaining = hidden;
    let known = store.known(&merged(known, store.budget)?)?;
    remaining.push(known);
    let remaining = store.join(&remaining)?;
    let dropped = raw_select(store, selection, unwanted, remaining);
    with_known(store, kept, Some(dropped))
}

/// The `n` greatest or least of known members.
fn best_of(members: &[(i64, u32)], selection: Selection, n: i64) -> Members {
    let mut room = n;
    let mut best = |&(value, count): &(i64, u32)| {
        let times = room.min(count.into());
        room -= times;
        (times > 0).then(|| (value, u32::try_from(times).expect("at most a count")))
    };
    if selection == Selection::Low {
        members.iter().map_while(&mut best).collect()
    } else {
        let mut kept: Members = members.iter().rev().map_while(&mut best).collect();
        kept.reverse();
        kept
    }
}

/// For the best member: drops the parts that cannot beat another part that surely has a member.
fn drop_beaten(parts: &mut Vec<(NodeId, Bounds)>, known: &mut Members, reversed: bool) {
    let worst = |bounds: &Bounds| if reversed { bounds.high } else { bounds.low };
    let best = |bounds: &Bounds| if reversed { bounds.low } else { bounds.high };
    let above = |a: i64, b: i64| if reversed { a <= b } else { a >= b };
    let mut floor: Option<(i64, Option<NodeId>)> = known.first().map(|&(value, _)| (value, None));
    for (part, bounds) in parts.iter().filter(|(_, bounds)| bounds.least >= 1) {
        if floor.is_none_or(|(value, _)| worst(bounds) != value && above(worst(bounds), value)) {
            floor = Some((worst(bounds), Some(*part)));
        }
    }
    let Some((floor, holder)) = floor else { return };
    parts.retain(|(part, bounds)| Some(*part) == holder || !above(floor, best(bounds)));
    if holder.is_some() {
        known.retain(|&(value, _)| !above(floor, value));
    }
}
