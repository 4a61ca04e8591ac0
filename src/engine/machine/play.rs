//! Loops with choices that maximise the mean of a value of the last state.
//!
//! The search finds all states that any play can reach. Numbers to which each round only adds are no part of a state: the added amounts
//! stand at the steps, and so do the values of the last states. The best play is the plan of a [`Game`](crate::algebra::Game). The states
//! that this plan reaches make a network, and the sum of what their steps add is the value of the loop.
//!
//! If a player may go on without limit, the number of states is infinite. If the limits allow it, a plan is then sought among the nearest
//! states.

use std::rc::Rc;

use super::code::{Flow, RoutineId};
use super::counters::ValueReader;
use super::ends::SumEnd;
use super::run::{Exploration, Halt, Machine, Run, Scope, Table};
use super::sums::{Worth, only};
use super::words::Word;
use crate::algebra::{Place, Plan, Played, Spread, Weight};
use crate::engine::choice::Optimum;
use crate::limits::LimitReached;
use crate::number::Fraction;

impl<'a> Machine<'a> {
    /// The value of the best play of a loop, for the arguments of its body; the first argument is a place for the state.
    pub(super) fn play(&mut self, body: RoutineId, arguments: &[Word]) -> Run<Worth> {
        let (mut exploration, start) = self.counted(body, arguments, ValueReader::Sum)?;
        let is_once = exploration.counters.places.is_empty();
        let before = std::mem::take(&mut exploration.added);
        if start == Place::end(0) {
            return only(before);
        }
        let (plan, played) = self.best_play(&mut exploration, is_once)?;
        self.steps += exploration.network.steps();
        self.note_decisions(&mut exploration, &plan)?;
        if is_once {
            return Ok(Worth::Listed(self.table_of_ends(&played)?));
        }
        let first = before.checked_add(played.first).ok_or(Halt::Refused)?;
        self.worth((&played.network, &played.added), first, &[SumEnd::sum()])
    }

    /// The best plan among all situations, and its network. If there are more situations than [`Limits`](crate::limits::Limits) allow, the
    /// plan is the best one that stays among the situations nearest to the start. Their number is doubled until the mean stays the same. A
    /// plan that leaves them counts as one that never ends.
    fn best_play(
        &mut self,
        exploration: &mut Exploration<'a>,
        is_once: bool,
    ) -> Run<(Plan, Played)> {
        let all = usize::MAX;
        let nearest = self.budget.limits().situations;
        let nearest = nearest.map_or(all, |near| usize::try_from(near.max(1)).unwrap_or(all));
        let (mut next, mut horizon) = (0, nearest);
        let mut nearer: Option<Fraction> = None;
        loop {
            while next < exploration.states.len().min(horizon) {
                self.step(exploration, next)?;
                next += 1;
            }
            let is_whole = next == exploration.states.len();
            let closed = (!is_whole).then(|| exploration.closed());
            let game = match &closed {
                None => exploration.game(),
                Some(closed) => closed.game(),
            };
            match game.best_plan(self.budget) {
                Ok(plan) if is_whole || nearer.is_some() && plan.means[0] == nearer => {
                    let within = (!is_whole).then_some(next);
                    self.plays_within = self.plays_within.max(within);
                    let played = game.followed(&plan, is_once, self.budget)?;
                    return Ok((plan, played));
                }
                Ok(mut plan) => nearer = plan.means.swap_remove(0),
                // Every plan that surely ends may have to leave the nearest situations.
                Err(LimitReached::Mean | LimitReached::Plan) if !is_whole => nearer = None,
                Err(reached) => return Err(reached.into()),
            }
            horizon = next.saturating_mul(2);
        }
    }

    /// The values of a loop, each of which follows from the end that is reached.
    fn table_of_ends(&mut self, played: &Played) -> Run<Table> {
        let spread = match played.start {
            only if only == Place::end(0) => Spread::even(1),
            _ => {
                let (spread, never) = self.spread_of(&played.network, played.ends.len())?;
                if never != Weight::ZERO || spread.weights.iter().sum::<Weight>() != spread.total {
                    return Err(Halt::Refused);
                }
                spread
            }
        };
        let words = played.ends.iter().map(|&value| Word::number(value));
        let words = words.collect::<Option<Vec<Word>>>().ok_or(Halt::Refused)?;
        Ok(Table::of(
            words.into_iter().zip(spread.weights).collect(),
            spread.total,
        ))
    }

    /// Notes what the plan chooses in each state.
    fn note_decisions(&mut self, exploration: &mut Exploration<'a>, plan: &Plan) -> Run<()> {
        for state in 0..exploration.chooses.len() {
            let Some(mean) = plan.means[state]
                .clone()
                .filter(|_| exploration.chooses[state])
            else {
                continue;
            };
            let point = exploration.states.point(state);
            let Flow::Choose(_, choice, list, ref variables, _) = *self.code.flow(point) else {
                return Err(Halt::Refused);
            };
            let variables = Rc::clone(variables);
            exploration.frame.fill(Word::NOTHING);
            let keys = self.point_keys(point, Scope::Whole(None));
            exploration.restore(state, &keys);
            let frame = &mut exploration.frame;
            let list = self.word(list, frame).ok_or(Halt::Refused)?;
            let candidate = self.candidates(choice, list)?[plan.chosen[state]];
            let mut known = vec![list];
            for &variable in variables.iter() {
                known.push(self.word(variable, frame).unwrap_or(Word::NOTHING));
            }
            self.decides(Optimum {
                choice,
                known,
                candidate,
                mean,
            })?;
        }
        Ok(())
    }
}
