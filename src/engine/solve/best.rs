//! The best member of a list, which is revealed with the best known member pulled out.

use crate::engine::program::{Node, NodeId, PoolId, Store};
use crate::ir::Selection;

/// A list with the same best member: the given list or, if that selects from numbers that are there or not, all these numbers. Without the
/// numbers that cannot beat a known member there would be more states.
pub(super) fn as_best(store: &mut Store<'_>, list: NodeId) -> Option<(Selection, NodeId)> {
    let pools = store.pools_of(list);
    let is_finite = |pool: &PoolId| {
        let known = store.pools.known(*pool);
        known.is_none_or(|known| store.pools.die_of(known.die).law.unlisted.is_none())
    };
    if !pools.iter().all(is_finite) || store.has_loop(list) {
        return None;
    }
    let Node::Select(selection @ (Selection::High | Selection::Low), n, inner) =
        *store.nodes.get(list)
    else {
        return None;
    };
    if store.as_constant(n) != Some(1) {
        return None;
    }
    let Node::Join(parts) = store.nodes.get(inner) else {
        return Some((selection, list));
    };
    let are_numbers = parts.iter().all(|&part| match store.nodes.get(part) {
        Node::Copies(_, member) => store.is_number(*member),
        Node::Draw(_) => false,
        _ => store.is_number(part) || store.known_members(part).is_some(),
    });
    Some((selection, if are_numbers { inner } else { list }))
}
