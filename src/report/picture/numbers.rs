//! The tick marks of an axis, and the texts of numbers.

use crate::number::{Fraction, Unit};
use crate::report::{View, decimal};

/// The most digits of a number as a multiple of a power of ten, and of one that is told apart from others.
const MOST_DIGITS: usize = 4;
const DISTINCT_DIGITS: usize = 7;

/// The name of the chances of a view: of a value in these words, or of each place on the axis.
pub(super) fn name_of_chances(view: View, value: Option<&str>) -> String {
    match (view, value) {
        (_, None) => "chance".into(),
        (View::Exactly, Some(value)) => format!("chance of {value}"),
        (View::AtLeast, Some(value)) => format!("chance of at least {value}"),
        (View::AtMost, Some(value)) => format!("chance of at most {value}"),
    }
}

/// The least of 1, 2 and 5 times a power of ten that is at least `least`.
pub(super) fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|step| step * power);
    let fits = |step: &f64| *step >= least * 0.999_999;
    steps.into_iter().find(fits).unwrap_or(power * 10.0)
}

/// The multiples of a step within an interval.
pub(super) fn ticks(low: f64, high: f64, step: f64) -> Vec<f64> {
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|index| index as f64 * step).collect()
}

/// The step between the ticks of an axis up to a share, and its upper end. More ticks are used if they leave less of the picture empty.
pub(super) fn share_axis(highest: f64) -> (f64, f64) {
    if highest <= 0.0 {
        return WHOLE;
    }
    let [few, more] = [5.0, 8.0].map(|ticks| {
        let step = round_step((highest / ticks).max(1e-300));
        (((highest * 1.03 / step).ceil() * step).min(1.0), step)
    });
    if more.0 < few.0 * 0.9 { more } else { few }
}

/// The end and the step of an axis of chances up to certainty.
pub(super) const WHOLE: (f64, f64) = (1.0, 0.2);

/// The ticks of an axis of chances, with their labels.
pub(super) fn share_ticks((end, step): (f64, f64)) -> Vec<(f64, String)> {
    let ticks = ticks(0.0, end, step).into_iter();
    ticks
        .map(|share| (share, percent_label(share, step)))
        .collect()
}

/// The label of a percentage, with as many decimals as the step needs.
pub(super) fn percent_label(share: f64, step: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 {
        return "0%".into();
    }
    let step = step * 100.0;
    let decimals = (0..12).find(|decimals| {
        let scaled = step * 10f64.powi(*decimals);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0) && scaled >= 0.999
    });
    match decimals {
        Some(decimals) => format!("{percent:.*}%", decimals.unsigned_abs() as usize),
        None => format!("{percent:.2e}%"),
    }
}

/// The label of a value, on an axis that covers an interval of length `covered`. A long round number is in scientific notation, unless
/// it is long only beside what the axis covers.
pub(super) fn value_label(value: i64, unit: &Unit, covered: i64) -> String {
    let text = unit.show(&value.into());
    let is_long = value.unsigned_abs() >= 10_000_000_000 && covered >= (value / 20).abs();
    let round = in_powers(&text, MOST_DIGITS).filter(|_| unit.is_whole() && is_long);
    match round {
        Some((multiple, true)) => multiple,
        _ => typeset(&text),
    }
}

/// A long number as a multiple of a power of ten, with at most this many digits, and whether that is the number itself. `None` for a
/// number of no more digits, and for other texts.
pub(super) fn in_powers(number: &str, most: usize) -> Option<(String, bool)> {
    let (sign, number) = match number.strip_prefix(['-', '−']) {
        Some(number) => ("−", number),
        None => ("", number),
    };
    let digits: String = number
        .chars()
        .filter(|character| *character != ',')
        .collect();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let is_number = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || whole.len() <= most.max(1) {
        return None;
    }
    let mut left_out = whole[most..].bytes().chain(fraction.bytes());
    let is_exact = left_out.all(|digit| digit == b'0');
    // The first digits as a double, whose power of ten is raised by those that follow.
    let first: f64 = whole[..whole.len().min(18)].parse().ok()?;
    let text = format!("{first:.*e}", most - 1);
    let (mantissa, power) = text.split_once('e')?;
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    let exponent = power.parse::<usize>().ok()? + whole.len().saturating_sub(18);
    let exponent: String = exponent.to_string().chars().map(superscript).collect();
    Some((format!("{sign}{mantissa}×10{exponent}"), is_exact))
}

fn superscript(digit: char) -> char {
    let digit = digit
        .to_digit(10)
        .and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize));
    digit.unwrap_or('⁻')
}

/// A number as people set it: with a minus sign, and with commas between thousands. Other texts stay as they are.
pub(super) fn typeset(number: &str) -> String {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("−", digits),
        None => ("", number),
    };
    let is_figure = |digit: char| digit.is_ascii_digit() || digit == '.' || digit == '/';
    if !digits.starts_with(|first: char| first.is_ascii_digit()) || !digits.chars().all(is_figure) {
        return number.into();
    }
    let end = digits.find(['.', '/']).unwrap_or(digits.len());
    let (whole, rest) = digits.split_at(end);
    let mut text = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text.push_str(rest);
    text
}

/// A text in which each word that is a number is set as one.
pub(super) fn typeset_words(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(typeset).collect();
    words.join(" ")
}

/// A number that is longer than `longest` as a multiple of a power of ten, which may be rounded.
pub(super) fn shortened(number: &str, longest: usize) -> String {
    if number.chars().count() <= longest {
        return number.into();
    }
    match in_powers(number, DISTINCT_DIGITS) {
        Some((multiple, true)) => multiple,
        Some((multiple, false)) => format!("≈{multiple}"),
        None => number.into(),
    }
}

/// A figure that was rounded to two decimals, as people read it: a long one in a few digits.
pub(super) fn figure(number: &str, longest: usize) -> String {
    let few = in_powers(number, MOST_DIGITS).filter(|_| number.len() > longest);
    few.map_or_else(|| typeset(number), |(multiple, _)| multiple)
}

/// A fraction as a place on an axis.
pub(super) fn place(value: &Fraction) -> Option<f64> {
    Some(decimal::nearest(value)).filter(|value| value.is_finite())
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "round numbers are exact here")]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(round_step(0.17 / 8.0), 0.05);
        assert_eq!(round_step(1.0), 1.0);
        assert_eq!(round_step(1.7), 2.0);
        assert_eq!(round_step(2.1), 5.0);
        assert_eq!(round_step(51.0), 100.0);
    }

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        assert_eq!(percent_label(0.05, 0.05), "5%");
        assert_eq!(percent_label(0.075, 0.025), "7.5%");
        assert_eq!(percent_label(0.000_02, 0.000_01), "0.002%");
        assert_eq!(percent_label(0.0, 0.25), "0%");
    }

    #[test]
    fn only_round_numbers_are_in_scientific_notation() {
        let label = |value, covered| value_label(value, &Unit::WHOLE, covered);
        assert_eq!(label(-40, 80), "−40");
        assert_eq!(label(25_000_000_000_000, 30_000_000_000_000), "2.5×10¹³");
        assert_eq!(
            label(10_000_000_000_001, 30_000_000_000_000),
            "10,000,000,000,001"
        );
        assert_eq!(label(1_000_000_000_006, 6), "1,000,000,000,006");
        let halves = Unit::new(2.into()).unwrap();
        assert_eq!(value_label(3, &halves, 6), "1.5");
    }

    #[test]
    fn numbers_have_a_minus_sign_and_commas() {
        let texts = [
            "-1234567.25",
            "999",
            "1000/3",
            "-",
            "crit",
            "-x",
            "12…34",
            "0.0001",
        ];
        let set = [
            "−1,234,567.25",
            "999",
            "1,000/3",
            "-",
            "crit",
            "-x",
            "12…34",
            "0.0001",
        ];
        assert_eq!(texts.map(typeset), set);
        assert_eq!(typeset_words("-1 1000 crit"), "−1 1,000 crit");
    }

    #[test]
    fn long_numbers_are_multiples_of_powers_of_ten() {
        let thirty = "0".repeat(30);
        let few = |number: &str| in_powers(number, 4);
        assert_eq!(few(&format!("6{thirty}")), Some(("6×10³⁰".into(), true)));
        assert_eq!(
            few(&format!("-35{thirty}.00")),
            Some(("−3.5×10³¹".into(), true))
        );
        assert_eq!(few("1,234,600"), Some(("1.235×10⁶".into(), false)));
        assert_eq!(few("99996"), Some(("1×10⁵".into(), false)));
        assert_eq!(few("1234.5"), None);
        assert_eq!(few("12345/7"), None);
    }

    #[test]
    fn ticks_lie_within() {
        assert_eq!(ticks(-0.5, 10.5, 5.0), [0.0, 5.0, 10.0]);
        assert_eq!(ticks(-7.5, 3.0, 5.0), [-5.0, 0.0]);
    }
}
