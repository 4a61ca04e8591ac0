//! The possible values of the members of a multiset.

use crate::engine::program::{Node, NodeId, Store};
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;

/// The most rows of a table.
pub(in crate::engine) const MOST_ROWS: usize = 1 << 16;

/// The most different members for which a body that looks at hidden values is written out.
pub(in crate::engine) const MOST_VALUES: usize = 256;

/// The possible values of the members of a multiset in the current context, in ascending order. `None` if there are
/// too many.
pub(in crate::engine) fn values(
    store: &mut Store<'_>,
    list: NodeId,
    most: usize,
) -> Attempt<Option<Vec<i64>>> {
    let mut values = Vec::new();
    if !collect_values(store, list, most, &mut values)? {
        return Ok(None);
    }
    values.sort_unstable();
    values.dedup();
    Ok((values.len() <= most).then_some(values))
}

fn collect_values(
    store: &mut Store<'_>,
    list: NodeId,
    most: usize,
    values: &mut Vec<i64>,
) -> Attempt<bool> {
    match store.nodes.get(list).clone() {
        Node::Constant(value) => values.push(value),
        Node::Known(members) => values.extend(members.iter().map(|&(value, _)| value)),
        Node::Draw(pool) | Node::Pool(pool) if store.shows_faces(store.pools.get(pool).die) => {
            let die = store.pools.die_of(store.pools.get(pool).die);
            values.extend(die.faces.iter().map(|&(face, _)| face));
        }
        Node::Draws(_, die, _) if store.shows_faces(die) => {
            let die = store.pools.die_of(die);
            values.extend(die.faces.iter().map(|&(face, _)| face));
        }
        Node::Filter(_, _, inner) => {
            let bounds = store.bounds(list)?;
            let mut inside = Vec::new();
            if !collect_values(store, inner, most, &mut inside)? {
                return Ok(false);
            }
            let range = bounds.low..=bounds.high;
            values.extend(inside.into_iter().filter(|value| range.contains(value)));
        }
        Node::Copies(_, inner) | Node::Select(_, _, inner) => {
            return collect_values(store, inner, most, values);
        }
        Node::If(_, a, b) => {
            return Ok(
                collect_values(store, a, most, values)? && collect_values(store, b, most, values)?
            );
        }
        Node::Join(parts) | Node::Chain(parts) => {
            for &part in parts.iter() {
                if !collect_values(store, part, most, values)? {
                    return Ok(false);
                }
            }
        }
        Node::Map(inner, closure) if store.rows_of(closure).is_some() => {
            let mut inside = Vec::new();
            if !collect_values(store, inner, MOST_ROWS, &mut inside)? {
                return Ok(false);
            }
            for (member, image) in store.rows_of(closure).iter().flat_map(|rows| rows.iter()) {
                if inside.contains(member) {
                    values.extend(image.iter().map(|&(value, _)| value));
                }
            }
        }
        _ => {
            let bounds = store.bounds(list)?;
            let span = bounds.high.saturating_sub(bounds.low);
            if usize::try_from(span).is_ok_and(|span| span < most) {
                values.extend(bounds.low..=bounds.high);
            } else if bounds.most > 0 {
                return Ok(false);
            }
        }
    }
    if values.len() > 4 * most {
        values.sort_unstable();
        values.dedup();
    }
    Ok(values.len() <= 4 * most)
}
