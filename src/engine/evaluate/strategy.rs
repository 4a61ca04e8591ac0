//! The optimal strategy of a program: what is best in each situation.

use super::choices::Solver;
use super::enumerate::Evaluator;
use crate::engine::choice::Optimum;
use crate::engine::outcomes::List;
use crate::ir::{Arena, Called, Candidates, Choice, FreeVariables, Program, Shape, Term, TermId};
use crate::limits::{Budget, LimitReached};
use crate::number::Fraction;
use crate::source::Span;

/// What is chosen at one place of a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The place of the choice in the text.
    pub place: Span,
    /// What is chosen.
    pub chosen: Called,
    /// Whether a member or a part of the list is chosen.
    pub candidates: Candidates,
    /// The list as written.
    pub list: Called,
    /// The values by which situations differ.
    pub known: Vec<Called>,
    /// All situations that were weighed, ascending by what is known: those of an optimal player, and those that other
    /// choices would lead to.
    pub situations: Vec<Situation>,
}

/// A situation, and what is best in it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Situation {
    /// The values of [`Plan::known`].
    pub known: Vec<List>,
    /// The candidate with the greatest mean, the first of these.
    pub choice: List,
    /// Its mean.
    pub mean: Fraction,
}

/// What is best in each situation, found by listing every path.
pub(in crate::engine) fn decisions(
    program: &Program,
    budget: &Budget<'_>,
    solver: Solver,
) -> Result<Vec<Optimum>, LimitReached> {
    let evaluator = Evaluator::new(program.arena(), budget, Some(solver));
    evaluator.evaluate(program.root(), &mut Vec::new())?;
    let decisions = evaluator.decisions().into_iter();
    let decisions = decisions.filter_map(|((choice, list, variables), decision)| {
        let chosen = decision.ok()?;
        Some(Optimum {
            choice,
            known: std::iter::once(list).chain(variables).collect(),
            candidate: chosen.candidate,
            mean: chosen.mean,
        })
    });
    Ok(decisions.collect())
}

/// The plans of an optimal player who decides so.
pub(in crate::engine) fn plans(arena: &Arena, mut decisions: Vec<Optimum>) -> Vec<Plan> {
    decisions.sort_by(|a, b| (a.choice, &a.known).cmp(&(b.choice, &b.known)));
    let mut free = FreeVariables::default();
    let mut plans: Vec<Plan> = Vec::new();
    for decision in decisions {
        let Term::Best(candidates, list, body, choice) = arena.term(decision.choice) else {
            continue;
        };
        let choice = arena.choice_of(*choice);
        let free_of_list = free.of(arena, *list);
        let free_of_body = free.of(arena, *body);
        let free_of_body: Vec<u32> = free_of_body
            .iter()
            .filter_map(|i| i.checked_sub(1))
            .collect();
        let is_list_known = free_of_list
            .iter()
            .all(|index| free_of_body.contains(index));
        let list = (!is_list_known).then(|| named_list(arena, *list, choice));
        let (names, known) = facts(choice, list, &free_of_body, decision.known);
        let situation = Situation {
            known,
            choice: decision.candidate,
            mean: decision.mean,
        };
        // Definitions and loops are unfolded, so the choices of one place in the text are one plan.
        let place = choice.site.whole;
        let same = plans.iter_mut().rev().find(|plan| {
            plan.place == place && plan.chosen == choice.chosen && plan.known == names
        });
        match same {
            Some(plan) => plan.situations.push(situation),
            None => plans.push(Plan {
                place,
                chosen: choice.chosen.clone(),
                candidates: *candidates,
                list: choice.list.clone(),
                known: names,
                situations: vec![situation],
            }),
        }
    }
    plans.sort_by_key(|plan| plan.place);
    let plans = plans.into_iter().map(|mut plan| {
        plan.situations.sort_by(|a, b| a.known.cmp(&b.known));
        plan.situations.dedup();
        without_constants(plan)
    });
    plans.collect()
}

/// The names and the values of what a choice depends on, from the outermost to the innermost: what is known before any
/// roll, the list where other values do not give it, and the variables of the body.
fn facts(
    choice: &Choice,
    list: Option<Called>,
    free_of_body: &[u32],
    of_situation: Vec<List>,
) -> (Vec<Called>, Vec<List>) {
    let (mut names, mut known): (Vec<Called>, Vec<List>) = choice.known.iter().cloned().unzip();
    let mut values = of_situation.into_iter();
    let members = values.next();
    if let Some(list) = list {
        names.push(list);
        known.extend(members);
    }
    let values: Vec<List> = values.collect();
    for (&index, value) in free_of_body.iter().zip(values).rev() {
        let unnamed = || Called {
            name: "…".into(),
            shape: Shape::Numbers,
        };
        names.push(named(choice, index).unwrap_or_else(unnamed));
        known.push(value);
    }
    (names, known)
}

/// The variable at a distance, if it has a name.
fn named(choice: &Choice, index: u32) -> Option<Called> {
    let mut variables = choice.variables.iter();
    let named = variables.find(|(_, distance)| *distance == index);
    named.map(|(called, _)| called.clone())
}

/// The name of a list, or its text.
fn named_list(arena: &Arena, list: TermId, choice: &Choice) -> Called {
    let name = match arena.term(list) {
        Term::Variable(index) => named(choice, *index),
        _ => None,
    };
    name.unwrap_or_else(|| choice.list.clone())
}

/// The plan without the values that are the same in all its situations.
fn without_constants(mut plan: Plan) -> Plan {
    let Some(first) = plan.situations.first().cloned() else {
        return plan;
    };
    for column in (0..plan.known.len()).rev() {
        let mut values = plan
            .situations
            .iter()
            .map(|situation| &situation.known[column]);
        if values.all(|value| *value == first.known[column]) {
            plan.known.remove(column);
            for situation in &mut plan.situations {
                situation.known.remove(column);
            }
        }
    }
    plan
}
