//! Networks: the states of a machine and the weights of their steps, and one forward pass through them.
//!
//! Many states share the weights of their steps and differ only in where these lead. So a state is a *spread*, some weights over
//! their total, and a target for each weight. States are taken in topological order, and the weight of each is handed on to its
//! targets. A state with total T and weight w back to itself is left over `T - w`.
//!
//! The weight of a state is a number over one of a few [`Denominators`]: a whole level of a program has one, and a step is the product
//! of a long number and a short one.
//!
//! States that can reach each other are left over the probability of no return to one of them, their *head*, if it is on every way
//! around. So is a round of several rolls in which all miss. A network with other cycles is a [`Chain`](super::Chain).

use super::Weight;
use super::accumulator::Accumulator;
use super::denominators::{DenominatorId, Denominators};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::Map;
use num_traits::{One, Zero};
use std::rc::Rc;

/// The most states of a cycle that are tried as its head.
const MOST_HEADS: usize = 8;

/// Where a step leads: a state, or an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u32);

/// The bit of a place that is an end.
const END: u32 = 1 << 31;

impl Place {
    /// The state with this index.
    ///
    /// # Panics
    ///
    /// Beyond 2³¹ states.
    #[must_use]
    pub fn state(index: usize) -> Self {
        let index = u32::try_from(index).ok().filter(|index| *index < END);
        Self(index.expect("fewer than 2^31 states"))
    }

    /// The end with this index.
    ///
    /// # Panics
    ///
    /// Beyond 2³¹ ends.
    #[must_use]
    pub fn end(index: usize) -> Self {
        Self(Self::state(index).0 | END)
    }

    /// The index of the state, unless it is an end.
    #[must_use]
    pub fn as_state(self) -> Option<usize> {
        (!self.is_end()).then(|| self.index())
    }

    pub(super) fn index(self) -> usize {
        (self.0 & !END) as usize
    }

    pub(super) fn is_end(self) -> bool {
        self.0 & END != 0
    }
}

/// The weights of some steps over their total. If they sum to less, the rest is mass elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The weights, none of which is zero.
    pub weights: Vec<Weight>,
    /// The total.
    pub total: Weight,
}

impl Spread {
    /// So many equal weights.
    #[must_use]
    pub fn even(count: usize) -> Self {
        Self {
            weights: vec![Weight::one(); count],
            total: count.into(),
        }
    }
}

/// A spread of a [`Network`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpreadId(u32);

/// Some states, and where their steps lead.
#[derive(Clone, Debug, Default)]
pub struct Network {
    spreads: Vec<Rc<Spread>>,
    /// The spread of each state.
    states: Vec<SpreadId>,
    /// The targets of all states, one state after the other.
    targets: Vec<Place>,
    /// Where the targets of each state end.
    bounds: Vec<usize>,
    ends: usize,
}

impl Network {
    /// Adds a spread.
    ///
    /// # Panics
    ///
    /// Beyond 2³² spreads.
    pub fn add_spread(&mut self, spread: Rc<Spread>) -> SpreadId {
        let id = u32::try_from(self.spreads.len()).expect("fewer than 2^32 spreads");
        self.spreads.push(spread);
        SpreadId(id)
    }

    /// Adds the next state, with a target for each weight of its spread.
    pub fn add_state(&mut self, spread: SpreadId, targets: impl IntoIterator<Item = Place>) {
        self.states.push(spread);
        let ends = &mut self.ends;
        self.targets.extend(targets.into_iter().inspect(|target| {
            if target.is_end() {
                *ends = (*ends).max(target.index() + 1);
            }
        }));
        self.bounds.push(self.targets.len());
    }

    /// Adds states until there are so many. Each surely leads to the target that a function gives for its number.
    pub fn fill(&mut self, states: usize, target: impl Fn(usize) -> Place) {
        let surely = self.add_spread(Rc::new(Spread::even(1)));
        for state in self.states.len()..states {
            self.add_state(surely, [target(state)]);
        }
    }

    /// The numbers of states and of ends.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.states.len(), self.ends)
    }

    /// The number of steps between states and to ends.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.targets.len()
    }

    /// The bytes of all states and steps.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.states.len() * 16 + self.targets.len() * 4) as u64
    }

    /// The total of each state.
    pub(super) fn totals(&self) -> impl Iterator<Item = &Weight> {
        let states = self.states.iter();
        states.map(|spread| &self.spreads[spread.0 as usize].total)
    }

    fn targets_of(&self, state: usize) -> &[Place] {
        let first = state.checked_sub(1).map_or(0, |before| self.bounds[before]);
        &self.targets[first..self.bounds[state]]
    }

    /// The place of the first step of a state among all steps.
    pub(super) fn first_step(&self, state: usize) -> usize {
        state.checked_sub(1).map_or(0, |before| self.bounds[before])
    }

    pub(super) fn spread_of(&self, state: usize) -> &Rc<Spread> {
        &self.spreads[self.states[state].0 as usize]
    }

    /// The weights and targets of the steps of a state.
    pub(super) fn steps_of(&self, state: usize) -> impl Iterator<Item = (&Weight, Place)> + Clone {
        let spread = self.spread_of(state);
        let targets = self.targets_of(state).iter().copied();
        spread.weights.iter().zip(targets)
    }

    /// What each step adds and the potential of its state, less that of its target, which is never negative; and the potential of the
    /// first state, over that of all ends. A potential is the least that is added on a way to a place. `None` if some round trip adds a
    /// negative number.
    ///
    /// # Errors
    ///
    /// A [`LimitReached`] of the budget.
    pub fn without_negative(
        &self,
        added: &[i64],
        budget: &Budget<'_>,
    ) -> Result<Option<(Vec<u64>, i64)>, LimitReached> {
        let place = |target: Place| {
            if target.is_end() {
                self.states.len()
            } else {
                target.index()
            }
        };
        let mut potentials = vec![0_i64; self.states.len() + 1];
        for _ in 0..=self.states.len() + 1 {
            let mut has_changed = false;
            for state in 0..self.states.len() {
                budget.work(self.targets_of(state).len() as u64)?;
                let first = self.first_step(state);
                for (&target, added) in self.targets_of(state).iter().zip(&added[first..]) {
                    let there = potentials[state].saturating_add(*added);
                    if there < potentials[place(target)] {
                        potentials[place(target)] = there;
                        has_changed = true;
                    }
                }
            }
            if !has_changed {
                let end = potentials[self.states.len()];
                let of_steps = (0..self.states.len()).flat_map(|state| {
                    let first = self.first_step(state);
                    let targets = self.targets_of(state).iter().zip(&added[first..]);
                    let potentials = &potentials;
                    targets.map(move |(&target, added)| {
                        let sum = potentials[state].checked_add(*added)?;
                        u64::try_from(sum.checked_sub(potentials[place(target)])?).ok()
                    })
                });
                let of_steps: Option<Vec<u64>> = of_steps.collect();
                return Ok(of_steps.map(|steps| (steps, potentials[0] - end)));
            }
        }
        Ok(None)
    }

    /// Whether some state can be reached from itself.
    #[must_use]
    pub fn comes_back(&self) -> bool {
        let components = self.components();
        components.len() < self.states.len()
            || (0..self.states.len()).any(|state| {
                let mut targets = self.targets_of(state).iter();
                targets.any(|&target| target == Place::state(state))
            })
    }

    /// The weight of each end from the first state, by one forward pass. `None` if there is none, or a state is never left.
    pub(super) fn ends_forward(
        &self,
        budget: &Budget<'_>,
    ) -> Result<Option<EndWeights>, LimitReached> {
        match self.parts() {
            Some(parts) => self.ends_in_order(&parts, budget),
            None => Ok(None),
        }
    }

    /// The states that another state leads to.
    fn next(&self, state: usize) -> impl Iterator<Item = usize> {
        let targets = self.targets_of(state).iter();
        let is_other = move |target: &&Place| !target.is_end() && target.index() != state;
        targets.filter(is_other).map(|target| target.index())
    }

    /// The weights of all ends, by one forward pass. `None` if the denominators have too many atoms, or a state is never left.
    fn ends_in_order(
        &self,
        parts: &[Component],
        budget: &Budget<'_>,
    ) -> Result<Option<EndWeights>, LimitReached> {
        let mut denominators = Denominators::new();
        let Some(leaving) = self.leaving(&mut denominators) else {
            return Ok(None);
        };
        let mut pass = Pass {
            network: self,
            leaving,
            over: vec![None; self.states.len()],
            over_ends: vec![None; self.ends],
            masses: vec![Accumulator::default(); self.states.len()],
            ends: vec![Accumulator::default(); self.ends],
            scaled: Vec::new(),
            denominators,
            budget,
        };
        let mut held = Reserved::none(budget);
        held.grow_to((self.states.len() * size_of::<Accumulator>()) as u64)?;
        pass.over[0] = Some(DenominatorId::ONE);
        let mut returns = Vec::new();
        for part in parts {
            budget.check()?;
            match part {
                Component::Cycle(cycle) => {
                    let found = pass.returning(cycle)?;
                    let Some(found) = pass.raise_around(cycle, found) else {
                        return Ok(None);
                    };
                    returns.push(found);
                }
                Component::State(state) => {
                    if let Some(own) = pass.over[*state] {
                        pass.raise(*state, own, &|_| true);
                    }
                }
            }
        }
        // States that are not reached may lead to the first one, too.
        let first = pass.over[0].unwrap_or(DenominatorId::ONE);
        pass.masses[0] = Accumulator::of(&pass.denominators.value(first));
        let mut returns = returns.into_iter();
        for part in parts {
            match part {
                Component::Cycle(cycle) => {
                    let Some(found) = returns.next() else { break };
                    pass.hand_around(cycle, &found)?;
                }
                Component::State(state) => {
                    let mass = std::mem::take(&mut pass.masses[*state]);
                    if let Some(own) = pass.over[*state] {
                        pass.hand_on(*state, &mass, own, &|_| true)?;
                    }
                }
            }
        }
        let Pass {
            mut denominators,
            ends,
            over_ends,
            ..
        } = pass;
        let all = over_ends.iter().flatten().copied();
        let total = all.fold(DenominatorId::ONE, |total, of| {
            denominators.common(total, of)
        });
        let mut weights = Vec::with_capacity(ends.len());
        for (index, (sum, over)) in ends.iter().zip(&over_ends).enumerate() {
            budget.check()?;
            let Some(over) = over else { continue };
            let weight = sum.to_weight() * denominators.quotient(total, *over);
            weights.push((index, weight));
        }
        Ok(Some(lowest(EndWeights {
            weights,
            total: denominators.value(total),
        })))
    }

    /// The states in parts, each after all parts with a step to it. `None` if a part has no head.
    fn parts(&self) -> Option<Vec<Component>> {
        let components = self.components();
        let parts = components.into_iter().rev().map(|states| match states[..] {
            [state] => Some(Component::State(state)),
            _ => self.cycle(states),
        });
        parts.collect()
    }

    /// Whether an end, or mass elsewhere, can be reached from each state.
    pub(super) fn lead_to_ends(&self) -> Vec<bool> {
        let mut sources = vec![Vec::new(); self.states.len()];
        let mut open = Vec::new();
        for state in 0..self.states.len() {
            let spread = self.spread_of(state);
            let is_open = spread.weights.iter().sum::<Weight>() < spread.total;
            if is_open || self.targets_of(state).iter().any(|to| to.is_end()) {
                open.push(state);
            }
            for target in self.next(state) {
                sources[target].push(state);
            }
        }
        let mut lead = vec![false; self.states.len()];
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut lead[state], true) {
                open.append(&mut sources[state]);
            }
        }
        lead
    }

    /// The sets of states that can reach each other; sets that are reached first come last (R. Tarjan, *Depth-first search and linear graph
    /// algorithms*, 1972).
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        const NEW: u32 = u32::MAX;
        let count = self.states.len();
        let (mut number, mut low) = (vec![NEW; count], vec![0_u32; count]);
        let mut is_open = vec![false; count];
        let (mut open, mut found, mut next_number) = (Vec::new(), Vec::new(), 0);
        // Each state with the place of its next target.
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut enter = |state: usize, path: &mut Vec<(usize, usize)>, low: &mut [u32]| {
            low[state] = next_number;
            path.push((state, 0));
            next_number += 1;
            next_number - 1
        };
        for root in 0..count {
            if number[root] != NEW {
                continue;
            }
            number[root] = enter(root, &mut path, &mut low);
            is_open[root] = true;
            open.push(root);
            while let Some((state, place)) = path.last_mut() {
                let state = *state;
                if let Some(&target) = self.targets_of(state).get(*place) {
                    *place += 1;
                    let to = target.index();
                    if target.is_end() || to == state {
                        continue;
                    }
                    if number[to] == NEW {
                        number[to] = enter(to, &mut path, &mut low);
                        is_open[to] = true;
                        open.push(to);
                    } else if is_open[to] {
                        low[state] = low[state].min(number[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    low[before] = low[before].min(low[state]);
                }
                if low[state] == number[state] {
                    let first = open.iter().rposition(|&other| other == state);
                    let component = open.split_off(first.unwrap_or(0));
                    for &state in &component {
                        is_open[state] = false;
                    }
                    found.push(component);
                }
            }
        }
        found
    }

    /// States that can reach each other as a part, if one of a few of them is on every way around.
    fn cycle(&self, mut states: Vec<usize>) -> Option<Component> {
        states.sort_unstable();
        for place in 0..states.len().min(MOST_HEADS) {
            let mut others = states.clone();
            let head = others.remove(place);
            if let Some(others) = self.in_order(&others) {
                let all = states;
                return Some(Component::Cycle(Cycle { head, others, all }));
            }
        }
        None
    }

    /// Some states in an order in which each comes after all others of them with a step to it. `None` if there is none.
    fn in_order(&self, states: &[usize]) -> Option<Vec<usize>> {
        let mut incoming: Map<usize, usize> = states.iter().map(|&state| (state, 0)).collect();
        for to in states.iter().flat_map(|&state| self.next(state)) {
            if let Some(incoming) = incoming.get_mut(&to) {
                *incoming += 1;
            }
        }
        let is_first = |state: &usize| incoming[state] == 0;
        let mut order: Vec<usize> = states.iter().copied().filter(is_first).collect();
        let mut taken = 0;
        while let Some(&from) = order.get(taken) {
            taken += 1;
            for to in self.next(from) {
                if let Some(incoming) = incoming.get_mut(&to) {
                    *incoming -= 1;
                    if *incoming == 0 {
                        order.push(to);
                    }
                }
            }
        }
        (order.len() == states.len()).then_some(order)
    }

    /// The denominator that leaving each state adds: its total without what leads back to it. `None` for a state that is never left.
    fn leaving(&self, denominators: &mut Denominators) -> Option<Vec<DenominatorId>> {
        let mut of_totals: Vec<Option<DenominatorId>> = vec![None; self.spreads.len()];
        let mut leaving = Vec::with_capacity(self.states.len());
        for (state, spread) in self.states.iter().enumerate() {
            let back = self.steps_of(state);
            let back = back.filter(|(_, target)| !target.is_end() && target.index() == state);
            let back: Weight = back.map(|(weight, _)| weight).sum();
            let known = &mut of_totals[spread.0 as usize];
            let total = &self.spreads[spread.0 as usize].total;
            leaving.push(match *known {
                Some(known) if back.is_zero() => known,
                _ if back.is_zero() => {
                    let of = denominators.of(total)?;
                    *known = Some(of);
                    of
                }
                _ if back == *total => return None,
                _ => denominators.of(&(total - back))?,
            });
        }
        Some(leaving)
    }
}

/// Some of the states of a network.
#[derive(Debug)]
enum Component {
    /// States that can reach each other.
    Cycle(Cycle),
    /// A state that leads to no other and back.
    State(usize),
}

/// States that can reach each other.
#[derive(Debug)]
struct Cycle {
    /// The state on every way around.
    head: usize,
    /// The others, in order.
    others: Vec<usize>,
    /// All, ascending.
    all: Vec<usize>,
}

impl Cycle {
    fn contains(&self, target: Place) -> bool {
        !target.is_end() && self.all.binary_search(&target.index()).is_ok()
    }

    fn is_not_head(&self, target: Place) -> bool {
        target != Place::state(self.head)
    }
}

/// How often the head of a cycle is visited each time that it is reached from outside.
struct Returns {
    /// The denominator of what reaches the head.
    reaching: DenominatorId,
    /// The denominators of what reaches the other states from outside, before the head is visited.
    before: Vec<DenominatorId>,
    /// The factor of visits.
    factor: Weight,
    /// The denominator of visits.
    visits: DenominatorId,
    /// The denominators of the other states.
    others: Vec<DenominatorId>,
}

/// A pass through a network.
struct Pass<'n, 'b> {
    network: &'n Network,
    /// The denominator that leaving each state adds.
    leaving: Vec<DenominatorId>,
    /// The denominators of the masses that reach states and ends.
    over: Vec<Option<DenominatorId>>,
    over_ends: Vec<Option<DenominatorId>>,
    masses: Vec<Accumulator>,
    ends: Vec<Accumulator>,
    /// The mass of a state over other denominators.
    scaled: Vec<(DenominatorId, Vec<u64>)>,
    denominators: Denominators,
    budget: &'n Budget<'b>,
}

impl Pass<'_, '_> {
    /// Raises the denominators of the targets of a state that pass, where the state has this denominator.
    fn raise(&mut self, state: usize, own: DenominatorId, passes: &dyn Fn(Place) -> bool) {
        let after = self.denominators.product(own, self.leaving[state]);
        for &target in self.network.targets_of(state) {
            if target == Place::state(state) || !passes(target) {
                continue;
            }
            let place = if target.is_end() {
                &mut self.over_ends[target.index()]
            } else {
                &mut self.over[target.index()]
            };
            *place = Some(match *place {
                None => after,
                Some(known) => self.denominators.common(known, after),
            });
        }
    }

    /// Hands the mass of a state, over this denominator, on to its targets that pass.
    fn hand_on(
        &mut self,
        state: usize,
        mass: &Accumulator,
        own: DenominatorId,
        passes: &dyn Fn(Place) -> bool,
    ) -> Result<(), LimitReached> {
        if mass.is_zero() {
            return Ok(());
        }
        let after = self.denominators.product(own, self.leaving[state]);
        self.scaled.clear();
        for (weight, target) in self.network.steps_of(state) {
            if target == Place::state(state) || !passes(target) {
                continue;
            }
            let (sum, over) = if target.is_end() {
                (
                    &mut self.ends[target.index()],
                    self.over_ends[target.index()],
                )
            } else {
                (&mut self.masses[target.index()], self.over[target.index()])
            };
            let over = over.unwrap_or(after);
            let limbs = if over == after {
                mass.limbs()
            } else {
                let known = self.scaled.iter().position(|(known, _)| *known == over);
                let place = known.unwrap_or_else(|| {
                    let factor = self.denominators.quotient(over, after);
                    let product = mass.to_weight() * factor;
                    self.scaled.push((over, product.to_u64_digits()));
                    self.scaled.len() - 1
                });
                &self.scaled[place].1
            };
            self.budget.work(limbs.len() as u64 + 1)?;
            sum.add_product(limbs, weight.iter_u64_digits());
        }
        Ok(())
    }

    /// The probability of returning to the head of a cycle, as a number over a denominator.
    fn returning(&mut self, cycle: &Cycle) -> Result<(Weight, DenominatorId), LimitReached> {
        let (head, others) = (cycle.head, &cycle.others);
        let mut reached: Map<usize, (Weight, DenominatorId)> = Map::default();
        reached.insert(head, (Weight::one(), DenominatorId::ONE));
        let mut back = (Weight::ZERO, DenominatorId::ONE);
        for &state in [head].iter().chain(others) {
            let Some((mass, own)) = reached.remove(&state) else {
                continue;
            };
            let after = self.denominators.product(own, self.leaving[state]);
            for (weight, target) in self.network.steps_of(state) {
                self.budget.work(mass.bits() / 64 + 1)?;
                let to = target.index();
                if target.is_end() || to == state {
                    continue;
                }
                let sum = if to == head {
                    &mut back
                } else if cycle.contains(target) {
                    let nothing = || (Weight::ZERO, DenominatorId::ONE);
                    reached.entry(to).or_insert_with(nothing)
                } else {
                    continue;
                };
                let over = self.denominators.common(sum.1, after);
                sum.0 *= self.denominators.quotient(over, sum.1);
                sum.0 += &mass * weight * self.denominators.quotient(over, after);
                sum.1 = over;
            }
        }
        Ok(back)
    }

    /// Raises the denominators of all targets of a cycle, and finds how often its head is visited.
    fn raise_around(
        &mut self,
        cycle: &Cycle,
        (back, of_back): (Weight, DenominatorId),
    ) -> Option<Returns> {
        let (head, others) = (cycle.head, &cycle.others);
        let is_inside = |target| cycle.contains(target);
        let goes_on = |target| cycle.is_not_head(target);
        let own: Vec<Option<DenominatorId>> =
            others.iter().map(|&state| self.over[state]).collect();
        for &state in others {
            if let Some(over) = self.over[state] {
                self.raise(state, over, &is_inside);
            }
        }
        let before: Vec<Option<DenominatorId>> =
            others.iter().map(|&state| self.over[state]).collect();
        let reaching = self.over[head].unwrap_or(DenominatorId::ONE);
        let total = self.denominators.value(of_back);
        let stays = &total - back;
        if stays.is_zero() {
            return None;
        }
        let common = super::weight::common_divisor(&total, &stays);
        let (total, stays) = (total / &common, stays / &common);
        let leaving = self.denominators.of(&stays)?;
        let visits = self.denominators.product(reaching, leaving);
        let (visits, factor) = self.denominators.reduced(visits, total);
        self.raise(head, visits, &goes_on);
        for &state in others {
            if let Some(over) = self.over[state] {
                self.raise(state, over, &goes_on);
            }
        }
        let all = others
            .iter()
            .map(|&state| self.over[state].unwrap_or(DenominatorId::ONE));
        let all = all.collect();
        // From here on these are the denominators of what comes from outside.
        for (&state, own) in others.iter().zip(own) {
            self.over[state] = own;
        }
        self.over[head] = Some(reaching);
        let before = before
            .into_iter()
            .map(|over| over.unwrap_or(DenominatorId::ONE));
        Some(Returns {
            reaching,
            before: before.collect(),
            factor,
            visits,
            others: all,
        })
    }

    /// Hands the masses of a cycle on to all that it leads to.
    fn hand_around(&mut self, cycle: &Cycle, returns: &Returns) -> Result<(), LimitReached> {
        let (head, others) = (cycle.head, &cycle.others);
        let is_inside = |target| cycle.contains(target);
        let goes_on = |target| cycle.is_not_head(target);
        let outside: Vec<(Accumulator, DenominatorId)> = others
            .iter()
            .map(|&state| {
                let mass = std::mem::take(&mut self.masses[state]);
                (mass, self.over[state].unwrap_or(DenominatorId::ONE))
            })
            .collect();
        let is_entered = outside.iter().any(|(mass, _)| !mass.is_zero());
        self.over[head] = Some(returns.reaching);
        if is_entered {
            self.begin(others, &outside, &returns.before);
            for (&state, &over) in others.iter().zip(&returns.before) {
                let mass = std::mem::take(&mut self.masses[state]);
                self.hand_on(state, &mass, over, &is_inside)?;
            }
        }
        let reached = std::mem::take(&mut self.masses[head]).to_weight();
        let visits = Accumulator::of(&(reached * &returns.factor));
        self.begin(others, &outside, &returns.others);
        self.hand_on(head, &visits, returns.visits, &|_| true)?;
        for (&state, &over) in others.iter().zip(&returns.others) {
            let mass = std::mem::take(&mut self.masses[state]);
            self.hand_on(state, &mass, over, &goes_on)?;
        }
        Ok(())
    }

    /// Sets the masses of some states, over these denominators.
    fn begin(
        &mut self,
        states: &[usize],
        masses: &[(Accumulator, DenominatorId)],
        over: &[DenominatorId],
    ) {
        for ((&state, (mass, own)), &over) in states.iter().zip(masses).zip(over) {
            self.over[state] = Some(over);
            self.masses[state] = if mass.is_zero() || *own == over {
                mass.clone()
            } else {
                let factor = self.denominators.quotient(over, *own);
                Accumulator::of(&(mass.to_weight() * factor))
            };
        }
    }
}

/// The ends that can be reached, by their indices, and their total.
pub(super) struct EndWeights {
    pub(super) weights: Vec<(usize, Weight)>,
    pub(super) total: Weight,
}

/// The same ends, whose weights have no common factor with the total.
fn lowest(ends: EndWeights) -> EndWeights {
    let common = ends
        .weights
        .iter()
        .fold(ends.total.clone(), |common, (_, weight)| {
            if common.is_one() {
                common
            } else {
                super::weight::common_divisor(&common, weight)
            }
        });
    let weights = ends.weights.into_iter();
    EndWeights {
        weights: weights
            .map(|(end, weight)| (end, weight / &common))
            .collect(),
        total: ends.total / common,
    }
}
