//! The two reasons to end the process in the middle of its work: Ctrl-C, and bounds on the process as a whole.
//!
//! The engine, comparisons and writers keep to their limits by themselves. Summaries, pictures, and one multiplication of two huge
//! numbers do not look at a clock. So a thread watches what the process uses ([`meter`]).

use std::ffi::c_int;
use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dicedist::Limits;
use dicedist::limits::{Budget, LimitReached};
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::meter;
use super::status::Status;

/// After Ctrl-C the work has this long to end by itself.
const GRACE: Duration = Duration::from_millis(700);

/// The time between two measurements.
const PERIOD: Duration = Duration::from_millis(10);

/// The time that a process needs to start.
const STARTING_TIME: Duration = Duration::from_millis(30);

/// The bytes that a process needs for its code, all of which may come to be used, and its idle thread.
const STARTING_MEMORY: u64 = 16 << 20;

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Files that are removed if the process ends before they are complete.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The limits that bound the process; `None` while nothing bounds it.
static BOUNDS: Mutex<Option<Limits>> = Mutex::new(None);

/// The signals that ask the process to stop. The last comes when the system's limit of time is reached (`ulimit -t`).
#[cfg(unix)]
const ASKING: [c_int; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];

#[cfg(not(unix))]
const ASKING: [c_int; 2] = [SIGINT, SIGTERM];

/// From now on, Ctrl-C asks the work to stop, and [the watch](watch) stops the process soon after if the work does not. Must be called
/// after all input is read, because nothing interrupts a blocked read.
pub(super) fn listen_for_interrupts() {
    let ignored = ignored_signals();
    for signal in ASKING {
        if ignored >> (signal - 1) & 1 == 1 {
            continue;
        }
        // Without a handler the signal still ends the process, only less tidily.
        let _ = flag::register(signal, Arc::clone(&INTERRUPTED));
    }
}

/// The signals, as bits, that the parent process wants ignored, as `nohup` does; none if the system does not say.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.map_or(0, |bits| u64::from_str_radix(bits.trim(), 16).unwrap_or(0))
}

/// From now on, a file that becomes longer than the system allows (`ulimit -f`) is an error of writing, and not the end of the
/// process.
pub(super) fn let_long_files_be_errors() {
    // The signal is caught, and says nothing that the error does not.
    #[cfg(unix)]
    let _ = flag::register(SIGXFSZ, Arc::default());
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

/// The limit that the process has reached, with the margin of the watch.
fn reached(limits: &Limits) -> Option<LimitReached> {
    let net = with_margin(limits, MARGIN);
    if net.time.is_some_and(|time| meter::worked() > time) {
        return limits.time.map(LimitReached::Time);
    }
    (meter::resident() > net.memory).then_some(LimitReached::Memory(limits.memory))
}

/// The watch ends the process one part in so many above the limits.
const MARGIN: u32 = 7;

/// The limits with one part in `parts` more time and memory, and a share of what a process needs to start: all of it at
/// [`MARGIN`] parts.
fn with_margin(limits: &Limits, parts: u32) -> Limits {
    let starting = STARTING_TIME * MARGIN / parts;
    let time = limits.time;
    let time = time.map(|time| time.saturating_add(time / parts).saturating_add(starting));
    let starting = STARTING_MEMORY * u64::from(MARGIN) / u64::from(parts);
    let memory = limits
        .memory
        .saturating_add(limits.memory / u64::from(parts));
    limits
        .clone()
        .with_time(time)
        .with_memory(memory.saturating_add(starting))
}

/// The limits for writing answers that are found already: half-way up to the bound of the watch, because the answers should not be lost.
pub(super) fn overtime(budget: &Budget<'_>) -> Limits {
    let mut limits = with_margin(budget.limits(), 2 * MARGIN);
    limits.spent = budget.spent();
    limits
}

/// Watches the process from now on, and bounds its time and memory by the limits of the call, with a margin. At a bound, `say` reports it
/// and the process ends. This is the last resort: work that keeps to a [`Budget`](dicedist::limits::Budget) never reaches it.
pub(super) fn watch(limits: Limits, say: impl Fn(LimitReached) + Send + 'static) {
    *lock(&BOUNDS) = Some(limits);
    // If there is no thread, the limits of the engine still hold, and only the work itself checks whether to stop.
    let _ = thread::Builder::new().spawn(move || {
        let mut interrupted = None;
        loop {
            thread::sleep(PERIOD);
            if is_interrupted() && interrupted.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                end(Status::Interrupted);
            }
            // While this is locked, no other thread can lift the bounds.
            let bounds = lock(&BOUNDS);
            if let Some(reached) = bounds.as_ref().and_then(reached) {
                say(reached);
                end(Status::Limit);
            }
        }
    });
}

/// From now on nothing bounds the process.
pub(super) fn lift_bounds() {
    *lock(&BOUNDS) = None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_net_hangs_a_little_above_the_limits() {
        let net = |seconds: Option<u64>| {
            let time = seconds.map(Duration::from_secs);
            with_margin(
                &Limits::default().with_time(time).with_memory(70 << 20),
                MARGIN,
            )
        };
        assert_eq!(net(Some(7)).time, Some(Duration::from_millis(8030)));
        assert_eq!(net(Some(u64::MAX)).time, Some(Duration::MAX));
        assert_eq!(net(None).time, None);
        assert_eq!(net(None).memory, 96 << 20);
    }
}
