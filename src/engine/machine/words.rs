//! Values as machine words: a number is itself, and a list of any other length is the place of one that was seen before.

use std::hash::BuildHasher;

use hashbrown::HashTable;

use crate::map::ValueHasher;

/// A value: a number or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Word(i64);

/// No number of the machine is as large as this.
const MOST: i64 = 1 << 61;

/// The word of the first list.
const LISTS: i64 = 1 << 62;

impl Word {
    /// The empty list.
    pub(super) const NOTHING: Self = Self(LISTS);

    /// The number 0.
    pub(super) const ZERO: Self = Self(0);

    /// The number 1.
    pub(super) const ONE: Self = Self(1);

    /// Stands for an expression without a value.
    pub(super) const NONE: Self = Self(i64::MAX);

    /// Stands for all values of a loop that was followed only so far. It comes after all values.
    pub(super) const OPEN: Self = Self(i64::MAX - 1);

    /// Stands for a loop that never ends. It comes after all values, and before what is open.
    pub(super) const NEVER: Self = Self(i64::MAX - 2);

    /// Whether this is a value: not what is open, and not what never ends.
    #[inline]
    pub(super) fn is_value(self) -> bool {
        self < Self::NEVER
    }

    /// A number, unless it is too long.
    #[inline]
    pub(super) fn number(number: i64) -> Option<Self> {
        (-MOST < number && number < MOST).then_some(Self(number))
    }

    /// The number, if it is one.
    #[inline]
    pub(super) fn as_number(self) -> Option<i64> {
        (self.0 < MOST).then_some(self.0)
    }
}

/// All lists that were seen.
#[derive(Debug)]
pub(super) struct Lists {
    members: Vec<i64>,
    /// Where the members of each list end.
    ends: Vec<usize>,
    index: HashTable<u32>,
    hasher: ValueHasher,
}

impl Lists {
    pub(super) fn new() -> Self {
        let mut new = Self {
            members: Vec::new(),
            ends: Vec::new(),
            index: HashTable::new(),
            hasher: ValueHasher::default(),
        };
        new.word(&[]);
        new
    }

    fn list(&self, index: u32) -> &[i64] {
        let index = index as usize;
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[first..self.ends[index]]
    }

    /// The word of a list, unless a member is too long.
    pub(super) fn word(&mut self, list: &[i64]) -> Option<Word> {
        if let [number] = *list {
            return Word::number(number);
        }
        if list.iter().any(|&member| Word::number(member).is_none()) {
            return None;
        }
        let hash = self.hasher.hash_one(list);
        let known = self.index.find(hash, |&index| self.list(index) == list);
        if let Some(&known) = known {
            return Some(Word(LISTS + i64::from(known)));
        }
        let index = u32::try_from(self.ends.len()).ok()?;
        self.members.extend_from_slice(list);
        self.ends.push(self.members.len());
        let Self {
            members,
            ends,
            index: table,
            hasher,
        } = self;
        let of = |&index: &u32| {
            let index = index as usize;
            let first = index.checked_sub(1).map_or(0, |before| ends[before]);
            hasher.hash_one(&members[first..ends[index]])
        };
        table.insert_unique(hash, index, of);
        Some(Word(LISTS + i64::from(index)))
    }

    /// The members of a value.
    #[inline]
    pub(super) fn members<'a>(&'a self, word: &'a Word) -> &'a [i64] {
        if word.0 < MOST {
            return std::slice::from_ref(&word.0);
        }
        match u32::try_from(word.0 - LISTS) {
            Ok(index) => self.list(index),
            Err(_) => &[],
        }
    }

    /// The bytes of all lists.
    pub(super) fn bytes(&self) -> u64 {
        (self.members.len() * 8 + self.ends.len() * 16) as u64
    }
}
