//! `K`, `k`, `A` and `a` on pools whose dice can be rolled again later: each chosen or rolled die keeps its law.
//!
//! - If the pool consists of `g` groups, the value and the number of the group are packed into one integer,
//!   `value·g + group`. The highest integers belong to the highest dice; the group decides between equal values.
//! - If a part of the pool is built several times, each time with its own drawn numbers ([`Pool::Times`]), the dice are
//!   written into a [`Table`]. It has one record for each die: the value, the number of the law, and the numbers that the
//!   law needs. All records have the same length. Dice are chosen by their places in the table.

use super::change::Reroll;
use super::packing::{chosen, number, ranked, unpacked};
use super::pool::{Pool, Rolled};
use super::table::Table;
use super::terms::Terms as _;
use crate::ir::{Arithmetic, Builder, Expr, Name, SiteId};
use crate::notation::extreme::Extreme;

impl Pool {
    /// The `count` highest or lowest dice.
    pub(super) fn keep(self, terms: &mut Builder, end: Extreme, count: Expr, site: SiteId) -> Self {
        let (numbers, pool) = self.hoisted();
        let kept = match pool.groups() {
            None => {
                let table = pool.into_table(terms, site);
                Self::Table(table.keep(terms, end, count, site))
            }
            Some(groups) if groups.len() == 1 => {
                let list = pool.values(terms, site);
                let list = terms.select(end.selection(), count, list, site);
                Self::rolled(terms, list, groups[0].1)
            }
            Some(groups) => {
                let groups: Vec<(Self, Option<Expr>)> = groups
                    .into_iter()
                    .map(|(group, law)| (group.clone(), law))
                    .collect();
                let list = packed(terms, &groups, end, site);
                let list = terms.select(end.selection(), count, list, site);
                let member = terms.name();
                let (first, group) = unpacked(terms, member, groups.len(), site);
                let mut laws: Vec<Expr> = groups.iter().filter_map(|(_, law)| *law).collect();
                if end == Extreme::High {
                    laws.reverse();
                }
                let later = chosen(terms, group, &laws, site);
                Self::Rolled(Rolled {
                    list,
                    order: Some(end),
                    member,
                    first,
                    later,
                    groups: laws,
                })
            }
        };
        numbers
            .into_iter()
            .rev()
            .fold(kept, |pool, (name, number)| {
                Self::With(name, number, Box::new(pool))
            })
    }

    /// One die for each roll of each die, round by round.
    pub(super) fn reroll(self, terms: &mut Builder, reroll: Reroll) -> Self {
        let (numbers, pool) = self.hoisted();
        let law = match pool.groups().as_deref() {
            Some(&[(_, law)]) => law,
            _ => None,
        };
        let pool = match law {
            Some(law) => {
                let list = pool.all_rolls(terms, reroll);
                Self::rolled(terms, list, Some(law))
            }
            None => Self::Table(pool.into_table(terms, reroll.site).reroll(terms, reroll)),
        };
        numbers
            .into_iter()
            .rev()
            .fold(pool, |pool, (name, number)| {
                Self::With(name, number, Box::new(pool))
            })
    }

    fn into_table(self, terms: &mut Builder, site: SiteId) -> Table {
        if let Self::Table(table) = self {
            return table;
        }
        let mut laws = Vec::new();
        self.find_laws(terms, &mut Vec::new(), &mut laws);
        let needed = laws.iter().map(|(_, needed)| needed.len());
        let width = 2 + needed.max().unwrap_or_default();
        let records = self.records(terms, &laws, &mut 0, width, site);
        Table {
            records,
            width,
            laws,
        }
    }

    /// Adds the law of each group, with those of its free names that the pool binds. `scope` is the names that the pool binds
    /// around the group.
    fn find_laws(&self, terms: &Builder, scope: &mut Vec<Name>, laws: &mut Vec<(Expr, Vec<Name>)>) {
        let needed = |scope: &[Name], law: Expr| -> Vec<Name> {
            let mut free = terms.free(law);
            free.retain(|name| scope.contains(name));
            free
        };
        match self {
            Self::Fresh { roll, .. } => laws.push((*roll, needed(scope, *roll))),
            Self::Rolled(rolled) => {
                scope.push(rolled.member);
                let law = rolled.later.unwrap_or(rolled.first);
                laws.push((law, needed(scope, law)));
                scope.pop();
            }
            Self::Parts(parts) => {
                for part in parts {
                    part.find_laws(terms, scope, laws);
                }
            }
            Self::With(name, _, pool) => {
                scope.push(*name);
                pool.find_laws(terms, scope, laws);
                scope.pop();
            }
            Self::Times(_, pool) => pool.find_laws(terms, scope, laws),
            Self::Table(table) => laws.extend(table.laws.iter().cloned()),
        }
    }

    /// The records of all dice. `next` is the number of the first law of this pool, and is advanced past its last law.
    fn records(
        &self,
        terms: &mut Builder,
        laws: &[(Expr, Vec<Name>)],
        next: &mut usize,
        width: usize,
        site: SiteId,
    ) -> Expr {
        match self {
            Self::Fresh { count, .. } => {
                let (law, needed) = &laws[*next];
                let record = record(terms, *law, *next, needed, width);
                *next += 1;
                terms.times(*count, record, site)
            }
            Self::Rolled(rolled) => {
                let (_, needed) = &laws[*next];
                let record = record(terms, rolled.first, *next, needed, width);
                *next += 1;
                let list = match rolled.order {
                    None => rolled.list,
                    Some(end) => ranked(terms, end, rolled.list),
                };
                terms.each(rolled.member, list, record)
            }
            Self::Parts(parts) => {
                let mut records = Vec::with_capacity(parts.len());
                for part in parts {
                    records.push(part.records(terms, laws, next, width, site));
                }
                terms.join(&records)
            }
            Self::With(name, number, pool) => {
                let records = pool.records(terms, laws, next, width, site);
                terms.bind(*name, *number, records)
            }
            Self::Times(count, pool) => {
                let records = pool.records(terms, laws, next, width, site);
                terms.times(*count, records, site)
            }
            Self::Table(table) => {
                let records = table.widened(terms, *next, width, site);
                *next += table.laws.len();
                records
            }
        }
    }
}

/// The record of a die with this value and law, padded with zeros.
fn record(terms: &mut Builder, value: Expr, law: usize, needed: &[Name], width: usize) -> Expr {
    let mut fields = vec![value, terms.integer(number(law))];
    fields.extend(needed.iter().map(|&name| terms.variable(name)));
    while fields.len() < width {
        fields.push(terms.integer(0));
    }
    terms.join(&fields)
}

/// The values of all groups, each packed with the code of its group. The codes make the earliest group win among equal
/// values.
fn packed(
    terms: &mut Builder,
    groups: &[(Pool, Option<Expr>)],
    end: Extreme,
    site: SiteId,
) -> Expr {
    let size = groups.len();
    let parts = groups.iter().enumerate().map(|(group, (pool, _))| {
        let code = match end {
            Extreme::High => size - 1 - group,
            Extreme::Low => group,
        };
        let pack = |terms: &mut Builder, value| {
            let factor = terms.integer(number(size));
            let code = terms.integer(number(code));
            let product = terms.product(value, factor, site);
            terms.arithmetic(Arithmetic::Add, product, code, site)
        };
        if let Pool::Fresh { count, roll } = pool {
            let value = pack(terms, *roll);
            return terms.times(*count, value, site);
        }
        let values = pool.values(terms, site);
        let member = terms.name();
        let value = terms.variable(member);
        let value = pack(terms, value);
        terms.each(member, values, value)
    });
    let parts: Vec<Expr> = parts.collect();
    terms.join(&parts)
}
