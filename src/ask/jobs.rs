//! Pieces of work that are done at the same time, and whose results come in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// So many pieces may be begun for each thread before the first of them is finished.
const AHEAD: usize = 16;

/// Does all pieces of `next`, so many at the same time, and passes the results to `then` in the order of the pieces. If the system gives no
/// threads, the calling thread does the work. A piece that `settle` returns is done again, alone.
///
/// Only `work` runs on other threads.
pub(super) fn in_order<S, P: Send, D: Send, E>(
    state: &mut S,
    at_once: NonZeroUsize,
    next: impl Fn(&mut S) -> Option<P>,
    work: impl Fn(P) -> D + Sync,
    settle: impl Fn(&S, D) -> Result<D, Box<P>>,
    mut then: impl FnMut(&mut S, D) -> Result<(), E>,
) -> Result<(), E> {
    let (begin, begun) = mpsc::channel::<(usize, P)>();
    let (finish, finished) = mpsc::channel();
    let begun = Mutex::new(begun);
    let is_over = AtomicBool::new(false);
    let run = &|finish: mpsc::Sender<_>| {
        loop {
            let next = begun.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((place, piece)) = next else { break };
            if is_over.load(Ordering::Relaxed) {
                break;
            }
            let done = catch_unwind(AssertUnwindSafe(|| work(piece)));
            if finish.send((place, done)).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let _over = StopSignal(&is_over);
        // All threads end when this sender is dropped.
        let begin = begin;
        let mut threads = 0;
        for _ in 0..at_once.get() {
            let finish = finish.clone();
            if at_once.get() == 1
                || thread::Builder::new()
                    .spawn_scoped(scope, move || run(finish))
                    .is_err()
            {
                break;
            }
            threads += 1;
        }
        if threads == 0 {
            while let Some(piece) = next(state) {
                then(state, work(piece))?;
            }
            return Ok(());
        }
        let (mut first, mut end) = (0, 0);
        let mut early = BTreeMap::new();
        loop {
            while end < first + AHEAD * threads
                && let Some(piece) = next(state)
            {
                begin
                    .send((end, piece))
                    .expect("the receiver lives as long as the threads");
                end += 1;
            }
            if first == end {
                return Ok(());
            }
            let wait_for = |place: usize, early: &mut BTreeMap<_, _>| {
                while !early.contains_key(&place) {
                    let (place, done) = finished.recv().expect("a thread finishes each piece");
                    early.insert(place, done);
                }
            };
            wait_for(first, &mut early);
            let done = early.remove(&first).expect("it is finished");
            let done = done.unwrap_or_else(|panic| resume_unwind(panic));
            let done = settle(state, done).unwrap_or_else(|piece| {
                (first + 1..end).for_each(|place| wait_for(place, &mut early));
                work(*piece)
            });
            then(state, done)?;
            first += 1;
        }
    })
}

/// Tells the threads that nobody wants more, also after a panic.
struct StopSignal<'a>(&'a AtomicBool);

impl Drop for StopSignal<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
