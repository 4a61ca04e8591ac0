//! The chance of an event as texts: exact, known between two bounds, or the share of random rolls with a bound of its error.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

use super::decimal;
use super::share::Share;
use super::{Answered, Query, Style};
use crate::algebra::Weight;
use crate::algebra::weight::reduced;
use crate::number::Fraction;
use crate::summary::Figure;

/// The longest denominator of a fraction that is written, in bits: about ten thousand digits.
const LONGEST_FRACTION: u64 = 33_220;

/// The longest denominator of a fraction that is written without `--fractions`, in bits: about 45 digits.
const LONGEST_UNASKED: u64 = 150;

/// The longest denominator of a fraction that is reduced, in bits.
const LONGEST_REDUCED: u64 = 1 << 19;

/// The chance of an event.
#[derive(Clone, Debug)]
pub(crate) struct Chance {
    /// The chance, or the bounds between which it lies.
    pub(crate) known: Figure,
    /// The share of random rolls, if the answer was sampled.
    seen: Option<Fraction>,
}

impl Chance {
    /// The chance of what is asked; `None` if the question has no answer.
    pub(crate) fn of(query: &Query, rule: &Answered) -> Option<Self> {
        let known = rule.event(query)?;
        let seen = rule.seen(query);
        Some(Self { known, seen })
    }

    /// The chance, the share of random rolls, or the lower bound.
    pub(crate) fn share(&self) -> &Fraction {
        self.seen.as_ref().unwrap_or(self.known.low())
    }

    /// The chance, or the share of random rolls; `None` if bounds alone are known.
    #[cfg(any(feature = "csv", feature = "json"))]
    pub(crate) fn single(&self) -> Option<&Fraction> {
        self.seen.as_ref().or(self.known.exact())
    }

    /// Whether the share of random rolls stands for the chance.
    pub(crate) fn is_seen(&self) -> bool {
        self.seen.is_some()
    }

    /// The sign before the share, if it is not exact.
    #[cfg(feature = "svg")]
    pub(crate) fn sign(&self) -> &'static str {
        match (&self.seen, self.known.exact()) {
            (Some(_), _) => "≈",
            (None, Some(_)) => "",
            (None, None) => "≥",
        }
    }

    /// The chance in percent, or the middle of its bounds with the largest distance of the chance from the middle.
    pub(crate) fn percent(&self, digits: usize) -> String {
        match &self.seen {
            Some(seen) => format!("≈{}", Share::of(seen).percent(digits)),
            None => of_figure(&self.known, digits),
        }
    }

    /// The most by which the share of random rolls can be wrong.
    pub(crate) fn bound(&self, digits: usize) -> Option<String> {
        let seen = self.seen.as_ref()?;
        Some(bound(seen, [self.known.low(), self.known.high()], digits))
    }

    /// The chance as a fraction, or its bounds as two fractions. For random rolls, the largest error of their share.
    pub(crate) fn fraction(&self, style: &Style) -> String {
        match (self.bound(style.digits), &self.known) {
            (Some(bound), _) => format!("sampled, {bound}"),
            (None, Figure::Exact(exact)) => readable(exact, style),
            (None, Figure::Between { low, high }) => {
                format!("{} to {}", readable(low, style), readable(high, style))
            }
        }
    }

    /// The chance as a decimal, or its bounds.
    pub(crate) fn decimal(&self, digits: usize) -> String {
        let text = |share: &Fraction| Share::of(share).fixed(digits);
        match (&self.seen, &self.known) {
            (Some(share), _) | (None, Figure::Exact(share)) => text(share),
            (None, Figure::Between { low, high }) => range(text(low), &text(high)),
        }
    }
}

/// A chance in percent: exact, or the middle of its bounds with the largest distance of the chance from the middle.
pub(crate) fn of_figure(figure: &Figure, digits: usize) -> String {
    match figure {
        Figure::Exact(exact) => Share::of(exact).percent(digits),
        Figure::Between { low, high } => {
            let total = low.denom() * high.denom();
            let [low, high] = [low.numer() * high.denom(), high.numer() * low.denom()];
            let [low, high] = [&low, &high].map(BigInt::magnitude);
            middle([low, high], total.magnitude(), digits)
        }
    }
}

/// The chance of a weight between two weights: `≈12.35% ± 0.02%`. Both ends lie within the bound, and without it both ends round to
/// the number.
pub(crate) fn middle([low, high]: [&Weight; 2], total: &Weight, digits: usize) -> String {
    let units = decimal::power_of_ten(digits + 2);
    let [least, most] = [low, high].map(|end| decimal::divide_to_nearest(&(end * &units), total));
    if least == most {
        return format!("≈{}", Share::new(low, total).percent(digits));
    }
    let middle = decimal::divide_to_nearest(&((low + high) * &units), &(total * 2_u32));
    let above = (high * &units).div_ceil(total) - &middle;
    let below = &middle - (low * &units) / total;
    let bound = above.max(below);
    let [middle, bound] = [&middle, &bound].map(|units| decimal::point(false, units, digits));
    format!("≈{middle}% ± {bound}%")
}

/// The most by which an observed share can differ from a chance between two ends, in percent, rounded up.
pub(crate) fn bound(seen: &Fraction, [low, high]: [&Fraction; 2], digits: usize) -> String {
    let most = (high - seen).max(seen - low);
    let units = decimal::power_of_ten(digits + 2);
    let bound = (most.numer().magnitude() * units).div_ceil(most.denom().magnitude());
    format!("± {}%", decimal::point(false, &bound, digits))
}

/// An interval as text; one number if both ends round to it.
pub(crate) fn range(low: String, high: &str) -> String {
    if low == high {
        format!("~{low}")
    } else {
        low + " to " + high
    }
}

/// A fraction in lowest terms, or a remark if it is too long: too long to read, or too long to be shown without `--fractions`. A fraction
/// with a very long denominator is reduced only if its numerator becomes 1: otherwise the reduced fraction is hardly shorter, and reducing
/// is slow.
pub(crate) fn readable(fraction: &Fraction, style: &Style) -> String {
    let (longest, too_long) = if style.fractions {
        (LONGEST_FRACTION, "(too long to read; --format json has it)")
    } else {
        (LONGEST_UNASKED, "(long; --fractions has it)")
    };
    let (numerator, denominator) = (fraction.numer(), fraction.denom());
    let short = if denominator.bits() <= LONGEST_REDUCED {
        Some(reduced(fraction).into_owned())
    } else if numerator.is_zero() {
        Some(Fraction::zero())
    } else {
        let (parts, rest) = denominator.div_rem(numerator);
        rest.is_zero().then(|| Fraction::new(1.into(), parts))
    };
    let short = short.filter(|short| short.denom().bits() <= longest);
    short.map_or_else(|| too_long.into(), |short| short.to_string())
}
