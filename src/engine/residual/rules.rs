//! Closed forms: distributions of numbers that need no graph.
//!
//! - *Homomorphisms.* What is a sum over the dice of a pool of a value that each die has by itself (sums, counts of
//!   filters, and their combinations) is distributed as the n-th convolution power of the value of one die.
//! - *Order statistics.* Nested selections by rank from independent dice are a range of ranks, whose sum
//!   [`crate::algebra::Pool`] knows.
//! - *Random sums.* So many draws as an independent number says are a mixture of powers.
//! - *Products.* The product of a pool is a power in the multiplicative monoid.

use std::ops::Range;
use std::rc::Rc;

use super::Attempt;
use super::node::{Node, NodeId};
use super::numbers::fold_members;
use super::pool::{Drawing, PoolId};
use super::scope::Scope;
use crate::algebra::{Numbers, Pool};
use crate::ir::{Folding, Selection};
use crate::number::Integer;

impl Scope<'_> {
    /// The distribution of a number by a closed form, if there is one.
    pub(super) fn closed_form(&mut self, id: NodeId) -> Attempt<Option<Numbers>> {
        if let Some((pool, dice)) = self.only_pool(id)
            && self.is_additive(id, pool)
        {
            let die = Rc::clone(&self.pools.die_of(self.pools.get(pool).die).law);
            let value = die.map(
                |face| {
                    Ok(face
                        .to_i64()
                        .and_then(|face| self.value_of(id, face))
                        .map(Integer::from))
                },
                self.budget,
            )?;
            return Ok(Some(value.power(dice.into(), self.budget)?));
        }
        let Node::Fold(folding, list) = *self.nodes.get(id) else {
            return Ok(None);
        };
        match (folding, self.nodes.get(list).clone()) {
            (Folding::Product, _) => {
                let Some(pool) = self.each_of(list) else {
                    return Ok(None);
                };
                let known = self.pools.get(pool).clone();
                if known.drawing != Drawing::Independent {
                    return Ok(None);
                }
                let die = Rc::clone(&self.pools.die_of(known.die).law);
                let value = die.map(
                    |face| {
                        let members = face.to_i64().map(|face| self.members_for(list, face));
                        Ok(members
                            .and_then(|members| fold_members(folding, &members).ok())
                            .map(Integer::from))
                    },
                    self.budget,
                )?;
                Ok(Some(value.product_power(known.dice.into(), self.budget)?))
            }
            (Folding::Sum, Node::Draws(count, die, name))
                if !self.pools_of(count).contains(&name) =>
            {
                let (count, die) = (self.law(count)?, Rc::clone(&self.pools.die_of(die).law));
                Ok(Some(Numbers::random_sum(&count, &die, self.budget)?))
            }
            (Folding::Sum, _) => match self.ranks(list)? {
                Some((pool, ranks)) => Ok(Some(pool.sum_of_ranks(ranks, self.budget)?)),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The only pool that a number mentions, if it has several independent dice.
    fn only_pool(&mut self, id: NodeId) -> Option<(PoolId, u32)> {
        let pools = self.pools_of(id);
        let [pool] = *pools else { return None };
        let known = self.pools.known(pool)?;
        (known.drawing == Drawing::Independent && known.dice > 1).then_some((pool, known.dice))
    }

    /// Whether a number is a sum over the dice of a pool: sums and counts of filters by known numbers, and linear
    /// forms of these without a constant.
    fn is_additive(&self, id: NodeId, pool: PoolId) -> bool {
        match self.nodes.get(id) {
            Node::Linear(0, atoms) => atoms.iter().all(|&(_, atom)| self.is_additive(atom, pool)),
            Node::Fold(Folding::Sum | Folding::Count, list) => self.each_of(*list) == Some(pool),
            _ => false,
        }
    }

    /// What one die with this face contributes to an additive number.
    fn value_of(&self, id: NodeId, face: i64) -> Option<i64> {
        match self.nodes.get(id) {
            Node::Linear(_, atoms) => atoms.iter().try_fold(0_i64, |sum, &(coefficient, atom)| {
                sum.checked_add(coefficient.checked_mul(self.value_of(atom, face)?)?)
            }),
            Node::Fold(folding, list) => {
                let members = self.members_for(*list, face);
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

    /// Independent dice and the range of ranks that nested selections leave of them, ranks from the lowest.
    fn ranks(&mut self, list: NodeId) -> Attempt<Option<(Pool, Range<u64>)>> {
        if let Node::Select(selection, n, inner) = *self.nodes.get(list) {
            let Some(n) = self.as_constant(n).and_then(|n| u64::try_from(n).ok()) else {
                return Ok(None);
            };
            let Some((pool, ranks)) = self.ranks(inner)? else {
                return Ok(None);
            };
            let n = n.min(ranks.end - ranks.start);
            let ranks = match selection {
                Selection::High => ranks.end - n..ranks.end,
                Selection::Low => ranks.start..ranks.start + n,
                Selection::DropHigh => ranks.start..ranks.end - n,
                Selection::DropLow => ranks.start + n..ranks.end,
                _ => return Ok(None),
            };
            return Ok(Some((pool, ranks)));
        }
        let parts = match self.nodes.get(list) {
            Node::Join(parts) => parts.to_vec(),
            Node::Pool(_) => vec![list],
            _ => return Ok(None),
        };
        if !self.are_independent(&parts) {
            return Ok(None);
        }
        let mut dice: Vec<(Numbers, u64)> = Vec::with_capacity(parts.len());
        for part in parts {
            match self.nodes.get(part).clone() {
                Node::Pool(pool) => {
                    let known = self.pools.get(pool);
                    if known.drawing != Drawing::Independent {
                        return Ok(None);
                    }
                    dice.push((
                        (*self.pools.die_of(known.die).law).clone(),
                        known.dice.into(),
                    ));
                }
                Node::Known(members) => {
                    dice.extend(members.iter().map(|&(value, count)| {
                        (Numbers::certain(Integer::from(value)), count.into())
                    }));
                }
                _ if self.is_number(part) => dice.push(((*self.law(part)?).clone(), 1)),
                _ => return Ok(None),
            }
        }
        let pool = Pool::new(dice);
        let all = 0..pool.len();
        Ok(Some((pool, all)))
    }
}
