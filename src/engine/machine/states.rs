//! The states that a run has met, each once.

use std::hash::BuildHasher;

use hashbrown::HashTable;

use super::code::FlowId;
use super::words::Word;
use crate::map::ValueHasher;

/// States with the words that they hold. The last words of a state are its keys, which make it the state that it is.
#[derive(Default)]
pub(super) struct States {
    all: Vec<State>,
    words: Vec<Word>,
    index: HashTable<u32>,
    hasher: ValueHasher,
}

struct State {
    point: FlowId,
    first: usize,
    hash: u64,
}

impl States {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn point(&self, state: usize) -> FlowId {
        self.all[state].point
    }

    pub(super) fn words(&self, state: usize) -> &[Word] {
        let next = self.all.get(state + 1);
        let end = next.map_or(self.words.len(), |next| next.first);
        &self.words[self.all[state].first..end]
    }

    /// The place of the state at a point with these words, and whether it is new. So many of the last words are its keys.
    pub(super) fn place(&mut self, point: FlowId, words: &[Word], keys: usize) -> (usize, bool) {
        let own = &words[words.len() - keys..];
        let hash = self.hasher.hash_one((point, own));
        let is_own = |&state: &u32| {
            let state = state as usize;
            let words = self.words(state);
            self.all[state].point == point && words[words.len() - keys..] == *own
        };
        if let Some(&known) = self.index.find(hash, is_own) {
            return (known as usize, false);
        }
        let place = self.all.len();
        let first = self.words.len();
        self.words.extend_from_slice(words);
        self.all.push(State { point, first, hash });
        let all = &self.all;
        let index = u32::try_from(place).expect("fewer than 2^32 states");
        self.index
            .insert_unique(hash, index, |&state| all[state as usize].hash);
        (place, true)
    }

    /// Forgets all but the first state.
    pub(super) fn keep_first(&mut self) {
        if let Some(second) = self.all.get(1) {
            self.words.truncate(second.first);
        }
        self.all.truncate(1);
        self.index.retain(|&mut state| state == 0);
    }

    /// The bytes of all states.
    pub(super) fn bytes(&self) -> u64 {
        (self.all.capacity() * size_of::<State>()
            + self.words.capacity() * size_of::<Word>()
            + self.index.capacity() * 5) as u64
    }
}
