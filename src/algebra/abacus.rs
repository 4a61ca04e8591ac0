//! The probabilistic abacus: the ends of a network whose cycles have too many states to be solved, up to a small rest.
//!
//! A probability is a number of counters out of 2ᵇ. A state that holds q·T + r of them, with T its total, hands q·w on along each
//! step of weight w, and keeps r. Counters are neither made nor lost, so what arrives at an end is never more than its probability,
//! and what is missing of all is still on some state (A. Engel, *The probabilistic abacus*, 1975, with a start that is full and not
//! balanced).

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{NumAssign, One, ToPrimitive};

use super::linear::end_id;
use super::network::{Network, Place};
use super::{Ends, Weight};
use crate::limits::{Budget, LimitReached};
use crate::number::Fraction;

/// The most bits of all counters that are moved in machine words.
const MOST_SHORT_BITS: u64 = 126;

impl Network {
    /// The weight of each end from the first state, and of never ending, each at most the true one. With mass elsewhere, they miss no
    /// more than this part of the total, which is greater than 0.
    ///
    /// # Errors
    ///
    /// A [`LimitReached`] of the budget: each turn around a cycle costs its steps, and leaves a part of what was there.
    pub fn ends_within(
        &self,
        tolerance: &Fraction,
        budget: &Budget<'_>,
    ) -> Result<Ends, LimitReached> {
        // What states keep because it is less than their totals is at most half of what may be missing.
        let kept: Weight = self.totals().sum();
        let all = Fraction::from(BigInt::from(kept * 2_u32)) / tolerance;
        let bits = all.to_integer().bits();
        let most = tolerance * Fraction::from(BigInt::one() << bits) / BigInt::from(2);
        let most = most.to_integer().into_parts().1;
        if bits <= MOST_SHORT_BITS {
            let short = |weight: &Weight| weight.to_u128().unwrap_or(u128::MAX);
            Abacus::new(self, 1 << bits, short, budget)?.run(&short(&most))
        } else {
            Abacus::new(self, Weight::one() << bits, Weight::clone, budget)?.run(&most)
        }
    }
}

/// The counters on all states and ends.
struct Abacus<'n, 'b, N> {
    network: &'n Network,
    /// For each state, the total of the weights that do not lead back to it.
    leaving: Vec<N>,
    all: N,
    states: Vec<N>,
    ends: Vec<N>,
    never: N,
    /// The number of counters for a weight.
    number: fn(&Weight) -> N,
    budget: &'b Budget<'b>,
}

impl<'n, 'b, N: Clone + NumAssign> Abacus<'n, 'b, N> {
    /// All counters, before any is on a state.
    fn new(
        network: &'n Network,
        all: N,
        number: fn(&Weight) -> N,
        budget: &'b Budget<'b>,
    ) -> Result<Self, LimitReached> {
        let (states, ends) = network.size();
        budget.has_room_for(((2 * states + ends) * size_of::<N>()) as u64)?;
        let leaving = (0..states).map(|state| {
            let mut total = number(&network.spread_of(state).total);
            let back = network.steps_of(state);
            for (weight, _) in back.filter(|(_, target)| *target == Place::state(state)) {
                total -= number(weight);
            }
            total
        });
        Ok(Self {
            network,
            leaving: leaving.collect(),
            all,
            states: vec![N::zero(); states],
            ends: vec![N::zero(); ends],
            never: N::zero(),
            number,
            budget,
        })
    }
}

impl<N: Clone + Integer + NumAssign + Into<Weight>> Abacus<'_, '_, N> {
    /// Moves all counters until so many or fewer are left on the states of all cycles.
    fn run(mut self, most: &N) -> Result<Ends, LimitReached> {
        let components = self.network.components();
        let leads_to_end = self.network.lead_to_ends();
        let cycles = components.iter().filter(|states| states.len() > 1).count();
        let each = most.clone() / (self.number)(&cycles.max(1).into());
        self.states[0] = self.all.clone();
        for states in components.iter().rev() {
            if !leads_to_end[states[0]] {
                for &state in states {
                    let lost = std::mem::replace(&mut self.states[state], N::zero());
                    self.never += lost;
                }
                continue;
            }
            let mut states = states.clone();
            states.sort_unstable();
            loop {
                let mut is_moved = false;
                for &state in &states {
                    is_moved |= self.hand_on(state)?;
                }
                let left = states.iter().map(|&state| self.states[state].clone());
                let left = left.fold(N::zero(), |sum, left| sum + left);
                if states.len() == 1 || !is_moved || left <= each {
                    break;
                }
            }
        }
        let ends = self.ends.into_iter().enumerate();
        let ends = ends.filter(|(_, counters)| !counters.is_zero());
        Ok(Ends {
            weights: ends
                .map(|(end, counters)| (end_id(end), counters.into()))
                .collect(),
            never: self.never.into(),
            total: self.all.into(),
        })
    }

    /// Hands on the counters of a state, as long as it has enough. Returns whether any were handed on.
    fn hand_on(&mut self, state: usize) -> Result<bool, LimitReached> {
        let (times, rest) = self.states[state].div_rem(&self.leaving[state]);
        if times.is_zero() {
            return Ok(false);
        }
        self.states[state] = rest;
        for (weight, target) in self.network.steps_of(state) {
            if target == Place::state(state) {
                continue;
            }
            self.budget.work(1)?;
            let there = if target.is_end() {
                &mut self.ends[target.index()]
            } else {
                &mut self.states[target.index()]
            };
            *there += times.clone() * (self.number)(weight);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::{EndId, Spread};
    use super::*;
    use crate::limits::{Limits, Unobserved};

    /// A gambler with one coin wins each game with probability 1/3, and leaves with none (the end 0) or with five (1). From the first
    /// state it also may never end.
    fn gambler() -> Network {
        let mut network = Network::default();
        let spread = |weights: &[u32]| {
            let total = weights.iter().sum::<u32>().into();
            let weights = weights.iter().map(|&weight| weight.into()).collect();
            Rc::new(Spread { weights, total })
        };
        let start = network.add_spread(spread(&[3, 1]));
        let game = network.add_spread(spread(&[2, 1]));
        let stuck = network.add_spread(spread(&[1]));
        network.add_state(start, [Place::state(1), Place::state(5)]);
        for coins in 1..=4_usize {
            let fewer = match coins {
                1 => Place::end(0),
                _ => Place::state(coins - 1),
            };
            let more = match coins {
                4 => Place::end(1),
                _ => Place::state(coins + 1),
            };
            network.add_state(game, [fewer, more]);
        }
        network.add_state(stuck, [Place::state(5)]);
        network
    }

    /// The chance of five coins is (1 - 2) / (1 - 2⁵) = 1/31 for odds of 2 to 1 against each game (W. Feller, *An Introduction to Probability
    /// Theory and Its Applications* I, 1968, XIV.2), in machine words and in longer numbers.
    #[test]
    fn ends_are_at_most_the_true_ones_and_miss_no_more_than_the_tolerance() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        for bits in [3_u32, 40, 300] {
            let tolerance = Fraction::new(1.into(), BigInt::one() << bits);
            let found = gambler().ends_within(&tolerance, &budget).unwrap();
            let share =
                |weight: &Weight| Fraction::new(weight.clone().into(), found.total.clone().into());
            let exact = [(EndId(0), 90), (EndId(1), 3)];
            let mut missing = Fraction::one() - share(&found.never);
            assert!(share(&found.never) <= Fraction::new(1.into(), 4.into()));
            for ((end, weight), (other, exact)) in found.weights.iter().zip(exact) {
                let (weight, exact) = (share(weight), Fraction::new(exact.into(), 124.into()));
                assert_eq!(*end, other);
                assert!(weight <= exact && exact <= &weight + &tolerance, "{weight}");
                missing -= weight;
            }
            assert!(missing <= tolerance, "{missing} of {bits} bits");
        }
    }

    /// Two states lead to the first one and are not reached: the ends are those of its d3, of which two faces are one end.
    #[test]
    fn states_that_are_not_reached_change_nothing() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let mut network = Network::default();
        let [die, other] = [3, 5].map(|count| network.add_spread(Rc::new(Spread::even(count))));
        network.add_state(die, [Place::end(0), Place::end(1), Place::end(1)]);
        network.add_state(other, [0, 0, 1, 1, 2].map(Place::state));
        network.add_state(die, [0, 1, 2].map(Place::state));
        let tolerance = Fraction::new(1.into(), 1_000.into());
        let exact = network.ends(&budget).unwrap().expect("few states");
        let found = network.ends_within(&tolerance, &budget).unwrap();
        assert_eq!(exact.total, 3_u32.into());
        assert_eq!(exact.weights[1], (EndId(1), 2_u32.into()));
        assert_eq!(found.weights[1].1, &found.weights[0].1 * 2_u32);
    }
}
