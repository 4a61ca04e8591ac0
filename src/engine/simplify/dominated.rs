//! Parts that can never be the best member: of numbers that follow one line of another number, the lower ones.

use crate::engine::program::{Bounds, Node, NodeId, Store};
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::Selection;

/// A part that is `constant + coefficient · number`. A condition is a number, which is 0 or 1.
#[derive(Clone, Copy)]
struct Line {
    number: NodeId,
    constant: i64,
    coefficient: i64,
}

impl Line {
    /// The line that a part follows. A condition and a count are lines of themselves; other parts are none, unless they are a sum with
    /// one atom.
    fn of(store: &Store<'_>, part: NodeId) -> Option<Self> {
        match store.nodes.get(part) {
            Node::Linear(constant, atoms) => match **atoms {
                [(coefficient, number)] => Some(Self {
                    number,
                    constant: *constant,
                    coefficient,
                }),
                _ => None,
            },
            Node::AtLeast(..) | Node::Equals(..) | Node::Fold(..) => Some(Self {
                number: part,
                constant: 0,
                coefficient: 1,
            }),
            _ => None,
        }
    }

    /// Whether this line is nowhere below the other within the bounds of their number. It is so if it is at both ends.
    fn is_never_below(self, other: Self, bounds: Bounds) -> bool {
        let above = i128::from(self.constant) - i128::from(other.constant);
        let steeper = i128::from(self.coefficient) - i128::from(other.coefficient);
        let at = |end: i64| above + steeper * i128::from(end);
        at(bounds.low) >= 0 && at(bounds.high) >= 0
    }
}

/// The parts of a multiset without those that are never better than another part: lines of one number, of which one is at least
/// as good everywhere. Of equal parts one is left. `None` if none is dropped.
pub(in crate::engine) fn undominated(
    store: &mut Store<'_>,
    selection: Selection,
    parts: &[NodeId],
) -> Attempt<Option<Vec<NodeId>>> {
    let mut dropped = Vec::new();
    let epoch = store.new_epoch();
    for (place, &part) in parts.iter().enumerate() {
        let Some(line) = Line::of(store, part) else {
            continue;
        };
        let best = store.memos.best_lines.get(epoch, line.number);
        let is_best = match best {
            None => true,
            Some(best) => {
                let other = Line::of(store, parts[best]).expect("only lines are remembered");
                let bounds = store.bounds(line.number)?;
                let wins = |a: Line, b: Line| match selection {
                    Selection::Low => b.is_never_below(a, bounds),
                    _ => a.is_never_below(b, bounds),
                };
                if wins(other, line) {
                    dropped.push(place);
                    false
                } else {
                    let is_best = wins(line, other);
                    dropped.extend(is_best.then_some(best));
                    is_best
                }
            }
        };
        if is_best {
            let memo = &mut store.memos.best_lines;
            memo.set(epoch, line.number, place, store.budget)?;
        }
    }
    if dropped.is_empty() {
        return Ok(None);
    }
    dropped.sort_unstable();
    let kept = parts.iter().enumerate();
    let kept = kept.filter(|(place, _)| dropped.binary_search(place).is_err());
    Ok(Some(kept.map(|(_, &part)| part).collect()))
}
