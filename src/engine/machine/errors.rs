//! Whether code may be an error in some state.
//!
//! The machine refuses an error where it meets one. A loop that is followed only so far may have errors in states that were not met.
//! So its code is read: each operator is defined for whatever its operands can be, or the code may fail.

use super::code::{Code, Expr, ExprId, Flow, Gather, Routine, RoutineId, Slot, Source, SourceId};
use crate::ir::{Arithmetic, Arrangement, Folding};
use crate::map::Map;

/// A routine, and those of its slots that may hold something else than a number.
pub(super) struct Reading<'a> {
    code: &'a Code,
    flows: Vec<&'a Flow>,
    exprs: Vec<&'a Expr>,
    lists: Map<Slot, ()>,
}

/// Whether something may be an error. The first values of loops are taken to have all members that their bodies look at.
pub(super) fn may_fail(code: &Code) -> bool {
    code.routines()
        .any(|routine| Reading::of(code, routine).may_fail())
}

impl<'a> Reading<'a> {
    pub(super) fn of(code: &'a Code, routine: &Routine) -> Self {
        let flows = code.flows_from(routine.start);
        let mut open: Vec<ExprId> = Vec::new();
        for flow in &flows {
            match flow {
                Flow::Bind(_, expr, _)
                | Flow::Choose(_, _, expr, ..)
                | Flow::End(expr)
                | Flow::If(expr, ..)
                | Flow::Let(_, expr, _)
                | Flow::Stop(expr) => open.push(*expr),
                Flow::Roll(_, _, arguments, _) => open.extend(arguments.iter()),
            }
        }
        let mut exprs: Map<ExprId, &Expr> = Map::default();
        while let Some(id) = open.pop() {
            let expr = code.expr(id);
            if exprs.insert(id, expr).is_none() {
                expr.for_operands(|operand, _| open.push(operand));
            }
        }
        let mut reading = Self {
            code,
            flows,
            exprs: exprs.into_values().collect(),
            lists: Map::default(),
        };
        while reading.finds_another_list() {}
        reading
    }

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

    /// Adds slots that are set to something else than a number. Whether there were any.
    fn finds_another_list(&mut self) -> bool {
        let mut found: Vec<Slot> = Vec::new();
        for flow in &self.flows {
            match **flow {
                Flow::Bind(slot, value, _) | Flow::Let(slot, value, _) if !self.is_one(value) => {
                    found.push(slot);
                }
                Flow::Roll(slot, source, ..) if !self.rolls_one(source) => found.push(slot),
                _ => {}
            }
        }
        for expr in &self.exprs {
            if let Expr::Let(slot, value, _) = **expr
                && !self.is_one(value)
            {
                found.push(slot);
            }
        }
        let before = self.lists.len();
        self.lists.extend(found.into_iter().map(|slot| (slot, ())));
        self.lists.len() > before
    }

    /// Whether a source gives a number.
    fn rolls_one(&self, source: SourceId) -> bool {
        match self.code.source(source) {
            Source::Best(_, None, _) | Source::Die | Source::Pick(_) | Source::Play(_) => true,
            Source::Best(_, Some(_), candidate) => self.rolls_one(*candidate),
            Source::Call(routine) | Source::Loop(routine, _) => self.ends_with_one(*routine),
            Source::Each(_, gather) | Source::Times(_, gather) => {
                matches!(gather, Gather::Fold(..))
            }
            Source::Draw => false,
        }
    }

    /// Whether all values of a routine are numbers.
    fn ends_with_one(&self, routine: RoutineId) -> bool {
        let reading = Reading::of(self.code, self.code.routine(routine));
        let mut flows = reading.flows.iter();
        flows.all(|flow| match flow {
            Flow::End(value) | Flow::Stop(value) => reading.is_one(*value),
            _ => true,
        })
    }

    /// Whether an expression has one member. A part of a loop's state has.
    pub(super) fn is_one(&self, id: ExprId) -> bool {
        match *self.code.expr(id) {
            Expr::If(_, a, b) => self.is_one(a) && self.is_one(b),
            Expr::Let(_, _, body) => self.is_one(body),
            Expr::Slot(slot) => !self.lists.contains_key(&slot),
            Expr::Select(selection, count, list) => {
                let of_state = match *self.code.expr(list) {
                    Expr::Select(_, _, list) => list,
                    _ => list,
                };
                selection.keeps()
                    && self.code.as_number(count) == Some(1)
                    && matches!(self.code.expr(of_state), Expr::Slot(_))
            }
            _ => self.code.is_number(id),
        }
    }

    /// Whether an expression is a number that is not negative.
    fn is_natural(&self, id: ExprId) -> bool {
        match *self.code.expr(id) {
            Expr::Fold(Folding::Count, _) | Expr::Test(_) => true,
            Expr::Arithmetic(Arithmetic::Max, a, b) => self.is_natural(a) || self.is_natural(b),
            Expr::Arithmetic(Arithmetic::Min, a, b) | Expr::If(_, a, b) => {
                self.is_natural(a) && self.is_natural(b)
            }
            Expr::Linear(constant, ref atoms) => {
                let mut atoms = atoms.iter();
                constant >= 0 && atoms.all(|&(by, atom)| by >= 0 && self.is_natural(atom))
            }
            Expr::Slot(slot) => self.holds_natural(slot),
            _ => self.code.as_number(id).is_some_and(|number| number >= 0),
        }
    }

    /// Whether a slot is only set to numbers that are not negative.
    fn holds_natural(&self, slot: Slot) -> bool {
        let mut is_set = false;
        let are_natural = self.flows.iter().all(|flow| match **flow {
            Flow::Bind(own, value, _) | Flow::Let(own, value, _) if own == slot => {
                is_set = true;
                self.is_natural(value)
            }
            Flow::Roll(own, source, ..) if own == slot => {
                is_set = true;
                let source = self.code.source(source);
                let counts = |gather: &Gather| matches!(gather, Gather::Fold(Folding::Count, _));
                match source {
                    Source::Die => true,
                    Source::Each(_, gather) | Source::Times(_, gather) => counts(gather),
                    Source::Best(..)
                    | Source::Call(_)
                    | Source::Draw
                    | Source::Loop(..)
                    | Source::Pick(_)
                    | Source::Play(_) => false,
                }
            }
            _ => true,
        });
        is_set && are_natural
    }

    /// Whether the arguments of a source let it be rolled.
    fn can_roll(&self, source: SourceId, arguments: &[ExprId]) -> bool {
        match self.code.source(source) {
            // There may be nothing to choose from.
            Source::Best(..) => false,
            Source::Die => {
                let sides = arguments
                    .first()
                    .and_then(|&sides| self.code.as_number(sides));
                sides.is_some_and(|sides| sides >= 1)
            }
            Source::Draw | Source::Times(..) => arguments
                .first()
                .is_some_and(|&count| self.is_natural(count)),
            Source::Call(_)
            | Source::Each(..)
            | Source::Loop(..)
            | Source::Pick(_)
            | Source::Play(_) => true,
        }
    }

    /// Whether an operator may be an error although its operands are none.
    fn is_partial(&self, expr: &Expr) -> bool {
        match *expr {
            Expr::Arrange(Arrangement::Shuffle, _)
            | Expr::Difference(..)
            | Expr::Fail
            | Expr::While(..) => true,
            Expr::Arithmetic(operator, a, b) => {
                let by = self.code.as_number(b);
                let is_defined = match operator {
                    Arithmetic::Divide
                    | Arithmetic::FloorDivide
                    | Arithmetic::Modulo
                    | Arithmetic::Remainder => by.is_some_and(|by| by != 0),
                    Arithmetic::Power => by.is_some_and(|by| by >= 0),
                    _ => operator.is_total(),
                };
                !is_defined || !self.is_one(a) || !self.is_one(b)
            }
            Expr::Copies(count, _) | Expr::Select(_, count, _) => !self.is_natural(count),
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
