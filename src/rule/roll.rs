//! How a rule is rolled.

use rand::Rng;

use super::form::Rule;
#[cfg(doc)]
use super::solver::Solver;
use crate::dist::Outcome;
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::number::Integer;

impl Rule {
    /// One random value of a rule whose values are whole numbers, within the limits of the command line. [`Solver::roll_as`] has other
    /// limits.
    ///
    /// # Errors
    ///
    /// The error that the roll runs into; [`ErrorKind::Limit`] for a roll of more than ten million steps; [`ErrorKind::Type`] if the value is
    /// no whole number; and those of [`Rule::program`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    /// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
    ///
    /// let mut rng = ChaCha8Rng::seed_from_u64(7);
    /// let sum = Rule::bones("sum(3#d6)")?.roll(&mut rng)?;
    /// assert!((3..=18).map(Into::into).any(|possible: dicedist::number::Integer| sum == possible));
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn roll(&self, rng: &mut impl Rng) -> Result<Integer, Error> {
        self.roll_as(rng)
    }

    /// One random value of any type. A list is in the order of the rule.
    ///
    /// # Errors
    ///
    /// As [`Rule::roll`], with [`ErrorKind::Type`] if the value has another type.
    pub fn roll_as<T: Outcome>(&self, rng: &mut impl Rng) -> Result<T, Error> {
        self.solver().roll_as(rng)
    }
}
