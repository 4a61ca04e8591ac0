//! The graph of a program, explored level by level.
//!
//! A *level* is a face and a pool. At a level, `k` of the `n` hidden dice of the pool show the face, with weight
//! `C(n, k) · w^k` for the face's weight `w` (for a deck, `C(w, k)`). The program that is left, with the number of
//! dice still hidden, is the next state. A pool that the program no longer mentions is summed out at once, with
//! weight `W^n` for the total `W` of the faces that are left. Unlisted values of dice are left to the end, where only
//! their bounds are known.
//!
//! The graph is explored without weights first, in every possible [`Direction`] in turns. Only the smallest graph is
//! weighed.

use crate::algebra::{Weight, power};
use crate::engine::program::{Bounds, Context, Drawing, Hidden, NodeId, PoolId, Store};
use crate::engine::reveal::faces::{
    CountingFilters, Revealed, Sizes, arrangements, choices, counting_filters, revealed, ways,
};
use crate::engine::reveal::graph::{Direction, Edge, Graph, Leaf, orders};
use crate::engine::reveal::level::{Factors, Level, NO_STEP, States, SummedOut, UnexploredState};
use crate::engine::reveal::strip::Monoid;
use crate::engine::reveal::tails::{DiceInTails, Tails, dice_in_tails};
use crate::engine::reveal::union::Union;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::limits::{LimitReached, Reserved};
use crate::map::Map;

/// The number of states that every direction may have in its first turn.
const FIRST_CAP: usize = 64;

/// The number of states, for each direction there is, up to which a direction goes on in its first turn, if it promises to end
/// there. The first turns of the others would cost about as much as they could save.
const SMALL: usize = 256;

/// The factor by which the number of states that a direction may have grows from turn to turn.
const GROWTH: usize = 4;

/// The graph of a program that reveals these pools, and the total of the weights.
pub(in crate::engine) fn graph<'a, M: Monoid>(
    store: &mut Store<'a>,
    root: NodeId,
    pools: &[PoolId],
    monoid: &M,
) -> Attempt<(Graph<'a, M::Key>, Weight)> {
    let graph = smaller_graph(store, root, pools, monoid)?;
    store.budget.count_states(graph.states as u64)?;
    store.budget.count_steps(graph.edges.len() as u64);
    let mut decks = Vec::new();
    let mut total = Weight::from(1_u32);
    for &pool in pools {
        let known = store.pools.get(pool);
        let die = store.pools.die_of(known.die);
        total *= match known.drawing {
            Drawing::Independent => power(die.law.total(), known.dice.into(), store.budget)?,
            Drawing::WithoutReplacement => choices(die.law.total(), known.dice, store.budget)?,
            Drawing::Shuffled(places) if decks.contains(&places.deck) => continue,
            Drawing::Shuffled(places) => {
                decks.push(places.deck);
                let copies = die.faces.iter().map(|(_, weight)| weight);
                arrangements(places.of, copies, store.budget)?
            }
        };
    }
    Ok((graph, total))
}

/// The graph in a direction that leaves few states.
///
/// The directions take turns. The next turn goes to the direction that will have the fewest states, if it goes on at
/// the rate of its levels so far. A turn ends with a level, so that hardly any work is done twice: the cost is little
/// more than that of the chosen graph and of the first turns of the others.
fn smaller_graph<'a, M: Monoid>(
    store: &mut Store<'a>,
    root: NodeId,
    pools: &[PoolId],
    monoid: &M,
) -> Attempt<Graph<'a, M::Key>> {
    let most = usize::try_from(store.budget.states_left()).unwrap_or(usize::MAX);
    let too_many = LimitReached::States(store.budget.limits().states);
    let counting_filters = counting_filters(store, root);
    let orders = orders(store, pools)?;
    let small = most.min(SMALL * orders.len());
    let mut explorations = Vec::with_capacity(orders.len());
    for order in orders {
        let mut exploration =
            Exploration::new(store, root, pools, order, &counting_filters, monoid)?
                .ok_or(too_many)?;
        let mut is_whole = exploration.advance(store, monoid, FIRST_CAP.min(most), most)?;
        let expected = exploration.expected();
        let is_best = |other: &Exploration<'_, M::Key>| 2 * expected < other.expected();
        if !is_whole && expected <= small && explorations.iter().all(is_best) {
            is_whole = exploration.advance(store, monoid, small, most)?;
        }
        if is_whole {
            return exploration.into_graph(store);
        }
        explorations.push(exploration);
    }
    let mut current = 0;
    while !explorations.is_empty() {
        let expected = |index: &usize| explorations[*index].expected();
        let best = (0..explorations.len()).min_by_key(expected).unwrap_or(0);
        // Only a clear difference is worth a change of direction.
        if current >= explorations.len() || 2 * expected(&best) < expected(&current) {
            current = best;
        }
        let exploration = &mut explorations[current];
        let cap = exploration.cap.saturating_mul(GROWTH).min(most);
        let is_whole = exploration.advance(store, monoid, cap, most)?;
        if is_whole || cap == most {
            let exploration = explorations.swap_remove(current);
            if is_whole {
                return exploration.into_graph(store);
            }
        }
    }
    Err(too_many.into())
}

/// A graph that is being explored in one direction, level by level.
struct Exploration<'a, K> {
    revealed: Vec<Revealed>,
    levels: Vec<(usize, usize)>,
    /// How many levels have been taken.
    taken: usize,
    /// How many faces of each pool have been shown.
    passed: Vec<usize>,
    /// All pools, as a mask.
    mask: u64,
    frontier: Vec<UnexploredState>,
    graph: Graph<'a, K>,
    factors: Factors,
    /// The number of edges whose memory the budget has counted.
    charged: usize,
    /// Pairs of exchangeable pools, joined where a program looks at both together only.
    joined: Vec<[usize; 2]>,
    /// The number of states after which the last turn was to end.
    cap: usize,
    /// At least so many states after so many levels, as the last turn found.
    rate: (usize, usize),
}

impl<'a, K: Clone> Exploration<'a, K> {
    /// The exploration before the first level. `None` if the pools have too many dice.
    fn new<M: Monoid<Key = K>>(
        store: &mut Store<'a>,
        root: NodeId,
        pools: &[PoolId],
        order: Direction,
        counting_filters: &CountingFilters,
        monoid: &M,
    ) -> Attempt<Option<Self>> {
        let revealed = revealed(
            store,
            pools,
            counting_filters,
            order.ascending,
            order.last_pool_first,
        )?;
        let Some(revealed) = revealed else {
            return Ok(None);
        };
        let faces = revealed.iter().map(|pool| pool.faces.len()).sum();
        store.has_room_for::<[usize; 6]>(faces)?;
        let (key, root) = monoid.strip(store, root)?;
        let mask = pools.iter().fold(0, |mask, pool| mask | pool.mask());
        let mut graph = Graph {
            edges: Vec::new(),
            factors: Vec::new(),
            states: 1,
            leaves: Vec::new(),
            beyond: Vec::new(),
            key,
            held: Reserved::none(store.budget),
        };
        let mut frontier = Vec::new();
        if store.nodes.mask(root) & mask == 0 {
            graph.leaves.push((0, Leaf::Node(root)));
        } else {
            frontier.push(UnexploredState {
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
            rate: (0, 1),
        }))
    }

    /// The number of states of the whole graph, if the levels to come have as many as those so far.
    fn expected(&self) -> usize {
        let (states, levels) = self.rate;
        states.saturating_mul(self.levels.len()) / levels
    }

    /// Takes levels until there are more states than `cap`. A level that would have many more, or more than `most`, is
    /// left to the next turn. Returns whether no level is left.
    fn advance<M: Monoid<Key = K>>(
        &mut self,
        store: &mut Store<'_>,
        monoid: &M,
        cap: usize,
        most: usize,
    ) -> Attempt<bool> {
        self.cap = cap;
        let most = cap.saturating_mul(GROWTH).min(most);
        while self.taken < self.levels.len() {
            if self.graph.states > cap {
                self.rate = (self.graph.states, self.taken.max(1));
                return Ok(false);
            }
            self.join_pools(store, monoid)?;
            if !self.take_level(store, monoid, most)? {
                self.rate = (most, self.taken + 1);
                return Ok(false);
            }
            self.taken += 1;
        }
        Ok(true)
    }

    /// Finds pairs of pools that have become exchangeable. In each program that looks at both together only, one pool
    /// takes over the dice of the other.
    fn join_pools<M: Monoid<Key = K>>(&mut self, store: &mut Store<'_>, monoid: &M) -> Attempt<()> {
        for second in 1..self.revealed.len() {
            for first in 0..second {
                let pair = [first, second];
                let [a, b] = pair.map(|index| (&self.revealed[index], self.passed[index]));
                if !self.joined.contains(&pair) && a.0.is_exchangeable_with(a.1, b.0, b.1) {
                    self.joined.push(pair);
                    self.join_pair(store, monoid, pair)?;
                }
            }
        }
        Ok(())
    }

    fn join_pair<M: Monoid<Key = K>>(
        &mut self,
        store: &mut Store<'_>,
        monoid: &M,
        pair: [usize; 2],
    ) -> Attempt<()> {
        let [taker, giver] = pair.map(|index| &self.revealed[index]);
        let mut union = Union::of([taker.pool, giver.pool]);
        let (joining, staying): (Vec<UnexploredState>, Vec<UnexploredState>) = self
            .frontier
            .iter()
            .partition(|state| union.can_replace_pools_in(store, state.node));
        let arrivals: Vec<(NodeId, Sizes)> = joining
            .iter()
            .map(|state| {
                let dice = giver.size(state.sizes);
                let sizes = state.sizes - giver.packed(dice) + taker.packed(dice);
                (state.node, sizes)
            })
            .collect();
        let level = Level {
            monoid,
            revealed: &self.revealed,
            passed: &self.passed,
            index: pair[0],
            place: 0,
        };
        let mut states = States::after(&staying, self.graph.states);
        let arrived = level.simplify_for_sizes(store, &arrivals, &mut states, usize::MAX)?;
        let mut summed_out = SummedOut::default();
        for (state, arrived) in joining.iter().zip(arrived.into_iter().flatten()) {
            let one = self.factors.index(Weight::from(1_u32));
            let factor =
                summed_out.times(&mut self.factors, one, arrived.gone, &level, store.budget)?;
            if factor == NO_STEP {
                continue;
            }
            self.graph.edges.push(Edge {
                from: state.index,
                to: arrived.state,
                factor,
                key: arrived.key,
            });
        }
        let fresh = states.fresh;
        self.frontier = staying;
        self.add_states::<M>(store, fresh)
    }

    /// Adds states that have been reached for the first time.
    fn add_states<M: Monoid<Key = K>>(
        &mut self,
        store: &Store<'_>,
        fresh: Vec<UnexploredState>,
    ) -> Attempt<()> {
        self.graph.states += fresh.len();
        let known = self.charged;
        self.charged = self.graph.edges.len();
        let edges = &self.graph.edges[known..];
        let keys: u64 = edges.iter().map(|edge| M::bytes(&edge.key)).sum();
        let bytes = keys + size_of_val(edges) as u64 + size_of_val(&*fresh) as u64;
        self.graph.held.take(bytes)?;
        store
            .budget
            .has_room_for_more(&self.frontier, fresh.len())?;
        self.frontier.reserve(fresh.len());
        for state in fresh {
            if state.sizes == 0 || store.nodes.mask(state.node) & self.mask == 0 {
                let leaf = Leaf::Node(state.node);
                self.graph.leaves.push((state.index, leaf));
            } else {
                self.frontier.push(state);
            }
        }
        Ok(())
    }

    fn into_graph(mut self, store: &mut Store<'_>) -> Attempt<Graph<'a, K>> {
        let pools = self.revealed.iter().map(|pool| pool.pool);
        let dice = dice_in_tails(store, pools);
        for state in std::mem::take(&mut self.frontier) {
            let leaf = self.last_leaf(store, state, &dice)?;
            self.graph.leaves.push((state.index, leaf));
        }
        self.graph.factors = self.factors.weights;
        Ok(self.graph)
    }

    /// The leaf of a program when all faces have been shown: only dice with unlisted values are hidden, or none. The
    /// mask may claim a pool that the program does not mention, because pools share bits.
    fn last_leaf(
        &mut self,
        store: &mut Store<'_>,
        state: UnexploredState,
        dice: &DiceInTails,
    ) -> Attempt<Leaf> {
        let pools = store.pools_of(state.node);
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
        let (bounds, known) = if store.may_never_show_except(state.node, &shown) {
            (Bounds::UNKNOWN, None)
        } else {
            let bounds = store.within(&mut context, |store| store.bounds(state.node))?;
            let known = if store.is_number(state.node) {
                Tails::new(dice, &mut context).known(store, state.node)?
            } else {
                None
            };
            (bounds, known)
        };
        self.graph.beyond.push(known);
        let weight = ways(&self.revealed, &self.passed, state.sizes, store.budget)?;
        Ok(Leaf::Beyond(bounds, self.factors.index(weight)))
    }

    /// Takes the next level, unless the graph would have more states than the cap. Returns whether it was taken.
    fn take_level<M: Monoid<Key = K>>(
        &mut self,
        store: &mut Store<'_>,
        monoid: &M,
        cap: usize,
    ) -> Attempt<bool> {
        let (index, place) = self.levels[self.taken];
        let passed_before = std::mem::replace(&mut self.passed[index], place + 1);
        let shown = &self.revealed[index];
        let level = Level {
            monoid,
            revealed: &self.revealed,
            passed: &self.passed,
            index,
            place,
        };
        let (affected, unaffected) = affected_by(store, &level, &self.frontier)?;
        let rows = level.show_face(store, &affected)?;

        let least = affected.len();
        let choices = affected.iter().map(|state| level.dice(state.sizes).len());
        let most: usize = choices.sum();
        let mut arrivals = Vec::new();
        let mut arrival_of: Map<(NodeId, Sizes), u32> = Map::default();
        let mut steps = Vec::new();
        store.budget.has_room_for_more(&arrival_of, 2 * least)?;
        arrival_of.reserve(2 * least);
        store.budget.has_room_for_more(&arrivals, 2 * least)?;
        arrivals.reserve(2 * least);
        store.budget.has_room_for_more(&steps, most)?;
        steps.reserve(most);
        let mut summed_out = SummedOut::default();
        for (state, &row) in affected.iter().zip(&rows.starts) {
            let hidden = shown.size(state.sizes);
            let weights =
                self.factors
                    .steps(shown, place, hidden, store.budget, &mut self.graph.held)?;
            for dice in level.dice(state.sizes) {
                store.budget.check()?;
                let place = row + dice as usize;
                let applied = rows.at(place);
                let sizes = state.sizes - shown.packed(dice);
                let factor = self.factors.weights_of_steps[weights.start + dice as usize];
                let gone = sizes & !applied.kept;
                let factor =
                    summed_out.times(&mut self.factors, factor, gone, &level, store.budget)?;
                if factor == NO_STEP {
                    continue;
                }
                let sizes = sizes & applied.kept;
                store.budget.has_room_for_more(&arrival_of, 1)?;
                store.budget.has_room_for_more(&arrivals, 1)?;
                let arrival = *arrival_of.entry((applied.node, sizes)).or_insert_with(|| {
                    arrivals.push((applied.node, sizes));
                    count_of(&arrivals) - 1
                });
                steps.push(PendingStep {
                    from: state.index,
                    applied: place,
                    arrival,
                    factor,
                });
            }
        }

        let mut states = States::after(&unaffected, self.graph.states);
        let Some(arrived) = level.simplify_for_sizes(store, &arrivals, &mut states, cap)? else {
            // The next turn takes this level again. Until then its face is not shown.
            self.passed[index] = passed_before;
            return Ok(false);
        };
        let fresh = states.fresh;
        store
            .budget
            .has_room_for_more(&self.graph.edges, steps.len())?;
        self.graph.edges.reserve(steps.len());
        for step in steps {
            let applied = rows.at(step.applied);
            let arrived = &arrived[step.arrival as usize];
            let factor = summed_out.times(
                &mut self.factors,
                step.factor,
                arrived.gone,
                &level,
                store.budget,
            )?;
            if factor == NO_STEP {
                continue;
            }
            let bytes = M::bytes(&applied.key).saturating_add(M::bytes(&arrived.key));
            store.budget.has_room_for(bytes)?;
            self.graph.edges.push(Edge {
                from: step.from,
                to: arrived.state,
                factor,
                key: monoid.combine(&applied.key, &arrived.key),
            });
        }
        self.frontier = unaffected;
        self.add_states::<M>(store, fresh)?;
        Ok(true)
    }
}

/// The states whose programs look at the face of a level, and the others.
fn affected_by<M: Monoid>(
    store: &Store<'_>,
    level: &Level<'_, M>,
    states: &[UnexploredState],
) -> Result<(Vec<UnexploredState>, Vec<UnexploredState>), LimitReached> {
    store.has_room_for::<UnexploredState>(states.len())?;
    let (mut affected, mut unaffected) = (Vec::with_capacity(states.len()), Vec::new());
    let shown = &level.revealed[level.index];
    for &state in states {
        // Parts of a deck are revealed as long as the program mentions any of them.
        let is_affected = (shown.size(state.sizes) > 0 || level.takes_rest())
            && store.nodes.mask(state.node) & shown.mask != 0;
        if is_affected {
            affected.push(state);
        } else {
            unaffected.push(state);
        }
    }
    Ok((affected, unaffected))
}

fn count_of<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("fewer than 2^32 steps of a level")
}

/// A step, before it is known which state it leads to.
struct PendingStep {
    from: u32,
    /// The place of the applied program in the rows.
    applied: usize,
    arrival: u32,
    factor: u32,
}
