//! The text that a row writes in place of its match, and the guards that allow it.
//!
//! `{M}dl{n}` and `{D.n-1}` have holes, `{n|1}` has a text for a hole that holds nothing, and `{{` is a brace. `D.n>1 & n<=D.s` are
//! guards; `W~W2` holds for the same word, in the singular or the plural, and `X!~W` where the run lacks the word, or one that is no hole.
//!
//! A term is a number, a hole, the number of dice or of sides of a hole with dice (`D.n`, `D.s`), the dice of a sum as a list
//! (`L.list`), or a text without its quotes (`text.bare`).

use super::holes::{Bound, Held};
use super::token::tokens;

/// The text of a rewrite with its holes filled, less a comment with nothing in it. `None` if a number in it cannot be found.
pub(super) fn rewritten(rewrite: &str, bound: &[Bound]) -> Option<String> {
    let mut text = String::new();
    let mut rest = rewrite;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(at);
        text.push_str(before);
        let brace = &behind[..1];
        if let Some(after) = behind[1..].strip_prefix(brace) {
            text.push_str(brace);
            rest = after;
        } else {
            let (hole, after) = behind[1..].split_once('}')?;
            let value = value(hole, bound)?;
            // A hole that holds nothing leaves one blank, not two.
            let is_apart = value.is_empty() && (text.is_empty() || text.ends_with(' '));
            rest = after
                .strip_prefix(' ')
                .filter(|_| is_apart)
                .unwrap_or(after);
            text.push_str(&value);
        }
    }
    let text = (text + rest).replace("//  ", "// ");
    let bare = text.trim_end();
    Some(
        bare.strip_suffix(" //")
            .map_or(text.as_str(), str::trim_end)
            .to_owned(),
    )
}

/// Whether all guards hold. `|` stands between guards of which one is enough.
pub(super) fn holds(guards: &str, bound: &[Bound]) -> bool {
    let guards = guards
        .split('&')
        .map(str::trim)
        .filter(|guard| !guard.is_empty());
    guards
        .into_iter()
        .all(|guard| guard.split('|').any(|one| holds_one(one.trim(), bound)))
}

/// Whether a guard holds. A guard with an unknown number holds, unless it is an equation.
fn holds_one(guard: &str, bound: &[Bound]) -> bool {
    let text = |name: &str| hole(name, bound).map(|held| held.text.as_str());
    if let Some((run, word)) = guard.split_once("!~") {
        let mut words = text(run).into_iter().flat_map(tokens);
        let word = text(word).unwrap_or(word);
        return !words.any(|token| token.text == word);
    }
    if let Some((one, other)) = guard.split_once('~') {
        let singular = |name| text(name).map(|word| word.trim_end_matches('s'));
        return singular(one) == singular(other);
    }
    let signs = ["<=", ">=", "!=", "<", ">", "="].into_iter();
    let mut sides = signs.filter_map(|sign| Some((sign, guard.split_once(sign)?)));
    let Some((sign, (left, right))) = sides.next() else {
        return false;
    };
    let Some((a, b)) = number(left, bound).zip(number(right, bound)) else {
        return sign != "=";
    };
    match sign {
        "<=" => a <= b,
        ">=" => a >= b,
        "!=" => a != b,
        "<" => a < b,
        ">" => a > b,
        _ => a == b,
    }
}

fn hole<'b>(name: &str, bound: &'b [Bound]) -> Option<&'b Held> {
    let mut holes = bound.iter().rev();
    holes.find(|(known, _)| known == name).map(|(_, held)| held)
}

/// The text of a term. A hole of an optional part that did not match is empty, unless the term has a text for it.
fn term(term: &str, bound: &[Bound]) -> Option<String> {
    let (term, otherwise) = term.split_once('|').unwrap_or((term, ""));
    if let Some((name, part)) = term.split_once('.') {
        let held = hole(name, bound)?;
        return match part {
            "bare" => Some(held.text.trim_matches(['"', '\'']).to_owned()),
            "list" => Some(held.text.replace('+', ", ")),
            "n" => Some(held.dice.clone()?.0),
            _ => Some(held.dice.clone()?.1),
        };
    }
    if term.bytes().all(|digit| digit.is_ascii_digit()) {
        return Some(term.to_owned());
    }
    Some(hole(term, bound).map_or_else(|| otherwise.to_owned(), |held| held.text.clone()))
}

fn value(text: &str, bound: &[Bound]) -> Option<String> {
    // A sign at the end is a text for a hole: `{sign|+}`.
    if !text.trim_end_matches(['+', '-']).contains(['+', '-', '/']) {
        return term(text, bound);
    }
    number(text, bound)
        .filter(|number| *number >= 0)
        .map(|number| number.to_string())
}

/// The number that some terms with `+`, `-` and `/` between them are, from the left to the right; `None` if a quotient is not whole.
fn number(text: &str, bound: &[Bound]) -> Option<i64> {
    let mut total = 0_i64;
    let mut rest = text;
    let mut sign = '+';
    loop {
        let end = rest.find(['+', '-', '/']).unwrap_or(rest.len());
        let next = || term(&rest[..end], bound)?.parse::<i64>().ok();
        total = match sign {
            '+' => total.checked_add(next()?)?,
            '-' => total.checked_sub(next()?)?,
            _ => {
                let divisor = next()?;
                (total.checked_rem(divisor)? == 0).then(|| total / divisor)?
            }
        };
        match rest[end..].chars().next() {
            None => return Some(total),
            Some(next) => (sign, rest) = (next, &rest[end + 1..]),
        }
    }
}
