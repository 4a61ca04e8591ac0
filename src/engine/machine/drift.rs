//! Numbers of a loop that go on for ever.
//!
//! A counter that nothing bounds has no end of states. So a loop with many states is looked at: where a number of its state has
//! left the range that it had before, rounds are taken from a state in which the number is far off. If very many of them can leave
//! it there, it drifts, and the loop is not for the machine. This only guesses which of two ways to the answer is shorter.

use super::code::{Flow, FlowId};
use super::ranges::Ranges;
use super::run::{Halt, Machine, Run};
use super::words::Word;

/// A number that no state of a loop comes near.
const FAR: i64 = 1 << 40;

/// The most rounds that a number is followed far off.
const MOST_ROUNDS: usize = 1 << 12;

/// The most rolls of a round that are tried.
const MOST_ROLLS: usize = 64;

/// The most states of a loop whose state is a list of no fixed length.
const MOST_OF_LISTS: usize = 1 << 14;

impl Machine<'_> {
    /// Whether a loop with so many states seems to have no end of them. The body of the loop begins with `start`.
    pub(super) fn drifts(
        &mut self,
        ranges: &mut Ranges,
        states: usize,
        start: FlowId,
        frame: &[Word],
    ) -> Run<bool> {
        ranges.next_look = states * 4;
        let before = std::mem::replace(&mut ranges.before, ranges.now.clone());
        if ranges.has_lists {
            return Ok(states > MOST_OF_LISTS);
        }
        let state = self.lists.members(&ranges.last).to_vec();
        for (place, (&now, &then)) in ranges.now.iter().zip(&before).enumerate() {
            for (has_moved, far) in [(now.1 > then.1, FAR), (now.0 < then.0, -FAR)] {
                let mut off = state.clone();
                off[place] = far;
                let Some(word) = self.lists.word(&off).filter(|_| has_moved) else {
                    continue;
                };
                if self.goes_on_for_ever(start, frame, word, (place, far))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether very many rounds can leave a number of a state far off.
    fn goes_on_for_ever(
        &mut self,
        start: FlowId,
        frame: &[Word],
        state: Word,
        (place, far): (usize, i64),
    ) -> Run<bool> {
        let mut state = state;
        for _ in 0..MOST_ROUNDS {
            self.budget.check()?;
            let mut frame = frame.to_vec();
            frame[0] = state;
            let mut rolls = MOST_ROLLS;
            match self.far_off(start, &mut frame, (place, far), &mut rolls)? {
                Some(next) => state = next,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// A state that a round can come to from here, and that leaves a number far off. What has no value decides nothing.
    fn far_off(
        &mut self,
        flow: FlowId,
        frame: &mut [Word],
        (place, far): (usize, i64),
        rolls: &mut usize,
    ) -> Run<Option<Word>> {
        let at = match self.walk(flow, frame, false) {
            Ok(at) => at,
            Err(Halt::Refused) => return Ok(None),
            Err(halt) => return Err(halt),
        };
        match self.code.flow(at).clone() {
            Flow::End(value) => Ok(self.word(value, frame).filter(|next| {
                let number = self.lists.members(next).get(place).copied();
                number
                    .is_some_and(|number| number.signum() == far.signum() && number.abs() > FAR / 2)
            })),
            Flow::Roll(slot, source, arguments, after) => {
                let table = match self.rolled(source, &arguments, frame) {
                    Ok(table) => table,
                    Err(Halt::Refused) => return Ok(None),
                    Err(halt) => return Err(halt),
                };
                // The last values first: what counts successes counts them on.
                for &word in table.words.iter().rev() {
                    if *rolls == 0 {
                        return Ok(None);
                    }
                    *rolls -= 1;
                    let mut frame = frame.to_vec();
                    frame[slot as usize] = word;
                    let next = self.far_off(after, &mut frame, (place, far), rolls)?;
                    if next.is_some() {
                        return Ok(next);
                    }
                }
                Ok(None)
            }
            Flow::Bind(..) | Flow::If(..) | Flow::Let(..) | Flow::Stop(_) => Ok(None),
        }
    }
}
