//! The two kinds of values that a residual program is asked for: a number, or a list.

use std::rc::Rc;

use crate::algebra::{Distribution, Law, Mixing, Numbers, Weight};
use crate::engine::program::{LawOfLists, NodeId, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::Folding;
use crate::map::ValueMap;
use crate::number::Integer;

/// What a residual program can be asked for: a number or a list.
pub(in crate::engine) trait Valued: Sized {
    /// The outcomes that its law lists.
    type Listed: Mixing;

    /// The distribution of a list as such a value.
    fn law(store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<Law<Self::Listed>>>;

    /// The weights of a list of at most one member.
    fn of_best(weights: ValueMap<Option<i64>, Weight>, total: Weight) -> Self::Listed;
}

/// A list as the sum of its members.
impl Valued for i64 {
    type Listed = Numbers;

    fn law(store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<Law>> {
        let sum = store.fold(Folding::Sum, id)?;
        store.law(sum)
    }

    fn of_best(weights: ValueMap<Option<i64>, Weight>, total: Weight) -> Numbers {
        let sums = weights
            .into_iter()
            .map(|(best, weight)| (Integer::from(best.unwrap_or(0)), weight));
        Numbers::new(sums, total)
    }
}

impl Valued for Vec<i64> {
    type Listed = Distribution<Self>;

    fn law(store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<LawOfLists>> {
        store.law_of_list(id)
    }

    fn of_best(weights: ValueMap<Option<i64>, Weight>, total: Weight) -> Distribution<Self> {
        let lists = weights
            .into_iter()
            .map(|(best, weight)| (best.into_iter().collect(), weight));
        Distribution::new(lists, total)
    }
}
