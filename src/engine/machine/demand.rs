//! What is rolled only where it is looked at.

use std::rc::Rc;

use super::code::{Expr, ExprId, Source};
use super::compile::{Compiler, Frame, Step};
use crate::ir::{Arena, Arrangement, Folding, Selection, Term, TermId};
use crate::stack;

/// The most dice of a list that are rolled one by one.
const MOST_DICE: usize = 1 << 10;

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
        (self.looks_once(body, 0, false, &mut looks) && is_seen).then_some(list)
    }

    /// Whether a body looks at rolls once in any case, and there at their sum or number, or that of those for which comparisons hold. The
    /// rolls may fail or never end, so they are not moved to where they are not always made.
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
        self.looks_once(body, 0, true, &mut looks) && is_seen
    }

    /// Whether a term looks at each part of a list once at most, and at nothing else of it; in any case, or perhaps in some branch alone.
    fn looks_once(
        &mut self,
        id: TermId,
        variable: u32,
        in_any_case: bool,
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
            Term::If(_, yes, no)
                if in_any_case
                    && [yes, no].iter().any(|&branch| {
                        let free = self.store.free(branch);
                        free.binary_search(&variable).is_ok()
                    }) =>
            {
                false
            }
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
                    stack::level(|| self.looks_once(child, variable + bound, in_any_case, looks))
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
