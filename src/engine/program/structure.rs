//! What a residual program mentions: its pools, its loops, and the die that is to be revealed first.
//!
//! Two nodes that mention no common pool are independent. All these facts follow from the form of nodes.

use std::rc::Rc;

use crate::engine::program::node::{Node, NodeId};
use crate::engine::program::pool::PoolId;
use crate::engine::program::store::Store;
use crate::map::Map;
use crate::stack;

/// Programs with more pools than this reveal single dice one after the other, not face by face.
const MOST_LEVELS: usize = 8;

impl Store<'_> {
    /// The pools that a node mentions, in ascending order. Names of pools whose dice are not known yet are among
    /// them.
    pub(in crate::engine) fn pools_of(&mut self, id: NodeId) -> Rc<[PoolId]> {
        if let Some(pools) = self.pools_of_mask(self.nodes.mask(id)) {
            return pools;
        }
        if let Some(known) = self.mentions.pools.get(&id) {
            return Rc::clone(known);
        }
        let node = self.nodes.get(id).clone();
        let mut pools = Vec::from_iter(self.nodes.pool_of(&node));
        // The places of a deck depend on each other, so the deck counts as mentioned.
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
        self.mentions.remember(id, &pools);
        pools
    }

    /// The pools of the bits of a mask, and the decks of their places. `None` once pools share bits.
    fn pools_of_mask(&mut self, mask: u64) -> Option<Rc<[PoolId]>> {
        if self.pools.share_bits() {
            return None;
        }
        if let Some(known) = self.mentions.pools_of_masks.get(&mask) {
            return Some(Rc::clone(known));
        }
        let mut pools = self.pools.of_mask(mask);
        let decks = pools.iter().filter_map(|&pool| self.pools.deck_of(pool));
        pools.extend(decks.collect::<Vec<_>>());
        pools.sort_unstable();
        pools.dedup();
        let pools: Rc<[PoolId]> = pools.into();
        let known = &mut self.mentions.pools_of_masks;
        known.insert(mask, Rc::clone(&pools));
        Some(pools)
    }

    /// Whether no two of the nodes mention the same pool.
    pub(in crate::engine) fn are_independent(&mut self, ids: &[NodeId]) -> bool {
        let mut mentioned: Map<PoolId, ()> = Map::default();
        ids.iter().all(|&id| {
            let pools = self.pools_of(id);
            pools
                .iter()
                .all(|&pool| mentioned.insert(pool, ()).is_none())
        })
    }

    /// Whether a node shares no pool with any other of these nodes.
    pub(in crate::engine) fn is_independent_of(&mut self, id: NodeId, others: &[NodeId]) -> bool {
        let pools = self.pools_of(id);
        others.iter().all(|&other| {
            self.pools_of(other)
                .iter()
                .all(|pool| pools.binary_search(pool).is_err())
        })
    }

    /// Indices of nodes, grouped so that nodes of different groups mention no common pool. The groups are in the order of
    /// their last members.
    pub(in crate::engine) fn independent_groups(&mut self, ids: &[NodeId]) -> Vec<Vec<usize>> {
        // Each index names a later one of its group. The last one of a group names itself.
        let mut later: Vec<usize> = (0..ids.len()).collect();
        let mut mentioned: Map<PoolId, usize> = Map::default();
        for (index, &id) in ids.iter().enumerate() {
            for &pool in &*self.pools_of(id) {
                if let Some(before) = mentioned.insert(pool, index) {
                    let last = last_of(&mut later, before);
                    later[last] = index;
                }
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); ids.len()];
        for index in 0..ids.len() {
            groups[last_of(&mut later, index)].push(index);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// The nodes that mention pools, parents before children: a node is made after its children.
    pub(in crate::engine) fn descending(&self, root: NodeId) -> Vec<NodeId> {
        const BITS: usize = u64::BITS as usize;
        let mut order = Vec::new();
        if self.nodes.mask(root) == 0 {
            return order;
        }
        let last = root.0 as usize;
        let mut mentioned = vec![0_u64; last / BITS + 1];
        mentioned[last / BITS] |= 1 << (last % BITS);
        for word in (0..mentioned.len()).rev() {
            while mentioned[word] != 0 {
                let bit = BITS - 1 - mentioned[word].leading_zeros() as usize;
                mentioned[word] ^= 1 << bit;
                let id = NodeId(u32::try_from(word * BITS + bit).expect("at most the root"));
                order.push(id);
                self.nodes.for_children(self.nodes.get(id), |child| {
                    if self.nodes.mask(child) != 0 {
                        let place = child.0 as usize;
                        mentioned[place / BITS] |= 1 << (place % BITS);
                    }
                });
            }
        }
        order
    }

    /// The single die that most nodes use directly, members of a multiset not counted: it is revealed before all
    /// others.
    pub(in crate::engine) fn first_die_to_reveal(&self, root: NodeId) -> Option<PoolId> {
        let order = self.descending(root);
        // The number of direct uses of each die.
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
        // Very many dice that are only members of multisets are better revealed one after the other than each on its
        // own level.
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
    pub(in crate::engine) fn revealable(&self, root: NodeId) -> Vec<PoolId> {
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

    /// The pools that a program can reveal and whose dice may never show anything.
    pub(in crate::engine) fn endless_pools(&self, root: NodeId) -> Vec<PoolId> {
        if !self.pools.has_endless() {
            return Vec::new();
        }
        let mut pools = self.revealable(root);
        pools.retain(|&pool| {
            let die = self.pools.get(pool).die;
            self.pools.die_of(die).may_never_show()
        });
        pools
    }

    /// Whether a node mentions a loop.
    pub(in crate::engine) fn has_loop(&mut self, id: NodeId) -> bool {
        if !self.nodes.has_loops() {
            return false;
        }
        if let Some(&known) = self.mentions.loops.get(&id) {
            return known;
        }
        let has = self
            .descending(id)
            .into_iter()
            .any(|id| matches!(self.nodes.get(id), Node::Loop(..)));
        self.mentions.loops.insert(id, has);
        has
    }

    /// Whether some die in a program may never show anything.
    pub(in crate::engine) fn may_never_show(&self, id: NodeId) -> bool {
        self.may_never_show_except(id, &[])
    }

    /// Whether some die in a program, not counting those of some pools, may never show anything.
    pub(in crate::engine) fn may_never_show_except(&self, id: NodeId, shown: &[PoolId]) -> bool {
        if !self.pools.has_endless() {
            return false;
        }
        let nodes = self.descending(id);
        nodes.into_iter().any(|id| match *self.nodes.get(id) {
            Node::Draw(pool) | Node::Pool(pool) if !shown.contains(&pool) => {
                self.pools.die_of(self.pools.get(pool).die).may_never_show()
            }
            Node::Draws(_, die, _) => self.pools.die_of(die).may_never_show(),
            _ => false,
        })
    }

    /// Whether some pool or deck is mentioned on both sides.
    pub(in crate::engine) fn share_pools(&mut self, some: &[NodeId], others: &[NodeId]) -> bool {
        let pools = |this: &mut Self, nodes: &[NodeId]| -> Vec<_> {
            let pools = nodes.iter().map(|&node| this.pools_of(node));
            pools.flat_map(|pools| pools.to_vec()).collect()
        };
        let (some, others) = (pools(self, some), pools(self, others));
        some.iter().any(|pool| others.contains(pool))
    }
}

/// The last index of a group. The way there is shortened for the next time.
fn last_of(later: &mut [usize], mut index: usize) -> usize {
    while later[index] != index {
        later[index] = later[later[index]];
        index = later[index];
    }
    index
}
