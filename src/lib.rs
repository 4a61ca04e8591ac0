//! Exact probability distributions of dice rules.
//!
//! A rule goes through rooms that read like a pipeline: a [`notation`] reads text into a program of the core language
//! [`ir`], the [`engine`] turns the program into an [`engine::Answer`] over the exact distributions of
//! [`algebra`], and a [`report`] writes that as a table, CSV, JSON or SVG.
//!
//! ```
//! use dicedist::{Dialect, Limits, analyze};
//!
//! let answer = analyze(Dialect::Bones, "sum(drop low 1 4#d6)", &Limits::default())?;
//! let numbers = answer.outcomes.numbers().unwrap();
//! assert_eq!(numbers.probability(15).to_string(), "7/432"); // 18: three sixes or more, 21/1296
//! # Ok::<(), dicedist::Error>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod algebra;
pub mod compare;
pub mod engine;
pub mod error;
pub mod ir;
pub mod limits;
mod map;
pub mod notation;
pub mod number;
pub mod report;
pub mod source;
mod stack;
pub mod summary;

pub use engine::Answer;
pub use error::{Diagnostic, Error, ErrorKind};
pub use limits::Limits;
pub use notation::Dialect;

use source::Source;

/// The Rust blocks of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;

/// Reads one rule into a core program.
///
/// # Errors
///
/// As [`notation::read`].
pub fn read(dialect: Dialect, text: &str) -> Result<ir::Program, Error> {
    let source = Source::new("rule", text);
    Ok(notation::read(
        dialect,
        &source,
        source.span(),
        &notation::Settings::default(),
    )?
    .program)
}

/// Reads one rule and finds its exact distribution; lists are taken as multisets.
///
/// # Errors
///
/// As [`notation::read`] and [`engine::analyze`].
pub fn analyze(dialect: Dialect, text: &str, limits: &Limits) -> Result<Answer, Error> {
    engine::analyze(&read(dialect, text)?.sorted(), limits, &limits::Unobserved)
}
