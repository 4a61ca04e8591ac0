//! The smart constructors of residual programs, by name.
//!
//! Each constructor takes parts in normal form and makes a node in normal form, by laws that hold for every value of
//! the hidden dice. The laws of one family are one file, and each family needs the others: a sum of a selection, a
//! selection from a sum. So the files of this room call each other through this trait. It is declared here, below all
//! of them. Its one implementation, in the room's `mod.rs`, says which file makes which node.

use crate::engine::program::{
    Bounds, ClosureId, Compare, Context, DieId, Image, Members, NodeId, Order, PoolId,
};
use crate::engine::stop::Attempt;
use crate::ir::{Arithmetic, Comparison, Folding, Selection};

/// Makes and simplifies nodes.
pub(in crate::engine) trait Forms {
    /// The bounds of a node in the current context.
    fn bounds(&mut self, id: NodeId) -> Attempt<Bounds>;

    /// A list that has one member, as a number: the sum of its members.
    fn number(&mut self, id: NodeId) -> Attempt<NodeId>;

    /// The number, or 0 where it is negative.
    fn natural(&mut self, id: NodeId) -> Attempt<NodeId>;

    /// `constant + Σ coefficient · part`. Nested sums are flattened, and equal atoms collected. An atom with only one
    /// possible value is added to the constant.
    fn linear(&mut self, constant: i64, parts: &[(i64, NodeId)]) -> Attempt<NodeId>;

    /// `a - b`
    fn difference_of(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// `1 - a`
    fn complement(&mut self, a: NodeId) -> Attempt<NodeId>;

    /// 1 if the comparison of `a` with `b` holds, else 0.
    fn comparison(&mut self, comparison: Comparison, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// 1 if the comparison of the member with the number holds, else 0.
    fn indicator(&mut self, compare: Compare, member: NodeId, number: NodeId) -> Attempt<NodeId>;

    /// 1 if the form is at least the number, else 0. A constant where the bounds of the form decide it.
    fn at_least(&mut self, form: NodeId, number: i64) -> Attempt<NodeId>;

    /// 1 if the form equals the number, else 0. A constant where the bounds of the form decide it. For a number at an
    /// end of the bounds it is the same node as a comparison.
    fn equals(&mut self, form: NodeId, number: i64) -> Attempt<NodeId>;

    /// `a` if the condition (0 or 1) is 1, else `b`.
    fn choose(&mut self, condition: NodeId, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// 1 if the list has a member, else 0.
    fn is_not_empty(&mut self, list: NodeId) -> Attempt<NodeId>;

    /// The largest (`High`) or smallest (`Low`) of two numbers.
    fn extremum(&mut self, selection: Selection, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// The value of an operator, or 0 where the operator is not defined.
    fn arithmetic(&mut self, operator: Arithmetic, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// The fold of a list. Sums, counts and products distribute over joins.
    fn fold(&mut self, folding: Folding, list: NodeId) -> Attempt<NodeId>;

    /// Multisets joined: flattened, known members collected, parts in ascending order of their ids.
    fn join(&mut self, parts: &[NodeId]) -> Attempt<NodeId>;

    /// Lists one after the other, in order.
    fn chain(&mut self, parts: Vec<NodeId>) -> Attempt<NodeId>;

    /// The parts of a list in order. `None` if the order is not known.
    fn in_order(&mut self, list: NodeId) -> Attempt<Option<Vec<NodeId>>>;

    /// Copies of a list. The copies have an order only if the list is a chain.
    fn copies(&mut self, count: NodeId, list: NodeId) -> Attempt<NodeId>;

    /// Lists one after the other: a chain if the order is kept, else a join.
    fn sequence(&mut self, order: Order, parts: Vec<NodeId>) -> Attempt<NodeId>;

    /// The members for which the comparison with a number holds.
    fn filter(&mut self, comparison: Comparison, number: NodeId, list: NodeId) -> Attempt<NodeId>;

    /// A comparison with a number, as one of the comparisons of residual programs with some number.
    fn compared(&mut self, comparison: Comparison, number: NodeId) -> Attempt<(Compare, NodeId)>;

    /// As [`Forms::filter`]. A filter distributes over joins. Bounds that decide it keep all members or none. The
    /// members that equal a known number are copies of that number.
    fn filtered(&mut self, compare: Compare, number: NodeId, list: NodeId) -> Attempt<NodeId>;

    /// All integers from `a` to `b`.
    fn range(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId>;

    /// Independent draws of a die: a pool, once their number is known.
    fn draws(&mut self, count: NodeId, die: DieId, name: PoolId) -> Attempt<NodeId>;

    /// One draw of a fair die, which is 1 for a die without sides.
    fn die(&mut self, sides: NodeId, name: PoolId) -> Attempt<NodeId>;

    /// Members selected by rank, or by position in a chain; `n` is not negative.
    fn select(&mut self, selection: Selection, n: NodeId, list: NodeId) -> Attempt<NodeId>;

    /// The images of the members of a list under a closure, joined.
    fn map(&mut self, list: NodeId, closure: ClosureId) -> Attempt<NodeId>;

    /// A map of a list by a table, with every row replaced.
    fn map_with(
        &mut self,
        list: NodeId,
        rows: &[(i64, Image)],
        replace: impl FnMut(&[(i64, u32)]) -> Attempt<Members>,
    ) -> Attempt<NodeId>;

    /// Places of a deck as a multiset. If they are all places of the deck, their cards are known.
    fn cards(&mut self, pool: PoolId) -> Attempt<NodeId>;

    /// Splits the places of a deck after the first `n`. The part must have more places than that.
    fn split_places(&mut self, part: NodeId, n: i64) -> Attempt<Option<(NodeId, NodeId)>>;

    /// All values of a loop after this value: none, if this value is empty.
    fn looped(
        &mut self,
        value: NodeId,
        body: ClosureId,
        order: Order,
        name: PoolId,
    ) -> Attempt<NodeId>;

    /// 0, once all loops of a list are over. The loops that its dice stand for are included.
    fn over(&mut self, list: NodeId) -> Attempt<NodeId>;

    /// The node, simplified by what the current context knows.
    fn simplified(&mut self, id: NodeId) -> Attempt<NodeId>;

    /// The node under a context: shown dice have their values, and known facts simplify the rest.
    fn under(&mut self, context: &mut Context, id: NodeId) -> Attempt<NodeId>;

    /// A program in which some nodes that mention pools are replaced by others.
    fn replaced(&mut self, root: NodeId, replaced: &[(NodeId, NodeId)]) -> Attempt<NodeId>;
}
