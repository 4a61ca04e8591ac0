//! Keys: the parts of a value that are pulled out of a residual program, so that programs that differ only in them
//! are one state.
//!
//! A key is the constant of a sum, the best known member of a maximum, or the known members of a list. Keys are a
//! commutative monoid (for lists in order, a monoid) that acts on the value of the program that is left. A key moves
//! to the edge of a graph, and the keys on a way are combined.

use std::marker::PhantomData;

use crate::engine::program::{Node, NodeId, Order, Store, size_of};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::Selection;
use crate::limits::{LimitReached, MAX_LIST};

/// A monoid of keys that acts on the values of programs.
pub(in crate::engine) trait Monoid {
    /// The part of a value that is pulled out.
    type Key: Clone;

    /// The key where nothing is pulled out.
    fn nothing(&self) -> Self::Key;

    /// The key that was pulled out first, combined with the key that was pulled out next.
    fn combine(&self, a: &Self::Key, b: &Self::Key) -> Self::Key;

    /// The bytes that a key takes beyond its own size.
    fn bytes(_: &Self::Key) -> u64 {
        0
    }

    /// A key, and the program that is left: its value combined with the key is the value of this program. What is left has no
    /// key any more.
    fn strip(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<(Self::Key, NodeId)>;
}

/// Sums, whose keys are their constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Sums {
    /// Constants are pulled out.
    PulledOut,
    /// Constants stay in the program: for loops that would pull out constants of both signs.
    LeftIn,
}

impl Monoid for Sums {
    type Key = i64;

    fn nothing(&self) -> i64 {
        0
    }

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

/// Several numbers at once, whose keys are their constants. The program is a chain of the numbers.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Tuples {
    /// The monoid of each number.
    numbers: Vec<Sums>,
}

impl Tuples {
    /// This many numbers, whose constants are pulled out.
    pub(in crate::engine) fn of(numbers: usize) -> Self {
        Self {
            numbers: vec![Sums::PulledOut; numbers],
        }
    }

    /// Leaves in the constants of each number to which these keys add constants of both signs. Returns whether there is
    /// a new one.
    pub(in crate::engine) fn leave_in_what_goes_both_ways(&mut self, keys: &[&Vec<i64>]) -> bool {
        let mut is_new = false;
        for (place, number) in self.numbers.iter_mut().enumerate() {
            let of_sign = |sign| keys.iter().any(|key| key[place].signum() == sign);
            if of_sign(1) && of_sign(-1) {
                *number = Sums::LeftIn;
                is_new = true;
            }
        }
        is_new
    }
}

impl Monoid for Tuples {
    type Key = Vec<i64>;

    fn nothing(&self) -> Vec<i64> {
        vec![0; self.numbers.len()]
    }

    fn combine(&self, a: &Vec<i64>, b: &Vec<i64>) -> Vec<i64> {
        a.iter().zip(b).map(|(a, b)| a + b).collect()
    }

    fn bytes(key: &Vec<i64>) -> u64 {
        size_of_val(&**key) as u64
    }

    fn strip(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<(Vec<i64>, NodeId)> {
        let parts = store.in_order(id)?.expect("a tuple is a chain of numbers");
        assert_eq!(parts.len(), self.numbers.len(), "a number for each place");
        let mut key = Vec::with_capacity(parts.len());
        let mut rest = Vec::with_capacity(parts.len());
        for (number, part) in self.numbers.iter().zip(parts) {
            let (constant, left) = number.strip(store, part)?;
            key.push(constant);
            rest.push(left);
        }
        Ok((key, store.chain(rest)?))
    }
}

/// The best known member of `high 1` or of `low 1`. The value is a number, which is 0 for no member, or a list.
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

    fn nothing(&self) -> Option<i64> {
        None
    }

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

/// The best known member of a list, or of the selection of its best member, and the program without the known
/// members.
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
    let (best, rest) = match store.nodes.get(list) {
        Node::Join(parts) => {
            // A join has at most one known part.
            let (known, others): (Vec<_>, Vec<_>) = parts
                .iter()
                .copied()
                .partition(|&part| store.is_known(part));
            let Some(best) = known
                .first()
                .and_then(|&known| best_known(store, selection, known))
            else {
                return Ok((None, id));
            };
            // Without some of its parts, a join is a join of the others.
            let rest = match others[..] {
                [only] => only,
                ref others => store.nodes.join(others),
            };
            (Some(best), rest)
        }
        _ => match best_known(store, selection, list) {
            Some(best) => (Some(best), store.empty()),
            None => return Ok((None, id)),
        },
    };
    let rest = match selected {
        Some((n, _)) => store.select(selection, n, rest)?,
        None => rest,
    };
    Ok((best, rest))
}

/// The best of known members. `None` if there are none, or if they are not known.
fn best_known(store: &Store<'_>, selection: Selection, list: NodeId) -> Option<i64> {
    match store.nodes.get(list) {
        Node::Constant(value) => Some(*value),
        Node::Known(members) if selection == Selection::High => {
            members.last().map(|&(value, _)| value)
        }
        Node::Known(members) => members.first().map(|&(value, _)| value),
        _ => None,
    }
}

/// Lists, whose keys are their known members.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Lists {
    /// If the order is ignored, the list is a multiset. If it is kept, only the known members at the start of the
    /// list are pulled out.
    pub(in crate::engine) order: Order,
}

impl Monoid for Lists {
    type Key = Vec<i64>;

    fn nothing(&self) -> Vec<i64> {
        Vec::new()
    }

    /// One list after the other, sorted if the order is ignored. An empty list leaves the other one as it is, so that
    /// a list in order keeps its order.
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

/// The known members of a multiset, and the multiset without them.
fn strip_members(store: &mut Store<'_>, id: NodeId) -> Attempt<(Vec<i64>, NodeId)> {
    if let Some(members) = store.known_members(id) {
        return Ok((written_out(store, &members)?, store.empty()));
    }
    let Node::Join(parts) = store.nodes.get(id).clone() else {
        return Ok((Vec::new(), id));
    };
    let (known, hidden): (Vec<_>, Vec<_>) = parts
        .iter()
        .copied()
        .partition(|&part| store.is_known(part));
    let known = known.first().and_then(|&known| store.known_members(known));
    let known = written_out(store, &known.unwrap_or_default())?;
    Ok((known, store.join(&hidden)?))
}

/// Known members one by one.
pub(in crate::engine) fn written_out(
    store: &Store<'_>,
    members: &[(i64, u32)],
) -> Result<Vec<i64>, LimitReached> {
    let length = usize::try_from(size_of(members)).unwrap_or(usize::MAX);
    if length > MAX_LIST {
        return Err(LimitReached::List);
    }
    store.has_room_for::<i64>(length)?;
    let mut list = Vec::with_capacity(length);
    for &(value, count) in members {
        list.extend(std::iter::repeat_n(value, count as usize));
    }
    Ok(list)
}

/// The known members at the start of a list in order, and the rest of the list.
fn strip_start(store: &mut Store<'_>, id: NodeId) -> Attempt<(Vec<i64>, NodeId)> {
    let Some(parts) = store.in_order(id)? else {
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
