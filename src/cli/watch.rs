//! What may end the process in the middle of its work: whoever presses Ctrl-C, and the last bounds of it all.
//!
//! The engine keeps to its limits by itself. What is around it (reading a long text, comparing, writing) does not look at a
//! clock, and neither does a multiplication of two huge numbers; a thread that does watches the process as a whole.

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

/// Whoever asked to stop waits no longer than this for the work to end by itself.
const GRACE: Duration = Duration::from_millis(700);

/// How often the clock and the memory are looked at.
const PERIOD: Duration = Duration::from_millis(10);

/// A process takes so much longer than its rules, if that is more than half of their time.
const STARTING_TIME: Duration = Duration::from_millis(500);

/// It takes so many bytes more: its code and its idle threads are not of the rules.
pub(super) const STARTING_MEMORY: u64 = 16 << 20;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Files that are no one's until they are whole.
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

/// Has a file removed when the process is stopped in the middle of its work.
pub(super) fn remove_if_stopped(unfinished: PathBuf) {
    lock(&UNFINISHED).push(unfinished);
}

/// Ends the process, and removes what it has not finished.
fn end(status: Status) -> ! {
    for path in lock(&UNFINISHED).iter() {
        // One that is finished has another name by now.
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
    /// Half as much time again, and a fifth as much memory, as so many rules have together.
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

/// Bounds the process as a whole, from its start on: what so many rules may cost by these limits, and half as much time
/// again. If it reaches that, it says so and ends.
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
            // As long as this is locked, nobody else can end the work.
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
