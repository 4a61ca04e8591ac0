//! Warnings about texts that are read in another way than they look, and about words of the language that are names here.

use std::collections::{BTreeMap, BTreeSet};

use super::lexer::{Lexed, Token, is_bound_word};
use super::lower::Slip;
use super::tree::{Binder, By, Filter, Node, Operator, Pair, Tree, Word, symbol};
use crate::error::Diagnostic;
use crate::ir::Comparison;
use crate::notation::reader::quote::{MOST_LISTED, is_line, is_short, shortened, suggesting};
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::source::Span;

/// The warnings about a rule of Bones.
pub(super) fn misreadings(tree: &Tree, lexed: &Lexed) -> Vec<Diagnostic> {
    let mut found = names(tree, lexed);
    let states = states(tree);
    for id in tree.ids() {
        if found.len() >= MOST_LISTED {
            break;
        }
        let warning = match *tree.node(id) {
            Node::If(_, _, no) if !states.contains(&id.index()) => after_else(tree, id, no),
            Node::Range(low, high) => {
                cut_range(tree, id, low, high).or_else(|| compared_range(tree, id))
            }
            Node::Arithmetic(Operator::Concatenate, a, b) => decimal(tree, id, a, b),
            Node::Arithmetic(Operator::Divide, a, b) => halved(tree, id, a, b),
            Node::Arithmetic(Operator::Add, a, b) => counted_number(tree, id, a, b),
            Node::Compare(comparison, a, b) => always_all(tree, comparison, a, b),
            Node::Given(value, condition) => unrelated(tree, value, condition),
            Node::Arithmetic(Operator::Subtract, a, b) => subtracted(tree, id, a, b),
            Node::Die(sides) => tens_and_units(tree, id, sides),
            Node::Filter(filter, first, list) => {
                glued_count(tree, filter, first, list).or_else(|| of_one(tree, id, filter.by, list))
            }
            Node::Word(Word::Distinct | Word::Perm | Word::Rev | Word::Sort, list) => {
                of_one(tree, id, By::First, list)
            }
            _ => None,
        };
        found.extend(warning);
    }
    found.truncate(MOST_LISTED);
    found
}

/// `let min = 1 in min`: a word that is a name here, because something binds it or gives it a value.
fn names(tree: &Tree, lexed: &Lexed) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let tokens = lexed.tokens.iter().zip(&lexed.spans);
    let names = tokens.filter(|&(&token, _)| token == Token::Name);
    let words = names.filter(|&(_, &span)| {
        let word = tree.slice(span);
        is_bound_word(word) && seen.insert(word)
    });
    words
        .map(|(_, &span)| {
            let word = tree.slice(span);
            Diagnostic::new(span, format!("`{word}` is a name in this rule"))
                .with_code("word-as-name")
                .with_note(format!(
                    "where nothing else gives it a value, `{word}` is a word of the language"
                ))
                .with_help("give the variable another name")
        })
        .collect()
}

/// The choices between states of loops with several variables. In these, a comma belongs to the state after `else`.
fn states(tree: &Tree) -> BTreeSet<usize> {
    let mut choices = BTreeSet::new();
    let mut open: Vec<NodeId> = tree
        .ids()
        .filter_map(|id| match tree.node(id) {
            Node::Loop(repeated) if repeated.states.len() > 1 => Some(repeated.body),
            _ => None,
        })
        .collect();
    while let Some(id) = open.pop() {
        match *tree.node(id) {
            Node::Group(Some(inner)) => open.push(inner),
            Node::Best(_, binding, _) | Node::Bind(_, binding) => open.push(binding.body),
            Node::If(_, yes, no) => {
                choices.insert(id.index());
                open.extend([yes, no]);
            }
            Node::Case(ref case) => {
                open.extend(case.arms.iter().map(|arm| arm.result));
                open.extend(case.otherwise);
            }
            _ => {}
        }
    }
    choices
}

/// `if c then a else b, x`: the comma belongs to what follows `else`.
fn after_else(tree: &Tree, whole: NodeId, no: NodeId) -> Option<Diagnostic> {
    let Node::Join(ref members) = *tree.node(no) else {
        return None;
    };
    let span = tree.span(no);
    let first = members.first()?;
    let cut = tree.span(*first).end;
    let head = tree.slice(Span::new(tree.span(whole).start, cut));
    let rest = tree.slice(Span::new(cut, span.end));
    let meant = format!("({head}){rest}");
    let warning = Diagnostic::new(span, "the comma belongs to what follows `else`")
        .with_code("comma-after-else");
    let purpose = " if the list goes on after the `if`, else put it in parentheses";
    let otherwise = "put the `if`, or the list after `else`, in parentheses";
    Some(suggesting(warning, (&meant, purpose), otherwise))
}

/// `first 5 perm 1..52`: the range begins with the words.
fn cut_range(tree: &Tree, id: NodeId, low: NodeId, high: NodeId) -> Option<Diagnostic> {
    let operand = match *tree.node(low) {
        Node::Word(Word::Perm | Word::Rev | Word::Sort | Word::Distinct, operand)
        | Node::Pair(Pair::Draw, _, operand) => operand,
        Node::Filter(filter, _, operand) if !matches!(filter.by, By::Value(_)) => operand,
        _ => return None,
    };
    let mut first = operand;
    while let Node::Word(_, inner) | Node::Filter(_, _, inner) | Node::Pair(Pair::Draw, _, inner) =
        *tree.node(first)
    {
        first = inner;
    }
    let start = tree.span(id).start;
    let [low, high] = [tree.span(low), tree.span(high)];
    let words = tree.slice(Span::new(start, tree.span(first).start));
    let from = tree.slice(Span::new(tree.span(first).start, low.end));
    let to = tree.slice(high);
    let meant = format!("{words}({from}..{to})");
    let read = format!("({})..{to}", tree.slice(low));
    let message = if is_short(&read) {
        format!("`..` is looser than the words before it: this means `{read}`")
    } else {
        "`..` is looser than the words before it".into()
    };
    let warning = Diagnostic::new(tree.span(id), message).with_code("loose-range");
    let otherwise = "put the range in parentheses";
    Some(suggesting(warning, (&meant, ""), otherwise))
}

/// `x == 7..9`, which is a range from 1 or 0 to 9.
pub(super) fn compared_range(tree: &Tree, id: NodeId) -> Option<Diagnostic> {
    let Node::Range(low, high) = *tree.node(id) else {
        return None;
    };
    let Node::Compare(comparison, value, first) = *tree.node(low) else {
        return None;
    };
    let [value, first, last] = [value, first, high].map(|id| tree.words(id));
    let message = "`..` is looser than a comparison: this range begins with 0 or 1";
    let warning = Diagnostic::new(tree.span(id), message).with_code("loose-range");
    let between = format!("{value} >= {first} and {value} <= {last}");
    Some(if comparison == Comparison::Equal && is_short(&between) {
        warning.with_help(format!("write `{between}`"))
    } else {
        warning.with_help("put the range in parentheses")
    })
}

/// `2d6 == 7-9`: a difference, where a range was meant.
fn subtracted(tree: &Tree, id: NodeId, a: NodeId, b: NodeId) -> Option<Diagnostic> {
    let number = |id| match tree.node(id) {
        Node::Integer => tree.words(id).parse::<u32>().ok(),
        _ => None,
    };
    let (low, high) = (number(a)?, number(b)?);
    let is_glued = tree.span(a).end + 1 == tree.span(b).start;
    (is_glued && 0 < low && low < high).then(|| {
        let message = format!("this is {low} less {high}, and no range");
        let warning = Diagnostic::new(tree.span(id), message).with_code("loose-range");
        warning.with_help(format!("a range is written `{low}..{high}`"))
    })
}

/// The warnings about slips that the lowering has found.
pub(super) fn slips(tree: &Tree, slips: &BTreeMap<Span, Slip>) -> Vec<Diagnostic> {
    let warning = |(&place, slip): (&Span, &Slip)| {
        let words = tree.slice(place);
        Some(match slip {
            Slip::None => return None,
            Slip::KeepsNothing { reason } => {
                let warning = Diagnostic::new(place, "this filter never keeps anything");
                warning.with_code("never-kept").with_note(reason)
            }
            Slip::RolledOnce { name } => {
                let name = shortened(name);
                let message = format!("`{name}` was rolled once, and this repeats that roll");
                let help = "write the dice behind `#`; a definition takes sides: `def adv(n) = max(2#d n)`";
                Diagnostic::new(place, message)
                    .with_code("rolled-once")
                    .with_help(help)
            }
            Slip::AlwaysHolds => always_holds(tree, place, words),
        })
    };
    slips.iter().filter_map(warning).take(MOST_LISTED).collect()
}

/// `if count >4 2#d6 then 1 else 0`: a condition that always holds.
fn always_holds(tree: &Tree, place: Span, words: &str) -> Diagnostic {
    let counted = tree.ids().find_map(|id| match *tree.node(id) {
        Node::Word(Word::Count, list) if tree.span(id) == place => {
            Some(tree.words(tree.ungrouped(list)))
        }
        _ => None,
    });
    let message = match counted.filter(|list| is_short(list)) {
        Some(list) => {
            format!("count gives a number, and a number is never empty; did you mean `if {list}`?")
        }
        None => "a number always holds as a condition, even 0".into(),
    };
    let meant = format!("compare it: `{words} == 1` or `{words} > 0`");
    Diagnostic::new(place, message)
        .with_code("number-as-condition")
        .with_label("always one number")
        .with_help(if is_short(words) {
            meant
        } else {
            "compare it, as in `x > 0`".into()
        })
}

/// `count 4#d6 >= 5`: the number of all dice, which is known.
fn always_all(tree: &Tree, comparison: Comparison, a: NodeId, b: NodeId) -> Option<Diagnostic> {
    let Node::Word(Word::Count, list) = *tree.node(tree.ungrouped(a)) else {
        return None;
    };
    let words = tree.words(list);
    let list = tree.ungrouped(list);
    let list = match tree.node(list) {
        Node::Name => value_of(tree, tree.words(list))?,
        _ => list,
    };
    let Node::Repeat(count, die) = *tree.node(list) else {
        return None;
    };
    if !is_number(tree, die, &mut { MOST_NAMES }) || !matches!(tree.node(count), Node::Integer) {
        return None;
    }
    let all = tree.words(count);
    let message = if is_short(words) {
        format!("`count {words}` is the number of all dice: {all}")
    } else {
        format!("this is the number of all dice: {all}")
    };
    let warning = Diagnostic::new(tree.span(a), message).with_code("counts-all");
    let meant = format!("count {}{} {words}", symbol(comparison), tree.words(b));
    Some(if is_line(&meant) {
        warning.with_help(format!("write `{meant}` to count the dice that pass"))
    } else {
        warning.with_help("write `count >=5 x` to count the dice of 5 or more")
    })
}

/// How many names are followed to their values. Each takes a look at the whole rule.
pub(super) const MOST_NAMES: u32 = 4;

/// Whether a part of a rule is surely one number.
pub(super) fn is_number(tree: &Tree, id: NodeId, names: &mut u32) -> bool {
    let id = tree.ungrouped(id);
    match *tree.node(id) {
        Node::AnyDie(_)
        | Node::Arithmetic(..)
        | Node::Compare(..)
        | Node::Dice(_)
        | Node::Die(_)
        | Node::Fate
        | Node::Function(..)
        | Node::Integer
        | Node::Negate(_)
        | Node::Percentile
        | Node::Word(Word::Count | Word::Prod | Word::Sum, _) => true,
        Node::If(_, yes, no) => is_number(tree, yes, names) && is_number(tree, no, names),
        Node::Name if *names > 0 => {
            *names -= 1;
            value_of(tree, tree.words(id)).is_some_and(|value| is_number(tree, value, names))
        }
        _ => false,
    }
}

/// The value of a name that is bound once, by `let`.
pub(super) fn value_of(tree: &Tree, name: &str) -> Option<NodeId> {
    let mut values = tree.ids().filter_map(|id| match *tree.node(id) {
        Node::Bind(_, binding) | Node::Best(_, binding, _) | Node::Reroll(binding)
            if tree.slice(binding.name) == name =>
        {
            Some((id, tree.ungrouped(binding.value)))
        }
        _ => None,
    });
    let (binding, value) = values.next()?;
    let is_let = matches!(tree.node(binding), Node::Bind(Binder::Let, _));
    (is_let && values.next().is_none()).then_some(value)
}

/// `d6 given d6 > 3`: the condition is about other dice than the value.
fn unrelated(tree: &Tree, value: NodeId, condition: NodeId) -> Option<Diagnostic> {
    let mut open = vec![condition];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        if matches!(node, Node::Name | Node::Call(..)) {
            return None;
        }
        node.each_operand(|operand| open.push(operand));
    }
    let (value, asked) = (tree.words(value), tree.words(condition));
    let message = "this condition rolls dice of its own, and says nothing about the value";
    let warning = Diagnostic::new(tree.span(condition), message).with_code("unrelated-condition");
    let rest = asked.strip_prefix(value);
    let rest = rest.filter(|rest| !rest.starts_with(char::is_alphanumeric));
    let (value, asked) = match rest {
        Some(rest) if is_short(value) && is_short(asked) => (value, format!("x{rest}")),
        _ => ("…", "x > 3".to_owned()),
    };
    Some(warning.with_help(format!(
        "name the roll: `let x = {value} in x given {asked}`"
    )))
}

/// `(x - 10)/2`: the modifier of an ability score.
fn halved(tree: &Tree, id: NodeId, a: NodeId, b: NodeId) -> Option<Diagnostic> {
    let is = |id, number: &str| matches!(tree.node(id), Node::Integer) && tree.words(id) == number;
    let inner = tree.ungrouped(a);
    let Node::Arithmetic(Operator::Subtract, _, ten) = *tree.node(inner) else {
        return None;
    };
    if inner == a || !is(tree.ungrouped(ten), "10") || !is(b, "2") {
        return None;
    }
    let meant = format!("{} div 2", tree.words(a));
    let warning = Diagnostic::new(tree.span(id), "`/` rounds toward zero; `div` rounds down")
        .with_code("rounding");
    Some(suggesting(warning, (&meant, ""), "write `div` for `/`"))
}

/// `d1.5` and `1.5d6`: digits in a row, and no decimal. `3d6.5` and `5d6.count(6)`: the digits of a total, and no member of dice.
fn decimal(tree: &Tree, id: NodeId, a: NodeId, b: NodeId) -> Option<Diagnostic> {
    let (before, after) = (tree.words(a), tree.words(b));
    let is_number = |text: &str| text.bytes().all(|sign| sign.is_ascii_digit());
    let dice = before.split_once('d').filter(|(count, sides)| {
        !["", "1"].contains(count) && is_number(count) && is_number(sides)
    });
    let sides = before.strip_prefix('d').unwrap_or(before);
    let is_glued = tree.span(a).end + 1 == tree.span(b).start;
    let is_decimal = is_number(sides) && after.starts_with(|sign: char| sign.is_ascii_digit());
    if !(is_decimal || dice.is_some()) || !is_glued || !is_short(tree.words(id)) {
        return None;
    }
    let (what, help) = match dice {
        Some((count, sides)) => (
            format!("the total {before}, and then those of {after}"),
            format!("what is asked stands before dice: `count ==6 {count}#d{sides}`"),
        ),
        None => (
            format!("{before}, and then {after}: numbers of Bones are whole"),
            format!("write `{before} . {after}` if it is meant so"),
        ),
    };
    let warning = Diagnostic::new(tree.span(id), format!("this is the digits of {what}"));
    Some(warning.with_help(help).with_code("digits"))
}

/// `d66`: a die with 66 sides, and not the tens and the units of two dice.
fn tens_and_units(tree: &Tree, id: NodeId, sides: NodeId) -> Option<Diagnostic> {
    let is_pair = matches!(tree.node(sides), Node::Integer) && tree.words(sides) == "66";
    is_pair.then(|| {
        Diagnostic::new(tree.span(id), "this is one die with 66 sides")
            .with_code("d66")
            .with_help("write `d6.d6` for the tens and the units of two dice")
    })
}

/// `count 5+ 4#d6`: the number of members of a number, added to dice.
fn counted_number(tree: &Tree, id: NodeId, a: NodeId, b: NodeId) -> Option<Diagnostic> {
    let Node::Word(Word::Count, number) = *tree.node(a) else {
        return None;
    };
    if !matches!(tree.node(number), Node::Integer) {
        return None;
    }
    let (number, dice) = (tree.words(number), tree.words(b));
    let message = format!("`count {number}` is 1, the number of members of {number}");
    let meant = format!("count >={number} {dice}");
    let warning = Diagnostic::new(tree.span(id), message).with_code("counted-number");
    let purpose = format!(" to count dice that show {number} or more");
    Some(suggesting(warning, (&meant, &purpose), ""))
}

/// `low 4d6`: the number of members is glued to the die, as if it were a number of dice.
fn glued_count(tree: &Tree, filter: Filter, first: NodeId, list: NodeId) -> Option<Diagnostic> {
    let is_glued = tree.span(first).end == tree.span(list).start
        && matches!(tree.node(first), Node::Integer)
        && matches!(tree.node(list), Node::Die(_))
        && !matches!(filter.by, By::Value(_));
    let (count, die) = (tree.words(first), tree.words(list));
    if !is_glued || !is_short(count) || !is_short(die) {
        return None;
    }
    let words = filter.words();
    let message = format!("this is `{words} {count}` of the one die {die}");
    let place = tree.span(first).to(tree.span(list));
    let meant = format!("write `{words} 1 {count}#{die}` for one of {count} dice");
    Some(
        Diagnostic::new(place, message)
            .with_code("glued-count")
            .with_help(meant),
    )
}

/// `high 2 d6+d8+d10`, and `low 1 (d6+d8)`: a choice among one number.
fn of_one(tree: &Tree, id: NodeId, by: By, list: NodeId) -> Option<Diagnostic> {
    let inner = tree.ungrouped(list);
    let is_rolled = matches!(
        tree.node(inner),
        Node::Arithmetic(..) | Node::Dice(_) | Node::Die(_)
    );
    if matches!(by, By::Value(_)) || !is_rolled || !is_number(tree, inner, &mut { MOST_NAMES }) {
        return None;
    }
    let start = tree.span(id).start;
    let is_around = |whole: &NodeId| {
        let node = tree.node(*whole);
        let is_sum = matches!(node, Node::Arithmetic(Operator::Add, ..) | Node::Join(_));
        is_sum && tree.span(*whole).start == start
    };
    let mut members = Vec::new();
    let add = |whole: NodeId, members: &mut Vec<_>| {
        let mut rest = whole;
        while let Node::Arithmetic(Operator::Add, before, last) = *tree.node(rest) {
            members.push(tree.words(last));
            rest = before;
        }
        rest
    };
    match tree
        .ids()
        .rev()
        .find(is_around)
        .map(|whole| (whole, tree.node(whole)))
    {
        Some((_, Node::Join(all))) => {
            members.extend(all[1..].iter().rev().map(|&member| tree.words(member)));
        }
        Some((whole, _)) => {
            add(whole, &mut members);
        }
        None => {}
    }
    let first = add(inner, &mut members);
    members.push(tree.words(first));
    members.reverse();
    let words = tree.slice(Span::new(start, tree.span(list).start));
    let meant = format!("{words}({})", members.join(", "));
    let warning = Diagnostic::new(tree.span(list), "this is one number, and no list");
    let warning = warning.with_code("one-number");
    Some(match members.len() {
        1 => warning,
        _ => suggesting(warning, (&meant, " for its parts"), ""),
    })
}
