//! A table of results, as people write it: `1-2 nothing, 3-5 goblins, 6+ a dragon`, or with the words first.

use super::holes::Held;
use super::line::Line;
use super::token::Kind;

/// The most words of a result.
const MOST_WORDS: usize = 4;

/// What may stand between a range and its words.
const BETWEEN: [&str; 6] = [":", "=", "->", "=>", "-", "is"];

/// What may stand between results.
const SEPARATORS: [&str; 6] = [",", ";", "/", "|", "and", "."];

/// Words that are no result.
const OF_RULES: [&str; 4] = ["else", "or", "then", "with"];

/// Words behind which a range has no end on that side.
const MORE: [&str; 7] = ["more", "higher", "better", "above", "up", "over", "greater"];
const LESS: [&str; 6] = ["less", "lower", "under", "below", "fewer", "worse"];

/// The least and the greatest of some values, where there is one.
type Range = (Option<u32>, Option<u32>);

impl Line<'_> {
    /// Two results or more, as the arms of a choice.
    pub(super) fn arms(self, at: usize) -> Option<(usize, Held)> {
        let words_first = self.is_kind(at, Kind::Word);
        let (mut end, mut next, mut are_apart) = (at, at, true);
        let (mut arms, mut ranges) = (Vec::new(), Vec::new());
        while let Some((behind, range, result)) = self.arm(next, words_first) {
            arms.push(format!("{}: {result}", pattern(range)));
            ranges.push(range);
            are_apart &= next == at || next > end;
            end = behind;
            next = self.while_so(behind, |at| self.is_any(at, &SEPARATORS));
        }
        if !follow(&ranges)? {
            // Numbers with words between them are often something else.
            if words_first || !are_apart {
                return None;
            }
            arms.push("else: \"other\"".to_owned());
        }
        let held = Held {
            text: arms.join(", "),
            dice: None,
        };
        (ranges.len() > 1).then_some((end, held))
    }

    fn arm(self, at: usize, words_first: bool) -> Option<(usize, Range, String)> {
        let behind = |end| end + usize::from(self.is_any(end, &BETWEEN));
        if words_first {
            let (end, result) = self.result(at)?;
            let (end, range) = self.range(behind(end))?;
            Some((end, range, result))
        } else {
            let (end, range) = self.range(at)?;
            let (end, result) = self.result(behind(end))?;
            Some((end, range, result))
        }
    }

    /// The words of a result, as a text.
    fn result(self, at: usize) -> Option<(usize, String)> {
        if self.is_kind(at, Kind::Text) {
            return Some((at + 1, self.slice(at..at + 1).into()));
        }
        let is_word = |at: usize| self.is_kind(at, Kind::Word) && !self.is_any(at, &SEPARATORS);
        let end = self.while_so(at, |at| is_word(at) && !self.is_die(at));
        let is_result = (1..=MOST_WORDS).contains(&(end - at)) && !self.is_any(at, &OF_RULES);
        is_result.then(|| (end, format!("\"{}\"", self.slice(at..end))))
    }

    /// The least and the greatest value that a result is for.
    fn range(self, at: usize) -> Option<(usize, Range)> {
        // The number of a modifier, and those of dice, are none.
        let is_apart = |at: usize| {
            let is_word = |at: usize| self.is_kind(at, Kind::Word);
            let is_sides = self.is_glued(at) && at > 0 && is_word(at - 1);
            let is_count = self.is_glued(at + 1) && is_word(at + 1);
            !is_sides && !is_count
        };
        let digits = |at: usize| {
            let digits = self.token(at).filter(|token| token.kind == Kind::Number)?;
            let number: u32 = digits.text.parse().ok()?;
            // The last result of a d100 is read from two tens.
            is_apart(at).then_some(if digits.text == "00" { 100 } else { number })
        };
        if let Some(number) = digits(at + 1) {
            let range = match &*self.token(at)?.text {
                "<" => Some((None, Some(number.checked_sub(1)?))),
                "<=" => Some((None, Some(number))),
                ">" => Some((Some(number.checked_add(1)?), None)),
                ">=" => Some((Some(number), None)),
                _ => None,
            };
            if let Some(range) = range {
                return Some((at + 2, range));
            }
        }
        let first = digits(at)?;
        let is_glued = self.is_glued(at + 1);
        let to = self.is_any(at + 1, &["-", "..", "to", "through"]);
        let or = self.is(at + 1, "or");
        let other = digits(at + 2).filter(|other| to || or && *other == first + 1);
        Some(if let Some(last) = other {
            (at + 3, (Some(first), Some(last)))
        } else if is_glued && self.is(at + 1, "+") {
            (at + 2, (Some(first), None))
        } else if is_glued && self.is(at + 1, "-") {
            (at + 2, (None, Some(first)))
        } else if or && self.is_any(at + 2, &MORE) {
            (at + 3, (Some(first), None))
        } else if or && self.is_any(at + 2, &LESS) {
            (at + 3, (None, Some(first)))
        } else {
            (at + 1, (Some(first), Some(first)))
        })
    }
}

/// A range as the pattern of an arm.
fn pattern((low, high): Range) -> String {
    let text = |end: Option<u32>| end.map_or_else(String::new, |end| end.to_string());
    if low == high {
        text(low)
    } else {
        format!("{}..{}", text(low), text(high))
    }
}

/// Whether ranges follow each other without a gap. `None` where two of them overlap.
fn follow(ranges: &[Range]) -> Option<bool> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let mut follow = true;
    for pair in sorted.windows(2) {
        let (high, low) = (pair[0].1?, pair[1].0?);
        if low <= high {
            return None;
        }
        follow &= low == high + 1;
    }
    Some(follow)
}
