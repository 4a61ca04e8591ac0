//! Lists in normal form: each constructor applies its laws, given that its operands are in normal form.

use super::bounds::{Bounds, is_infinite};
use super::node::{Compare, Node, NodeId};
use super::numbers::narrow;
use super::pool::{DieId, PoolId};
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::engine::operate;
use crate::engine::reason::Reason;
use crate::ir::{Comparison, Folding};
use crate::limits::{LimitReached, MAX_LIST};
use crate::number::Integer;

/// Known members: ascending, each with how often it occurs.
pub(super) type Members = Vec<(i64, u32)>;

/// A list longer than this in order is not written out member by member.
const LONGEST_CHAIN: i64 = 1 << 16;

impl Scope<'_> {
    pub(super) fn known(&mut self, members: &[(i64, u32)]) -> NodeId {
        match *members {
            [(value, 1)] => self.constant(value),
            _ => self.nodes.known(members),
        }
    }

    pub(super) fn empty(&mut self) -> NodeId {
        self.nodes.known(&[])
    }

    pub(super) fn is_empty_list(&self, id: NodeId) -> bool {
        matches!(self.nodes.get(id), Node::Known(members) if members.is_empty())
    }

    /// The members of a multiset, where all are known.
    pub(super) fn known_members(&self, id: NodeId) -> Option<Members> {
        match self.nodes.get(id) {
            Node::Constant(value) => Some(vec![(*value, 1)]),
            Node::Known(members) => Some(members.to_vec()),
            _ => None,
        }
    }

    /// Multisets joined: flattened, known members collected, parts in ascending order of their ids.
    pub(super) fn join(&mut self, parts: &[NodeId]) -> Attempt<NodeId> {
        let mut known = Members::with_capacity(parts.len());
        let mut hidden = Vec::with_capacity(parts.len());
        self.collect(parts, &mut known, &mut hidden);
        if hidden
            .iter()
            .any(|&part| matches!(self.nodes.get(part), Node::Dealt(_)))
        {
            let parts: Vec<NodeId> = hidden
                .drain(..)
                .map(|part| self.without_order(part))
                .collect();
            self.collect(&parts, &mut known, &mut hidden);
        }
        let known = merged(known)?;
        hidden.sort_unstable();
        if hidden.is_empty() {
            return Ok(self.known(&known));
        }
        if !known.is_empty() {
            let known = self.known(&known);
            let place = hidden.partition_point(|&part| part < known);
            hidden.insert(place, known);
        }
        Ok(match hidden[..] {
            [only] => only,
            _ => self.nodes.join(&hidden),
        })
    }

    fn collect(&self, parts: &[NodeId], known: &mut Members, hidden: &mut Vec<NodeId>) {
        for &part in parts {
            match self.nodes.get(part) {
                Node::Constant(value) => known.push((*value, 1)),
                Node::Known(members) => known.extend_from_slice(members),
                Node::Join(inner) | Node::Chain(inner) => self.collect(inner, known, hidden),
                _ => hidden.push(part),
            }
        }
    }

    /// A part of a multiset: the order of a shuffled list is forgotten.
    fn without_order(&mut self, part: NodeId) -> NodeId {
        match *self.nodes.get(part) {
            Node::Dealt(pool) => self.cards(pool),
            _ => part,
        }
    }

    /// Lists one after the other, in order.
    pub(super) fn chain(&mut self, parts: Vec<NodeId>) -> Attempt<NodeId> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match self.nodes.get(part) {
                Node::Chain(inner) => flat.extend_from_slice(inner),
                Node::Known(members) if members.is_empty() => {}
                Node::Known(members) => {
                    // Equal members have no order; different ones would.
                    let &[(value, count)] = &members[..] else {
                        return Err(Stop::Unsupported(Reason::UnknownOrder));
                    };
                    if flat.len() + count as usize > MAX_LIST {
                        return Err(LimitReached::List.into());
                    }
                    let member = self.constant(value);
                    flat.extend(std::iter::repeat_n(member, count as usize));
                }
                _ => flat.push(part),
            }
        }
        Ok(match flat[..] {
            [] => self.empty(),
            [only] => only,
            _ => self.nodes.intern(Node::Chain(flat.into())),
        })
    }

    /// The parts of a list in order.
    pub(super) fn in_order(&mut self, list: NodeId) -> Option<Vec<NodeId>> {
        match *self.nodes.get(list) {
            Node::Chain(ref parts) => Some(parts.to_vec()),
            Node::Join(_) => None,
            Node::Known(ref members) => match members[..] {
                [(value, count)] => Some(vec![self.constant(value); count as usize]),
                _ => None,
            },
            _ => Some(vec![list]),
        }
    }

    /// A list as often as a number says. Order is kept only where the list is a chain.
    pub(super) fn copies(&mut self, count: NodeId, list: NodeId) -> Attempt<NodeId> {
        if self.is_empty_list(list) {
            return Ok(list);
        }
        let Some(times) = self.as_constant(count) else {
            // What may never end is evaluated only where it is copied.
            if let Node::Copies(inner, list) = *self.nodes.get(list)
                && !self.may_never_show(inner)
                && !self.has_loop(inner)
            {
                let count = self.arithmetic(crate::ir::Arithmetic::Multiply, count, inner)?;
                return self.copies(count, list);
            }
            return Ok(self.nodes.intern(Node::Copies(count, list)));
        };
        if times <= 1 {
            return Ok(if times == 1 { list } else { self.empty() });
        }
        if let Node::Chain(parts) = self.nodes.get(list) {
            let parts = parts.to_vec();
            if times > LONGEST_CHAIN / i64::try_from(parts.len()).unwrap_or(i64::MAX) {
                return Err(Stop::Unsupported(Reason::LongListInOrder));
            }
            return self.chain((0..times).flat_map(|_| parts.clone()).collect());
        }
        if let Some(members) = self.known_members(list) {
            let times = u32::try_from(times).map_err(|_| LimitReached::List)?;
            let members = members
                .into_iter()
                .map(|(value, count)| {
                    Ok((value, count.checked_mul(times).ok_or(LimitReached::List)?))
                })
                .collect::<Result<Members, LimitReached>>()?;
            return Ok(self.known(&members));
        }
        if let Node::Join(parts) = self.nodes.get(list).clone() {
            let mut copies = Vec::with_capacity(parts.len());
            for &part in parts.iter() {
                copies.push(self.copies(count, part)?);
            }
            return self.join(&copies);
        }
        if let Node::Copies(inner, list) = *self.nodes.get(list) {
            let count = self.linear(0, &[(times, inner)])?;
            return self.copies(count, list);
        }
        Ok(self.nodes.intern(Node::Copies(count, list)))
    }

    /// The members that compare so with a number.
    pub(super) fn filter(
        &mut self,
        comparison: Comparison,
        number: NodeId,
        list: NodeId,
    ) -> Attempt<NodeId> {
        let (compare, number) = self.compared(comparison, number)?;
        self.filtered(compare, number, list)
    }

    /// A comparison with a number as one that needs no negation.
    pub(super) fn compared(
        &mut self,
        comparison: Comparison,
        number: NodeId,
    ) -> Attempt<(Compare, NodeId)> {
        Ok(match comparison {
            Comparison::Equal => (Compare::Equal, number),
            Comparison::Greater => (Compare::AtLeast, self.linear(1, &[(1, number)])?),
            Comparison::GreaterOrEqual => (Compare::AtLeast, number),
            Comparison::Less => (Compare::Below, number),
            Comparison::LessOrEqual => (Compare::Below, self.linear(1, &[(1, number)])?),
            Comparison::NotEqual => (Compare::Unequal, number),
        })
    }

    /// As [`Scope::filter`]. A filter distributes over joins; bounds that decide it keep all or nothing; members
    /// equal to a known number are copies of it.
    pub(super) fn filtered(
        &mut self,
        compare: Compare,
        number: NodeId,
        list: NodeId,
    ) -> Attempt<NodeId> {
        let (bounds, than) = (self.bounds(list)?, self.bounds(number)?);
        match bounds.decides(compare, than) {
            _ if bounds.most == 0 => return Ok(list),
            Some(true) => return Ok(list),
            Some(false) => return Ok(self.empty()),
            None => {}
        }
        if self.is_number(list) {
            let kept = self.indicator(compare, list, number)?;
            return self.copies(kept, list);
        }
        if let Node::Map(inner, closure) = *self.nodes.get(list)
            && let Some(rows) = self.rows_of(closure)
            && let Some(number) = self.as_constant(number)
        {
            return self.map_with(inner, &rows, |image| {
                let members = image.iter().copied();
                Ok(members
                    .filter(|&(member, _)| compare.holds(member, number))
                    .collect())
            });
        }
        match self.nodes.get(list).clone() {
            Node::Known(members) => {
                let mut parts = Vec::with_capacity(members.len());
                for &(value, count) in members.iter() {
                    let member = self.constant(value);
                    let kept = self.indicator(compare, member, number)?;
                    let times = self.linear(0, &[(count.into(), kept)])?;
                    parts.push(self.copies(times, member)?);
                }
                self.join(&parts)
            }
            Node::Join(parts) => {
                let parts = self.each_filtered(compare, number, &parts)?;
                self.join(&parts)
            }
            Node::Chain(parts) => {
                let parts = self.each_filtered(compare, number, &parts)?;
                self.chain(parts)
            }
            Node::Copies(count, inner) => {
                let inner = self.filtered(compare, number, inner)?;
                self.copies(count, inner)
            }
            Node::If(condition, a, b) => {
                let (a, b) = (
                    self.filtered(compare, number, a)?,
                    self.filtered(compare, number, b)?,
                );
                self.choose(condition, a, b)
            }
            _ => {
                let id = self.nodes.intern(Node::Filter(compare, number, list));
                if compare == Compare::Equal && than.low == than.high {
                    if let Node::Dealt(pool) = *self.nodes.get(list) {
                        let cards = self.cards(pool);
                        return self.filtered(compare, number, cards);
                    }
                    let count = self.fold(Folding::Count, id)?;
                    return self.copies(count, number);
                }
                Ok(id)
            }
        }
    }

    fn each_filtered(
        &mut self,
        compare: Compare,
        number: NodeId,
        parts: &[NodeId],
    ) -> Attempt<Vec<NodeId>> {
        parts
            .iter()
            .map(|&part| self.filtered(compare, number, part))
            .collect()
    }

    /// All integers from `a` to `b`.
    pub(super) fn range(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        let (Some(from), Some(to)) = (self.as_constant(a), self.as_constant(b)) else {
            let bounds = (self.bounds(a)?, self.bounds(b)?);
            if bounds.0.low > bounds.1.high {
                return Ok(self.empty());
            }
            return Ok(self.nodes.intern(Node::Range(a, b)));
        };
        operate::range(&Integer::from(from), &Integer::from(to))?;
        Ok(self.known(&(from..=to).map(|value| (value, 1)).collect::<Members>()))
    }

    /// So many draws of a die: a pool, once the number is known.
    pub(super) fn draws(&mut self, count: NodeId, die: DieId, name: PoolId) -> Attempt<NodeId> {
        let known = self.pools.die_of(die);
        if let [(only, _)] = *known.faces
            && known.law.rest.is_none()
        {
            let only = self.constant(only);
            return self.copies(count, only);
        }
        let Some(dice) = self.as_constant(count) else {
            return Ok(self.nodes.intern(Node::Draws(count, die, name)));
        };
        let dice = u32::try_from(dice).map_err(|_| LimitReached::List)?;
        Ok(match dice {
            0 => self.empty(),
            1 => {
                let pool = self.pools.named(name, die, 1);
                self.nodes.intern(Node::Draw(pool))
            }
            _ => {
                let pool = self.pools.named(name, die, dice);
                self.nodes.intern(Node::Pool(pool))
            }
        })
    }

    /// One draw of a fair die; of one without sides it is 1.
    pub(super) fn die(&mut self, sides: NodeId, name: PoolId) -> Attempt<NodeId> {
        let high = self.bounds(sides)?.high;
        let most = self.budget.limits().states.try_into().unwrap_or(i64::MAX);
        if high > most && !is_infinite(high) {
            return Err(LimitReached::States(self.budget.limits().states).into());
        }
        let Some(sides) = self.as_constant(sides) else {
            return Ok(self.nodes.intern(Node::Die(sides, name)));
        };
        let sides = sides.max(1);
        let die = self.pools.fair(sides, self.budget)?;
        let one = self.constant(1);
        self.draws(one, die, name)
    }
}

pub(super) fn size_of(members: &[(i64, u32)]) -> i64 {
    members.iter().map(|&(_, count)| i64::from(count)).sum()
}

pub(super) fn joined(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        low: a.low.min(b.low),
        high: a.high.max(b.high),
        least: a.least.saturating_add(b.least),
        most: a.most.saturating_add(b.most),
    }
}

/// Members ascending, equal ones collected.
pub(super) fn merged(mut members: Members) -> Attempt<Members> {
    members.sort_unstable_by_key(|&(value, _)| value);
    let mut is_too_long = false;
    members.dedup_by(|next, last| {
        let is_equal = next.0 == last.0;
        if is_equal {
            let (sum, is_over) = last.1.overflowing_add(next.1);
            last.1 = sum;
            is_too_long |= is_over;
        }
        is_equal
    });
    if is_too_long {
        return Err(LimitReached::List.into());
    }
    let size: i64 = members.iter().map(|&(_, count)| i64::from(count)).sum();
    narrow(size.into())?;
    Ok(members)
}
