//! The evaluators that follow the page of [`crate::ir`] step by step: one lists every path, one walks along a
//! single path. The dice of a path are random where a program is rolled ([`sample`]), and follow each other in order where a term has few
//! paths ([`paths`]).

mod asked;
mod choices;
pub mod enumerate;
#[cfg(feature = "sampling")]
pub mod estimate;
mod listed;
mod measure;
pub(super) mod paths;
mod play;
mod rounds;
#[cfg(feature = "sampling")]
pub mod sample;
pub(super) mod strategy;
mod walk;
