//! Whether code may fail in some state.
//!
//! The machine refuses an error where it meets one. A loop that is followed only so far may have errors in states that were not met. So its
//! code is read: it may fail unless each operator is defined for all values that its operands can have. The least number that was met at a
//! place of the state is the least of all, if no round leads from there to a lesser number.

use super::code::{Code, Expr, ExprId, Flow, FlowId, Gather, Slot, Source, SourceId};
use super::reading::{Reading, parts};
use crate::ir::{Arena, Arithmetic, Arrangement, Folding, Term};
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
        self.least = met.iter().copied().map(Some).collect();
        self.least.truncate(self.size);
        loop {
            let before = self.least.clone();
            for flow in &self.flows {
                let Flow::End(next) = **flow else { continue };
                let parts = parts(self.code, next);
                let parts = parts.into_iter().rev().zip(&before);
                for (place, (part, &known)) in parts.enumerate() {
                    if self.least_of(part).is_none_or(|least| Some(least) < known) {
                        self.least[place] = None;
                    }
                }
            }
            if self.least == before {
                return;
            }
        }
    }

    /// Whether an expression is a number that is not negative.
    fn is_natural(&self, id: ExprId) -> bool {
        self.least_of(id).is_some_and(|least| least >= 0)
    }

    /// No more than an expression can be, if it is a number.
    pub(super) fn least_of(&self, id: ExprId) -> Option<i64> {
        if let Some(place) = self.place(id) {
            return self.least.get(place).copied().flatten();
        }
        match *self.code.expr(id) {
            Expr::Fold(Folding::Count, _) | Expr::Test(_) => Some(0),
            Expr::Arithmetic(Arithmetic::Max, a, b) => self.least_of(a).max(self.least_of(b)),
            Expr::Arithmetic(Arithmetic::Min, a, b) | Expr::If(_, a, b) => {
                Some(self.least_of(a)?.min(self.least_of(b)?))
            }
            Expr::Linear(constant, ref atoms) => {
                let mut atoms = atoms.iter();
                atoms.try_fold(constant, |sum, &(factor, atom)| {
                    let least = self.least_of(atom).filter(|_| factor >= 0)?;
                    sum.checked_add(least.checked_mul(factor)?)
                })
            }
            Expr::Let(_, _, body) => self.least_of(body),
            Expr::Slot(slot) => self.least_in(slot),
            _ => self.code.as_number(id),
        }
    }

    /// No more than what a slot can hold.
    fn least_in(&self, slot: Slot) -> Option<i64> {
        if let Some(&value) = self.values.get(&slot) {
            return self.least_of(value);
        }
        let set = self.flows.iter().filter_map(|flow| match **flow {
            Flow::Bind(own, value, _) | Flow::Let(own, value, _) if own == slot => {
                Some(self.least_of(value))
            }
            Flow::Roll(own, source, ..) if own == slot => Some(self.least_rolled(source)),
            _ => None,
        });
        set.reduce(Option::min).flatten()
    }

    /// No more than what a source can give.
    fn least_rolled(&self, source: SourceId) -> Option<i64> {
        match *self.code.source(source) {
            Source::Die => Some(1),
            Source::Each(_, Gather::Fold(Folding::Count, _))
            | Source::Times(_, Gather::Fold(Folding::Count, _)) => Some(0),
            Source::Pick(term) => match self.arena.term(term) {
                Term::Pick(faces) => {
                    let faces = faces.weighted().iter().map(|(face, _)| face.to_i64());
                    faces.reduce(Option::min)?
                }
                _ => None,
            },
            Source::Call(routine) => {
                let called = Reading::of(self.code, self.arena, self.code.routine(routine));
                let ends = called.flows.iter().filter_map(|flow| match **flow {
                    Flow::End(value) | Flow::Stop(value) => Some(called.least_of(value)),
                    _ => None,
                });
                ends.reduce(Option::min).flatten()
            }
            _ => None,
        }
    }

    /// Whether the arguments of a source let it be rolled.
    fn can_roll(&self, source: SourceId, arguments: &[ExprId]) -> bool {
        match self.code.source(source) {
            // There may be nothing to choose from.
            Source::Best(..) => false,
            Source::Die => {
                let sides = arguments.first().and_then(|&sides| self.least_of(sides));
                sides.is_some_and(|sides| sides >= 1)
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
                let (by, least) = (self.code.as_number(b), self.least_of(b));
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
