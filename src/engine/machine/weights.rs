//! The weights of all ends of a search. A loop without an end of states, or with too many to be solved, is followed until little is left.

use super::ends::EndTable;
use super::ranges::{Course, FIRST_UNSURE_STATES};
use super::run::{Exploration, Halt, Machine, Run};
use super::words::Word;
use crate::algebra::weight::probability;
use crate::algebra::{EndId, Network, Place, Spread, Weight};
use crate::number::Fraction;

/// The most states of a loop without an end of states.
const MOST_OPEN_STATES: usize = 1 << 18;

impl<'a> Machine<'a> {
    /// All ends that can be reached from a place, with their weights.
    pub(super) fn explored(
        &mut self,
        exploration: &mut Exploration<'a>,
        first: Place,
    ) -> Run<(EndTable, Spread)> {
        if let Some(cut) = self.follow(exploration)? {
            return Ok(cut);
        }
        let mut ends = std::mem::take(&mut exploration.ends);
        if exploration.states.len() == 0 {
            debug_assert_eq!(first, Place::end(0), "no state, so the only end");
            let one = Weight::from(1_u32);
            let weights = vec![one.clone()];
            return Ok((
                ends,
                Spread {
                    weights,
                    total: one,
                },
            ));
        }
        let weights = self.weights_of(&exploration.network, &mut ends)?;
        Ok((ends, weights))
    }

    /// Follows all states. A loop without an end of states is followed until a share of at most the tolerance is left, and then all ends
    /// have their weights.
    pub(super) fn follow(
        &mut self,
        exploration: &mut Exploration<'a>,
    ) -> Run<Option<(EndTable, Spread)>> {
        if self.by_the_clock(exploration)? {
            self.steps += exploration.network.steps();
            return Ok(None);
        }
        let mut next = 0;
        let mut before: Option<Fraction> = None;
        while next < exploration.states.len() {
            self.step(exploration, next)?;
            next += 1;
            let course = self.course_now(exploration)?;
            let drifts = course == Course::Drifts;
            let is_late = exploration.states.len() >= FIRST_UNSURE_STATES;
            if drifts || course == Course::Unsure && (is_late || self.tolerance.is_some()) {
                let tolerance = self.tolerance.clone().ok_or(Halt::Endless)?;
                let (ends, weights) = self.cut(exploration)?;
                let open = ends.values.iter().position(|&value| value == Word::OPEN);
                let open = open.and_then(|place| weights.weights.get(place));
                let open = probability(open.ok_or(Halt::Refused)?, &weights.total);
                if open <= tolerance {
                    let least = exploration.ranges.now.iter().map(|range| range.0);
                    let least: Vec<i64> = match self.least.get(&exploration.start) {
                        Some(known) => known.iter().zip(least).map(|(a, b)| b.min(*a)).collect(),
                        None => least.collect(),
                    };
                    self.least.insert(exploration.start, least);
                    self.steps += exploration.network.steps();
                    return Ok(Some((ends, weights)));
                }
                let is_slow = before.is_some_and(|before| falls_slowly(&before, &open));
                if drifts && (is_slow || exploration.states.len() > MOST_OPEN_STATES) {
                    return Err(Halt::Refused);
                }
                before = Some(open);
            }
        }
        self.steps += exploration.network.steps();
        Ok(None)
    }

    /// All ends that can be reached from the states that were taken, with their weights. What is open has the weight of all other
    /// states.
    fn cut(&mut self, exploration: &Exploration<'a>) -> Run<(EndTable, Spread)> {
        let mut ends = EndTable::default();
        let sums = exploration.ends.sums.iter();
        match exploration.adds {
            Some(_) => ends.values.extend(sums.map(|end| end.value)),
            None if exploration.ends.values.contains(&Word::OPEN) => return Err(Halt::Refused),
            None => ends.values.clone_from(&exploration.ends.values),
        }
        let open = ends.values.iter().position(|&end| end == Word::OPEN);
        let open = open.unwrap_or_else(|| {
            ends.values.push(Word::OPEN);
            ends.values.len() - 1
        });
        let mut network = exploration.network.clone();
        network.fill(exploration.states.len(), |_| Place::end(open));
        let weights = self.weights_of(&network, &mut ends)?;
        Ok((ends, weights))
    }

    /// The weights of all ends. Paths that never end get an end of their own, and so do unknown values.
    fn weights_of(&mut self, network: &Network, ends: &mut EndTable) -> Run<Spread> {
        let count = ends.values.len().max(ends.outcomes.len());
        let (mut spread, never) = self.spread_of(network, count)?;
        let known: Weight = spread.weights.iter().sum::<Weight>() + &never;
        let open = &spread.total - known;
        for (end, weight) in [(Word::NEVER, never), (Word::OPEN, open)] {
            if weight == Weight::ZERO {
                continue;
            }
            if !ends.outcomes.is_empty() {
                return Err(Halt::Refused);
            }
            if let Some(place) = ends.values.iter().position(|&known| known == end) {
                spread.weights[place] += weight;
            } else {
                ends.values.push(end);
                spread.weights.push(weight);
            }
        }
        Ok(spread)
    }

    /// The weights of so many ends, and of what never ends. A small share may be missing.
    pub(super) fn spread_of(&mut self, network: &Network, count: usize) -> Run<(Spread, Weight)> {
        let found = if let Some(found) = network.ends(self.budget)? {
            found
        } else if self.share == Fraction::default() {
            return Err(Halt::Refused);
        } else {
            self.is_large = true;
            network.ends_within(&self.share, self.budget)?
        };
        // Some end may be so improbable that it is not resolved.
        let mut weights = vec![Weight::ZERO; count];
        for (EndId(place), weight) in found.weights {
            weights[place as usize] = weight;
        }
        let total = found.total;
        let spread = Spread { weights, total };
        Ok((spread, found.never))
    }
}

/// Whether what is left of a loop falls slowly, as in a fair walk, and not by a factor in each round.
fn falls_slowly(before: &Fraction, now: &Fraction) -> bool {
    let half = Fraction::new_raw(1.into(), 2.into());
    *before <= half && *now > before * half
}
