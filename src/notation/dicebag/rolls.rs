//! All rolls of dice that are rolled again, where only their values matter: each group of dice by itself.

use super::change::{Again, Change as _};
use super::packing::{number, unpacked};
use super::pool::{Pool, Rolled};
use super::terms::Terms as _;
use crate::ir::{Arithmetic, Builder, Comparison, Expr, Name, SiteId};

impl Rolled {
    /// The values by their laws, each list with a name, and a term that looks at them all.
    fn by_law(
        &self,
        terms: &mut Builder,
        site: SiteId,
        look: impl Fn(&mut Builder, Name, Expr) -> Expr,
        join: impl Fn(&mut Builder, Expr, Expr) -> Expr,
    ) -> Option<Expr> {
        let law = self.later?;
        if self.groups.is_empty() {
            if terms.free(law).contains(&self.member) {
                return None;
            }
            let values = terms.each(self.member, self.list, self.first);
            let name = terms.name();
            let looked = look(terms, name, law);
            return Some(terms.bind(name, values, looked));
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
            let looked = look(terms, name, law);
            let looked = terms.bind(name, values, looked);
            all = Some(match all {
                None => looked,
                Some(all) => join(terms, all, looked),
            });
        }
        all.map(|all| terms.bind(members, self.list, all))
    }
}

impl Pool {
    /// The sum of all rolls of all dice, where those that the limit says are rolled again.
    pub(super) fn total_of_rolls(&self, terms: &mut Builder, again: Again) -> Expr {
        let site = again.site;
        let add = |terms: &mut Builder, a, b| terms.arithmetic(Arithmetic::Add, a, b, site);
        match self {
            Self::With(name, number, pool) => {
                let total = pool.total_of_rolls(terms, again);
                terms.bind(*name, *number, total)
            }
            Self::Times(count, pool) => {
                let total = pool.total_of_rolls(terms, again);
                let totals = terms.times(*count, total, site);
                terms.sum(totals, site)
            }
            Self::Parts(parts) => {
                let totals: Vec<Expr> = parts
                    .iter()
                    .map(|part| part.total_of_rolls(terms, again))
                    .collect();
                let total = totals.into_iter().reduce(|a, b| add(terms, a, b));
                total.unwrap_or_else(|| terms.integer(0))
            }
            Self::Rolled(rolled) => {
                let total = |terms: &mut Builder, values, law| {
                    let more = again.roll(terms, law);
                    let sum = |terms: &mut Builder, site, list| terms.sum(list, site);
                    again.with_more(terms, values, sum, more)
                };
                rolled.by_law(terms, site, total, add).unwrap_or_else(|| {
                    let exploded = self.clone().each(terms, site, &again);
                    exploded.total(terms, site)
                })
            }
            Self::Fresh { .. } | Self::Table(_) => {
                let exploded = self.clone().each(terms, site, &again);
                exploded.total(terms, site)
            }
        }
    }

    /// The values of all rolls of all dice, where those that the limit says are rolled again: a pool whose dice are only
    /// looked at, group by group.
    pub(super) fn all_rolls(&self, terms: &mut Builder, again: Again) -> Expr {
        let site = again.site;
        match self {
            Self::Fresh { count, roll } => {
                let rolls = again.fresh_rolls(terms, *roll);
                terms.times(*count, rolls, site)
            }
            Self::Rolled(rolled) => {
                let rolls = |terms: &mut Builder, values, law| {
                    let more = again.fresh_rolls(terms, law);
                    let hits = again.hits(terms, values);
                    let more = terms.times(hits, more, site);
                    let values = terms.variable(values);
                    terms.join(&[values, more])
                };
                let join = |terms: &mut Builder, a, b| terms.join(&[a, b]);
                if let Some(all) = rolled.by_law(terms, site, rolls, join) {
                    return all;
                }
                let all = match rolled.later {
                    Some(law) => again.rolls(terms, rolled.first, law),
                    None => rolled.first,
                };
                terms.each(rolled.member, rolled.list, all)
            }
            Self::Parts(parts) => {
                let parts: Vec<Expr> = parts
                    .iter()
                    .map(|part| part.all_rolls(terms, again))
                    .collect();
                terms.join(&parts)
            }
            Self::With(name, number, pool) => {
                let rolls = pool.all_rolls(terms, again);
                terms.bind(*name, *number, rolls)
            }
            Self::Times(count, pool) => {
                let rolls = pool.all_rolls(terms, again);
                terms.times(*count, rolls, site)
            }
            Self::Table(table) => {
                let rolls = Self::Table(table.clone().again(terms, again));
                rolls.values(terms, site)
            }
        }
    }
}
