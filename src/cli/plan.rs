//! What `--explain` prints: the rules that were applied, as a tree.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::time::{Duration, Instant};

/// A longer plan is cut off.
const MOST_PARTS: usize = 60;

/// The parts of one analysis, as they begin and end. Parts with the same rule within the same part share a line.
#[derive(Debug, Default)]
pub(super) struct Plan {
    parts: RefCell<Vec<TracedPart>>,
    /// The parts that have begun and not ended, the innermost last.
    open: RefCell<Vec<(usize, Instant)>>,
}

#[derive(Debug)]
struct TracedPart {
    rule: &'static str,
    within: Option<usize>,
    times: u64,
    time: Duration,
    states: u64,
    steps: u64,
}

impl Plan {
    /// A part begins within the part that is open.
    pub(super) fn begin(&self, rule: &'static str) {
        let (mut parts, mut open) = (self.parts.borrow_mut(), self.open.borrow_mut());
        let within = open.last().map(|&(index, _)| index);
        let known = parts
            .iter()
            .position(|part| part.rule == rule && part.within == within);
        let index = known.unwrap_or_else(|| {
            parts.push(TracedPart {
                rule,
                within,
                times: 0,
                time: Duration::ZERO,
                states: 0,
                steps: 0,
            });
            parts.len() - 1
        });
        open.push((index, Instant::now()));
    }

    /// The innermost open part ends.
    pub(super) fn end(&self, states: u64, steps: u64) {
        let (mut parts, mut open) = (self.parts.borrow_mut(), self.open.borrow_mut());
        if let Some((index, began)) = open.pop() {
            let part = &mut parts[index];
            part.times += 1;
            part.time += began.elapsed();
            part.states += states;
            part.steps += steps;
        }
    }

    /// The tree, a line for each rule within a part, indented.
    pub(super) fn tree(&self) -> String {
        let parts: &[TracedPart] = &self.parts.borrow();
        let mut text = String::new();
        let mut lines = 0;
        let children = |within| {
            (0..parts.len())
                .rev()
                .filter(move |&index| parts[index].within == within)
        };
        let mut open: Vec<(usize, usize)> = children(None).map(|index| (index, 0)).collect();
        while let Some((index, depth)) = open.pop() {
            lines += 1;
            if lines <= MOST_PARTS {
                let _ = writeln!(text, "  {:indent$}{}", "", parts[index], indent = 2 * depth);
            }
            open.extend(children(Some(index)).map(|index| (index, depth + 1)));
        }
        if let Some(more) = lines.checked_sub(MOST_PARTS).filter(|&more| more > 0) {
            let _ = writeln!(text, "  and {more} more parts");
        }
        text
    }
}

impl fmt::Display for TracedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule)?;
        if self.times > 1 {
            write!(f, ", {} times", self.times)?;
        }
        if self.states > 0 {
            write!(f, ": {} states", self.states)?;
        }
        if self.steps > 0 {
            write!(f, ", {} steps", self.steps)?;
        }
        write!(f, ", {}", milliseconds(self.time))
    }
}

/// A time as `3.142 ms`.
pub(super) fn milliseconds(time: Duration) -> String {
    let micros = (time.as_nanos() + 500) / 1000;
    format!("{}.{:03} ms", micros / 1000, micros % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_milliseconds_with_three_digits() {
        assert_eq!(milliseconds(Duration::from_nanos(3_141_592)), "3.142 ms");
        assert_eq!(milliseconds(Duration::from_secs(2)), "2000.000 ms");
        assert_eq!(milliseconds(Duration::from_nanos(7_400)), "0.007 ms");
    }
}
