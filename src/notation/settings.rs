//! What a rule is lowered with, beside its text.

use std::collections::BTreeMap;

use crate::number::Integer;

/// What is to be found out about a rule of a notation that [has pools](super::Dialect::has_pools). The result of a rule
/// in any other notation is what it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// The number that the rule comes to.
    #[default]
    Number,
    /// The dice that the number is made of.
    Pool,
}

/// What a rule is read with, beside its text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Values of free variables.
    pub parameters: BTreeMap<String, Integer>,
    /// The number or the pool.
    pub wanted: Wanted,
    /// The sides of an `OneDice` die that says none: 100 by default.
    pub default_sides: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            parameters: BTreeMap::new(),
            wanted: Wanted::Number,
            default_sides: 100,
        }
    }
}

impl Settings {
    /// The same with these values of free variables and no others.
    #[must_use]
    pub fn with_parameters(mut self, parameters: BTreeMap<String, Integer>) -> Self {
        self.parameters = parameters;
        self
    }

    /// The same with a value of one more free variable.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: impl Into<Integer>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// The same with another wish for the number or the pool.
    #[must_use]
    pub fn with_wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// The same with other sides for an `OneDice` die that says none.
    #[must_use]
    pub fn with_default_sides(mut self, sides: u32) -> Self {
        self.default_sides = sides;
        self
    }
}
