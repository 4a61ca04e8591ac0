//! The ends that a search of the machine comes to.

use super::code::FlowId;
use super::keys::Outcome;
use super::words::Word;
use crate::algebra::Place;
use crate::map::ValueMap;

/// The ends that were met, each once.
#[derive(Default)]
pub(super) struct EndTable {
    /// The values at the ends of a routine or loop.
    pub(super) values: Vec<Word>,
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
}
