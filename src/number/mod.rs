//! The numbers that the rest of the crate is written in: [`Integer`], the outcomes of dice, and
//! [`Fraction`], exact probabilities at the edge.
//!
//! The big-number types are named in this room and in [`crate::algebra::weight`]: [`Integer`], [`Fraction`] and
//! [`crate::algebra::Weight`] are how the other rooms say them. A room may compute with what is inside a
//! [`Fraction`] or a weight (`num_bigint` itself), but no other type for numbers is defined anywhere, and no float
//! is defined or accepted here.

mod integer;

pub use integer::{Integer, MAX_BITS, Overflow, ParseIntegerError};

/// An exact fraction: reduced, with a positive denominator.
pub type Fraction = num_rational::BigRational;
