//! Loops of whose states only the last one is asked for.
//!
//! The value of a loop is the list of all its states, one after the other. A state with lists in it ends with their lengths, so what
//! looks at the end of the list of all states looks at the last one alone, if that has as many members.

use super::code::{Expr, ExprId, RoutineId, Source};
use super::compile::{Asked, Bound, Compiler, Ending, Frame, Looping};
use crate::engine::program::Order;
use crate::ir::{Selection, Term, TermId};

impl Compiler<'_, '_, '_> {
    /// What is asked of the last state of the loop whose body is compiled.
    pub(super) fn last_state(&mut self, asked: Asked) -> Option<ExprId> {
        let state = self.code.add(Expr::Slot(0));
        match asked {
            Asked::End => Some(state),
            Asked::Last(count) => {
                let count = self.code.number(i64::try_from(count).ok()?)?;
                Some(self.code.add(Expr::Select(Selection::Last, count, state)))
            }
        }
    }

    /// The routine of the body of a loop whose value is that of a term for the last state.
    pub(super) fn worth(&mut self, id: TermId) -> Option<RoutineId> {
        let Term::Let(value, worth) = *self.store.arena.term(id) else {
            return None;
        };
        let Looping { first, body, asked } = self.looping(value)?;
        let order = self.store.order_of_state(body, (worth, Order::Ignored));
        self.body(body, order, Ending::Worth(first, worth, Some(asked)))
    }

    /// The loop of whose states a term is the list, or so many of the last members of it.
    pub(super) fn looping(&mut self, id: TermId) -> Option<Looping> {
        let arena = self.store.arena;
        let (list, asked) = match *arena.term(id) {
            Term::Select(Selection::Last, count, list, _) => match arena.term(count) {
                Term::Integer(count) => {
                    let count = count.to_usize().filter(|&count| count > 0)?;
                    (list, Asked::Last(count))
                }
                _ => return None,
            },
            _ => (id, Asked::End),
        };
        match *arena.term(list) {
            Term::While(first, body) if asked != Asked::End || self.store.is_random(id) => {
                Some(Looping { first, body, asked })
            }
            _ => None,
        }
    }

    /// What is asked of the last state of a loop, or the value of a term for it.
    pub(super) fn looped(
        &mut self,
        looping: &Looping,
        order: Order,
        result: Option<(TermId, Order)>,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let first = self.value(looping.first, order, frame)?;
        let routine = self.body(looping.body, order, Ending::Loop(looping.asked, result))?;
        let arguments = self.arguments(routine, 1, vec![first], frame)?;
        let kept = match looping.asked {
            Asked::End => 1,
            Asked::Last(count) => count,
        };
        Some(self.rolled(Source::Loop(routine, kept), arguments, frame))
    }

    /// Whether a term is an end of the list of all states of a loop, or that without some of its last members.
    pub(super) fn is_end(&self, id: TermId, frame: &Frame) -> bool {
        match *self.store.arena.term(id) {
            Term::Variable(index) => matches!(frame.variable(index), Bound::End(_)),
            Term::Select(Selection::DropLast | Selection::Last, _, list, _) => {
                self.is_end(list, frame)
            }
            _ => false,
        }
    }

    /// A selection of members at the end of the list of all states of a loop. All are members of the last state.
    pub(super) fn end_of_states(
        &mut self,
        selection: Selection,
        count: TermId,
        list: TermId,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let count = self.number(count, frame)?;
        let list = match *self.store.arena.term(list) {
            Term::Variable(index) => match frame.variable(index) {
                Bound::End(last) => last,
                _ => return None,
            },
            Term::Select(selection, count, list, _) => {
                self.end_of_states(selection, count, list, frame)?
            }
            _ => return None,
        };
        Some(self.code.add(Expr::SelectSurely(selection, count, list)))
    }
}
