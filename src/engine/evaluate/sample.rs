//! Random paths: a program rolled once.

use std::fmt;

use num_bigint::BigInt;
use rand::{Rng, RngExt};

use super::choices::Solver;
use super::enumerate::Evaluator;
use super::walk::{Faces, NoValue, Roller, Watch, has_room_now};
use crate::algebra::Weight;
use crate::engine::outcomes::List;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::Program;
use crate::limits::Budget;
use crate::number::Integer;

/// Rolls a program once. `steps` bounds the number of terms evaluated and of members that they list.
///
/// For a program that asks for shares, the roll is the value whose members have the shares.
///
/// The same generator in the same state gives the same roll on every machine.
///
/// # Errors
///
/// The error that this path runs into, or [`ErrorKind::Limit`] beyond `steps` or the time and the memory of the budget.
///
/// # Examples
///
/// ```
/// use dicedist::limits::{Budget, Limits, Unobserved};
/// use dicedist::{Rule, engine::sample};
/// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
///
/// let program = Rule::bones("3#d6")?.into_program()?;
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let roll = sample::roll(&program, 1_000, &mut ChaCha8Rng::seed_from_u64(1), &budget)?;
/// assert_eq!(roll.len(), 3);
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn roll(
    program: &Program,
    steps: u64,
    generator: &mut impl Rng,
    budget: &Budget<'_>,
) -> Result<List, Error> {
    Rolls::new(program, budget, None).roll(steps, generator)
}

/// Rolls of one program, made by [`crate::engine::rolls`]. What is best in a situation is found once for all of them.
pub struct Rolls<'a> {
    program: &'a Program,
    budget: &'a Budget<'a>,
    choices: Evaluator<'a>,
}

impl<'a> Rolls<'a> {
    /// No roll yet. A solver finds what choices need to know of loops.
    pub(in crate::engine) fn new(
        program: &'a Program,
        budget: &'a Budget<'a>,
        solver: Option<Solver>,
    ) -> Self {
        Self {
            program,
            budget,
            choices: Evaluator::new(program.arena(), budget, solver),
        }
    }

    /// As [`roll`].
    ///
    /// # Errors
    ///
    /// Those of [`roll`].
    pub fn roll(&self, steps: u64, generator: &mut impl Rng) -> Result<List, Error> {
        let watch = |bytes| has_room_now(bytes, self.budget);
        let mut rolled = Err(NoValue::Rejected);
        for _ in 0..MOST_REJECTED {
            rolled = path(self.program, steps, generator, &watch, Some(&self.choices));
            if !matches!(rolled, Err(NoValue::Rejected)) {
                break;
            }
        }
        rolled.map_err(|miss| match miss {
            NoValue::Rejected => Error::new(
                ErrorKind::Limit,
                Diagnostic::without_place(format!(
                    "the condition did not hold in {MOST_REJECTED} rolls"
                )),
            ),
            NoValue::Failure(failure) => failure.into_roll_error(),
            NoValue::Limit(reached) => reached.into(),
            NoValue::Steps => Error::new(
                ErrorKind::Limit,
                Diagnostic::without_place(format!("this roll takes more than {steps} steps"))
                    .with_note("the rule has very many dice, or a loop that seldom or never ends"),
            ),
        })
    }
}

impl fmt::Debug for Rolls<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Rolls").field(self.program).finish()
    }
}

/// How many rolls may be left out before one is kept.
const MOST_REJECTED: u64 = 1_000_000;

/// Faces that are uniformly random. Draws that would favour low faces are rejected.
struct Random<'a, R>(&'a mut R);

impl<R: Rng> Faces for Random<'_, R> {
    fn face(&mut self, sides: &Integer) -> Result<Integer, NoValue> {
        if let Some(sides) = sides.to_i64() {
            return Ok(Integer::from(self.0.random_range(1..=sides)));
        }
        let face = below(sides.to_big().magnitude(), self.0);
        Ok(Integer::from_big(BigInt::from(face) + 1).expect("no more than the sides"))
    }

    fn place(&mut self, last: usize) -> Result<usize, NoValue> {
        Ok(self.0.random_range(0..=last))
    }
}

/// A uniformly random number below one that is not 0: random bits are drawn again until they are less.
pub(crate) fn below(end: &Weight, generator: &mut impl Rng) -> Weight {
    let words = usize::try_from(end.bits().div_ceil(32)).unwrap_or(usize::MAX);
    let spare = 32 * words as u64 - end.bits();
    loop {
        let mut digits: Vec<u32> = (0..words).map(|_| generator.next_u32()).collect();
        if let Some(top) = digits.last_mut() {
            *top >>= spare;
        }
        let number = Weight::new(digits);
        if number < *end {
            return number;
        }
    }
}

/// One random path of a program, with at most this many steps. `choices` finds what is best, if the program chooses.
pub(super) fn path(
    program: &Program,
    steps: u64,
    generator: &mut impl Rng,
    watch: &Watch<'_>,
    choices: Option<&Evaluator<'_>>,
) -> Result<List, NoValue> {
    let faces = Random(generator);
    let mut roller = Roller::new(program.arena(), faces, steps, watch, choices);
    roller.evaluate(program.root(), &mut Vec::new())
}
