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

/// The most memory that the system gives to the process, in bytes, if it says so (`ulimit -v`).
#[cfg(unix)]
pub(super) fn most_memory() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

/// The most memory that the system gives to the process, in bytes, if it says so.
#[cfg(not(unix))]
pub(super) fn most_memory() -> Option<u64> {
    None
}
