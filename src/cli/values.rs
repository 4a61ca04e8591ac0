//! Values of options that are more than a word or an integer.

use std::num::NonZeroUsize;

use dicedist::ask::typed::{self, decimal};
use dicedist::engine::estimate::MAX_SAMPLES;
use dicedist::number::Fraction;
use dicedist::source::echoed;

/// The largest scale of a bitmap, the least width and height of a picture, and the largest.
const MOST_SCALE: u32 = 10;
const LEAST_SIZE: [u32; 2] = [400, 240];
const MOST_SIZE: u32 = 10_000;

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

/// Reads the number of `--at-least`: one number.
pub(super) fn least(text: &str) -> Result<Fraction, String> {
    target(text, |percent| {
        let rest = Fraction::from_integer(100.into()) - percent;
        format!("--percentile {rest} shows what {text} of the rolls reach")
    })
}

/// Reads the number of `--at-most`: one number.
pub(super) fn most(text: &str) -> Result<Fraction, String> {
    target(text, |percent| {
        format!("--percentile {percent} shows what {text} of the rolls do not exceed")
    })
}

/// Reads the number of a question; `of_share` says what to ask instead of a percentage.
fn target(text: &str, of_share: impl Fn(Fraction) -> String) -> Result<Fraction, String> {
    let of_share = || {
        let share = text.trim().strip_suffix('%')?;
        let share = decimal(share).filter(Fraction::is_integer)?;
        let is_share = (1..100).any(|percent| share == Fraction::from_integer(percent.into()));
        is_share.then(|| of_share(share))
    };
    let instead = || {
        instead_of_one(text)
            .or_else(of_share)
            .or_else(|| instead_of_threshold(text.trim()))
    };
    typed::number(text).map_err(|wrong| match instead() {
        Some(instead) => format!("{wrong}; {instead}"),
        None => wrong,
    })
}

/// What to write for a label where a threshold is expected.
fn instead_of_threshold(text: &str) -> Option<String> {
    let is_letter = |letter: char| letter.is_alphabetic() || letter == ' ';
    let is_label = !text.is_empty() && text.chars().all(is_letter);
    is_label.then(|| {
        let label = echoed(text);
        format!("labels have no order, and --exactly \"{label}\" asks for one")
    })
}

/// What to write for several numbers where one is expected.
pub(super) fn instead_of_one(text: &str) -> Option<String> {
    if let Some((low, high)) = typed::ends(text) {
        let condition = format!("value >= {low} and value <= {high}");
        return Some(format!("a range is --chance \"{condition}\""));
    }
    let mut numbers = text.split([',', ' ']).filter(|number| !number.is_empty());
    let are_several =
        text.trim().contains([',', ' ']) && numbers.all(|number| typed::number(number).is_ok());
    are_several.then(|| "give the option once for each number".into())
}

/// Reads a number of samples, from 1 to as many as the engine takes.
pub(super) fn samples(text: &str) -> Result<u64, String> {
    match whole_number(text, MAX_SAMPLES)? {
        0 => Err("at least one sample is needed".into()),
        samples => Ok(samples),
    }
}

/// The most rules that are solved at the same time.
const MAX_JOBS: u64 = 1024;

/// Reads how many rules are solved at the same time.
pub(super) fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let jobs = usize::try_from(whole_number(text, MAX_JOBS)?).ok();
    jobs.and_then(NonZeroUsize::new)
        .ok_or_else(|| "at least one is needed".into())
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

/// Reads how many pixels of a bitmap stand for one of a picture.
pub(super) fn scale(text: &str) -> Result<u32, String> {
    let scale = whole_number(text, u64::from(MOST_SCALE))?;
    let scale = u32::try_from(scale).ok().filter(|scale| *scale > 0);
    scale.ok_or_else(|| {
        format!(
            "expected a number from 1 to {MOST_SCALE}, found '{}'",
            echoed(text)
        )
    })
}

/// Reads the width and the height of a picture: `760x490`.
pub(super) fn picture_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X', '×']);
    let read = |side: &str, least: u32| {
        let side = side.trim().parse::<u32>().ok();
        side.filter(|side| (least..=MOST_SIZE).contains(side))
    };
    let [width, height] = LEAST_SIZE;
    let size = sides.and_then(|(w, h)| Some([read(w, width)?, read(h, height)?]));
    size.ok_or_else(|| {
        format!(
            "expected a width and a height from {width}x{height} to {MOST_SIZE}x{MOST_SIZE}, such as 760x490, found '{}'",
            echoed(text)
        )
    })
}

/// Reads a variable and what it is called: `n=skill`.
pub(super) fn called(text: &str) -> Result<(String, String), String> {
    let pair = text
        .split_once('=')
        .map(|(name, called)| (name.trim(), called.trim()));
    match pair.filter(|(name, called)| !name.is_empty() && !called.is_empty()) {
        Some((name, called)) => Ok((name.to_owned(), called.to_owned())),
        None => Err(format!(
            "expected a name and another one, such as n=skill, found '{}'",
            echoed(text)
        )),
    }
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
}
