//! What the dice that stay count: the modifiers of the third stage, and groups.

use super::Lowering;
use super::conditions::{Numbers, Tests};
use super::dice::{Dice, Values};
use super::support::Support;
use super::value::{NumberValue, Rolled};
use crate::ir::{Arithmetic, Comparison, Expr, SiteId};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;
use crate::notation::tabletop::stages::{Mark, MarkKind, Score, Stages, Test};
use crate::notation::tabletop::tree::{Node, Pool, Sum};
use crate::notation::tabletop::words::Parity;
use crate::number::{Integer, Overflow};

/// What marks have made of a die.
#[derive(Clone, Copy, Debug)]
struct Marked {
    /// Whether the die is a success, if that was asked.
    is_success: Option<bool>,
    is_failure: bool,
    counts: Counts,
}

/// What a die counts.
#[derive(Clone, Copy, Debug)]
enum Counts {
    Number(i64),
    Opposite,
    Value,
}

impl Lowering<'_> {
    /// The number that a list of dice counts.
    pub(super) fn scored(
        &mut self,
        list: Expr,
        values: &Values,
        score: &Score,
        numbers: &Numbers,
        added: Option<&NumberValue>,
    ) -> NumberValue {
        let site = values.site;
        let counted = Range {
            low: Some(0),
            high: values.number.high,
        };
        match score {
            Score::Deduct(_) => unreachable!("only a die has marks"),
            Score::Parity(parity) => {
                let two = self.constant(2);
                let part = self.build.integer(values.unit.clone());
                let two = self.times(two, &values.unit, site);
                let rests = self.each(list, |this, value| {
                    this.arithmetic(Arithmetic::Modulo, value, two, site)
                });
                let rest = match parity {
                    Parity::Even => self.constant(0),
                    Parity::Odd => part,
                };
                let counted_dice = self.build.filter(Comparison::Equal, rest, rests, site);
                let term = self.count(counted_dice, site);
                NumberValue::rolled(term, Support::within(counted))
            }
            Score::Successes { success, failure } => {
                let success = self.test(numbers, *success, added);
                let Some(failure) = failure else {
                    let successes = self.meeting(&success, list, site);
                    let term = self.count(successes, site);
                    return NumberValue::rolled(term, Support::within(counted));
                };
                let failure = self.test(numbers, *failure, added);
                let term = self.successes_less_failures(list, &success, &failure, site);
                let range = Range {
                    low: counted.high.and_then(i64::checked_neg),
                    high: counted.high,
                };
                NumberValue::rolled(term, Support::within(range))
            }
            Score::Sum => {
                let term = self.sum(list, site);
                let mut range = values.range.times(values.number);
                if range == Range::UNKNOWN && values.range.is_at_least(0) {
                    range = Range::at_least(0);
                }
                NumberValue::Rolled(Rolled {
                    term,
                    unit: values.unit.clone(),
                    support: Support::within(range),
                })
            }
        }
    }

    fn successes_less_failures(
        &mut self,
        list: Expr,
        success: &Tests,
        failure: &Tests,
        site: SiteId,
    ) -> Expr {
        let counts = self.each(list, |this, value| {
            let (plus, minus, none) = (this.constant(1), this.constant(-1), this.constant(0));
            let succeeds = this.hits(success, value, site);
            let fails = this.hits(failure, value, site);
            let other = this.build.choose(fails, minus, none);
            this.build.choose(succeeds, plus, other)
        });
        self.sum(counts, site)
    }

    /// The total of dice that marks make count otherwise.
    pub(super) fn marked(
        &mut self,
        list: Expr,
        marks: &[Mark],
        dice: &Dice,
        numbers: &Numbers,
    ) -> Expr {
        let tests: Vec<Option<Tests>> = marks
            .iter()
            .map(|mark| {
                let default = match mark.kind {
                    MarkKind::Success => Some(dice.plain.highest),
                    MarkKind::Failure => Some(dice.plain.lowest),
                    MarkKind::Deduct | MarkKind::Subtract => None,
                };
                let has_test = default.is_some() || !mark.condition.has_default;
                has_test.then(|| self.tests(numbers, &mark.condition, default))
            })
            .collect();
        let unmarked = Marked {
            is_success: None,
            is_failure: false,
            counts: Counts::Value,
        };
        let counts = self.each(list, |this, value| {
            this.count_of_marked(value, marks, &tests, unmarked, dice)
        });
        self.sum(counts, dice.values.site)
    }

    /// What a die counts after the marks that are left.
    fn count_of_marked(
        &mut self,
        value: Expr,
        marks: &[Mark],
        tests: &[Option<Tests>],
        before: Marked,
        dice: &Dice,
    ) -> Expr {
        let ([mark, marks @ ..], [test, tests @ ..]) = (marks, tests) else {
            return match before.counts {
                Counts::Number(number) => {
                    let number = self.constant(number);
                    self.times(number, &dice.values.unit, dice.values.site)
                }
                Counts::Opposite => self.build.negate(value, dice.values.site),
                Counts::Value => value,
            };
        };
        let Some(test) = test else {
            let after = before.after(mark.kind, before.is_success == Some(false));
            return self.count_of_marked(value, marks, tests, after, dice);
        };
        let hits = self.hits(test, value, dice.values.site);
        let mut branch = |is_hit| {
            let after = before.after(mark.kind, is_hit);
            self.count_of_marked(value, marks, tests, after, dice)
        };
        let (yes, no) = (branch(true), branch(false));
        self.build.choose(hits, yes, no)
    }

    /// The total compared with numbers.
    pub(super) fn margins(
        &mut self,
        total: NumberValue,
        stages: &Stages,
        numbers: &Numbers,
        site: SiteId,
    ) -> NumberValue {
        let mut total = total;
        for &Test { comparison, number } in &stages.margins {
            let number = numbers.value(number);
            total = match comparison {
                Comparison::Less | Comparison::LessOrEqual => self.subtract(number, total, site),
                _ => self.subtract(total, number, site),
            };
        }
        total
    }

    /// The number of a group.
    pub(super) fn group(&mut self, id: NodeId, pool: &Pool) -> NumberValue {
        let site = self.site(id);
        let stages =
            Stages::of(&pool.modifiers).expect("the stages were checked when they were read");
        let is_sum = stages.choices.is_empty() && matches!(stages.score, Score::Sum);
        if let [member] = pool.members[..] {
            if is_sum {
                return self.number(member);
            }
            return self.single(id, member, pool, &stages);
        }
        let members: Vec<NumberValue> = pool.members.iter().map(|&id| self.number(id)).collect();
        let unit = self.common_unit(&members);
        let numbers = self.numbers(&pool.modifiers, unit);
        let number = i64::try_from(members.len()).unwrap_or(i64::MAX);
        let range = members
            .iter()
            .map(|member| Self::support(member, &numbers.unit).range())
            .reduce(Range::or);
        let members: Vec<Expr> = members
            .into_iter()
            .map(|member| self.in_unit(member, &numbers.unit))
            .collect();
        let list = self.build.join(&members);
        let values = Values {
            unit: numbers.unit.clone(),
            number: Range::only(number),
            range: range.unwrap_or(Range::UNKNOWN),
            site,
        };
        let (list, values) = self.chosen(list, values, &stages, &numbers);
        self.scored(list, &values, &stages.score, &numbers, None)
    }

    /// A group with one member, whose modifiers work on the dice inside.
    fn single(&mut self, id: NodeId, member: NodeId, pool: &Pool, stages: &Stages) -> NumberValue {
        let site = self.site(id);
        let sum = Sum::of(self.tree, member).expect("the sum was checked when it was read");
        let mut constant = NumberValue::whole(0);
        for &(is_negative, id) in &sum.constants {
            let value = self.number(id);
            constant = if is_negative {
                self.subtract(constant, value, site)
            } else {
                self.add(constant, value, site)
            };
        }
        let constant = self.held(constant);
        let mut lists = Vec::new();
        let mut number = Range::only(0);
        let mut range: Option<Range> = None;
        let mut unit = Integer::ONE;
        for &id in &sum.dice {
            let Node::Die(die) = self.tree.node(id) else {
                unreachable!("the sum has dice");
            };
            let stages = Stages::of(&die.modifiers).expect("the stages were checked");
            let (dice, numbers) = self.rolled(id, die, &stages);
            let list = self.list(&dice);
            let (list, values) = self.chosen(list, dice.values, &stages, &numbers);
            number = number.plus(values.number);
            match unit.lcm(&values.unit) {
                Ok(more) => unit = more,
                Err(Overflow) => self.refuse_unit(id),
            }
            let of_die = if values.unit == Integer::ONE {
                values.range
            } else {
                Range::UNKNOWN
            };
            range = Some(range.map_or(of_die, |range| range.or(of_die)));
            lists.push((list, values.unit));
        }
        let numbers = self.numbers(&pool.modifiers, unit);
        let unit = numbers.unit.clone();
        let lists: Vec<Expr> = lists
            .into_iter()
            .map(|(list, own)| self.list_in_unit(list, &own, &unit, site))
            .collect();
        let list = self.build.join(&lists);
        let range = range
            .filter(|_| unit == Integer::ONE)
            .unwrap_or(Range::UNKNOWN);
        let values = Values {
            unit,
            number,
            range,
            site,
        };
        let (list, values) = self.chosen(list, values, stages, &numbers);
        let total = self.scored(list, &values, &stages.score, &numbers, Some(&constant));
        if matches!(stages.score, Score::Sum) {
            self.add(total, constant, site)
        } else {
            total
        }
    }
}

impl Marked {
    /// The die after a mark, whose test it passes or not.
    fn after(self, kind: MarkKind, is_hit: bool) -> Self {
        let number = Counts::Number(i64::from(is_hit));
        match kind {
            MarkKind::Success => Self {
                is_success: Some(is_hit),
                is_failure: self.is_failure && !is_hit,
                counts: number,
            },
            MarkKind::Failure => Self {
                is_success: self.is_success.filter(|_| !is_hit),
                is_failure: is_hit,
                counts: number,
            },
            MarkKind::Deduct | MarkKind::Subtract => {
                let is_failure = self.is_failure || is_hit;
                let counts = match kind {
                    _ if !is_failure => self.counts,
                    MarkKind::Deduct => Counts::Number(-1),
                    _ => Counts::Opposite,
                };
                Self {
                    is_success: self.is_success.filter(|_| !is_hit),
                    is_failure,
                    counts,
                }
            }
        }
    }
}
