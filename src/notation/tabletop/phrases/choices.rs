//! Phrases about which dice stay.

use super::parts::{Roll, dice, number, without};

/// The end of the sorted dice that a word names, as a letter.
pub(super) fn end(word: &str) -> Option<char> {
    match word {
        "highest" | "high" | "best" | "top" | "largest" => Some('h'),
        "lowest" | "low" | "worst" | "bottom" | "smallest" => Some('l'),
        _ => None,
    }
}

/// `highest 3 of 4d6`, `highest 3 4d6`, `highest(2d20)`
pub(super) fn best_of(words: &[&str], roll: Roll) -> Option<String> {
    if let Some(roll) = called(words, roll) {
        return Some(roll);
    }
    let (before, behind) = match words.iter().position(|word| *word == "of") {
        Some(of) => (&words[..of], &words[of + 1..]),
        None => words.split_at(words.iter().position(|word| dice(word).is_some())?),
    };
    let before = without(before, &["the", "dice", "keep", "take", "sum"]);
    let (letter, count) = match before[..] {
        [word] => (end(word)?, "1".into()),
        [word, count] if end(word).is_some() => (end(word)?, number(count)?),
        [count, word] => (end(word)?, number(count)?),
        _ => return None,
    };
    let (dice, rest) = behind.split_first()?;
    kept(dice, &format!("k{letter}{count}"), rest, roll)
}

/// `best of d8! and d6!`, `higher of 2d6 or 1d12`
pub(super) fn end_of_two(words: &[&str], roll: Roll) -> Option<String> {
    let words = without(words, &["the"]);
    let [word, "of", ref rest @ ..] = words[..] else {
        return None;
    };
    let letter = match word {
        "better" | "greater" | "higher" | "larger" | "max" => 'h',
        "lesser" | "lower" | "min" | "smaller" | "worse" => 'l',
        word => end(word)?,
    };
    let at = rest.iter().position(|word| ["and", "or"].contains(word))?;
    let [left, right] = [&rest[..at], &rest[at + 1..]].map(roll);
    Some(format!("{{{},{}}}k{letter}1", left?, right?))
}

/// `highest(2d20)`, `best(3, 4d6)`
fn called(words: &[&str], roll: Roll) -> Option<String> {
    let text = words.join(" ");
    let (name, rest) = text.split_once('(')?;
    let letter = end(name.trim())?;
    let (inside, behind) = rest.split_once(')')?;
    let arguments: Vec<&str> = inside.split(',').map(str::trim).collect();
    let (dice, count) = match arguments[..] {
        [dice] => (dice, "1".into()),
        [count, dice] if number(count).is_some() => (dice, number(count)?),
        [dice, count] => (dice, number(count)?),
        _ => return None,
    };
    let rest: Vec<&str> = behind.split_whitespace().collect();
    kept(dice, &format!("k{letter}{count}"), &rest, roll)
}

/// The roll of dice with a modifier, and what stands behind it.
fn kept(plain: &str, modifier: &str, rest: &[&str], roll: Roll) -> Option<String> {
    dice(plain)?;
    let kept = format!("{plain}{modifier}");
    let words: Vec<&str> = [kept.as_str()]
        .into_iter()
        .chain(rest.iter().copied())
        .collect();
    roll(&words)
}

/// `middle of 3d6`, `3d6 middle`
pub(super) fn middle(words: &[&str], _: Roll) -> Option<String> {
    let is_middle = |word: &&str| ["mid", "middle", "median"].contains(word);
    words.iter().find(|word| is_middle(word))?;
    let rest = without(
        words,
        &[
            "mid", "middle", "median", "of", "die", "the", "keep", "take",
        ],
    );
    let [plain] = rest[..] else { return None };
    let (count, sides) = dice(plain)?;
    let is_plain = plain.ends_with(&format!("d{sides}"));
    (is_plain && count % 2 == 1).then(|| format!("{plain}dh{less}dl{less}", less = count / 2))
}

/// `4d6 - lowest`
fn less_an_end(words: &[&str]) -> Option<String> {
    let [plain, "-" | "without", word] = without(words, &["the", "die"])[..] else {
        return None;
    };
    dice(plain)?;
    Some(format!("{plain}d{}1", end(word)?))
}

/// `4d6 keep 3`, `4d6 drop the lowest`, `4d6 best 3`, `3d20 drop highest and lowest`
pub(super) fn choice(words: &[&str], roll: Roll) -> Option<String> {
    if let Some(roll) = less_an_end(words) {
        return Some(roll);
    }
    let verbs = [
        ("keep", 'k'),
        ("keeping", 'k'),
        ("take", 'k'),
        ("taking", 'k'),
        ("choose", 'k'),
        ("pick", 'k'),
        ("drop", 'd'),
        ("dropping", 'd'),
        ("discard", 'd'),
    ];
    let found = words.iter().enumerate().find_map(|(at, word)| {
        let verb = verbs.iter().find(|(verb, _)| verb == word);
        verb.map(|(_, verb)| (at, at + 1, *verb))
    });
    // Without a verb, the dice that are named stay.
    let named = || {
        let at = words.iter().position(|word| end(word).is_some())?;
        (at > 0).then_some((at, at, 'k'))
    };
    let (before, behind, verb) = found.or_else(named)?;
    let dice = roll(&words[..before])?;
    let dice = dice.trim_end_matches(',');
    let mut letter = if verb == 'k' { 'h' } else { 'l' };
    let mut count = String::from("1");
    let mut rest = &words[behind..];
    let mut first = String::new();
    while let Some((word, others)) = rest.split_first() {
        let other = others.first().and_then(|word| end(word));
        if *word == "and" && other.is_some() {
            first = format!("{verb}{letter}{count}");
        } else if let Some(end) = end(word.trim_end_matches(',')) {
            letter = end;
        } else if let Some(number) = number(word) {
            count = number;
        } else if !["the", "dice", "die"].contains(word) {
            break;
        }
        rest = others;
    }
    let chosen = format!("{dice}{first}{verb}{letter}{count}");
    let words: Vec<&str> = [chosen.as_str()]
        .into_iter()
        .chain(rest.iter().copied())
        .collect();
    roll(&words)
}
