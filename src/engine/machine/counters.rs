//! Numbers of a loop's state to which each round only adds, and that decide nothing.
//!
//! Such a number is read in two places alone: in its own place of the next state, as itself and something else that is added, and in
//! the value of the loop, times a constant. So what each round adds can stand at the step, and the number is no part of the state.

use super::code::{Code, Expr, ExprId, Flow, RoutineId, Slot};
use super::errors::Reading;
use crate::ir::Selection;
use crate::map::Map;

/// Such numbers of a loop's state.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Their places, with the factor of each in the value of the loop.
    pub(super) places: Vec<(usize, i64)>,
    /// How many members a state has.
    pub(super) size: usize,
}

/// Such numbers of the state of a loop. There are none if the state is not always so many numbers.
pub(super) fn counters(code: &Code, body: RoutineId) -> Counters {
    let routine = code.routine(body);
    let flows = code.flows_from(routine.start);
    let sizes = flows.iter().map(|flow| match flow {
        Flow::End(next) => parts(code, *next).len(),
        _ => 0,
    });
    let size = sizes.max().unwrap_or(0);
    let mut search = Search {
        code,
        reading: Reading::of(code, routine),
        given: Slot::try_from(routine.variables.len()).unwrap_or(Slot::MAX),
        size,
        values: Map::default(),
        decides: vec![false; size],
        factors: vec![None; size],
    };
    let mut values: Map<Slot, Vec<ExprId>> = Map::default();
    for flow in &flows {
        if let Flow::Bind(slot, value, _) | Flow::Let(slot, value, _) = flow {
            values.entry(*slot).or_default().push(*value);
        }
    }
    // A part of a round with several ends sets one slot at each of them.
    let (only, several): (Vec<_>, Vec<_>) = values
        .into_iter()
        .partition(|(_, values)| values.len() == 1);
    let only = only.into_iter().map(|(slot, values)| (slot, values[0]));
    search.values = only.collect();
    for value in several.into_iter().flat_map(|(_, values)| values) {
        search.reads(value);
    }
    for flow in flows {
        search.flow(flow);
    }
    let places = search.decides.iter().zip(search.factors).enumerate();
    let counted = places.filter(|(_, (decides, _))| !**decides);
    let places = counted.map(|(place, (_, factor))| (place, factor.unwrap_or(0)));
    Counters {
        places: places.collect(),
        size,
    }
}

/// The parts of a list that is joined.
fn parts(code: &Code, list: ExprId) -> Vec<ExprId> {
    match code.expr(list) {
        Expr::Join(parts) => parts.to_vec(),
        _ => vec![list],
    }
}

struct Search<'c> {
    code: &'c Code,
    reading: Reading<'c>,
    /// The number of slots that are given to the body.
    given: Slot,
    size: usize,
    /// The values of the slots that are set in one place.
    values: Map<Slot, ExprId>,
    /// For each place, whether its number is read elsewhere.
    decides: Vec<bool>,
    /// For each place, the factor of its number in the value of the loop.
    factors: Vec<Option<i64>>,
}

/// A sum of multiples of expressions.
type Sum = Vec<(i64, ExprId)>;

impl Search<'_> {
    fn flow(&mut self, flow: &Flow) {
        match flow {
            // What is bound is looked at where it is read.
            Flow::Bind(..) | Flow::Let(..) => {}
            Flow::Choose(_, _, list, ..) => self.reads(*list),
            Flow::If(condition, ..) => self.reads(*condition),
            Flow::Roll(_, _, arguments, _) => {
                for &argument in arguments.iter() {
                    self.reads(argument);
                }
            }
            Flow::End(next) => self.next(*next),
            Flow::Stop(value) => self.value(*value),
        }
    }

    /// Reads the next state.
    fn next(&mut self, next: ExprId) {
        if *self.code.expr(next) == Expr::Fail {
            return;
        }
        let parts = parts(self.code, next);
        let are_members = parts.iter().all(|&part| self.is_one(part));
        if parts.len() != self.size || !are_members {
            self.decides.fill(true);
            return;
        }
        for (place, part) in parts.into_iter().enumerate() {
            let mut is_kept = false;
            for (factor, atom) in self.sum(part) {
                match self.place(atom) {
                    Some(own) if own == place && factor == 1 => is_kept = true,
                    _ => self.reads(atom),
                }
            }
            self.decides[place] |= !is_kept;
        }
    }

    /// Reads the value of the loop.
    fn value(&mut self, value: ExprId) {
        let mut factors = vec![0; self.size];
        for (factor, atom) in self.sum(value) {
            match self.place(atom) {
                Some(place) => factors[place] = factor,
                None => self.reads(atom),
            }
        }
        for (place, factor) in factors.into_iter().enumerate() {
            let known = *self.factors[place].get_or_insert(factor);
            self.decides[place] |= known != factor;
        }
    }

    /// Whether a part of a state is a number. What is given to the body may be a list.
    fn is_one(&self, id: ExprId) -> bool {
        match *self.code.expr(id) {
            Expr::Slot(slot) if slot < self.given => self.place(id).is_some(),
            _ => self.reading.is_one(id),
        }
    }

    /// An expression as a sum. Equal atoms are added.
    fn sum(&self, id: ExprId) -> Sum {
        let mut sum: Sum = Vec::new();
        let mut open = vec![(1_i64, id)];
        while let Some((factor, id)) = open.pop() {
            match self.code.expr(id) {
                _ if self.place(id).is_some() => {}
                Expr::Word(_) => continue,
                Expr::Linear(_, atoms) => {
                    open.extend(
                        atoms
                            .iter()
                            .map(|&(of, atom)| (factor.saturating_mul(of), atom)),
                    );
                    continue;
                }
                Expr::Slot(slot) => {
                    if let Some(&value) = self.values.get(slot) {
                        open.push((factor, value));
                        continue;
                    }
                }
                _ => {}
            }
            let is_same = |other: ExprId| {
                other == id || self.place(id).is_some() && self.place(other) == self.place(id)
            };
            match sum.iter_mut().find(|(_, other)| is_same(*other)) {
                Some((known, _)) => *known = known.saturating_add(factor),
                None => sum.push((factor, id)),
            }
        }
        sum
    }

    /// The place of the only member of the state that an expression is.
    fn place(&self, id: ExprId) -> Option<usize> {
        let (first, end) = self.members(id)?;
        (end == first + 1).then_some(first)
    }

    /// The members of the state, one after the other, that an expression is.
    fn members(&self, id: ExprId) -> Option<(usize, usize)> {
        match *self.code.expr(id) {
            Expr::Slot(0) => Some((0, self.size)),
            Expr::Slot(slot) => self.members(*self.values.get(&slot)?),
            Expr::Select(selection, count, list) => {
                let (first, end) = self.members(list)?;
                let count = usize::try_from(self.code.as_number(count)?).ok()?;
                match selection {
                    Selection::First => Some((first, end.min(first + count))),
                    Selection::Last => Some((end.saturating_sub(count).max(first), end)),
                    Selection::DropFirst => Some((end.min(first + count), end)),
                    Selection::DropLast => Some((first, end.saturating_sub(count).max(first))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Notes that something is read of what an expression reads.
    fn reads(&mut self, id: ExprId) {
        if let Some((first, end)) = self.members(id) {
            self.decides[first..end].fill(true);
            return;
        }
        if let Expr::Slot(slot) = *self.code.expr(id) {
            if let Some(&value) = self.values.get(&slot) {
                self.reads(value);
            }
            return;
        }
        let mut operands = Vec::new();
        self.code
            .expr(id)
            .for_operands(|operand, _| operands.push(operand));
        for operand in operands {
            crate::stack::level(|| self.reads(operand));
        }
    }
}
