//! How a rule is solved or rolled: limits, progress, order, and rolls as the last resort. Reading takes from the same limits.

use std::time::Duration;

#[cfg(feature = "sampling")]
use rand::Rng;
#[cfg(feature = "sampling")]
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

use super::form::Rule;
use crate::dist::{Dist, Outcome};
#[cfg(feature = "sampling")]
use crate::engine::estimate::Request;
use crate::engine::{self, Answer};
use crate::error::Error;
#[cfg(feature = "sampling")]
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::Program;
use crate::limits::{Budget, Limits, Observer, Unobserved};
use crate::number::Fraction;

/// A rule that is about to be solved.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use dicedist::Rule;
///
/// let rule = Rule::bones("sum(foreach i in 1..40 do (if >3 d6 then d(6*i) else 0))")?;
/// let dist = rule
///     .solver()
///     .time(Duration::from_secs(5))
///     .states(1_000_000)
///     .sample_if_needed(42)
///     .run()?;
/// assert!(!dist.is_sampled());
/// # Ok::<(), dicedist::Error>(())
/// ```
#[must_use = "a solver does nothing until it runs"]
pub struct Solver<'a> {
    rule: &'a Rule,
    limits: Limits,
    observer: &'a dyn Observer,
    is_ordered: bool,
    #[cfg(feature = "sampling")]
    sampling: Option<Request>,
    #[cfg(feature = "sampling")]
    stream: u32,
}

impl<'a> Solver<'a> {
    pub(super) fn new(rule: &'a Rule) -> Self {
        Self {
            rule,
            limits: Limits::default(),
            observer: &Unobserved,
            is_ordered: false,
            #[cfg(feature = "sampling")]
            sampling: None,
            #[cfg(feature = "sampling")]
            stream: 0,
        }
    }

    /// All limits at once.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The longest time; 10 seconds unless set.
    pub fn time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// The most states of the engine; 2,000,000 unless set.
    pub fn states(mut self, states: u64) -> Self {
        self.limits.states = states;
        self
    }

    /// The most memory, in bytes, as the engine counts it; 2 GiB unless set.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.limits.memory = bytes;
        self
    }

    /// The most outcomes that are listed of an endless distribution; 10,000 unless set.
    pub fn outcomes(mut self, outcomes: u64) -> Self {
        self.limits.outcomes = outcomes;
        self
    }

    /// The largest probability that may stay unresolved; 10⁻¹² unless set. Less than 0 counts as 0.
    pub fn tolerance(mut self, tolerance: Fraction) -> Self {
        self.limits.tolerance = tolerance.max(Fraction::default());
        self
    }

    /// An observer, which sees the progress and may stop the analysis.
    pub fn observe(mut self, observer: &'a dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// Lists in the order of the rule, and not as multisets.
    pub fn in_order(mut self) -> Self {
        self.is_ordered = true;
        self
    }

    /// The distribution of whole numbers.
    ///
    /// # Errors
    ///
    /// As [`Rule::solve`].
    pub fn run(self) -> Result<Dist, Error> {
        self.run_as()
    }

    /// The distribution of outcomes of any type.
    ///
    /// # Errors
    ///
    /// As [`Rule::solve_as`].
    pub fn run_as<T: Outcome>(self) -> Result<Dist<T>, Error> {
        self.answer()?.try_into()
    }

    /// The answer, whatever the outcomes are.
    ///
    /// # Errors
    ///
    /// As [`Rule::solve`], except that any type of outcomes will do.
    pub fn answer(self) -> Result<Answer, Error> {
        let rule = self.rule;
        let budget = Budget::start(&self.limits, self.observer);
        let program = rule.program_within(&budget)?;
        if rule.is_of_nothing(&budget) {
            return Ok(Answer::nothing());
        }
        // Reading has used a part of the time.
        let limits = budget.rest();
        let answer = if self.is_ordered {
            self.answer_of(program, &limits)
        } else {
            self.answer_of(&program.clone().sorted(), &limits)
        };
        answer.map_err(|error| rule.in_its_words(error))
    }

    /// One random value within the limits.
    ///
    /// # Errors
    ///
    /// As [`Rule::roll_as`].
    #[cfg(feature = "sampling")]
    pub fn roll_as<T: Outcome>(self, rng: &mut impl Rng) -> Result<T, Error> {
        let rule = self.rule;
        let budget = Budget::start(&self.limits, self.observer);
        let program = rule.program_within(&budget)?;
        if rule.is_of_nothing(&budget) {
            let finding = Diagnostic::without_place("nothing comes out of this rule");
            return Err(Error::new(ErrorKind::Type, finding));
        }
        let list = engine::rolls(program, &budget).roll(engine::MAX_STEPS, rng);
        let list = list.map_err(|error| rule.in_its_words(error))?;
        let rolled: Dist<T> = engine::certain(program, list).try_into()?;
        match rolled.iter().next() {
            Some((value, _)) => Ok(value),
            None => unreachable!("a roll has a value"),
        }
    }

    #[cfg(not(feature = "sampling"))]
    fn answer_of(&self, program: &Program, limits: &Limits) -> Result<Answer, Error> {
        engine::analyze(program, limits, self.observer)
    }
}

/// Rolls as the last resort.
#[cfg(feature = "sampling")]
impl Solver<'_> {
    /// A million random rolls, if the rule cannot be solved exactly within the limits of time and states; fewer, if the time runs out. The
    /// same seed gives the same rolls, in the same order, on every machine. [`Dist::is_sampled`] says whether the rule was sampled.
    pub fn sample_if_needed(self, seed: u64) -> Self {
        self.sample_by(Request::default().with_seed(seed))
    }

    /// As [`Solver::sample_if_needed`], with another number of rolls or threads.
    pub fn sample_by(mut self, request: Request) -> Self {
        self.sampling = Some(request);
        self
    }

    /// The stream of random numbers: rules that are sampled with the same seed are independent if their streams differ. 0 unless set.
    pub fn stream(mut self, stream: u32) -> Self {
        self.stream = stream;
        self
    }

    fn answer_of(&self, program: &Program, limits: &Limits) -> Result<Answer, Error> {
        let Some(request) = &self.sampling else {
            return engine::analyze(program, limits, self.observer);
        };
        let stream = u64::from(self.stream) << 32;
        // Chunks of samples are fewer than 2^32.
        let generator = |chunk: u64| {
            let mut generator = ChaCha8Rng::seed_from_u64(request.seed);
            generator.set_stream(stream | chunk);
            generator
        };
        engine::analyze_or_estimate(program, request, generator, limits, self.observer)
    }
}

impl Rule {
    /// The distribution of a rule whose values are whole numbers, within the limits of the command line.
    ///
    /// # Errors
    ///
    /// An error that the rule can run into, with its probability; [`ErrorKind::Limit`](crate::ErrorKind::Limit) if the limits do not suffice;
    /// [`ErrorKind::Type`](crate::ErrorKind::Type) if some value is no whole number; and those of [`Rule::program`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::{ErrorKind, Rule};
    ///
    /// let error = Rule::bones("6/(d6-1)")?.solve().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::DivisionByZero);
    /// assert_eq!(error.probability().unwrap().to_string(), "1/6");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn solve(&self) -> Result<Dist, Error> {
        self.solver().run()
    }

    /// The distribution of a rule with outcomes of any type.
    ///
    /// # Errors
    ///
    /// As [`Rule::solve`], with [`ErrorKind::Type`](crate::ErrorKind::Type) if some value has another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// let coin = Rule::bones(r#"if d2 == 1 then "heads" else "tails""#)?;
    /// assert_eq!(coin.solve_as::<String>()?.probability_of("heads").to_string(), "1/2");
    /// assert!(coin.solve().is_err());
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn solve_as<T: Outcome>(&self) -> Result<Dist<T>, Error> {
        self.solver().run_as()
    }

    /// A solver, for limits other than those of the command line.
    pub fn solver(&self) -> Solver<'_> {
        Solver::new(self)
    }
}

impl std::fmt::Debug for Solver<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Solver")
            .field("rule", &self.rule)
            .field("limits", &self.limits)
            .field("is_ordered", &self.is_ordered)
            .finish_non_exhaustive()
    }
}
