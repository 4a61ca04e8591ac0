//! The tail, or one term, of a binomial distribution.
//!
//! Very many dice each add one of two numbers. `P(at least k successes of n)` is then a sum of binomial terms, which
//! binary splitting finds as one number ([`crate::algebra::fewer_hits`]). Cost: a few multiplications of numbers as
//! long as the total. The whole distribution would be n such numbers.

use num_integer::Integer as _;

use super::power::one_of_equal_dice;
use super::rule::ClosedForm;
use crate::algebra::weight::power;
use crate::algebra::{Law, Numbers, Weight, binomial, fewer_hits};
use crate::engine::program::{Compare, Node, NodeId, Store};
use crate::engine::stop::Attempt;
use crate::number::Integer;

pub(super) const RULE: ClosedForm = ClosedForm {
    name: "a tail of a binomial distribution",
    law: binomial_tail,
};

fn binomial_tail(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    match *store.nodes.get(id) {
        Node::AtLeast(form, number) => binomial_comparison(store, form, Compare::AtLeast, number),
        Node::Equals(form, number) => binomial_comparison(store, form, Compare::Equal, number),
        _ => Ok(None),
    }
}

/// The least number of dice for which one probability is cheaper than the distribution of all sums.
const MANY_DICE: u32 = 4096;

/// The distribution of a comparison, 1 where it holds and 0 where not, of the sum of very many dice that each add one
/// of two numbers.
fn binomial_comparison(
    store: &mut Store<'_>,
    form: NodeId,
    compare: Compare,
    number: i64,
) -> Attempt<Option<Law>> {
    let Some((die, dice)) = one_of_equal_dice(store, form)? else {
        return Ok(None);
    };
    let faces: Vec<(Integer, Weight)> = die.listed.iter().take(3).collect();
    let [(low, miss), (high, hit)] = &faces[..] else {
        return Ok(None);
    };
    let (Some(low), Some(high)) = (low.to_i64(), high.to_i64()) else {
        return Ok(None);
    };
    if dice < MANY_DICE || miss + hit != *die.total() {
        return Ok(None);
    }
    let _part = RULE.applies(store.budget);
    // The number is compared with dice·low + hits·(high - low).
    let (low, high, all) = (i128::from(low), i128::from(high), u64::from(dice));
    let (needed, rest) = (i128::from(number) - low * i128::from(dice)).div_mod_floor(&(high - low));
    let total = power(die.total(), all, store.budget)?;
    let weight = match compare {
        Compare::AtLeast => {
            let needed = needed + i128::from(rest > 0);
            let needed = u64::try_from(needed.max(0)).unwrap_or(u64::MAX);
            &total - fewer_hits(needed, all, hit, miss, store.budget)?
        }
        Compare::Below | Compare::Unequal => return Ok(None),
        Compare::Equal => match u64::try_from(needed) {
            Ok(hits) if rest == 0 && hits <= all => {
                let [hit, miss] = [(hit, hits), (miss, all - hits)]
                    .map(|(weight, times)| power(weight, times, store.budget));
                binomial(all, hits, store.budget)? * hit? * miss?
            }
            _ => Weight::ZERO,
        },
    };
    let rest = &total - &weight;
    let listed = [(Integer::ZERO, rest), (Integer::ONE, weight)];
    Ok(Some(Numbers::new(listed, total).into()))
}
