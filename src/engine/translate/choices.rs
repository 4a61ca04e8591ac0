//! Choices, which only the slow evaluator makes: it finds the distribution of a part with choices, and a die takes the place of the part.

use std::rc::Rc;

use crate::engine::evaluate::enumerate::numbers_of;
use crate::engine::program::NodeId;
use crate::engine::reason::Reason;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::translator::Translator;
use crate::ir::{Program, Term, TermId};
use crate::limits::LimitReached;

impl Translator<'_, '_> {
    /// A part of the program that contains a choice, as a draw of a die with its distribution: if the part has no free
    /// variables, and is always a number.
    pub(super) fn chosen(&mut self, id: TermId) -> Attempt<NodeId> {
        if is_whole(self.store.program, id) || !self.store.free(id).is_empty() {
            return Err(Stop::Unsupported(Reason::Choice));
        }
        let (arena, budget) = (self.store.arena, self.store.budget);
        // A choice takes more states than a turn has, and is made once.
        let most = budget.limits().states;
        let law = match budget.aside(most, || numbers_of(arena, id, budget)) {
            Ok(Some(law)) => law,
            // Where the slow evaluator answers the whole program, it asks residual programs about loops.
            Ok(None) | Err(LimitReached::Mean | LimitReached::States(_)) => {
                return Err(Stop::Unsupported(Reason::ChoiceOfList));
            }
            Err(reached) => return Err(reached.into()),
        };
        let die = self
            .store
            .pools
            .die(Rc::new(law.into()), self.store.budget)?;
        let (one, name) = (self.store.constant(1), self.store.pools.name());
        self.store.draws(one, die, name)
    }
}

/// Whether a program is a term, evaluated once, and operators whose other operands are constants. The slow evaluator then
/// answers the program as quickly as the term.
fn is_whole(program: &Program, id: TermId) -> bool {
    let arena = program.arena();
    let is_constant = |term: &Term| match term {
        Term::Integer(_) => true,
        Term::Join(parts) => parts.is_empty(),
        _ => false,
    };
    let mut whole = program.root();
    while whole != id {
        let mut operands = Vec::new();
        if let Term::Repeat(..) = arena.term(whole) {
            return false;
        }
        arena.term(whole).for_children(|child, bound| {
            if !is_constant(arena.term(child)) {
                operands.push((child, bound));
            }
        });
        match operands[..] {
            [(only, 0)] => whole = only,
            _ => return false,
        }
    }
    true
}
