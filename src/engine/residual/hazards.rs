//! What may go wrong: errors as events.
//!
//! Nodes are total: where an operator is not defined, its node has some value all the same. What would have
//! been an error is an *event* beside it, a number that is 1 when evaluation comes to the operator and it is not
//! defined. A program fails if any of its events happens; if none can, its node is its value.
//!
//! Events carry no order. That an error of one place hides that of another matters only for which of them is
//! reported, so an event is taken to be reachable where it can happen alone; where no event can, this room does not say.

use super::node::NodeId;
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::algebra::weight::probability;
use crate::engine::failure::Failure;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, SiteId};
use crate::number::Fraction;

/// An error, and the number that is 1 if it happens and else 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hazard {
    pub(super) when: NodeId,
    pub(super) failure: Failure,
}

/// The events found so far, and the condition under which what is translated now is evaluated.
#[derive(Debug, Default)]
pub(super) struct Hazards {
    path: Vec<NodeId>,
    found: Vec<Hazard>,
}

impl Hazards {
    /// Whether what is translated now is evaluated always.
    pub(super) fn is_certain(&self) -> bool {
        self.path.is_empty()
    }
}

impl Scope<'_> {
    /// Anything translated where a condition (0 or 1) is 1.
    pub(super) fn on_path<T>(
        &mut self,
        condition: NodeId,
        translate: impl FnOnce(&mut Self) -> Attempt<T>,
    ) -> Attempt<T> {
        if self.as_constant(condition) == Some(1) {
            return translate(self);
        }
        self.hazards.path.push(condition);
        let result = translate(self);
        self.hazards.path.pop();
        result
    }

    /// Anything translated apart from what stands around it, and its own events.
    pub(super) fn apart<T>(
        &mut self,
        translate: impl FnOnce(&mut Self) -> Attempt<T>,
    ) -> Attempt<(T, Vec<Hazard>)> {
        let outside = std::mem::take(&mut self.hazards);
        let result = translate(self);
        let inside = std::mem::replace(&mut self.hazards, outside);
        Ok((result?, inside.found))
    }

    /// Events found apart, here.
    pub(super) fn may_happen(&mut self, hazards: &[Hazard]) -> Attempt<()> {
        hazards
            .iter()
            .try_for_each(|hazard| self.may_fail(hazard.when, hazard.failure))
    }

    /// An error of a whole expression, unless a condition (0 or 1) is 1.
    pub(super) fn must_hold(
        &mut self,
        condition: NodeId,
        kind: ErrorKind,
        site: SiteId,
    ) -> Attempt<()> {
        let span = self.arena.site_of(site).whole;
        self.must_hold_or(condition, Failure { span, kind })
    }

    /// An error, unless a condition (0 or 1) is 1.
    pub(super) fn must_hold_or(&mut self, condition: NodeId, failure: Failure) -> Attempt<()> {
        let not = self.complement(condition)?;
        self.may_fail(not, failure)
    }

    /// The errors of an operator on numbers.
    pub(super) fn must_be_defined(
        &mut self,
        operator: Arithmetic,
        a: NodeId,
        b: NodeId,
        site: SiteId,
    ) -> Attempt<()> {
        match operator {
            Arithmetic::Divide | Arithmetic::Remainder => {
                let zero = self.equals(b, 0)?;
                let not = self.complement(zero)?;
                self.must_hold(not, ErrorKind::DivisionByZero, site)
            }
            Arithmetic::Concatenate => {
                let holds = self.at_least(b, 0)?;
                self.must_hold(holds, ErrorKind::Domain, site)
            }
            Arithmetic::Power => {
                let (zero, one) = (self.equals(a, 0)?, self.constant(1));
                let natural = self.at_least(b, 0)?;
                let holds = self.choose(zero, natural, one)?;
                self.must_hold(holds, ErrorKind::Domain, site)
            }
            _ => Ok(()),
        }
    }

    fn may_fail(&mut self, when: NodeId, failure: Failure) -> Attempt<()> {
        let mut when = when;
        for index in (0..self.hazards.path.len()).rev() {
            let (condition, zero) = (self.hazards.path[index], self.constant(0));
            when = self.choose(condition, when, zero)?;
        }
        if self.as_constant(when) != Some(0) {
            self.hazards.found.push(Hazard { when, failure });
        }
        Ok(())
    }

    /// The probability that a number (0 or 1) is 1.
    fn probability_of(&mut self, event: NodeId) -> Attempt<Fraction> {
        let law = self.law(event)?;
        let law = law.complete()?;
        Ok(probability(
            &law.weight_of(&crate::number::Integer::ONE),
            law.total(),
        ))
    }

    /// Those of some events that can happen.
    pub(super) fn possible(&mut self, hazards: Vec<Hazard>) -> Attempt<Vec<Hazard>> {
        let mut possible = Vec::with_capacity(hazards.len());
        for hazard in hazards {
            if self.probability_of(hazard.when)? != Fraction::default() {
                possible.push(hazard);
            }
        }
        Ok(possible)
    }

    /// 1 if any of some events happens.
    pub(super) fn any_of(&mut self, hazards: &[Hazard]) -> Attempt<NodeId> {
        let events: Vec<_> = hazards.iter().map(|hazard| (1, hazard.when)).collect();
        let count = self.linear(0, &events)?;
        self.at_least(count, 1)
    }

    /// The error to be reported, with the probability that any happens, if any can.
    pub(super) fn failure(&mut self) -> Attempt<Option<(Failure, Fraction)>> {
        let found = std::mem::take(&mut self.hazards.found);
        let mut possible = self.possible(found)?;
        possible.sort_by_key(|hazard| hazard.failure);
        let Some(first) = possible.first().copied() else {
            return Ok(None);
        };
        let any = self.any_of(&possible)?;
        let all = self.probability_of(any)?;
        possible.retain(|hazard| hazard.failure != first.failure);
        if !possible.is_empty() {
            let (others, zero) = (self.any_of(&possible)?, self.constant(0));
            let alone = self.choose(others, zero, first.when)?;
            if self.probability_of(alone)? == Fraction::default() {
                return Err(Stop::Unsupported("errors that happen together"));
            }
        }
        Ok(Some((first.failure, all)))
    }
}
