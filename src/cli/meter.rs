//! What the process has used so far: time of work, and memory.

use std::alloc::System;
use std::fs;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cap::Cap;

/// The bytes that a process has allocated before it has read any rule, rounded up.
pub(super) const NEEDED_ANYWAY: u64 = 2 << 20;

/// Counts the bytes that are allocated.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// A halt of the whole process that is longer than this was a suspension: its threads look at the clock far more often.
const LONGEST_HALT: Duration = Duration::from_secs(1);

/// The time of work: the clock stops while the process waits for the other end of a pipe, and while it is suspended.
#[derive(Debug)]
struct Clock {
    worked: Duration,
    looked: Instant,
    is_waiting: bool,
}

impl Clock {
    /// The time of work up to a moment.
    fn look(&mut self, now: Instant) -> Duration {
        let since = now.saturating_duration_since(self.looked);
        if !self.is_waiting && since < LONGEST_HALT {
            self.worked += since;
        }
        self.looked = now;
        self.worked
    }
}

static CLOCK: LazyLock<Mutex<Clock>> = LazyLock::new(|| {
    Mutex::new(Clock {
        worked: Duration::ZERO,
        looked: Instant::now(),
        is_waiting: false,
    })
});

fn clock() -> MutexGuard<'static, Clock> {
    CLOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time that the process has worked, by the clock on the wall: without waiting for those who read its output or write its input.
/// A thread has to ask at least once in [`LONGEST_HALT`].
pub(super) fn worked() -> Duration {
    clock().look(Instant::now())
}

/// Reads from or writes to another process, which may take any time. The wait does not count as work.
pub(super) fn waiting<T>(exchange: impl FnOnce() -> T) -> T {
    let stand = |is_waiting| {
        let mut clock = clock();
        clock.look(Instant::now());
        clock.is_waiting = is_waiting;
    };
    stand(true);
    let result = exchange();
    stand(false);
    result
}

/// How many bytes are allocated now.
pub(super) fn allocated() -> u64 {
    ALLOCATOR.allocated() as u64
}

/// The memory of the process as the system sees it, in bytes, with its code and what it holds in reserve; 0 where that is not
/// known. Linux has it in pages, as the second number of a file.
pub(super) fn resident() -> u64 {
    let pages = || -> Option<u64> {
        let numbers = fs::read_to_string("/proc/self/statm").ok()?;
        numbers.split(' ').nth(1)?.parse().ok()
    };
    pages().map_or(0, |pages| pages.saturating_mul(page_size()))
}

/// The bytes of a page of memory.
#[cfg(unix)]
fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

/// Only Linux counts in pages.
#[cfg(not(unix))]
fn page_size() -> u64 {
    0
}

/// The most memory that rules can have if the system bounds the addresses of the process (`ulimit -v`), in bytes.
#[cfg(unix)]
pub(super) fn memory_of_system() -> Option<u64> {
    let addresses = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    Some(memory_within(addresses))
}

/// The stack that the system gives the first thread, in bytes, if it is bounded.
#[cfg(unix)]
pub(super) fn stack_of_system() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Stack).current
}

/// The stack that the system gives the first thread, in bytes, if it is known.
#[cfg(not(unix))]
pub(super) fn stack_of_system() -> Option<u64> {
    None
}

/// The addresses of a heap that the C library may give to a thread, whether or not the thread needs them.
#[cfg(unix)]
const HEAP_OF_THREAD: u64 = 64 << 20;

/// The threads that run beside the work: that of [`super::watch`].
#[cfg(unix)]
const THREADS: u64 = 1;

/// The least and the most addresses that code and stacks may take.
#[cfg(unix)]
const CODE: [u64; 2] = [8 << 20, 24 << 20];

/// The memory that small rules get, even if the heaps of threads seem to leave less.
#[cfg(unix)]
const LEAST: u64 = 256 << 10;

/// The most memory that rules can have within so many addresses. Each thread takes a heap of its own if one fits. Half of what is
/// left is for holes in the heap, and for vectors that grow.
#[cfg(unix)]
fn memory_within(addresses: u64) -> u64 {
    let [most, least] = CODE.map(|code| addresses.saturating_sub(code));
    let heaps = |left: u64| (left / HEAP_OF_THREAD).min(THREADS);
    if heaps(most) > heaps(least) {
        // One heap more may just fit.
        return LEAST;
    }
    ((least - heaps(least) * HEAP_OF_THREAD) / 2).max(LEAST)
}

/// The most memory that rules can have, in bytes, if the system sets a limit.
#[cfg(not(unix))]
pub(super) fn memory_of_system() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn the_clock_stands_while_the_process_waits_or_is_suspended() {
        let start = Instant::now();
        let mut clock = Clock {
            worked: Duration::ZERO,
            looked: start,
            is_waiting: false,
        };
        let mut at = |milliseconds, is_waiting| {
            let worked = clock.look(start + Duration::from_millis(milliseconds));
            clock.is_waiting = is_waiting;
            worked.as_millis()
        };
        assert_eq!(at(300, false), 300);
        assert_eq!(at(350, true), 350);
        assert_eq!(at(900, true), 350);
        assert_eq!(at(60_000, false), 350);
        assert_eq!(at(60_010, false), 360);
        assert_eq!(at(90_000, false), 360, "suspended");
        assert_eq!(at(90_010, false), 370);
    }

    /// The processor works for others as long as this thread sleeps.
    #[test]
    fn time_that_a_busy_machine_gives_to_others_counts() {
        let before = worked();
        thread::sleep(Duration::from_millis(60));
        assert!(worked() >= before + Duration::from_millis(50));
    }

    #[cfg(unix)]
    #[test]
    fn heaps_of_threads_leave_the_rest_to_rules() {
        for (addresses, expected) in [
            (10, LEAST),
            (60, 18 << 20),
            (130, 21 << 20),
            // The heap may just fit.
            (80, LEAST),
            (140, 26 << 20),
            (200, 56 << 20),
            (2136, 1024 << 20),
        ] {
            assert_eq!(memory_within(addresses << 20), expected, "{addresses}");
        }
    }
}
