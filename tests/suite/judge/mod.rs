//! Judges: evaluators of texts that share nothing with the crate but its numbers.

mod anydice;
