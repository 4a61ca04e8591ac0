//! Closed forms: distributions of numbers that need no graph.
//!
//! - *Homomorphisms.* What is a sum over the dice of a pool of a value that each die has by itself (sums, counts of
//!   filters, and their combinations) is distributed as the n-th convolution power of the value of one die.
//! - *Order statistics.* Nested selections by rank from independent dice ([`super::ranks`]).
//! - *Random sums.* So many draws as an independent number says are a mixture of powers.
//! - *Products.* The product of a pool is a power in the multiplicative monoid.

use std::rc::Rc;

use num_integer::Integer as _;

use super::Attempt;
use super::bounds::{self, Bounds};
use super::law::{Law, Vague};
use super::node::{Compare, Node, NodeId};
use super::pool::{Beyond, DieId, Drawing, PoolId};
use super::scope::Scope;
use crate::algebra::weight::power;
use crate::algebra::{Numbers, Weight, binomial, fewer_hits};
use crate::ir::{Arithmetic, Folding, Selection};
use crate::number::{Integer, Overflow};

/// Of fewer dice than this the distribution of all sums is as good as a single probability.
const MANY_DICE: u32 = 4096;

impl Scope<'_> {
    /// The distribution of a number by a closed form, if there is one.
    pub(super) fn closed_form(&mut self, id: NodeId) -> Attempt<Option<Law>> {
        // A multiple of one number is found from that number, of which more may be known.
        let is_multiple = matches!(self.nodes.get(id), Node::Linear(_, atoms) if atoms.len() == 1);
        if !is_multiple
            && let Some((pool, dice)) = self.only_pool(id)
            && self.is_additive(id, pool)
        {
            let _part = self.budget.part("a power of what one die adds");
            let die = self.pools.get(pool).die;
            let one = self.of_one_die(id, die)?;
            return Ok(Some(one.power(dice, self.budget)?));
        }
        let Node::Fold(folding, list) = *self.nodes.get(id) else {
            return Ok(None);
        };
        match (folding, self.nodes.get(list).clone()) {
            (Folding::Product, _) => self.product_of_pool(list),
            (Folding::Sum, Node::Draws(count, die, name))
                if !self.pools_of(count).contains(&name) =>
            {
                let _part = self.budget.part("a sum of a random number of dice");
                let (count, die) = (self.law(count)?, Rc::clone(&self.pools.die_of(die).law));
                Ok(Some(Law::random_sum(&count, &die, self.budget)?))
            }
            (
                Folding::Sum,
                Node::Select(selection @ (Selection::High | Selection::Low), n, dice),
            ) if self.as_constant(n) == Some(1)
                && let Node::Draws(count, die, name) = *self.nodes.get(dice)
                && !self.pools_of(count).contains(&name) =>
            {
                let _part = self.budget.part("the best of a random number of dice");
                let (count, die) = (self.law(count)?, Rc::clone(&self.pools.die_of(die).law));
                if count.rest.is_some() || die.rest.is_some() {
                    return Ok(None);
                }
                let (count, die) = (&count.listed, &die.listed);
                let highest = selection == Selection::High;
                let best = Numbers::extreme_of_random(count, die, highest, self.budget)?;
                Ok(best.map(Law::from))
            }
            (Folding::Sum, _) => self.sum_of_ranks(list),
            _ => Ok(None),
        }
    }

    /// The product of what each die of a pool has of a list.
    fn product_of_pool(&mut self, list: NodeId) -> Attempt<Option<Law>> {
        let Some(pool) = self.each_of(list) else {
            return Ok(None);
        };
        let known = self.pools.get(pool).clone();
        let die = Rc::clone(&self.pools.die_of(known.die).law);
        if known.drawing != Drawing::Independent || die.rest.is_some() {
            return Ok(None);
        }
        let _part = self.budget.part("a power in the multiplicative monoid");
        let value = die.listed.map(
            |face| {
                let members = face.to_i64().map(|face| self.members_for(list, face));
                let members = members.ok_or(Overflow)?.map_err(|_| Overflow)?;
                let mut product = Integer::ONE;
                for (member, count) in members {
                    product = product.mul(&Integer::from(member).pow(count.into())?)?;
                }
                Ok(Some(product))
            },
            self.budget,
        )?;
        let product = value.product_power(known.dice.into(), self.budget)?;
        Ok(Some(product.into()))
    }

    /// The product of a list of independent dice and known members, which may be longer than what residual programs hold.
    pub(super) fn long_product(&mut self, list: NodeId) -> Attempt<Option<Law>> {
        let parts = match self.nodes.get(list) {
            Node::Join(parts) | Node::Chain(parts) => parts.to_vec(),
            _ => vec![list],
        };
        if !self.are_independent(&parts) {
            return Ok(None);
        }
        let mut product = Law::from(Numbers::certain(Integer::ONE));
        for part in parts {
            let factor = if let Some(members) = self.known_members(part) {
                let mut factor = Integer::ONE;
                for &(member, count) in &*members {
                    factor = factor.mul(&Integer::from(member).pow(count.into())?)?;
                }
                Numbers::certain(factor).into()
            } else if self.is_number(part) {
                let number = self.number(part)?;
                (*self.law(number)?).clone()
            } else {
                match self.product_of_pool(part)? {
                    Some(law) => law,
                    None => return Ok(None),
                }
            };
            product = product.combined(&factor, Arithmetic::Multiply, self.budget)?;
        }
        Ok(product.rest.is_none().then_some(product))
    }

    /// 1 where very many dice that each add one of two numbers add up to at least a number, or to exactly that, else 0: the
    /// tail, or a term, of a binomial distribution. That is one number as long as the total, where all sums of them would be
    /// as many such numbers as there are dice.
    pub(super) fn hits(
        &mut self,
        form: NodeId,
        compare: Compare,
        number: i64,
    ) -> Attempt<Option<Law>> {
        let Some((die, dice)) = self.one_of_equal_dice(form)? else {
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
        let _part = self.budget.part("a tail of a binomial distribution");
        // dice·low + hits·(high - low) compared with the number.
        let (low, high, all) = (i128::from(low), i128::from(high), u64::from(dice));
        let (needed, rest) =
            (i128::from(number) - low * i128::from(dice)).div_mod_floor(&(high - low));
        let total = power(die.total(), all, self.budget)?;
        let weight = match compare {
            Compare::AtLeast => {
                let needed = needed + i128::from(rest > 0);
                let needed = u64::try_from(needed.max(0)).unwrap_or(u64::MAX);
                &total - fewer_hits(needed, all, hit, miss, self.budget)?
            }
            Compare::Below | Compare::Unequal => return Ok(None),
            Compare::Equal => match u64::try_from(needed) {
                Ok(hits) if rest == 0 && hits <= all => {
                    let [hit, miss] = [(hit, hits), (miss, all - hits)]
                        .map(|(weight, times)| power(weight, times, self.budget));
                    binomial(all, hits, self.budget)? * hit? * miss?
                }
                _ => Weight::ZERO,
            },
        };
        let rest = &total - &weight;
        let listed = [(Integer::ZERO, rest), (Integer::ONE, weight)];
        Ok(Some(Numbers::new(listed, total).into()))
    }

    /// What one die contributes to a number that is a sum over so many equal ones, if it is that and all of it is listed.
    pub(super) fn one_of_equal_dice(&mut self, id: NodeId) -> Attempt<Option<(Law, u32)>> {
        let Some((pool, dice)) = self.only_pool(id) else {
            return Ok(None);
        };
        if !self.is_additive(id, pool) {
            return Ok(None);
        }
        let one = self.of_one_die(id, self.pools.get(pool).die)?;
        Ok(one.rest.is_none().then_some((one, dice)))
    }

    /// What one die of a pool contributes to an additive number, over the least total.
    fn of_one_die(&self, id: NodeId, die: DieId) -> Attempt<Law> {
        let die = self.pools.die_of(die);
        if let Node::Fold(Folding::Sum, list) = self.nodes.get(id)
            && let Node::Pool(_) = self.nodes.get(*list)
        {
            return Ok((*die.law).clone().in_lowest_terms());
        }
        let listed = die.law.listed.map(
            |face| {
                Ok(face
                    .to_i64()
                    .and_then(|face| self.value_of(id, face))
                    .map(Integer::from))
            },
            self.budget,
        )?;
        let mut vague = Vec::with_capacity(die.beyond.len());
        for beyond in &*die.beyond {
            vague.push(match self.value_between(id, beyond)? {
                Some((low, high)) => {
                    Vague::within(Bounds::number(low, high), beyond.weight.clone())
                }
                None => Vague::anywhere(beyond.weight.clone()),
            });
        }
        Ok(Law::collected(&listed, vague, die.law.never(), self.budget)?.in_lowest_terms())
    }

    /// The only pool that a number mentions, if it has several independent dice.
    pub(super) fn only_pool(&mut self, id: NodeId) -> Option<(PoolId, u32)> {
        let pools = self.pools_of(id);
        let [pool] = *pools else { return None };
        let known = self.pools.known(pool)?;
        (known.drawing == Drawing::Independent && known.dice > 1).then_some((pool, known.dice))
    }

    /// Whether a number is a sum over the dice of a pool: sums and counts of filters by known numbers, and linear
    /// forms of these without a constant.
    pub(super) fn is_additive(&self, id: NodeId, pool: PoolId) -> bool {
        match self.nodes.get(id) {
            Node::Linear(0, atoms) => atoms.iter().all(|&(_, atom)| self.is_additive(atom, pool)),
            Node::Fold(Folding::Sum | Folding::Count, list) => self.each_of(*list) == Some(pool),
            _ => false,
        }
    }

    /// What one die with this face contributes to an additive number.
    pub(super) fn value_of(&self, id: NodeId, face: i64) -> Option<i64> {
        match self.nodes.get(id) {
            Node::Linear(_, atoms) => atoms.iter().try_fold(0_i64, |sum, &(coefficient, atom)| {
                sum.checked_add(coefficient.checked_mul(self.value_of(atom, face)?)?)
            }),
            Node::Fold(folding, list) => {
                let members = self.members_for(*list, face).ok()?;
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

    /// Between which numbers lies what one die between two ends contributes, where its filters are decided.
    pub(super) fn value_between(&self, id: NodeId, beyond: &Beyond) -> Attempt<Option<(i64, i64)>> {
        Ok(match self.nodes.get(id) {
            Node::Linear(_, atoms) => {
                let mut sum = (0, 0);
                for &(coefficient, atom) in atoms.iter() {
                    let Some((low, high)) = self.value_between(atom, beyond)? else {
                        return Ok(None);
                    };
                    let ends = (
                        bounds::times(coefficient, low)?,
                        bounds::times(coefficient, high)?,
                    );
                    sum.0 = bounds::plus(sum.0, ends.0.min(ends.1))?;
                    sum.1 = bounds::plus(sum.1, ends.0.max(ends.1))?;
                }
                Some(sum)
            }
            Node::Fold(folding, list) => {
                let Some(passes) = self.passes_between(*list, beyond) else {
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

    /// Whether all faces between two ends pass nested filters, or none.
    fn passes_between(&self, list: NodeId, beyond: &Beyond) -> Option<bool> {
        let (compare, number, list) = match *self.nodes.get(list) {
            Node::Filter(compare, number, list) => (compare, number, list),
            // Tables are of faces.
            Node::Map(..) => return None,
            _ => return Some(true),
        };
        let number = self.as_constant(number)?;
        let (above, below) = (beyond.low >= number, beyond.high < number);
        let apart = beyond.low > number || below;
        let holds = match compare {
            Compare::AtLeast => above.then_some(true).or(below.then_some(false)),
            Compare::Below => below.then_some(true).or(above.then_some(false)),
            Compare::Equal => apart.then_some(false),
            Compare::Unequal => apart.then_some(true),
        };
        match (holds, self.passes_between(list, beyond)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (holds, inner) => holds.and(inner),
        }
    }
}
