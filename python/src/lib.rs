//! The part of the Python package that computes: `dicedist._engine`.
//!
//! The package's face is written in Python, in `python/dicedist`; it speaks with four classes of this module. A [`rule::Rule`] was read
//! from a text or made of an [`expression::Expression`], an [`answer::Answer`] is a distribution with its questions, and
//! [`report`](mod@report) writes answers. Work that may take long runs in [`worker`], so that Python goes on meanwhile.

#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::float_arithmetic)]

mod answer;
mod arithmetic;
mod callback;
mod convert;
mod error;
mod expression;
mod functions;
mod limits;
mod outcome;
mod report;
mod rule;
mod worker;

#[pyo3::pymodule]
mod _engine {
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::expression::Expression;
    #[pymodule_export]
    use crate::functions::{Rounds, repeat_until};
    #[pymodule_export]
    use crate::report::{bitmap, report};
    #[pymodule_export]
    use crate::rule::{Rule, dialects, read};
}
