//! The optimal strategy of a program: what is best in each situation.

use std::collections::BTreeMap;

use super::choices::{Situation as Weighed, Solver};
use super::enumerate::Evaluator;
use crate::engine::answer::List;
use crate::ir::{Arena, Candidates, Choice, FreeVariables, Program, Term};
use crate::limits::{Budget, LimitReached};
use crate::number::Fraction;
use crate::source::Span;

/// What is chosen at one place of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The place of the choice in the text.
    pub place: Span,
    /// The name of what is chosen.
    pub chosen: String,
    /// Whether a member or a part of the list is chosen.
    pub candidates: Candidates,
    /// The list as written.
    pub list: String,
    /// The names of what a situation is told apart by.
    pub known: Vec<String>,
    /// All situations that were weighed, ascending by what is known: those of an optimal player, and those that other
    /// choices would lead to.
    pub situations: Vec<Situation>,
}

/// A situation, and what is best in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// The values of [`Plan::known`].
    pub known: Vec<List>,
    /// The candidate with the greatest mean, the first of these.
    pub choice: List,
    /// Its mean.
    pub mean: Fraction,
}

/// The plans of an optimal player.
pub(in crate::engine) fn plans(
    program: &Program,
    budget: &Budget<'_>,
    solver: Solver,
) -> Result<Vec<Plan>, LimitReached> {
    let arena = program.arena();
    if !arena.has_choices() {
        return Ok(Vec::new());
    }
    let evaluator = Evaluator::new(arena, budget, Some(solver));
    evaluator.evaluate(program.root(), &mut Vec::new())?;
    let mut free = FreeVariables::default();
    let mut plans: BTreeMap<(Span, Vec<String>), Plan> = BTreeMap::new();
    for (situation, decision) in evaluator.decisions() {
        let Ok(chosen) = decision else { continue };
        let Term::Best(candidates, list, body, choice) = arena.term(situation.0) else {
            continue;
        };
        let choice = arena.choice_of(*choice);
        let free_of_list = free.of(arena, *list).to_vec();
        let free_of_body = free.of(arena, *body).iter();
        let free_of_body: Vec<u32> = free_of_body.filter_map(|i| i.checked_sub(1)).collect();
        let is_list_known = free_of_list
            .iter()
            .all(|index| free_of_body.contains(index));
        let list_name = (!is_list_known).then(|| name_of_list(arena, *list, choice));
        let (names, known) = facts(choice, list_name, &free_of_body, situation);
        let key = (choice.site.whole, names);
        let plan = plans.entry(key).or_insert_with_key(|(place, names)| Plan {
            place: *place,
            chosen: choice.chosen.to_string(),
            candidates: *candidates,
            list: choice.list.to_string(),
            known: names.clone(),
            situations: Vec::new(),
        });
        plan.situations.push(Situation {
            known,
            choice: chosen.candidate,
            mean: chosen.mean,
        });
    }
    let plans = plans.into_values().map(|mut plan| {
        plan.situations.sort_by(|a, b| a.known.cmp(&b.known));
        plan.situations.dedup();
        without_constants(plan)
    });
    Ok(plans.collect())
}

/// The names and the values of what a choice depends on, from the outermost to the innermost: what is known before any
/// roll, the list where other values do not give it, and the variables of the body.
fn facts(
    choice: &Choice,
    list: Option<String>,
    free_of_body: &[u32],
    (_, members, values): Weighed,
) -> (Vec<String>, Vec<List>) {
    let mut names: Vec<String> = choice
        .known
        .iter()
        .map(|(name, _)| name.to_string())
        .collect();
    let mut known: Vec<List> = choice.known.iter().map(|(_, list)| list.clone()).collect();
    if let Some(list) = list {
        names.push(list);
        known.push(members);
    }
    for (&index, value) in free_of_body.iter().zip(values).rev() {
        let named = choice
            .variables
            .iter()
            .find(|(_, distance)| *distance == index);
        names.push(named.map_or("…".into(), |(name, _)| name.to_string()));
        known.push(value);
    }
    (names, known)
}

/// The name of a list, or its text.
fn name_of_list(arena: &Arena, list: crate::ir::TermId, choice: &Choice) -> String {
    let named = match arena.term(list) {
        Term::Variable(index) => choice
            .variables
            .iter()
            .find(|(_, distance)| distance == index),
        _ => None,
    };
    named.map_or(&choice.list, |(name, _)| name).to_string()
}

/// The plan without what is the same in all its situations.
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
