//! An exact answer if there is one within the limits, else an estimate.

use std::time::Duration;

use rand::Rng;

use super::analyze::analyze;
use super::answer::{Answer, Route};
use super::evaluate::estimate::{Request, estimate};
use crate::error::Error;
use crate::ir::{Aim, Program};
use crate::limits::{LimitReached, Limits, Observer};

/// The exact distribution of a program's result or, where it takes more time or states than the limits allow, an estimate
/// in two fifths as much time: [`analyze`], then [`estimate`]. Shares ([`Aim::Share`]) are never estimated.
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
    let attempt = analyze(program, limits, observer);
    let Err(error) = attempt else { return attempt };
    let Some(reached @ (LimitReached::States(_) | LimitReached::Time(_))) = error.limit() else {
        return Err(error);
    };
    if program.aim() != Aim::Value {
        return Err(error);
    }
    let time = limits.time.map(|time| time / 5 * 2);
    let limits = Limits {
        time,
        spent: Duration::ZERO,
        ..limits.clone()
    };
    observer.begins();
    observer.part_begins("random rolls");
    let estimated = estimate(program, request, generator, &limits, observer);
    observer.part_ends(0, 0);
    match estimated {
        Err(other) if other.is_limit() => Err(error),
        estimated => estimated.map(|answer| Answer {
            route: Route::Sampled(Some(reached)),
            ..answer
        }),
    }
}
