//! What may never end, behind a condition.
//!
//! Dice are revealed one after the other, whether or not what stands on them is evaluated in the end: where a die surely shows
//! a face, that makes no difference. But for what may never show one, a program waits only if it evaluates it. So a
//! condition that such a die or loop stands behind is decided first.

use super::accumulate::{Accumulator, LawOf};
use super::law::{Others, Vague};
use super::node::{Node, NodeId};
use super::numbers::narrow;
use super::pool::PoolId;
use super::scope::Scope;
use super::solve::Valued;
use super::{Attempt, Stop};
use crate::algebra::Weight;
use crate::engine::reason::Reason;
use crate::map::Map;

/// What is looked at to see what may never end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    /// Dice.
    Dice,
    /// Dice, and what waits for loops, but the program itself.
    DiceAndLoops,
}

impl Scope<'_> {
    /// Whether some die in a program may never show anything.
    pub(super) fn may_never_show(&self, id: NodeId) -> bool {
        self.waits_beside(id, &[])
    }

    /// Whether some die in a program, but those of some pools, may never show anything.
    pub(super) fn waits_beside(&self, id: NodeId, shown: &[PoolId]) -> bool {
        if !self.pools.has_endless() {
            return false;
        }
        let nodes = self.descending(id);
        nodes.into_iter().any(|id| match *self.nodes.get(id) {
            Node::Draw(pool) | Node::Pool(pool) if !shown.contains(&pool) => {
                self.pools.die_of(self.pools.get(pool).die).may_never_show()
            }
            Node::Draws(_, die, _) => self.pools.die_of(die).may_never_show(),
            _ => false,
        })
    }

    /// A condition, evaluated whatever happens, that something stands behind which may never end.
    pub(super) fn undecided(&mut self, root: NodeId, among: Among) -> Attempt<Option<NodeId>> {
        if !self.pools.has_endless() && (among == Among::Dice || !self.has_loop(root)) {
            return Ok(None);
        }
        let order = self.descending(root);
        let is_condition = |id: &NodeId| {
            let node = self.nodes.get(*id);
            matches!(node, Node::If(..) | Node::Copies(..) | Node::Draws(..))
        };
        if !order.iter().any(is_condition) {
            return Ok(None);
        }
        let mut endless: Map<NodeId, bool> = Map::default();
        for &id in order.iter().rev() {
            let mut may_not_end = match *self.nodes.get(id) {
                Node::Draw(pool) | Node::Pool(pool) => {
                    self.pools.die_of(self.pools.get(pool).die).may_never_show()
                }
                Node::Draws(_, die, _) => self.pools.die_of(die).may_never_show(),
                Node::Over(_) if id != root && among == Among::DiceAndLoops => {
                    self.law(id)?.never() != Weight::ZERO
                }
                _ => false,
            };
            self.nodes.for_children(self.nodes.get(id), |child| {
                may_not_end |= endless.get(&child).copied().unwrap_or(false);
            });
            endless.insert(id, may_not_end);
        }
        if !endless[&root] {
            return Ok(None);
        }
        let mut is_evaluated: Map<NodeId, ()> = Map::default();
        is_evaluated.insert(root, ());
        for &id in &order {
            if !is_evaluated.contains_key(&id) {
                continue;
            }
            let waits = |part: NodeId| endless.get(&part).copied().unwrap_or(false);
            match *self.nodes.get(id) {
                Node::If(condition, a, b) => {
                    if waits(a) || waits(b) {
                        return Ok(Some(condition));
                    }
                    is_evaluated.insert(condition, ());
                }
                Node::Copies(count, list) => {
                    if self.bounds(count)?.low >= 1 {
                        is_evaluated.insert(list, ());
                    } else if waits(list) {
                        return Ok(Some(count));
                    }
                    is_evaluated.insert(count, ());
                }
                Node::Draws(count, die, _) => {
                    if self.pools.die_of(die).may_never_show() && self.bounds(count)?.low < 1 {
                        return Ok(Some(count));
                    }
                    is_evaluated.insert(count, ());
                }
                Node::Map(list, _) | Node::Loop(list, ..) => {
                    is_evaluated.insert(list, ());
                }
                ref node => self.nodes.for_children(node, |child| {
                    is_evaluated.insert(child, ());
                }),
            }
        }
        Ok(None)
    }

    /// The distribution of a program by the values of a number that it depends on.
    pub(super) fn decided<A: Accumulator>(
        &mut self,
        root: NodeId,
        number: NodeId,
        accumulator: &A,
    ) -> Attempt<LawOf<A>> {
        let unsupported = Stop::Unsupported(Reason::NeverEndsBehindCondition);
        let pools = self.pools_of(number);
        let law = self.law(number)?;
        let mut parts = Vec::with_capacity(law.listed.len());
        for (value, weight) in law.listed.iter() {
            self.budget.count_states(1)?;
            let value = value
                .to_i64()
                .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
            let value = self.constant(narrow(value.into())?);
            let rest = self.replaced(root, &[(number, value)])?;
            if self
                .pools_of(rest)
                .iter()
                .any(|pool| pools.binary_search(pool).is_ok())
            {
                // What it depends on is looked at elsewhere, too: a die by itself can be revealed for all.
                let pool = self
                    .first_control(number)
                    .filter(|&pool| !self.pools.die_of(self.pools.get(pool).die).may_never_show());
                let pool = pool.ok_or(unsupported)?;
                return self.revealed_at_once(root, pool, accumulator);
            }
            parts.push((weight, accumulator.law(self, rest)?));
        }
        let _part = self.budget.part("a condition before what may never end");
        let never = law.never();
        let others = Others {
            vague: vec![Vague::anywhere(law.total() - law.listed.mass() - &never)],
            never,
            total: law.total().clone(),
        };
        A::Value::mixture(&parts, others, self.budget)
    }
}
