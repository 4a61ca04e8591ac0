//! Programs that leave rolls out, as programs that leave none out.

use super::arena::{Arena, Program};
use super::term::{Arrangement, Folding, SiteId, Term, TermId};
use crate::number::Integer;
use crate::source::Span;

/// What a program has for its value, or an operator around it.
#[derive(Clone, Copy)]
enum Outer {
    Arrange(Arrangement),
    Fold(Folding, SiteId),
    /// The body for each member.
    Foreach(TermId),
}

impl Program {
    /// The place of the first condition for which rolls are left out; `None` if no roll is.
    #[must_use]
    pub fn rejects_at(&self) -> Option<Span> {
        let sites = self.arena().terms().iter().filter_map(|term| match term {
            Term::Reject(site) => Some(self.arena().site_of(*site).whole),
            _ => None,
        });
        sites.min()
    }

    /// The program whose value is 1 where a roll is kept, and 0 where it is left out. What comes after that is not evaluated.
    #[must_use]
    pub(crate) fn verdict(&self) -> Self {
        self.with_ends(&|arena, end| match arena.term(end) {
            Term::Reject(_) => arena.integer(Integer::ZERO),
            _ => arena.integer(Integer::ONE),
        })
    }

    /// The program with the number 0 for each roll that is left out.
    #[must_use]
    pub(crate) fn zero_where_rejected(&self) -> Self {
        self.with_ends(&|arena, end| match arena.term(end) {
            Term::Reject(_) => arena.integer(Integer::ZERO),
            _ => end,
        })
    }

    /// The program with the empty list for each roll that is left out.
    #[must_use]
    pub(crate) fn empty_where_rejected(&self) -> Self {
        self.with_ends(&|arena, end| match arena.term(end) {
            Term::Reject(_) => arena.empty(),
            _ => end,
        })
    }

    /// A program `let x = e in f` that leaves rolls out in `e`, as one that leaves them out at its ends.
    #[must_use]
    pub(crate) fn rejecting_at_ends(self) -> Self {
        let Term::Let(value, body) = *self.arena().term(self.root()) else {
            return self;
        };
        if self.rejects_at().is_none() {
            return self;
        }
        let mut arena = self.arena().clone();
        let bound = |arena: &mut Arena, end| match arena.term(end) {
            Term::Reject(_) => end,
            _ => arena.add(Term::Let(end, body)),
        };
        let root = with_ends(&mut arena, value, &mut Vec::new(), &bound);
        self.replaced(arena, root)
    }

    /// Whether operators alone show that the value is always a number.
    #[must_use]
    pub(crate) fn ends_with_numbers(&self) -> bool {
        fn numbers(arena: &Arena, term: TermId, bound: &mut Vec<bool>) -> bool {
            match *arena.term(term) {
                Term::Arrange(_, e) => numbers(arena, e, bound),
                Term::If(_, e, f) => numbers(arena, e, bound) && numbers(arena, f, bound),
                Term::Let(e, f) => {
                    let value = numbers(arena, e, bound);
                    bound.push(value);
                    let body = numbers(arena, f, bound);
                    bound.pop();
                    body
                }
                Term::Reject(_) => true,
                Term::Variable(index) => {
                    let place = bound.len().checked_sub(1 + index as usize);
                    place.is_some_and(|place| bound[place])
                }
                ref term => term.is_number(),
            }
        }
        numbers(self.arena(), self.root(), &mut Vec::new())
    }

    fn with_ends(&self, form: &dyn Fn(&mut Arena, TermId) -> TermId) -> Self {
        let mut arena = self.arena().clone();
        let root = with_ends(&mut arena, self.root(), &mut Vec::new(), form);
        self.replaced(arena, root)
    }
}

/// The term with another term for each of its ends. Operators around the ends move to those that are kept.
fn with_ends(
    arena: &mut Arena,
    term: TermId,
    outer: &mut Vec<Outer>,
    form: &dyn Fn(&mut Arena, TermId) -> TermId,
) -> TermId {
    match *arena.term(term) {
        Term::Arrange(arrangement, e) => {
            outer.push(Outer::Arrange(arrangement));
            let ends = with_ends(arena, e, outer, form);
            outer.pop();
            ends
        }
        Term::Fold(folding, e, site) => {
            outer.push(Outer::Fold(folding, site));
            let ends = with_ends(arena, e, outer, form);
            outer.pop();
            ends
        }
        Term::Foreach(e, body) => {
            outer.push(Outer::Foreach(body));
            let ends = with_ends(arena, e, outer, form);
            outer.pop();
            ends
        }
        Term::If(condition, e, f) => {
            let e = with_ends(arena, e, outer, form);
            let f = with_ends(arena, f, outer, form);
            arena.add(Term::If(condition, e, f))
        }
        Term::Let(e, f) => {
            let f = with_ends(arena, f, outer, form);
            arena.add(Term::Let(e, f))
        }
        Term::Reject(_) => form(arena, term),
        _ => {
            let whole = outer.iter().rev().fold(term, |term, outer| {
                arena.add(match *outer {
                    Outer::Arrange(arrangement) => Term::Arrange(arrangement, term),
                    Outer::Fold(folding, site) => Term::Fold(folding, term, site),
                    Outer::Foreach(body) => Term::Foreach(term, body),
                })
            });
            form(arena, whole)
        }
    }
}
