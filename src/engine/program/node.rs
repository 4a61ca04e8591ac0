//! Residual programs: hash-consed nodes.
//!
//! A [`Node`] is a number or a list, as a function of what the pools hide. It is *total*: where an operator is not
//! defined the node has some value, and the error is a hazard beside it (`translate::event`). Nodes are interned, so
//! two histories that leave the same program leave the same [`NodeId`]. That makes a program a state.

use std::hash::BuildHasher as _;
use std::hash::Hash;
use std::rc::Rc;

use hashbrown::HashTable;

use crate::engine::failure::Failure;
use crate::engine::program::order::Order;
use crate::engine::program::pool::{DieId, PoolId};
use crate::ir::{Arithmetic, Folding, Selection, TermId};
use crate::map::{ValueHasher, ValueMap};

/// A node of a [`Nodes`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::engine) struct NodeId(pub(in crate::engine) u32);

/// A residual program: a number or a list, as a function of what the pools hide.
///
/// Lists are multisets, except where a [`Node::Chain`] keeps an order that something looks at. A number is a list of
/// one member. Every node is in the normal form of its constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Node {
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
    /// The value of an arithmetic operator that is not linear.
    Arithmetic(Arithmetic, NodeId, NodeId),
    /// The fold of a list: a number.
    Fold(Folding, NodeId),
    /// The second node if the first (0 or 1) is 1, else the third.
    If(NodeId, NodeId, NodeId),
    /// Known members in ascending order, each with its multiplicity.
    Known(Rc<[(i64, u32)]>),
    /// The hidden dice of a pool.
    Pool(PoolId),
    /// Places of a shuffled deck, in order.
    Dealt(PoolId),
    /// Multisets joined. The parts are in ascending order; no part is a join, and at most one is known.
    Join(Rc<[NodeId]>),
    /// Lists one after the other, in order. No part is a chain.
    Chain(Rc<[NodeId]>),
    /// Copies of a list. Their number is the first node, which is not negative.
    Copies(NodeId, NodeId),
    /// The members for which the comparison with a number holds. The list is hidden.
    Filter(Compare, NodeId, NodeId),
    /// Members selected by rank, or by position in a chain.
    Select(Selection, NodeId, NodeId),
    /// All integers between two numbers.
    Range(NodeId, NodeId),
    /// Independent draws of a die. Their number is the first node, and the pool is their name.
    Draws(NodeId, DieId, PoolId),
    /// One draw of a fair die. Its number of sides is the first node, and the pool is its name.
    Die(NodeId, PoolId),
    /// The images of the members of a hidden list under a closure, joined.
    Map(NodeId, ClosureId),
    /// All values of a loop after this value, joined: none if this value is empty, else the value of the body for it
    /// and all values after that. The pool is the name of the loop.
    Loop(NodeId, ClosureId, Order, PoolId),
    /// 0, once a loop is over. The number never comes to be where the loop never ends.
    Over(NodeId),
}

/// The comparisons of residual programs. Every other comparison is one of these with another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::engine) enum Compare {
    /// `member = number`
    Equal,
    /// `member >= number`
    AtLeast,
    /// `member < number`
    Below,
    /// `member != number`
    Unequal,
}

impl Compare {
    /// The comparison that holds exactly when this one does not.
    pub(in crate::engine) fn negated(self) -> Self {
        match self {
            Self::AtLeast => Self::Below,
            Self::Below => Self::AtLeast,
            Self::Equal => Self::Unequal,
            Self::Unequal => Self::Equal,
        }
    }

    /// Whether the comparison of a member with a number holds.
    pub(in crate::engine) fn holds(self, member: i64, number: i64) -> bool {
        match self {
            Self::AtLeast => member >= number,
            Self::Below => member < number,
            Self::Equal => member == number,
            Self::Unequal => member != number,
        }
    }
}

/// A closure of a [`Nodes`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::engine) struct ClosureId(pub(in crate::engine) u32);

/// Known members in ascending order, each with its multiplicity.
pub(in crate::engine) type Image = Rc<[(i64, u32)]>;

/// A map from members to multisets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Closure {
    /// Each member that can occur, in ascending order, with its image.
    Table(Rc<[(i64, Image)]>),
    /// The body of a `foreach` or of a loop.
    Body(Body),
}

/// The body of a `foreach` or of a loop, with its environment. The innermost variable, which the environment lacks,
/// is the member of the `foreach` or the value of the loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) struct Body {
    pub(in crate::engine) term: TermId,
    pub(in crate::engine) environment: Box<[NodeId]>,
    /// The operations that are applied to the value of the term, in this order.
    pub(in crate::engine) reductions: Box<[Reduction]>,
    /// The name of the dice of a body that rolls. Two uses of the node see the same rolls.
    pub(in crate::engine) name: Option<PoolId>,
    /// What evaluating the body gives.
    pub(in crate::engine) mode: BodyMode,
    /// What is asked of the values of a loop.
    pub(in crate::engine) asked: LoopQuestion,
}

/// What is asked of the values of a loop. What is not asked is left out, so that loops which differ in nothing else are one
/// state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum LoopQuestion {
    /// Only whether there is another value. Each value is a list of `size` members `member`.
    Ends { member: i64, size: i64 },
    /// Only how many members each value has. All members are `member`.
    Lengths { member: i64 },
    /// The members.
    Members,
}

/// An operation on a list that may be applied to each part of a join first, and then to the join of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Reduction {
    /// The members for which the comparison with a number holds.
    Filter(Compare, i64),
    /// The sum, the number or the product of the members.
    Fold(Folding),
    /// As many greatest or least members as the number says.
    Select(Selection, i64),
}

/// What evaluating the body of a closure gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum BodyMode {
    /// The value of the body.
    Value,
    /// How often the body fails with this failure. A map with such a body is one number.
    Failing(Failure),
    /// The value of a loop's body, or a mark where the body fails.
    Marked,
}

/// Hash-consed nodes, each with a mask of the pools that it mentions.
#[derive(Debug)]
pub(in crate::engine) struct Nodes {
    table: Vec<Node>,
    masks: Vec<u64>,
    hashes: Vec<u64>,
    index: HashTable<NodeId>,
    hasher: ValueHasher,
    closures: Vec<Closure>,
    closure_index: ValueMap<Closure, ClosureId>,
    bytes: u64,
    /// Whether any node is a loop.
    has_loops: bool,
}

/// The nodes that have room at first: those of a small rule.
const FIRST_NODES: usize = 32;

impl Default for Nodes {
    fn default() -> Self {
        Self {
            table: Vec::with_capacity(FIRST_NODES),
            masks: Vec::with_capacity(FIRST_NODES),
            hashes: Vec::with_capacity(FIRST_NODES),
            index: HashTable::with_capacity(FIRST_NODES),
            hasher: ValueHasher::default(),
            closures: Vec::new(),
            closure_index: ValueMap::default(),
            bytes: 0,
            has_loops: false,
        }
    }
}

/// A key of the table of nodes. It borrows the parts of a node, so that memory is allocated only for new nodes. Most
/// nodes are known already.
#[derive(PartialEq, Hash)]
pub(in crate::engine) enum NodeKey<'a> {
    Join(&'a [NodeId]),
    Known(&'a [(i64, u32)]),
    Linear(i64, &'a [(i64, NodeId)]),
    Other(&'a Node),
}

impl<'a> NodeKey<'a> {
    fn of(node: &'a Node) -> Self {
        match node {
            Node::Join(parts) => Self::Join(parts),
            Node::Known(members) => Self::Known(members),
            Node::Linear(constant, atoms) => Self::Linear(*constant, atoms),
            _ => Self::Other(node),
        }
    }
}

/// About how many bytes a node takes without its parts: in the table, and in memos with a slot for each node.
const BYTES_OF_NODE: u64 = 256;

impl Nodes {
    /// The id of a node in normal form.
    pub(in crate::engine) fn intern(&mut self, node: Node) -> NodeId {
        let found = self.find(&NodeKey::of(&node));
        found.unwrap_or_else(|hash| self.add(hash, node))
    }

    /// The id of [`Node::Linear`].
    pub(in crate::engine) fn linear(&mut self, constant: i64, atoms: &[(i64, NodeId)]) -> NodeId {
        let found = self.find(&NodeKey::Linear(constant, atoms));
        found.unwrap_or_else(|hash| self.add(hash, Node::Linear(constant, atoms.into())))
    }

    /// The id of [`Node::Join`].
    pub(in crate::engine) fn join(&mut self, parts: &[NodeId]) -> NodeId {
        let found = self.find(&NodeKey::Join(parts));
        found.unwrap_or_else(|hash| self.add(hash, Node::Join(parts.into())))
    }

    /// The id of [`Node::Known`].
    pub(in crate::engine) fn known(&mut self, members: &[(i64, u32)]) -> NodeId {
        let found = self.find(&NodeKey::Known(members));
        found.unwrap_or_else(|hash| self.add(hash, Node::Known(members.into())))
    }

    /// The id of a node, or the hash of a node that is not in the table.
    fn find(&self, key: &NodeKey<'_>) -> Result<NodeId, u64> {
        let hash = self.hasher.hash_one(key);
        let found = self.index.find(hash, |id| {
            let place = id.0 as usize;
            self.hashes[place] == hash && NodeKey::of(&self.table[place]) == *key
        });
        found.copied().ok_or(hash)
    }

    fn add(&mut self, hash: u64, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.table.len()).expect("fewer than 2^32 nodes"));
        let mut mask = self.pool_of(&node).map_or(0, PoolId::mask);
        self.for_children(&node, |child| mask |= self.masks[child.0 as usize]);
        self.bytes += BYTES_OF_NODE + 16 * parts_of(&node) as u64;
        self.has_loops |= matches!(node, Node::Loop(..));
        self.table.push(node);
        self.masks.push(mask);
        self.hashes.push(hash);
        self.index
            .insert_unique(hash, id, |id| self.hashes[id.0 as usize]);
        id
    }

    /// About how many bytes all nodes take.
    pub(in crate::engine) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether any node is a loop.
    pub(in crate::engine) fn has_loops(&self) -> bool {
        self.has_loops
    }

    /// The id of a closure.
    pub(in crate::engine) fn closure(&mut self, closure: Closure) -> ClosureId {
        if let Some(&id) = self.closure_index.get(&closure) {
            return id;
        }
        let id = ClosureId(u32::try_from(self.closures.len()).expect("fewer than 2^32 closures"));
        self.closures.push(closure.clone());
        self.closure_index.insert(closure, id);
        id
    }

    pub(in crate::engine) fn closure_of(&self, id: ClosureId) -> &Closure {
        &self.closures[id.0 as usize]
    }

    /// The body of a loop, which is never a table.
    pub(in crate::engine) fn body_of(&self, id: ClosureId) -> &Body {
        match self.closure_of(id) {
            Closure::Body(body) => body,
            Closure::Table(_) => unreachable!("a loop has a body"),
        }
    }

    /// The pool, or name of a pool, that a node mentions without its children.
    pub(in crate::engine) fn pool_of(&self, node: &Node) -> Option<PoolId> {
        match node {
            Node::Dealt(pool)
            | Node::Die(_, pool)
            | Node::Draw(pool)
            | Node::Draws(_, _, pool)
            | Node::Loop(_, _, _, pool)
            | Node::Pool(pool) => Some(*pool),
            Node::Map(_, closure) => match self.closure_of(*closure) {
                Closure::Body(body) => body.name,
                Closure::Table(_) => None,
            },
            _ => None,
        }
    }

    pub(in crate::engine) fn get(&self, id: NodeId) -> &Node {
        &self.table[id.0 as usize]
    }

    /// A mask with the bit of each pool that the node mentions. Pools share bits, so a set bit may stand for another
    /// pool.
    pub(in crate::engine) fn mask(&self, id: NodeId) -> u64 {
        self.masks[id.0 as usize]
    }

    /// Calls `visit` with each child. The values that a closure captures are children, too.
    pub(in crate::engine) fn for_children(&self, node: &Node, mut visit: impl FnMut(NodeId)) {
        match node {
            Node::Constant(_) | Node::Dealt(_) | Node::Draw(_) | Node::Known(_) | Node::Pool(_) => {
            }
            Node::Linear(_, atoms) => atoms.iter().for_each(|&(_, atom)| visit(atom)),
            Node::AtLeast(a, _)
            | Node::Equals(a, _)
            | Node::Fold(_, a)
            | Node::Draws(a, ..)
            | Node::Die(a, _)
            | Node::Over(a) => {
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
            Node::Map(a, closure) | Node::Loop(a, closure, ..) => {
                visit(*a);
                if let Closure::Body(body) = self.closure_of(*closure) {
                    body.environment.iter().copied().for_each(visit);
                }
            }
        }
    }
}

/// The number of parts that a node lists.
fn parts_of(node: &Node) -> usize {
    match node {
        Node::Linear(_, atoms) => atoms.len(),
        Node::Known(members) => members.len(),
        Node::Join(parts) | Node::Chain(parts) => parts.len(),
        _ => 0,
    }
}
