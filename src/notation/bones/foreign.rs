//! Suggestions for functions, custom dice, advantage and numbers, as other notations and languages write them.
//!
//! A suggestion is correct when it is pasted in place of the text that it replaces. If this is not certain, there is no
//! suggestion.

use super::context::Context;
use super::lexer::Token;
use super::table::Table;
use crate::notation::reader::quote::{is_short, shortened};

/// The help for a function of other languages, whose name is the token `at`.
pub(super) fn function(context: Context, at: usize) -> Option<String> {
    let name = context.word(at).to_ascii_lowercase();
    let write = |what: String| Some(format!("write `{what}`"));
    let group = group_after(context, at + 1);
    let prefix = |words: &str| {
        let operand = group.map_or("(…)", |(group, _)| group);
        write(format!("{words}{operand}"))
    };
    let rank = |word: &str| match ranked(context, at + 1, word) {
        Some(ranked) => write(ranked),
        None => prefix(&format!("{word} 1 ")),
    };
    match name.as_str() {
        "average" | "avg" | "expected" | "mean" => {
            prefix("sum").map(|help| format!("{help}: its mean stands below the table"))
        }
        "best" | "highest" | "max" | "maximum" => rank("high"),
        "length" | "len" | "number" | "size" => prefix("count"),
        "lowest" | "min" | "minimum" | "worst" => rank("low"),
        "mul" | "product" => prefix("prod"),
        "add" | "total" => prefix("sum"),
        "reverse" | "reversed" => prefix("rev"),
        "permute" | "shuffle" => prefix("perm"),
        "order" | "sorted" => prefix("sort"),
        "choose" | "pick" => prefix("first 1 perm"),
        "repeat" => Some("write `4#d6` for four rolls of `d6`".into()),
        "roll" => Some("leave it out: every die is rolled".into()),
        "floor" if context.table == Table::Bones => {
            Some("write `x div 2`, which rounds down; `x / 2` rounds toward zero".into())
        }
        "ceil" | "ceiling" | "round" if context.table == Table::Bones => {
            Some("write `(x + 1) div 2` for half of x, with one half rounded up".into())
        }
        "ceil" | "ceiling" | "floor" | "int" | "round" | "trunc" => {
            Some("write `x / 2`, which drops the fraction".into())
        }
        "explode" | "exploding" => exploding(context, at + 1),
        "reroll" => rerolling(context, at + 1),
        _ => None,
    }
}

/// The members of a list at an end, as in `highest 3 of 4#d6` and `highest 2#d20`. The token `at` follows the first word.
fn ranked(context: Context, at: usize, word: &str) -> Option<String> {
    let is_of = |at| context.token(at).is_some() && context.word(at) == "of";
    let is_count = context.token(at) == Some(Token::Integer)
        && matches!(
            context.token(at + 1),
            Some(Token::D | Token::Integer | Token::Name | Token::Open)
        );
    let (count, list) = if is_of(at + 1) {
        (context.word(at), at + 2)
    } else if is_count {
        (context.word(at), at + 1)
    } else {
        ("1", at + usize::from(is_of(at)))
    };
    context.token(list)?;
    let ranked = format!(
        "{word} {count} {}",
        context.words(list, context.lexed.tokens.len())
    );
    (is_short(&ranked) && context.reads(&ranked)).then_some(ranked)
}

/// The roll that a word alone means in other programs.
pub(super) fn in_a_word(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "adv" | "advantage" => "high 1 2#d20",
        "coin" => "d{0,1}",
        "dis" | "disadvantage" => "low 1 2#d20",
        "dndstats" | "stats" => "6#sum(drop low 1 4#d6)",
        "fate" | "fudge" => "sum(4#dF)",
        _ => return None,
    })
}

/// The die to which a word before a bonus adds it, as in `attack +7` and `pbta +1`. The token `at` is the word.
pub(super) fn bonus_to(context: Context, at: usize) -> Option<&'static str> {
    let sign = context.token(at + 1);
    let is_bonus = at == 0
        && matches!(sign, Some(Token::Minus | Token::Plus))
        && context.token(at + 2) == Some(Token::Integer)
        && context.token(at + 3).is_none();
    let roll = match context.word(at).to_ascii_lowercase().as_str() {
        "attack" | "check" | "init" | "initiative" | "save" | "skill" => "d20",
        "pbta" => "sum(2#d6)",
        _ => return None,
    };
    is_bonus.then_some(roll)
}

/// Whether a name is the name of a function in other languages.
pub(super) fn is_function(name: &str) -> bool {
    const NAMES: [&str; 26] = [
        "add",
        "average",
        "avg",
        "ceil",
        "ceiling",
        "choose",
        "expected",
        "explode",
        "exploding",
        "floor",
        "int",
        "length",
        "mean",
        "number",
        "order",
        "pick",
        "repeat",
        "reroll",
        "roll",
        "round",
        "shuffle",
        "size",
        "sorted",
        "total",
        "trunc",
        "permute",
    ];
    is_function_alone(name) || NAMES.contains(&name.to_ascii_lowercase().as_str())
}

/// Whether a name is the name of a function in other languages, and hardly the name of a variable.
pub(super) fn is_function_alone(name: &str) -> bool {
    const NAMES: [&str; 13] = [
        "best", "highest", "len", "lowest", "max", "maximum", "min", "minimum", "mul", "product",
        "reverse", "reversed", "worst",
    ];
    NAMES.contains(&name.to_ascii_lowercase().as_str())
}

/// The text of short parentheses that begin at a token, and the token after them.
fn group_after(context: Context<'_>, at: usize) -> Option<(&str, usize)> {
    if context.token(at) != Some(Token::Open) {
        return None;
    }
    let close = context.closing_of(at)?;
    let group = context.words(at, close + 1);
    is_short(group).then_some((group, close + 1))
}

/// The number of dice and the number of sides of the dice at a token, in parentheses or not.
fn dice(context: Context<'_>, at: usize) -> Option<(Option<&str>, &str)> {
    let at = at + usize::from(context.token(at) == Some(Token::Open));
    let counted = context.token(at) == Some(Token::Integer);
    let hash = counted && context.token(at + 1) == Some(Token::Hash);
    let die = at + usize::from(counted) + usize::from(hash);
    let is_dice =
        context.token(die) == Some(Token::D) && context.token(die + 1) == Some(Token::Integer);
    let sides = is_dice.then(|| context.word(die + 1))?;
    let count = counted.then(|| context.word(at));
    let short = sides.len() <= 9 && count.is_none_or(|count| count.len() <= 9);
    short.then_some((count, sides))
}

/// The help for `explode d6`. The token `at` follows the word.
fn exploding(context: Context, at: usize) -> Option<String> {
    let (count, sides) = dice(context, at)?;
    let dice = match count {
        None | Some("1") => format!("d{sides}"),
        Some(count) => format!("{count}#d{sides}"),
    };
    Some(format!(
        "write `sum(while x={dice} do ((count =={sides} x)#d{sides}))` to roll again at {sides}"
    ))
}

/// The help for `reroll 1 d6`. The token `at` follows the word.
fn rerolling(context: Context, at: usize) -> Option<String> {
    let open = usize::from(context.token(at) == Some(Token::Open));
    let value = at + open;
    if context.token(value) != Some(Token::Integer) {
        return None;
    }
    let comma = usize::from(context.token(value + 1) == Some(Token::Comma));
    let (count, sides) = dice(context, value + 1 + comma)?;
    let value = context.word(value);
    let again = format!("if =={value} x then d{sides} else x");
    let short = is_short(value);
    match count {
        _ if !short => None,
        None => Some(format!(
            "write `let x=d{sides} in {again}` to roll a {value} once more"
        )),
        Some(count) => Some(format!(
            "write `foreach x in {count}#d{sides} do {again}` to roll each {value} once more"
        )),
    }
}

/// The help for `d20 adv`. The token `at` is the word.
pub(super) fn advantage(context: Context, at: usize) -> Option<String> {
    let (filter, which) = match context.word(at).to_ascii_lowercase().as_str() {
        "adv" | "advantage" => ("high", "better"),
        "dis" | "disadv" | "disadvantage" => ("low", "worse"),
        _ => return None,
    };
    let sides = shortened(context.word(at - 1));
    let alone = at == 2 && context.token(at + 1).is_none();
    let dice = format!("{filter} 1 2#d{sides}");
    let dice = if alone { dice } else { format!("({dice})") };
    Some(format!("write `{dice}` for the {which} of two"))
}

/// The help for `d{1,2,3}`, and the token of the closing bracket. The token `at` is the opening bracket.
pub(super) fn custom_die(context: Context, at: usize) -> Option<(String, usize)> {
    let close = match context.word(at) {
        "{" => "}",
        "[" => "]",
        _ => return None,
    };
    if context.before(at) != Some(Token::D) {
        return None;
    }
    let mut members = at + 1..context.lexed.tokens.len();
    let end = members.find(|&member| {
        !matches!(
            context.token(member),
            Some(Token::Comma | Token::Dots | Token::Integer | Token::Minus)
        )
    })?;
    if context.word(end) != close || end == at + 1 {
        return None;
    }
    let faces = context.words(at + 1, end);
    if context.table == Table::Bones {
        let die = format!("d{{{faces}}}");
        let suggests = is_short(faces) && context.reads(&die);
        return suggests.then_some((format!("`{die}` for a die with these faces"), end));
    }
    let die = format!("first 1 perm ({faces})");
    let alone = at == 1 && context.token(end + 1).is_none();
    let die = if alone { die } else { format!("({die})") };
    let suggests = is_short(faces) && context.reads(&die);
    suggests.then_some((format!("`{die}` for a die with these faces"), end))
}

/// The decimal digits of a number as programs write it: `1e3`, `0x10`, `1_000`. The token `at` is one of its tokens.
pub(super) fn number(context: Context, at: usize) -> Option<String> {
    let mut start = at;
    while context.is_glued(start) && is_in_number(context, start - 1) {
        start -= 1;
    }
    let mut end = at + 1;
    while context.is_glued(end) && is_in_number(context, end) {
        end += 1;
    }
    if context.token(start) != Some(Token::Integer) {
        return None;
    }
    let text = context.words(start, end);
    if text.len() > 30 {
        return None;
    }
    let radix = |digits: &str, radix| u128::from_str_radix(digits, radix).ok();
    let digits: String = text.chars().filter(|&letter| letter != '_').collect();
    if !text.ends_with('_') && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Some(digits);
    }
    let lower = digits.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return radix(digits, 16).map(|number| number.to_string());
    }
    if let Some(digits) = lower.strip_prefix("0b") {
        return radix(digits, 2).map(|number| number.to_string());
    }
    let (digits, zeros) = lower.split_once('e')?;
    let zeros: usize = zeros.parse().ok()?;
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    (plain && zeros <= 20).then(|| format!("{digits}{}", "0".repeat(zeros)))
}

fn is_in_number(context: Context, at: usize) -> bool {
    context
        .token(at)
        .is_some_and(|token| token == Token::Integer || token == Token::Name || token == Token::D)
        || context.word(at) == "_"
}
