//! Dice, pools and percentile dice as core terms.

use super::facts::MOST_DICE;
use super::lower::{Held, Lowering, View};
use super::operator::Parameter;
use super::tree::Operation;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Arrangement, Comparison, Selection, Term, TermId};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;

/// The most of everything in `a` and `c`.
const MOST_IN_POOL: i64 = 999;

/// What a pool is rolled with.
#[derive(Clone, Copy)]
struct Pool {
    count: (Held, Range),
    /// From which number on a die adds another.
    adds: (Held, Range),
    sides: (Held, Range),
}

impl Lowering<'_> {
    /// `AdB` with its parameters.
    pub(super) fn roll(&mut self, id: NodeId, operation: &Operation, view: View) -> TermId {
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
                let (count, extra) = (self.at(held[0]), self.at(extra));
                domain.push(self.filter(Comparison::Greater, count, extra));
            }
        }
        let values = [self.at(held[0]), self.at(held[1])];
        let extra = extra.map(|extra| self.at(extra));
        let rolled = self.rolled(id, operation, view, values, extra);
        let rolled = self.unless(domain, ErrorKind::Domain, id, rolled);
        self.unless(bad, ErrorKind::BadDie, id, rolled)
    }

    /// The dice, once all numbers are known to be in range.
    fn rolled(
        &mut self,
        id: NodeId,
        operation: &Operation,
        view: View,
        [count, sides]: [TermId; 2],
        extra: Option<TermId>,
    ) -> TermId {
        let site = self.site(id, operation.left, operation.right);
        let is_bonus = operation.has(Parameter::Bonus);
        let die = if is_bonus || operation.has(Parameter::Penalty) {
            let more = extra.unwrap_or_else(|| self.constant(1));
            self.percentile(more, is_bonus)
        } else {
            self.arena.add(Term::Die(sides, site))
        };
        if self.known(count) == Some(1) && operation.parameters.is_empty() {
            return die;
        }
        let dice = self.arena.add(Term::Repeat(count, die, site));
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
    pub(super) fn in_order(&mut self, list: TermId, is_descending: bool) -> TermId {
        let sorted = self.arena.add(Term::Arrange(Arrangement::Sort, list));
        if is_descending {
            self.arena.add(Term::Arrange(Arrangement::Reverse, sorted))
        } else {
            sorted
        }
    }

    /// A die from 1 to 100 whose tens are the best or worst of several.
    ///
    /// Whatever the units are, the tens digit of each candidate is one of ten, all equally likely, and the
    /// candidates rank by them: from 1 to 10 where the units are 0 (as 0 and 0 counts 100), from 0 to 9 where
    /// they are not. With units from 1 to 10 both are the same formula.
    fn percentile(&mut self, more: TermId, is_bonus: bool) -> TermId {
        if self.known(more) == Some(0) {
            return self.die(100);
        }
        let nowhere = self.nowhere;
        let (one, ten) = (self.constant(1), self.constant(10));
        let digit = self.die(10);
        let count = self.fold(Arithmetic::Add, more, one, nowhere);
        let digits = self.arena.add(Term::Repeat(count, digit, nowhere));
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

    fn die(&mut self, sides: i64) -> TermId {
        let sides = self.constant(sides);
        self.arena.add(Term::Die(sides, self.nowhere))
    }

    /// `AbB` and `ApB`
    pub(super) fn percentile_alone(&mut self, id: NodeId, operation: &Operation) -> TermId {
        let range = self.fact(operation.right).number;
        let held = self.held(&parts(operation));
        let bad = self.outside(held[1], range, 0, None);
        let more = self.at(held[1]);
        let is_bonus = operation.operator == super::operator::Operator::Bonus;
        let die = self.percentile(more, is_bonus);
        self.unless(bad, ErrorKind::Domain, id, die)
    }

    /// `AfB`: dice with -1, 0 and 1.
    pub(super) fn fate(&mut self, id: NodeId, operation: &Operation, view: View) -> TermId {
        let site = self.site(id, operation.left, operation.right);
        let values = if self.is_literal(operation.right) {
            self.sequence(&parts(operation))
        } else {
            let held = self.held(&parts(operation));
            held.into_iter().map(|held| self.at(held)).collect()
        };
        let die = self.die(3);
        let two = self.constant(2);
        let die = self.fold(Arithmetic::Subtract, die, two, self.nowhere);
        let dice = self.arena.add(Term::Repeat(values[0], die, site));
        match view {
            View::Number => self.sum(dice),
            View::Tuple => dice,
        }
    }

    /// `AdBan`: the pool `Aa(B+1)knmB`, in which no die adds another; all other parameters are only evaluated.
    fn roll_as_pool(&mut self, id: NodeId, operation: &Operation, at: usize) -> TermId {
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
        let [count, sides, line] = [held[0], held[1], line].map(|held| self.at(held));
        let die = self.arena.add(Term::Die(sides, self.nowhere));
        let dice = self.arena.add(Term::Repeat(count, die, self.nowhere));
        let hits = self.filter(Comparison::GreaterOrEqual, line, dice);
        let hits = self.count(hits);
        self.unless(bad, ErrorKind::Domain, id, hits)
    }

    /// `AaB`: dice that add dice, and how many of all of them are a success.
    pub(super) fn pool(&mut self, id: NodeId, operation: &Operation) -> TermId {
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
            None => Held::Constant(self.constant(8)),
        };
        let hits = self.block(|this| {
            let dice = this.all_dice(pool);
            let Some(below) = below else {
                let above = this.at(above);
                let hits = this.filter(Comparison::GreaterOrEqual, above, dice);
                return this.count(hits);
            };
            // A die may be both.
            let dice = this.bind(dice);
            let [dice, above, below] = [dice, above, below].map(|held| this.at(held));
            let above = this.filter(Comparison::GreaterOrEqual, above, dice);
            let below = this.filter(Comparison::LessOrEqual, below, dice);
            let hits = this.arena.join([above, below]);
            this.count(hits)
        });
        self.unless(bad, ErrorKind::Domain, id, hits)
    }

    /// All dice of all rounds. Each die of the first round and those that come of it are a chain of their own.
    fn all_dice(&mut self, pool: Pool) -> TermId {
        let sides = self.at(pool.sides.0);
        let first = self.arena.add(Term::Die(sides, self.nowhere));
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
                let [die, adds, sides] = [die, pool.adds.0, pool.sides.0].map(|held| this.at(held));
                let another = this.arena.add(Term::Die(sides, this.nowhere));
                let hit = this.filter(Comparison::GreaterOrEqual, adds, die);
                let nothing = this.arena.empty();
                this.arena.add(Term::If(hit, another, nothing))
            })
        };
        let count = self.at(pool.count.0);
        self.arena.add(Term::Repeat(count, chain, self.nowhere))
    }

    /// `AcB`: each round that adds dice scores the number of sides, the last one its highest die.
    ///
    /// The loop is over the number of dice alone: how many rounds there are is the length of its value. Of the last one it is
    /// known that no die of it adds another, so each shows one of the faces below that line, all equally likely.
    pub(super) fn cross(&mut self, id: NodeId, operation: &Operation) -> TermId {
        let held = self.held(&parts(operation));
        let (pool, bad) = self.pool_of(operation, &held);
        let score = self.block(|this| this.score(pool));
        self.unless(bad, ErrorKind::Domain, id, score)
    }

    fn score(&mut self, pool: Pool) -> TermId {
        let nowhere = self.nowhere;
        let count = self.at(pool.count.0);
        let rounds = self.looped(count, |this, count| {
            let [count, adds, sides] = [count, pool.adds.0, pool.sides.0].map(|held| this.at(held));
            let die = this.arena.add(Term::Die(sides, nowhere));
            let count = this.sum(count);
            let dice = this.arena.add(Term::Repeat(count, die, nowhere));
            let added = this.filter(Comparison::GreaterOrEqual, adds, dice);
            let added = this.count(added);
            let zero = this.constant(0);
            this.filter(Comparison::Greater, zero, added)
        });
        let rounds = self.bind(rounds);
        let [rounds, adds, sides] = [rounds, pool.adds.0, pool.sides.0].map(|held| self.at(held));
        let one = self.constant(1);
        let before = self.count(rounds);
        let before = self.fold(Arithmetic::Subtract, before, one, nowhere);
        let full = self.fold(Arithmetic::Multiply, sides, before, nowhere);
        let below = self.fold(Arithmetic::Subtract, adds, one, nowhere);
        let below = self.fold(Arithmetic::Min, below, sides, nowhere);
        let die = self.arena.add(Term::Die(below, nowhere));
        // Sums of lists of one member: that they have one need not be found out when the rule runs.
        let last = self.select(Selection::Last, 1, rounds);
        let last = self.sum(last);
        let dice = self.arena.add(Term::Repeat(last, die, nowhere));
        let highest = self.select(Selection::High, 1, dice);
        let highest = self.sum(highest);
        self.fold(Arithmetic::Add, full, highest, nowhere)
    }

    /// What `a` and `c` have in common, and how it can be out of range.
    fn pool_of(&mut self, operation: &Operation, held: &[Held]) -> (Pool, Vec<TermId>) {
        let [count, adds] = [operation.left, operation.right].map(|id| self.fact(id).number);
        let sides = operation.position(Parameter::Sides).and_then(|at| {
            let range = self.parameter_range(operation, at);
            Some((held_parameter(operation, held, at)?, range))
        });
        let sides = match sides {
            Some(sides) => sides,
            None => (
                Held::Constant(self.constant(10)),
                Range {
                    low: Some(10),
                    high: Some(10),
                },
            ),
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
            None => Range {
                low: Some(1),
                high: Some(1),
            },
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
fn held_parameter(operation: &Operation, held: &[Held], at: usize) -> Option<Held> {
    operation.parameters[at].1?;
    let before = &operation.parameters[..at];
    let written = before.iter().filter(|(_, value)| value.is_some()).count();
    held.get(2 + written).copied()
}

fn is_one(range: Range) -> bool {
    range.constant() == Some(1)
}
