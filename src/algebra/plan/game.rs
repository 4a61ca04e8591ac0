//! Games: networks in which some states are choices, and what a plan makes of them.

use std::rc::Rc;

use crate::algebra::{Network, Place, Stop, Weight};
use crate::limits::Budget;
use crate::map::Map;
use crate::number::Fraction;

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
pub(super) type GameStep<'n> = (&'n Weight, Place, i64);

impl Game<'_> {
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

    pub(super) fn steps(&self, state: usize) -> impl Iterator<Item = GameStep<'_>> + Clone {
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
