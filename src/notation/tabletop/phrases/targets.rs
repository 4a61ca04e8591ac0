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

/// Words before a number to reach.
const REACHED: [&str; 3] = ["ac", "dc", "tn"];

/// Words before what a hit rolls.
const DAMAGE: [&str; 4] = ["damage", "damage:", "dmg", "for"];

/// `1d20+5 vs AC 15`, `1d20+5 vs AC 15 damage 2d6`, `1d20+5 vs 1d20+3`. Two rolls become two rules: their comparison says how often
/// each is higher, and how often they are equal.
pub(super) fn versus(words: &[&str], roll: Roll) -> Option<String> {
    let signs = [
        "vs", "vs.", "versus", "against", "v.", "dc", "ac", "tn", "beats",
    ];
    let at = words.iter().position(|word| signs.contains(word))?;
    // `dc 15 d20+5`
    if let (0, [_, target, rest @ ..]) = (at, words)
        && !rest.is_empty()
    {
        return Some(format!("({})>={}", roll(rest)?, number(target)?));
    }
    let left = roll(&words[..at])?;
    let behind = &words[at + 1..];
    let damage = behind.iter().position(|word| DAMAGE.contains(word));
    let (target, damage) = behind.split_at(damage.unwrap_or(behind.len()));
    let target = without(target, &["ac", "dc", "tn", "a", "of", "target"]);
    let Some(number) = number_to_reach(&target) else {
        let right = roll(&target).filter(|right| right.contains('d') && damage.is_empty())?;
        let is_action = dice(&left) == Some((1, 6));
        return match right.as_str() {
            // Two challenge dice are each compared with the action die.
            "2d10" | "d10; d10" if is_action => Some(format!("2d10<({left})")),
            _ if right.contains(';') => None,
            _ => Some(format!("{left}; {right}")),
        };
    };
    let damage = without(damage, &DAMAGE);
    if damage.is_empty() {
        let counts = words[at] == "tn" && dice(&left).is_some_and(|(count, _)| count > 2);
        if counts && !reaches_no_die(&left, &number) {
            return Some(format!("{left}>={number}"));
        }
        // A percentile die is to show no more than the skill.
        let sign = if dice(&left) == Some((1, 100)) {
            "<="
        } else {
            ">="
        };
        return Some(format!("({left}){sign}{number}"));
    }
    Some(format!("(({left})>={number})*({})", roll(&damage)?))
}

/// `15`, `ac15`
fn number_to_reach(words: &[&str]) -> Option<String> {
    let [word] = *words else { return None };
    let mut signs = REACHED.iter();
    number(
        signs
            .find_map(|sign| word.strip_prefix(sign))
            .unwrap_or(word),
    )
}

/// `5d6 6s`, `number of sixes in 6d6`, `count the 1s and 2s in 4d6`: the dice that show some faces.
pub(super) fn faces(words: &[&str], _: Roll) -> Option<String> {
    let idle = [
        "and", "count", "counting", "from", "how", "in", "many", "number", "of", "on", "or", "the",
        "with",
    ];
    let plain = words.iter().find(|word| dice(word).is_some())?;
    let (_, sides) = dice(plain)?;
    let others: Vec<&str> = words.iter().copied().filter(|word| word != plain).collect();
    let named = without(&others, &idle);
    let is_several = |word: &&str| word.ends_with('s') && number(word).is_some();
    if named.is_empty() || !named.iter().all(is_several) || !plain.ends_with(&format!("d{sides}")) {
        return None;
    }
    let mut faces: Vec<u32> = named
        .iter()
        .filter_map(|word| number(word)?.parse().ok())
        .collect();
    faces.sort_unstable();
    let (least, most) = (*faces.first()?, *faces.last()?);
    let are_in_a_row = faces.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    match (least, most) {
        _ if !are_in_a_row => None,
        (least, most) if least == most => Some(format!("{plain}={least}")),
        (least, most) if most == sides => Some(format!("{plain}>={least}")),
        (1, most) => Some(format!("{plain}<={most}")),
        _ => None,
    }
}

/// `3d6 under 12`, `2d6 7 or more`, `5d6 successes on 5 or more`
pub(super) fn compared(words: &[&str], roll: Roll) -> Option<String> {
    let is_counting = |word: &&str| COUNTING.contains(word);
    let behind = words
        .iter()
        .rev()
        .take_while(|word| is_counting(word))
        .count();
    let (words, behind) = words.split_at(words.len() - behind);
    let (at, sign, target) = (0..words.len()).find_map(|at| {
        let (sign, target) = comparison(&words[at..])?;
        Some((at, sign, target))
    })?;
    let before = &words[..at];
    let counts = !behind.is_empty() || before.iter().any(is_counting);
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
        [sign, "ac" | "dc" | "tn", target] | [sign, target] => (of_sign(sign)?, number(target)?),
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

/// `7d10t7f1`, `7d10 f1 t7`: successes less failures.
pub(super) fn less_failures(words: &[&str], _: Roll) -> Option<String> {
    let text = words.concat();
    let (_, sides) = dice(&text)?;
    let end = text.find(&format!("d{sides}"))? + format!("d{sides}").len();
    let (plain, marks) = text.split_at(end);
    let (target, failure) = match marks.split_at_checked(1)? {
        ("t", rest) => rest.split_once('f')?,
        ("f", rest) => {
            let (failure, target) = rest.split_once('t')?;
            (target, failure)
        }
        _ => return None,
    };
    Some(format!("{plain}>={}f{}", number(target)?, number(failure)?))
}

/// `5d10 t7`, `d20 19-20`, `8d6 successes on 5`, `2d6 7+`
pub(super) fn counted(words: &[&str], _: Roll) -> Option<String> {
    let counts = words.iter().any(|word| COUNTING.contains(word));
    let idle = [
        "at", "how", "in", "least", "many", "number", "of", "on", "with",
    ];
    let rest = without(&without(words, &COUNTING), &idle);
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

/// `chance to roll 15 or higher on d20+5`, `probability of 10+ on 3d6`
pub(super) fn chance_on(words: &[&str], roll: Roll) -> Option<String> {
    let at = words
        .iter()
        .rposition(|word| ["from", "in", "on", "using", "with"].contains(word))?;
    let idle = [
        "a",
        "chance",
        "for",
        "get",
        "getting",
        "of",
        "probability",
        "roll",
        "rolling",
        "the",
        "to",
    ];
    let target = without(&words[..at], &idle);
    let (sign, target) = match target[..] {
        [plus] if plus.ends_with('+') => (">=", number(plus.strip_suffix('+')?)?),
        [target] => ("=", number(target)?),
        _ => comparison(&target)?,
    };
    let roll = roll(&words[at + 1..])?;
    // What one of several dice can show may be about each die.
    (roll.contains('d') && reaches_no_die(&roll, &target))
        .then(|| format!("({roll}){sign}{target}"))
}

/// `exactly 2 6s in 5d6`, `at least one 6 on 4d6`, `at least 2 successes on 5d6>=5`
pub(super) fn some_on(words: &[&str], roll: Roll) -> Option<String> {
    if let [
        "at",
        "least",
        count,
        counted,
        "on" | "in" | "from" | "with",
        ref rest @ ..,
    ] = *words
        && COUNTING.contains(&counted)
    {
        let roll = roll(rest).filter(|roll| roll.contains(['<', '=', '>']))?;
        return Some(format!("({roll})>={}", number(count)?));
    }
    let (sign_of_count, words) = match *words {
        ["exactly", ref rest @ ..] => ("=", rest),
        ["at", "least", ref rest @ ..] => (">=", rest),
        _ => return None,
    };
    let [count, face, "on" | "in" | "from" | "with" | "of", plain] = *words else {
        return None;
    };
    dice(plain)?;
    let count = number(if count == "a" { "one" } else { count })?;
    let (face, sign) = match face.strip_suffix('+') {
        Some(face) => (face, ">="),
        None => (face, "="),
    };
    let face = number(face)?;
    Some(format!("({plain}{sign}{face}){sign_of_count}{count}"))
}
