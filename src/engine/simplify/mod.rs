//! Normal forms: a residual program is simplified as it is made.
//!
//! The parts that come in are in normal form. The node that goes out is the same for all programs that the laws of this room make equal. A
//! file has one family of nodes, and a function has one law or a few. [`bounds`] finds what is already decided, [`rebuild`] applies what a
//! context knows, and [`unaffected`] finds what a step leaves unchanged.

mod bounds;
mod decks;
mod dice;
mod difference;
mod each;
mod filters;
mod folds;
pub(super) mod forms;
mod lists;
pub(super) mod loops;
mod maps;
mod numbers;
pub(super) mod order;
mod positions;
mod ranks;
mod rebuild;
mod reductions;
mod selection;
mod unaffected;
mod values;

pub(super) use decks::{place_by_place, shuffled};
pub(super) use difference::{NOT_A_PART, difference};
pub(super) use each::{
    each_of, is_additive, line_between, members_for, only_pool, value_between, value_of,
};
pub(super) use folds::fold_of_parts;
pub(super) use forms::Forms;
pub(super) use loops::as_asked;
pub(super) use maps::mapped;
pub(super) use order::{MOST_UNROLLED, ascending, reversed, unordered};
pub(super) use positions::binomial_at_most;
pub(super) use ranks::ranks_left;
pub(super) use reductions::{reduce, reduce_again};
pub(super) use values::{MOST_VALUES, values};

use crate::engine::program::{
    Bounds, ClosureId, Compare, Context, DieId, Image, Members, NodeId, Order, PoolId, Store,
};
use crate::engine::stop::Attempt;
use crate::ir::{Arithmetic, Comparison, Folding, Selection};

impl Forms for Store<'_> {
    fn bounds(&mut self, id: NodeId) -> Attempt<Bounds> {
        bounds::bounds(self, id)
    }

    fn number(&mut self, id: NodeId) -> Attempt<NodeId> {
        numbers::number(self, id)
    }

    fn natural(&mut self, id: NodeId) -> Attempt<NodeId> {
        numbers::natural(self, id)
    }

    fn linear(&mut self, constant: i64, parts: &[(i64, NodeId)]) -> Attempt<NodeId> {
        numbers::linear(self, constant, parts)
    }

    fn difference_of(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        numbers::difference_of(self, a, b)
    }

    fn complement(&mut self, a: NodeId) -> Attempt<NodeId> {
        numbers::complement(self, a)
    }

    fn comparison(&mut self, comparison: Comparison, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        numbers::comparison(self, comparison, a, b)
    }

    fn indicator(&mut self, compare: Compare, member: NodeId, number: NodeId) -> Attempt<NodeId> {
        numbers::indicator(self, compare, member, number)
    }

    fn at_least(&mut self, form: NodeId, number: i64) -> Attempt<NodeId> {
        numbers::at_least(self, form, number)
    }

    fn equals(&mut self, form: NodeId, number: i64) -> Attempt<NodeId> {
        numbers::equals(self, form, number)
    }

    fn choose(&mut self, condition: NodeId, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        numbers::choose(self, condition, a, b)
    }

    fn is_not_empty(&mut self, list: NodeId) -> Attempt<NodeId> {
        numbers::is_not_empty(self, list)
    }

    fn extremum(&mut self, selection: Selection, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        numbers::extremum(self, selection, a, b)
    }

    fn arithmetic(&mut self, operator: Arithmetic, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        numbers::arithmetic(self, operator, a, b)
    }

    fn fold(&mut self, folding: Folding, list: NodeId) -> Attempt<NodeId> {
        folds::fold(self, folding, list)
    }

    fn join(&mut self, parts: &[NodeId]) -> Attempt<NodeId> {
        lists::join(self, parts)
    }

    fn chain(&mut self, parts: Vec<NodeId>) -> Attempt<NodeId> {
        lists::chain(self, parts)
    }

    fn in_order(&mut self, list: NodeId) -> Attempt<Option<Vec<NodeId>>> {
        lists::in_order(self, list)
    }

    fn copies(&mut self, count: NodeId, list: NodeId) -> Attempt<NodeId> {
        lists::copies(self, count, list)
    }

    fn sequence(&mut self, order: Order, parts: Vec<NodeId>) -> Attempt<NodeId> {
        lists::sequence(self, order, parts)
    }

    fn filter(&mut self, comparison: Comparison, number: NodeId, list: NodeId) -> Attempt<NodeId> {
        filters::filter(self, comparison, number, list)
    }

    fn compared(&mut self, comparison: Comparison, number: NodeId) -> Attempt<(Compare, NodeId)> {
        filters::compared(self, comparison, number)
    }

    fn filtered(&mut self, compare: Compare, number: NodeId, list: NodeId) -> Attempt<NodeId> {
        filters::filtered(self, compare, number, list)
    }

    fn range(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        dice::range(self, a, b)
    }

    fn draws(&mut self, count: NodeId, die: DieId, name: PoolId) -> Attempt<NodeId> {
        dice::draws(self, count, die, name)
    }

    fn die(&mut self, sides: NodeId, name: PoolId) -> Attempt<NodeId> {
        dice::die(self, sides, name)
    }

    fn select(&mut self, selection: Selection, n: NodeId, list: NodeId) -> Attempt<NodeId> {
        selection::select(self, selection, n, list)
    }

    fn map(&mut self, list: NodeId, closure: ClosureId) -> Attempt<NodeId> {
        maps::map(self, list, closure)
    }

    fn map_with(
        &mut self,
        list: NodeId,
        rows: &[(i64, Image)],
        replace: impl FnMut(&[(i64, u32)]) -> Attempt<Members>,
    ) -> Attempt<NodeId> {
        maps::map_with(self, list, rows, replace)
    }

    fn cards(&mut self, pool: PoolId) -> Attempt<NodeId> {
        decks::cards(self, pool)
    }

    fn split_places(&mut self, part: NodeId, n: i64) -> Attempt<Option<(NodeId, NodeId)>> {
        decks::split_places(self, part, n)
    }

    fn looped(
        &mut self,
        value: NodeId,
        body: ClosureId,
        order: Order,
        name: PoolId,
    ) -> Attempt<NodeId> {
        loops::looped(self, value, body, order, name)
    }

    fn over(&mut self, list: NodeId) -> Attempt<NodeId> {
        loops::over(self, list)
    }

    fn simplified(&mut self, id: NodeId) -> Attempt<NodeId> {
        rebuild::simplified(self, id)
    }

    fn under(&mut self, context: &mut Context, id: NodeId) -> Attempt<NodeId> {
        rebuild::under(self, context, id)
    }

    fn replaced(&mut self, root: NodeId, replaced: &[(NodeId, NodeId)]) -> Attempt<NodeId> {
        rebuild::replaced(self, root, replaced)
    }
}
