//! Mean, variance and shape from power sums, in integers.

use num_bigint::{BigInt, Sign};

use crate::algebra::weight::figure;
use crate::algebra::{Distribution, Weight};
use crate::number::{Fraction, Integer};

/// A number of up to 256 bits: its low half and its high half.
#[derive(Clone, Copy, Default)]
struct Short {
    low: u128,
    high: u128,
}

impl Short {
    fn of(number: u64) -> Self {
        let low = number.into();
        Self { low, high: 0 }
    }

    /// The product, which must fit.
    fn times(self, factor: u64) -> Self {
        let factor = u128::from(factor);
        let least = u128::from(low_limb(self.low)) * factor;
        let middle = (self.low >> 64) * factor + (least >> 64);
        Self {
            low: middle << 64 | u128::from(low_limb(least)),
            high: self.high * factor + (middle >> 64),
        }
    }

    /// The sum, which must fit.
    fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high + other.high + u128::from(carry);
        Self { low, high }
    }

    fn to_weight(self) -> Weight {
        (Weight::from(self.high) << 128) + self.low
    }
}

#[allow(clippy::cast_possible_truncation)] // truncation is intended
fn low_limb(wide: u128) -> u64 {
    wide as u64
}

/// The lowest outcome, and the power sums about it, from `S_0` on.
fn power_sums<const N: usize>(numbers: &Distribution<Integer>) -> Option<(BigInt, [Weight; N])> {
    let origin = numbers.outcomes().first()?;
    let sums = short_sums(numbers, origin).unwrap_or_else(|| long_sums(numbers, origin));
    Some((origin.to_big(), sums))
}

/// The power sums, if none is longer than a [`Short`] number.
fn short_sums<const N: usize>(
    numbers: &Distribution<Integer>,
    origin: &Integer,
) -> Option<[Weight; N]> {
    let origin = origin.to_i64()?;
    let range = numbers.outcomes().last()?.to_i64()?.checked_sub(origin)?;
    let range = u64::from(range.checked_ilog2().map_or(0, |bits| bits + 1));
    let total = numbers.total().bits();
    if total > 64 || total + (N as u64 - 1) * range > 256 {
        return None;
    }
    let mut sums = [Short::default(); N];
    for (outcome, weight) in numbers.iter() {
        let offset = outcome.to_i64()?.abs_diff(origin);
        let mut power = Short::of(u64::try_from(weight).ok()?);
        sums[0] = sums[0].plus(power);
        for sum in &mut sums[1..] {
            power = power.times(offset);
            *sum = sum.plus(power);
        }
    }
    Some(sums.map(Short::to_weight))
}

/// The power sums of numbers of any length.
fn long_sums<const N: usize>(numbers: &Distribution<Integer>, origin: &Integer) -> [Weight; N] {
    let mut sums: [Weight; N] = std::array::from_fn(|_| Weight::ZERO);
    for (outcome, weight) in numbers.iter() {
        let offset = (outcome.to_big() - origin.to_big()).into_parts().1;
        let short = u64::try_from(&offset).ok();
        let mut power = weight.clone();
        for (index, sum) in sums.iter_mut().enumerate() {
            if index > 0 {
                match short {
                    Some(offset) => power *= offset,
                    None => power *= &offset,
                }
            }
            *sum += &power;
        }
    }
    sums
}

/// Mean and variance, in integers.
pub(super) struct Spread {
    origin: BigInt,
    mass: Weight,
    first: Weight,
    /// `N_2` of the module head.
    second: BigInt,
}

impl Spread {
    pub(super) fn of(numbers: &Distribution<Integer>) -> Option<Self> {
        let (origin, [s0, s1, s2]) = power_sums(numbers)?;
        Some(Self::new(origin, s0, s1, &s2))
    }

    fn new(origin: BigInt, mass: Weight, first: Weight, square: &Weight) -> Self {
        Self {
            second: BigInt::from(&mass * square) - BigInt::from(&first * &first),
            origin,
            mass,
            first,
        }
    }

    pub(super) fn mean(&self) -> Fraction {
        let mean = figure(&self.first.clone().into(), &self.mass);
        // A reduced fraction plus an integer is reduced.
        let numerator = mean.numer() + &self.origin * mean.denom();
        Fraction::new_raw(numerator, mean.denom().clone())
    }

    pub(super) fn variance(&self) -> Fraction {
        figure(&self.second, &(&self.mass * &self.mass))
    }
}

/// The first four central moments, in integers.
pub(super) struct Shape {
    pub(super) spread: Spread,
    /// `N_3` and `N_4` of the module head.
    higher: [BigInt; 2],
}

impl Shape {
    pub(super) fn of(numbers: &Distribution<Integer>) -> Option<Self> {
        let (origin, sums) = power_sums::<5>(numbers)?;
        let spread = Spread::new(origin, sums[0].clone(), sums[1].clone(), &sums[2]);
        let [s0, s1, s2, s3, s4] = sums.map(BigInt::from);
        let s1_squared = &s1 * &s1;
        let s0_squared = &s0 * &s0;
        let s1_s0 = &s0 * &s1;
        let higher = [
            &s0_squared * &s3 - 3 * (&s1_s0 * &s2) + 2 * (&s1_squared * &s1),
            &s0 * &s0_squared * &s4 - 4 * (&s0 * &s1_s0 * &s3) + 6 * (&s1_s0 * &s1 * &s2)
                - 3 * (&s1_squared * &s1_squared),
        ];
        Some(Self { spread, higher })
    }

    /// The sign and the square of the skewness; the variance must not be zero.
    pub(super) fn skewness(&self) -> (Sign, Fraction) {
        let (second, third) = (&self.spread.second, &self.higher[0]);
        let square = Fraction::new_raw(third * third, second * second * second);
        (third.sign(), square)
    }

    /// The excess kurtosis; the variance must not be zero.
    pub(super) fn excess_kurtosis(&self) -> Fraction {
        let square = &self.spread.second * &self.spread.second;
        Fraction::new_raw(&self.higher[1] - 3 * &square, square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of 0, 1, 2 or 3 parts, with weights 1, 3, 3 and 1: `Σ w k^j` is 8, 12, 24, 54 and 132 parts to the power j.
    #[test]
    fn power_sums_of_numbers_of_any_length() {
        for (part, factor) in [
            (1_u64, 1),
            (1, 60),
            (1 << 20, 1),
            (1 << 40, 1),
            (1 << 60, 60),
            (1 << 62, 200),
        ] {
            let factor = Weight::from(1_u8) << factor;
            let outcomes = [1_u32, 3, 3, 1].into_iter().zip(0_u128..);
            let weighted = outcomes.map(|(weight, count)| {
                let outcome =
                    Integer::from_big(BigInt::from(count * u128::from(part)) - 5).unwrap();
                (outcome, weight * &factor)
            });
            let numbers = Distribution::new(weighted, 8_u32 * &factor);
            let (origin, sums) = power_sums::<5>(&numbers).unwrap();
            assert_eq!(origin, (-5).into());
            let expected = [8_u32, 12, 24, 54, 132].into_iter().zip(0..);
            let expected =
                expected.map(|(sum, power)| sum * Weight::from(part).pow(power) * &factor);
            assert_eq!(sums.to_vec(), expected.collect::<Vec<_>>(), "{part}");
        }
    }

    /// `2^64 - 1` to the fourth power, twice.
    #[test]
    fn carries_go_up() {
        let factors = [u64::MAX; 3];
        let power = factors.into_iter().fold(Short::of(u64::MAX), Short::times);
        let expected = Weight::from(u64::MAX).pow(4);
        assert_eq!(power.to_weight(), expected);
        let low = Short::of(1).plus(Short {
            low: u128::MAX,
            high: 5,
        });
        assert_eq!(low.to_weight(), Weight::from(6_u8) << 128);
    }

    proptest::proptest! {
        /// The two ways give the same sums.
        #[test]
        fn short_sums_are_long_sums(
            outcomes in proptest::collection::btree_map(proptest::prelude::any::<i32>(), 1_u64.., 1..20)
        ) {
            let total = outcomes.values().map(|&weight| Weight::from(weight >> 5)).sum::<Weight>() + 1_u8;
            let weighted = outcomes.iter().map(|(&outcome, &weight)| (i64::from(outcome).into(), (weight >> 5).into()));
            let numbers = Distribution::new(weighted, total);
            if let Some(origin) = numbers.outcomes().first() {
                let short = short_sums::<5>(&numbers, origin).unwrap();
                proptest::prop_assert_eq!(short, long_sums(&numbers, origin));
            }
        }
    }
}
