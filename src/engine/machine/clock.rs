//! Loops with a clock: numbers of the state to which each round adds the same step, such as the number of rounds so far. They influence the
//! loop only by comparisons with given numbers.
//!
//! A *span* is the time between two changes of the result of such a comparison. All rounds of a span are alike.

use std::rc::Rc;

use super::code::{Code, Expr, ExprId, Flow, FlowId, RoutineId, Slot};
use super::reading::{Reading, parts};
use super::words::Word;
use crate::ir::{Arena, Comparison};
use crate::map::Map;
use crate::stack;

/// The latest time that a clock can show, in rounds.
const MOST_ROUNDS: i128 = 1 << 24;

/// The greatest factor in a [`LinearForm`].
const MOST_FACTOR: u64 = 1 << 40;

/// The hands of a loop's clock, and what they decide.
#[derive(Debug)]
pub(super) struct Clock {
    pub(super) hands: Vec<Hand>,
    comparisons: Vec<(Comparison, LinearForm, LinearForm)>,
    /// Whether the value of the loop depends on hands.
    pub(super) is_read_at_end: bool,
}

/// A number of the state, counted from its end, and what each round adds to it.
#[derive(Debug)]
pub(super) struct Hand {
    pub(super) place: usize,
    step: i64,
}

/// A sum of a constant, multiples of hands, and multiples of what is given to the body.
#[derive(Clone, Debug, Default)]
struct LinearForm {
    constant: i64,
    hands: Vec<(i64, usize)>,
    given: Vec<(i64, Slot)>,
}

/// How an expression depends on the hands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Only by the results of comparisons.
    Settled,
    /// It is a [`LinearForm`] with hands.
    Line,
    /// In another way.
    Raw,
}

impl Clock {
    /// The clock of the loop with a body.
    pub(super) fn of(code: &Code, arena: &Arena, body: RoutineId) -> Option<Self> {
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

/// The places to which all rounds add the same number, and this number.
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
    comparisons: Vec<(Comparison, LinearForm, LinearForm)>,
    seen: Map<ExprId, Look>,
}

impl Search<'_> {
    /// Whether the value of the loop depends on hands. `None` if they are read anywhere else, or after a roll.
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
    fn line(&self, id: ExprId) -> Option<LinearForm> {
        let mut line = LinearForm::default();
        self.add(&mut line, 1, id)?;
        Some(line)
    }

    fn add(&self, line: &mut LinearForm, factor: i64, id: ExprId) -> Option<()> {
        if factor.unsigned_abs() > MOST_FACTOR {
            return None;
        }
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

/// A line in one run: its first value, and what each round adds to it.
type Course = (i128, i128);

/// A clock in a run.
pub(super) struct Ticking {
    pub(super) clock: Rc<Clock>,
    /// The hands at the start.
    first: Vec<i64>,
    /// The two sides of each comparison.
    sides: Vec<(Comparison, Course, Course)>,
    /// For each time, the hands at the first time of its span.
    shown: Vec<Rc<[i64]>>,
    /// The result of no comparison changes after this time.
    pub(super) last: usize,
    /// What the hands are set to when a round is over.
    pub(super) next: Rc<[i64]>,
    /// The state with which a round has begun since the last state was taken.
    pub(super) begun: Option<Word>,
    /// How each target of a state is reached.
    pub(super) arrivals: Vec<Arrival>,
    /// Whether the next target ends the loop with a value that depends on hands.
    pub(super) is_late: bool,
    /// Whether the states cannot be found by the clock.
    pub(super) gives_up: bool,
}

/// How a target is reached.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arrival {
    /// In the same round, or without a round.
    Now,
    /// In the next round.
    Next,
    /// In the next round, which begins with this state and ends the loop with a value that depends on hands.
    Late(Word),
}

impl Ticking {
    pub(super) fn new(clock: Rc<Clock>, first: Vec<i64>, frame: &[Word]) -> Option<Self> {
        let course = |line: &LinearForm| -> Option<Course> {
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
            // At this time both sides are equal. The result of a comparison may change there and at the next time.
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
    pub(super) fn hands(&self, time: usize) -> Option<Rc<[i64]>> {
        let hands = self.first.iter().zip(&self.clock.hands);
        let hands = hands.map(|(first, hand)| {
            let moved = hand.step.checked_mul(i64::try_from(time).ok()?)?;
            first.checked_add(moved)
        });
        hands.collect()
    }

    /// Sets what the hands show after a round at this time, and returns whether another span begins.
    pub(super) fn turns(&mut self, time: usize) -> Option<bool> {
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
