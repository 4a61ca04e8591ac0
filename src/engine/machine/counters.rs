//! Numbers of a loop's state on which the course of the loop does not depend.
//!
//! The numbers at the end of a state have fixed places. A number *decides* if a condition, an argument of a roll, or a deciding number of
//! the next state reads it. A *counter* is a number to which each round only adds something, and which only the value of the loop reads,
//! times a constant: the added amount can stand at the step. All counters make one sum, of which each member of the value has a multiple;
//! the multiple may be another one at each end. If the value reads a number in another way, that number decides, too. All other numbers
//! are *idle*. Idle numbers and counters are left out of the state.
//!
//! Of a number to which each round only adds something, a state needs no more than what is read of it: of remainders (`t mod 7`) the
//! remainder, and of comparisons with given numbers (`t > 20`) as much as these tell apart, if it never falls, or never rises. What is
//! left out can stand at the step, too.

use std::rc::Rc;

use num_integer::Integer as _;

use super::bounds::Bounds;
use super::code::{Code, Expr, ExprId, Flow, RoutineId};
use super::ends::SumEnd;
use super::reading::{Reading, parts};
use super::shift::Shift;
use super::words::Word;
use crate::ir::{Arena, Arithmetic, Folding};
use crate::map::Map;
use crate::stack;

/// The greatest modulus whose remainders are kept.
const MOST_REMAINDERS: i64 = 1 << 16;

/// The most values of a number that each round changes by the same step, and that its comparisons tell apart. A clock does better
/// with more.
const MOST_STEADY: i64 = 8;

/// A number that is no part of the state, or of which a part is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// Its place, counted from the end of the state.
    pub(super) place: usize,
    /// Its factor in the sum. An idle number has the factor 0.
    pub(super) factor: i64,
    /// The modulus of the remainders that are read: 1 if there are none.
    modulus: i64,
    /// The numbers for which all comparisons have the same result, if there are any comparisons.
    alike: Option<Alike>,
}

/// Numbers that comparisons do not tell apart, and that a number that goes one way does not leave again.
#[derive(Clone, Copy, Debug)]
enum Alike {
    From(i64),
    UpTo(i64),
}

impl Counter {
    /// What of the number is a part of the state.
    pub(super) fn kept(self, number: i64) -> i64 {
        match self.alike {
            None => number.rem_euclid(self.modulus),
            Some(Alike::From(first)) if number >= first => {
                first + number.wrapping_sub(first).rem_euclid(self.modulus)
            }
            Some(Alike::UpTo(last)) if number <= last => {
                last - last.wrapping_sub(number).rem_euclid(self.modulus)
            }
            Some(_) => number,
        }
    }
}

/// How the value of a loop is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ValueReader {
    /// It is not read: numbers that only the value reads are idle.
    None,
    /// As a number that has the same multiple of the sum at all ends.
    Sum,
    /// As a list of which each member may have another multiple of the sum at each end.
    Members,
}

/// Such numbers of a loop's state.
#[derive(Clone, Debug, Default)]
pub(super) struct Counters {
    pub(super) places: Vec<Counter>,
    /// For each value of the loop, the multiples of the sum in its members; none if no member has the sum in it. Without any such value,
    /// each value is the sum and nothing else.
    multiples: Map<ExprId, Rc<[i64]>>,
    /// The numbers that are moved down together.
    pub(super) shift: Option<Shift>,
    /// How many members of a state have fixed places.
    size: usize,
    /// Whether a state has no other members.
    is_whole: bool,
}

impl Counters {
    /// Only the idle numbers.
    pub(super) fn idle(mut self) -> Self {
        self.places.retain(|counter| counter.factor == 0);
        self
    }

    /// The end at which a value stands whose expression has this word, without the sum, and what the value adds to the sum. `None` if the
    /// sum is a list.
    pub(super) fn end(&self, value: ExprId, word: Word) -> Option<(SumEnd, i64)> {
        match self.multiples.get(&value) {
            Some(multiples) => {
                let multiples = Rc::clone(multiples);
                let value = word;
                Some((SumEnd { value, multiples }, 0))
            }
            None => Some((SumEnd::sum(), word.as_number()?)),
        }
    }

    /// Whether a state can have this number of members, according to the code.
    pub(super) fn fit(&self, members: usize) -> bool {
        members == self.size || members > self.size && !self.is_whole
    }
}

/// The idle numbers and counters of a loop whose value is read in this way.
pub(super) fn counters(
    code: &Code,
    arena: &Arena,
    body: RoutineId,
    value: ValueReader,
) -> Counters {
    let has_value = value != ValueReader::None;
    let routine = code.routine(body);
    let reading = Reading::of(code, arena, routine);
    let (size, is_whole) = (reading.size, reading.is_whole);
    let mut search = Search {
        code,
        total: Map::default(),
        seen: Map::default(),
        reader: None,
        decides: vec![false; size + 1],
        read: vec![vec![false; size + 1]; size],
        only_added: vec![true; size],
        is_asked: vec![false; size],
        values: Vec::new(),
        moduli: vec![1; size],
        alike: vec![None; size],
        steady: vec![true; size],
        nexts: Vec::new(),
        is_value: false,
        reading,
    };
    for flow in code.flows_from(routine.start) {
        search.note_steady(flow);
    }
    // Lists are always a part of the state.
    search.decides[size] = true;
    for value in search.reading.several.clone() {
        search.reads(value);
    }
    for flow in code.flows_from(routine.start) {
        if has_value || !matches!(flow, Flow::Stop(_)) {
            search.flow(flow);
        }
    }
    if let Some(added) = routine.adds.filter(|_| has_value) {
        search.reads(added);
    }
    let (factors, multiples) = search.counted_sum(value == ValueReader::Sum);
    let counted: Vec<usize> = (0..size).filter(|&place| !search.decides[place]).collect();
    let places = counted.into_iter().map(|place| Counter {
        place,
        factor: factors[place],
        modulus: search.moduli[place],
        alike: search.alike(place),
    });
    Counters {
        places: places.collect(),
        multiples,
        shift: None,
        size,
        is_whole,
    }
}

/// Numbers with their factors, by their places. No factor is 0.
type Combination = Vec<(usize, i64)>;

/// How many times a sum is in a combination of numbers. A sum of nothing becomes the least sum of which the combination is a multiple.
fn multiple_of(sum: &mut [i64], combination: &Combination) -> Option<i64> {
    let Some(&(place, first)) = combination.first() else {
        return Some(0);
    };
    let mut numbers = sum.iter().filter(|&&factor| factor != 0).count();
    if numbers == 0 {
        let factors = combination.iter().map(|(_, factor)| factor);
        let divisor = factors.fold(0, |divisor, factor| divisor.gcd(factor));
        for &(place, factor) in combination {
            sum[place] = factor / divisor;
        }
        numbers = combination.len();
    }
    let multiple = first.checked_div(sum[place])?;
    let mut pairs = combination.iter();
    let is_multiple = numbers == combination.len()
        && pairs.all(|&(place, factor)| sum[place].checked_mul(multiple) == Some(factor));
    is_multiple.then_some(multiple)
}

struct Search<'c> {
    code: &'c Code,
    reading: Reading<'c>,
    /// Which expressions have a value in any case.
    total: Map<ExprId, bool>,
    /// What was read already, and for which reader.
    seen: Map<(ExprId, Option<usize>), ()>,
    /// The place of the next state for which an expression is read; `None` if the reader decides.
    reader: Option<usize>,
    /// For each place, whether its number decides; the last entry is for all members before the fixed places.
    decides: Vec<bool>,
    /// For each place, the places from which its next number is computed.
    read: Vec<Vec<bool>>,
    /// For each place, whether its next number is itself and something else that is added.
    only_added: Vec<bool>,
    /// For each place, whether its number has a factor in a member of a value of the loop.
    is_asked: Vec<bool>,
    /// The values of the loop, and for each of their members the factors of all numbers in it.
    values: Vec<(ExprId, Vec<Combination>)>,
    /// For each place, the modulus by which remainders of its number are read.
    moduli: Vec<i64>,
    /// For each place, the last number below all that its number is compared with, and the first above, if there are any.
    alike: Vec<Option<(i64, i64)>>,
    /// For each place, whether only a constant is added to its number.
    steady: Vec<bool>,
    /// The next numbers, each with its place.
    nexts: Vec<(usize, ExprId)>,
    /// Whether the value of the loop is read.
    is_value: bool,
}

/// A sum of multiples of expressions.
type Sum = Vec<(i64, ExprId)>;

impl Search<'_> {
    fn flow(&mut self, flow: &Flow) {
        match flow {
            // A bound value is read where its slot is read, unless it may have no value.
            Flow::Bind(_, value, _) | Flow::Let(_, value, _) => {
                if !self.is_total(*value) {
                    self.reads(*value);
                }
            }
            Flow::Choose(_, _, list, ..) => self.reads(*list),
            Flow::If(condition, ..) => self.reads(*condition),
            Flow::Roll(_, _, arguments, _) => {
                for &argument in arguments.iter() {
                    self.reads(argument);
                }
            }
            Flow::End(next) => self.next(*next),
            Flow::Stop(value) => {
                self.is_value = true;
                self.value(*value);
                self.is_value = false;
            }
        }
    }

    /// Notes to which numbers of the next state something else than a constant is added.
    fn note_steady(&mut self, flow: &Flow) {
        let Flow::End(next) = *flow else { return };
        let parts = parts(self.code, next);
        for (place, part) in parts.into_iter().rev().enumerate() {
            if let Some(is_steady) = self.steady.get_mut(place) {
                let atoms = match *self.code.expr(part) {
                    Expr::Linear(_, ref atoms) => atoms.len(),
                    _ => 1,
                };
                *is_steady &= atoms == 1;
            }
        }
    }

    /// Reads the next state.
    fn next(&mut self, next: ExprId) {
        if *self.code.expr(next) == Expr::Fail {
            return;
        }
        let parts = parts(self.code, next);
        let first = parts.len().saturating_sub(self.reading.size);
        for &part in &parts[..first] {
            self.reads(part);
        }
        for (place, &part) in parts[first..].iter().rev().enumerate() {
            let mut is_kept = false;
            let sum = self.sum(part);
            self.nexts.push((place, part));
            self.reader = Some(place).filter(|_| self.is_total(part));
            for (factor, atom) in sum {
                match self.reading.place(atom) {
                    Some(own) if own == place && factor == 1 => is_kept = true,
                    _ if factor.abs() > 1 && self.reading.members(atom).is_some() => {
                        self.reader = None;
                        self.reads(atom);
                    }
                    _ => self.reads(atom),
                }
            }
            self.reader = None;
            self.only_added[place] &= is_kept;
        }
    }

    /// A number decides if a number that decides is computed from it, and a number is no counter if a round does more than add to it.
    fn spread(&mut self) {
        loop {
            let before = self.decides.clone();
            for place in 0..self.reading.size {
                let is_compared = self.alike[place].is_some();
                self.decides[place] |= is_compared && self.alike(place).is_none();
                let is_asked = self.is_asked[place] || self.moduli[place] > 1 || is_compared;
                self.decides[place] |= is_asked && !self.only_added[place];
                if self.decides[place] || is_asked {
                    let read = self.decides.iter_mut().zip(&self.read[place]);
                    read.for_each(|(decides, read)| *decides |= read);
                }
            }
            if self.decides == before {
                return;
            }
        }
    }

    /// Whether an expression has a value in any case, and no number in it grows quickly.
    fn is_total(&mut self, id: ExprId) -> bool {
        if let Some(&known) = self.total.get(&id) {
            return known;
        }
        let expr = self.code.expr(id);
        let grows = matches!(
            expr,
            Expr::Arithmetic(Arithmetic::Multiply | Arithmetic::Power, ..) | Expr::Copies(..)
        );
        let is_total = self.reading.members(id).is_some()
            || !grows && !self.reading.is_partial(expr) && {
                let mut operands = Vec::new();
                expr.for_operands(|operand, _| operands.push(operand));
                let mut operands = operands.into_iter();
                operands.all(|operand| stack::level(|| self.is_total(operand)))
            };
        self.total.insert(id, is_total);
        is_total
    }

    /// Reads a value of the loop.
    fn value(&mut self, value: ExprId) {
        let mut members = Vec::new();
        for part in parts(self.code, value) {
            let mut factors = Combination::new();
            for (factor, atom) in self.sum(part) {
                match self.reading.place(atom) {
                    Some(place) if factor != 0 => {
                        factors.push((place, factor));
                        self.is_asked[place] = true;
                    }
                    Some(_) => {}
                    None => self.reads(atom),
                }
            }
            members.push(factors);
        }
        self.values.push((value, members));
    }

    /// The factors of all numbers in the sum of the counters, and the multiples of this sum in each value. Numbers decide that a value
    /// reads in another way. If the value `is_sum`, it has the same multiple of the sum at all ends.
    fn counted_sum(&mut self, is_sum: bool) -> (Vec<i64>, Map<ExprId, Rc<[i64]>>) {
        loop {
            self.spread();
            let before = self.decides.clone();
            let mut sum = vec![0; self.reading.size];
            let mut multiples: Map<ExprId, Rc<[i64]>> = Map::default();
            for (value, members) in &self.values {
                // A sum is a number.
                let mut all = parts(self.code, *value).into_iter().zip(members);
                let are_numbers =
                    all.all(|(part, factors)| !factors.is_empty() || self.reading.is_number(part));
                let own = members.iter().map(|factors| {
                    let mut counted = factors.clone();
                    counted.retain(|&(place, _)| !before[place]);
                    let multiple = are_numbers.then(|| multiple_of(&mut sum, &counted));
                    let multiple = multiple.flatten();
                    if multiple.is_none() {
                        for &(place, _) in &counted {
                            self.decides[place] = true;
                        }
                    }
                    multiple.unwrap_or(0)
                });
                let mut own: Vec<i64> = own.collect();
                // A list without the sum in it may be of any length.
                if own.iter().all(|&multiple| multiple == 0) {
                    own.clear();
                }
                multiples.insert(*value, own.into());
            }
            let mut of_values = multiples.values();
            let first = of_values.next().filter(|own| own.len() < 2);
            let same = first.filter(|first| of_values.all(|own| own == *first));
            let is_same = same.is_some();
            if let Some(own) = same {
                let multiple = own.first().copied().unwrap_or(0);
                for factor in &mut sum {
                    *factor *= multiple;
                }
                multiples.clear();
            }
            if is_sum && !is_same {
                let counted = self.decides.iter_mut().zip(&sum);
                counted.for_each(|(decides, factor)| *decides |= *factor != 0);
            }
            if self.decides == before {
                return (sum, multiples);
            }
        }
    }

    /// An expression as a sum. Equal atoms are added.
    fn sum(&mut self, id: ExprId) -> Sum {
        let mut sum: Sum = Vec::new();
        let mut open = vec![(1_i64, id)];
        while let Some((factor, id)) = open.pop() {
            let code = self.code;
            match code.expr(id) {
                _ if self.reading.place(id).is_some() => {}
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
                    if let Some(&value) = self.reading.values.get(slot) {
                        open.push((factor, value));
                        continue;
                    }
                }
                Expr::Let(_, value, body) if self.is_total(*value) => {
                    open.push((factor, *body));
                    continue;
                }
                _ => {}
            }
            let is_same = |other: ExprId| {
                other == id
                    || self.reading.place(id).is_some()
                        && self.reading.place(other) == self.reading.place(id)
            };
            match sum.iter_mut().find(|(_, other)| is_same(*other)) {
                Some((known, _)) => *known = known.saturating_add(factor),
                None => sum.push((factor, id)),
            }
        }
        sum
    }

    /// The numbers at a place that are alike for all comparisons, once it is one of them: if it never falls, those above all that it is
    /// compared with, and if it never rises, those below. A clock does better with a number that falls by the same step in each round.
    fn alike(&mut self, place: usize) -> Option<Alike> {
        let (below, above) = self.alike[place]?;
        if self.stays(place, Bounds::at_least(0)) {
            Some(Alike::From(above))
        } else if !self.steady[place] && self.stays(place, Bounds::at_most(0)) {
            Some(Alike::UpTo(below))
        } else {
            None
        }
    }

    /// Whether a number that lies within these bounds lies within them after each round.
    fn stays(&mut self, place: usize, within: Bounds) -> bool {
        let mut known = vec![Bounds::default(); self.reading.size];
        known[place] = within;
        self.reading.known = known;
        let mut own = self.nexts.iter().filter(|(own, _)| *own == place);
        let stays = own.all(|(_, part)| {
            let next = self.reading.bounds(*part);
            let falls = within.least.is_some() && next.least < within.least;
            let rises = within
                .greatest
                .is_some_and(|most| next.greatest.is_none_or(|next| next > most));
            !falls && !rises
        });
        self.reading.known = Vec::new();
        stays
    }

    /// Notes that a number is compared with others, given the last number below them and the first above.
    fn compares(&mut self, place: usize, (below, above): (i64, i64)) {
        let known = self.alike[place].unwrap_or((below, above));
        self.alike[place] = Some((known.0.min(below), known.1.max(above)));
    }

    /// Reads how many members a list has: of conditions, and of what is made of them, no more than the comparisons in them tell.
    fn reads_count(&mut self, list: ExprId) {
        let code = self.code;
        match *code.expr(list) {
            Expr::If(condition, a, b) => {
                self.reads(condition);
                stack::level(|| self.reads_count(a));
                stack::level(|| self.reads_count(b));
            }
            Expr::Filter(_, a, b) => {
                let compared = self.reading.compared(a, b);
                let compared = compared.and_then(|(place, met)| {
                    Some((place, met.checked_sub(1)?, met.checked_add(1)?))
                });
                match compared {
                    Some((place, below, above))
                        if self.is_value || !self.steady[place] || above <= MOST_STEADY =>
                    {
                        self.compares(place, (below, above));
                    }
                    _ => self.reads(list),
                }
            }
            _ => self.reads(list),
        }
    }

    /// Reads the remainder of a number by a modulus. A signed one has the sign of the number.
    fn reads_remainder(&mut self, number: ExprId, modulus: i64, is_signed: bool) {
        for (_, atom) in self.sum(number) {
            let place = self.reading.place(atom);
            let Some(place) = place.filter(|_| !is_signed || atom == number) else {
                self.reads(atom);
                continue;
            };
            if is_signed {
                self.compares(place, (0, 0));
            }
            let common = self.moduli[place].lcm(&modulus);
            if common > MOST_REMAINDERS {
                self.decides[place] = true;
            } else {
                self.moduli[place] = common;
            }
        }
    }

    /// Notes everything that an expression reads.
    fn reads(&mut self, id: ExprId) {
        if self.seen.insert((id, self.reader), ()).is_some() {
            return;
        }
        if let Some((after, end)) = self.reading.reach(id) {
            let read = match self.reader {
                Some(place) => &mut self.read[place],
                None => &mut self.decides,
            };
            let end = end.min(read.len());
            read[after.min(end)..end].fill(true);
            return;
        }
        match *self.code.expr(id) {
            Expr::Slot(slot) => {
                if let Some(&value) = self.reading.values.get(&slot) {
                    self.reads(value);
                }
                return;
            }
            Expr::Let(_, value, body) if self.is_total(value) => {
                return stack::level(|| self.reads(body));
            }
            Expr::Test(list) | Expr::Fold(Folding::Count, list) => {
                return stack::level(|| self.reads_count(list));
            }
            Expr::Arithmetic(
                operator @ (Arithmetic::Modulo | Arithmetic::Remainder),
                number,
                modulus,
            ) => {
                let modulus = self.code.as_number(modulus);
                if let Some(modulus) =
                    modulus.filter(|modulus| (1..=MOST_REMAINDERS).contains(modulus))
                {
                    return stack::level(|| {
                        self.reads_remainder(number, modulus, operator == Arithmetic::Remainder);
                    });
                }
            }
            _ => {}
        }
        let mut operands = Vec::new();
        self.code
            .expr(id)
            .for_operands(|operand, _| operands.push(operand));
        for operand in operands {
            stack::level(|| self.reads(operand));
        }
    }
}
