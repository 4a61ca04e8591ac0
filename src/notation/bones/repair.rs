//! Rewrites a rule that is nearly Bones: dice, names and words as players write them become those of Bones.
//!
//! One kind of slip is mended after another, everywhere in the rule. The result is suggested only if it can be read.

use super::context::Context;
use super::foreign::is_function;
use super::lexer::Token;
use super::operands::{Change, counts, pairs};
use super::rerolls::rerolls;
use super::shorthand::{Kept, is_die, kept};
use super::table::Table;
use crate::source::Span;

/// The longest rule that is rewritten, in bytes.
const LONGEST: usize = 200;

/// The changes that mend one kind of slip.
type Mend = fn(Context) -> Vec<Change>;

/// The kinds of slip, in the order in which they are mended.
const MENDS: [Mend; 8] = [
    choice_signs,
    counts,
    pairs,
    ends_of_lists,
    dice,
    rerolls,
    memberships,
    missing_else,
];

/// The whole rule as it was probably meant, where words of Bones show that Bones was meant.
pub(super) fn repaired(context: Context) -> Option<String> {
    let tokens = &context.lexed.tokens;
    let is_word = |token: &Token| token.is_keyword() && !matches!(token, Token::D | Token::Fate);
    let is_bones = tokens.iter().any(is_word) || !choice_signs(context).is_empty();
    is_bones.then(|| rewritten(context)).flatten()
}

/// The whole rule, or the whole body of a definition, as it was probably meant.
pub(super) fn rewritten(context: Context) -> Option<String> {
    let rule = context.slice(context.span).trim();
    if context.table != Table::Bones || !is_quotable(rule) {
        return None;
    }
    let mut meant = rule.to_owned();
    for mend in MENDS {
        meant = context.about(&meant, |context| changed(context, mend(context)));
    }
    let is_better = meant != rule && is_quotable(&meant) && context.reads(&meant);
    (is_better
        && context.about(&meant, |context| {
            has_no_foreign_words(context) && !connects_sums(context)
        }))
    .then_some(meant)
}

/// Whether no name is a word of other languages, as in `odds of x` and `x and lowest`.
fn has_no_foreign_words(context: Context) -> bool {
    let mut places = 0..context.lexed.tokens.len();
    places.all(|at| {
        let word = context.word(at);
        match context.token(at) {
            Some(Token::Name) => context.binds(word) || !is_function(word),
            Some(Token::PartName) => context.position(Token::OpenRecord).is_some(),
            _ => true,
        }
    })
}

/// Whether `and` or `or` stands beside a sum, outside of parentheses: it connects conditions.
fn connects_sums(context: Context) -> bool {
    let (mut depth, mut is_sum, mut connects) = (0_usize, None, false);
    for &token in &context.lexed.tokens {
        match token {
            Token::Open | Token::OpenBrace | Token::OpenRecord => depth += 1,
            Token::Close | Token::CloseBrace => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Token::And | Token::Or => {
                if is_sum == Some(true) {
                    return true;
                }
                (is_sum, connects) = (None, true);
                continue;
            }
            token if token.is_comparison() => is_sum = Some(false),
            _ => {}
        }
        is_sum = is_sum.or(Some(token == Token::Sum));
    }
    connects && is_sum == Some(true)
}

/// `C ? a : b` becomes `if C then a else b`.
fn choice_signs(context: Context) -> Vec<Change> {
    let tokens = &context.lexed.tokens;
    let asks: Vec<usize> = (0..tokens.len())
        .filter(|&at| context.word(at) == "?")
        .collect();
    let (&[ask], Some(colon)) = (&asks[..], context.position(Token::Colon)) else {
        return Vec::new();
    };
    let colons = tokens.iter().filter(|token| **token == Token::Colon);
    if ask == 0 || colon < ask || colons.count() > 1 {
        return Vec::new();
    }
    let start = context.place(0).start;
    vec![
        (Span::new(start, start), "if ".into()),
        (context.place(ask), "then".into()),
        (context.place(colon), "else".into()),
    ]
}

fn is_quotable(rule: &str) -> bool {
    rule.len() <= LONGEST && !rule.contains(['\n', '`']) && !rule.contains("//")
}

/// The text of a rule with changes, none of which overlap.
fn changed(context: Context, changes: Vec<Change>) -> String {
    let mut text = context.text.to_owned();
    for (place, by) in changes.into_iter().rev() {
        text.replace_range(place.start..place.end, &by);
    }
    text
}

/// `drop lowest 4d6` becomes `drop low 1 4d6`.
fn ends_of_lists(context: Context) -> Vec<Change> {
    let mut changes = Vec::new();
    for at in 0..context.lexed.tokens.len() {
        let word = match context.token(at) {
            Some(Token::High) => "high",
            Some(Token::Low) => "low",
            Some(Token::Best | Token::Name) => match context.word(at).to_ascii_lowercase().as_str()
            {
                "best" | "highest" => "high",
                "lowest" | "worst" => "low",
                _ => continue,
            },
            _ => continue,
        };
        let begins_list = matches!(context.token(at + 1), Some(Token::D | Token::Integer));
        let behind_operand = context.before(at).is_some_and(Token::ends_operand);
        if !begins_list || behind_operand {
            continue;
        }
        // The number in `low 4d6` is the number of dice.
        let goes_on = matches!(context.token(at + 2), Some(Token::D | Token::Hash));
        let has_count =
            context.token(at + 1) == Some(Token::Integer) && !(goes_on && context.is_glued(at + 2));
        let count = if has_count { "" } else { " 1" };
        changes.push((context.place(at), format!("{word}{count}")));
    }
    changes
}

/// Dice as other notations write them.
struct Dice {
    /// The token behind them.
    end: usize,
    /// The dice as a list.
    list: String,
    /// Their sum.
    sum: String,
}

/// `4d6` becomes `4#d6` where a list stands, and `sum(4#d6)` elsewhere.
fn dice(context: Context) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut at = 0;
    while at < context.lexed.tokens.len() {
        let Some(dice) = dice_at(context, at) else {
            at += 1;
            continue;
        };
        let mut end = dice.end;
        let text = if let Some(condition) = counted(context, at, end) {
            end += 2;
            format!("{condition} {}", dice.list)
        } else if is_list_place(context, at, end) {
            dice.list
        } else {
            dice.sum
        };
        changes.push((context.place(at).to(context.place(end - 1)), text));
        at = end;
    }
    changes
}

/// The dice that begin at a token, if Bones writes them otherwise.
fn dice_at(context: Context, at: usize) -> Option<Dice> {
    // `>3d6` is a filter of the list `d6`, and `d4d6` is a die of a die.
    let is_filter = context.before(at).is_some_and(Token::is_comparison)
        && !at
            .checked_sub(2)
            .is_some_and(|at| ends_operand(context, at));
    if is_filter || at > 0 && is_die(context, at - 1) {
        return None;
    }
    let counted = context.token(at) == Some(Token::Integer);
    let count = if counted { context.word(at) } else { "1" };
    let die = at + usize::from(counted);
    if counted && !context.is_glued(die) {
        return None;
    }
    let (sides, end) = match context.token(die)? {
        Token::Fate | Token::Percentile => (context.word(die).to_owned(), die + 1),
        _ if is_die(context, die) && context.token(die + 1) == Some(Token::Integer) => {
            (format!("d{}", context.word(die + 1)), die + 2)
        }
        _ => return None,
    };
    let explodes = context.token(end) == Some(Token::Unknown)
        && context.word(end) == "!"
        && context.token(die) == Some(Token::D);
    let mut one = sides;
    if explodes {
        let most = context.word(end - 1);
        one = format!("(while x={one} do if x == {most} then {one} else ())");
    }
    let end = end + usize::from(explodes);
    let kept = kept(context, end).filter(|_| counted);
    if !counted && !explodes {
        return None;
    }
    let all = match count {
        "1" => one.clone(),
        _ => format!("{count}#{one}"),
    };
    Some(match kept {
        Some(Kept { filter, count, end }) => Dice {
            end,
            sum: format!("sum({filter} {count} {all})"),
            list: format!("({filter} {count} {all})"),
        },
        None if count == "1" && explodes => Dice {
            end,
            sum: format!("sum{one}"),
            list: one,
        },
        None if count == "1" => Dice {
            end,
            sum: one.clone(),
            list: one,
        },
        None => Dice {
            end,
            sum: format!("sum({all})"),
            list: all,
        },
    })
}

fn ends_operand(context: Context, at: usize) -> bool {
    context.token(at).is_some_and(Token::ends_operand)
}

/// `count 4d6 >= 5`, `count(4d6 >= 5)`: the condition on each die, as a filter.
fn counted(context: Context, at: usize, end: usize) -> Option<String> {
    let is_count = |at: Option<usize>| at.and_then(|at| context.token(at)) == Some(Token::Count);
    let is_plain = is_count(at.checked_sub(1));
    let is_in_parentheses = context.before(at) == Some(Token::Open)
        && is_count(at.checked_sub(2))
        && context.token(end + 2) == Some(Token::Close);
    let is_compared = context.token(end).is_some_and(Token::is_comparison);
    let is_number = context.token(end + 1) == Some(Token::Integer);
    ((is_plain || is_in_parentheses) && is_compared && is_number)
        .then(|| format!("{}{}", context.word(end), context.word(end + 1)))
}

/// Whether dice from a token to another stand where a list is needed.
fn is_list_place(context: Context, at: usize, end: usize) -> bool {
    let Some(before) = context.before(at) else {
        return false;
    };
    match before {
        // Two operands side by side: the second is the list of a filter.
        _ if before.ends_operand() => true,
        _ if before.is_word() => true,
        Token::Open => match at.checked_sub(2).and_then(|at| context.token(at)) {
            Some(Token::Max | Token::Min) => context.token(end) == Some(Token::Close),
            Some(word) => word.is_word(),
            None => false,
        },
        Token::In => at >= 3 && context.token(at - 3) == Some(Token::Foreach),
        Token::Assign => {
            at >= 3
                && match context.token(at - 3) {
                    Some(Token::Let) => is_used_as_list(context, context.word(at - 2)),
                    binder => binder == Some(Token::While),
                }
        }
        _ => false,
    }
}

/// Whether a name is somewhere the operand of a word or the list of a filter.
fn is_used_as_list(context: Context, name: &str) -> bool {
    let mut uses = 1..context.lexed.tokens.len();
    uses.any(|at| {
        let is_name = context.token(at) == Some(Token::Name) && context.word(at) == name;
        let before = context.before(at);
        is_name && before.is_some_and(|before| before.is_word() || before.ends_operand())
    })
}

/// `x in 2..3` becomes `x >= 2 and x <= 3`.
fn memberships(context: Context) -> Vec<Change> {
    let mut open = 0_usize;
    let mut changes = Vec::new();
    for (at, token) in context.lexed.tokens.iter().enumerate() {
        match token {
            Token::Best | Token::For | Token::Foreach | Token::Let => open += 1,
            Token::In if open > 0 => open -= 1,
            Token::In => changes.extend(membership(context, at)),
            _ => {}
        }
    }
    changes
}

/// The condition for `x in 2..3`. The token `at` is `in`.
fn membership(context: Context, at: usize) -> Option<Change> {
    let mut start = context.operand_start(at)?;
    while context.before(start).is_some_and(Token::is_arithmetic) {
        start = context.operand_start(start - 1)?;
    }
    let value = context.words(start, at);
    let open = usize::from(context.token(at + 1) == Some(Token::Open));
    let low = at + 1 + open;
    let is_bound = |at: usize| matches!(context.token(at), Some(Token::Integer | Token::Name));
    let is_range =
        is_bound(low) && context.token(low + 1) == Some(Token::Dots) && is_bound(low + 2);
    let end = low + 3 + open;
    if !is_range || open == 1 && context.token(end - 1) != Some(Token::Close) {
        return None;
    }
    let (low, high) = (context.word(low), context.word(low + 2));
    let is_whole = start == 0 && end == context.lexed.tokens.len();
    let is_name = start + 1 == at && context.token(start) == Some(Token::Name);
    let between = |name: &str| format!("{name} >= {low} and {name} <= {high}");
    let condition = if is_name {
        let begins = context.before(start).is_none_or(|before| {
            matches!(before, Token::If | Token::In | Token::Open | Token::And)
        });
        let ends = context
            .token(end)
            .is_none_or(|next| matches!(next, Token::And | Token::Close | Token::Then));
        if begins && ends {
            between(value)
        } else {
            format!("({})", between(value))
        }
    } else if is_whole {
        let is_free = |name: &&str| (0..at).all(|at| context.word(at) != *name);
        let name = ["x", "y", "z"].into_iter().find(is_free)?;
        format!("let {name} = {value} in {}", between(name))
    } else {
        format!("(>={low} <={high} {value})")
    };
    Some((context.place(start).to(context.place(end - 1)), condition))
}

/// `if c then a` becomes `if c then a else 0`.
fn missing_else(context: Context) -> Vec<Change> {
    let number = |kind| {
        let tokens = context.lexed.tokens.iter();
        tokens.filter(|token| **token == kind).count()
    };
    let is_last = context.lexed.tokens.iter().rposition(|token| {
        matches!(
            token,
            Token::Let | Token::Foreach | Token::Repeat | Token::While
        )
    }) < context.position(Token::If);
    if number(Token::If) == 1 && number(Token::Else) == 0 && is_last {
        let end = context.text.trim_end().len();
        return vec![(Span::new(end, end), " else 0".into())];
    }
    Vec::new()
}
