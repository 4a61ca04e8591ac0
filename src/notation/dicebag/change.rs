//! What is done to each die of a pool by itself, and to each of its later rolls.

use super::terms::Terms as _;
use crate::ir::{Arithmetic, Builder, Comparison, Expr, Name, Selection, SiteId};

/// What is done to each die of a pool: from the term of a roll to that of the new die's roll.
pub(super) trait Change {
    /// The roll of a die that has not been rolled, or is rolled again, by this law.
    fn roll(&self, terms: &mut Builder, law: Expr) -> Expr;

    /// The first value of a die that shows `first`; its later rolls have this law.
    fn first(&self, terms: &mut Builder, first: Expr, law: Option<Expr>) -> Expr;
}

/// Dice are rolled again while their last roll compares with the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Again {
    pub(super) comparison: Comparison,
    /// A constant or a variable.
    pub(super) limit: Expr,
    pub(super) site: SiteId,
}

/// A law that is written out twice has no more terms than this.
const MOST_TWICE: u64 = 40;

impl Again {
    /// All rolls of a die, or of several with the same law, from the first ones on.
    pub(super) fn rolls(self, terms: &mut Builder, first: Expr, law: Expr) -> Expr {
        let last = terms.name();
        let more = self.hits(terms, last);
        let more = terms.times(more, law, self.site);
        terms.repeat_while(last, first, more)
    }

    /// All rolls of a die that has not been rolled.
    pub(super) fn fresh_rolls(self, terms: &mut Builder, law: Expr) -> Expr {
        if terms.size(law) <= MOST_TWICE {
            return self.rolls(terms, law, law);
        }
        // A first roll that shows the limit is rolled again in any case, and then left out.
        let rolls = self.rolls(terms, self.limit, law);
        let one = terms.integer(1);
        terms.select(Selection::DropFirst, one, rolls, self.site)
    }

    /// How many members of a list are to be rolled again.
    pub(super) fn hits(self, terms: &mut Builder, list: Name) -> Expr {
        let list = terms.variable(list);
        let hits = terms.filter(self.comparison, self.limit, list, self.site);
        terms.count(hits, self.site)
    }
}

/// `E` and `e`: the sum of all rolls.
impl Change for Again {
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

impl Again {
    /// The sum of values that have a name and are to be rolled again where they compare so, and of what is rolled then, which
    /// is as much for each of them.
    pub(super) fn with_more(
        &self,
        terms: &mut Builder,
        name: Name,
        sum: impl Fn(&mut Builder, SiteId, Expr) -> Expr,
        more: Expr,
    ) -> Expr {
        let hits = self.hits(terms, name);
        let more = terms.times(hits, more, self.site);
        let more = terms.sum(more, self.site);
        let values = terms.variable(name);
        let values = sum(terms, self.site, values);
        terms.arithmetic(Arithmetic::Add, values, more, self.site)
    }
}
