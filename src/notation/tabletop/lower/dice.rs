//! Dice: what they show, after the modifiers of the first stage.

use super::Lowering;
use super::conditions::{Numbers, Tests};
use super::support::Support;
use super::value::{NumberValue, Rolled, ratio};
use crate::ir::{Arithmetic, Comparison, Expr, Selection, SiteId};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;
use crate::notation::tabletop::stages::{Change, Limit, Score, Selectors, Stages};
use crate::notation::tabletop::token::Sides as Word;
use crate::notation::tabletop::tree::{Die, Sides};
use crate::notation::tabletop::words::{Explosion, Manner};
use crate::number::Integer;

/// The plain die that is rolled first, and again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// A term that is one roll.
    pub(super) roll: Expr,
    pub(super) lowest: Expr,
    pub(super) highest: Expr,
    /// Whether every face between the lowest and the highest is as likely as the others.
    pub(super) is_uniform: bool,
    /// The values of a roll.
    range: Range,
}

/// What dice show.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    pub(super) shown: RolledValues,
    pub(super) plain: Plain,
    pub(super) values: Values,
}

/// What is known of a list of values before rolling.
#[derive(Clone, Debug)]
pub(super) struct Values {
    /// The unit of all values.
    pub(super) unit: Integer,
    /// The length of the list.
    pub(super) number: Range,
    /// The values in their unit.
    pub(super) range: Range,
    pub(super) site: SiteId,
}

/// A list of values.
#[derive(Clone, Copy, Debug)]
pub(super) enum RolledValues {
    /// The values of `count` evaluations of a term, each one value if `is_single`.
    Each {
        count: Expr,
        roll: Expr,
        is_single: bool,
    },
    List(Expr),
}

impl Lowering<'_> {
    /// The number that dice with modifiers count.
    pub(super) fn die(&mut self, id: NodeId, die: &Die) -> NumberValue {
        let stages =
            Stages::of(&die.modifiers).expect("the stages were checked when they were read");
        let (dice, numbers) = self.rolled(id, die, &stages);
        let is_plain_sum = matches!(stages.score, Score::Sum) && stages.choices.is_empty();
        let total = match dice.shown {
            RolledValues::Each {
                count,
                roll,
                is_single: true,
            } if is_plain_sum && self.is_one(count) => {
                let support = Support::within(dice.values.range);
                NumberValue::Rolled(Rolled {
                    term: roll,
                    unit: dice.values.unit.clone(),
                    support,
                })
            }
            _ => {
                let list = self.list(&dice);
                let (list, values) = self.chosen(list, dice.values.clone(), &stages, &numbers);
                match &stages.score {
                    Score::Deduct(marks) => {
                        let term = self.marked(list, marks, &dice, &numbers);
                        NumberValue::Rolled(Rolled {
                            term,
                            unit: values.unit,
                            support: Support::UNKNOWN,
                        })
                    }
                    score => self.scored(list, &values, score, &numbers, None),
                }
            }
        };
        self.margins(total, &stages, &numbers, dice.values.site)
    }

    /// The dice of a die with modifiers, and the numbers of the modifiers.
    pub(super) fn rolled(&mut self, id: NodeId, die: &Die, stages: &Stages) -> (Dice, Numbers) {
        let site = self.site(id);
        let count = match die.count {
            Some(count) => self.number(count),
            None => NumberValue::whole(1),
        };
        let one = Integer::ONE;
        let count_range = Self::support(&count, &count.unit()).range();
        let whole_range = if count.unit() == one {
            count_range.within(0, i64::MAX)
        } else {
            Range::at_least(0)
        };
        let mut number = Range {
            high: whole_range.high.filter(|&high| high < i64::MAX),
            ..whole_range
        };
        let mut count = match die.count {
            Some(id) => self.whole(count, id),
            None => self.constant(1),
        };
        count = self.bind(count);
        let plain = self.plain(die.sides, site);
        let numbers = self.numbers(&die.modifiers, one);
        let plain = self.in_parts(plain, &numbers.unit, site);
        let mut roll = plain.roll;
        let mut best = None;
        if let Some((advantage, end)) = self.advantage
            && advantage == id
        {
            let two = self.constant(2);
            roll = self.build.repeat(two, roll, site);
            number = Range::only(2);
            best = Some(end);
        }
        let mut dice = Dice {
            shown: RolledValues::Each {
                count,
                roll,
                is_single: best.is_none(),
            },
            values: Values {
                unit: numbers.unit.clone(),
                number,
                range: plain.range,
                site,
            },
            plain,
        };
        if let Some(end) = best {
            let selection = end.selection();
            let one = self.constant(1);
            let list = self.list(&dice);
            let kept = self.build.select(selection, one, list, site);
            dice.shown = RolledValues::Each {
                count: one,
                roll: self.sum(kept, site),
                is_single: true,
            };
            dice.values.number = Range::only(1);
        }
        let mut changes = stages.changes.iter();
        while let Some(change) = changes.next() {
            let is_order_seen = changes
                .clone()
                .any(|later| matches!(later, Change::Unique { .. }));
            self.change(&mut dice, change, &numbers, is_order_seen);
        }
        (dice, numbers)
    }

    /// The plain die with these sides. The number of sides is evaluated once.
    fn plain(&mut self, sides: Sides, site: SiteId) -> Plain {
        let word = match sides {
            Sides::Word(word) => word,
            Sides::Number(id) => {
                let value = self.number(id);
                let is_whole = value.unit() == Integer::ONE;
                let high = || Self::support(&value, &Integer::ONE).range().high;
                let high = is_whole.then(high).flatten();
                let sides = self.whole(value, id);
                let highest = self.bind(sides);
                return Plain {
                    roll: self.build.die(highest, site),
                    lowest: self.constant(1),
                    highest,
                    is_uniform: true,
                    range: Range { low: Some(1), high },
                };
            }
        };
        let sides = match word {
            Word::Coin => 2,
            Word::Fate => 3,
            Word::RareFate => 6,
            Word::Percent => 100,
        };
        let sides = self.constant(sides);
        let die = self.build.die(sides, site);
        let faces = |this: &mut Self, low: i64, high: i64, roll: Expr, is_uniform| Plain {
            roll,
            lowest: this.constant(low),
            highest: this.constant(high),
            is_uniform,
            range: Range::between(low, high),
        };
        match word {
            Word::Percent => faces(self, 1, 100, die, true),
            Word::Coin => {
                let one = self.constant(1);
                let roll = self.arithmetic(Arithmetic::Subtract, die, one, site);
                faces(self, 0, 1, roll, true)
            }
            Word::Fate => {
                let two = self.constant(2);
                let roll = self.arithmetic(Arithmetic::Subtract, die, two, site);
                faces(self, -1, 1, roll, true)
            }
            Word::RareFate => {
                // 6 is 1, and 1 is -1.
                let (one, six) = (self.constant(1), self.constant(6));
                let roll = self.block(|this| {
                    let die = this.bind(die);
                    let high = this.build.filter(Comparison::Equal, six, die, site);
                    let low = this.build.filter(Comparison::Equal, one, die, site);
                    let (high, low) = (this.count(high, site), this.count(low, site));
                    this.arithmetic(Arithmetic::Subtract, high, low, site)
                });
                faces(self, -1, 1, roll, false)
            }
        }
    }

    /// A die with values in a smaller unit.
    fn in_parts(&mut self, plain: Plain, unit: &Integer, site: SiteId) -> Plain {
        if *unit == Integer::ONE {
            return plain;
        }
        let factor = unit.to_i64().map_or(Range::UNKNOWN, Range::only);
        Plain {
            roll: self.times(plain.roll, unit, site),
            lowest: self.times(plain.lowest, unit, site),
            highest: self.times(plain.highest, unit, site),
            is_uniform: false,
            range: plain.range.times(factor),
        }
    }

    /// Whether a term is the number 1.
    pub(super) fn is_one(&self, term: Expr) -> bool {
        self.build.constant(term) == Some(&Integer::ONE)
    }

    /// The values of the dice.
    pub(super) fn list(&mut self, dice: &Dice) -> Expr {
        match dice.shown {
            RolledValues::List(list) => list,
            RolledValues::Each { count, roll, .. } if self.is_one(count) => roll,
            RolledValues::Each { count, roll, .. } => {
                self.build.repeat(count, roll, dice.values.site)
            }
        }
    }

    /// Dice with each value replaced by the values of a body, which uses the value once.
    fn map(
        &mut self,
        dice: &mut Dice,
        gives_one: bool,
        body: impl FnOnce(&mut Self, Expr) -> Expr,
    ) {
        dice.shown = match dice.shown {
            RolledValues::Each {
                count,
                roll,
                is_single,
            } => RolledValues::Each {
                count,
                roll: if is_single {
                    self.block(|this| body(this, roll))
                } else {
                    self.each(roll, body)
                },
                is_single: is_single && gives_one,
            },
            RolledValues::List(list) => RolledValues::List(self.each(list, body)),
        };
    }

    /// A modifier of the first stage. A later one may look at the order of the dice.
    fn change(&mut self, dice: &mut Dice, change: &Change, numbers: &Numbers, is_order_seen: bool) {
        let plain = dice.plain;
        let site = dice.values.site;
        match change {
            Change::Add(condition) => {
                let tests = self.tests(numbers, condition, None);
                let list = self.list(dice);
                let list = self.block(|this| {
                    let list = this.bind(list);
                    let hits = this.hits(&tests, list, site);
                    let nothing = this.build.empty();
                    let more = this.build.choose(hits, plain.roll, nothing);
                    this.build.join(&[list, more])
                });
                dice.shown = RolledValues::List(list);
                dice.values.number = dice.values.number.plus(Range::between(0, 1));
                dice.values.range = dice.values.range.or(plain.range);
            }
            Change::Explode(explosion, condition) => {
                let tests = self.tests(numbers, condition, Some(plain.highest));
                self.explode(dice, *explosion, &tests);
            }
            Change::Limit(limit, id) => {
                let number = numbers.value(*id);
                let support = Self::support(&number, &dice.values.unit);
                let number = self.in_unit(number, &dice.values.unit);
                let number = self.bind(number);
                let operator = match limit {
                    Limit::AtLeast => Arithmetic::Max,
                    Limit::AtMost => Arithmetic::Min,
                };
                self.map(dice, true, |this, value| {
                    this.arithmetic(operator, value, number, site)
                });
                dice.values.range = dice.values.range.or(support.range());
            }
            Change::Reroll(condition) => {
                let tests = self.tests(numbers, condition, Some(plain.lowest));
                self.map(dice, true, |this, value| {
                    this.last_roll(value, plain, site, |this, roll| {
                        this.hits(&tests, roll, site)
                    })
                });
                dice.values.range = dice.values.range.or(plain.range);
            }
            Change::RerollOnce(selectors) => {
                self.reroll_once(dice, selectors, numbers, is_order_seen);
                dice.values.range = dice.values.range.or(plain.range);
            }
            Change::Unique { is_once, condition } => {
                let tests = self.tests(numbers, condition, None);
                let tests = (!condition.has_default).then_some(tests);
                self.unique(dice, *is_once, tests.as_ref(), is_order_seen);
                dice.values.range = dice.values.range.or(plain.range);
            }
        }
    }

    /// The last of the rolls of a die that is rolled again as long as it is wrong.
    pub(super) fn last_roll(
        &mut self,
        first: Expr,
        plain: Plain,
        site: SiteId,
        is_wrong: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let rolls = self.rolls(first, plain, is_wrong);
        let one = self.constant(1);
        let last = self.build.select(Selection::Last, one, rolls, site);
        // The engine knows that a sum is a number.
        self.sum(last, site)
    }

    /// The rolls of a die that is rolled again as long as a condition on the last roll has a member.
    fn rolls(
        &mut self,
        first: Expr,
        plain: Plain,
        goes_on: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let name = self.build.name();
        let last = self.build.variable(name);
        let goes_on = goes_on(self, last);
        let nothing = self.build.empty();
        let next = self.build.choose(goes_on, plain.roll, nothing);
        self.build.repeat_while(name, first, next)
    }

    /// Dice that add dice.
    fn explode(&mut self, dice: &mut Dice, explosion: Explosion, tests: &Tests) {
        if tests.is_never() {
            return;
        }
        let (plain, site) = (dice.plain, dice.values.site);
        let part = self.build.integer(dice.values.unit.clone());
        self.map(dice, explosion.is_compound, |this, first| {
            let chain = match explosion.manner {
                Manner::Endless => {
                    this.rolls(first, plain, |this, last| this.hits(tests, last, site))
                }
                Manner::Once | Manner::Penetrating => this.block(|this| {
                    let first = this.bind(first);
                    let hits = this.hits(tests, first, site);
                    let more = if explosion.manner == Manner::Once {
                        plain.roll
                    } else {
                        let rolls = this
                            .rolls(plain.roll, plain, |this, last| this.hits(tests, last, site));
                        this.each(rolls, |this, roll| {
                            this.arithmetic(Arithmetic::Subtract, roll, part, site)
                        })
                    };
                    let nothing = this.build.empty();
                    let more = this.build.choose(hits, more, nothing);
                    this.build.join(&[first, more])
                }),
            };
            if explosion.is_compound {
                this.sum(chain, site)
            } else {
                chain
            }
        });
        let added = if explosion.manner == Manner::Penetrating {
            let part = dice
                .values
                .unit
                .to_i64()
                .map_or(Range::UNKNOWN, Range::only);
            plain.range.plus(part.negated())
        } else {
            plain.range
        };
        if explosion.is_compound {
            let low = dice.values.range.low.filter(|_| added.is_at_least(0));
            dice.values.range = Range { low, high: None };
        } else {
            dice.values.range = dice.values.range.or(added);
            dice.values.number.high = None;
        }
    }

    /// Rolls each die once more that a selector takes: in its place if the order is seen, and otherwise behind the others.
    fn reroll_once(
        &mut self,
        dice: &mut Dice,
        selectors: &Selectors,
        numbers: &Numbers,
        is_order_seen: bool,
    ) {
        let (plain, site) = (dice.plain, dice.values.site);
        let tests = self.tests(numbers, &selectors.condition, Some(plain.lowest));
        if selectors.high.is_empty() && selectors.low.is_empty() {
            self.map(dice, true, |this, value| {
                this.block(|this| {
                    let value = this.bind(value);
                    let hits = this.hits(&tests, value, site);
                    this.build.choose(hits, plain.roll, value)
                })
            });
            return;
        }
        let list = self.list(dice);
        let list = self.block(|this| {
            let list = this.bind(list);
            let (taken, rest) = this.take(list, selectors, &tests, numbers, site);
            let taken = this.build.join(&taken);
            if is_order_seen {
                return this.rolled_in_place(list, taken, plain, site);
            }
            let count = this.count(taken, site);
            let again = this.build.repeat(count, plain.roll, site);
            this.build.join(&[rest, again])
        });
        dice.shown = RolledValues::List(list);
    }

    /// The members of a list, with those among `taken` rolled again, the first of equal members.
    fn rolled_in_place(&mut self, list: Expr, taken: Expr, plain: Plain, site: SiteId) -> Expr {
        let taken = self.bind(taken);
        let one = self.constant(1);
        let count = self.count(list, site);
        let places = self.build.range(one, count, site);
        self.each(places, |this, place| {
            let until = this.build.select(Selection::First, place, list, site);
            let until = this.bind(until);
            let value = this.build.select(Selection::Last, one, until, site);
            let value = this.sum(value, site);
            let value = this.bind(value);
            let [equal, equal_taken] = [until, taken].map(|list| {
                let equal = this.build.filter(Comparison::Equal, value, list, site);
                this.count(equal, site)
            });
            let is_taken = this
                .build
                .filter(Comparison::LessOrEqual, equal_taken, equal, site);
            this.build.choose(is_taken, plain.roll, value)
        })
    }

    /// The values of dice in a unit that is a multiple of their own.
    pub(super) fn list_in_unit(
        &mut self,
        list: Expr,
        own: &Integer,
        unit: &Integer,
        site: SiteId,
    ) -> Expr {
        if own == unit {
            return list;
        }
        let factor = ratio(unit, own);
        self.each(list, |this, value| this.times(value, &factor, site))
    }
}
