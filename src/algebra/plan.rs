//! The best plan of a player in a network of states, some of which are choices.
//!
//! Each step adds a number, and a plan is worth the mean of the sum. The states are taken by components, those that are reached last
//! first. A component of one state has its value at once. Within a larger one the plan is improved: floating-point numbers suggest a
//! plan, its means are found exactly ([`super::elimination`]), and what is better by these exact means is changed, until nothing is
//! (R. Howard, *Dynamic programming and Markov processes*, 1960). So the plan is proven, and no mean is rounded.
//!
//! A play that never ends is worse than each that ends. So a plan begins as one that surely ends, and each change keeps that: an
//! endless plan that were better would add something in each round, and then no plan is the best one (D. Bertsekas and J. Tsitsiklis,
//! *An analysis of stochastic shortest path problems*, 1991).

mod search;
mod suggestion;

use std::rc::Rc;

use super::{Network, Place, Stop, Weight};
use crate::limits::{Budget, LimitReached};
use crate::map::Map;
use crate::number::Fraction;
use search::Search;

/// A network in which some states are choices, of one of their steps each. Each step adds a number, by its place among all steps.
#[derive(Debug)]
pub struct Game<'n> {
    /// The states and steps. The first state is the start.
    pub network: &'n Network,
    /// For each state, whether a step is chosen in it.
    pub chooses: &'n [bool],
    /// What each step adds.
    pub added: &'n [i64],
}

/// The best plan of a [`Game`].
#[derive(Debug, PartialEq)]
pub struct Plan {
    /// For each state, the place of the step that is chosen in it among its own; 0 where nothing is chosen.
    pub chosen: Vec<usize>,
    /// For each state, the mean of what is added from there on; `None` where no plan surely ends.
    pub means: Vec<Option<Fraction>>,
}

/// A step that may be taken: its weight, where it leads, and what it adds.
type Step<'n> = (&'n Weight, Place, i64);

impl Game<'_> {
    /// The plan with the greatest mean. Of equal steps the first is chosen, if the play then surely ends.
    ///
    /// Cost: one product a step, and for each component in which states lead back to each other some eliminations of it.
    ///
    /// # Errors
    ///
    /// A limit: [`LimitReached::Mean`] where no plan surely ends, [`LimitReached::Plan`] where another round always adds to the mean.
    ///
    /// # Examples
    ///
    /// Which die shows a 1 sooner, one with three sides or one with two?
    ///
    /// ```
    /// use dicedist::algebra::{Game, Network, Place, Spread};
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    /// use std::rc::Rc;
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let mut network = Network::default();
    /// let [two, three] = [2, 3].map(|sides| network.add_spread(Rc::new(Spread::even(sides))));
    /// let (again, end) = (Place::state(0), Place::end(0));
    /// network.add_state(two, [Place::state(1), Place::state(2)]);
    /// network.add_state(three, [end, again, again]);
    /// network.add_state(two, [end, again]);
    /// let game = Game { network: &network, chooses: &[true, false, false], added: &[-1, -1, 0, 0, 0, 0, 0] };
    /// let plan = game.best_plan(&budget)?;
    /// assert_eq!(plan.chosen[0], 1);
    /// assert_eq!(plan.means[0].clone().unwrap().to_string(), "-2");
    /// # Ok::<(), dicedist::limits::LimitReached>(())
    /// ```
    pub fn best_plan(&self, budget: &Budget<'_>) -> Result<Plan, LimitReached> {
        let mut search = Search::new(self, budget);
        search.begin()?;
        if !search.ends.first().copied().unwrap_or(true) {
            return Err(LimitReached::Mean);
        }
        for mut component in self.network.components() {
            component.retain(|&state| search.ends[state]);
            component.sort_unstable();
            if !component.is_empty() {
                search.solve(&component)?;
            }
        }
        Ok(search.plan)
    }

    /// The states that a plan comes to, without its choices. `is_once` says that something is added only on the way to the end.
    ///
    /// # Errors
    ///
    /// [`Stop::Overflow`], [`Stop::Limit`].
    pub fn followed(
        &self,
        plan: &Plan,
        is_once: bool,
        budget: &Budget<'_>,
    ) -> Result<Played, Stop> {
        let mut played = Played {
            start: Place::state(0),
            first: 0,
            network: Network::default(),
            added: Vec::new(),
            ends: Vec::new(),
        };
        let mut follow = Follow {
            game: self,
            plan,
            place_of: Map::default(),
            states: Vec::new(),
            end_of: Map::default(),
        };
        let (start, first) = follow.place(Place::state(0), 0)?;
        (played.start, played.first) = if is_once {
            (follow.end(start, first, &mut played.ends), 0)
        } else {
            (start, first)
        };
        let mut next = 0;
        while let Some(&state) = follow.states.get(next) {
            budget.check()?;
            let mut targets = Vec::new();
            for (_, target, added) in self.steps(state) {
                let (target, added) = follow.place(target, added)?;
                if is_once {
                    targets.push(follow.end(target, added, &mut played.ends));
                    played.added.push(0);
                } else {
                    targets.push(target);
                    played.added.push(added);
                }
            }
            let spread = Rc::clone(self.network.spread_of(state));
            let spread = played.network.add_spread(spread);
            played.network.add_state(spread, targets);
            next += 1;
        }
        Ok(played)
    }

    fn steps(&self, state: usize) -> impl Iterator<Item = Step<'_>> + Clone {
        let first = self.network.first_step(state);
        let steps = self.network.steps_of(state).zip(first..);
        steps.map(|((weight, target), place)| (weight, target, self.added[place]))
    }
}

/// What a plan comes to.
#[derive(Debug)]
pub struct Played {
    /// Where the play begins: the first state, or an end.
    pub start: Place,
    /// What is added before.
    pub first: i64,
    /// The states in which nothing is chosen.
    pub network: Network,
    /// What each step adds.
    pub added: Vec<i64>,
    /// For each end, the number that was added on the way to it; empty for a single end, on whose way many numbers are added.
    pub ends: Vec<i64>,
}

/// A plan that is followed.
struct Follow<'g, 'n> {
    game: &'g Game<'n>,
    plan: &'g Plan,
    place_of: Map<usize, usize>,
    states: Vec<usize>,
    end_of: Map<i64, usize>,
}

impl Follow<'_, '_> {
    /// Where a step leads that adds a number, behind all that is chosen there, and what is added until then.
    fn place(&mut self, target: Place, added: i64) -> Result<(Place, i64), Stop> {
        let (mut target, mut sum) = (target, added);
        while !target.is_end() && self.game.chooses[target.index()] {
            let state = target.index();
            let step = self.game.steps(state).nth(self.plan.chosen[state]);
            let (_, next, added) = step.ok_or(Stop::Overflow)?;
            (target, sum) = (next, sum.checked_add(added).ok_or(Stop::Overflow)?);
        }
        if target.is_end() {
            return Ok((Place::end(0), sum));
        }
        let new = self.states.len();
        let place = *self.place_of.entry(target.index()).or_insert(new);
        if place == new {
            self.states.push(target.index());
        }
        Ok((Place::state(place), sum))
    }

    /// The end for what was added on the way to it.
    fn end(&mut self, place: Place, added: i64, ends: &mut Vec<i64>) -> Place {
        if !place.is_end() {
            return place;
        }
        Place::end(*self.end_of.entry(added).or_insert_with(|| {
            ends.push(added);
            ends.len() - 1
        }))
    }
}
