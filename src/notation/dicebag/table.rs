//! Tables of dice, for pools that are evaluated several times: each die is a record.

use super::change::{Change, Reroll};
use super::packing::{chosen, number, preference, ranked};
use super::terms::Terms as _;
use crate::ir::{Arithmetic, Builder, Expr, Name, Selection, SiteId};
use crate::notation::extreme::Extreme;

/// Dice as records in a list.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The records, each of `width` numbers: the value, the number of the law, and the numbers that the law needs.
    pub(super) records: Expr,
    pub(super) width: usize,
    /// Each law, with the names that the further numbers of a record are bound to.
    pub(super) laws: Vec<(Expr, Vec<Name>)>,
}

impl Table {
    /// A name for the place of a record, counted from 0, and the list of all places.
    pub(super) fn places(&self, terms: &mut Builder, records: Name, site: SiteId) -> (Name, Expr) {
        let last = self.len(terms, records, site);
        let one = terms.integer(1);
        let last = terms.arithmetic(Arithmetic::Subtract, last, one, site);
        let zero = terms.integer(0);
        (terms.name(), terms.range(zero, last, site))
    }

    /// The number of records.
    pub(super) fn len(&self, terms: &mut Builder, records: Name, site: SiteId) -> Expr {
        let records = terms.variable(records);
        let numbers = terms.count(records, site);
        let width = terms.integer(number(self.width));
        terms.arithmetic(Arithmetic::Divide, numbers, width, site)
    }

    /// A number of the record at a place.
    pub(super) fn field(
        &self,
        terms: &mut Builder,
        records: Name,
        place: Name,
        field: usize,
        site: SiteId,
    ) -> Expr {
        let rest = self.from(terms, records, place, field, site);
        let one = terms.integer(1);
        terms.select(Selection::First, one, rest, site)
    }

    /// The numbers of the table from a field of the record at a place on.
    pub(super) fn from(
        &self,
        terms: &mut Builder,
        records: Name,
        place: Name,
        field: usize,
        site: SiteId,
    ) -> Expr {
        let width = terms.integer(number(self.width));
        let place = terms.variable(place);
        let start = terms.product(place, width, site);
        let field = terms.integer(number(field));
        let start = terms.arithmetic(Arithmetic::Add, start, field, site);
        let records = terms.variable(records);
        terms.select(Selection::DropFirst, start, records, site)
    }

    /// The law of the record at a place.
    pub(super) fn law(
        &self,
        terms: &mut Builder,
        records: Name,
        place: Name,
        site: SiteId,
    ) -> Option<Expr> {
        let laws: Vec<Expr> = self
            .laws
            .iter()
            .map(|(law, needed)| {
                let needed = needed.iter().enumerate().rev();
                needed.fold(*law, |law, (index, &name)| {
                    let value = self.field(terms, records, place, 2 + index, site);
                    terms.bind(name, value, law)
                })
            })
            .collect();
        let which = self.field(terms, records, place, 1, site);
        chosen(terms, which, &laws, site)
    }

    /// The record at a place with another value.
    pub(super) fn with_value(
        &self,
        terms: &mut Builder,
        records: Name,
        place: Name,
        value: Expr,
        site: SiteId,
    ) -> Expr {
        let rest = self.from(terms, records, place, 1, site);
        let more = terms.integer(number(self.width - 1));
        let rest = terms.select(Selection::First, more, rest, site);
        terms.join(&[value, rest])
    }

    pub(super) fn each(self, terms: &mut Builder, site: SiteId, change: &impl Change) -> Self {
        let records = terms.name();
        let (place, places) = self.places(terms, records, site);
        let first = self.field(terms, records, place, 0, site);
        let law = self.law(terms, records, place, site);
        let first = change.first(terms, first, law);
        let record = self.with_value(terms, records, place, first, site);
        let changed = terms.each(place, places, record);
        let changed = terms.bind(records, self.records, changed);
        let laws = self.laws.into_iter();
        Self {
            records: changed,
            width: self.width,
            laws: laws
                .map(|(law, needed)| (change.roll(terms, law), needed))
                .collect(),
        }
    }

    pub(super) fn keep(self, terms: &mut Builder, end: Extreme, count: Expr, site: SiteId) -> Self {
        let records = terms.name();
        let len = terms.name();
        let size = terms.variable(len);
        // The values, each packed with the code of its place; the earliest place wins among equal values.
        let (place, places) = self.places(terms, records, site);
        let value = self.field(terms, records, place, 0, site);
        let code = terms.variable(place);
        let code = preference(terms, end, code, size, site);
        let value = terms.product(value, size, site);
        let value = terms.arithmetic(Arithmetic::Add, value, code, site);
        let packed = terms.each(place, places, value);
        let kept = terms.select(end.selection(), count, packed, site);
        let kept = ranked(terms, end, kept);
        let member = terms.name();
        let code = terms.variable(member);
        let code = terms.arithmetic(Arithmetic::Modulo, code, size, site);
        let found = preference(terms, end, code, size, site);
        let place = terms.name();
        let record = self.from(terms, records, place, 0, site);
        let width = terms.integer(number(self.width));
        let record = terms.select(Selection::First, width, record, site);
        let record = terms.bind(place, found, record);
        let kept = terms.each(member, kept, record);
        let all = self.len(terms, records, site);
        let kept = terms.bind(len, all, kept);
        Self {
            records: terms.bind(records, self.records, kept),
            ..self
        }
    }

    pub(super) fn reroll(self, terms: &mut Builder, reroll: Reroll) -> Self {
        let site = reroll.site;
        let round = terms.name();
        let (place, places) = self.places(terms, round, site);
        let value = self.field(terms, round, place, 0, site);
        let is_rerolled = terms.filter(reroll.comparison, reroll.limit, value, site);
        let law = self.law(terms, round, place, site);
        let value = law.unwrap_or(value);
        let rolled = self.with_value(terms, round, place, value, site);
        let nothing = terms.join(&[]);
        let rolled = terms.choose(is_rerolled, rolled, nothing);
        let next = terms.each(place, places, rolled);
        Self {
            records: terms.repeat_while(round, self.records, next),
            ..self
        }
    }

    /// The records for a table of another width, in which the first law of this table has the number `first_law`.
    pub(super) fn widened(
        &self,
        terms: &mut Builder,
        first_law: usize,
        width: usize,
        site: SiteId,
    ) -> Expr {
        if first_law == 0 && width == self.width {
            return self.records;
        }
        let records = terms.name();
        let (place, places) = self.places(terms, records, site);
        let value = self.field(terms, records, place, 0, site);
        let law = self.field(terms, records, place, 1, site);
        let offset = terms.integer(number(first_law));
        let law = terms.arithmetic(Arithmetic::Add, law, offset, site);
        let needed = self.from(terms, records, place, 2, site);
        let count = terms.integer(number(self.width - 2));
        let needed = terms.select(Selection::First, count, needed, site);
        let mut fields = vec![value, law, needed];
        fields.extend((self.width..width).map(|_| terms.integer(0)));
        let record = terms.join(&fields);
        let widened = terms.each(place, places, record);
        terms.bind(records, self.records, widened)
    }
}
