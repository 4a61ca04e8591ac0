//! What is done to a list part by part: filters, folds and selections that may go into the body of a repetition.

use crate::engine::program::{Look, NodeId, Store};
use crate::engine::simplify::folds::of_parts;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;

/// Looks at a list, one look after the other.
pub(in crate::engine) fn apply(
    store: &mut Store<'_>,
    looks: &[Look],
    value: NodeId,
) -> Attempt<NodeId> {
    let mut value = value;
    for &look in looks {
        value = match look {
            Look::Filter(compare, number) => {
                let number = store.constant(number);
                store.filtered(compare, number, value)?
            }
            Look::Fold(folding) => store.fold(folding, value)?,
            Look::Select(selection, n) => {
                let n = store.constant(n);
                store.select(selection, n, value)?
            }
        };
    }
    Ok(value)
}

/// Looks at a list whose parts have been looked at already.
pub(in crate::engine) fn apply_to_parts(
    store: &mut Store<'_>,
    looks: &[Look],
    value: NodeId,
) -> Attempt<NodeId> {
    match looks {
        [.., Look::Fold(folding)] => store.fold(of_parts(*folding), value),
        [.., look @ Look::Select(..)] => apply(store, &[*look], value),
        _ => Ok(value),
    }
}
