//! The evaluators that follow the page of [`crate::ir`] step by step: by listing every path, or by rolling.

mod confidence;
pub mod enumerate;
pub mod estimate;
mod measure;
pub mod sample;
