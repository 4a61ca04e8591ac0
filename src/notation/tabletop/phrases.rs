//! What players write in words: `4d6 drop lowest`, `highest 3 of 4d6`, `1d20+5 vs 15`.
//!
//! A phrase becomes a roll by its words alone. Whether the result is a roll is for the caller to find out.

/// The roll that a text in words probably means.
pub(super) fn meant(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let text = text.replace(['[', ']', '"'], " ");
    let text = text.trim();
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let is_idle = |word: &&str| IDLE.contains(word);
    while words.first().is_some_and(is_idle) {
        words.remove(0);
    }
    let whole = words.join(" ");
    PHRASES
        .iter()
        .find_map(|phrase| phrase(&words))
        .or_else(|| (whole != text).then_some(whole))
}

/// Words before a roll that say nothing.
const IDLE: [&str; 8] = [
    "output",
    "roll",
    "throw",
    "calculate",
    "sum",
    "total",
    "the",
    "rolling",
];

/// A reading of the words of a text.
type Phrase = fn(&[&str]) -> Option<String>;

const PHRASES: [Phrase; 8] = [
    best_of, versus, advantage, choice, again, counted, dicebag, savage,
];

/// The end of the sorted dice that a word names, as a letter.
fn end(word: &str) -> Option<char> {
    match word {
        "highest" | "high" | "best" | "top" | "largest" => Some('h'),
        "lowest" | "low" | "worst" | "bottom" | "smallest" => Some('l'),
        _ => None,
    }
}

/// A number in digits or as a word.
fn number(word: &str) -> Option<String> {
    let names = ["one", "two", "three", "four", "five", "six"];
    let singular = word.trim_end_matches(['s', '\'', ',']);
    let named = names.iter().position(|name| *name == singular);
    let digits = match named {
        Some(place) => (place + 1).to_string(),
        None => singular.to_owned(),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

/// The words without those that only join others.
fn without<'w>(words: &[&'w str], idle: &[&str]) -> Vec<&'w str> {
    let kept = words.iter().filter(|word| !idle.contains(word));
    kept.copied().collect()
}

/// `highest 3 of 4d6`
fn best_of(words: &[&str]) -> Option<String> {
    let of = words.iter().position(|word| *word == "of")?;
    let words = [&words[..of], &words[of + 1..]];
    let mut before = without(words[0], &["the", "dice", "keep", "take", "sum"]);
    before.retain(|word| !word.is_empty());
    let (letter, count) = match before[..] {
        [end_word] => (end(end_word)?, "1".into()),
        [end_word, count] if end(end_word).is_some() => (end(end_word)?, number(count)?),
        [count, end_word] => (end(end_word)?, number(count)?),
        _ => return None,
    };
    let (dice, rest) = words[1].split_first()?;
    Some(format!("{dice}k{letter}{count}{}", joined(rest)))
}

/// `1d20+5 vs AC 15`
fn versus(words: &[&str]) -> Option<String> {
    let signs = [
        "vs", "vs.", "versus", "against", "v.", "dc", "ac", "tn", "beats",
    ];
    let at = words.iter().position(|word| signs.contains(word))?;
    let target = without(&words[at + 1..], &["ac", "dc", "tn", "a", "of", "target"]);
    let [target] = target[..] else { return None };
    let roll = words[..at].join("");
    number(target).map(|target| format!("({roll})>={target}"))
}

/// `d20+5 with advantage`, `adv 1d20+5`, `advantage(1d20+5)`
fn advantage(words: &[&str]) -> Option<String> {
    let whole = words.join(" ");
    let kinds = [
        ("disadvantage", "dis"),
        ("advantage", "adv"),
        ("dis", "dis"),
        ("adv", "adv"),
    ];
    let (word, short) = kinds.iter().find(|(word, _)| whole.contains(word))?;
    let roll = whole.replacen(word, " ", 1);
    let roll: Vec<&str> = roll.split_whitespace().collect();
    let roll = without(&roll, &["with", "at", "w/", "on"]).join("");
    let roll = roll
        .strip_prefix('(')
        .and_then(|roll| roll.strip_suffix(')'))
        .unwrap_or(&roll);
    Some(format!("{roll} {short}"))
}

/// `4d6 keep 3`, `4d6 drop the lowest`
fn choice(words: &[&str]) -> Option<String> {
    let verbs = [
        ("keep", 'k'),
        ("take", 'k'),
        ("drop", 'd'),
        ("discard", 'd'),
    ];
    let found = words.iter().enumerate().find_map(|(at, word)| {
        let word = word.trim_end_matches("ing").trim_end_matches('p');
        let verb = verbs
            .iter()
            .find(|(verb, _)| verb.trim_end_matches('p') == word);
        verb.map(|(_, verb)| (at, *verb))
    });
    let (at, verb) = found?;
    let (before, after) = (&words[..at], &words[at + 1..]);
    let (dice, before) = before.split_last()?;
    let dice = dice.trim_end_matches(',');
    let mut letter = if verb == 'k' { 'h' } else { 'l' };
    let mut count = String::from("1");
    let mut rest = after;
    while let Some((word, others)) = rest.split_first() {
        if let Some(end) = end(word) {
            letter = end;
        } else if let Some(number) = number(word) {
            count = number;
        } else if !["the", "dice", "die"].contains(word) {
            break;
        }
        rest = others;
    }
    let before = joined(before);
    Some(format!(
        "{before}{dice}{verb}{letter}{count}{}",
        joined(rest)
    ))
}

/// `2d6 reroll 1s`, `d6 exploding on 5`
fn again(words: &[&str]) -> Option<String> {
    let found = words.iter().enumerate().find_map(|(at, word)| {
        let begins = |stem: &str| word.starts_with(stem);
        if begins("reroll") || begins("re-roll") {
            Some((at, "r"))
        } else {
            begins("explo").then_some((at, "!"))
        }
    });
    let (at, sign) = found?;
    let (before, after) = (&words[..at], &words[at + 1..]);
    let (dice, before) = before.split_last()?;
    let is_once = after.contains(&"once");
    let after = without(after, &["on", "any", "all", "and", "a", "once", "dice"]);
    let sign = if is_once && sign == "r" { "ro" } else { sign };
    let mut roll = format!("{}{dice}", joined(before));
    let mut rest = &after[..];
    let mut is_bare = true;
    while let Some((word, others)) = rest.split_first() {
        let Some(number) = number(word) else { break };
        roll.push_str(sign);
        roll.push_str(&number);
        rest = others;
        is_bare = false;
    }
    if is_bare {
        roll.push_str(sign);
    }
    Some(format!("{roll}{}", joined(rest)))
}

/// `5d10 t7`, `d20 19-20`, `8d6 successes on 5`
fn counted(words: &[&str]) -> Option<String> {
    let idle = [
        "successes",
        "success",
        "hits",
        "count",
        "on",
        "at",
        "least",
        "target",
        "crit",
    ];
    let words = without(words, &idle);
    let [dice, target] = words[..] else {
        return None;
    };
    let target = target.strip_prefix('t').unwrap_or(target);
    let least = match target.split_once('-') {
        Some((least, most)) if dice.ends_with(&format!("d{most}")) => least,
        Some(_) => return None,
        None => target.strip_suffix('+').unwrap_or(target),
    };
    number(least).map(|least| format!("{dice}>={least}"))
}

/// `3K4d6`
fn dicebag(words: &[&str]) -> Option<String> {
    let [word] = words[..] else { return None };
    let (count, dice) = word.split_once('k')?;
    let count = number(count)?;
    let is_dice = dice
        .split_once('d')
        .is_some_and(|(a, b)| number(a).and(number(b)).is_some());
    is_dice.then(|| format!("{dice}kh{count}"))
}

/// `savage d8`: a trait die and a wild die that explode, of which the higher counts.
fn savage(words: &[&str]) -> Option<String> {
    let ["savage", die] = words[..] else {
        return None;
    };
    let sides = number(die.strip_prefix('d')?)?;
    Some(format!("{{1d{sides}!!,1d6!!}}kh1"))
}

/// Words behind, or before, dice as a part of arithmetic.
fn joined(words: &[&str]) -> String {
    words.join("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_become_rolls() {
        for (phrase, roll) in [
            ("highest 3 of 4d6", "4d6kh3"),
            ("[highest 3 of 4d6] + 2", "4d6kh3+2"),
            ("best of 2d20 + 5", "2d20kh1+5"),
            ("4d6 keep 3", "4d6kh3"),
            ("4d6 drop the lowest", "4d6dl1"),
            ("d20+5 vs AC 15", "(d20+5)>=15"),
            ("1d20 with advantage", "1d20 adv"),
            ("2d6 reroll 1s", "2d6r1"),
            ("2d6 reroll ones and twos once", "2d6ro1ro2"),
            ("d6 exploding", "d6!"),
            ("5d10 t7", "5d10>=7"),
            ("d20 19-20", "d20>=19"),
            ("3K4d6", "4d6kh3"),
            ("output 3d6", "3d6"),
            ("savage d8", "{1d8!!,1d6!!}kh1"),
        ] {
            assert_eq!(meant(phrase).as_deref(), Some(roll), "{phrase}");
        }
    }
}
