//! The numbers that the rest of the crate is written in: [`Integer`], the outcomes of dice, and
//! [`Fraction`], exact probabilities at the edge.
//!
//! This room and [`crate::algebra::weight`] are the only homes of big-number types. No float is
//! defined or accepted here.

mod integer;

pub use integer::{Integer, MAX_BITS, Overflow};

/// An exact fraction: reduced, with a positive denominator.
pub type Fraction = num_rational::BigRational;
