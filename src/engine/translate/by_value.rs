//! Operators on multisets, value by value: their results follow from how often each value occurs.

use std::rc::Rc;

use crate::algebra::{Numbers, Weight};
use crate::engine::operate;
use crate::engine::program::{Compare, NodeId, Order, narrow};
use crate::engine::reason::Reason;
use crate::engine::simplify::{Forms as _, MOST_VALUES, NOT_A_PART, values};
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::translator::Translator;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Faces, Folding, SiteId};
use crate::number::Integer;

/// The order of members that only the slow evaluator knows.
const IN_ORDER: Stop = Stop::Unsupported(Reason::DifferenceInOrder);

/// The most different values of a list of which equal members are dropped: each is asked for once.
const MOST_DISTINCT: usize = 1 << 12;

/// A list with more different values than can be asked for.
const MANY: Stop = Stop::Unsupported(Reason::ManyValues);

impl Translator<'_, '_> {
    /// A die with these faces.
    pub(in crate::engine) fn pick(&mut self, faces: &Faces) -> Attempt<NodeId> {
        let weight = |weight: &Integer| weight.to_big().into_parts().1;
        let total: Weight = faces.weighted().iter().map(|(_, of)| weight(of)).sum();
        let faces = faces.weighted().iter();
        let faces = faces.map(|(face, of)| (face.clone(), weight(of)));
        let law = Numbers::new(faces, total);
        let die = self
            .store
            .pools
            .die(Rc::new(law.into()), self.store.budget)?;
        let (one, name) = (self.store.constant(1), self.store.pools.name());
        self.store.draws(one, die, name)
    }

    /// The members of a list, but of equal ones only the first.
    pub(in crate::engine) fn distinct(&mut self, list: NodeId, order: Order) -> Attempt<NodeId> {
        if order == Order::Kept {
            return match self.known_in_order(list)? {
                Some(members) => {
                    let kept = operate::distinct(&members);
                    self.in_given_order(&kept)
                }
                None => Err(IN_ORDER),
            };
        }
        let values = values(self.store, list, MOST_DISTINCT)?.ok_or(MANY)?;
        let mut there = Vec::with_capacity(values.len());
        for value in values {
            let member = self.store.constant(value);
            let equal = self.store.filtered(Compare::Equal, member, list)?;
            let is_there = self.store.is_not_empty(equal)?;
            there.push(self.store.copies(is_there, member)?);
        }
        self.store.join(&there)
    }

    /// A list less the members of another, as far as it has them.
    pub(in crate::engine) fn without(
        &mut self,
        whole: NodeId,
        part: NodeId,
        order: Order,
    ) -> Attempt<NodeId> {
        if order == Order::Kept {
            let (whole, part) = (self.known_in_order(whole)?, self.known_in_order(part)?);
            return match whole.zip(part) {
                Some((whole, part)) => {
                    let kept = operate::without(&whole, &part);
                    self.in_given_order(&kept)
                }
                None => Err(IN_ORDER),
            };
        }
        let values = values(self.store, whole, MOST_VALUES)?.ok_or(MANY)?;
        let mut left = Vec::with_capacity(values.len());
        for value in values {
            let member = self.store.constant(value);
            let [have, taken] = self.counts(member, [whole, part])?;
            let rest = self.store.linear(0, &[(1, have), (-1, taken)])?;
            let rest = self.store.natural(rest)?;
            left.push(self.store.copies(rest, member)?);
        }
        self.store.join(&left)
    }

    /// The order of two multisets: the greatest value that one has more often decides. That of two numbers is the sign of their difference.
    pub(in crate::engine) fn compare_by_value(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        let [one, other] = [self.store.bounds(a)?, self.store.bounds(b)?];
        if [one, other].map(|bounds| (bounds.least, bounds.most)) == [(1, 1); 2] {
            // The sign of the difference.
            let (a, b) = (self.store.number(a)?, self.store.number(b)?);
            let difference = self.store.difference_of(a, b)?;
            let [less, more] = [-1, 1].map(|sign| self.store.constant(sign));
            let at_least = self.store.arithmetic(Arithmetic::Max, difference, less)?;
            return self.store.arithmetic(Arithmetic::Min, at_least, more);
        }
        let mut order = self.store.constant(0);
        for value in self.values_of([a, b])?.ok_or(MANY)? {
            let member = self.store.constant(value);
            let [mine, yours] = self.counts(member, [a, b])?;
            let more = self.store.linear(0, &[(1, mine), (-1, yours)])?;
            let is_more = self.store.at_least(more, 1)?;
            let is_same = self.store.equals(more, 0)?;
            let sign = self.store.linear(-1, &[(2, is_more)])?;
            order = self.store.choose(is_same, order, sign)?;
        }
        Ok(order)
    }

    /// The values that members of two lists can have, ascending. `None` if they are many.
    fn values_of(&mut self, lists: [NodeId; 2]) -> Attempt<Option<Vec<i64>>> {
        let mut all = Vec::new();
        for list in lists {
            let Some(values) = values(self.store, list, MOST_VALUES)? else {
                return Ok(None);
            };
            all.extend(values);
        }
        all.sort_unstable();
        all.dedup();
        Ok(Some(all))
    }

    /// How often a value is in each of two lists.
    fn counts(&mut self, member: NodeId, lists: [NodeId; 2]) -> Attempt<[NodeId; 2]> {
        let mut counts = lists;
        for count in &mut counts {
            let equal = self.store.filtered(Compare::Equal, member, *count)?;
            *count = self.store.fold(Folding::Count, equal)?;
        }
        Ok(counts)
    }

    /// The members of a list in order, if they are all known.
    fn known_in_order(&mut self, list: NodeId) -> Attempt<Option<Vec<Integer>>> {
        let Some(parts) = self.store.in_order(list)? else {
            return Ok(None);
        };
        let members = parts.iter().map(|&part| self.store.as_constant(part));
        let members = members.map(|member| member.map(Integer::from));
        Ok(members.collect())
    }

    /// Known members in their order.
    fn in_given_order(&mut self, members: &[Integer]) -> Attempt<NodeId> {
        let mut parts = Vec::with_capacity(members.len());
        for member in members {
            let member = member
                .to_i64()
                .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
            parts.push(self.store.constant(narrow(member.into())?));
        }
        self.store.sequence(Order::Kept, parts)
    }

    /// A multiset less another, value by value.
    pub(in crate::engine) fn difference_by_value(
        &mut self,
        whole: NodeId,
        part: NodeId,
        site: SiteId,
    ) -> Attempt<NodeId> {
        let values = self.values_of([whole, part])?.ok_or(NOT_A_PART)?;
        let mut left = Vec::with_capacity(values.len());
        for value in values {
            let member = self.store.constant(value);
            let [have, taken] = self.counts(member, [whole, part])?;
            let rest = self.store.linear(0, &[(1, have), (-1, taken)])?;
            let is_enough = self.store.at_least(rest, 0)?;
            self.must_hold(is_enough, ErrorKind::Domain, site)?;
            let rest = self.store.natural(rest)?;
            left.push(self.store.copies(rest, member)?);
        }
        self.store.join(&left)
    }
}
