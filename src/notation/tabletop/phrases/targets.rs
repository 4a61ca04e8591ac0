//! Phrases about numbers to reach, by the total or by each die.

use super::parts::{Roll, dice, number, without};

/// Words that say that dice are counted.
const COUNTING: [&str; 12] = [
    "count",
    "counting",
    "diff",
    "difficulty",
    "hit",
    "hits",
    "success",
    "successes",
    "succeed",
    "target",
    "threshold",
    "crit",
];

/// Words around the number to reach that say nothing.
const AROUND: [&str; 12] = [
    "a", "at", "for", "is", "of", "on", "roll", "rolls", "sum", "the", "total", "with",
];

/// `1d20+5 vs AC 15`
pub(super) fn versus(words: &[&str], roll: Roll) -> Option<String> {
    let signs = [
        "vs", "vs.", "versus", "against", "v.", "dc", "ac", "tn", "beats",
    ];
    let at = words.iter().position(|word| signs.contains(word))?;
    let target = without(&words[at + 1..], &["ac", "dc", "tn", "a", "of", "target"]);
    let [target] = target[..] else { return None };
    let target = target.trim_start_matches(['a', 'c', 'd']);
    let target = number(target)?;
    Some(format!("({})>={target}", roll(&words[..at])?))
}

/// `3d6 under 12`, `2d6 7 or more`, `5d6 successes on 5 or more`
pub(super) fn compared(words: &[&str], roll: Roll) -> Option<String> {
    let (at, sign, target) = (0..words.len()).find_map(|at| {
        let (sign, target) = comparison(&words[at..])?;
        Some((at, sign, target))
    })?;
    let before = &words[..at];
    let counts = before.iter().any(|word| COUNTING.contains(word));
    let is_total = before.iter().any(|word| ["sum", "total"].contains(word));
    let before = without(before, &COUNTING);
    let roll = roll(&without(&before, &AROUND))?;
    let is_in_words = words[at].starts_with(char::is_alphanumeric);
    // Behind several dice, a sign and a number that one die can show would count them.
    let is_clear = is_in_words || is_total || reaches_no_die(&roll, &target);
    match (counts, is_clear) {
        (true, _) => Some(format!("{roll}{sign}{target}")),
        (false, true) => Some(format!("({roll}){sign}{target}")),
        (false, false) => None,
    }
}

/// Whether a number is about the total of dice: there is one die, or no die has so many sides.
fn reaches_no_die(roll: &str, target: &str) -> bool {
    let dice = dice(roll);
    dice.is_none_or(|(count, sides)| {
        count == 1 || target.parse::<u32>().is_ok_and(|target| target > sides)
    })
}

/// The sign and the number of a comparison in words.
fn comparison(words: &[&str]) -> Option<(&'static str, String)> {
    Some(match *words {
        ["at", "least", target]
        | [
            target,
            "or",
            "more" | "higher" | "better" | "greater" | "above" | "up" | "over",
        ] => (">=", number(target)?),
        ["at", "most", target] | [target, "or", "less" | "lower" | "under" | "below" | "fewer"] => {
            ("<=", number(target)?)
        }
        ["under" | "below", target] | ["less" | "lower", "than", target] => ("<", number(target)?),
        ["over" | "above", target] | ["more" | "greater" | "higher", "than", target] => {
            (">", number(target)?)
        }
        ["exactly" | "equals", target] => ("=", number(target)?),
        [sign, target] => (of_sign(sign)?, number(target)?),
        [both] => {
            let sign = both.trim_end_matches(|sign: char| sign.is_ascii_digit());
            (of_sign(sign)?, number(&both[sign.len()..])?)
        }
        _ => return None,
    })
}

/// A comparison sign.
fn of_sign(word: &str) -> Option<&'static str> {
    let mut signs = ["<", "<=", "=", ">", ">="].into_iter();
    signs.find(|sign| *sign == word)
}

/// `5d10 t7`, `d20 19-20`, `8d6 successes on 5`, `2d6 7+`
pub(super) fn counted(words: &[&str], _: Roll) -> Option<String> {
    let counts = words.iter().any(|word| COUNTING.contains(word));
    let rest = without(&without(words, &COUNTING), &["on", "at", "least", "with"]);
    let (dice_word, target) = match rest[..] {
        [dice, target] => (dice, target),
        // `10d6t5`
        [both] => both.split_at(both.rfind(['t', 's'])?),
        _ => return None,
    };
    let (_, sides) = dice(dice_word)?;
    let marked = target.strip_prefix(['t', 's']);
    let plain = marked.unwrap_or(target);
    let (least, is_range) = match plain.split_once('-') {
        Some((least, most)) if dice_word.ends_with(&format!("d{most}")) => (least, true),
        Some(_) => return None,
        None => (
            plain.strip_suffix('+').unwrap_or(plain),
            plain.ends_with('+'),
        ),
    };
    let least = number(least)?;
    if marked.is_none() && !counts && reaches_no_die(&format!("2d{sides}"), &least) {
        return is_range.then(|| format!("({dice_word})>={least}"));
    }
    (marked.is_some() || counts || is_range).then(|| format!("{dice_word}>={least}"))
}

/// `2d6+1 7-9`, `2d6 between 7 and 9`: a total within a range.
pub(super) fn ranged(words: &[&str], roll: Roll) -> Option<String> {
    let (before, low, high) = match *words {
        [ref before @ .., "between", low, "and" | "to", high] => (before, low, high),
        [ref before @ .., range] => {
            let (low, high) = range.split_once('-')?;
            (before, low, high)
        }
        [] => return None,
    };
    let [low, high] = [low, high].map(|number| number.parse::<u32>().ok());
    let (low, high) = (low?, high?);
    let sum = low.checked_add(high).filter(|_| low < high)?;
    let half = |number: u32| match number % 2 {
        0 => (number / 2).to_string(),
        _ => format!("{}.5", number / 2),
    };
    let roll = roll(before)?;
    Some(format!("abs({roll}-{})<={}", half(sum), half(high - low)))
}

/// `at least one 6 on 4d6`
pub(super) fn some_on(words: &[&str], _: Roll) -> Option<String> {
    let [
        "at",
        "least",
        count,
        face,
        "on" | "in" | "from" | "with" | "of",
        plain,
    ] = *words
    else {
        return None;
    };
    dice(plain)?;
    let count = number(if count == "a" { "one" } else { count })?;
    let (face, sign) = match face.strip_suffix('+') {
        Some(face) => (face, ">="),
        None => (face, "="),
    };
    Some(format!("({plain}{sign}{})>={count}", number(face)?))
}
