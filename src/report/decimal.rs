//! Decimal text, and nearest doubles, of exact fractions.
//!
//! Every figure is an integer division, or the integer root of one, rounded once, at the last digit shown, halves away
//! from zero. A double appears only as the finished result of a function named `nearest…`; none is computed with.
//!
//! Printing one long distribution divides thousands of long weights by the same total. `Scale` does
//! that on their leading 128 bits with a bound on the error, and falls back to the whole numbers in the
//! rare case that the bound does not settle the last digit.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::algebra::Weight;
use crate::map::Map;
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
    // The root in halves of the last digit, 10^-digits / 2, rounded down: an odd number of them goes up.
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
    value.to_f64().expect("a denominator is not zero")
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
    // A half of the last bit stands for all that was cut off: no double and no tie lies that near.
    let inexact = u32::from(!rest.is_zero() || &root * &root != scaled);
    nearest_quotient((root * 2u32 + inexact).into(), BigInt::from(2) << shift)
}

/// Numbers with more digits before the point are in scientific notation where they are read by people.
const MOST_WHOLE_DIGITS: usize = 40;

/// Divides, to the nearest integer, a half up.
pub(crate) fn divide_to_nearest(numerator: &BigUint, denominator: &BigUint) -> BigUint {
    ((numerator << 1u32) + denominator) / (denominator << 1u32)
}

/// The fraction that the shortest decimal text of a finite double stands for.
#[cfg(feature = "svg")]
pub(crate) fn shortest(value: f64) -> Fraction {
    let text = format!("{value:e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let integer: BigInt = format!("{whole}{decimals}").parse().unwrap_or_default();
    let places = exponent(decimals.len() as u64) - power.parse().unwrap_or(0);
    let tens = BigInt::from(power_of_ten(usize::try_from(places.abs()).unwrap_or(0)));
    if places < 0 {
        Fraction::from_integer(integer * tens)
    } else {
        Fraction::new(integer, tens)
    }
}

fn power_of_ten(exponent: usize) -> BigUint {
    BigUint::from(10u32).pow(u32::try_from(exponent).unwrap_or(u32::MAX))
}

/// Writes `units / 10^digits`; zero has no sign.
fn point(negative: bool, units: &BigUint, digits: usize) -> String {
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

/// The double nearest to a quotient, ties to even; infinite beyond the largest double.
fn nearest_quotient(numerator: BigInt, denominator: BigInt) -> f64 {
    let quotient = Fraction::new_raw(numerator, denominator);
    quotient.to_f64().expect("a denominator is not zero")
}

fn exponent(bits: u64) -> i64 {
    i64::try_from(bits).unwrap_or(i64::MAX)
}

/// Decimals of many weights over one total.
#[derive(Debug)]
pub(crate) struct Scale<'a> {
    total: &'a Weight,
    reciprocal: Near,
    powers: Map<usize, Near>,
}

impl<'a> Scale<'a> {
    /// Decimals over this total, which is not zero.
    pub(crate) fn new(total: &'a Weight) -> Self {
        let bits = total.bits() + 128;
        let quotient = (BigUint::from(1u32) << bits) / total;
        let mut reciprocal = Near::new(&quotient);
        reciprocal.exponent -= exponent(bits);
        reciprocal.error += 1;
        Self {
            total,
            reciprocal,
            powers: Map::default(),
        }
    }

    /// `weight / total` in percent, as a person reads it: with this many digits after the point, but
    /// exact certainty as `100%`, impossibility as `0%`, and what would only round to zero as `3.1e-9%`.
    pub(crate) fn percent(&mut self, weight: &Weight, digits: usize) -> String {
        if weight.is_zero() || weight == self.total {
            return if weight.is_zero() { "0%" } else { "100%" }.into();
        }
        format!("{}%", self.fixed(weight, digits, 2))
    }

    /// `weight / total * 10^shift` with this many digits after the point, but what would only round to zero
    /// as `3.1e-9`.
    pub(crate) fn fixed(&mut self, weight: &Weight, digits: usize, shift: usize) -> String {
        let units = divide_to_nearest(&(weight * power_of_ten(digits + shift)), self.total);
        if units.is_zero() && !weight.is_zero() {
            let (mantissa, power) = self.leading(weight, 2);
            let power = power + exponent(shift as u64);
            return format!("{}e{power}", point(false, &mantissa.into(), 1));
        }
        point(false, &units, digits)
    }

    /// `weight / total` with this many significant digits, at most 30; in scientific notation below
    /// one millionth.
    pub(crate) fn significant(&mut self, weight: &Weight, digits: usize) -> String {
        debug_assert!((1..=30).contains(&digits), "digits fit the leading bits");
        if weight.is_zero() {
            return "0".into();
        }
        let (mantissa, power) = self.leading(weight, digits);
        let places = digits - 1;
        match usize::try_from(-power) {
            Ok(down @ 0..=6) => point(false, &mantissa.into(), places + down),
            _ if power > 0 => {
                let shift = usize::try_from(power).unwrap_or_default();
                let mantissa = BigUint::from(mantissa);
                if shift <= places {
                    point(false, &mantissa, places - shift)
                } else {
                    (mantissa * power_of_ten(shift - places)).to_string()
                }
            }
            _ => format!("{}e{power}", point(false, &mantissa.into(), places)),
        }
    }

    /// The double nearest to `weight / total`.
    pub(crate) fn nearest(&self, weight: &Weight) -> f64 {
        if weight.is_zero() {
            return 0.0;
        }
        let quotient = Near::new(weight).times(&self.reciprocal);
        let top = quotient.exponent + 127;
        // 53 bits are kept of the 128, away from the ends of the range of doubles.
        if (-1022..1023).contains(&top)
            && let Some(fraction) = quotient.rounded(75)
            && let (Ok(fraction), Ok(biased)) = (u64::try_from(fraction), u64::try_from(top + 1022))
        {
            return f64::from_bits((biased << 52) + fraction);
        }
        nearest_quotient(weight.clone().into(), self.total.clone().into())
    }

    /// The leading digits of `weight / total` as an integer of exactly that many digits, and the power
    /// of ten of the first.
    fn leading(&mut self, weight: &Weight, digits: usize) -> (u128, i64) {
        let quotient = Near::new(weight).times(&self.reciprocal);
        // log10 of 2 to 18 places, rounded down toward a guess that is right or one too low.
        let logarithm = i128::from(quotient.exponent + 127) * 301_029_995_663_981_195;
        let guess = logarithm.div_euclid(1_000_000_000_000_000_000);
        let mut power = i64::try_from(guess).unwrap_or_default();
        let limit = 10u128.pow(u32::try_from(digits).unwrap_or(30));
        loop {
            let mantissa = self.scaled(weight, &quotient, exponent(digits as u64) - 1 - power);
            if mantissa < limit {
                return (mantissa, power);
            }
            power += 1;
        }
    }

    /// `weight / total * 10^places`, to the nearest integer.
    fn scaled(&mut self, weight: &Weight, quotient: &Near, places: i64) -> u128 {
        let Ok(ten) = usize::try_from(places) else {
            let tens = power_of_ten(usize::try_from(-places).unwrap_or_default());
            return divide_to_nearest(weight, &(self.total * tens))
                .to_u128()
                .unwrap_or(u128::MAX);
        };
        let product = quotient.times(&self.ten_to(ten));
        u32::try_from(-product.exponent)
            .ok()
            .filter(|fraction| (1..=128).contains(fraction))
            .and_then(|fraction| product.rounded(fraction))
            .unwrap_or_else(|| {
                divide_to_nearest(&(weight * power_of_ten(ten)), self.total)
                    .to_u128()
                    .unwrap_or(u128::MAX)
            })
    }

    /// `10^power` as a product of a power that is a multiple of 64 and a small one, both remembered.
    fn ten_to(&mut self, power: usize) -> Near {
        let (coarse, fine) = (power / 64 * 64, power % 64);
        let fine = self.remembered(fine);
        if coarse == 0 {
            fine
        } else {
            self.remembered(coarse).times(&fine)
        }
    }

    fn remembered(&mut self, power: usize) -> Near {
        *self
            .powers
            .entry(power)
            .or_insert_with(|| Near::new(&power_of_ten(power)))
    }
}

/// A positive number between `mantissa * 2^exponent` and `(mantissa + error) * 2^exponent`, both
/// included; the highest bit of the mantissa is set.
#[derive(Clone, Copy, Debug)]
struct Near {
    mantissa: u128,
    error: u128,
    exponent: i64,
}

impl Near {
    /// The leading bits of a positive integer.
    fn new(integer: &BigUint) -> Self {
        let mut limbs = integer.iter_u64_digits().rev();
        let mut next = || u128::from(limbs.next().unwrap_or(0));
        let (high, middle, low) = (next(), next(), next());
        let leading = high << 64 | middle;
        let zeros = leading.leading_zeros();
        // The third limb fills what normalising the first two leaves empty.
        let filled = (low << zeros) >> 64;
        let inexact = integer.bits() > 128;
        Self {
            mantissa: (leading << zeros) | filled,
            error: u128::from(inexact),
            exponent: exponent(integer.bits()) - 128,
        }
    }

    fn times(&self, other: &Self) -> Self {
        let (a, b) = (self.mantissa, other.mantissa);
        let (a_high, a_low, b_high, b_low) = (a >> 64, a & LOW, b >> 64, b & LOW);
        let middle = a_high * b_low;
        let other_middle = a_low * b_high;
        let carried = ((a_low * b_low) >> 64) + (middle & LOW) + (other_middle & LOW);
        let high = a_high * b_high + (middle >> 64) + (other_middle >> 64) + (carried >> 64);
        // (a+e)(b+f) < ab + (e+f+1) 2^128, and one more for the low half dropped here.
        let error = self.error + other.error + 2;
        let zeros = high.leading_zeros();
        Self {
            mantissa: high << zeros,
            error: error << zeros,
            exponent: self.exponent + other.exponent + 128 - i64::from(zeros),
        }
    }

    /// The mantissa without its last `dropped` (1 to 128) bits, rounded to the nearest, if the error
    /// leaves no doubt which that is.
    fn rounded(&self, dropped: u32) -> Option<u128> {
        let kept = self.mantissa.checked_shr(dropped).unwrap_or(0);
        let half = 1u128 << (dropped - 1);
        let rest = self.mantissa & (half | (half - 1));
        if rest > half {
            Some(kept + 1)
        } else {
            (rest + self.error < half).then_some(kept)
        }
    }
}

const LOW: u128 = u64::MAX as u128;

/// The signed root of a rational: what a skewness is.
#[must_use]
pub(crate) fn nearest_signed_root(sign: Sign, square: &Fraction) -> f64 {
    let root = nearest_root(square);
    root.copysign(if sign == Sign::Minus { -1.0 } else { 1.0 })
}

/// As [`fixed_root`], with a sign.
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

/// A number with so many digits after the point, or in scientific notation where it would have too many before it:
/// `text` writes the figure that is given to it, which is a fraction or the square of the number.
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
    // Of 9.99996 with four digits there are ten: then the power is one more.
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

/// A weight over a total as a fraction that is not reduced: for one figure, once.
pub(crate) fn quotient(weight: &Weight, total: &Weight) -> Fraction {
    Fraction::new_raw(BigInt::from(weight.clone()), BigInt::from(total.clone()))
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

    #[test]
    #[cfg(feature = "svg")]
    fn the_shortest_text_of_a_double_is_a_fraction() {
        for (value, expected) in [
            (0.0, fraction(0, 1)),
            (0.00625, fraction(1, 160)),
            (1.0, fraction(1, 1)),
            (-250.0, fraction(-250, 1)),
            (1e-12, fraction(1, 1_000_000_000_000)),
        ] {
            assert_eq!(shortest(value), expected, "{value}");
        }
    }

    /// A simple, portable sequence of numbers: Knuth's multiplicative generator.
    fn sequence(seed: u64) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(seed), |state| {
            Some(
                state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407),
            )
        })
        .map(|state| state ^ (state >> 29))
    }

    #[test]
    #[expect(
        clippy::float_cmp,
        clippy::cast_precision_loss,
        reason = "the processor's own division is the judge"
    )]
    fn doubles_agree_with_the_processor() {
        // A quotient and a root of doubles are correctly rounded by IEEE 754.
        let mut numbers = sequence(7).map(|bits| bits >> 11);
        for _ in 0..20_000 {
            let (Some(a), Some(b)) = (numbers.next(), numbers.next()) else {
                break;
            };
            let (a, b) = (a >> (b % 40), (b >> (a % 37)) + 1);
            let value = Fraction::new(a.into(), b.into());
            assert_eq!(nearest(&value), a as f64 / b as f64, "{a}/{b}");
            assert_eq!(
                nearest_root(&Fraction::from_integer(a.into())),
                (a as f64).sqrt(),
                "{a}"
            );
            let total = BigUint::from(b);
            assert_eq!(
                Scale::new(&total).nearest(&a.into()),
                a as f64 / b as f64,
                "{a}/{b}"
            );
        }
    }

    #[test]
    fn doubles_are_right_at_the_ends_of_their_range() {
        let power = |exponent: u32| BigUint::from(2u32).pow(exponent);
        let over = |numerator: u32, exponent: u32| quotient(&numerator.into(), &power(exponent));
        assert_eq!(nearest(&over(1, 1074)).to_bits(), 1);
        assert_eq!(nearest(&over(1, 1075)).to_bits(), 0); // a tie, to even
        assert_eq!(nearest(&over(3, 1075)).to_bits(), 2); // a tie, to even
        assert_eq!(nearest(&over(3, 1076)).to_bits(), 1);
        assert_eq!(
            nearest(&over(1, 1022)).to_bits(),
            f64::MIN_POSITIVE.to_bits()
        );
        assert_eq!(
            nearest(&quotient(&power(1023), &1u32.into())).to_bits(),
            2046 << 52
        );
        assert!(nearest(&quotient(&power(1024), &1u32.into())).is_infinite());
        let largest = power(1024) - power(970);
        assert!(nearest(&quotient(&largest, &1u32.into())).is_infinite());
        assert_eq!(
            nearest(&quotient(&(largest - 1u32), &1u32.into())).to_bits(),
            f64::MAX.to_bits()
        );
        for (weight, total) in [(1u32, 1074), (1, 1075), (3, 1075), (5, 1077), (1, 2000)] {
            let total = power(total);
            assert_eq!(
                Scale::new(&total).nearest(&weight.into()).to_bits(),
                nearest(&quotient(&weight.into(), &total)).to_bits(),
            );
        }
    }

    #[test]
    fn leading_digits_agree_with_whole_division() {
        let mut numbers = sequence(11);
        for round in 0..3_000u32 {
            let mut long = |limbs: u32| {
                (0..limbs).fold(BigUint::from(1u32), |number, _| {
                    (number << 64u32) + numbers.next().unwrap_or_default()
                })
            };
            let total = long(1 + round % 12);
            let weight = long(round % 5) % &total + 1u32;
            let digits = 1 + (round % 17) as usize;
            let (mantissa, power) = Scale::new(&total).leading(&weight, digits);
            let places = exponent(digits as u64) - 1 - power;
            assert_eq!(mantissa.to_string().len(), digits, "{weight}/{total}");
            let exact = match usize::try_from(places) {
                Ok(places) => divide_to_nearest(&(&weight * power_of_ten(places)), &total),
                Err(_) => continue,
            };
            assert_eq!(BigUint::from(mantissa), exact, "{weight}/{total}");
            assert_eq!(
                Scale::new(&total).nearest(&weight).to_bits(),
                nearest(&quotient(&weight, &total)).to_bits(),
            );
        }
    }

    #[test]
    fn significant_digits_keep_their_zeros_and_round_across_a_power_of_ten() {
        let cases: [(u32, u32, usize, &str); 9] = [
            (0, 7, 17, "0"),
            (7, 7, 17, "1.0000000000000000"),
            (1, 4, 17, "0.25000000000000000"),
            (1, 3, 5, "0.33333"),
            (99_999, 100_000, 4, "1.000"),
            (9_994, 10_000, 3, "0.999"),
            (1, 1_000_000, 3, "0.00000100"),
            (1, 10_000_000, 3, "1.00e-7"),
            (123_456, 1, 3, "123000"),
        ];
        for (weight, total, digits, expected) in cases {
            let total = BigUint::from(total);
            let text = Scale::new(&total).significant(&weight.into(), digits);
            assert_eq!(text, expected, "{weight}/{total}");
        }
    }

    #[test]
    fn percentages_tell_never_hardly_and_surely_apart() {
        let total = BigUint::from(10u32).pow(12);
        let mut scale = Scale::new(&total);
        for (weight, expected) in [
            ("0", "0%"),
            ("1", "1.0e-10%"),
            ("123", "1.2e-8%"),
            ("499999", "5.0e-5%"),
            ("500000", "0.0001%"), // a half of the last digit goes up
            ("132716049382", "13.2716%"),
            ("999999999999", "100.0000%"),
            ("1000000000000", "100%"),
        ] {
            assert_eq!(
                scale.percent(&weight.parse().unwrap(), 4),
                expected,
                "{weight}"
            );
        }
        assert_eq!(scale.percent(&500_000_000_000u64.into(), 0), "50%");
        assert_eq!(scale.percent(&125_000_000_000u64.into(), 0), "13%");
    }
}
