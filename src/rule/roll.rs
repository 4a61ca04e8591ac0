//! How a rule is rolled.

use rand::Rng;

use super::form::Rule;
use crate::dist::{Dist, Outcome};
use crate::engine;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::limits::{Budget, Limits, Unobserved};
use crate::number::Integer;

impl Rule {
    /// One random value of a rule whose values are whole numbers.
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
        let program = self.program()?;
        if self.is_of_nothing() {
            let finding = Diagnostic::without_place("nothing comes out of this rule");
            return Err(Error::new(ErrorKind::Type, finding));
        }
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let list = engine::rolls(program, &budget).roll(engine::MAX_STEPS, rng);
        let list = list.map_err(|error| self.in_its_words(error))?;
        let rolled: Dist<T> = engine::certain(program, list).try_into()?;
        match rolled.iter().next() {
            Some((value, _)) => Ok(value),
            None => unreachable!("a roll has a value"),
        }
    }
}
