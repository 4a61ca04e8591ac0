//! Products.
//!
//! The product of a pool is a power of one die in the multiplicative monoid. Cost: a multiplication of distributions for
//! each bit of the number of dice, over the distinct products.

use std::rc::Rc;

use super::arithmetic::combined;
use super::rule::ClosedForm;
use crate::algebra::{self, Law, Numbers};
use crate::engine::program::{Drawing, Node, NodeId, Store};
use crate::engine::simplify::{Forms as _, each_of, members_for};
use crate::engine::stop::{Attempt, Stop};
use crate::ir::{Arithmetic, Folding};
use crate::number::{Integer, Overflow};

pub(super) const RULE: ClosedForm = ClosedForm {
    name: "a power in the multiplicative monoid",
    law: product,
};

fn product(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    match *store.nodes.get(id) {
        Node::Fold(Folding::Product, list) => product_of_pool(store, list),
        _ => Ok(None),
    }
}

/// The product of a list to which each die of a pool contributes by itself.
fn product_of_pool(store: &mut Store<'_>, list: NodeId) -> Attempt<Option<Law>> {
    let Some(pool) = each_of(store, list) else {
        return Ok(None);
    };
    let known = store.pools.get(pool).clone();
    let die = Rc::clone(&store.pools.die_of(known.die).law);
    if known.drawing != Drawing::Independent || die.unlisted.is_some() {
        return Ok(None);
    }
    let _part = RULE.applies(store.budget);
    let value = die.listed.map(
        |face| {
            let members = members_for(store, list, face.to_i64().ok_or(Overflow)?);
            let members = members.map_err(|stop| match stop {
                Stop::Limit(reached) => reached.into(),
                Stop::Unsupported(_) => algebra::Stop::Overflow,
            })?;
            let mut product = Integer::ONE;
            for (member, count) in members {
                product = product.mul(&Integer::from(member).pow(count.into())?)?;
            }
            Ok(Some(product))
        },
        store.budget,
    )?;
    let product = value.product_power(known.dice.into(), store.budget)?;
    Ok(Some(product.into()))
}

/// The product of a list of independent dice and known members. It may be longer than the integers of residual
/// programs.
pub(in crate::engine) fn long_product(store: &mut Store<'_>, list: NodeId) -> Attempt<Option<Law>> {
    let parts = match store.nodes.get(list) {
        Node::Join(parts) | Node::Chain(parts) => parts.to_vec(),
        _ => vec![list],
    };
    if !store.are_independent(&parts) {
        return Ok(None);
    }
    let mut product = Law::from(Numbers::certain(Integer::ONE));
    for part in parts {
        let factor = if let Some(members) = store.known_members(part) {
            let mut factor = Integer::ONE;
            for &(member, count) in &*members {
                factor = factor.mul(&Integer::from(member).pow(count.into())?)?;
            }
            Numbers::certain(factor).into()
        } else if store.is_number(part) {
            let number = store.number(part)?;
            (*store.law(number)?).clone()
        } else {
            match product_of_pool(store, part)? {
                Some(law) => law,
                None => return Ok(None),
            }
        };
        product = combined(Arithmetic::Multiply, &product, &factor, store.budget)?;
    }
    Ok(product.unlisted.is_none().then_some(product))
}
