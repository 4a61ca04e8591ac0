//! From a core program to its answer: the program is translated, its errors are judged, and its distribution is
//! found.
//!
//! What comes in is a program. What goes out is its answer, or the error that it can reach. [`law`] takes a closed
//! form from [`rules`](super::rules) or reveals. [`joint`] reveals programs whose parts depend on each other.
//! [`loops`] and [`by_length`] follow loops. [`verdict`](mod@verdict) finds the error to report. [`oracle`] answers
//! lower floors.

mod accumulate;
mod answer;
mod best;
mod by_length;
mod first_values;
pub(super) mod joint;
mod law;
pub(super) mod loops;
pub(super) mod oracle;
mod states;
mod verdict;
use crate::algebra::{Distribution, Law, Weight};
use crate::engine::answer::Answer;
use crate::engine::failure::{Chance, Failure};
use crate::engine::machine::{self, MachineAnswer, Values};
use crate::engine::outcomes::Outcomes;
use crate::engine::program::{Depth, NodeId, Order, Store, bytes_of_list, is_infinite};
use crate::engine::reason::Reason;
use crate::engine::rules::{long_product, share_answer, shorter_lists};
use crate::engine::simplify::{Forms as _, place_by_place};
use crate::engine::solve::answer::answer;
use crate::engine::solve::verdict::{Verdict, verdict};
use crate::engine::stop::{Attempt, Solved, Stop};
use crate::engine::translate::Translator;
use crate::error::ErrorKind;
use crate::ir::{Aim, Arrangement, Folding, Program, SiteId, Term};
use crate::limits::{Budget, LimitReached, MAX_LIST};
use crate::number::{Fraction, Integer};
use std::rc::Rc;

/// The answer to a program, if it can be found by residual programs.
///
/// Weight can be missing because a loop has more states than are followed, or because the unlisted part of a loop
/// weighs more in the answer than in the loop. In both cases loops are followed further, and the program is solved
/// again. `before` is what was found before that. If the machine has followed loops until little is left, `nearly` is
/// what it knows.
pub(in crate::engine) fn solve(
    program: &Program,
    budget: &Budget<'_>,
    nearly: &mut Option<Answer>,
    before: &mut Option<Answer>,
) -> Attempt<Solved> {
    let tolerance = &budget.limits().tolerance;
    let little = Fraction::new_raw(1.into(), 1_000.into());
    let mut depth = Depth::default();
    let (mut missing_before, mut pass) = (None, 0);
    loop {
        let mut store = Store::new(program, depth.clone(), budget, &oracle::Floors);
        let mut answer = match solved(&mut store, nearly)? {
            Ok(answer) => answer,
            failed => return Ok(failed),
        };
        answer.may_fail = answer.may_fail.max(store.open_error());
        answer.plays_within = store.plays_within().map(|situations| situations as u64);
        let unresolved = answer.probability(&answer.unresolved());
        let unresolved = unresolved.max(answer.may_fail.clone());
        if store.is_short() && unresolved > *tolerance {
            if store.is_hopeless() {
                return Err(LimitReached::States(budget.limits().states).into());
            }
            depth.states = depth.states.saturating_mul(GROWTH);
            continue;
        }
        let missing = answer.probability(&(answer.tail_weight() + answer.unresolved()));
        let is_deep =
            answer.outcomes().len() as u64 >= budget.limits().outcomes || missing <= *tolerance;
        let is_long = answer.outcomes().len() > LONG && missing <= little;
        let is_last = is_deep || pass >= DEEPER && is_long || pass >= DEEPEST;
        // If listing loops further has resolved nothing, the missing weight lies elsewhere.
        let is_stuck = missing_before.is_some_and(|before| pass >= DEEPER && before == missing);
        if is_last || is_stuck || !store.is_cut() || store.has_short_lists() {
            return Ok(Ok(answer));
        }
        missing_before = Some(missing);
        *before = Some(answer);
        depth.tolerance_share = &depth.tolerance_share * &depth.tolerance_share * tolerance;
        pass += 1;
    }
}

/// The factor by which the states of a loop grow that are followed.
const GROWTH: u64 = 8;

/// The number of passes that list loops further before a tail is left as it is.
const DEEPER: usize = 2;

/// How often loops are listed further while few outcomes are listed.
const DEEPEST: usize = 4;

/// How many states residual programs may take where little is left open.
const SHORT_TURN: u64 = 1 << 12;

/// More outcomes than this are not few.
const LONG: usize = 250;

/// The answer to the program.
fn solved(store: &mut Store<'_>, nearly: &mut Option<Answer>) -> Attempt<Solved> {
    let (program, budget) = (store.program, store.budget);
    let (root, order) = match program.arena().term(program.root()) {
        Term::Arrange(Arrangement::Sort, list) => (*list, Order::Ignored),
        _ if program.aim() != Aim::Value => (program.root(), Order::Ignored),
        _ => (program.root(), Order::Kept),
    };
    let is_play = matches!(program.arena().term(root), Term::Play(..));
    if program.aim() == Aim::Value && !is_play && machine::may_run(program.arena()) {
        // The result of the machine does not change from pass to pass.
        if nearly.is_none() {
            match machine::found(store, root, order)? {
                None => {}
                Some(MachineAnswer::Law(law)) => return Ok(Ok(answer(law, budget)?)),
                Some(MachineAnswer::Values(values)) => {
                    let answer = answer_of_values(&values, order, budget)?;
                    if values.are_all || values.unresolved() == Weight::ZERO {
                        return Ok(Ok(answer));
                    }
                    // Residual programs may find the whole distribution and, for a number, its mean and where its tail lies.
                    budget.begin_turn(SHORT_TURN);
                    *nearly = Some(answer);
                }
            }
        }
        store.compiled.insert((root, [].into()), None);
    }
    let mut translator = Translator::new(store);
    let translated = match program.arena().term(root) {
        Term::Fold(Folding::Product, list, site) if program.aim() == Aim::Value => translator
            .translate_product(*list)?
            .map_err(|factors| (factors, *site)),
        _ => Ok(translator.translate(root, order, &mut Vec::new())?),
    };
    let hazards = translator.into_hazards();
    let verdict = verdict(store, hazards)?;
    let node = match translated {
        Ok(node) => node,
        Err((factors, site)) => return long_product_answer(store, factors, site, &verdict),
    };
    let waiting = match verdict {
        Ok(waiting) => waiting,
        Err((failure, chance)) => return Ok(Err(failure.into_error(chance))),
    };
    if let Aim::Share(place) = program.aim() {
        return share_answer(store, node, waiting, place);
    }
    let node = place_by_place(store, node)?;
    let bounds = store.bounds(node)?;
    if bounds.least == 1 && bounds.most == 1 {
        let number = store.number(node)?;
        let number = store.linear(0, &[(1, number), (1, waiting)])?;
        let law = store.law(number)?;
        store.forget_laws();
        return Ok(Ok(answer(Rc::unwrap_or_clone(law), budget)?));
    }
    if !is_infinite(bounds.most) && usize::try_from(bounds.most).is_ok_and(|most| most > MAX_LIST) {
        return Err(LimitReached::List.into());
    }
    let zero = store.constant(0);
    let waits = store.copies(waiting, zero)?;
    let node = store.sequence(order, vec![node, waits])?;
    let shorter = shorter_lists(store, node)?;
    let node = shorter.as_ref().map_or(node, |shorter| shorter.list);
    let law = store.law_of_list(node)?;
    let is_exact = |list: &[i64]| {
        let shorter = shorter.as_ref();
        shorter.is_none_or(|shorter| shorter.has_exactly(list))
    };
    let lists = law.listed.iter().filter(|(list, _)| is_exact(list));
    let rest = (law.listed.total().clone(), law.never_ends());
    Ok(Ok(answer_of_lists(lists, rest, order, budget)?))
}

/// The answer with the values that the machine has found.
fn answer_of_values(values: &Values, order: Order, budget: &Budget<'_>) -> Attempt<Answer> {
    let may_fail = values.may_fail.clone();
    if let Some(numbers) = values.numbers() {
        let answer = answer(Law::else_unresolved(numbers, values.never.clone()), budget)?;
        return Ok(Answer { may_fail, ..answer });
    }
    let lists = values.listed.iter().map(|(list, weight)| (list, weight));
    let rest = (values.total.clone(), values.never.clone());
    let answer = answer_of_lists(lists, rest, order, budget)?;
    Ok(Answer { may_fail, ..answer })
}

/// The answer with these lists, their total, and the weight of what never ends.
fn answer_of_lists<'l>(
    lists: impl Iterator<Item = (&'l Vec<i64>, &'l Weight)> + Clone,
    (total, never_ends): (Weight, Weight),
    order: Order,
    budget: &Budget<'_>,
) -> Attempt<Answer> {
    // The members become integers of any length.
    let bytes_of = |list: &[i64]| bytes_of_list(list) + size_of_val(list) as u64;
    budget.has_room_for(lists.clone().map(|(list, _)| bytes_of(list)).sum())?;
    let lists = lists.map(|(list, weight)| {
        let mut list: Vec<Integer> = list.iter().copied().map(Integer::from).collect();
        // A part that was selected by position has kept its order until here.
        if order == Order::Ignored {
            list.sort_unstable();
        }
        (list, weight.clone())
    });
    let outcomes = Outcomes::from_lists(Distribution::new(lists, total));
    let law = Law::else_unresolved(outcomes, never_ends);
    Ok(Answer::new(law, budget.states()))
}

/// The answer of a product that is the result of the whole program, so that it may be of any length.
fn long_product_answer(
    store: &mut Store<'_>,
    factors: NodeId,
    site: SiteId,
    verdict: &Verdict,
) -> Attempt<Solved> {
    let unsupported = Stop::Unsupported(Reason::LongIntegers);
    let Ok(waiting) = verdict else {
        return Err(unsupported);
    };
    if store.as_constant(*waiting) != Some(0) {
        return Err(unsupported);
    }
    match long_product(store, factors) {
        Ok(Some(law)) => Ok(Ok(answer(law, store.budget)?)),
        Ok(None) => Err(unsupported),
        // All factors are known, and none of them is 0, so the overflow is the error of the rule.
        Err(Stop::Unsupported(_)) if are_known_and_not_zero(store, factors) => {
            let failure = Failure {
                span: store.arena.site_of(site).whole,
                kind: ErrorKind::Overflow,
            };
            Ok(Err(failure.into_error(Chance::certain())))
        }
        Err(stop) => Err(stop),
    }
}

fn are_known_and_not_zero(store: &Store<'_>, factors: NodeId) -> bool {
    let members = store.known_members(factors);
    members.is_some_and(|members| members.iter().all(|&(member, _)| member != 0))
}
