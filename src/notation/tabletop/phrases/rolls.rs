//! Phrases about what is rolled, and how often.

use super::parts::{Roll, dice, joined, number, without};

/// `sum(4d6)`, `P(2d6 >= 7)`: a roll in the parentheses of a function that the answer makes needless.
pub(super) fn wrapped(words: &[&str], roll: Roll) -> Option<String> {
    let text = words.join(" ");
    let (name, rest) = text.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    let inner: Vec<&str> = inside.split_whitespace().collect();
    match name.trim() {
        "add" | "average" | "avg" | "count" | "ev" | "expected" | "mean" | "roll" | "sum"
        | "total" => roll(&inner),
        "chance" | "odds" | "p" | "pr" | "prob" | "probability" => {
            let whole = joined(&inner)?;
            let at = whole.find(['<', '=', '>'])?;
            let (left, right) = whole.split_at(at);
            Some(format!("({left}){right}"))
        }
        _ => None,
    }
}

/// `4d6 drop lowest, 6 times`, `6x 4d6`, `4d6dl1 x6`, `3d6 in order`
pub(super) fn repeated(words: &[&str], roll: Roll) -> Option<String> {
    let sign = |word: &str| word.starts_with(['x', '×']);
    let (count, rest) = match *words {
        [ref rest @ .., count, "times"] | [count, "times", ref rest @ ..] => (count, rest),
        [ref rest @ .., "in", "order"] | [ref rest @ .., "down", "the", "line"] => ("6", rest),
        [ref rest @ .., last] if sign(last) => (last.trim_start_matches(['x', '×']), rest),
        [first, ref rest @ ..] => (first.strip_suffix(['x', '×'])?, rest),
        [] => return None,
    };
    let count = number(count)?;
    let (last, others) = rest.split_last()?;
    let rest: Vec<&str> = others
        .iter()
        .copied()
        .chain([last.trim_end_matches([',', ':'])])
        .collect();
    Some(format!("{count}#{}", roll(&rest)?))
}

/// `1d6/2 round up`, `half 1d6`
pub(super) fn halved(words: &[&str], roll: Roll) -> Option<String> {
    let (function, rest) = match *words {
        [ref rest @ .., "round" | "rounded", "up"] => ("ceil", rest),
        [ref rest @ .., "round" | "rounded", "down"] => ("floor", rest),
        ["half", "of", ref rest @ ..]
        | ["half", ref rest @ ..]
        | [ref rest @ .., "half" | "halved"] => {
            return Some(format!("floor({}/2)", in_parentheses(roll(rest)?)));
        }
        _ => return None,
    };
    roll(rest).map(|roll| format!("{function}({roll})"))
}

/// A roll as an operand of a product.
fn in_parentheses(roll: String) -> String {
    if roll.contains(['+', '-', '/', '<', '=', '>']) {
        format!("({roll})")
    } else {
        roll
    }
}

/// `1d6 or 1d8`, `1d6 & 1d8`: two rolls, side by side.
pub(super) fn either(words: &[&str], roll: Roll) -> Option<String> {
    let at = words
        .iter()
        .position(|word| ["&", "and", "or"].contains(word))?;
    let [left, right] = [&words[..at], &words[at + 1..]].map(roll);
    let both = [left?, right?];
    let are_dice = both.iter().all(|roll| roll.contains('d'));
    are_dice.then(|| both.join("; "))
}

/// `d20+5 to hit, 2d6+3 damage`: two rolls, side by side.
pub(super) fn to_hit(words: &[&str], roll: Roll) -> Option<String> {
    if let ["hit", ref rest @ ..] = *words {
        return roll(rest);
    }
    let at = words
        .windows(2)
        .position(|pair| pair[0] == "to" && pair[1].trim_end_matches([',', ':', ';']) == "hit")?;
    let is_damage =
        |word: &&&str| word.contains(|sign: char| sign.is_ascii_digit() || "+-*/".contains(sign));
    let damage: Vec<&str> = words[at + 2..].iter().filter(is_damage).copied().collect();
    match (&words[..at], &damage[..]) {
        ([], damage) => roll(damage),
        (_, []) => None,
        (attack, damage) => Some(format!("{}; {}", roll(attack)?, roll(damage)?)),
    }
}

/// `flip a coin`, `3 coins`
pub(super) fn coins(words: &[&str], _: Roll) -> Option<String> {
    words.iter().find(|word| ["coin", "coins"].contains(word))?;
    let idle = ["a", "coin", "coins", "flip", "flips", "of", "the", "toss"];
    match without(words, &idle)[..] {
        [] => Some("1dc".into()),
        [count] => Some(format!("{}dc", number(count)?)),
        _ => None,
    }
}

/// `2d6 reroll 1s`, `d6 exploding on 5`
pub(super) fn again(words: &[&str], roll: Roll) -> Option<String> {
    let found = words.iter().enumerate().find_map(|(at, word)| {
        let begins = |stem: &str| word.starts_with(stem);
        if begins("reroll") || begins("re-roll") {
            Some((at, "r"))
        } else {
            let explodes = ["ace", "acing", "explo"].into_iter().any(begins);
            explodes.then_some((at, "!"))
        }
    });
    let (at, sign) = found?;
    let (mut roll_again, bonus) = split_bonus(roll(&words[..at])?);
    let after = &words[at + 1..];
    let is_once = after.contains(&"once");
    let after = without(after, &["on", "any", "all", "and", "a", "once", "dice"]);
    let sign = if is_once && sign == "r" { "ro" } else { sign };
    let mut rest = &after[..];
    let mut is_bare = true;
    while let Some((word, others)) = rest.split_first() {
        let (condition, number) = match number(word) {
            Some(number) => ("", number),
            None => match word.strip_suffix('+').and_then(number) {
                Some(number) => (">=", number),
                None => break,
            },
        };
        roll_again.extend([sign, condition, &number]);
        rest = others;
        is_bare = false;
    }
    if is_bare {
        roll_again.push_str(sign);
    }
    roll_again.push_str(&bonus);
    let words: Vec<&str> = [roll_again.as_str()]
        .into_iter()
        .chain(rest.iter().copied())
        .collect();
    roll(&words)
}

/// A roll of one kind of dice, and the number that is added to it: `d10` and `+3`.
fn split_bonus(roll: String) -> (String, String) {
    let sign = roll.rfind(['+', '-']).filter(|&at| {
        let bonus = &roll[at + 1..];
        !bonus.is_empty() && bonus.bytes().all(|byte| byte.is_ascii_digit())
    });
    match sign {
        Some(at) if roll.matches('d').count() == 1 && at > roll.find('d').unwrap_or(at) => {
            (roll[..at].to_owned(), roll[at..].to_owned())
        }
        _ => (roll, String::new()),
    }
}

/// `d20+5 with advantage`, `adv 1d20+5`, `advantage(1d20+5)`, `2d20adv`, and `2d6 adv`, which keeps two of three dice.
pub(super) fn advantage(words: &[&str], _: Roll) -> Option<String> {
    let whole = words.join(" ");
    let kinds = [
        ("disadvantage", "kl"),
        ("advantage", "kh"),
        ("dis", "kl"),
        ("adv", "kh"),
    ];
    let (word, keep) = kinds.iter().find(|(word, _)| whole.contains(word))?;
    let roll = whole.replacen(word, " ", 1);
    let roll: Vec<&str> = roll.split_whitespace().collect();
    let roll = without(&roll, &["with", "at", "w/", "on"]);
    if roll.is_empty() {
        return Some(format!("2d20{keep}1"));
    }
    let roll = joined(&roll)?;
    let roll = roll
        .strip_prefix('(')
        .and_then(|roll| roll.strip_suffix(')'))
        .unwrap_or(&roll);
    let (count, sides) = dice(roll)?;
    let (_, behind) = roll.split_once('d')?;
    let rest = behind.strip_prefix(sides.to_string().as_str())?;
    if rest.starts_with(|sign: char| sign.is_alphanumeric() || sign == '!') {
        return None;
    }
    let kept = match (count, sides) {
        (1, _) | (2, 20) => 1,
        (2 | 3, _) => count,
        _ => return None,
    };
    Some(format!("{}d{sides}{keep}{kept}{rest}", kept + 1))
}

/// `3K4d6` of dicebag, `4d6h3`, and `5k3` or `5k3d10` of Legend of the Five Rings, which rolls five and keeps three.
pub(super) fn known(words: &[&str], _: Roll) -> Option<String> {
    let [word] = *words else { return None };
    if let Some(roll) = roll_and_keep(word) {
        return Some(roll);
    }
    let is_plain =
        |word: &str| dice(word).is_some_and(|(_, sides)| word.ends_with(&format!("d{sides}")));
    if let Some((count, plain)) = word.split_once('k') {
        let count = number(count).filter(|_| is_plain(plain))?;
        return Some(format!("{plain}kh{count}"));
    }
    let at = word.find(['h', 'l'])?;
    let (plain, end) = word.split_at(at);
    let count = if end.len() == 1 {
        "1".into()
    } else {
        number(&end[1..])?
    };
    is_plain(plain).then(|| format!("{plain}k{}{count}", &end[..1]))
}

/// `5k3`, `5k3+2`, `5k3d10`: so many ten-sided dice, of which so many stay.
fn roll_and_keep(word: &str) -> Option<String> {
    let (rolled, rest) = word.split_once('k')?;
    let digits = rest.find(|sign: char| !sign.is_ascii_digit());
    let (kept, rest) = rest.split_at(digits.unwrap_or(rest.len()));
    let bonus = rest.strip_prefix("d10").unwrap_or(rest);
    let is_bonus = bonus.is_empty() || bonus.starts_with(['+', '-']);
    let [rolled, kept] = [rolled, kept].map(|number| number.parse::<u32>().ok());
    let (rolled, kept) = (rolled?, kept?);
    (is_bonus && kept > 0 && rolled > kept).then(|| format!("{rolled}d10kh{kept}{bonus}"))
}
