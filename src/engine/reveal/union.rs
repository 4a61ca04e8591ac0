//! Pools that a program only looks at together.
//!
//! Two pools of independent dice that can still show the same faces with the same weights are as good as one. If a
//! program is a function of the multiset of all their dice, one pool takes over the dice of the other. So dice of
//! different sizes become equal once the faces that only some of them have are passed.

use crate::engine::program::{Closure, DieId, Drawing, Node, NodeId, PoolId, Store};
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::Folding;
use crate::map::Map;

/// The program with single dice as pools of one die, if they are nothing but members of multisets and another of the pools has equal
/// dice: so they can become one pool.
pub(in crate::engine) fn with_single_dice_as_pools(
    store: &mut Store<'_>,
    root: NodeId,
    pools: &[PoolId],
) -> Attempt<NodeId> {
    let mut equal: Map<DieId, usize> = Map::default();
    for &pool in pools {
        let pool = store.pools.get(pool);
        if pool.drawing == Drawing::Independent {
            *equal.entry(pool.die).or_default() += 1;
        }
    }
    if equal.values().all(|&pools| pools < 2) {
        return Ok(root);
    }
    let order = store.descending(root);
    let mut numbers: Map<PoolId, ()> = Map::default();
    for &id in &order {
        let node = store.nodes.get(id);
        if !matches!(node, Node::Join(_)) {
            store.nodes.for_children(node, |child| {
                if let Node::Draw(pool) = *store.nodes.get(child) {
                    numbers.insert(pool, ());
                }
            });
        }
    }
    let mut replaced = Vec::new();
    for id in order {
        let Node::Join(parts) = store.nodes.get(id) else {
            continue;
        };
        let mut changed = parts.to_vec();
        for part in &mut changed {
            if let Node::Draw(pool) = *store.nodes.get(*part)
                && pools.contains(&pool)
                && !numbers.contains_key(&pool)
                && equal.get(&store.pools.get(pool).die) > Some(&1)
            {
                *part = store.nodes.intern(Node::Pool(pool));
            }
        }
        changed.sort_unstable();
        let changed = store.nodes.join(&changed);
        if changed != id {
            replaced.push((id, changed));
        }
    }
    if replaced.is_empty() {
        return Ok(root);
    }
    store.replaced(root, &replaced)
}

/// Two pools, and which nodes are functions of the multiset of the dice of both.
pub(in crate::engine) struct Union {
    pools: [PoolId; 2],
    known: Map<NodeId, bool>,
}

impl Union {
    pub(in crate::engine) fn of(pools: [PoolId; 2]) -> Self {
        Self {
            pools,
            known: Map::default(),
        }
    }

    /// Whether one pool can take over the dice of the other in a program: it mentions both, and depends on nothing of
    /// them but the multiset of the dice of both.
    pub(in crate::engine) fn can_replace_pools_in(
        &mut self,
        store: &mut Store<'_>,
        id: NodeId,
    ) -> bool {
        let mentioned = store.pools_of(id);
        let both = |pool: &PoolId| mentioned.binary_search(pool).is_ok();
        self.pools.iter().all(both) && self.is_function_of_union(store, id)
    }

    /// Whether a node depends on nothing of the two pools but the multiset of the dice of both.
    fn is_function_of_union(&mut self, store: &mut Store<'_>, id: NodeId) -> bool {
        let mentioned = store.pools_of(id);
        if !self
            .pools
            .iter()
            .any(|pool| mentioned.binary_search(pool).is_ok())
        {
            return true;
        }
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let node = store.nodes.get(id).clone();
        let decides = match &node {
            // A join has the two numbers of a pair as members, not their sum.
            Node::Join(parts) => {
                let parts: Vec<(i64, NodeId)> = parts.iter().map(|&part| (1, part)).collect();
                self.are_function_of_union(store, &parts, Self::are_same_for_each_die)
            }
            Node::Linear(_, atoms) => self.are_function_of_union(store, atoms, Self::are_same_sums),
            _ => {
                let own = store.nodes.pool_of(&node);
                let mut children = Vec::new();
                store
                    .nodes
                    .for_children(&node, |child| children.push(child));
                own.is_none_or(|own| !self.pools.contains(&own))
                    && children
                        .into_iter()
                        .all(|child| self.is_function_of_union(store, child))
            }
        };
        self.known.insert(id, decides);
        decides
    }

    /// Whether parts together depend on nothing of the two pools but the multiset of the dice of both. Each part does so by
    /// itself, or is one of a pair that is the same for the dice of each pool.
    fn are_function_of_union(
        &mut self,
        store: &mut Store<'_>,
        parts: &[(i64, NodeId)],
        is_pair: fn(&mut Self, &mut Store<'_>, NodeId, NodeId) -> bool,
    ) -> bool {
        let mut open: Vec<(i64, NodeId)> = Vec::new();
        for &(coefficient, part) in parts {
            if self.is_function_of_union(store, part) {
                continue;
            }
            let partner = open.iter().position(|&(other_coefficient, other)| {
                other_coefficient == coefficient && is_pair(self, store, other, part)
            });
            match partner {
                Some(place) => {
                    open.swap_remove(place);
                }
                None => open.push((coefficient, part)),
            }
        }
        open.is_empty()
    }

    /// Whether two numbers are sums or counts of lists that do the same to each die.
    fn are_same_sums(&mut self, store: &mut Store<'_>, a: NodeId, b: NodeId) -> bool {
        match (store.nodes.get(a), store.nodes.get(b)) {
            (&Node::Fold(folding, a), &Node::Fold(other, b)) => {
                let is_additive = matches!(folding, Folding::Sum | Folding::Count);
                is_additive && folding == other && self.are_same_for_each_die(store, a, b)
            }
            _ => false,
        }
    }

    /// Whether two lists do the same to each die: one to the dice of one pool, the other to those of the other pool.
    fn are_same_for_each_die(&mut self, store: &mut Store<'_>, a: NodeId, b: NodeId) -> bool {
        match (store.nodes.get(a).clone(), store.nodes.get(b).clone()) {
            (Node::Pool(a), Node::Pool(b)) => {
                a != b && [a, b].iter().all(|pool| self.pools.contains(pool))
            }
            (Node::Filter(compare, number, a), Node::Filter(other_compare, other_number, b)) => {
                compare == other_compare
                    && number == other_number
                    && self.is_function_of_union(store, number)
                    && self.are_same_for_each_die(store, a, b)
            }
            (Node::Map(a, closure), Node::Map(b, other)) => {
                let is_table = matches!(store.nodes.closure_of(closure), Closure::Table(_));
                is_table && closure == other && self.are_same_for_each_die(store, a, b)
            }
            _ => false,
        }
    }
}
