//! Tables of the same dice, joined: one table.
//!
//! What two tables make of a die, one after the other, is what one table makes of it that has both rows. So a pool of
//! which some dice were taken away, rolled again and put back is one table of dice that carry both; where
//! each row has one member, it is a pool of other dice ([`Scope::relabelled`]).

use std::rc::Rc;

use super::Attempt;
use super::lists::{Members, merged};
use super::node::{Closure, Image, Node, NodeId};
use super::pool::PoolId;
use super::scope::Scope;
use crate::map::Map;

impl Scope<'_> {
    /// A program in which joined tables of one pool are one.
    pub(super) fn collected(&mut self, root: NodeId) -> Attempt<Option<NodeId>> {
        let mut replaced = Vec::new();
        for id in self.descending(root) {
            let Node::Join(parts) = self.nodes.get(id).clone() else {
                continue;
            };
            let mut others = Vec::with_capacity(parts.len());
            let mut tables: Map<PoolId, Vec<NodeId>> = Map::default();
            let mut order = Vec::new();
            for &part in parts.iter() {
                match self
                    .each_of(part)
                    .filter(|&pool| self.shows_only_faces(pool))
                {
                    Some(pool) => {
                        if !tables.contains_key(&pool) {
                            order.push(pool);
                        }
                        tables.entry(pool).or_default().push(part);
                    }
                    None => others.push(part),
                }
            }
            let mut is_shorter = false;
            for pool in order {
                let parts = tables
                    .remove(&pool)
                    .expect("each pool in the order has parts");
                let is_mapped = |part: &NodeId| matches!(self.nodes.get(*part), Node::Map(..));
                if parts.len() > 1 && parts.iter().any(is_mapped) {
                    is_shorter = true;
                    others.push(self.one_table(pool, &parts)?);
                } else {
                    others.extend(parts);
                }
            }
            if is_shorter {
                replaced.push((id, self.join(&others)?));
            }
        }
        if replaced.is_empty() {
            return Ok(None);
        }
        self.replaced(root, &replaced).map(Some)
    }

    fn shows_only_faces(&self, pool: PoolId) -> bool {
        self.pools
            .known(pool)
            .is_some_and(|known| self.shows_faces(known.die))
    }

    /// What several lists have of each die of a pool, as one table.
    fn one_table(&mut self, pool: PoolId, parts: &[NodeId]) -> Attempt<NodeId> {
        let faces = Rc::clone(&self.pools.die_of(self.pools.get(pool).die).faces);
        let mut rows: Vec<(i64, Image)> = Vec::with_capacity(faces.len());
        for &(face, _) in &*faces {
            let mut members = Members::new();
            for &part in parts {
                members.extend(self.members_for(part, face)?);
            }
            rows.push((face, merged(members)?.into()));
        }
        let table = self.nodes.closure(Closure::Table(rows.into()));
        let pool = self.nodes.intern(Node::Pool(pool));
        self.map(pool, table)
    }
}
