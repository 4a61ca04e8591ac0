//! Numbers of a loop that grow without limit.
//!
//! A counter without a bound gives infinitely many states. So a loop with many states is checked. If a number of its state has left the
//! range that it had before, rounds are followed from the first states that go on, with the number put far off. If these rounds can move it
//! farther for ever, the number drifts: the loop is cut off, or the machine refuses it. Numbers may drift together, such as two scores of
//! which one must be ahead by two. So all numbers that have left their ranges are also put far off together, by the same distance. A number
//! that soon meets another one with which it is compared for equality, as in `until n == 10`, is not put far off before. The check only
//! guesses which way to the answer is shorter.

use std::ops::RangeInclusive;

use super::code::{Flow, FlowId, RoutineId};
use super::counters::Counters;
use super::ranges::{Course, Ranges};
use super::reading::Reading;
use super::run::{Halt, Machine, Run};
use super::shift::Shift;
use super::words::Word;
use crate::limits::LimitReached;
use crate::map::ValueMap;

/// A number that no state of a loop comes near.
const FAR: i64 = 1 << 40;

/// The most states of a loop that are followed with a number far off, in all and for each state that was met.
const MOST_FAR_OFF: usize = 1 << 12;
const FAR_OFF_EACH: usize = 4;

/// How many more members than the first states a followed state may have. With a number far off, a list may double in each round.
const MOST_MORE: usize = 64;

/// The most rolls of a round that are tried.
const MOST_ROLLS: usize = 64;

/// The most bytes of all lists of a loop whose state is a list of no fixed length, for it may grow without an end.
const MOST_OF_LISTS: u64 = 1 << 20;

/// Numbers of a loop's state that are far off by the same distance: their places from the end, and their signs there.
type FarOff<'f> = &'f [(usize, i64)];

/// How the body of a loop begins, and what decides nothing in its states.
type Start<'c> = (FlowId, &'c Counters);

/// A compared number is met soon if it is at most this far from all values that the part of the state has had.
const SOON: i64 = 1 << 10;

/// A state that a round comes to, and whether its number that is far off has moved farther.
type Round = (Word, bool);

impl Machine<'_> {
    /// Whether a loop with so many states seems to have no end of them.
    pub(super) fn course(
        &mut self,
        ranges: &mut Ranges,
        states: usize,
        (body, counters): (RoutineId, &Counters),
        frame: &[Word],
    ) -> Run<Course> {
        ranges.next_look = states * 4;
        let routine = self.code.routine(body);
        let start = (routine.start, counters);
        let mut reading = Reading::of(&self.code, self.arena, routine);
        let met = reading.met();
        let before = std::mem::replace(&mut ranges.before, ranges.now.clone());
        let (mut each, mut all, mut rising) = (Vec::new(), Vec::new(), Vec::new());
        for (back, (&now, &then)) in ranges.now.iter().zip(&before).enumerate() {
            let meets = |range: RangeInclusive<i64>| {
                let mut met = met.iter();
                met.any(|(place, number)| *place == back && range.contains(number))
            };
            let signs = [
                (
                    now.1 > then.1 && !meets(now.1 + 1..=now.1.saturating_add(SOON)),
                    1,
                ),
                (
                    now.0 < then.0 && !meets(now.0.saturating_sub(SOON)..=now.0 - 1),
                    -1,
                ),
            ];
            let moved = signs.into_iter().filter(|(is_far, _)| *is_far);
            let moved: Vec<_> = moved.map(|(_, sign)| (back, sign)).collect();
            all.extend(moved.first());
            if let [(place, 1)] = moved[..] {
                rising.push(place);
            }
            each.extend(moved);
        }
        if ranges.shift.is_none() && rising.len() > 1 {
            ranges.shift = Shift::of(&mut reading, routine, rising);
            if ranges.shift.is_some() {
                return Ok(Course::Steady);
            }
        }
        let mut far_off: Vec<FarOff<'_>> = each.chunks(1).collect();
        if all.len() > 1 {
            far_off.push(&all);
        }
        let most = MOST_FAR_OFF.min(FAR_OFF_EACH * states);
        for far_off in far_off {
            if ranges.course == Course::Drifts {
                break;
            }
            if ranges.settled.iter().any(|known| known == far_off) {
                continue;
            }
            let states = ranges.going_on.iter().filter_map(|state| {
                let mut off = self.lists.members(state).to_vec();
                put_far_off(&mut off, far_off)?;
                self.lists.word(&off)
            });
            let states = states.collect();
            self.is_unsure = false;
            match self.goes_on_for_ever(start, frame, states, (far_off, most))? {
                Some(true) => ranges.course = Course::Drifts,
                _ if self.is_unsure => ranges.course = Course::Unsure,
                Some(false) if ranges.begins_alike() => ranges.settled.push(far_off.to_vec()),
                _ => {}
            }
        }
        let drifts = ranges.course == Course::Drifts;
        if ranges.has_lists && !drifts && self.lists.bytes() > MOST_OF_LISTS {
            return Err(Halt::Refused);
        }
        Ok(ranges.course)
    }

    /// Whether rounds from some states can move a far-off number farther for ever: they come back to a state that differs only in this
    /// number, or lead to very many states. `None` if more states than may be followed would be needed.
    fn goes_on_for_ever(
        &mut self,
        (start, counters): Start<'_>,
        frame: &[Word],
        mut states: Vec<Word>,
        (far_off, most): (FarOff<'_>, usize),
    ) -> Run<Option<bool>> {
        let mut places: ValueMap<Word, usize> = states.iter().copied().zip(0..).collect();
        let lengths = states.iter().map(|state| self.lists.members(state).len());
        let longest = lengths.max().unwrap_or(0) + MOST_MORE;
        let mut rounds: Vec<(usize, usize, bool)> = Vec::new();
        let mut next = 0;
        while let Some(&state) = states.get(next) {
            self.budget.check()?;
            let mut frame = frame.to_vec();
            frame[0] = state;
            let (mut found, mut rolls) = (Vec::new(), MOST_ROLLS);
            self.round(start, &mut frame, far_off, &mut rolls, &mut found)?;
            for (state, has_moved) in found {
                let (state, _) = self.without(counters, state)?;
                if self.lists.members(&state).len() > longest {
                    continue;
                }
                let place = *places.entry(state).or_insert(states.len());
                if place == states.len() {
                    states.push(state);
                }
                rounds.push((next, place, has_moved));
            }
            next += 1;
            if states.len() > most {
                // Of several numbers, some may not drift. So the rounds that were seen so far decide.
                if far_off.len() == 1 && most == MOST_FAR_OFF {
                    return Ok(Some(true));
                }
                let goes_on = moves_in_a_circle(rounds, states.len());
                return Ok(goes_on.then_some(true));
            }
        }
        Ok(Some(moves_in_a_circle(rounds, states.len())))
    }

    /// Adds the states that a round can reach from here and in which the numbers are still far off. The numbers are put back to where they
    /// were.
    fn round(
        &mut self,
        flow: FlowId,
        frame: &mut [Word],
        far_off: FarOff<'_>,
        rolls: &mut usize,
        found: &mut Vec<Round>,
    ) -> Run<()> {
        let Some(at) = decides(self.walk(flow, frame, false))? else {
            return Ok(());
        };
        match self.code.flow(at).clone() {
            Flow::End(value) => {
                let Some(next) = self.word(value, frame) else {
                    return decides(Err(self.no_value())).map(|_: Option<()>| ());
                };
                let mut next = self.lists.members(&next).to_vec();
                if let Some(moved) =
                    put_far_off(&mut next, far_off).filter(|moved| *moved < FAR / 2)
                {
                    found.extend(self.lists.word(&next).map(|next| (next, moved < 0)));
                }
            }
            Flow::Roll(slot, source, arguments, after) => {
                let Some(table) = decides(self.rolled(source, &arguments, frame))? else {
                    self.is_unsure = true;
                    return Ok(());
                };
                for &word in &table.words {
                    if *rolls == 0 || !word.is_value() {
                        break;
                    }
                    *rolls -= 1;
                    let mut frame = frame.to_vec();
                    frame[slot as usize] = word;
                    self.round(after, &mut frame, far_off, rolls, found)?;
                }
            }
            Flow::Bind(..) | Flow::Choose(..) | Flow::If(..) | Flow::Let(..) | Flow::Stop(_) => {}
        }
        Ok(())
    }
}

/// Moves numbers of a state by one distance, each with its sign, so that the first is far off. Returns the distance, which is negative if
/// the first was still farther off.
fn put_far_off(members: &mut [i64], far_off: FarOff<'_>) -> Option<i64> {
    let place = |back: usize| members.len().checked_sub(1 + back);
    let places: Vec<_> = far_off
        .iter()
        .map(|&(back, sign)| Some((place(back)?, sign)))
        .collect::<Option<_>>()?;
    let &(first, sign) = places.first()?;
    let distance = FAR.checked_sub(members[first].checked_mul(sign)?)?;
    for (place, sign) in places {
        members[place] = members[place].checked_add(sign * distance)?;
    }
    Some(distance)
}

/// What has no value far off, or is too large there, decides nothing.
fn decides<T>(found: Run<T>) -> Run<Option<T>> {
    match found {
        Ok(value) => Ok(Some(value)),
        Err(Halt::Limit(reached @ (LimitReached::Interrupted | LimitReached::Time(_)))) => {
            Err(reached.into())
        }
        Err(Halt::Endless | Halt::Limit(_) | Halt::Refused) => Ok(None),
    }
}

/// Whether some round that moves the number lies between states to which rounds come back. To find out, states with no round to them or
/// from them are removed again and again.
fn moves_in_a_circle(mut rounds: Vec<(usize, usize, bool)>, states: usize) -> bool {
    loop {
        let (mut begins, mut ends) = (vec![false; states], vec![false; states]);
        for &(from, to, _) in &rounds {
            begins[from] = true;
            ends[to] = true;
        }
        let before = rounds.len();
        rounds.retain(|&(from, to, _)| ends[from] && begins[to]);
        if rounds.len() == before {
            return rounds.iter().any(|&(_, _, has_moved)| has_moved);
        }
    }
}
