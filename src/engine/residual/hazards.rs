//! What may go wrong: errors as events.
//!
//! Nodes are total: where an operator is not defined, its node has some value all the same. What would have
//! been an error is an *event* beside it, a number that is 1 when evaluation comes to the operator and it is not
//! defined. A program fails if any of its events happens; if none can, its node is its value.
//!
//! Events are found in the order of evaluation. That an error hides one that would come after it matters only for
//! which of them is reported: of those that can happen without any before them, the first in the text.

use std::slice;

use super::cycles::MARKS;
use super::node::{Compare, NodeId};
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::algebra::Weight;
use crate::algebra::weight::probability;
use crate::engine::failure::Failure;
use crate::engine::reason::Reason;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, SiteId};
use crate::number::{Fraction, Integer};

/// Something that may go wrong, and the number that is 1 if it does and else 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hazard {
    pub(super) when: NodeId,
    pub(super) what: What,
}

/// What may go wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// An error.
    Fails(Failure),
    /// An error inside of a loop: which one is known once the loop with marks among its values is solved.
    FailsInside { values: NodeId, marked: NodeId },
    /// A loop may never end; the number is 0 once it is over. The other is 0 once it is over or has failed.
    Waits(NodeId),
}

/// Whether it matters which of some events comes first: an error, and another that differs or a loop that may not end.
pub(super) fn hide_each_other(hazards: &[Hazard]) -> bool {
    let fails = |hazard: &&Hazard| matches!(hazard.what, What::Fails(_) | What::FailsInside { .. });
    hazards.iter().find(fails).is_some_and(|error| {
        hazards.iter().any(|other| match (error.what, other.what) {
            (What::Fails(first), What::Fails(failure)) => first != failure,
            _ => error.when != other.when,
        })
    })
}

/// The events found so far, and the condition under which what is translated now is evaluated.
#[derive(Debug, Default)]
pub(super) struct Hazards {
    path: Vec<NodeId>,
    found: Vec<Hazard>,
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
            .try_for_each(|hazard| self.may_be(hazard.when, hazard.what))
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
        self.may_be(not, What::Fails(failure))
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

    /// Something that may go wrong where a number is 1, if evaluation comes here.
    pub(super) fn may_be(&mut self, when: NodeId, what: What) -> Attempt<()> {
        let mut when = when;
        for index in (0..self.hazards.path.len()).rev() {
            let (condition, zero) = (self.hazards.path[index], self.constant(0));
            when = self.choose(condition, when, zero)?;
        }
        if self.as_constant(when) != Some(0) {
            self.hazards.found.push(Hazard { when, what });
        }
        Ok(())
    }

    /// The probability that a number (0 or 1) is 1, as far as it is resolved.
    fn probability_of(&mut self, event: NodeId) -> Attempt<Fraction> {
        let law = self.law(event)?;
        let happens = law.listed.weight_of(&Integer::ONE);
        Ok(probability(&happens, law.total()))
    }

    /// Those errors among some events that can happen, each of them once the loops before it are over.
    pub(super) fn possible(&mut self, hazards: &[Hazard]) -> Attempt<Vec<(NodeId, Failure)>> {
        let mut possible = Vec::with_capacity(hazards.len());
        let mut waiting = self.constant(0);
        // A loop and the same with marks are rolled apart. What comes after an error in the one must know of the error.
        let mut marked_loops = Vec::new();
        for hazard in hazards {
            if matches!(hazard.what, What::Waits(_)) {
                let over = self.waiting(slice::from_ref(hazard))?;
                waiting = self.linear(0, &[(1, waiting), (1, over)])?;
                continue;
            }
            let mut when = self.linear(0, &[(1, hazard.when), (1, waiting)])?;
            if !marked_loops.is_empty() {
                when = self.replaced(when, &marked_loops)?;
            }
            if self.probability_of(when)? == Fraction::default() {
                continue;
            }
            match hazard.what {
                What::Fails(failure) => possible.push((when, failure)),
                What::FailsInside { values, marked } => {
                    let marks = self.constant(MARKS);
                    let unmarked = self.filtered(Compare::Below, marks, marked)?;
                    marked_loops.push((values, unmarked));
                    for (failure, mark) in self.marks.clone().into_iter().zip(MARKS..) {
                        let (mark, zero) = (self.constant(mark), self.constant(0));
                        let found = self.filtered(Compare::Equal, mark, marked)?;
                        let found = self.is_not_empty(found)?;
                        let when = self.choose(when, found, zero)?;
                        if self.probability_of(when)? != Fraction::default() {
                            possible.push((when, failure));
                        }
                    }
                }
                What::Waits(_) => {}
            }
        }
        Ok(possible)
    }

    /// 0, once all loops among some events are over that may never be.
    pub(super) fn waiting(&mut self, hazards: &[Hazard]) -> Attempt<NodeId> {
        let mut waiting = Vec::new();
        for hazard in hazards {
            if matches!(hazard.what, What::Waits(_)) {
                let law = self.law(hazard.when)?;
                // What is over for certain needs no waiting.
                if law.listed.mass() != *law.total() {
                    waiting.push((1, hazard.when));
                }
            }
        }
        self.linear(0, &waiting)
    }

    /// 1 if any of some events happens.
    pub(super) fn any_of(&mut self, events: &[(NodeId, Failure)]) -> Attempt<NodeId> {
        let events: Vec<_> = events.iter().map(|&(when, _)| (1, when)).collect();
        let count = self.linear(0, &events)?;
        self.at_least(count, 1)
    }

    /// What went wrong in all: the error to be reported, with the probability that any happens, or the number
    /// that is 0 once all loops are over.
    pub(super) fn verdict(&mut self) -> Attempt<Result<NodeId, (Failure, Fraction)>> {
        let mut found = std::mem::take(&mut self.hazards.found);
        // Evaluation never comes to what stands behind a certain error, or behind a loop that never ends.
        for (index, hazard) in found.iter().enumerate() {
            let is_last = match hazard.what {
                What::Fails(_) => self.as_constant(hazard.when) == Some(1),
                What::FailsInside { .. } => false,
                What::Waits(_) => {
                    let law = self.law(hazard.when)?;
                    law.never() == *law.total()
                }
            };
            if is_last {
                found.truncate(index + 1);
                break;
            }
        }
        let possible = self.possible(&found)?;
        if possible.is_empty() {
            return self.waiting(&found).map(Ok);
        }
        for hazard in found {
            if let What::Waits(over) = hazard.what
                && self.law(over)?.never() != Weight::ZERO
            {
                return Err(Stop::Unsupported(Reason::ErrorsBesideEndlessLoop));
            }
        }
        let any = self.any_of(&possible)?;
        let all = self.probability_of(any)?;
        let mut in_the_text: Vec<usize> = (0..possible.len()).collect();
        in_the_text.sort_by_key(|&index| possible[index].1);
        for index in in_the_text {
            let (when, failure) = possible[index];
            let mut before = possible[..index].to_vec();
            before.retain(|&(_, other)| other != failure);
            let (hidden, zero) = (self.any_of(&before)?, self.constant(0));
            let shown = self.choose(hidden, zero, when)?;
            if self.probability_of(shown)? != Fraction::default() {
                return Ok(Err((failure, all)));
            }
        }
        Err(Stop::Unsupported(Reason::ErrorsHideEachOther))
    }
}
