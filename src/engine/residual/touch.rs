//! What a step leaves as it is, told from the form of a program, so that most of it is looked at once a level and not
//! once for every number of dice.
//!
//! - Dice that show a face which a filter rejects leave what the filter keeps as it is: `>n (v, R) = >n R` where
//!   not `v > n`. What looks at a pool through such filters only is the same for any number of dice that show the
//!   face ([`Scope::sees`]).
//! - Between faces that differ, a filter keeps from none to all of the hidden dice, and what comes of it is decided by
//!   their number only as long as it is small: a count of them compares with 3 in either way from 3 dice on. A
//!   node that stays as it is for so many dice stays as it is for more ([`Scope::enough`]).
//!
//! Both are told of pools of dice with listed faces, and of programs without maps and loops; of others nothing is.

use super::Attempt;
use super::node::{Node, NodeId};
use super::pool::{Drawing, PoolId};
use super::scope::{Scope, Shown};
use crate::ir::{Arithmetic, Folding, Selection};
use crate::stack;

/// No number of dice is enough.
const NEVER: i64 = i64::MAX;

impl Scope<'_> {
    /// Whether what a node becomes can depend on how many dice show a face.
    pub(super) fn sees(&mut self, id: NodeId, shown: Shown) -> bool {
        if self.nodes.mask(id) & shown.pool.mask() == 0 {
            return false;
        }
        let level = self.context.level();
        if let Some(known) = self.seen.get(level, id) {
            return known;
        }
        let sees = match self.nodes.get(id).clone() {
            Node::Draw(pool) | Node::Pool(pool) => pool == shown.pool,
            Node::Filter(compare, number, list) if self.is_filtered_pool(list) => {
                match self.as_constant(number) {
                    Some(number) if !compare.holds(shown.value, number) => false,
                    Some(_) => self.sees(list, shown),
                    None => true,
                }
            }
            // What stays of them when their parts do is not told here.
            Node::Map(..) | Node::Loop(..) | Node::Over(_) | Node::Dealt(_) => true,
            node => {
                let mut children = Vec::new();
                self.nodes.for_children(&node, |child| children.push(child));
                stack::level(|| children.into_iter().any(|child| self.sees(child, shown)))
            }
        };
        self.seen.set(level, id, sees);
        sees
    }

    /// A number of hidden dice from which on, if the node stays as it is when simplified, it stays as it is for more.
    /// The node mentions no pool but that of the dice, and they can show different faces.
    ///
    /// By induction on the node: it stays only if its children stay and their bounds decide nothing, and from so
    /// many dice on, more of them do not change the outcome of any comparison of bounds that its constructor makes.
    pub(super) fn enough(&mut self, id: NodeId) -> Attempt<i64> {
        if self.nodes.mask(id) == 0 {
            return Ok(0);
        }
        let level = self.context.level();
        if let Some(known) = self.enough.get(level, id) {
            return Ok(known);
        }
        let enough = stack::level(|| self.compute_enough(id))?;
        self.enough.set(level, id, enough);
        Ok(enough)
    }

    fn compute_enough(&mut self, id: NodeId) -> Attempt<i64> {
        Ok(match self.nodes.get(id).clone() {
            Node::Pool(pool) if self.is_plain(pool) => 1,
            Node::Filter(..) if self.is_filtered_pool(id) => 1,
            // It has more members than are selected.
            Node::Select(selection, n, list) if is_keeping(selection) => {
                match self.as_constant(n) {
                    Some(n) if self.is_filtered_pool(list) || self.is_kept(list) => {
                        self.enough(list)?.max(n.saturating_add(1))
                    }
                    _ => NEVER,
                }
            }
            Node::Fold(Folding::Count, list) if self.is_filter(list) => self.enough(list)?,
            Node::Fold(Folding::Sum, list) if self.is_filtered_pool(list) || self.is_kept(list) => {
                self.enough(list)?
            }
            Node::Linear(_, atoms) => self.all_enough(atoms.iter().map(|&(_, atom)| atom))?,
            Node::Join(parts) => self.all_enough(parts.iter().copied())?,
            Node::Copies(count, list) => self.all_enough([count, list])?,
            Node::If(condition, a, b) => self.all_enough([condition, a, b])?,
            // A count of a filter is in `0..=dice`.
            Node::AtLeast(form, number) if self.is_count_of_filter(form) => {
                self.enough(form)?.max(number).max(2)
            }
            Node::Equals(form, number) if self.is_count_of_filter(form) => {
                self.enough(form)?.max(number.saturating_add(1))
            }
            Node::AtLeast(form, _) | Node::Equals(form, _) if self.is_settled(form) => {
                self.enough(form)?
            }
            // A product with what is 0 or 1 is a choice: a count of two dice is more.
            Node::Arithmetic(Arithmetic::Multiply, a, b)
                if self.is_count_of_filter(a) && self.is_count_of_filter(b) =>
            {
                self.all_enough([a, b])?.max(2)
            }
            _ => NEVER,
        })
    }

    fn all_enough(&mut self, ids: impl IntoIterator<Item = NodeId>) -> Attempt<i64> {
        let mut most = 0;
        for id in ids {
            most = self.enough(id)?.max(most);
        }
        Ok(most)
    }

    /// Whether the dice of a pool show listed faces only, and are no places of a shuffled deck.
    fn is_plain(&self, pool: PoolId) -> bool {
        let known = self.pools.get(pool);
        !matches!(known.drawing, Drawing::Shuffled(_))
            && self.pools.die_of(known.die).beyond.is_empty()
    }

    /// Whether a list is the hidden dice of a pool, filtered by known numbers any number of times.
    fn is_filtered_pool(&self, list: NodeId) -> bool {
        matches!(*self.nodes.get(list), Node::Pool(pool) if self.is_plain(pool))
            || self.is_filter(list)
    }

    fn is_filter(&self, list: NodeId) -> bool {
        matches!(*self.nodes.get(list), Node::Filter(_, number, list)
            if self.as_constant(number).is_some() && self.is_filtered_pool(list))
    }

    fn is_count_of_filter(&self, id: NodeId) -> bool {
        matches!(*self.nodes.get(id), Node::Fold(Folding::Count, list) if self.is_filter(list))
    }

    fn is_kept(&self, list: NodeId) -> bool {
        matches!(*self.nodes.get(list), Node::Select(selection, ..) if is_keeping(selection))
    }

    /// Whether the bounds of a number are the same for any number of dice that is [`Scope::enough`].
    fn is_settled(&self, id: NodeId) -> bool {
        match self.nodes.get(id) {
            Node::AtLeast(..) | Node::Equals(..) => true,
            Node::Fold(Folding::Sum, list) => self.is_kept(*list),
            Node::Linear(_, atoms) => atoms.iter().all(|&(_, atom)| self.is_settled(atom)),
            _ => false,
        }
    }
}

fn is_keeping(selection: Selection) -> bool {
    matches!(
        selection,
        Selection::High | Selection::Low | Selection::First | Selection::Last
    )
}
