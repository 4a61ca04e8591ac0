//! Dice, pools and percentile dice as core terms.

use super::facts::MOST_DICE;
use super::lower::{Lowering, View};
use super::operator::{Operator, Parameter};
use super::tree::Operation;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Arrangement, Comparison, Expr, Selection};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;

/// The largest number that `a` and `c` accept for any operand or parameter.
const MOST_IN_POOL: i64 = 999;

/// The numbers that `a` and `c` roll a pool with, each with its bounds.
#[derive(Clone, Copy)]
struct Pool {
    count: (Expr, Range),
    /// The least number at which a die adds another die.
    adds: (Expr, Range),
    sides: (Expr, Range),
}

impl Lowering<'_> {
    /// `AdB` with parameters. Checks that the numbers are in range, and then rolls.
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
        let may_fail = |id| self.fact(id).may_fail;
        let dice_may_fail = may_fail(operation.left) || may_fail(operation.right);
        let kept_may_fail = kept.is_some_and(|(_, at)| {
            let value = operation.parameters[at].1;
            value.is_some_and(may_fail)
        });
        let is_plain = {
            let in_range = |range: Range| range.is_at_least(1) && range.is_at_most(MOST_DICE);
            // Each die evaluates its sides, and the number of its extra dice.
            let sides_are_fixed =
                self.fact(operation.right).is_fixed() || percentile.is_none() && is_one(count);
            let extra_is_fine = match (extra_range, count.low) {
                (None, _) => true,
                (Some(range), _) if percentile.is_some() => {
                    let value = extra.and_then(|at| operation.parameters[at].1);
                    range.is_at_least(1) && value.is_none_or(|value| self.fact(value).is_fixed())
                }
                // A selection evaluates its number before its list.
                (Some(_), _) if kept_may_fail && dice_may_fail => false,
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

    /// The dice of `AdB`, for numbers that are in range. `extra` is the value of the parameter.
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

    /// A die from 1 to 100 whose tens digit is the best or the worst of several candidates.
    ///
    /// Each candidate is uniform on ten values, independent of the units, and the result ranks with the tens. With units 0 the
    /// tens are 1 to 10, because tens 0 and units 0 count as 100; with other units they are 0 to 9. With units from 1 to 10,
    /// one formula covers both: `10·(candidate - 1) + units`, for a candidate from 1 to 10.
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

    /// `AfB`: dice with the faces -1, 0 and 1.
    pub(super) fn fate(&mut self, id: NodeId, operation: &Operation, view: View) -> Expr {
        let site = self.site(id, operation.left, operation.right);
        let values = if self.fact(operation.right).is_fixed() {
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

    /// `AdBan`: the pool `Aa(B+1)knmB`, in which no die adds another. All other parameters are evaluated and ignored.
    fn roll_as_pool(&mut self, id: NodeId, operation: &Operation, at: usize) -> Expr {
        let range = |id| self.fact(id).number;
        let (count, sides) = (range(operation.left), range(operation.right));
        let least = self.parameter_range(operation, at);
        let held = self.held(&parts(operation));
        let mut bad = self.outside(held[0], count, 1, Some(MOST_IN_POOL));
        // The pool's second operand is one more than the sides, and in range, too.
        bad.extend(self.outside(held[1], sides, 1, Some(MOST_IN_POOL - 1)));
        let Some(line) = held_parameter(operation, &held, at) else {
            return self.fail(ErrorKind::Domain, id);
        };
        bad.extend(self.outside(line, least, 1, Some(MOST_IN_POOL)));
        let die = self.build.die(held[1], self.nowhere);
        let dice = self.build.repeat(held[0], die, self.nowhere);
        let successes = self.filter(Comparison::GreaterOrEqual, line, dice);
        let successes = self.count(successes);
        self.unless(&bad, ErrorKind::Domain, id, successes)
    }

    /// `AaB`: the number of successes among all dice of a pool in which dice add dice.
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
        let successes = self.block(|this| {
            let dice = this.all_dice(pool);
            let Some(below) = below else {
                let successes = this.filter(Comparison::GreaterOrEqual, above, dice);
                return this.count(successes);
            };
            // A die can count twice: at least `above` and at most `below`.
            let dice = this.bind(dice);
            let above = this.filter(Comparison::GreaterOrEqual, above, dice);
            let below = this.filter(Comparison::LessOrEqual, below, dice);
            let successes = this.build.join(&[above, below]);
            this.count(successes)
        });
        self.unless(&bad, ErrorKind::Domain, id, successes)
    }

    /// The dice of all rounds. Each die of the first round begins an independent chain of added dice.
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

    /// `AcB`: each round that adds dice scores the number of sides; the last round scores its highest die.
    ///
    /// The state of the loop is the number of dice alone, and the length of the loop's value is the number of rounds. In the
    /// last round no die adds another, so each die is uniform on the faces below `adds`.
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
        // Each list has exactly one member. Its sum is that member, and the engine knows that a sum is a number.
        let last = self.select(Selection::Last, 1, rounds);
        let last = self.sum(last);
        let dice = self.build.repeat(last, die, nowhere);
        let highest = self.select(Selection::High, 1, dice);
        let highest = self.sum(highest);
        self.fold(Arithmetic::Add, full, highest, nowhere)
    }

    /// The pool of `a` or `c`, and the lists that have a member if a number is out of range.
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

/// The operands and the written parameters, as numbers.
fn parts(operation: &Operation) -> Vec<(NodeId, View)> {
    let values = operation.parameters.iter().filter_map(|&(_, value)| value);
    [operation.left, operation.right]
        .into_iter()
        .chain(values)
        .map(|id| (id, View::Number))
        .collect()
}

/// The value of a parameter, from the values of [`parts`]; `None` for a parameter without a written value.
fn held_parameter(operation: &Operation, held: &[Expr], at: usize) -> Option<Expr> {
    operation.parameters[at].1?;
    let before = &operation.parameters[..at];
    let written = before.iter().filter(|(_, value)| value.is_some()).count();
    held.get(2 + written).copied()
}

fn is_one(range: Range) -> bool {
    range.constant() == Some(1)
}
