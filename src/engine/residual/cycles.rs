//! Loops: cyclic graphs of residual programs.
//!
//! [`Node::Loop`] is what comes after a value of a loop. It is *unfolded* by writing out one round: the value of the body,
//! and what comes after that. A program with loops is a state. Its steps are found by unfolding its loops and
//! revealing the pools that it mentioned before; what is left mentions only pools that the unfolding made, and with these
//! renamed in the order in which they occur it is a state again, often the same. So the state of
//! `sum (while x = 3#d6 do ((count ==6 x)#d6))` is the number of dice that are rolled next, four states in
//! all: what the body and the consumer do not look at is revealed and forgotten, and what is pulled out of
//! a sum stays on the edge.
//!
//! - Sums become a finite [`Chain`] whose steps add numbers: each outcome exact, one after the other, exact moments,
//!   and the exact probability of going on for ever.
//! - Where no step adds anything, the probabilities of the outcomes are the solution of a linear system.
//! - Lists are listed by length (see [`super::by_length`]).
//!
//! A loop with too many states is followed as far as they go; the weight that leaves them is unresolved.

use std::collections::BTreeMap;

use num_integer::Integer as _;

use super::accumulate::{Accumulator as _, Plain, Stepping, Sums};
use super::bounds::is_infinite;
use super::graph::Leaf;
use super::hazards::Hazard;
use super::law::{Law, Vague};
use super::moments::Moments;
use super::node::{Body, Closure, ClosureId, Compare, Node, NodeId, Part};
use super::pool::{DieId, Drawing, Places, Pool, PoolId};
use super::scope::{Context, Scope};
use super::translate::Order;
use super::undecided::Among;
use super::{Attempt, Stop};
use crate::algebra::weight::{lcm, probability};
use crate::algebra::{Chain, EndId, Numbers, StateId, Target, Weight};
use crate::engine::failure::Failure;
use crate::engine::reason::Reason;
use crate::ir::Folding;
use crate::map::Map;
use crate::number::{Fraction, Integer};

/// A loop with more states than this is followed no further.
const MOST_STATES: usize = 5_000;

/// So many states are followed of a loop that has too many.
const FOLLOWED: usize = 400;

/// What a value of a loop is marked with where its evaluation failed: this, and the number of the failure. A member as large as
/// this is left to the slow evaluator.
pub(super) const MARKS: i64 = 1 << 61;

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum To {
    /// To a state, by its index.
    State(usize),
    /// To a program without loops.
    End(NodeId),
}

/// The steps from a state: ways with what is pulled out, a weight and where they lead; and the weight of what is revealed without
/// ever coming to an end. They add up to the total, or less where ways are not followed.
pub(super) struct Steps<K, T> {
    pub(super) total: Weight,
    pub(super) never: Weight,
    pub(super) ways: Vec<(K, Weight, T)>,
}

/// The steps from each state that was found, the first one first.
pub(super) type States<K> = Vec<Steps<K, To>>;

impl<K> Steps<K, To> {
    /// A chain of states, without their steps. Where a state may never be left, a step leads to a trap.
    pub(super) fn chain(
        states: &[Self],
        scales: impl Iterator<Item = Weight>,
    ) -> (Chain, Vec<StateId>) {
        let mut chain = Chain::new();
        let scales: Vec<Weight> = scales.collect();
        let ids: Vec<StateId> = states
            .iter()
            .zip(&scales)
            .map(|(state, scale)| chain.add_state(&state.total * scale))
            .collect();
        if states.iter().any(|state| state.never != Weight::ZERO) {
            let one = Weight::from(1_u32);
            let trap = chain.add_state(one.clone());
            chain.add_step(trap, one, 0, Target::State(trap));
            for ((state, scale), &from) in states.iter().zip(&scales).zip(&ids) {
                if state.never != Weight::ZERO {
                    chain.add_step(from, &state.never * scale, 0, Target::State(trap));
                }
            }
        }
        (chain, ids)
    }
}

impl Scope<'_> {
    /// Whether a node mentions a loop.
    pub(super) fn has_loop(&mut self, id: NodeId) -> bool {
        if let Some(&known) = self.facts.loops.get(&id) {
            return known;
        }
        let has = self
            .descending(id)
            .into_iter()
            .any(|id| matches!(self.nodes.get(id), Node::Loop(..)));
        self.facts.loops.insert(id, has);
        has
    }

    /// What comes after a value of a loop, one round of it written out.
    fn unfolded(&mut self, value: NodeId, body: &Body, order: Order) -> Attempt<NodeId> {
        let nothing = self.empty();
        let mut goes_on = self.is_not_empty(value)?;
        if body.part == Part::Marked {
            let marks = self.constant(MARKS);
            let marked = self.filtered(Compare::AtLeast, marks, value)?;
            let (marked, zero) = (self.is_not_empty(marked)?, self.constant(0));
            goes_on = self.choose(marked, zero, goes_on)?;
        }
        // Of a mark the body would make anything.
        if self.as_constant(goes_on) == Some(0) {
            return Ok(nothing);
        }
        let mut environment = body.environment.to_vec();
        let (mut next, hazards) =
            self.apart(|scope| scope.translate_with(body.term, value, order, &mut environment))?;
        let waits = self.waits(&hazards)?;
        if body.part == Part::Marked {
            let high = self.bounds(next)?.high;
            if high >= MARKS && !is_infinite(high) {
                return Err(Stop::Unsupported(Reason::LongLoopMembers));
            }
            // The first error in the order of evaluation is the one that ends it.
            for (when, failure) in self.possible(&hazards)?.into_iter().rev() {
                let mark = self.mark(failure);
                let mark = self.constant(mark);
                next = self.choose(when, mark, next)?;
            }
        }
        let closure = self.nodes.closure(Closure::Body(body.clone()));
        let name = self.pools.name();
        let after = self.looped(next, closure, order, name)?;
        let rest = self.sequence(order, vec![next, after, waits])?;
        self.choose(goes_on, rest, nothing)
    }

    /// The node with its loops unfolded once.
    fn unfold(&mut self, id: NodeId) -> Attempt<NodeId> {
        let mut unfolded: Vec<(NodeId, NodeId)> = Vec::new();
        // Inner loops first: an outer one is made again from what becomes of them.
        for id in self.descending(id).into_iter().rev() {
            let Node::Loop(value, closure, order, _) = *self.nodes.get(id) else {
                continue;
            };
            let body = self.nodes.body_of(closure).clone();
            if self.has_loop(value) || body.environment.iter().any(|&id| self.has_loop(id)) {
                continue;
            }
            let rest = self.unfolded(value, &body, order)?;
            unfolded.push((id, rest));
        }
        self.replaced(id, &unfolded)
    }

    /// A state in the form that it shares with those that are the same but for the names of pools.
    pub(super) fn settled(&mut self, id: NodeId) -> Attempt<NodeId> {
        let mut id = self.closed_parts_solved(id, false)?;
        if let Some(apart) = self.dealt_apart(id)? {
            id = apart;
        }
        let mut found: Vec<PoolId> = Vec::new();
        let mut seen: Map<NodeId, ()> = Map::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if self.nodes.mask(id) == 0 || seen.insert(id, ()).is_some() {
                continue;
            }
            let node = self.nodes.get(id);
            if let Some(pool) = self.nodes.pool_of(node)
                && !found.contains(&pool)
            {
                found.push(pool);
            }
            let first = open.len();
            self.nodes.for_children(node, |child| open.push(child));
            open[first..].reverse();
        }
        let mut decks: Map<PoolId, PoolId> = Map::default();
        let mut renamed: Vec<(PoolId, PoolId)> = Vec::with_capacity(found.len());
        for (index, pool) in found.into_iter().enumerate() {
            let name = match self.pools.known(pool).cloned() {
                Some(Pool {
                    die,
                    dice,
                    drawing: Drawing::Shuffled(places),
                }) => {
                    let deck = *decks
                        .entry(places.deck)
                        .or_insert_with(|| self.pools.canonical_deck(index, die, places.of));
                    self.pools.places(die, Places { deck, ..places }, dice)
                }
                _ => self.pools.canonical(index, pool),
            };
            if name != pool {
                renamed.push((pool, name));
            }
        }
        if renamed.is_empty() {
            return Ok(id);
        }
        self.under(&mut Context::renaming(renamed), id)
    }

    /// The steps from a program with loops to what can follow it.
    pub(super) fn steps<A: Stepping>(
        &mut self,
        id: NodeId,
        accumulator: &A,
    ) -> Attempt<Steps<A::Key, NodeId>> {
        let mut pools = self.revealable(id);
        let one = Weight::from(1_u32);
        if self.undecided(id, Among::Dice)?.is_some() {
            return Err(Stop::Unsupported(Reason::NeverEndsBehindCondition));
        }
        if pools.iter().any(|&pool| self.never_shows(pool)) {
            return Ok(Steps {
                total: one.clone(),
                never: one,
                ways: Vec::new(),
            });
        }
        let root = self.unfold(id)?;
        let mentioned = self.pools_of(root);
        pools.retain(|pool| mentioned.contains(pool));
        self.add_rests_of_decks(root, &mut pools)?;
        let mut ways = Vec::new();
        if pools.is_empty() {
            let (key, rest) = accumulator.strip(self, root)?;
            let rest = self.settled(rest)?;
            ways.push((key, one.clone(), rest));
            return Ok(Steps {
                total: one,
                never: Weight::ZERO,
                ways,
            });
        }
        let (graph, total) = self.graph(root, &pools, accumulator)?;
        let reached = accumulator.reached(&graph, &total, self.budget)?;
        self.budget.give_memory(graph.bytes);
        for (reached, (_, leaf)) in reached.into_iter().zip(graph.leaves) {
            let Leaf::Node(leaf) = leaf else {
                return Err(Stop::Unsupported(Reason::LoopOverUnboundedDice));
            };
            let leaf = self.settled(leaf)?;
            let (more, leaf) = accumulator.strip(self, leaf)?;
            for (key, weight) in reached {
                ways.push((accumulator.combine(&key, &more), weight, leaf));
            }
        }
        // A die without an end has no leaf that is a node, so what is missing never ends.
        let never = ways
            .iter()
            .fold(total.clone(), |left, (_, weight, _)| left - weight);
        Ok(Steps { total, never, ways })
    }

    /// All states of a program with loops, the first one first, with their steps; and whether these are all.
    pub(super) fn explored<A: Stepping>(
        &mut self,
        root: NodeId,
        accumulator: &A,
    ) -> Attempt<(States<A::Key>, bool)> {
        let mut index_of: Map<NodeId, usize> = Map::default();
        index_of.insert(root, 0);
        let mut nodes = vec![root];
        let mut states: States<A::Key> = Vec::new();
        let before = self.budget.states();
        while states.len() < nodes.len() {
            let is_costly = self.budget.states() - before > MOST_STATES as u64 * 20;
            if nodes.len() > MOST_STATES || is_costly && states.len() >= FOLLOWED {
                states.truncate(FOLLOWED);
                let followed = states.len();
                for steps in &mut states {
                    steps
                        .ways
                        .retain(|(_, _, to)| !matches!(to, To::State(index) if *index >= followed));
                }
                return Ok((states, false));
            }
            self.budget.count_states(1)?;
            let Steps { total, never, ways } = self.steps(nodes[states.len()], accumulator)?;
            let mut merged: BTreeMap<(A::Key, To), Weight> = BTreeMap::new();
            for (key, weight, node) in ways {
                let to = if self.has_loop(node) {
                    let index = *index_of.entry(node).or_insert_with(|| {
                        nodes.push(node);
                        nodes.len() - 1
                    });
                    To::State(index)
                } else {
                    To::End(node)
                };
                *merged.entry((key, to)).or_default() += weight;
            }
            let size =
                |weight: &Weight| size_of::<(A::Key, Weight, To)>() as u64 + weight.bits() / 8;
            self.budget.take_memory(merged.values().map(size).sum())?;
            let ways = merged
                .into_iter()
                .map(|((key, to), weight)| (key, weight, to))
                .collect();
            states.push(Steps { total, never, ways });
        }
        Ok((states, true))
    }

    /// The distribution of a number that loops.
    pub(super) fn law_of_loops(&mut self, id: NodeId) -> Attempt<Law> {
        let _part = self.budget.part("a loop as a chain of states");
        let settled = self.settled(id)?;
        let (key, root) = Sums.strip(self, settled)?;
        if let Some(law) = self.law_of_branching(root)? {
            return law.shifted(&key.into());
        }
        let (states, whole) = self.explored(root, &Sums)?;
        let (law, whole) = if adds_both_signs(&states) {
            // With constants left where they are the states are more, but nothing is added on the way.
            let (states, whole) = self.explored(settled, &Plain)?;
            (self.walked(&states)?.law(0, whole, self)?, whole)
        } else {
            (self.walked(&states)?.law(key, whole, self)?, whole)
        };
        if whole {
            return Ok(law);
        }
        match self.never_of_loops(id)? {
            Some(never) => law.with_never(&never, self.budget),
            None => Ok(law),
        }
    }

    fn walked(&mut self, states: &[Steps<i64, To>]) -> Attempt<Walk> {
        let mut endings: Map<NodeId, Law> = Map::default();
        for (_, _, to) in states.iter().flat_map(|state| &state.ways) {
            if let To::End(node) = *to
                && !endings.contains_key(&node)
            {
                let law = self.law(node)?;
                law.complete()?;
                endings.insert(node, (*law).clone());
            }
        }
        Walk::of(states, &endings)
    }

    /// The probability that some loop of a program never ends, if the program asks for more than that: it can be known where
    /// what the loops add up to is not.
    pub(super) fn never_of_loops(&mut self, id: NodeId) -> Attempt<Option<Fraction>> {
        let mut loops = self.descending(id);
        loops.retain(|&id| matches!(self.nodes.get(id), Node::Loop(..)));
        let over = loops
            .into_iter()
            .map(|list| Ok((1, self.over(list)?)))
            .collect::<Attempt<Vec<_>>>()?;
        let over = self.linear(0, &over)?;
        if over == id {
            return Ok(None);
        }
        let ends = self.law(over)?;
        Ok(Some(probability(&ends.never(), ends.total())))
    }

    /// How little may stay beyond what is listed of a loop.
    pub(super) fn tolerance(&self) -> Fraction {
        &self.budget.limits().tolerance * &self.depth
    }

    /// The number that stands for a failure among marks.
    fn mark(&mut self, failure: Failure) -> i64 {
        let known = self.marks.iter().position(|&known| known == failure);
        let index = known.unwrap_or_else(|| {
            self.marks.push(failure);
            self.marks.len() - 1
        });
        MARKS + i64::try_from(index).expect("fewer than 2^32 failures")
    }

    /// 0, once all loops of a list are over, those that its dice are made of included.
    pub(super) fn over(&mut self, list: NodeId) -> Attempt<NodeId> {
        if self.nodes.mask(list) == 0 {
            return Ok(self.constant(0));
        }
        match self.nodes.get(list).clone() {
            Node::Join(parts) | Node::Chain(parts) => {
                let mut over = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    over.push((1, self.over(part)?));
                }
                self.linear(0, &over)
            }
            Node::If(condition, a, b) => {
                let (a, b) = (self.over(a)?, self.over(b)?);
                self.choose(condition, a, b)
            }
            Node::Copies(count, list) => {
                let (over, zero) = (self.over(list)?, self.constant(0));
                let some = self.at_least(count, 1)?;
                self.choose(some, over, zero)
            }
            Node::Loop(..) => Ok(self.nodes.intern(Node::Over(list))),
            Node::Draw(pool) | Node::Pool(pool) => {
                let die = self.pools.get(pool).die;
                Ok(self.over_of_dice(list, die))
            }
            Node::Draws(_, die, _) => Ok(self.over_of_dice(list, die)),
            _ => Ok(self.constant(0)),
        }
    }
}

impl Scope<'_> {
    /// 0, once the loops that dice are made of are over.
    fn over_of_dice(&mut self, dice: NodeId, die: DieId) -> NodeId {
        if self.pools.die_of(die).law.never() == Weight::ZERO {
            return self.constant(0);
        }
        self.nodes.intern(Node::Over(dice))
    }
}

/// What the steps between states add.
fn inner_steps(states: &[Steps<i64, To>]) -> impl Iterator<Item = i64> {
    let steps = states.iter().flat_map(|state| &state.ways);
    steps.filter_map(|(add, _, to)| matches!(to, To::State(_)).then_some(*add))
}

fn adds_both_signs(states: &[Steps<i64, To>]) -> bool {
    inner_steps(states).any(|add| add < 0) && inner_steps(states).any(|add| add > 0)
}

/// A chain whose steps add numbers that are not negative, and how its sums are read: `sign·(first + step·sum)`.
struct Walk {
    chain: Chain,
    start: StateId,
    sign: i64,
    first: i64,
    step: i64,
    /// The outcomes of the ways to end, where no inner step adds anything.
    ends: Option<Vec<i64>>,
}

impl Walk {
    /// The chain of states whose inner steps do not add numbers of both signs.
    fn of(states: &[Steps<i64, To>], endings: &Map<NodeId, Law>) -> Attempt<Self> {
        let inner = || inner_steps(states);
        let sign = if inner().any(|add| add < 0) { -1 } else { 1 };
        // Every way to end once, with the outcomes of the program that is left.
        let mut last: Vec<(usize, Weight, i64)> = Vec::new();
        let mut totals: Vec<Weight> = Vec::with_capacity(states.len());
        for (from, state) in states.iter().enumerate() {
            let mut scale = Weight::from(1_u32);
            for (_, _, to) in &state.ways {
                if let To::End(node) = to {
                    scale = lcm(&scale, endings[node].total());
                }
            }
            for (add, weight, to) in &state.ways {
                let To::End(node) = to else { continue };
                let law = &endings[node].listed;
                let factor = weight * (&scale / law.total());
                for (outcome, weight) in law.iter() {
                    let outcome = outcome.to_i64().and_then(|end| end.checked_add(*add));
                    let outcome = outcome.ok_or(Stop::Unsupported(Reason::LongIntegers))?;
                    last.push((from, weight * &factor, sign * outcome));
                }
            }
            totals.push(scale);
        }
        let first = last.iter().map(|&(_, _, end)| end).min().unwrap_or(0);
        let still = inner().all(|add| add == 0);
        let step = last
            .iter()
            .map(|&(_, _, end)| end - first)
            .chain(inner())
            .fold(0_i64, |step, add| step.gcd(&add))
            .max(1);
        let (mut chain, ids) = Steps::chain(states, totals.iter().cloned());
        for ((state, scale), &from) in states.iter().zip(&totals).zip(&ids) {
            for (add, weight, to) in &state.ways {
                if let To::State(index) = *to {
                    let add = (sign * add / step).unsigned_abs();
                    chain.add_step(from, weight * scale, add, Target::State(ids[index]));
                }
            }
        }
        let mut outcomes: Vec<i64> = last.iter().map(|&(_, _, end)| end).collect();
        outcomes.sort_unstable();
        outcomes.dedup();
        for (from, weight, end) in last {
            let (add, way) = if still {
                (0, outcomes.partition_point(|&other| other < end))
            } else {
                (((end - first) / step).unsigned_abs(), 0)
            };
            let way = EndId(u32::try_from(way).expect("fewer than 2^32 outcomes"));
            chain.add_step(ids[from], weight, add, Target::End(way));
        }
        Ok(Self {
            chain,
            start: ids[0],
            sign,
            first,
            step,
            ends: still.then_some(outcomes),
        })
    }

    /// The distribution of the sum, and so much more.
    fn law(&self, more: i64, whole: bool, scope: &Scope<'_>) -> Attempt<Law> {
        let budget = scope.budget;
        if let Some(outcomes) = &self.ends {
            let ends = self.chain.ends(self.start, budget)?;
            let listed = ends.weights.iter().map(|(way, weight)| {
                let outcome = self.sign * outcomes[way.0 as usize];
                (Integer::from(outcome), weight.clone())
            });
            let listed = Numbers::new(listed, ends.total.clone());
            let unresolved = &ends.total - listed.mass() - &ends.never;
            let moments = (unresolved == Weight::ZERO).then(|| Moments::of(&listed));
            let vague = vec![Vague::anywhere(unresolved)];
            let law = Law::new(listed, vague, ends.never, moments);
            return law.shifted(&more.into());
        }
        let most = if whole {
            budget.limits().outcomes
        } else {
            FOLLOWED as u64
        };
        let sums = self
            .chain
            .sums(self.start, &scope.tolerance(), most, budget)?;
        if sums.tail != Weight::ZERO && sums.tail_from < most {
            scope.is_cut.set(true);
        }
        let (first, step) = (Integer::from(self.first), Integer::from(self.step));
        let place = |sum: &Integer| Ok::<_, Stop>(sum.mul(&step)?.add(&first)?);
        let listed = match sums.listed.into_iter().next() {
            Some((_, listed)) => listed.scaled(&step)?.shifted(&first)?,
            None => Numbers::impossible(sums.total.clone()),
        };
        let unresolved = &sums.total - listed.mass() - &sums.tail - &sums.never;
        let resolved = unresolved == Weight::ZERO;
        let tail = Vague {
            low: Some(place(&Integer::from_big(sums.tail_from.into())?)?),
            high: None,
            weight: sums.tail,
        };
        let moments = if resolved {
            let moments = self.chain.moments(self.start, 2, budget)?;
            Some(
                Moments {
                    ends: moments[0].clone(),
                    first: Some(moments[1].clone()),
                    second: Some(moments[2].clone()),
                }
                .of_line(&step, &first),
            )
        } else {
            None
        };
        let vague = vec![tail, Vague::anywhere(unresolved)];
        Law::new(listed, vague, sums.never, moments)
            .reduced()
            .scaled(&self.sign.into())?
            .shifted(&more.into())
    }
}

impl Scope<'_> {
    /// What comes after a value of a loop: nothing, where that is empty.
    pub(super) fn looped(
        &mut self,
        value: NodeId,
        body: ClosureId,
        order: Order,
        name: PoolId,
    ) -> Attempt<NodeId> {
        if self.bounds(value)?.most == 0 {
            return Ok(self.empty());
        }
        Ok(self.nodes.intern(Node::Loop(value, body, order, name)))
    }

    /// A list that is empty, once the loops that some events wait for are over.
    fn waits(&mut self, hazards: &[Hazard]) -> Attempt<NodeId> {
        let waits = self.waiting(hazards)?;
        let zero = self.constant(0);
        self.copies(waits, zero)
    }

    /// How many members of a list are marks.
    pub(super) fn marks_in(&mut self, list: NodeId) -> Attempt<NodeId> {
        let marks = self.constant(MARKS);
        let marked = self.filtered(Compare::AtLeast, marks, list)?;
        self.fold(Folding::Count, marked)
    }
}
