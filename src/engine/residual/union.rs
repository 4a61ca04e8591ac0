//! Pools that a program only looks at together.
//!
//! Two pools of independent dice that can still show the same faces with the same weights are as good as one: if a
//! program is a function of the multiset of all their dice, one pool takes over the dice of the other. So dice of
//! different sizes become equal once the faces that only some of them have are passed.

use super::node::{Closure, Node, NodeId};
use super::pool::PoolId;
use super::scope::Scope;
use crate::ir::Folding;
use crate::map::Map;

/// Whether programs are functions of what two pools hide together; remembers what it has found.
pub(super) struct Union {
    pools: [PoolId; 2],
    known: Map<NodeId, bool>,
}

impl Union {
    pub(super) fn of(pools: [PoolId; 2]) -> Self {
        Self {
            pools,
            known: Map::default(),
        }
    }

    /// Whether a program mentions both pools, and depends on nothing but the multiset of the dice of both.
    pub(super) fn is_looked_at_in(&mut self, scope: &mut Scope<'_>, id: NodeId) -> bool {
        let mentioned = scope.pools_of(id);
        let both = |pool: &PoolId| mentioned.binary_search(pool).is_ok();
        self.pools.iter().all(both) && self.decides(scope, id)
    }

    /// Whether a node depends on nothing of the two pools but the multiset of the dice of both.
    fn decides(&mut self, scope: &mut Scope<'_>, id: NodeId) -> bool {
        let mentioned = scope.pools_of(id);
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
        let node = scope.nodes.get(id).clone();
        let decides = match &node {
            Node::Join(parts) => {
                let parts: Vec<(i64, NodeId)> = parts.iter().map(|&part| (1, part)).collect();
                self.decides_together(scope, &parts)
            }
            Node::Linear(_, atoms) => self.decides_together(scope, atoms),
            _ => {
                let own = scope.nodes.pool_of(&node);
                let mut children = Vec::new();
                scope
                    .nodes
                    .for_children(&node, |child| children.push(child));
                own.is_none_or(|own| !self.pools.contains(&own))
                    && children.into_iter().all(|child| self.decides(scope, child))
            }
        };
        self.known.insert(id, decides);
        decides
    }

    /// Whether parts that are added up decide together: each by itself, or in pairs that do the same to the dice of
    /// either pool, each die apart.
    fn decides_together(&mut self, scope: &mut Scope<'_>, parts: &[(i64, NodeId)]) -> bool {
        let mut open: Vec<(i64, NodeId)> = Vec::new();
        for &(coefficient, part) in parts {
            if self.decides(scope, part) {
                continue;
            }
            let partner = open.iter().position(|&(other_coefficient, other)| {
                other_coefficient == coefficient && self.is_same_of_each(scope, other, part)
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

    /// Whether two lists, or sums or counts of them, do the same to each die, one to those of one pool, one to those of
    /// the other.
    fn is_same_of_each(&mut self, scope: &mut Scope<'_>, a: NodeId, b: NodeId) -> bool {
        match (scope.nodes.get(a).clone(), scope.nodes.get(b).clone()) {
            (Node::Pool(a), Node::Pool(b)) => {
                a != b && [a, b].iter().all(|pool| self.pools.contains(pool))
            }
            (Node::Fold(folding, a), Node::Fold(other, b)) => {
                let is_additive = matches!(folding, Folding::Sum | Folding::Count);
                is_additive && folding == other && self.is_same_of_each(scope, a, b)
            }
            (Node::Filter(compare, number, a), Node::Filter(other_compare, other_number, b)) => {
                compare == other_compare
                    && number == other_number
                    && self.decides(scope, number)
                    && self.is_same_of_each(scope, a, b)
            }
            (Node::Map(a, closure), Node::Map(b, other)) => {
                let is_table = matches!(scope.nodes.closure_of(closure), Closure::Table(_));
                is_table && closure == other && self.is_same_of_each(scope, a, b)
            }
            _ => false,
        }
    }
}
