//! Dice and cards that are rolled or drawn only where something looks at them.

use std::rc::Rc;

use super::code::{Expr, ExprId, Slot, Source};
use super::compile::{Compiler, Frame, Preparation};
use super::decks::{MOST_MEMBERS, Roll, cards, count_of, few_are_drawn, shuffled, size};
use super::words::Word;
use crate::engine::program::Order;
use crate::ir::{Arena, Arrangement, Folding, Selection, Term, TermId};
use crate::stack;

impl Compiler<'_, '_, '_> {
    /// A list in order whose members have a slot each, and are rolled or drawn only where something looks at them: equal dice that surely
    /// show something, or a known list in random order or its first members.
    pub(super) fn on_demand(
        &mut self,
        list: TermId,
        body: TermId,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let (count, roll) = if let Some((count, source, arguments)) = self.dice(list) {
            (count, Roll::Rolled(source, arguments))
        } else {
            let (count, deck) = self.drawn_one_by_one(list, body, frame)?;
            let rest = self.plain(deck, Order::Ignored, frame)?;
            let rests = &mut frame.waiting.rests;
            rests.push(self.code.add(Expr::Arrange(Arrangement::Sort, rest)));
            self.code.only_here = true;
            (count, Roll::Drawn(rests.len() - 1))
        };
        let members = (0..count).map(|_| {
            let slot = frame.slot();
            frame.numbers.insert(slot, true);
            frame.waiting.rolls.push((slot, roll.clone()));
            self.code.add(Expr::Slot(slot))
        });
        let members = members.collect();
        Some(self.joined(members))
    }

    /// How many equal dice a list is, and how each is rolled.
    fn dice(&mut self, list: TermId) -> Option<(usize, Source, Rc<[ExprId]>)> {
        let arena = self.store.arena;
        let Term::Repeat(count, die, _) = *arena.term(list) else {
            return None;
        };
        let count = count_of(arena, count)?;
        match *arena.term(die) {
            Term::Pick(_) => Some((count, Source::Pick(die), [].into())),
            Term::Die(sides, _) => match arena.term(sides) {
                Term::Integer(sides) => {
                    let sides = sides.to_i64().filter(|sides| *sides > 0)?;
                    Some((count, Source::Die, [self.code.number(sides)?].into()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// If a term is the first members of a shuffled list: their number and the list. A body must look at them one by one, and drawing must
    /// not leave too many different lists.
    fn drawn_one_by_one(
        &mut self,
        id: TermId,
        body: TermId,
        frame: &Frame,
    ) -> Option<(usize, TermId)> {
        let arena = self.store.arena;
        let (first, shuffled) = match *arena.term(id) {
            Term::Select(Selection::First, first, list, _) => (count_of(arena, first)?, list),
            _ => (usize::MAX, id),
        };
        let deck = self.deck(shuffled, frame)?;
        let cards = cards(arena, deck)?;
        let mut places = 0;
        let mut looks = |arena: &Arena, id, variable| {
            let is_one = is_member(arena, id, variable);
            places += usize::from(is_one);
            is_one.then_some(true)
        };
        if !self.looks_once(body, 0, false, &mut looks) {
            return None;
        }
        let count = first.min(size(&cards));
        (count <= MOST_MEMBERS && few_are_drawn(&cards, places)).then_some((count, deck))
    }

    /// Rolls what an expression looks at, if it still waits.
    pub(super) fn look_at(&mut self, id: ExprId, frame: &mut Frame) {
        if frame.waiting.rolls.is_empty() {
            return;
        }
        let slots = self.code.reads(id).to_vec();
        let looks = |(slot, _): &mut (Slot, Roll)| slots.binary_search(slot).is_ok();
        let rolls = frame.waiting.rolls.extract_if(.., looks);
        for (slot, roll) in rolls.collect::<Vec<_>>() {
            let (source, arguments, after) = match roll {
                Roll::Rolled(source, arguments) => (source, arguments, None),
                Roll::Drawn(deck) => {
                    let rest = frame.waiting.rests[deck];
                    let left = frame.slot();
                    frame.waiting.rests[deck] = self.code.add(Expr::Slot(left));
                    let one = self.code.add(Expr::Word(Word::ONE));
                    let drawn = self.code.add(Expr::Slot(slot));
                    let without = self.code.add(Expr::Without(rest, drawn));
                    let source = Source::Draw(Order::Ignored);
                    (
                        source,
                        [one, rest].into(),
                        Some(Preparation::Let(left, without)),
                    )
                }
            };
            frame
                .steps
                .push(Preparation::Roll(slot, source, arguments, None));
            frame.steps.extend(after);
        }
    }

    /// The known list that is shuffled to give a term, if a body looks at a first part of it once at most.
    pub(super) fn deck_on_demand(&mut self, deck: TermId, body: TermId) -> Option<TermId> {
        let list = shuffled(self.store.arena, deck)?;
        cards(self.store.arena, list)?;
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

    /// Whether a body always looks at rolls exactly once, and there only at their sum or count, perhaps after filters. The rolls may fail
    /// or never end, so they are not moved to a place that is not always reached.
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

    /// Whether a term looks at each part of a list at most once, and at nothing else of it. The looks must happen in any case, or may be in
    /// some branch only.
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

/// Whether a term is one member of a list at a known place.
fn is_member(arena: &Arena, id: TermId, variable: u32) -> bool {
    let part = |id| match *arena.term(id) {
        Term::Select(selection, count, list, _) if selection.is_by_place() => {
            Some((selection, count_of(arena, count)?, list))
        }
        _ => None,
    };
    let Some((Selection::First | Selection::Last, 1, mut list)) = part(id) else {
        return false;
    };
    while let Some((_, _, inner)) = part(list) {
        list = inner;
    }
    *arena.term(list) == Term::Variable(variable)
}
