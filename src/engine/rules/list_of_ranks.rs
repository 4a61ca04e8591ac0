//! The highest or the lowest of equal dice, or all of them, as a sorted list.
//!
//! The weight of each list has a closed form ([`lists_of_highest`]). Cost: a few products for each list, however many dice there
//! are. The rule does not apply to dice of several kinds, to dice that may show any of infinitely many faces, and to ranks in the
//! middle.

use crate::algebra::{lists_of_highest, lists_of_lowest};
use crate::engine::program::{LawOfLists, NodeId, Store};
use crate::engine::rules::ranks::ranks;
use crate::engine::stop::Attempt;

pub(in crate::engine) fn list_of_ranks(
    store: &mut Store<'_>,
    id: NodeId,
) -> Attempt<Option<LawOfLists>> {
    let Some((dice, ranks)) = ranks(store, id)? else {
        return Ok(None);
    };
    let [(law, n)] = &dice[..] else {
        return Ok(None);
    };
    let (are_highest, are_lowest) = (ranks.end == *n, ranks.start == 0);
    let Some(die) = law.complete().filter(|_| are_highest || are_lowest) else {
        return Ok(None);
    };
    let budget = store.budget;
    let _part = budget.part("lists of equal dice");
    let kept = ranks.end - ranks.start;
    let lists = if are_highest {
        lists_of_highest(die, *n, kept, budget)?
    } else {
        lists_of_lowest(die, *n, kept, budget)?
    };
    Ok(lists.map(LawOfLists::from))
}
