//! An operator on two independent numbers.
//!
//! Numbers that mention no common pool are independent, so `P(f(A, B) = c)` is the sum of `P(A = a)·P(B = b)` over
//! all pairs with `f(a, b) = c`. Cost: the product of the sizes of the two supports.

use super::arithmetic::combined;
use super::rule::ClosedForm;
use crate::algebra::{Known, Law, MeanBetween, Moments, Numbers};
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::stop::Attempt;
use crate::ir::Arithmetic;
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

pub(super) const RULE: ClosedForm = ClosedForm {
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
    // For a number that is not negative, rounding toward zero is rounding down.
    let rounds_down = match operator {
        Arithmetic::Divide => a.least().is_some_and(|least| !least.is_negative()),
        _ => operator == Arithmetic::FloorDivide,
    };
    let known = match b.complete().and_then(Numbers::only) {
        Some(by) if rounds_down && *by > Integer::ZERO && law.known().is_none() => {
            known_of_quotient(&a, by, store.budget)?
        }
        _ => None,
    };
    Ok(Some(law.knowing(known)))
}

/// What is known of the moments of `a div by`, rounded down, for a positive divisor: the mean is `(E[A] - E[A mod by])/by`. Where
/// the remainder has no known law, the listed part gives its share, and of the tail `(E[A] - (by - 1))/by <= E[A div by] <= E[A]/by`.
fn known_of_quotient(a: &Law, by: &Integer, budget: &Budget<'_>) -> Attempt<Option<Known>> {
    let Some(known) = a.known() else {
        return Ok(None);
    };
    let parts = Fraction::from_integer(by.to_big());
    let remainder = a.residues(by, budget)?;
    let remainder = remainder.as_ref().and_then(Law::complete).map(Moments::of);
    if let (Some(mean), Some(Some(remainder))) = (known.mean(), remainder.map(|all| all.first)) {
        let [low, high] = [mean.low, mean.high].map(|end| (end - &remainder) / &parts);
        return Ok(Some(MeanBetween::surely(low, high).into()));
    }
    let listed = Known::All(Moments::of(&a.listed));
    let Some(tail) = known.less(&listed).and_then(|tail| tail.mean()) else {
        return Ok(None);
    };
    let quotients = a.listed.map(|value| Ok(value.div_floor(by)), budget)?;
    let rest = (&parts - Fraction::from_integer(1.into())) * &tail.ends;
    let tail = Known::Mean(MeanBetween {
        ends: tail.ends,
        low: (tail.low - rest) / &parts,
        high: tail.high / parts,
    });
    let one = Fraction::from_integer(1.into());
    Ok(Known::All(Moments::of(&quotients)).plus_share(&tail, &one))
}
