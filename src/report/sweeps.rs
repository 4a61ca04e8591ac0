//! The sweeps of a report: each is one rule with several values of its variables.

use super::{Answered, one_line};
use crate::number::Integer;

/// The rules with their values, a slice for each rule.
pub(crate) fn sweeps(rules: &[Answered]) -> Vec<&[Answered]> {
    rules.chunk_by(|a, b| a.rule == b.rule).collect()
}

/// The sweeps of several rules that have the same values of the same only variable, so that each value is one column of all.
#[cfg(feature = "svg")]
pub(crate) fn side_by_side(rules: &[Answered]) -> Option<Vec<&[Answered]>> {
    let sweeps = sweeps(rules);
    let [first, others @ ..] = &sweeps[..] else {
        return None;
    };
    let of_first = variable(first)?;
    let are_alike = others
        .iter()
        .all(|other| variable(other).as_ref() == Some(&of_first));
    (!others.is_empty() && first.len() > 1 && are_alike).then_some(sweeps)
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
