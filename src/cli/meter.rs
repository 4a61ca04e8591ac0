//! What the process has used so far: time of the processor, and memory.

use std::alloc::System;
use std::time::Duration;

use cap::Cap;

/// The bytes that a process has allocated before it has read any rule, rounded up.
pub(super) const NEEDED_ANYWAY: u64 = 2 << 20;

/// Counts the bytes that are allocated.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// The time that all threads of the process have worked, without any waiting; `None` where the system does not tell.
#[cfg(unix)]
pub(super) fn worked() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).ok()
}

/// The time that all threads of the process have worked, without any waiting; `None` where the system does not tell.
#[cfg(not(unix))]
pub(super) fn worked() -> Option<Duration> {
    None
}

/// How many bytes are allocated now.
pub(super) fn allocated() -> u64 {
    ALLOCATOR.allocated() as u64
}

/// The memory of the process as the system sees it, in bytes, with its code and what it holds in reserve; 0 where that is not known.
pub(super) fn resident() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}

/// The most memory that rules can have if the system bounds the addresses of the process (`ulimit -v`), in bytes.
#[cfg(unix)]
pub(super) fn memory_of_system() -> Option<u64> {
    let addresses = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    Some(memory_within(addresses))
}

/// The addresses of a heap that the C library may give to a thread, whether or not the thread needs them.
#[cfg(unix)]
const HEAP_OF_THREAD: u64 = 64 << 20;

/// The threads that run beside the work, in [`super::watch`].
#[cfg(unix)]
const THREADS: u64 = 2;

/// The least and the most addresses that code and stacks may take.
#[cfg(unix)]
const CODE: [u64; 2] = [8 << 20, 24 << 20];

/// What small rules need, even where no heap of a thread may have left as much.
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn heaps_of_threads_leave_the_rest_to_rules() {
        for (addresses, expected) in [
            (10, LEAST),
            (60, 18 << 20),
            (130, 21 << 20),
            // The second heap may just fit.
            (140, LEAST),
            (200, 24 << 20),
            (2200, 1024 << 20),
        ] {
            assert_eq!(memory_within(addresses << 20), expected, "{addresses}");
        }
    }
}
