//! Figures and moments as texts, as floats, and beside fractions.

use std::fmt;

use num_traits::ToPrimitive as _;

use super::{Figure, Moment};
use crate::number::Fraction;

impl Figure {
    /// Whether the figure is exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.exact().is_some()
    }

    /// The nearest float; that of the middle, if there are two bounds.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::number::Fraction;
    /// use dicedist::summary::Figure;
    ///
    /// let [third, half] = [3, 2].map(|parts| Fraction::new(1.into(), parts.into()));
    /// assert_eq!(Figure::Exact(half.clone()).to_f64(), 0.5);
    /// assert_eq!(Figure::between(third, half).to_string(), "between 1/3 and 1/2");
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Exact(figure) => nearest(figure),
            Self::Between { low, high } => {
                nearest(&((low + high) / Fraction::from_integer(2.into())))
            }
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(figure) => figure.fmt(formatter),
            Self::Between { low, high } => write!(formatter, "between {low} and {high}"),
        }
    }
}

/// An exact figure equals its fraction. Bounds equal no fraction.
impl PartialEq<Fraction> for Figure {
    fn eq(&self, other: &Fraction) -> bool {
        self.exact() == Some(other)
    }
}

impl Moment {
    /// The nearest float of a finite moment, or infinity. `None` for a moment that is not known exactly, or does not exist.
    #[must_use]
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Self::Finite(moment) => Some(nearest(moment)),
            Self::Infinite => Some(f64::INFINITY),
            Self::Between { .. } | Self::Undefined | Self::Unknown => None,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(moment) => moment.fmt(formatter),
            Self::Between { low, high } => write!(formatter, "between {low} and {high}"),
            Self::Infinite => formatter.write_str("infinite"),
            Self::Undefined => formatter.write_str("undefined"),
            Self::Unknown => formatter.write_str("unknown"),
        }
    }
}

/// A finite moment equals its fraction. Any other moment equals no fraction.
impl PartialEq<Fraction> for Moment {
    fn eq(&self, other: &Fraction) -> bool {
        self.finite() == Some(other)
    }
}

/// A fraction of integers of any length is near some float, if need be infinity.
fn nearest(fraction: &Fraction) -> f64 {
    fraction.to_f64().unwrap_or(f64::NAN)
}
