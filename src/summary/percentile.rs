//! A percentile by its name: the quantile of a share that is a percentage.

use std::fmt;
use std::str::FromStr;

use crate::number::Fraction;

/// The most decimals of a share in percent.
const MOST_DECIMALS: u32 = 6;

/// A percentile: the smallest value that so many percent of the rolls, or more, do not exceed.
///
/// The share is above 0 and at most 100, with six decimals at most. It is written `90`, `90%` or `97.5`, and shown as
/// `90th percentile`.
///
/// # Examples
///
/// ```
/// use dicedist::summary::Percentile;
///
/// let percentile: Percentile = "97.5%".parse()?;
/// assert_eq!(percentile.to_string(), "97.5th percentile");
/// assert_eq!(percentile.share(), "97.5%");
/// assert!("101".parse::<Percentile>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percentile {
    /// The share in millionths of a percent.
    millionths: u32,
}

impl Percentile {
    /// The millionths of one percent.
    const ONE: u32 = 10_u32.pow(MOST_DECIMALS);

    /// The percentile of 50: the median.
    pub const MEDIAN: Self = Self::whole(50);

    /// The percentiles that a summary shows where nobody asks for others: the 5th and the 95th.
    pub const USUAL: [Self; 2] = [Self::whole(5), Self::whole(95)];

    const fn whole(percent: u32) -> Self {
        Self {
            millionths: percent * Self::ONE,
        }
    }

    /// The share as a percentage: `97.5%`.
    #[must_use]
    pub fn share(&self) -> String {
        format!("{}%", self.percent())
    }

    /// The share as a part of one, for [`quantile`](super::quantile).
    #[must_use]
    pub fn part(&self) -> Fraction {
        Fraction::new(self.millionths.into(), (100 * u64::from(Self::ONE)).into())
    }

    /// The percentage without its sign.
    fn percent(&self) -> String {
        let (whole, rest) = (self.millionths / Self::ONE, self.millionths % Self::ONE);
        let decimals = format!("{rest:06}");
        let decimals = decimals.trim_end_matches('0');
        let point = if decimals.is_empty() { "" } else { "." };
        format!("{whole}{point}{decimals}")
    }
}

impl fmt::Display for Percentile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.millionths / Self::ONE;
        let ending = match (whole % 10, whole % 100) {
            _ if !self.millionths.is_multiple_of(Self::ONE) => "th",
            (_, 11..=13) => "th",
            (1, _) => "st",
            (2, _) => "nd",
            (3, _) => "rd",
            _ => "th",
        };
        write!(f, "{}{ending} percentile", self.percent())
    }
}

impl FromStr for Percentile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let percent = text.trim();
        let percent = percent.strip_suffix('%').unwrap_or(percent).trim_end();
        millionths(percent)
            .filter(|millionths| (1..=100 * Self::ONE).contains(millionths))
            .map(|millionths| Self { millionths })
            .ok_or_else(|| {
                format!("expected a percentage above 0 and at most 100, with up to {MOST_DECIMALS} decimals")
            })
    }
}

/// Digits with or without a point, in millionths of one.
fn millionths(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let decimals = decimals.trim_end_matches('0');
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = decimals.len() <= MOST_DECIMALS as usize;
    (!whole.is_empty() && are_digits(whole) && are_digits(decimals) && is_short)
        .then(|| format!("{whole}{decimals:0<6}").parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_read_as_it_is_shown() {
        for (text, shown) in [
            ("1", "1st percentile"),
            ("2.50", "2.5th percentile"),
            ("11%", "11th percentile"),
            (" 22 % ", "22nd percentile"),
            ("99.999999", "99.999999th percentile"),
            ("100", "100th percentile"),
        ] {
            let percentile: Percentile = text.parse().unwrap();
            assert_eq!(percentile.to_string(), shown);
            assert_eq!(percentile.share().parse(), Ok(percentile));
        }
    }

    #[test]
    fn other_texts_are_no_percentile() {
        for text in [
            "",
            "%",
            "0",
            "0.0000001",
            "100.1",
            "-5",
            "+5",
            ".5",
            "5e1",
            "99999999999",
            "1/2",
        ] {
            assert!(text.parse::<Percentile>().is_err(), "{text}");
        }
    }
}
