//! All integration tests, in one binary.

#![allow(
    missing_docs,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod algebra;
mod cli;
mod command;
mod docs;
mod engine;
mod families;
mod layering;
mod limits;
mod loops;
mod notations;
mod oracle;
mod report;
mod sampling;
