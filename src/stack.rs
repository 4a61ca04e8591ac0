//! Recursion on the depth of a rule, safe on any thread.

/// Runs one level of a recursion, on a fresh piece of stack when little is left of this one. The depth
/// itself is bounded by [`crate::limits::MAX_DEPTH`], which parsers enforce.
#[inline]
pub(crate) fn level<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 << 10, 4 << 20, run)
}
