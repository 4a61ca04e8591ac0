//! Words that can be the name of a value from outside, and dice that are written without a gap behind one.

use super::readable::readable;
use super::tree::Tree;
use crate::error::{Diagnostic, Error, Remedy};
use crate::notation::reader::lexed::run;

/// The name in a word that can be a value from outside, and the dice that are glued to it: `skill`, `nd6kh1`. Only a single
/// letter is a number of dice: `speed6` is a name.
pub(super) fn outside_name(word: &str) -> Option<(&str, &str)> {
    let is_in_name = |letter: char| letter.is_alphabetic() || letter == '_';
    if run(word, is_in_name) == word.len() {
        return Some((word, ""));
    }
    dice_of(word)
}

/// `nd6`: the letter and the dice.
fn dice_of(word: &str) -> Option<(&str, &str)> {
    let (name, dice) = word.split_at_checked(1)?;
    let sides = dice.strip_prefix(['d', 'D'])?;
    let is_letter = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_dice = is_letter && sides.starts_with(|sign: char| sign.is_ascii_digit());
    is_dice.then_some((name, dice))
}

/// `@nd6`: errors about a name that is rather a number of dice, with the whole roll corrected.
pub(super) fn as_count(tree: &Tree, error: Error) -> Error {
    let correct = |finding: &Diagnostic| {
        let place = finding.span?;
        let (name, dice) = dice_of(tree.slice(place).strip_prefix('@')?)?;
        let whole = tree.span(tree.root);
        let mut roll = tree.slice(whole).to_owned();
        let [start, end] = [place.start, place.end].map(|at| at.checked_sub(whole.start));
        roll.replace_range(start?..end?, &format!("(@{name}){dice}"));
        Some((name.to_owned(), readable(roll)?))
    };
    error.map(|mut finding| {
        let Some((name, roll)) = correct(&finding) else {
            return finding;
        };
        finding.remedies = vec![Remedy::GiveValue(name)];
        finding.with_correction(roll)
    })
}
