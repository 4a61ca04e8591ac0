//! Absorbing chains: the probability of each way to end, and the moments of the sum of the steps.
//!
//! A [`Chain`] moves from state to state with integer weights until it ends; each step may add to a number. Every
//! question about it is a linear system, which is solved by eliminating one state after the other (`elimination`); the moments have a
//! file of their own.
//!
//! A state is *alive* if an end, or mass elsewhere, can be reached from it. Weight that reaches another state never
//! ends. These states are found from the graph alone and take no part in the system, so the system has full rank.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_traits::{One, Zero};

use super::elimination::{Equation, System, SystemColumn};
use super::network::{Network, Place, Spread};
use super::{Stop, Weight};
use crate::limits::{Budget, LimitReached};
use crate::map::Map;

/// How many limbs are multiplied in about a tenth of a second.
const WORK_OF_TENTH: u64 = 1 << 27;

/// How much more work the moments of a sum are than the ends of a chain: each is a system of its own, with longer numbers.
const MOMENTS_PER_END: u64 = 64;

/// The seconds of a budget without a limit of time.
const NO_LIMIT: u64 = 60;

/// A state of a [`Chain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(u32);

impl StateId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn of(index: usize) -> Self {
        Self(u32::try_from(index).expect("at most 2^32 states"))
    }
}

/// A way in which a [`Chain`] ends, by a number that the caller chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndId(pub u32);

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// To another state, or back to the same.
    State(StateId),
    /// The chain ends in this way.
    End(EndId),
}

/// An absorbing chain with finitely many states. Each step has an exact weight, and adds a number that is not negative.
///
/// # Examples
///
/// Roll a d6 until it shows a 6; how many rolls?
///
/// ```
/// use dicedist::algebra::{Chain, EndId, Target};
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let mut chain = Chain::new();
/// let rolling = chain.add_state(6_u32.into());
/// chain.add_step(rolling, 5_u32.into(), 1, Target::State(rolling));
/// chain.add_step(rolling, 1_u32.into(), 1, Target::End(EndId(0)));
/// let rolls = chain.moments(rolling, 2, &budget)?;
/// assert_eq!(rolls[0].to_string(), "1"); // it ends, with probability 1
/// assert_eq!(rolls[1].to_string(), "6"); // after 6 rolls in the mean
/// assert_eq!(rolls[2].to_string(), "66"); // variance 66 - 36 = 30
/// # Ok::<(), dicedist::algebra::Stop>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chain {
    pub(super) states: Vec<State>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) total: Weight,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) weight: Weight,
    pub(super) add: u64,
    pub(super) to: Target,
}

/// The weights of the ways in which a chain ends, over one total. If the weights of some state sum to less than its
/// total, the weight missing here is mass elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The ways to end that are possible, ascending, with their weights.
    pub weights: Vec<(EndId, Weight)>,
    /// The weight of never ending.
    pub never: Weight,
    /// The common denominator.
    pub total: Weight,
}

impl Chain {
    /// A chain without states.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a state whose steps have weights over this total. If the weights sum to less, the rest is mass elsewhere.
    ///
    /// # Panics
    ///
    /// If the total is zero, or there are more than 2³² states.
    pub fn add_state(&mut self, total: Weight) -> StateId {
        assert!(!total.is_zero(), "a total is not zero");
        let id = StateId::of(self.states.len());
        self.states.push(State {
            total,
            steps: Vec::new(),
        });
        id
    }

    /// Adds a step from a state.
    ///
    /// # Panics
    ///
    /// If the state is not one of this chain; in debug builds, if the weights of its steps sum to more than its total.
    pub fn add_step(&mut self, from: StateId, weight: Weight, add: u64, to: Target) {
        let state = &mut self.states[from.index()];
        if !weight.is_zero() {
            state.steps.push(Step { weight, add, to });
        }
        debug_assert!(
            state.steps.iter().map(|step| &step.weight).sum::<Weight>() <= state.total,
            "weights within the total"
        );
    }

    /// The number of steps.
    pub(super) fn steps(&self) -> usize {
        self.states.iter().map(|state| state.steps.len()).sum()
    }

    /// A chain that goes on as another one where this one ends. So its steps add up to the sum of two independent numbers.
    pub(super) fn then(&self, other: &Self, next: StateId) -> Self {
        let behind = |state: StateId| StateId::of(state.index() + self.states.len());
        let own = self.states.iter().cloned().map(|mut state| {
            for step in &mut state.steps {
                if matches!(step.to, Target::End(_)) {
                    step.to = Target::State(behind(next));
                }
            }
            state
        });
        let others = other.states.iter().cloned().map(|mut state| {
            for step in &mut state.steps {
                step.to = match step.to {
                    Target::State(to) => Target::State(behind(to)),
                    Target::End(_) => Target::End(EndId(0)),
                };
            }
            state
        });
        Self {
            states: own.chain(others).collect(),
        }
    }

    /// The chain in which each step adds another number. A step without one leads elsewhere.
    pub(super) fn with_added<E>(
        &self,
        mut add: impl FnMut(&Step) -> Result<Option<u64>, E>,
    ) -> Result<Self, E> {
        let mut chain = Self::default();
        for State { total, steps } in &self.states {
            let mut state = State {
                total: total.clone(),
                steps: Vec::with_capacity(steps.len()),
            };
            for step in steps {
                if let Some(add) = add(step)? {
                    state.steps.push(Step {
                        add,
                        ..step.clone()
                    });
                }
            }
            chain.states.push(state);
        }
        Ok(chain)
    }

    /// The weight of each way to end from a state, and the weight of never ending.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    ///
    /// # Examples
    ///
    /// A gambler with one of three coins, who may also leave the table and never come back:
    ///
    /// ```
    /// use dicedist::algebra::{Chain, EndId, Target};
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let mut chain = Chain::new();
    /// let (one, two) = (chain.add_state(2_u32.into()), chain.add_state(3_u32.into()));
    /// chain.add_step(one, 1_u32.into(), 1, Target::End(EndId(0)));
    /// chain.add_step(one, 1_u32.into(), 1, Target::State(two));
    /// chain.add_step(two, 1_u32.into(), 1, Target::State(one));
    /// chain.add_step(two, 1_u32.into(), 1, Target::End(EndId(3)));
    /// let drinking = chain.add_state(1_u32.into());
    /// chain.add_step(drinking, 1_u32.into(), 0, Target::State(drinking));
    /// chain.add_step(two, 1_u32.into(), 0, Target::State(drinking));
    /// let ends = chain.ends(one, &budget)?;
    /// assert_eq!(ends.total, 5_u32.into());
    /// assert_eq!(ends.weights, [(EndId(0), 3_u32.into()), (EndId(3), 1_u32.into())]);
    /// assert_eq!(ends.never, 1_u32.into());
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "never: no work is too much")]
    pub fn ends(&self, start: StateId, budget: &Budget<'_>) -> Result<Ends, Stop> {
        let ends = self.ends_for(start, u64::MAX, budget)?;
        Ok(ends.expect("no work is too much"))
    }

    /// [`Chain::ends`]; `None` if that seems to take longer than to multiply `most` limbs.
    fn ends_for(
        &self,
        start: StateId,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<Option<Ends>, LimitReached> {
        let alive = self.alive(start);
        if !alive[start.index()] {
            return Ok(Some(Ends {
                weights: Vec::new(),
                never: Weight::one(),
                total: Weight::one(),
            }));
        }
        let Some(row) = self.row_of_ends(start, &alive, |end| end, most, budget)? else {
            return Ok(None);
        };
        let never = row
            .to
            .get(&SystemColumn::Never)
            .cloned()
            .unwrap_or_default();
        let weights = row.to.into_iter().filter_map(|(key, weight)| match key {
            SystemColumn::End(end) => Some((EndId(end), weight)),
            SystemColumn::State(_) | SystemColumn::Never => None,
        });
        Ok(Some(Ends {
            weights: weights.collect(),
            never,
            total: row.total,
        }))
    }

    /// The weight of ending from a state, the weight of never ending, and the total of both.
    pub(super) fn ending(
        &self,
        start: StateId,
        budget: &Budget<'_>,
    ) -> Result<(Weight, Weight, Weight), Stop> {
        let alive = self.alive(start);
        if !alive[start.index()] {
            return Ok((Weight::ZERO, Weight::one(), Weight::one()));
        }
        let row = self.row_of_ends(start, &alive, |_| EndId(0), u64::MAX, budget)?;
        let mut row = row.expect("no work is too much");
        let mut weight = |key| row.to.remove(&key).unwrap_or_default();
        let (ending, never) = (weight(SystemColumn::End(0)), weight(SystemColumn::Never));
        Ok((ending, never, row.total))
    }

    /// The row of each state that is alive, with their ways to end renamed.
    pub(super) fn rows(
        &self,
        alive: &[bool],
        rename: fn(EndId) -> EndId,
        budget: &Budget<'_>,
    ) -> Result<Vec<Option<Equation>>, LimitReached> {
        let states = self.states.iter().zip(alive);
        let rows = states.map(|(state, is_alive)| {
            budget.check()?;
            Ok(is_alive.then(|| {
                let mut to = BTreeMap::new();
                for step in &state.steps {
                    let key = match key_of(step.to, alive) {
                        SystemColumn::End(end) => SystemColumn::End(rename(EndId(end)).0),
                        key => key,
                    };
                    *to.entry(key).or_default() += &step.weight;
                }
                Equation {
                    total: state.total.clone(),
                    to,
                }
            }))
        });
        rows.collect()
    }

    /// The row of a state after all others have been left, with its ways to end renamed. `None` if that seems to take longer
    /// than to multiply `most` limbs.
    fn row_of_ends(
        &self,
        start: StateId,
        alive: &[bool],
        rename: fn(EndId) -> EndId,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<Option<Equation>, LimitReached> {
        if let Some(end) = self.only_end(start, alive, rename) {
            return Ok(Some(Equation {
                total: Weight::one(),
                to: BTreeMap::from([(SystemColumn::End(end.0), Weight::one())]),
            }));
        }
        let rows = self.rows(alive, rename, budget)?;
        if let Some(row) = forward(&rows, start.index(), budget)? {
            return Ok(Some(row));
        }
        let mut system = System::new(rows, budget)?;
        let is_left = system.eliminate_all_but(start.index(), most)?;
        Ok(is_left.then(|| system.take(start.index())))
    }

    /// The only way to end, if the steps alone show that the chain surely ends in it: every state that is reached is
    /// alive, no mass lies elsewhere, and all ends are the same.
    pub(super) fn only_end(
        &self,
        start: StateId,
        alive: &[bool],
        rename: fn(EndId) -> EndId,
    ) -> Option<EndId> {
        let mut only = None;
        let mut is_reached = vec![false; self.states.len()];
        let mut open = vec![start.index()];
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut is_reached[index], true) {
                continue;
            }
            let state = &self.states[index];
            let steps: Weight = state.steps.iter().map(|step| &step.weight).sum();
            if !alive[index] || steps < state.total {
                return None;
            }
            for step in &state.steps {
                match step.to {
                    Target::State(next) => open.push(next.index()),
                    Target::End(end) => {
                        let end = rename(end);
                        if *only.get_or_insert(end) != end {
                            return None;
                        }
                    }
                }
            }
        }
        only
    }

    /// Whether each state can be reached from `start` and is alive.
    pub(super) fn alive(&self, start: StateId) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        let mut reached = vec![false; self.states.len()];
        let mut open = vec![start.index()];
        let mut ending = Vec::new();
        reached[start.index()] = true;
        while let Some(index) = open.pop() {
            let state = &self.states[index];
            let mut leaves = Weight::ZERO;
            let mut ends = false;
            for step in &state.steps {
                leaves += &step.weight;
                match step.to {
                    Target::End(_) => ends = true,
                    Target::State(next) => {
                        before[next.index()].push(index);
                        if !reached[next.index()] {
                            reached[next.index()] = true;
                            open.push(next.index());
                        }
                    }
                }
            }
            if ends || leaves < state.total {
                ending.push(index);
            }
        }
        let mut alive = vec![false; self.states.len()];
        for &index in &ending {
            alive[index] = true;
        }
        while let Some(index) = ending.pop() {
            for &previous in &before[index] {
                if !alive[previous] {
                    alive[previous] = true;
                    ending.push(previous);
                }
            }
        }
        alive
    }
}

impl Network {
    /// The weight of each end from the first state, and of never ending. `None` if its cycles have so many states that these do not
    /// seem to be solved within a tenth of the time that the budget has, or of a minute; see [`Network::ends_within`].
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    ///
    /// # Examples
    ///
    /// A coin is thrown until it shows heads, and then a d3:
    ///
    /// ```
    /// use std::rc::Rc;
    ///
    /// use dicedist::algebra::{EndId, Network, Place, Spread};
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let mut network = Network::default();
    /// let even = |n: u32| Rc::new(Spread { weights: vec![1_u32.into(); n as usize], total: n.into() });
    /// let (coin, die) = (network.add_spread(even(2)), network.add_spread(even(3)));
    /// network.add_state(coin, [Place::state(0), Place::state(1)]);
    /// network.add_state(die, [Place::end(0), Place::end(0), Place::end(1)]);
    /// let ends = network.ends(&budget)?.expect("two states are few");
    /// assert_eq!(ends.total, 3_u32.into());
    /// assert_eq!(ends.weights, [(EndId(0), 2_u32.into()), (EndId(1), 1_u32.into())]);
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn ends(&self, budget: &Budget<'_>) -> Result<Option<Ends>, Stop> {
        if let Some(found) = self.ends_forward(budget)? {
            let weights = found.weights.into_iter();
            return Ok(Some(Ends {
                weights: weights.map(|(end, weight)| (end_id(end), weight)).collect(),
                never: Weight::zero(),
                total: found.total,
            }));
        }
        let chain = self.chain(budget)?;
        Ok(chain.ends_for(StateId::of(0), work_of_tenth(budget), budget)?)
    }

    /// Whether what the steps add seems to be found within a tenth of the time that the budget has, or of a minute: whether the states are
    /// left one after the other in a small part of it.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub(crate) fn is_solved_soon(&self, budget: &Budget<'_>) -> Result<bool, Stop> {
        let (chain, start) = (self.chain(budget)?, StateId::of(0));
        let rows = chain.rows(&chain.alive(start), |_| EndId(0), budget)?;
        if forward(&rows, start.index(), budget)?.is_some() {
            return Ok(true);
        }
        let mut system = System::new(rows, budget)?;
        let work = work_of_tenth(budget) / MOMENTS_PER_END;
        Ok(system.eliminate_all_but(start.index(), work)?)
    }

    /// The same states as a chain whose steps add nothing.
    fn chain(&self, budget: &Budget<'_>) -> Result<Chain, LimitReached> {
        Ok(self.adding(|_| 0, budget)?.0)
    }

    /// The same states as a chain, of which each step adds a number, by the place of the step among all; and the first state.
    ///
    /// # Errors
    ///
    /// A [`LimitReached`] of the budget.
    pub fn adding(
        &self,
        added: impl Fn(usize) -> u64,
        budget: &Budget<'_>,
    ) -> Result<(Chain, StateId), LimitReached> {
        let mut step = 0;
        let mut chain = Chain::new();
        for total in self.totals() {
            chain.add_state(total.clone());
        }
        for state in 0..chain.states.len() {
            budget.check()?;
            let mut sums: Map<(Place, u64), Weight> = Map::default();
            for (weight, target) in self.steps_of(state) {
                *sums.entry((target, added(step))).or_default() += weight;
                step += 1;
            }
            let mut sums: Vec<((Place, u64), Weight)> = sums.into_iter().collect();
            sums.sort_unstable_by_key(|(to, _)| *to);
            for ((target, add), weight) in sums {
                let to = if target.is_end() {
                    Target::End(end_id(target.index()))
                } else {
                    Target::State(StateId::of(target.index()))
                };
                chain.add_step(StateId::of(state), weight, add, to);
            }
        }
        Ok((chain, StateId::of(0)))
    }
}

/// The limbs that may be multiplied in a tenth of the time that a budget has, or of a minute.
fn work_of_tenth(budget: &Budget<'_>) -> u64 {
    let time = budget.limits().time;
    let seconds = time.map_or(NO_LIMIT, |time| time.as_secs().max(1));
    seconds.saturating_mul(WORK_OF_TENTH)
}

pub(super) fn end_id(index: usize) -> EndId {
    EndId(u32::try_from(index).expect("fewer than 2^31 ends"))
}

/// The row of a state after all others have been left, by one forward pass, if there is one.
fn forward(
    rows: &[Option<Equation>],
    start: usize,
    budget: &Budget<'_>,
) -> Result<Option<Equation>, LimitReached> {
    let taking_part = (0..rows.len()).filter(|&state| rows[state].is_some());
    let others = taking_part.filter(|&state| state != start);
    let order: Vec<usize> = [start].into_iter().chain(others).collect();
    let mut places = vec![0; rows.len()];
    for (place, &state) in order.iter().enumerate() {
        places[state] = place;
    }
    let (mut ends, mut end_of): (Vec<SystemColumn>, Map<SystemColumn, usize>) =
        (Vec::new(), Map::default());
    let mut network = Network::default();
    for row in order.iter().filter_map(|&state| rows[state].as_ref()) {
        budget.check()?;
        let spread = network.add_spread(Rc::new(Spread {
            weights: row.to.values().cloned().collect(),
            total: row.total.clone(),
        }));
        let targets = row.to.keys().map(|key| match *key {
            SystemColumn::State(state) => Place::state(places[state]),
            key => Place::end(*end_of.entry(key).or_insert_with(|| {
                ends.push(key);
                ends.len() - 1
            })),
        });
        network.add_state(spread, targets);
    }
    let found = network.ends_forward(budget)?;
    Ok(found.map(|found| Equation {
        total: found.total,
        to: found
            .weights
            .into_iter()
            .map(|(end, weight)| (ends[end], weight))
            .collect(),
    }))
}

/// The column of a target in the system of the states that are alive.
pub(super) fn key_of(to: Target, alive: &[bool]) -> SystemColumn {
    match to {
        Target::End(end) => SystemColumn::End(end.0),
        Target::State(next) if alive[next.index()] => SystemColumn::State(next.index()),
        Target::State(_) => SystemColumn::Never,
    }
}
