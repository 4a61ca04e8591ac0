//! Terms that are listed once, and then stand for one die.
//!
//! A term has the same distribution wherever its free variables have the same values. So whoever evaluates a term very
//! often may take a part of it for one die: the blow `if <=11 d20 then d8 else 0` shows 9 values, and falls in 160 ways.
//!
//! A part without free variables is listed at once. A part with a few is listed when their values come again in another
//! round: what a blow leaves of a fighter is the same whatever the other fighter has left. Where values hardly ever come
//! again, nothing is remembered.

use super::enumerate::result_of;
use super::measure::End;
use crate::algebra::Weight;
use crate::engine::outcomes::List;
use crate::ir::{Arena, Term, TermId};
use crate::limits::{Budget, LimitReached};
use crate::map::{Map, ValueMap};
use std::rc::Rc;

/// The most ends of a term that stands for a die.
const MOST_ENDS: usize = 1 << 8;

/// The most states of the slow evaluator for one closed term.
const MOST_STATES: u64 = 1 << 12;

/// The most free variables of a term that is listed for their values.
const MOST_VARIABLES: usize = 3;

/// The bit of all variables that are further out than a bit can tell.
const FURTHER_OUT: u64 = 1 << 63;

/// How many values of its variables a term may have that do not come again, before it is given up.
const MOST_NEW: u32 = 1 << 6;

/// The most values of variables that are remembered, and the most ends for all of them.
const MOST_KEPT: (usize, usize) = (1 << 16, 1 << 18);

/// The ends of a term, with their weights over a total.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) ends: Vec<(End, u64)>,
    pub(super) total: u64,
}

impl Listed {
    /// These ends, with weights over a total. `None` if they are many, or if the total is too large.
    pub(super) fn of(ends: Vec<(End, Weight)>, total: &Weight) -> Option<Self> {
        let total = u64::try_from(total).ok()?;
        if ends.len() > MOST_ENDS {
            return None;
        }
        let ends = ends.into_iter().map(|(end, weight)| {
            let weight = u64::try_from(&weight).expect("a weight is no more than the total");
            (end, weight)
        });
        Some(Self {
            ends: ends.collect(),
            total,
        })
    }

    /// The end with this number, and its weight.
    pub(super) fn end(&self, number: u64) -> &(End, u64) {
        let number = usize::try_from(number).expect("there are few ends");
        &self.ends[number]
    }
}

/// A term with the values of its free variables, the innermost first.
pub(super) type Key = (TermId, [i64; MOST_VARIABLES]);

/// What is known of a term and the values of its free variables.
#[derive(Debug)]
enum Known {
    /// They were met first in this round.
    Met(u32),
    /// The ends, if they are few and exactly known.
    Listed(Option<Rc<Listed>>),
}

/// Whether a term may stand for a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It does not roll, it has too many free variables, or their values hardly ever come again.
    Other,
    /// It rolls and has no free variables.
    Closed,
    /// It rolls and has a few free variables: for each entry of the environment from the innermost on, a bit. Behind
    /// it, how many values were new, less those that came again.
    Open(u64, u32),
}

/// What [`ListedTerms::look_up`] finds.
pub(super) enum Found {
    /// The term stands for no die.
    Nothing,
    /// The term stands for a die with these ends.
    Ends(Rc<Listed>),
    /// The term is to be listed with these values. Until then it stands for no die.
    ToList(Key),
}

/// The terms of one arena that are listed once.
#[derive(Debug)]
pub(in crate::engine) struct ListedTerms {
    /// For each term, in the order of the arena.
    kinds: Vec<Kind>,
    closed: Map<TermId, Option<Rc<Listed>>>,
    open: ValueMap<Key, Known>,
    /// The ends of all open terms.
    ends: usize,
    /// Terms whose values hardly ever come again.
    hopeless: Vec<TermId>,
    /// How many rounds have begun.
    rounds: u32,
}

impl ListedTerms {
    /// The terms of an arena, none of them listed.
    pub(in crate::engine) fn of(arena: &Arena) -> Self {
        // For each term how many of the innermost variables it may use, a bit for each of those that it does, and whether
        // it rolls. The bit at the top stands for all variables that are further out.
        let mut facts: Vec<(u32, u64, bool)> = Vec::with_capacity(arena.len());
        for term in arena.terms() {
            let (mut reach, mut free) = match term {
                Term::Variable(index) => (index.saturating_add(1), 1 << (*index).min(63)),
                _ => (0, 0),
            };
            let mut rolls = term.rolls();
            term.for_children(|child, bound| {
                let (inner, also_free, also_rolls) = facts[child.index()];
                reach = reach.max(inner.saturating_sub(bound));
                free |= also_free >> bound | also_free & FURTHER_OUT;
                rolls |= also_rolls;
            });
            facts.push((reach, free, rolls));
        }
        let kinds = facts.into_iter().zip(arena.terms());
        let kinds = kinds.map(|((reach, free, rolls), term)| match term {
            _ if rolls && reach == 0 => Kind::Closed,
            // A die is as quick to roll as to look up.
            Term::Die(..) => Kind::Other,
            _ if rolls && has_few(free) => Kind::Open(free, 0),
            _ => Kind::Other,
        });
        Self {
            kinds: kinds.collect(),
            closed: Map::default(),
            open: ValueMap::default(),
            ends: 0,
            hopeless: Vec::new(),
            rounds: 0,
        }
    }

    /// Begins a round: within one, no term begins or ends to stand for a die once it has been looked up.
    pub(super) fn begin_round(&mut self) {
        self.rounds += 1;
        for term in self.hopeless.drain(..) {
            let kind = &mut self.kinds[term.index()];
            if matches!(*kind, Kind::Open(_, new) if new > MOST_NEW) {
                *kind = Kind::Other;
            }
        }
    }

    /// Whether a term stands for a die in an environment, which has the innermost variable last.
    pub(super) fn look_up(
        &mut self,
        arena: &Arena,
        term: TermId,
        environment: &[List],
        budget: &Budget<'_>,
    ) -> Result<Found, LimitReached> {
        match self.kinds[term.index()] {
            Kind::Other => Ok(Found::Nothing),
            Kind::Closed => {
                if !self.closed.contains_key(&term) {
                    let listed = closed(arena, term, budget)?.map(Rc::new);
                    self.closed.insert(term, listed);
                }
                let listed = self.closed[&term].clone();
                Ok(listed.map_or(Found::Nothing, Found::Ends))
            }
            Kind::Open(free, _) => {
                let values = values(free, environment);
                Ok(values.map_or(Found::Nothing, |values| self.look_up_open((term, values))))
            }
        }
    }

    fn look_up_open(&mut self, key: Key) -> Found {
        let Kind::Open(_, new) = &mut self.kinds[key.0.index()] else {
            return Found::Nothing;
        };
        let remembered = self.open.len();
        match self.open.get_mut(&key) {
            Some(Known::Listed(listed)) => listed.clone().map_or(Found::Nothing, Found::Ends),
            Some(Known::Met(round)) if *round == self.rounds => Found::Nothing,
            Some(_) if self.ends >= MOST_KEPT.1 => Found::Nothing,
            Some(known) => {
                *new = new.saturating_sub(4);
                *known = Known::Listed(None);
                Found::ToList(key)
            }
            None if remembered >= MOST_KEPT.0 => Found::Nothing,
            None => {
                *new += 1;
                if *new == MOST_NEW + 1 {
                    self.hopeless.push(key.0);
                }
                self.open.insert(key, Known::Met(self.rounds));
                Found::Nothing
            }
        }
    }

    /// Keeps the ends of an open term that was to be listed.
    pub(super) fn keep(&mut self, key: Key, listed: Rc<Listed>) {
        self.ends += listed.ends.len();
        self.open.insert(key, Known::Listed(Some(listed)));
    }
}

/// Whether these variables are few, and not far out.
fn has_few(free: u64) -> bool {
    free & FURTHER_OUT == 0 && free.count_ones() as usize <= MOST_VARIABLES
}

/// The values of these variables, if each is a number that is not long.
fn values(free: u64, environment: &[List]) -> Option<[i64; MOST_VARIABLES]> {
    let mut values = [0; MOST_VARIABLES];
    let mut left = free;
    for value in &mut values {
        if left == 0 {
            break;
        }
        let index = left.trailing_zeros() as usize;
        let [number] = &environment[environment.len() - 1 - index][..] else {
            return None;
        };
        *value = number.to_i64()?;
        left &= left - 1;
    }
    Some(values)
}

/// The ends of a closed term. `None` if they are many, or if the term may never end.
fn closed(
    arena: &Arena,
    term: TermId,
    budget: &Budget<'_>,
) -> Result<Option<Listed>, LimitReached> {
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
    let total = measure.total.clone();
    Ok(Listed::of(measure.into_ends(), &total))
}
