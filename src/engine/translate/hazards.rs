//! The hazards of a program, collected in the order of evaluation.

use crate::engine::failure::Failure;
use crate::engine::program::NodeId;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::engine::translate::event::{Hazard, HazardKind};
use crate::engine::translate::translator::Translator;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, SiteId};

impl Translator<'_, '_> {
    /// Translates something that is evaluated only if a condition (0 or 1) is 1.
    pub(in crate::engine) fn on_path<T>(
        &mut self,
        condition: NodeId,
        translate: impl FnOnce(&mut Self) -> Attempt<T>,
    ) -> Attempt<T> {
        if self.store.as_constant(condition) == Some(1) {
            return translate(self);
        }
        self.hazards.path.push(condition);
        let result = translate(self);
        self.hazards.path.pop();
        result
    }

    /// Translates something, and returns its own hazards without adding them to those of the program.
    pub(in crate::engine) fn collecting_hazards<T>(
        &mut self,
        translate: impl FnOnce(&mut Self) -> Attempt<T>,
    ) -> Attempt<(T, Vec<Hazard>)> {
        let outside = std::mem::take(&mut self.hazards);
        let result = translate(self);
        let inside = std::mem::replace(&mut self.hazards, outside);
        Ok((result?, inside.found))
    }

    /// Adds hazards that were collected before, under the current conditions.
    pub(in crate::engine) fn add_hazards(&mut self, hazards: &[Hazard]) -> Attempt<()> {
        hazards
            .iter()
            .try_for_each(|hazard| self.add_hazard(hazard.when, hazard.kind))
    }

    /// Adds the error of a whole expression, unless a condition (0 or 1) is 1.
    pub(in crate::engine) fn must_hold(
        &mut self,
        condition: NodeId,
        kind: ErrorKind,
        site: SiteId,
    ) -> Attempt<()> {
        let span = self.store.arena.site_of(site).whole;
        self.must_hold_or(condition, Failure { span, kind })
    }

    /// Adds an error, unless a condition (0 or 1) is 1.
    pub(in crate::engine) fn must_hold_or(
        &mut self,
        condition: NodeId,
        failure: Failure,
    ) -> Attempt<()> {
        let not = self.store.complement(condition)?;
        self.add_hazard(not, HazardKind::Fails(failure))
    }

    /// Adds the errors of an operator on numbers.
    pub(in crate::engine) fn must_be_defined(
        &mut self,
        operator: Arithmetic,
        a: NodeId,
        b: NodeId,
        site: SiteId,
    ) -> Attempt<()> {
        match operator {
            Arithmetic::Divide
            | Arithmetic::FloorDivide
            | Arithmetic::Modulo
            | Arithmetic::Remainder => {
                let zero = self.store.equals(b, 0)?;
                let not = self.store.complement(zero)?;
                self.must_hold(not, ErrorKind::DivisionByZero, site)
            }
            Arithmetic::Concatenate => {
                let holds = self.store.at_least(b, 0)?;
                self.must_hold(holds, ErrorKind::Domain, site)
            }
            Arithmetic::Power => {
                let (zero, one) = (self.store.equals(a, 0)?, self.store.constant(1));
                let natural = self.store.at_least(b, 0)?;
                let holds = self.store.choose(zero, natural, one)?;
                self.must_hold(holds, ErrorKind::Domain, site)
            }
            _ => {
                debug_assert!(
                    operator.is_total(),
                    "{operator:?} is defined for all numbers"
                );
                Ok(())
            }
        }
    }

    /// Adds a hazard that happens if the number is 1 and all current conditions hold.
    pub(in crate::engine) fn add_hazard(&mut self, when: NodeId, kind: HazardKind) -> Attempt<()> {
        let (mut when, mut kind) = (when, kind);
        for index in (0..self.hazards.path.len()).rev() {
            let (condition, zero) = (self.hazards.path[index], self.store.constant(0));
            when = self.store.choose(condition, when, zero)?;
            if let HazardKind::NeverEnds(over) = &mut kind {
                *over = self.store.choose(condition, *over, zero)?;
            }
        }
        if self.store.as_constant(when) != Some(0) {
            self.hazards.found.push(Hazard { when, kind });
        }
        Ok(())
    }
}
