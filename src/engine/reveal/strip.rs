//! What can be pulled out of residual programs, so that programs that differ only in it are one state.
//!
//! A constant of a sum, the best known member of a maximum, the known members of a list: each is the key of a
//! commutative monoid (of a list in order, of a monoid alone) that acts on the value of what is left. A key moves to
//! the edge of a graph, and the keys on a way are combined.

use std::marker::PhantomData;
use std::rc::Rc;

use crate::engine::program::{Node, NodeId, Order, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::Selection;

/// What is pulled out of programs: a monoid that acts on their values.
pub(in crate::engine) trait Monoid {
    /// What is pulled out.
    type Key: Clone;

    /// What is pulled out first, and what is pulled out after it, as one.
    fn combine(&self, a: &Self::Key, b: &Self::Key) -> Self::Key;

    /// How much memory a key takes beside itself.
    fn bytes(_: &Self::Key) -> u64 {
        0
    }

    /// A key, and a program whose value combined with it is the value of this one.
    fn strip(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<(Self::Key, NodeId)>;
}

/// Constants of sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Sums {
    /// Constants are pulled out.
    PulledOut,
    /// Constants stay where they are: for loops that would pull out constants of both signs.
    LeftIn,
}

impl Monoid for Sums {
    type Key = i64;

    fn combine(&self, a: &i64, b: &i64) -> i64 {
        a + b
    }

    fn strip(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<(i64, NodeId)> {
        if *self == Self::LeftIn {
            return Ok((0, id));
        }
        match store.nodes.get(id).clone() {
            Node::Constant(value) => Ok((value, store.constant(0))),
            Node::Linear(constant, atoms) if constant != 0 => {
                let rest = match *atoms {
                    [(1, only)] => only,
                    _ => store.nodes.linear(0, &atoms),
                };
                Ok((constant, rest))
            }
            _ => Ok((0, id)),
        }
    }
}

/// The best known member of `high 1`, or of `low 1`: as a number, 0 for no member, or as a list.
#[derive(Debug)]
pub(in crate::engine) struct Best<T> {
    pub(in crate::engine) selection: Selection,
    value: PhantomData<T>,
}

impl<T> Best<T> {
    /// The best by a selection of one member, `High` or `Low`.
    pub(in crate::engine) fn new(selection: Selection) -> Self {
        Self {
            selection,
            value: PhantomData,
        }
    }
}

impl<T> Monoid for Best<T> {
    type Key = Option<i64>;

    fn combine(&self, a: &Option<i64>, b: &Option<i64>) -> Option<i64> {
        let both = [*a, *b].into_iter().flatten();
        if self.selection == Selection::High {
            both.max()
        } else {
            both.min()
        }
    }

    fn strip(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<(Option<i64>, NodeId)> {
        strip_best(store, self.selection, id)
    }
}

/// The best known member of a list, or of a selection of its best, and the same without it.
fn strip_best(
    store: &mut Store<'_>,
    selection: Selection,
    id: NodeId,
) -> Attempt<(Option<i64>, NodeId)> {
    let selected = match *store.nodes.get(id) {
        Node::Select(found, n, list) if found == selection && store.as_constant(n) == Some(1) => {
            Some((n, list))
        }
        _ => None,
    };
    let list = selected.map_or(id, |(_, list)| list);
    // A join has at most one known part, and is a join of the others without it.
    let (known, rest) = match store.nodes.get(list) {
        Node::Join(parts) => {
            let parts = Rc::clone(parts);
            let Some(place) = parts.iter().position(|&part| store.is_known(part)) else {
                return Ok((None, id));
            };
            let rest = match [&parts[..place], &parts[place + 1..]].concat()[..] {
                [only] => only,
                ref others => store.nodes.join(others),
            };
            (parts[place], rest)
        }
        _ if store.is_known(list) => (list, store.empty()),
        _ => return Ok((None, id)),
    };
    let best = match store.nodes.get(known) {
        Node::Constant(value) => Some(*value),
        Node::Known(members) => {
            let best = if selection == Selection::High {
                members.last()
            } else {
                members.first()
            };
            best.map(|&(value, _)| value)
        }
        _ => None,
    };
    let Some(best) = best else {
        return Ok((None, id));
    };
    let rest = match selected {
        Some((n, _)) => store.select(selection, n, rest)?,
        None => rest,
    };
    Ok((Some(best), rest))
}

/// Known members of a list.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Lists {
    /// Ignored, the list is a multiset. Kept, only known members at its start are pulled out.
    pub(in crate::engine) order: Order,
}

impl Monoid for Lists {
    type Key = Vec<i64>;

    /// Two lists as one. A list in order meets no known members of a multiset, and keeps its order.
    fn combine(&self, a: &Vec<i64>, b: &Vec<i64>) -> Vec<i64> {
        let mut both = [&a[..], b].concat();
        if self.order == Order::Ignored && !a.is_empty() && !b.is_empty() {
            both.sort_unstable();
        }
        both
    }

    fn bytes(key: &Vec<i64>) -> u64 {
        size_of_val(&**key) as u64
    }

    fn strip(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<(Vec<i64>, NodeId)> {
        match self.order {
            Order::Ignored => strip_members(store, id),
            Order::Kept => strip_start(store, id),
        }
    }
}

/// The known members of a multiset, and the others.
fn strip_members(store: &mut Store<'_>, id: NodeId) -> Attempt<(Vec<i64>, NodeId)> {
    let expand = |members: &[(i64, u32)]| {
        members
            .iter()
            .flat_map(|&(value, count)| std::iter::repeat_n(value, count as usize))
            .collect()
    };
    if let Some(members) = store.known_members(id) {
        return Ok((expand(&members), store.empty()));
    }
    let Node::Join(parts) = store.nodes.get(id).clone() else {
        return Ok((Vec::new(), id));
    };
    let (known, hidden): (Vec<_>, Vec<_>) = parts.iter().partition(|&&part| store.is_known(part));
    let known = known
        .first()
        .map(|&known| store.known_members(known).expect("a known part"))
        .unwrap_or_default();
    Ok((expand(&known), store.join(&hidden)?))
}

/// The known members at the start of a list in order, and what comes after them.
fn strip_start(store: &mut Store<'_>, id: NodeId) -> Attempt<(Vec<i64>, NodeId)> {
    let Some(parts) = store.in_order(id) else {
        return Ok((Vec::new(), id));
    };
    let known: Vec<i64> = parts
        .iter()
        .map_while(|&part| store.as_constant(part))
        .collect();
    if known.is_empty() {
        return Ok((known, id));
    }
    let rest = store.chain(parts[known.len()..].to_vec())?;
    Ok((known, rest))
}
