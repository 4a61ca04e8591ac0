//! A table of results, as people write it: `1-2 nothing, 3-5 goblins, 6+ a dragon`, or with the words first; and values of a set:
//! `7, 11 or 12`.

use super::holes::Held;
use super::line::TokenLine;
use super::token::TokenKind;

/// The most words of a result.
const MOST_WORDS: usize = 4;

/// What may stand between a range and its result; the last two only before words.
const BETWEEN: [&str; 7] = [":", "=", "->", "=>", ")", "-", "is"];

/// What may stand between results.
const SEPARATORS: [&str; 12] = [
    ",", ";", "/", "|", "and", ".", "on", "nat", "(", ")", "[", "]",
];

/// The units that may follow a number in a result.
const UNITS: [&str; 4] = ["damage", "dmg", "points", "hp"];

/// Words for a result without a number.
const NOTHING: [&str; 5] = ["nothing", "none", "miss", "no damage", "no effect"];

/// Words for all values that are left.
const ELSE: [&str; 2] = ["else", "otherwise"];

/// The most dice that results with an open end may be of.
const FEW_DICE: i32 = 3;

/// The sides of dice that people have.
const USUAL: [i32; 7] = [4, 6, 8, 10, 12, 20, 100];

/// The least and the greatest of some values.
type Range = (i32, i32);
const ALL: Range = (i32::MIN, i32::MAX);

impl TokenLine<'_> {
    /// Two results or more, as the arms of a choice, with the die whose faces they are. A range may lie inside a later one.
    pub(super) fn arms(self, at: usize) -> Option<(usize, Held)> {
        let separated = |at| self.while_so(at, |at| self.is_any(at, &SEPARATORS));
        let first = separated(at);
        let words_first = self.is_kind(first, TokenKind::Word);
        let (mut end, mut next, mut are_apart) = (first, first, true);
        let (mut arms, mut ranges) = (Vec::new(), Vec::new());
        while let Some((behind, range, result)) = self.arm(next, words_first) {
            arms.push((range, result));
            ranges.push(range);
            are_apart &= next == first || next > end;
            end = behind;
            next = separated(behind);
        }
        if !follow(&ranges)? {
            // Numbers with words between them are often something else.
            if words_first || !are_apart {
                return None;
            }
            arms.push((ALL, "\"other\"".to_owned()));
        }
        // Beside numbers, nothing is the number 0.
        let has_numbers = arms.iter().any(|(_, result)| !result.starts_with('"'));
        if begins_late(&ranges) {
            arms.push((ALL, if has_numbers { "0" } else { "\"miss\"" }.to_owned()));
        }
        let arms = arms.iter().map(|(range, result)| {
            let is_nothing = has_numbers && NOTHING.contains(&result.trim_matches('"'));
            let result = if is_nothing { "0" } else { result };
            format!("{}: {result}", pattern(*range))
        });
        let text = (ranges.len() > 1).then(|| arms.collect::<Vec<_>>().join(", "))?;
        if self.slice(at..end).contains(['(', '[']) {
            end = self.while_so(end, |at| self.is_any(at, &[")", "]"]));
        }
        let dice = faces(&ranges).map(|sides| ("1".into(), sides.to_string()));
        Some((end, Held { text, dice }))
    }

    /// A set of values, as a condition on `t`: `7, 11 or 12`, `{2..4}`; with the least and the greatest.
    pub(super) fn values(self, at: usize) -> Option<(usize, Held)> {
        let is_open = self.is_any(at, &["{", "(", "["]);
        let (mut end, mut next) = (at, at + usize::from(is_open));
        let (mut values, mut ranges) = (Vec::new(), Vec::new());
        while let Some((behind, range)) = self.range(next) {
            ranges.push(range);
            values.push(match range {
                (low, high) if low == high => format!("t == {low}"),
                (low, i32::MAX) => format!("t >= {low}"),
                (i32::MIN, high) => format!("t <= {high}"),
                (low, high) => format!("t >= {low} and t <= {high}"),
            });
            end = behind;
            next = self.while_so(end, |at| self.is_any(at, &[",", "or", "and"]));
            if next == end {
                break;
            }
        }
        let text = values.join(" or ");
        let is_set = text.contains(['a', 'o']) && (!is_open || self.is_any(end, &["}", ")", "]"]));
        let least = ranges.iter().map(|range| range.0).min();
        let most = ranges.iter().map(|range| range.1).max();
        let dice = least.zip(most);
        let dice = dice.map(|(least, most)| (least.to_string(), most.to_string()));
        is_set.then_some((end + usize::from(is_open), Held { text, dice }))
    }

    fn arm(self, at: usize, words_first: bool) -> Option<(usize, Range, String)> {
        let behind = |end, signs| end + usize::from(self.is_any(end, signs));
        if words_first && !self.is(at, "else") {
            let (end, result) = self.result(at)?;
            let (end, range) = self.range(behind(end, &BETWEEN))?;
            return Some((end, range, result));
        }
        let (end, range) = self.range(at)?;
        let value = behind(end, &BETWEEN[..5]);
        let dice = self.dice(value).map(|(end, _)| end);
        let number = self.is_kind(value, TokenKind::Number) && value > end;
        let number = number.then_some(value + 1);
        let is_last = |end: &usize| self.is_over(*end) || self.is_any(*end, &SEPARATORS);
        if let Some(last) = dice.or(number) {
            let behind = self.while_so(last, |at| self.is_any(at, &UNITS));
            if is_last(&behind) {
                return Some((behind, range, self.slice(value..last).to_owned()));
            }
        }
        let (end, result) = self.result(behind(end, &BETWEEN))?;
        Some((end, range, result))
    }

    /// The words of a result, as a text.
    fn result(self, at: usize) -> Option<(usize, String)> {
        if self.is_kind(at, TokenKind::Text) {
            let text = self.slice(at..at + 1).trim_matches(['"', '[', ']']);
            return Some((at + 1, format!("\"{text}\"")));
        }
        // A word between results can be one of a result, too.
        let ends = |at| self.is_any(at, &SEPARATORS) && self.range(at + 1).is_some();
        let is_over =
            |at| ends(at) || self.is_die(at) || self.is_any(at, &ELSE) || self.is_of(at, "foreign");
        let end = self.while_so(at, |at| self.is_kind(at, TokenKind::Word) && !is_over(at));
        let is_result = (1..=MOST_WORDS).contains(&(end - at))
            && !self.is_any(at, &["in", "or", "then", "with"]);
        is_result.then(|| (end, format!("\"{}\"", self.slice(at..end))))
    }

    /// The least and the greatest value that a result is for.
    fn range(self, at: usize) -> Option<(usize, Range)> {
        // The number of a modifier, and those of dice, are none.
        let is_word = |at: usize| self.is_kind(at, TokenKind::Word);
        let is_sides = |at: usize| self.is_glued(at) && at > 0 && is_word(at - 1);
        let is_count = |at: usize| self.is_glued(at + 1) && is_word(at + 1);
        let digits = |at: usize| {
            let digits = self
                .token(at)
                .filter(|token| token.kind == TokenKind::Number)?;
            let number: i32 = digits.text.parse().ok()?;
            // The last result of a d100 is read from two tens.
            let number = if digits.text == "00" { 100 } else { number };
            (!is_sides(at) && !is_count(at)).then_some(number)
        };
        if self.is_any(at, &ELSE) {
            return Some((at + 1, ALL));
        }
        let Some(first) = digits(at) else {
            let number = digits(at + 1)?;
            let range = match &*self.token(at)?.text {
                "<" | "under" | "below" => (i32::MIN, number - 1),
                "<=" => (i32::MIN, number),
                ">" | "over" | "above" => (number.checked_add(1)?, i32::MAX),
                ">=" => (number, i32::MAX),
                _ => return None,
            };
            return Some((at + 2, range));
        };
        let to = self.is_any(at + 1, &["-", "..", "to", "through"]);
        let or = self.is(at + 1, "or");
        let other = digits(at + 2).filter(|other| to || or && *other == first + 1);
        if let Some(last) = other {
            return Some((at + 3, (first, last)));
        }
        let (more, word) = (self.table.classes.get("more"), self.token(at + 2));
        let more = more.zip(word).and_then(|(more, word)| more.get(&word.text));
        let is_open = |sign| self.is_glued(at + 1) && self.is(at + 1, sign);
        Some(match more.filter(|_| or).map(String::as_str) {
            Some(">=") => (at + 3, (first, i32::MAX)),
            Some(_) => (at + 3, (i32::MIN, first)),
            None if is_open("+") => (at + 2, (first, i32::MAX)),
            None if is_open("-") => (at + 2, (i32::MIN, first)),
            None => (at + 1, (first, first)),
        })
    }
}

/// A range as the pattern of an arm.
fn pattern(range: Range) -> String {
    match range {
        ALL => "else".to_owned(),
        (low, high) if low == high => low.to_string(),
        (low, i32::MAX) => format!("{low}.."),
        (i32::MIN, high) => format!("..{high}"),
        (low, high) => format!("{low}..{high}"),
    }
}

/// The sides of the die whose faces are the numbers of all ranges, if it is a usual one.
fn faces(ranges: &[Range]) -> Option<i32> {
    let first = ranges.iter().map(|range| range.0).min()?;
    let sides = ranges.iter().map(|range| range.1).max()?;
    (first == 1 && USUAL.contains(&sides)).then_some(sides)
}

/// Whether a roll can be less than the least value of the ranges. The roll may be of several dice, which show at least their number.
fn begins_late(ranges: &[Range]) -> bool {
    let least = ranges.iter().map(|range| range.0).min().unwrap_or(1);
    let most = ranges.iter().map(|range| range.1).max().unwrap_or(i32::MAX);
    let are_of_dice = match most {
        i32::MAX => least <= FEW_DICE,
        _ => most % least.max(1) == 0 && USUAL.contains(&(most / least.max(1))),
    };
    least > 1 && !are_of_dice
}

/// Whether ranges follow each other without a gap, or one range has all values. `None` if two overlap and the first does not lie inside the
/// second.
fn follow(ranges: &[Range]) -> Option<bool> {
    let mut follow = true;
    for (at, &(low, high)) in ranges.iter().enumerate() {
        for &(least, most) in &ranges[..at] {
            let is_apart = high < least || most < low;
            let is_inside = low <= least && most <= high && (low, high) != (least, most);
            (is_apart || is_inside).then_some(())?;
            follow &= is_apart;
        }
    }
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let meet = |pair: &[Range]| pair[0].1.checked_add(1) == Some(pair[1].0);
    Some(ranges.contains(&ALL) || follow && sorted.windows(2).all(meet))
}
