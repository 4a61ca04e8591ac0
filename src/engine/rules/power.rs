//! A convolution power of the number that one die adds.
//!
//! A number that is a sum over the dice of a pool, to which each die contributes by itself (sums, counts of filters,
//! and their combinations), is distributed as the n-th convolution power of the number that one die adds: the map
//! from multisets to numbers is a homomorphism. Cost: that of one power ([`crate::algebra::Numbers`]).

use super::rule::ClosedForm;
use crate::algebra::weight::probability;
use crate::algebra::{Known, Law, Mass, Moments};
use crate::engine::program::{Bounds, DieId, Node, NodeId, Store};
use crate::engine::reveal::tail_of;
use crate::engine::simplify::{is_additive, line_between, only_pool, value_between, value_of};
use crate::engine::stop::Attempt;
use crate::ir::Folding;
use crate::number::Integer;

pub(super) const RULE: ClosedForm = ClosedForm {
    name: "a power of what one die adds",
    law: power,
};

fn power(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    // A multiple of one number is left to the rule of sums: more may be known of the number itself.
    if matches!(store.nodes.get(id), Node::Linear(_, atoms) if atoms.len() == 1) {
        return Ok(None);
    }
    let Some((pool, dice)) = only_pool(store, id) else {
        return Ok(None);
    };
    if !is_additive(store, id, pool) {
        return Ok(None);
    }
    let _part = RULE.applies(store.budget);
    let one = of_one_die(store, id, store.pools.get(pool).die)?;
    Ok(Some(one.power(dice, store.budget)?))
}

/// The law of the number that one die adds, and the number of dice, if a number is a sum over equal independent dice
/// and that law is completely listed.
pub(in crate::engine) fn one_of_equal_dice(
    store: &mut Store<'_>,
    id: NodeId,
) -> Attempt<Option<(Law, u32)>> {
    let Some((pool, dice)) = only_pool(store, id) else {
        return Ok(None);
    };
    if !is_additive(store, id, pool) {
        return Ok(None);
    }
    let one = of_one_die(store, id, store.pools.get(pool).die)?;
    Ok(one.unlisted.is_none().then_some((one, dice)))
}

/// The law of the number that one die of a pool adds to an additive number, in lowest terms.
fn of_one_die(store: &Store<'_>, id: NodeId, die: DieId) -> Attempt<Law> {
    let pool_die = die;
    let die = store.pools.die_of(die);
    if let Node::Fold(Folding::Sum, list) = store.nodes.get(id)
        && let Node::Pool(_) = store.nodes.get(*list)
    {
        return Ok((*die.law).clone().in_lowest_terms());
    }
    let listed = die.law.listed.map(
        |face| {
            Ok(face
                .to_i64()
                .and_then(|face| value_of(store, id, face))
                .map(Integer::from))
        },
        store.budget,
    )?;
    let mut known = Some(Known::All(Moments::of(&listed)));
    let mut masses = Vec::with_capacity(die.beyond.len());
    for beyond in &*die.beyond {
        known = match known.zip(tail_of(store, pool_die)) {
            None => None,
            Some((sum, tail)) => line_between(store, id, beyond)?.and_then(|(slope, constant)| {
                let added = tail.scaled(&slope.into()).shifted(&constant.into());
                sum.plus_share(&added, &probability(&beyond.weight, die.law.total()))
            }),
        };
        masses.push(match value_between(store, id, beyond)? {
            Some((low, high)) => Bounds::number(low, high).mass(beyond.weight.clone()),
            None => Mass::anywhere(beyond.weight.clone()),
        });
    }
    let never_ends = die.law.never_ends();
    let law = Law::collected(listed, masses, never_ends, store.budget)?;
    Ok(law.knowing(known).in_lowest_terms())
}
