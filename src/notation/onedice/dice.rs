//! Dice, pools and percentile dice as core terms.

use super::facts::MOST_DICE;
use super::lower::{Lowering, View};
use super::operator::{Operator, Parameter};
use super::tree::Operation;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Arrangement, Comparison, Expr, Selection};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;

/// The most of everything in `a` and `c`.
const MOST_IN_POOL: i64 = 999;

/// What a pool is rolled with.
#[derive(Clone, Copy)]
struct Pool {
    count: (Expr, Range),
    /// From which number on a die adds another.
    adds: (Expr, Range),
    sides: (Expr, Range),
}

impl Lowering<'_> {
    /// `AdB` with its parameters.
    pub(super) fn roll(&mut self, id: NodeId, operation: &Operation, view: View) -> Expr {
        if let Some(at) = operation.position(Parameter::Pool) {
            return self.roll_as_pool(id, operation, at);
        }
        let parts = parts(operation);
        let [count, sides] = [operation.left, operation.right].map(|id| self.fact(id).number);
        let percentile = [Parameter::Bonus, Parameter::Penalty]
            .into_iter()
            .find_map(|parameter| Some((parameter, operation.position(parameter)?)));
        let kept = [Parameter::KeepHigh, Parameter::KeepLow]
            .into_iter()
            .find_map(|parameter| Some((parameter, operation.position(parameter)?)));
        let extra = kept.or(percentile).map(|(_, at)| at);
        let extra_range = extra.map(|at| self.parameter_range(operation, at));
        let is_plain = {
            let is_known = |range: Range| range.constant().is_some();
            let in_range = |range: Range| range.is_at_least(1) && range.is_at_most(MOST_DICE);
            let sides_are_fixed = if percentile.is_some() {
                self.is_literal(operation.right)
            } else {
                is_known(sides) || is_one(count)
            };
            let extra_is_fine = match (extra_range, count.low) {
                (None, _) => true,
                (Some(range), _) if percentile.is_some() => range.is_at_least(1) && is_known(range),
                (Some(range), Some(least)) => range.is_at_least(0) && range.is_at_most(least),
                _ => false,
            };
            in_range(count)
                && (in_range(sides) || percentile.is_some())
                && sides_are_fixed
                && extra_is_fine
                && operation.parameters.len() <= 1
        };
        if is_plain {
            let values = self.sequence(&parts);
            let extra = values.get(2).copied();
            return self.rolled(id, operation, view, [values[0], values[1]], extra);
        }
        let held = self.held(&parts);
        let mut bad = self.outside(held[0], count, 1, Some(MOST_DICE));
        let mut domain = Vec::new();
        if percentile.is_none() {
            bad.extend(self.outside(held[1], sides, 1, Some(MOST_DICE)));
        }
        let extra = extra.and_then(|at| held_parameter(operation, &held, at));
        if let (Some(extra), Some(range)) = (extra, extra_range) {
            domain = self.outside(extra, range, i64::from(kept.is_none()), None);
            let is_enough = range
                .high
                .zip(count.low)
                .is_some_and(|(n, least)| n <= least);
            if kept.is_some() && !is_enough {
                domain.push(self.filter(Comparison::Greater, held[0], extra));
            }
        }
        let rolled = self.rolled(id, operation, view, [held[0], held[1]], extra);
        let rolled = self.unless(&domain, ErrorKind::Domain, id, rolled);
        self.unless(&bad, ErrorKind::BadDie, id, rolled)
    }

    /// The dice, once all numbers are known to be in range.
    fn rolled(
        &mut self,
        id: NodeId,
        operation: &Operation,
        view: View,
        [count, sides]: [Expr; 2],
        extra: Option<Expr>,
    ) -> Expr {
        let site = self.site(id, operation.left, operation.right);
        let is_bonus = operation.has(Parameter::Bonus);
        let die = if is_bonus || operation.has(Parameter::Penalty) {
            let more = extra.unwrap_or_else(|| self.constant(1));
            self.percentile(more, is_bonus)
        } else {
            self.build.die(sides, site)
        };
        if self.known(count) == Some(1) && operation.parameters.is_empty() {
            return die;
        }
        let dice = self.build.repeat(count, die, site);
        let selection = if operation.has(Parameter::KeepHigh) {
            Some(Selection::High)
        } else if operation.has(Parameter::KeepLow) {
            Some(Selection::Low)
        } else {
            None
        };
        let kept = match (selection, extra) {
            (Some(selection), Some(kept)) => {
                let kept = self.select_by(selection, kept, dice);
                if view == View::Tuple {
                    self.in_order(kept, selection == Selection::High)
                } else {
                    kept
                }
            }
            _ => dice,
        };
        match view {
            View::Number => self.sum(kept),
            View::Tuple => kept,
        }
    }

    /// A list in ascending or descending order.
    pub(super) fn in_order(&mut self, list: Expr, is_descending: bool) -> Expr {
        let sorted = self.build.arrange(Arrangement::Sort, list);
        if is_descending {
            self.build.arrange(Arrangement::Reverse, sorted)
        } else {
            sorted
        }
    }

    /// A die from 1 to 100 whose tens are the best or worst of several.
    ///
    /// Whatever the units are, the tens digit of each candidate is one of ten, all equally likely, and the
    /// candidates rank by them: from 1 to 10 where the units are 0 (as 0 and 0 counts 100), from 0 to 9 where
    /// they are not. With units from 1 to 10 both are the same formula.
    fn percentile(&mut self, more: Expr, is_bonus: bool) -> Expr {
        if self.known(more) == Some(0) {
            return self.die(100);
        }
        let nowhere = self.nowhere;
        let (one, ten) = (self.constant(1), self.constant(10));
        let digit = self.die(10);
        let count = self.fold(Arithmetic::Add, more, one, nowhere);
        let digits = self.build.repeat(count, digit, nowhere);
        let selection = if is_bonus {
            Selection::Low
        } else {
            Selection::High
        };
        let tens = self.select(selection, 1, digits);
        let tens = self.fold(Arithmetic::Subtract, tens, one, nowhere);
        let tens = self.fold(Arithmetic::Multiply, ten, tens, nowhere);
        self.fold(Arithmetic::Add, tens, digit, nowhere)
    }

    fn die(&mut self, sides: i64) -> Expr {
        let sides = self.constant(sides);
        self.build.die(sides, self.nowhere)
    }

    /// `AbB` and `ApB`
    pub(super) fn percentile_alone(&mut self, id: NodeId, operation: &Operation) -> Expr {
        let range = self.fact(operation.right).number;
        let held = self.held(&parts(operation));
        let bad = self.outside(held[1], range, 0, None);
        let is_bonus = operation.operator == Operator::Bonus;
        let die = self.percentile(held[1], is_bonus);
        self.unless(&bad, ErrorKind::Domain, id, die)
    }

    /// `AfB`: dice with -1, 0 and 1.
    pub(super) fn fate(&mut self, id: NodeId, operation: &Operation, view: View) -> Expr {
        let site = self.site(id, operation.left, operation.right);
        let values = if self.is_literal(operation.right) {
            self.sequence(&parts(operation))
        } else {
            self.held(&parts(operation))
        };
        let die = self.die(3);
        let two = self.constant(2);
        let die = self.fold(Arithmetic::Subtract, die, two, self.nowhere);
        let dice = self.build.repeat(values[0], die, site);
        match view {
            View::Number => self.sum(dice),
            View::Tuple => dice,
        }
    }

    /// `AdBan`: the pool `Aa(B+1)knmB`, in which no die adds another; all other parameters are only evaluated.
    fn roll_as_pool(&mut self, id: NodeId, operation: &Operation, at: usize) -> Expr {
        let range = |id| self.fact(id).number;
        let (count, sides) = (range(operation.left), range(operation.right));
        let least = self.parameter_range(operation, at);
        let held = self.held(&parts(operation));
        let mut bad = self.outside(held[0], count, 1, Some(MOST_IN_POOL));
        // The sides and one more are at most what the number to add at may be.
        bad.extend(self.outside(held[1], sides, 1, Some(MOST_IN_POOL - 1)));
        let Some(line) = held_parameter(operation, &held, at) else {
            return self.fail(ErrorKind::Domain, id);
        };
        bad.extend(self.outside(line, least, 1, Some(MOST_IN_POOL)));
        let die = self.build.die(held[1], self.nowhere);
        let dice = self.build.repeat(held[0], die, self.nowhere);
        let hits = self.filter(Comparison::GreaterOrEqual, line, dice);
        let hits = self.count(hits);
        self.unless(&bad, ErrorKind::Domain, id, hits)
    }

    /// `AaB`: dice that add dice, and how many of all of them are a success.
    pub(super) fn pool(&mut self, id: NodeId, operation: &Operation) -> Expr {
        let held = self.held(&parts(operation));
        let (pool, mut bad) = self.pool_of(operation, &held);
        let high = operation.position(Parameter::KeepHigh);
        let low = operation.position(Parameter::KeepLow);
        let mut line = |this: &mut Self, at: Option<usize>| {
            let at = at?;
            let range = this.parameter_range(operation, at);
            let line = held_parameter(operation, &held, at)?;
            bad.extend(this.outside(line, range, 1, Some(MOST_IN_POOL)));
            Some(line)
        };
        let above = line(self, high);
        let below = line(self, low);
        let above = match above {
            Some(above) => above,
            None => self.constant(8),
        };
        let hits = self.block(|this| {
            let dice = this.all_dice(pool);
            let Some(below) = below else {
                let hits = this.filter(Comparison::GreaterOrEqual, above, dice);
                return this.count(hits);
            };
            // A die may be both.
            let dice = this.bind(dice);
            let above = this.filter(Comparison::GreaterOrEqual, above, dice);
            let below = this.filter(Comparison::LessOrEqual, below, dice);
            let hits = this.build.join(&[above, below]);
            this.count(hits)
        });
        self.unless(&bad, ErrorKind::Domain, id, hits)
    }

    /// All dice of all rounds. Each die of the first round and those that come of it are a chain of their own.
    fn all_dice(&mut self, pool: Pool) -> Expr {
        let sides = pool.sides.0;
        let first = self.build.die(sides, self.nowhere);
        let adds_none = pool
            .adds
            .1
            .low
            .zip(pool.sides.1.high)
            .is_some_and(|(adds, sides)| adds > sides);
        let chain = if adds_none {
            first
        } else {
            self.looped(first, |this, die| {
                let adds = pool.adds.0;
                let another = this.build.die(sides, this.nowhere);
                let hit = this.filter(Comparison::GreaterOrEqual, adds, die);
                let nothing = this.build.empty();
                this.build.choose(hit, another, nothing)
            })
        };
        let count = pool.count.0;
        self.build.repeat(count, chain, self.nowhere)
    }

    /// `AcB`: each round that adds dice scores the number of sides, the last one its highest die.
    ///
    /// The loop is over the number of dice alone: how many rounds there are is the length of its value. Of the last one it is
    /// known that no die of it adds another, so each shows one of the faces below that line, all equally likely.
    pub(super) fn cross(&mut self, id: NodeId, operation: &Operation) -> Expr {
        let held = self.held(&parts(operation));
        let (pool, bad) = self.pool_of(operation, &held);
        let score = self.block(|this| this.score(pool));
        self.unless(&bad, ErrorKind::Domain, id, score)
    }

    fn score(&mut self, pool: Pool) -> Expr {
        let nowhere = self.nowhere;
        let count = pool.count.0;
        let rounds = self.looped(count, |this, count| {
            let (adds, sides) = (pool.adds.0, pool.sides.0);
            let die = this.build.die(sides, nowhere);
            let count = this.sum(count);
            let dice = this.build.repeat(count, die, nowhere);
            let added = this.filter(Comparison::GreaterOrEqual, adds, dice);
            let added = this.count(added);
            let zero = this.constant(0);
            this.filter(Comparison::Greater, zero, added)
        });
        let rounds = self.bind(rounds);
        let (adds, sides) = (pool.adds.0, pool.sides.0);
        let one = self.constant(1);
        let before = self.count(rounds);
        let before = self.fold(Arithmetic::Subtract, before, one, nowhere);
        let full = self.fold(Arithmetic::Multiply, sides, before, nowhere);
        let below = self.fold(Arithmetic::Subtract, adds, one, nowhere);
        let below = self.fold(Arithmetic::Min, below, sides, nowhere);
        let die = self.build.die(below, nowhere);
        // Sums of lists of one member: that they have one need not be found out when the rule runs.
        let last = self.select(Selection::Last, 1, rounds);
        let last = self.sum(last);
        let dice = self.build.repeat(last, die, nowhere);
        let highest = self.select(Selection::High, 1, dice);
        let highest = self.sum(highest);
        self.fold(Arithmetic::Add, full, highest, nowhere)
    }

    /// What `a` and `c` have in common, and how it can be out of range.
    fn pool_of(&mut self, operation: &Operation, held: &[Expr]) -> (Pool, Vec<Expr>) {
        let [count, adds] = [operation.left, operation.right].map(|id| self.fact(id).number);
        let sides = operation.position(Parameter::Sides).and_then(|at| {
            let range = self.parameter_range(operation, at);
            Some((held_parameter(operation, held, at)?, range))
        });
        let sides = match sides {
            Some(sides) => sides,
            None => (self.constant(10), Range::only(10)),
        };
        let mut bad = self.outside(held[0], count, 1, Some(MOST_IN_POOL));
        bad.extend(self.outside(held[1], adds, 2, Some(MOST_IN_POOL)));
        bad.extend(self.outside(sides.0, sides.1, 1, Some(MOST_IN_POOL)));
        let pool = Pool {
            count: (held[0], count),
            adds: (held[1], adds),
            sides,
        };
        (pool, bad)
    }

    fn parameter_range(&self, operation: &Operation, at: usize) -> Range {
        match operation.parameters[at].1 {
            Some(value) => self.fact(value).number,
            None => Range::only(1),
        }
    }
}

/// The operands and the parameters that are written, all asked for numbers.
fn parts(operation: &Operation) -> Vec<(NodeId, View)> {
    let values = operation.parameters.iter().filter_map(|&(_, value)| value);
    [operation.left, operation.right]
        .into_iter()
        .chain(values)
        .map(|id| (id, View::Number))
        .collect()
}

/// The value of a parameter among those of [`parts`]; none where it is not written.
fn held_parameter(operation: &Operation, held: &[Expr], at: usize) -> Option<Expr> {
    operation.parameters[at].1?;
    let before = &operation.parameters[..at];
    let written = before.iter().filter(|(_, value)| value.is_some()).count();
    held.get(2 + written).copied()
}

fn is_one(range: Range) -> bool {
    range.constant() == Some(1)
}
