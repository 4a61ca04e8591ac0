use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Signed, ToPrimitive};

/// The longest integer that a rule may compute, in bits of its magnitude.
pub const MAX_BITS: u64 = 65_536;

/// An integer of a rule: a face, a sum, a count.
///
/// Values that fit an `i64` stay there; longer ones move to the heap, up to [`MAX_BITS`] bits. Every operation is
/// exact: a result that is too long is an [`Overflow`], and nothing wraps.
///
/// # Examples
///
/// ```
/// use dicedist::number::Integer;
///
/// let two = Integer::from(2);
/// let big = two.pow(100).unwrap();
/// assert_eq!(big.to_string(), "1267650600228229401496703205376");
/// assert_eq!(big.div(&big).unwrap(), Integer::from(1));
/// assert!(two.pow(100_000).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

/// Invariant: `Big` holds only integers that do not fit an `i64`, so that equality is structural.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<BigInt>),
}

/// An integer would be longer than [`MAX_BITS`] bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an integer longer than {MAX_BITS} bits")]
pub struct Overflow;

impl Integer {
    /// Zero.
    pub const ZERO: Self = Self(Repr::Small(0));
    /// One.
    pub const ONE: Self = Self(Repr::Small(1));

    /// The integer with this value, or [`Overflow`] if it is too long.
    ///
    /// # Errors
    ///
    /// [`Overflow`] beyond [`MAX_BITS`] bits.
    pub fn from_big(value: BigInt) -> Result<Self, Overflow> {
        match value.to_i64() {
            Some(small) => Ok(Self(Repr::Small(small))),
            None if value.bits() > MAX_BITS => Err(Overflow),
            None => Ok(Self(Repr::Big(Box::new(value)))),
        }
    }

    /// This integer as a `BigInt`.
    #[must_use]
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(small) => BigInt::from(*small),
            Repr::Big(big) => (**big).clone(),
        }
    }

    /// This integer, if it fits an `i64`.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(small) => Some(small),
            Repr::Big(_) => None,
        }
    }

    /// This integer, if it is not negative and fits a `usize`.
    #[must_use]
    pub fn to_usize(&self) -> Option<usize> {
        self.to_i64().and_then(|small| usize::try_from(small).ok())
    }

    /// Whether this is less than zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(small) => *small < 0,
            Repr::Big(big) => big.is_negative(),
        }
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0 == Repr::Small(0)
    }

    /// The memory of this integer in bytes: the size of the type, and the heap memory of a long integer.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let heap = match &self.0 {
            Repr::Small(_) => 0,
            Repr::Big(big) => size_of::<BigInt>() as u64 + big.bits().div_ceil(64) * 8,
        };
        size_of::<Self>() as u64 + heap
    }

    fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small(small) => u64::from(64 - small.unsigned_abs().leading_zeros()),
            Repr::Big(big) => big.bits(),
        }
    }

    /// Applies `small` if both integers fit an `i64`, and `big` if one does not or `small` gives no result.
    fn combine(
        &self,
        other: &Self,
        small: impl Fn(i64, i64) -> Option<i64>,
        big: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Result<Self, Overflow> {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(result) = small(*a, *b)
        {
            return Ok(Self(Repr::Small(result)));
        }
        Self::from_big(big(self.to_big(), other.to_big()))
    }

    /// The sum.
    ///
    /// # Errors
    ///
    /// [`Overflow`] beyond [`MAX_BITS`] bits.
    pub fn add(&self, other: &Self) -> Result<Self, Overflow> {
        self.combine(other, i64::checked_add, |a, b| a + b)
    }

    /// The difference.
    ///
    /// # Errors
    ///
    /// [`Overflow`] beyond [`MAX_BITS`] bits.
    pub fn sub(&self, other: &Self) -> Result<Self, Overflow> {
        self.combine(other, i64::checked_sub, |a, b| a - b)
    }

    /// The product.
    ///
    /// # Errors
    ///
    /// [`Overflow`] beyond [`MAX_BITS`] bits.
    pub fn mul(&self, other: &Self) -> Result<Self, Overflow> {
        self.combine(other, i64::checked_mul, |a, b| a * b)
    }

    /// The greatest common divisor, not negative; that of zero and zero is zero.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while let Some(rest) = a.rem(&b) {
            (a, b) = (b, rest);
        }
        if a.is_negative() {
            a.neg().unwrap_or(a)
        } else {
            a
        }
    }

    /// The least common multiple of two positive integers.
    ///
    /// # Errors
    ///
    /// [`Overflow`] beyond [`MAX_BITS`] bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::number::Integer;
    ///
    /// assert_eq!(Integer::from(4).lcm(&6.into()), Ok(12.into()));
    /// ```
    pub fn lcm(&self, other: &Self) -> Result<Self, Overflow> {
        let shared = self.gcd(other);
        self.div(&shared).unwrap_or(Self::ZERO).mul(other)
    }

    /// The opposite.
    ///
    /// # Errors
    ///
    /// Never, since the range is symmetric. The return type is that of the other operations.
    pub fn neg(&self) -> Result<Self, Overflow> {
        Self::ZERO.sub(self)
    }

    /// The quotient, truncated toward zero; `None` if `other` is zero.
    #[must_use]
    pub fn div(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        self.combine(other, i64::checked_div, |a, b| a / b).ok()
    }

    /// The remainder of the truncated quotient, with the sign of `self`; `None` if `other` is zero.
    #[must_use]
    pub fn rem(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        self.combine(other, i64::checked_rem, |a, b| a % b).ok()
    }

    /// The quotient, rounded down; `None` if `other` is zero.
    #[must_use]
    pub fn div_floor(&self, other: &Self) -> Option<Self> {
        let (quotient, rest) = (self.div(other)?, self.rem(other)?);
        if rest.is_zero() || rest.is_negative() == other.is_negative() {
            return Some(quotient);
        }
        quotient.sub(&Self::ONE).ok()
    }

    /// The remainder of the quotient rounded down, with the sign of `other`; `None` if `other` is zero.
    #[must_use]
    pub fn mod_floor(&self, other: &Self) -> Option<Self> {
        let rest = self.rem(other)?;
        if rest.is_zero() || rest.is_negative() == other.is_negative() {
            return Some(rest);
        }
        rest.add(other).ok()
    }

    /// The bitwise *and* of the infinite two's complement forms.
    #[must_use]
    pub fn bit_and(&self, other: &Self) -> Self {
        self.combine(other, |a, b| Some(a & b), |a, b| a & b)
            .unwrap_or(Self::ZERO)
    }

    /// The bitwise *or* of the infinite two's complement forms.
    #[must_use]
    pub fn bit_or(&self, other: &Self) -> Self {
        self.combine(other, |a, b| Some(a | b), |a, b| a | b)
            .unwrap_or(Self::ZERO)
    }

    /// `self` to a power that is not negative (`0^0` is 1).
    ///
    /// # Errors
    ///
    /// [`Overflow`] if the result is longer than [`MAX_BITS`] bits, found before it is computed.
    pub fn pow(&self, exponent: u64) -> Result<Self, Overflow> {
        if let Repr::Small(base @ -1..=1) = self.0 {
            let odd = exponent % 2 == 1;
            return Ok(Self::from(if exponent == 0 || (base == -1 && !odd) {
                1
            } else {
                base
            }));
        }
        // |base| >= 2^(bits-1), so the result has at least (bits-1)*exponent bits.
        if (self.bits() - 1).saturating_mul(exponent) > MAX_BITS {
            return Err(Overflow);
        }
        let exponent = u32::try_from(exponent).map_err(|_| Overflow)?;
        Self::from_big(self.to_big().pow(exponent))
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self(Repr::Small(value))
    }
}

/// Implements the conversion from integers of at most 64 bits with a sign.
macro_rules! from_short {
    ($($type:ty),*) => {$(
        impl From<$type> for Integer {
            fn from(value: $type) -> Self {
                Self(Repr::Small(value.into()))
            }
        }
    )*};
}

from_short!(i8, i16, i32, u8, u16, u32);

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        match i64::try_from(value) {
            Ok(small) => Self(Repr::Small(small)),
            Err(_) => Self(Repr::Big(Box::new(BigInt::from(value)))),
        }
    }
}

impl From<usize> for Integer {
    fn from(value: usize) -> Self {
        match i64::try_from(value) {
            Ok(small) => Self(Repr::Small(small)),
            Err(_) => Self(Repr::Big(Box::new(BigInt::from(value)))),
        }
    }
}

/// Why a text is no [`Integer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseIntegerError {
    /// The text is not a row of digits with at most one sign in front.
    #[error("not an integer")]
    NoInteger,
    /// The text is an integer longer than [`MAX_BITS`] bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl FromStr for Integer {
    type Err = ParseIntegerError;

    /// Reads decimal digits with an optional sign. Leading zeros do not count towards the length.
    fn from_str(text: &str) -> Result<Self, ParseIntegerError> {
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Self::from(small));
        }
        let (sign, digits) = match text.as_bytes() {
            [b'-', digits @ ..] => (Sign::Minus, digits),
            [b'+', digits @ ..] | digits => (Sign::Plus, digits),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(ParseIntegerError::NoInteger);
        }
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        let digits = &digits[zeros..];
        // A digit holds more than three bits, so a text with this many digits is too long. It is refused before the
        // conversion.
        if digits.len() as u64 > MAX_BITS / 3 {
            return Err(Overflow.into());
        }
        let magnitude = BigUint::parse_bytes(digits, 10).unwrap_or_default();
        Ok(Self::from_big(BigInt::from_biguint(sign, magnitude))?)
    }
}

impl Ord for Integer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            (Repr::Small(_), Repr::Big(b)) if b.sign() == Sign::Minus => Ordering::Greater,
            (Repr::Small(_), Repr::Big(_)) => Ordering::Less,
            (Repr::Big(_), Repr::Small(_)) => other.cmp(self).reverse(),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(small) => small.fmt(formatter),
            Repr::Big(big) => big.fmt(formatter),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Default for Integer {
    fn default() -> Self {
        Self::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Integer {
        text.parse().unwrap()
    }

    #[test]
    fn results_that_shrink_return_to_the_small_form() {
        let big = int("9223372036854775808");
        assert_eq!(big.to_i64(), None);
        assert_eq!(big.sub(&Integer::ONE).unwrap(), Integer::from(i64::MAX));
        assert_eq!(big.neg().unwrap(), Integer::from(i64::MIN));
    }

    #[test]
    fn division_truncates_toward_zero_also_at_the_edge_of_the_small_form() {
        assert_eq!(int("-7").div(&int("2")), Some(int("-3")));
        assert_eq!(int("-7").rem(&int("2")), Some(int("-1")));
        assert_eq!(
            Integer::from(i64::MIN).div(&int("-1")),
            Some(int("9223372036854775808"))
        );
        assert_eq!(Integer::from(i64::MIN).rem(&int("-1")), Some(Integer::ZERO));
        assert_eq!(int("5").div(&Integer::ZERO), None);
    }

    #[test]
    fn order_is_numeric_across_both_forms() {
        let sorted = [
            "-9999999999999999999999",
            "-9223372036854775808",
            "0",
            "3",
            "9999999999999999999",
        ];
        for pair in sorted.windows(2) {
            assert!(int(pair[0]) < int(pair[1]), "{pair:?}");
            assert!(int(pair[1]) > int(pair[0]), "{pair:?}");
        }
    }

    #[test]
    fn powers_are_bounded_before_they_are_computed() {
        assert_eq!(int("-1").pow(u64::MAX), Ok(int("-1")));
        assert_eq!(int("0").pow(0), Ok(Integer::ONE));
        assert_eq!(int("2").pow(65_535).map(|power| power.bits()), Ok(65_536));
        assert_eq!(int("2").pow(65_536), Err(Overflow));
        assert_eq!(int("3").pow(u64::MAX), Err(Overflow));
    }

    #[test]
    fn only_digits_with_a_sign_are_an_integer() {
        for text in [
            "", "-", "+", "abc", "1_000", "--1", "+-1", " 1", "1.0", "0x10",
        ] {
            let long = format!("{text}99999999999999999999_9");
            for text in [text, &long] {
                let read: Result<Integer, _> = text.parse();
                assert_eq!(read, Err(ParseIntegerError::NoInteger), "{text}");
            }
        }
        assert_eq!(int("+7"), int("7"));
        assert_eq!(int("-0"), Integer::ZERO);
        assert_eq!(int("+18446744073709551616"), int("18446744073709551616"));
        assert_eq!(int(&"0".repeat(100_000)), Integer::ZERO);
        assert_eq!(int(&format!("-{}5", "0".repeat(100_000))), int("-5"));
        let long: Result<Integer, _> = "9".repeat(100_000).parse();
        assert_eq!(long, Err(ParseIntegerError::Overflow(Overflow)));
    }
}
