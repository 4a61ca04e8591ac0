//! What is rolled only where it is looked at.

use super::compile::Compiler;
use crate::ir::{Arena, Arrangement, Selection, Term, TermId};
use crate::stack;

impl Compiler<'_, '_, '_> {
    /// The die of a list of equal dice, if a body looks at each of them once at most. The die surely shows something.
    pub(super) fn dice_on_demand(&mut self, list: TermId, body: TermId) -> Option<TermId> {
        let arena = self.store.arena;
        let Term::Repeat(count, die, _) = *arena.term(list) else {
            return None;
        };
        let Term::Integer(count) = arena.term(count) else {
            return None;
        };
        let shows = match *arena.term(die) {
            Term::Pick(_) => true,
            Term::Die(sides, _) => match arena.term(sides) {
                Term::Integer(sides) => sides.to_i64().is_some_and(|sides| sides > 0),
                _ => false,
            },
            _ => false,
        };
        let count = count.to_usize().filter(|_| shows)?;
        let mut places = vec![false; count.min(crate::limits::MAX_LIST)];
        let mut looks = |arena: &Arena, id, variable| match Self::member(arena, id) {
            Some((place, index)) if index == variable => {
                let place = places.get_mut(place);
                Some(place.is_some_and(|seen| !std::mem::replace(seen, true)))
            }
            _ => None,
        };
        let is_once = self.looks_once(body, 0, &mut looks);
        (is_once && places.contains(&true)).then_some(die)
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
            Term::Variable(_) => false,
            Term::Repeat(_, body, _) | Term::While(_, body) | Term::Foreach(_, body)
                if self.mentions(id, body, variable) =>
            {
                false
            }
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

    /// The place of the only member that a term takes of the list that a variable stands for, and the variable.
    pub(super) fn member(arena: &Arena, id: TermId) -> Option<(usize, u32)> {
        let Term::Select(Selection::First, one, list, _) = *arena.term(id) else {
            return None;
        };
        let Term::Select(Selection::DropFirst, place, list, _) = *arena.term(list) else {
            return None;
        };
        let (Term::Integer(one), Term::Integer(place), &Term::Variable(index)) =
            (arena.term(one), arena.term(place), arena.term(list))
        else {
            return None;
        };
        let place = place.to_usize().filter(|_| one.to_i64() == Some(1))?;
        Some((place, index))
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
