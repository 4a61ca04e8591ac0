//! The store: the residual programs of one analysis, and what is known of them.
//!
//! A [`Store`] owns the nodes, the pools, the current context, and every memo. It has no algorithm of its own: floors
//! above are functions over a store. A low floor calls a high one through the [`Oracle`], and in no other way.

use super::bodies::{BodyImage, Instance, LoopImage};
use super::context::{Context, Knowledge};
use super::integer::MARKS;
use super::interval::Bounds;
use super::memo::{Epoch, Memo};
use super::node::{Body, Closure, ClosureId, Image, Node, NodeId, Nodes};
use super::order::Order;
use super::pool::{DieId, PoolId, Pools};
use super::stable::Stable;
use crate::algebra::Law;
use crate::engine::failure::Failure;
use crate::engine::program::laws::LawOfLists;
use crate::engine::stop::Attempt;
use crate::ir::{Arena, FreeVariables, Program, TermId};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::{Map, ValueMap};
use crate::number::Fraction;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The questions that a low floor asks of a high one: a partial evaluator simplifies and solves in turns.
///
/// The trait is declared here, at the bottom, and implemented once, at the top. The store keeps the answers to most
/// questions, so ask the store rather than the oracle ([`Store::law`], [`Store::image`] and their like).
pub(in crate::engine) trait Oracle {
    /// The distribution of a number, all pools hidden.
    fn law(&self, store: &mut Store<'_>, number: NodeId) -> Attempt<Rc<Law>>;

    /// The distribution of a list, all pools hidden: sorted, or in the order of a chain.
    fn law_of_list(&self, store: &mut Store<'_>, list: NodeId) -> Attempt<Rc<LawOfLists>>;

    /// The value of a body for one member. Its errors were found when the body was first met.
    fn value_for(&self, store: &mut Store<'_>, body: &Body, member: NodeId) -> Attempt<NodeId>;

    /// 1 if a body fails for one member with the failure that its mode names, else 0.
    fn fails(&self, store: &mut Store<'_>, body: &Body, member: NodeId) -> Attempt<NodeId>;

    /// The bounds of the value of a body for members within bounds, and how it can fail.
    fn image(&self, store: &mut Store<'_>, body: &Body, members: Bounds) -> Attempt<BodyImage>;

    /// The draw that stands for a body that rolls, evaluated for one member.
    fn instance(&self, store: &mut Store<'_>, body: &Body, member: i64) -> Attempt<Instance>;

    /// The bounds of every later value of a loop with this body, and whether a round can fail.
    fn loop_image(&self, store: &mut Store<'_>, body: &Body, order: Order) -> Attempt<LoopImage>;
}

/// The program of one analysis, its nodes and pools, and all that is known of them.
pub(in crate::engine) struct Store<'a> {
    pub(in crate::engine) program: &'a Program,
    pub(in crate::engine) arena: &'a Arena,
    pub(in crate::engine) budget: &'a Budget<'a>,
    pub(super) oracle: &'a dyn Oracle,
    pub(in crate::engine) nodes: Nodes,
    pub(in crate::engine) pools: Pools,
    /// What is known of the pools now.
    pub(in crate::engine) context: Context,
    /// Facts about nodes under contexts.
    pub(in crate::engine) memos: Memos,
    /// The answers of the oracle.
    pub(super) answers: Answers,
    /// Facts about terms.
    pub(super) terms: TermFacts,
    /// The dice that stand for terms with loops, given the values of their free variables; `None` for those that are no numbers.
    pub(in crate::engine) compiled: ValueMap<(TermId, Box<[i64]>), Option<DieId>>,
    /// The pools and loops that nodes mention.
    pub(super) mentions: Mentions,
    pub(in crate::engine) scratch: LinearScratch,
    /// The failures that marks stand for, by their index.
    failures: Vec<Failure>,
    /// The memory that the budget has counted for nodes and for laws of lists.
    pub(super) kept: Reserved<'a>,
    /// The bytes that the budget has counted for nodes.
    charged: u64,
    /// How far loops are followed.
    depth: Depth,
    /// Whether some loop was listed no further because of the tolerance.
    is_cut: Cell<bool>,
    /// Whether some lists of dice are listed no further because of the limit of outcomes.
    has_short_lists: Cell<bool>,
    /// Whether some loop has more states than are followed.
    is_short: Cell<bool>,
    /// Whether a loop has far more states than the limits allow.
    is_hopeless: Cell<bool>,
    /// The largest probability of an error of which it is not known whether it can happen.
    open_error: RefCell<Fraction>,
    plays_within: Cell<Option<usize>>,
}

/// How far loops are followed.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Depth {
    /// The fraction of the tolerance that the unlisted part of a loop may weigh.
    pub(in crate::engine) tolerance_share: Fraction,
    /// The states that may be counted in the search for the states of a loop. One round that is revealed counts many.
    pub(in crate::engine) states: u64,
}

/// Facts about nodes under contexts.
#[derive(Debug, Default)]
pub(in crate::engine) struct Memos {
    pub(in crate::engine) bounds: Memo<Bounds>,
    pub(in crate::engine) simplified: Memo<NodeId>,
    /// For each node the number of dice from which on it does not depend on how many show the face of a level.
    pub(in crate::engine) shown_until: Memo<u32>,
    /// When a node that is unchanged stays unchanged.
    pub(in crate::engine) stable: Memo<Stable>,
    /// The number of hidden dice from which on a node is unchanged at a level, or, in the default epoch, at every level that has
    /// not come to the faces that it asks about.
    pub(in crate::engine) unchanged_from: Memo<i64>,
    /// Nodes without the dice of their only pool.
    pub(in crate::engine) without_dice: Memo<NodeId>,
    /// Nodes that were simplified under what is known of one pool of several. Contexts that differ only in the other
    /// pools share them.
    pub(in crate::engine) facets: Map<(Epoch, NodeId), NodeId>,
    /// The newest epoch.
    epoch: Epoch,
}

/// The answers of the oracle, by question.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) laws: Map<NodeId, Rc<Law>>,
    pub(super) laws_of_lists: Map<NodeId, Rc<LawOfLists>>,
    pub(super) images: ValueMap<(ClosureId, i64, i64), Rc<BodyImage>>,
    pub(super) instances: ValueMap<(ClosureId, i64), Instance>,
    pub(super) loop_images: Map<ClosureId, Rc<LoopImage>>,
}

/// Facts about the terms of a program, each computed once.
#[derive(Debug, Default)]
pub(super) struct TermFacts {
    pub(super) free: FreeVariables,
    pub(super) random: Map<TermId, bool>,
    pub(super) loops: Map<TermId, bool>,
    pub(super) ordered: Map<(TermId, u32, Order), bool>,
}

/// The pools and loops that nodes mention.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    pub(super) pools: Map<NodeId, Rc<[PoolId]>>,
    /// The bytes of these lists.
    bytes: usize,
    /// The pools of a mask, as long as no two pools share a bit.
    pub(super) pools_of_masks: Map<u64, Rc<[PoolId]>>,
    /// Whether a node mentions a loop.
    pub(super) loops: Map<NodeId, bool>,
}

/// Buffers for the atoms of a linear form. Most linear forms are known already, and need no memory of their own.
#[derive(Debug, Default)]
pub(in crate::engine) struct LinearScratch {
    pub(in crate::engine) atoms: Vec<(NodeId, i128)>,
    pub(in crate::engine) collected: Vec<(i64, NodeId)>,
}

impl Mentions {
    /// The bytes of lists of pools that are remembered. A chain of thousands of dice has as many long lists.
    const MOST_BYTES: usize = 8 << 20;

    /// Remembers the pools of a node, if need be instead of all others.
    pub(super) fn remember(&mut self, id: NodeId, pools: &Rc<[PoolId]>) {
        if self.bytes > Self::MOST_BYTES {
            self.pools.clear();
            self.bytes = 0;
        }
        self.bytes += size_of_val(&**pools);
        self.pools.insert(id, Rc::clone(pools));
    }
}

/// The bytes that new nodes may take before the budget counts them.
const CHARGE: u64 = 1 << 16;

impl Default for Depth {
    /// The depth that is tried first.
    fn default() -> Self {
        Self {
            tolerance_share: Fraction::new_raw(1.into(), 1_000.into()),
            states: 1 << 13,
        }
    }
}

impl<'a> Store<'a> {
    /// A store without nodes, in which loops are followed to this depth.
    pub(in crate::engine) fn new(
        program: &'a Program,
        depth: Depth,
        budget: &'a Budget<'a>,
        oracle: &'a dyn Oracle,
    ) -> Self {
        Self {
            program,
            arena: program.arena(),
            budget,
            oracle,
            nodes: Nodes::default(),
            pools: Pools::default(),
            context: Context::default(),
            memos: Memos::default(),
            answers: Answers::default(),
            terms: TermFacts::default(),
            compiled: ValueMap::default(),
            mentions: Mentions::default(),
            scratch: LinearScratch::default(),
            failures: Vec::new(),
            kept: Reserved::none(budget),
            charged: 0,
            depth,
            is_cut: Cell::new(false),
            has_short_lists: Cell::new(false),
            is_short: Cell::new(false),
            is_hopeless: Cell::new(false),
            open_error: RefCell::default(),
            plays_within: Cell::default(),
        }
    }

    /// Runs `make` under a context. A node that was simplified under a context is right only together with it, so it
    /// must not leave the context.
    pub(in crate::engine) fn within<T>(
        &mut self,
        context: &mut Context,
        make: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if context.epoch == Epoch::default() {
            context.epoch = self.new_epoch();
        }
        std::mem::swap(&mut self.context, context);
        let result = make(self);
        std::mem::swap(&mut self.context, context);
        result
    }

    /// Lets the budget count the memory of new nodes, in steps of [`CHARGE`].
    pub(in crate::engine) fn charge_nodes(&mut self) -> Result<(), LimitReached> {
        let bytes = self.nodes.bytes();
        if bytes - self.charged > CHARGE {
            self.kept.take(bytes - self.charged)?;
            self.charged = bytes;
        }
        Ok(())
    }

    /// Between two of many steps that each make a few nodes: takes their memory, and fails when the time is over.
    pub(in crate::engine) fn step(&mut self) -> Result<(), LimitReached> {
        self.charge_nodes()?;
        self.budget.check()
    }

    /// A new epoch, in which no memo holds yet.
    pub(in crate::engine) fn new_epoch(&mut self) -> Epoch {
        self.new_epochs(1)
    }

    /// The first of so many new epochs, at least one.
    pub(in crate::engine) fn new_epochs(&mut self, epochs: u32) -> Epoch {
        let first = self.memos.epoch.after(1);
        self.memos.epoch = self.memos.epoch.after(epochs);
        first
    }

    /// Forgets the nodes that contexts share because they mention a single pool.
    pub(in crate::engine) fn forget_facets(&mut self) {
        self.memos.facets.clear();
    }

    /// The epoch of the bounds of a node. It is the default one if the context says nothing of the node's pools, and
    /// that of one pool if the node mentions no other pool of the context.
    pub(in crate::engine) fn epoch_of_bounds(&self, id: NodeId) -> Epoch {
        let mask = self.nodes.mask(id) & self.context.mask;
        match (&self.context.knowledge, self.context.facet(mask)) {
            _ if mask == 0 => Epoch::default(),
            (Knowledge::Hidden { level, .. }, _) => *level,
            (_, Some(facet)) => facet.epoch,
            _ => self.context.epoch,
        }
    }

    pub(in crate::engine) fn constant(&mut self, value: i64) -> NodeId {
        self.nodes.intern(Node::Constant(value))
    }

    pub(in crate::engine) fn as_constant(&self, id: NodeId) -> Option<i64> {
        match self.nodes.get(id) {
            Node::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether the node is a number by its form.
    pub(in crate::engine) fn is_number(&self, id: NodeId) -> bool {
        match self.nodes.get(id) {
            Node::Constant(_)
            | Node::Draw(_)
            | Node::Linear(..)
            | Node::AtLeast(..)
            | Node::Equals(..)
            | Node::Arithmetic(..)
            | Node::Fold(..)
            | Node::Die(..)
            | Node::Over(_) => true,
            Node::If(_, a, b) => self.is_number(*a) && self.is_number(*b),
            _ => false,
        }
    }

    /// A multiset of which all members are known.
    pub(in crate::engine) fn known(
        &mut self,
        members: &[(i64, u32)],
    ) -> Result<NodeId, LimitReached> {
        if let [(value, 1)] = *members {
            return Ok(self.constant(value));
        }
        self.has_room_for::<(i64, u32)>(members.len())?;
        Ok(self.nodes.known(members))
    }

    /// Fails where there is no room for a list of so many members more.
    pub(in crate::engine) fn has_room_for<T>(&self, members: usize) -> Result<(), LimitReached> {
        self.budget.has_room_for_members::<T>(members)
    }

    pub(in crate::engine) fn empty(&mut self) -> NodeId {
        self.nodes.known(&[])
    }

    pub(in crate::engine) fn is_empty_list(&self, id: NodeId) -> bool {
        matches!(self.nodes.get(id), Node::Known(members) if members.is_empty())
    }

    /// The members of a multiset, where all are known.
    pub(in crate::engine) fn known_members(&self, id: NodeId) -> Option<Image> {
        match self.nodes.get(id) {
            Node::Constant(value) => Some([(*value, 1)].into()),
            Node::Known(members) => Some(Rc::clone(members)),
            _ => None,
        }
    }

    /// Whether all members of a list are known.
    pub(in crate::engine) fn is_known(&self, list: NodeId) -> bool {
        matches!(self.nodes.get(list), Node::Constant(_) | Node::Known(_))
    }

    /// The rows of a table.
    pub(in crate::engine) fn rows_of(&self, closure: ClosureId) -> Option<Rc<[(i64, Image)]>> {
        match self.nodes.closure_of(closure) {
            Closure::Table(rows) => Some(Rc::clone(rows)),
            Closure::Body(_) => None,
        }
    }

    /// Whether a closure mentions no pool but its own.
    pub(in crate::engine) fn is_closed(&self, closure: ClosureId) -> bool {
        match self.nodes.closure_of(closure) {
            Closure::Body(body) => body
                .environment
                .iter()
                .all(|&value| self.nodes.mask(value) == 0),
            Closure::Table(_) => true,
        }
    }

    /// Whether the listed faces of a die are its whole distribution.
    pub(in crate::engine) fn shows_faces(&self, die: DieId) -> bool {
        let die = self.pools.die_of(die);
        die.law.unlisted.is_none() && die.beyond.is_empty()
    }

    /// Whether no die of a pool ever shows anything.
    pub(in crate::engine) fn never_shows(&self, pool: PoolId) -> bool {
        let law = &self.pools.die_of(self.pools.get(pool).die).law;
        law.never_ends() == *law.total()
    }

    /// How much probability the unlisted part of a loop may have.
    pub(in crate::engine) fn tolerance(&self) -> Fraction {
        &self.budget.limits().tolerance * &self.depth.tolerance_share
    }

    /// Notes that a loop was listed no further because of [`Store::tolerance`].
    pub(in crate::engine) fn note_cut(&self) {
        self.is_cut.set(true);
    }

    /// Whether some loop was listed no further because of [`Store::tolerance`].
    pub(in crate::engine) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Notes that lists of dice are listed no further because of the limit of outcomes.
    pub(in crate::engine) fn note_short_lists(&self) {
        self.has_short_lists.set(true);
    }

    /// Whether some lists of dice are listed no further because of the limit of outcomes.
    pub(in crate::engine) fn has_short_lists(&self) -> bool {
        self.has_short_lists.get()
    }

    /// The states that may be counted in the search for the states of a loop.
    pub(in crate::engine) fn most_states(&self) -> u64 {
        self.depth.states
    }

    /// Notes that a loop has more than [`Store::most_states`].
    pub(in crate::engine) fn note_short(&self) {
        self.is_short.set(true);
    }

    /// Notes that no number of states within the limits would leave less than the tolerance of a loop.
    pub(in crate::engine) fn note_hopeless(&self) {
        self.is_short.set(true);
        self.is_hopeless.set(true);
    }

    /// Whether no number of states within the limits would leave less than the tolerance of a loop.
    pub(in crate::engine) fn is_hopeless(&self) -> bool {
        self.is_hopeless.get()
    }

    /// Whether a loop has more than [`Store::most_states`].
    pub(in crate::engine) fn is_short(&self) -> bool {
        self.is_short.get()
    }

    /// Notes that an error has at most this probability, and that it is not known whether it can happen.
    pub(in crate::engine) fn note_open_error(&self, most: Fraction) {
        let mut open = self.open_error.borrow_mut();
        if most > *open {
            *open = most;
        }
    }

    /// The largest probability of an error of which it is not known whether it can happen; 0 if there is none.
    pub(in crate::engine) fn open_error(&self) -> Fraction {
        self.open_error.borrow().clone()
    }

    /// Notes that the plan of a loop is the best of those that stay within so many situations.
    pub(in crate::engine) fn note_plays_within(&self, situations: Option<usize>) {
        self.plays_within
            .set(self.plays_within.get().max(situations));
    }

    /// The situations among which a plan was sought, though there are more; `None` if there are no more.
    pub(in crate::engine) fn plays_within(&self) -> Option<usize> {
        self.plays_within.get()
    }

    /// The failures that marks stand for, each with its mark.
    pub(in crate::engine) fn marked_failures(&self) -> Vec<(Failure, i64)> {
        self.failures.iter().copied().zip(MARKS..).collect()
    }

    /// The mark of a failure.
    pub(in crate::engine) fn mark(&mut self, failure: Failure) -> i64 {
        let known = self.failures.iter().position(|&known| known == failure);
        let index = known.unwrap_or_else(|| {
            self.failures.push(failure);
            self.failures.len() - 1
        });
        MARKS + i64::try_from(index).expect("fewer than 2^32 failures")
    }
}
