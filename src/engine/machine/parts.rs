//! Numbers that are made of several loops or choices, each rolled by itself: residual programs solve each of them once, where the machine
//! would follow the states of all of them together.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::engine::program::Store;
use crate::ir::{Selection, Term, TermId};
use crate::map::Map;
use crate::number::Integer;
use crate::stack;

/// Whether a number is made of several terms with loops or choices that share no roll.
pub(super) fn are_several(store: &mut Store<'_>, term: TermId) -> bool {
    let mut parts = Parts {
        store,
        counts: Map::default(),
        singles: Map::default(),
    };
    parts.count(term).is_some_and(|count| count > 1) && parts.is_single(term)
}

/// Variables, by how many others are bound inside each.
type Names = Rc<BTreeSet<u32>>;

/// What is known of the terms of a program, each seen once.
struct Parts<'s, 'p> {
    store: &'s mut Store<'p>,
    counts: Map<TermId, Option<usize>>,
    singles: Map<TermId, Option<Names>>,
}

impl Parts<'_, '_> {
    /// How many terms with loops or choices an expression has, each rolled by itself. `None` if one of them uses a name, or is a list that
    /// a loop ends with.
    fn count(&mut self, term: TermId) -> Option<usize> {
        if !self.store.has_loops_or_choices(term) {
            return Some(0);
        }
        if let Some(&known) = self.counts.get(&term) {
            return known;
        }
        let count = stack::level(|| self.count_of(term));
        self.counts.insert(term, count);
        count
    }

    fn count_of(&mut self, term: TermId) -> Option<usize> {
        let arena = self.store.arena;
        match *arena.term(term) {
            Term::Join(ref members) => self.total(members),
            Term::Arithmetic(_, a, b, _) | Term::Compare(a, b) | Term::Filter(_, a, b, _) => {
                self.total(&[a, b])
            }
            Term::Let(value, body) if self.is_single(value) => self.total(&[value, body]),
            Term::Let(state, body) if self.is_last_state(state) && self.is_single(body) => {
                let of_body = self.count(body)?;
                let is_apart = self.store.free(state).is_empty();
                is_apart.then_some(of_body.saturating_add(1))
            }
            _ if self.ends_with_list(term) => None,
            // Of several equal terms, each is rolled by itself. Two stand for any number of them.
            Term::Repeat(count, die, _) => self.total(&[count, die, die]),
            // For each value of a name, the parts are others.
            Term::If(condition, yes, no) if self.store.free(term).len() <= 1 => {
                self.total(&[condition, yes, no])
            }
            Term::Fold(_, list, _) | Term::Negate(list, _) | Term::Select(_, _, list, _) => {
                self.count(list)
            }
            _ => self.store.free(term).is_empty().then_some(1),
        }
    }

    fn total(&mut self, terms: &[TermId]) -> Option<usize> {
        let mut terms = terms.iter();
        terms.try_fold(0, |sum: usize, &term| {
            Some(sum.saturating_add(self.count(term)?))
        })
    }

    /// Whether a term is a list of which a loop has the members in its last state, or is made of such a list.
    fn ends_with_list(&mut self, term: TermId) -> bool {
        let arena = self.store.arena;
        match *arena.term(term) {
            Term::Let(value, made) => {
                let is_loop = matches!(arena.term(value), Term::While(..));
                (is_loop || stack::level(|| self.ends_with_list(value))) && !self.is_single(made)
            }
            _ => self.is_last_state(term),
        }
    }

    /// Whether a term is the last state of a loop, of several members.
    fn is_last_state(&mut self, term: TermId) -> bool {
        let arena = self.store.arena;
        match *arena.term(term) {
            Term::Select(Selection::Last, _, list, _) => {
                !self.is_single(term) && matches!(arena.term(list), Term::While(..))
            }
            _ => false,
        }
    }

    /// Whether the operators of a term show that it has one member at most, whatever its free variables stand for.
    fn is_single(&mut self, term: TermId) -> bool {
        self.singles(term).is_some_and(|names| names.is_empty())
    }

    /// The free variables of which each must have one member at most so that the term has, too. `None` if the operators of the
    /// term do not show that.
    fn singles(&mut self, term: TermId) -> Option<Names> {
        if let Some(known) = self.singles.get(&term) {
            return known.clone();
        }
        let names = stack::level(|| self.singles_of(term));
        self.singles.insert(term, names.clone());
        names
    }

    fn singles_of(&mut self, term: TermId) -> Option<Names> {
        let arena = self.store.arena;
        match *arena.term(term) {
            Term::Let(value, made) => {
                let names = self.singles(made)?;
                let outer = names
                    .iter()
                    .filter_map(|name| name.checked_sub(1))
                    .collect();
                if names.contains(&0) {
                    return Some(Rc::new(&*self.singles(value)? | &outer));
                }
                Some(Rc::new(outer))
            }
            Term::If(_, yes, no) => {
                let (yes, no) = (self.singles(yes)?, self.singles(no)?);
                Some(Rc::new(&*yes | &*no))
            }
            Term::Variable(name) => Some(Rc::new([name].into())),
            Term::Filter(_, _, list, _) => self.singles(list),
            Term::Select(selection, count, ..) if selection.keeps() => {
                let one = Term::Integer(Integer::ONE);
                (*arena.term(count) == one).then(Names::default)
            }
            Term::Fail(..) | Term::Reject(_) => Some(Names::default()),
            ref term => term.is_number().then(Names::default),
        }
    }
}
