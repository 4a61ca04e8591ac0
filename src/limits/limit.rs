//! [`Limits`], which a caller sets; [`Observer`], which watches; [`LimitReached`], the result.

use std::time::Duration;
use std::{fmt, io};

use crate::number::Fraction;

/// The longest text of rules, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// The greatest depth to which the parts of a rule may be nested.
pub const MAX_DEPTH: usize = 500;

/// The greatest number of operators in a chain such as `1+1+1`, together with the chains around it.
pub const MAX_CHAIN: usize = 8_000;

/// The longest list that a rule may build, in members.
pub const MAX_LIST: usize = 10_000_000;

/// The bounds of one analysis. [`Default`] gives the bounds of the command line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest time; `None` for no bound. Default: 10 seconds.
    pub time: Option<Duration>,
    /// The part of that time that is over before the analysis starts. Default: none.
    pub spent: Duration,
    /// The most states. Default: 2,000,000.
    pub states: u64,
    /// The most memory, in bytes, counted by the engine. Default: 2 GiB.
    pub memory: u64,
    /// The most outcomes that are listed of an infinite distribution. Default: 10,000.
    pub outcomes: u64,
    /// The largest probability that may stay unresolved. Default: 10⁻¹².
    pub tolerance: Fraction,
    /// The number of situations of a loop of choices among which a plan is sought first. The number is doubled until the mean stays the
    /// same ([`Answer::plays_within`](crate::engine::Answer::plays_within)). `None` for all situations. Default: all.
    pub situations: Option<u64>,
    /// In which order the faces of hidden dice are revealed. Default: the cheaper order.
    pub faces: FaceOrder,
}

/// The order in which the faces of dice are revealed, where the dice leave a choice. It changes the cost of an answer,
/// never the answer; tests compare both orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaceOrder {
    /// The order that leads to fewer states, by an estimate.
    #[default]
    Cheaper,
    /// The highest face first, if the dice have one.
    HighestFirst,
    /// The lowest face first, if the dice have one.
    LowestFirst,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Some(Duration::from_secs(10)),
            spent: Duration::ZERO,
            states: 2_000_000,
            memory: 2 << 30,
            outcomes: 10_000,
            tolerance: Fraction::new_raw(1.into(), 1_000_000_000_000_i64.into()),
            situations: None,
            faces: FaceOrder::Cheaper,
        }
    }
}

impl Limits {
    /// The limits of [`Default`] without bounds on time, states and memory.
    #[must_use]
    pub fn unbounded() -> Self {
        Self::default()
            .with_time(None)
            .with_states(u64::MAX)
            .with_memory(u64::MAX)
    }

    /// The same limits with another bound on time.
    #[must_use]
    pub fn with_time(mut self, time: Option<Duration>) -> Self {
        self.time = time;
        self
    }

    /// The same limits, with more of the time over before the analysis starts.
    #[must_use]
    pub fn after(mut self, spent: Duration) -> Self {
        self.spent = self.spent.saturating_add(spent);
        self
    }

    /// The same limits with another bound on states.
    #[must_use]
    pub fn with_states(mut self, states: u64) -> Self {
        self.states = states;
        self
    }

    /// The same limits with another bound on memory, in bytes.
    #[must_use]
    pub fn with_memory(mut self, memory: u64) -> Self {
        self.memory = memory;
        self
    }

    /// The same limits with another bound on the outcomes that are listed of an infinite distribution.
    #[must_use]
    pub fn with_outcomes(mut self, outcomes: u64) -> Self {
        self.outcomes = outcomes;
        self
    }

    /// The same limits with another tolerance.
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: Fraction) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The same limits with another number of situations among which a plan is sought first.
    #[must_use]
    pub fn with_situations(mut self, situations: Option<u64>) -> Self {
        self.situations = situations;
        self
    }

    /// The same limits with another order of faces.
    #[must_use]
    pub fn with_faces(mut self, faces: FaceOrder) -> Self {
        self.faces = faces;
        self
    }
}

/// An observer of an analysis: it is asked whether to go on, and told the progress.
///
/// This is the only way in which progress leaves the library.
pub trait Observer {
    /// Whether to stop now; the analysis then ends with [`LimitReached::Interrupted`].
    fn is_interrupted(&self) -> bool {
        false
    }

    /// The time of work so far, counted from any moment. `None` if wall-clock time counts. An observer with a clock of its own leaves out
    /// time without work, such as waiting for a reader of the output.
    fn worked(&self) -> Option<Duration> {
        None
    }

    /// The bytes that are held by everything that [`Limits::memory`] bounds, as the observer measures them; 0 if it does
    /// not measure. The engine itself counts only what it knows to be large.
    fn memory(&self) -> u64 {
        0
    }

    /// Called now and then with the number of states visited.
    fn states(&self, _states: u64) {}

    /// Called now and then with the number of samples taken, and the number wanted.
    fn samples(&self, _taken: u64, _of: u64) {}

    /// A part of the analysis begins, by the rule with this name. Parts are nested.
    fn part_begins(&self, _rule: &'static str) {}

    /// The innermost open part ends, with the numbers of its states and of its steps between states.
    fn part_ends(&self, _states: u64, _steps: u64) {}
}

/// Watches nothing and never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// The limit that an analysis ran into. An ordinary result: the rule itself may be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitReached {
    /// The observer asked to stop.
    Interrupted,
    /// A list longer than [`MAX_LIST`].
    List,
    /// The system refused this number of bytes, though [`Limits::memory`] allows them.
    Machine(u64),
    /// A choice needs an exact mean, and a loop in it was not followed to its end.
    Mean,
    /// More memory than [`Limits::memory`].
    Memory(u64),
    /// More outcomes than [`Limits::outcomes`], beyond which too much of the rule lies.
    Outcomes(u64),
    /// No play of a loop is the best one: another round always adds to its mean.
    Plan,
    /// The best play of a loop has too many situations, or a round of it may fail.
    Play,
    /// More states than [`Limits::states`].
    States(u64),
    /// More time than [`Limits::time`].
    Time(Duration),
    /// An output longer than this number of bytes.
    Written(u64),
}

impl LimitReached {
    /// Whether memory, states or time ran out, so that less work would have ended.
    pub(crate) fn is_of_resources(&self) -> bool {
        matches!(
            self,
            Self::Machine(_) | Self::Memory(_) | Self::States(_) | Self::Time(_)
        )
    }
}

impl fmt::Display for LimitReached {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => write!(formatter, "interrupted"),
            Self::List => write!(
                formatter,
                "the rule builds a list of more than {MAX_LIST} members"
            ),
            Self::Machine(bytes) => write!(
                formatter,
                "the rule needs {} more memory than the system gives",
                size(*bytes)
            ),
            Self::Mean => write!(
                formatter,
                "the choice needs an exact mean, and a loop in it has no end that is sure"
            ),
            Self::Memory(bytes) => write!(
                formatter,
                "the rule needs more memory than the limit of {}",
                size(*bytes)
            ),
            Self::Plan => write!(
                formatter,
                "no play of the loop is the best one: another round always adds to its mean"
            ),
            Self::Play => write!(
                formatter,
                "the best play of the loop is not known: it has too many situations, or a round may fail"
            ),
            Self::Outcomes(outcomes) => write!(
                formatter,
                "the rule needs more outcomes than the limit of {outcomes}"
            ),
            Self::States(states) => write!(
                formatter,
                "the rule needs more states than the limit of {states}"
            ),
            Self::Time(time) => write!(
                formatter,
                "the rule needs more time than the limit of {} s",
                seconds(*time)
            ),
            Self::Written(bytes) => write!(
                formatter,
                "the output is longer than the limit of {}",
                size(*bytes)
            ),
        }
    }
}

impl std::error::Error for LimitReached {}

impl LimitReached {
    /// What is limited, in a word or two.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Interrupted => "interruption",
            Self::List => "length of a list",
            Self::Mean => "exact mean",
            Self::Machine(_) | Self::Memory(_) => "memory",
            Self::Outcomes(_) => "outcomes",
            Self::Plan | Self::Play => "best play",
            Self::States(_) => "states",
            Self::Time(_) => "time",
            Self::Written(_) => "length of an output",
        }
    }
}

/// The error of a writer that reaches a limit.
impl From<LimitReached> for io::Error {
    fn from(reached: LimitReached) -> Self {
        Self::other(reached)
    }
}

/// Bytes in the largest unit that divides them: `2 GiB`, `100 bytes`.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["TiB", "GiB", "MiB", "KiB"];
    let scales = (1..=UNITS.len()).rev().map(|power| 1 << (10 * power));
    let mut units = scales.zip(UNITS);
    match units.find(|(scale, _)| bytes > 0 && bytes.is_multiple_of(*scale)) {
        Some((scale, unit)) => format!("{} {unit}", bytes / scale),
        None if bytes == 1 => "1 byte".into(),
        None => format!("{bytes} bytes"),
    }
}

/// Seconds without zeros at the end: `10`, `0.25`.
fn seconds(time: Duration) -> String {
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_the_largest_unit_that_divides_them() {
        for (bytes, expected) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1000, "1000 bytes"),
            (1024, "1 KiB"),
            (1536, "1536 bytes"),
            (512 << 20, "512 MiB"),
            (2 << 30, "2 GiB"),
            (3 << 40, "3 TiB"),
            (1 << 50, "1024 TiB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }

    #[test]
    fn times_are_in_seconds() {
        for (nanoseconds, expected) in [
            (0, "0"),
            (1, "0.000000001"),
            (250_000_000, "0.25"),
            (10_000_000_000, "10"),
            (100_500_000_000, "100.5"),
        ] {
            assert_eq!(seconds(Duration::from_nanos(nanoseconds)), expected);
        }
    }
}
