use std::hash::BuildHasher;
use std::rc::Rc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::pool::{DieId, PoolId};
use crate::ir::{Arithmetic, Folding, Selection, TermId};

/// A node of a [`Nodes`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(pub(super) u32);

/// A residual program: a number or a list, as a function of what the pools hide.
///
/// Lists are multisets, except where a [`Node::Chain`] keeps an order that something looks at. A number is
/// a list of one member. Every node is in the normal form that its constructor makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// A number.
    Constant(i64),
    /// The value of the only die of a pool: a number.
    Draw(PoolId),
    /// `constant + Σ coefficient · atom`: atoms ascending, none constant or linear, coefficients not zero.
    Linear(i64, Rc<[(i64, NodeId)]>),
    /// 1 if the linear form (without constant, first coefficient positive) is at least the number, else 0.
    AtLeast(NodeId, i64),
    /// 1 if the linear form (without constant, first coefficient positive) equals the number, else 0.
    Equals(NodeId, i64),
    /// Two numbers combined by what is not linear.
    Arithmetic(Arithmetic, NodeId, NodeId),
    /// A list made a number.
    Fold(Folding, NodeId),
    /// The second if the first (0 or 1) is 1, else the third.
    If(NodeId, NodeId, NodeId),
    /// Known members, ascending, each with how often it occurs.
    Known(Rc<[(i64, u32)]>),
    /// The hidden dice of a pool.
    Pool(PoolId),
    /// Multisets joined: parts ascending, none a join, at most one known.
    Join(Rc<[NodeId]>),
    /// Lists one after the other, in order: none a chain.
    Chain(Rc<[NodeId]>),
    /// A list as often as a number (not negative) says.
    Copies(NodeId, NodeId),
    /// Members that compare so with a number: only over what is hidden.
    Filter(Compare, NodeId, NodeId),
    /// Members selected by rank, or by position in a chain.
    Select(Selection, NodeId, NodeId),
    /// All integers between two numbers.
    Range(NodeId, NodeId),
    /// As many draws of a die as a number says; the pool names them.
    Draws(NodeId, DieId, PoolId),
    /// One draw of a fair die with as many sides as a number says; the pool names it.
    Die(NodeId, PoolId),
    /// The body, for each member, of what is hidden.
    Map(NodeId, ClosureId),
}

/// Comparisons that need no negation: the others are complements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Compare {
    /// `member = number`
    Equal,
    /// `member >= number`
    AtLeast,
    /// `member < number`
    Below,
    /// `member != number`
    Unequal,
}

/// A body with the values of its free variables, in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ClosureId(pub(super) u32);

/// The body of a `foreach` with its environment; the member is the innermost variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Closure {
    pub(super) body: TermId,
    pub(super) environment: Box<[NodeId]>,
}

/// Hash-consed nodes, each with a superset of the pools that it mentions.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    table: Vec<Node>,
    masks: Vec<u64>,
    hashes: Vec<u64>,
    index: HashTable<NodeId>,
    closures: Vec<Closure>,
}

impl Nodes {
    /// The id of a node in normal form.
    pub(super) fn intern(&mut self, node: Node) -> NodeId {
        let hash = FxBuildHasher.hash_one(&node);
        if let Some(&id) = self.index.find(hash, |id| {
            let place = id.0 as usize;
            self.hashes[place] == hash && self.table[place] == node
        }) {
            return id;
        }
        let id = NodeId(u32::try_from(self.table.len()).expect("fewer than 2^32 nodes"));
        let mut mask = match &node {
            Node::Draw(pool) | Node::Pool(pool) | Node::Draws(_, _, pool) | Node::Die(_, pool) => {
                pool.mask()
            }
            _ => 0,
        };
        self.for_children(&node, |child| mask |= self.masks[child.0 as usize]);
        self.table.push(node);
        self.masks.push(mask);
        self.hashes.push(hash);
        self.index
            .insert_unique(hash, id, |id| self.hashes[id.0 as usize]);
        id
    }

    /// The id of a closure.
    pub(super) fn closure(&mut self, closure: Closure) -> ClosureId {
        let index = self
            .closures
            .iter()
            .position(|known| *known == closure)
            .unwrap_or_else(|| {
                self.closures.push(closure);
                self.closures.len() - 1
            });
        ClosureId(u32::try_from(index).expect("fewer than 2^32 closures"))
    }

    pub(super) fn closure_of(&self, id: ClosureId) -> &Closure {
        &self.closures[id.0 as usize]
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.table[id.0 as usize]
    }

    /// A bit for each pool that the node mentions; pools share bits, so a set bit may mean another.
    pub(super) fn mask(&self, id: NodeId) -> u64 {
        self.masks[id.0 as usize]
    }

    /// Calls `visit` with each child, values captured by a closure among them.
    pub(super) fn for_children(&self, node: &Node, mut visit: impl FnMut(NodeId)) {
        match node {
            Node::Constant(_) | Node::Draw(_) | Node::Known(_) | Node::Pool(_) => {}
            Node::Linear(_, atoms) => atoms.iter().for_each(|&(_, atom)| visit(atom)),
            Node::AtLeast(a, _)
            | Node::Equals(a, _)
            | Node::Fold(_, a)
            | Node::Draws(a, ..)
            | Node::Die(a, _) => {
                visit(*a);
            }
            Node::Arithmetic(_, a, b)
            | Node::Copies(a, b)
            | Node::Filter(_, a, b)
            | Node::Select(_, a, b)
            | Node::Range(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::If(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Node::Join(parts) | Node::Chain(parts) => parts.iter().copied().for_each(visit),
            Node::Map(a, closure) => {
                visit(*a);
                self.closure_of(*closure)
                    .environment
                    .iter()
                    .copied()
                    .for_each(visit);
            }
        }
    }
}
