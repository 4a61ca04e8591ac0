//! A plan from floating-point numbers. It is only where the exact search begins.
#![expect(
    clippy::float_arithmetic,
    reason = "the plan is proven by exact means afterwards"
)]

use num_traits::ToPrimitive as _;

use super::search::Search;
use crate::algebra::Place;
use crate::limits::LimitReached;
use crate::number::Fraction;

/// How often the values of a component are brought nearer to a plan.
const MOST_SWEEPS: usize = 1 << 10;

/// How often a plan is improved.
const MOST_SUGGESTIONS: usize = 1 << 6;

/// What is better by less than this share is taken for equal.
const NEAR: f64 = 1e-9;

/// Values that move by less than this share are taken for those of the plan.
const STILL: f64 = 1e-12;

/// A step that may be taken: its place among those of its state, its probability, the state of the component that it leads to, and
/// what is added until there, or until the end.
struct Way {
    place: usize,
    share: f64,
    to: Option<usize>,
    added: f64,
}

impl Way {
    fn worth(&self, values: &[f64]) -> f64 {
        self.to.map_or(0.0, |to| values[to]) + self.added
    }
}

impl Search<'_, '_, '_> {
    /// Improves the plan in a component as far as floating-point numbers can tell. It still surely ends.
    pub(super) fn suggest(&mut self, component: &[usize]) -> Result<(), LimitReached> {
        let options: Vec<Vec<Way>> = component
            .iter()
            .map(|&state| self.options_of(component, state))
            .collect();
        let mut values = vec![0.0; component.len()];
        for _ in 0..MOST_SUGGESTIONS {
            self.settle(component, &options, &mut values)?;
            let before = self.chosen_in(component);
            for (index, &state) in component.iter().enumerate() {
                let mut best = values[index];
                for option in options[index].iter().filter(|_| self.game.chooses[state]) {
                    let worth = option.worth(&values);
                    if worth > best + NEAR * best.abs().max(1.0) {
                        best = worth;
                        self.plan.chosen[state] = option.place;
                    }
                }
            }
            if self.chosen_in(component) == before {
                break;
            }
            if !self.stuck(component).is_empty() {
                for (&state, before) in component.iter().zip(before) {
                    self.plan.chosen[state] = before;
                }
                break;
            }
        }
        Ok(())
    }

    fn options_of(&self, component: &[usize], state: usize) -> Vec<Way> {
        let weights = self.game.steps(state).map(|step| step.0.to_f64());
        let total: f64 = weights.flatten().sum();
        let mean_at = |place: Place| self.mean_at(place).and_then(Fraction::to_f64);
        let options = self.options(state).map(|(place, (weight, target, added))| {
            #[expect(clippy::cast_precision_loss, reason = "it is only near")]
            let added = added as f64;
            let is_within = self.is_within(component, target);
            Way {
                place,
                share: weight.to_f64().unwrap_or_default() / total,
                to: is_within.then(|| self.place[target.index()]),
                added: match mean_at(target) {
                    Some(mean) if !is_within => added + mean,
                    _ => added,
                },
            }
        });
        options.collect()
    }

    /// Brings values near to those of the plan.
    fn settle(
        &self,
        component: &[usize],
        options: &[Vec<Way>],
        values: &mut [f64],
    ) -> Result<(), LimitReached> {
        for _ in 0..MOST_SWEEPS {
            self.budget.work(component.len() as u64)?;
            let (mut moved, mut largest) = (0.0_f64, 0.0_f64);
            for (index, &state) in component.iter().enumerate().rev() {
                let mut all = options[index].iter();
                let value = if self.game.chooses[state] {
                    let chosen = all.find(|option| option.place == self.plan.chosen[state]);
                    chosen.map_or(0.0, |option| option.worth(values))
                } else {
                    all.map(|option| option.share * option.worth(values)).sum()
                };
                moved = moved.max((value - values[index]).abs());
                largest = largest.max(value.abs());
                values[index] = value;
            }
            if moved <= STILL * largest {
                break;
            }
        }
        Ok(())
    }
}
