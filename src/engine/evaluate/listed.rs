//! Terms that are listed once, and then stand for one die.
//!
//! A term without free variables has the same distribution wherever it stands. So an evaluator that meets it very often may treat it as one
//! die: the blow `if <=11 d20 then d8 else 0` has 160 paths, but 9 values.

use super::enumerate::result_of;
use super::measure::PathEnd;
use crate::algebra::Weight;
use crate::ir::{Arena, Term, TermId};
use crate::limits::{Budget, LimitReached};
use crate::map::Map;
use std::rc::Rc;

/// The most ends of a term that stands for a die.
const MOST_ENDS: usize = 1 << 8;

/// The most states of the slow evaluator for one term.
const MOST_STATES: u64 = 1 << 12;

/// The ends of a term, with their weights over a total.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) ends: Vec<(PathEnd, u64)>,
    pub(super) total: u64,
}

impl Listed {
    /// The ends of a term without free variables. `None` if they are many, if it may never end, or if the total is too large.
    fn of(arena: &Arena, term: TermId, budget: &Budget<'_>) -> Result<Option<Self>, LimitReached> {
        let result = budget.aside(MOST_STATES, || {
            result_of(arena, term, &mut Vec::new(), budget)
        });
        let measure = match result {
            Err(LimitReached::States(_)) => return Ok(None),
            measure => measure?,
        };
        let is_whole = measure.never_ends == Weight::ZERO && measure.unresolved == Weight::ZERO;
        if !is_whole || measure.values.len() + measure.failures.len() > MOST_ENDS {
            return Ok(None);
        }
        let Ok(total) = u64::try_from(&measure.total) else {
            return Ok(None);
        };
        let ends = measure.into_ends().into_iter().map(|(end, weight)| {
            let weight = u64::try_from(&weight).expect("a weight is no more than the total");
            (end, weight)
        });
        Ok(Some(Self {
            ends: ends.collect(),
            total,
        }))
    }

    /// The end with this number, and its weight.
    pub(super) fn end(&self, number: u64) -> &(PathEnd, u64) {
        let number = usize::try_from(number).expect("there are few ends");
        &self.ends[number]
    }
}

/// The terms of one arena that are listed once.
#[derive(Debug)]
pub(super) struct ListedTerms {
    /// For each term, in the order of the arena, whether it rolls and has no free variables.
    are_closed: Vec<bool>,
    known: Map<TermId, Option<Rc<Listed>>>,
}

impl ListedTerms {
    /// The terms of an arena, none of them listed.
    pub(super) fn of(arena: &Arena) -> Self {
        // For each term how many of the innermost variables it may use, and whether it rolls.
        let mut facts: Vec<(u32, bool)> = Vec::with_capacity(arena.len());
        for term in arena.terms() {
            let mut reach = match term {
                Term::Variable(index) => index.saturating_add(1),
                _ => 0,
            };
            let mut rolls = term.rolls();
            term.for_children(|child, bound| {
                let (inner, also_rolls) = facts[child.index()];
                reach = reach.max(inner.saturating_sub(bound));
                rolls |= also_rolls;
            });
            facts.push((reach, rolls));
        }
        let are_closed = facts.into_iter().map(|(reach, rolls)| rolls && reach == 0);
        Self {
            are_closed: are_closed.collect(),
            known: Map::default(),
        }
    }

    /// The ends of a term that stands for a die. `None` for other terms.
    pub(super) fn look_up(
        &mut self,
        arena: &Arena,
        term: TermId,
        budget: &Budget<'_>,
    ) -> Result<Option<Rc<Listed>>, LimitReached> {
        if !self.are_closed[term.index()] {
            return Ok(None);
        }
        if let Some(known) = self.known.get(&term) {
            return Ok(known.clone());
        }
        let listed = Listed::of(arena, term, budget)?.map(Rc::new);
        self.known.insert(term, listed.clone());
        Ok(listed)
    }
}
