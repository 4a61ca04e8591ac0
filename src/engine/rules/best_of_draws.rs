//! The best of a random number of draws.
//!
//! With N independent of the draws, `P(max <= x) = E[F(x)^N] = G_N(F(x))` for the distribution function F of one draw
//! (H. A. David and H. N. Nagaraja, Order Statistics, 2003, 2.1 given N). Cost: one evaluation of the polynomial G_N
//! for each face. Both distributions must be listed in full.

use std::rc::Rc;

use super::rule::Rule;
use crate::algebra::{Law, Numbers};
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::stop::Attempt;
use crate::ir::{Folding, Selection};

pub(super) const RULE: Rule = Rule {
    name: "the best of a random number of dice",
    law: best_of_draws,
};

fn best_of_draws(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let Node::Fold(Folding::Sum, list) = *store.nodes.get(id) else {
        return Ok(None);
    };
    let Node::Select(selection @ (Selection::High | Selection::Low), n, dice) =
        *store.nodes.get(list)
    else {
        return Ok(None);
    };
    let Node::Draws(count, die, name) = *store.nodes.get(dice) else {
        return Ok(None);
    };
    if store.as_constant(n) != Some(1) || store.pools_of(count).contains(&name) {
        return Ok(None);
    }
    let _part = RULE.applies(store.budget);
    let (count, die) = (store.law(count)?, Rc::clone(&store.pools.die_of(die).law));
    if count.unlisted.is_some() || die.unlisted.is_some() {
        return Ok(None);
    }
    let (count, die) = (&count.listed, &die.listed);
    let highest = selection == Selection::High;
    let best = Numbers::extreme_of_random(count, die, highest, store.budget)?;
    Ok(best.map(Law::from))
}
