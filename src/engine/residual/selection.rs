//! Selections in normal form: so many of the highest or lowest members of a list, or of its first or last ones.

use super::bounds::Bounds;
use super::lists::{Members, joined, merged, size_of};
use super::node::{Node, NodeId};
use super::numbers::binomial_at_most;
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::engine::operate;
use crate::engine::reason::Reason;
use crate::ir::{Folding, Selection};
use crate::number::Integer;
use crate::stack;

/// Members by position are not written out as choices in more ways than this.
const MOST_WAYS: u64 = 1 << 14;

impl Scope<'_> {
    /// Members selected by rank, or by position in a chain; `n` is not negative.
    pub(super) fn select(
        &mut self,
        selection: Selection,
        n: NodeId,
        list: NodeId,
    ) -> Attempt<NodeId> {
        let (bounds, number) = (self.bounds(list)?, self.bounds(n)?);
        let keeps = matches!(
            selection,
            Selection::First | Selection::High | Selection::Last | Selection::Low
        );
        if bounds.most == 0 || (keeps && number.low >= bounds.most) || (!keeps && number.high == 0)
        {
            return Ok(list);
        }
        if (keeps && number.high == 0) || (!keeps && number.low >= bounds.most) {
            return Ok(self.empty());
        }
        if let Node::If(condition, a, b) = *self.nodes.get(list) {
            let (a, b) = (self.select(selection, n, a)?, self.select(selection, n, b)?);
            return self.choose(condition, a, b);
        }
        // All members are equal: only how many matters.
        if bounds.low == bounds.high && matches!(self.nodes.get(list), Node::Join(_)) {
            let (count, member) = (self.fold(Folding::Count, list)?, self.constant(bounds.low));
            let list = self.copies(count, member)?;
            return self.select(selection, n, list);
        }
        if let Node::Copies(count, member) = *self.nodes.get(list)
            && self.is_number(member)
        {
            let kept = if keeps {
                self.extremum(Selection::Low, n, count)?
            } else {
                let (rest, zero) = (self.difference_of(count, n)?, self.constant(0));
                self.extremum(Selection::High, rest, zero)?
            };
            return self.copies(kept, member);
        }
        let Some(n) = self.as_constant(n) else {
            return Ok(self.nodes.intern(Node::Select(selection, n, list)));
        };
        if let Node::Map(inner, closure) = *self.nodes.get(list)
            && matches!(selection, Selection::High | Selection::Low)
            && let Some(rows) = self.rows_of(closure)
            && rows.iter().any(|(_, image)| size_of(image) > n)
        {
            // What is not among the n best of its own part is not among those of all.
            let cut = self.map_with(inner, &rows, |image| Ok(best_of(image, selection, n)))?;
            let n = self.constant(n);
            return self.select(selection, n, cut);
        }
        match selection {
            Selection::High | Selection::Low | Selection::DropHigh | Selection::DropLow
                if matches!(self.nodes.get(list), Node::Chain(_) | Node::Dealt(_)) =>
            {
                self.select_in_order(selection, n, list)
            }
            Selection::High => self.keep(n, list, false),
            Selection::Low => self.keep(n, list, true),
            Selection::DropHigh => self.drop_ranked(n, list, false),
            Selection::DropLow => self.drop_ranked(n, list, true),
            Selection::First | Selection::Last | Selection::DropFirst | Selection::DropLast => {
                self.select_by_position(selection, n, list)
            }
        }
    }

    /// The first `n` places of a deck that has more, counted from the end or not, and the others.
    fn split_from(
        &mut self,
        part: NodeId,
        n: i64,
        from_end: bool,
    ) -> Attempt<Option<(NodeId, NodeId)>> {
        let size = self.bounds(part)?.most;
        let split = self.split_places(part, if from_end { size - n } else { n })?;
        Ok(split.map(|(before, after)| {
            if from_end {
                (after, before)
            } else {
                (before, after)
            }
        }))
    }

    fn raw_select(&mut self, selection: Selection, n: i64, list: NodeId) -> NodeId {
        let n = self.constant(n);
        self.nodes.intern(Node::Select(selection, n, list))
    }

    /// The `n` greatest (or, `reversed`, least) members of a multiset, 0 < n < its size at most.
    ///
    /// With K the known members and R the rest, "above" meaning ranked first:
    ///
    /// - `high n (high m A, B) = high n (A, B)` for m >= n;
    /// - a known member above all that R can hold is surely taken: `v, high (n-1) rest`;
    /// - a known member below all that R can hold is never taken when R has n members or more above it;
    /// - where R surely has r < n members, all above K: `R, high (n-r) K`;
    /// - `high 1`: a part that cannot exceed another that surely has a member is dropped.
    fn keep(&mut self, n: i64, list: NodeId, reversed: bool) -> Attempt<NodeId> {
        let selection = if reversed {
            Selection::Low
        } else {
            Selection::High
        };
        let (mut known, hidden) = self.known_and_hidden(
            list,
            |node| match *node {
                Node::Select(inner, m, list) if inner == selection => Some((m, list)),
                _ => None,
            },
            n,
        )?;
        if reversed {
            known.reverse();
        }
        // From here on the last known member ranks first; `above(a, b)`: a ranks before b, or equal.
        let above = |a: i64, b: i64| if reversed { a <= b } else { a >= b };
        let mut wanted = n;
        let mut taken = Members::new();
        let mut rest = Bounds::EMPTY;
        let mut parts = Vec::with_capacity(hidden.len());
        for &part in &hidden {
            let bounds = self.bounds(part)?;
            parts.push((part, bounds));
            rest = joined(rest, bounds);
        }
        let (best, worst) = if reversed {
            (rest.low, rest.high)
        } else {
            (rest.high, rest.low)
        };
        while let Some(&(value, count)) = known.last() {
            if wanted == 0 || (!parts.is_empty() && !above(value, best)) {
                break;
            }
            let times = wanted.min(count.into());
            taken.push((value, u32::try_from(times).expect("at most a count")));
            wanted -= times;
            if times < i64::from(count) {
                break;
            }
            known.pop();
        }
        if wanted == 0 || parts.is_empty() {
            return self.with_known(taken, None);
        }
        // The known members that can still be taken: the first `wanted`, less those that R surely outranks.
        let mut room = wanted;
        let mut candidates = Members::new();
        for &(value, count) in known.iter().rev() {
            let outranked = above(worst, value);
            let room_here = if outranked {
                room.min((room - rest.least).max(0))
            } else {
                room
            };
            let times = room_here.min(count.into());
            if times > 0 {
                candidates.push((value, u32::try_from(times).expect("at most a count")));
            }
            room -= times;
            if room <= 0 || outranked && times < i64::from(count) {
                break;
            }
        }
        let all_outranked = candidates
            .first()
            .is_none_or(|&(value, _)| above(worst, value));
        if all_outranked && rest.least == rest.most && rest.most <= wanted {
            taken.append(&mut candidates);
            let rest = self.join(&hidden)?;
            return self.with_known(taken, Some(rest));
        }
        if wanted == 1 {
            drop_beaten(&mut parts, &mut candidates, reversed);
        }
        let mut remaining: Vec<NodeId> = parts.into_iter().map(|(part, _)| part).collect();
        if !candidates.is_empty() {
            let candidates = self.known(&merged(candidates)?);
            remaining.push(candidates);
        }
        let remaining = self.join(&remaining)?;
        let bounds = self.bounds(remaining)?;
        let kept = if bounds.most <= wanted {
            remaining
        } else if self.is_plain_rank(remaining) {
            self.raw_select(selection, wanted, remaining)
        } else {
            let wanted = self.constant(wanted);
            self.select(selection, wanted, remaining)?
        };
        self.with_known(taken, Some(kept))
    }

    /// Whether a list has no form that [`Scope::select`] rewrites before it ranks members.
    fn is_plain_rank(&self, list: NodeId) -> bool {
        match self.nodes.get(list) {
            Node::If(..) => false,
            Node::Copies(_, member) => !self.is_number(*member),
            _ => true,
        }
    }

    fn with_known(&mut self, members: Members, rest: Option<NodeId>) -> Attempt<NodeId> {
        let known = self.known(&merged(members)?);
        match rest {
            Some(rest) => self.join(&[known, rest]),
            None => Ok(known),
        }
    }

    /// Known members ascending and other parts of a multiset, through inner selections that do not matter.
    fn known_and_hidden(
        &mut self,
        list: NodeId,
        inner: impl Fn(&Node) -> Option<(NodeId, NodeId)>,
        n: i64,
    ) -> Attempt<(Members, Vec<NodeId>)> {
        let (mut known, mut hidden) = (Members::new(), Vec::new());
        let mut open = vec![list];
        while let Some(part) = open.pop() {
            match self.nodes.get(part) {
                Node::Constant(value) => known.push((*value, 1)),
                Node::Known(members) => known.extend_from_slice(members),
                Node::Join(parts) | Node::Chain(parts) => open.extend_from_slice(parts),
                node => match inner(node) {
                    Some((m, list)) if self.as_constant(m).is_some_and(|m| m >= n) => {
                        open.push(list);
                    }
                    _ => hidden.push(part),
                },
            }
        }
        hidden.sort_unstable();
        Ok((merged(known)?, hidden))
    }

    /// A multiset less its `n` greatest (or, `reversed`, least) members.
    ///
    /// With K the known members and R the rest: a known member above all that R can hold is surely dropped; one
    /// below all of R, with n members surely above it, is surely kept; where R surely has r <= n members, all
    /// above K, they are dropped and n-r of K.
    fn drop_ranked(&mut self, n: i64, list: NodeId, reversed: bool) -> Attempt<NodeId> {
        let selection = if reversed {
            Selection::DropLow
        } else {
            Selection::DropHigh
        };
        let (mut known, hidden) = self.known_and_hidden(list, |_| None, n)?;
        if reversed {
            known.reverse();
        }
        let above = |a: i64, b: i64| if reversed { a <= b } else { a >= b };
        let mut rest = Bounds::EMPTY;
        for &part in &hidden {
            let bounds = self.bounds(part)?;
            rest = joined(rest, bounds);
        }
        let (best, worst) = if reversed {
            (rest.low, rest.high)
        } else {
            (rest.high, rest.low)
        };
        let mut unwanted = n;
        let drop_from = |known: &mut Members, unwanted: &mut i64| {
            if let Some(last) = known.last_mut() {
                let times = (*unwanted).min(last.1.into());
                *unwanted -= times;
                last.1 -= u32::try_from(times).expect("at most a count");
                if last.1 == 0 {
                    known.pop();
                }
            }
        };
        while unwanted > 0
            && known
                .last()
                .is_some_and(|&(value, _)| hidden.is_empty() || above(value, best))
        {
            drop_from(&mut known, &mut unwanted);
        }
        if unwanted == 0 || hidden.is_empty() {
            let known = self.known(&merged(known)?);
            return {
                let mut kept = hidden;
                kept.push(known);
                self.join(&kept)
            };
        }
        let outranked = known.last().is_none_or(|&(value, _)| above(worst, value));
        if outranked && rest.least == rest.most && rest.most <= unwanted {
            unwanted -= rest.most;
            while unwanted > 0 && !known.is_empty() {
                drop_from(&mut known, &mut unwanted);
            }
            return Ok(self.known(&merged(known)?));
        }
        let mut kept = Members::new();
        if rest.least >= unwanted {
            while let Some(&first) = known.first()
                && above(worst, first.0)
            {
                kept.push(first);
                known.remove(0);
            }
        }
        let mut remaining = hidden;
        let known = self.known(&merged(known)?);
        remaining.push(known);
        let remaining = self.join(&remaining)?;
        let dropped = self.raw_select(selection, unwanted, remaining);
        self.with_known(kept, Some(dropped))
    }

    /// Ranked members of a chain keep their order, so all of them must be known first.
    fn select_in_order(&mut self, selection: Selection, n: i64, list: NodeId) -> Attempt<NodeId> {
        let parts = self
            .in_order(list)
            .expect("a chain and a deck have an order");
        let values: Option<Vec<Integer>> = parts
            .iter()
            .map(|&part| self.as_constant(part).map(Integer::from))
            .collect();
        let Some(values) = values else {
            return Ok(self.raw_select(selection, n, list));
        };
        let selected = operate::select(selection, &Integer::from(n), &values)
            .map_err(|_| Stop::Unsupported(Reason::NegativeCount))?;
        let mut members = Vec::with_capacity(selected.len());
        for member in selected {
            let value = member
                .to_i64()
                .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
            members.push(self.constant(value));
        }
        self.chain(members)
    }

    /// The first or last members of a list in order.
    ///
    /// `first n (A, B)` is `A, first (n-|A|) B` while `|A| <= n`; for A that is there or not, a choice.
    fn select_by_position(
        &mut self,
        selection: Selection,
        n: i64,
        list: NodeId,
    ) -> Attempt<NodeId> {
        let keeps = matches!(selection, Selection::First | Selection::Last);
        let from_end = matches!(selection, Selection::Last | Selection::DropLast);
        let Some(mut parts) = self.in_order(list) else {
            return Err(Stop::Unsupported(Reason::UnknownOrder));
        };
        if from_end {
            parts.reverse();
        }
        if keeps {
            // What stands behind so many that are surely there is not among them.
            let mut surely = 0_i64;
            for index in 0..parts.len() {
                surely = surely.saturating_add(self.bounds(parts[index])?.least);
                if surely >= n {
                    parts.truncate(index + 1);
                    break;
                }
            }
        }
        let (mut wanted, mut passed) = (n, 0);
        for &part in &parts {
            let bounds = self.bounds(part)?;
            if wanted == 0 || bounds.least != bounds.most || bounds.most > wanted {
                break;
            }
            wanted -= bounds.most;
            passed += 1;
        }
        let rest = parts.split_off(passed);
        let taken = parts;
        let mut result = if keeps { taken } else { Vec::new() };
        if wanted == 0 {
            if !keeps {
                result = rest;
            }
        } else if let Some((&first, others)) = rest.split_first() {
            let ordered = |mut parts: Vec<NodeId>| {
                if from_end {
                    parts.reverse();
                }
                parts
            };
            if let Some(split) = self.split_from(first, wanted, from_end)? {
                let mut parts = result;
                if keeps {
                    parts.push(split.0);
                } else {
                    parts.push(split.1);
                    parts.extend_from_slice(others);
                }
                return self.chain(ordered(parts));
            }
            let Node::Copies(condition, member) = *self.nodes.get(first) else {
                if keeps {
                    let list = self.chain(ordered([&result[..], &rest].concat()))?;
                    return Ok(self.raw_select(selection, n, list));
                }
                return Ok(self.raw_select(selection, n, list));
            };
            let (times, members) = (self.bounds(condition)?, self.bounds(member)?);
            let ways = binomial_at_most(rest.len() as u64, wanted.unsigned_abs(), MOST_WAYS);
            if times.high > 1 || members.least != 1 || members.most != 1 || ways.is_none() {
                return Ok(self.raw_select(selection, n, list));
            }
            self.budget.check()?;
            let others = self.chain(ordered(others.to_vec()))?;
            let (less, same) = (self.constant(wanted - 1), self.constant(wanted));
            let with = stack::level(|| self.select(selection, less, others))?;
            let without = stack::level(|| self.select(selection, same, others))?;
            let with = if keeps {
                self.chain(ordered(vec![member, with]))?
            } else {
                with
            };
            result.push(self.choose(condition, with, without)?);
        }
        if from_end {
            result.reverse();
        }
        self.chain(result)
    }
}

/// The `n` greatest or least of known members.
fn best_of(members: &[(i64, u32)], selection: Selection, n: i64) -> Members {
    let mut room = n;
    let mut best = |&(value, count): &(i64, u32)| {
        let times = room.min(count.into());
        room -= times;
        (times > 0).then(|| (value, u32::try_from(times).expect("at most a count")))
    };
    if selection == Selection::Low {
        members.iter().map_while(&mut best).collect()
    } else {
        let mut kept: Members = members.iter().rev().map_while(&mut best).collect();
        kept.reverse();
        kept
    }
}

/// For the best one: parts that cannot beat another that surely has a member are dropped.
fn drop_beaten(parts: &mut Vec<(NodeId, Bounds)>, known: &mut Members, reversed: bool) {
    let worst = |bounds: &Bounds| if reversed { bounds.high } else { bounds.low };
    let best = |bounds: &Bounds| if reversed { bounds.low } else { bounds.high };
    let above = |a: i64, b: i64| if reversed { a <= b } else { a >= b };
    let mut floor: Option<(i64, Option<NodeId>)> = known.first().map(|&(value, _)| (value, None));
    for (part, bounds) in parts.iter().filter(|(_, bounds)| bounds.least >= 1) {
        if floor.is_none_or(|(value, _)| worst(bounds) != value && above(worst(bounds), value)) {
            floor = Some((worst(bounds), Some(*part)));
        }
    }
    let Some((floor, holder)) = floor else { return };
    parts.retain(|(part, bounds)| Some(*part) == holder || !above(floor, best(bounds)));
    if holder.is_some() {
        known.retain(|&(value, _)| !above(floor, value));
    }
}
