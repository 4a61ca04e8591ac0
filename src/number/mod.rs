//! The number types of the crate: [`Integer`] for the outcomes of dice, and [`Fraction`] for exact probabilities.
//!
//! The big-number types are named only in this room and in [`crate::algebra::weight`]. The other rooms say [`Integer`],
//! [`Fraction`] and [`crate::algebra::Weight`]. They may compute with the `num_bigint` integers inside a [`Fraction`]
//! or a weight, but they define no number type of their own. No float is defined or accepted here.
//!
//! [`num_bigint`] and [`num_rational`] are exported, because their types are those of weights and of fractions; so is [`ToPrimitive`],
//! with which a [`Fraction`] becomes a float.
//!
//! ```
//! use dicedist::number::{Fraction, ToPrimitive as _};
//!
//! let quarter = Fraction::new(1.into(), 4.into());
//! assert_eq!(quarter.to_f64(), Some(0.25));
//! ```

mod fraction;
mod integer;
mod operators;
mod unit;

pub use fraction::Fraction;
pub use integer::{Integer, MAX_BITS, Overflow, ParseIntegerError};
pub use num_traits::ToPrimitive;
pub use unit::Unit;
pub use {num_bigint, num_rational};
