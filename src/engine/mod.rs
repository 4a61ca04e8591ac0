//! Core program to answer.
//!
//! [`analyze`] takes a program through residual programs: symbolic evaluation turns its dice into hidden
//! pools, and what is left of the program after each reveal is a state, solved once. Loops are cycles of such states. What
//! this cannot do (very long integers, a few uses of order), or takes many more states for than there are paths, is left to
//! [`enumerate`], the slow evaluator that lists every path and is the judge of the other; the answer says which it was
//! ([`Route`]). Where neither comes to an end, a caller
//! can have the program rolled many times ([`mod@estimate`]): that is never exact, and [`Method::Sampled`] says so.

mod answer;
mod around;
mod confidence;
pub mod enumerate;
pub mod estimate;
mod failure;
mod operate;
mod reason;
mod residual;
pub mod sample;

pub use answer::{Answer, Interval, List, Method, Moments, Outcomes, Route, Sampling, Tail, Value};
pub use around::analyze_around;
pub use reason::Reason;

use crate::error::Error;
use crate::ir::Program;
use crate::limits::{Budget, Limits, Observer};

/// The exact distribution of a program's result.
///
/// # Errors
///
/// An error that the program can reach, with its place and exact probability, or
/// [`crate::ErrorKind::Limit`].
pub fn analyze(
    program: &Program,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let budget = Budget::start(limits, observer);
    match residual::solve(program, &budget) {
        Ok(solved) => solved,
        Err(residual::Stop::Limit(reached)) => Err(reached.into()),
        Err(residual::Stop::Listed(answer)) => Ok(Answer {
            route: Route::Enumerated(Reason::FewerPaths),
            ..*answer
        }),
        Err(residual::Stop::Unsupported(reason)) => {
            let answer = enumerate::enumerate_within(program, &budget)?;
            Ok(Answer {
                route: Route::Enumerated(reason),
                ..answer
            })
        }
    }
}
