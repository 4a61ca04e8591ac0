//! The best member of independent parts.
//!
//! The best member of all is at most x if and only if that of each part is, so `F(x) = Π F_i(x)` for parts that share
//! no pool (H. A. David and H. N. Nagaraja, Order Statistics, 2003, 5.2). A part without members is below every
//! number. Cost: one product over the parts for each rank of any part.

use std::collections::{BTreeMap, BTreeSet};

use crate::algebra::{Law, Weight};
use crate::engine::program::{Node, NodeId, Store, complete};
use crate::engine::reveal::Valued;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::Selection;
use crate::map::ValueMap;

const NAME: &str = "the best of independent parts";

/// The distribution of the best member of a list of independent parts. `None` if the parts are not independent.
pub(in crate::engine) fn best_of_parts<T: Valued>(
    store: &mut Store<'_>,
    selection: Selection,
    list: NodeId,
) -> Attempt<Option<Law<T::Listed>>> {
    let inner = match *store.nodes.get(list) {
        Node::Select(_, _, inner) => inner,
        _ => list,
    };
    let parts = match store.nodes.get(inner) {
        Node::Join(parts) => parts.to_vec(),
        _ => Vec::new(),
    };
    let groups = store.independent_groups(&parts);
    if groups.len() < 2 {
        return Ok(None);
    }
    let _part = store.budget.part(NAME);
    let one = store.constant(1);
    let mut bests = Vec::with_capacity(groups.len());
    for group in groups {
        let members: Vec<NodeId> = group.into_iter().map(|index| parts[index]).collect();
        let part = store.join(&members)?;
        let best = store.select(selection, one, part)?;
        let law = store.law_of_list(best)?;
        let best = complete(&law)?.iter().map(|(list, weight)| {
            let rank = list.first().map(|&member| match selection {
                Selection::Low => -member,
                _ => member,
            });
            (rank, weight.clone())
        });
        bests.push(best.collect::<BTreeMap<Option<i64>, Weight>>());
    }
    let ranks: BTreeSet<Option<i64>> = bests.iter().flat_map(BTreeMap::keys).copied().collect();
    let mut passed = vec![Weight::ZERO; bests.len()];
    let mut weights = ValueMap::default();
    let mut before = Weight::ZERO;
    for rank in ranks {
        store.budget.check()?;
        for (passed, best) in passed.iter_mut().zip(&bests) {
            if let Some(weight) = best.get(&rank) {
                *passed += weight;
            }
        }
        let at_most: Weight = passed.iter().product();
        let member = match selection {
            Selection::Low => rank.map(|rank| -rank),
            _ => rank,
        };
        weights.insert(member, &at_most - before);
        before = at_most;
    }
    Ok(Some(T::of_best(weights, before).into()))
}
