//! Pools of dice that can be rolled again.
//!
//! A die that can be rolled again has a value, which it shows, and a *law*: the term that is evaluated afresh for each later
//! roll. The dice of a pool and their laws are known without rolling, except for numbers that are drawn when the pool is
//! built. So a [`Pool`] is a tree of groups of dice, with one law for each group, and a change to every die is a change to
//! every group.
//!
//! If dice are chosen from several groups, each die must keep its law: see [`super::choice`].

use super::change::Change;
use super::table::Table;
use super::terms::Terms as _;
use crate::ir::{Builder, Expr, Name, SiteId};
use crate::notation::extreme::Extreme;

/// Dice in order, each with its first value and, if it is needed, the law of its later rolls.
#[derive(Clone, Debug)]
pub(super) enum Pool {
    /// `count` dice that were not rolled yet: the law of the first value is `roll`, too.
    Fresh {
        count: Expr,
        roll: Expr,
    },
    /// Dice that show values.
    Rolled(Rolled),
    /// The dice of each pool, one pool after the other.
    Parts(Vec<Pool>),
    /// A pool that needs a number, which is drawn when the pool is built.
    With(Name, Expr, Box<Pool>),
    /// A number of fresh evaluations of a pool.
    Times(Expr, Box<Pool>),
    Table(Table),
}

/// Dice that show values: one die for each member of a list.
#[derive(Clone, Debug)]
pub(super) struct Rolled {
    pub(super) list: Expr,
    /// The order of the dice, if it is not the order of the list.
    pub(super) order: Option<Extreme>,
    pub(super) member: Name,
    /// The value of the die of a member, which is evaluated once.
    pub(super) first: Expr,
    /// The law of the die of a member.
    pub(super) later: Option<Expr>,
    /// The laws by the number of the group, if members are packed with the number of a group.
    pub(super) groups: Vec<Expr>,
}

impl Pool {
    /// One die.
    pub(super) fn die(terms: &mut Builder, roll: Expr) -> Self {
        let count = terms.integer(1);
        Self::Fresh { count, roll }
    }

    /// Dice that show the members of a list, and are not rolled again.
    pub(super) fn showing(terms: &mut Builder, list: Expr) -> Self {
        Self::rolled(terms, list, None)
    }

    /// The dice of this pool, then the dice of another.
    pub(super) fn then(self, other: Self) -> Self {
        let mut parts = match self {
            Self::Parts(parts) => parts,
            single => vec![single],
        };
        match other {
            Self::Parts(more) => parts.extend(more),
            single => parts.push(single),
        }
        Self::Parts(parts)
    }

    /// Dice that show the members of a list.
    pub(super) fn rolled(terms: &mut Builder, list: Expr, later: Option<Expr>) -> Self {
        let member = terms.name();
        let first = terms.variable(member);
        Self::Rolled(Rolled {
            list,
            order: None,
            member,
            first,
            later,
            groups: Vec::new(),
        })
    }

    /// The pool with each die changed.
    pub(super) fn each(self, terms: &mut Builder, site: SiteId, change: &impl Change) -> Self {
        match self {
            Self::Fresh { count, roll } => Self::Fresh {
                count,
                roll: change.roll(terms, roll),
            },
            Self::Rolled(rolled) => {
                let laws = rolled.groups.iter();
                Self::Rolled(Rolled {
                    first: change.first(terms, rolled.first, rolled.later),
                    later: rolled.later.map(|law| change.roll(terms, law)),
                    groups: laws.map(|&law| change.roll(terms, law)).collect(),
                    ..rolled
                })
            }
            Self::Parts(parts) => {
                let parts = parts.into_iter();
                Self::Parts(parts.map(|part| part.each(terms, site, change)).collect())
            }
            Self::With(name, number, pool) => {
                Self::With(name, number, Box::new(pool.each(terms, site, change)))
            }
            Self::Times(count, pool) => {
                Self::Times(count, Box::new(pool.each(terms, site, change)))
            }
            Self::Table(table) => Self::Table(table.each(terms, site, change)),
        }
    }

    /// The values of the dice, each rolled once.
    pub(super) fn values(&self, terms: &mut Builder, site: SiteId) -> Expr {
        match self {
            Self::Fresh { count, roll } => terms.times(*count, *roll, site),
            Self::Rolled(rolled) => terms.each(rolled.member, rolled.list, rolled.first),
            Self::Parts(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|part| part.values(terms, site)).collect();
                terms.join(&parts)
            }
            Self::With(name, number, pool) => {
                let values = pool.values(terms, site);
                terms.bind(*name, *number, values)
            }
            Self::Times(count, pool) => {
                let values = pool.values(terms, site);
                terms.times(*count, values, site)
            }
            Self::Table(table) => {
                let records = terms.name();
                let (place, places) = table.places(terms, records, site);
                let value = table.field(terms, records, place, 0, site);
                let values = terms.each(place, places, value);
                terms.bind(records, table.records, values)
            }
        }
    }

    /// The sum of the values.
    pub(super) fn total(&self, terms: &mut Builder, site: SiteId) -> Expr {
        match self {
            Self::With(name, number, pool) => {
                let total = pool.total(terms, site);
                terms.bind(*name, *number, total)
            }
            Self::Fresh { count, roll } if terms.is_one(*count) => *roll,
            _ => {
                let values = self.values(terms, site);
                terms.sum(values, site)
            }
        }
    }

    /// The bindings of the numbers that are drawn once, and the pool without them.
    pub(super) fn hoisted(self) -> (Vec<(Name, Expr)>, Self) {
        match self {
            Self::With(name, number, pool) => {
                let (mut numbers, pool) = pool.hoisted();
                numbers.insert(0, (name, number));
                (numbers, pool)
            }
            Self::Parts(parts) => {
                let mut numbers = Vec::new();
                let mut flat = Vec::new();
                for part in parts {
                    let (more, part) = part.hoisted();
                    numbers.extend(more);
                    match part {
                        Self::Parts(inner) => flat.extend(inner),
                        _ => flat.push(part),
                    }
                }
                (numbers, Self::Parts(flat))
            }
            _ => (Vec::new(), self),
        }
    }

    /// The groups of a pool with their laws; `None` for a pool that is no plain list of groups.
    pub(super) fn groups(&self) -> Option<Vec<(&Self, Option<Expr>)>> {
        match self {
            Self::Fresh { roll, .. } => Some(vec![(self, Some(*roll))]),
            // Dice with an order of their own have a law that depends on the die.
            Self::Rolled(rolled) if rolled.order.is_none() => Some(vec![(self, rolled.later)]),
            Self::Parts(parts) => {
                let mut groups = Vec::with_capacity(parts.len());
                for part in parts {
                    groups.extend(part.groups()?);
                }
                Some(groups)
            }
            Self::Rolled(_) | Self::Table(_) | Self::Times(..) | Self::With(..) => None,
        }
    }

    /// The number of groups of dice. A pool that is evaluated several times counts once.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Parts(parts) => parts.iter().map(Self::size).sum(),
            Self::With(_, _, pool) | Self::Times(_, pool) => pool.size(),
            Self::Fresh { .. } | Self::Rolled(_) | Self::Table(_) => 1,
        }
    }
}
