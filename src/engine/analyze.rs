//! From a program to its answer, by turns of residual programs and of the slow evaluator.

use super::answer::{Answer, Route};
use super::evaluate::enumerate::enumerate_within;
use super::evaluate::paths::answer_by_paths;
use super::given;
use super::reason::Reason;
use super::solve::solve;
use super::stop::{Attempt, Solved, Stop};
use crate::algebra::Weight;
use crate::error::Error;
use crate::ir::{Program, Shape};
use crate::limits::{Budget, LimitReached, Limits, Observer};
use crate::number::Fraction;

/// How many states the first turn of residual programs may take.
const FIRST_TURN: u64 = 1 << 14;

/// The factor by which turns of residual programs grow in states. A turn of the slow evaluator has fewer states than
/// the turn before it by the same factor.
const GROWTH: u64 = 8;

/// The exact distribution of a program's result.
///
/// Residual programs and the slow evaluator take turns, counted in states: few paths can lead to very many residual
/// programs. The first turn of residual programs is long enough for nearly every rule. All turns together take less
/// than `8/7` of the states of the last one, and those of the slow evaluator an eighth more. Turns are not cut by the clock,
/// so the same rule takes the same route to the same number of states on every run. All of them count towards the limits.
///
/// # Errors
///
/// An error that the program can reach, with its place and exact probability, or
/// [`crate::ErrorKind::Limit`].
pub fn analyze(
    program: &Program,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    analyze_within(program, &Budget::start(limits, observer))
}

/// As [`analyze`], within a budget that others share.
pub(super) fn analyze_within(program: &Program, budget: &Budget<'_>) -> Result<Answer, Error> {
    let evaluate = |program: &Program| without_rejections(program, budget);
    let answer = given::answer(program, budget, &evaluate)?;
    Ok(with_margins(answer.of_program(program), program, budget))
}

/// The same answer with a separate distribution for each part of a record, if some records are not resolved: more may be known of a single
/// part.
fn with_margins(answer: Answer, program: &Program, budget: &Budget<'_>) -> Answer {
    let Shape::Record { parts, labels } = program.shape() else {
        return answer;
    };
    let open = answer.probability(&answer.unresolved());
    if open == Fraction::default()
        || answer.may_fail != Fraction::default()
        || answer.sampling().is_some()
    {
        return answer;
    }
    let margins = parts.iter().enumerate().map(|(place, part)| {
        let shape = if part.has_labels {
            Shape::Labels {
                labels: labels.clone(),
                is_single: true,
            }
        } else {
            Shape::Numbers
        };
        let program = program.member(place, parts.len(), shape);
        let margin = analyze_within(&program, budget).ok()?;
        (margin.probability(&margin.unresolved()) < open).then_some(margin)
    });
    Answer {
        margins: margins.collect(),
        ..answer
    }
}

/// The answer of a program that leaves no roll out.
fn without_rejections(program: &Program, budget: &Budget<'_>) -> Result<Answer, Error> {
    let answer = by_turns(program, budget);
    match &answer {
        // The rule may have fewer paths than states.
        Err(error)
            if matches!(
                error.limit(),
                Some(LimitReached::Outcomes(_) | LimitReached::States(_))
            ) =>
        {
            answer_by_paths(program, budget)?.map_or(answer, Ok)
        }
        _ => answer,
    }
}

/// The answer by turns of residual programs and of the slow evaluator.
fn by_turns(program: &Program, budget: &Budget<'_>) -> Result<Answer, Error> {
    let mut turn = FIRST_TURN;
    let (mut nearly, mut before) = (None, None);
    loop {
        budget.begin_turn(turn);
        let solved = solve(program, budget, &mut nearly, &mut before);
        if let Some(answer) = nearly.take_if(|answer| is_better(answer, &solved, budget)) {
            return Ok(answer);
        }
        match solved {
            Ok(Ok(answer)) if is_open(&answer) => {
                let listed = || listed(program, Reason::FewerPaths, budget);
                return match budget.aside(FIRST_TURN / GROWTH, listed) {
                    Ok(listed) if !is_open(&listed) => Ok(listed),
                    _ => within_tolerance(answer, budget),
                };
            }
            Ok(solved) => return solved,
            Err(Stop::Limit(LimitReached::States(_))) if budget.may_turn() => {}
            // The search for more has reached a limit: what was found before may be enough.
            Err(Stop::Limit(reached)) => {
                let before = before.filter(|_| reached.is_of_resources());
                let before = before.and_then(|answer| within_tolerance(answer, budget).ok());
                return before.ok_or_else(|| reached.into());
            }
            Err(Stop::Unsupported(reason)) => {
                budget.begin_turn(u64::MAX);
                return listed(program, reason, budget);
            }
        }
        budget.begin_turn(turn / GROWTH);
        if let Ok(answer) = listed(program, Reason::FewerPaths, budget)
            && !is_open(&answer)
        {
            return Ok(answer);
        }
        turn = turn.saturating_mul(GROWTH);
    }
}

/// Whether an answer of which little is left open is better than what residual programs have found. They know whether a rule can fail.
fn is_better(answer: &Answer, solved: &Attempt<Solved>, budget: &Budget<'_>) -> bool {
    match solved {
        Ok(Ok(other)) => {
            let [open, others] = [answer, other].map(|of| of.probability(&of.unresolved()));
            open < others && others > budget.limits().tolerance
        }
        Ok(Err(_)) => false,
        Err(stop) => !matches!(stop, Stop::Limit(LimitReached::Interrupted)),
    }
}

/// Whether something of an answer is not known.
fn is_open(answer: &Answer) -> bool {
    answer.unresolved() != Weight::ZERO || answer.may_fail != Fraction::default()
}

/// The answer of residual programs alone, for the loops within choices. `None` if they have none, or where it may be an error.
pub(super) fn solved(
    program: &Program,
    budget: &Budget<'_>,
) -> Result<Option<Answer>, LimitReached> {
    match solve(program, budget, &mut None, &mut None) {
        Ok(solved) => Ok(solved
            .ok()
            .filter(|answer| answer.may_fail == Fraction::default())),
        Err(Stop::Unsupported(_)) => Ok(None),
        Err(Stop::Limit(reached)) => Err(reached),
    }
}

/// The answer, if no more of it is unresolved than the tolerance says. A list of lists may end at the limit of outcomes,
/// as long as it holds more than half of the weight.
fn within_tolerance(answer: Answer, budget: &Budget<'_>) -> Result<Answer, Error> {
    let limits = budget.limits();
    let unresolved = answer.probability(&answer.unresolved());
    let is_list = answer.numbers().is_none();
    let half = Fraction::new_raw(1.into(), 2.into());
    if unresolved <= limits.tolerance || is_list && unresolved < half {
        return Ok(answer);
    }
    let is_listed_no_further = answer.outcomes().len() as u64 >= limits.outcomes;
    Err(if is_listed_no_further {
        LimitReached::Outcomes(limits.outcomes).into()
    } else {
        LimitReached::States(limits.states).into()
    })
}

/// The answer of the slow evaluator, with the reason why it was tried. Between two turns of residual programs its
/// errors and its unresolved loops are no answer: residual programs may know better.
fn listed(program: &Program, reason: Reason, budget: &Budget<'_>) -> Result<Answer, Error> {
    let answer = enumerate_within(program, budget, Some(solved))?;
    Ok(Answer {
        route: Route::Enumerated(reason),
        ..answer
    })
}
