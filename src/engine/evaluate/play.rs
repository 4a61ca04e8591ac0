//! A loop with a choice that is not solved: what fails in its first rounds.

use super::enumerate::Evaluator;
use super::measure::{Evaluated, Measure};
use crate::algebra::Weight;
use crate::engine::choice::candidates_of;
use crate::engine::outcomes::List;
use crate::error::ErrorKind;
use crate::ir::{Term, TermId};
use crate::limits::LimitReached;

/// The most rounds that are looked at.
const ROUNDS: usize = 16;

impl Evaluator<'_> {
    /// The errors of the first rounds, with all else unresolved; a limit where they have none.
    ///
    /// A choice fails where one of its candidates may fail. Else its candidates are taken for equally likely: a later error of one
    /// of them, too, fails the choice, so no error is found too often.
    pub(super) fn unplayed(
        &self,
        first: TermId,
        body: TermId,
        worth: TermId,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        let mut live = self.evaluate(first, environment)?;
        for _ in 0..ROUNDS {
            if !live.failures.is_empty() || live.values.is_empty() {
                break;
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
        if live.failures.is_empty() {
            return Err(LimitReached::Play);
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
                    let found = candidates_of(candidates, &list, 0, self.budget)?;
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

    fn with_value(
        &self,
        body: TermId,
        value: List,
        environment: &mut Vec<List>,
        evaluate: impl Fn(&Self, TermId, &mut Vec<List>) -> Evaluated<List>,
    ) -> Evaluated<List> {
        environment.push(value);
        let result = evaluate(self, body, environment);
        environment.pop();
        result
    }
}
