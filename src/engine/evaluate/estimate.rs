//! The last resort: a program is rolled many times, and the results are counted.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rand::Rng;

use super::enumerate::Evaluator;
use super::sample;
use super::walk::{NoValue, Watch, has_room_now};
use crate::algebra::{Distribution, Law, Weight};
use crate::engine::answer::{Answer, Method, Route, Sampling};
use crate::engine::confidence::{self, Intervals};
use crate::engine::failure::Failure;
use crate::engine::outcomes::{List, Outcomes};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::Program;
use crate::limits::{Budget, LimitReached, Limits, Observer};
use crate::number::{Fraction, Integer};

/// The most samples of one answer.
pub const MAX_SAMPLES: u64 = confidence::MAX_SAMPLES;

/// How a program is sampled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// How many samples to take, from 1 to [`MAX_SAMPLES`]. Default: 1,000,000.
    pub samples: u64,
    /// The seed of the generators. The answer repeats it in [`Sampling::seed`]. Default: 0.
    pub seed: u64,
    /// The most terms evaluated and members drawn in one sample. A sample that needs more counts as
    /// [`Answer::unresolved`]. Default: 1,000,000.
    pub steps: u64,
    /// The number of threads that roll; `None` for as many as the machine runs at once, the default.
    pub threads: Option<NonZeroUsize>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            samples: 1_000_000,
            seed: 0,
            steps: 1_000_000,
            threads: None,
        }
    }
}

impl Request {
    /// The same request with another number of samples, at least 1 and at most [`MAX_SAMPLES`].
    #[must_use]
    pub fn with_samples(mut self, samples: u64) -> Self {
        self.samples = samples.clamp(1, MAX_SAMPLES);
        self
    }

    /// The same request with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The same request with another bound on the steps of one sample.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// The same request with another number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }
}

/// The largest number of samples in a chunk. The samples of a chunk share a generator, and one thread takes them all.
const CHUNK: u64 = 256;

/// The place of the first sample of a chunk. The first chunks have one sample, and each chunk has twice as many as
/// the chunk before the last one, up to [`CHUNK`]. So a rule that takes long for every roll has some finished chunks,
/// too.
fn start_of(chunk: u64) -> u64 {
    let double = (chunk / 2).min(u64::from(CHUNK.ilog2()));
    let size = 1 << double;
    2 * (size - 1) + (chunk - 2 * double) * size
}

/// The time between two questions to the observer.
const WATCH: Duration = Duration::from_millis(20);

/// Rolls a program many times and counts the results.
///
/// Samples are taken in chunks, chunk `i` with the generator `generator(i)`. The answer depends on the generators and
/// on the number of samples, not on the threads. Sampling stops early when `limits.time` is over, when memory is
/// short, or when the observer asks for it. The finished chunks, up to the first unfinished one, are then the answer,
/// and [`Sampling::samples`] is their number of samples.
///
/// The answer is [`Method::Sampled`]: its weights are counts of samples. Its bounds hold all together with the
/// confidence that it names, for every outcome, listed or not. They are those of Chernoff, and for the cumulative
/// distribution those of Dvoretzky, Kiefer, Wolfowitz and Massart, for a number of samples that was fixed beforehand.
///
/// # Errors
///
/// The first error in the text among those of the samples; its probability is not known. [`ErrorKind::Limit`] if no
/// chunk was finished within the limits of time and memory, if no sample had a result, or if a sample builds a list
/// beyond the longest.
///
/// # Examples
///
/// ```
/// use dicedist::engine::estimate::{Request, estimate};
/// use dicedist::limits::{Limits, Unobserved};
/// use dicedist::Rule;
/// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
///
/// let request = Request::default().with_samples(10_000).with_seed(7);
/// let generator = |chunk| {
///     let mut generator = ChaCha8Rng::seed_from_u64(7);
///     generator.set_stream(chunk);
///     generator
/// };
/// let program = Rule::bones("d6")?.into_program()?;
/// let answer = estimate(&program, &request, generator, &Limits::default(), &Unobserved)?;
/// let sampling = answer.sampling().unwrap();
/// let sixth = dicedist::number::Fraction::new(1.into(), 6.into());
/// assert!(sampling.intervals.iter().all(|interval| interval.low < sixth && sixth < interval.high));
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn estimate<R: Rng>(
    program: &Program,
    request: &Request,
    generator: impl Fn(u64) -> R + Sync,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let budget = Budget::start(limits, observer);
    let answer = estimate_within(program, request, generator, &budget)?;
    Ok(answer.of_program(program))
}

/// As [`estimate`], within a budget that others share.
pub(in crate::engine) fn estimate_within<R: Rng>(
    program: &Program,
    request: &Request,
    generator: impl Fn(u64) -> R + Sync,
    budget: &Budget<'_>,
) -> Result<Answer, Error> {
    let samples = request.samples.clamp(1, MAX_SAMPLES);
    let budget_memory = budget.limits().memory;
    let threads = request
        .threads
        .or_else(|| thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZeroUsize::get);
    // Each thread has one chunk in work, and one that waits to be counted.
    let most_memory = budget_memory / 2 / threads as u64;
    let next = AtomicU64::new(0);
    let [is_ending, is_over] = [const { AtomicBool::new(false) }; 2];
    let (sender, receiver) = mpsc::sync_channel(threads);
    // The next chunk with its place; `None` where there is no other, or where all is over before it is rolled.
    let roll_chunk = |watch: &Watch<'_>, choices: Option<&Evaluator<'_>>| {
        let chunk = next.fetch_add(1, Ordering::Relaxed);
        let start = start_of(chunk);
        let size = start_of(chunk + 1).min(samples).checked_sub(start)?;
        let generator = generator(chunk);
        let tally = Tally::of_chunk(program, choices, request.steps, size, generator, watch);
        (size > 0).then_some((chunk, tally?))
    };
    let roll_chunks = |sender: mpsc::SyncSender<(u64, Tally)>| {
        let watch = |bytes| {
            if is_over.load(Ordering::Relaxed) {
                return Err(LimitReached::Interrupted);
            }
            if bytes > most_memory {
                return Err(LimitReached::Memory(budget_memory));
            }
            Ok(())
        };
        while !is_ending.load(Ordering::Relaxed)
            && let Some(chunk) = roll_chunk(&watch, None)
        {
            if sender.send(chunk).is_err() {
                break;
            }
        }
    };
    let mut counted = Counted::default();
    let ended = thread::scope(|scope| {
        let mut rolling = 0;
        // The best choices are found once for all samples, so one thread rolls them.
        let wanted = if program.arena().has_choices() {
            0
        } else {
            threads
        };
        for _ in 0..wanted {
            let sender = sender.clone();
            let spawned = thread::Builder::new().spawn_scoped(scope, || roll_chunks(sender));
            if spawned.is_err() {
                break;
            }
            rolling += 1;
        }
        drop(sender);
        let ended = if rolling > 0 {
            let ended = counted.collect(&receiver, samples, budget);
            is_ending.store(true, Ordering::Relaxed);
            // A chunk that another thread has begun may be the one before all that are waiting here.
            counted.collect_late(&receiver, budget).and(ended)
        } else {
            // There is no other thread: this one rolls.
            let watch = |bytes| has_room_now(bytes, budget);
            let choices = Evaluator::new(program.arena(), budget, None);
            counted.roll(|| roll_chunk(&watch, Some(&choices)), samples, budget)
        };
        is_over.store(true, Ordering::Relaxed);
        // Without a receiver, no thread waits to send its chunk.
        drop(receiver);
        ended
    });
    let stopped = match ended {
        // Finished chunks are an answer. Without any, the limit is the error.
        Err(
            reached @ (LimitReached::Interrupted
            | LimitReached::Time(_)
            | LimitReached::Machine(_)
            | LimitReached::Memory(_)),
        ) if counted.tally.samples > 0 => Some(reached),
        Err(reached) => return Err(reached.into()),
        Ok(()) => None,
    };
    counted.tally.into_answer(request, stopped)
}

/// The finished chunks, counted in their order.
#[derive(Default)]
struct Counted {
    tally: Tally,
    /// The first chunk that is not counted yet.
    next: u64,
    /// Later chunks that are finished.
    early: BTreeMap<u64, Tally>,
}

impl Counted {
    /// Takes chunks from other threads until there are no more.
    fn collect(
        &mut self,
        receiver: &mpsc::Receiver<(u64, Tally)>,
        samples: u64,
        budget: &Budget<'_>,
    ) -> Result<(), LimitReached> {
        loop {
            match receiver.recv_timeout(WATCH) {
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
                Ok((chunk, tally)) => self.add(chunk, tally)?,
            }
            self.check(samples, budget)?;
        }
    }

    /// Takes the chunks that other threads have begun, for a short time.
    fn collect_late(
        &mut self,
        receiver: &mpsc::Receiver<(u64, Tally)>,
        budget: &Budget<'_>,
    ) -> Result<(), LimitReached> {
        let end = budget.spent().saturating_add(WATCH);
        while let Ok((chunk, tally)) = receiver.recv_timeout(end.saturating_sub(budget.spent())) {
            self.add(chunk, tally)?;
        }
        Ok(())
    }

    /// Rolls chunks until there are no more.
    fn roll(
        &mut self,
        roll_chunk: impl Fn() -> Option<(u64, Tally)>,
        samples: u64,
        budget: &Budget<'_>,
    ) -> Result<(), LimitReached> {
        while let Some((chunk, tally)) = roll_chunk() {
            self.add(chunk, tally)?;
            self.check(samples, budget)?;
        }
        // A chunk that is given up in the middle ends this, too.
        self.check(samples, budget)
    }

    /// Counts a chunk as soon as those before it are there.
    fn add(&mut self, chunk: u64, tally: Tally) -> Result<(), LimitReached> {
        self.early.insert(chunk, tally);
        while let Some(tally) = self.early.remove(&self.next) {
            self.tally.add(tally)?;
            self.next += 1;
        }
        Ok(())
    }

    /// Whether to go on.
    fn check(&self, samples: u64, budget: &Budget<'_>) -> Result<(), LimitReached> {
        budget.observe_samples(self.tally.samples, samples);
        has_room_now(self.tally.bytes, budget)
    }
}

/// About how many bytes a value takes in the answer, beside its members: its weight, and the four long integers of its
/// interval.
const BYTES_OF_VALUE: u64 = 512;

/// Counts of samples.
#[derive(Default)]
struct Tally {
    samples: u64,
    values: BTreeMap<List, u64>,
    /// Samples that took too many steps.
    overlong: u64,
    /// Rolls that were left out. They are no samples.
    rejected: u64,
    /// The number of samples that failed, by failure.
    failures: BTreeMap<Failure, u64>,
    /// The limit that a sample ran into.
    limit: Option<LimitReached>,
    /// About how many bytes the values will take in the answer.
    bytes: u64,
}

impl Tally {
    /// The samples of a chunk. `None` if sampling is over before the chunk is finished.
    fn of_chunk(
        program: &Program,
        choices: Option<&Evaluator<'_>>,
        steps: u64,
        size: u64,
        mut generator: impl Rng,
        watch: &Watch<'_>,
    ) -> Option<Self> {
        let mut tally = Self::default();
        for _ in 0..size {
            let counted = tally.bytes;
            match watch(counted) {
                Ok(()) => {}
                Err(LimitReached::Interrupted | LimitReached::Time(_)) => return None,
                Err(reached) => {
                    tally.limit = Some(reached);
                    break;
                }
            }
            tally.samples += 1;
            let watch = |bytes| watch(counted.saturating_add(bytes));
            match sample::path(program, steps, &mut generator, &watch, choices) {
                Ok(value) => tally.count(value, 1),
                Err(NoValue::Failure(failure)) => *tally.failures.entry(failure).or_default() += 1,
                Err(NoValue::Limit(LimitReached::Interrupted | LimitReached::Time(_))) => {
                    return None;
                }
                Err(NoValue::Limit(reached)) => {
                    tally.limit = Some(reached);
                    break;
                }
                Err(NoValue::Rejected) => {
                    tally.samples -= 1;
                    tally.rejected += 1;
                }
                Err(NoValue::Steps) => tally.overlong += 1,
            }
        }
        Some(tally)
    }

    fn count(&mut self, value: List, times: u64) {
        let size = BYTES_OF_VALUE + value.iter().map(Integer::bytes).sum::<u64>();
        let count = self.values.entry(value).or_default();
        if *count == 0 {
            self.bytes += size;
        }
        *count += times;
    }

    fn add(&mut self, other: Self) -> Result<(), LimitReached> {
        if let Some(reached) = other.limit {
            return Err(reached);
        }
        self.samples += other.samples;
        self.overlong += other.overlong;
        self.rejected += other.rejected;
        for (failure, count) in other.failures {
            *self.failures.entry(failure).or_default() += count;
        }
        for (value, count) in other.values {
            self.count(value, count);
        }
        Ok(())
    }

    fn into_answer(
        self,
        request: &Request,
        stopped: Option<LimitReached>,
    ) -> Result<Answer, Error> {
        let samples = self.samples;
        if let Some(failure) = self.failures.keys().next() {
            let failed: u64 = self.failures.values().sum();
            return Err(failure.into_sampled_error(failed, samples));
        }
        if self.values.is_empty() {
            let steps = request.steps;
            let message = format!("no random roll came to a result within {steps} steps");
            return Err(Error::new(
                ErrorKind::Limit,
                Diagnostic::without_place(message),
            ));
        }
        let mut intervals = Intervals::of_values(samples);
        let overlong = intervals.of(self.overlong);
        let values = self
            .values
            .into_iter()
            .map(|(value, count)| (value, Weight::from(count)));
        let outcomes = Outcomes::from_lists(Distribution::new(values, Weight::from(samples)));
        let sampling = Sampling {
            samples,
            stopped,
            seed: request.seed,
            steps: request.steps,
            confidence: confidence::confidence(),
            intervals: outcomes
                .iter()
                .map(|(_, weight)| intervals.of(weight.try_into().unwrap_or(samples)))
                .collect(),
            overlong,
            unseen: intervals.of(0).high,
            band: confidence::band_of(samples),
        };
        let law = Law::else_unresolved(outcomes, Weight::ZERO);
        Ok(Answer {
            method: Method::Sampled(Box::new(sampling)),
            route: Route::Sampled(None),
            given: (self.rejected > 0).then(|| {
                let share = Fraction::new(samples.into(), (samples + self.rejected).into());
                [share.clone(), share]
            }),
            ..Answer::new(law, 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_become_longer_and_leave_no_gap() {
        let sizes: Vec<u64> = (0..20)
            .map(|chunk| start_of(chunk + 1) - start_of(chunk))
            .collect();
        let doubles = [1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64, 128, 128];
        assert_eq!(start_of(0), 0);
        assert_eq!(sizes[..16], doubles);
        assert_eq!(sizes[16..], [CHUNK; 4]);
    }
}
