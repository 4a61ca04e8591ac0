//! Recursion on the depth of a rule, safe on any thread that has [`CLOSE`] and [`RESERVE`] bytes of stack left.
//!
//! To ask the system where the stack of a thread ends may take longer than a small rule. So nobody asks as long as a recursion
//! stays close to where it began.

use std::cell::Cell;
use std::panic::resume_unwind;

use crate::limits::{StackPiece, system_gives};

/// The bytes of stack that a recursion may take before somebody asks how many are left. A thread that begins one must have as many.
const CLOSE: usize = 256 << 10;

/// The bytes that are kept for what a level calls.
const RESERVE: usize = 128 << 10;

/// The bytes of a new piece of stack.
const PIECE: usize = 4 << 20;

thread_local! {
    /// Where the outermost level of the thread stands, or 0 outside of all levels.
    static OUTERMOST: Cell<usize> = const { Cell::new(0) };
}

/// Runs one level of a recursion; takes a new piece of stack when little of the old one is left. Parsers bound the depth
/// by [`crate::limits::MAX_DEPTH`].
#[inline]
pub(crate) fn level<R>(run: impl FnOnce() -> R) -> R {
    let mark = 0_u8;
    let here = std::ptr::from_ref(&mark).addr();
    match OUTERMOST.get() {
        0 => outermost(here, run),
        // The stack grows towards lower addresses. A new piece of stack is nowhere near.
        start if start.wrapping_sub(here) < CLOSE => run(),
        _ if stacker::remaining_stack().is_some_and(|left| left >= RESERVE) => run(),
        _ => deeper(run),
    }
}

/// Runs a level in a new piece of stack.
#[cold]
fn deeper<R>(run: impl FnOnce() -> R) -> R {
    let _piece = StackPiece::taken(PIECE as u64);
    grow(RESERVE, PIECE, run)
}

/// Runs the outermost level.
fn outermost<R>(here: usize, run: impl FnOnce() -> R) -> R {
    /// Outside of all levels again, also after a panic.
    struct OutermostReset;

    impl Drop for OutermostReset {
        fn drop(&mut self) {
            OUTERMOST.set(0);
        }
    }

    OUTERMOST.set(here);
    let _end = OutermostReset;
    run()
}

/// Runs a recursion that takes at most so many bytes of stack, and asks for no level.
#[cfg(feature = "notations")]
pub(crate) fn with_room<R>(bytes: usize, run: impl FnOnce() -> R) -> R {
    if OUTERMOST.get() == 0 && bytes <= CLOSE {
        level(run)
    } else {
        // Little of a new piece is ever touched, and it may be short of what was measured elsewhere.
        let bytes = if cfg!(debug_assertions) {
            bytes
        } else {
            3 * bytes
        };
        grow(bytes + RESERVE, bytes + 2 * RESERVE, run)
    }
}

/// Takes a new piece of stack where less than `least` is left. Where the system gives none, the thread unwinds with the limit.
fn grow<R>(least: usize, piece: usize, run: impl FnOnce() -> R) -> R {
    if stacker::remaining_stack().is_some_and(|left| left < least)
        && let Err(reached) = system_gives(piece as u64)
    {
        // This runs no hook for panics: a limit is no mistake of the program.
        resume_unwind(Box::new(reached));
    }
    stacker::maybe_grow(least, piece, run)
}
