//! The states of a loop with a [`Clock`]: each is looked at once in a span, and not at every time. At the other times its steps are
//! copied.

use std::rc::Rc;

use super::clock::{Arrival, Clock, Ticking};
use super::code::{Flow, FlowId};
use super::run::{Exploration, Halt, Machine, Run};
use super::words::Word;
use crate::algebra::{Place, Spread};
use crate::limits::Reserved;
use crate::map::Map;

/// The steps of a state within a span.
struct Steps {
    spread: Rc<Spread>,
    targets: Vec<(Place, Arrival)>,
    added: Vec<i64>,
}

impl Exploration<'_> {
    /// Takes note of the state that a round begins with.
    pub(super) fn begins_round(&mut self) {
        let begun = self.frame[0];
        if let Some(ticking) = &mut self.ticking {
            ticking.begun = Some(begun);
        }
    }
}

impl<'a> Machine<'a> {
    /// Sets the hands of the clock in a state that a round leads to.
    pub(super) fn tick(&mut self, exploration: &mut Exploration<'a>) -> Run<()> {
        let Some(ticking) = &mut exploration.ticking else {
            return Ok(());
        };
        let shown = Rc::clone(&ticking.next);
        let clock = Rc::clone(&ticking.clock);
        let state = self.with_hands(&clock, &shown, exploration.frame[0])?;
        exploration.frame[0] = state;
        Ok(())
    }

    /// The target of the end of a round without rolls, or of the end of a loop whose value depends on hands. `None` without a clock, and if
    /// rolls came before the end.
    pub(super) fn ended_round(
        &mut self,
        exploration: &mut Exploration<'a>,
        end: FlowId,
    ) -> Option<Place> {
        let ticking = exploration.ticking.as_mut()?;
        let begun = ticking.begun?;
        match self.code.flow(end) {
            Flow::Stop(_) if ticking.clock.is_read_at_end => {
                ticking.is_late = true;
                Some(Place::end(0))
            }
            Flow::Stop(_) => None,
            _ => {
                let start = exploration.start;
                let (state, _) = exploration.states.place(start, &[begun], 1);
                Some(Place::state(state))
            }
        }
    }

    /// A state with other hands.
    fn with_hands(&mut self, clock: &Clock, shown: &[i64], state: Word) -> Run<Word> {
        let mut members = self.lists.members(&state).to_vec();
        for (hand, &shown) in clock.hands.iter().zip(shown) {
            let place = members.len().checked_sub(hand.place + 1);
            members[place.ok_or(Halt::Refused)?] = shown;
        }
        self.lists.word(&members).ok_or(Halt::Refused)
    }

    /// The clock of the loop that is searched, which begins with a round.
    fn ticking(&mut self, exploration: &Exploration<'a>) -> Option<Ticking> {
        let body = exploration.loop_body()?;
        let (code, arena) = (&self.code, self.arena);
        let made = || Clock::of(code, arena, body).map(Rc::new);
        let clock = self.clocks.entry(body).or_insert_with(made).clone()?;
        let counted = &exploration.counters.places;
        let mut hands = clock.hands.iter();
        if hands.any(|hand| counted.iter().any(|counter| counter.place == hand.place)) {
            return None;
        }
        let members = self.lists.members(&exploration.frame[0]);
        let hands = clock.hands.iter();
        let first = hands.map(|hand| Some(members[members.len().checked_sub(hand.place + 1)?]));
        let first = first.collect::<Option<Vec<i64>>>()?;
        Ticking::new(clock, first, &exploration.frame)
    }

    /// Finds all states of a loop with a clock. Returns whether the loop has one; if not, the search is unchanged.
    pub(super) fn by_the_clock(&mut self, exploration: &mut Exploration<'a>) -> Run<bool> {
        if exploration.states.len() != 1 || !exploration.begins_with_round {
            return Ok(false);
        }
        let Some(ticking) = self.ticking(exploration) else {
            return Ok(false);
        };
        let last = ticking.last;
        exploration.ticking = Some(ticking);
        let before = self.states;
        let found = self.all_times(exploration, last);
        exploration.ticking = None;
        if let Ok(false) = found {
            self.states = before;
            exploration.begin_again();
        }
        found
    }

    fn all_times(&mut self, exploration: &mut Exploration<'a>, last: usize) -> Run<bool> {
        let mut all: Vec<(usize, usize)> = vec![(0, 0)];
        let mut places: Map<(usize, usize), usize> = Map::default();
        places.insert((0, 0), 0);
        let mut known: Vec<Option<Rc<Steps>>> = Vec::new();
        let (mut held, mut known_bytes) = (Reserved::none(self.budget), 0);
        let mut next = 0;
        while let Some(&(time, state)) = all.get(next) {
            next += 1;
            let Some(ticking) = exploration.ticking.as_mut().filter(|_| time <= last) else {
                return Ok(false);
            };
            let turns = ticking.turns(time).ok_or(Halt::Refused)?;
            let before = known.get(state).cloned().flatten().filter(|_| !turns);
            let steps = if let Some(steps) = before {
                steps
            } else {
                let steps = Rc::new(self.steps(exploration, state)?);
                known_bytes += steps.targets.len() * size_of::<(Place, Arrival, i64)>();
                known.resize(exploration.states.len().max(known.len()), None);
                if !turns {
                    known[state] = Some(Rc::clone(&steps));
                }
                steps
            };
            if exploration
                .ticking
                .as_ref()
                .is_none_or(|ticking| ticking.gives_up)
            {
                return Ok(false);
            }
            for (index, &(target, arrival)) in steps.targets.iter().enumerate() {
                exploration.added = steps.added.get(index).copied().unwrap_or(0);
                let target = match (arrival, target.as_state()) {
                    (Arrival::Late(state), _) => self.late(exploration, time + 1, state)?,
                    (_, None) => target,
                    (arrival, Some(state)) => {
                        let time = time + usize::from(matches!(arrival, Arrival::Next));
                        let place = *places.entry((time, state)).or_insert(all.len());
                        if place == all.len() {
                            all.push((time, state));
                            self.states += 1;
                            if self.states > self.most {
                                return Err(Halt::Refused);
                            }
                        }
                        Place::state(place)
                    }
                };
                exploration.push_known(target);
            }
            self.add_step(exploration, Some(Rc::clone(&steps.spread)))?;
            let places = places.capacity() * size_of::<((usize, usize), usize)>();
            held.grow_to(
                (known_bytes + places + all.capacity() * size_of::<(usize, usize)>()) as u64,
            )?;
        }
        Ok(true)
    }

    /// Where a state leads within a span.
    fn steps(&mut self, exploration: &mut Exploration<'a>, state: usize) -> Run<Steps> {
        let sums = exploration.all_added.len();
        let spread = self.look_ahead(exploration, state)?.ok_or(Halt::Refused)?;
        let added = exploration.all_added.split_off(sums);
        let arrivals = match &mut exploration.ticking {
            Some(ticking) => std::mem::take(&mut ticking.arrivals),
            None => Vec::new(),
        };
        let targets = exploration.take_targets().into_iter().zip(arrivals);
        let targets = targets.collect();
        Ok(Steps {
            spread,
            targets,
            added,
        })
    }

    /// Where a loop ends that began its last round at a time, with a state in which the hands are those of the span.
    fn late(&mut self, exploration: &mut Exploration<'a>, time: usize, state: Word) -> Run<Place> {
        let ticking = exploration.ticking.as_ref().ok_or(Halt::Refused)?;
        let (clock, hands) = (Rc::clone(&ticking.clock), ticking.hands(time));
        exploration.frame[0] = self.with_hands(&clock, &hands.ok_or(Halt::Refused)?, state)?;
        let start = exploration.start;
        let end = self.walk(start, &mut exploration.frame, false)?;
        let place = self.ended(exploration, end)?;
        place.ok_or(Halt::Refused)
    }
}
