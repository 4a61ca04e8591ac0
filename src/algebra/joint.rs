//! Distributions of vectors of integers, and their powers.
//!
//! A vector is packed into one integer, a digit for each coordinate, so that a sum of vectors is a sum of integers.

use num_bigint::BigUint;

use super::{Numbers, Stop, Weight};
use crate::limits::Budget;
use crate::number::{Integer, Overflow};

/// A finite measure on vectors of integers: exact weights over one total. A vector may hold, for example, counts and
/// sums of one roll.
///
/// A vector is held as one integer, whose digits in a mixed radix are the coordinates (Kronecker's substitution). So
/// [`Joint::power`] is [`Numbers::power`].
///
/// # Examples
///
/// Successes and botches of 50d10, a success above 7, a botch on 1:
///
/// ```
/// use dicedist::algebra::Joint;
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let die = Joint::new(
///     2,
///     [(vec![1, 0], 3_u32.into()), (vec![0, 1], 1_u32.into()), (vec![0, 0], 6_u32.into())],
///     10_u32.into(),
/// )?;
/// let net = die.power(50, &budget)?.map(|counts| Ok(Some((counts[0] - counts[1]).into())), &budget)?;
/// assert_eq!(net.weight_of(&(-50).into()), 1_u32.into());
/// assert_eq!(net.mass(), *net.total());
/// # Ok::<(), dicedist::algebra::Stop>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The measure on the packed vectors. Coordinate `d` is digit `d` of the packed integer, plus `least[d]`.
    packed: Numbers,
    least: Vec<i64>,
    /// Digits of coordinate `d` are below `radix[d]`.
    radix: Vec<u64>,
}

impl Joint {
    /// The measure with these weighted vectors over a total.
    ///
    /// # Errors
    ///
    /// [`Overflow`] where the ranges of the coordinates, multiplied, are longer than [`crate::number::MAX_BITS`] bits.
    ///
    /// # Panics
    ///
    /// If a vector has another number of coordinates than `dimensions`; in debug builds, if the weights sum to more
    /// than the total.
    pub fn new(
        dimensions: usize,
        weighted: impl IntoIterator<Item = (Vec<i64>, Weight)>,
        total: Weight,
    ) -> Result<Self, Overflow> {
        let weighted: Vec<(Vec<i64>, Weight)> = weighted.into_iter().collect();
        let mut least = vec![0; dimensions];
        let mut radix = vec![1; dimensions];
        for dimension in 0..dimensions {
            let coordinates = weighted.iter().map(|(vector, _)| {
                assert_eq!(vector.len(), dimensions, "a vector has all coordinates");
                vector[dimension]
            });
            let low = coordinates.clone().min().unwrap_or(0);
            let high = coordinates.max().unwrap_or(0);
            least[dimension] = low;
            radix[dimension] = high.abs_diff(low).checked_add(1).ok_or(Overflow)?;
        }
        let packed = weighted
            .into_iter()
            .map(|(vector, weight)| {
                let digits = vector
                    .iter()
                    .zip(&least)
                    .map(|(coordinate, low)| coordinate.abs_diff(*low));
                Ok((pack(digits, &radix)?, weight))
            })
            .collect::<Result<Vec<_>, Overflow>>()?;
        Ok(Self {
            packed: Numbers::new(packed, total),
            least,
            radix,
        })
    }

    /// The sum, coordinate by coordinate, of n independent vectors with this distribution.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    pub fn power(&self, n: u64, budget: &Budget<'_>) -> Result<Self, Stop> {
        let radix: Vec<u64> = self
            .radix
            .iter()
            .map(|&radix| {
                let span = (radix - 1).checked_mul(n)?;
                span.checked_add(1)
            })
            .collect::<Option<_>>()
            .ok_or(Stop::Overflow)?;
        let times = i64::try_from(n).map_err(|_| Stop::Overflow)?;
        let least: Vec<i64> = self
            .least
            .iter()
            .map(|low| low.checked_mul(times))
            .collect::<Option<_>>()
            .ok_or(Stop::Overflow)?;
        let greatest = least.iter().zip(&radix);
        let mut greatest = greatest.map(|(low, radix)| low.checked_add_unsigned(radix - 1));
        if greatest.any(|greatest| greatest.is_none()) {
            return Err(Stop::Overflow);
        }
        let mut digits = Vec::new();
        let wider = self.packed.map(
            |number| {
                self.read_digits(number, &mut digits);
                Ok(Some(pack(digits.iter().copied(), &radix)?))
            },
            budget,
        )?;
        Ok(Self {
            packed: wider.power(n, budget)?,
            least,
            radix,
        })
    }

    /// The distribution of a function of the vector. The mass of vectors for which the function gives `None` lies
    /// elsewhere afterwards.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], and the function's own.
    pub fn map(
        &self,
        mut function: impl FnMut(&[i64]) -> Result<Option<Integer>, Stop>,
        budget: &Budget<'_>,
    ) -> Result<Numbers, Stop> {
        let (mut digits, mut vector) = (Vec::new(), Vec::new());
        self.packed.map(
            |number| {
                self.read_digits(number, &mut digits);
                vector.clear();
                vector.extend(self.coordinates(&digits));
                function(&vector)
            },
            budget,
        )
    }

    /// The possible vectors with their weights, ordered by the last coordinate, then by the one before it, and so on.
    pub fn iter(&self) -> impl Iterator<Item = (Vec<i64>, Weight)> + '_ {
        self.packed.iter().map(|(number, weight)| {
            let mut digits = Vec::new();
            self.read_digits(&number, &mut digits);
            (self.coordinates(&digits).collect(), weight)
        })
    }

    /// Puts the digits of a packed vector, one for each coordinate, in the place of others.
    fn read_digits(&self, number: &Integer, digits: &mut Vec<u64>) {
        digits.clear();
        if let Some(small) = number.to_i64() {
            let mut rest = small.cast_unsigned();
            digits.extend(self.radix.iter().map(|&radix| {
                let digit = rest % radix;
                rest /= radix;
                digit
            }));
            return;
        }
        let mut rest = number.to_big().into_parts().1;
        digits.extend(self.radix.iter().map(|&radix| {
            let digit = &rest % radix;
            rest /= radix;
            digit.iter_u64_digits().next().unwrap_or(0)
        }));
    }

    /// The vector with these digits.
    fn coordinates(&self, digits: &[u64]) -> impl Iterator<Item = i64> {
        let least = self.least.iter().zip(digits);
        least.map(|(low, digit)| low.wrapping_add_unsigned(*digit))
    }
}

/// The integer with these digits in the mixed radix, the lowest digit first.
fn pack(
    digits: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator,
    radix: &[u64],
) -> Result<Integer, Overflow> {
    let mut number = BigUint::ZERO;
    for (digit, radix) in digits.rev().zip(radix.iter().rev()) {
        number = number * *radix + digit;
    }
    Integer::from_big(number.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Unobserved};

    #[test]
    fn coordinates_beyond_64_bits_are_an_overflow() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let coin = [0, 1 << 62].map(|face| (vec![face], 1_u32.into()));
        let coin = Joint::new(1, coin, 2_u32.into()).unwrap();
        assert_eq!(coin.power(3, &budget), Err(Stop::Overflow));
        let whole = [i64::MIN, i64::MAX].map(|face| (vec![face], 1_u32.into()));
        assert_eq!(Joint::new(1, whole, 2_u32.into()), Err(Overflow));
    }
}
