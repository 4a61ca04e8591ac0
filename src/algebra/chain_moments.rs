//! The moments of the sum of a chain's steps.
//!
//! The states of a chain that never comes back are taken in order ([`super::acyclic`]). So are those of one that comes back only where
//! a round of several rolls came to nothing: its rolls become one step. In other chains states are eliminated, with the right-hand
//! sides. With T the total of s, the j-th moment of the sum satisfies
//!
//! ```text
//! T·mⱼ(s) = Σ_{s → s' with weight w, adding k} w·Σ_{i≤j} C(j,i)·k^(j-i)·mᵢ(s')
//! ```
//!
//! The terms with i < j are known from the lower moments of all states.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::Stop;
use super::acyclic::{choose, moments_in_order};
use super::elimination::{System, combination, solved};
use super::idle::rows_without_idle_steps;
use super::linear::{Chain, EndId, StateId, Step, Target, key_of};
use super::network::{Network, Place, Spread};
use crate::limits::Budget;
use crate::number::Fraction;

impl Chain {
    /// The moments `Σ_v P(the chain ends with sum v)·vʲ` for j from 0 to an order. Moment 0 is the probability of
    /// ending; if it is 1, moment 1 is the mean.
    ///
    /// Weight that never ends and mass elsewhere add nothing.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    #[expect(
        clippy::missing_panics_doc,
        reason = "never: the history is begun before it is taken"
    )]
    pub fn moments(
        &self,
        start: StateId,
        order: usize,
        budget: &Budget<'_>,
    ) -> Result<Vec<Fraction>, Stop> {
        let alive = self.alive(start);
        if !alive[start.index()] {
            return Ok(vec![Fraction::zero(); order + 1]);
        }
        let states = self.states.iter().zip(&alive).map(|(state, is_alive)| {
            let steps = state.steps.iter();
            let steps = steps.map(|step| (key_of(step.to, &alive), step.add, &step.weight));
            is_alive.then(|| (&state.total, steps.collect()))
        });
        let states: Vec<_> = states.collect();
        let surely_ends = self.only_end(start, &alive, |_| EndId(0)).is_some();
        let found = moments_in_order(&states, start.index(), order, surely_ends, budget)?;
        if let Some(moments) = found {
            return Ok(moments);
        }
        let within = self.within_rounds(&alive);
        let removed = |state: usize| within[state].then_some(u64::MAX);
        let rows = rows_without_idle_steps(self, &alive, removed, budget)?;
        let states = rows.iter().map(|row| {
            let row = row.as_ref()?;
            let steps = row.to.iter();
            let steps = steps.map(|(step, weight)| (key_of(step.to, &alive), step.add, weight));
            Some((&row.total, steps.collect()))
        });
        let states: Vec<_> = states.collect();
        let found = moments_in_order(&states, start.index(), order, surely_ends, budget)?;
        if let Some(moments) = found {
            return Ok(moments);
        }
        // Moments do not depend on the way to end, so all ways are made one, and rows become short.
        let rows = self.rows(&alive, |_| EndId(0), budget)?;
        let mut system = System::new(rows, budget)?;
        system.history = Some(Vec::new());
        system.eliminate_all_but(start.index(), u64::MAX)?;
        system.eliminate(start.index())?;
        let history = system.history.take().expect("it was begun above");
        // Indexed by order, then by state.
        let mut moments: Vec<Vec<Fraction>> = Vec::with_capacity(order + 1);
        for j in 0..=order {
            if j == 0 && surely_ends {
                moments.push(vec![Fraction::one(); self.states.len()]);
                continue;
            }
            let mut sides: Vec<Fraction> = Vec::with_capacity(self.states.len());
            for (state, alive) in self.states.iter().zip(&alive) {
                budget.look_at_clock()?;
                let known = state.steps.iter().filter(|_| *alive);
                let (mut at_ends, mut terms) = (BigInt::zero(), Vec::new());
                for step in known {
                    known_part(step, j, &moments, &mut at_ends, &mut terms);
                }
                let one = Fraction::one();
                terms.push((&one, at_ends));
                sides.push(combination(terms, &BigInt::one()));
            }
            moments.push(solved(&history, sides, budget)?);
        }
        Ok(moments
            .into_iter()
            .map(|mut by_state| by_state.swap_remove(start.index()))
            .collect())
    }

    /// Of each set of states that can reach each other, all but the first. If a round of several rolls may come to nothing, these are the
    /// states within the round.
    fn within_rounds(&self, alive: &[bool]) -> Vec<bool> {
        let mut network = Network::default();
        let spread = network.add_spread(Rc::new(Spread::even(1)));
        for (state, is_alive) in self.states.iter().zip(alive) {
            let steps = state.steps.iter().filter(|_| *is_alive);
            let next = steps.filter_map(|step| match step.to {
                Target::State(next) => Some(Place::state(next.index())),
                Target::End(_) => None,
            });
            network.add_state(spread, next);
        }
        let mut within = vec![false; self.states.len()];
        for component in network.components() {
            let first = component.iter().min().copied();
            let others = component.into_iter().filter(|&state| Some(state) != first);
            others.for_each(|state| within[state] = true);
        }
        within
    }
}

/// Adds what a step contributes to a moment of its state, without the moment of the same order of the next state: a
/// number in `at_ends`, or multiples of lower moments in `terms`.
fn known_part<'m>(
    step: &Step,
    order: usize,
    lower: &'m [Vec<Fraction>],
    at_ends: &mut BigInt,
    terms: &mut Vec<(&'m Fraction, BigInt)>,
) {
    let weight = BigInt::from(step.weight.clone());
    let power = |exponent: usize| (0..exponent).fold(weight.clone(), |power, _| power * step.add);
    match step.to {
        Target::End(_) => *at_ends += power(order),
        Target::State(next) => terms.extend(lower.iter().enumerate().map(|(i, moments)| {
            let factor = power(order - i) * choose(order, i);
            (&moments[next.index()], factor)
        })),
    }
}
