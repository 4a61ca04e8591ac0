//! An operator on two independent numbers.
//!
//! Numbers that mention no common pool are independent, so `P(f(A, B) = c)` is the sum of `P(A = a)·P(B = b)` over
//! all pairs with `f(a, b) = c`. Cost: the product of the sizes of the two supports.

use super::arithmetic::combined;
use super::rule::Rule;
use crate::algebra::{Known, Law, MeanBetween, Moments, Numbers};
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::stop::Attempt;
use crate::ir::Arithmetic;
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

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
    let law = combined(operator, &a, &b, store.budget)?;
    let known = match b.complete().and_then(Numbers::only) {
        Some(by) if operator == Arithmetic::Divide && law.known().is_none() => {
            known_of_quotient(&a, by, store.budget)?
        }
        _ => None,
    };
    Ok(Some(law.knowing(known)))
}

/// What is known of the moments of `a div by`. The listed part gives its share. Of the tail of a number that is not
/// negative, `(E[A] - (by - 1))/by <= E[A div by] <= E[A]/by`.
fn known_of_quotient(a: &Law, by: &Integer, budget: &Budget<'_>) -> Attempt<Option<Known>> {
    let is_positive = *by > Integer::ZERO && a.least().is_some_and(|least| !least.is_negative());
    let listed = Known::All(Moments::of(&a.listed));
    let tail = a.known().and_then(|known| known.less(&listed)?.mean());
    let Some(tail) = tail.filter(|_| is_positive) else {
        return Ok(None);
    };
    let quotients = a.listed.map(|value| Ok(value.div(by)), budget)?;
    let by = Fraction::from_integer(by.to_big());
    let rest = (&by - Fraction::from_integer(1.into())) * &tail.ends;
    let tail = Known::Mean(MeanBetween {
        ends: tail.ends,
        low: (tail.low - rest) / &by,
        high: tail.high / by,
    });
    let one = Fraction::from_integer(1.into());
    Ok(Known::All(Moments::of(&quotients)).plus_share(&tail, &one))
}
