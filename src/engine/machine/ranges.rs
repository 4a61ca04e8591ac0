//! The ranges of the numbers that a loop has in its states.

use super::shift::Shift;
use super::words::Word;

/// The states after which a loop is looked at for the first time.
const FIRST_LOOK: usize = 16;

/// The number of states after which a loop is cut off, if it is not known whether its states are finitely many.
pub(super) const FIRST_UNSURE_STATES: usize = 1 << 6;

/// The most states from which a loop is followed with a number far off.
const MOST_GOING_ON: usize = 16;

/// How the states of a loop go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// The states seem to be finitely many.
    Steady,
    /// Perhaps for ever: the rolls for a number far off are not known.
    Unsure,
    /// For ever, as it seems.
    Drifts,
}

/// The ranges of the numbers of a loop's states. The last member comes first, because lists stand at the front of a state.
#[derive(Debug)]
pub(super) struct Ranges {
    pub(super) now: Vec<(i64, i64)>,
    /// The ranges at the last look.
    pub(super) before: Vec<(i64, i64)>,
    /// The first states from which the loop goes on.
    pub(super) going_on: Vec<Word>,
    /// Whether the states have different lengths.
    pub(super) has_lists: bool,
    /// Groups of numbers, each with its direction, that were seen not to grow together for ever.
    pub(super) settled: Vec<Vec<(usize, i64)>>,
    /// The numbers that are moved down together.
    pub(super) shift: Option<Shift>,
    /// Whether a number was seen to go on for ever, or may do so.
    pub(super) course: Course,
    /// The number of states at which the loop is looked at again.
    pub(super) next_look: usize,
}

impl Ranges {
    pub(super) fn new() -> Self {
        Self {
            now: Vec::new(),
            before: Vec::new(),
            going_on: Vec::new(),
            settled: Vec::new(),
            shift: None,
            course: Course::Steady,
            has_lists: false,
            next_look: FIRST_LOOK,
        }
    }

    /// Takes note of a state.
    pub(super) fn note(&mut self, members: &[i64]) {
        if self.now.is_empty() {
            self.now = members
                .iter()
                .rev()
                .map(|&member| (member, member))
                .collect();
            self.before.clone_from(&self.now);
        }
        if self.now.len() != members.len() {
            self.has_lists = true;
            self.now.truncate(members.len());
        }
        for ((low, high), &member) in self.now.iter_mut().zip(members.iter().rev()) {
            *low = member.min(*low);
            *high = member.max(*high);
        }
    }

    /// Takes note of a state from which the loop goes on.
    pub(super) fn goes_on(&mut self, state: Word) {
        if self.going_on.len() < MOST_GOING_ON && !self.going_on.contains(&state) {
            self.going_on.push(state);
        }
    }

    /// Whether later looks begin with the same states.
    pub(super) fn begins_alike(&self) -> bool {
        self.going_on.len() == MOST_GOING_ON
    }

    /// Whether it is time to look, for so many states.
    pub(super) fn is_due(&self, states: usize) -> bool {
        states >= self.next_look
    }
}
