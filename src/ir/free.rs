//! The variables that terms mention.

use super::arena::Arena;
use super::term::{Term, TermId};
use crate::map::Map;
use crate::stack;
use std::rc::Rc;

/// The free variables of the terms of one arena, each found once.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeVariables {
    known: Map<TermId, Rc<[u32]>>,
}

impl FreeVariables {
    /// The free variables of a term, ascending, without those that a body binds.
    pub(crate) fn of(&mut self, arena: &Arena, id: TermId) -> Rc<[u32]> {
        if let Some(known) = self.known.get(&id) {
            return Rc::clone(known);
        }
        let free = self.find(arena, id);
        self.known.insert(id, Rc::clone(&free));
        free
    }

    fn find(&mut self, arena: &Arena, id: TermId) -> Rc<[u32]> {
        let term = arena.term(id);
        let mut free = Vec::new();
        if let Term::Variable(index) = term {
            free.push(*index);
        }
        term.for_children(|child, bound| {
            let inner = stack::level(|| self.of(arena, child));
            free.extend(inner.iter().filter_map(|index| index.checked_sub(bound)));
        });
        free.sort_unstable();
        free.dedup();
        free.into()
    }
}
