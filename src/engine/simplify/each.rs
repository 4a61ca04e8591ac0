//! The part of a list, or of a sum, that each die of a pool has by itself.
//!
//! A list made from a pool by filters and tables has a part for each die. A sum or a count of such lists is
//! *additive*: it is the sum, over the dice, of the value that each die adds.

use crate::engine::program::{
    Beyond, Compare, Drawing, Members, Node, NodeId, PoolId, Store, plus, times,
};
use crate::engine::simplify::maps::mapped;
use crate::engine::stop::Attempt;
use crate::ir::Folding;

/// The pool of whose dice each has a part of the list by itself.
pub(in crate::engine) fn each_of(store: &Store<'_>, list: NodeId) -> Option<PoolId> {
    match *store.nodes.get(list) {
        Node::Pool(pool) => Some(pool),
        Node::Filter(_, number, inner) if store.as_constant(number).is_some() => {
            each_of(store, inner)
        }
        Node::Map(inner, closure) if store.rows_of(closure).is_some() => each_of(store, inner),
        _ => None,
    }
}

/// The part of such a list that belongs to a die with this face.
pub(in crate::engine) fn members_for(
    store: &Store<'_>,
    list: NodeId,
    face: i64,
) -> Attempt<Members> {
    Ok(match *store.nodes.get(list) {
        Node::Filter(compare, number, inner) => {
            let number = store
                .as_constant(number)
                .expect("a filter of single dice compares with a known number");
            let mut members = members_for(store, inner, face)?;
            members.retain(|&(member, _)| compare.holds(member, number));
            members
        }
        Node::Map(inner, closure) => {
            let members = members_for(store, inner, face)?;
            mapped(store.nodes.closure_of(closure), &members, store.budget)?
        }
        _ => vec![(face, 1)],
    })
}

/// The only pool that a number mentions, and its number of dice, if these are several independent dice.
pub(in crate::engine) fn only_pool(store: &mut Store<'_>, id: NodeId) -> Option<(PoolId, u32)> {
    let pools = store.pools_of(id);
    let [pool] = *pools else { return None };
    let known = store.pools.known(pool)?;
    (known.drawing == Drawing::Independent && known.dice > 1).then_some((pool, known.dice))
}

/// Whether a number is additive over a pool: a sum or count of filters by known numbers, or a linear form of these
/// without a constant.
pub(in crate::engine) fn is_additive(store: &Store<'_>, id: NodeId, pool: PoolId) -> bool {
    match store.nodes.get(id) {
        Node::Linear(0, atoms) => atoms
            .iter()
            .all(|&(_, atom)| is_additive(store, atom, pool)),
        Node::Fold(Folding::Sum | Folding::Count, list) => each_of(store, *list) == Some(pool),
        _ => false,
    }
}

/// The number that a die with this face adds to an additive number.
pub(in crate::engine) fn value_of(store: &Store<'_>, id: NodeId, face: i64) -> Option<i64> {
    match store.nodes.get(id) {
        Node::Linear(_, atoms) => atoms.iter().try_fold(0_i64, |sum, &(coefficient, atom)| {
            sum.checked_add(coefficient.checked_mul(value_of(store, atom, face)?)?)
        }),
        Node::Fold(folding, list) => {
            let members = members_for(store, *list, face).ok()?;
            members.iter().try_fold(0_i64, |sum, &(member, count)| {
                let value = if *folding == Folding::Count {
                    1
                } else {
                    member
                };
                sum.checked_add(value.checked_mul(count.into())?)
            })
        }
        _ => None,
    }
}

/// The number that one die adds as a line `slope·face + constant`, given that it shows an unlisted value between two
/// ends. `None` where the ends do not decide a filter.
pub(in crate::engine) fn line_between(
    store: &Store<'_>,
    id: NodeId,
    beyond: &Beyond,
) -> Attempt<Option<(i64, i64)>> {
    Ok(match store.nodes.get(id) {
        Node::Linear(_, atoms) => {
            let mut line = (0, 0);
            for &(coefficient, atom) in atoms.iter() {
                let Some((slope, constant)) = line_between(store, atom, beyond)? else {
                    return Ok(None);
                };
                line.0 = plus(line.0, times(coefficient, slope)?)?;
                line.1 = plus(line.1, times(coefficient, constant)?)?;
            }
            Some(line)
        }
        Node::Fold(folding, list) => {
            let passes = passes_between(store, *list, beyond);
            passes.and_then(|passes| match (passes, *folding) {
                (false, _) => Some((0, 0)),
                (true, Folding::Count) => Some((0, 1)),
                (true, Folding::Sum) => Some((1, 0)),
                (true, _) => None,
            })
        }
        _ => None,
    })
}

/// Bounds of the number that one die adds, given that it shows an unlisted value between two ends. `None` where the
/// ends do not decide a filter.
pub(in crate::engine) fn value_between(
    store: &Store<'_>,
    id: NodeId,
    beyond: &Beyond,
) -> Attempt<Option<(i64, i64)>> {
    Ok(match store.nodes.get(id) {
        Node::Linear(_, atoms) => {
            let mut sum = (0, 0);
            for &(coefficient, atom) in atoms.iter() {
                let Some((low, high)) = value_between(store, atom, beyond)? else {
                    return Ok(None);
                };
                let ends = (times(coefficient, low)?, times(coefficient, high)?);
                sum.0 = plus(sum.0, ends.0.min(ends.1))?;
                sum.1 = plus(sum.1, ends.0.max(ends.1))?;
            }
            Some(sum)
        }
        Node::Fold(folding, list) => {
            let Some(passes) = passes_between(store, *list, beyond) else {
                return Ok(None);
            };
            Some(match (passes, *folding) {
                (false, _) => (0, 0),
                (true, Folding::Count) => (1, 1),
                (true, _) => (beyond.low, beyond.high),
            })
        }
        _ => None,
    })
}

/// `true` if all values between two ends pass the nested filters, `false` if none does, `None` if the ends do not
/// decide it.
fn passes_between(store: &Store<'_>, list: NodeId, beyond: &Beyond) -> Option<bool> {
    let (compare, number, list) = match *store.nodes.get(list) {
        Node::Filter(compare, number, list) => (compare, number, list),
        // A table has rows for listed faces only.
        Node::Map(..) => return None,
        _ => return Some(true),
    };
    let number = store.as_constant(number)?;
    let (above, below) = (beyond.low >= number, beyond.high < number);
    let apart = beyond.low > number || below;
    let holds = match compare {
        Compare::AtLeast => above.then_some(true).or(below.then_some(false)),
        Compare::Below => below.then_some(true).or(above.then_some(false)),
        Compare::Equal => apart.then_some(false),
        Compare::Unequal => apart.then_some(true),
    };
    match (holds, passes_between(store, list, beyond)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (holds, inner) => holds.and(inner),
    }
}
