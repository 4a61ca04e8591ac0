//! Weights through a graph, from the root forward. Each state holds a weight for each key that can have been pulled
//! out on a way to it.
//!
//! The weights of sums are held as a window, so that an edge is a shift and a multiplication. If all sums on ways to
//! a state differ by multiples of a number, the window has only those multiples. The weights of best known members
//! are held with their running sums. An edge with a new member c adds the weights of better members, and puts the
//! weight of all others on c: `P(max(X, c) = x)` is `P(X = x)` for `x > c`, `P(X <= c)` for `x = c`, and 0 for `x <
//! c`.

use crate::algebra::weight::{lcm, probability};
use crate::algebra::{Known, Law, Mass, Moments, Numbers, Remainder, Weight, Weights};
use crate::engine::reveal::graph::Graph;
use crate::engine::stop::Attempt;
use crate::ir::Selection;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::ValueMap;
use crate::number::Integer;
use hashbrown::hash_map::Entry;
use num_bigint::BigInt;
use std::hash::Hash;
use std::iter::repeat_n;

/// A window that is longer than this, and much longer than the number of edges, is held as a map.
const LONGEST_SPARSE_WINDOW: i64 = 1 << 16;

/// Vectors that states do not need any more. The next states take their memory, as long as it is little.
#[derive(Default)]
struct Spare(Vec<Weights>);

impl Spare {
    /// The most vectors that are kept.
    const MOST: usize = 64;

    /// The most bytes of each.
    const MOST_BYTES: u64 = 1 << 12;

    fn take(&mut self) -> Weights {
        self.0.pop().unwrap_or_else(|| Weights::zeros(0, 0))
    }

    fn zeros(&mut self, length: usize, bits: u64) -> Weights {
        self.take().renewed(length, bits)
    }

    fn give(&mut self, weights: Weights) {
        if self.0.len() < Self::MOST && weights.bytes() <= Self::MOST_BYTES {
            self.0.push(weights);
        }
    }
}

/// Measures over multiples of one total, to be added up.
pub(in crate::engine) struct Measures {
    total: Weight,
    parts: Vec<(Law, Weight)>,
}

impl Measures {
    /// Measures over multiples of a total.
    pub(in crate::engine) fn over(total: Weight) -> Self {
        Self {
            total,
            parts: Vec::new(),
        }
    }

    /// One more measure, over `factor` times the total.
    pub(in crate::engine) fn push(&mut self, measure: Law, factor: Weight) {
        self.parts.push((measure, factor));
    }

    /// The sum of all measures, and of masses over the total, of whose moments this is known.
    pub(in crate::engine) fn sum(
        self,
        masses: Vec<Mass>,
        known: Option<Known>,
        budget: &Budget<'_>,
    ) -> Attempt<Law> {
        let one = Weight::from(1_u32);
        let common = self
            .parts
            .iter()
            .fold(one, |common, (_, factor)| lcm(&common, factor));
        let parts: Vec<(Weight, &Law)> = self
            .parts
            .iter()
            .map(|(measure, factor)| (&common / factor, measure))
            .collect();
        let masses = masses.into_iter().map(|mass| mass.times(&common));
        let remainder = Remainder {
            masses: masses.collect(),
            moments: known,
            leaves_rare_open: true,
            ..Remainder::nothing(self.total * &common)
        };
        Ok(Law::measure_sum(&parts, remainder, budget)?)
    }
}

/// What is known of the moments of programs beyond the listed values of dice, as parts of one measure.
#[derive(Default)]
pub(in crate::engine) struct MomentsBeyond {
    /// The power sums of the keys before each kind of program, by what is known of the program.
    parts: ValueMap<Known, [BigInt; 3]>,
    is_unknown: bool,
}

impl MomentsBeyond {
    /// One more program: what is known of it, and the weights of the keys before it, each times a factor.
    pub(in crate::engine) fn push(
        &mut self,
        known: Option<&Known>,
        reached: &Numbers,
        factor: &Weight,
    ) {
        let Some(known) = known.filter(|_| !self.is_unknown) else {
            self.is_unknown = true;
            return;
        };
        let sums = self.parts.entry_ref(known).or_default();
        for (key, weight) in reached.iter() {
            let key = key.to_big();
            let mut part = BigInt::from(weight * factor);
            for sum in &mut *sums {
                *sum += &part;
                part *= &key;
            }
        }
    }

    /// What is known of the whole measure over a total. `None` if a part is unknown.
    pub(in crate::engine) fn over(
        self,
        total: &Weight,
        budget: &Budget<'_>,
    ) -> Result<Option<Known>, LimitReached> {
        let mut whole = (!self.is_unknown).then(Known::nothing);
        let one = Weight::from(1_u32);
        for (known, sums) in self.parts {
            let limbs = total.bits() / 64 + 1;
            budget.work(limbs.saturating_mul(limbs))?;
            let before = Known::All(Moments::of_power_sums(sums, total));
            let part = before.plus(&known);
            whole = whole
                .zip(part)
                .and_then(|(whole, part)| whole.plus_share(&part, &probability(&one, &one)));
        }
        Ok(whole)
    }
}

/// The bits of the total weight of all ways to each state.
fn bits_of_states<K>(
    graph: &Graph<'_, K>,
    scales: &[Vec<u64>],
    total: &Weight,
    budget: &Budget<'_>,
) -> Result<Vec<u64>, LimitReached> {
    // Narrower weights are no faster within two limbs.
    if total.bits() <= 128 {
        return Ok(vec![total.bits(); graph.states]);
    }
    budget.has_room_for(Weights::bytes_for(graph.states as u64, total.bits()))?;
    let mut weights = Weights::zeros(graph.states, total.bits());
    weights.set(0, &Weight::from(1_u32));
    let mut from = Vec::new();
    for edges in graph.edges.chunk_by(|a, b| a.from == b.from) {
        from.clear();
        from.extend_from_slice(weights.at(edges[0].from as usize));
        for edge in edges {
            let scale = &scales[edge.factor as usize];
            budget.work((from.len() * scale.len()) as u64)?;
            weights.add_number_product(edge.to as usize, &from, scale);
        }
    }
    let states = 0..graph.states;
    Ok(states.map(|state| weights.bits_at(state)).collect())
}

/// The limbs of the factors of a graph.
fn scales<K>(graph: &Graph<'_, K>) -> Vec<Vec<u64>> {
    graph.factors.iter().map(Weight::to_u64_digits).collect()
}

/// A step that divides the difference of any two sums of keys on ways to the same state, given the least sum for each
/// state.
///
/// If the step divides `least(from) + key - least(to)` for each edge, then by induction on the ways it divides the
/// difference of every sum from the least sum of its state.
fn common_step(graph: &Graph<'_, i64>, ends: &[Option<(i64, i64)>]) -> i64 {
    let mut step = 0;
    for edge in &graph.edges {
        if let (Some((from, _)), Some((to, _))) = (ends[edge.from as usize], ends[edge.to as usize])
        {
            step = num_integer::gcd(step, from + edge.key - to);
        }
        if step == 1 {
            break;
        }
    }
    step.max(1)
}

/// The weight of each sum of keys on the way to each leaf, in the order of the leaves.
pub(in crate::engine) fn sums(
    graph: &Graph<'_, i64>,
    total: &Weight,
    budget: &Budget<'_>,
) -> Attempt<Vec<Numbers>> {
    let mut ends: Vec<Option<(i64, i64)>> = vec![None; graph.states];
    ends[0] = Some((graph.key, graph.key));
    for edge in &graph.edges {
        let Some((low, high)) = ends[edge.from as usize] else {
            continue;
        };
        let (low, high) = (low + edge.key, high + edge.key);
        let to = &mut ends[edge.to as usize];
        *to = Some(to.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
    }
    let step = common_step(graph, &ends);
    let longest = ends
        .iter()
        .flatten()
        .map(|(low, high)| (high - low) / step)
        .max()
        .unwrap_or(0);
    if longest
        > LONGEST_SPARSE_WINDOW.max(i64::try_from(64 * graph.edges.len()).unwrap_or(i64::MAX))
    {
        let payloads = weights_by_key(graph, |a, b| a + b, |_| 0, budget)?;
        return Ok(payloads
            .into_iter()
            .map(|payload| {
                Numbers::new(
                    payload
                        .into_iter()
                        .map(|(key, weight)| (Integer::from(key), weight)),
                    total.clone(),
                )
            })
            .collect());
    }
    let scales = scales(graph);
    let bits = bits_of_states(graph, &scales, total, budget)?;
    let mut held = Reserved::none(budget);
    let mut spare = Spare::default();
    let mut windows: Vec<Option<Weights>> = vec![None; graph.states];
    let mut first = Weights::zeros(1, bits[0]);
    first.set(0, &Weight::from(1_u32));
    held.take(first.bytes())?;
    windows[0] = Some(first);
    let mut index = 0;
    while index < graph.edges.len() {
        let from = graph.edges[index].from;
        let (Some(window), Some((low, _))) = (windows[from as usize].take(), ends[from as usize])
        else {
            index += 1;
            continue;
        };
        while index < graph.edges.len() && graph.edges[index].from == from {
            let edge = &graph.edges[index];
            let (to_low, to_high) =
                ends[edge.to as usize].expect("what a reached state leads to is reached");
            if windows[edge.to as usize].is_none() {
                let bits = bits[edge.to as usize];
                let length = (to_high - to_low).unsigned_abs() / step.unsigned_abs() + 1;
                held.take(Weights::bytes_for(length, bits))?;
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                windows[edge.to as usize] = Some(spare.zeros(length, bits));
            }
            if let Some(to) = &mut windows[edge.to as usize] {
                let offset = usize::try_from((low + edge.key - to_low) / step)
                    .expect("no sum is less than the least one");
                let scale = &scales[edge.factor as usize];
                budget.work((window.len() * window.width() * scale.len()) as u64 + 8)?;
                to.add_limbs_product(&window, scale, offset);
            }
            index += 1;
        }
        held.give(window.bytes());
        spare.give(window);
    }
    Ok(graph
        .leaves
        .iter()
        .map(
            |&(state, _)| match (windows[state as usize].take(), ends[state as usize]) {
                (Some(window), Some((low, _))) => {
                    let (low, step) = (Integer::from(low), Integer::from(step));
                    let window = window.with_bits(total.bits());
                    Numbers::from_lattice(&low, &step, window, total.clone())
                }
                _ => Numbers::impossible(total.clone()),
            },
        )
        .collect())
}

/// Best keys with their weights, the worst key first.
type BestWeights = Vec<(Option<i64>, Weight)>;

/// The weight of each best key on the way to each leaf, in the order of the leaves; `None` for no key.
pub(in crate::engine) fn best(
    graph: &Graph<'_, Option<i64>>,
    selection: Selection,
    total: &Weight,
    budget: &Budget<'_>,
) -> Attempt<Vec<BestWeights>> {
    // Ranks: no key is first, then keys from the worst to the best.
    // Edges one after the other often have the same key.
    let runs = || graph.edges.chunk_by(|a, b| a.key == b.key);
    let keys = runs().map(|run| run[0].key);
    let distinct: ValueMap<Option<i64>, ()> =
        keys.chain([graph.key, None]).map(|key| (key, ())).collect();
    let mut keys: Vec<Option<i64>> = distinct.into_keys().collect();
    keys.sort_unstable();
    if selection == Selection::Low {
        keys[1..].reverse();
    }
    let rank_of: ValueMap<Option<i64>, usize> = keys
        .iter()
        .enumerate()
        .map(|(rank, &key)| (key, rank))
        .collect();
    let mut ranks: Vec<usize> = Vec::with_capacity(graph.edges.len());
    for run in runs() {
        ranks.extend(repeat_n(rank_of[&run[0].key], run.len()));
    }
    // The lowest and the highest rank that each state can have.
    let first = rank_of[&graph.key];
    let mut ends: Vec<(usize, usize)> = vec![(usize::MAX, 0); graph.states];
    ends[0] = (first, first);
    for (edge, &rank) in graph.edges.iter().zip(&ranks) {
        let from = ends[edge.from as usize];
        let to = &mut ends[edge.to as usize];
        *to = (to.0.min(from.0.max(rank)), to.1.max(from.1.max(rank)));
    }
    let scales = scales(graph);
    let bits = bits_of_states(graph, &scales, total, budget)?;
    let mut held = Reserved::none(budget);
    let mut spare = Spare::default();
    let mut payloads: Vec<Option<Weights>> = vec![None; graph.states];
    payloads[0] = Some(Weights::from_u64s(vec![1]));
    let mut index = 0;
    while index < graph.edges.len() {
        let from = graph.edges[index].from;
        let payload = payloads[from as usize].take().map(|payload| {
            let mut up_to = spare.take().copied_from(&payload);
            up_to.accumulate();
            (payload, up_to)
        });
        let (low, high) = ends[from as usize];
        while index < graph.edges.len() && graph.edges[index].from == from {
            let (edge, rank) = (&graph.edges[index], ranks[index]);
            index += 1;
            let Some((payload, up_to)) = &payload else {
                continue;
            };
            let (to_low, to_high) = ends[edge.to as usize];
            let to = &mut payloads[edge.to as usize];
            let to = if let Some(to) = to {
                to
            } else {
                let (length, bits) = (to_high - to_low + 1, bits[edge.to as usize]);
                held.take(Weights::bytes_for(length as u64, bits))?;
                to.insert(spare.zeros(length, bits))
            };
            let factor = &scales[edge.factor as usize];
            // The new member replaces all best members that were not better. Better ones stay.
            let better = if rank < low {
                low
            } else {
                let place = rank.min(high) - low;
                to.add_number_product(rank - to_low, up_to.at(place), factor);
                rank + 1
            };
            budget.work(((high - low + 1) * payload.width() * factor.len()) as u64 + 8)?;
            if better <= high {
                to.add_product_from(better - to_low, payload, better - low, factor);
            }
        }
        if let Some((payload, up_to)) = payload {
            held.give(payload.bytes());
            spare.give(payload);
            spare.give(up_to);
        }
    }
    let weights_of = |payload: &Weights, low: usize| {
        let weights = keys[low..].iter().copied().zip(payload.iter());
        weights
            .filter(|(_, weight)| *weight != Weight::ZERO)
            .collect()
    };
    Ok(graph
        .leaves
        .iter()
        .map(|&(state, _)| {
            let low = ends[state as usize].0;
            payloads[state as usize]
                .as_ref()
                .map_or_else(Vec::new, |payload| weights_of(payload, low))
        })
        .collect())
}

/// The weight of each combination of keys on the way to each leaf, in the order of the leaves.
pub(in crate::engine) fn weights_by_key<K: Clone + Eq + Hash>(
    graph: &Graph<'_, K>,
    combine: impl Fn(&K, &K) -> K,
    bytes: impl Fn(&K) -> u64,
    budget: &Budget<'_>,
) -> Result<Vec<ValueMap<K, Weight>>, LimitReached> {
    // About the bytes of an entry of a map with its weight, without what the key owns.
    const ENTRY: u64 = 96;
    let mut held = Reserved::none(budget);
    let mut payloads: Vec<ValueMap<K, Weight>> = Vec::new();
    payloads.resize_with(graph.states, ValueMap::default);
    payloads[0].insert(graph.key.clone(), Weight::from(1_u32));
    let mut index = 0;
    while index < graph.edges.len() {
        let from = graph.edges[index].from;
        let payload = std::mem::take(&mut payloads[from as usize]);
        while index < graph.edges.len() && graph.edges[index].from == from {
            let edge = &graph.edges[index];
            let factor = &graph.factors[edge.factor as usize];
            let target = &mut payloads[edge.to as usize];
            for (key, weight) in &payload {
                budget.has_room_for(bytes(key) + bytes(&edge.key))?;
                budget.has_room_for_more(target, 1)?;
                let key = combine(key, &edge.key);
                let size = ENTRY + bytes(&key);
                match target.entry(key) {
                    Entry::Occupied(mut known) => *known.get_mut() += weight * factor,
                    Entry::Vacant(place) => {
                        held.take(size)?;
                        place.insert(weight * factor);
                    }
                }
            }
            index += 1;
        }
        let sizes = payload.keys().map(|key| ENTRY + bytes(key));
        held.give(sizes.sum());
    }
    Ok(graph
        .leaves
        .iter()
        .map(|&(state, _)| std::mem::take(&mut payloads[state as usize]))
        .collect())
}
