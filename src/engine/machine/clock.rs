//! Loops with a clock: numbers of the state that each round changes by the same step, and that decide nothing but where they are
//! compared with given numbers, as the number of rounds so far.
//!
//! From one time at which a comparison turns out otherwise to the next, a *span*, all rounds are alike. So each state is looked at
//! once in a span, and not at every time; at the other times its steps are copied.

use std::rc::Rc;

use super::code::{Code, Expr, ExprId, Flow, FlowId, RoutineId, Slot};
use super::reading::{Reading, parts};
use super::run::{Exploration, Halt, Machine, Run};
use super::words::Word;
use crate::algebra::{Place, Spread};
use crate::ir::{Arena, Comparison};
use crate::map::Map;
use crate::stack;

/// The latest time that a clock can show, in rounds.
const MOST_ROUNDS: i128 = 1 << 24;

/// The hands of a loop's clock, and what they decide.
#[derive(Debug)]
pub(super) struct Clock {
    hands: Vec<Hand>,
    comparisons: Vec<(Comparison, Line, Line)>,
    /// Whether the value of the loop is made of hands.
    is_read_at_end: bool,
}

/// A number of the state, counted from its end, and what each round adds to it.
#[derive(Debug)]
struct Hand {
    place: usize,
    step: i64,
}

/// A sum of a constant, multiples of hands, and multiples of what is given to the body.
#[derive(Clone, Debug, Default)]
struct Line {
    constant: i64,
    hands: Vec<(i64, usize)>,
    given: Vec<(i64, Slot)>,
}

/// What an expression reads of the hands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Nothing but how comparisons turn out.
    Settled,
    /// It is a [`Line`] with hands.
    Line,
    /// Something else.
    Raw,
}

impl Clock {
    /// The clock of the loop with a body.
    fn of(code: &Code, arena: &Arena, body: RoutineId) -> Option<Self> {
        let routine = code.routine(body);
        let reading = Reading::of(code, arena, routine);
        let all = hands(&reading, code, routine.start);
        let with = |hands: Vec<Hand>| {
            let mut search = Search {
                code,
                reading: &reading,
                hands,
                given: Slot::try_from(routine.variables.len()).ok()?,
                comparisons: Vec::new(),
                seen: Map::default(),
            };
            let is_read_at_end = search.body(routine.start, routine.adds)?;
            (!search.comparisons.is_empty()).then_some(Self {
                hands: search.hands,
                comparisons: search.comparisons,
                is_read_at_end,
            })
        };
        let alone = || all.iter().map(|&(place, step)| vec![Hand { place, step }]);
        let together = all.iter().map(|&(place, step)| Hand { place, step });
        with(together.collect()).or_else(|| alone().find_map(with))
    }
}

/// The places to which all rounds add the same number, and that.
fn hands(reading: &Reading<'_>, code: &Code, start: FlowId) -> Vec<(usize, i64)> {
    let ends = code.flows_from(start).into_iter();
    let nexts = ends.filter_map(|flow| match flow {
        Flow::End(next) if *code.expr(*next) != Expr::Fail => Some(parts(code, *next)),
        _ => None,
    });
    let nexts: Vec<Vec<ExprId>> = nexts.collect();
    let step = |parts: &Vec<ExprId>, place: usize| {
        let part = parts[parts.len().checked_sub(place + 1)?];
        match code.expr(part) {
            Expr::Linear(step, atoms) => match atoms[..] {
                [(1, atom)] if reading.place(atom) == Some(place) => Some(*step),
                _ => None,
            },
            _ => None,
        }
    };
    let places = (0..reading.size).filter_map(|place| {
        let mut steps = nexts.iter().map(|parts| step(parts, place));
        let first = steps.next()??;
        (first != 0 && steps.all(|step| step == Some(first))).then_some((place, first))
    });
    places.collect()
}

struct Search<'c> {
    code: &'c Code,
    reading: &'c Reading<'c>,
    hands: Vec<Hand>,
    /// The number of slots that are given to the body; the first is the state.
    given: Slot,
    comparisons: Vec<(Comparison, Line, Line)>,
    seen: Map<ExprId, Look>,
}

impl Search<'_> {
    /// Whether the value of the loop is made of hands. `None` if they are read anywhere else, or after a roll.
    fn body(&mut self, start: FlowId, adds: Option<ExprId>) -> Option<bool> {
        let code = self.code;
        let flows = code.flows_from(start);
        let bound = self.reading.several.iter().copied().chain(adds);
        for expr in bound {
            self.settled(expr)?;
        }
        for flow in &flows {
            match **flow {
                Flow::Bind(_, value, _) | Flow::Let(_, value, _) => {
                    (self.look(value) != Look::Raw).then_some(())?;
                }
                Flow::Choose(..) => return None,
                Flow::End(next) => self.next(next)?,
                Flow::If(condition, ..) => self.settled(condition)?,
                Flow::Roll(_, _, ref arguments, _) => {
                    for &argument in arguments.iter() {
                        self.settled(argument)?;
                    }
                }
                Flow::Stop(_) => {}
            }
        }
        let mut is_read = |flow: &&Flow| match **flow {
            Flow::Stop(value) => self.settled(value).is_none(),
            _ => false,
        };
        let mut later = flows.iter().filter_map(|flow| match **flow {
            Flow::Roll(.., after) => Some(code.flows_from(after)),
            _ => None,
        });
        let is_read_later = later.any(|flows| flows.iter().any(&mut is_read));
        (!is_read_later).then(|| flows.iter().any(is_read))
    }

    /// Looks at the parts of the next state that are no hands.
    fn next(&mut self, next: ExprId) -> Option<()> {
        for (place, part) in parts(self.code, next).into_iter().rev().enumerate() {
            if self.hands.iter().all(|hand| hand.place != place) {
                self.settled(part)?;
            }
        }
        Some(())
    }

    fn settled(&mut self, id: ExprId) -> Option<()> {
        (self.look(id) == Look::Settled).then_some(())
    }

    fn look(&mut self, id: ExprId) -> Look {
        if let Some(&known) = self.seen.get(&id) {
            return known;
        }
        let look = stack::level(|| self.look_anew(id));
        self.seen.insert(id, look);
        look
    }

    fn look_anew(&mut self, id: ExprId) -> Look {
        if let Some(line) = self.line(id) {
            return if line.hands.is_empty() {
                Look::Settled
            } else {
                Look::Line
            };
        }
        if let Some((after, end)) = self.reading.reach(id) {
            let reads = |hand: &Hand| (after..end).contains(&hand.place);
            return if self.hands.iter().any(reads) {
                Look::Raw
            } else {
                Look::Settled
            };
        }
        match *self.code.expr(id) {
            Expr::Slot(slot) => match self.reading.values.get(&slot) {
                Some(&value) => return self.look(value),
                None => return Look::Settled,
            },
            Expr::Filter(comparison, number, list) => {
                if let (Some(number), Some(list)) = (self.line(number), self.line(list)) {
                    self.comparisons.push((comparison, list, number));
                    return Look::Settled;
                }
            }
            Expr::Let(_, value, body) if self.look(value) == Look::Line => return self.look(body),
            _ => {}
        }
        let mut operands = Vec::new();
        self.code
            .expr(id)
            .for_operands(|operand, _| operands.push(operand));
        let mut operands = operands.into_iter();
        if operands.all(|operand| self.look(operand) == Look::Settled) {
            Look::Settled
        } else {
            Look::Raw
        }
    }

    /// An expression as a line.
    fn line(&self, id: ExprId) -> Option<Line> {
        let mut line = Line::default();
        self.add(&mut line, 1, id)?;
        Some(line)
    }

    fn add(&self, line: &mut Line, factor: i64, id: ExprId) -> Option<()> {
        if let Some(place) = self.reading.place(id) {
            let hand = self.hands.iter().position(|hand| hand.place == place)?;
            line.hands.push((factor, hand));
            return Some(());
        }
        match *self.code.expr(id) {
            Expr::Word(word) => {
                let number = word.as_number()?.checked_mul(factor)?;
                line.constant = line.constant.checked_add(number)?;
            }
            Expr::Slot(slot) if (1..self.given).contains(&slot) => line.given.push((factor, slot)),
            Expr::Slot(slot) => {
                let value = *self.reading.values.get(&slot)?;
                stack::level(|| self.add(line, factor, value))?;
            }
            Expr::Linear(constant, ref atoms) => {
                line.constant = line.constant.checked_add(constant.checked_mul(factor)?)?;
                for &(of, atom) in atoms {
                    stack::level(|| self.add(line, factor.checked_mul(of)?, atom))?;
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// A line for one run: its value at first, and what each round adds to it.
type Course = (i128, i128);

/// A clock in a run.
pub(super) struct Ticking {
    clock: Rc<Clock>,
    /// The hands at first.
    first: Vec<i64>,
    /// The two sides of each comparison.
    sides: Vec<(Comparison, Course, Course)>,
    /// Of each time, the hands at the first time of its span.
    shown: Vec<Rc<[i64]>>,
    /// No comparison turns out otherwise after this time.
    last: usize,
    /// What the hands are set to when a round is over.
    next: Rc<[i64]>,
    /// The state that a round begins with, since a state was taken.
    begun: Option<Word>,
    /// How each target of a state is reached.
    arrivals: Vec<Arrival>,
    is_late: bool,
    pub(super) gives_up: bool,
}

/// How a target is reached.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    /// In the same round, or without a round.
    Now,
    /// In the next round.
    Next,
    /// In the next round, which begins with this state and ends the loop with a value that is made of hands.
    Late(Word),
}

/// The steps of a state within a span.
struct Steps {
    spread: Rc<Spread>,
    targets: Vec<(Place, Arrival)>,
    added: Vec<i64>,
}

impl Ticking {
    fn new(clock: Rc<Clock>, first: Vec<i64>, frame: &[Word]) -> Option<Self> {
        let course = |line: &Line| -> Option<Course> {
            let (mut value, mut step) = (i128::from(line.constant), 0);
            for &(factor, hand) in &line.hands {
                value += i128::from(factor) * i128::from(first[hand]);
                step += i128::from(factor) * i128::from(clock.hands[hand].step);
            }
            for &(factor, slot) in &line.given {
                value += i128::from(factor) * i128::from(frame[slot as usize].as_number()?);
            }
            Some((value, step))
        };
        let comparisons = clock.comparisons.iter();
        let sides = comparisons.map(|(comparison, member, number)| {
            Some((*comparison, course(member)?, course(number)?))
        });
        let sides: Vec<_> = sides.collect::<Option<_>>()?;
        let ends = sides.iter().map(|&(_, member, number)| {
            let (apart, step) = (member.0 - number.0, member.1 - number.1);
            // Both are equal there; a comparison may turn out otherwise there, and at the next time.
            let meet = if step == 0 { 0 } else { -apart / step };
            meet.max(0) + 2
        });
        let last = ends.max().filter(|last| *last <= MOST_ROUNDS)?;
        let shown: Rc<[i64]> = first.clone().into();
        Some(Self {
            clock,
            first,
            sides,
            shown: vec![Rc::clone(&shown)],
            last: usize::try_from(last).ok()?,
            next: shown,
            begun: None,
            arrivals: Vec::new(),
            is_late: false,
            gives_up: false,
        })
    }

    /// The hands at a time.
    fn hands(&self, time: usize) -> Option<Rc<[i64]>> {
        let hands = self.first.iter().zip(&self.clock.hands);
        let hands = hands.map(|(first, hand)| {
            let moved = hand.step.checked_mul(i64::try_from(time).ok()?)?;
            first.checked_add(moved)
        });
        hands.collect()
    }

    /// Sets what the hands show after a round at this time. Whether that begins another span.
    fn turns(&mut self, time: usize) -> Option<bool> {
        if self.shown.len() == time + 1 {
            let holds =
                |time: usize, &(comparison, member, number): &(Comparison, Course, Course)| {
                    let at = |(value, step): Course| value + step * time as i128;
                    comparison.holds(&at(member), &at(number))
                };
            let mut sides = self.sides.iter();
            let is_alike = sides.all(|sides| holds(time, sides) == holds(time + 1, sides));
            let next = if is_alike {
                Rc::clone(&self.shown[time])
            } else {
                self.hands(time + 1)?
            };
            self.shown.push(next);
        }
        self.next = Rc::clone(&self.shown[time + 1]);
        Some(!Rc::ptr_eq(&self.shown[time], &self.next))
    }

    /// Takes note of how a target is reached.
    pub(super) fn arrive(&mut self) {
        let begun = self.begun.take();
        let arrival = match begun {
            None => Arrival::Now,
            Some(state) if std::mem::take(&mut self.is_late) => Arrival::Late(state),
            Some(_) => Arrival::Next,
        };
        self.arrivals.push(arrival);
    }
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

    /// Where the end of a round without rolls leads, and that of a loop whose value is made of hands. `None` without a clock, and
    /// where rolls came before that end.
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
        if hands.any(|hand| counted.iter().any(|(place, _)| *place == hand.place)) {
            return None;
        }
        let members = self.lists.members(&exploration.frame[0]);
        let hands = clock.hands.iter();
        let first = hands.map(|hand| Some(members[members.len().checked_sub(hand.place + 1)?]));
        let first = first.collect::<Option<Vec<i64>>>()?;
        Ticking::new(clock, first, &exploration.frame)
    }

    /// Finds all states of a loop with a clock. Whether it has one: otherwise the search is as it was.
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
