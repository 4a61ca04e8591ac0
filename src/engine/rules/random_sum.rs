//! The sum of a random number of draws.
//!
//! With N independent of the draws, the sum of N draws has the generating function `G_N(G_X(z))` (W. Feller, An
//! Introduction to Probability Theory and Its Applications, volume 1, XII.1): a mixture of powers of one draw.
//! Cost: that of the highest power, and one addition of distributions for each value of N; of values without an end, that of each power.

use std::rc::Rc;

use super::rule::ClosedForm;
use crate::algebra::{Law, Weight};
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};
use crate::ir::Folding;

pub(super) const RULE: ClosedForm = ClosedForm {
    name: "a sum of a random number of dice",
    law: random_sum,
};

fn random_sum(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let Node::Fold(Folding::Sum, list) = *store.nodes.get(id) else {
        return Ok(None);
    };
    let Node::Draws(count, die, name) = *store.nodes.get(list) else {
        return Ok(None);
    };
    if store.pools_of(count).contains(&name) {
        return Ok(None);
    }
    let _part = RULE.applies(store.budget);
    let (count, die) = (store.law(count)?, Rc::clone(&store.pools.die_of(die).law));
    if count.never_ends() != Weight::ZERO || die.never_ends() != Weight::ZERO {
        return Err(Stop::Unsupported(Reason::RandomNumberOfEndlessLoops));
    }
    Ok(Some(Law::random_sum(&count, &die, store.budget)?))
}
