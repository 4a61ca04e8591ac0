//! The evaluators that follow the page of [`crate::ir`] step by step: one lists every path, one rolls.

pub mod enumerate;
pub mod estimate;
mod measure;
pub mod sample;
