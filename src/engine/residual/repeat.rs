//! `n # e`: independent evaluations. Of an `e` that uses nothing hidden they are a pool of `n` dice, each distributed as `e`;
//! that distribution is solved first. Others are written out.

use super::hazards::{Hazard, What};
use super::node::{Compare, Look, Node, NodeId};
use super::numbers::narrow;
use super::pool::{DieId, Drawing, Pool};
use super::scope::Scope;
use super::translate::Order;
use super::{Attempt, Stop};
use crate::engine::failure::Failure;
use crate::engine::reason::Reason;
use crate::ir::TermId;

/// A repeated evaluation is written out at most so often, where it is no pool.
pub(super) const MOST_UNROLLED: i64 = 4096;

/// So few evaluations are written out rather than told apart by a number that they use.
const FEW: i64 = 4;

/// Repeated evaluations are told apart by at most so many values of a number that they use.
const MOST_CASES: usize = 64;

/// What `n # …` repeats: a term, or a term for each member of another.
#[derive(Clone, Copy)]
pub(super) enum Repeated {
    Term(TermId),
    Foreach(TermId, TermId),
}

impl Scope<'_> {
    /// `n` evaluations of a body, joined.
    pub(super) fn repeat(
        &mut self,
        n: NodeId,
        body: Repeated,
        looks: &[Look],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let times = self.bounds(n)?;
        if times.low < 0 {
            return Err(Stop::Unsupported(Reason::NegativeCount));
        }
        if times.high == 0 {
            return Ok(self.empty());
        }
        let (first, hazards) =
            self.apart(|scope| scope.translate_body(body, looks, order, environment))?;
        let random = match body {
            Repeated::Term(e) => self.is_random(e),
            Repeated::Foreach(e, f) => self.is_random(e) || self.is_random(f),
        };
        // What is used may matter only in ways that are known.
        let places = self.hidden_places(body, environment);
        let mentioned: Vec<NodeId> = hazards
            .iter()
            .map(|hazard| hazard.when)
            .chain([first])
            .collect();
        let hidden = places
            .iter()
            .any(|&place| self.share_pools(&[environment[place]], &mentioned));
        if times.low == 1 && times.high == 1 {
            return self.rolled(first, hidden, &hazards, order);
        }
        if !random {
            let some = self.at_least(n, 1)?;
            self.on_path(some, |scope| scope.may_happen(&hazards))?;
            return self.copies(n, first);
        }
        if !hidden {
            let failures = self.possible(&hazards)?;
            let waiting = self.waiting(&hazards)?;
            if self.is_number(first) {
                let first = self.linear(0, &[(1, first), (1, waiting)])?;
                return self.drawn(n, first, &failures, order);
            }
            if failures.is_empty()
                && self.as_constant(waiting).is_some()
                && order == Order::Ignored
                && let Some(pool) = self.repeated_pool(n, first)?
            {
                return Ok(pool);
            }
        }
        if hidden
            && order == Order::Ignored
            && times.high > FEW
            && let [place] = places[..]
            && self.is_number(environment[place])
            && let Some(values) = self.values(environment[place], MOST_CASES)?
        {
            return self.repeat_by_value(n, body, looks, place, &values, environment);
        }
        let mut first = Some(first);
        self.unrolled(n, order, |scope| match first.take() {
            Some(first) => {
                scope.may_happen(&hazards)?;
                Ok(first)
            }
            None => scope.translate_body(body, looks, order, environment),
        })
    }

    /// Whether a pool, or a deck that cards come from, is mentioned on both sides.
    pub(super) fn share_pools(&mut self, some: &[NodeId], others: &[NodeId]) -> bool {
        let pools = |scope: &mut Self, nodes: &[NodeId]| -> Vec<_> {
            let pools = nodes.iter().map(|&node| scope.pools_of(node));
            pools.flat_map(|pools| pools.to_vec()).collect()
        };
        let (some, others) = (pools(self, some), pools(self, others));
        some.iter().any(|pool| others.contains(pool))
    }

    /// The places of the values that a body uses and that are not fully known.
    pub(super) fn hidden_places(&mut self, body: Repeated, environment: &[NodeId]) -> Vec<usize> {
        let terms = match body {
            Repeated::Term(e) => vec![(e, 0)],
            Repeated::Foreach(e, f) => vec![(e, 0), (f, 1)],
        };
        let mut hidden = Vec::new();
        for (term, bound) in terms {
            let free = self.free(term);
            let outside = free.iter().filter_map(|index| index.checked_sub(bound));
            hidden.extend(
                outside
                    .map(|index| environment.len() - 1 - index as usize)
                    .filter(|&place| self.nodes.mask(environment[place]) != 0),
            );
        }
        hidden.sort_unstable();
        hidden.dedup();
        hidden
    }

    /// `n` evaluations of a body that uses one hidden number: for each value of that number the evaluations with it,
    /// if it is the value. So they are pools again.
    pub(super) fn repeat_by_value(
        &mut self,
        n: NodeId,
        body: Repeated,
        looks: &[Look],
        place: usize,
        values: &[i64],
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let number = environment[place];
        let mut cases = Vec::with_capacity(values.len());
        for &value in values {
            let is_value = self.equals(number, value)?;
            environment[place] = self.constant(value);
            let case = self.on_path(is_value, |scope| {
                scope.repeat(n, body, looks, Order::Ignored, environment)
            });
            environment[place] = number;
            cases.push(self.copies(is_value, case?)?);
        }
        self.join(&cases)
    }

    /// `n` independent numbers like this one, as draws of a die.
    ///
    /// Where the evaluation of one can fail, the die has a face of its own for each error, above all others.
    pub(super) fn drawn(
        &mut self,
        n: NodeId,
        number: NodeId,
        failures: &[(NodeId, Failure)],
        order: Order,
    ) -> Attempt<NodeId> {
        let above = self.bounds(number)?.high;
        let mut faces = Vec::with_capacity(failures.len());
        let mut marked = number;
        // The first error in the order of evaluation is the one that is shown.
        for (&(when, failure), face) in failures.iter().rev().zip(i128::from(above) + 1..) {
            let face = self.constant(narrow(face)?);
            marked = self.choose(when, face, marked)?;
            faces.push((failure, face));
        }
        let die = self.die_of(marked)?;
        let list = match order {
            Order::Ignored => {
                let name = self.pools.name();
                self.draws(n, die, name)?
            }
            Order::Kept => self.unrolled(n, order, |scope| {
                let (one, name) = (scope.constant(1), scope.pools.name());
                scope.draws(one, die, name)
            })?,
        };
        let over = self.over(list)?;
        self.may_be(over, What::Waits(over))?;
        for (failure, face) in faces {
            let marks = self.filtered(Compare::Equal, face, list)?;
            let any = self.is_not_empty(marks)?;
            let none = self.complement(any)?;
            self.must_hold_or(none, failure)?;
        }
        Ok(list)
    }

    /// A term whose loops, if they lead to a number, are none of what is done with it.
    pub(super) fn translate_rolled(
        &mut self,
        id: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let (value, hazards) = self.apart(|scope| scope.translate(id, order, environment))?;
        let hidden = self.uses_hidden(id, 0, environment);
        self.rolled(value, hidden, &hazards, order)
    }

    /// A value that was translated apart, here. A number that a loop leads to is one draw of a die, so that the rounds of that loop
    /// are none of what it stands in: if it shares nothing that is hidden with others.
    pub(super) fn rolled(
        &mut self,
        value: NodeId,
        hidden: bool,
        hazards: &[Hazard],
        order: Order,
    ) -> Attempt<NodeId> {
        if !hidden && self.is_number(value) && self.has_loop(value) {
            let failures = self.possible(hazards)?;
            let waiting = self.waiting(hazards)?;
            let (one, value) = (
                self.constant(1),
                self.linear(0, &[(1, value), (1, waiting)])?,
            );
            return self.drawn(one, value, &failures, order);
        }
        self.may_happen(hazards)?;
        Ok(value)
    }

    /// Evaluations written out, each of them there if the number is large enough.
    pub(super) fn unrolled(
        &mut self,
        n: NodeId,
        order: Order,
        mut evaluate: impl FnMut(&mut Self) -> Attempt<NodeId>,
    ) -> Attempt<NodeId> {
        let times = self.bounds(n)?;
        if times.high > MOST_UNROLLED {
            return Err(Stop::Unsupported(Reason::LongRepetition));
        }
        let mut parts = Vec::new();
        for index in 1..=times.high {
            let there = self.at_least(n, index)?;
            let value = self.on_path(there, &mut evaluate)?;
            parts.push(self.copies(there, value)?);
        }
        self.sequence(order, parts)
    }

    /// `n` independent values like this one as pools, where its form allows.
    pub(super) fn repeated_pool(&mut self, n: NodeId, value: NodeId) -> Attempt<Option<NodeId>> {
        if self.is_number(value) {
            return self.drawn(n, value, &[], Order::Ignored).map(Some);
        }
        match self.nodes.get(value).clone() {
            Node::Known(_) => self.copies(n, value).map(Some),
            Node::Pool(pool) => {
                let Pool { die, dice, drawing } = *self.pools.get(pool);
                if drawing != Drawing::Independent {
                    return Ok(None);
                }
                let count = self.linear(0, &[(dice.into(), n)])?;
                let name = self.pools.name();
                self.draws(count, die, name).map(Some)
            }
            // Parts that share no pool are repeated apart.
            Node::Join(parts) if self.are_independent(&parts) => {
                let mut repeated = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    match self.repeated_pool(n, part)? {
                        Some(pool) => repeated.push(pool),
                        None => return Ok(None),
                    }
                }
                self.join(&repeated).map(Some)
            }
            _ => self.drawn_lists(n, value),
        }
    }

    pub(super) fn die_of(&mut self, value: NodeId) -> Attempt<DieId> {
        let law = self.law(value)?;
        self.pools.die(law)
    }
}
