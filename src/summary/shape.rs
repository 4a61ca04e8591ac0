//! Mean, variance and shape from power sums, in integers.

use num_bigint::{BigInt, Sign};

use crate::algebra::weight::figure;
use crate::algebra::{Distribution, Weight};
use crate::number::{Fraction, Integer};

/// A natural number that is mostly short.
#[derive(Clone)]
enum Natural {
    Short(u128),
    Long(Weight),
}

impl Natural {
    fn of(number: &Weight) -> Self {
        match u64::try_from(number) {
            Ok(short) => Self::Short(short.into()),
            Err(_) => Self::Long(number.clone()),
        }
    }

    fn times(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Short(a), Self::Short(b)) => match a.checked_mul(*b) {
                Some(product) => Self::Short(product),
                None => Self::Long(Weight::from(a) * *b),
            },
            (Self::Short(a), Self::Long(b)) => Self::Long(b * a),
            (Self::Long(a), Self::Short(b)) => Self::Long(a * *b),
            (Self::Long(a), Self::Long(b)) => Self::Long(a * b),
        }
    }
}

/// A sum of numbers. Short ones are added up apart until their sum is long, too.
#[derive(Default)]
struct Sum {
    short: u128,
    long: Weight,
}

impl Sum {
    fn add(&mut self, number: &Natural) {
        match number {
            Natural::Short(number) => match self.short.checked_add(*number) {
                Some(sum) => self.short = sum,
                None => self.long += std::mem::replace(&mut self.short, *number),
            },
            Natural::Long(number) => self.long += number,
        }
    }

    fn total(self) -> Weight {
        self.long + self.short
    }
}

/// The lowest outcome, and the power sums about it, from `S_0` on.
fn power_sums<const N: usize>(numbers: &Distribution<Integer>) -> Option<(BigInt, [Weight; N])> {
    let origin = numbers.outcomes().first()?;
    let mut sums: [Sum; N] = std::array::from_fn(|_| Sum::default());
    for (outcome, weight) in numbers.iter() {
        let short = outcome.to_i64().zip(origin.to_i64());
        let offset = match short.and_then(|(outcome, origin)| outcome.checked_sub(origin)) {
            Some(offset) => Natural::Short(offset.unsigned_abs().into()),
            None => Natural::Long((outcome.to_big() - origin.to_big()).into_parts().1),
        };
        let mut power = Natural::of(weight);
        for (index, sum) in sums.iter_mut().enumerate() {
            if index > 0 {
                power = power.times(&offset);
            }
            sum.add(&power);
        }
    }
    Some((origin.to_big(), sums.map(Sum::total)))
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

    /// Sums that do not fit 128 bits, of numbers that do.
    #[test]
    fn short_numbers_make_a_long_sum() {
        let mut sum = Sum::default();
        for _ in 0..5 {
            sum.add(&Natural::Short(u128::MAX));
        }
        sum.add(&Natural::Long(5_u32.into()));
        assert_eq!(sum.total(), Weight::from(5_u32) << 128);
    }
}
