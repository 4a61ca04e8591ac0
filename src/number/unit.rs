//! The unit in which integers stand for fractions.

use num_bigint::Sign;

use super::fraction::Fraction;
use super::integer::{Integer, Overflow};

/// How many parts 1 has. An integer in this unit stands for a fraction: 3 is `3/2` where 1 has two parts.
///
/// The core language has only integers. A rule whose outcomes are fractions is computed in a unit in which all of them are
/// whole, and the unit goes with the program and with the answer to whoever shows the outcomes.
///
/// # Examples
///
/// ```
/// use dicedist::number::Unit;
///
/// let half = Unit::new(2.into()).unwrap();
/// assert_eq!((half.show(&3.into()), half.show(&4.into())), ("1.5".into(), "2".into()));
/// assert_eq!(half.exact(&3.into()), "3/2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unit(Integer);

/// The most decimal places of a number that is shown as a decimal.
const MOST_PLACES: u32 = 12;

impl Unit {
    /// The unit of whole numbers.
    pub const WHOLE: Self = Self(Integer::ONE);

    /// The unit in which 1 has this many parts; `None` unless it is positive.
    #[must_use]
    pub fn new(parts: Integer) -> Option<Self> {
        (parts > Integer::ZERO).then_some(Self(parts))
    }

    /// How many parts 1 has.
    #[must_use]
    pub fn parts(&self) -> &Integer {
        &self.0
    }

    /// Whether 1 has one part, so that integers stand for themselves.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.0 == Integer::ONE
    }

    /// The greatest unit in which the numbers of both units are whole.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if 1 would have too many parts.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::number::Unit;
    ///
    /// let [a, b] = [4, 6].map(|parts| Unit::new(parts.into()).unwrap());
    /// assert_eq!(a.common(&b).unwrap().parts(), &12.into());
    /// ```
    pub fn common(&self, other: &Self) -> Result<Self, Overflow> {
        self.0.lcm(&other.0).map(Self)
    }

    /// How many of this unit's parts make one part of another unit; `None` if the other unit has parts between.
    #[must_use]
    pub fn parts_of(&self, other: &Self) -> Option<Integer> {
        let rest = self.0.rem(&other.0)?;
        rest.is_zero().then(|| self.0.div(&other.0)).flatten()
    }

    /// The fraction that an integer stands for.
    #[must_use]
    pub fn fraction(&self, value: &Integer) -> Fraction {
        Fraction::new(value.to_big(), self.0.to_big())
    }

    /// The integer that stands for a fraction, if there is one.
    #[must_use]
    pub fn value(&self, number: &Fraction) -> Option<Integer> {
        let scaled = number * Fraction::from_integer(self.0.to_big());
        let whole = scaled.is_integer().then(|| scaled.to_integer())?;
        Integer::from_big(whole).ok()
    }

    /// The number that an integer stands for, as an integer or a fraction in lowest terms.
    #[must_use]
    pub fn exact(&self, value: &Integer) -> String {
        if self.is_whole() {
            return value.to_string();
        }
        self.fraction(value).to_string()
    }

    /// The number that an integer stands for, as people read it: with decimals where they end soon, else as a fraction.
    #[must_use]
    pub fn show(&self, value: &Integer) -> String {
        if self.is_whole() {
            return value.to_string();
        }
        // Reducing fractions with long terms takes long.
        let (mut scaled, parts) = (value.to_big(), self.0.to_big());
        for places in 0..=MOST_PLACES {
            if (&scaled % &parts).sign() == Sign::NoSign {
                return decimal(&(scaled / parts).to_string(), places as usize);
            }
            scaled *= 10_u32;
        }
        self.fraction(value).to_string()
    }
}

impl Default for Unit {
    fn default() -> Self {
        Self::WHOLE
    }
}

/// Digits with a point before the last places.
fn decimal(digits: &str, places: usize) -> String {
    if places == 0 {
        return digits.into();
    }
    let (sign, digits) = digits
        .strip_prefix('-')
        .map_or(("", digits), |rest| ("-", rest));
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, decimals) = digits.split_at(digits.len() - places);
    format!("{sign}{whole}.{decimals}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_decimals_where_they_end() {
        let show = |parts: i64, value: i64| {
            let unit = Unit::new(parts.into()).unwrap();
            unit.show(&value.into())
        };
        assert_eq!(show(2, -1), "-0.5");
        assert_eq!(show(40, 1), "0.025");
        assert_eq!(show(3, 1), "1/3");
        assert_eq!(show(3, -6), "-2");
        assert_eq!(show(1, 7), "7");
    }
}
