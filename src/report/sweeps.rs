//! The sweeps of a report: each is one rule with several values of its variables.

use super::{Answered, one_line};
use crate::number::Integer;

/// The rules with their values, a slice for each rule.
pub(crate) fn sweeps(rules: &[Answered]) -> Vec<&[Answered]> {
    rules.chunk_by(|a, b| a.rule == b.rule).collect()
}

/// The sweeps of the last variable, for each rule and all values of the other variables, if all have the same values of it: each
/// value is one column of all. `None` for only one sweep.
#[cfg(feature = "svg")]
pub(crate) fn side_by_side(rules: &[Answered]) -> Option<Vec<&[Answered]>> {
    let sweeps = rules.chunk_by(|a, b| a.rule == b.rule && others(a) == others(b));
    let sweeps: Vec<&[Answered]> = sweeps.collect();
    let [first, rest @ ..] = &sweeps[..] else {
        return None;
    };
    let of_first = last_variable(first)?;
    let is_like = |sweep: &&[Answered]| last_variable(sweep).as_ref() == Some(&of_first);
    (!rest.is_empty() && first.len() > 1 && rest.iter().all(is_like)).then_some(sweeps)
}

/// The values of all variables but the last.
#[cfg(feature = "svg")]
fn others(rule: &Answered) -> &[(String, Integer)] {
    rule.parameters
        .split_last()
        .map_or(&[], |(_, others)| others)
}

/// What tells sweeps apart that are side by side: their rules, or the values of all variables but the last.
#[cfg(feature = "svg")]
pub(crate) fn names(sweeps: &[&[Answered]]) -> Vec<String> {
    let are_of_one = sweeps
        .windows(2)
        .all(|pair| pair[0][0].rule == pair[1][0].rule);
    let name = |sweep: &&[Answered]| {
        let rule = (!are_of_one).then(|| one_line(&sweep[0].name));
        let others = others(&sweep[0]).iter();
        let others = others.map(|(name, value)| format!("{}={value}", one_line(name)));
        rule.into_iter()
            .chain(others)
            .collect::<Vec<_>>()
            .join(", ")
    };
    sweeps.iter().map(name).collect()
}

/// The last variable of rules that differ in nothing else, and its values.
#[cfg(feature = "svg")]
pub(crate) fn last_variable(rules: &[Answered]) -> Option<(String, Vec<Integer>)> {
    let (first, _) = rules.first()?.parameters.last()?;
    let is_like = |rule: &Answered| others(rule) == others(&rules[0]);
    let values = rules.iter().map(|rule| match rule.parameters.last() {
        Some((name, value)) if name == first && is_like(rule) => Some(value.clone()),
        _ => None,
    });
    Some((one_line(first), values.collect::<Option<_>>()?))
}

/// The only variable of rules, and its values.
pub(crate) fn variable(rules: &[Answered]) -> Option<(String, Vec<Integer>)> {
    let mut name = None;
    let mut values = Vec::new();
    for rule in rules {
        let [(own, value)] = &rule.parameters[..] else {
            return None;
        };
        if name.get_or_insert(own) != &own {
            return None;
        }
        values.push(value.clone());
    }
    Some((one_line(name?), values))
}
