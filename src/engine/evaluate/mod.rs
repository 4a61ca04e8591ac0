//! The evaluators that follow the page of [`crate::ir`] step by step: one lists every path, one rolls.
//! For a term with few paths, the one that rolls can take them all ([`paths`]).

mod choices;
pub(super) mod closed;
pub mod enumerate;
pub mod estimate;
mod measure;
pub(super) mod paths;
pub mod sample;
pub(super) mod strategy;
