//! Numbers as people type them.

use crate::number::{Fraction, Integer};
use crate::source::echoed;

/// The largest exponent of a power of ten, and the most digits after a point. More are a typing mistake.
const MAX_EXPONENT: u32 = 10_000;

/// Reads an integer, a decimal or a fraction: `3`, `-1.5`, `3/2`.
///
/// # Errors
///
/// What is wrong with the text, in words.
pub fn number(text: &str) -> Result<Fraction, String> {
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

/// The ends of a range in one of the ways in which people write it: `7..9`, `7-9`, `7 to 9`.
///
/// ```
/// use dicedist::ask::typed::ends;
///
/// assert_eq!(ends("-1 to 2"), Some((-1, 2)));
/// assert_eq!(ends("9-7"), None);
/// ```
#[must_use]
pub fn ends(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    // A sign before the first number is its own.
    let first = text.chars().next()?.len_utf8();
    let cut = ["..", "to", "-", "\u{2013}", ":"].iter().find_map(|sign| {
        let at = text[first..].find(sign)? + first;
        Some((&text[..at], &text[at + sign.len()..]))
    });
    let (low, high) = cut?;
    let ends = (small(low).ok()?, small(high).ok()?);
    (ends.0 <= ends.1).then_some(ends)
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

/// Reads an integer that a range can have as an end.
pub(super) fn small(text: &str) -> Result<i64, String> {
    integer(text)?
        .to_i64()
        .ok_or_else(|| format!("{} is too large for a range", echoed(text.trim())))
}

/// Reads a probability that bounds an error: `1e-12`, `0.001`, `1/1000`; at least 0 and below 1.
///
/// # Errors
///
/// What is wrong with the text, in words.
pub fn tolerance(text: &str) -> Result<Fraction, String> {
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

fn whole(text: &str) -> Option<Fraction> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    Some(Fraction::from_integer(
        text.parse().ok().filter(|_| digits)?,
    ))
}

/// Digits with or without a point; `None` for any other text.
#[must_use]
pub fn decimal(text: &str) -> Option<Fraction> {
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
}
