//! The tables of sources: what is rolled for each value of the arguments, found once.

use std::rc::Rc;

use super::code::{Gather, Routine, RoutineId, Source, SourceId};
use super::eval;
use super::run::{Halt, Machine, Run, Table};
use super::sums::table_of;
use super::words::Word;
use crate::algebra::{Numbers, Spread, Weight};
use crate::engine::choice::{Optimum, candidates_of};
use crate::ir::{Candidates, Comparison, Folding, Term, TermId};
use crate::map::{Entry, ValueMap};
use crate::number::num_bigint::BigInt;
use crate::number::{Fraction, Integer};
use crate::stack;

/// The most sides of a die, and the most values of a list that is rolled.
pub(super) const MOST_VALUES: usize = 1 << 16;

/// The most rolls that are gathered one after the other.
pub(super) const MOST_ROLLS: i64 = 1 << 12;

/// About how many bytes a value of a table takes.
const BYTES_OF_VALUE: u64 = 64;

impl Table {
    /// Different values with their weights, in any order.
    pub(super) fn of(values: ValueMap<Word, Weight>, total: Weight) -> Self {
        let values = values.into_iter();
        let values = values.filter(|(_, weight)| *weight != Weight::ZERO);
        let mut values: Vec<(Word, Weight)> = values.collect();
        values.sort_unstable_by_key(|(value, _)| *value);
        let (words, weights) = values.into_iter().unzip();
        Self {
            words,
            spread: Rc::new(Spread { weights, total }),
        }
    }

    pub(super) fn certain(word: Word) -> Self {
        let one = Weight::from(1_u32);
        Self::of([(word, one.clone())].into_iter().collect(), one)
    }

    fn entries(&self) -> impl Iterator<Item = (Word, &Weight)> {
        self.words.iter().copied().zip(&self.spread.weights)
    }
}

impl Machine<'_> {
    /// The table of a source for its arguments.
    pub(super) fn table(&mut self, source: SourceId, arguments: Vec<Word>) -> Run<Rc<Table>> {
        let key = (source, arguments.into_boxed_slice());
        if let Some(known) = self.tables.get(&key) {
            return Ok(Rc::clone(known));
        }
        let table = stack::level(|| match *self.code.source(source) {
            Source::Best(choice, candidate) => self.best(choice, candidate, &key.1),
            _ => self.table_anew(source, &key.1).map(Rc::new),
        })?;
        self.holds_table(&table)?;
        if key.1.is_empty() {
            self.plain.insert(source, Rc::clone(&table));
        }
        self.tables.insert(key, Rc::clone(&table));
        Ok(table)
    }

    /// Takes the memory of a table that is kept.
    pub(super) fn holds_table(&mut self, table: &Table) -> Run<()> {
        self.holds_more(table.words.len() as u64 * BYTES_OF_VALUE)
    }

    fn table_anew(&mut self, source: SourceId, arguments: &[Word]) -> Run<Table> {
        match self.code.source(source).clone() {
            Source::Best(..) => unreachable!("the table of a choice is that of its best candidate"),
            Source::Call(routine) => self.run(routine, arguments, None),
            Source::Play(body) => {
                let worth = self.play(body, arguments)?;
                self.listed(worth)
            }
            Source::Loop(body) => {
                let Routine { kept, first, .. } = *self.code.routine(body);
                let state = arguments.first().ok_or(Halt::Refused)?;
                if first.is_none() && self.lists.members(state).len() < kept {
                    return Err(Halt::Refused);
                }
                self.run(body, arguments, Some(kept))
            }
            Source::Die => {
                let sides = arguments.first().and_then(|sides| sides.as_number());
                let sides = sides.and_then(|sides| usize::try_from(sides).ok());
                let sides = sides.filter(|sides| (1..=MOST_VALUES).contains(sides));
                let sides = sides.ok_or(Halt::Refused)?;
                let faces = (1..).map_while(Word::number).take(sides);
                Ok(Table {
                    words: faces.collect(),
                    spread: Rc::new(Spread {
                        weights: vec![Weight::from(1_u32); sides],
                        total: sides.into(),
                    }),
                })
            }
            Source::Draw(order) => self.drawn(order, arguments),
            Source::Pick(term) => {
                let Term::Pick(faces) = self.arena.term(term) else {
                    return Err(Halt::Refused);
                };
                let mut values = ValueMap::default();
                let mut total = Weight::ZERO;
                for (face, weight) in faces.weighted() {
                    let face = face.to_i64().and_then(Word::number).ok_or(Halt::Refused)?;
                    let weight = weight.to_big().into_parts().1;
                    total += &weight;
                    values.insert(face, weight);
                }
                Ok(Table::of(values, total))
            }
            Source::Sum(body) => {
                let (times, others) = arguments.split_first().ok_or(Halt::Refused)?;
                let times = times
                    .as_number()
                    .and_then(|times| u64::try_from(times).ok());
                let times = times.ok_or(Halt::Refused)?;
                let sum = self.sum(body, &[&[Word::NOTHING], others].concat())?;
                let one = self.listed(sum)?;
                if times == 1 {
                    return Ok(one);
                }
                self.power(&one, times)
            }
            Source::Times(routine, gather) => self.times(source, routine, &gather, arguments),
            Source::Each(routine, gather) => {
                let (list, others) = arguments.split_first().ok_or(Halt::Refused)?;
                let members = self.lists.members(list).to_vec();
                let (others, filters) = split(others, &gather);
                let mut all = Table::certain(start(&gather)?);
                for member in members {
                    let member = Word::number(member).ok_or(Halt::Refused)?;
                    let arguments = [&[member], others].concat();
                    let one = self.run(routine, &arguments, None)?;
                    let one = self.gathered(&one, &gather, filters)?;
                    all = self.combined(&all, &one, &gather)?;
                }
                Ok(all)
            }
        }
    }

    /// What a choice chooses from a list, in order.
    pub(super) fn candidates(&mut self, choice: TermId, list: Word) -> Run<Vec<Word>> {
        let Term::Best(candidates, ..) = *self.arena.term(choice) else {
            return Err(Halt::Refused);
        };
        let mut members = self.lists.members(&list).to_vec();
        if candidates == Candidates::Parts {
            members.sort_unstable();
        }
        let bytes = size_of_val(&*members) as u64;
        let candidates = candidates_of(candidates, &members, bytes, self.budget)?;
        let words = candidates.iter().map(|members| self.lists.word(members));
        words.collect::<Option<_>>().ok_or(Halt::Refused)
    }

    /// The table of the candidate with the greatest mean, the first of these.
    fn best(&mut self, choice: TermId, candidate: SourceId, arguments: &[Word]) -> Run<Rc<Table>> {
        let Term::Best(.., id) = *self.arena.term(choice) else {
            return Err(Halt::Refused);
        };
        let aim = self.arena.choice_of(id).aim;
        let (&list, others) = arguments.split_first().ok_or(Halt::Refused)?;
        let mut best: Option<(Word, Rc<Table>, Fraction)> = None;
        for word in self.candidates(choice, list)? {
            let table = self.table(candidate, [&[word], others].concat())?;
            let mean = self.mean(&table, aim)?;
            if best.as_ref().is_none_or(|(.., best)| best < mean) {
                best = Some((word, Rc::clone(&table), mean.clone()));
            }
        }
        let (candidate, table, mean) = best.ok_or(Halt::Refused)?;
        self.decides(Optimum {
            choice,
            known: arguments.to_vec(),
            candidate,
            mean,
        })?;
        Ok(table)
    }

    /// Notes what is best in a situation.
    pub(super) fn decides(&mut self, decision: Optimum<Word>) -> Run<()> {
        self.holds_more(BYTES_OF_VALUE * (decision.known.len() as u64 + 2))?;
        self.decisions.push(decision);
        Ok(())
    }

    /// The mean of a table that is kept as long as the machine: of its numbers, or of the members of its lists at a place.
    fn mean(&mut self, table: &Rc<Table>, aim: Option<usize>) -> Run<&Fraction> {
        let lists = &self.lists;
        let anew = || -> Run<Fraction> {
            let mut sum = BigInt::ZERO;
            for (word, weight) in table.entries() {
                let number = match aim {
                    _ if !word.is_value() => None,
                    None => word.as_number(),
                    Some(place) => lists.members(&word).get(place).copied(),
                };
                sum += BigInt::from(weight.clone()) * number.ok_or(Halt::Refused)?;
            }
            Ok(Fraction::new(sum, table.spread.total.clone().into()))
        };
        Ok(match self.means.entry((Rc::as_ptr(table), aim)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(anew()?),
        })
    }

    /// A routine as often as the first argument says.
    fn times(
        &mut self,
        source: SourceId,
        routine: RoutineId,
        gather: &Gather,
        arguments: &[Word],
    ) -> Run<Table> {
        let (count, others) = arguments.split_first().ok_or(Halt::Refused)?;
        let count = count.as_number().filter(|&count| count >= 0);
        let count = count.ok_or(Halt::Refused)?;
        if count == 0 {
            return Ok(Table::certain(start(gather)?));
        }
        let (of_routine, filters) = split(others, gather);
        let one = self.run(routine, of_routine, None)?;
        let one = self.gathered(&one, gather, filters)?;
        if count == 1 {
            return Ok(one);
        }
        if let Gather::Fold(Folding::Count | Folding::Sum, _) = gather {
            let count = u64::try_from(count).map_err(|_| Halt::Refused)?;
            return self.power(&one, count);
        }
        if count > MOST_ROLLS {
            return Err(Halt::Refused);
        }
        let fewer = Word::number(count - 1).ok_or(Halt::Refused)?;
        let fewer = self.table(source, [&[fewer], others].concat())?;
        self.combined(&fewer, &one, gather)
    }

    /// The sum of so many independent numbers.
    fn power(&mut self, one: &Table, count: u64) -> Run<Table> {
        let without_value: Vec<Word> = one
            .words
            .iter()
            .copied()
            .filter(|word| !word.is_value())
            .collect();
        let rest = match without_value[..] {
            [] => Word::OPEN,
            [rest] => rest,
            _ => return Err(Halt::Refused),
        };
        let mut numbers = Vec::with_capacity(one.words.len());
        for (word, weight) in one.entries().filter(|&(word, _)| word.is_value()) {
            let number = word.as_number().ok_or(Halt::Refused)?;
            numbers.push((Integer::from(number), weight.clone()));
        }
        let numbers = Numbers::new(numbers, one.spread.total.clone());
        let numbers = numbers.power(count, self.budget)?;
        let missing = numbers.total() - numbers.mass();
        table_of(&numbers, [(rest, missing)])
    }

    /// What is gathered of a single roll.
    fn gathered(&mut self, one: &Table, gather: &Gather, filters: &[Word]) -> Run<Table> {
        let mut values: ValueMap<Word, Weight> = ValueMap::default();
        for (word, weight) in one.entries() {
            if !word.is_value() {
                *values.entry(word).or_default() += weight;
                continue;
            }
            let mut members = self.lists.members(&word).to_vec();
            let word = match gather {
                Gather::Join => Some(word),
                Gather::Sorted => {
                    members.sort_unstable();
                    self.lists.word(&members)
                }
                Gather::Fold(folding, comparisons) => {
                    keep(&mut members, comparisons, filters)?;
                    eval::fold(*folding, &members).and_then(Word::number)
                }
            };
            *values.entry(word.ok_or(Halt::Refused)?).or_default() += weight;
        }
        Ok(Table::of(values, one.spread.total.clone()))
    }

    /// Two independent rolls together.
    pub(super) fn combined(&mut self, some: &Table, more: &Table, gather: &Gather) -> Run<Table> {
        let mut values: ValueMap<Word, Weight> = ValueMap::default();
        for (a, weight) in some.entries() {
            for (b, other) in more.entries() {
                self.budget.check()?;
                // Without one of the two there is no value of both.
                if !(a.is_value() && b.is_value()) {
                    *values.entry(a.max(b)).or_default() += weight * other;
                    continue;
                }
                let mut members = self.lists.members(&a).to_vec();
                members.extend_from_slice(self.lists.members(&b));
                let word = match gather {
                    Gather::Join => self.lists.word(&members),
                    Gather::Sorted => {
                        members.sort_unstable();
                        self.lists.word(&members)
                    }
                    Gather::Fold(Folding::Product, _) => {
                        eval::fold(Folding::Product, &members).and_then(Word::number)
                    }
                    Gather::Fold(..) => eval::fold(Folding::Sum, &members).and_then(Word::number),
                };
                *values.entry(word.ok_or(Halt::Refused)?).or_default() += weight * other;
                if values.len() > MOST_VALUES {
                    return Err(Halt::Refused);
                }
            }
        }
        Ok(Table::of(values, &some.spread.total * &more.spread.total))
    }
}

/// What is gathered of nothing.
fn start(gather: &Gather) -> Run<Word> {
    match gather {
        Gather::Join | Gather::Sorted => Ok(Word::NOTHING),
        Gather::Fold(folding, _) => {
            let start = eval::fold(*folding, &[]).and_then(Word::number);
            start.ok_or(Halt::Refused)
        }
    }
}

/// The arguments of a routine, and the numbers that filters compare with behind them.
fn split<'w>(arguments: &'w [Word], gather: &Gather) -> (&'w [Word], &'w [Word]) {
    match gather {
        Gather::Fold(_, comparisons) => arguments.split_at(arguments.len() - comparisons.len()),
        Gather::Join | Gather::Sorted => (arguments, &[]),
    }
}

/// Keeps the members for which all comparisons hold.
fn keep(members: &mut Vec<i64>, comparisons: &[Comparison], numbers: &[Word]) -> Run<()> {
    for (comparison, number) in comparisons.iter().zip(numbers) {
        let number = number.as_number().ok_or(Halt::Refused)?;
        members.retain(|member| comparison.holds(member, &number));
    }
    Ok(())
}
