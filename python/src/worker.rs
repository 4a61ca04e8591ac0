//! Work that may take long, in a thread of its own: Python goes on meanwhile, and Ctrl-C ends the wait at once.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use dicedist::limits::Observer;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::internal;

/// The time between two looks at what the user wants.
const PERIOD: Duration = Duration::from_millis(20);

/// The stack of a worker. The engine takes more where it needs more.
const STACK: usize = 4 << 20;

/// What a worker and whoever waits for it tell each other.
#[derive(Default)]
struct Watch {
    is_interrupted: AtomicBool,
    states: AtomicU64,
    samples: AtomicU64,
}

impl Observer for Watch {
    fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::Relaxed)
    }

    fn states(&self, states: u64) {
        self.states.store(states, Ordering::Relaxed);
    }

    fn samples(&self, taken: u64, _of: u64) {
        self.samples.store(taken, Ordering::Relaxed);
    }
}

/// What the work gives. The function `progress` is called now and then, with the numbers of states and of samples.
///
/// # Errors
///
/// What a signal or `progress` raises: the work is then told to stop, and nobody waits for it. A panic of the work is an
/// `InternalError`.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Observer) -> T + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let (sender, mut receiver) = sync_channel(1);
    let watched = Arc::clone(&watch);
    let worker = thread::Builder::new()
        .name("dicedist".into())
        .stack_size(STACK);
    let spawned = worker.spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| work(&*watched)));
        // Whoever does not wait any more does not want the result.
        let _ = sender.send(result);
    });
    spawned.map_err(|error| PyRuntimeError::new_err(format!("there is no thread: {error}")))?;
    loop {
        let (received, back) = py.detach(move || (receiver.recv_timeout(PERIOD), receiver));
        receiver = back;
        match received {
            Ok(Ok(result)) => return Ok(result),
            Ok(Err(panic)) => return Err(internal(py, &said(&*panic))),
            Err(RecvTimeoutError::Disconnected) => return Err(internal(py, "the work was lost")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let goes_on = py.check_signals().and_then(|()| match progress {
            Some(progress) => {
                let states = watch.states.load(Ordering::Relaxed);
                let samples = watch.samples.load(Ordering::Relaxed);
                progress.call1((states, samples)).map(drop)
            }
            None => Ok(()),
        });
        if let Err(error) = goes_on {
            watch.is_interrupted.store(true, Ordering::Relaxed);
            return Err(error);
        }
    }
}

/// The text of a panic.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "panic".into())
}
