//! An operator on two independent numbers.
//!
//! Numbers that mention no common pool are independent, so `P(f(A, B) = c)` is the sum of `P(A = a)·P(B = b)` over
//! all pairs with `f(a, b) = c`. Cost: the product of the sizes of the two supports.

use super::arithmetic::combined;
use super::rule::Rule;
use crate::algebra::Law;
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::stop::Attempt;

pub(super) const RULE: Rule = Rule {
    name: "independent numbers combined",
    law: independent,
};

fn independent(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let Node::Arithmetic(operator, a, b) = *store.nodes.get(id) else {
        return Ok(None);
    };
    if !store.are_independent(&[a, b]) {
        return Ok(None);
    }
    let _part = RULE.applies(store.budget);
    let (a, b) = (store.law(a)?, store.law(b)?);
    combined(operator, &a, &b, store.budget).map(Some)
}
