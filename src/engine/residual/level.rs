//! Revealing pools face by face: the graph of residual programs of one node.
//!
//! A *level* is a face and a pool. At a level, `k` of the `n` hidden dice of the pool show the face, with
//! weight `C(n, k) · w^k` for the face's weight `w` (for a deck, `C(w, k)`); what is left of the program, and how
//! many dice are still hidden, is the next state. A program that no longer mentions a pool has its hidden
//! dice summed out at once, with weight `W^n` for the total `W` of the faces that are left.
//!
//! What can be pulled out of the program, a constant of a sum or the best known member of a maximum, stays on
//! the edge ([`Accumulator`]), so that states are shared. The graph is explored without weights first, from the lowest
//! face and from the highest in turn, and the smaller one is weighed.

use std::cmp::Ordering;
use std::rc::Rc;

use num_traits::ToPrimitive;

use super::Attempt;
use super::Stop;
use super::accumulate::{Accumulator, LawOf};
use super::bounds::{Bounds, Hidden};
use super::node::{Compare, Node, NodeId};
use super::pool::{Beyond, Drawing, PoolId};
use super::scope::{Context, Scope, Shown};
use super::solve::Valued as _;
use crate::algebra::Weight;
use crate::ir::Folding;
use crate::limits::LimitReached;
use crate::map::Map;

/// A pool that is revealed, with the faces that the program can tell apart.
struct Revealed {
    pool: PoolId,
    dice: u32,
    drawing: Drawing,
    /// Faces in the order in which they are shown, with their weights.
    faces: Vec<(i64, Weight)>,
    /// What its dice can show beside them; never shown.
    beyond: Option<Beyond>,
    /// The stride of its number of hidden dice in a packed [`Sizes`].
    stride: u128,
    /// The pools of the same deck, if it is a part of one, by index: the last one takes what is left of a card.
    deck: Vec<usize>,
}

/// How many dice of each pool are hidden, packed in mixed radix.
type Sizes = u128;

/// An edge: from a state to a state, with the weight of the step and what it pulls out.
pub(super) struct Edge<K> {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) factor: u32,
    pub(super) key: K,
}

/// Residual programs and the steps between them, in an order in which every edge into a state comes before
/// every edge out of it.
pub(super) struct Graph<K> {
    pub(super) edges: Vec<Edge<K>>,
    pub(super) factors: Vec<Weight>,
    pub(super) states: usize,
    /// States in which nothing more is revealed.
    pub(super) leaves: Vec<(u32, Leaf)>,
    /// The key pulled out of the root.
    pub(super) key: K,
}

/// What is left where nothing more is revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A program that no longer mentions the pools of the graph.
    Node(NodeId),
    /// A program of dice that lie beyond all faces: only its bounds are known.
    Beyond(Bounds),
}

/// The first number of states that each direction may have; it grows until one of them is enough.
const FIRST_CAP: usize = 512;

impl Scope<'_> {
    /// The distribution of a program by revealing these pools, all that it mentions, face by face.
    pub(super) fn reveal_by_faces<A: Accumulator>(
        &mut self,
        root: NodeId,
        pools: &[PoolId],
        accumulator: &A,
    ) -> Attempt<LawOf<A>> {
        let _part = self.budget.part("pools revealed face by face");
        let (graph, total) = self.graph(root, pools, accumulator)?;
        let law = accumulator.weigh(self, &graph, total)?;
        if self.may_never_end(pools) {
            return Ok(A::Value::missing_never_ends(law));
        }
        Ok(law)
    }

    /// The steps of a program by revealing these pools, and the total of their weights.
    pub(super) fn graph<A: Accumulator>(
        &mut self,
        root: NodeId,
        pools: &[PoolId],
        accumulator: &A,
    ) -> Attempt<(Graph<A::Key>, Weight)> {
        let graph = self.smaller_graph(root, pools, accumulator)?;
        self.budget.count_states(graph.states as u64)?;
        self.budget.count_steps(graph.edges.len() as u64);
        let mut decks = Vec::new();
        let mut total = Weight::from(1_u32);
        for &pool in pools {
            let known = self.pools.get(pool);
            let die = self.pools.die_of(known.die);
            total *= match known.drawing {
                Drawing::Independent => die.law.total().pow(known.dice),
                Drawing::WithoutReplacement => binomial(die.law.total(), known.dice),
                Drawing::Shuffled(places) if decks.contains(&places.deck) => continue,
                Drawing::Shuffled(places) => {
                    decks.push(places.deck);
                    arrangements(places.of, die.faces.iter().map(|(_, weight)| weight))
                }
            };
        }
        Ok((graph, total))
    }

    /// Whether a die of these pools may never end.
    fn may_never_end(&self, pools: &[PoolId]) -> bool {
        pools.iter().any(|&pool| {
            let die = self.pools.die_of(self.pools.get(pool).die);
            die.law.never() != Weight::ZERO
        })
    }

    /// In which directions pools can be revealed: what lies beyond the faces of a die is left to the end.
    fn directions(&self, pools: &[PoolId]) -> Attempt<&'static [bool]> {
        let (mut ascending, mut descending) = (true, true);
        for &pool in pools {
            match *self.pools.die_of(self.pools.get(pool).die).beyond {
                [] => {}
                [ref beyond] => {
                    descending &= beyond.low == i64::MIN;
                    ascending &= beyond.high == i64::MAX;
                }
                _ => (ascending, descending) = (false, false),
            }
        }
        match (ascending, descending) {
            (true, true) => Ok(&[false, true]),
            (true, false) => Ok(&[true]),
            (false, true) => Ok(&[false]),
            _ => Err(Stop::Unsupported("dice without an end on both sides")),
        }
    }

    fn smaller_graph<A: Accumulator>(
        &mut self,
        root: NodeId,
        pools: &[PoolId],
        accumulator: &A,
    ) -> Attempt<Graph<A::Key>> {
        let directions = self.directions(pools)?;
        let mut cap = FIRST_CAP;
        loop {
            for &ascending in directions {
                if let Some(graph) = self.explore(root, pools, ascending, cap, accumulator)? {
                    return Ok(graph);
                }
            }
            cap *= 8;
            if cap as u64 > self.budget.limits().states.saturating_mul(8) {
                return Err(LimitReached::States(self.budget.limits().states).into());
            }
        }
    }

    /// The pools with their distinguishable faces, in the order in which they are shown.
    fn revealed(
        &mut self,
        root: NodeId,
        pools: &[PoolId],
        ascending: bool,
    ) -> Attempt<Vec<Revealed>> {
        let cuts = self.cuts(root);
        let mut revealed = Vec::with_capacity(pools.len());
        let mut stride: u128 = 1;
        for &pool in pools {
            let known = self.pools.get(pool).clone();
            let mut faces: Vec<(i64, Weight)> = Vec::new();
            let mut classes: Map<Vec<bool>, usize> = Map::default();
            let cuts = match known.drawing {
                Drawing::Shuffled(_) => None,
                _ => cuts.get(&pool),
            };
            for &(face, ref weight) in &*Rc::clone(&self.pools.die_of(known.die).faces) {
                let class = cuts.map(|cuts| {
                    cuts.iter()
                        .map(|&(compare, number)| compare.holds(face, number))
                        .collect::<Vec<_>>()
                });
                match class {
                    Some(class) => {
                        if let Some(&index) = classes.get(&class) {
                            faces[index].1 += weight;
                        } else {
                            classes.insert(class, faces.len());
                            faces.push((face, weight.clone()));
                        }
                    }
                    None => faces.push((face, weight.clone())),
                }
            }
            if !ascending {
                faces.reverse();
            }
            revealed.push(Revealed {
                pool,
                dice: known.dice,
                drawing: known.drawing,
                faces,
                beyond: self.pools.die_of(known.die).beyond.first().cloned(),
                stride,
                deck: self.deck_among(pool, pools),
            });
            stride = stride
                .checked_mul(u128::from(known.dice) + 1)
                .ok_or(Stop::Limit(LimitReached::States(
                    self.budget.limits().states,
                )))?;
        }
        Ok(revealed)
    }

    /// The indices of the pools that are parts of the same deck as this one.
    fn deck_among(&self, pool: PoolId, pools: &[PoolId]) -> Vec<usize> {
        let Some(deck) = self.pools.deck_of(pool) else {
            return Vec::new();
        };
        let places = pools.iter().enumerate();
        places
            .filter(|&(_, &other)| self.pools.deck_of(other) == Some(deck))
            .map(|(index, _)| index)
            .collect()
    }

    /// Takes out of the sizes what a program no longer looks at: in how many ways it can fall.
    fn sum_out(
        &self,
        revealed: &[Revealed],
        passed: &[usize],
        node: NodeId,
        sizes: &mut Sizes,
    ) -> Option<Weight> {
        let is_seen = |part: usize| self.nodes.mask(node) & revealed[part].pool.mask() != 0;
        let mut ways: Option<Weight> = None;
        for (index, pool) in revealed.iter().enumerate() {
            let more = if pool.deck.is_empty() {
                let left = pool.size(*sizes);
                if left == 0 || is_seen(index) {
                    continue;
                }
                *sizes -= u128::from(left) * pool.stride;
                pool.summed_out(passed[index], left)
            } else {
                let is_hidden = |&part: &usize| revealed[part].size(*sizes) > 0;
                if pool.deck.last() != Some(&index)
                    || pool.deck.iter().any(|&part| is_seen(part))
                    || !pool.deck.iter().any(is_hidden)
                {
                    continue;
                }
                let (more, left) = pool.rest_of_deck(revealed, passed, index, *sizes);
                *sizes = left;
                more
            };
            ways = Some(match ways {
                Some(ways) => ways * more,
                None => more,
            });
        }
        ways
    }

    /// For each pool that is only counted through comparisons with known numbers: those comparisons.
    fn cuts(&self, root: NodeId) -> Map<PoolId, Vec<(Compare, i64)>> {
        // How a node is looked at: `None` is in every way; else through these comparisons and a count.
        let mut looks: Map<NodeId, Option<Vec<(Compare, i64)>>> = Map::default();
        looks.insert(root, None);
        let mut cuts = Map::default();
        for id in self.descending(root) {
            let look = looks.remove(&id).unwrap_or(None);
            let node = self.nodes.get(id);
            if let (Node::Pool(pool), Some(look)) = (node, &look) {
                cuts.insert(*pool, look.clone());
            }
            self.nodes.for_children(node, |child| {
                let passed = match node {
                    Node::Fold(Folding::Count, _) => Some(Vec::new()),
                    Node::Join(_) => look.clone(),
                    Node::Copies(_, list) if *list == child => look.clone(),
                    Node::Filter(compare, number, list) if *list == child => {
                        match (&look, self.as_constant(*number)) {
                            (Some(look), Some(number)) => {
                                let mut look = look.clone();
                                look.push((*compare, number));
                                Some(look)
                            }
                            _ => None,
                        }
                    }
                    _ => None,
                };
                match (looks.get_mut(&child), passed) {
                    (None, passed) => {
                        looks.insert(child, passed);
                    }
                    (Some(Some(look)), Some(mut passed)) => look.append(&mut passed),
                    (Some(look), _) => *look = None,
                }
            });
        }
        for cuts in cuts.values_mut() {
            cuts.sort_unstable();
            cuts.dedup();
        }
        cuts
    }

    /// The graph below a root, or nothing if it has more states than a cap.
    fn explore<A: Accumulator>(
        &mut self,
        root: NodeId,
        pools: &[PoolId],
        ascending: bool,
        cap: usize,
        accumulator: &A,
    ) -> Attempt<Option<Graph<A::Key>>> {
        let revealed = self.revealed(root, pools, ascending)?;
        let mask = pools.iter().fold(0, |mask, pool| mask | pool.mask());
        let (key, root) = accumulator.strip(self, root)?;
        let full = revealed
            .iter()
            .map(|pool| u128::from(pool.dice) * pool.stride)
            .sum();
        let mut graph = Graph {
            edges: Vec::new(),
            factors: Vec::new(),
            states: 1,
            leaves: Vec::new(),
            key,
        };
        let mut frontier: Vec<State> = Vec::new();
        if self.nodes.mask(root) & mask == 0 {
            graph.leaves.push((0, Leaf::Node(root)));
        } else {
            frontier.push(State {
                node: root,
                sizes: full,
                index: 0,
            });
        }
        let mut factors = Factors::default();
        // How many faces of each pool have been shown.
        let mut passed = vec![0; revealed.len()];
        for (index, place) in levels(&revealed, ascending) {
            passed[index] = place + 1;
            let mut level = Level::new(&revealed, &passed, index, accumulator);
            let shown = level.shown();
            // Parts of a deck are revealed as long as anything looks at any of them.
            let (deck, takes_rest) = (&shown.deck, shown.deck.last() == Some(&index));
            let looked_at = deck.iter().fold(shown.pool.mask(), |mask, &other| {
                mask | revealed[other].pool.mask()
            });
            let is_touched = |scope: &Self, state: &State| {
                (shown.size(state.sizes) > 0 || takes_rest)
                    && scope.nodes.mask(state.node) & looked_at != 0
            };
            let (touched, mut next): (Vec<State>, Vec<State>) = frontier
                .into_iter()
                .partition(|state| is_touched(self, state));
            let mut index_of: Map<(NodeId, Sizes), u32> = next
                .iter()
                .map(|state| ((state.node, state.sizes), state.index))
                .collect();
            let mut steps: Map<u32, Vec<Option<u32>>> = Map::default();
            for state in touched {
                let hidden = shown.size(state.sizes);
                let steps = steps.entry(hidden).or_insert_with(|| {
                    let weights = shown.step_weights(place, hidden).into_iter();
                    weights
                        .map(|weight| (weight != Weight::ZERO).then(|| factors.index(weight)))
                        .collect()
                });
                let (least, most) = shown.least_and_most(&revealed, place, state.sizes, takes_rest);
                for dice in least..=most {
                    let Some(mut factor) = steps[dice as usize] else {
                        continue;
                    };
                    let mut sizes = state.sizes - u128::from(dice) * shown.stride;
                    let (key, node) = level.step(self, state.node, dice, sizes)?;
                    if let Some(ways) = self.sum_out(&revealed, &passed, node, &mut sizes) {
                        factor = factors.index(factors.get(factor) * ways);
                    }
                    let to = *index_of.entry((node, sizes)).or_insert_with(|| {
                        let to = u32::try_from(graph.states).expect("fewer than 2^32 states");
                        graph.states += 1;
                        if self.nodes.mask(node) & mask == 0 || sizes == 0 {
                            graph.leaves.push((to, Leaf::Node(node)));
                        } else {
                            next.push(State {
                                node,
                                sizes,
                                index: to,
                            });
                        }
                        to
                    });
                    graph.edges.push(Edge {
                        from: state.index,
                        to,
                        factor,
                        key,
                    });
                    self.budget.check()?;
                }
                if graph.states > cap {
                    return Ok(None);
                }
            }
            frontier = next;
        }
        for state in frontier {
            let leaf = self.last_leaf(&state, &revealed)?;
            graph.leaves.push((state.index, leaf));
        }
        graph.factors = factors.weights;
        Ok(Some(graph))
    }
}

impl Scope<'_> {
    /// What is left when all faces have been shown: dice that lie beyond them, or nothing; what seems to mention a
    /// pool by the bit that it shares with another is finished all the same.
    fn last_leaf(&mut self, state: &State, revealed: &[Revealed]) -> Attempt<Leaf> {
        let pools = self.pools_of(state.node);
        if !revealed
            .iter()
            .any(|pool| pools.binary_search(&pool.pool).is_ok())
        {
            return Ok(Leaf::Node(state.node));
        }
        let hidden = revealed.iter().map(|pool| {
            let dice = pool.size(state.sizes).into();
            let hidden = Hidden {
                least: dice,
                most: dice,
                ..pool.hidden(pool.faces.len())
            };
            (pool.pool, hidden)
        });
        let mut context = Context::new(hidden.collect(), Vec::new());
        let node = state.node;
        let bounds = self.within(&mut context, |scope| scope.bounds(node))?;
        Ok(Leaf::Beyond(bounds))
    }
}

/// A state that has not been left yet.
struct State {
    node: NodeId,
    sizes: Sizes,
    index: u32,
}

/// Weights of steps, each once.
#[derive(Default)]
struct Factors {
    weights: Vec<Weight>,
    index: Map<Weight, u32>,
}

impl Factors {
    fn index(&mut self, weight: Weight) -> u32 {
        let weights = &mut self.weights;
        *self.index.entry(weight).or_insert_with_key(|weight| {
            weights.push(weight.clone());
            u32::try_from(weights.len() - 1).expect("fewer than 2^32 factors")
        })
    }

    fn get(&self, index: u32) -> &Weight {
        &self.weights[index as usize]
    }
}

/// Levels in the order in which they are revealed: a pool, and the place of a face among its faces.
fn levels(revealed: &[Revealed], ascending: bool) -> Vec<(usize, usize)> {
    let mut levels: Vec<(i64, usize, usize)> = Vec::new();
    for (index, pool) in revealed.iter().enumerate() {
        levels.extend(
            pool.faces
                .iter()
                .enumerate()
                .map(|(place, &(face, _))| (face, index, place)),
        );
    }
    levels.sort_by(|a, b| match a.0.cmp(&b.0) {
        Ordering::Equal => a.1.cmp(&b.1),
        order if ascending => order,
        order => order.reverse(),
    });
    levels
        .into_iter()
        .map(|(_, index, place)| (index, place))
        .collect()
}

/// The steps of one level, in two phases: a face is put in place with the sizes of pools left open, then what is
/// left is simplified for the sizes. What is pulled out is pulled out between the two, so that the second
/// phase is shared by all that differ only in that.
struct Level<'a, A: Accumulator> {
    accumulator: &'a A,
    revealed: &'a [Revealed],
    index: usize,
    face: i64,
    /// What can still be hidden of each pool after this level, sizes open.
    rest: Vec<Hidden>,
    applying: Map<u32, Context>,
    pruning: Map<Sizes, Context>,
    applied: Map<(NodeId, u32), (A::Key, NodeId)>,
    pruned: Map<(NodeId, Sizes), (A::Key, NodeId)>,
}

impl<'a, A: Accumulator> Level<'a, A> {
    /// The level of the last passed face of a pool.
    fn new(revealed: &'a [Revealed], passed: &[usize], index: usize, accumulator: &'a A) -> Self {
        Self {
            accumulator,
            revealed,
            index,
            face: revealed[index].faces[passed[index] - 1].0,
            rest: revealed
                .iter()
                .zip(passed)
                .map(|(pool, &passed)| pool.hidden(passed))
                .collect(),
            applying: Map::default(),
            pruning: Map::default(),
            applied: Map::default(),
            pruned: Map::default(),
        }
    }

    fn shown(&self) -> &'a Revealed {
        &self.revealed[self.index]
    }

    /// What is pulled out, and what is left, when so many dice show the face and so many are hidden after it.
    fn step(
        &mut self,
        scope: &mut Scope<'_>,
        node: NodeId,
        dice: u32,
        sizes: Sizes,
    ) -> Attempt<(A::Key, NodeId)> {
        let (key, node) = self.applied(scope, node, dice)?;
        if let Some((more, node)) = self.pruned.get(&(node, sizes)) {
            return Ok((self.accumulator.combine(&key, more), *node));
        }
        let revealed = self.revealed;
        let rest = &self.rest;
        let context = self.pruning.entry(sizes).or_insert_with(|| {
            let hidden = revealed.iter().zip(rest).map(|(pool, rest)| {
                let dice = pool.size(sizes).into();
                (
                    pool.pool,
                    Hidden {
                        least: dice,
                        most: dice,
                        ..*rest
                    },
                )
            });
            Context::new(hidden.collect(), Vec::new())
        });
        let accumulator = self.accumulator;
        let (more, left) = scope.within(context, |scope| {
            let pruned = scope.simplified(node)?;
            accumulator.strip(scope, pruned)
        })?;
        let both = self.accumulator.combine(&key, &more);
        self.pruned.insert((node, sizes), (more, left));
        Ok((both, left))
    }

    fn applied(
        &mut self,
        scope: &mut Scope<'_>,
        node: NodeId,
        dice: u32,
    ) -> Attempt<(A::Key, NodeId)> {
        if let Some(known) = self.applied.get(&(node, dice)) {
            return Ok(known.clone());
        }
        let shown = Shown {
            pool: self.shown().pool,
            value: self.face,
            dice,
        };
        let (revealed, rest) = (self.revealed, &self.rest);
        let context = self.applying.entry(dice).or_insert_with(|| {
            let hidden = revealed
                .iter()
                .zip(rest)
                .map(|(pool, rest)| (pool.pool, *rest));
            Context::new(hidden.collect(), vec![shown])
        });
        let accumulator = self.accumulator;
        let stripped = scope.within(context, |scope| {
            let applied = scope.simplified(node)?;
            accumulator.strip(scope, applied)
        })?;
        self.applied.insert((node, dice), stripped.clone());
        Ok(stripped)
    }
}

impl Revealed {
    fn size(&self, sizes: Sizes) -> u32 {
        u32::try_from(sizes / self.stride % (u128::from(self.dice) + 1))
            .expect("no more dice than the pool has")
    }

    /// What hidden dice can show after so many faces have been passed.
    fn hidden(&self, passed: usize) -> Hidden {
        let faces = self.faces[passed..].iter().map(|&(face, _)| (face, face));
        let beyond = self.beyond.iter().map(|beyond| (beyond.low, beyond.high));
        let (low, high) = faces
            .chain(beyond)
            .fold((i64::MAX, i64::MIN), |(low, high), (from, to)| {
                (low.min(from), high.max(to))
            });
        let most = if passed == self.faces.len() && self.beyond.is_none() {
            0
        } else {
            self.dice.into()
        };
        Hidden {
            low,
            high,
            least: 0,
            most,
        }
    }

    /// How many cards of a deck are left in all places, and how many copies are left of the face at a place, which no
    /// part of the deck has passed.
    fn left_of_deck(
        &self,
        revealed: &[Revealed],
        place: usize,
        sizes: Sizes,
    ) -> (u64, Option<u64>) {
        let left = self.deck.iter().map(|&part| revealed[part].size(sizes));
        let left = left.map(u64::from).sum::<u64>();
        let after = self.faces.iter().skip(place + 1);
        let after: u64 = after.filter_map(|(_, weight)| weight.to_u64()).sum();
        (left, left.checked_sub(after))
    }

    /// How few and how many hidden dice can show the face at a place: all of them, if it is the last.
    fn least_and_most(
        &self,
        revealed: &[Revealed],
        place: usize,
        sizes: Sizes,
        takes_rest: bool,
    ) -> (u32, u32) {
        let hidden = self.size(sizes);
        if !self.deck.is_empty() {
            self.shown_of_deck(revealed, place, sizes, takes_rest)
        } else if place + 1 == self.faces.len() && self.beyond.is_none() {
            (hidden, hidden)
        } else {
            (0, hidden)
        }
    }

    /// How few and how many places of this part of a deck can show the face at a place.
    fn shown_of_deck(
        &self,
        revealed: &[Revealed],
        place: usize,
        sizes: Sizes,
        takes_rest: bool,
    ) -> (u32, u32) {
        let hidden = self.size(sizes);
        let copies = match self.left_of_deck(revealed, place, sizes).1 {
            Some(copies) => u32::try_from(copies).unwrap_or(u32::MAX),
            None => return (1, 0),
        };
        if !takes_rest {
            (0, hidden.min(copies))
        } else if copies <= hidden {
            (copies, copies)
        } else {
            (1, 0)
        }
    }

    /// Once nothing looks at a deck: the ways to arrange what is left of it, and sizes without it.
    fn rest_of_deck(
        &self,
        revealed: &[Revealed],
        passed: &[usize],
        last: usize,
        sizes: Sizes,
    ) -> (Weight, Sizes) {
        let place = passed[last];
        let (left, copies) = self.left_of_deck(revealed, place, sizes);
        // More copies to come than places: nothing leads here.
        let copies = u32::try_from(copies.unwrap_or(u64::MAX)).unwrap_or(u32::MAX);
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        // What is left of this face is in parts that have not passed it.
        let open = self.deck.iter().filter(|&&part| passed[part] <= place);
        let open: u32 = open.map(|&part| revealed[part].size(sizes)).sum();
        let after = self.faces.iter().skip(place + 1).map(|(_, weight)| weight);
        let ways =
            binomial(&open.into(), copies) * arrangements(left.saturating_sub(copies), after);
        let sizes = self.deck.iter().fold(sizes, |sizes, &part| {
            sizes - u128::from(revealed[part].size(sizes)) * revealed[part].stride
        });
        (ways, sizes)
    }

    /// For each number of dice, the weight of so many of `hidden` showing the face at a place.
    fn step_weights(&self, place: usize, hidden: u32) -> Vec<Weight> {
        let weight = &self.faces[place].1;
        let one = Weight::from(1_u32);
        let mut weights = Vec::with_capacity(hidden as usize + 1);
        match self.drawing {
            Drawing::Shuffled(_) => {
                let mut choices = one;
                for dice in 0..=hidden {
                    weights.push(choices.clone());
                    choices = choices * (hidden - dice) / (dice + 1);
                }
            }
            Drawing::Independent => {
                let (mut choices, mut power) = (one.clone(), one);
                for dice in 0..=hidden {
                    weights.push(&choices * &power);
                    choices = choices * (hidden - dice) / (dice + 1);
                    power *= weight;
                }
            }
            Drawing::WithoutReplacement => {
                let mut choices = one;
                for dice in 0..=hidden {
                    weights.push(choices.clone());
                    let left = if *weight > Weight::from(dice) {
                        weight - dice
                    } else {
                        Weight::ZERO
                    };
                    choices = choices * left / (dice + 1);
                }
            }
        }
        weights
    }

    /// The weight of all that so many hidden dice can show on the faces not yet passed.
    fn summed_out(&self, passed: usize, dice: u32) -> Weight {
        let beyond = self.beyond.iter().map(|beyond| &beyond.weight);
        let faces = self.faces[passed..].iter().map(|(_, weight)| weight);
        let total: Weight = faces.chain(beyond).sum();
        match self.drawing {
            Drawing::Independent => total.pow(dice),
            Drawing::WithoutReplacement | Drawing::Shuffled(_) => binomial(&total, dice),
        }
    }
}

/// In how many ways cards with so many copies fill so many places.
fn arrangements<'a>(places: u32, copies: impl Iterator<Item = &'a Weight>) -> Weight {
    let (mut ways, mut left) = (Weight::from(1_u32), Weight::from(places));
    for copies in copies {
        let count = copies
            .to_u64()
            .and_then(|copies| u32::try_from(copies).ok());
        ways *= binomial(&left, count.unwrap_or(u32::MAX));
        left = if left > *copies {
            &left - copies
        } else {
            Weight::ZERO
        };
    }
    ways
}

fn binomial(n: &Weight, k: u32) -> Weight {
    let mut result = Weight::from(1_u32);
    for index in 0..k {
        let left = if *n > Weight::from(index) {
            n - index
        } else {
            return Weight::ZERO;
        };
        result = result * left / (index + 1);
    }
    result
}
