//! The budget of an analysis: what it has used so far, and the questions that keep it to its limits.

use std::cell::Cell;
use std::fmt;
use std::hint::black_box;
use std::time::Duration;

use hashbrown::HashMap;
use web_time::Instant;

use super::limit::{LimitReached, Limits, Observer};

/// A count of the time, the states and the memory that an analysis uses, which keeps it to its [`Limits`].
///
/// Long operations call [`Budget::check`] often enough (every few microseconds of work is fine: the
/// clock is read only now and then), and count the states and bytes that they hold.
pub struct Budget<'a> {
    limits: &'a Limits,
    observer: &'a dyn Observer,
    started: Instant,
    worked_before: Option<Duration>,
    /// The memory that the observer measured at the start.
    held_before: u64,
    /// The greatest allowed value of [`Budget::spent`]; at most the limit.
    until: Cell<Option<Duration>>,
    states: Cell<u64>,
    /// The states at which the turn ends; no more than the limit.
    turn: Cell<u64>,
    steps: Cell<u64>,
    bytes: Cell<u64>,
    until_clock: Cell<u32>,
    /// The work since the last look at the clock, in limbs.
    work: Cell<u64>,
    /// The larger room that was asked for last, in bytes.
    asked_for: Cell<u64>,
}

/// The number of calls of [`Budget::check`] from one look at the clock to the next.
const CHECKS_PER_CLOCK: u32 = 256;

/// The work from one look at the clock to the next, in limbs: some tens of microseconds.
const WORK_PER_CLOCK: u64 = 1 << 15;

/// The work of one call of [`Budget::check`], in limbs.
const WORK_PER_CHECK: u64 = WORK_PER_CLOCK / CHECKS_PER_CLOCK as u64;

/// The bytes of a limb.
const BYTES_PER_LIMB: u64 = 8;

/// About how many bytes are freed in a nanosecond, where they are in many small pieces. The budget stops that much earlier, so
/// that memory can be freed within the limit.
const BYTES_FREED_PER_NANOSECOND: u64 = 2;

/// From this many bytes on, code asks before it allocates. The next look at the clock sees smaller allocations.
const ASK_FROM: u64 = 1 << 16;

/// From this many bytes on, the system is asked as well.
const ASK_SYSTEM_FROM: u64 = 1 << 20;

impl<'a> Budget<'a> {
    /// Starts the clock.
    #[must_use]
    pub fn start(limits: &'a Limits, observer: &'a dyn Observer) -> Self {
        Self {
            limits,
            observer,
            started: Instant::now(),
            worked_before: observer.worked(),
            held_before: observer.memory(),
            until: Cell::new(limits.time),
            states: Cell::new(0),
            turn: Cell::new(limits.states),
            steps: Cell::new(0),
            bytes: Cell::new(0),
            until_clock: Cell::new(CHECKS_PER_CLOCK),
            work: Cell::new(0),
            asked_for: Cell::new(0),
        }
    }

    /// The limits that this budget started from.
    #[must_use]
    pub fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// The part of the time that is over, including the part that was over before this budget started.
    #[must_use]
    pub fn spent(&self) -> Duration {
        let since_start = match (self.observer.worked(), self.worked_before) {
            (Some(now), Some(before)) => now.saturating_sub(before),
            _ => self.started.elapsed(),
        };
        since_start.saturating_add(self.limits.spent)
    }

    /// The limits for the next of some pieces of work. The last piece has all the time that is left, every other one half of
    /// it. An eighth of the whole time is kept for the work after all pieces.
    #[must_use]
    pub fn share(&self, pieces: usize) -> Limits {
        let pieces = u32::try_from(pieces).unwrap_or(u32::MAX).clamp(1, 2);
        self.leaving(|time| (time / 8 * 7).saturating_sub(self.spent()) / pieces)
    }

    /// The limits with all the time that is left: for the next step of the same work.
    #[must_use]
    pub fn rest(&self) -> Limits {
        self.leaving(|time| time.saturating_sub(self.spent()))
    }

    /// The limits with half of the time that is left.
    #[must_use]
    pub fn half_of_rest(&self) -> Limits {
        self.leaving(|time| time.saturating_sub(self.spent()) / 2)
    }

    /// The limits with so much of their time left.
    fn leaving(&self, left: impl FnOnce(Duration) -> Duration) -> Limits {
        let limits = self.limits.clone();
        let spent = limits.time.map(|time| time.saturating_sub(left(time)));
        Limits {
            spent: spent.unwrap_or(limits.spent),
            ..limits
        }
    }

    /// The observer of the work.
    #[must_use]
    pub fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// How many states have been counted.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states.get()
    }

    /// Begins a turn. It ends with [`LimitReached::States`] after this number of states, or at the limit.
    pub(crate) fn begin_turn(&self, states: u64) {
        let end = self.states.get().saturating_add(states);
        self.turn.set(end.min(self.limits.states));
    }

    /// Runs a small piece of work, which may take this number of states. Its states do not count.
    pub(crate) fn aside<T>(&self, most: u64, run: impl FnOnce() -> T) -> T {
        let (states, end) = (self.states.get(), self.turn.get());
        self.turn.set(states.saturating_add(most));
        let result = run();
        self.turn.set(end);
        self.states.set(states);
        result
    }

    /// Whether another turn may begin: this turn ends before the limit.
    pub(crate) fn may_turn(&self) -> bool {
        self.turn.get() < self.limits.states
    }

    /// Keeps one of `parts` equal parts of the time that was left at the start: until [`Budget::use_all_time`], the time
    /// ends before that part.
    #[cfg(feature = "sampling")]
    pub(crate) fn keep_time(&self, parts: u32) {
        let until = self.limits.time.map(|time| {
            let left = time.saturating_sub(self.limits.spent);
            time.saturating_sub(left / parts)
        });
        self.until.set(until);
    }

    /// Gives back the time that [`Budget::keep_time`] has kept. If a busy machine has used it up, a fortieth of the whole time is left.
    #[cfg(feature = "sampling")]
    pub(crate) fn use_all_time(&self) {
        let until = self
            .limits
            .time
            .map(|time| time.max(self.spent().saturating_add(time / 40)));
        self.until.set(until);
    }

    /// The number of states that the turn may still take.
    pub(crate) fn states_left(&self) -> u64 {
        self.turn.get().saturating_sub(self.states.get())
    }

    /// Fails when the time is over or the observer asks to stop.
    ///
    /// # Errors
    ///
    /// [`LimitReached::Time`], [`LimitReached::Interrupted`], or [`LimitReached::Memory`] as the observer measures it.
    #[inline]
    pub fn check(&self) -> Result<(), LimitReached> {
        match self.until_clock.get().checked_sub(1) {
            Some(left) => {
                self.until_clock.set(left);
                Ok(())
            }
            None => self.look_at_clock(),
        }
    }

    /// [`Budget::check`] for work that is about to be done, counted in limbs of long integers. The clock is looked at as often as
    /// the work asks for, whether one step is a limb or a million.
    #[inline]
    pub(crate) fn work(&self, limbs: u64) -> Result<(), LimitReached> {
        let work = self.work.get().saturating_add(limbs);
        self.work.set(work);
        if work < WORK_PER_CLOCK {
            return Ok(());
        }
        self.look_at_clock()
    }

    /// [`Budget::check`] that always looks at the clock: for operations that take long.
    ///
    /// # Errors
    ///
    /// Those of [`Budget::check`].
    #[cold]
    pub fn look_at_clock(&self) -> Result<(), LimitReached> {
        self.until_clock.set(CHECKS_PER_CLOCK);
        self.work.set(0);
        self.observer.states(self.states.get());
        if self.observer.is_interrupted() {
            return Err(LimitReached::Interrupted);
        }
        let memory = self.memory();
        if memory > self.limits.memory {
            return Err(LimitReached::Memory(self.limits.memory));
        }
        let held = memory.saturating_sub(self.held_before);
        let freeing = Duration::from_nanos(held / BYTES_FREED_PER_NANOSECOND);
        match (self.until.get(), self.limits.time) {
            (Some(until), Some(time)) if self.spent().saturating_add(freeing) > until => {
                Err(LimitReached::Time(time))
            }
            _ => Ok(()),
        }
    }

    /// The bytes that the observer measures, or those of the stack and those taken, if they are more.
    fn memory(&self) -> u64 {
        let counted = self.bytes.get().saturating_add(FILLED_STACK.get());
        self.observer.memory().max(counted)
    }

    /// Tells the observer the number of samples taken, and the number wanted.
    #[cfg(feature = "sampling")]
    pub(crate) fn observe_samples(&self, taken: u64, of: u64) {
        self.observer.samples(taken, of);
    }

    /// Checks whether there is room for `bytes` more, for callers that hold bytes which they have not taken from the budget.
    #[cfg(feature = "notations")]
    pub(crate) fn has_room_beside(&self, held: u64, bytes: u64) -> Result<(), LimitReached> {
        let more = held.saturating_add(bytes);
        let held = held.saturating_sub(self.observer.memory());
        if more >= ASK_FROM {
            self.fits(held.saturating_add(bytes))?;
        }
        self.has_room_for(bytes)
    }

    /// [`Budget::check`] for callers that hold so many bytes without having taken them from the budget.
    #[inline]
    pub(crate) fn holds(&self, bytes: u64) -> Result<(), LimitReached> {
        if bytes > self.limits.memory {
            return Err(LimitReached::Memory(self.limits.memory));
        }
        self.check()
    }

    /// Checks whether there is room for so many bytes, before they are allocated. Fails if they are too many, if the system does not give
    /// them, or if the time is over. Few bytes only count as work: the next look at the clock sees them, and comes after some hundreds of
    /// kilobytes.
    #[inline]
    pub(crate) fn has_room_for(&self, bytes: u64) -> Result<(), LimitReached> {
        if bytes < ASK_FROM {
            return self.work((bytes / BYTES_PER_LIMB).max(WORK_PER_CHECK));
        }
        self.has_room_for_much(bytes)
    }

    #[cold]
    fn has_room_for_much(&self, bytes: u64) -> Result<(), LimitReached> {
        self.fits(bytes)?;
        system_gives(bytes)
    }

    /// Fails if so many more bytes exceed the limit, or if the time is over.
    fn fits(&self, bytes: u64) -> Result<(), LimitReached> {
        self.look_at_clock()?;
        if self.memory().saturating_add(bytes) > self.limits.memory {
            return Err(LimitReached::Memory(self.limits.memory));
        }
        Ok(())
    }

    /// [`Budget::has_room_for`] a list of so many members.
    #[inline]
    pub(crate) fn has_room_for_members<T>(&self, members: usize) -> Result<(), LimitReached> {
        self.has_room_for((members as u64).saturating_mul(size_of::<T>() as u64))
    }

    /// [`Budget::has_room_for`] the larger room that a collection takes if so many entries more do not fit. The old room exists
    /// until all entries have moved.
    #[inline]
    pub(crate) fn has_room_for_more(
        &self,
        collection: &impl Growing,
        entries: usize,
    ) -> Result<(), LimitReached> {
        match collection.larger_room(entries) {
            Some(bytes) if bytes >= ASK_FROM => {
                self.fits(bytes)?;
                // A collection that stays full is asked about again and again, the system only once.
                if self.asked_for.replace(bytes) == bytes {
                    return Ok(());
                }
                system_gives(bytes)
            }
            Some(_) => self.check(),
            None => Ok(()),
        }
    }

    /// Counts states.
    ///
    /// # Errors
    ///
    /// [`LimitReached::States`], and those of [`Budget::check`].
    #[inline]
    pub fn count_states(&self, more: u64) -> Result<(), LimitReached> {
        let states = self.states.get().saturating_add(more);
        self.states.set(states);
        if states > self.turn.get() {
            return Err(LimitReached::States(self.limits.states));
        }
        self.check()
    }

    /// Counts states that are no part of a turn.
    pub(crate) fn count_apart(&self, more: u64) -> Result<(), LimitReached> {
        let end = self.turn.get().saturating_add(more);
        self.turn.set(end.min(self.limits.states));
        self.count_states(more)
    }

    /// Counts steps between states.
    pub(crate) fn count_steps(&self, more: u64) {
        self.steps.set(self.steps.get().saturating_add(more));
    }

    /// Begins a part of the work for the observer. The part ends when the returned guard is dropped.
    pub(crate) fn part(&self, rule: &'static str) -> WorkPart<'_> {
        self.observer.part_begins(rule);
        WorkPart {
            budget: self,
            states: self.states.get(),
            steps: self.steps.get(),
        }
    }

    /// Takes memory, in bytes. A large amount must also fit beside the memory that the observer measures.
    ///
    /// # Errors
    ///
    /// [`LimitReached::Memory`], and those of [`Budget::check`].
    #[inline]
    pub fn take_memory(&self, bytes: u64) -> Result<(), LimitReached> {
        if bytes >= ASK_FROM {
            self.has_room_for_much(bytes)?;
        }
        let taken = self.bytes.get().saturating_add(bytes);
        if taken > self.limits.memory {
            return Err(LimitReached::Memory(self.limits.memory));
        }
        self.bytes.set(taken);
        Ok(())
    }

    /// Gives memory back, in bytes.
    #[inline]
    pub fn give_memory(&self, bytes: u64) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }
}

thread_local! {
    /// The bytes of the pieces of stack that recursions of this thread have filled.
    static FILLED_STACK: Cell<u64> = const { Cell::new(0) };
    /// The bytes of the piece of stack in use.
    static LAST_PIECE: Cell<u64> = const { Cell::new(0) };
}

/// A piece of stack that a thread takes for a recursion while the value lives. The pieces before it are full, and count as memory.
pub(crate) struct StackPiece {
    before: u64,
}

impl StackPiece {
    /// Notes a new piece of so many bytes.
    pub(crate) fn taken(bytes: u64) -> Self {
        let before = LAST_PIECE.replace(bytes);
        FILLED_STACK.set(FILLED_STACK.get() + before);
        Self { before }
    }
}

impl Drop for StackPiece {
    fn drop(&mut self) {
        FILLED_STACK.set(FILLED_STACK.get() - self.before);
        LAST_PIECE.set(self.before);
    }
}

/// Fails if the system does not give so many bytes. For few bytes the system is not asked.
pub(crate) fn system_gives(bytes: u64) -> Result<(), LimitReached> {
    if bytes < ASK_SYSTEM_FROM {
        return Ok(());
    }
    // This allocation is only a test. It is freed at once.
    let room = usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut bytes_given = Vec::<u8>::new();
    let given = bytes_given.try_reserve_exact(room);
    // Otherwise the compiler may leave out the unused allocation.
    black_box(&bytes_given);
    given.map_err(|_| LimitReached::Machine(bytes))
}

/// A collection that moves to a larger room when it is full.
pub(crate) trait Growing {
    /// The bytes of the larger room. `None` if so many entries more fit into the room that is there.
    fn larger_room(&self, entries: usize) -> Option<u64>;
}

/// The number of entries that room is made for, if so many more do not fit: at least twice as many as there are.
fn entries_of_larger_room(length: usize, capacity: usize, more: usize) -> Option<u64> {
    let wanted = length.saturating_add(more);
    (wanted > capacity).then(|| wanted.max(length.saturating_mul(2)) as u64)
}

impl<T> Growing for Vec<T> {
    fn larger_room(&self, entries: usize) -> Option<u64> {
        let length = entries_of_larger_room(self.len(), self.capacity(), entries)?;
        Some(length.saturating_mul(size_of::<T>() as u64))
    }
}

impl<K, V, S> Growing for HashMap<K, V, S> {
    fn larger_room(&self, entries: usize) -> Option<u64> {
        let length = entries_of_larger_room(self.len(), self.capacity(), entries)?;
        // At most seven eighths of a table are full, and a byte of each place says whether it is.
        let place = size_of::<(K, V)>() as u64 + 1;
        Some(length.saturating_mul(8 * place) / 7)
    }
}

/// Memory taken from a budget, given back when this goes out of scope, on errors as well.
#[derive(Debug)]
pub(crate) struct Reserved<'a> {
    budget: &'a Budget<'a>,
    bytes: u64,
}

impl<'a> Reserved<'a> {
    /// Takes bytes.
    pub(crate) fn new(budget: &'a Budget<'a>, bytes: u64) -> Result<Self, LimitReached> {
        let mut reserved = Self::none(budget);
        reserved.take(bytes)?;
        Ok(reserved)
    }

    /// Nothing yet.
    pub(crate) fn none(budget: &'a Budget<'a>) -> Self {
        Self { budget, bytes: 0 }
    }

    /// Takes more bytes.
    #[inline]
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), LimitReached> {
        self.budget.take_memory(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives some of the bytes back.
    #[inline]
    pub(crate) fn give(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.budget.give_memory(bytes);
        self.bytes -= bytes;
    }

    /// Takes the memory of an empty vector with room for `length` members. Where a user names the length, this is how
    /// to make one: a limit is an error, and so is memory that the system does not have.
    pub(crate) fn vec<T>(&mut self, length: u64) -> Result<Vec<T>, LimitReached> {
        let bytes = length.saturating_mul(size_of::<T>() as u64);
        self.take(bytes)?;
        let mut vec = Vec::new();
        let room = usize::try_from(length).unwrap_or(usize::MAX);
        if vec.try_reserve_exact(room).is_err() {
            self.give(bytes);
            return Err(LimitReached::Machine(bytes));
        }
        Ok(vec)
    }

    /// Takes the bytes that are missing to this number, and half as many again, so that growing in small steps stays cheap.
    pub(crate) fn grow_to(&mut self, bytes: u64) -> Result<(), LimitReached> {
        if bytes <= self.bytes {
            return Ok(());
        }
        let wanted = if self.bytes == 0 {
            bytes
        } else {
            (bytes / 2).saturating_mul(3)
        };
        self.take(wanted - self.bytes)
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.budget.give_memory(self.bytes);
    }
}

/// A part of the work under a budget.
#[must_use]
pub(crate) struct WorkPart<'a> {
    budget: &'a Budget<'a>,
    states: u64,
    steps: u64,
}

impl Drop for WorkPart<'_> {
    fn drop(&mut self) {
        let states = self.budget.states.get() - self.states;
        let steps = self.budget.steps.get() - self.steps;
        self.budget.observer.part_ends(states, steps);
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Budget")
            .field("limits", self.limits)
            .field("states", &self.states)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::limit::Unobserved;
    use super::*;

    #[test]
    fn room_that_the_limit_or_the_system_does_not_have_is_an_error() {
        let limits = Limits::default().with_memory(1 << 40);
        let budget = Budget::start(&limits, &Unobserved);
        let mut reserved = Reserved::none(&budget);
        assert!(
            reserved
                .vec::<u64>(100)
                .is_ok_and(|vec| vec.capacity() >= 100)
        );
        assert_eq!(
            reserved.vec::<u64>(1 << 40),
            Err(LimitReached::Memory(1 << 40))
        );
        assert_eq!(reserved.bytes, 800);
        let limits = Limits::default().with_memory(u64::MAX);
        let budget = Budget::start(&limits, &Unobserved);
        let room = Reserved::none(&budget).vec::<u64>(1 << 59);
        assert_eq!(room, Err(LimitReached::Machine(1 << 62)));
    }

    #[test]
    fn the_time_that_counts_is_that_of_the_observer() {
        struct Worker(Cell<Duration>);
        impl Observer for Worker {
            fn worked(&self) -> Option<Duration> {
                Some(self.0.get())
            }
        }
        let seconds = Duration::from_secs;
        let worker = Worker(Cell::new(seconds(100)));
        let limits = Limits::default()
            .with_time(Some(seconds(10)))
            .after(seconds(3));
        let budget = Budget::start(&limits, &worker);
        assert_eq!(budget.spent(), seconds(3));
        worker.0.set(seconds(101));
        let half = budget.half_of_rest();
        assert_eq!((half.time, half.spent), (Some(seconds(10)), seconds(7)));
        worker.0.set(seconds(107));
        assert_eq!(budget.look_at_clock(), Ok(()));
        worker.0.set(seconds(108));
        assert_eq!(budget.look_at_clock(), Err(LimitReached::Time(seconds(10))));
    }
}
