//! Decimal text, and nearest doubles, of exact fractions.
//!
//! Every figure is an integer division, or the integer square root of one. It is rounded once, at the last digit shown, halves
//! away from zero. A double appears only as the result of a function named `nearest…`; there is no arithmetic with doubles.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::number::Fraction;

/// The fraction with this many digits after the point.
///
/// # Examples
///
/// ```
/// use dicedist::number::Fraction;
/// use dicedist::report::decimal;
///
/// let mean = Fraction::new(15869.into(), 1296.into());
/// assert_eq!(decimal::fixed(&mean, 4), "12.2446");
/// assert_eq!(decimal::fixed(&Fraction::new(1.into(), 8.into()), 2), "0.13"); // a half
/// ```
#[must_use]
pub fn fixed(value: &Fraction, digits: usize) -> String {
    let scaled = value.numer().magnitude() * power_of_ten(digits);
    let rounded = divide_to_nearest(&scaled, value.denom().magnitude());
    point(value.is_negative(), &rounded, digits)
}

/// The square root of a fraction that is not negative, with this many digits after the point.
///
/// # Examples
///
/// ```
/// use dicedist::number::Fraction;
/// use dicedist::report::decimal;
///
/// let variance = Fraction::new(35.into(), 12.into()); // of a d6
/// assert_eq!(decimal::fixed_root(&variance, 4), "1.7078");
/// ```
#[must_use]
pub fn fixed_root(square: &Fraction, digits: usize) -> String {
    // The root in units of half the last digit, rounded down; then an odd number of units is rounded up.
    let unit = power_of_ten(digits) * 2u32;
    let scaled = square.numer().magnitude() * &unit * &unit / square.denom().magnitude();
    let rounded: BigUint = (scaled.sqrt() + 1u32) >> 1u32;
    point(false, &rounded, digits)
}

/// The double nearest to the fraction, ties to even; infinite beyond the largest double.
///
/// # Examples
///
/// ```
/// use dicedist::number::Fraction;
/// use dicedist::report::decimal;
///
/// assert_eq!(decimal::nearest(&Fraction::new(1.into(), 3.into())), 1.0 / 3.0);
/// ```
#[must_use]
pub fn nearest(value: &Fraction) -> f64 {
    // num-rational rounds correctly, also at the ends of the range of doubles, and has an answer for each fraction.
    value.to_f64().unwrap_or(f64::NAN)
}

/// The double nearest to the square root of a fraction that is not negative.
///
/// # Examples
///
/// ```
/// use dicedist::number::Fraction;
/// use dicedist::report::decimal;
///
/// assert_eq!(decimal::nearest_root(&Fraction::from_integer(2.into())), std::f64::consts::SQRT_2);
/// ```
#[must_use]
pub fn nearest_root(square: &Fraction) -> f64 {
    let (numerator, denominator) = (square.numer().magnitude(), square.denom().magnitude());
    if numerator.is_zero() {
        return 0.0;
    }
    let size = exponent(numerator.bits()) - exponent(denominator.bits());
    let shift = u64::try_from((132 - size).max(0) / 2).unwrap_or_default();
    let (scaled, rest) = (numerator << (2 * shift)).div_rem(denominator);
    let root = scaled.sqrt();
    // Half of the last bit stands for the part that was cut off: no double and no tie lies within it.
    let inexact = u32::from(!rest.is_zero() || &root * &root != scaled);
    nearest(&Fraction::new_raw(
        (root * 2u32 + inexact).into(),
        BigInt::from(2) << shift,
    ))
}

/// Texts for people use scientific notation for a number with more digits than this before the point.
const MOST_WHOLE_DIGITS: usize = 40;

/// The quotient rounded to the nearest integer, halves up.
pub(crate) fn divide_to_nearest(numerator: &BigUint, denominator: &BigUint) -> BigUint {
    ((numerator << 1u32) + denominator) / (denominator << 1u32)
}

pub(super) fn power_of_ten(exponent: usize) -> BigUint {
    BigUint::from(10u32).pow(u32::try_from(exponent).unwrap_or(u32::MAX))
}

/// Writes `units / 10^digits`; zero has no sign.
pub(super) fn point(negative: bool, units: &BigUint, digits: usize) -> String {
    let text = format!(
        "{units:0>width$}",
        units = units.to_string(),
        width = digits + 1
    );
    let (whole, decimals) = text.split_at(text.len() - digits);
    let sign = if negative && !units.is_zero() {
        "-"
    } else {
        ""
    };
    let separator = if digits == 0 { "" } else { "." };
    format!("{sign}{whole}{separator}{decimals}")
}

pub(super) fn exponent(bits: u64) -> i64 {
    i64::try_from(bits).unwrap_or(i64::MAX)
}

/// The double nearest to a square root with a sign, such as a skewness.
#[must_use]
#[cfg(feature = "json")]
pub(crate) fn nearest_signed_root(sign: Sign, square: &Fraction) -> f64 {
    let root = nearest_root(square);
    root.copysign(if sign == Sign::Minus { -1.0 } else { 1.0 })
}

/// [`fixed_root`] with a sign.
#[must_use]
pub(crate) fn fixed_signed_root(sign: Sign, square: &Fraction, digits: usize) -> String {
    let text = fixed_root(square, digits);
    let zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if sign == Sign::Minus && !zero {
        format!("-{text}")
    } else {
        text
    }
}

/// A number as text, in scientific notation if it has more than [`MOST_WHOLE_DIGITS`] digits before the point. `figure` is the
/// number or, if `is_square`, its square; `text` writes the number of a figure.
pub(crate) fn readable(
    figure: &Fraction,
    text: impl Fn(&Fraction) -> String,
    is_square: bool,
) -> String {
    let whole = |text: &str| {
        text.trim_start_matches('-')
            .split('.')
            .next()
            .map_or(0, str::len)
    };
    let plain = text(figure);
    let mut power = whole(&plain) - 1;
    if power < MOST_WHOLE_DIGITS {
        return plain;
    }
    // 9.99996 with four digits after the point is rounded to 10.0000: then the power is one more.
    loop {
        let scale = BigInt::from(power_of_ten(if is_square { 2 * power } else { power }));
        let scaled = Fraction::new_raw(figure.numer().clone(), figure.denom() * scale);
        let mantissa = text(&scaled);
        if whole(&mantissa) == 1 {
            return format!("{mantissa}e{power}");
        }
        power += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> Fraction {
        Fraction::new(numerator.into(), denominator.into())
    }

    #[test]
    fn a_half_goes_away_from_zero() {
        for (numerator, digits, expected) in [
            (1, 0, "1"),
            (3, 0, "2"),
            (5, 0, "3"),
            (-5, 0, "-3"),
            (-1, 0, "-1"),
            (1, 1, "0.5"),
            (-7, 3, "-3.500"),
        ] {
            assert_eq!(
                fixed(&fraction(numerator, 2), digits),
                expected,
                "{numerator}/2"
            );
        }
        assert_eq!(fixed(&fraction(1, 8), 2), "0.13");
        assert_eq!(fixed(&fraction(3, 8), 2), "0.38");
        assert_eq!(fixed(&fraction(2, 3), 5), "0.66667");
    }

    #[test]
    fn long_numbers_are_written_with_a_power_of_ten() {
        let nines = fraction(10, 1).pow(50) - fraction(1, 1);
        let four = |value: &Fraction| fixed(value, 4);
        assert_eq!(readable(&fraction(-3, 2), four, false), "-1.5000");
        assert_eq!(readable(&nines, four, false), "1.0000e50");
        assert_eq!(readable(&-nines.clone(), four, false), "-1.0000e50");
        let long = fraction(123_456, 7).pow(10); // 2.9e42
        let seconds = (&nines * &nines, "1.0000e50");
        let firsts = (fraction(10, 1).pow(100) * fraction(4, 1), "2.0000e50");
        assert!(readable(&long, four, false).ends_with("e42"));
        for (square, expected) in [seconds, firsts] {
            assert_eq!(
                readable(&square, |square| fixed_root(square, 4), true),
                expected
            );
        }
    }

    #[test]
    fn roots_are_rounded_from_exact_squares() {
        for (square, digits, expected) in [
            (fraction(0, 1), 2, "0.00"),
            (fraction(1, 4), 0, "1"),    // exactly a half
            (fraction(24, 100), 0, "0"), // a little less
            (fraction(9, 4), 0, "2"),    // exactly one and a half
            (fraction(9, 4), 1, "1.5"),
            (fraction(2, 1), 20, "1.41421356237309504880"),
            (fraction(26, 100), 0, "1"), // a little more than a half
        ] {
            assert_eq!(fixed_root(&square, digits), expected, "{square}");
        }
        assert_eq!(
            fixed_signed_root(Sign::Minus, &fraction(1, 1_000_000), 2),
            "0.00"
        );
        assert_eq!(fixed_signed_root(Sign::Minus, &fraction(1, 4), 1), "-0.5");
    }

    /// A root of a double is correctly rounded by IEEE 754.
    #[test]
    fn roots_agree_with_the_processor() {
        for number in (1..20_000_u32).map(|number| number.wrapping_mul(2_654_435_769)) {
            let square = Fraction::from_integer(number.into());
            let root = f64::from(number).sqrt();
            assert_eq!(nearest_root(&square).to_bits(), root.to_bits(), "{number}");
        }
    }
}
