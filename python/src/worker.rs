//! Work that may take long, in a thread beside that of Python: Python goes on meanwhile, and Ctrl-C ends the wait at once. A thread
//! that has done its work waits for more, because a new one takes longer than a small rule.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SendError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use dicedist::limits::Observer;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::internal;

/// The time between two looks at what the user wants.
const PERIOD: Duration = Duration::from_millis(20);

/// The stack of a worker. The engine takes more where it needs more.
const STACK: usize = 4 << 20;

/// How long a thread looks for what another hands it before it sleeps: to wake it takes about as long, and a small rule less.
const SOON: Duration = Duration::from_micros(50);

/// The most threads that wait for work.
const MOST_IDLE: usize = 4;

/// One piece of work. It does not panic.
type Job = Box<dyn FnOnce() + Send>;

/// The threads that wait for work.
struct Idle {
    /// The process that they are in: a fork has none of them.
    process: u32,
    threads: Vec<Sender<Job>>,
}

static IDLE: Mutex<Idle> = Mutex::new(Idle {
    process: 0,
    threads: Vec::new(),
});

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
    let started = start(Box::new(move || {
        let result = catch_unwind(AssertUnwindSafe(|| work(&*watched)));
        // Whoever does not wait any more does not want the result.
        let _ = sender.send(result);
    }));
    started.map_err(|error| PyRuntimeError::new_err(format!("there is no thread: {error}")))?;
    loop {
        let (received, back) = py.detach(move || {
            let soon = soon(|| receiver.try_recv().ok());
            (
                soon.map_or_else(|| receiver.recv_timeout(PERIOD), Ok),
                receiver,
            )
        });
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

/// Hands work to a thread: to one that waits for it, or to a new one.
fn start(mut job: Job) -> io::Result<()> {
    while let Some(thread) = an_idle_thread() {
        match thread.send(job) {
            Ok(()) => return Ok(()),
            Err(SendError(back)) => job = back,
        }
    }
    let (sender, receiver) = channel::<Job>();
    let worker = thread::Builder::new()
        .name("dicedist".into())
        .stack_size(STACK);
    worker.spawn(move || {
        job();
        while wait_for_work(&sender) {
            let soon = soon(|| receiver.try_recv().ok());
            let Some(job) = soon.or_else(|| receiver.recv().ok()) else {
                return;
            };
            job();
        }
    })?;
    Ok(())
}

/// What somebody finds soon, if there is something.
fn soon<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let found = look();
        if found.is_some() || start.elapsed() > SOON {
            return found;
        }
        std::hint::spin_loop();
    }
}

/// A thread of this process that waits for work. Nobody waits for the list: a new thread is no worse, and a fork may find it locked
/// for good.
fn an_idle_thread() -> Option<Sender<Job>> {
    let mut idle = IDLE.try_lock().ok()?;
    if idle.process != std::process::id() {
        idle.threads.clear();
    }
    idle.threads.pop()
}

/// Puts a thread among those that wait for work, if the list is free and has room. Returns whether it did.
fn wait_for_work(thread: &Sender<Job>) -> bool {
    let Ok(mut idle) = IDLE.try_lock() else {
        return false;
    };
    let process = std::process::id();
    if idle.process != process {
        idle.process = process;
        idle.threads.clear();
    }
    let has_room = idle.threads.len() < MOST_IDLE;
    if has_room {
        idle.threads.push(thread.clone());
    }
    has_room
}

/// The text of a panic.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "panic".into())
}
