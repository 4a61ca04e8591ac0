//! The machine: a term of the core program is compiled once and then run in machine words.
//!
//! [`compile`] makes [`code`]: expressions, and flows of rolls. [`run`] follows every state from roll to roll, each once
//! ([`states`]), and hands the weights of all states through one [`Network`](crate::algebra::Network). [`keys`] says what two
//! histories must share to be one state, and what part of a round is solved once for few values. [`tables`] holds what each source
//! of rolls gives for its arguments. What does not compile, fails, may never end, or has too many states is refused, and residual
//! programs answer it.
//!
//! Between two rolls nothing is allocated but the lists that a rule asks for: a value is a [`words::Word`].

mod code;
mod compile;
mod counters;
mod demand;
mod draws;
mod drift;
mod errors;
mod eval;
mod keys;
mod last_state;
mod play;
mod ranges;
mod reading;
mod regions;
mod run;
mod states;
mod tables;
mod words;

use super::choice::Optimum;
use super::outcomes::List;
use super::program::{Order, Store};
use super::stop::Attempt;
use crate::algebra::weight::probability;
use crate::algebra::{Law, Numbers, Weight};
use crate::ir::{Arena, Arrangement, Term, TermId};
use crate::limits::{Budget, LimitReached};
use crate::number::{Fraction, Integer};

use code::Code;
use compile::Compiler;
use play::Worth;
use run::{Halt, Machine, Run, Table};
use words::Word;

/// The most states of a run.
const MOST_STATES: u64 = 1 << 22;

/// How many states the machine follows in the time of one residual program.
const STATES_PER_STATE: u64 = 64;

/// A term without loops is for the machine if so many rolls may follow each other, each after what was known before.
const MANY_ROLLS: usize = 8;

/// The values of a term, with their weights over a total. Weight that no value has is unresolved.
pub(super) struct Values {
    /// The members of each value.
    pub(super) listed: Vec<(Vec<i64>, Weight)>,
    pub(super) total: Weight,
    /// How much of the weight that is unresolved may be that of an error.
    pub(super) may_fail: Fraction,
}

/// Whether the machine may be the one to run a program: it has a loop or a choice, or many rolls may follow each other.
pub(super) fn may_run(arena: &Arena) -> bool {
    let mut bound = 0;
    arena.terms().iter().any(|term| {
        bound += usize::from(matches!(term, Term::Let(..)));
        matches!(
            term,
            Term::Arrange(Arrangement::Shuffle, _)
                | Term::Best(..)
                | Term::Play(..)
                | Term::While(..)
        ) || bound >= MANY_ROLLS
    })
}

/// What is known of a program.
pub(super) enum Found {
    /// The distribution of a number.
    Law(Law),
    Values(Values),
}

/// What the machine finds of a program. `None` where it refuses it. A loop without an end of states is followed until a share of at
/// most the tolerance is left, unless what its rounds add up is known.
pub(super) fn found(store: &mut Store<'_>, root: TermId, order: Order) -> Attempt<Option<Found>> {
    let ran = run(store, root, order, &[], None);
    if let Ok((machine, table)) = &ran {
        return Ok(Some(Found::Values(Values::of(machine, table))));
    }
    let is_endless = matches!(ran, Err(Halt::Endless));
    unless_refused(ran)?;
    // Sums of the states of a loop have their own ways, of which some are shorter.
    let counts = matches!(store.arena.term(root), Term::Let(..));
    if counts && let Some(law) = sum(store, root, &[])? {
        return Ok(Some(Found::Law(law)));
    }
    if !is_endless {
        return Ok(None);
    }
    let tolerance = Some(store.tolerance());
    let Some((machine, table)) = unless_refused(run(store, root, order, &[], tolerance))? else {
        return Ok(None);
    };
    let mut values = Values::of(&machine, &table);
    let open = values.unresolved();
    if open != Weight::ZERO && errors::may_fail(&machine.code, machine.arena, &machine.least) {
        values.may_fail = probability(&open, &values.total);
    }
    Ok(Some(Found::Values(values)))
}

/// The values of a term whose free variables, ascending, have these values. `None` where the machine refuses it.
pub(super) fn values(
    store: &mut Store<'_>,
    term: TermId,
    variables: &[Vec<i64>],
) -> Result<Option<Values>, LimitReached> {
    let ran = unless_refused(run(store, term, Order::Ignored, variables, None))?;
    Ok(ran.map(|(machine, table)| Values::of(&machine, &table)))
}

/// What is best in each situation of a term without free variables, whose dice may be in any order. `None` where the machine refuses
/// it.
pub(super) fn decisions(
    store: &mut Store<'_>,
    term: TermId,
) -> Result<Option<Vec<Optimum>>, LimitReached> {
    let tolerance = Some(store.tolerance());
    let ran = run(store, term, Order::Ignored, &[], tolerance);
    let Some((mut machine, _)) = unless_refused(ran)? else {
        return Ok(None);
    };
    let decisions = std::mem::take(&mut machine.decisions);
    let list = |word: &Word| -> List {
        let members = machine.lists.members(word).iter();
        members.copied().map(Integer::from).collect()
    };
    let decisions = decisions.into_iter().map(|decided| {
        let known = decided.known.iter().map(list);
        Optimum {
            choice: decided.choice,
            known: known.collect(),
            candidate: list(&decided.candidate),
            mean: decided.mean,
        }
    });
    Ok(Some(decisions.collect()))
}

/// A machine that has run a term, with the table of its values.
type Ran<'a> = (Machine<'a>, Table);

/// What the machine has found, unless it has refused it.
fn unless_refused<T>(ran: Run<T>) -> Result<Option<T>, LimitReached> {
    match ran {
        Ok(found) => Ok(Some(found)),
        Err(Halt::Endless | Halt::Refused) => Ok(None),
        Err(Halt::Limit(reached)) => Err(reached),
    }
}

/// Runs a term whose free variables, ascending, have these values.
fn run<'a>(
    store: &mut Store<'a>,
    term: TermId,
    order: Order,
    variables: &[Vec<i64>],
    tolerance: Option<Fraction>,
) -> Run<Ran<'a>> {
    let (arena, budget) = (store.arena, store.budget);
    let mut code = Code::default();
    let routine = Compiler::new(&mut code, store).routine(term, order);
    let routine = routine.ok_or(Halt::Refused)?;
    if !code.has_loop_or_choice() && !code.draws && code.longest_chain() < MANY_ROLLS {
        return Err(Halt::Refused);
    }
    let _part = budget.part("states in machine words");
    let mut machine = Machine::new(code, arena, budget, most_states(budget), tolerance);
    let arguments = variables.iter().map(|list| machine.lists.word(list));
    let arguments = arguments.collect::<Option<Vec<Word>>>();
    let table = machine.run(routine, &arguments.ok_or(Halt::Refused)?, None)?;
    budget.count_apart(machine.states as u64)?;
    budget.count_steps(machine.steps as u64);
    Ok((machine, table))
}

/// The distribution of a number that sums up or counts the values of a loop, or of what the best play of a loop is worth, in a term
/// whose free variables, ascending, have these values. `None` where the machine refuses it, or where it may never end.
pub(super) fn sum(store: &mut Store<'_>, term: TermId, variables: &[i64]) -> Attempt<Option<Law>> {
    let (arena, budget) = (store.arena, store.budget);
    let free = store.free(term);
    let mut code = Code::default();
    let mut compiler = Compiler::new(&mut code, store);
    let routines = match *arena.term(term) {
        Term::Play(first, body, worth) => {
            let played = compiler.played(first, body, worth);
            played.map(|body| (None, body))
        }
        Term::Let(..) => compiler.worth(term).map(|body| (None, body)),
        _ => compiler
            .summed(term)
            .map(|(first, body)| (Some(first), body)),
    };
    let Some((first, body)) = routines else {
        return Ok(None);
    };
    let values_of = |indices: &[u32], bound: u32| {
        let others = indices.iter().filter(|&&index| index >= bound);
        let values = others.map(|index| {
            let place = free.binary_search(&(index - bound)).ok()?;
            Word::number(variables[place])
        });
        values.collect::<Option<Vec<Word>>>()
    };
    let of_first = first.map(|first| values_of(&code.routine(first).variables, 0));
    let of_body = values_of(&code.routine(body).variables[1..], 1);
    let (Some(of_first), Some(of_body)) = (of_first.unwrap_or(Some(Vec::new())), of_body) else {
        return Ok(None);
    };
    let _part = budget.part("states in machine words");
    let mut machine = Machine::new(code, arena, budget, most_states(budget), None);
    let run = |machine: &mut Machine<'_>| {
        let Some(first) = first else {
            let arguments = [&[Word::NOTHING], &of_body[..]].concat();
            return match arena.term(term) {
                Term::Play(..) => machine.play(body, &arguments),
                _ => machine.counts(body, &arguments),
            };
        };
        let first = machine.run(first, &of_first, None)?;
        match first.words[..] {
            [first] if first != Word::NOTHING => {
                let sum = machine.sum(body, &[&[first], &of_body[..]].concat())?;
                Ok(Worth::Sum(sum.ok_or(Halt::Refused)?, true))
            }
            _ => Err(Halt::Refused),
        }
    };
    let Some(worth) = unless_refused(run(&mut machine))? else {
        return Ok(None);
    };
    budget.count_apart(machine.states as u64)?;
    budget.count_steps(machine.steps as u64);
    let sum = match worth {
        Worth::Listed(table) => return Ok(Values::of(&machine, &table).numbers().map(Law::from)),
        Worth::Sum(sum, _) => sum.law(&store.tolerance(), budget)?,
    };
    if sum.law.never_ends() != Weight::ZERO || sum.law.unresolved() != Weight::ZERO {
        return Ok(None);
    }
    if sum.is_cut {
        store.note_cut();
    }
    Ok(Some(sum.law))
}

/// The most states that a run may have now.
fn most_states(budget: &Budget<'_>) -> usize {
    let most = budget.limits().states.saturating_sub(budget.states());
    let most = most.min(budget.states_left().saturating_mul(STATES_PER_STATE));
    usize::try_from(most.min(MOST_STATES)).unwrap_or(usize::MAX)
}

impl Values {
    fn of(machine: &Machine<'_>, table: &Table) -> Self {
        let values = table.words.iter().zip(&table.spread.weights);
        let values = values.filter(|(word, _)| **word != Word::OPEN);
        let list = |word: &Word| machine.lists.members(word).to_vec();
        let listed = values.map(|(word, weight)| (list(word), weight.clone()));
        Self {
            listed: listed.collect(),
            total: table.spread.total.clone(),
            may_fail: Fraction::default(),
        }
    }

    /// The weight that no value has.
    pub(super) fn unresolved(&self) -> Weight {
        let found: Weight = self.listed.iter().map(|(_, weight)| weight).sum();
        &self.total - found
    }

    /// The distribution of a number; `None` if a value is not one.
    pub(super) fn numbers(&self) -> Option<Numbers> {
        let number = |(list, weight): &(Vec<i64>, Weight)| match list[..] {
            [number] => Some((Integer::from(number), weight.clone())),
            _ => None,
        };
        let numbers: Option<Vec<_>> = self.listed.iter().map(number).collect();
        Some(Numbers::new(numbers?, self.total.clone()))
    }
}
