//! The machine: code is run once for each state, and the weights of all states go through one network.

use std::iter;
use std::rc::Rc;

use super::clock::{Clock, Ticking};
use super::code::{Code, Expr, ExprId, Flow, FlowId, RoutineId, SourceId};
use super::counters::{Counters, ValueReader, counters};
use super::ends::{EndTable, SumEnd};
use super::eval::Evaluation;
use super::keys::{PointKeys, RegionTables};
use super::looks::Looks;
use super::ranges::{Course, Ranges};
use super::states::States;
use super::words::{Lists, Word};
use crate::algebra::{Game, Network, Place, Spread, SpreadId};
use crate::engine::choice::Optimum;
use crate::engine::program::Store;
use crate::ir::Arena;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::{Map, ValueMap};
use crate::number::Fraction;

/// Why the machine has no result.
#[derive(Debug)]
pub(super) enum Halt {
    /// A loop seems to have infinitely many states or sums, and must not be cut off.
    Endless,
    Limit(LimitReached),
    /// Something has no value here, or there are too many states.
    Refused,
}

impl From<LimitReached> for Halt {
    fn from(reached: LimitReached) -> Self {
        Self::Limit(reached)
    }
}

impl From<crate::algebra::Stop> for Halt {
    fn from(stop: crate::algebra::Stop) -> Self {
        match stop {
            crate::algebra::Stop::Limit(reached) => Self::Limit(reached),
            crate::algebra::Stop::Overflow => Self::Refused,
        }
    }
}

pub(super) type Run<T> = Result<T, Halt>;

/// The most rounds of a loop that roll nothing and follow each other.
const MOST_PLAIN_ROUNDS: usize = 1 << 16;

/// The values of a roll, ascending, and their weights.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) words: Vec<Word>,
    pub(super) spread: Rc<Spread>,
}

/// The most states of a region for each of its outcomes: one that keeps more of what was rolled has too many outcomes.
const STATES_PER_OUTCOME: usize = 8;

/// How the states are followed.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// To the end of the routine or, for the body of a loop, to the end of the loop. The number is the least length of the loop's states.
    Whole(Option<usize>),
    /// To the ends of the region of a point, with at most so many outcomes.
    Region(FlowId, usize),
}

/// The machine for the terms of one arena.
pub(super) struct Machine<'a> {
    pub(super) code: Code,
    pub(super) lists: Lists,
    /// The room for lists that are being made.
    out: Vec<i64>,
    pub(super) arena: &'a Arena,
    pub(super) budget: &'a Budget<'a>,
    /// The limit that was reached within an expression.
    over: Option<LimitReached>,
    held: Reserved<'a>,
    pub(super) tables: ValueMap<(SourceId, Box<[Word]>), Rc<Table>>,
    /// The tables of sources without arguments.
    pub(super) plain: Map<SourceId, Rc<Table>>,
    pub(super) points: Map<FlowId, Rc<PointKeys>>,
    /// The parts of the value that is rolled at a point which the code after it looks at; `None` for the whole value.
    pub(super) looks: Map<FlowId, Option<Rc<Looks>>>,
    /// The means of the candidates of choices, by the addresses of their tables and the places that are aimed at.
    pub(super) means: Map<(*const Table, Option<usize>), Fraction>,
    pub(super) decisions: Vec<Optimum<Word>>,
    /// The merged tables of rolls at points, for the values of their arguments; and the partial pools on the way to them.
    pub(super) apart: ValueMap<(FlowId, Box<[Word]>), Rc<Table>>,
    pub(super) pools: ValueMap<(FlowId, Box<[Word]>), Rc<Table>>,
    /// For each loop that was cut off, by the start of its body: the least numbers at the last places of its states.
    pub(super) least: Map<FlowId, Vec<i64>>,
    /// The idle numbers of each loop, with and without its value.
    idle: Map<(RoutineId, ValueReader), Counters>,
    /// The clock of each loop that has one.
    pub(super) clocks: Map<RoutineId, Option<Rc<Clock>>>,
    pub(super) regions: Map<FlowId, Option<RegionTables>>,
    /// How many states there may be.
    pub(super) most: usize,
    /// A loop without an end of states is followed until a share of at most this is left; `None` if it is refused.
    pub(super) tolerance: Option<Fraction>,
    /// The share that may be left of a loop with too many states to be solved.
    pub(super) share: Fraction,
    /// Whether there was such a loop.
    pub(super) is_large: bool,
    /// Whether the search needed rolls that are not known.
    pub(super) is_unsure: bool,
    /// The plan of some loop is the best of those that stay within so many situations; `None` if all were looked at.
    pub(super) plays_within: Option<usize>,
    pub(super) states: usize,
    pub(super) steps: usize,
}

/// One search for all states from a start.
pub(super) struct Exploration<'a> {
    scope: Scope,
    pub(super) frame: Vec<Word>,
    pub(super) states: States,
    /// The memory of the states and steps.
    held: Reserved<'a>,
    pub(super) network: Network,
    /// The spread of each table that was met, by its address.
    spreads: Map<*const Spread, SpreadId>,
    pub(super) ends: EndTable,
    /// The body of a loop.
    body: Option<RoutineId>,
    /// Whether a round of it has begun.
    pub(super) begins_with_round: bool,
    /// The clock of the loop, while states are found by it.
    pub(super) ticking: Option<Ticking>,
    /// Where a round of a loop begins.
    pub(super) start: FlowId,
    pub(super) ranges: Ranges,
    /// What a state of a loop adds to a sum, what was added since the last roll, and what each step adds.
    pub(super) adds: Option<Adds>,
    /// Whether a sum may be left open where values are not known.
    pub(super) may_be_open: bool,
    /// The state that is never left, to which paths that never end lead. It adds nothing more.
    trap: Option<usize>,
    /// The numbers that are left out of the states of a loop, and those that do not decide how it goes on.
    pub(super) counters: Counters,
    all_counters: Counters,
    pub(super) added: i64,
    pub(super) all_added: Vec<i64>,
    /// For each state that was taken, whether something is chosen in it.
    pub(super) chooses: Vec<bool>,
    targets: Vec<Place>,
    words: Vec<Word>,
}

/// What the states of a loop add to a sum.
#[derive(Clone, Copy)]
pub(super) enum Adds {
    /// The value of an expression for each state.
    Value(ExprId),
    /// What is counted at some places of each state, and the value of the loop.
    Counted,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        code: Code,
        store: &Store<'a>,
        most: usize,
        tolerance: Option<Fraction>,
    ) -> Self {
        let (arena, budget) = (store.arena, store.budget);
        Self {
            share: store.tolerance(),
            is_large: false,
            is_unsure: false,
            plays_within: None,
            code,
            lists: Lists::new(),
            out: Vec::new(),
            arena,
            budget,
            over: None,
            held: Reserved::none(budget),
            tables: ValueMap::default(),
            plain: Map::default(),
            points: Map::default(),
            looks: Map::default(),
            means: Map::default(),
            decisions: Vec::new(),
            apart: ValueMap::default(),
            pools: ValueMap::default(),
            least: Map::default(),
            idle: Map::default(),
            clocks: Map::default(),
            regions: Map::default(),
            most,
            tolerance,
            states: 0,
            steps: 0,
        }
    }

    /// Takes memory that is given back with the machine.
    pub(super) fn holds_more(&mut self, bytes: u64) -> Run<()> {
        Ok(self.held.take(bytes)?)
    }

    /// The value of an expression.
    pub(super) fn word(&mut self, expr: ExprId, frame: &mut [Word]) -> Option<Word> {
        self.out.clear();
        Evaluation {
            code: &self.code,
            lists: &mut self.lists,
            frame,
            out: &mut self.out,
            budget: self.budget,
            over: &mut self.over,
        }
        .word(expr)
    }

    /// The values of some expressions; [`Word::NONE`] stands for an expression without a value.
    pub(super) fn words(
        &mut self,
        exprs: &[ExprId],
        frame: &mut [Word],
        out: &mut Vec<Word>,
    ) -> Run<()> {
        for &expr in exprs {
            let word = self.word(expr, frame);
            out.push(word.unwrap_or(Word::NONE));
        }
        // After a limit no expression has a value. States must not be merged because of that.
        match self.over.take() {
            None => Ok(()),
            Some(reached) => Err(reached.into()),
        }
    }

    /// Why an expression has no value: a limit was reached, or the program is refused.
    pub(super) fn no_value(&mut self) -> Halt {
        self.over.take().map_or(Halt::Refused, Halt::Limit)
    }

    /// Goes on without rolls, to the next point or end, and within a region no further than it.
    pub(super) fn walk(
        &mut self,
        flow: FlowId,
        frame: &mut [Word],
        is_region: bool,
    ) -> Run<FlowId> {
        let mut at = flow;
        self.out.clear();
        let evaluation = &mut Evaluation {
            code: &self.code,
            lists: &mut self.lists,
            frame,
            out: &mut self.out,
            budget: self.budget,
            over: &mut self.over,
        };
        loop {
            at = match *evaluation.code.flow(at) {
                Flow::Choose(..) | Flow::End(_) | Flow::Roll(..) | Flow::Stop(_) => return Ok(at),
                Flow::Bind(..) if is_region => return Ok(at),
                Flow::If(condition, yes, no) => match evaluation.number(condition) {
                    Some(0) => no,
                    Some(_) => yes,
                    None => return Err(self.no_value()),
                },
                Flow::Bind(slot, value, after) | Flow::Let(slot, value, after) => {
                    let Some(value) = evaluation.word(value) else {
                        return Err(self.no_value());
                    };
                    evaluation.frame[slot as usize] = value;
                    after
                }
            };
        }
    }

    /// A search from the start of a routine for some arguments.
    pub(super) fn exploration(
        &self,
        routine: RoutineId,
        arguments: &[Word],
        scope: Scope,
    ) -> Exploration<'a> {
        let body = routine;
        let routine = self.code.routine(body);
        let mut frame = vec![Word::NONE; routine.slots.max(arguments.len())];
        frame[..arguments.len()].copy_from_slice(arguments);
        let mut exploration = Exploration::new(scope, frame, routine.start, self.budget);
        exploration.body = Some(body);
        if let (Scope::Whole(Some(_)), Some(state)) = (scope, arguments.first()) {
            exploration.ranges.note(self.lists.members(state));
        }
        exploration
    }

    /// The values of a routine for some arguments. For the body of a loop, whose states have at least so many members, those of the
    /// loop.
    pub(super) fn run(
        &mut self,
        routine: RoutineId,
        arguments: &[Word],
        kept: Option<usize>,
    ) -> Run<Table> {
        let (mut exploration, first) = self.begun_loop(routine, arguments, kept, true)?;
        let (ends, weights) = match self.explored(&mut exploration, first) {
            Err(Halt::Endless) if self.never_stops(routine, arguments, kept)? => {
                return Ok(Table::certain(Word::NEVER));
            }
            explored => explored?,
        };
        let values = ends.values.into_iter().zip(weights.weights);
        Ok(Table::of(values.collect(), weights.total))
    }

    /// A search for the states of a routine, and the place that it starts from. What is idle in the states of a loop, with or without
    /// its value, is no part of them.
    fn begun_loop(
        &mut self,
        routine: RoutineId,
        arguments: &[Word],
        kept: Option<usize>,
        has_value: bool,
    ) -> Run<(Exploration<'a>, Place)> {
        let mut exploration = self.exploration(routine, arguments, Scope::Whole(kept));
        let rolled = self.code.routine(routine).first;
        if kept.is_some() {
            exploration.counters = self.idle(routine, has_value);
            exploration.all_counters = self.idle(routine, false);
            if rolled.is_none() {
                self.add_state(&mut exploration)?;
            }
        }
        let start = rolled.unwrap_or(exploration.start);
        let first = self.go_on(&mut exploration, start)?;
        Ok((exploration, first))
    }

    /// Whether a loop surely never ends: the numbers that decide its course lead to no end.
    fn never_stops(
        &mut self,
        routine: RoutineId,
        arguments: &[Word],
        kept: Option<usize>,
    ) -> Run<bool> {
        let mut leads_nowhere = || -> Run<bool> {
            let (mut exploration, _) = self.begun_loop(routine, arguments, kept, false)?;
            let is_cut = self.follow(&mut exploration)?.is_some();
            let mut ends = exploration.ends.values.iter();
            Ok(!is_cut && ends.all(|&end| end == Word::NEVER))
        };
        match leads_nowhere() {
            Err(Halt::Endless | Halt::Refused) => Ok(false),
            found => found,
        }
    }

    /// The numbers in a loop's states on which its course does not depend, nor its value unless `has_value` is false.
    pub(super) fn idle(&mut self, body: RoutineId, has_value: bool) -> Counters {
        let (code, arena) = (&self.code, self.arena);
        let value = if has_value {
            ValueReader::Members
        } else {
            ValueReader::None
        };
        let made = || counters(code, arena, body, value).idle();
        let idle = self.idle.entry((body, value)).or_insert_with(made);
        idle.clone()
    }

    /// Adds the contribution of the state to the sum, and leaves numbers that decide nothing out of the state.
    pub(super) fn add_state(&mut self, exploration: &mut Exploration<'a>) -> Run<()> {
        self.tick(exploration)?;
        exploration.begins_with_round = true;
        let mut sum = exploration.added;
        if let Some(Adds::Value(adds)) = exploration.adds {
            let added = self.word(adds, &mut exploration.frame);
            let added = added.and_then(Word::as_number).ok_or(Halt::Refused)?;
            sum = sum.checked_add(added).ok_or(Halt::Refused)?;
        }
        let (state, counted) = self.without(&exploration.counters, exploration.frame[0])?;
        exploration.frame[0] = state;
        sum = sum.checked_add(counted).ok_or(Halt::Refused)?;
        exploration.added = sum;
        Ok(())
    }

    /// A state of a loop without some numbers, and what these count.
    pub(super) fn without(&mut self, counters: &Counters, state: Word) -> Run<(Word, i64)> {
        if counters.places.is_empty() && counters.shift.is_none() {
            return Ok((state, 0));
        }
        let mut members = self.lists.members(&state).to_vec();
        let (length, mut sum) = (members.len(), 0_i64);
        if !counters.fit(length) {
            return Err(Halt::Refused);
        }
        for counter in &counters.places {
            let member = &mut members[length - 1 - counter.place];
            let kept = counter.kept(*member);
            let counted = *member - kept;
            *member = kept;
            let added = counted.checked_mul(counter.factor);
            let added = added.and_then(|added| sum.checked_add(added));
            sum = added.ok_or(Halt::Refused)?;
        }
        if let Some(shift) = &counters.shift {
            shift.move_down(&mut members);
        }
        let state = self.lists.word(&members).ok_or(Halt::Refused)?;
        Ok((state, sum))
    }

    /// How the states of a loop go on, if it is to be looked at now.
    pub(super) fn course_now(&mut self, exploration: &mut Exploration<'a>) -> Run<Course> {
        let Exploration {
            scope,
            ranges,
            states,
            frame,
            body,
            counters,
            all_counters,
            adds,
            ..
        } = exploration;
        let body = match *body {
            Some(body) if matches!(scope, Scope::Whole(Some(_))) && ranges.is_due(states.len()) => {
                body
            }
            _ => return Ok(Course::Steady),
        };
        let course = self.course(ranges, states.len(), (body, counters), frame)?;
        if let Some(shift) = ranges.shift.as_ref().filter(|_| adds.is_none()) {
            counters.shift = Some(shift.clone());
            all_counters.shift = Some(shift.clone());
        }
        Ok(course)
    }

    /// The target of paths that never end. If something is added up, this is a state that leads to itself. A region must end.
    fn never(&mut self, exploration: &mut Exploration<'a>) -> Run<Place> {
        match (
            exploration.scope,
            &exploration.adds,
            &mut exploration.ticking,
        ) {
            (Scope::Whole(_), Some(_), Some(ticking)) => {
                ticking.gives_up = true;
                Ok(Place::end(0))
            }
            (Scope::Whole(_), None, _) => Ok(exploration.ends.with_value(Word::NEVER)),
            (Scope::Whole(_), Some(_), None) => {
                exploration.added = 0;
                let trap = if let Some(known) = exploration.trap {
                    known
                } else {
                    let nothing = self.code.add(Expr::Fail);
                    let point = self.code.add_flow(Flow::End(nothing));
                    self.states += 1;
                    let (trap, _) = exploration.states.place(point, &[], 0);
                    *exploration.trap.insert(trap)
                };
                Ok(Place::state(trap))
            }
            (Scope::Region(..), _, _) => Err(Halt::Refused),
        }
    }

    /// Takes a state, and finds where its steps lead.
    pub(super) fn step(&mut self, exploration: &mut Exploration<'a>, state: usize) -> Run<()> {
        if exploration.trap == Some(state) {
            exploration.targets.clear();
            exploration.push(Place::state(state));
            return self.add_step(exploration, Some(Rc::new(Spread::even(1))));
        }
        let spread = self.look_ahead(exploration, state)?;
        self.add_step(exploration, spread)
    }

    /// Finds where the steps of a state lead. The spread of what is rolled; there is none where something is chosen.
    pub(super) fn look_ahead(
        &mut self,
        exploration: &mut Exploration<'a>,
        state: usize,
    ) -> Run<Option<Rc<Spread>>> {
        let point = exploration.states.point(state);
        if self.is_plain_round(exploration, point) {
            exploration.targets.clear();
            exploration.frame[0] = exploration.states.words(state)[0];
            let target = self.go_on(exploration, point)?;
            exploration.push(target);
            return Ok(Some(Rc::new(Spread::even(1))));
        }
        let keys = self.point_keys(point, exploration.scope);
        if let Flow::Choose(slot, choice, list, _, after) = *self.code.flow(point) {
            exploration.restore(state, &keys);
            let list = self
                .word(list, &mut exploration.frame)
                .ok_or(Halt::Refused)?;
            exploration.targets.clear();
            for candidate in self.candidates(choice, list)? {
                exploration.restore(state, &keys);
                exploration.frame[slot as usize] = candidate;
                let target = self.go_on(exploration, after)?;
                exploration.push(target);
            }
            return Ok(None);
        }
        let Flow::Roll(slot, _, _, after) = *self.code.flow(point) else {
            return Err(Halt::Refused);
        };
        exploration.restore(state, &keys);
        let outcomes = match exploration.scope {
            Scope::Whole(_) => self.region(point, &mut exploration.frame)?,
            Scope::Region(..) => None,
        };
        exploration.targets.clear();
        let spread = if let Some(outcomes) = outcomes {
            for (index, (end, slots)) in outcomes.ends.iter().enumerate() {
                if index > 0 {
                    exploration.restore(state, &keys);
                }
                for &(slot, word) in slots {
                    exploration.frame[slot as usize] = word;
                }
                let target = self.go_on(exploration, *end)?;
                exploration.push(target);
            }
            Rc::clone(&outcomes.spread)
        } else {
            let table = self.rolled_apart(point, &mut exploration.frame)?;
            for (index, &word) in table.words.iter().enumerate() {
                if index > 0 {
                    exploration.restore(state, &keys);
                }
                let target = if word.is_value() {
                    exploration.frame[slot as usize] = word;
                    self.go_on(exploration, after)?
                } else if word == Word::NEVER {
                    self.never(exploration)?
                } else {
                    exploration.open_end()?
                };
                exploration.push(target);
            }
            Rc::clone(&table.spread)
        };
        Ok(Some(spread))
    }

    /// Whether a state is the beginning of a round without rolls.
    fn is_plain_round(&self, exploration: &Exploration<'a>, point: FlowId) -> bool {
        point == exploration.start && !self.is_roll(point)
    }

    fn is_roll(&self, flow: FlowId) -> bool {
        matches!(self.code.flow(flow), Flow::Choose(..) | Flow::Roll(..))
    }

    /// Adds the state whose targets were found, with the spread of what is rolled; without one, something is chosen.
    pub(super) fn add_step(
        &self,
        exploration: &mut Exploration<'a>,
        spread: Option<Rc<Spread>>,
    ) -> Run<()> {
        let Exploration {
            network,
            spreads,
            targets,
            chooses,
            ..
        } = exploration;
        chooses.push(spread.is_none());
        let spread = match spread {
            Some(spread) => *spreads
                .entry(Rc::as_ptr(&spread))
                .or_insert_with(|| network.add_spread(spread)),
            None => network.add_spread(Rc::new(Spread::even(targets.len()))),
        };
        network.add_state(spread, targets.drain(..));
        let bytes = exploration.states.bytes() + exploration.network.bytes() + self.lists.bytes();
        exploration.held.grow_to(bytes)?;
        Ok(self.budget.check()?)
    }

    /// The table of a source for the values of its arguments.
    pub(super) fn rolled(
        &mut self,
        source: SourceId,
        arguments: &[ExprId],
        frame: &mut [Word],
    ) -> Run<Rc<Table>> {
        if arguments.is_empty()
            && let Some(known) = self.plain.get(&source)
        {
            return Ok(Rc::clone(known));
        }
        let mut words = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            words.push(self.word(argument, frame).ok_or(Halt::Refused)?);
        }
        self.table(source, words)
    }

    /// Where a flow leads. Rounds of a loop that roll nothing follow each other at once.
    pub(super) fn go_on(&mut self, exploration: &mut Exploration<'a>, flow: FlowId) -> Run<Place> {
        let mut flow = flow;
        let is_region = matches!(exploration.scope, Scope::Region(..));
        // Brent's search for a cycle: the state that later rounds are compared with is the newest one at each power of two.
        let mut before = Word::NONE;
        for round in 1..=MOST_PLAIN_ROUNDS.min(self.most) {
            let point = self.walk(flow, &mut exploration.frame, is_region)?;
            let is_state = match self.code.flow(point) {
                Flow::Choose(..) => !is_region,
                flow => matches!(flow, Flow::Roll(..)),
            };
            if !is_state {
                if let Some(place) = self.ended_round(exploration, point) {
                    return Ok(place);
                }
                if let Some(place) = self.ended(exploration, point)? {
                    return Ok(place);
                }
                if exploration.ticking.is_some() {
                    exploration.begins_round();
                    flow = exploration.start;
                    continue;
                }
                // What is counted does not decide whether the loop ends.
                let state = exploration.frame[0];
                let decides = match self.without(&exploration.all_counters, state) {
                    Ok((decides, _)) => decides,
                    Err(Halt::Refused) => state,
                    Err(halt) => return Err(halt),
                };
                if decides == before {
                    return self.never(exploration);
                }
                if round.is_power_of_two() {
                    before = decides;
                }
                flow = exploration.start;
                continue;
            }
            if flow == exploration.start && matches!(exploration.scope, Scope::Whole(Some(_))) {
                exploration.ranges.goes_on(exploration.frame[0]);
            }
            let held = self.point_keys(point, exploration.scope);
            let mut words = std::mem::take(&mut exploration.words);
            words.clear();
            let slots = held.slots.iter();
            words.extend(slots.map(|&slot| exploration.frame[slot as usize]));
            let keys = match &held.keys {
                None => words.len(),
                Some(keys) => {
                    self.words(keys, &mut exploration.frame, &mut words)?;
                    keys.len()
                }
            };
            let (place, is_new) = exploration.states.place(point, &words, keys);
            exploration.words = words;
            if is_new && exploration.ticking.is_none() {
                self.states += 1;
                let is_large = match exploration.scope {
                    Scope::Region(_, most) => place > most * STATES_PER_OUTCOME,
                    Scope::Whole(_) => self.states > self.most,
                };
                if is_large {
                    return Err(Halt::Refused);
                }
            }
            return Ok(Place::state(place));
        }
        Err(Halt::Refused)
    }

    /// Where the end of a flow leads; `None` if another round of a loop begins.
    pub(super) fn ended(
        &mut self,
        exploration: &mut Exploration<'a>,
        end: FlowId,
    ) -> Run<Option<Place>> {
        match exploration.scope {
            Scope::Region(point, most) => {
                let outputs = self.outputs(point, end);
                let mut words = Vec::with_capacity(outputs.len());
                self.words(&outputs, &mut exploration.frame, &mut words)?;
                let ends = &mut exploration.ends;
                let next = ends.outcomes.len();
                let place = *ends
                    .outcome_places
                    .entry((end, words.into()))
                    .or_insert(next);
                if place == next {
                    if next == most {
                        return Err(Halt::Refused);
                    }
                    let set = self.code.live(end).iter().copied();
                    let slots = set.map(|slot| (slot, exploration.frame[slot as usize]));
                    let hidden = self.code.live(point);
                    let slots = slots.filter(|(slot, _)| hidden.binary_search(slot).is_err());
                    ends.outcomes.push((end, slots.collect()));
                }
                Ok(Some(Place::end(place)))
            }
            Scope::Whole(kept) => {
                let (value, stops) = match *self.code.flow(end) {
                    Flow::End(value) => (value, false),
                    Flow::Stop(value) => (value, true),
                    _ => return Err(Halt::Refused),
                };
                let word = self
                    .word(value, &mut exploration.frame)
                    .ok_or(Halt::Refused)?;
                match kept {
                    Some(kept) if !stops => {
                        if self.lists.members(&word).len() < kept {
                            return Err(Halt::Refused);
                        }
                        exploration.frame[0] = word;
                        self.add_state(exploration)?;
                        let state = exploration.frame[0];
                        exploration.ranges.note(self.lists.members(&state));
                        return Ok(None);
                    }
                    _ => {}
                }
                let Some(adds) = exploration.adds else {
                    return Ok(Some(exploration.ends.with_value(word)));
                };
                let end = match adds {
                    Adds::Value(_) => SumEnd::sum(),
                    Adds::Counted => {
                        let end = exploration.counters.end(value, word);
                        let (end, added) = end.ok_or(Halt::Refused)?;
                        let sum = exploration.added.checked_add(added);
                        exploration.added = sum.ok_or(Halt::Refused)?;
                        end
                    }
                };
                Ok(Some(exploration.ends.with_sum(end)))
            }
        }
    }
}

impl<'a> Exploration<'a> {
    pub(super) fn new(
        scope: Scope,
        frame: Vec<Word>,
        start: FlowId,
        budget: &'a Budget<'a>,
    ) -> Self {
        Self {
            held: Reserved::none(budget),
            scope,
            frame,
            states: States::default(),
            network: Network::default(),
            spreads: Map::default(),
            ends: EndTable::default(),
            body: None,
            begins_with_round: false,
            ticking: None,
            start,
            ranges: Ranges::new(),
            adds: None,
            may_be_open: false,
            trap: None,
            counters: Counters::default(),
            all_counters: Counters::default(),
            added: 0,
            all_added: Vec::new(),
            chooses: Vec::new(),
            targets: Vec::new(),
            words: Vec::new(),
        }
    }

    /// The loop all of whose states are searched.
    pub(super) fn loop_body(&self) -> Option<RoutineId> {
        self.body
            .filter(|_| matches!(self.scope, Scope::Whole(Some(_))))
    }

    /// Forgets all but the first state.
    pub(super) fn begin_again(&mut self) {
        self.states.keep_first();
        self.network = Network::default();
        self.spreads.clear();
        self.ends = EndTable::default();
        self.all_added.clear();
        self.chooses.clear();
    }

    /// The targets of the state that was looked at.
    pub(super) fn take_targets(&mut self) -> Vec<Place> {
        std::mem::take(&mut self.targets)
    }

    /// Leaves open the sums of paths through states that were not taken.
    pub(super) fn leave_open(&mut self) {
        let (taken, states) = (self.chooses.len(), self.states.len());
        let open = self.ends.with_sum(SumEnd::open());
        self.network.fill(states, |_| open);
        self.chooses.resize(states, false);
        self.all_added.extend(iter::repeat_n(0, states - taken));
    }

    /// The target of unknown values. A region and a play must know all values.
    fn open_end(&mut self) -> Run<Place> {
        match (self.scope, &self.adds) {
            (Scope::Whole(_), None) => Ok(self.ends.with_value(Word::OPEN)),
            (Scope::Whole(_), Some(_)) if self.may_be_open => {
                Ok(self.ends.with_sum(SumEnd::open()))
            }
            _ => Err(Halt::Refused),
        }
    }

    /// Adds a target of the state that is being taken.
    pub(super) fn push_known(&mut self, target: Place) {
        self.targets.push(target);
        if self.adds.is_some() {
            self.all_added.push(std::mem::take(&mut self.added));
        }
    }

    /// Adds a target that was just found.
    fn push(&mut self, target: Place) {
        self.push_known(target);
        if let Some(ticking) = &mut self.ticking {
            ticking.arrive();
        }
    }

    /// The states as a game. What is added before the first of them is no part of it.
    pub(super) fn game(&self) -> Game<'_> {
        Game {
            network: &self.network,
            chooses: &self.chooses,
            added: &self.all_added,
        }
    }

    /// The game in which no state that is still to be looked at ever ends.
    pub(super) fn closed(&self) -> Closed {
        let mut closed = Closed {
            network: self.network.clone(),
            chooses: self.chooses.clone(),
            added: self.all_added.clone(),
        };
        let (taken, states) = (self.chooses.len(), self.states.len());
        closed.network.fill(states, Place::state);
        closed.chooses.resize(states, false);
        closed.added.extend(iter::repeat_n(0, states - taken));
        closed
    }

    /// Sets the slots that a state holds.
    pub(super) fn restore(&mut self, state: usize, keys: &PointKeys) {
        let words = self.states.words(state);
        for (&slot, &word) in keys.slots.iter().zip(words) {
            self.frame[slot as usize] = word;
        }
    }
}

/// A [`Game`] of its own.
pub(super) struct Closed {
    network: Network,
    chooses: Vec<bool>,
    added: Vec<i64>,
}

impl Closed {
    pub(super) fn game(&self) -> Game<'_> {
        Game {
            network: &self.network,
            chooses: &self.chooses,
            added: &self.added,
        }
    }
}
