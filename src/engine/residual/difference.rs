//! Multiset differences: a list less what was taken from it, or less any other.
//!
//! With `P` made from `L` by filters and selections by rank, what is left of `L` is what each of them left:
//! `L less (filter c of Q) = (L less Q), (filter not-c of Q)`, and likewise for `high n` and `drop high n`, down to
//! `L less L`, which is empty. Such a difference cannot fail. Any other is taken value by value: of each value as many
//! are left as there are more in the one list than in the other, and it fails where there are fewer.

use super::maps::MOST_VALUES;
use super::node::{Compare, Node, NodeId};
use super::numbers::narrow;
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::engine::reason::Reason;
use crate::error::ErrorKind;
use crate::ir::{Folding, Selection, SiteId};
use crate::map::Map;

impl Scope<'_> {
    /// A multiset less a part of it.
    pub(super) fn difference(&mut self, whole: NodeId, part: NodeId) -> Attempt<NodeId> {
        if whole == part {
            return Ok(self.empty());
        }
        if self.is_empty_list(part) {
            return Ok(whole);
        }
        if let Some((source, left)) = self.taken_from(part)? {
            let less = self.difference(whole, source);
            match less {
                Err(Stop::Unsupported(_)) => {}
                less => {
                    let less = less?;
                    return self.join(&[less, left]);
                }
            }
        }
        // Parts of a join, each from a part of the other.
        let (mut sources, parts) = (self.parts_of(whole), self.parts_of(part));
        if sources.len() < 2 && parts.len() < 2 {
            return self.known_difference(whole, part);
        }
        let mut left = Vec::new();
        for part in parts {
            if self.known_members(part).is_some() {
                let source = sources
                    .iter()
                    .position(|&source| self.known_members(source).is_some());
                let source = source.ok_or(NOT_A_PART)?;
                let source = sources.swap_remove(source);
                left.push(self.known_difference(source, part)?);
                continue;
            }
            let mut source = part;
            loop {
                if let Some(index) = sources.iter().position(|&other| other == source) {
                    sources.swap_remove(index);
                    break;
                }
                let (next, rest) = self.taken_from(source)?.ok_or(NOT_A_PART)?;
                left.push(rest);
                source = next;
            }
        }
        left.append(&mut sources);
        self.join(&left)
    }

    /// A multiset less another, value by value.
    pub(super) fn difference_by_value(
        &mut self,
        whole: NodeId,
        part: NodeId,
        site: SiteId,
    ) -> Attempt<NodeId> {
        let (Some(mut values), Some(others)) = (
            self.values(whole, MOST_VALUES)?,
            self.values(part, MOST_VALUES)?,
        ) else {
            return Err(NOT_A_PART);
        };
        values.extend(others);
        values.sort_unstable();
        values.dedup();
        let mut left = Vec::with_capacity(values.len());
        for value in values {
            let member = self.constant(value);
            let [have, taken] = [whole, part].map(|list| {
                let equal = self.filtered(Compare::Equal, member, list)?;
                self.fold(Folding::Count, equal)
            });
            let rest = self.linear(0, &[(1, have?), (-1, taken?)])?;
            let is_enough = self.at_least(rest, 0)?;
            self.must_hold(is_enough, ErrorKind::Domain, site)?;
            let rest = self.natural(rest)?;
            left.push(self.copies(rest, member)?);
        }
        self.join(&left)
    }

    fn parts_of(&self, list: NodeId) -> Vec<NodeId> {
        match self.nodes.get(list) {
            Node::Join(parts) => parts.to_vec(),
            _ => vec![list],
        }
    }

    /// The list that members were taken from, and what was left of it.
    fn taken_from(&mut self, part: NodeId) -> Attempt<Option<(NodeId, NodeId)>> {
        Ok(match self.nodes.get(part).clone() {
            Node::Filter(compare, number, list) => {
                Some((list, self.filtered(compare.negated(), number, list)?))
            }
            Node::Select(selection, n, list) => {
                let Some(others) = others(selection) else {
                    return Ok(None);
                };
                Some((list, self.select(others, n, list)?))
            }
            // A list that is there or not, from itself.
            Node::Copies(count, list) if self.is_zero_or_one(count)? => {
                let not = self.complement(count)?;
                Some((list, self.copies(not, list)?))
            }
            // `v` as often as a list has it.
            Node::Copies(count, value) => {
                let Node::Fold(Folding::Count, equal) = *self.nodes.get(count) else {
                    return Ok(None);
                };
                match *self.nodes.get(equal) {
                    Node::Filter(Compare::Equal, number, list) if number == value => {
                        Some((list, self.filtered(Compare::Unequal, number, list)?))
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }

    fn is_zero_or_one(&mut self, number: NodeId) -> Attempt<bool> {
        let bounds = self.bounds(number)?;
        Ok(bounds.low >= 0 && bounds.high <= 1)
    }

    fn known_difference(&mut self, whole: NodeId, part: NodeId) -> Attempt<NodeId> {
        let (Some(whole), Some(part)) = (self.known_members(whole), self.known_members(part))
        else {
            return Err(NOT_A_PART);
        };
        let mut left: Map<i64, i64> = Map::default();
        for (sign, members) in [(1, &whole), (-1, &part)] {
            for &(value, count) in members {
                *left.entry(value).or_default() += sign * i64::from(count);
            }
        }
        let mut members = Vec::with_capacity(left.len());
        for (value, count) in left {
            let count = u32::try_from(narrow(count.into())?).map_err(|_| NOT_A_PART)?;
            if count > 0 {
                members.push((value, count));
            }
        }
        members.sort_unstable();
        Ok(self.known(&members))
    }
}

/// A member that is not there is an error: a difference is total only where there surely is none.
const NOT_A_PART: Stop = Stop::Unsupported(Reason::DifferenceMayFail);

/// What is left by a selection by rank.
fn others(selection: Selection) -> Option<Selection> {
    match selection {
        Selection::High => Some(Selection::DropHigh),
        Selection::Low => Some(Selection::DropLow),
        Selection::DropHigh => Some(Selection::High),
        Selection::DropLow => Some(Selection::Low),
        _ => None,
    }
}
