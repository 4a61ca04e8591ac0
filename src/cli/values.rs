//! Values of options that are more than a word or an integer.

use std::str::FromStr;

use dicedist::engine::estimate::MAX_SAMPLES;
use dicedist::number::{Fraction, Integer};

use super::echo::echoed;

/// The largest exponent of a tolerance. A larger one is a typing mistake.
const MAX_EXPONENT: u32 = 10_000;

/// The most values that one `--set` may list.
const MAX_VALUES: usize = 10_000;

/// Reads a size in bytes: `512M`, `2GiB`, `1.5G`, `100000`. Letters alone and `…iB` are powers of 1024,
/// `kB`, `MB`, … powers of 1000.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let expected = || {
        format!(
            "expected a size such as 512M or 2GiB, found '{}'",
            echoed(text)
        )
    };
    let digits = text
        .find(|character: char| !(character.is_ascii_digit() || character == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number = decimal(number).ok_or_else(expected)?;
    let unit = unit.trim().to_ascii_lowercase();
    let (letter, base) = match unit.strip_suffix("ib") {
        Some(letter) => (letter, 1024_u64),
        None => match unit.strip_suffix('b') {
            Some("") => ("", 1024),
            Some(letter) => (letter, 1000),
            None => (unit.as_str(), 1024),
        },
    };
    let power = match letter {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(expected()),
    };
    let bytes = number * Fraction::from_integer(base.pow(power).into());
    u64::try_from(bytes.to_integer())
        .ok()
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| format!("the size '{}' is out of range", echoed(text)))
}

/// Reads a probability that bounds an error: `1e-12`, `0.001`, `1/1000`; at least 0 and below 1.
pub(super) fn tolerance(text: &str) -> Result<Fraction, String> {
    let number = if let Some((numerator, denominator)) = text.split_once('/') {
        let zero = Fraction::from_integer(0.into());
        whole(numerator)
            .zip(whole(denominator))
            .filter(|(_, denominator)| *denominator != zero)
            .map(|(numerator, denominator)| numerator / denominator)
    } else {
        match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => decimal(mantissa)
                .zip(power_of_ten(exponent))
                .map(|(mantissa, power)| mantissa * power),
            None => decimal(text),
        }
    };
    let number = number.ok_or_else(|| {
        format!(
            "expected a probability such as 1e-12, found '{}'",
            echoed(text)
        )
    })?;
    if number < Fraction::from_integer(1.into()) {
        Ok(number)
    } else {
        Err("a tolerance is at least 0 and less than 1".into())
    }
}

/// Reads a number of samples, from 1 to as many as the engine takes.
pub(super) fn samples(text: &str) -> Result<u64, String> {
    match whole_number(text, MAX_SAMPLES)? {
        0 => Err("at least one sample is needed".into()),
        samples => Ok(samples),
    }
}

/// Reads a whole number, from 0 to `most`.
pub(super) fn whole_number(text: &str, most: u64) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("expected a whole number, found '{}'", echoed(text)));
    }
    let number = text.parse().ok().filter(|&number| number <= most);
    number.ok_or_else(|| format!("the number is too large: at most {most}"))
}

/// Reads a number of sides.
pub(super) fn sides(text: &str) -> Result<u32, String> {
    let sides = whole_number(text, 10_000)?;
    let sides = u32::try_from(sides).map_err(|error| error.to_string())?;
    match sides {
        0 => Err("a die has at least 1 side".into()),
        sides => Ok(sides),
    }
}

/// Reads a whole number.
pub(super) fn count(text: &str) -> Result<u64, String> {
    whole_number(text, u64::MAX)
}

/// Reads a number of decimal places.
pub(super) fn digits(text: &str) -> Result<u8, String> {
    let digits = whole_number(text, 100)?;
    u8::try_from(digits).map_err(|error| error.to_string())
}

/// Reads the width of a table.
pub(super) fn width(text: &str) -> Result<usize, String> {
    let width = whole_number(text, 100_000)?;
    usize::try_from(width).map_err(|error| error.to_string())
}

/// Reads a time in seconds: `10`, `0.5`.
pub(super) fn seconds(text: &str) -> Result<std::time::Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("expected a number of seconds, found '{}'", echoed(text)))
}

/// Values for a free variable, as `--set` gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// The variable.
    pub(super) name: String,
    /// Its values, in the order given.
    pub(super) values: Values,
}

/// Some integers: never none, and at most [`MAX_VALUES`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values(Vec<Part>);

/// A part of a list of values.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    One(Integer),
    /// `first`, `first + step`, … : `length` integers.
    Range {
        first: i64,
        step: i64,
        length: usize,
    },
}

impl Part {
    fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Range { length, .. } => *length,
        }
    }
}

impl Values {
    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(Part::len).sum()
    }

    /// The value at an index below the length.
    pub(super) fn get(&self, mut index: usize) -> Integer {
        for part in &self.0 {
            match part {
                Part::One(value) if index == 0 => return value.clone(),
                Part::Range {
                    first,
                    step,
                    length,
                } if index < *length => {
                    let index = i64::try_from(index).expect("at most 10,000 values");
                    return Integer::from(first + step * index);
                }
                part => index -= part.len(),
            }
        }
        unreachable!("the index is below the length")
    }
}

impl FromStr for Setting {
    type Err = String;

    /// Reads `n=5`, `n=1..10`, `n=1..10..3` and `n=1,5,20`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, values_text) = text
            .split_once('=')
            .ok_or("expected NAME=VALUES, such as n=1..10")?;
        let name = name.trim();
        if !name.starts_with(char::is_alphabetic)
            || !name.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            return Err(format!("'{}' is no name of a variable", echoed(name)));
        }
        let mut values = Values(Vec::new());
        for part in values_text.split(',') {
            values.0.push(match part.split_once("..") {
                None => Part::One(integer(part)?),
                Some((first, rest)) => {
                    let (end, step) = rest.split_once("..").unwrap_or((rest, "1"));
                    range(part, small(first)?, small(end)?, small(step)?)?
                }
            });
            if values.len() > MAX_VALUES {
                return Err(format!("more than {MAX_VALUES} values"));
            }
        }
        Ok(Self {
            name: name.into(),
            values,
        })
    }
}

/// `first`, `first + step`, … up to `last`, or one value more than allowed.
fn range(text: &str, first: i64, last: i64, step: i64) -> Result<Part, String> {
    if step < 1 {
        return Err(format!("the step of '{}' is less than 1", echoed(text)));
    }
    if first > last {
        return Err(format!("the range '{}' is empty", echoed(text)));
    }
    let steps = last.abs_diff(first) / step.unsigned_abs();
    let length = usize::try_from(steps).unwrap_or(usize::MAX).min(MAX_VALUES) + 1;
    Ok(Part::Range {
        first,
        step,
        length,
    })
}

/// Reads an integer, a decimal or a fraction: `3`, `-1.5`, `3/2`.
pub(super) fn number(text: &str) -> Result<Fraction, String> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let number = match digits.split_once('/') {
        Some((top, bottom)) => {
            let zero = Fraction::from_integer(0.into());
            let bottom = whole(bottom).filter(|bottom| *bottom != zero);
            whole(top).zip(bottom).map(|(top, bottom)| top / bottom)
        }
        None => decimal(digits),
    };
    let number = number.map(|number| number * Fraction::from_integer(sign.into()));
    let number = number.ok_or_else(|| format!("expected a number, found '{}'", echoed(text)))?;
    for part in [number.numer(), number.denom()] {
        Integer::from_big(part.clone()).map_err(|overflow| overflow.to_string())?;
    }
    Ok(number)
}

/// Reads an integer of any length.
pub(super) fn integer(text: &str) -> Result<Integer, String> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("expected an integer, found '{}'", echoed(text)));
    }
    text.parse().map_err(|overflow| format!("{overflow}"))
}

fn small(text: &str) -> Result<i64, String> {
    integer(text)?
        .to_i64()
        .ok_or_else(|| format!("{} is too large for a range", echoed(text.trim())))
}

fn whole(text: &str) -> Option<Fraction> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    Some(Fraction::from_integer(
        text.parse().ok().filter(|_| digits)?,
    ))
}

/// Digits with or without a point.
fn decimal(text: &str) -> Option<Fraction> {
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    if before.is_empty() && after.is_empty() {
        return None;
    }
    let places = u32::try_from(after.len())
        .ok()
        .filter(|&places| places <= MAX_EXPONENT)?;
    let digits = whole(&format!("{before}{after}"))?;
    Some(digits * power_of_ten(&format!("-{places}"))?)
}

fn power_of_ten(exponent: &str) -> Option<Fraction> {
    let exponent: i32 = exponent.parse().ok()?;
    let size = exponent.unsigned_abs();
    if size > MAX_EXPONENT {
        return None;
    }
    let ten = Fraction::from_integer(10.into());
    Some(ten.pow(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_know_both_kinds_of_units() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("1.5k"), Ok(1536));
        assert_eq!(size("2 GB"), Ok(2_000_000_000));
        assert_eq!(size("100"), Ok(100));
        assert_eq!(size("100B"), Ok(100));
        for wrong in ["", "M", "-1M", "0", "1X", "1.2.3G", "99999999999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tolerances_are_exact() {
        let trillionth = Fraction::new(1.into(), 1_000_000_000_000_i64.into());
        assert_eq!(tolerance("1e-12"), Ok(trillionth));
        assert_eq!(tolerance("0.001"), tolerance("1/1000"));
        assert_eq!(tolerance(".5E0"), tolerance("1/2"));
        for wrong in [
            "",
            "1",
            "2e0",
            "-1e-3",
            "1e-99999999",
            "x",
            "1/0",
            "e-3",
            "1e",
        ] {
            assert!(tolerance(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn settings_list_values_ranges_and_steps() {
        let values = |text: &str| -> Vec<i64> {
            let setting: Setting = text.parse().unwrap();
            let values = (0..setting.values.len()).map(|index| setting.values.get(index));
            values.filter_map(|value| value.to_i64()).collect()
        };
        assert_eq!(values("n=5"), [5]);
        assert_eq!(values("n=-1..1"), [-1, 0, 1]);
        assert_eq!(values("n=1..10..3"), [1, 4, 7, 10]);
        assert_eq!(values("n=1,5,20"), [1, 5, 20]);
        assert_eq!(values("n=1..3,9"), [1, 2, 3, 9]);
        for wrong in [
            "n",
            "=1",
            "n=",
            "n=x",
            "n=3..1",
            "n=1..9..0",
            "1=1",
            "n=1..1000000",
        ] {
            assert!(wrong.parse::<Setting>().is_err(), "{wrong}");
        }
    }
}
