//! From a term of the core program to a routine. A term without code here is refused, and solved by residual programs.

use std::rc::Rc;

use super::code::{Code, Expr, ExprId, Flow, FlowId, Gather, Routine, RoutineId, Slot, Source};
use super::decks::{Waiting, shuffled};
use super::keys::MOST_ROLLS;
use super::reading::parts;
use super::words::Word;
use crate::engine::program::{Order, Store};
use crate::ir::{
    Arithmetic, Arrangement, Candidates, Comparison, Folding, Selection, Term, TermId,
};
use crate::map::Map;
use crate::stack;

/// The most terms that are looked at. A shared term counts once for each use.
pub(super) const MOST_TERMS: usize = 1 << 16;

/// What a variable stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// A value.
    Expr(ExprId),
    /// A known list in random order (its term), of which a first part is looked at once at most, and drawn only then.
    Deck(TermId),
    /// The list of all states of a loop, of which only the end is looked at: the last state.
    End(ExprId),
    /// The value of a term, which is looked at once and evaluated there, and the number of variables that are bound around it.
    Once(TermId, usize),
    /// Nothing: the term does not mention it.
    Nothing,
}

/// How the asked part of a loop's states becomes a value: as it is or by a term, and perhaps reduced to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Made {
    pub(super) term: Option<TermId>,
    pub(super) order: Order,
    pub(super) folding: Option<Folding>,
}

/// What the value of a routine is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ending {
    /// It is the value.
    Value,
    /// It is the next state of a loop. If the next state is empty, the value of the loop is the state before, or [`Made`] from that state.
    /// The last term, if there is one, gives the first state and mentions no variable.
    Loop(StatesQuestion, Option<Made>, Option<TermId>),
    /// It is the next state of a loop whose value is a number. The terms are those of the first state and of the number; without the second
    /// term, the number is the asked part of the last state. Choices maximise the mean of the number, unless only a part of the last state
    /// is asked for.
    Worth(TermId, Option<TermId>, Option<StatesQuestion>),
    /// It is the next state of a loop whose values are reduced to a number: the terms of the first state and of the number.
    Sum(TermId, TermId),
}

/// What is asked of the list of all states of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum StatesQuestion {
    /// Some members at its end, no more than the last state has.
    End,
    /// So many of its last members. The set bits say which of them are looked at; the lowest bit is the last member.
    Last(usize, u64),
    /// Its member at a place from the end, or only whether the loop ends.
    Member(Option<usize>),
}

/// A loop, and what is asked of its last state.
pub(super) struct Looping {
    pub(super) first: TermId,
    pub(super) body: TermId,
    pub(super) asked: StatesQuestion,
}

impl StatesQuestion {
    /// How many members a state must have, so that the asked members are its own and none of the state before.
    pub(super) fn kept(self) -> usize {
        match self {
            Self::End => 1,
            Self::Last(count, _) => count,
            Self::Member(place) => place.map_or(1, |place| place + 1),
        }
    }

    /// What a variable stands for if it is bound to the asked members.
    pub(super) fn bound(self, last: ExprId) -> Bound {
        match self {
            Self::End => Bound::End(last),
            Self::Last(..) | Self::Member(_) => Bound::Expr(last),
        }
    }
}

/// What is done with the value of a term.
#[derive(Clone, Copy)]
enum Then {
    /// It goes into a slot, and a flow goes on.
    Bind(Slot, FlowId),
    End,
    /// It is the value of the loop whose body this is.
    Stop,
}

/// A step before the value of a term.
pub(super) enum Preparation {
    Let(Slot, ExprId),
    /// A roll, with the term of the routine if one is called.
    Roll(Slot, Source, Rc<[ExprId]>, Option<Called>),
}

/// A term that is called as a routine, and how many variables are bound around the call.
#[derive(Clone, Copy)]
pub(super) struct Called {
    term: TermId,
    order: Order,
    depth: usize,
}

/// What is compiled only once: a term, whether its order is asked for, whether its variable 0 is always an argument, and its ending.
type RoutineKey = (TermId, Order, bool, Ending);

/// The compiler of one machine.
pub(super) struct Compiler<'c, 's, 'a> {
    pub(super) code: &'c mut Code,
    pub(super) store: &'s mut Store<'a>,
    known: Map<RoutineKey, Option<RoutineId>>,
    /// How many more terms may be looked at. Terms are shared, and code is not.
    pub(super) left: usize,
}

/// A routine that is being made.
pub(super) struct Frame {
    pub(super) environment: Vec<Bound>,
    slots: Slot,
    pub(super) steps: Vec<Preparation>,
    pub(super) waiting: Waiting,
    /// In the body of a loop, the flow that gives the value of the loop when it ends.
    stop: Option<FlowId>,
    /// Whether choices are for the value of the loop.
    plays: bool,
    /// What each state adds to the value of the loop.
    adds: Option<ExprId>,
    /// Whether slot 0 has a state of a loop, so that it has a member.
    pub(super) has_state: bool,
    /// The slots that hold at most one member, and whether the member is surely there.
    pub(super) numbers: Map<Slot, bool>,
    /// The slots of rolled lists that surely have a member.
    filled: Vec<Slot>,
}

impl Frame {
    fn new(environment: Vec<Bound>, slots: Slot, has_state: bool) -> Self {
        Self {
            environment,
            slots,
            steps: Vec::new(),
            waiting: Waiting::default(),
            stop: None,
            plays: false,
            adds: None,
            has_state,
            numbers: Map::default(),
            filled: Vec::new(),
        }
    }

    pub(super) fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    pub(super) fn variable(&self, index: u32) -> Bound {
        self.environment[self.environment.len() - 1 - index as usize]
    }
}

impl<'c, 's, 'a> Compiler<'c, 's, 'a> {
    pub(super) fn new(code: &'c mut Code, store: &'s mut Store<'a>) -> Self {
        Self {
            code,
            store,
            known: Map::default(),
            left: MOST_TERMS,
        }
    }

    /// The routine of a term.
    pub(super) fn routine(&mut self, term: TermId, order: Order) -> Option<RoutineId> {
        self.made((term, order, false, Ending::Value))
    }

    /// The routine of a body, whose first argument is the bound variable.
    pub(super) fn body(&mut self, term: TermId, order: Order, ending: Ending) -> Option<RoutineId> {
        self.made((term, order, true, ending))
    }

    fn made(&mut self, key: RoutineKey) -> Option<RoutineId> {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let made = self.make(key);
        self.known.insert(key, made);
        made
    }

    fn make(&mut self, (term, order, is_body, ending): RoutineKey) -> Option<RoutineId> {
        let mut free = self.store.free(term).to_vec();
        match ending {
            Ending::Loop(_, Some(made), _) => {
                let term = made.term.into_iter();
                free.extend(term.flat_map(|term| self.store.free(term).to_vec()));
            }
            Ending::Worth(first, worth, _) => {
                if let Some(worth) = worth {
                    free.extend_from_slice(&self.store.free(worth));
                }
                free.extend(self.store.free(first).iter().map(|index| index + 1));
            }
            Ending::Sum(_, sum) => free.extend(self.store.free(sum).iter().map(|index| index + 1)),
            Ending::Loop(_, None, _) | Ending::Value => {}
        }
        free.sort_unstable();
        free.dedup();
        let bound = is_body.then_some(0);
        let others = free.iter().copied().filter(|&index| Some(index) != bound);
        let variables: Box<[u32]> = bound.into_iter().chain(others).collect();
        let depth = variables.iter().max().map_or(0, |most| *most as usize + 1);
        let mut environment = vec![Bound::Nothing; depth];
        for (slot, &index) in (0..).zip(&variables) {
            environment[depth - 1 - index as usize] = Bound::Expr(self.code.add(Expr::Slot(slot)));
        }
        let slots = Slot::try_from(variables.len()).ok()?;
        let mut frame = Frame::new(environment, slots, ending != Ending::Value);
        let mut first = None;
        if let Ending::Loop(asked, made, of_first) = ending {
            if let Some(of_first) = of_first {
                first = Some(self.flow(of_first, order, Then::End, &mut frame)?);
            }
            let mut stop = self.last_state(asked)?;
            if let Some(made) = made {
                let state = frame.environment.pop()?;
                stop = self.made_of(asked.bound(stop), made, &mut frame)?;
                frame.environment.push(state);
            }
            frame.stop = Some(self.code.add_flow(Flow::Stop(stop)));
        }
        if let Ending::Worth(of_first, worth, asked) = ending {
            let state = frame.environment.pop()?;
            first = Some(self.flow(of_first, order, Then::End, &mut frame)?);
            let last = match asked {
                Some(asked) => asked.bound(self.last_state(asked)?),
                None => state,
            };
            frame.stop = Some(match (worth, last) {
                (Some(worth), _) => {
                    frame.environment.push(last);
                    let stop = self.flow(worth, Order::Ignored, Then::Stop, &mut frame)?;
                    frame.environment.pop();
                    stop
                }
                (None, Bound::Expr(last)) => self.code.add_flow(Flow::Stop(last)),
                (None, _) => return None,
            });
            frame.environment.push(state);
            frame.plays = asked.is_none();
        }
        if let Ending::Sum(of_first, sum) = ending {
            let Term::Fold(folding, list, _) = *self.store.arena.term(sum) else {
                return None;
            };
            let state = frame.environment.pop()?;
            let list = self.of_state(list, &mut frame)?;
            frame.adds = Some(self.code.add(Expr::Fold(folding, list)));
            let nothing = self.code.number(0)?;
            frame.stop = Some(self.code.add_flow(Flow::Stop(nothing)));
            first = Some(self.flow(of_first, order, Then::End, &mut frame)?);
            frame.environment.push(state);
        }
        let start = self.flow(term, order, Then::End, &mut frame)?;
        let asked = match ending {
            Ending::Loop(asked, ..) | Ending::Worth(_, _, Some(asked)) => asked,
            _ => StatesQuestion::End,
        };
        if let Ending::Loop(..) = ending {
            self.code.note_rounds(first, start);
        }
        Some(self.code.add_routine(Routine {
            variables,
            slots: frame.slots as usize,
            adds: frame.adds,
            kept: asked.kept(),
            first,
            start,
        }))
    }

    /// The flow that evaluates a term and then does something with its value.
    fn flow(
        &mut self,
        term: TermId,
        order: Order,
        then: Then,
        frame: &mut Frame,
    ) -> Option<FlowId> {
        self.left = self.left.checked_sub(1)?;
        let waiting = frame.waiting.clone();
        let flow = stack::level(|| self.flow_anew(term, order, then, frame));
        frame.waiting = waiting;
        flow
    }

    fn flow_anew(
        &mut self,
        term: TermId,
        order: Order,
        then: Then,
        frame: &mut Frame,
    ) -> Option<FlowId> {
        let before = std::mem::take(&mut frame.steps);
        let last = match *self.store.arena.term(term) {
            Term::Let(value, body)
                if self.looping(value).is_none() || self.rolls_in(body, 1, frame) =>
            {
                let bound = self.bound(value, body, order, frame)?;
                let steps = std::mem::take(&mut frame.steps);
                frame.environment.push(bound);
                let flow = self.flow(body, order, then, frame);
                frame.environment.pop();
                frame.steps = steps;
                flow?
            }
            Term::If(condition, yes, no) => {
                let condition = self.test(condition, frame)?;
                self.look_at(condition, frame);
                let steps = std::mem::take(&mut frame.steps);
                let flow = match self.code.as_number(condition) {
                    Some(0) => self.flow(no, order, then, frame)?,
                    Some(_) => self.flow(yes, order, then, frame)?,
                    None => {
                        let yes = self.flow(yes, order, then, frame)?;
                        let no = self.flow(no, order, then, frame)?;
                        self.code.add_flow(Flow::If(condition, yes, no))
                    }
                };
                frame.steps = steps;
                flow
            }
            Term::Best(candidates, list, body, _) if frame.plays && matches!(then, Then::End) => {
                let list = self.value_of_list(candidates, list, frame)?;
                self.look_at(list, frame);
                let mut variables = Vec::new();
                for index in self
                    .store
                    .free(body)
                    .iter()
                    .filter_map(|index| index.checked_sub(1))
                {
                    match frame.variable(index) {
                        Bound::Expr(expr) => {
                            self.look_at(expr, frame);
                            variables.push(expr);
                        }
                        Bound::Deck(_) | Bound::End(_) | Bound::Nothing | Bound::Once(..) => {
                            return None;
                        }
                    }
                }
                let slot = frame.slot();
                let steps = std::mem::take(&mut frame.steps);
                let chosen = self.code.add(Expr::Slot(slot));
                frame.environment.push(Bound::Expr(chosen));
                let flow = self.flow(body, order, then, frame);
                frame.environment.pop();
                frame.steps = steps;
                self.code
                    .add_flow(Flow::Choose(slot, term, list, variables.into(), flow?))
            }
            _ => {
                let value = self.value(term, order, frame)?;
                self.look_at(value, frame);
                match then {
                    Then::Bind(slot, after) => self.code.add_flow(Flow::Bind(slot, value, after)),
                    Then::End => self.end(value, frame),
                    Then::Stop => self.code.add_flow(Flow::Stop(value)),
                }
            }
        };
        let steps = std::mem::replace(&mut frame.steps, before);
        let mut flow = last;
        for step in steps.into_iter().rev() {
            flow = match step {
                Preparation::Let(slot, value) => self.code.add_flow(Flow::Let(slot, value, flow)),
                Preparation::Roll(slot, source, arguments, called) => {
                    let part = called
                        .and_then(|called| self.part((slot, &arguments), called, flow, frame));
                    part.unwrap_or_else(|| {
                        let source = self.code.add_source(source);
                        self.code
                            .add_flow(Flow::Roll(slot, source, arguments, flow))
                    })
                }
            };
        }
        Some(flow)
    }

    fn end(&mut self, value: ExprId, frame: &Frame) -> FlowId {
        let next = self.code.add_flow(Flow::End(value));
        let Some(stop) = frame.stop.filter(|_| !self.has_member(value, frame)) else {
            return next;
        };
        if *self.code.expr(value) == Expr::Word(Word::NOTHING) {
            return stop;
        }
        let goes_on = self.code.add(Expr::Test(value));
        self.code.add_flow(Flow::If(goes_on, next, stop))
    }

    /// Whether a list surely has a member.
    fn has_member(&self, id: ExprId, frame: &Frame) -> bool {
        match self.code.expr(id) {
            Expr::Join(parts) => parts.iter().any(|&part| self.has_member(part, frame)),
            Expr::Slot(slot) => {
                frame.numbers.get(slot) == Some(&true) || frame.filled.contains(slot)
            }
            _ => self.code.is_number(id),
        }
    }

    /// The flow of a called routine as a part of its caller, before the flow that reads its value. `None` if a separate routine is better:
    /// it reads only numbers, and fewer than are read after it, so its values are found once for these numbers.
    fn part(
        &mut self,
        (slot, arguments): (Slot, &[ExprId]),
        called: Called,
        after: FlowId,
        frame: &mut Frame,
    ) -> Option<FlowId> {
        if arguments.is_empty() || called.depth != frame.environment.len() {
            return None;
        }
        let reads = |other: &Slot| {
            let mut arguments = arguments.iter();
            arguments.any(|&argument| *self.code.expr(argument) == Expr::Slot(*other))
        };
        let live = self.code.live(after);
        // A list has many values, and the routine may look at a small part of it.
        let mut numbers = arguments.iter();
        let are_numbers = numbers.all(|&argument| match self.code.expr(argument) {
            Expr::Slot(slot) => frame.numbers.contains_key(slot),
            _ => self.is_short(argument),
        });
        let is_less = are_numbers && !live.iter().filter(|&&other| other != slot).all(reads);
        if is_less {
            let routine = self.routine(called.term, called.order)?;
            let own = self.code.rolls(self.code.routine(routine).start);
            if own + self.code.rolls(after) > MOST_ROLLS {
                return None;
            }
        }
        // The routine reads only values that were rolled before.
        let waiting = std::mem::take(&mut frame.waiting);
        let flow = self.flow(called.term, called.order, Then::Bind(slot, after), frame);
        frame.waiting = waiting;
        flow
    }

    /// What a variable stands for when a value is bound to it in a body.
    pub(super) fn bound(
        &mut self,
        value: TermId,
        body: TermId,
        order: Order,
        frame: &mut Frame,
    ) -> Option<Bound> {
        if let Some(deck) = self.deck_on_demand(value, body) {
            return Some(Bound::Deck(deck));
        }
        if self.is_reduced_once(value, body) {
            return Some(Bound::Once(value, frame.environment.len()));
        }
        if let Some(looping) = self.looping(value) {
            let order = match looping.asked {
                StatesQuestion::End => {
                    self.store
                        .order_of_state(looping.first, looping.body, (body, order))
                }
                _ => Order::Kept,
            };
            let looping = looping.seen_by(self.store, body);
            let last = self.looped(&looping, order, None, frame)?;
            return Some(looping.asked.bound(last));
        }
        let kept = self.store.looks_at_order(body, 0, order);
        let kept = if kept { Order::Kept } else { Order::Ignored };
        if kept == Order::Kept
            && let Some(members) = self.on_demand(value, body, frame)
        {
            return Some(Bound::Expr(members));
        }
        let value = self.value(value, kept, frame)?;
        let value = self.in_order(value, kept);
        Some(Bound::Expr(self.named(value, frame)))
    }

    /// The list that something is chosen from.
    fn value_of_list(
        &mut self,
        candidates: Candidates,
        list: TermId,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let order = match candidates {
            Candidates::Members => Order::Kept,
            Candidates::Parts => Order::Ignored,
        };
        let list = self.value(list, order, frame)?;
        Some(self.in_order(list, order))
    }

    /// A value that is computed once.
    pub(super) fn named(&mut self, value: ExprId, frame: &mut Frame) -> ExprId {
        if matches!(self.code.expr(value), Expr::Slot(_) | Expr::Word(_)) {
            return value;
        }
        self.look_at(value, frame);
        let slot = frame.slot();
        if self.is_short(value) {
            let is_there = self.is_single(value, frame);
            frame.numbers.insert(slot, is_there);
        }
        frame.steps.push(Preparation::Let(slot, value));
        self.code.add(Expr::Slot(slot))
    }

    /// The list that is shuffled to give a term.
    pub(super) fn deck(&self, id: TermId, frame: &Frame) -> Option<TermId> {
        match *self.store.arena.term(id) {
            Term::Variable(index) => match frame.variable(index) {
                Bound::Deck(list) => Some(list),
                _ => None,
            },
            _ => shuffled(self.store.arena, id),
        }
    }

    /// Members that are drawn from a list without replacement.
    fn drawn(
        &mut self,
        count: TermId,
        list: TermId,
        order: Order,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let count = self.number(count, frame)?;
        let order = match self.code.as_number(count) {
            Some(1) => Order::Ignored,
            _ => order,
        };
        let list = self.value(list, Order::Ignored, frame)?;
        let is_known = |expr| self.code.reads(expr).is_empty();
        self.code.only_here |= order == Order::Kept || !is_known(count) || !is_known(list);
        let list = self.code.add(Expr::Arrange(Arrangement::Sort, list));
        Some(self.rolled(Source::Draw(order), vec![count, list], frame))
    }

    pub(super) fn rolled(
        &mut self,
        source: Source,
        arguments: Vec<ExprId>,
        frame: &mut Frame,
    ) -> ExprId {
        for &argument in &arguments {
            self.look_at(argument, frame);
        }
        let slot = frame.slot();
        if let Source::Die | Source::Pick(_) | Source::Play(_) | Source::Sum(_) = source {
            frame.numbers.insert(slot, false);
            frame.filled.push(slot);
        }
        frame
            .steps
            .push(Preparation::Roll(slot, source, arguments.into(), None));
        self.code.add(Expr::Slot(slot))
    }

    /// Whether the value of a term is no function of slots.
    pub(super) fn rolls(&mut self, id: TermId, frame: &Frame) -> bool {
        self.rolls_in(id, 0, frame)
    }

    /// Whether the value of a term is no function of slots. The innermost `bound` variables are not bound yet.
    pub(super) fn rolls_in(&mut self, id: TermId, bound: u32, frame: &Frame) -> bool {
        self.store.is_random(id) || self.store.has_loops_or_choices(id) || {
            let free = self.store.free(id);
            let mut outer = free.iter().filter_map(|index| index.checked_sub(bound));
            outer.any(|index| matches!(frame.variable(index), Bound::Deck(_) | Bound::Once(..)))
        }
    }

    /// The test of a condition.
    pub(super) fn test(&mut self, condition: TermId, frame: &mut Frame) -> Option<ExprId> {
        let list = self.value(condition, Order::Ignored, frame)?;
        match self.code.expr(list) {
            Expr::Word(word) => self.code.number(i64::from(*word != Word::NOTHING)),
            _ if self.is_sure(list, frame) => self.code.number(1),
            // Another number has a member, and may be an error.
            _ => Some(self.code.add(Expr::Test(list))),
        }
    }

    /// The value of a term, after the steps that it takes.
    pub(super) fn value(&mut self, id: TermId, order: Order, frame: &mut Frame) -> Option<ExprId> {
        self.left = self.left.checked_sub(1)?;
        stack::level(|| self.value_anew(id, order, frame))
    }

    #[expect(clippy::too_many_lines, reason = "one arm a term of the core language")]
    fn value_anew(&mut self, id: TermId, order: Order, frame: &mut Frame) -> Option<ExprId> {
        let arena = self.store.arena;
        if matches!(arena.term(id), Term::Select(..))
            && let Some(looping) = self.looping(id)
        {
            return match order {
                Order::Ignored => self.unordered(&looping, None, frame),
                Order::Kept => self.looped(&looping, Order::Kept, None, frame),
            };
        }
        Some(match *arena.term(id) {
            Term::Integer(ref number) => self.code.number(number.to_i64()?)?,
            Term::Variable(index) => match frame.variable(index) {
                Bound::Expr(expr) => expr,
                Bound::Deck(_) | Bound::End(_) | Bound::Nothing | Bound::Once(..) => return None,
            },
            Term::Join(ref parts) => {
                let mut values = Vec::with_capacity(parts.len());
                for &part in parts {
                    match self.value(part, order, frame)? {
                        nothing if *self.code.expr(nothing) == Expr::Word(Word::NOTHING) => {}
                        value => values.push(value),
                    }
                }
                self.joined(values)
            }
            Term::Range(a, b, _) => {
                let (a, b) = (self.number(a, frame)?, self.number(b, frame)?);
                self.code.add(Expr::Range(a, b))
            }
            Term::Die(sides, _) => {
                let sides = self.number(sides, frame)?;
                self.rolled(Source::Die, vec![sides], frame)
            }
            Term::Pick(_) => self.rolled(Source::Pick(id), Vec::new(), frame),
            Term::Compare(a, b) => {
                let a = self.value(a, Order::Ignored, frame)?;
                let b = self.value(b, Order::Ignored, frame)?;
                self.code.add(Expr::Compare(a, b))
            }
            Term::Negate(a, _) => {
                let a = self.number(a, frame)?;
                self.code.linear(0, &[(-1, a)])?
            }
            Term::Arithmetic(operator, a, b, _) => {
                let (a, b) = (self.number(a, frame)?, self.number(b, frame)?);
                match operator {
                    Arithmetic::Add => self.code.linear(0, &[(1, a), (1, b)])?,
                    Arithmetic::Subtract => self.code.linear(0, &[(1, a), (-1, b)])?,
                    Arithmetic::Multiply => self.code.product(a, b)?,
                    _ => self.code.add(Expr::Arithmetic(operator, a, b)),
                }
            }
            Term::Fold(folding, list, _) => match self.summed(id) {
                Some((body, times)) => {
                    let times = match times {
                        Some(times) => self.number(times, frame)?,
                        None => self.code.number(1)?,
                    };
                    let arguments = self.arguments(body, 1, vec![times], frame)?;
                    self.rolled(Source::Sum(body), arguments, frame)
                }
                None => self.folded(folding, list, &mut Vec::new(), frame)?,
            },
            Term::Arrange(Arrangement::Shuffle, _) | Term::Reject(_) => return None,
            Term::Best(candidates, list, body, choice) => {
                let list = self.value_of_list(candidates, list, frame)?;
                // The places of the parts of a record are asked for.
                let of_body = match arena.choice_of(choice).aim {
                    None => Order::Ignored,
                    Some(_) => Order::Kept,
                };
                let routine = self.body(body, of_body, Ending::Value)?;
                let arguments = self.arguments(routine, 1, vec![list], frame)?;
                let candidate = self.code.add_source(Source::Call(routine));
                self.rolled(Source::Best(id, candidate), arguments, frame)
            }
            Term::Play(first, body, worth) => {
                let routine = self.played(first, body, worth)?;
                let state = self.code.add(Expr::Word(Word::NOTHING));
                let arguments = self.arguments(routine, 1, vec![state], frame)?;
                self.rolled(Source::Play(routine), arguments, frame)
            }
            Term::Arrange(arrangement, list) => {
                let inner = match arrangement {
                    Arrangement::Sort => Order::Ignored,
                    _ => order,
                };
                let list = self.value(list, inner, frame)?;
                self.code.add(Expr::Arrange(arrangement, list))
            }
            Term::Repeat(count, list, _) => {
                let count = self.number(count, frame)?;
                if self.rolls(list, frame) {
                    let gather = gather(order);
                    let routine = self.routine(list, order)?;
                    let arguments = self.arguments(routine, 0, vec![count], frame)?;
                    let times = self.code.as_number(count);
                    let list_is_number = arena.term(list).is_number();
                    let rolled = self.rolled(Source::Times(routine, gather), arguments, frame);
                    if let (Some(1..), true, Expr::Slot(slot)) =
                        (times, list_is_number, self.code.expr(rolled))
                    {
                        frame.filled.push(*slot);
                    }
                    rolled
                } else {
                    let list = self.value(list, order, frame)?;
                    self.code.add(Expr::Copies(count, list))
                }
            }
            Term::Select(selection @ Selection::Last, count, list, _)
                if self.is_end(list, frame) =>
            {
                self.end_of_states(selection, count, list, frame)?
            }
            Term::Select(selection, count, list, _) => {
                if selection == Selection::First
                    && let Some(deck) = self.deck(list, frame)
                {
                    return self.drawn(count, deck, order, frame);
                }
                let inner = match (selection, arena.term(list), arena.term(count)) {
                    (_, Term::Filter(Comparison::Equal, ..), _) => Order::Ignored,
                    (Selection::High | Selection::Low, _, Term::Integer(count))
                        if count.to_i64() == Some(1) =>
                    {
                        Order::Ignored
                    }
                    (
                        Selection::High | Selection::Low | Selection::DropHigh | Selection::DropLow,
                        ..,
                    ) => order,
                    _ => Order::Kept,
                };
                let count = self.number(count, frame)?;
                let list = self.value(list, inner, frame)?;
                self.selected(selection, count, list, frame)
            }
            Term::Filter(comparison, number, list, _) => {
                let number = self.number(number, frame)?;
                let list = self.value(list, order, frame)?;
                let parts = parts(self.code, list).into_iter();
                let kept = parts.map(|part| self.code.add(Expr::Filter(comparison, number, part)));
                let kept = kept.collect();
                self.joined(kept)
            }
            Term::Difference(list, taken, _) => {
                let list = self.value(list, order, frame)?;
                let taken = self.value(taken, Order::Ignored, frame)?;
                self.code.add(Expr::Difference(list, taken))
            }
            Term::Without(list, taken) => {
                let list = self.value(list, order, frame)?;
                let taken = self.value(taken, Order::Ignored, frame)?;
                self.code.add(Expr::Without(list, taken))
            }
            Term::Foreach(list, body) => {
                if self.rolls_in(body, 1, frame) {
                    let list = self.value(list, order, frame)?;
                    let routine = self.body(body, order, Ending::Value)?;
                    let arguments = self.arguments(routine, 1, vec![list], frame)?;
                    self.rolled(Source::Each(routine, gather(order)), arguments, frame)
                } else {
                    let list = self.value(list, order, frame)?;
                    self.mapped(list, body, order, frame)?
                }
            }
            // What is asked of the last state is found where the loop ends.
            Term::Let(value, body) if !self.rolls_in(body, 1, frame) => {
                if let Some(looping) = self.looping(value) {
                    return self.made_of_loop(&looping, body, order, None, frame);
                }
                match self.bound(value, body, order, frame)? {
                    Bound::Expr(value) => {
                        frame.environment.push(Bound::Expr(value));
                        let body = self.value(body, order, frame);
                        frame.environment.pop();
                        body?
                    }
                    // Its dice are rolled where the body looks at them.
                    Bound::Deck(_) | Bound::End(_) | Bound::Nothing | Bound::Once(..) => {
                        self.called(id, order, frame)?
                    }
                }
            }
            Term::If(condition, yes, no) if !self.rolls(yes, frame) && !self.rolls(no, frame) => {
                let condition = self.test(condition, frame)?;
                match self.code.as_number(condition) {
                    Some(0) => self.value(no, order, frame)?,
                    Some(_) => self.value(yes, order, frame)?,
                    None => {
                        let [yes, no] = [yes, no].map(|branch| self.plain(branch, order, frame));
                        let (yes, no) = (yes?, no?);
                        if self.is_single(yes, frame) && self.is_single(no, frame) {
                            self.code.choice(condition, yes, no)?
                        } else {
                            self.code.add(Expr::If(condition, yes, no))
                        }
                    }
                }
            }
            Term::Let(..) | Term::If(..) => self.called(id, order, frame)?,
            Term::Fail(..) => self.code.add(Expr::Fail),
            Term::While(first, body) if !self.store.is_random(id) => {
                let first = self.value(first, Order::Kept, frame)?;
                let slot = frame.slot();
                let body = self.within_slot(slot, body, Order::Kept, frame)?;
                self.code.add(Expr::While(slot, first, body))
            }
            Term::While(..) => return None,
        })
    }

    /// The routine of the body of a loop that is played.
    pub(super) fn played(
        &mut self,
        first: TermId,
        body: TermId,
        worth: TermId,
    ) -> Option<RoutineId> {
        let order = self
            .store
            .order_of_state(first, body, (worth, Order::Ignored));
        self.body(body, order, Ending::Worth(first, Some(worth), None))
    }

    /// The value of a term that rolls nothing and is not always evaluated, so that its steps cannot be steps of the routine.
    pub(super) fn plain(&mut self, id: TermId, order: Order, frame: &mut Frame) -> Option<ExprId> {
        let before = std::mem::take(&mut frame.steps);
        // Waiting rolls are made before a value is computed from this one.
        let waiting = std::mem::take(&mut frame.waiting);
        let value = self.value(id, order, frame);
        frame.waiting = waiting;
        let steps = std::mem::replace(&mut frame.steps, before);
        steps
            .into_iter()
            .rev()
            .try_fold(value?, |value, step| match step {
                Preparation::Let(slot, of) if *self.code.expr(value) == Expr::Slot(slot) => {
                    Some(of)
                }
                Preparation::Let(slot, of) => Some(self.code.add(Expr::Let(slot, of, value))),
                Preparation::Roll(..) => None,
            })
    }

    /// A body that rolls nothing, for the value of a slot.
    pub(super) fn within_slot(
        &mut self,
        slot: Slot,
        body: TermId,
        order: Order,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let member = self.code.add(Expr::Slot(slot));
        self.within(Bound::Expr(member), body, order, frame)
    }

    /// A body that rolls nothing, with a value for its variable.
    pub(super) fn within(
        &mut self,
        bound: Bound,
        body: TermId,
        order: Order,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        frame.environment.push(bound);
        let body = self.plain(body, order, frame);
        frame.environment.pop();
        body
    }

    /// A term as a routine of its own.
    fn called(&mut self, id: TermId, order: Order, frame: &mut Frame) -> Option<ExprId> {
        self.settle(id, frame)?;
        let routine = self.routine(id, order)?;
        let arguments = self.arguments(routine, 0, Vec::new(), frame)?;
        for &argument in &arguments {
            self.look_at(argument, frame);
        }
        let slot = frame.slot();
        let called = Called {
            term: id,
            order,
            depth: frame.environment.len(),
        };
        let arguments = arguments.into();
        let step = Preparation::Roll(slot, Source::Call(routine), arguments, Some(called));
        frame.steps.push(step);
        Some(self.code.add(Expr::Slot(slot)))
    }

    /// Runs `make` with only the outermost `depth` variables bound.
    pub(super) fn around<T>(
        &mut self,
        depth: usize,
        frame: &mut Frame,
        make: impl FnOnce(&mut Self, &mut Frame) -> T,
    ) -> T {
        let inner = frame.environment.split_off(depth);
        let made = make(self, frame);
        frame.environment.extend(inner);
        made
    }

    /// Evaluates what a term looks at once.
    fn settle(&mut self, id: TermId, frame: &mut Frame) -> Option<()> {
        for &index in self.store.free(id).iter() {
            if let Bound::Once(value, depth) = frame.variable(index) {
                let list = self.around(depth, frame, |this, frame| {
                    let list = this.value(value, Order::Ignored, frame)?;
                    let list = this.in_order(list, Order::Ignored);
                    Some(this.named(list, frame))
                });
                let place = frame.environment.len() - 1 - index as usize;
                frame.environment[place] = Bound::Expr(list?);
            }
        }
        Some(())
    }

    /// The arguments of a routine after other arguments. The routine binds its first `bound` variables itself.
    pub(super) fn arguments(
        &mut self,
        routine: RoutineId,
        bound: usize,
        mut arguments: Vec<ExprId>,
        frame: &Frame,
    ) -> Option<Vec<ExprId>> {
        for &variable in &self.code.routine(routine).variables[bound..] {
            match frame.variable(variable - u32::try_from(bound).ok()?) {
                Bound::Expr(expr) => arguments.push(expr),
                Bound::Deck(_) | Bound::End(_) | Bound::Nothing | Bound::Once(..) => return None,
            }
        }
        Some(arguments)
    }

    pub(super) fn number(&mut self, id: TermId, frame: &mut Frame) -> Option<ExprId> {
        self.value(id, Order::Ignored, frame)
    }
}

/// How lists are joined.
fn gather(order: Order) -> Gather {
    match order {
        Order::Ignored => Gather::Sorted,
        Order::Kept => Gather::Join,
    }
}
