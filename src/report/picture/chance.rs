//! The chances of a picture as places and as texts.
//!
//! A text is a quotient of integers that is rounded once. A place is a double.

use num_traits::Zero;

use crate::algebra::Weight;
use crate::engine::Answer;
use crate::number::Fraction;
use crate::report::share::Share;
use crate::report::{WITHOUT_VALUE, decimal};

/// The decimals of a percentage beside the pointer and in the description, and the most of one in a line of text.
const DIGITS: usize = 4;
pub(super) const MOST_DIGITS: usize = 6;

/// A chance as a place, as a label in the picture, and as the text beside the pointer.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) share: f64,
    pub(super) label: String,
    pub(super) words: String,
    /// The label without decimals, for cells.
    pub(super) whole: String,
    /// The interval of a sampled chance.
    pub(super) bounds: Option<[f64; 2]>,
}

impl Told {
    /// A chance with so many decimals in its label.
    pub(super) fn new(share: Share, digits: usize) -> Self {
        Self {
            share: share.nearest(),
            label: label(share, digits),
            words: share.percent(DIGITS),
            whole: label(share, 0),
            bounds: None,
        }
    }

    /// The share, or the upper bound of the true one.
    pub(super) fn highest(&self) -> f64 {
        self.bounds
            .map_or(self.share, |[_, high]| high.max(self.share))
    }

    /// The same chance, which is known within bounds.
    pub(super) fn within(mut self, bounds: &[Fraction; 2]) -> Self {
        self.bounds = Some(bounds.each_ref().map(decimal::nearest));
        let [low, high] = bounds.each_ref().map(|it| Share::of(it).percent(DIGITS));
        self.words = format!("{}, {low} to {high}", self.words);
        self
    }

    /// The same chance with a sign that it is an estimate.
    pub(super) fn estimated(mut self) -> Self {
        let is_there = self.share > 0.0;
        for label in [&mut self.label, &mut self.whole] {
            if is_there && !label.starts_with(['<', '>', '≈']) {
                label.insert(0, '≈');
            }
        }
        self
    }

    /// An estimate, if the answer was sampled.
    pub(super) fn of_answer(self, answer: &Answer) -> Self {
        match answer.sampling() {
            Some(_) => self.estimated(),
            None => self,
        }
    }
}

/// The mass of each rule that has no value, of each kind that there is.
pub(super) fn masses(answers: &[&Answer]) -> Vec<(&'static str, Vec<Weight>)> {
    let masses = WITHOUT_VALUE.map(|(label, mass)| {
        let weights = answers.iter().map(|answer| mass(answer));
        (label, weights.collect::<Vec<_>>())
    });
    let masses = masses.into_iter();
    masses
        .filter(|(_, all)| all.iter().any(|weight| *weight != Weight::ZERO))
        .collect()
}

/// The text of the highest of the chances.
pub(super) fn at_most(answers: &[&Answer], weights: &[Weight]) -> String {
    let shares = answers.iter().zip(weights);
    let shares = shares.map(|(answer, weight)| Share::new(weight, answer.total()));
    let highest = shares.max_by(|a, b| (a.weight * b.total).cmp(&(b.weight * a.total)));
    let text = highest.map_or_else(String::new, |share| {
        share.percent(digits(share.nearest(), MOST_DIGITS))
    });
    match answers.len() {
        2.. => format!("at most {text} of each rule"),
        _ => text,
    }
}

/// The label of a weight with this many decimals, which tells hardly and surely from never and always.
fn label(share: Share, digits: usize) -> String {
    let label = share.percent(digits);
    let is_rounded_up = label.starts_with("100.") || label == "100%" && !share.is_whole();
    match digits {
        _ if !is_rounded_up => label,
        0 => ">99%".into(),
        _ => format!(">99.{}%", "9".repeat(digits)),
    }
}

/// The decimals that all percentages of a picture have: none if all are whole, else enough for the highest.
pub(super) fn decimals<'a>(shares: impl IntoIterator<Item = Share<'a>>) -> usize {
    let mut are_whole = true;
    let mut highest: f64 = 0.0;
    for share in shares {
        are_whole = are_whole && is_multiple(share, 100);
        highest = highest.max(share.nearest());
    }
    if are_whole {
        0
    } else {
        digits(highest, DIGITS)
    }
}

/// Whether a share is a multiple of one part in so many.
fn is_multiple(share: Share, parts: u32) -> bool {
    (share.weight * parts % share.total).is_zero()
}

/// The decimals of a percentage: one, and at most so many more for a share below one percent as its first digit needs.
pub(super) fn digits(share: f64, most: usize) -> usize {
    let powers = [100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0];
    let is_seen = |digits: &usize| powers.get(digits - 1).is_none_or(|ten| share * ten >= 1.0);
    (1..most).find(is_seen).unwrap_or(most)
}

/// The decimals of a few percentages that stand side by side: two if all are whole hundredths of a percent and some are not whole
/// tenths, so that they add up; else as [`decimals`] says.
pub(super) fn decimals_of_few<'a>(shares: impl Iterator<Item = Share<'a>> + Clone) -> usize {
    let are_multiples = |parts| shares.clone().all(|share| is_multiple(share, parts));
    if !are_multiples(1_000) && are_multiples(10_000) {
        2
    } else {
        decimals(shares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_tell_hardly_and_surely_from_never_and_always() {
        let total = Weight::from(100_000u32);
        let label = |weight: u32, digits| label(Share::new(&weight.into(), &total), digits);
        assert_eq!(label(99_990, 1), ">99.9%");
        assert_eq!(label(99_990, 0), ">99%");
        assert_eq!(label(100_000, 1), "100%");
        assert_eq!(label(1, 1), "<0.1%");
        assert_eq!(label(0, 1), "0%");
        assert_eq!(label(12_345, 1), "12.3%");
    }

    #[test]
    fn whole_percentages_have_no_decimals() {
        let face = Weight::from(1u32);
        for (total, expected) in [(20_u32, 0), (6, 1), (700, 2)] {
            assert_eq!(decimals([Share::new(&face, &total.into())]), expected);
        }
    }
}
