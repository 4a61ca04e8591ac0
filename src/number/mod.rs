//! The number types of the crate: [`Integer`] for the outcomes of dice, and [`Fraction`] for exact probabilities.
//!
//! The big-number types are named only in this room and in [`crate::algebra::weight`]. The other rooms say [`Integer`],
//! [`Fraction`] and [`crate::algebra::Weight`]. They may compute with the `num_bigint` integers inside a [`Fraction`]
//! or a weight, but they define no number type of their own. No float is defined or accepted here.

mod integer;

pub use integer::{Integer, MAX_BITS, Overflow, ParseIntegerError};

/// An exact fraction: reduced, with a positive denominator.
pub type Fraction = num_rational::BigRational;
