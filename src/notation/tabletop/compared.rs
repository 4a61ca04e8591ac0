//! Warnings about comparisons that count dice where a total was probably meant.
//!
//! A comparison directly behind dice is about each of them, and ends with the first number behind its sign. Parentheses around
//! the dice make it one of totals.

use super::check::readable;
use super::known::{constant, count, faces, short, target};
use super::stages::{Change, Score, Stages};
use super::token::Operator;
use super::tree::{Argument, ChainPart, Die, Modified, Node, Tree};
use super::words::{Manner, Modifier};
use crate::error::Diagnostic;
use crate::ir::Comparison;
use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// The code of the warnings about targets.
const CODE: &str = "target";

/// The sums of a roll, for warnings about their members.
pub(super) struct Sums {
    /// For each node, the whole sum that it is a member of.
    wholes: Vec<Option<NodeId>>,
    /// For each sum, how many of its members are dice with a target.
    counts: Vec<usize>,
}

impl Sums {
    pub(super) fn of(tree: &Tree) -> Self {
        let number = tree.ids().count();
        let mut wholes: Vec<Option<NodeId>> = vec![None; number];
        let mut counts = vec![0; number];
        for id in tree.ids().rev() {
            match tree.node(id) {
                Node::Binary(Operator::Add | Operator::Subtract, a, b) => {
                    let whole = wholes[id.index()].unwrap_or(id);
                    wholes[a.index()] = Some(whole);
                    wholes[b.index()] = Some(whole);
                }
                Node::Die(die) if target(&die.modifiers).is_some() => {
                    if let Some(whole) = wholes[id.index()] {
                        counts[whole.index()] += 1;
                    }
                }
                _ => {}
            }
        }
        Self { wholes, counts }
    }

    /// The whole sum that dice are a member of.
    pub(super) fn whole(&self, id: NodeId) -> Option<NodeId> {
        self.wholes[id.index()]
    }

    /// The sum that dice with a target are a member of. A sum of several counts is meant as it is.
    fn around(&self, id: NodeId) -> Option<NodeId> {
        self.wholes[id.index()].filter(|whole| self.counts[whole.index()] == 1)
    }
}

/// Dice with a target.
#[derive(Clone, Copy)]
struct Compared<'t> {
    tree: &'t Tree,
    die: &'t Die,
    target: &'t Modified,
    /// The dice, or the whole sum that they are a member of.
    whole: Span,
}

/// `1d20>=1d20`: the `d` behind a target drops dice. Then no other warning about these dice helps.
pub(super) fn second_roll(
    tree: &Tree,
    sums: &Sums,
    id: NodeId,
    die: &Die,
    drops_all: bool,
) -> Option<Diagnostic> {
    let compared = Compared::of(tree, sums, id, die)?;
    let mut behind = die.modifiers.iter();
    behind.find(|part| part.kind == ChainPart::Target)?;
    let drops = behind.next()?;
    let is_die = drops.kind == ChainPart::Modifier(Modifier::DropEnd(Extreme::Low))
        && drops.span.start == compared.target.span.end
        && tree.slice(drops.span)[1..].starts_with(|sign: char| sign.is_ascii_digit());
    if !is_die || !matches!(drops.argument, Argument::Number(_)) {
        return None;
    }
    let Argument::Condition(_, number) = compared.target.argument else {
        return None;
    };
    let roll = Span::new(tree.span(number).start, drops.span.end);
    let [roll, words] = [roll, drops.span].map(|place| short(tree.slice(place)));
    let dropped = if drops_all { "every die" } else { "dice" };
    let message = format!("`{roll}` is no second roll here: its `{words}` drops {dropped}");
    let place = compared.target.span.to(drops.span);
    let warning = Diagnostic::new(place, message).with_code("second-roll");
    let help = compared.as_total()?;
    Some(warning.with_help(format!("write `{help}` to compare the two totals")))
}

/// The warning about a target behind dice.
pub(super) fn compared(
    tree: &Tree,
    sums: &Sums,
    id: NodeId,
    die: &Die,
    stages: &Stages,
) -> Option<Diagnostic> {
    let compared = Compared::of(tree, sums, id, die)?;
    let place = compared.target.span;
    let is_single = count(tree, die) == Some(1);
    let reach = compared.reach(stages);
    let never = reach.as_ref().filter(|reach| !reach.can_be_met);
    if compared.whole.start < tree.span(id).start {
        let about = "this comparison is about the last dice alone";
        let message = match never {
            Some(Reach { what, .. }) => format!("{about}, and none can show {what}"),
            None => about.into(),
        };
        return Some(compared.with_help(Diagnostic::new(place, message)));
    }
    let goes_on = compared.whole.end > tree.span(id).end;
    if let Some(Reach { what, .. }) = never {
        let message = format!("this counts dice, and none can show {what}");
        return Some(if goes_on {
            compared.with_help(Diagnostic::new(place, message))
        } else {
            let warning = Diagnostic::new(place, format!("{message}: it is always 0"));
            if is_single {
                warning.with_code(CODE)
            } else {
                compared.with_help(warning)
            }
        });
    }
    let always = reach.as_ref().filter(|reach| reach.is_always_met);
    let before = compared.before();
    let message = match always {
        _ if is_single && goes_on => {
            let Argument::Condition(_, number) = compared.target.argument else {
                return None;
            };
            let number = short(tree.words(number));
            format!("this compares with {number} alone, and counts dice")
        }
        Some(Reach { what, .. }) if !is_single => {
            format!("this counts dice, and each shows {what}")
        }
        _ if !is_single && before.ends_with(char::is_whitespace) => {
            "this counts dice, and does not compare the total".into()
        }
        _ => return None,
    };
    Some(compared.with_help(Diagnostic::new(place, message)))
}

/// Whether dice can meet a target.
struct Reach {
    can_be_met: bool,
    is_always_met: bool,
    /// The values that meet the target, in words.
    what: String,
}

impl<'t> Compared<'t> {
    fn of(tree: &'t Tree, sums: &Sums, id: NodeId, die: &'t Die) -> Option<Self> {
        let target = target(&die.modifiers)?;
        let whole = tree.span(sums.around(id).unwrap_or(id));
        Some(Self {
            tree,
            die,
            target,
            whole,
        })
    }

    /// What stands before the target, as written.
    fn before(self) -> &'t str {
        let start = self.whole.start;
        self.tree.slice(Span::new(start, self.target.span.start))
    }

    /// A warning with the comparison of the total as its help.
    fn with_help(self, warning: Diagnostic) -> Diagnostic {
        let text = self.as_total().unwrap_or_else(|| {
            let compared = self.tree.slice(self.target.span);
            let [left, compared] = [self.before(), compared].map(|text| short(text.trim()));
            format!("({left}){}", compared.replace(char::is_whitespace, ""))
        });
        let help = format!("write `{text}` to compare the total");
        warning.with_help(help).with_code(CODE)
    }

    /// The comparison of the total with everything behind the sign.
    fn as_total(self) -> Option<String> {
        let left = self.before().trim();
        let right = Span::new(self.target.span.start, self.whole.end);
        let right = self.tree.slice(right);
        // The name of a value, and a label, may have blanks.
        let right = if right.contains(['@', '?', '[', '/']) {
            right.into()
        } else {
            right.replace(char::is_whitespace, "")
        };
        readable(format!("({left}){right}"))
    }

    /// Whether the faces of the dice can meet the target, where they are known.
    fn reach(self, stages: &Stages) -> Option<Reach> {
        let Self { tree, die, .. } = self;
        let Score::Successes {
            success,
            failure: None,
        } = stages.score
        else {
            return None;
        };
        let keeps_faces = |change: &Change| match change {
            Change::Explode(explosion, _) => {
                !explosion.is_compound && explosion.manner != Manner::Penetrating
            }
            Change::Limit(..) => false,
            _ => true,
        };
        let is_known = stages.changes.iter().all(keeps_faces);
        let (low, high) = faces(tree, die).filter(|_| is_known)?;
        let number = constant(tree, success.number)?;
        let what = match success.comparison {
            Comparison::GreaterOrEqual => format!("{number} or more"),
            Comparison::Greater => format!("more than {number}"),
            Comparison::LessOrEqual => format!("{number} or less"),
            Comparison::Less => format!("less than {number}"),
            Comparison::Equal => number.to_string(),
            Comparison::NotEqual => return None,
        };
        let is_met = |face: i64| success.comparison.holds(&face, &number);
        let is_equal = success.comparison == Comparison::Equal;
        Some(Reach {
            can_be_met: is_met(low) || is_met(high) || is_equal && (low..=high).contains(&number),
            is_always_met: is_met(low) && is_met(high),
            what,
        })
    }
}
