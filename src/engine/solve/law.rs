//! The distribution of a number or of a list: by a closed form where there is one, else by revealing.

use hashbrown::hash_map::Entry;

use crate::algebra::{Distribution, Law, Numbers, Weight};
use crate::engine::program::{LawOfLists, Node, NodeId, Order, Store, bytes_of_list};
use crate::engine::reason::Reason;
use crate::engine::reveal::{Best, Lists, Sums, Tuples, written_out};
use crate::engine::rules::{closed_form, mixed};
use crate::engine::simplify::Forms as _;
use crate::engine::solve::best::as_best;
use crate::engine::solve::joint::joint;
use crate::engine::stop::{Attempt, Stop};
use crate::ir::Folding;
use crate::limits::{Budget, Reserved};
use crate::map::ValueMap;
use crate::number::Integer;
use std::rc::Rc;

fn certain_list(list: Vec<i64>) -> Distribution<Vec<i64>> {
    Distribution::new([(list, Weight::from(1_u32))], Weight::from(1_u32))
}

/// The distribution of two independent lists, one after the other, and the memory that the budget has counted for it.
fn one_after_the_other<'a>(
    a: &LawOfLists,
    b: &LawOfLists,
    budget: &'a Budget<'_>,
) -> Attempt<(LawOfLists, Reserved<'a>)> {
    let (first, second) = (&a.listed, &b.listed);
    budget.count_states((first.len() as u64).saturating_mul(second.len() as u64))?;
    let mut held = Reserved::none(budget);
    let mut weights: ValueMap<Vec<i64>, Weight> = ValueMap::default();
    for (x, weight) in first.iter() {
        for (y, other) in second.iter() {
            let bytes = bytes_of_list(x).saturating_add(bytes_of_list(y));
            budget.work(bytes / 8)?;
            budget.has_room_for(bytes)?;
            budget.has_room_for_more(&weights, 1)?;
            let list = [x.as_slice(), y].concat();
            let bytes = bytes_of_list(&list);
            match weights.entry(list) {
                Entry::Occupied(mut known) => *known.get_mut() += weight * other,
                Entry::Vacant(place) => {
                    held.take(bytes)?;
                    place.insert(weight * other);
                }
            }
        }
    }
    let total = first.total() * second.total();
    let ends = |law: &LawOfLists| law.total() - law.never_ends();
    let never_ends = &total - ends(a) * ends(b);
    let listed = Distribution::new(weights, total);
    Ok((Law::else_unresolved(listed, never_ends), held))
}

/// The distribution of a number, all pools hidden.
pub(super) fn of_number(store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<Law>> {
    match *store.nodes.get(id) {
        Node::Constant(value) => {
            return Ok(Rc::new(Numbers::certain(Integer::from(value)).into()));
        }
        Node::Draw(pool) => {
            let die = store.pools.get(pool).die;
            return Ok(Rc::clone(&store.pools.die_of(die).law));
        }
        Node::If(condition, a, b) => {
            if let Some(law) = mixed::<i64>(store, condition, a, b)? {
                return Ok(Rc::new(law));
            }
        }
        _ => {}
    }
    if let Some(law) = closed_form(store, id)? {
        return Ok(Rc::new(law));
    }
    if let Node::Fold(Folding::Sum, list) = *store.nodes.get(id)
        && let Some((selection, list)) = as_best(store, list)
    {
        return joint(store, list, &Best::<i64>::new(selection)).map(Rc::new);
    }
    joint(store, id, &Sums::PulledOut).map(Rc::new)
}

/// The distribution of a list, all pools hidden: sorted, or in the order of a chain.
pub(super) fn of_list(store: &mut Store<'_>, id: NodeId) -> Attempt<LawOfLists> {
    if store.is_number(id) {
        let number = store.fold(Folding::Sum, id)?;
        let law = store.law(number)?;
        // Each number by itself, then as a list, with its weight.
        store.has_room_for::<[u64; 24]>(law.listed.len())?;
        let numbers = law.listed.to_distribution();
        let lists = numbers.iter().map(|(value, weight)| {
            let value = value.to_i64();
            let value = value.ok_or(Stop::Unsupported(Reason::LongIntegers))?;
            Ok((vec![value], weight.clone()))
        });
        let lists = lists.collect::<Attempt<Vec<_>>>()?;
        let listed = Distribution::new(lists, numbers.total().clone());
        return Ok(Law::else_unresolved(listed, law.never_ends()));
    }
    let budget = store.budget;
    match store.nodes.get(id).clone() {
        Node::Known(members) => Ok(certain_list(written_out(store, &members)?).into()),
        Node::Chain(parts) if store.are_independent(&parts) => {
            let _part = budget.part("independent lists, one after the other");
            let mut law = Law::from(certain_list(Vec::new()));
            let mut _held;
            for &part in parts.iter() {
                let next = store.law_of_list(part)?;
                (law, _held) = one_after_the_other(&law, &next, budget)?;
            }
            Ok(law)
        }
        Node::If(condition, a, b) => {
            let law = mixed::<Vec<i64>>(store, condition, a, b)?;
            law.map_or_else(|| revealed(store, id), Ok)
        }
        _ => revealed(store, id),
    }
}

/// The distribution of a list that has no closed form.
fn revealed(store: &mut Store<'_>, id: NodeId) -> Attempt<LawOfLists> {
    if let Some((selection, list)) = as_best(store, id) {
        return joint(store, list, &Best::<Vec<i64>>::new(selection));
    }
    if let Some((tuple, numbers)) = as_tuple(store, id)? {
        // A list that mentions dice may have one known member.
        if store.nodes.mask(tuple) == 0 {
            return Ok((*store.law_of_list(tuple)?).clone());
        }
        return joint(store, tuple, &Tuples::of(numbers));
    }
    let order = Order::Ignored;
    joint(store, id, &Lists { order })
}

/// A list in order whose parts have one member each, as a chain of so many numbers.
fn as_tuple(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<(NodeId, usize)>> {
    let Node::Chain(parts) = store.nodes.get(id).clone() else {
        return Ok(None);
    };
    let mut numbers = Vec::with_capacity(parts.len());
    for &part in &*parts {
        let bounds = store.bounds(part)?;
        if (bounds.least, bounds.most) != (1, 1) {
            return Ok(None);
        }
        numbers.push(store.number(part)?);
    }
    Ok(Some((store.chain(numbers)?, parts.len())))
}
