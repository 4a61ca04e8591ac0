//! What `--explain` prints: the rules that were applied, as a tree.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::analysis::milliseconds;

/// A longer plan is cut off.
const MOST_PARTS: usize = 60;

/// The parts of one analysis, as they begin and end.
#[derive(Debug, Default)]
pub(super) struct Plan {
    parts: RefCell<Vec<Part>>,
    /// The parts that have begun and not ended, the innermost last.
    open: RefCell<Vec<usize>>,
}

#[derive(Debug)]
struct Part {
    rule: &'static str,
    depth: usize,
    began: Instant,
    time: Duration,
    states: u64,
    steps: u64,
}

impl Plan {
    /// A part begins within the part that is open.
    pub(super) fn begin(&self, rule: &'static str) {
        let (mut parts, mut open) = (self.parts.borrow_mut(), self.open.borrow_mut());
        let depth = open.len();
        open.push(parts.len());
        parts.push(Part {
            rule,
            depth,
            began: Instant::now(),
            time: Duration::ZERO,
            states: 0,
            steps: 0,
        });
    }

    /// The innermost open part ends.
    pub(super) fn end(&self, states: u64, steps: u64) {
        let (mut parts, mut open) = (self.parts.borrow_mut(), self.open.borrow_mut());
        if let Some(part) = open.pop().and_then(|index| parts.get_mut(index)) {
            part.time = part.began.elapsed();
            part.states = states;
            part.steps = steps;
        }
    }

    /// The tree, a line for each part, indented.
    pub(super) fn tree(&self) -> String {
        let parts = self.parts.borrow();
        let mut text = String::new();
        for part in parts.iter().take(MOST_PARTS) {
            let _ = write!(
                text,
                "  {:indent$}{}",
                "",
                part.rule,
                indent = 2 * part.depth
            );
            if part.states > 0 {
                let _ = write!(text, ": {} states", part.states);
            }
            if part.steps > 0 {
                let _ = write!(text, ", {} steps", part.steps);
            }
            let _ = writeln!(text, ", {}", milliseconds(part.time));
        }
        if let Some(more) = parts.len().checked_sub(MOST_PARTS).filter(|&more| more > 0) {
            let _ = writeln!(text, "  and {more} more parts");
        }
        text
    }
}
