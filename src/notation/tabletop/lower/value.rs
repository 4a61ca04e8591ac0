//! Numbers of a roll: exact rationals, which are known before rolling or are integers in a known unit.
//!
//! A rolled number is an integer of the core language times `1/unit`. The unit is known before rolling, so that every
//! operation is an operation on integers.

use super::support::Support;
use crate::ir::Expr;
use crate::number::{Fraction, Integer, Overflow};

/// A number.
#[derive(Clone, Debug)]
pub(super) enum NumberValue {
    Known(Fraction),
    Rolled(Rolled),
}

/// A number that depends on dice.
#[derive(Clone, Debug)]
pub(super) struct Rolled {
    /// The number times the unit.
    pub(super) term: Expr,
    /// How many parts 1 has; positive.
    pub(super) unit: Integer,
    /// The values of the term.
    pub(super) support: Support,
}

impl NumberValue {
    pub(super) fn whole(value: impl Into<Integer>) -> Self {
        Self::Known(fraction(&value.into()))
    }

    /// A number that is known, if its parts are short enough.
    pub(super) fn known(number: Fraction) -> Result<Self, Overflow> {
        Integer::from_big(number.numer().clone())?;
        Integer::from_big(number.denom().clone())?;
        Ok(Self::Known(number))
    }

    /// A rolled whole number.
    pub(super) fn rolled(term: Expr, support: Support) -> Self {
        Self::Rolled(Rolled {
            term,
            unit: Integer::ONE,
            support,
        })
    }

    /// The unit in which the number is whole.
    pub(super) fn unit(&self) -> Integer {
        match self {
            Self::Known(number) => denominator(number),
            Self::Rolled(rolled) => rolled.unit.clone(),
        }
    }
}

/// An integer as a fraction.
pub(super) fn fraction(value: &Integer) -> Fraction {
    Fraction::from_integer(value.to_big())
}

/// The numerator of a known number.
pub(super) fn numerator(number: &Fraction) -> Integer {
    Integer::from_big(number.numer().clone()).expect("a known number is short")
}

/// The denominator of a known number.
pub(super) fn denominator(number: &Fraction) -> Integer {
    Integer::from_big(number.denom().clone()).expect("a known number is short")
}

/// The quotient by an integer that is not zero.
pub(super) fn ratio(a: &Integer, b: &Integer) -> Integer {
    a.div(b).expect("the divisor is not zero")
}
