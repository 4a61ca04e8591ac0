//! The two reasons to end the process in the middle of its work: Ctrl-C, and bounds on the process as a whole.
//!
//! The engine keeps to its limits by itself. Reading a long text, comparing and writing do not look at a clock, and
//! neither does one multiplication of two huge numbers. So a thread watches the time and the memory of the process.

use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dicedist::Limits;
use dicedist::limits::LimitReached;

use super::status::Status;

/// After Ctrl-C the work has this long to end by itself.
const GRACE: Duration = Duration::from_millis(700);

/// How often the clock and the memory are looked at.
const PERIOD: Duration = Duration::from_millis(10);

/// The least time that a process has beyond that of its rules.
const STARTING_TIME: Duration = Duration::from_millis(500);

/// The bytes that a process has beyond those of its rules: for its code and its idle threads.
pub(super) const STARTING_MEMORY: u64 = 16 << 20;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Files that are removed if the process ends before they are complete.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What the work may cost now; `None` where nothing bounds it.
static BOUNDS: Mutex<Option<Bounds>> = Mutex::new(None);

/// From now on, Ctrl-C asks the work to stop, and stops the process soon after if the work does not. To be
/// called when all input is read: nothing interrupts a blocked read.
pub(super) fn listen_for_interrupts() {
    // Without a handler Ctrl-C still ends the process, only less tidily.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::Relaxed);
        thread::sleep(GRACE);
        end(Status::Interrupted);
    });
}

/// Whether the user asked to stop.
pub(super) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Removes a file if the process is stopped in the middle of its work.
pub(super) fn remove_if_stopped(unfinished: PathBuf) {
    lock(&UNFINISHED).push(unfinished);
}

/// Ends the process, and removes what it has not finished.
fn end(status: Status) -> ! {
    for path in lock(&UNFINISHED).iter() {
        // A finished file has another name by now.
        let _ = fs::remove_file(path);
    }
    process::exit(status.code().into());
}

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the process may cost.
#[derive(Debug)]
struct Bounds {
    deadline: Option<Instant>,
    time: Option<Duration>,
    bytes: u64,
    memory: u64,
}

impl Bounds {
    /// One and a half times the time of so many rules, and 1.2 times their memory.
    fn new(started: Instant, limits: &Limits, rules: usize) -> Self {
        let rules = u32::try_from(rules).unwrap_or(u32::MAX);
        let whole = |time: Duration| {
            let time = time.saturating_mul(rules);
            time.saturating_add((time / 2).max(STARTING_TIME))
        };
        let bytes = limits.memory.saturating_mul(rules.into());
        Self {
            deadline: limits
                .time
                .and_then(|time| started.checked_add(whole(time))),
            time: limits.time,
            bytes: bytes
                .saturating_add(bytes / 5)
                .saturating_add(STARTING_MEMORY),
            memory: limits.memory,
        }
    }

    fn reached(&self) -> Option<LimitReached> {
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() > deadline)
        {
            return self.time.map(LimitReached::Time);
        }
        (resident_memory() > self.bytes).then_some(LimitReached::Memory(self.memory))
    }
}

/// The memory of the process, in bytes; 0 where that is not known.
pub(super) fn resident_memory() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}

/// Bounds the time and the memory of the process by the limits of so many rules together, with a margin. At a bound, `say`
/// reports it and the process ends.
pub(super) fn bound(
    started: Instant,
    limits: &Limits,
    rules: usize,
    say: impl Fn(LimitReached) + Send + 'static,
) {
    let bounds = Bounds::new(started, limits, rules);
    if lock(&BOUNDS).replace(bounds).is_some() {
        return;
    }
    // Where no thread can be had, the limits of the engine still hold.
    let _ = thread::Builder::new().spawn(move || {
        loop {
            thread::sleep(PERIOD);
            // While this is locked, no other thread can lift the bounds.
            let bounds = lock(&BOUNDS);
            match bounds.as_ref().map(Bounds::reached) {
                None => return,
                Some(None) => {}
                Some(Some(reached)) => {
                    say(reached);
                    end(Status::Limit);
                }
            }
        }
    });
}

/// From now on nothing bounds the process.
pub(super) fn unbound() {
    *lock(&BOUNDS) = None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_half_as_much_time_again() {
        let started = Instant::now();
        let limits = |seconds: u64| {
            let time = (seconds > 0).then(|| Duration::from_secs(seconds));
            Limits::default().with_time(time).with_memory(100 << 20)
        };
        for (seconds, rules, expected) in [
            (10, 1, Some(Duration::from_secs(15))),
            (10, 4, Some(Duration::from_secs(60))),
            // Half a second at least: a process has to start.
            (1, 1, Some(Duration::from_millis(1500))),
            (u64::MAX, 2, None),
            (0, 1, None),
        ] {
            let bounds = Bounds::new(started, &limits(seconds), rules);
            let given = bounds.deadline.map(|deadline| deadline - started);
            assert_eq!(given, expected, "{rules} rules of {seconds} s");
        }
        let bounds = Bounds::new(started, &limits(10), 2);
        assert_eq!(bounds.bytes, (240 + 16) << 20);
    }
}
