//! The sweeps of a report: each is one rule with several values of its variables.

use std::collections::BTreeSet;

use super::{Answered, one_line};
use crate::number::Integer;

/// The rules with their values, a slice for each rule.
pub(crate) fn sweeps(rules: &[Answered]) -> Vec<&[Answered]> {
    rules.chunk_by(|a, b| a.rule == b.rule).collect()
}

/// Sweeps of one variable side by side: one for each rule and all values of the other variables.
#[derive(Debug)]
pub(crate) struct SideBySide<'a> {
    /// The variable, which is the one with the most values, and its values.
    pub(crate) variable: (String, Vec<Integer>),
    pub(crate) sweeps: Vec<Vec<&'a Answered>>,
}

impl<'a> SideBySide<'a> {
    /// The sweeps, if all have the same values of a variable: each value is one column of all. `None` for only one sweep.
    pub(crate) fn of(rules: &'a [Answered]) -> Option<Self> {
        let variables = rules.first()?.parameters.iter();
        let mut variables: Vec<(usize, &String)> = variables
            .map(|(name, _)| {
                let values = rules.iter().filter_map(|rule| value(rule, name));
                (values.collect::<BTreeSet<_>>().len(), name)
            })
            .collect();
        variables.sort_by_key(|(count, _)| *count);
        let mut variables = variables.into_iter().rev();
        variables.find_map(|(_, name)| Self::along(rules, name))
    }

    /// The sweeps of one rule with several variables.
    pub(crate) fn of_several_variables(rules: &'a [Answered]) -> Option<Self> {
        let first = rules.first()?;
        let has_several = |rule: &Answered| rule.rule == first.rule && rule.parameters.len() > 1;
        Self::of(rules).filter(|_| rules.iter().all(has_several))
    }

    /// The sweeps of this variable.
    fn along(rules: &'a [Answered], name: &str) -> Option<Self> {
        let mut sweeps: Vec<Vec<&Answered>> = Vec::new();
        for rule in rules {
            let is_like = |sweep: &&mut Vec<&Answered>| {
                sweep[0].rule == rule.rule && others(sweep[0], name).eq(others(rule, name))
            };
            match sweeps.iter_mut().find(is_like) {
                Some(sweep) => sweep.push(rule),
                None => sweeps.push(vec![rule]),
            }
        }
        let values = |sweep: &Vec<&Answered>| {
            let values = sweep.iter().map(|rule| value(rule, name).cloned());
            values.collect::<Option<Vec<Integer>>>()
        };
        let first = values(sweeps.first()?)?;
        let are_like = sweeps
            .iter()
            .all(|sweep| values(sweep).as_ref() == Some(&first));
        (sweeps.len() > 1 && first.len() > 1 && are_like).then(|| Self {
            variable: (one_line(name), first),
            sweeps,
        })
    }

    /// What tells the sweeps apart: their rules, or the values of all variables but theirs.
    pub(crate) fn names(&self) -> Vec<String> {
        let first = self.sweeps.first().map(|sweep| sweep[0].rule);
        let are_of_one = self.sweeps.iter().all(|sweep| Some(sweep[0].rule) == first);
        let name = |sweep: &Vec<&Answered>| {
            let rule = (!are_of_one).then(|| one_line(&sweep[0].name));
            let others = others(sweep[0], &self.variable.0);
            let others = others.map(|(name, value)| format!("{}={value}", one_line(name)));
            let all = rule.into_iter().chain(others);
            all.collect::<Vec<_>>().join(", ")
        };
        self.sweeps.iter().map(name).collect()
    }
}

/// The value of a variable of a rule.
fn value<'a>(rule: &'a Answered, name: &str) -> Option<&'a Integer> {
    let mut parameters = rule.parameters.iter();
    parameters.find_map(|(own, value)| (own == name).then_some(value))
}

/// The values of all variables of a rule but one.
fn others<'a>(rule: &'a Answered, name: &str) -> impl Iterator<Item = &'a (String, Integer)> {
    rule.parameters.iter().filter(move |(own, _)| own != name)
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
