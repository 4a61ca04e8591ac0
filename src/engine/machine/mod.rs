//! The machine: a term of the core program is compiled once and then run in machine words.
//!
//! [`compile`] makes [`code`]: expressions, and flows of rolls. [`run`] follows every state from roll to roll, each once ([`states`]), and
//! [`weights`] hands the weights of all states through one [`Network`](crate::algebra::Network). Rounds of a loop that differ only in the
//! time are followed once ([`spans`]). [`keys`] says what two histories must share to be one state, and which part of a round is solved
//! once for few values. [`tables`] has the values of each source of rolls for its arguments, and [`apart`] merges those that the code
//! cannot tell apart. [`last_state`] compiles loops of which only the last state is asked for, and [`sums`] follows loops whose rounds add
//! up numbers. A term that does not compile, fails, or has too many states is refused, and residual programs solve it.
//!
//! Between two rolls only the lists that a rule asks for are allocated: a value is a [`words::Word`].

mod apart;
mod bounding;
mod bounds;
mod clock;
mod code;
mod compile;
mod counters;
mod decks;
mod demand;
mod draws;
mod drift;
mod ends;
mod errors;
mod eval;
mod keys;
mod last_state;
mod lists;
mod looks;
mod parts;
mod play;
mod ranges;
mod reading;
mod regions;
mod run;
mod shift;
mod spans;
mod states;
mod sums;
mod tables;
mod values;
mod weights;
mod words;

use super::choice::Optimum;
use super::outcomes::List;
use super::program::{Order, Store};
use super::stop::Attempt;
use crate::algebra::weight::probability;
use crate::algebra::{Law, Weight};
use crate::ir::{Arena, Arrangement, Selection, Term, TermId};
use crate::limits::{Budget, LimitReached};
use crate::number::{Fraction, Integer};

use code::{Code, RoutineId};
use compile::Compiler;
use run::{Halt, Machine, Run, Table};
use sums::{Summed, Worth};
pub(super) use values::Values;
use words::Word;

/// The most states of a run.
const MOST_STATES: u64 = 1 << 22;

/// How many states the machine follows in the time of one residual program.
const STATES_PER_STATE: u64 = 64;

/// A sum that the rounds of a loop add up is a part of the states if there are no more than this for each state without it.
const SUMS_PER_STATE: usize = 16;

/// The most states for each of several rolls that follow each other without a loop. Of more, residual programs may know some that are
/// alike.
const STATES_PER_ROLL: usize = 1 << 14;

/// A term without loops is for the machine if so many rolls may follow each other, each after what was known before.
const MANY_ROLLS: usize = 8;

/// Whether the machine may be the one to run a program: it has a loop or a choice, or many rolls may follow each other, those of dice in
/// order that are looked at one by one among them.
pub(super) fn may_run(arena: &Arena) -> bool {
    let (mut bound, mut has_places, mut has_dice) = (0, false, false);
    arena.terms().iter().any(|term| {
        match *term {
            Term::Let(..) => bound += 1,
            Term::Repeat(count, ..) => {
                has_dice |= match arena.term(count) {
                    Term::Integer(count) => count.to_usize() >= Some(MANY_ROLLS),
                    _ => false,
                };
            }
            Term::Select(selection, ..) => {
                has_places |= matches!(selection, Selection::First | Selection::Last);
            }
            _ => {}
        }
        matches!(
            term,
            Term::Arrange(Arrangement::Shuffle, _)
                | Term::Best(..)
                | Term::Play(..)
                | Term::While(..)
        ) || bound >= MANY_ROLLS
            || has_places && has_dice
    })
}

/// What is known of a program.
pub(super) enum MachineAnswer {
    /// The distribution of a number.
    Law(Law),
    Values(Values),
}

/// What the machine finds of a program. `None` where it refuses it. A loop without an end of states is followed until a share of at
/// most the tolerance is left, unless what its rounds add up is known.
pub(super) fn found(
    store: &mut Store<'_>,
    root: TermId,
    order: Order,
) -> Attempt<Option<MachineAnswer>> {
    if parts::are_several(store, root) {
        return Ok(None);
    }
    match shorter(store, root, order, &[], None)? {
        Ok(found) => Ok(Some(found)),
        Err(Refused { is_endless: false }) => Ok(None),
        Err(Refused { is_endless: true }) => {
            let tolerance = Some(store.tolerance());
            Ok(shorter(store, root, order, &[], tolerance)?.ok())
        }
    }
}

/// The distribution of a number: of a term whose free variables, ascending, have these values. `None` where the machine refuses it,
/// where it is not always a number, and where it may never end.
pub(super) fn law(store: &mut Store<'_>, term: TermId, variables: &[i64]) -> Attempt<Option<Law>> {
    if parts::are_several(store, term) {
        return Ok(None);
    }
    let shown = store.arena.term(term);
    let is_end = matches!(shown, Term::Let(..) | Term::Select(..));
    let mut found = match shown {
        Term::Play(..) => Err(Refused { is_endless: false }),
        _ => shorter(store, term, Order::Ignored, variables, None)?,
    };
    // Of what a loop ends with, the total has been asked for.
    if found.is_err()
        && !is_end
        && let Some(total) = total(store, term, variables, None)?
    {
        return Ok(total.law(store)?.and_then(ending));
    }
    // Residual programs do not take apart rounds with loops in them, but know more of all others.
    if let Err(Refused { is_endless: true }) = found
        && loops_in_rounds(store, term)
    {
        let tolerance = Some(store.tolerance());
        found = shorter(store, term, Order::Ignored, variables, tolerance)?;
    }
    let values = match found {
        Ok(MachineAnswer::Law(law)) => return Ok(ending(law)),
        Ok(MachineAnswer::Values(values))
            if values.may_fail == Fraction::default() && values.never == Weight::ZERO =>
        {
            values
        }
        _ => return Ok(None),
    };
    let numbers = values.numbers();
    if numbers.is_some() && values.unresolved() != Weight::ZERO {
        store.note_cut();
    }
    Ok(numbers.map(|numbers| Law::else_unresolved(numbers, Weight::ZERO)))
}

/// A distribution of numbers that surely come to be.
fn ending(law: Law) -> Option<Law> {
    (law.never_ends() == Weight::ZERO).then_some(law)
}

/// The machine has refused a term; maybe because a loop in it has no end.
struct Refused {
    is_endless: bool,
}

/// Whether a term is what a loop ends with whose rounds have loops in them.
fn loops_in_rounds(store: &mut Store<'_>, term: TermId) -> bool {
    match *store.arena.term(term) {
        Term::Let(list, _) | Term::Select(_, _, list, _) => loops_in_rounds(store, list),
        Term::While(_, body) => store.has_loops_or_choices(body),
        _ => false,
    }
}

/// The values of a term whose free variables, ascending, have these values: listed, or as the distribution of what the rounds of a
/// loop add up where that takes far fewer states. With a tolerance, a loop without an end of states is followed until no greater share
/// is left.
fn shorter(
    store: &mut Store<'_>,
    term: TermId,
    order: Order,
    variables: &[i64],
    tolerance: Option<Fraction>,
) -> Attempt<Result<MachineAnswer, Refused>> {
    let total = match store.arena.term(term) {
        Term::Let(..) | Term::Select(..) => total(store, term, variables, tolerance.clone())?,
        _ => None,
    };
    let states = total.as_ref().map(|total| total.states);
    let most = states.map_or(usize::MAX, |states| states.saturating_mul(SUMS_PER_STATE));
    let mut ran = run(store, term, order, variables, (most, tolerance.clone()));
    if let (Some(total), Err(Halt::Refused | Halt::Endless)) = (total, &ran) {
        if let Some(answer) = total.answer(store)? {
            return Ok(Ok(answer));
        }
        ran = run(store, term, order, variables, (usize::MAX, tolerance));
    }
    let is_endless = matches!(ran, Err(Halt::Endless));
    let Some((machine, table)) = unless_refused(ran)? else {
        return Ok(Err(Refused { is_endless }));
    };
    let mut values = Values::of(&machine, &table);
    let open = values.unresolved();
    if open != Weight::ZERO && errors::may_fail(&machine.code, machine.arena, &machine.least) {
        values.may_fail = probability(&open, &values.total);
    }
    Ok(Ok(MachineAnswer::Values(values)))
}

/// What is best in each situation of a term without free variables, whose dice may be in any order. `None` where the machine refuses
/// it.
pub(super) fn decisions(
    store: &mut Store<'_>,
    term: TermId,
) -> Result<Option<Vec<Optimum>>, LimitReached> {
    let tolerance = Some(store.tolerance());
    let ran = run(store, term, Order::Ignored, &[], (usize::MAX, tolerance));
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

/// Runs a term whose free variables, ascending, have these values, with at most so many states.
fn run<'a>(
    store: &mut Store<'a>,
    term: TermId,
    order: Order,
    variables: &[i64],
    (most, tolerance): (usize, Option<Fraction>),
) -> Run<Ran<'a>> {
    let budget = store.budget;
    let mut code = Code::default();
    let routine = Compiler::new(&mut code, store).routine(term, order);
    let routine = routine.ok_or(Halt::Refused)?;
    let rolls_much = code.longest_chain() >= MANY_ROLLS && !code.has_sum();
    if !code.has_loop_or_choice() && !code.only_here && !rolls_much {
        return Err(Halt::Refused);
    }
    let _part = budget.part("states in machine words");
    let mut most = most.min(most_states(budget));
    if !code.has_loop_or_choice() {
        most = most.min(code.longest_chain().saturating_mul(STATES_PER_ROLL));
    }
    let mut machine = Machine::new(code, store, most, tolerance);
    let arguments = variables.iter().map(|&value| Word::number(value));
    let arguments = arguments.collect::<Option<Vec<Word>>>();
    let table = machine.run(routine, &arguments.ok_or(Halt::Refused)?, None)?;
    store.note_plays_within(machine.plays_within);
    budget.count_apart(machine.states as u64)?;
    budget.count_steps(machine.steps as u64);
    Ok((machine, table))
}

/// A number that a loop adds up.
struct Total {
    sum: Sum,
    /// How many states there are.
    states: usize,
}

enum Sum {
    Listed(Law),
    Chain(Summed),
}

impl Total {
    /// The distribution of the number; `None` where some of it is not resolved.
    fn law(self, store: &mut Store<'_>) -> Attempt<Option<Law>> {
        match self.answer(store)? {
            Some(MachineAnswer::Law(law)) => Ok(Some(law)),
            _ => Ok(None),
        }
    }

    /// The distribution of the value; `None` if it is a number of which some is not resolved.
    fn answer(self, store: &mut Store<'_>) -> Attempt<Option<MachineAnswer>> {
        let chain = match self.sum {
            Sum::Listed(law) => return Ok(Some(MachineAnswer::Law(law))),
            Sum::Chain(chain) => chain,
        };
        if !chain.is_number() {
            let values = chain.values(&store.tolerance(), store.budget)?;
            return Ok(Some(MachineAnswer::Values(values)));
        }
        let leaves_a_rest = chain.leaves_a_rest();
        let found = chain.law(&store.tolerance(), store.budget)?;
        if !leaves_a_rest && found.law.unresolved() != Weight::ZERO {
            return Ok(None);
        }
        if found.is_cut {
            store.note_cut();
        }
        Ok(Some(MachineAnswer::Law(found.law)))
    }
}

/// A number that sums up or counts the values of a loop, or that the rounds of a loop add up, or what the best play of one is worth, in
/// a term whose free variables, ascending, have these values. `None` where the machine refuses it. With a tolerance, sums of which some
/// number is not known are left open.
fn total(
    store: &mut Store<'_>,
    term: TermId,
    variables: &[i64],
    tolerance: Option<Fraction>,
) -> Result<Option<Total>, LimitReached> {
    let context = (term, variables, tolerance);
    match *store.arena.term(term) {
        Term::Play(first, body, worth) => {
            let compiled =
                |compiler: &mut Compiler<'_, '_, '_>| compiler.played(first, body, worth);
            added(store, context, compiled, Machine::play)
        }
        Term::Let(..) | Term::Select(..) => {
            let compiled = |compiler: &mut Compiler<'_, '_, '_>| compiler.worth(term);
            added(store, context, compiled, Machine::counts)
        }
        _ => {
            let compiled = |compiler: &mut Compiler<'_, '_, '_>| match compiler.summed(term)? {
                (body, None) => Some(body),
                (_, Some(_)) => None,
            };
            // Residual programs know more of loops that begin with a roll: those of dice that explode are branching processes.
            added(store, context, compiled, |machine, body, arguments| {
                if machine.code.begins_known(body) {
                    machine.sum(body, arguments)
                } else {
                    Err(Halt::Refused)
                }
            })
        }
    }
}

/// The distribution of a member of the last state of a loop at a place from the end, or of 0 where there is none. `None` where the
/// machine refuses it, or the loop may never end.
pub(super) fn last_member(
    store: &mut Store<'_>,
    term: TermId,
    place: Option<usize>,
    variables: &[i64],
) -> Attempt<Option<Law>> {
    let compiled = |compiler: &mut Compiler<'_, '_, '_>| compiler.last_member(term, place);
    let total = added(store, (term, variables, None), compiled, Machine::member)?;
    let law = total.map_or(Ok(None), |total| total.law(store))?;
    Ok(law.and_then(ending))
}

/// What a loop in a term adds up, whose free variables, ascending, have these values: the routine of its body, and what it is run for.
fn added<'a>(
    store: &mut Store<'a>,
    (term, variables, tolerance): (TermId, &[i64], Option<Fraction>),
    compiled: impl FnOnce(&mut Compiler<'_, '_, 'a>) -> Option<RoutineId>,
    worth: impl FnOnce(&mut Machine<'a>, RoutineId, &[Word]) -> Run<Worth>,
) -> Result<Option<Total>, LimitReached> {
    let (arena, budget) = (store.arena, store.budget);
    let free = store.free(term);
    let mut code = Code::default();
    let Some(body) = compiled(&mut Compiler::new(&mut code, store)) else {
        return Ok(None);
    };
    let others = code.routine(body).variables[1..].iter();
    let others = others.map(|index| {
        let place = free.binary_search(&(index - 1)).ok()?;
        Word::number(variables[place])
    });
    let arguments: Option<Vec<Word>> = [Some(Word::NOTHING)].into_iter().chain(others).collect();
    let Some(arguments) = arguments else {
        return Ok(None);
    };
    let _part = budget.part("states in machine words");
    let mut machine = Machine::new(code, store, most_states(budget), tolerance);
    let worth = worth(&mut machine, body, &arguments);
    let Some(worth) = unless_refused(worth)? else {
        return Ok(None);
    };
    store.note_plays_within(machine.plays_within);
    budget.count_apart(machine.states as u64)?;
    budget.count_steps(machine.steps as u64);
    let sum = match worth {
        Worth::Listed(table) => {
            let values = Values::of(&machine, &table);
            let law = |numbers| Law::else_unresolved(numbers, values.never.clone());
            values.numbers().map(|numbers| Sum::Listed(law(numbers)))
        }
        Worth::Sum(sum, _) => {
            let may_fail =
                sum.leaves_a_rest() && errors::may_fail(&machine.code, arena, &machine.least);
            (!may_fail).then_some(Sum::Chain(sum))
        }
    };
    Ok(sum.map(|sum| Total {
        sum,
        states: machine.states,
    }))
}

/// The most states that a run may have now.
fn most_states(budget: &Budget<'_>) -> usize {
    let most = budget.limits().states.saturating_sub(budget.states());
    let most = most.min(budget.states_left().saturating_mul(STATES_PER_STATE));
    usize::try_from(most.min(MOST_STATES)).unwrap_or(usize::MAX)
}
