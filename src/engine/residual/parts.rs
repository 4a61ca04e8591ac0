//! What a residual program is made of: which pools its parts mention, which parts are independent, and which pools are
//! revealed first.

use std::rc::Rc;

use super::Attempt;
use super::node::{Node, NodeId};
use super::pool::{Drawing, Pool, PoolId};
use super::scope::{Context, Scope};
use crate::algebra::Weight;
use crate::map::Map;
use crate::stack;

/// Beyond so many pools, single dice are not revealed face by face.
const MOST_LEVELS: usize = 8;

impl Scope<'_> {
    /// The pools that a node mentions, ascending: names of pools that are not yet known among them.
    pub(super) fn pools_of(&mut self, id: NodeId) -> Rc<[PoolId]> {
        if let Some(known) = self.laws.pools.get(&id) {
            return Rc::clone(known);
        }
        let node = self.nodes.get(id).clone();
        let mut pools = Vec::from_iter(self.nodes.pool_of(&node));
        // The places of a deck depend on each other.
        if let Some(deck) = pools.first().and_then(|&pool| self.pools.deck_of(pool)) {
            pools.push(deck);
        }
        let mut children = Vec::new();
        self.nodes.for_children(&node, |child| children.push(child));
        for child in children {
            if self.nodes.mask(child) != 0 {
                pools.extend_from_slice(&stack::level(|| self.pools_of(child)));
            }
        }
        pools.sort_unstable();
        pools.dedup();
        let pools: Rc<[PoolId]> = pools.into();
        self.laws.pools.insert(id, Rc::clone(&pools));
        pools
    }

    /// Whether no two of the nodes mention the same pool.
    pub(super) fn are_independent(&mut self, ids: &[NodeId]) -> bool {
        self.independent_groups(ids).len() == ids.len()
    }

    /// Whether a node shares no pool with any of the others.
    pub(super) fn is_apart(&mut self, id: NodeId, others: &[NodeId]) -> bool {
        let pools = self.pools_of(id);
        others.iter().all(|&other| {
            self.pools_of(other)
                .iter()
                .all(|pool| pools.binary_search(pool).is_err())
        })
    }

    /// Indices of nodes, grouped so that nodes of different groups mention no common pool.
    pub(super) fn independent_groups(&mut self, ids: &[NodeId]) -> Vec<Vec<usize>> {
        let mut group_of: Map<PoolId, usize> = Map::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, &id) in ids.iter().enumerate() {
            let pools = self.pools_of(id);
            let mut members = vec![index];
            let mut merged: Vec<usize> = pools
                .iter()
                .filter_map(|pool| group_of.get(pool).copied())
                .collect();
            merged.sort_unstable();
            merged.dedup();
            for group in merged {
                members.append(&mut groups[group]);
            }
            let group = groups.len();
            for &member in &members {
                for &pool in &*self.pools_of(ids[member]) {
                    group_of.insert(pool, group);
                }
            }
            members.sort_unstable();
            groups.push(members);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// The node with every largest number in it whose pools occur nowhere else replaced by a die of the same
    /// distribution.
    ///
    /// Such a number dominates the leaves of its pools: every path from the root to them passes it. Ids ascend
    /// from children to parents, so one pass down finds immediate dominators.
    /// Parts that loop are solved as well, or left as they are.
    pub(super) fn closed_parts_solved(
        &mut self,
        root: NodeId,
        with_loops: bool,
    ) -> Attempt<NodeId> {
        if self.pools_of(root).len() < 2
            && !matches!(
                self.nodes.get(root),
                Node::Arithmetic(..) | Node::Linear(..)
            )
        {
            return Ok(root);
        }
        let order = self.descending(root);
        let place: Map<NodeId, usize> = order
            .iter()
            .enumerate()
            .map(|(place, &id)| (id, place))
            .collect();
        // Immediate dominators by place; a parent always has the smaller place.
        let mut dominator: Vec<Option<usize>> = vec![None; order.len()];
        let mut leaves: Vec<(PoolId, usize)> = Vec::new();
        for (index, &id) in order.iter().enumerate() {
            let node = self.nodes.get(id).clone();
            if let Some(pool) = self.nodes.pool_of(&node) {
                leaves.push((pool, index));
                leaves.extend(self.pools.deck_of(pool).map(|deck| (deck, index)));
            }
            self.nodes.for_children(&node, |child| {
                if let Some(&child) = place.get(&child) {
                    dominator[child] = Some(match dominator[child] {
                        None => index,
                        Some(other) => common_dominator(&dominator, other, index),
                    });
                }
            });
        }
        let mut replaced = Vec::new();
        let mut dominated: Map<usize, Vec<PoolId>> = Map::default();
        for &(pool, leaf) in &leaves {
            let mut above = Some(leaf);
            while let Some(place) = above {
                dominated.entry(place).or_default().push(pool);
                above = dominator[place];
            }
        }
        let mut uses: Map<PoolId, usize> = Map::default();
        for &(pool, _) in &leaves {
            *uses.entry(pool).or_default() += 1;
        }
        let mut covered = vec![false; order.len()];
        for (index, &id) in order.iter().enumerate() {
            covered[index] = dominator[index].is_some_and(|above| covered[above]);
            if index == 0 || covered[index] || !self.is_number(id) {
                continue;
            }
            let pools = self.pools_of(id);
            let all: usize = pools.iter().filter_map(|pool| uses.get(pool)).sum();
            let closed = dominated
                .get(&index)
                .is_some_and(|dominated| dominated.len() == all);
            if closed
                && !matches!(self.nodes.get(id), Node::Draw(_))
                && (with_loops || !self.has_loop(id))
            {
                let law = self.law(id)?;
                // A die that may never show a face is waited for only where it is told that it is.
                if law.never() != Weight::ZERO {
                    continue;
                }
                covered[index] = true;
                let die = self.pools.die(law)?;
                let pool = self.pools.pool(Pool {
                    die,
                    dice: 1,
                    drawing: Drawing::Independent,
                });
                replaced.push((id, self.nodes.intern(Node::Draw(pool))));
            }
        }
        if replaced.is_empty() {
            return Ok(root);
        }
        self.replaced(root, &replaced)
    }

    /// A program with other nodes in place of some that mention pools.
    pub(super) fn replaced(
        &mut self,
        root: NodeId,
        replaced: &[(NodeId, NodeId)],
    ) -> Attempt<NodeId> {
        let mask = replaced
            .iter()
            .fold(0, |mask, &(id, _)| mask | self.nodes.mask(id));
        self.under(&mut Context::replacing(replaced, mask), root)
    }

    /// The nodes that mention pools, parents before children.
    pub(super) fn descending(&self, root: NodeId) -> Vec<NodeId> {
        let mut seen: Map<NodeId, ()> = Map::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if self.nodes.mask(id) != 0 && seen.insert(id, ()).is_none() {
                self.nodes
                    .for_children(self.nodes.get(id), |child| open.push(child));
            }
        }
        let mut order: Vec<NodeId> = seen.into_keys().collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        order
    }

    /// A single die that stands anywhere but among the members of a multiset, the one that most stands on.
    pub(super) fn first_control(&self, root: NodeId) -> Option<PoolId> {
        let order = self.descending(root);
        // How often each die is looked at: what most depends on is revealed first.
        let mut controls: Map<PoolId, usize> = Map::default();
        let mut members = 0;
        for &id in &order {
            let node = self.nodes.get(id);
            members += usize::from(matches!(node, Node::Pool(_) | Node::Draw(_)));
            let mut is_looked_at = |child: NodeId| {
                if let Node::Draw(pool) = *self.nodes.get(child) {
                    *controls.entry(pool).or_default() += 1;
                }
            };
            match *node {
                Node::Join(_) | Node::Chain(_) => {}
                Node::Copies(n, _) => is_looked_at(n),
                _ => self.nodes.for_children(node, is_looked_at),
            }
        }
        let control = controls
            .into_iter()
            .max_by_key(|&(pool, uses)| (uses, std::cmp::Reverse(pool)))
            .map(|(pool, _)| pool);
        // Members of one kind only are better revealed one after the other than each on its own level.
        match control {
            None if members > MOST_LEVELS => {
                order.iter().rev().find_map(|&id| match self.nodes.get(id) {
                    Node::Draw(pool) => Some(*pool),
                    _ => None,
                })
            }
            control => control,
        }
    }

    /// The pools to reveal face by face.
    pub(super) fn revealable(&self, root: NodeId) -> Vec<PoolId> {
        let mut pools: Vec<PoolId> = self
            .descending(root)
            .into_iter()
            .filter_map(|id| match self.nodes.get(id) {
                Node::Pool(pool) | Node::Draw(pool) => Some(*pool),
                _ => None,
            })
            .collect();
        pools.sort_unstable();
        pools
    }
}

fn common_dominator(dominator: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    let above =
        |place: usize| dominator[place].expect("a node below the root has a parent before it");
    while a != b {
        if a > b {
            a = above(a);
        } else {
            b = above(b);
        }
    }
    a
}
