//! The two kinds of values of a residual program: a number or a list.

use std::rc::Rc;

use crate::algebra::{Distribution, Law, Mixing, Numbers, Weight};
use crate::engine::program::{LawOfLists, NodeId, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::Folding;
use crate::map::ValueMap;
use crate::number::Integer;

/// A kind of value of a residual program: a number or a list.
pub(in crate::engine) trait Valued: Sized {
    /// The listed outcomes of a law of such values.
    type Listed: Mixing;

    /// The distribution of a list as a value of this kind.
    fn law(store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<Law<Self::Listed>>>;

    /// The distribution of a list of at most one member, from the weights of its members.
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
