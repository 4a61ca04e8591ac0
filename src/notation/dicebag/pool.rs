//! Pools of dice that can be rolled again.
//!
//! A die that can be rolled again is two things: the value that it shows, and the *law* of its later rolls, a term that
//! is evaluated afresh for each. Which dice a pool has and what their laws are is known without rolling, up to numbers
//! that are drawn when the pool is built; so a [`Pool`] is a tree of groups of dice with one law each, and what is
//! done to each die by itself is done to each group.
//!
//! Where dice are chosen from several groups, each must remember its law:
//!
//! - From groups that are there once, the value and the number of the group are packed into one integer, `value·g + group`
//!   of `g` groups. The highest of these are the highest dice, and of equals those of the group that is preferred.
//! - Where a whole pool is built several times, each time with numbers of its own ([`Pool::Times`]), the dice are written
//!   into a [`Table`]: a list with a record of equal length for each die, of its value, the number of its law, and the
//!   numbers that its law needs. What is chosen is places in the table.

use super::table::Table;
use super::terms::{Expr, Name, Terms};
use super::tree::End;
use crate::ir::{Arithmetic, Comparison, Selection, SiteId};

/// Dice in order, each with its first value and, where that was asked for, the law of its later rolls.
#[derive(Clone, Debug)]
pub(super) enum Pool {
    /// So many dice that have not been rolled: each value is one more roll.
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
    /// A pool that is built anew so many times.
    Times(Expr, Box<Pool>),
    Table(Table),
}

/// Dice that show values: one for each member of a list.
#[derive(Clone, Debug)]
pub(super) struct Rolled {
    list: Expr,
    /// The order of the dice, where it is not that of the list.
    order: Option<End>,
    member: Name,
    /// The value of the die of a member, which is evaluated once.
    first: Expr,
    /// The law of the die of a member.
    later: Option<Expr>,
    /// The same by the number of the group that is packed in the member, where members are packed.
    groups: Vec<Expr>,
}

/// What is done to each die of a pool: from the term of a roll to that of the new die's roll.
pub(super) trait Change {
    /// The roll of a die that has not been rolled, or is rolled again, by this law.
    fn roll(&self, terms: &mut Terms, law: Expr) -> Expr;

    /// The first value of a die that shows `first`; its later rolls have this law.
    fn first(&self, terms: &mut Terms, first: Expr, law: Option<Expr>) -> Expr;
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
    fn rolls(self, terms: &mut Terms, first: Expr, law: Expr) -> Expr {
        let last = terms.name();
        let more = self.hits(terms, last);
        let more = terms.repeat(more, law, self.site);
        terms.repeat_while(last, first, more)
    }

    /// All rolls of a die that has not been rolled.
    fn fresh_rolls(self, terms: &mut Terms, law: Expr) -> Expr {
        if terms.size(law) <= MOST_TWICE {
            return self.rolls(terms, law, law);
        }
        // A first roll that shows the limit is rolled again in any case, and then left out.
        let rolls = self.rolls(terms, self.limit, law);
        let one = terms.integer(1);
        terms.select(Selection::DropFirst, one, rolls, self.site)
    }

    /// How many members of a list are to be rolled again.
    fn hits(self, terms: &mut Terms, list: Name) -> Expr {
        let list = terms.variable(list);
        let hits = terms.filter(self.comparison, self.limit, list, self.site);
        terms.count(hits, self.site)
    }
}

/// `E` and `e`: the sum of all rolls.
impl Change for Again {
    fn roll(&self, terms: &mut Terms, law: Expr) -> Expr {
        let rolls = self.fresh_rolls(terms, law);
        terms.sum(rolls, self.site)
    }

    fn first(&self, terms: &mut Terms, first: Expr, law: Option<Expr>) -> Expr {
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
    fn with_more(
        &self,
        terms: &mut Terms,
        name: Name,
        sum: impl Fn(&mut Terms, SiteId, Expr) -> Expr,
        more: Expr,
    ) -> Expr {
        let hits = self.hits(terms, name);
        let more = terms.repeat(hits, more, self.site);
        let more = terms.sum(more, self.site);
        let values = terms.variable(name);
        let values = sum(terms, self.site, values);
        terms.arithmetic(Arithmetic::Add, values, more, self.site)
    }
}

impl Rolled {
    /// The values by their laws, each list with a name, and a term that looks at them all.
    fn by_law(
        &self,
        terms: &mut Terms,
        site: SiteId,
        look: impl Fn(&mut Terms, Name, Expr) -> Expr,
        join: impl Fn(&mut Terms, Expr, Expr) -> Expr,
    ) -> Option<Expr> {
        let law = self.later?;
        if self.groups.is_empty() {
            if terms.free(law).contains(&self.member) {
                return None;
            }
            let values = terms.foreach(self.member, self.list, self.first);
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
            let values = terms.foreach(self.member, list, value);
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
    /// One die.
    pub(super) fn die(terms: &mut Terms, roll: Expr) -> Self {
        let count = terms.integer(1);
        Self::Fresh { count, roll }
    }

    /// Dice that show the members of a list, and are not rolled again.
    pub(super) fn showing(terms: &mut Terms, list: Expr) -> Self {
        Self::rolled(terms, list, None)
    }

    /// The dice of this pool, and then those of another.
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
    fn rolled(terms: &mut Terms, list: Expr, later: Option<Expr>) -> Self {
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

    /// The pool with what is done to each die.
    pub(super) fn each(self, terms: &mut Terms, site: SiteId, change: &impl Change) -> Self {
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

    /// The values of the dice, each rolled once. Where nothing tells the dice of a group apart, in any order.
    pub(super) fn values(&self, terms: &mut Terms, site: SiteId) -> Expr {
        match self {
            Self::Fresh { count, roll } => terms.repeat(*count, *roll, site),
            Self::Rolled(rolled) => terms.foreach(rolled.member, rolled.list, rolled.first),
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
                terms.repeat(*count, values, site)
            }
            Self::Table(table) => {
                let records = terms.name();
                let (place, places) = table.places(terms, records, site);
                let value = table.field(terms, records, place, 0, site);
                let values = terms.foreach(place, places, value);
                terms.bind(records, table.records, values)
            }
        }
    }

    /// The sum of the values.
    pub(super) fn total(&self, terms: &mut Terms, site: SiteId) -> Expr {
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

    /// The sum of all rolls of all dice, where those that the limit says are rolled again.
    pub(super) fn total_of_rolls(&self, terms: &mut Terms, again: Again) -> Expr {
        let site = again.site;
        let add = |terms: &mut Terms, a, b| terms.arithmetic(Arithmetic::Add, a, b, site);
        match self {
            Self::With(name, number, pool) => {
                let total = pool.total_of_rolls(terms, again);
                terms.bind(*name, *number, total)
            }
            Self::Times(count, pool) => {
                let total = pool.total_of_rolls(terms, again);
                let totals = terms.repeat(*count, total, site);
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
                let total = |terms: &mut Terms, values, law| {
                    let more = again.roll(terms, law);
                    let sum = |terms: &mut Terms, site, list| terms.sum(list, site);
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

    /// The dice that are the highest or lowest.
    pub(super) fn keep(self, terms: &mut Terms, end: End, count: Expr, site: SiteId) -> Self {
        let (numbers, pool) = self.hoisted();
        let kept = match pool.groups() {
            None => {
                let table = pool.into_table(terms, site);
                Self::Table(table.keep(terms, end, count, site))
            }
            Some(groups) if groups.len() == 1 => {
                let list = pool.values(terms, site);
                let list = terms.select(selection(end), count, list, site);
                Self::rolled(terms, list, groups[0].1)
            }
            Some(groups) => {
                let groups: Vec<(Self, Option<Expr>)> = groups
                    .into_iter()
                    .map(|(group, law)| (group.clone(), law))
                    .collect();
                let list = packed(terms, &groups, end, site);
                let list = terms.select(selection(end), count, list, site);
                let member = terms.name();
                let (first, group) = unpacked(terms, member, groups.len(), site);
                let mut laws: Vec<Expr> = groups.iter().filter_map(|(_, law)| *law).collect();
                if end == End::High {
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

    /// The values of all rolls of all dice, where those that the limit says are rolled again: a pool whose dice are only
    /// looked at, group by group.
    pub(super) fn all_rolls(&self, terms: &mut Terms, again: Again) -> Expr {
        let site = again.site;
        match self {
            Self::Fresh { count, roll } => {
                let rolls = again.fresh_rolls(terms, *roll);
                terms.repeat(*count, rolls, site)
            }
            Self::Rolled(rolled) => {
                let rolls = |terms: &mut Terms, values, law| {
                    let more = again.fresh_rolls(terms, law);
                    let hits = again.hits(terms, values);
                    let more = terms.repeat(hits, more, site);
                    let values = terms.variable(values);
                    terms.join(&[values, more])
                };
                let join = |terms: &mut Terms, a, b| terms.join(&[a, b]);
                if let Some(all) = rolled.by_law(terms, site, rolls, join) {
                    return all;
                }
                let all = match rolled.later {
                    Some(law) => again.rolls(terms, rolled.first, law),
                    None => rolled.first,
                };
                terms.foreach(rolled.member, rolled.list, all)
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
                terms.repeat(*count, rolls, site)
            }
            Self::Table(table) => {
                let rolls = Self::Table(table.clone().again(terms, again));
                rolls.values(terms, site)
            }
        }
    }

    /// The dice of all rolls, round by round.
    pub(super) fn again(self, terms: &mut Terms, again: Again) -> Self {
        let (numbers, pool) = self.hoisted();
        let law = match pool.groups().as_deref() {
            Some(&[(_, law)]) => law,
            _ => None,
        };
        let pool = match law {
            Some(law) => {
                let list = pool.all_rolls(terms, again);
                Self::rolled(terms, list, Some(law))
            }
            None => Self::Table(pool.into_table(terms, again.site).again(terms, again)),
        };
        numbers
            .into_iter()
            .rev()
            .fold(pool, |pool, (name, number)| {
                Self::With(name, number, Box::new(pool))
            })
    }

    /// The numbers that are drawn once, apart from the pool that needs them.
    fn hoisted(self) -> (Vec<(Name, Expr)>, Self) {
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

    /// The groups of a pool with their laws, where the dice of each have one that needs nothing of the die.
    fn groups(&self) -> Option<Vec<(&Self, Option<Expr>)>> {
        match self {
            Self::Fresh { roll, .. } => Some(vec![(self, Some(*roll))]),
            // An order matters only where the law depends on the die.
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

    /// How many groups of dice a pool is made of, where a pool that is built several times counts once.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Parts(parts) => parts.iter().map(Self::size).sum(),
            Self::With(_, _, pool) | Self::Times(_, pool) => pool.size(),
            Self::Fresh { .. } | Self::Rolled(_) | Self::Table(_) => 1,
        }
    }

    fn into_table(self, terms: &mut Terms, site: SiteId) -> Table {
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

    /// Adds the law of each group with the names that it needs of those in scope, which hold within the pool alone.
    fn find_laws(&self, terms: &Terms, scope: &mut Vec<Name>, laws: &mut Vec<(Expr, Vec<Name>)>) {
        let needed = |scope: &[Name], law: Expr| -> Vec<Name> {
            let free = terms.free(law).iter();
            free.filter(|name| scope.contains(name)).copied().collect()
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

    /// The records of all dice; `next` is the number of the first law of this pool.
    fn records(
        &self,
        terms: &mut Terms,
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
                terms.repeat(*count, record, site)
            }
            Self::Rolled(rolled) => {
                let (_, needed) = &laws[*next];
                let record = record(terms, rolled.first, *next, needed, width);
                *next += 1;
                let list = match rolled.order {
                    None => rolled.list,
                    Some(end) => ranked(terms, end, rolled.list),
                };
                terms.foreach(rolled.member, list, record)
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
                terms.repeat(*count, records, site)
            }
            Self::Table(table) => {
                let records = table.widened(terms, *next, width, site);
                *next += table.laws.len();
                records
            }
        }
    }
}

/// The record of a die that shows `value`.
fn record(terms: &mut Terms, value: Expr, law: usize, needed: &[Name], width: usize) -> Expr {
    let mut fields = vec![value, terms.integer(number(law))];
    fields.extend(needed.iter().map(|&name| terms.variable(name)));
    while fields.len() < width {
        fields.push(terms.integer(0));
    }
    terms.join(&fields)
}

/// The values of groups, each packed with the number of its group. Of equal values the highest, or lowest, is that of
/// the earliest group.
fn packed(terms: &mut Terms, groups: &[(Pool, Option<Expr>)], end: End, site: SiteId) -> Expr {
    let size = groups.len();
    let parts = groups.iter().enumerate().map(|(group, (pool, _))| {
        let code = match end {
            End::High => size - 1 - group,
            End::Low => group,
        };
        let pack = |terms: &mut Terms, value| {
            let factor = terms.integer(number(size));
            let code = terms.integer(number(code));
            let product = terms.arithmetic(Arithmetic::Multiply, value, factor, site);
            terms.arithmetic(Arithmetic::Add, product, code, site)
        };
        if let Pool::Fresh { count, roll } = pool {
            let value = pack(terms, *roll);
            return terms.repeat(*count, value, site);
        }
        let values = pool.values(terms, site);
        let member = terms.name();
        let value = terms.variable(member);
        let value = pack(terms, value);
        terms.foreach(member, values, value)
    });
    let parts: Vec<Expr> = parts.collect();
    terms.join(&parts)
}

/// The value and the number of the group that a member was packed of.
fn unpacked(terms: &mut Terms, member: Name, groups: usize, site: SiteId) -> (Expr, Expr) {
    let size = terms.integer(number(groups));
    let member = terms.variable(member);
    let group = terms.modulo(member, size, site);
    let rest = terms.arithmetic(Arithmetic::Subtract, member, group, site);
    let value = terms.arithmetic(Arithmetic::Divide, rest, size, site);
    (value, group)
}

/// The law of a number, counted from 0.
pub(super) fn chosen(terms: &mut Terms, which: Expr, laws: &[Expr], site: SiteId) -> Option<Expr> {
    let (&last, others) = laws.split_last()?;
    let choice = others
        .iter()
        .enumerate()
        .rev()
        .fold(last, |no, (place, &yes)| {
            let place = terms.integer(number(place));
            let is_it = terms.filter(Comparison::Equal, place, which, site);
            terms.choose(is_it, yes, no)
        });
    Some(choice)
}

/// A place as it is packed with a value, or the place that was packed so: the earlier the higher, or the lower.
pub(super) fn preference(
    terms: &mut Terms,
    end: End,
    place: Expr,
    size: Expr,
    site: SiteId,
) -> Expr {
    if end == End::Low {
        return place;
    }
    let one = terms.integer(1);
    let last = terms.arithmetic(Arithmetic::Subtract, size, one, site);
    terms.arithmetic(Arithmetic::Subtract, last, place, site)
}

/// The selection of the best.
pub(super) fn selection(end: End) -> Selection {
    match end {
        End::High => Selection::High,
        End::Low => Selection::Low,
    }
}

/// A list with the best first.
pub(super) fn ranked(terms: &mut Terms, end: End, list: Expr) -> Expr {
    match end {
        End::High => terms.descending(list),
        End::Low => terms.ascending(list),
    }
}

/// A small number for a term.
pub(super) fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
