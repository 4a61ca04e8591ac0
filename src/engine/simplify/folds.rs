//! Sums, counts and products of lists, in normal form.

use crate::engine::program::{Image, Node, NodeId, Store, narrow};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::ir::{Arithmetic, Folding, Selection};

pub(in crate::engine) fn fold(
    store: &mut Store<'_>,
    folding: Folding,
    list: NodeId,
) -> Attempt<NodeId> {
    if folding == Folding::Only {
        return store.number(list);
    }
    if store.is_number(list) {
        return Ok(if folding == Folding::Count {
            store.constant(1)
        } else {
            list
        });
    }
    let bounds = store.bounds(list)?;
    if folding == Folding::Count && bounds.least == bounds.most {
        return Ok(store.constant(bounds.least));
    }
    if let Node::Map(inner, closure) = *store.nodes.get(list)
        && let Some(rows) = store.rows_of(closure)
        && !are_folded(folding, &rows)
    {
        let folded = store.map_with(inner, &rows, |image| {
            Ok(neutral(folding, fold_members(folding, image)?))
        })?;
        return store.fold(fold_of_parts(folding), folded);
    }
    match store.nodes.get(list).clone() {
        Node::Dealt(pool) => {
            let cards = store.cards(pool)?;
            store.fold(folding, cards)
        }
        Node::Known(members) => fold_known(store, folding, &members),
        Node::Join(parts) | Node::Chain(parts) => {
            store.has_room_for::<(i64, NodeId)>(parts.len())?;
            let mut folded = Vec::with_capacity(parts.len());
            for &part in parts.iter() {
                store.step()?;
                folded.push(store.fold(folding, part)?);
            }
            if folding == Folding::Product {
                let one = store.constant(1);
                return folded.into_iter().try_fold(one, |product, part| {
                    store.arithmetic(Arithmetic::Multiply, product, part)
                });
            }
            let parts: Vec<_> = folded.into_iter().map(|part| (1, part)).collect();
            store.linear(0, &parts)
        }
        Node::Copies(count, member) => {
            let folded = store.fold(folding, member)?;
            let (operator, neutral) = match folding {
                Folding::Product => (Arithmetic::Power, 1),
                _ => (Arithmetic::Multiply, 0),
            };
            let all = store.arithmetic(operator, folded, count)?;
            if !store.may_never_show(folded) {
                return Ok(all);
            }
            // A list that may never end is evaluated only where there is a copy of it.
            let (some, none) = (store.at_least(count, 1)?, store.constant(neutral));
            store.choose(some, all, none)
        }
        Node::If(condition, a, b) => {
            let (a, b) = (store.fold(folding, a)?, store.fold(folding, b)?);
            store.choose(condition, a, b)
        }
        Node::Draws(count, ..) if folding == Folding::Count => Ok(count),
        Node::Select(selection, n, inner) if folding == Folding::Count => {
            let size = store.fold(folding, inner)?;
            match selection {
                Selection::First | Selection::High | Selection::Last | Selection::Low => {
                    store.extremum(Selection::Low, n, size)
                }
                _ => {
                    let (rest, zero) = (store.difference_of(size, n)?, store.constant(0));
                    store.extremum(Selection::High, rest, zero)
                }
            }
        }
        Node::Range(a, b) if folding == Folding::Count => {
            let (length, zero) = (store.linear(1, &[(1, b), (-1, a)])?, store.constant(0));
            store.extremum(Selection::High, length, zero)
        }
        _ => {
            let id = store.nodes.intern(Node::Fold(folding, list));
            let bounds = store.bounds(id)?;
            Ok(if bounds.low == bounds.high {
                store.constant(bounds.low)
            } else {
                id
            })
        }
    }
}

fn fold_known(store: &mut Store<'_>, folding: Folding, members: &[(i64, u32)]) -> Attempt<NodeId> {
    Ok(store.constant(fold_members(folding, members)?))
}

pub(in crate::engine) fn fold_members(folding: Folding, members: &[(i64, u32)]) -> Attempt<i64> {
    narrow(match folding {
        Folding::Product => {
            let one = Some(1_i128);
            let product = members.iter().fold(one, |product, &(member, count)| {
                product?.checked_mul(i128::from(member).checked_pow(count)?)
            });
            product.ok_or(Stop::Unsupported(Reason::LongIntegers))?
        }
        Folding::Count => members.iter().map(|&(_, count)| i128::from(count)).sum(),
        _ => members
            .iter()
            .map(|&(member, count)| i128::from(member) * i128::from(count))
            .sum(),
    })
}

/// The fold that makes the folds of all parts the fold of the whole: counts are summed.
pub(in crate::engine) fn fold_of_parts(folding: Folding) -> Folding {
    match folding {
        Folding::Count => Folding::Sum,
        folding => folding,
    }
}

/// A folded value as members. The neutral value becomes no member.
fn neutral(folding: Folding, value: i64) -> Vec<(i64, u32)> {
    if value == i64::from(folding == Folding::Product) {
        Vec::new()
    } else {
        vec![(value, 1)]
    }
}

/// Whether each row of a table is already a folded value.
fn are_folded(folding: Folding, rows: &[(i64, Image)]) -> bool {
    folding != Folding::Count
        && rows.iter().all(|(_, image)| match image[..] {
            [] => true,
            [(value, count)] => count == 1 && value != i64::from(folding == Folding::Product),
            _ => false,
        })
}
