//! Changes that an operator makes to each die of a pool, and to each later roll of the die.

use super::terms::Terms as _;
use crate::ir::{Arithmetic, Builder, Comparison, Expr, Name, Selection, SiteId};

/// A change to each die of a pool. It maps the law of a die to the law of the changed die.
pub(super) trait Change {
    /// The law of the changed die, for a die with the law `law`.
    fn roll(&self, terms: &mut Builder, law: Expr) -> Expr;

    /// The first value of the changed die, for a die that shows `first` and whose later rolls have the law `law`.
    fn first(&self, terms: &mut Builder, first: Expr, law: Option<Expr>) -> Expr;
}

/// Dice are rolled again while the comparison of their last roll with the limit holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reroll {
    pub(super) comparison: Comparison,
    /// A constant or a variable.
    pub(super) limit: Expr,
    pub(super) site: SiteId,
}

/// The largest number of terms of a law that is written out twice.
const MOST_TWICE: u64 = 40;

impl Reroll {
    /// All rolls of one or more dice with the same law: the first rolls `first`, then the later rolls.
    pub(super) fn rolls(self, terms: &mut Builder, first: Expr, law: Expr) -> Expr {
        let last = terms.name();
        let more = self.rerolls(terms, last);
        let more = terms.times(more, law, self.site);
        terms.repeat_while(last, first, more)
    }

    /// All rolls of a die that has not been rolled.
    pub(super) fn fresh_rolls(self, terms: &mut Builder, law: Expr) -> Expr {
        if terms.size(law) <= MOST_TWICE {
            return self.rolls(terms, law, law);
        }
        // The loop begins with the limit as a first roll, which is always rolled again; the selection then drops it.
        let rolls = self.rolls(terms, self.limit, law);
        let one = terms.integer(1);
        terms.select(Selection::DropFirst, one, rolls, self.site)
    }

    /// The number of members of a list that are rolled again.
    pub(super) fn rerolls(self, terms: &mut Builder, list: Name) -> Expr {
        let list = terms.variable(list);
        let rerolls = terms.filter(self.comparison, self.limit, list, self.site);
        terms.count(rerolls, self.site)
    }
}

/// `E` and `e`: the sum of all rolls.
impl Change for Reroll {
    fn roll(&self, terms: &mut Builder, law: Expr) -> Expr {
        let rolls = self.fresh_rolls(terms, law);
        terms.sum(rolls, self.site)
    }

    fn first(&self, terms: &mut Builder, first: Expr, law: Option<Expr>) -> Expr {
        let Some(law) = law else { return first };
        let more = self.roll(terms, law);
        let (name, values) = (terms.name(), first);
        let sum = self.with_more(terms, name, |_, _, value| value, more);
        terms.bind(name, values, sum)
    }
}

impl Reroll {
    /// The sum of the list `name`, made by `sum`, plus one evaluation of `more` for each member that is rolled again.
    pub(super) fn with_more(
        &self,
        terms: &mut Builder,
        name: Name,
        sum: impl Fn(&mut Builder, SiteId, Expr) -> Expr,
        more: Expr,
    ) -> Expr {
        let rerolls = self.rerolls(terms, name);
        let more = terms.times(rerolls, more, self.site);
        let more = terms.sum(more, self.site);
        let values = terms.variable(name);
        let values = sum(terms, self.site, values);
        terms.arithmetic(Arithmetic::Add, values, more, self.site)
    }
}
