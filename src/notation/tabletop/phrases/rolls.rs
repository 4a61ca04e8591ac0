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

/// `1d6 or 1d8`: two rolls, side by side.
pub(super) fn either(words: &[&str], roll: Roll) -> Option<String> {
    let or = words.iter().position(|word| *word == "or")?;
    Some(format!(
        "{}; {}",
        roll(&words[..or])?,
        roll(&words[or + 1..])?
    ))
}

/// `2d6 reroll 1s`, `d6 exploding on 5`
pub(super) fn again(words: &[&str], roll: Roll) -> Option<String> {
    let found = words.iter().enumerate().find_map(|(at, word)| {
        let begins = |stem: &str| word.starts_with(stem);
        if begins("reroll") || begins("re-roll") {
            Some((at, "r"))
        } else {
            begins("explo").then_some((at, "!"))
        }
    });
    let (at, sign) = found?;
    let mut roll_again = roll(&words[..at])?;
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
    let words: Vec<&str> = [roll_again.as_str()]
        .into_iter()
        .chain(rest.iter().copied())
        .collect();
    roll(&words)
}

/// `d20+5 with advantage`, `adv 1d20+5`, `advantage(1d20+5)`
pub(super) fn advantage(words: &[&str], _: Roll) -> Option<String> {
    let whole = words.join(" ");
    let kinds = [
        ("disadvantage", "2d20kl1"),
        ("advantage", "2d20kh1"),
        ("dis", "2d20kl1"),
        ("adv", "2d20kh1"),
    ];
    let (word, dice) = kinds.iter().find(|(word, _)| whole.contains(word))?;
    let roll = whole.replacen(word, " ", 1);
    let roll: Vec<&str> = roll.split_whitespace().collect();
    let roll = joined(&without(&roll, &["with", "at", "w/", "on"]))?;
    let roll = roll
        .strip_prefix('(')
        .and_then(|roll| roll.strip_suffix(')'))
        .unwrap_or(&roll);
    let rest = roll.strip_prefix('1').unwrap_or(roll).strip_prefix("d20")?;
    (!rest.starts_with(|sign: char| sign.is_alphanumeric())).then(|| format!("{dice}{rest}"))
}

/// `3K4d6` of dicebag, and `savage d8`: a trait die and a wild die that explode, of which the higher counts.
pub(super) fn known(words: &[&str], _: Roll) -> Option<String> {
    match *words {
        [word] => {
            let (count, plain) = word.split_once('k')?;
            let (_, sides) = dice(plain)?;
            let is_plain = plain.ends_with(&format!("d{sides}"));
            let count = number(count).filter(|_| is_plain)?;
            Some(format!("{plain}kh{count}"))
        }
        ["savage", die] => {
            let sides = number(die.strip_prefix('d')?)?;
            Some(format!("{{1d{sides}!!,1d6!!}}kh1"))
        }
        _ => None,
    }
}
