//! Numbers of a loop of which only the differences matter, once all are large.
//!
//! In tennis a game goes on until somebody has four points or more, and two more than the other. From four points each on, only the
//! difference counts: so 9 to 8 is the same state as 5 to 4. Some numbers of a state move together in this way if a round adds to each
//! of them what does not depend on their size, if what decides compares their differences, or a sum of them with a number that all
//! larger ones pass alike, and if the value of the loop stays the same.

use super::bounds::Bounds;
use super::code::{Expr, ExprId, Flow, Routine, Slot};
use super::reading::{Reading, parts};
use crate::ir::{Arithmetic, Folding};
use crate::stack;

/// Numbers that move together: their places from the end of a state, and the least that they are moved down to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    pub(super) places: Vec<usize>,
    pub(super) least: i64,
}

impl Shift {
    /// The numbers at some places, if they move together.
    pub(super) fn of(
        reading: &mut Reading<'_>,
        routine: &Routine,
        places: Vec<usize>,
    ) -> Option<Self> {
        let rolled = reading.flows.iter().filter_map(|flow| match flow {
            Flow::Roll(slot, ..) => Some(*slot),
            _ => None,
        });
        let mut search = Search {
            reading,
            places: &places,
            rolled: rolled.collect(),
            least: 0,
        };
        let mut flows = reading.code.flows_from(routine.start).into_iter();
        let moves = flows.all(|flow| search.flow(flow));
        let least = search.least;
        let stay = moves && (least == 0 || stay_at_least(reading, routine, &places, least));
        stay.then_some(Self { places, least })
    }

    /// Moves the numbers of a state down.
    pub(super) fn move_down(&self, members: &mut [i64]) {
        let length = members.len();
        let places = self
            .places
            .iter()
            .map(|place| length.checked_sub(1 + place));
        let Some(places) = places.collect::<Option<Vec<usize>>>() else {
            return;
        };
        let lowest = places.iter().map(|place| members[*place]).min();
        let distance = lowest.map_or(0, |lowest| lowest.saturating_sub(self.least));
        if distance > 0 {
            for place in places {
                members[place] -= distance;
            }
        }
    }
}

/// Whether numbers at some places that are at least so large stay at least so large in each round.
fn stay_at_least(
    reading: &mut Reading<'_>,
    routine: &Routine,
    places: &[usize],
    least: i64,
) -> bool {
    let known = (0..reading.size).map(|place| {
        if places.contains(&place) {
            Bounds::at_least(least)
        } else {
            Bounds::default()
        }
    });
    reading.known = known.collect();
    let mut flows = reading.code.flows_from(routine.start).into_iter();
    flows.all(|flow| {
        let Flow::End(next) = flow else { return true };
        let parts = parts(reading.code, *next);
        let mut parts = parts.into_iter().rev().enumerate();
        parts.all(|(place, part)| {
            !places.contains(&place) || reading.bounds(part).least >= Some(least)
        })
    })
}

struct Search<'r> {
    reading: &'r Reading<'r>,
    places: &'r [usize],
    rolled: Vec<Slot>,
    /// The size from which on all comparisons with fixed numbers have the same result.
    least: i64,
}

impl Search<'_> {
    fn flow(&mut self, flow: &Flow) -> bool {
        match flow {
            Flow::Bind(_, value, _) | Flow::Let(_, value, _) => self.moves(*value).is_some(),
            Flow::Choose(..) => false,
            Flow::If(value, ..) | Flow::Stop(value) => self.moves(*value) == Some(0),
            Flow::Roll(_, _, arguments, _) => {
                let mut arguments = arguments.iter();
                arguments.all(|&argument| self.moves(argument) == Some(0))
            }
            Flow::End(next) => {
                let parts = parts(self.reading.code, *next);
                let mut parts = parts.into_iter().rev().enumerate();
                parts.all(|(place, part)| {
                    self.moves(part) == Some(i64::from(self.places.contains(&place)))
                })
            }
        }
    }

    /// By how much an expression moves where the numbers move by 1, if that is known.
    fn moves(&mut self, id: ExprId) -> Option<i64> {
        if let Some(place) = self.reading.place(id) {
            return Some(i64::from(self.places.contains(&place)));
        }
        match *self.reading.code.expr(id) {
            Expr::Arithmetic(Arithmetic::Max | Arithmetic::Min, a, b) => self.alike(a, b),
            Expr::If(condition, a, b) if self.moves(condition) == Some(0) => self.alike(a, b),
            Expr::Let(_, _, body) => self.moves(body),
            Expr::Linear(_, ref atoms) => atoms.iter().try_fold(0_i64, |sum, &(factor, atom)| {
                sum.checked_add(factor.checked_mul(self.moves(atom)?)?)
            }),
            Expr::Slot(slot) if self.rolled.contains(&slot) => Some(0),
            Expr::Slot(slot) => {
                let value = *self.reading.values.get(&slot)?;
                stack::level(|| self.moves(value))
            }
            Expr::Fold(Folding::Count, list) | Expr::Test(list) => {
                self.is_settled(list).then_some(0)
            }
            ref expr => {
                let mut operands = Vec::new();
                expr.for_operands(|operand, bound| operands.push((operand, bound)));
                let mut operands = operands.into_iter();
                let stays = operands.all(|(operand, bound)| {
                    bound.is_none() && stack::level(|| self.moves(operand)) == Some(0)
                });
                stays.then_some(0)
            }
        }
    }

    fn alike(&mut self, a: ExprId, b: ExprId) -> Option<i64> {
        let moved = stack::level(|| self.moves(a))?;
        (stack::level(|| self.moves(b)) == Some(moved)).then_some(moved)
    }

    /// Whether a list has as many members wherever the numbers are moved.
    fn is_settled(&mut self, list: ExprId) -> bool {
        match *self.reading.code.expr(list) {
            Expr::Filter(_, a, b) => {
                let (Some(of_a), Some(of_b)) = (self.moves(a), self.moves(b)) else {
                    return false;
                };
                of_a == of_b || self.passes(a, b) || self.passes(b, a)
            }
            Expr::If(condition, a, b) => {
                self.moves(condition) == Some(0) && self.is_settled(a) && self.is_settled(b)
            }
            Expr::Let(_, _, body) => self.is_settled(body),
            _ => self.moves(list) == Some(0),
        }
    }

    /// Whether an expression passes a fixed number once all numbers are large enough.
    fn passes(&mut self, number: ExprId, id: ExprId) -> bool {
        let number = self.reading.code.as_number(number);
        let Some((number, behind)) = number.zip(self.behind(id)) else {
            return false;
        };
        let least = number.saturating_abs().saturating_add(behind);
        self.least = self.least.max(least.saturating_add(1));
        true
    }

    /// How far an expression may stay behind the least of the numbers. `None` if it may stay behind for ever.
    fn behind(&self, id: ExprId) -> Option<i64> {
        if let Some(place) = self.reading.place(id) {
            return self.places.contains(&place).then_some(0);
        }
        match *self.reading.code.expr(id) {
            Expr::Arithmetic(Arithmetic::Max | Arithmetic::Min, a, b) => {
                let behind = [a, b].map(|part| stack::level(|| self.behind(part)));
                Some(behind[0]?.max(behind[1]?))
            }
            Expr::Linear(constant, ref atoms) => {
                let all = constant.saturating_abs();
                atoms.iter().try_fold(all, |all, &(factor, atom)| {
                    let behind = self.behind(atom).filter(|_| factor > 0)?;
                    Some(all.saturating_add(behind.saturating_mul(factor)))
                })
            }
            Expr::Slot(slot) => {
                let value = *self.reading.values.get(&slot)?;
                stack::level(|| self.behind(value))
            }
            _ => None,
        }
    }
}
