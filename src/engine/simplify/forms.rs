//! The smart constructors of residual programs, by name.
//!
//! Each constructor makes a node in normal form of parts in normal form, by laws that hold for every value of what is
//! still hidden. The laws of one family are one file, and each family needs the others: a sum of a selection, a
//! selection from a sum. So the files of this room call each other through this trait. It is declared here, below
//! all of them, and its one implementation, in the room's `mod.rs`, says which file makes what.

use crate::engine::program::{
    Bounds, ClosureId, Compare, Context, DieId, Image, Members, NodeId, Order, PoolId,
};
use crate::engine::stop::Attempt;
use crate::ir::{Arithmetic, Comparison, Folding, Selection};

/// Makes and simplifies nodes.
pub(in crate::engine) trait Forms {
    /// What is known of a node in the current context.
    fn bounds(&mut self, id: NodeId) -> Attempt<Bounds>;

    /// The list as a number: the sum of its members, of which a number has one.
    fn number(&mut self, id: NodeId) -> Attempt<NodeId>;

    /// The number, or 0 where it is negative.
    fn natural(&mut self, id: NodeId) -> Attempt<NodeId>;

    /// `constant + Σ coefficient · part`: nested sums are flattened, equal atoms collected, and atoms with
    /// only one possible value added to the constant.
    fn linear(&mut self, constant: i64, parts: &[(i64, NodeId)]) -> Attempt<NodeId>;

    fn difference_of(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// `1 - a`
    fn complement(&mut self, a: NodeId) -> Attempt<NodeId>;

    /// 1 if `a` compares so with `b`, else 0.
    fn comparison(&mut self, comparison: Comparison, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    fn indicator(&mut self, compare: Compare, member: NodeId, number: NodeId) -> Attempt<NodeId>;

    /// 1 if the form is at least the number, else 0. Decided where its bounds decide it.
    fn at_least(&mut self, form: NodeId, number: i64) -> Attempt<NodeId>;

    /// 1 if the form equals the number, else 0. Decided where its bounds decide it, and at an end of the
    /// bounds the same as a comparison.
    fn equals(&mut self, form: NodeId, number: i64) -> Attempt<NodeId>;

    /// `a` if the condition (0 or 1) is 1, else `b`.
    fn choose(&mut self, condition: NodeId, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// 1 if the list has a member, else 0.
    fn is_not_empty(&mut self, list: NodeId) -> Attempt<NodeId>;

    /// The largest (`High`) or smallest (`Low`) of two numbers.
    fn extremum(&mut self, selection: Selection, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// Two numbers combined; 0 where the operator is not defined.
    fn arithmetic(&mut self, operator: Arithmetic, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// A list made a number. Sums, counts and products distribute over joins.
    fn fold(&mut self, folding: Folding, list: NodeId) -> Attempt<NodeId>;

    /// Multisets joined: flattened, known members collected, parts in ascending order of their ids.
    fn join(&mut self, parts: &[NodeId]) -> Attempt<NodeId>;

    /// Lists one after the other, in order.
    fn chain(&mut self, parts: Vec<NodeId>) -> Attempt<NodeId>;

    /// The parts of a list in order.
    fn in_order(&mut self, list: NodeId) -> Option<Vec<NodeId>>;

    /// A list as often as a number says. Order is kept only where the list is a chain.
    fn copies(&mut self, count: NodeId, list: NodeId) -> Attempt<NodeId>;

    fn sequence(&mut self, order: Order, parts: Vec<NodeId>) -> Attempt<NodeId>;

    /// The members that compare so with a number.
    fn filter(&mut self, comparison: Comparison, number: NodeId, list: NodeId) -> Attempt<NodeId>;

    /// A comparison with a number as one that needs no negation.
    fn compared(&mut self, comparison: Comparison, number: NodeId) -> Attempt<(Compare, NodeId)>;

    /// As [`Forms::filter`]. A filter distributes over joins; bounds that decide it keep all or nothing; members
    /// equal to a known number are copies of it.
    fn filtered(&mut self, compare: Compare, number: NodeId, list: NodeId) -> Attempt<NodeId>;

    /// All integers from `a` to `b`.
    fn range(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// So many draws of a die: a pool, once the number is known.
    fn draws(&mut self, count: NodeId, die: DieId, name: PoolId) -> Attempt<NodeId>;

    /// One draw of a fair die; of one without sides it is 1.
    fn die(&mut self, sides: NodeId, name: PoolId) -> Attempt<NodeId>;

    /// Members selected by rank, or by position in a chain; `n` is not negative.
    fn select(&mut self, selection: Selection, n: NodeId, list: NodeId) -> Attempt<NodeId>;

    /// What a closure makes of a list.
    fn map(&mut self, list: NodeId, closure: ClosureId) -> Attempt<NodeId>;

    /// A table over a list with every row replaced.
    fn map_with(
        &mut self,
        list: NodeId,
        rows: &[(i64, Image)],
        replace: impl FnMut(&[(i64, u32)]) -> Attempt<Members>,
    ) -> Attempt<NodeId>;

    /// Places of a deck as a multiset: all of them are known.
    fn cards(&mut self, pool: PoolId) -> NodeId;

    /// The places of a deck before and after the first `n` of them, of a part of a list that has more.
    fn split_places(&mut self, part: NodeId, n: i64) -> Attempt<Option<(NodeId, NodeId)>>;

    /// What comes after a value of a loop: nothing, where that is empty.
    fn looped(
        &mut self,
        value: NodeId,
        body: ClosureId,
        order: Order,
        name: PoolId,
    ) -> Attempt<NodeId>;

    /// 0, once all loops of a list are over, those that its dice are made of included.
    fn over(&mut self, list: NodeId) -> Attempt<NodeId>;

    fn simplified(&mut self, id: NodeId) -> Attempt<NodeId>;

    /// The node as it is under a context: with what is shown in place, and simplified by what is known.
    fn under(&mut self, context: &mut Context, id: NodeId) -> Attempt<NodeId>;

    /// A program with other nodes in place of some that mention pools.
    fn replaced(&mut self, root: NodeId, replaced: &[(NodeId, NodeId)]) -> Attempt<NodeId>;
}
