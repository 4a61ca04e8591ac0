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

use std::cmp::Ordering;

use super::accumulate::{Accumulator, LawOf};
use super::bounds::{Bounds, Hidden};
use super::faces::{Cuts, Revealed, Sizes, arrangements, binomial, ways};
use super::level::{Factors, Level, State, States, SummedOut};
use super::node::NodeId;
use super::pool::{Drawing, PoolId};
use super::scope::{Context, Scope};
use super::solve::Valued as _;
use super::union::Union;
use super::{Attempt, Stop};
use crate::algebra::Weight;
use crate::engine::reason::Reason;
use crate::limits::{FaceOrder, LimitReached};
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
            return Err(Stop::Unsupported(Reason::DiceUnboundedOnBothSides));
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
