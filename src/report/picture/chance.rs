//! The chances of a picture as places and as texts.
//!
//! A text is a quotient of integers that is rounded once. A place is a double.

use num_traits::Zero;

use crate::algebra::Weight;
use crate::engine::Answer;
use crate::number::Fraction;
use crate::report::scale::Scale;
use crate::report::{WITHOUT_VALUE, chance, decimal};

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

/// The chances of one total, with this many decimals in their labels.
pub(super) struct Teller<'a> {
    scale: Scale<'a>,
    digits: usize,
}

impl<'a> Teller<'a> {
    pub(super) fn new(total: &'a Weight, digits: usize) -> Self {
        let scale = Scale::new(total);
        Self { scale, digits }
    }

    pub(super) fn chance(&self, weight: &Weight) -> Told {
        Told {
            share: self.scale.nearest(weight),
            label: label(weight, self.scale, self.digits),
            words: self.scale.percent(weight, DIGITS),
            whole: label(weight, self.scale, 0),
            bounds: None,
        }
    }

    /// The chance of a tail, which has two decimals if it is small.
    pub(super) fn beside(&self, weight: &Weight) -> Told {
        let mut chance = self.chance(weight);
        if chance.share < 0.001 {
            chance.label = label(weight, self.scale, 2);
        }
        chance
    }
}

impl Told {
    /// The share, or the upper bound of the true one.
    pub(super) fn highest(&self) -> f64 {
        self.bounds
            .map_or(self.share, |[_, high]| high.max(self.share))
    }

    /// A fraction as a chance.
    pub(super) fn of(share: &Fraction, digits: usize) -> Self {
        Teller::new(share.denom().magnitude(), digits).chance(share.numer().magnitude())
    }

    /// The same chance, which is known within bounds.
    pub(super) fn within(mut self, bounds: &[Fraction; 2]) -> Self {
        self.bounds = Some(bounds.each_ref().map(decimal::nearest));
        let [low, high] = bounds
            .each_ref()
            .map(|bound| chance::percent(bound, DIGITS));
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
    let totals = answers.iter().map(|answer| answer.total()).zip(weights);
    let highest = totals.max_by(|(a_total, a), (b_total, b)| (*a * *b_total).cmp(&(*b * *a_total)));
    let text = highest.map_or_else(String::new, |(total, weight)| {
        let scale = Scale::new(total);
        scale.percent(weight, digits(scale.nearest(weight), MOST_DIGITS))
    });
    match answers.len() {
        2.. => format!("at most {text} of each rule"),
        _ => text,
    }
}

/// The label of a weight with this many decimals, which tells hardly and surely from never and always.
fn label(weight: &Weight, scale: Scale, digits: usize) -> String {
    let label = scale.percent(weight, digits);
    let is_rounded_up = label.starts_with("100.") || label == "100%" && !scale.is_whole(weight);
    match digits {
        _ if !is_rounded_up => label,
        0 => ">99%".into(),
        _ => format!(">99.{}%", "9".repeat(digits)),
    }
}

/// The decimals that all percentages of a picture have: none if all are whole, else enough for the highest.
pub(super) fn decimals<'a>(chances: impl IntoIterator<Item = (&'a Weight, &'a Weight)>) -> usize {
    let mut are_whole = true;
    let mut highest: f64 = 0.0;
    for (weight, total) in chances {
        are_whole = are_whole && (weight * 100u32 % total).is_zero();
        highest = highest.max(Scale::new(total).nearest(weight));
    }
    if are_whole {
        0
    } else {
        digits(highest, DIGITS)
    }
}

/// The decimals of a percentage: one, and at most so many more for a share below one percent as its first digit needs.
pub(super) fn digits(share: f64, most: usize) -> usize {
    let powers = [100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0];
    let is_seen = |digits: &usize| powers.get(digits - 1).is_none_or(|ten| share * ten >= 1.0);
    (1..most).find(is_seen).unwrap_or(most)
}

/// The decimals of a few percentages that stand side by side: two if all are whole hundredths of a percent and some are not whole
/// tenths, so that they add up; else as [`decimals`] says.
pub(super) fn decimals_of_few<'a>(
    chances: impl Iterator<Item = (&'a Weight, &'a Weight)> + Clone,
) -> usize {
    let are_whole = |parts: u32| {
        let mut chances = chances.clone();
        chances.all(|(weight, total)| (weight * parts % total).is_zero())
    };
    if !are_whole(1_000) && are_whole(10_000) {
        2
    } else {
        decimals(chances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_tell_hardly_and_surely_from_never_and_always() {
        let total = Weight::from(100_000u32);
        let label = |weight: u32, digits| Teller::new(&total, digits).chance(&weight.into()).label;
        assert_eq!(label(99_990, 1), ">99.9%");
        assert_eq!(label(99_990, 0), ">99%");
        assert_eq!(label(100_000, 1), "100%");
        assert_eq!(label(1, 1), "<0.1%");
        assert_eq!(label(0, 1), "0%");
        assert_eq!(label(12_345, 1), "12.3%");
    }

    #[test]
    fn whole_percentages_have_no_decimals() {
        let total = Weight::from(20u32);
        let face = Weight::from(1u32);
        assert_eq!(decimals([(&face, &total)]), 0);
        let total = Weight::from(6u32);
        assert_eq!(decimals([(&face, &total)]), 1);
        let total = Weight::from(700u32);
        assert_eq!(decimals([(&face, &total)]), 2);
    }
}
