//! Rules built from values of Rust, without text.
//!
//! An expression is a [`Number`], a [`Pool`] of numbers, a [`Condition`] or a [`Record`]. It describes a roll and is not a result: each use
//! is a new roll, so `d(6) + d(6)` has two dice, and so has `&x + &x` where `x` is `d(6)`. [`Number::share`] and [`Pool::share`] roll once,
//! and give the result to a closure that may use it several times.
//!
//! ```
//! use dicedist::dice::d;
//!
//! let ability = d(6).times(4).drop_lowest(1).sum();
//! let dist = ability.solve()?;
//! assert_eq!(dist.at_least(18).to_string(), "7/432");
//!
//! // Two dice, doubled if they are equal.
//! let doubles = d(6).share(|a| d(6).share(|b| {
//!     let sum = &a + &b;
//!     a.equals(b).then(&sum * 2, sum)
//! }));
//! assert_eq!(doubles.solve()?.mean().to_string(), "49/6"); // 7 + 7/6
//! # Ok::<(), dicedist::Error>(())
//! ```
//!
//! An expression becomes a core program of [`ir`](crate::ir), as a text does, and is solved by the same engine. Expressions have no labels:
//! solve the numbers, and name the results with [`Dist::map`](crate::Dist::map).

mod any;
mod condition;
mod expression;
mod number;
mod pool;
mod record;
mod repeat;
mod term;

use std::collections::BTreeMap;

use crate::number::Integer;
use term::Term;

pub use any::{Any, Fields};
pub use expression::{Condition, Expression, Given, Number, Pool, Record, State, pool};

pub use record::record;
pub use repeat::{AnyRounds, Rounds, repeat_any_until, repeat_until};

/// A die with faces from 1 to `sides`. The number of sides may be rolled; less than 1 is an error of the rule.
///
/// # Examples
///
/// ```
/// use dicedist::dice::d;
///
/// assert_eq!(d(20).solve()?.mean().to_string(), "21/2");
/// # Ok::<(), dicedist::Error>(())
/// ```
#[must_use]
pub fn d(sides: impl Into<Number>) -> Number {
    let term = Term::new([sides.into().0], |build, [sides]| {
        build.core.die(sides, build.site)
    });
    Number(term.with_length(Some(1)))
}

/// A die with these faces, each equally likely. A face that comes twice is twice as likely.
///
/// # Panics
///
/// If there is no face.
///
/// # Examples
///
/// ```
/// use dicedist::dice::faces;
///
/// let fate = faces([-1, 0, 1]).times(4).sum();
/// assert_eq!(fate.solve()?.probability_of(4).to_string(), "1/81");
/// # Ok::<(), dicedist::Error>(())
/// ```
#[must_use]
#[track_caller]
pub fn faces(faces: impl IntoIterator<Item = impl Into<Integer>>) -> Number {
    weighted(faces.into_iter().map(|face| (face, 1)))
}

/// A die with these faces and weights. A face with the weight 0 never comes up; weights of a face that comes twice are added.
///
/// # Panics
///
/// If all weights are 0.
///
/// # Examples
///
/// ```
/// use dicedist::dice::weighted;
///
/// let loaded = weighted([(6, 2), (1, 1)]);
/// assert_eq!(loaded.solve()?.probability_of(6).to_string(), "2/3");
/// # Ok::<(), dicedist::Error>(())
/// ```
#[must_use]
#[track_caller]
pub fn weighted(faces: impl IntoIterator<Item = (impl Into<Integer>, u64)>) -> Number {
    let mut all: BTreeMap<Integer, u128> = BTreeMap::new();
    for (face, weight) in faces {
        if weight > 0 {
            *all.entry(face.into()).or_default() += u128::from(weight);
        }
    }
    assert!(!all.is_empty(), "a die needs a face with a weight above 0");
    let weighted = all.into_iter().map(|(face, weight)| {
        let weight = Integer::from_big(weight.into()).expect("128 bits are not too long");
        (face, weight)
    });
    Number::picked(weighted.collect())
}
