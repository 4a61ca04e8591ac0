//! Decimals of weights over one total.
//!
//! Each is one division of whole numbers, rounded once.

use num_bigint::BigUint;
use num_traits::Zero;

use super::decimal::{divide_to_nearest, exponent, point, power_of_ten};
use crate::algebra::Weight;

/// Decimals of weights over one total.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale<'a> {
    total: &'a Weight,
}

impl<'a> Scale<'a> {
    /// Decimals over this total, which must not be zero.
    pub(crate) fn new(total: &'a Weight) -> Self {
        Self { total }
    }

    /// `weight / total` in percent for people, with this many digits after the point. Exactly 1 is `100%`, exactly 0 is `0%`, and
    /// a positive number that would round to zero is less than one unit of the last digit: `<0.01%`.
    pub(crate) fn percent(self, weight: &Weight, digits: usize) -> String {
        if weight.is_zero() || weight == self.total {
            return if weight.is_zero() { "0%" } else { "100%" }.into();
        }
        match self.scaled(weight, exponent(digits as u64) + 2) {
            units if units.is_zero() => format!("<{}%", point(false, &1u32.into(), digits)),
            units => format!("{}%", point(false, &units, digits)),
        }
    }

    /// `weight / total` with this many digits after the point. A positive number that would round to zero is written as `3.1e-9`.
    pub(crate) fn fixed(self, weight: &Weight, digits: usize) -> String {
        let units = self.scaled(weight, exponent(digits as u64));
        if units.is_zero() && !weight.is_zero() {
            let (mantissa, power) = self.leading(weight, 2);
            return format!("{}e{power}", point(false, &mantissa, 1));
        }
        point(false, &units, digits)
    }

    /// `weight / total` with this many significant digits. Numbers below one millionth are in scientific notation.
    #[cfg(any(feature = "csv", test))]
    pub(crate) fn significant(self, weight: &Weight, digits: usize) -> String {
        if weight.is_zero() {
            return "0".into();
        }
        let (mantissa, power) = self.leading(weight, digits);
        let places = exponent(digits as u64) - 1 - power;
        match usize::try_from(places) {
            Ok(places) if power >= -6 => point(false, &mantissa, places),
            Ok(_) => format!("{}e{power}", point(false, &mantissa, digits - 1)),
            Err(_) => {
                let zeros = usize::try_from(-places).unwrap_or(usize::MAX);
                format!("{mantissa}{}", "0".repeat(zeros))
            }
        }
    }

    /// Whether a weight is the total.
    #[cfg(feature = "svg")]
    pub(crate) fn is_whole(self, weight: &Weight) -> bool {
        weight == self.total
    }

    /// The double nearest to `weight / total`.
    #[cfg(any(feature = "json", feature = "svg", test))]
    pub(crate) fn nearest(self, weight: &Weight) -> f64 {
        super::decimal::nearest_quotient(weight.clone().into(), self.total.clone().into())
    }

    /// The leading digits of `weight / total`, as an integer of exactly `digits` digits, and the power of ten of the first digit.
    fn leading(self, weight: &Weight, digits: usize) -> (BigUint, i64) {
        // The quotient is more than two to the power of `least`. So the first power of ten is the right one, or less.
        let least = exponent(weight.bits()) - exponent(self.total.bits()) - 1;
        let log10_of_2 = if least < 0 { 30_103 } else { 30_102 };
        let first = (least * log10_of_2).div_euclid(100_000);
        let limit = power_of_ten(digits);
        let mut powers = (first..).map(|power| {
            let places = exponent(digits as u64) - 1 - power;
            (self.scaled(weight, places), power)
        });
        powers
            .find(|(mantissa, _)| *mantissa < limit)
            .expect("a number ends")
    }

    /// `weight / total * 10^places`, to the nearest integer.
    fn scaled(self, weight: &Weight, places: i64) -> BigUint {
        let tens = usize::try_from(places.unsigned_abs()).unwrap_or(usize::MAX);
        let tens = power_of_ten(tens);
        if places < 0 {
            divide_to_nearest(weight, &(self.total * tens))
        } else {
            divide_to_nearest(&(weight * tens), self.total)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::decimal::{nearest, nearest_root, quotient};
    use super::*;
    use crate::number::Fraction;

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
    }

    /// The standard library reads so many digits as the double that is nearest to the fraction itself.
    #[test]
    fn thirty_digits_are_read_as_the_nearest_double() {
        let mut numbers = sequence(11);
        for round in 0..3_000u32 {
            let mut long = |limbs: u32| {
                (0..limbs).fold(BigUint::from(1u32), |number, _| {
                    (number << 64u32) + numbers.next().unwrap_or_default()
                })
            };
            let total = long(1 + round % 12);
            let weight = long(round % 5) % &total + 1u32;
            let text = Scale::new(&total).significant(&weight, 30);
            let read: f64 = text.parse().unwrap();
            let expected = nearest(&quotient(&weight, &total));
            assert_eq!(read.to_bits(), expected.to_bits(), "{weight}/{total}");
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
        let scale = Scale::new(&total);
        for (weight, expected) in [
            ("0", "0%"),
            ("1", "<0.0001%"),
            ("123", "<0.0001%"),
            ("499999", "<0.0001%"),
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
