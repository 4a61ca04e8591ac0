//! Interval analysis: between which numbers the members of a list lie, and how many there can be.
//!
//! An end beyond [`LARGEST`] is infinite: the members of a loop, and how many they are, have no known bound.

use super::Attempt;
use super::Stop;
use super::node::{Closure, Compare, Node, NodeId, Part};
use super::pool::PoolId;
use super::scope::Scope;
use crate::engine::reason::Reason;
use crate::ir::{Arithmetic, Folding, Selection};
use crate::stack;

/// No number of a residual program leaves this range, so that no sum of two wraps.
const LARGEST: i128 = 1 << 62;

/// Whether an end of bounds is infinite.
pub(super) fn is_infinite(end: i64) -> bool {
    i128::from(end.unsigned_abs()) > LARGEST
}

/// What is known of a list: every member is in `low..=high`, and there are `least..=most` members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Bounds {
    /// A list of which nothing is known.
    pub(super) const UNKNOWN: Self = Self {
        low: i64::MIN,
        high: i64::MAX,
        least: 0,
        most: i64::MAX,
    };

    pub(super) const EMPTY: Self = Self {
        low: i64::MAX,
        high: i64::MIN,
        least: 0,
        most: 0,
    };

    /// A number in `low..=high`.
    pub(super) fn number(low: i64, high: i64) -> Self {
        Self {
            low,
            high,
            least: 1,
            most: 1,
        }
    }

    /// The bounds of one of some known multisets.
    pub(super) fn of_images<'a>(images: impl Iterator<Item = &'a [(i64, u32)]>) -> Self {
        let sized = images.map(|image| {
            let size = image.iter().map(|&(_, count)| i64::from(count)).sum();
            match (image.first(), image.last()) {
                (Some(first), Some(last)) => Self {
                    low: first.0,
                    high: last.0,
                    least: size,
                    most: size,
                },
                _ => Self::EMPTY,
            }
        });
        sized.reduce(Self::either).unwrap_or(Self::EMPTY)
    }

    fn join(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    /// Either this or the other.
    fn either(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// Whether every member compares so with a number, `Some(true)`, or none does, `Some(false)`.
    pub(super) fn decides(self, compare: Compare, than: Self) -> Option<bool> {
        let (below, above) = (self.high < than.low, self.low >= than.high);
        let equal = self.low == self.high && than.low == than.high && self.low == than.low;
        let apart = below || self.low > than.high;
        let (all, none) = match compare {
            Compare::AtLeast => (above, below),
            Compare::Below => (below, above),
            Compare::Equal => (equal, apart),
            Compare::Unequal => (apart, equal),
        };
        (all || none).then_some(all)
    }

    fn sized(self, least: i64, most: i64) -> Self {
        if most <= 0 {
            Self::EMPTY
        } else {
            Self {
                least: least.max(0),
                most,
                ..self
            }
        }
    }
}

fn checked(value: i128) -> Attempt<i64> {
    if (-LARGEST..=LARGEST).contains(&value) {
        Ok(i64::try_from(value).expect("within 63 bits"))
    } else {
        Err(Stop::Unsupported(Reason::LongIntegers))
    }
}

/// The sum of two ends; what is infinite stays so.
pub(super) fn plus(a: i64, b: i64) -> Attempt<i64> {
    match (is_infinite(a), is_infinite(b)) {
        (true, _) => Ok(a),
        (_, true) => Ok(b),
        _ => checked(i128::from(a) + i128::from(b)),
    }
}

fn minus(a: i64, b: i64) -> Attempt<i64> {
    plus(a, times(b, -1)?)
}

/// The product of two ends; of 0 and an infinite one it is 0, as that of 0 and any number is.
pub(super) fn times(a: i64, b: i64) -> Attempt<i64> {
    if a == 0 || b == 0 {
        Ok(0)
    } else if !is_infinite(a) && !is_infinite(b) {
        checked(i128::from(a) * i128::from(b))
    } else if (a < 0) == (b < 0) {
        Ok(i64::MAX)
    } else {
        Ok(i64::MIN)
    }
}

/// The largest distance of the numbers within bounds from 0.
fn magnitude(bounds: Bounds) -> i64 {
    let largest = bounds.low.unsigned_abs().max(bounds.high.unsigned_abs());
    i64::try_from(largest).unwrap_or(i64::MAX)
}

/// The hull of some ends.
fn hull(values: impl IntoIterator<Item = Attempt<i64>>) -> Attempt<(i64, i64)> {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for value in values {
        let value = value?;
        low = low.min(value);
        high = high.max(value);
    }
    Ok((low, high))
}

/// How many hidden dice a pool has, and between which faces, in some context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hidden {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Scope<'_> {
    /// What is known of a node in the current context.
    pub(super) fn bounds(&mut self, id: NodeId) -> Attempt<Bounds> {
        // What mentions no pool of the context is as it is where all dice are hidden.
        let epoch = self.epoch_of_bounds(id);
        if let Some(known) = self.bounds.get(epoch, id) {
            return Ok(known);
        }
        let bounds = stack::level(|| self.compute_bounds(id))?;
        self.bounds.set(epoch, id, bounds);
        Ok(bounds)
    }

    fn hidden(&self, pool: PoolId) -> Hidden {
        if let Some(hidden) = self.context.hidden.iter().find(|(id, _)| *id == pool) {
            return hidden.1;
        }
        let known = self.pools.get(pool);
        let die = self.pools.die_of(known.die);
        let dice = i64::from(known.dice);
        Hidden {
            low: die.low(),
            high: die.high(),
            least: dice,
            most: dice,
        }
    }

    /// The parts of a join or chain.
    fn parts(&self, list: NodeId) -> Vec<NodeId> {
        match self.nodes.get(list) {
            Node::Join(parts) | Node::Chain(parts) => parts.to_vec(),
            _ => Vec::new(),
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a kind of node")]
    fn compute_bounds(&mut self, id: NodeId) -> Attempt<Bounds> {
        let node = self.nodes.get(id).clone();
        Ok(match node {
            Node::Constant(value) => Bounds::number(value, value),
            Node::Draw(pool) => {
                let hidden = self.hidden(pool);
                Bounds::number(hidden.low, hidden.high)
            }
            Node::Dealt(pool) | Node::Pool(pool) => {
                let hidden = self.hidden(pool);
                Bounds {
                    low: hidden.low,
                    high: hidden.high,
                    least: 0,
                    most: 0,
                }
                .sized(hidden.least, hidden.most)
            }
            Node::Linear(constant, atoms) => {
                let (mut low, mut high) = (constant, constant);
                for &(coefficient, atom) in atoms.iter() {
                    let bounds = self.bounds(atom)?;
                    let ends = (
                        times(coefficient, bounds.low)?,
                        times(coefficient, bounds.high)?,
                    );
                    low = plus(low, ends.0.min(ends.1))?;
                    high = plus(high, ends.0.max(ends.1))?;
                }
                Bounds::number(low, high)
            }
            // What is over is always 0; but it must not be taken for known before it is.
            Node::AtLeast(..) | Node::Equals(..) | Node::Over(_) => Bounds::number(0, 1),
            Node::Arithmetic(operator, a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                arithmetic_bounds(operator, a, b)?
            }
            Node::Fold(folding, list) => {
                let list = self.bounds(list)?;
                fold_bounds(folding, list)?
            }
            Node::If(_, a, b) => self.bounds(a)?.either(self.bounds(b)?),
            Node::Known(members) => {
                let size = members.iter().map(|&(_, count)| i64::from(count)).sum();
                match (members.first(), members.last()) {
                    (Some(first), Some(last)) => Bounds {
                        low: first.0,
                        high: last.0,
                        least: size,
                        most: size,
                    },
                    _ => Bounds::EMPTY,
                }
            }
            Node::Join(parts) | Node::Chain(parts) => {
                let mut bounds = Bounds::EMPTY;
                for &part in parts.iter() {
                    bounds = bounds.join(self.bounds(part)?);
                }
                bounds
            }
            Node::Copies(count, list) => {
                let (count, list) = (self.bounds(count)?, self.bounds(list)?);
                let most = times(count.high, list.most)?;
                list.sized(count.low.saturating_mul(list.least), most)
            }
            Node::Filter(compare, number, list) => {
                let (number, list) = (self.bounds(number)?, self.bounds(list)?);
                let filtered = match compare {
                    Compare::AtLeast => Bounds {
                        low: list.low.max(number.low),
                        ..list
                    },
                    Compare::Below => Bounds {
                        high: list.high.min(minus(number.high, 1)?),
                        ..list
                    },
                    Compare::Equal => Bounds {
                        low: list.low.max(number.low),
                        high: list.high.min(number.high),
                        ..list
                    },
                    Compare::Unequal => list,
                };
                if filtered.low > filtered.high {
                    Bounds::EMPTY
                } else {
                    filtered.sized(0, list.most)
                }
            }
            Node::Select(selection, n, list) => {
                let (n, members) = (self.bounds(n)?, list);
                let mut list = self.bounds(list)?;
                if n.low == 1 && n.high == 1 {
                    // The best is no worse than any member that is surely there.
                    let parts = self.parts(members);
                    for part in parts {
                        let part = self.bounds(part)?;
                        match selection {
                            Selection::High if part.least >= 1 => list.low = list.low.max(part.low),
                            Selection::Low if part.least >= 1 => {
                                list.high = list.high.min(part.high);
                            }
                            _ => {}
                        }
                    }
                }
                match selection {
                    Selection::First | Selection::Last | Selection::High | Selection::Low => {
                        list.sized(n.low.min(list.least), n.high.min(list.most))
                    }
                    _ => list.sized(minus(list.least, n.high)?, minus(list.most, n.low)?),
                }
            }
            Node::Range(a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                if a.low > b.high {
                    Bounds::EMPTY
                } else {
                    let least = plus(minus(b.low, a.high)?, 1)?;
                    let most = plus(minus(b.high, a.low)?, 1)?;
                    Bounds {
                        low: a.low,
                        high: b.high,
                        least: 0,
                        most: 0,
                    }
                    .sized(least, most)
                }
            }
            Node::Draws(count, die, _) => {
                let count = self.bounds(count)?;
                let die = self.pools.die_of(die);
                let (low, high) = (die.low(), die.high());
                Bounds {
                    low,
                    high,
                    least: 0,
                    most: 0,
                }
                .sized(count.low, count.high)
            }
            Node::Die(sides, _) => Bounds::number(1, self.bounds(sides)?.high.max(1)),
            Node::Map(list, closure) => {
                let list = self.bounds(list)?;
                if let Closure::Body(body) = self.nodes.closure_of(closure)
                    && let Part::Failing(_) = body.part
                {
                    return Ok(Bounds::number(0, list.most));
                }
                let image = self.image(closure, list)?.bounds;
                let most = times(list.most, image.most)?;
                image.sized(list.least.saturating_mul(image.least), most)
            }
            Node::Loop(_, closure, order, _) => self.loop_image(closure, order)?.bounds,
        })
    }
}

fn fold_bounds(folding: Folding, list: Bounds) -> Attempt<Bounds> {
    let (low, high) = match folding {
        Folding::Count => (list.least, list.most),
        Folding::Only => (list.low, list.high),
        Folding::Sum if list.most == 0 => (0, 0),
        Folding::Sum => hull(
            [list.least, list.most]
                .into_iter()
                .flat_map(|size| [list.low, list.high].map(|end| times(size, end))),
        )?,
        Folding::Product if list.most == 0 => (1, 1),
        Folding::Product => {
            let most = power(magnitude(list).max(1), list.most)?;
            (
                if list.low < 0 {
                    -most
                } else {
                    i64::from(list.low > 0)
                },
                most,
            )
        }
    };
    Ok(Bounds::number(low, high))
}

/// A power of a number that is at least 1.
fn power(base: i64, exponent: i64) -> Attempt<i64> {
    if base == 1 || exponent <= 0 {
        Ok(1)
    } else if is_infinite(base) || is_infinite(exponent) {
        Ok(i64::MAX)
    } else {
        let power = u32::try_from(exponent)
            .ok()
            .and_then(|exponent| i128::from(base).checked_pow(exponent));
        checked(power.unwrap_or(i128::MAX))
    }
}

/// Bounds of two numbers combined; where the operator is not defined, its value is 0.
pub(super) fn arithmetic_bounds(operator: Arithmetic, a: Bounds, b: Bounds) -> Attempt<Bounds> {
    let ends = |combine: fn(i64, i64) -> Attempt<i64>| {
        hull(
            [a.low, a.high]
                .into_iter()
                .flat_map(|x| [b.low, b.high].map(|y| combine(x, y))),
        )
    };
    let largest = magnitude(a);
    let (low, high) = match operator {
        Arithmetic::Multiply => ends(times)?,
        // |a/b| <= |a|, with the sign of a where b is positive.
        Arithmetic::Divide if b.low > 0 => ends(|x, y| Ok(if is_infinite(x) { x } else { x / y }))?,
        Arithmetic::Divide => (-largest, largest),
        Arithmetic::Remainder => {
            let most = magnitude(b).saturating_sub(1).max(0).min(largest);
            (
                if a.low < 0 { -most } else { 0 },
                if a.high > 0 { most } else { 0 },
            )
        }
        Arithmetic::Concatenate | Arithmetic::Shift => {
            let digits = b.high.unsigned_abs().max(1).ilog10() + 2;
            let most = if is_infinite(largest) || is_infinite(magnitude(b)) {
                i64::MAX
            } else {
                let shifted = (i128::from(largest) + 1).saturating_mul(10_i128.pow(digits));
                checked(shifted.saturating_add(b.low.unsigned_abs().into()))?
            };
            (-most, most)
        }
        Arithmetic::Power => {
            let most = power(largest.max(1), b.high)?;
            (if a.low < 0 { -most } else { 0 }, most)
        }
        Arithmetic::BitAnd | Arithmetic::BitOr => {
            let bits = largest.unsigned_abs() | magnitude(b).unsigned_abs() | 1;
            let most = if is_infinite(largest) || is_infinite(magnitude(b)) {
                i64::MAX
            } else {
                checked(i128::from(bits.next_power_of_two()) * 2)?
            };
            (-most, most)
        }
        Arithmetic::Add => ends(plus)?,
        Arithmetic::Subtract => ends(minus)?,
        Arithmetic::Max => (a.low.max(b.low), a.high.max(b.high)),
        Arithmetic::Min => (a.low.min(b.low), a.high.min(b.high)),
    };
    Ok(Bounds::number(low, high))
}
