//! The ends that a search of the machine comes to.

use std::rc::Rc;

use super::code::FlowId;
use super::keys::Outcome;
use super::words::Word;
use crate::algebra::Place;
use crate::map::ValueMap;

/// An end of a loop whose rounds add up a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SumEnd {
    /// The value of the loop there, without the sum.
    pub(super) value: Word,
    /// The multiple of the sum in each member of the value; none if no member has the sum in it.
    pub(super) multiples: Rc<[i64]>,
}

impl SumEnd {
    /// An end at which the value is the sum.
    pub(super) fn sum() -> Self {
        Self {
            value: Word::ZERO,
            multiples: [1].into(),
        }
    }

    /// An end at which the value is not known.
    pub(super) fn open() -> Self {
        Self {
            value: Word::OPEN,
            multiples: [].into(),
        }
    }
}

/// The ends that were met, each once.
#[derive(Default)]
pub(super) struct EndTable {
    /// The values at the ends of a routine or loop.
    pub(super) values: Vec<Word>,
    /// The ends of a loop that adds up a sum.
    pub(super) sums: Vec<SumEnd>,
    sum_places: ValueMap<SumEnd, usize>,
    /// The ends of a region.
    pub(super) outcomes: Vec<Outcome>,
    value_places: ValueMap<Word, usize>,
    pub(super) outcome_places: ValueMap<(FlowId, Box<[Word]>), usize>,
}

impl EndTable {
    /// The end with a value.
    pub(super) fn with_value(&mut self, word: Word) -> Place {
        let next = self.values.len();
        let place = *self.value_places.entry(word).or_insert(next);
        if place == next {
            self.values.push(word);
        }
        Place::end(place)
    }

    /// An end of a loop that adds up a sum.
    pub(super) fn with_sum(&mut self, end: SumEnd) -> Place {
        let next = self.sums.len();
        let place = *self.sum_places.entry(end.clone()).or_insert(next);
        if place == next {
            self.sums.push(end);
        }
        Place::end(place)
    }
}
