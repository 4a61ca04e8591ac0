//! The operators of Rust for [`Integer`], for programs that count with outcomes of their own.
//!
//! The engine uses the methods that return an error instead.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use super::integer::{Integer, MAX_BITS, Overflow};

/// Implements an operator on values and references, with whatever is an integer on the right.
macro_rules! operator {
    ($trait:ident, $method:ident, $function:expr, $panics:literal) => {
        #[doc = concat!("# Panics\n\nIf ", $panics, ".")]
        impl<N: Into<Self>> $trait<N> for Integer {
            type Output = Self;

            #[track_caller]
            fn $method(self, other: N) -> Self {
                $function(&self, &other.into())
            }
        }

        #[doc = concat!("# Panics\n\nIf ", $panics, ".")]
        impl<N: Into<Integer>> $trait<N> for &Integer {
            type Output = Integer;

            #[track_caller]
            fn $method(self, other: N) -> Integer {
                $function(self, &other.into())
            }
        }
    };
}

operator!(
    Add,
    add,
    |a, b| short(Integer::add(a, b)),
    "the sum is longer than [`MAX_BITS`](super::MAX_BITS) bits"
);
operator!(
    Sub,
    sub,
    |a, b| short(Integer::sub(a, b)),
    "the difference is longer than [`MAX_BITS`](super::MAX_BITS) bits"
);
operator!(
    Mul,
    mul,
    |a, b| short(Integer::mul(a, b)),
    "the product is longer than [`MAX_BITS`](super::MAX_BITS) bits"
);
operator!(
    Div,
    div,
    |a, b| defined(Integer::div(a, b)),
    "the divisor is 0. The quotient is rounded toward zero"
);
operator!(
    Rem,
    rem,
    |a, b| defined(Integer::rem(a, b)),
    "the divisor is 0. The remainder has the sign of the dividend"
);

impl Neg for Integer {
    type Output = Self;

    fn neg(self) -> Self {
        short(Self::neg(&self))
    }
}

impl Neg for &Integer {
    type Output = Integer;

    fn neg(self) -> Integer {
        short(Integer::neg(self))
    }
}

impl From<&Self> for Integer {
    fn from(number: &Self) -> Self {
        number.clone()
    }
}

#[track_caller]
fn short(result: Result<Integer, Overflow>) -> Integer {
    match result {
        Ok(number) => number,
        Err(Overflow) => panic!("the number is longer than {MAX_BITS} bits"),
    }
}

#[track_caller]
fn defined(result: Option<Integer>) -> Integer {
    match result {
        Some(number) => number,
        None => panic!("a number is divided by 0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_those_of_the_integers_of_rust() {
        for a in -7_i64..=7 {
            for b in -3_i64..=3 {
                let (x, y) = (Integer::from(a), Integer::from(b));
                assert_eq!(&x + &y, (a + b).into());
                assert_eq!(&x - b, (a - b).into());
                assert_eq!(x.clone() * y, (a * b).into());
                if b != 0 {
                    assert_eq!((&x / b, &x % b), ((a / b).into(), (a % b).into()));
                }
            }
            assert_eq!(-Integer::from(a), (-a).into());
        }
    }

    #[test]
    #[should_panic(expected = "a number is divided by 0")]
    fn a_division_by_zero_panics() {
        let _ = Integer::ONE / 0;
    }
}
