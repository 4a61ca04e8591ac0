//! The values that the machine finds of a term.

use super::run::{Machine, Table};
use super::words::Word;
use crate::algebra::{Numbers, Weight};
use crate::number::{Fraction, Integer};

/// The values of a term, with their weights over a total. Weight that no value has is unresolved.
pub(in crate::engine) struct Values {
    /// The members of each value.
    pub(in crate::engine) listed: Vec<(Vec<i64>, Weight)>,
    pub(in crate::engine) total: Weight,
    /// The weight of what never ends.
    pub(in crate::engine) never: Weight,
    /// How much of the weight that is unresolved may be that of an error.
    pub(in crate::engine) may_fail: Fraction,
    /// Whether residual programs would find no more: some loop has too many states to be solved, or what is unresolved is the end of an
    /// endless list of values.
    pub(in crate::engine) are_all: bool,
}

impl Values {
    pub(super) fn of(machine: &Machine<'_>, table: &Table) -> Self {
        let entries = || table.words.iter().zip(&table.spread.weights);
        let never = entries().find(|(word, _)| **word == Word::NEVER);
        let values = entries().filter(|(word, _)| word.is_value());
        let list = |word: &Word| machine.lists.members(word).to_vec();
        let listed = values.map(|(word, weight)| (list(word), weight.clone()));
        Self {
            listed: listed.collect(),
            total: table.spread.total.clone(),
            never: never.map_or(Weight::ZERO, |(_, weight)| weight.clone()),
            may_fail: Fraction::default(),
            are_all: machine.is_large,
        }
    }

    /// The weight that no value has, and that may end.
    pub(in crate::engine) fn unresolved(&self) -> Weight {
        let found: Weight = self.listed.iter().map(|(_, weight)| weight).sum();
        &self.total - found - &self.never
    }

    /// The distribution of a number; `None` if a value is not one.
    pub(in crate::engine) fn numbers(&self) -> Option<Numbers> {
        let number = |(list, weight): &(Vec<i64>, Weight)| match list[..] {
            [number] => Some((Integer::from(number), weight.clone())),
            _ => None,
        };
        let numbers: Option<Vec<_>> = self.listed.iter().map(number).collect();
        Some(Numbers::new(numbers?, self.total.clone()))
    }
}
