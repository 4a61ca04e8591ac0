//! Rolls of a program that follow the optimal strategy.

use super::analyze::solved;
use super::answer::Answer;
use super::evaluate::sample::Rolls;
use super::outcomes::{List, Outcomes};
use crate::algebra::{Distribution, Weight};
use crate::ir::Program;
use crate::limits::Budget;

/// The most steps of a roll that somebody waits for. A rule that takes more counts as endless.
pub const MAX_STEPS: u64 = 10_000_000;

/// Rolls of a program that follow the optimal strategy, which is found once for all of them.
///
/// # Examples
///
/// ```
/// use dicedist::limits::{Budget, Limits, Unobserved};
/// use dicedist::{Rule, engine};
/// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
///
/// let program = Rule::bones("let x = d6 in best again in 0..1 do if again == 1 then d6 else x")?.into_program()?;
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let rolls = engine::rolls(&program, &budget);
/// let roll = rolls.roll(1_000, &mut ChaCha8Rng::seed_from_u64(1))?;
/// assert_eq!(roll.len(), 1);
/// # Ok::<(), dicedist::Error>(())
/// ```
#[must_use]
pub fn rolls<'a>(program: &'a Program, budget: &'a Budget<'a>) -> Rolls<'a> {
    Rolls::new(program, budget, Some(solved))
}

/// The answer that a value is certain, such as one that was rolled. It is read as the program says.
///
/// # Examples
///
/// ```
/// use dicedist::{Rule, engine};
///
/// let program = Rule::tabletop("1d6/2")?.into_program()?;
/// let rolled = engine::certain(&program, vec![3.into()]); // in halves
/// assert_eq!(rolled.outcomes().value(0).show(&rolled.unit, &rolled.shape), "1.5");
/// # Ok::<(), dicedist::Error>(())
/// ```
#[must_use]
pub fn certain(program: &Program, value: List) -> Answer {
    let one = Weight::from(1_u32);
    let value = Distribution::new([(value, one.clone())], one);
    Answer::exact(Outcomes::from_lists(value), 0).of_program(program)
}
