//! Errors that are alike for several values of a free variable, or for several rules with one condition, said once.

use std::collections::BTreeSet;

use dicedist::ask::{Parameters, list};
use dicedist::number::Integer;
use dicedist::report::Refused;

/// The most groups in which one like an error is looked for.
const MOST_COMPARED: usize = 20;

/// The most combinations of values that are listed one by one.
const MOST_LISTED: usize = 5;

/// Rules that could not be answered for the same reason.
pub(super) struct Alike<'a> {
    /// The first of them.
    pub(super) first: &'a Refused,
    /// The values of the free variables of each.
    combinations: Vec<&'a Parameters>,
}

/// The rules that could not be answered; those that failed alike for several values are one entry.
pub(super) fn alike(refused: &[Refused]) -> Vec<Alike<'_>> {
    let mut groups: Vec<Alike> = Vec::new();
    for refused in refused {
        let mut last = groups.iter_mut().rev().take(MOST_COMPARED);
        let is_alike = |group: &&mut Alike| {
            let first = group.first;
            let is_series = !first.parameters.is_empty() && !refused.parameters.is_empty();
            let is_alike = is_series && first.rule == refused.rule;
            // A condition that is asked of all rules is one text.
            (is_alike || first.source == refused.source) && first.error == refused.error
        };
        match last.find(is_alike) {
            Some(group) => group.combinations.push(&refused.parameters),
            None => groups.push(Alike {
                first: refused,
                combinations: vec![&refused.parameters],
            }),
        }
    }
    groups
}

impl Alike<'_> {
    /// The number of rules with their values.
    pub(super) fn len(&self) -> usize {
        self.combinations.len()
    }

    /// The name, without values where there are several.
    pub(super) fn name(&self) -> &str {
        let name = &self.first.name;
        if self.len() == 1 {
            return name;
        }
        let values = format!(" ({})", list(&self.first.parameters));
        name.strip_suffix(&values).unwrap_or(name)
    }

    /// For which values this happens: `n=1..10`, `k=2 and n=1..3`. `None` for a rule without free variables.
    pub(super) fn values(&self) -> Option<String> {
        let first = self
            .combinations
            .first()
            .filter(|first| !first.is_empty())?;
        if self.len() == 1 {
            return Some(list(first));
        }
        let names = 0..first.len();
        let values: Vec<BTreeSet<&Integer>> = names
            .map(|name| {
                let all = self.combinations.iter();
                all.filter_map(|combination| combination.get(name))
                    .map(|(_, value)| value)
                    .collect()
            })
            .collect();
        // All combinations of some values, and no other.
        if values.iter().map(BTreeSet::len).product::<usize>() == self.len() {
            let named = first.iter().zip(&values);
            let named = named.map(|((name, _), values)| format!("{name}={}", ranges(values)));
            return Some(named.collect::<Vec<_>>().join(" and "));
        }
        let listed = self.combinations.iter().take(MOST_LISTED);
        let listed: Vec<String> = listed.map(|combination| list(combination)).collect();
        let more = match self.len().saturating_sub(MOST_LISTED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        Some(listed.join("; ") + &more)
    }
}

/// Numbers as `--set` takes them: `1..10,20`.
fn ranges(values: &BTreeSet<&Integer>) -> String {
    let mut runs: Vec<(&Integer, &Integer, usize)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((_, last, length)) if last.add(&Integer::ONE).as_ref() == Ok(*value) => {
                *last = value;
                *length += 1;
            }
            _ => runs.push((value, value, 1)),
        }
    }
    let runs = runs.into_iter().map(|(first, last, length)| match length {
        1 => first.to_string(),
        2 => format!("{first},{last}"),
        _ => format!("{first}..{last}"),
    });
    runs.collect::<Vec<_>>().join(",")
}
