//! Decimals of many weights over one total.
//!
//! Printing one long distribution divides thousands of long weights by the same total. [`Scale`] divides their leading 128 bits,
//! with a bound on the error. It divides the whole numbers in the rare case that the bound leaves the last digit open.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use super::decimal::{divide_to_nearest, exponent, point, power_of_ten};
use crate::algebra::Weight;
use crate::map::Map;

/// Decimals of many weights over one total.
#[derive(Debug)]
pub(crate) struct Scale<'a> {
    total: &'a Weight,
    reciprocal: Near,
    powers: Map<usize, Near>,
}

impl<'a> Scale<'a> {
    /// Decimals over this total, which must not be zero.
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

    /// `weight / total` in percent for people, with this many digits after the point. Exactly 1 is `100%`, exactly 0 is `0%`, and
    /// a positive number that would round to zero is written as `3.1e-9%`.
    pub(crate) fn percent(&mut self, weight: &Weight, digits: usize) -> String {
        if weight.is_zero() || weight == self.total {
            return if weight.is_zero() { "0%" } else { "100%" }.into();
        }
        let units = divide_to_nearest(&(weight * power_of_ten(digits + 2)), self.total);
        if units.is_zero() {
            return format!("<{}%", point(false, &1u32.into(), digits));
        }
        format!("{}%", point(false, &units, digits))
    }

    /// `weight / total * 10^shift` with this many digits after the point. A positive number that would round to zero is written as
    /// `3.1e-9`.
    pub(crate) fn fixed(&mut self, weight: &Weight, digits: usize, shift: usize) -> String {
        let units = divide_to_nearest(&(weight * power_of_ten(digits + shift)), self.total);
        if units.is_zero() && !weight.is_zero() {
            let (mantissa, power) = self.leading(weight, 2);
            let power = power + exponent(shift as u64);
            return format!("{}e{power}", point(false, &mantissa.into(), 1));
        }
        point(false, &units, digits)
    }

    /// `weight / total` with this many significant digits, at most 30. Numbers below one millionth are in scientific notation.
    #[cfg(any(feature = "csv", test))]
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

    /// Whether a weight is the total.
    #[cfg(feature = "svg")]
    pub(crate) fn is_whole(&self, weight: &Weight) -> bool {
        weight == self.total
    }

    /// The double nearest to `weight / total`.
    #[cfg(any(feature = "json", feature = "svg", test))]
    pub(crate) fn nearest(&self, weight: &Weight) -> f64 {
        if weight.is_zero() {
            return 0.0;
        }
        let quotient = Near::new(weight).times(&self.reciprocal);
        let top = quotient.exponent + 127;
        // Away from the ends of the range of doubles, the leading 53 of the 128 bits are kept.
        if (-1022..1023).contains(&top)
            && let Some(fraction) = quotient.rounded(75)
            && let (Ok(fraction), Ok(biased)) = (u64::try_from(fraction), u64::try_from(top + 1022))
        {
            return f64::from_bits((biased << 52) + fraction);
        }
        super::decimal::nearest_quotient(weight.clone().into(), self.total.clone().into())
    }

    /// The leading digits of `weight / total`, as an integer of exactly `digits` digits, and the power of ten of the first digit.
    fn leading(&mut self, weight: &Weight, digits: usize) -> (u128, i64) {
        let quotient = Near::new(weight).times(&self.reciprocal);
        // log10(2) to 18 places, rounded down: the guess is the power or one less.
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

    /// `10^power`, as the product of two remembered powers: a multiple of 64, and the rest.
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

/// A positive number from `mantissa * 2^exponent` to `(mantissa + error) * 2^exponent`. The highest bit of the mantissa is set.
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
        // The third limb fills the low bits that are left empty when the first two are shifted.
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
        // (a+e)(b+f) < ab + (e+f+1) 2^128, and one more for the low half of the product, which is dropped.
        let error = self.error + other.error + 2;
        let zeros = high.leading_zeros();
        Self {
            mantissa: high << zeros,
            error: error << zeros,
            exponent: self.exponent + other.exponent + 128 - i64::from(zeros),
        }
    }

    /// The mantissa without its last `dropped` bits (1 to 128), rounded to the nearest integer; `None` if the error leaves the
    /// rounding open.
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
