//! Warnings about rolls that mean something else to players of another program, or hardly what was meant.

use super::compared::{Sums, compared, second_roll};
use super::known::{bare, constant, count, count_of, faces, short, target};
use super::stages::{Change, Choice, Condition, Count, Score, Selectors, Stages};
use super::token::{Operator, Sides as Word};
use super::tree::{Argument, ChainPart, Die, Modified, Node, Pool, Sides, Sum, Tree};
use super::vain;
use super::words::{Function, Manner, Modifier, sign};
use crate::error::Diagnostic;
use crate::ir::Comparison;
use crate::notation::reader::quote::MOST_LISTED;
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// The largest number of faces that are tried one by one.
const MOST_FACES: i64 = 1000;

/// The largest number of times that people roll something by hand.
const MOST_TIMES: i64 = 20;

/// No more warnings are looked for when there are this many, with repeated ones.
const MOST_FOUND: usize = 500;

/// The warnings about a roll, in the order of the text.
pub(super) fn warnings(tree: &Tree) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let sums = Sums::of(tree);
    for id in tree.ids() {
        if found.len() > MOST_FOUND {
            break;
        }
        match tree.node(id) {
            Node::Binary(operator, a, b) => operators(tree, (*operator, *a, *b), &mut found),
            Node::Compare(..) => found.extend(vain::coin(tree, id)),
            Node::Call(function, arguments) => found.extend(extreme(tree, *function, arguments)),
            Node::Die(die) => dice(tree, &sums, id, die, &mut found),
            Node::Pool(pool) => group(tree, pool, &mut found),
            _ => {}
        }
    }
    found.sort_by_key(|warning| warning.span);
    let mut seen: Vec<String> = Vec::new();
    found.retain(|warning| {
        let is_new = !seen.contains(&warning.message);
        if is_new {
            seen.push(warning.message.clone());
        }
        is_new
    });
    found.truncate(MOST_LISTED);
    found
}

/// Differences between programs that are too common for warnings.
pub(super) fn remarks(tree: &Tree) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for id in tree.ids() {
        let Node::Die(die) = tree.node(id) else {
            continue;
        };
        if die.sides == Sides::Word(Word::Percent) {
            let message = "`d%` is 1 to 100; Avrae's is 0, 10, … 90";
            found.push(Diagnostic::new(tree.span(id), message).as_note());
        }
        for part in die.modifiers.iter().take(MOST_LISTED) {
            if let (ChainPart::Modifier(Modifier::Keep), Argument::Number(number)) =
                (part.kind, part.argument)
            {
                let number = short(tree.words(number));
                let message = format!(
                    "`k{number}` keeps the {number} highest; in Avrae it keeps dice that show {number}"
                );
                found.push(Diagnostic::new(part.span, message).as_note());
            }
        }
    }
    found.truncate(MOST_LISTED);
    found
}

fn operators(
    tree: &Tree,
    (operator, a, b): (Operator, NodeId, NodeId),
    found: &mut Vec<Diagnostic>,
) {
    if operator == Operator::Floor {
        let between = Span::new(tree.span(a).end, tree.span(b).start);
        if tree.slice(between).starts_with(' ') && tree.slice(between).ends_with(' ') {
            found.push(
                Diagnostic::new(
                    between,
                    "`//` divides here, because a number or dice follow",
                )
                .with_help("write `#` to begin a comment")
                .with_code("division"),
            );
        }
    }
    found.extend(multiplied(tree, operator, (a, b)));
}

/// `6 × 3d6`: as people write that something is rolled six times.
fn multiplied(tree: &Tree, operator: Operator, (a, b): (NodeId, NodeId)) -> Option<Diagnostic> {
    let times = constant(tree, a).filter(|times| (2..=MOST_TIMES).contains(times))?;
    let sign = Span::new(tree.span(a).end, tree.span(b).start);
    if operator != Operator::Multiply || tree.slice(sign).trim() != "×" {
        return None;
    }
    if !matches!(tree.node(b), Node::Die(_) | Node::Pool(_)) {
        return None;
    }
    let message = format!("this is one roll, and its result times {times}");
    let help = format!("`{times}#{}` rolls {times} times", tree.slice(tree.span(b)));
    let warning = Diagnostic::new(sign, message).with_code("multiplied");
    Some(warning.with_help(help))
}

/// `max(2d20)`: the highest of one number.
fn extreme(tree: &Tree, function: Function, arguments: &[NodeId]) -> Option<Diagnostic> {
    let end = match function {
        Function::Max => 'h',
        Function::Min => 'l',
        _ => return None,
    };
    let [only] = *arguments else { return None };
    let Node::Die(die) = tree.node(only) else {
        return None;
    };
    let is_plain = die.modifiers.is_empty() && count(tree, die) != Some(1);
    is_plain.then(|| {
        let message = format!("`{}` of one number is that number", function.name());
        let dice = short(tree.slice(tree.span(only)));
        let which = if end == 'h' { "highest" } else { "lowest" };
        Diagnostic::new(tree.span(only), message)
            .with_help(format!("write `{dice}k{end}1` for the {which} die"))
            .with_code("one-number")
    })
}

fn dice(tree: &Tree, sums: &Sums, id: NodeId, die: &Die, found: &mut Vec<Diagnostic>) {
    let Ok(stages) = Stages::of(&die.modifiers) else {
        return;
    };
    let drops_all = drops_all(tree, &stages, count(tree, die));
    if let Some(warning) = second_roll(tree, sums, id, die, drops_all) {
        found.push(warning);
        return;
    }
    let is_single = count(tree, die) == Some(1);
    if let (Sides::Number(sides), None | Some(1)) =
        (die.sides, count(tree, die).filter(|_| die.count.is_some()))
        && constant(tree, sides) == Some(66)
    {
        found.push(
            Diagnostic::new(tree.span(id), "this is one die with 66 sides")
                .with_help("write `10*1d6+1d6` for two dice that are read as digits")
                .with_code("d66"),
        );
    }
    let kind = Kinds {
        is_single,
        has_target: target(&die.modifiers).is_some(),
        deducts: matches!(stages.score, Score::Deduct(_)),
    };
    let in_vain = vain::faces_changed(tree, die);
    for part in die.modifiers.iter().take(MOST_FOUND) {
        strict(tree, part, found);
        if in_vain
            .as_ref()
            .is_none_or(|vain| vain.span != Some(part.span))
        {
            modifier(tree, die, part, kind, found);
        }
    }
    found.extend(in_vain);
    orders(tree, die, &stages, found);
    found.extend(apart(tree, id, die, &stages));
    found.extend(vain::choices(tree, sums, id, die, &stages));
    found.extend(compared(tree, sums, id, die, &stages));
    if let Some(place) = never_ends(tree, id, die, &stages) {
        let message = "this never ends, because each roll makes one more";
        found.push(Diagnostic::new(place, message).with_code("endless"));
    }
    if drops_all {
        let (count, sides) = (die.count, die.sides);
        let mut warning = Diagnostic::new(tree.span(id), "this drops every die, so it is always 0")
            .with_code("drops-all");
        if let ([only], Sides::Number(sides)) = (&die.modifiers[..], sides)
            && let Argument::Number(number) = only.argument
            && tree.slice(only.span).to_lowercase().starts_with('d')
        {
            let count = count.map_or("1", |count| tree.words(count));
            let (inner, outer) = (tree.words(sides), tree.words(number));
            let help = format!("write `({count}d{inner})d{outer}` for dice of dice");
            warning = warning.with_help(help);
        }
        found.push(warning);
    }
}

/// `6d10!dl3`: each die that an explosion adds is dropped or kept on its own.
fn apart(tree: &Tree, id: NodeId, die: &Die, stages: &Stages) -> Option<Diagnostic> {
    if stages.choices.is_empty() {
        return None;
    }
    let mut parts = die.modifiers.iter();
    let (part, explosion) = parts.find_map(|part| match part.kind {
        ChainPart::Modifier(Modifier::Explode(explosion)) if !explosion.is_compound => {
            Some((part, explosion))
        }
        _ => None,
    })?;
    let message = "each die that this adds is dropped or kept on its own";
    let warning = Diagnostic::new(part.span, message).with_code("added-dice");
    let whole = tree.span(id);
    let before = tree.slice(Span::new(whole.start, part.span.start));
    let after = tree.slice(Span::new(part.span.start, whole.end));
    let meant = format!("{before}!{after}");
    let is_plain = explosion.manner == Manner::Endless && after.starts_with('!');
    Some(if is_plain && meant.chars().nth(60).is_none() {
        warning.with_help(format!(
            "write `{meant}` to add them to the die that they belong to"
        ))
    } else {
        warning
    })
}

/// What kind of dice a modifier belongs to.
#[derive(Clone, Copy)]
struct Kinds {
    /// Whether there is only one.
    is_single: bool,
    has_target: bool,
    /// Whether marks make dice count otherwise.
    deducts: bool,
}

fn modifier(tree: &Tree, die: &Die, part: &Modified, kind: Kinds, found: &mut Vec<Diagnostic>) {
    let words = tree.slice(part.span).to_lowercase();
    let ChainPart::Modifier(modifier) = part.kind else {
        return;
    };
    match modifier {
        Modifier::Reroll if !words.starts_with("rr") => found.push(
            Diagnostic::new(
                part.span,
                "`r` rerolls until it fails, as in Roll20; in Foundry it rerolls once",
            )
            .with_help("write `ro` to reroll once")
            .with_code("reroll"),
        ),
        Modifier::MarkSuccess | Modifier::MarkFailure
            if !kind.is_single && !kind.deducts && part.argument != Argument::None =>
        {
            let word = modifier.word();
            let warning = Diagnostic::new(
                part.span,
                format!("`{word}` only marks dice, as in Roll20; Foundry counts them"),
            );
            let condition = &words[2..];
            let condition = if condition.starts_with(|sign: char| sign.is_ascii_digit()) {
                format!("={condition}")
            } else {
                condition.to_owned()
            };
            let marks = [Modifier::MarkSuccess, Modifier::MarkFailure].map(ChainPart::Modifier);
            let others = die
                .modifiers
                .iter()
                .filter(|other| !marks.contains(&other.kind));
            let others: String = others.map(|other| tree.slice(other.span)).collect();
            let meant = short(&format!("{}{condition}{others}", bare(tree, die)));
            let help = format!("write `{meant}` to count");
            found.push(warning.with_help(help).with_code("marks"));
        }
        // With one exploding die there is nothing to count.
        Modifier::Explode(_) if !kind.has_target && count_of(tree, die) != "1" => {
            if let Argument::Condition(comparison, number) = part.argument {
                let dice = bare(tree, die);
                let number = tree.words(number);
                let sign = sign(comparison);
                let what = match comparison {
                    Comparison::Equal => format!("on {number}"),
                    Comparison::NotEqual => format!("on all but {number}"),
                    _ => format!("on {sign}{number}"),
                };
                found.push(
                    Diagnostic::new(part.span, format!("this explodes {what}, and adds up"))
                        .with_help(format!("write `{dice}{sign}{number}!` to count successes"))
                        .with_code("explodes"),
                );
            }
        }
        _ => {}
    }
}

/// `>8`, which another program reads with the 8.
fn strict(tree: &Tree, part: &Modified, found: &mut Vec<Diagnostic>) {
    let Argument::Condition(comparison @ (Comparison::Greater | Comparison::Less), number) =
        part.argument
    else {
        return;
    };
    let (sign, more) = match comparison {
        Comparison::Greater => (">", 1),
        _ => ("<", -1),
    };
    let words = short(tree.words(number));
    let values = match constant(tree, number).and_then(|number| number.checked_add(more)) {
        Some(first) if more > 0 => format!("is {first} and more here"),
        Some(first) => format!("is {first} and less here"),
        None => "leaves the number itself out here".into(),
    };
    let message =
        format!("`{sign}{words}` {values}, as in Foundry and Avrae; Roll20 includes {words}");
    found.push(
        Diagnostic::new(part.span, message)
            .with_help(format!("write `{sign}={words}` to include it"))
            .with_code("strict"),
    );
}

/// Modifiers that other programs apply in another order.
fn orders(tree: &Tree, die: &Die, stages: &Stages, found: &mut Vec<Diagnostic>) {
    let stage = |part: &Modified| match part.kind {
        ChainPart::Modifier(
            Modifier::Drop | Modifier::DropEnd(_) | Modifier::Keep | Modifier::KeepEnd(_),
        ) => 2,
        ChainPart::Modifier(Modifier::Unique | Modifier::UniqueOnce) => 1,
        ChainPart::Modifier(modifier) if modifier.changes_faces() => 1,
        _ => 3,
    };
    let choice = die.modifiers.iter().position(|part| stage(part) == 2);
    if let Some(choice) = choice
        && let Some(late) = die.modifiers[choice..].iter().find(|part| stage(part) == 1)
    {
        let words = short(tree.slice(late.span));
        let message =
            format!("`{words}` applies before the dice are chosen; Foundry and Avrae choose first");
        found.push(Diagnostic::new(late.span, message).with_code("order"));
    }
    let rank = |change: &Change| match change {
        Change::Limit(limit, _) => match limit {
            super::stages::Limit::AtLeast => 0,
            super::stages::Limit::AtMost => 1,
        },
        Change::Explode(..) => 2,
        Change::Add(_) | Change::Reroll(_) | Change::RerollOnce(_) => 3,
        Change::Unique { .. } => 4,
    };
    let is_sorted = stages.changes.is_sorted_by_key(rank);
    let place = die.modifiers.iter().find(|part| stage(part) == 1);
    if let (false, Some(place)) = (is_sorted, place) {
        let message = "these modifiers apply from left to right; rpg-dice-roller always takes min, max, explode, reroll, unique in this order";
        found.push(Diagnostic::new(place.span, message).with_code("order"));
    }
    mixed(
        &stages.choices,
        die.modifiers.iter().find(|part| stage(part) == 2),
        found,
    );
}

/// Choices that look at what is left, or that act together.
fn mixed(choices: &[Choice], place: Option<&Modified>, found: &mut Vec<Diagnostic>) {
    let Some(place) = place else { return };
    let acts_twice = choices.iter().any(|choice| match choice {
        Choice::Drop(selectors) | Choice::Keep(selectors) => {
            selectors.high.len() > 1 || selectors.low.len() > 1
        }
    });
    let has_both_ends = choices.iter().any(|choice| match choice {
        Choice::Keep(selectors) => !selectors.high.is_empty() && !selectors.low.is_empty(),
        Choice::Drop(_) => false,
    });
    let message = if acts_twice {
        "these choose from the same dice, so the largest of their numbers counts alone: `4d6dl1dl1` drops one die, and `4d6dl2` two"
    } else if choices.len() > 1 {
        "each choice sees what the one before it left; in rpg-dice-roller each looks at all dice"
    } else if has_both_ends {
        "this keeps the dice at both ends; in rpg-dice-roller each choice looks at all dice"
    } else {
        return;
    };
    found.push(Diagnostic::new(place.span, message).with_code("choices"));
}

/// Whether the choices, one after the other, leave no dice of a known number.
fn drops_all(tree: &Tree, stages: &Stages, number: Option<i64>) -> bool {
    let is_fixed = stages
        .changes
        .iter()
        .all(|change| !matches!(change, Change::Add(_) | Change::Explode(..)));
    let most = |counts: &[Count]| {
        let known = |count: &Count| count.0.map_or(Some(1), |id| constant(tree, id));
        counts.iter().filter_map(known).max().unwrap_or(0)
    };
    let mut left = number.filter(|number| is_fixed && *number > 0);
    stages.choices.iter().any(|choice| {
        let (Choice::Drop(selectors) | Choice::Keep(selectors)) = choice;
        let chosen = most(&selectors.high).saturating_add(most(&selectors.low));
        left = match choice {
            Choice::Drop(_) => left.map(|left| left.saturating_sub(chosen)),
            Choice::Keep(_) if is_by_number(tree, selectors) => {
                Some(left.map_or(chosen, |left| left.min(chosen)))
            }
            Choice::Keep(_) => None,
        };
        left.is_some_and(|left| left <= 0)
    })
}

/// Whether all that a choice looks at is how many dice it takes, which is known.
fn is_by_number(tree: &Tree, selectors: &Selectors) -> bool {
    let known = |count: &Count| count.0.is_none_or(|id| constant(tree, id).is_some());
    let mut counts = selectors.high.iter().chain(&selectors.low);
    selectors.condition.tests.is_empty() && counts.all(known)
}

/// Whether every face of a die explodes, or is rolled again, with the place of the modifier if it is the only one, else that of the dice.
fn never_ends(tree: &Tree, id: NodeId, die: &Die, stages: &Stages) -> Option<Span> {
    let (low, high) = faces(tree, die)?;
    if high - low > MOST_FACES || high < low || count(tree, die) == Some(0) {
        return None;
    }
    let always = |condition: &Condition, default: i64| {
        (low..=high).all(|face| {
            let is_default = condition.has_default && face == default;
            is_default
                || condition.tests.iter().any(|test| {
                    let number = constant(tree, test.number);
                    number.is_some_and(|number| test.comparison.holds(&face, &number))
                })
        })
    };
    // A modifier before it may change the faces that it sees.
    let endless = match stages.changes.first()? {
        Change::Explode(explosion, condition) => {
            explosion.manner != super::words::Manner::Once && always(condition, high)
        }
        Change::Reroll(condition) => always(condition, low),
        Change::Unique { is_once, condition } => {
            let is_plain = condition.tests.is_empty() && !is_once;
            is_plain && count(tree, die).is_some_and(|count| count > high - low + 1)
        }
        _ => false,
    };
    endless.then(|| match die.modifiers[..] {
        [only] => only.span,
        _ => tree.span(id),
    })
}

fn group(tree: &Tree, pool: &Pool, found: &mut Vec<Diagnostic>) {
    for part in pool.modifiers.iter().take(MOST_FOUND) {
        strict(tree, part, found);
    }
    let Ok(stages) = Stages::of(&pool.modifiers) else {
        return;
    };
    let choice = |part: &&Modified| {
        matches!(
            part.kind,
            ChainPart::Modifier(
                Modifier::Drop | Modifier::DropEnd(_) | Modifier::Keep | Modifier::KeepEnd(_)
            )
        )
    };
    mixed(&stages.choices, pool.modifiers.iter().find(choice), found);
    found.extend(vain::of_group(tree, pool, &stages));
    let [member] = pool.members[..] else { return };
    let Some(target) = target(&pool.modifiers) else {
        return;
    };
    let Ok(sum) = Sum::of(tree, member) else {
        return;
    };
    let number: Option<i64> = sum
        .dice
        .iter()
        .map(|&id| match tree.node(id) {
            Node::Die(die) => count(tree, die),
            _ => None,
        })
        .sum();
    if number != Some(1) {
        let (inner, compared) = (short(tree.words(member)), short(tree.slice(target.span)));
        found.push(
            Diagnostic::new(
                target.span,
                "each die is compared, as in Roll20; rpg-dice-roller and Foundry compare the total",
            )
            .with_help(format!("write `({inner}){compared}` to compare the total"))
            .with_code("each-die"),
        );
    }
}
