//! The search for the best plan of a game.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::One as _;

use super::game::{Game, GameStep, Plan};
use crate::algebra::elimination::{Equation, System, SystemColumn, combination, solved};
use crate::algebra::{Place, Weight};
use crate::limits::{Budget, LimitReached};
use crate::number::Fraction;

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
}

/// A plan that is being made.
pub(super) struct Search<'g, 'n, 'b> {
    pub(super) game: &'g Game<'n>,
    pub(super) budget: &'b Budget<'b>,
    pub(super) plan: Plan,
    /// Whether some plan surely ends from a state.
    pub(super) ends: Vec<bool>,
    /// The place of a state in its component.
    pub(super) place: Vec<usize>,
}

impl<'g, 'n, 'b> Search<'g, 'n, 'b> {
    pub(super) fn new(game: &'g Game<'n>, budget: &'b Budget<'b>) -> Self {
        let states = game.chooses.len();
        Self {
            game,
            budget,
            plan: Plan {
                chosen: vec![0; states],
                means: vec![None; states],
            },
            ends: vec![true; states],
            place: vec![0; states],
        }
    }
}

impl Search<'_, '_, '_> {
    /// The states from which some plan surely ends, and such a plan. What may lead to another state is left out until nothing is.
    pub(super) fn begin(&mut self) -> Result<(), LimitReached> {
        let states = self.ends.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); states];
        let mut last = Vec::new();
        for state in 0..states {
            let targets = || self.game.steps(state).map(|(_, target, _)| target);
            last.extend(targets().any(Place::is_end).then_some(state));
            for target in targets().filter(|target| !target.is_end()) {
                before[target.index()].push(state);
            }
        }
        loop {
            self.budget.work(before.len() as u64)?;
            let mut reached = vec![false; states];
            let mut open: Vec<usize> = last.clone();
            while let Some(state) = open.pop() {
                self.budget.check()?;
                if reached[state] || !self.ends[state] {
                    continue;
                }
                let leads = |place: Place| place.is_end() || reached[place.index()];
                let stays = |place: Place| place.is_end() || self.ends[place.index()];
                let mut steps = self.game.steps(state);
                if self.game.chooses[state] {
                    let Some(step) = steps.position(|(_, target, _)| leads(target)) else {
                        continue;
                    };
                    self.plan.chosen[state] = step;
                } else if !steps.all(|(_, target, _)| stays(target)) {
                    continue;
                }
                reached[state] = true;
                open.extend(&before[state]);
            }
            if reached == self.ends {
                return Ok(());
            }
            self.ends = reached;
        }
    }

    /// The steps that may be taken from a state, with their places among its steps.
    pub(super) fn options(
        &self,
        state: usize,
    ) -> impl Iterator<Item = (usize, GameStep<'_>)> + Clone {
        let stays = |place: Place| place.is_end() || self.ends[place.index()];
        let steps = self.game.steps(state).enumerate();
        steps.filter(move |(_, (_, target, _))| stays(*target))
    }

    /// What the plan chooses in each state of a component.
    pub(super) fn chosen_in(&self, component: &[usize]) -> Vec<usize> {
        let states = component.iter();
        states.map(|&state| self.plan.chosen[state]).collect()
    }

    /// The steps of a plan from a state.
    fn taken(&self, state: usize) -> impl Iterator<Item = GameStep<'_>> + Clone {
        let chosen = self.game.chooses[state].then(|| self.plan.chosen[state]);
        let steps = self.game.steps(state).enumerate();
        steps
            .filter(move |(place, _)| chosen.is_none_or(|chosen| chosen == *place))
            .map(|(_, step)| step)
    }

    /// The mean of what a step adds, and of what comes after it.
    fn worth(&self, (_, target, added): GameStep<'_>) -> Fraction {
        let added = Fraction::from_integer(added.into());
        match self.mean_at(target) {
            None => added,
            Some(mean) => mean + added,
        }
    }

    /// The mean at a state that has one; `None` at an end, which adds nothing.
    pub(super) fn mean_at(&self, place: Place) -> Option<&Fraction> {
        if place.is_end() {
            return None;
        }
        self.plan.means[place.index()].as_ref()
    }

    /// The plan in a component, whose other targets have their means.
    pub(super) fn solve(&mut self, component: &[usize]) -> Result<(), LimitReached> {
        for (place, &state) in component.iter().enumerate() {
            self.place[state] = place;
        }
        if let [state] = *component
            && self.game.chooses[state]
        {
            return self.decide(state);
        }
        if component.iter().any(|&state| self.game.chooses[state]) {
            self.suggest(component)?;
        }
        loop {
            self.find_means(component)?;
            match self.improve(component) {
                Improved::Not => break,
                Improved::Ends => {}
                Improved::MayNeverEnd => return Err(LimitReached::Plan),
            }
        }
        self.take_first(component);
        Ok(())
    }

    /// The choice in a state that no other state of its component leads to.
    fn decide(&mut self, state: usize) -> Result<(), LimitReached> {
        let mut best: Option<(usize, Fraction)> = None;
        for (place, step) in self.options(state) {
            let (_, target, added) = step;
            if target == Place::state(state) {
                if added > 0 {
                    return Err(LimitReached::Plan);
                }
                continue;
            }
            let worth = self.worth(step);
            if best.as_ref().is_none_or(|(_, best)| *best < worth) {
                best = Some((place, worth));
            }
        }
        if let Some((place, worth)) = best {
            self.plan.chosen[state] = place;
            self.plan.means[state] = Some(worth);
        }
        Ok(())
    }

    /// Whether a target lies in a component.
    pub(super) fn is_within(&self, component: &[usize], target: Place) -> bool {
        !target.is_end() && component.get(self.place[target.index()]) == Some(&target.index())
    }

    /// The exact means of the states of a component by the plan.
    fn find_means(&mut self, component: &[usize]) -> Result<(), LimitReached> {
        let (mut rows, mut sides) = (Vec::new(), Vec::new());
        for &state in component {
            self.budget.check()?;
            let mut row = Equation::default();
            let (mut sum, mut others) = (BigInt::ZERO, Vec::new());
            for (weight, target, added) in self.taken(state) {
                let one = Weight::one();
                let weight = if self.game.chooses[state] {
                    &one
                } else {
                    weight
                };
                row.total += weight;
                sum += BigInt::from(weight.clone()) * added;
                let key = if self.is_within(component, target) {
                    SystemColumn::State(self.place[target.index()])
                } else {
                    if let Some(mean) = self.mean_at(target) {
                        others.push((mean, weight.clone().into()));
                    }
                    SystemColumn::End(0)
                };
                *row.to.entry(key).or_default() += weight;
            }
            let one = Fraction::one();
            others.push((&one, sum));
            sides.push(combination(others, &BigInt::one()));
            rows.push(Some(row));
        }
        let mut system = System::new(rows, self.budget)?;
        system.history = Some(Vec::new());
        system.eliminate_all_but(0, u64::MAX)?;
        system.eliminate(0)?;
        let history = system.history.take().unwrap_or_default();
        let means = solved(&history, sides, self.budget)?;
        for (&state, mean) in component.iter().zip(means) {
            self.plan.means[state] = Some(mean);
        }
        Ok(())
    }

    /// Changes each choice to the step of the greatest worth, where that is better than the step that is taken.
    fn improve(&mut self, component: &[usize]) -> Improved {
        let before = self.chosen_in(component);
        for &state in component {
            if !self.game.chooses[state] {
                continue;
            }
            let mut best: Option<(usize, Fraction)> = None;
            let mut taken = None;
            for (place, step) in self.options(state) {
                let worth = self.worth(step);
                if place == self.plan.chosen[state] {
                    taken = Some(worth.clone());
                }
                if best.as_ref().is_none_or(|(_, best)| worth > *best) {
                    best = Some((place, worth));
                }
            }
            if let (Some((place, best)), Some(taken)) = (best, taken)
                && best > taken
            {
                self.plan.chosen[state] = place;
            }
        }
        if self.chosen_in(component) == before {
            Improved::Not
        } else if self.stuck(component).is_empty() {
            Improved::Ends
        } else {
            Improved::MayNeverEnd
        }
    }

    /// The states of a component from which the plan never leaves it.
    pub(super) fn stuck(&self, component: &[usize]) -> Vec<usize> {
        let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut open = Vec::new();
        for &state in component {
            for (_, target, _) in self.taken(state) {
                if self.is_within(component, target) {
                    before.entry(target.index()).or_default().push(state);
                } else {
                    open.push(state);
                }
            }
        }
        let mut leaves = vec![false; component.len()];
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut leaves[self.place[state]], true) {
                open.extend(before.get(&state).into_iter().flatten());
            }
        }
        let stuck = component.iter().zip(leaves);
        let stuck = stuck.filter(|(_, leaves)| !leaves);
        stuck.map(|(&state, _)| state).collect()
    }

    /// Takes the first of equal steps, but where the plan would never end.
    fn take_first(&mut self, component: &[usize]) {
        let before = self.chosen_in(component);
        for &state in component {
            if !self.game.chooses[state] {
                continue;
            }
            let mean = self.plan.means[state].as_ref();
            let first = self
                .options(state)
                .find(|(_, step)| Some(&self.worth(*step)) == mean);
            let place = first.map_or(before[self.place[state]], |(place, _)| place);
            self.plan.chosen[state] = place;
        }
        // With what was taken before, each of them leads to a state that is left.
        for state in self.stuck(component) {
            self.plan.chosen[state] = before[self.place[state]];
        }
    }
}

/// What became of a plan.
enum Improved {
    Not,
    Ends,
    MayNeverEnd,
}
