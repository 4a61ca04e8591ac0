//! Warnings about modifiers that change nothing, or less than they seem to, and about labels that look like modifiers.

use super::check::readable;
use super::compared::Sums;
use super::known::{bare, constant, count, faces, short, target};
use super::stages::{Change, Choice, Count, Stages};
use super::tree::{self, Argument, ChainPart, Die, Modified, Node, Pool, Tree};
use super::words::Modifier;
use crate::error::Diagnostic;
use crate::ir::Comparison;
use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// The largest number of faces that are tried one by one.
const MOST_FACES: i64 = 1000;

/// `2d6x10`: no face explodes. `10d10!9`: the highest face does not explode.
pub(super) fn faces_changed(tree: &Tree, die: &Die) -> Option<Diagnostic> {
    let changes = |part: &&Modified| match part.kind {
        ChainPart::Modifier(modifier) => modifier.changes_faces(),
        ChainPart::Target => false,
    };
    // A change before the modifier may give other values.
    let part = die.modifiers.iter().find(changes)?;
    let ChainPart::Modifier(modifier) = part.kind else {
        return None;
    };
    let (comparison, number) = match (modifier, part.argument) {
        (Modifier::Max | Modifier::Min | Modifier::RerollEnd(_), _) | (_, Argument::None) => {
            return None;
        }
        (_, Argument::Condition(comparison, number)) => (comparison, number),
        (_, Argument::Number(number)) => (Comparison::Equal, number),
    };
    let (low, high) =
        faces(tree, die).filter(|(low, high)| (0..MOST_FACES).contains(&(high - low)))?;
    let limit = constant(tree, number)?;
    let explodes = matches!(modifier, Modifier::Explode(_));
    let (words, dice) = (tree.slice(part.span), bare(tree, die));
    let is_plain = explodes && part.argument == Argument::Number(number);
    // `2d6x10` looks like a product.
    let times = (is_plain && words.starts_with(['x', 'X']))
        .then(|| format!("write `{dice}*{limit}` for {limit} times the total"));
    let finding = |message: String| Diagnostic::new(part.span, message);
    if !(low..=high).any(|face| comparison.holds(&face, &limit)) {
        let (what, help) = if explodes {
            let help = format!("write `{dice}!` to explode on {high}");
            ("explodes", times.unwrap_or(help))
        } else {
            ("is rolled again", "leave it out".into())
        };
        let asked = short(words);
        let warning = finding(format!(
            "no die shows what `{asked}` asks for, so nothing {what}"
        ));
        return Some(warning.with_help(help).with_code("no-face"));
    }
    let is_only = die.modifiers.iter().filter(changes).count() == 1;
    (is_plain && is_only && low < limit && limit < high).then(|| {
        let sign = words.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let more = format!("write `{sign}>={limit}` for {limit} and more");
        finding(format!("this explodes on {limit} alone, and not on {high}"))
            .with_help(times.unwrap_or(more))
            .with_code("one-face")
    })
}

/// The number of dice that a choice keeps, if it is the only one and has no condition.
fn kept(tree: &Tree, stages: &Stages) -> Option<i64> {
    let [Choice::Keep(selectors)] = &stages.choices[..] else {
        return None;
    };
    let counts = [&selectors.high[..], &selectors.low[..]].concat();
    let [Count(number)] = counts[..] else {
        return None;
    };
    let number = number.map_or(Some(1), |number| constant(tree, number));
    number.filter(|_| selectors.condition.tests.is_empty())
}

/// The modifier that keeps dice, or rolls of a group.
fn keeper(modifiers: &[Modified]) -> Option<&Modified> {
    let keeps = |part: &&Modified| {
        matches!(
            part.kind,
            ChainPart::Modifier(Modifier::Keep | Modifier::KeepEnd(_))
        )
    };
    modifiers.iter().find(keeps)
}

/// `4d6kh4`, and labels.
pub(super) fn choices(
    tree: &Tree,
    sums: &Sums,
    id: NodeId,
    die: &Die,
    stages: &Stages,
) -> impl Iterator<Item = Diagnostic> {
    let all = keeps_all(tree, sums, id, die, stages);
    all.into_iter().chain(label(tree, id, die))
}

/// `4d6kh4`, and `d6+d8+d10kh2`, whose choice is about the last die alone.
fn keeps_all(
    tree: &Tree,
    sums: &Sums,
    id: NodeId,
    die: &Die,
    stages: &Stages,
) -> Option<Diagnostic> {
    let adds = |change: &Change| matches!(change, Change::Add(_) | Change::Explode(..));
    let number = count(tree, die).filter(|number| *number > 0)?;
    kept(tree, stages).filter(|kept| *kept >= number && !stages.changes.iter().any(adds))?;
    let part = keeper(&die.modifiers)?;
    let words = tree.slice(part.span);
    let place = tree.span(id);
    let whole = sums.whole(id).map(|whole| tree.span(whole));
    let whole = whole.filter(|whole| whole.end == part.span.end && whole.start < place.start);
    let of_sum = whole.and_then(|whole| {
        let before = tree.slice(Span::new(whole.start, part.span.start));
        readable(format!("{{{before}}}{words}"))
    });
    let help = match of_sum {
        Some(sum) => format!("write `{sum}` to choose among all dice of the sum"),
        None if number == 1 => {
            let end = match part.kind {
                ChainPart::Modifier(Modifier::KeepEnd(Extreme::Low)) => "kl",
                _ => "kh",
            };
            let two = bare(tree, die).split_off(1);
            format!("write `2{two}{end}1` for one of two dice")
        }
        None => "leave it out".into(),
    };
    let message = format!("`{}` keeps every die", short(words));
    Some(
        Diagnostic::new(part.span, message)
            .with_help(help)
            .with_code("keeps-all"),
    )
}

/// `{d6,d8}kh2`, which keeps both, and `{2d6,d8,d10}kh2`, where 2d6 is one total.
pub(super) fn of_group(tree: &Tree, pool: &Pool, stages: &Stages) -> Option<Diagnostic> {
    let number = i64::try_from(pool.members.len())
        .ok()
        .filter(|number| *number > 1)?;
    let kept = kept(tree, stages)?;
    let part = keeper(&pool.modifiers)?;
    let words = short(tree.slice(part.span));
    if kept >= number {
        let message = format!("`{words}` keeps every roll of the group");
        let warning = Diagnostic::new(part.span, message).with_help("leave it out");
        return Some(warning.with_code("keeps-all"));
    }
    let dice = |id: &NodeId| match tree.node(tree.ungrouped(*id)) {
        Node::Die(die) if die.modifiers.is_empty() => count(tree, die),
        _ => None,
    };
    let counts: Option<Vec<i64>> = pool.members.iter().map(dice).collect();
    let several = counts?.iter().position(|count| *count > 1)?;
    (kept > 1).then(|| {
        let members = pool.members.iter().map(|&member| tree.words(member));
        let sum = members.collect::<Vec<_>>().join("+");
        let message = format!(
            "`{}` is one total here",
            short(tree.words(pool.members[several]))
        );
        Diagnostic::new(tree.span(pool.members[several]), message)
            .with_help(format!(
                "write `{{{}}}{words}` to choose among all dice",
                short(&sum)
            ))
            .with_code("totals")
    })
}

/// `1d20 >= dc + 2`: a coin, where the name of a difficulty was probably meant.
pub(super) fn coin(tree: &Tree, id: NodeId) -> Option<Diagnostic> {
    let Node::Compare(_, _, right) = *tree.node(id) else {
        return None;
    };
    let leftmost = tree::leftmost(tree, right);
    let is_name = tree.words(leftmost).eq_ignore_ascii_case("dc");
    is_name.then(|| {
        Diagnostic::new(tree.span(leftmost), "`dc` is a coin, which is 0 or 1")
            .with_help("write `@dc` for a number that is given from outside")
            .with_code("coin")
    })
}

/// `4d6 [5+]`: a label that looks like a target.
fn label(tree: &Tree, id: NodeId, die: &Die) -> Option<Diagnostic> {
    let end = tree.span(id).end;
    let behind = &tree.source.text()[end..];
    let label = behind.trim_start_matches(' ').strip_prefix('[')?;
    let (label, _) = label.split_once(']')?;
    let is_sign = |sign: char| sign.is_ascii_digit() || " +-<>=≥≤".contains(sign);
    let digits = label.trim_matches(|sign: char| !sign.is_ascii_digit());
    if digits.is_empty() || !label.chars().all(is_sign) || target(&die.modifiers).is_some() {
        return None;
    }
    let start = end + behind.find('[')?;
    let message = format!(
        "`[{}]` is a label, and says nothing about the dice",
        short(label)
    );
    let sign = match label.trim_matches(|sign: char| sign == ' ' || sign.is_ascii_digit()) {
        "-" => "<=",
        "+" | "" => ">=",
        sign => sign,
    };
    let words = tree.words(id);
    let help = match readable(format!("{words}{sign}{digits}")) {
        Some(meant) => format!("write `{}` to count dice", short(&meant)),
        None => "leave it out".into(),
    };
    let place = Span::new(start, start + label.len() + 2);
    Some(
        Diagnostic::new(place, message)
            .with_help(help)
            .with_code("label"),
    )
}
