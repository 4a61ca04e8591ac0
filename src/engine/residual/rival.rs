//! The slow evaluator as a rival.
//!
//! Few paths can lead to very many residual programs: of a list in order, say, to which each of a dozen dice belongs only
//! if another allows it. So now and then the evaluator that lists every path has a try: each time that the states have grown
//! by a factor `g`, with one `g`-th as many states as there are then. All tries together take less than `1/(g - 1)` of the
//! states that residual programs take; and a program that is listed in `p` states is found by the first try at `g p` states
//! or more, so before `g² p` are taken, if those are enough for a try. No try takes more than one `g`-th of the time so far.

use std::time::Instant;

use super::scope::Scope;
use super::{Attempt, Stop};
use crate::algebra::Weight;
use crate::engine::enumerate::enumerate;
use crate::limits::Observer;

/// By how much the states grow between two tries.
const GROWTH: u64 = 8;

/// So many states are too few for a try.
const FIRST: u64 = 16_384;

/// When the slow evaluator may try.
#[derive(Debug)]
pub(super) struct Rival {
    began: Instant,
    /// The states at which the next try is due.
    next: u64,
}

impl Rival {
    /// After so many states, of which the rival has seen what it is allowed to.
    pub(super) fn after(states: u64) -> Self {
        Self {
            began: Instant::now(),
            next: FIRST.max(states.saturating_mul(GROWTH)),
        }
    }
}

/// Whoever watches may interrupt a try, but is not told how far it is: that is no progress of the whole.
struct Unseen<'a>(&'a dyn Observer);

impl Observer for Unseen<'_> {
    fn is_interrupted(&self) -> bool {
        self.0.is_interrupted()
    }

    fn memory(&self) -> u64 {
        self.0.memory()
    }
}

impl Scope<'_> {
    /// Lets the slow evaluator have a try, if one is due.
    ///
    /// What it finds to go wrong, and what it leaves open of loops, is no answer.
    pub(super) fn let_rival_try(&mut self) -> Attempt<()> {
        let states = self.budget.states();
        if states < self.rival.next {
            return Ok(());
        }
        self.rival.next = states.saturating_mul(GROWTH);
        let all = self.budget.limits();
        let share = u32::try_from(GROWTH).unwrap_or(u32::MAX);
        let limits = all
            .clone()
            .with_states(states / GROWTH)
            .with_memory(all.memory / GROWTH)
            .with_time(Some(all.spent + self.rival.began.elapsed() / share));
        match enumerate(self.program, &limits, &Unseen(self.budget.observer())) {
            Ok(answer) if answer.unresolved == Weight::ZERO => Err(Stop::Listed(Box::new(answer))),
            _ => Ok(()),
        }
    }
}
