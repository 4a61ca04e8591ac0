//! Revealing pools face by face: the graph of residual programs of one node.
//!
//! A *level* is a face and a pool. At a level, `k` of the `n` hidden dice of the pool show the face, with
//! weight `C(n, k) · w^k` for the face's weight `w` (for a deck, `C(w, k)`); what is left of the program, and how
//! many dice are still hidden, is the next state. A program that no longer mentions a pool has its hidden
//! dice summed out at once, with weight `W^n` for the total `W` of the faces that are left; a deck once it mentions none of
//! its parts. What dice can show beyond their faces is left to the end, where only its bounds are known.
//!
//! What can be pulled out of the program, a constant of a sum or the best known member of a maximum, stays on
//! the edge ([`Accumulator`]), so that states are shared. The graph is explored without weights first, from the lowest
//! face and from the highest in turn, and where two pools show the same face, either first; the smallest is weighed.
//!
//! A level is taken in phases, each for all states at once. First a face is put in place with the numbers of
//! hidden dice left open: for every program and every number of dice that show the face, but not for every number of
//! those hidden. What is pulled out is pulled out here, so that what follows is shared by all that differ only in that.
//! Then what is left is simplified for the numbers of dice. Everything that is simplified under the same knowledge is
//! simplified together, so that its memos are flat arrays ([`super::memo`]); a transition itself is then
//! a look at a row and a look at a table.

use std::cmp::Ordering;
use std::ops::Range;

use super::accumulate::{Accumulator, LawOf};
use super::bounds::{Bounds, Hidden};
use super::faces::{Cuts, Revealed, Sizes, arrangements, binomial, ways};
use super::memo::Epoch;
use super::node::NodeId;
use super::pool::{Drawing, PoolId};
use super::scope::{Context, Scope, Shown};
use super::solve::Valued as _;
use super::union::Union;
use super::{Attempt, Stop};
use crate::algebra::Weight;
use crate::limits::{Budget, FaceOrder, LimitReached};
use crate::map::Map;

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
    /// The memory that was taken from the budget for it, to be given back by whoever drops it.
    pub(super) bytes: u64,
}

/// What is left where nothing more is revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A program that no longer mentions the pools of the graph.
    Node(NodeId),
    /// A program of dice that lie beyond all faces: only its bounds are known, and by which factor, of those of the
    /// graph, what these dice weigh multiplies the weight on the way to it.
    Beyond(Bounds, u32),
}

/// The number of states that every order may have before one is chosen.
const FIRST_CAP: usize = 64;

/// By how much the number of states that an order may have grows from turn to turn.
const GROWTH: usize = 4;

/// An order in which faces are shown.
#[derive(Clone, Copy)]
struct Order {
    /// The lowest face first.
    ascending: bool,
    /// Of the pools that can show a face, the last one first.
    last_pool_first: bool,
}

impl Order {
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

    /// Levels in the order in which they are revealed: a pool, and the place of a face among its faces.
    fn levels(self, revealed: &[Revealed]) -> Vec<(usize, usize)> {
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
        let law = accumulator.weigh(self, &graph, total.clone())?;
        self.budget.give_memory(graph.bytes);
        if self.may_never_end(pools) {
            let shows = pools.iter().map(|&pool| {
                let known = self.pools.get(pool);
                let die = &self.pools.die_of(known.die).law;
                (die.total() - die.never()).pow(known.dice)
            });
            let never = &total - shows.product::<Weight>();
            return Ok(A::Value::missing_never_ends(law, &never, &total));
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

    /// The orders in which pools can be revealed: what lies beyond the faces of a die is left to the end.
    fn orders(&self, pools: &[PoolId]) -> Attempt<Vec<Order>> {
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
        let is_possible = |order: &&Order| {
            let is_direction = if order.ascending {
                ascending
            } else {
                descending
            };
            is_direction && (pools.len() > 1 || !order.last_pool_first)
        };
        let orders: Vec<Order> = Order::ALL.iter().filter(is_possible).copied().collect();
        if orders.is_empty() {
            return Err(Stop::Unsupported("dice without an end on both sides"));
        }
        let is_asked_for = |order: &&Order| match self.budget.limits().faces {
            FaceOrder::Cheaper => true,
            FaceOrder::HighestFirst => !order.ascending,
            FaceOrder::LowestFirst => order.ascending,
        };
        let asked_for: Vec<Order> = orders.iter().filter(is_asked_for).copied().collect();
        Ok(if asked_for.is_empty() {
            orders
        } else {
            asked_for
        })
    }

    /// The graph of an order that leaves few states.
    ///
    /// The orders take turns. The next turn is for the one that, at the rate of the levels that it has taken, will
    /// have the fewest states, and no turn is repeated work: the whole costs little more than the graph
    /// that is chosen and the first turns of the others.
    fn smaller_graph<A: Accumulator>(
        &mut self,
        root: NodeId,
        pools: &[PoolId],
        accumulator: &A,
    ) -> Attempt<Graph<A::Key>> {
        let most = usize::try_from(self.budget.limits().states).unwrap_or(usize::MAX);
        let too_many = LimitReached::States(self.budget.limits().states);
        let cuts = self.cuts(root);
        let orders = self.orders(pools)?;
        let mut explorations = Vec::with_capacity(orders.len());
        for order in orders {
            let mut exploration =
                Exploration::new(self, root, pools, order, &cuts, accumulator)?.ok_or(too_many)?;
            if exploration.advance(self, accumulator, FIRST_CAP)? {
                return exploration.into_graph(self);
            }
            explorations.push(exploration);
        }
        let mut current = 0;
        while !explorations.is_empty() {
            self.let_rival_try()?;
            let expected = |index: &usize| explorations[*index].expected();
            let best = (0..explorations.len()).min_by_key(expected).unwrap_or(0);
            // Only a clear difference is worth leaving what has been begun.
            if current >= explorations.len() || 2 * expected(&best) < expected(&current) {
                current = best;
            }
            let exploration = &mut explorations[current];
            let cap = exploration.cap.saturating_mul(GROWTH).min(most);
            let is_whole = exploration.advance(self, accumulator, cap)?;
            if is_whole || cap == most {
                let exploration = explorations.swap_remove(current);
                if is_whole {
                    for other in &explorations {
                        self.budget.give_memory(other.graph.bytes);
                    }
                    return exploration.into_graph(self);
                }
                self.budget.give_memory(exploration.graph.bytes);
            }
        }
        Err(too_many.into())
    }
}

/// A state that has not been left yet.
#[derive(Clone, Copy)]
struct State {
    node: NodeId,
    sizes: Sizes,
    index: u32,
}

/// A graph that is being explored in one order, level by level.
struct Exploration<K> {
    revealed: Vec<Revealed>,
    levels: Vec<(usize, usize)>,
    /// How many levels have been taken.
    taken: usize,
    /// How many faces of each pool have been shown.
    passed: Vec<usize>,
    /// All pools, as a mask.
    mask: u64,
    frontier: Vec<State>,
    graph: Graph<K>,
    factors: Factors,
    /// How many edges the budget has been told of.
    charged: usize,
    /// Pairs of pools that have been alike and were joined where they are only looked at together.
    joined: Vec<[usize; 2]>,
    /// The last cap: with one more level it would have more states than that.
    cap: usize,
}

impl<K: Clone> Exploration<K> {
    /// Nothing where the pools have too many dice.
    fn new<A: Accumulator<Key = K>>(
        scope: &mut Scope<'_>,
        root: NodeId,
        pools: &[PoolId],
        order: Order,
        cuts: &Cuts,
        accumulator: &A,
    ) -> Attempt<Option<Self>> {
        let revealed = scope.revealed(pools, cuts, order.ascending, order.last_pool_first);
        let Some(revealed) = revealed else {
            return Ok(None);
        };
        let (key, root) = accumulator.strip(scope, root)?;
        let mask = pools.iter().fold(0, |mask, pool| mask | pool.mask());
        let mut graph = Graph {
            edges: Vec::new(),
            factors: Vec::new(),
            states: 1,
            leaves: Vec::new(),
            key,
            bytes: 0,
        };
        let mut frontier = Vec::new();
        if scope.nodes.mask(root) & mask == 0 {
            graph.leaves.push((0, Leaf::Node(root)));
        } else {
            frontier.push(State {
                node: root,
                sizes: revealed.iter().map(Revealed::full).sum(),
                index: 0,
            });
        }
        Ok(Some(Self {
            levels: order.levels(&revealed),
            taken: 0,
            passed: vec![0; revealed.len()],
            revealed,
            mask,
            frontier,
            graph,
            factors: Factors::default(),
            charged: 0,
            joined: Vec::new(),
            cap: 0,
        }))
    }

    /// How many states the whole will have, if the levels to come have as many as those so far.
    fn expected(&self) -> usize {
        self.cap.saturating_mul(self.levels.len()) / (self.taken + 1)
    }

    /// Takes levels as long as there are no more states than a cap; whether none is left.
    fn advance<A: Accumulator<Key = K>>(
        &mut self,
        scope: &mut Scope<'_>,
        accumulator: &A,
        cap: usize,
    ) -> Attempt<bool> {
        self.cap = cap;
        while self.taken < self.levels.len() {
            self.join_pools(scope, accumulator)?;
            if !self.take_level(scope, accumulator)? {
                return Ok(false);
            }
            self.taken += 1;
        }
        Ok(true)
    }

    /// Where two pools have become alike, lets one take over the dice of the other in each program that only looks at
    /// both together.
    fn join_pools<A: Accumulator<Key = K>>(
        &mut self,
        scope: &mut Scope<'_>,
        accumulator: &A,
    ) -> Attempt<()> {
        for second in 1..self.revealed.len() {
            for first in 0..second {
                let pair = [first, second];
                let [a, b] = pair.map(|index| (&self.revealed[index], self.passed[index]));
                if !self.joined.contains(&pair) && a.0.is_like(a.1, b.0, b.1) {
                    self.joined.push(pair);
                    self.join_pair(scope, accumulator, pair)?;
                }
            }
        }
        Ok(())
    }

    fn join_pair<A: Accumulator<Key = K>>(
        &mut self,
        scope: &mut Scope<'_>,
        accumulator: &A,
        pair: [usize; 2],
    ) -> Attempt<()> {
        let [taker, giver] = pair.map(|index| &self.revealed[index]);
        let mut union = Union::of([taker.pool, giver.pool]);
        let (joining, staying): (Vec<State>, Vec<State>) = self
            .frontier
            .iter()
            .partition(|state| union.is_looked_at_in(scope, state.node));
        let arrivals: Vec<(NodeId, Sizes)> = joining
            .iter()
            .map(|state| {
                let dice = giver.size(state.sizes);
                let sizes = state.sizes - giver.packed(dice) + taker.packed(dice);
                (state.node, sizes)
            })
            .collect();
        let level = Level {
            accumulator,
            revealed: &self.revealed,
            passed: &self.passed,
            index: pair[0],
            place: 0,
        };
        let mut states = States::after(&staying, self.graph.states);
        let arrived = level.prune(scope, &arrivals, &mut states, usize::MAX)?;
        let mut summed_out = SummedOut::default();
        for (state, arrived) in joining.iter().zip(arrived.into_iter().flatten()) {
            let one = self.factors.index(Weight::from(1_u32));
            let factor = summed_out.times(&mut self.factors, one, arrived.gone, &level);
            self.graph.edges.push(Edge {
                from: state.index,
                to: arrived.state,
                factor,
                key: arrived.key,
            });
        }
        let fresh = states.fresh;
        self.frontier = staying;
        self.add_states::<A>(scope, fresh)
    }

    /// States that have been reached for the first time.
    fn add_states<A: Accumulator<Key = K>>(
        &mut self,
        scope: &Scope<'_>,
        fresh: Vec<State>,
    ) -> Attempt<()> {
        self.graph.states += fresh.len();
        let known = self.charged;
        self.charged = self.graph.edges.len();
        let edges = &self.graph.edges[known..];
        let keys: u64 = edges.iter().map(|edge| A::bytes(&edge.key)).sum();
        let bytes = keys + size_of_val(edges) as u64 + size_of_val(&*fresh) as u64;
        scope.budget.take_memory(bytes)?;
        self.graph.bytes += bytes;
        for state in fresh {
            if state.sizes == 0 || scope.nodes.mask(state.node) & self.mask == 0 {
                let leaf = Leaf::Node(state.node);
                self.graph.leaves.push((state.index, leaf));
            } else {
                self.frontier.push(state);
            }
        }
        Ok(())
    }

    fn into_graph(mut self, scope: &mut Scope<'_>) -> Attempt<Graph<K>> {
        for state in std::mem::take(&mut self.frontier) {
            let leaf = self.last_leaf(scope, state)?;
            self.graph.leaves.push((state.index, leaf));
        }
        self.graph.factors = self.factors.weights;
        Ok(self.graph)
    }

    /// What is left when all faces have been shown: dice that lie beyond them, or nothing; what seems to mention a
    /// pool by the bit that it shares with another is finished all the same.
    fn last_leaf(&mut self, scope: &mut Scope<'_>, state: State) -> Attempt<Leaf> {
        let pools = scope.pools_of(state.node);
        let mut revealed = self.revealed.iter();
        if !revealed.any(|pool| pools.binary_search(&pool.pool).is_ok()) {
            return Ok(Leaf::Node(state.node));
        }
        let hidden = self.revealed.iter().map(|pool| {
            let dice = pool.size(state.sizes).into();
            let hidden = Hidden {
                least: dice,
                most: dice,
                ..pool.hidden(pool.faces.len())
            };
            (pool.pool, hidden)
        });
        let mut context = Context::new(hidden.collect(), Vec::new());
        let shown: Vec<PoolId> = self.revealed.iter().map(|pool| pool.pool).collect();
        let bounds = if scope.waits_beside(state.node, &shown) {
            Bounds::UNKNOWN
        } else {
            scope.within(&mut context, |scope| scope.bounds(state.node))?
        };
        let weight = ways(&self.revealed, &self.passed, state.sizes);
        Ok(Leaf::Beyond(bounds, self.factors.index(weight)))
    }

    /// Takes the next level, unless there are more states than the cap with it: whether it did.
    fn take_level<A: Accumulator<Key = K>>(
        &mut self,
        scope: &mut Scope<'_>,
        accumulator: &A,
    ) -> Attempt<bool> {
        let (index, place) = self.levels[self.taken];
        self.passed[index] = place + 1;
        let shown = &self.revealed[index];
        let level = Level {
            accumulator,
            revealed: &self.revealed,
            passed: &self.passed,
            index,
            place,
        };
        // Parts of a deck are revealed as long as anything looks at any of them.
        let (touched, untouched): (Vec<State>, Vec<State>) =
            self.frontier.iter().partition(|state| {
                (shown.size(state.sizes) > 0 || level.takes_rest())
                    && scope.nodes.mask(state.node) & shown.mask != 0
            });
        let rows = level.apply(scope, &touched)?;

        let mut arrivals = Vec::new();
        let mut arrival_of: Map<(NodeId, Sizes), u32> = Map::default();
        let mut steps = Vec::new();
        let mut summed_out = SummedOut::default();
        for state in &touched {
            let hidden = shown.size(state.sizes);
            let row = rows.start[&state.node];
            let weights = self.factors.steps(shown, place, hidden, scope.budget)?;
            for dice in level.dice(state.sizes) {
                let place = row + dice as usize;
                let applied = rows.at(place);
                let sizes = state.sizes - shown.packed(dice);
                let factor = self.factors.weights_of_steps[weights.start + dice as usize];
                let gone = sizes & !applied.kept;
                let factor = summed_out.times(&mut self.factors, factor, gone, &level);
                if self.factors.weights[factor as usize] == Weight::ZERO {
                    continue;
                }
                let sizes = sizes & applied.kept;
                let arrival = *arrival_of.entry((applied.node, sizes)).or_insert_with(|| {
                    arrivals.push((applied.node, sizes));
                    count_of(&arrivals) - 1
                });
                steps.push(Step {
                    from: state.index,
                    applied: place,
                    arrival,
                    factor,
                });
            }
            scope.budget.check()?;
        }

        let mut states = States::after(&untouched, self.graph.states);
        let Some(arrived) = level.prune(scope, &arrivals, &mut states, self.cap)? else {
            return Ok(false);
        };
        let fresh = states.fresh;
        for step in steps {
            let applied = rows.at(step.applied);
            let arrived = &arrived[step.arrival as usize];
            let factor = summed_out.times(&mut self.factors, step.factor, arrived.gone, &level);
            if self.factors.weights[factor as usize] == Weight::ZERO {
                continue;
            }
            self.graph.edges.push(Edge {
                from: step.from,
                to: arrived.state,
                factor,
                key: accumulator.combine(&applied.key, &arrived.key),
            });
        }
        self.frontier = untouched;
        self.add_states::<A>(scope, fresh)?;
        Ok(true)
    }
}

fn count_of<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("fewer than 2^32 steps of a level")
}

/// A step, before it is known which state it leads to.
struct Step {
    from: u32,
    /// Its place in the rows of what was applied.
    applied: usize,
    arrival: u32,
    factor: u32,
}

/// A program with a face in place, what was pulled out of it, and the bits of the sizes of pools that it still
/// mentions.
struct Applied<K> {
    key: K,
    node: NodeId,
    kept: Sizes,
}

/// The state that a program is once it is simplified for its sizes, what was pulled out of it, and the dice that it
/// no longer mentions.
struct Arrived<K> {
    key: K,
    state: u32,
    gone: Sizes,
}

/// The states after a level.
struct States {
    index: Map<(NodeId, Sizes), u32>,
    /// How many there were before.
    before: usize,
    fresh: Vec<State>,
}

impl States {
    /// Those that a level does not touch.
    fn after(untouched: &[State], before: usize) -> Self {
        let index = untouched
            .iter()
            .map(|state| ((state.node, state.sizes), state.index));
        Self {
            index: index.collect(),
            before,
            fresh: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.before + self.fresh.len()
    }

    fn index(&mut self, node: NodeId, sizes: Sizes) -> u32 {
        let next = u32::try_from(self.len()).expect("fewer than 2^32 states");
        *self.index.entry((node, sizes)).or_insert_with(|| {
            self.fresh.push(State {
                node,
                sizes,
                index: next,
            });
            next
        })
    }
}

/// Programs with a face in place: for each program a row, with a place for every number of dice.
struct Rows<K> {
    start: Map<NodeId, usize>,
    places: Vec<Option<Applied<K>>>,
}

impl<K> Rows<K> {
    /// What stands at a place that a step asked for.
    fn at(&self, place: usize) -> &Applied<K> {
        self.places[place]
            .as_ref()
            .expect("every step of a state is applied")
    }
}

/// One level: a face of a pool.
struct Level<'a, A: Accumulator> {
    accumulator: &'a A,
    revealed: &'a [Revealed],
    /// How many faces of each pool have been shown after this level.
    passed: &'a [usize],
    index: usize,
    place: usize,
}

impl<A: Accumulator> Level<'_, A> {
    /// Whether the pool is the part of a deck that is the last one to show the face.
    fn takes_rest(&self) -> bool {
        self.revealed[self.index].deck.last() == Some(&self.index)
    }

    /// How many hidden dice can show the face: all of them if it is the last.
    fn dice(&self, sizes: Sizes) -> Range<u32> {
        let shown = &self.revealed[self.index];
        if shown.deck.is_empty() {
            shown.shown(self.place, shown.size(sizes))
        } else {
            shown.shown_of_deck(self.revealed, self.place, sizes, self.takes_rest())
        }
    }

    /// What the pools hide after this level, their sizes given or open.
    fn hidden(&self, sizes: Option<Sizes>) -> Vec<(PoolId, Hidden)> {
        let pools = self.revealed.iter().zip(self.passed);
        pools
            .map(|(pool, &passed)| {
                let mut hidden = pool.hidden(passed);
                if let Some(sizes) = sizes {
                    hidden.least = pool.size(sizes).into();
                    hidden.most = hidden.least;
                }
                (pool.pool, hidden)
            })
            .collect()
    }

    /// The bits of the sizes of pools that a program mentions.
    fn kept(&self, scope: &Scope<'_>, node: NodeId) -> Sizes {
        let mask = scope.nodes.mask(node);
        let kept = self
            .revealed
            .iter()
            .filter(|pool| mask & pool.pool.mask() != 0);
        kept.fold(0, |kept, pool| kept | pool.kept(self.revealed))
    }

    /// The programs of some states with every number of dice that can show the face in place, sizes open.
    fn apply(&self, scope: &mut Scope<'_>, states: &[State]) -> Attempt<Rows<A::Key>> {
        let shown = &self.revealed[self.index];
        let mut most_hidden: Map<NodeId, u32> = Map::default();
        for state in states {
            let most = most_hidden.entry(state.node).or_default();
            *most = shown.size(state.sizes).max(*most);
        }
        let mut start = Map::default();
        let mut length = 0;
        let mut wanted: Vec<(u32, NodeId)> = Vec::new();
        for state in states {
            let most = most_hidden[&state.node];
            let is_first = !start.contains_key(&state.node);
            if is_first {
                start.insert(state.node, length);
                length += most as usize + 1;
            }
            // What fewer hidden dice can show, more can: but for the last face, which all of them show, and for decks,
            // of which they show what is left.
            let dice = self.dice(state.sizes);
            if !shown.deck.is_empty() || dice.start > 0 {
                wanted.extend(dice.map(|dice| (dice, state.node)));
            } else if is_first {
                let dice = shown.shown(self.place, most);
                wanted.extend(dice.map(|dice| (dice, state.node)));
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        let mut places: Vec<Option<Applied<A::Key>>> = Vec::new();
        places.resize_with(length, || None);
        let level = scope.new_epoch();
        for group in wanted.chunk_by(|a, b| a.0 == b.0) {
            let dice = group[0].0;
            let shown = Shown {
                pool: shown.pool,
                value: shown.faces[self.place].0,
                dice,
            };
            let mut context = Context::showing(self.hidden(None), shown, level);
            scope.within(&mut context, |scope| -> Attempt<()> {
                for &(_, node) in group {
                    let place = start[&node] + dice as usize;
                    let node = scope.simplified(node)?;
                    let (key, node) = self.accumulator.strip(scope, node)?;
                    let kept = self.kept(scope, node);
                    places[place] = Some(Applied { key, node, kept });
                }
                Ok(())
            })?;
        }
        Ok(Rows { start, places })
    }

    /// Programs simplified, each for its sizes; nothing where that takes more states than a cap.
    fn prune(
        &self,
        scope: &mut Scope<'_>,
        arrivals: &[(NodeId, Sizes)],
        states: &mut States,
        cap: usize,
    ) -> Attempt<Option<Vec<Arrived<A::Key>>>> {
        let mut order: Vec<usize> = (0..arrivals.len()).collect();
        order.sort_by_key(|&place| arrivals[place].1);
        let mut arrived: Vec<Option<Arrived<A::Key>>> = Vec::new();
        arrived.resize_with(arrivals.len(), || None);
        let mut facets = Map::default();
        let level = scope.new_epoch();
        for group in order.chunk_by(|&a, &b| arrivals[a].1 == arrivals[b].1) {
            let sizes = arrivals[group[0]].1;
            let epochs = self.facets(scope, &mut facets, sizes);
            let mut context = Context::sized(self.hidden(Some(sizes)), epochs, level);
            scope.within(&mut context, |scope| -> Attempt<()> {
                for &place in group {
                    let node = scope.simplified(arrivals[place].0)?;
                    let (key, node) = self.accumulator.strip(scope, node)?;
                    let kept = self.kept(scope, node);
                    arrived[place] = Some(Arrived {
                        key,
                        state: states.index(node, sizes & kept),
                        gone: sizes & !kept,
                    });
                    if states.len() > cap {
                        break;
                    }
                }
                Ok(())
            })?;
            if states.len() > cap {
                return Ok(None);
            }
        }
        scope.forget_facets();
        Ok(Some(arrived.into_iter().flatten().collect()))
    }

    /// The epochs in which each pool hides so many dice.
    fn facets(
        &self,
        scope: &mut Scope<'_>,
        facets: &mut Map<(usize, u32), Epoch>,
        sizes: Sizes,
    ) -> Vec<Epoch> {
        let sizes = self.revealed.iter().map(|pool| pool.size(sizes));
        let epoch = |of| *facets.entry(of).or_insert_with(|| scope.new_epoch());
        sizes.enumerate().map(epoch).collect()
    }
}

/// Weights of steps, each once.
#[derive(Default)]
struct Factors {
    weights: Vec<Weight>,
    index: Map<Weight, u32>,
    /// Where the weights of steps begin in the list after it: for a face of a weight and so many hidden dice.
    steps: Map<(Drawing, Weight, u32), Range<usize>>,
    weights_of_steps: Vec<u32>,
}

impl Factors {
    fn index(&mut self, weight: Weight) -> u32 {
        let weights = &mut self.weights;
        *self.index.entry(weight).or_insert_with_key(|weight| {
            weights.push(weight.clone());
            u32::try_from(weights.len() - 1).expect("fewer than 2^32 factors")
        })
    }

    /// The part of the list of weights for steps of this many hidden dice: one for each number of dice that show the
    /// face at a place.
    fn steps(
        &mut self,
        shown: &Revealed,
        place: usize,
        hidden: u32,
        budget: &Budget<'_>,
    ) -> Result<Range<usize>, LimitReached> {
        let weight = &shown.faces[place].1;
        let key = (shown.drawing, weight.clone(), hidden);
        if let Some(known) = self.steps.get(&key) {
            return Ok(known.clone());
        }
        let start = self.weights_of_steps.len();
        for weight in shown.drawing.steps(weight, hidden, budget)? {
            let factor = self.index(weight);
            self.weights_of_steps.push(factor);
        }
        let range = start..self.weights_of_steps.len();
        self.steps.insert(key, range.clone());
        Ok(range)
    }
}

/// Weights times that of dice that are summed out, at one level.
#[derive(Default)]
struct SummedOut {
    weights: Map<Sizes, Weight>,
    products: Map<(u32, Sizes), u32>,
}

impl SummedOut {
    /// A weight times that of all that these dice can still show.
    fn times<A: Accumulator>(
        &mut self,
        factors: &mut Factors,
        factor: u32,
        gone: Sizes,
        level: &Level<'_, A>,
    ) -> u32 {
        if gone == 0 {
            return factor;
        }
        *self.products.entry((factor, gone)).or_insert_with(|| {
            let weight = self.weights.entry(gone);
            let weight = weight.or_insert_with(|| ways(level.revealed, level.passed, gone));
            factors.index(&factors.weights[factor as usize] * &*weight)
        })
    }
}
