//! Loops and choices that the machine runs: it finds the distribution of a number with loops or choices, and a die takes the place of the
//! number.

use std::rc::Rc;

use crate::algebra::Law;
use crate::engine::machine;
use crate::engine::program::{DieId, NodeId, Order, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::engine::translate::translator::Translator;
use crate::ir::{Arena, Term, TermId};

impl Translator<'_, '_> {
    /// A term with a loop or a choice as a draw of a die with its distribution: if all that it mentions is known, and the machine finds that it
    /// is always a number.
    pub(super) fn compiled(
        &mut self,
        id: TermId,
        environment: &[NodeId],
    ) -> Attempt<Option<NodeId>> {
        if !can_be_number(self.store.arena, id) || !self.store.has_loops_or_choices(id) {
            return Ok(None);
        }
        let Some(known) = self.known_variables(id, environment) else {
            return Ok(None);
        };
        let Some(die) = self.die_of_compiled(id, known)? else {
            return Ok(None);
        };
        let (one, name) = (self.store.constant(1), self.store.pools.name());
        self.store.draws(one, die, name).map(Some)
    }

    /// The last state of a loop of which a body looks at one number at most: a draw of a die with its distribution, among zeros.
    pub(super) fn last_state_for(
        &mut self,
        id: TermId,
        body: TermId,
        environment: &[NodeId],
    ) -> Attempt<Option<NodeId>> {
        let Some((count, place)) = self.store.member_seen(id, body) else {
            return Ok(None);
        };
        let Some(known) = self.known_variables(id, environment) else {
            return Ok(None);
        };
        // One number more than there are free variables: so the key is that of no whole term.
        let at = place.map_or(-1, |place| i64::try_from(place).unwrap_or(i64::MAX));
        let key = (id, known.iter().copied().chain([at]).collect());
        let found = self.die_of(key, |store| machine::last_member(store, id, place, &known))?;
        let Some(die) = found else {
            return Ok(None);
        };
        let mut members = vec![self.store.constant(0); count];
        if let Some(place) = place {
            let (one, name) = (self.store.constant(1), self.store.pools.name());
            members[count - 1 - place] = self.store.draws(one, die, name)?;
        }
        self.store.sequence(Order::Kept, members).map(Some)
    }

    /// The values of the free variables of a term, if all are known.
    fn known_variables(&mut self, id: TermId, environment: &[NodeId]) -> Option<Box<[i64]>> {
        let free = self.store.free(id);
        let places = free
            .iter()
            .map(|&index| environment.len() - 1 - index as usize);
        let known = places.map(|place| self.store.as_constant(environment[place]));
        known.collect()
    }

    /// The die that stands for a term whose free variables have these values.
    fn die_of_compiled(&mut self, id: TermId, variables: Box<[i64]>) -> Attempt<Option<DieId>> {
        let known = variables.clone();
        self.die_of((id, variables), |store| machine::law(store, id, &known))
    }

    /// The die with the distribution that a key stands for, which is found once.
    fn die_of(
        &mut self,
        key: (TermId, Box<[i64]>),
        law: impl FnOnce(&mut Store<'_>) -> Attempt<Option<Law>>,
    ) -> Attempt<Option<DieId>> {
        if let Some(&known) = self.store.compiled.get(&key) {
            return Ok(known);
        }
        let die = match law(self.store)? {
            None => None,
            Some(law) => Some(self.store.pools.die(Rc::new(law), self.store.budget)?),
        };
        self.store.compiled.insert(key, die);
        Ok(die)
    }
}

/// Whether the operator of a term leaves open that it is a number with a loop or a choice in it.
fn can_be_number(arena: &Arena, id: TermId) -> bool {
    match arena.term(id) {
        Term::Let(..) | Term::Select(..) => true,
        term => term.is_number(),
    }
}
