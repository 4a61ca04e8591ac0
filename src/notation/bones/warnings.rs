//! Warnings about rules that can be evaluated but probably do not mean what was intended.

use super::print;
use super::table::Table;
use super::tree::{Binder, Binding, By, Filter, How, Modifier, Node, Operator, Pair, Tree, Word};
use crate::error::Diagnostic;
use crate::ir::Comparison;
use crate::notation::reader::quote::{MOST_LISTED, shortened};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::source::Span;
use crate::stack;

/// The length of the longest text that a message quotes.
const MAX_QUOTE: usize = 60;

/// The warnings about a rule, in the order of the text.
pub(super) fn warnings(table: Table, tree: &Tree) -> Vec<Diagnostic> {
    let mut reader = Reader {
        table,
        tree,
        scope: Vec::new(),
        loops: Vec::new(),
        random: 0,
        found: Vec::new(),
    };
    reader.read(tree.root);
    reader.found.sort_by_key(|warning| warning.span);
    reader.found
}

struct Reader<'t> {
    table: Table,
    tree: &'t Tree,
    /// The names in scope, the innermost last.
    scope: Vec<Bound<'t>>,
    /// For each `foreach` whose body is being read, the number of names in scope outside the body.
    loops: Vec<usize>,
    /// The number of dice and `perm` that have been read.
    random: usize,
    found: Vec<Diagnostic>,
}

struct Bound<'s> {
    name: &'s str,
    value: Facts,
    is_used: bool,
}

/// Static facts about a value.
#[derive(Clone, Copy)]
struct Facts {
    /// The bounds of each member.
    members: Range,
    /// Whether the value always has exactly one member.
    is_number: bool,
}

impl Facts {
    const UNKNOWN: Self = Self::list(Range::UNKNOWN);

    const fn list(members: Range) -> Self {
        Self {
            members,
            is_number: false,
        }
    }

    const fn number(members: Range) -> Self {
        Self {
            members,
            is_number: true,
        }
    }
}

impl Reader<'_> {
    fn read(&mut self, id: NodeId) -> Facts {
        stack::level(|| self.node(id))
    }

    fn node(&mut self, id: NodeId) -> Facts {
        let tree = self.tree;
        match *tree.node(id) {
            Node::Arithmetic(operator, a, b) => {
                let (a, b) = (self.read(a).members, self.read(b).members);
                Facts::number(match operator {
                    Operator::Add => a.plus(b),
                    Operator::Multiply => a.times(b),
                    Operator::Subtract => a.plus(b.negated()),
                    _ => Range::UNKNOWN,
                })
            }
            Node::Bind(binder, binding) => self.binding(binder, binding),
            Node::Die(sides) => {
                self.random += 1;
                let sides = self.read(sides).members;
                Facts::number(Range {
                    low: Some(1),
                    high: sides.high,
                })
            }
            Node::Filter(filter, argument, list) => self.filter(id, filter, argument, list),
            Node::Group(None) | Node::Unreadable => Facts::UNKNOWN,
            Node::Group(Some(content)) => self.read(content),
            Node::If(condition, yes, no) => self.condition(condition, yes, no),
            Node::Integer => {
                Facts::number(tree.words(id).parse().map_or(Range::UNKNOWN, Range::only))
            }
            Node::Join(ref members) => {
                let either = |either: Option<Range>, members: Range| {
                    Some(either.map_or(members, |either| either.or(members)))
                };
                let members = members.iter().map(|&member| self.read(member).members);
                let members = members.fold(None, either);
                Facts::list(members.unwrap_or_default())
            }
            Node::Name => self.name(id),
            Node::Negate(operand) => Facts::number(self.read(operand).members.negated()),
            Node::Range(low, high) => {
                let (low, high) = (self.read(low).members, self.read(high).members);
                Facts::list(Range {
                    low: low.low,
                    high: high.high,
                })
            }
            Node::Repeat(count, body) => {
                self.read(count);
                Facts::list(self.read(body).members)
            }
            Node::AnyDie(_) | Node::Dice(_) | Node::Fate | Node::Percentile => {
                self.random += 1;
                self.read_operands(id);
                Facts::number(Range::UNKNOWN)
            }
            Node::Function(..) | Node::Pair(Pair::Compare, ..) => {
                self.read_operands(id);
                Facts::number(Range::UNKNOWN)
            }
            // What a definition rolls, and what is drawn, is not known here.
            Node::Call(..) | Node::Draw(..) | Node::Pair(Pair::Draw, ..) => {
                self.random += 1;
                self.read_operands(id);
                Facts::UNKNOWN
            }
            Node::Again(..)
            | Node::Case(_)
            | Node::Compare(..)
            | Node::Connect(..)
            | Node::Given(..)
            | Node::Not(_)
            | Node::On(..)
            | Node::Pair(..)
            | Node::Part(..)
            | Node::Record(_)
            | Node::Text => {
                self.read_operands(id);
                Facts::UNKNOWN
            }
            Node::Best(..) | Node::Loop(_) | Node::Reroll(_) => self.repeated(id),
            Node::Word(word, list) => {
                self.swallowed(
                    id,
                    list,
                    matches!(word, Word::Count | Word::Prod | Word::Sum),
                );
                let members = self.read(list).members;
                self.random += usize::from(word == Word::Perm);
                match word {
                    Word::Count | Word::Straight => Facts::number(Range::at_least(0)),
                    Word::Sets => Facts::list(Range::at_least(1)),
                    Word::Distinct | Word::Perm | Word::Rev | Word::Sort => Facts::list(members),
                    Word::Prod | Word::Sum if members.low >= Some(0) => {
                        Facts::number(Range::at_least(0))
                    }
                    Word::Prod | Word::Sum => Facts::number(Range::UNKNOWN),
                }
            }
        }
    }

    fn read_operands(&mut self, id: NodeId) {
        let tree = self.tree;
        tree.node(id).each_operand(|operand| {
            self.read(operand);
        });
    }

    /// A loop with a state, or a choice. Its names count as used: a counter may only be counted.
    fn repeated(&mut self, id: NodeId) -> Facts {
        let tree = self.tree;
        let outside = self.scope.len();
        let names: Vec<Span> = match tree.node(id) {
            Node::Loop(repeated) => {
                let states = repeated.states.iter().map(|&(name, _)| name);
                match repeated.how {
                    How::For(name, _) => states.chain([name]).collect(),
                    How::Until(_) | How::While(_) => states.collect(),
                }
            }
            Node::Best(_, Binding { name, .. }, _) | Node::Reroll(Binding { name, .. }) => {
                vec![*name]
            }
            _ => Vec::new(),
        };
        self.scope.extend(names.into_iter().map(|name| Bound {
            name: tree.slice(name),
            value: Facts::UNKNOWN,
            is_used: true,
        }));
        self.read_operands(id);
        self.scope.truncate(outside);
        Facts::UNKNOWN
    }

    fn name(&mut self, id: NodeId) -> Facts {
        let name = self.tree.words(id);
        let bound = self.scope.iter_mut().rev().find(|bound| bound.name == name);
        bound.map_or(Facts::UNKNOWN, |bound| {
            bound.is_used = true;
            bound.value
        })
    }

    fn binding(&mut self, binder: Binder, Binding { name, value, body }: Binding) -> Facts {
        let place = name;
        let name = self.tree.slice(place);
        let value = self.read(value);
        if binder == Binder::Let {
            self.running_total(place, name);
        }
        if binder == Binder::Foreach {
            self.loops.push(self.scope.len());
        }
        self.scope.push(Bound {
            name,
            value: match binder {
                Binder::Foreach | Binder::Select => Facts::number(value.members),
                Binder::Let => value,
                Binder::While => Facts::UNKNOWN,
            },
            is_used: false,
        });
        let random = self.random;
        let body = self.read(body);
        let is_same = self.random == random;
        if binder == Binder::Foreach {
            self.loops.pop();
        }
        if self.scope.pop().is_some_and(|bound| !bound.is_used) {
            self.unused(binder, place, name, is_same);
        }
        match binder {
            Binder::Foreach => Facts::list(body.members),
            Binder::Let => body,
            Binder::Select => Facts::list(value.members),
            Binder::While => Facts::list(value.members.or(body.members)),
        }
    }

    fn condition(&mut self, condition: NodeId, yes: NodeId, no: NodeId) -> Facts {
        if self.read(condition).is_number {
            self.always_number(condition);
        }
        let (yes, no) = (self.read(yes), self.read(no));
        Facts {
            members: yes.members.or(no.members),
            is_number: yes.is_number && no.is_number,
        }
    }

    fn filter(&mut self, id: NodeId, filter: Filter, argument: NodeId, list: NodeId) -> Facts {
        self.swallowed(id, list, false);
        let number = self.read(argument).members;
        let members = self.read(list).members;
        let drops = filter.modifier == Some(Modifier::Drop);
        let By::Value(comparison) = filter.by else {
            if !drops && number == Range::only(0) {
                self.always_empty(id, "it takes no members");
            }
            return Facts::list(members);
        };
        let kept = if drops {
            comparison.negated()
        } else {
            comparison
        };
        if members.never(kept, number) {
            let reason = match (members.low, members.high) {
                (Some(low), Some(high)) if low == high => format!("each member is {low}"),
                (Some(low), Some(high)) => format!("the members are from {low} to {high}"),
                (Some(low), None) => format!("the members are at least {low}"),
                (None, Some(high)) => format!("the members are at most {high}"),
                (None, None) => "no member can pass".into(),
            };
            self.always_empty(id, &reason);
        }
        Facts::list(match kept {
            Comparison::NotEqual => members,
            _ => members.kept(kept, number),
        })
    }

    /// `if count >4 2#d6 then 1 else 0`: a condition that always holds.
    fn always_number(&mut self, condition: NodeId) {
        let tree = self.tree;
        let id = tree.ungrouped(condition);
        let (message, help) = if let Node::Word(Word::Count, list) = *tree.node(id) {
            let meant = quoted(tree.words(tree.ungrouped(list)));
            (
                format!(
                    "count gives a number, and a number is never empty; did you mean `if {meant}`?"
                ),
                format!("write `if {meant}` to ask whether there is a member"),
            )
        } else {
            let words = quoted(tree.words(id));
            let compared = match tree.node(id) {
                Node::Integer | Node::Name => words,
                _ => format!("({words})"),
            };
            (
                "a number is never empty, so `then` is always taken".into(),
                format!("write `if >0 {compared}` to ask whether it is positive"),
            )
        };
        self.warn(
            Diagnostic::new(tree.span(condition), message)
                .with_code("number-as-condition")
                .with_label("always one number")
                .with_help(help),
        );
    }

    /// `let f = 0 in foreach i in 1..3 do let f = f+i in f`: an attempt to change a variable in a loop.
    fn running_total(&mut self, place: Span, name: &str) {
        let Some(&outside) = self.loops.last() else {
            return;
        };
        let bound = self.scope.iter().rposition(|bound| bound.name == name);
        if bound.is_some_and(|bound| bound < outside) {
            let message = format!(
                "`{}` starts anew for each member of `foreach`",
                shortened(name)
            );
            self.warn(
                Diagnostic::new(place, message)
                    .with_code("running-total")
                    .with_label("a new name that hides the one outside")
                    .with_note(
                        "`let` changes nothing outside its own `in`: this is no running total",
                    ),
            );
        }
    }

    /// `>6 d6`: a filter that keeps no member.
    fn always_empty(&mut self, id: NodeId, reason: &str) {
        let message = "this filter never keeps anything";
        let warning = Diagnostic::new(self.tree.span(id), message)
            .with_code("never-kept")
            .with_note(reason);
        self.warn(warning);
    }

    /// `let x=d6 in 1`: a name that is not used. `is_same` says whether each evaluation of the body gives the same value.
    fn unused(&mut self, binder: Binder, place: Span, name: &str, is_same: bool) {
        let warning = Diagnostic::new(place, format!("`{}` is never used", shortened(name)))
            .with_code("unused");
        self.warn(match binder {
            Binder::Foreach => {
                warning.with_help("write `n#…` to repeat something that is the same each time")
            }
            Binder::Let => {
                warning.with_help("leave it out, unless its value is to fail or never to end")
            }
            Binder::Select => {
                warning.with_help("the condition is the same for each member: use its name there")
            }
            Binder::While if is_same => warning.with_note(
                "what is repeated is the same each time: the loop ends after one round or never",
            ),
            Binder::While => {
                warning.with_note("each round is rolled afresh, whatever the last one was")
            }
        });
    }

    /// Dicelab: `sum 3#d6 + 1`: a word whose operand extends further than it seems.
    fn swallowed(&mut self, id: NodeId, list: NodeId, is_number: bool) {
        let tree = self.tree;
        if self.table == Table::Bones {
            return;
        }
        let by_value = matches!(tree.node(id), Node::Filter(filter, ..) if filter.is_by_value());
        let arithmetic = match *tree.node(list) {
            Node::Arithmetic(..) if !by_value => list,
            Node::Repeat(_, body) if matches!(tree.node(body), Node::Arithmetic(..)) => body,
            _ => return,
        };
        let mut first = arithmetic;
        while let Node::Arithmetic(operator, left, _) = *tree.node(first) {
            // `^` is tighter than `#` in both tables, so it surprises nobody.
            if operator == Operator::Power {
                break;
            }
            first = left;
        }
        if first == arithmetic {
            return;
        }
        let whole = tree.span(id);
        let cut = tree.span(first).end;
        let meaning = quoted(&print::part(Table::Bones, tree, id));
        let mut warning = Diagnostic::new(
            whole,
            format!("a word takes everything that follows, so this means `{meaning}`"),
        )
        .with_code("loose-word");
        if is_number {
            let (word, rest) = (
                tree.slice(Span::new(whole.start, cut)),
                tree.slice(Span::new(cut, whole.end)),
            );
            let meant = quoted(&format!("({word}){rest}"));
            warning = warning.with_help(format!("write `{meant}` if the word is to end there"));
        }
        self.warn(warning);
    }

    fn warn(&mut self, warning: Diagnostic) {
        if self.found.len() < MOST_LISTED {
            self.found.push(warning);
        }
    }
}

/// A text on one line for a message; `…` for a long text or one with comments.
fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.contains("//") || line.chars().nth(MAX_QUOTE).is_some() {
        return "…".into();
    }
    line
}
