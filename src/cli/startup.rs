//! Facts that must be found before `main` begins, because they cannot be seen later.
//!
//! Where a program is started with standard output closed (`>&-`), Rust's runtime opens `/dev/null` in its place. Later this looks like an
//! output that is thrown away on purpose, so the check is made before.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    /// Runs before `main` and before the runtime of Rust, so it uses only one system call and one store.
    #[ctor(unsafe)]
    fn look_at_standard_output() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        IS_OUTPUT_CLOSED.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
    }
}

/// Fails if there is no standard output.
pub(super) fn standard_output() -> io::Result<()> {
    if IS_OUTPUT_CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    Ok(())
}
