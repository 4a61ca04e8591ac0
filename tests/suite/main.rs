//! All integration tests, in one binary. Many of them run the command.

#![cfg(feature = "cli")]
#![allow(
    missing_docs,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod algebra;
mod anydice;
mod ask;
mod best;
mod budget;
mod ceilings;
mod cli;
mod command;
mod dice;
mod diceroller;
mod docs;
mod endless_values;
mod engine;
mod families;
mod floors;
mod forms;
mod games;
mod hostile;
mod house_rules;
mod imports;
#[cfg(unix)]
mod interrupts;
mod jobs;
mod judge;
mod large;
mod laws;
mod layering;
mod layouts;
mod limits;
mod loops;
mod machine;
mod means;
mod meant;
mod notations;
mod old_bones;
mod onedice;
mod oracle;
#[cfg(unix)]
mod outputs;
#[cfg(feature = "svg")]
mod pictures;
mod play;
mod questions;
mod records;
mod replay;
mod report;
mod rules;
mod sampling;
mod seeds;
mod shared_budget;
mod short_lists;
mod table_dice;
mod tabletop;
