//! Conditions, `if` and `case`.

use super::lowering::{Leaf, Lowering};
use super::values::{Members, TypedTerm, ValueType};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arithmetic, Comparison, Expr, Name};
use crate::notation::bones::tree::{Arm, Case, Connective, Pattern};
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::stack;

/// Makes the value for the case that a condition does not hold. It is given the value for the case that the condition holds.
type Otherwise<'l, 't, 'p> =
    &'l mut dyn FnMut(&mut Lowering<'t, 'p>, &TypedTerm, Leaf<'_, 't, 'p>) -> TypedTerm;

impl<'t, 'p> Lowering<'t, 'p> {
    /// An infix comparison: the left side is evaluated first.
    pub(super) fn compare(
        &mut self,
        id: NodeId,
        comparison: Comparison,
        a: NodeId,
        b: NodeId,
    ) -> TypedTerm {
        let site = self.site(id, a, b);
        let (left, right) = (self.term(a), self.term(b));
        let (left, right) = match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                let is_record = left.parts().is_some() && right.parts().is_some();
                if is_record && !left.is_empty() && !right.is_empty() {
                    return self.compare_records(comparison, (&left, a), (&right, b), id);
                }
                let (left, right) = (self.as_member(&left, a), self.as_member(&right, b));
                match &self.alike(&[(left.clone(), a), (right.clone(), b)])[..] {
                    [left, right] => (left.clone(), right.clone()),
                    _ => (left, right),
                }
            }
            _ => (self.numbers(&left, a), self.numbers(&right, b)),
        };
        let numbers = left.known_member().zip(right.known_member());
        let known = numbers.map(|(left, right)| comparison.holds(&left, &right));
        let test = if right.known_member().is_some() && self.is_settled(&right) {
            // A filter of the left side by the right side. The right side cannot fail.
            let (number, list) = (self.member(&right, b), self.only(&left, a));
            self.build.filter(comparison, number, list, site)
        } else {
            let (number, list) = (self.member(&left, a), self.only(&right, b));
            self.build.filter(comparison.mirrored(), number, list, site)
        };
        self.condition(test, known)
    }

    /// `and` and `or`: the right side is evaluated only where the left does not decide.
    pub(super) fn connect(&mut self, connective: Connective, a: NodeId, b: NodeId) -> TypedTerm {
        let left = self.operand(a, connective.word());
        let right = self.operand(b, connective.word());
        let truths = (left.known_truth(), right.known_truth());
        let (one, none) = (self.build.integer(1), self.build.empty());
        let right = match right.kind {
            ValueType::Condition => right.test(),
            _ => self.build.choose(right.test(), one, none),
        };
        match connective {
            Connective::And => {
                let known = match truths {
                    (Some(false), _) => Some(false),
                    (Some(true), right) => right,
                    (None, _) => None,
                };
                let test = self.build.choose(left.test(), right, none);
                self.condition(test, known)
            }
            Connective::Or => {
                let known = match truths {
                    (Some(true), _) => Some(true),
                    (Some(false), right) => right,
                    (None, _) => None,
                };
                let test = self.build.choose(left.test(), one, right);
                self.condition(test, known)
            }
        }
    }

    pub(super) fn not(&mut self, id: NodeId) -> TypedTerm {
        let operand = self.operand(id, "not");
        let known = operand.known_truth().map(|holds| !holds);
        let (one, none) = (self.build.integer(1), self.build.empty());
        let test = self.build.choose(operand.test(), none, one);
        self.condition(test, known)
    }

    /// An operand of `not`, `and` or `or`. A number is refused, because it always holds.
    fn operand(&mut self, id: NodeId, word: &str) -> TypedTerm {
        let value = self.term(id);
        if value.kind != ValueType::Number || self.failure.is_some() {
            return value;
        }
        let text = shortened(self.tree.words(id));
        let message = format!("`{word}` stands between conditions, and this is always one number");
        let message = match word {
            "case" => {
                "an arm of a `case` without a value has a condition, and this is always one number"
                    .into()
            }
            "not" => "`not` stands before a condition, and this is always one number".into(),
            _ => message,
        };
        let help = format!("compare it: write `x == {text}` or `{text} > 0`");
        let finding = Diagnostic::new(self.span(id), message)
            .with_label("a number, which is never empty")
            .with_help(help);
        self.refuse(ErrorKind::Type, finding)
    }

    /// `if`, with a leaf for each branch. In a definition a condition that is known decides which branch is unfolded.
    pub(super) fn choose(
        &mut self,
        (condition, place): &(TypedTerm, NodeId),
        yes: NodeId,
        no: NodeId,
        leaf: Leaf<'_, 't, 'p>,
    ) -> TypedTerm {
        let test = self.test(condition, *place);
        let mut otherwise = |this: &mut Self, _: &TypedTerm, leaf: Leaf<'_, 't, 'p>| leaf(this, no);
        self.decided((condition, test), yes, (&mut otherwise, no), leaf)
    }

    /// One of two values by a condition with its test.
    fn decided(
        &mut self,
        (condition, test): (&TypedTerm, Expr),
        yes: NodeId,
        (otherwise, no): (Otherwise<'_, 't, 'p>, NodeId),
        leaf: Leaf<'_, 't, 'p>,
    ) -> TypedTerm {
        if self.calls.is_open()
            && let Some(holds) = condition.known_truth()
        {
            return self.shared(condition, |this, nothing| {
                this.calls.decide();
                let value = if holds {
                    leaf(this, yes)
                } else {
                    otherwise(this, &TypedTerm::list(nothing), leaf)
                };
                this.calls.undo();
                value
            });
        }
        let first = leaf(self, yes);
        let second = otherwise(self, &first, leaf);
        self.either(test, (&first, yes), (&second, no))
    }

    /// `case` without a value: the first arm whose condition holds.
    fn first_to_hold(
        &mut self,
        id: NodeId,
        (arms, otherwise): (&[Arm], Option<NodeId>),
        like: Option<&TypedTerm>,
        leaf: Leaf<'_, 't, 'p>,
    ) -> TypedTerm {
        let Some((arm, rest)) = arms.split_first() else {
            return match (otherwise, like) {
                (Some(otherwise), _) => leaf(self, otherwise),
                (None, Some(like)) => self.nothing_fits(id, like),
                (None, None) => {
                    let nothing = TypedTerm::list(self.build.empty());
                    self.nothing_fits(id, &nothing)
                }
            };
        };
        let (condition, _) = arm.patterns[0].ends();
        let condition = condition.map(|condition| self.operand(condition, "case"));
        let condition = condition.expect("a condition is one end");
        let place = rest.first().map(|arm| arm.result).or(otherwise);
        let mut next = |this: &mut Self, like: &TypedTerm, leaf: Leaf<'_, 't, 'p>| {
            stack::level(|| this.first_to_hold(id, (rest, otherwise), Some(like), leaf))
        };
        let next = (
            &mut next as Otherwise<'_, 't, 'p>,
            place.unwrap_or(arm.result),
        );
        self.decided((&condition, condition.test()), arm.result, next, leaf)
    }

    /// One of two values. Beside a number a condition counts as 1 or 0; beside nothing it stays a condition.
    pub(super) fn either(
        &mut self,
        test: Expr,
        yes: (&TypedTerm, NodeId),
        no: (&TypedTerm, NodeId),
    ) -> TypedTerm {
        let both = [(yes.0.clone(), yes.1), (no.0.clone(), no.1)];
        let (a, b) = match &self.alike(&both)[..] {
            [a, b] => (a.clone(), b.clone()),
            _ => (yes.0.clone(), no.0.clone()),
        };
        let (yes, no) = ((&a, yes.1), (&b, no.1));
        let members = if a.is_empty() { &b } else { &a }.members.clone();
        let is_condition =
            |value: &TypedTerm| value.kind == ValueType::Condition || value.length == Some(0);
        let kind = match (a.kind, b.kind) {
            _ if is_condition(&a)
                && is_condition(&b)
                && (a.kind, b.kind) != (ValueType::List, ValueType::List) =>
            {
                ValueType::Condition
            }
            (ValueType::Record, ValueType::Record) => ValueType::Record,
            (ValueType::List, _) | (_, ValueType::List) => ValueType::List,
            _ => ValueType::Number,
        };
        match kind {
            ValueType::Condition => {
                let [yes, no] = [&a, &b].map(TypedTerm::test);
                let test = self.build.choose(test, yes, no);
                self.condition(test, None)
            }
            ValueType::List => {
                let length = a.length.filter(|_| a.length == b.length);
                let list = self.build.choose(test, a.expr, b.expr);
                TypedTerm::list(list).with_length(length).of(members)
            }
            ValueType::Record => TypedTerm {
                members,
                ..TypedTerm::list(self.build.choose(test, a.expr, b.expr))
            }
            .into_record(),
            ValueType::Number => {
                let [yes, no] = [yes, no].map(|(value, id)| self.member(value, id));
                TypedTerm::number(self.build.choose(test, yes, no)).of(members)
            }
        }
    }

    /// `case`, with a leaf for each result.
    pub(super) fn case(&mut self, id: NodeId, case: &Case, leaf: Leaf<'_, 't, 'p>) -> TypedTerm {
        let Some(subject) = case.value else {
            return self.first_to_hold(id, (&case.arms, case.otherwise), None, leaf);
        };
        let value = self.term(subject);
        let mut has_labels = matches!(value.members, Members::Labels | Members::Either);
        let mut arms = Vec::new();
        for arm in &case.arms {
            let mut patterns = Vec::new();
            for &pattern in &arm.patterns {
                let (low, high) = pattern.ends();
                let is_range = !matches!(pattern, Pattern::One(_));
                let mut bound = Vec::new();
                let [low, high] =
                    [low, high].map(|end| end.map(|end| self.end(end, is_range, &mut bound)));
                has_labels |= matches!(low, Some(PatternEnd::Label(_)));
                patterns.push((pattern, low, high, bound));
            }
            arms.push((patterns, arm.result));
        }
        // Beside labels, numbers are compared by their codes.
        let unit = has_labels.then(|| self.labels.unit());
        let value = match &unit {
            Some(_) => self.either_of(&value, subject),
            None => self.numbers(&value, subject),
        };
        let mut coded = Vec::with_capacity(arms.len());
        for (patterns, result) in arms {
            let mut fits = Vec::with_capacity(patterns.len());
            for (pattern, low, high, bound) in patterns {
                let ends = [low, high].map(|end| end.map(|end| end.code(unit.as_ref())));
                if ends.contains(&Some(None)) {
                    self.too_long(subject);
                }
                let [low, high] = ends.map(Option::flatten);
                let unit = unit.clone();
                fits.push(Fit {
                    pattern,
                    low,
                    high,
                    unit,
                    bound,
                });
            }
            coded.push((fits, result));
        }
        let arms = coded;
        let number = self.only(&value, subject);
        let number = TypedTerm::number(number).with_number(value.known_member());
        if self.failure.is_some() {
            return TypedTerm::list(self.build.empty());
        }
        let is_decided = self.calls.is_open();
        let known = number.known_member().filter(|_| is_decided);
        self.shared(&number, |this, number| {
            if let Some(known) = known {
                let mut arms = arms.iter();
                let arm = arms.find(|(patterns, _)| patterns.iter().any(|fit| fit.fits(&known)));
                if let Some(result) = arm.map(|&(_, result)| result).or(case.otherwise) {
                    this.calls.decide();
                    let value = leaf(this, result);
                    this.calls.undo();
                    return value;
                }
            }
            let results: Vec<_> = arms.iter().map(|&(_, result)| leaf(this, result)).collect();
            let mut chosen = case
                .otherwise
                .map(|otherwise| (leaf(this, otherwise), otherwise));
            for ((patterns, result), value) in arms.iter().zip(results).rev() {
                let tests: Vec<_> = patterns
                    .iter()
                    .map(|fit| this.pattern(fit, number, id))
                    .collect();
                let test = this.build.join(&tests);
                let (other, place) = match chosen.take() {
                    Some(other) => other,
                    None => (this.nothing_fits(id, &value), *result),
                };
                let value = this.either(test, (&value, *result), (&other, place));
                chosen = Some((value, *result));
            }
            if let Some((value, _)) = chosen {
                return value;
            }
            let nothing = TypedTerm::list(this.build.empty());
            this.nothing_fits(id, &nothing)
        })
    }

    /// Refuses a number that is too long beside labels.
    fn too_long(&mut self, id: NodeId) {
        let finding = Diagnostic::new(
            self.span(id),
            "a number is too long to be compared beside labels",
        )
        .with_help("use a smaller number");
        self.refuse(ErrorKind::Overflow, finding);
    }

    /// The error of a choice without a fitting arm, as a value of the same kind as another.
    fn nothing_fits(&mut self, id: NodeId, like: &TypedTerm) -> TypedTerm {
        let site = self.site_at(id);
        let fail = self.build.fail(ErrorKind::Domain, site);
        like.clone().map(|_| fail)
    }

    /// An end of a pattern: a number or label that is known before any roll. A range has numbers alone.
    fn end(&mut self, id: NodeId, is_range: bool, bound: &mut Vec<(Name, Expr)>) -> PatternEnd {
        let value = self.term(id);
        if value.known.is_some() {
            self.variable(bound, value.clone());
        }
        match (&value.members, value.known_member()) {
            (Members::Numbers, Some(number)) => PatternEnd::Number(number),
            (Members::Labels, Some(code)) if !is_range => PatternEnd::Label(code),
            (Members::Labels, Some(_)) => {
                let finding = Diagnostic::new(self.span(id), "a range goes from number to number")
                    .with_label("a label")
                    .with_help("write `or` between labels: `\"hit\" or \"crit\": 1`");
                self.refuse(ErrorKind::Type, finding);
                PatternEnd::Number(Integer::ZERO)
            }
            _ => {
                let message = "what a `case` compares with must be known before any roll";
                let finding = Diagnostic::new(self.span(id), message)
                    .with_help("write `if x == … then … else …` to compare with a roll");
                self.unknown(ErrorKind::Type, finding);
                PatternEnd::Number(Integer::ZERO)
            }
        }
    }

    /// A term that has a member where a number fits a pattern.
    fn pattern(&mut self, fit: &Fit, number: Expr, id: NodeId) -> Expr {
        let mut list = number;
        if let Some(low) = &fit.low {
            let comparison = match fit.pattern {
                Pattern::One(_) => Comparison::Equal,
                _ => Comparison::GreaterOrEqual,
            };
            list = self.members(comparison, low, list, id);
        }
        if let Some(high) = &fit.high {
            list = self.members(Comparison::LessOrEqual, high, list, id);
        }
        let list = match &fit.unit {
            Some(unit) if !matches!(fit.pattern, Pattern::One(_)) => {
                // A label between two numbers is in no range.
                let rest = self.with_number(Arithmetic::Modulo, number, unit.clone(), id);
                let is_number = self.members(Comparison::Equal, &Integer::ZERO, rest, id);
                let nothing = self.build.empty();
                self.build.choose(list, is_number, nothing)
            }
            _ => list,
        };
        self.leave(fit.bound.clone(), list)
    }
}

/// An end of a pattern.
enum PatternEnd {
    /// The code of a label.
    Label(Integer),
    Number(Integer),
}

impl PatternEnd {
    /// The integer that is compared, where numbers have codes of this unit; `None` for a number that is too long for one.
    fn code(self, unit: Option<&Integer>) -> Option<Integer> {
        match (self, unit) {
            (Self::Number(number), Some(unit)) => number.mul(unit).ok(),
            (Self::Label(number) | Self::Number(number), _) => Some(number),
        }
    }
}

/// A pattern with its ends.
struct Fit {
    pattern: Pattern,
    low: Option<Integer>,
    high: Option<Integer>,
    /// The code of the number 1, if labels are compared, too.
    unit: Option<Integer>,
    /// The values that are evaluated before the ends, because they may fail or never end.
    bound: Vec<(Name, Expr)>,
}

impl Fit {
    /// Whether a number or label fits.
    fn fits(&self, number: &Integer) -> bool {
        let (low, high) = (self.low.as_ref(), self.high.as_ref());
        if let Pattern::One(_) = self.pattern {
            return low == Some(number);
        }
        let is_number = self.unit.as_ref().is_none_or(|unit| {
            let rest = number.mod_floor(unit);
            rest.is_some_and(|rest| rest.is_zero())
        });
        is_number && low.is_none_or(|low| low <= number) && high.is_none_or(|high| number <= high)
    }
}
