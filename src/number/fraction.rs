//! The type of exact probabilities.

/// An exact fraction: reduced, with a positive denominator.
pub type Fraction = num_rational::BigRational;
