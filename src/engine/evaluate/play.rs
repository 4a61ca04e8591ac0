//! A loop with a choice that is not solved: what fails in its rounds.

use super::enumerate::{Evaluator, bytes_of_members};
use super::measure::{Evaluated, Measure};
use crate::algebra::Weight;
use crate::engine::choice::candidates_of;
use crate::engine::outcomes::List;
use crate::error::ErrorKind;
use crate::ir::{Term, TermId};
use crate::limits::LimitReached;
use crate::map::ValueMap;

/// The most states of which a round is looked at.
const MOST_STATES: usize = 1 << 12;

impl Evaluator<'_> {
    /// The errors of the first rounds that have any, with all other weight unresolved; a limit if none is found.
    ///
    /// A choice fails if one of its candidates may fail. Otherwise its candidates are taken for equally likely. A later error of one of
    /// them would fail the choice, too, so no error gets too large a probability.
    pub(super) fn unplayed(
        &self,
        first: TermId,
        body: TermId,
        worth: TermId,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        let mut live = self.evaluate(first, environment)?;
        let mut seen: ValueMap<List, ()> = ValueMap::default();
        while live.failures.is_empty() {
            // Another round of a state that was seen finds nothing more.
            live.values
                .retain(|state, _| seen.insert(state.clone(), ()).is_none());
            if live.values.is_empty() || seen.len() > MOST_STATES {
                return Err(LimitReached::Play);
            }
            live = live.and_then(self.budget, |state| {
                let next = self.with_value(body, state.clone(), environment, Self::any_choice)?;
                next.and_then(self.budget, |next| {
                    if !next.is_empty() {
                        return Ok(Measure::certain(next));
                    }
                    let mut last = self.evaluate_with(worth, state.clone(), environment)?;
                    last.values.clear();
                    Ok(last)
                })
            })?;
        }
        live.values.clear();
        let failing: Weight = live.failures.values().sum();
        live.unresolved = &live.total - failing;
        Ok(live)
    }

    /// The next states, of which each candidate of the choice is equally likely.
    fn any_choice(&self, id: TermId, environment: &mut Vec<List>) -> Evaluated<List> {
        match *self.arena.term(id) {
            Term::Let(value, body) => {
                let values = self.evaluate(value, environment)?;
                values.and_then(self.budget, |value| {
                    self.with_value(body, value, environment, Self::any_choice)
                })
            }
            Term::If(condition, yes, no) => {
                let conditions = self.evaluate(condition, environment)?;
                conditions.and_then(self.budget, |value| {
                    let taken = if value.is_empty() { no } else { yes };
                    self.any_choice(taken, environment)
                })
            }
            Term::Best(candidates, list, body, choice) => {
                let lists = self.evaluate(list, environment)?;
                lists.and_then(self.budget, |mut list| {
                    list.sort_unstable();
                    let bytes = bytes_of_members(&list);
                    let found = candidates_of(candidates, &list, bytes, self.budget)?;
                    if found.is_empty() {
                        let site = self.arena.choice_of(choice).site;
                        return Ok(Measure::failed(ErrorKind::Domain, site.whole));
                    }
                    let mut all = Measure::zero(Weight::from(found.len()));
                    for candidate in found {
                        *all.values.entry(candidate).or_default() += Weight::from(1_u32);
                    }
                    let mut failures = Vec::new();
                    let all = all.and_then(self.budget, |candidate| {
                        let result =
                            self.with_value(body, candidate, environment, Self::any_choice)?;
                        failures.extend(result.failures.keys().copied());
                        Ok(result)
                    })?;
                    let first = failures.into_iter().min();
                    Ok(first.map_or(all, |first| Measure::failed(first.kind, first.span)))
                })
            }
            _ => self.evaluate(id, environment),
        }
    }
}
