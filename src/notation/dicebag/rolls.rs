//! All rolls of dice that are rolled again, if only the values of the rolls are needed. Each group of dice is lowered by itself.

use super::change::{Change as _, Reroll};
use super::packing::{number, unpacked};
use super::pool::{Pool, Rolled};
use super::terms::Terms as _;
use crate::ir::{Arithmetic, Builder, Comparison, Expr, Name, SiteId};

impl Rolled {
    /// Splits the values by their laws. `apply` makes a term of the name of a list of values and of their law; `join` combines
    /// two such terms. `None` if there is no law, or if the law depends on the die.
    fn by_law(
        &self,
        terms: &mut Builder,
        site: SiteId,
        apply: impl Fn(&mut Builder, Name, Expr) -> Expr,
        join: impl Fn(&mut Builder, Expr, Expr) -> Expr,
    ) -> Option<Expr> {
        let law = self.later?;
        if self.groups.is_empty() {
            if terms.free(law).contains(&self.member) {
                return None;
            }
            let values = terms.each(self.member, self.list, self.first);
            let name = terms.name();
            let applied = apply(terms, name, law);
            return Some(terms.bind(name, values, applied));
        }
        let members = terms.name();
        let list = terms.variable(members);
        let mut all = None;
        for (group, &law) in self.groups.iter().enumerate() {
            let (_, own) = unpacked(terms, self.member, self.groups.len(), site);
            let group = terms.integer(number(group));
            let is_own = terms.filter(Comparison::Equal, group, own, site);
            let nothing = terms.join(&[]);
            let value = terms.choose(is_own, self.first, nothing);
            let values = terms.each(self.member, list, value);
            let name = terms.name();
            let applied = apply(terms, name, law);
            let applied = terms.bind(name, values, applied);
            all = Some(match all {
                None => applied,
                Some(all) => join(terms, all, applied),
            });
        }
        all.map(|all| terms.bind(members, self.list, all))
    }
}

impl Pool {
    /// The sum of all rolls of all dice.
    pub(super) fn total_of_rolls(&self, terms: &mut Builder, reroll: Reroll) -> Expr {
        let site = reroll.site;
        let add = |terms: &mut Builder, a, b| terms.arithmetic(Arithmetic::Add, a, b, site);
        match self {
            Self::With(name, number, pool) => {
                let total = pool.total_of_rolls(terms, reroll);
                terms.bind(*name, *number, total)
            }
            Self::Times(count, pool) => {
                let total = pool.total_of_rolls(terms, reroll);
                let totals = terms.times(*count, total, site);
                terms.sum(totals, site)
            }
            Self::Parts(parts) => {
                let totals: Vec<Expr> = parts
                    .iter()
                    .map(|part| part.total_of_rolls(terms, reroll))
                    .collect();
                let total = totals.into_iter().reduce(|a, b| add(terms, a, b));
                total.unwrap_or_else(|| terms.integer(0))
            }
            Self::Rolled(rolled) => {
                let total = |terms: &mut Builder, values, law| {
                    let more = reroll.roll(terms, law);
                    let sum = |terms: &mut Builder, site, list| terms.sum(list, site);
                    reroll.with_more(terms, values, sum, more)
                };
                rolled.by_law(terms, site, total, add).unwrap_or_else(|| {
                    let exploded = self.clone().each(terms, site, &reroll);
                    exploded.total(terms, site)
                })
            }
            Self::Fresh { .. } | Self::Table(_) => {
                let exploded = self.clone().each(terms, site, &reroll);
                exploded.total(terms, site)
            }
        }
    }

    /// The values of all rolls of all dice, group by group.
    pub(super) fn all_rolls(&self, terms: &mut Builder, reroll: Reroll) -> Expr {
        let site = reroll.site;
        match self {
            Self::Fresh { count, roll } => {
                let rolls = reroll.fresh_rolls(terms, *roll);
                terms.times(*count, rolls, site)
            }
            Self::Rolled(rolled) => {
                let rolls = |terms: &mut Builder, values, law| {
                    let more = reroll.fresh_rolls(terms, law);
                    let rerolls = reroll.rerolls(terms, values);
                    let more = terms.times(rerolls, more, site);
                    let values = terms.variable(values);
                    terms.join(&[values, more])
                };
                let join = |terms: &mut Builder, a, b| terms.join(&[a, b]);
                if let Some(all) = rolled.by_law(terms, site, rolls, join) {
                    return all;
                }
                let all = match rolled.later {
                    Some(law) => reroll.rolls(terms, rolled.first, law),
                    None => rolled.first,
                };
                terms.each(rolled.member, rolled.list, all)
            }
            Self::Parts(parts) => {
                let parts: Vec<Expr> = parts
                    .iter()
                    .map(|part| part.all_rolls(terms, reroll))
                    .collect();
                terms.join(&parts)
            }
            Self::With(name, number, pool) => {
                let rolls = pool.all_rolls(terms, reroll);
                terms.bind(*name, *number, rolls)
            }
            Self::Times(count, pool) => {
                let rolls = pool.all_rolls(terms, reroll);
                terms.times(*count, rolls, site)
            }
            Self::Table(table) => {
                let rolls = Self::Table(table.clone().reroll(terms, reroll));
                rolls.values(terms, site)
            }
        }
    }
}
