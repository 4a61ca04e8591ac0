//! Loops of which only the last state is asked for.
//!
//! The value of a loop is the list of all its states, one after the other. A state with lists in it ends with their lengths. So a term that
//! looks at the end of the list of all states looks only at the last state, if that has enough members.

use super::code::{Expr, ExprId, RoutineId, Source};
use super::compile::{Bound, Compiler, Ending, Frame, Looping, MOST_TERMS, Made, StatesQuestion};
use super::reading::parts;
use super::words::Word;
use crate::engine::program::{MOST_MEMBERS, Order, Store};
use crate::ir::{Arena, Folding, Selection, Term, TermId};
use crate::stack;

/// How many first rounds of a loop may be written out for each roll that waits.
const ROUNDS_PER_ROLL: usize = 2;

impl Compiler<'_, '_, '_> {
    /// What is asked of the last state of the loop whose body is compiled.
    pub(super) fn last_state(&mut self, asked: StatesQuestion) -> Option<ExprId> {
        let state = self.code.add(Expr::Slot(0));
        match asked {
            StatesQuestion::End => Some(state),
            StatesQuestion::Last(count, seen) if (0..count).all(|place| is_seen(seen, place)) => {
                let count = self.code.number(i64::try_from(count).ok()?)?;
                Some(self.code.add(Expr::Select(Selection::Last, count, state)))
            }
            StatesQuestion::Last(count, seen) => {
                let members = (0..count).rev();
                let members = members.map(|place| {
                    self.last_state(StatesQuestion::Member(
                        Some(place).filter(|&place| is_seen(seen, place)),
                    ))
                });
                let members: Vec<ExprId> = members.collect::<Option<_>>()?;
                Some(match members[..] {
                    [only] => only,
                    _ => self.code.add(Expr::Join(members.into())),
                })
            }
            StatesQuestion::Member(None) => self.code.number(0),
            StatesQuestion::Member(Some(place)) => {
                let one = self.code.number(1)?;
                let end = self.code.number(i64::try_from(place).ok()? + 1)?;
                let end = self.code.add(Expr::Select(Selection::Last, end, state));
                Some(self.code.add(Expr::Select(Selection::First, one, end)))
            }
        }
    }

    /// The routine of the body of a loop whose value is a number: a part of the last state, or a term over it.
    pub(super) fn worth(&mut self, id: TermId) -> Option<RoutineId> {
        let (value, worth) = match *self.store.arena.term(id) {
            Term::Let(value, worth) => (value, Some(worth)),
            _ => (id, None),
        };
        let Looping { first, body, asked } = self.looping(value)?;
        let order = match worth {
            Some(worth) => self
                .store
                .order_of_state(first, body, (worth, Order::Ignored)),
            None => Order::Kept,
        };
        self.body(body, order, Ending::Worth(first, worth, Some(asked)))
    }

    /// The routine of the body of a loop that is followed for a member of its last state at a place from the end, or for its end alone.
    pub(super) fn last_member(&mut self, id: TermId, place: Option<usize>) -> Option<RoutineId> {
        let Looping { first, body, .. } = self.looping(id)?;
        let asked = Some(StatesQuestion::Member(place));
        self.body(body, Order::Kept, Ending::Worth(first, None, asked))
    }

    /// The loop of a term that is the list of all states of a loop, or a number of last members of this list.
    pub(super) fn looping(&mut self, id: TermId) -> Option<Looping> {
        let arena = self.store.arena;
        let (list, asked) = match *arena.term(id) {
            Term::Select(Selection::Last, count, list, _) => match arena.term(count) {
                Term::Integer(count) => {
                    let count = count.to_usize();
                    let count = count.filter(|count| (1..=MOST_MEMBERS).contains(count))?;
                    (list, StatesQuestion::Last(count, u64::MAX))
                }
                _ => return None,
            },
            _ => (id, StatesQuestion::End),
        };
        match *arena.term(list) {
            Term::While(first, body)
                if asked != StatesQuestion::End || self.store.is_random(id) =>
            {
                Some(Looping { first, body, asked })
            }
            _ => None,
        }
    }

    /// The asked part of the last state of a loop, perhaps reduced to a number, if nothing looks at its order.
    pub(super) fn unordered(
        &mut self,
        looping: &Looping,
        folding: Option<Folding>,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let made = Made {
            term: None,
            order: Order::Ignored,
            folding,
        };
        let of_state = self.order_of_whole(looping);
        self.looped(looping, of_state, Some(made), frame)
    }

    /// Whether the order of the states of a loop matters, if it does not matter in the asked part. It does not matter if the whole state is
    /// asked for and no round looks at its order.
    fn order_of_whole(&mut self, looping: &Looping) -> Order {
        let StatesQuestion::Last(count, _) = looping.asked else {
            return Order::Kept;
        };
        let (arena, first, body) = (self.store.arena, looping.first, looping.body);
        let is_whole = members(arena, first) == Some(count)
            && is_over_or(arena, body, count)
            && !self.store.looks_at_order(body, 0, Order::Ignored);
        if is_whole {
            Order::Ignored
        } else {
            Order::Kept
        }
    }

    /// The value of a term for the asked part of the last state of a loop, perhaps reduced to a number.
    pub(super) fn made_of_loop(
        &mut self,
        looping: &Looping,
        term: TermId,
        order: Order,
        folding: Option<Folding>,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let of_state = match self
            .store
            .order_of_state(looping.first, looping.body, (term, order))
        {
            Order::Kept if !self.store.looks_at_order(term, 0, order) => {
                self.order_of_whole(looping)
            }
            of_state => of_state,
        };
        let made = Made {
            term: Some(term),
            order,
            folding,
        };
        self.looped(looping, of_state, Some(made), frame)
    }

    /// The asked part of the last state of a loop, or the value that is [`Made`] from it.
    pub(super) fn looped(
        &mut self,
        looping: &Looping,
        order: Order,
        made: Option<Made>,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        // All states of a loop that begins with a roll are found together.
        let rolled = self.rolls(looping.first, frame) && self.store.free(looping.first).is_empty();
        let rolled = rolled.then_some(looping.first);
        let count = match looping.asked {
            StatesQuestion::Last(count, _) if rolled.is_none() => Some(count),
            _ => None,
        };
        let count = count.filter(|_| self.looks_at_waiting(looping.body, frame));
        let mut first = match rolled {
            Some(_) => self.code.add(Expr::Word(Word::NOTHING)),
            None if count.is_some() => self.value(looping.first, Order::Kept, frame)?,
            None => self.value(looping.first, order, frame)?,
        };
        if let Some(count) = count {
            let (state, is_last) = self.after_first_rounds(looping.body, (first, count), frame);
            first = state;
            if is_last && self.has_members(state, count, frame) {
                let mut members = parts(self.code, state);
                let members = members.split_off(members.len() - count);
                let last = self.joined(members);
                return match made {
                    Some(made) => self.made_of(Bound::Expr(last), made, frame),
                    None => Some(last),
                };
            }
        }
        let ending = Ending::Loop(looping.asked, made, rolled);
        let routine = self.body(looping.body, order, ending)?;
        let arguments = self.arguments(routine, 1, vec![first], frame)?;
        Some(self.rolled(Source::Loop(routine), arguments, frame))
    }

    /// The state of a loop after some first rounds, and whether it is the last. The rounds of a loop that looks at waiting rolls are written
    /// out as far as it is known how they go on, so that each roll is made where it is looked at. Each state after the first has at least so many members.
    fn after_first_rounds(
        &mut self,
        body: TermId,
        (first, count): (ExprId, usize),
        frame: &mut Frame,
    ) -> (ExprId, bool) {
        let mut state = first;
        for _ in 0..frame.waiting.rolls.len().saturating_mul(ROUNDS_PER_ROLL) {
            // What is left of the loop has to be compiled, too.
            if self.left < MOST_TERMS / 2 {
                break;
            }
            let (steps, waiting) = (frame.steps.len(), frame.waiting.clone());
            let named = parts(self.code, state).into_iter();
            let named = named.map(|member| self.named(member, frame)).collect();
            let named = self.joined(named);
            frame.environment.push(Bound::Expr(named));
            let next = self.straight(body, frame);
            frame.environment.pop();
            match next {
                Some(next) if *self.code.expr(next) == Expr::Word(Word::NOTHING) => {
                    return (named, true);
                }
                Some(next) if self.has_members(next, count, frame) => state = next,
                _ => {
                    frame.steps.truncate(steps);
                    frame.waiting = waiting;
                    break;
                }
            }
            self.code.only_here = true;
        }
        (state, false)
    }

    /// Whether a list is made of numbers, no fewer than these.
    fn has_members(&self, list: ExprId, count: usize, frame: &Frame) -> bool {
        let parts = parts(self.code, list);
        parts.len() >= count && parts.iter().all(|&part| self.is_single(part, frame))
    }

    /// Whether the body of a loop mentions a variable whose members are still to be rolled.
    fn looks_at_waiting(&mut self, body: TermId, frame: &Frame) -> bool {
        let free = self.store.free(body);
        let mut outer = free.iter().filter_map(|index| index.checked_sub(1));
        !frame.waiting.rolls.is_empty()
            && outer.any(|index| match frame.variable(index) {
                Bound::Expr(list) => {
                    let slots = self.code.reads(list);
                    let mut waiting = frame.waiting.rolls.iter();
                    waiting.any(|(slot, _)| slots.binary_search(slot).is_ok())
                }
                _ => false,
            })
    }

    /// The value of a term whose conditions are all known.
    fn straight(&mut self, term: TermId, frame: &mut Frame) -> Option<ExprId> {
        stack::level(|| match *self.store.arena.term(term) {
            Term::If(condition, yes, no) => {
                let condition = self.test(condition, frame)?;
                let branch = match self.code.as_number(condition)? {
                    0 => no,
                    _ => yes,
                };
                self.straight(branch, frame)
            }
            Term::Let(value, body) => {
                let bound = self.bound(value, body, Order::Kept, frame)?;
                frame.environment.push(bound);
                let value = self.straight(body, frame);
                frame.environment.pop();
                value
            }
            _ => self.value(term, Order::Kept, frame),
        })
    }

    /// What is made from the asked part of the last state of a loop.
    pub(super) fn made_of(&mut self, last: Bound, made: Made, frame: &mut Frame) -> Option<ExprId> {
        let value = match (made.term, last) {
            (Some(term), _) => self.within(last, term, made.order, frame)?,
            (None, Bound::Expr(last) | Bound::End(last)) => self.in_order(last, made.order),
            (None, _) => return None,
        };
        match made.folding {
            Some(folding) => self.reduced(folding, value, frame),
            None => Some(value),
        }
    }

    /// Whether a term is the end of the list of all states of a loop, or this end without some last members.
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

impl Looping {
    /// The same loop, of which only the members are asked for that a body looks at.
    pub(super) fn seen_by(self, store: &mut Store<'_>, body: TermId) -> Self {
        let asked = match self.asked {
            StatesQuestion::Last(count, _) => {
                StatesQuestion::Last(count, store.members_seen(body, count).unwrap_or(u64::MAX))
            }
            asked => asked,
        };
        Self { asked, ..self }
    }
}

/// How many members a list of dice has.
fn members(arena: &Arena, list: TermId) -> Option<usize> {
    stack::level(|| match *arena.term(list) {
        Term::Die(..) | Term::Pick(_) => Some(1),
        Term::Repeat(count, member, _) => match arena.term(count) {
            Term::Integer(count) => count.to_usize()?.checked_mul(members(arena, member)?),
            _ => None,
        },
        Term::Join(ref parts) => {
            let mut parts = parts.iter();
            parts.try_fold(0, |sum, part| Some(sum + members(arena, *part)?))
        }
        _ => None,
    })
}

/// Whether a round of a loop is the last, or gives so many dice.
fn is_over_or(arena: &Arena, round: TermId, count: usize) -> bool {
    match *arena.term(round) {
        Term::If(_, yes, no) => [yes, no]
            .iter()
            .all(|&next| members(arena, next).is_some_and(|of| of == 0 || of == count)),
        _ => false,
    }
}

fn is_seen(seen: u64, place: usize) -> bool {
    place >= 64 || seen >> place & 1 == 1
}
