//! Rolls of which the code uses only a part: all values that the code after a roll cannot tell apart are merged into one.
//!
//! A pool is rolled one die after the other. If the code looks only at sums, counts, greatest dice and the like, two partial pools with
//! equal sums, counts and so on stay equal whatever die is added. They are merged after each die, so that the orders and multisets of the
//! dice are never listed.

use std::rc::Rc;

use super::code::{ExprId, Flow, FlowId, Gather, Slot, Source, SourceId};
use super::looks::Looks;
use super::run::{Halt, Machine, Run, Table};
use super::tables::MOST_ROLLS;
use super::words::Word;
use crate::algebra::{Spread, Weight};
use crate::map::ValueMap;
use crate::stack;

impl Machine<'_> {
    /// The table of a roll at a point, for the values of its arguments. Values that the code after the roll cannot tell apart have one
    /// entry, with their total weight.
    pub(super) fn rolled_apart(&mut self, point: FlowId, frame: &mut [Word]) -> Run<Rc<Table>> {
        let Flow::Roll(_, source, ref arguments, _) = *self.code.flow(point) else {
            return Err(Halt::Refused);
        };
        let arguments = Rc::clone(arguments);
        let Some(looks) = self.looks(point) else {
            return self.rolled(source, &arguments, frame);
        };
        let mut words = Vec::with_capacity(arguments.len());
        for &argument in arguments.iter() {
            words.push(self.word(argument, frame).ok_or(Halt::Refused)?);
        }
        let key = (point, words.into_boxed_slice());
        if let Some(known) = self.apart.get(&key) {
            return Ok(Rc::clone(known));
        }
        let gather = match self.code.source(source) {
            Source::Times(_, gather @ (Gather::Join | Gather::Sorted)) => Some(gather.clone()),
            _ => None,
        };
        let table = match (gather, &looks.of_pools) {
            (Some(gather), Some(parts)) => {
                let slot = looks.slot;
                self.pool((point, source, &gather), (slot, parts), &key.1, frame)?
            }
            _ => self.table(source, key.1.to_vec())?,
        };
        let apart = Rc::new(self.alike(&table, looks.slot, &looks.all, frame)?);
        self.apart.insert(key, Rc::clone(&apart));
        Ok(apart)
    }

    /// The parts of the rolled value that the code after the roll looks at; `None` for the whole value.
    fn looks(&mut self, point: FlowId) -> Option<Rc<Looks>> {
        if !self.looks.contains_key(&point) {
            let looks = Looks::after(&mut self.code, point).map(Rc::new);
            self.looks.insert(point, looks);
        }
        self.looks[&point].clone()
    }

    /// The table of several independent rolls together, in which results with equal parts are merged.
    fn pool(
        &mut self,
        rolled: (FlowId, SourceId, &Gather),
        parts: (Slot, &[ExprId]),
        arguments: &[Word],
        frame: &mut [Word],
    ) -> Run<Rc<Table>> {
        let (point, source, gather) = rolled;
        let (count, others) = arguments.split_first().ok_or(Halt::Refused)?;
        let count = count.as_number().ok_or(Halt::Refused)?;
        if !(2..=MOST_ROLLS).contains(&count) {
            return self.table(source, arguments.to_vec());
        }
        let key = (point, arguments.into());
        if let Some(known) = self.pools.get(&key) {
            return Ok(Rc::clone(known));
        }
        let with = |count| Some([&[Word::number(count)?], others].concat());
        let (one, fewer) = with(1).zip(with(count - 1)).ok_or(Halt::Refused)?;
        let one = self.table(source, one)?;
        let fewer = stack::level(|| self.pool(rolled, parts, &fewer, frame))?;
        let pool = self.combined(&fewer, &one, gather)?;
        let pool = Rc::new(self.alike(&pool, parts.0, parts.1, frame)?);
        self.holds_table(&pool)?;
        self.pools.insert(key, Rc::clone(&pool));
        Ok(pool)
    }

    /// The table with merged values: of the values for which the expressions `looks` are equal, only the first stays, with their total
    /// weight.
    fn alike(
        &mut self,
        table: &Table,
        slot: Slot,
        looks: &[ExprId],
        frame: &mut [Word],
    ) -> Run<Table> {
        let mut places: ValueMap<Vec<Word>, usize> = ValueMap::default();
        let (mut words, mut weights): (Vec<Word>, Vec<Weight>) = (Vec::new(), Vec::new());
        for (&word, weight) in table.words.iter().zip(&table.spread.weights) {
            let mut seen = Vec::with_capacity(looks.len());
            if word.is_value() {
                frame[slot as usize] = word;
                self.words(looks, frame, &mut seen)?;
            } else {
                seen.push(word);
            }
            let place = *places.entry(seen).or_insert(words.len());
            if place == words.len() {
                words.push(word);
                weights.push(weight.clone());
            } else {
                weights[place] += weight;
            }
        }
        let total = table.spread.total.clone();
        let spread = Rc::new(Spread { weights, total });
        Ok(Table { words, spread })
    }
}
