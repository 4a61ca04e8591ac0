//! A condition that shares no pool with its branches.
//!
//! `if C then A else B` with C independent of A and of B has the distribution `P(C)·A + (1 - P(C))·B`. Cost: that of
//! the three distributions and one addition. The weight of C that is on neither 0 nor 1 stays unresolved.

use crate::algebra::{Law, Mass, Remainder};
use crate::engine::program::{NodeId, Store};
use crate::engine::reveal::Valued;
use crate::engine::stop::Attempt;
use crate::number::Integer;

const NAME: &str = "a condition apart from its branches";

/// The distribution of a choice whose condition shares no pool with its branches. `None` for other choices.
pub(in crate::engine) fn mixed<T: Valued>(
    store: &mut Store<'_>,
    condition: NodeId,
    a: NodeId,
    b: NodeId,
) -> Attempt<Option<Law<T::Listed>>> {
    if !store.is_independent_of(condition, &[a, b]) {
        return Ok(None);
    }
    let _part = store.budget.part(NAME);
    let condition = store.law(condition)?;
    let (yes, no) = (
        condition.listed.weight_of(&Integer::ONE),
        condition.listed.weight_of(&Integer::ZERO),
    );
    let never_ends = condition.never_ends();
    let undecided = condition.total() - &yes - &no - &never_ends;
    let remainder = Remainder {
        masses: vec![Mass::anywhere(undecided)],
        never_ends,
        ..Remainder::nothing(condition.total().clone())
    };
    let parts = [(yes, T::law(store, a)?), (no, T::law(store, b)?)];
    Ok(Some(Law::mixture(&parts, remainder, store.budget)?))
}
