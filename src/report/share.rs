//! A weight over a total as text, and as a double.
//!
//! Each is one division of whole numbers, rounded once.

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use super::decimal::{divide_to_nearest, exponent, point, power_of_ten};
use crate::algebra::Weight;
use crate::number::Fraction;

/// A weight over a total that is not zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share<'a> {
    pub(crate) weight: &'a Weight,
    pub(crate) total: &'a Weight,
}

impl<'a> Share<'a> {
    pub(crate) fn new(weight: &'a Weight, total: &'a Weight) -> Self {
        Self { weight, total }
    }

    /// The size of a fraction, without its sign.
    pub(crate) fn of(fraction: &'a Fraction) -> Self {
        let [weight, total] = [fraction.numer(), fraction.denom()];
        Self::new(weight.magnitude(), total.magnitude())
    }

    /// The share in percent for people, with this many digits after the point. Exactly 1 is `100%`, exactly 0 is `0%`, and a
    /// positive number that would round to zero is less than one unit of the last digit: `<0.01%`.
    pub(crate) fn percent(self, digits: usize) -> String {
        if self.weight.is_zero() || self.is_whole() {
            return if self.is_whole() { "100%" } else { "0%" }.into();
        }
        match self.scaled(exponent(digits as u64) + 2) {
            units if units.is_zero() => format!("<{}%", point(false, &1u32.into(), digits)),
            units => format!("{}%", point(false, &units, digits)),
        }
    }

    /// The share with this many digits after the point. A positive number that would round to zero is written as `3.1e-9`.
    pub(crate) fn fixed(self, digits: usize) -> String {
        let units = self.scaled(exponent(digits as u64));
        if units.is_zero() && !self.weight.is_zero() {
            let (mantissa, power) = self.leading(2);
            return format!("{}e{power}", point(false, &mantissa, 1));
        }
        point(false, &units, digits)
    }

    /// The share with this many significant digits. Numbers below one millionth are in scientific notation.
    #[cfg(any(feature = "csv", test))]
    pub(crate) fn significant(self, digits: usize) -> String {
        if self.weight.is_zero() {
            return "0".into();
        }
        let (mantissa, power) = self.leading(digits);
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

    pub(crate) fn is_whole(self) -> bool {
        self.weight == self.total
    }

    /// The double nearest to the share.
    #[cfg(any(feature = "json", feature = "svg", test))]
    pub(crate) fn nearest(self) -> f64 {
        super::decimal::nearest(&self.fraction())
    }

    /// The share as a fraction, not reduced: reducing would cost more than the one use of the fraction.
    pub(crate) fn fraction(self) -> Fraction {
        let [weight, total] = [self.weight, self.total].map(|it| BigInt::from(it.clone()));
        Fraction::new_raw(weight, total)
    }

    /// The leading digits, as an integer of exactly `digits` digits, and the power of ten of the first digit.
    fn leading(self, digits: usize) -> (BigUint, i64) {
        // The quotient is more than two to the power of `least`. So the first power of ten is the right one, or less.
        let least = exponent(self.weight.bits()) - exponent(self.total.bits()) - 1;
        let log10_of_2 = if least < 0 { 30_103 } else { 30_102 };
        let first = (least * log10_of_2).div_euclid(100_000);
        let limit = power_of_ten(digits);
        let mut powers = (first..).map(|power| {
            let places = exponent(digits as u64) - 1 - power;
            (self.scaled(places), power)
        });
        powers
            .find(|(mantissa, _)| *mantissa < limit)
            .expect("a number ends")
    }

    /// The share times a power of ten, to the nearest integer.
    fn scaled(self, places: i64) -> BigUint {
        let tens = usize::try_from(places.unsigned_abs()).unwrap_or(usize::MAX);
        let tens = power_of_ten(tens);
        if places < 0 {
            divide_to_nearest(self.weight, &(self.total * tens))
        } else {
            divide_to_nearest(&(self.weight * tens), self.total)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn doubles_are_right_at_the_ends_of_their_range() {
        let power = |exponent: u32| BigUint::from(2u32).pow(exponent);
        let over =
            |weight: u32, exponent: u32| Share::new(&weight.into(), &power(exponent)).nearest();
        assert_eq!(over(1, 1074).to_bits(), 1);
        assert_eq!(over(1, 1075).to_bits(), 0); // a tie, to even
        assert_eq!(over(3, 1075).to_bits(), 2); // a tie, to even
        assert_eq!(over(3, 1076).to_bits(), 1);
        assert_eq!(over(1, 1022).to_bits(), f64::MIN_POSITIVE.to_bits());
        let whole = |weight: BigUint| Share::new(&weight, &1u32.into()).nearest();
        assert_eq!(whole(power(1023)).to_bits(), 2046 << 52);
        assert!(whole(power(1024)).is_infinite());
        let largest = power(1024) - power(970);
        assert_eq!(whole(&largest - 1u32).to_bits(), f64::MAX.to_bits());
        assert!(whole(largest).is_infinite());
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
            let text = Share::new(&weight, &total).significant(30);
            let read: f64 = text.parse().unwrap();
            let nearest = Share::new(&weight, &total).nearest();
            assert_eq!(read.to_bits(), nearest.to_bits(), "{weight}/{total}");
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
            let text = Share::new(&weight.into(), &total).significant(digits);
            assert_eq!(text, expected, "{weight}/{total}");
        }
    }

    #[test]
    fn percentages_tell_never_hardly_and_surely_apart() {
        let total = BigUint::from(10u32).pow(12);
        let percent =
            |weight: &str, digits| Share::new(&weight.parse().unwrap(), &total).percent(digits);
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
            assert_eq!(percent(weight, 4), expected, "{weight}");
        }
        assert_eq!(percent("500000000000", 0), "50%");
        assert_eq!(percent("125000000000", 0), "13%");
    }
}
