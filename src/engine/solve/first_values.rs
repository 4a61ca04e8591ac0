//! The first value of a loop as one die.
//!
//! In `while x = d6 + 1 do (count <=3 x)#(d6 + 1)` each later value is a die that shows `d6 + 1`, while the first one is
//! a sum of a die and a constant, which is taken apart in all that looks at it. So the loop does not look alike in its
//! first round and in the later ones. Here a number that is the first value becomes a die of the same distribution.
//!
//! With the first value `V = c ± a + rest`, the number a is replaced by `±(V - c - rest)` and V by a die. That is right if
//! nothing else than V depended on the pools of V: then they are not mentioned any longer.

use crate::algebra::Weight;
use crate::engine::program::{DieId, Node, NodeId, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, if_supported};

/// The program with the first value of a loop as a die. `None` if there is no such value.
pub(super) fn with_values_as_dice(store: &mut Store<'_>, root: NodeId) -> Attempt<Option<NodeId>> {
    for id in store.descending(root) {
        let Node::Loop(value, ..) = *store.nodes.get(id) else {
            continue;
        };
        let is_die = matches!(store.nodes.get(value), Node::Draw(_) | Node::Die(..));
        if is_die || store.nodes.mask(value) == 0 || !store.is_number(value) {
            continue;
        }
        let replaced = if_supported(with_value_as_die(store, root, value))?;
        if let Some(replaced) = replaced.flatten() {
            return Ok(Some(replaced));
        }
    }
    Ok(None)
}

/// The program with one value as a die. `None` if the program does not allow it.
fn with_value_as_die(
    store: &mut Store<'_>,
    root: NodeId,
    value: NodeId,
) -> Attempt<Option<NodeId>> {
    // The distribution is found only where it is of use.
    let unknown = store.pools.between(i64::MIN / 4, i64::MAX / 4);
    let unknown = one_draw(store, unknown)?;
    if with_die_for(store, root, value, unknown)?.is_none() {
        return Ok(None);
    }
    let law = store.law(value)?;
    // Negative faces would be added with another sign than the positive ones.
    let is_natural = law.least().is_some_and(|least| !least.is_negative());
    if !is_natural || law.unresolved() != Weight::ZERO {
        return Ok(None);
    }
    let die = store.pools.die(law, store.budget)?;
    let draw = one_draw(store, die)?;
    with_die_for(store, root, value, draw)
}

fn one_draw(store: &mut Store<'_>, die: DieId) -> Attempt<NodeId> {
    let (one, name) = (store.constant(1), store.pools.name());
    store.draws(one, die, name)
}

/// The program with a die for a number. `None` if the program depends on the pools of the number otherwise, too.
fn with_die_for(
    store: &mut Store<'_>,
    root: NodeId,
    number: NodeId,
    die: NodeId,
) -> Attempt<Option<NodeId>> {
    let (constant, atoms) = match store.nodes.get(number).clone() {
        Node::Linear(constant, atoms) => (constant, atoms.to_vec()),
        _ => (0, vec![(1, number)]),
    };
    let pools = store.pools_of(number);
    for (place, &(sign, atom)) in atoms.iter().enumerate() {
        if sign.abs() != 1 {
            continue;
        }
        let rest = atoms
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != place);
        let rest = rest.map(|(_, &(coefficient, part))| (-sign * coefficient, part));
        let parts: Vec<_> = rest.chain([(sign, die)]).collect();
        let image = store.linear(-sign * constant, &parts)?;
        let Some(replaced) = if_supported(store.replaced(root, &[(atom, image)]))? else {
            continue;
        };
        if !store
            .pools_of(replaced)
            .iter()
            .any(|pool| pools.contains(pool))
        {
            return Ok(Some(replaced));
        }
    }
    Ok(None)
}
