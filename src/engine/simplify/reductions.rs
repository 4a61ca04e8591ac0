//! Reductions of a list: filters, folds and selections that may go into the body of a repetition.

use crate::engine::program::{NodeId, Reduction, Store};
use crate::engine::simplify::folds::fold_of_parts;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;

/// Applies reductions to a list, one after the other.
pub(in crate::engine) fn reduce(
    store: &mut Store<'_>,
    reductions: &[Reduction],
    value: NodeId,
) -> Attempt<NodeId> {
    let mut value = value;
    for &reduction in reductions {
        value = match reduction {
            Reduction::Filter(compare, number) => {
                let number = store.constant(number);
                store.filtered(compare, number, value)?
            }
            Reduction::Fold(folding) => store.fold(folding, value)?,
            Reduction::Select(selection, n) => {
                let n = store.constant(n);
                store.select(selection, n, value)?
            }
        };
    }
    Ok(value)
}

/// Reduces a join whose parts have been reduced already.
pub(in crate::engine) fn reduce_again(
    store: &mut Store<'_>,
    reductions: &[Reduction],
    value: NodeId,
) -> Attempt<NodeId> {
    match reductions {
        [.., Reduction::Fold(folding)] => store.fold(fold_of_parts(*folding), value),
        [.., reduction @ Reduction::Select(..)] => reduce(store, &[*reduction], value),
        _ => Ok(value),
    }
}
