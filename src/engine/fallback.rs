//! An exact answer if there is one within the limits, else an estimate.

use rand::Rng;

use super::analyze::analyze_within;
use super::answer::{Answer, Route};
use super::evaluate::estimate::{Request, estimate_within};
use crate::error::Error;
use crate::ir::{Aim, Program};
use crate::limits::{Budget, LimitReached, Limits, Observer};

/// An estimate has this part of the time, so that there is one when the exact attempt has used up the rest.
const SHARE_OF_ESTIMATE: u32 = 5;

/// The exact distribution of a program's result or, where it takes more than four fifths of the time or more states than the
/// limits allow, an estimate in what is left of the time: [`analyze`](super::analyze()), then
/// [`estimate`](super::estimate::estimate). Shares ([`Aim::Share`]) are never estimated.
///
/// # Errors
///
/// An error that the program can reach; or the limit that the exact attempt ran into, if it is neither time nor states,
/// or if sampling has no result, either.
pub fn analyze_or_estimate<R: Rng>(
    program: &Program,
    request: &Request,
    generator: impl Fn(u64) -> R + Sync,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let budget = Budget::start(limits, observer);
    if program.aim() != Aim::Value {
        return analyze_within(program, &budget);
    }
    budget.keep_time(SHARE_OF_ESTIMATE);
    let attempt = analyze_within(program, &budget);
    let Err(error) = attempt else { return attempt };
    let Some(
        reached @ (LimitReached::Outcomes(_) | LimitReached::States(_) | LimitReached::Time(_)),
    ) = error.limit()
    else {
        return Err(error);
    };
    budget.use_all_time();
    let _part = budget.part("random rolls");
    match estimate_within(program, request, generator, &budget) {
        Err(other) if other.is_limit() => Err(error),
        estimated => estimated.map(|answer| Answer {
            route: Route::Sampled(Some(reached)),
            ..answer.of_program(program)
        }),
    }
}
