//! The settings that a rule is lowered with.

use std::collections::BTreeMap;

use crate::number::Integer;

/// Which result is wanted of a rule in a notation that [has pools](super::Dialect::has_pools). A rule in any other notation
/// has only one result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wanted {
    /// The value of the rule as a number.
    #[default]
    Number,
    /// The dice that add up to the number.
    Pool,
}

/// The settings that a rule is lowered with.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Values of free variables.
    pub parameters: BTreeMap<String, Integer>,
    /// Whether the number or the pool is wanted.
    pub wanted: Wanted,
    /// The number of sides of an `OneDice` die without a number of sides: 100 by default.
    pub default_sides: u32,
    /// A function of an AnyDice program is run for each combination of arguments if there are no more than this many, and is
    /// solved by states if there are more. The answer is the same.
    pub most_listed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            parameters: BTreeMap::new(),
            wanted: Wanted::Number,
            default_sides: 100,
            most_listed: 500,
        }
    }
}

impl Settings {
    /// The same settings with exactly these values of free variables.
    #[must_use]
    pub fn with_parameters(mut self, parameters: BTreeMap<String, Integer>) -> Self {
        self.parameters = parameters;
        self
    }

    /// The same settings with a value of one more free variable.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: impl Into<Integer>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// The same settings with the number or the pool as the wanted result.
    #[must_use]
    pub fn with_wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// The same settings with another number of sides for an `OneDice` die without one.
    #[must_use]
    pub fn with_default_sides(mut self, sides: u32) -> Self {
        self.default_sides = sides;
        self
    }

    /// The same settings with another number of combinations that are listed.
    #[must_use]
    pub fn with_most_listed(mut self, most_listed: u64) -> Self {
        self.most_listed = most_listed;
        self
    }
}
