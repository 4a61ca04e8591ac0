//! What is rolled only where it is looked at.

use std::rc::Rc;

use super::code::{Expr, ExprId, Source};
use super::compile::{Bound, Compiler, Frame, Step};
use super::reading::parts;
use super::words::Word;
use crate::engine::program::Order;
use crate::ir::{Arena, Arithmetic, Arrangement, Folding, Selection, Term, TermId};
use crate::stack;

/// The most dice of a list that are rolled one by one.
const MOST_DICE: usize = 1 << 10;

/// The most members of a list for each of which the code of a body stands by itself.
const MOST_COPIES: usize = 1 << 7;

impl Compiler<'_, '_, '_> {
    /// A list of equal dice in order, each with a slot of its own, and rolled only where it is looked at. Each surely shows something.
    pub(super) fn dice_on_demand(&mut self, list: TermId, frame: &mut Frame) -> Option<ExprId> {
        let arena = self.store.arena;
        let Term::Repeat(count, die, _) = *arena.term(list) else {
            return None;
        };
        let Term::Integer(count) = arena.term(count) else {
            return None;
        };
        let count = count.to_usize().filter(|count| *count <= MOST_DICE)?;
        let (source, arguments): (_, Rc<[ExprId]>) = match *arena.term(die) {
            Term::Pick(_) => (Source::Pick(die), [].into()),
            Term::Die(sides, _) => match arena.term(sides) {
                Term::Integer(sides) => {
                    let sides = sides.to_i64().filter(|sides| *sides > 0)?;
                    (Source::Die, [self.code.number(sides)?].into())
                }
                _ => return None,
            },
            _ => return None,
        };
        let dice = (0..count).map(|_| {
            let slot = frame.slot();
            frame.numbers.insert(slot, true);
            let arguments = Rc::clone(&arguments);
            frame.waiting.push((slot, source.clone(), arguments));
            self.code.add(Expr::Slot(slot))
        });
        let dice = dice.collect();
        Some(self.joined(dice))
    }

    /// Rolls the dice that an expression looks at, if they still wait.
    pub(super) fn look_at(&self, id: ExprId, frame: &mut Frame) {
        let Frame { steps, waiting, .. } = frame;
        let slots = self.code.reads(id);
        waiting.retain(|(slot, source, arguments)| {
            let waits = slots.binary_search(slot).is_err();
            if !waits {
                let step = Step::Roll(*slot, source.clone(), Rc::clone(arguments), None);
                steps.push(step);
            }
            waits
        });
    }

    /// Whether an expression surely has one member.
    pub(super) fn is_single(&self, id: ExprId, frame: &Frame) -> bool {
        match self.code.expr(id) {
            Expr::Slot(slot) => frame.numbers.get(slot) == Some(&true),
            _ => self.code.is_number(id),
        }
    }

    /// Whether an expression is surely a number, and no error.
    pub(super) fn is_sure(&self, id: ExprId, frame: &Frame) -> bool {
        match *self.code.expr(id) {
            Expr::Arithmetic(Arithmetic::Max | Arithmetic::Min, a, b) => [a, b]
                .iter()
                .all(|&part| stack::level(|| self.is_sure(part, frame))),
            Expr::Slot(_) => self.is_single(id, frame),
            _ => self.code.as_number(id).is_some(),
        }
    }

    /// The members of a list, if each of its parts surely has one.
    fn singles(&mut self, list: ExprId, frame: &Frame) -> Option<Vec<ExprId>> {
        if let Expr::Range(low, high) = *self.code.expr(list) {
            let (low, high) = (self.code.as_number(low)?, self.code.as_number(high)?);
            let more = usize::try_from(high.checked_sub(low)?).ok()?;
            if more >= MOST_COPIES {
                return None;
            }
            return (low..=high)
                .map(|member| self.code.number(member))
                .collect();
        }
        let parts = parts(self.code, list);
        let are_single = parts.iter().all(|&part| self.is_single(part, frame));
        are_single.then_some(parts)
    }

    /// Some values, joined.
    pub(super) fn joined(&mut self, values: Vec<ExprId>) -> ExprId {
        match values[..] {
            [] => self.code.add(Expr::Word(Word::NOTHING)),
            [only] => only,
            _ => self.code.add(Expr::Join(values.into())),
        }
    }

    /// Some members of a list: of one whose members are known one by one, these alone. The greatest of the first dice is then the greater
    /// of the last of them and the greatest before it, so that nothing else is a part of a state.
    pub(super) fn selected(
        &mut self,
        selection: Selection,
        wanted: ExprId,
        list: ExprId,
        frame: &Frame,
    ) -> ExprId {
        let known = self.code.as_number(wanted).and_then(|count| {
            let members = self.singles(list, frame)?;
            let count = usize::try_from(count).ok()?.min(members.len());
            Some((members, count))
        });
        let Some((mut members, count)) = known else {
            return self.code.add(Expr::Select(selection, wanted, list));
        };
        let rest = members.len() - count;
        let greatest_or_least = match selection {
            Selection::High => Arithmetic::Max,
            Selection::Low => Arithmetic::Min,
            Selection::First => return self.joined(members[..count].to_vec()),
            Selection::DropFirst => return self.joined(members.split_off(count)),
            Selection::Last => return self.joined(members.split_off(rest)),
            Selection::DropLast => return self.joined(members[..rest].to_vec()),
            _ => return self.code.add(Expr::Select(selection, wanted, list)),
        };
        let mut members = members.into_iter();
        match (members.next(), count) {
            (Some(first), 1) => members.fold(first, |so_far, member| {
                let of_both = Expr::Arithmetic(greatest_or_least, so_far, member);
                self.code.add(of_both)
            }),
            _ => self.code.add(Expr::Select(selection, wanted, list)),
        }
    }

    /// A list made of the values of a body that rolls nothing, for each member of a list.
    pub(super) fn mapped(
        &mut self,
        list: ExprId,
        body: TermId,
        order: Order,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let members = self.singles(list, frame);
        let members = members.filter(|members| (2..=MOST_COPIES).contains(&members.len()));
        let Some(members) = members else {
            let slot = frame.slot();
            let member = self.code.add(Expr::Slot(slot));
            let body = self.within(Bound::Expr(member), body, order, frame)?;
            return Some(self.code.add(Expr::Foreach(slot, list, body)));
        };
        let values = members.into_iter();
        let values = values.map(|member| self.within(Bound::Expr(member), body, order, frame));
        let values = values.collect::<Option<_>>()?;
        Some(self.joined(values))
    }

    /// The known list that is shuffled to give a term, if a body looks at a first part of it once at most.
    pub(super) fn deck_on_demand(&mut self, deck: TermId, body: TermId) -> Option<TermId> {
        let Term::Arrange(Arrangement::Shuffle, list) = *self.store.arena.term(deck) else {
            return None;
        };
        if !is_listed(self.store.arena, list) {
            return None;
        }
        let mut is_seen = false;
        let mut looks = |arena: &Arena, id, variable| match *arena.term(id) {
            Term::Select(Selection::First, _, list, _)
                if *arena.term(list) == Term::Variable(variable) =>
            {
                Some(!std::mem::replace(&mut is_seen, true))
            }
            _ => None,
        };
        (self.looks_once(body, 0, &mut looks) && is_seen).then_some(list)
    }

    /// Whether a body looks at rolls once, and there at their sum or number, or that of those for which comparisons hold.
    pub(super) fn is_reduced_once(&mut self, list: TermId, body: TermId) -> bool {
        if !matches!(self.store.arena.term(list), Term::Repeat(..)) || !self.store.is_random(list) {
            return false;
        }
        let mut is_seen = false;
        let mut looks = |arena: &Arena, id, variable| {
            let Term::Fold(Folding::Count | Folding::Sum, mut list, _) = *arena.term(id) else {
                return None;
            };
            while let Term::Filter(_, number, inner, _) = *arena.term(list) {
                if !matches!(arena.term(number), Term::Integer(_)) {
                    return None;
                }
                list = inner;
            }
            let is_it = *arena.term(list) == Term::Variable(variable);
            is_it.then(|| !std::mem::replace(&mut is_seen, true))
        };
        self.looks_once(body, 0, &mut looks) && is_seen
    }

    /// Whether a term looks at each part of a list once at most, and at nothing else of it.
    fn looks_once(
        &mut self,
        id: TermId,
        variable: u32,
        looks: &mut dyn FnMut(&Arena, TermId, u32) -> Option<bool>,
    ) -> bool {
        if self.store.free(id).binary_search(&variable).is_err() {
            return true;
        }
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let arena = self.store.arena;
        if let Some(is_once) = looks(arena, id, variable) {
            return is_once;
        }
        match *arena.term(id) {
            Term::Best(_, _, body, _)
            | Term::Foreach(_, body)
            | Term::Repeat(_, body, _)
            | Term::While(_, body)
                if self.mentions(id, body, variable) =>
            {
                false
            }
            // What is known of it may be what a choice looks at.
            Term::Play(..) | Term::Variable(_) => false,
            ref term => {
                let mut children = Vec::new();
                term.for_children(|child, bound| children.push((child, bound)));
                children.into_iter().all(|(child, bound)| {
                    stack::level(|| self.looks_once(child, variable + bound, looks))
                })
            }
        }
    }

    /// Whether a body that is evaluated again and again mentions a variable of the term that it stands in.
    fn mentions(&mut self, term: TermId, body: TermId, variable: u32) -> bool {
        let bound = u32::from(!matches!(self.store.arena.term(term), Term::Repeat(..)));
        let free = self.store.free(body);
        free.binary_search(&(variable + bound)).is_ok()
    }
}

/// Whether a list is written down, so that it has its members in any case.
fn is_listed(arena: &Arena, id: TermId) -> bool {
    let is_integer = |id| matches!(arena.term(id), Term::Integer(_));
    match *arena.term(id) {
        Term::Integer(_) => true,
        Term::Join(ref parts) => parts
            .iter()
            .all(|&part| stack::level(|| is_listed(arena, part))),
        Term::Range(low, high, _) => is_integer(low) && is_integer(high),
        Term::Repeat(count, member, _) => {
            let is_count = match arena.term(count) {
                Term::Integer(count) => count.to_usize().is_some(),
                _ => false,
            };
            is_count && is_integer(member)
        }
        _ => false,
    }
}
