//! What the code of a routine says about its slots and, for the body of a loop, about the places of the state.
//!
//! A state is a list. The numbers at its end have fixed places, which are counted from the end, because lists stand before them.

use super::bounds::Bounds;
use super::code::{Code, Expr, ExprId, Flow, Gather, Routine, RoutineId, Slot, Source, SourceId};
use crate::ir::{Arena, Comparison, Selection};
use crate::map::Map;

/// A routine, and those of its slots that may hold something else than a number.
pub(super) struct Reading<'a> {
    pub(super) code: &'a Code,
    pub(super) arena: &'a Arena,
    pub(super) flows: Vec<&'a Flow>,
    pub(super) exprs: Vec<&'a Expr>,
    lists: Map<Slot, ()>,
    /// The number of slots that are given to the routine.
    given: Slot,
    /// The values of the slots that are set in one place, and all values of the others.
    pub(super) values: Map<Slot, ExprId>,
    pub(super) several: Vec<ExprId>,
    /// How many members each state has at least.
    kept: usize,
    /// How many numbers at the end of a state have fixed places.
    pub(super) size: usize,
    /// Whether a state has no other members.
    pub(super) is_whole: bool,
    /// Between which numbers the number at each place lies, where that is known.
    pub(super) known: Vec<Bounds>,
}

/// The parts of a list that is joined.
pub(super) fn parts(code: &Code, list: ExprId) -> Vec<ExprId> {
    match code.expr(list) {
        Expr::Join(parts) => parts.to_vec(),
        _ => vec![list],
    }
}

impl<'a> Reading<'a> {
    pub(super) fn of(code: &'a Code, arena: &'a Arena, routine: &Routine) -> Self {
        let mut flows = code.flows_from(routine.start);
        flows.extend(
            routine
                .first
                .iter()
                .flat_map(|&first| code.flows_from(first)),
        );
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
            arena,
            flows,
            exprs: exprs.into_values().collect(),
            lists: Map::default(),
            given: Slot::try_from(routine.variables.len()).unwrap_or(Slot::MAX),
            values: Map::default(),
            several: Vec::new(),
            kept: routine.kept,
            size: 0,
            is_whole: false,
            known: Vec::new(),
        };
        while reading.finds_another_list() {}
        reading.find_places();
        reading.find_values();
        reading
    }

    /// Finds which places of a state are fixed.
    fn find_places(&mut self) {
        let ends = self.flows.iter().filter_map(|flow| match flow {
            Flow::End(next) if *self.code.expr(*next) != Expr::Fail => Some(*next),
            _ => None,
        });
        let ends: Vec<ExprId> = ends.collect();
        let lengths = ends.iter().map(|&next| parts(self.code, next).len());
        self.size = lengths.max().unwrap_or(0);
        self.is_whole = true;
        let mut all = ends.iter();
        self.is_whole = all.all(|&next| self.numbers_at_end(next) == self.size);
        if !self.is_whole {
            self.size = usize::MAX;
            let sizes = ends.iter().map(|&next| self.numbers_at_end(next));
            self.size = sizes.min().unwrap_or(0);
        }
    }

    /// Finds the values of slots. A part of a round with several ends sets one slot at each of them.
    fn find_values(&mut self) {
        let mut values: Map<Slot, Vec<ExprId>> = Map::default();
        let bound = self.flows.iter().filter_map(|flow| match flow {
            Flow::Bind(slot, value, _) | Flow::Let(slot, value, _) => Some((*slot, *value)),
            _ => None,
        });
        let within = self.exprs.iter().filter_map(|expr| match expr {
            Expr::Let(slot, value, _) => Some((*slot, *value)),
            _ => None,
        });
        for (slot, value) in bound.chain(within) {
            let known = values.entry(slot).or_default();
            if !known.contains(&value) {
                known.push(value);
            }
        }
        for (slot, values) in values {
            match values[..] {
                [only] => drop(self.values.insert(slot, only)),
                _ => self.several.extend(values),
            }
        }
    }

    /// Adds slots that are set to something else than a number, and returns whether there were any.
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
            Source::Best(_, candidate) => self.rolls_one(*candidate),
            Source::Die | Source::Pick(_) | Source::Play(_) | Source::Sum(_) => true,
            Source::Call(routine) | Source::Loop(routine) => self.ends_with_one(*routine),
            Source::Each(_, gather) | Source::Times(_, gather) => {
                matches!(gather, Gather::Fold(..))
            }
            Source::Draw(_) => false,
        }
    }

    /// Whether all values of a routine are numbers.
    fn ends_with_one(&self, routine: RoutineId) -> bool {
        let reading = Reading::of(self.code, self.arena, self.code.routine(routine));
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
            Expr::Select(selection, count, list) | Expr::SelectSurely(selection, count, list) => {
                let of_state = match *self.code.expr(list) {
                    Expr::Select(_, _, list) | Expr::SelectSurely(_, _, list) => list,
                    _ => list,
                };
                selection.keeps()
                    && self.code.as_number(count) == Some(1)
                    && matches!(self.code.expr(of_state), Expr::Slot(_))
            }
            _ => self.code.is_number(id),
        }
    }

    /// Whether a part of a state is a number. What is given to the body may be a list.
    pub(super) fn is_number(&self, id: ExprId) -> bool {
        match *self.code.expr(id) {
            Expr::Slot(slot) if slot < self.given => self.place(id).is_some(),
            _ => self.is_one(id),
        }
    }

    /// The number of parts at the end of a next state that are surely numbers.
    pub(super) fn numbers_at_end(&self, next: ExprId) -> usize {
        let parts = parts(self.code, next);
        let numbers = parts.iter().rev().take_while(|&&part| self.is_number(part));
        numbers.count()
    }

    /// The place of the only member of the state that an expression is.
    pub(super) fn place(&self, id: ExprId) -> Option<usize> {
        let (after, end) = self.members(id)?;
        (end == after + 1 && end <= self.size).then_some(after)
    }

    /// The place of the part of the state that is compared with a known number, where one of two expressions is that part, plus or minus
    /// a constant, and the other a number; and the part at which both are equal.
    pub(super) fn compared(&self, a: ExprId, b: ExprId) -> Option<(usize, i64)> {
        let met = |part: ExprId, number: ExprId| {
            let number = self.code.as_number(number)?;
            let (constant, factor, atom) = match *self.code.expr(part) {
                Expr::Linear(constant, ref atoms) => match atoms[..] {
                    [(factor @ (1 | -1), atom)] => (constant, factor, atom),
                    _ => return None,
                },
                _ => (0, 1, part),
            };
            let number = number.checked_sub(constant)?.checked_mul(factor)?;
            Some((self.place(atom)?, number))
        };
        met(a, b).or_else(|| met(b, a))
    }

    /// The numbers with which a round compares a part of the state for equality, each with the place of the part.
    pub(super) fn met(&self) -> Vec<(usize, i64)> {
        let compared = self.exprs.iter().filter_map(|expr| match **expr {
            Expr::Filter(Comparison::Equal | Comparison::NotEqual, a, b) => Some((a, b)),
            _ => None,
        });
        compared.filter_map(|(a, b)| self.compared(a, b)).collect()
    }

    /// The members of the state, one after the other, that an expression is: after which place from the end they are, and before
    /// which. There is no end to the places before those that are fixed.
    pub(super) fn members(&self, id: ExprId) -> Option<(usize, usize)> {
        const ALL: usize = usize::MAX;
        match *self.code.expr(id) {
            Expr::Slot(0) if self.given > 0 => {
                Some((0, if self.is_whole { self.size } else { ALL }))
            }
            Expr::Slot(slot) => self.members(*self.values.get(&slot)?),
            Expr::Select(selection, count, list) | Expr::SelectSurely(selection, count, list) => {
                let (after, end) = self.members(list)?;
                let count = usize::try_from(self.code.as_number(count)?).ok()?;
                let kept = |count: usize| end.min(after.saturating_add(count));
                match selection {
                    Selection::Last => Some((after, kept(count))),
                    Selection::DropLast => Some((kept(count), end)),
                    Selection::First if end < ALL => {
                        Some((after.max(end.saturating_sub(count)), end))
                    }
                    Selection::DropFirst if end < ALL => {
                        Some((after, after.max(end.saturating_sub(count))))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A range of the state that contains all its members on which an expression depends, if such a range is known. The expression may
    /// depend on fewer members.
    pub(super) fn reach(&self, id: ExprId) -> Option<(usize, usize)> {
        let exact = self.members(id);
        if exact.is_some() {
            return exact;
        }
        match *self.code.expr(id) {
            Expr::Slot(slot) => self.reach(*self.values.get(&slot)?),
            Expr::Select(selection, count, list) | Expr::SelectSurely(selection, count, list) => {
                let count = usize::try_from(self.code.as_number(count)?).ok()?;
                let (after, end) = self.reach(list)?;
                // A state of no fixed length has as many members as are asked for, or more, and its first ones are the farthest.
                match self.members(list) {
                    Some(_) if selection == Selection::First => {
                        Some((after.max(self.kept.saturating_sub(count)), end))
                    }
                    _ => Some((after, end)),
                }
            }
            _ => None,
        }
    }
}
