//! Whether code may fail in some state.
//!
//! The machine refuses an error where it meets one. A loop that is followed only so far may have errors in states that were not met. So its
//! code is read: it may fail unless each operator is defined for all values that its operands can have. The least number that was met at a
//! place of the state is the least of all, if no round leads from there to a lesser number.

use super::bounds::Bounds;
use super::code::{Code, Expr, ExprId, Flow, FlowId, Source, SourceId};
use super::reading::{Reading, parts};
use crate::ir::{Arena, Arithmetic, Arrangement, Folding};
use crate::map::Map;

/// Whether code may fail. The first values of loops are assumed to have all members that the bodies look at. `met` has the least numbers
/// that were met at the last places of a loop's states, by the start of its body.
pub(super) fn may_fail(code: &Code, arena: &Arena, met: &Map<FlowId, Vec<i64>>) -> bool {
    let is_only = code.loops() == 1;
    code.routines().any(|routine| {
        let mut reading = Reading::of(code, arena, routine);
        if let Some(met) = met.get(&routine.start).filter(|_| is_only) {
            reading.find_least(met);
        }
        reading.may_fail()
    })
}

impl Reading<'_> {
    /// Whether something in the routine may be an error.
    fn may_fail(&self) -> bool {
        let mut flows = self.flows.iter();
        self.exprs.iter().any(|expr| self.is_partial(expr))
            || flows.any(|flow| match flow {
                Flow::If(condition, ..) => !self.is_one(*condition),
                Flow::Roll(_, source, arguments, _) => !self.can_roll(*source, arguments),
                Flow::Choose(..) => true,
                Flow::Bind(..) | Flow::End(_) | Flow::Let(..) | Flow::Stop(_) => false,
            })
    }

    /// Finds the least number at each place, from the least that was met.
    fn find_least(&mut self, met: &[i64]) {
        self.known = met.iter().copied().map(Bounds::at_least).collect();
        self.known.truncate(self.size);
        loop {
            let before = self.known.clone();
            for flow in &self.flows {
                let Flow::End(next) = **flow else { continue };
                let parts = parts(self.code, next);
                let parts = parts.into_iter().rev().zip(&before);
                for (place, (part, &known)) in parts.enumerate() {
                    if self.bounds(part).least < known.least {
                        self.known[place] = Bounds::default();
                    }
                }
            }
            if self.known == before {
                return;
            }
        }
    }

    /// Whether an expression is a number that is not negative.
    fn is_natural(&self, id: ExprId) -> bool {
        self.bounds(id).least >= Some(0)
    }

    /// Whether the arguments of a source let it be rolled.
    fn can_roll(&self, source: SourceId, arguments: &[ExprId]) -> bool {
        match self.code.source(source) {
            // There may be nothing to choose from.
            Source::Best(..) => false,
            Source::Die => {
                let mut sides = arguments.first().into_iter();
                sides.any(|&sides| self.bounds(sides).least >= Some(1))
            }
            Source::Draw(_) | Source::Times(..) => arguments
                .first()
                .is_some_and(|&count| self.is_natural(count)),
            Source::Call(_)
            | Source::Each(..)
            | Source::Loop(..)
            | Source::Pick(_)
            | Source::Play(_)
            | Source::Sum(_) => true,
        }
    }

    /// Whether an operator may be an error although its operands are none.
    pub(super) fn is_partial(&self, expr: &Expr) -> bool {
        match *expr {
            Expr::Arrange(Arrangement::Shuffle, _)
            | Expr::Difference(..)
            | Expr::Fail
            | Expr::While(..) => true,
            Expr::Arithmetic(operator, a, b) => {
                let (by, least) = (self.code.as_number(b), self.bounds(b).least);
                let is_defined = match operator {
                    Arithmetic::Divide
                    | Arithmetic::FloorDivide
                    | Arithmetic::Modulo
                    | Arithmetic::Remainder => by
                        .or(least.filter(|&least| least > 0))
                        .is_some_and(|by| by != 0),
                    Arithmetic::Power => least.is_some_and(|least| least >= 0),
                    _ => operator.is_total(),
                };
                !is_defined || !self.is_one(a) || !self.is_one(b)
            }
            Expr::Copies(count, _)
            | Expr::Select(_, count, _)
            | Expr::SelectSurely(_, count, _) => !self.is_natural(count),
            Expr::Filter(_, number, _) => !self.is_one(number),
            Expr::Fold(Folding::Only, list) => !self.is_one(list),
            Expr::If(condition, ..) => !self.is_one(condition),
            Expr::Linear(_, ref atoms) => !atoms.iter().all(|&(_, atom)| self.is_one(atom)),
            Expr::Range(a, b) => !self.is_one(a) || !self.is_one(b),
            Expr::Arrange(..)
            | Expr::Compare(..)
            | Expr::Fold(..)
            | Expr::Foreach(..)
            | Expr::Join(_)
            | Expr::Let(..)
            | Expr::Slot(_)
            | Expr::Test(_)
            | Expr::Without(..)
            | Expr::Word(_) => false,
        }
    }
}
