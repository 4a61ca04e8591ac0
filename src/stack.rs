//! Recursion on the depth of a rule, safe on any thread.

/// Runs one level of a recursion; takes a new piece of stack when little of the old one is left. Parsers bound the depth
/// by [`crate::limits::MAX_DEPTH`].
#[inline]
pub(crate) fn level<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 << 10, 4 << 20, run)
}
