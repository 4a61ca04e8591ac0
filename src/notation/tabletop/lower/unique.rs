//! Dice that show different values.

use super::Lowering;
use super::conditions::Tests;
use super::dice::{Dice, Plain, RolledValues};
use crate::ir::{Arithmetic, Arrangement, Comparison, Expr, Selection, SiteId};
use crate::number::Integer;

/// The largest number of dice that are written out one by one.
const MOST_WRITTEN: usize = 32;

impl Lowering<'_> {
    /// Dice from left to right: one that shows the same as an earlier die, and meets the condition, is rolled again, once or
    /// until that is not so. A later modifier may look at the order of the dice.
    pub(super) fn unique(
        &mut self,
        dice: &mut Dice,
        is_once: bool,
        tests: Option<&Tests>,
        is_order_seen: bool,
    ) {
        let (plain, site) = (dice.plain, dice.values.site);
        if let RolledValues::Each { count, roll, .. } = dice.shown
            && roll == plain.roll
            && plain.is_uniform
            && !is_once
            && tests.is_none()
        {
            dice.shown = RolledValues::List(self.without_replacement(count, plain, site));
            return;
        }
        let written = match dice.shown {
            RolledValues::Each {
                count,
                roll,
                is_single: true,
            } => {
                let count = self.build.constant(count).and_then(Integer::to_usize);
                count.filter(|&count| count <= MOST_WRITTEN).zip(Some(roll))
            }
            _ => None,
        };
        let list = if let Some((count, roll)) = written {
            self.block(|this| {
                // Only the values that can be met again are looked at.
                let mut values = Vec::new();
                let mut looked_at = Vec::new();
                for _ in 0..count {
                    let earlier = this.build.join(&looked_at);
                    let value = this.different(roll, earlier, is_once, tests, plain, site);
                    let value = this.bind(value);
                    values.push(value);
                    looked_at.push(match tests {
                        Some(tests) => this.meeting(tests, value, site),
                        None => value,
                    });
                }
                this.build.join(&values)
            })
        } else {
            let list = self.list(dice);
            self.block(|this| {
                let list = this.bind(list);
                this.different_in_turn(list, is_once, tests, plain, site, is_order_seen)
            })
        };
        dice.shown = RolledValues::List(list);
    }

    /// Plain dice that all show different faces, if there are enough faces; otherwise the rolls never end.
    fn without_replacement(&mut self, count: Expr, plain: Plain, site: SiteId) -> Expr {
        let faces = self.build.range(plain.lowest, plain.highest, site);
        let order = self.build.arrange(Arrangement::Shuffle, faces);
        let drawn = self.build.select(Selection::First, count, order, site);
        let sides = self.arithmetic(Arithmetic::Subtract, plain.highest, plain.lowest, site);
        let known = self.build.constant(sides).zip(self.build.constant(count));
        if known.is_some_and(|(sides, count)| count <= sides) {
            return drawn;
        }
        // The dice are rolled, so that a die without sides is an error.
        let rolls = self.build.repeat(count, plain.roll, site);
        let rolls = self.count(rolls, site);
        let one = self.constant(1);
        let faces = self.arithmetic(Arithmetic::Add, sides, one, site);
        let too_many = self.build.filter(Comparison::Greater, faces, rolls, site);
        let name = self.build.name();
        let same = self.build.variable(name);
        let for_ever = self.build.repeat_while(name, one, same);
        self.build.choose(too_many, for_ever, drawn)
    }

    /// A value that differs from earlier ones.
    fn different(
        &mut self,
        first: Expr,
        earlier: Expr,
        is_once: bool,
        tests: Option<&Tests>,
        plain: Plain,
        site: SiteId,
    ) -> Expr {
        let is_wrong = |this: &mut Self, value: Expr| {
            let same = this.build.filter(Comparison::Equal, value, earlier, site);
            let Some(tests) = tests else { return same };
            let hits = this.hits(tests, value, site);
            let nothing = this.build.empty();
            this.build.choose(hits, same, nothing)
        };
        if !is_once {
            return self.last_roll(first, plain, site, is_wrong);
        }
        self.block(|this| {
            let value = this.bind(first);
            let is_wrong = is_wrong(this, value);
            this.build.choose(is_wrong, plain.roll, value)
        })
    }

    /// [`Self::different`] for each member of a list of any length.
    ///
    /// A loop has the values so far as its state, behind their number. They are sorted, for fewer states, if nothing looks at
    /// their order.
    fn different_in_turn(
        &mut self,
        list: Expr,
        is_once: bool,
        tests: Option<&Tests>,
        plain: Plain,
        site: SiteId,
        is_order_seen: bool,
    ) -> Expr {
        let (zero, one) = (self.constant(0), self.constant(1));
        let count = self.count(list, site);
        let count = self.bind(count);
        let name = self.build.name();
        let state = self.build.variable(name);
        let next = self.block(|this| {
            let number = this.build.select(Selection::First, one, state, site);
            let number = this.sum(number, site);
            let number = this.bind(number);
            let earlier = this.build.select(Selection::DropFirst, one, state, site);
            let earlier = this.bind(earlier);
            let following = this.arithmetic(Arithmetic::Add, number, one, site);
            let value = this.build.select(Selection::DropFirst, number, list, site);
            let value = this.build.select(Selection::First, one, value, site);
            let value = this.sum(value, site);
            let value = this.different(value, earlier, is_once, tests, plain, site);
            let mut all = this.build.join(&[earlier, value]);
            if !is_order_seen {
                all = this.build.arrange(Arrangement::Sort, all);
            }
            let next = this.build.join(&[following, all]);
            let goes_on = this.build.filter(Comparison::Less, count, number, site);
            let nothing = this.build.empty();
            this.build.choose(goes_on, next, nothing)
        });
        let states = self.build.repeat_while(name, zero, next);
        self.build.select(Selection::Last, count, states, site)
    }
}
