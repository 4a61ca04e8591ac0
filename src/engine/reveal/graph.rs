//! Graphs of residual programs, and the directions in which they can be explored.

use crate::algebra::{Known, Weight};
use crate::engine::program::{Bounds, NodeId, PoolId, Store};
use crate::engine::reason::Reason;
use crate::engine::reveal::faces::Revealed;
use crate::engine::stop::{Attempt, Stop};
use crate::limits::{FaceOrder, Reserved};
use std::cmp::Ordering;

/// An edge from a state to a state, with the index of its weight among the factors of the graph, and the key that the
/// step pulls out.
pub(in crate::engine) struct Edge<K> {
    pub(in crate::engine) from: u32,
    pub(in crate::engine) to: u32,
    pub(in crate::engine) factor: u32,
    pub(in crate::engine) key: K,
}

/// Residual programs and the steps between them. Every edge into a state comes before every edge out of it.
pub(in crate::engine) struct Graph<'a, K> {
    pub(in crate::engine) edges: Vec<Edge<K>>,
    pub(in crate::engine) factors: Vec<Weight>,
    pub(in crate::engine) states: usize,
    /// The states in which nothing more is revealed.
    pub(in crate::engine) leaves: Vec<(u32, Leaf)>,
    /// What is known of the moments of the programs of leaves beyond, in their order.
    pub(in crate::engine) beyond: Vec<Option<Known>>,
    /// The key pulled out of the root.
    pub(in crate::engine) key: K,
    /// The memory that the budget has counted for the graph.
    pub(super) held: Reserved<'a>,
}

/// The program of a state in which nothing more is revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Leaf {
    /// A program that no longer mentions the pools of the graph.
    Node(NodeId),
    /// A program of dice with unlisted values, of which only the bounds are known. The factor with this index is the
    /// weight of these dice. It multiplies the weight of the way to the state.
    Beyond(Bounds, u32),
}

/// An order in which faces are shown.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Direction {
    /// Whether the lowest face is first.
    pub(super) ascending: bool,
    /// Whether the last pool that can show a face does so first.
    pub(super) last_pool_first: bool,
}

impl Direction {
    const ALL: [Self; 4] = [
        Self::of(false, false),
        Self::of(true, false),
        Self::of(false, true),
        Self::of(true, true),
    ];

    const fn of(ascending: bool, last_pool_first: bool) -> Self {
        Self {
            ascending,
            last_pool_first,
        }
    }

    /// The levels in the order in which they are revealed: the index of a pool, and the place of a face among its
    /// faces.
    pub(super) fn levels(self, revealed: &[Revealed]) -> Vec<(usize, usize)> {
        let mut levels: Vec<(i64, usize, usize)> = Vec::new();
        for (index, pool) in revealed.iter().enumerate() {
            levels.extend(
                pool.faces
                    .iter()
                    .enumerate()
                    .map(|(place, &(face, _))| (face, index, place)),
            );
        }
        let directed = |order: Ordering, forward| if forward { order } else { order.reverse() };
        levels.sort_by(|a, b| {
            directed(a.0.cmp(&b.0), self.ascending)
                .then(directed(a.1.cmp(&b.1), !self.last_pool_first))
        });
        levels
            .into_iter()
            .map(|(_, index, place)| (index, place))
            .collect()
    }
}

/// The directions in which pools can be revealed: unlisted values must come last.
pub(super) fn orders(store: &Store<'_>, pools: &[PoolId]) -> Attempt<Vec<Direction>> {
    let (mut ascending, mut descending) = (true, true);
    for &pool in pools {
        match *store.pools.die_of(store.pools.get(pool).die).beyond {
            [] => {}
            [ref beyond] => {
                descending &= beyond.low == i64::MIN;
                ascending &= beyond.high == i64::MAX;
            }
            _ => (ascending, descending) = (false, false),
        }
    }
    let is_possible = |order: &&Direction| {
        let is_direction = if order.ascending {
            ascending
        } else {
            descending
        };
        is_direction && (pools.len() > 1 || !order.last_pool_first)
    };
    let orders: Vec<Direction> = Direction::ALL.iter().filter(is_possible).copied().collect();
    if orders.is_empty() {
        return Err(Stop::Unsupported(Reason::DiceUnboundedOnBothSides));
    }
    let is_asked_for = |order: &&Direction| match store.budget.limits().faces {
        FaceOrder::Cheaper => true,
        FaceOrder::HighestFirst => !order.ascending,
        FaceOrder::LowestFirst => order.ascending,
    };
    let asked_for: Vec<Direction> = orders.iter().filter(is_asked_for).copied().collect();
    Ok(if asked_for.is_empty() {
        orders
    } else {
        asked_for
    })
}
