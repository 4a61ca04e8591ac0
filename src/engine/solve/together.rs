//! Numbers that depend on several numbers of the same loops.
//!
//! `if ==1 x then count x else 0` looks at a loop x twice. Its states have no end: the number of members so far belongs
//! to no constant that could be pulled out of the condition. The condition and the count together do have finitely many
//! states, with a pair of numbers pulled out. So their joint distribution is found first, and the program is a mixture
//! over its pairs.

use crate::algebra::{Law, Mass, Remainder};
use crate::engine::program::{Node, NodeId, Store, is_infinite, narrow};
use crate::engine::simplify::Forms as _;
use crate::engine::solve::by_length::law_of_tuple;
use crate::engine::stop::Attempt;

/// The distribution of a number by the joint distribution of the parts that look at loops. `None` if there are not
/// several such parts, or if their states have no end.
pub(super) fn law_of_parts(store: &mut Store<'_>, root: NodeId) -> Attempt<Option<Law>> {
    // Nothing is pulled apart from a sum that is not pulled out of it anyway.
    let is_plain = |id| matches!(store.nodes.get(id), Node::Fold(..) | Node::Over(_));
    let is_plain_sum = match store.nodes.get(root) {
        Node::Linear(_, atoms) => atoms.iter().all(|&(_, atom)| is_plain(atom)),
        _ => is_plain(root),
    };
    if is_plain_sum {
        return Ok(None);
    }
    let mut parts = Vec::new();
    let is_all = collect(store, root, root, &mut parts)?;
    let waits = |&&part: &&NodeId| matches!(store.nodes.get(part), Node::Over(_));
    if !is_all || parts.len() - parts.iter().filter(waits).count() < 2 {
        return Ok(None);
    }
    let Some(joint) = law_of_tuple(store, &parts, true)? else {
        return Ok(None);
    };
    let _part = store.budget.part("several numbers of the same loops");
    let mut pools = Vec::new();
    for &part in &parts {
        pools.extend_from_slice(&store.pools_of(part));
    }
    let mut laws = Vec::with_capacity(joint.listed.len());
    for (values, weight) in joint.listed.iter() {
        store.budget.count_states(1)?;
        let mut replaced = Vec::with_capacity(parts.len());
        for (&part, &value) in parts.iter().zip(values) {
            replaced.push((part, store.constant(narrow(value.into())?)));
        }
        let rest = store.replaced(root, &replaced)?;
        if store.pools_of(rest).iter().any(|pool| pools.contains(pool)) {
            return Ok(None);
        }
        laws.push((weight.clone(), store.law(rest)?));
    }
    let never_ends = joint.never_ends();
    let unknown = joint.total() - joint.listed.mass() - &never_ends;
    let remainder = Remainder {
        masses: vec![Mass::anywhere(unknown)],
        never_ends,
        ..Remainder::nothing(joint.total().clone())
    };
    Ok(Some(Law::mixture(&laws, remainder, store.budget)?))
}

/// Collects the parts of a program that look at loops: bounded numbers and folds. Returns whether there is nothing else
/// that does.
fn collect(
    store: &mut Store<'_>,
    root: NodeId,
    id: NodeId,
    parts: &mut Vec<NodeId>,
) -> Attempt<bool> {
    if !store.has_loop(id) || parts.contains(&id) {
        return Ok(true);
    }
    let bounds = store.bounds(id)?;
    let is_bounded = !is_infinite(bounds.low) && !is_infinite(bounds.high);
    let children = match *store.nodes.get(id) {
        Node::Fold(..) => Vec::new(),
        _ if id != root && is_bounded && store.is_number(id) => Vec::new(),
        Node::Linear(_, ref atoms) => atoms.iter().map(|&(_, atom)| atom).collect(),
        Node::If(condition, a, b) => vec![condition, a, b],
        Node::Arithmetic(_, a, b) => vec![a, b],
        Node::AtLeast(form, _) | Node::Equals(form, _) => vec![form],
        _ => return Ok(false),
    };
    if children.is_empty() {
        parts.push(id);
        return Ok(true);
    }
    for child in children {
        if !collect(store, root, child, parts)? {
            return Ok(false);
        }
    }
    Ok(true)
}
