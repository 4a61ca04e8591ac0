//! Interval arithmetic: bounds of the members of a list, and of their number.
//!
//! [`Bounds`] of the operands give bounds of the result. Bounds may be wider than the possible values, but never
//! narrower: a test reveals pools, and checks that every value lies within.

use crate::algebra::{Mass, Weight};
use crate::engine::program::integer::{
    checked, is_infinite, minus, plus, times, widest_power, widest_product,
};
use crate::engine::program::node::Compare;
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};
use crate::ir::{Arithmetic, Folding};
use crate::number::Integer;

/// What is known of a list: every member is in `low..=high`, and there are `least..=most` members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Bounds {
    pub(in crate::engine) low: i64,
    pub(in crate::engine) high: i64,
    pub(in crate::engine) least: i64,
    pub(in crate::engine) most: i64,
}

impl Bounds {
    /// A list of which nothing is known.
    pub(in crate::engine) const UNKNOWN: Self = Self {
        low: i64::MIN,
        high: i64::MAX,
        least: 0,
        most: i64::MAX,
    };

    pub(in crate::engine) const EMPTY: Self = Self {
        low: i64::MAX,
        high: i64::MIN,
        least: 0,
        most: 0,
    };

    /// A number in `low..=high`.
    pub(in crate::engine) fn number(low: i64, high: i64) -> Self {
        Self {
            low,
            high,
            least: 1,
            most: 1,
        }
    }

    /// The bounds of a list that is one of these known multisets.
    pub(in crate::engine) fn of_images<'a>(images: impl Iterator<Item = &'a [(i64, u32)]>) -> Self {
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

    /// The mass with this weight whose outcomes lie within the bounds.
    pub(in crate::engine) fn mass(self, weight: Weight) -> Mass {
        let end = |end: i64| (!is_infinite(end)).then(|| Integer::from(end));
        Mass {
            low: end(self.low),
            high: end(self.high),
            weight,
        }
    }

    /// Bounds of two lists joined.
    pub(in crate::engine) fn join(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    /// Bounds of a list that has these bounds or the others.
    pub(in crate::engine) fn either(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// `Some(true)` if the comparison with a number holds for every member, `Some(false)` if for none, and `None` if
    /// bounds do not decide it.
    pub(in crate::engine) fn decides(self, compare: Compare, than: Self) -> Option<bool> {
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

    /// The same members, with at least `least` and at most `most` of them.
    pub(in crate::engine) fn sized(self, least: i64, most: i64) -> Self {
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

/// The number of hidden dice of a pool in some context, and the faces that they can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Hidden {
    pub(in crate::engine) low: i64,
    pub(in crate::engine) high: i64,
    pub(in crate::engine) least: i64,
    pub(in crate::engine) most: i64,
}

/// The largest distance of the numbers within bounds from 0.
fn magnitude(bounds: Bounds) -> i64 {
    let largest = bounds.low.unsigned_abs().max(bounds.high.unsigned_abs());
    i64::try_from(largest).unwrap_or(i64::MAX)
}

/// The least interval that contains all values.
fn hull(values: impl IntoIterator<Item = Attempt<i64>>) -> Attempt<(i64, i64)> {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for value in values {
        let value = value?;
        low = low.min(value);
        high = high.max(value);
    }
    Ok((low, high))
}

/// Bounds of the fold of a list.
pub(in crate::engine) fn fold_bounds(folding: Folding, list: Bounds) -> Attempt<Bounds> {
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
            let most = widest_power(magnitude(list).max(1), list.most);
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

/// Bounds of the value of an arithmetic operator, which is 0 where the operator is not defined.
pub(in crate::engine) fn arithmetic_bounds(
    operator: Arithmetic,
    a: Bounds,
    b: Bounds,
) -> Attempt<Bounds> {
    let ends = |combine: fn(i64, i64) -> Attempt<i64>| {
        hull(
            [a.low, a.high]
                .into_iter()
                .flat_map(|x| [b.low, b.high].map(|y| combine(x, y))),
        )
    };
    let largest = magnitude(a);
    let (low, high) = match operator {
        Arithmetic::Multiply => match ends(|x, y| Ok(widest_product(x, y)))? {
            // No value can be held.
            (i64::MAX, _) | (_, i64::MIN) => return Err(Stop::Unsupported(Reason::LongIntegers)),
            ends => ends,
        },
        // |a/b| <= |a|, with the sign of a where b is positive.
        Arithmetic::Divide if b.low > 0 => ends(|x, y| Ok(if is_infinite(x) { x } else { x / y }))?,
        Arithmetic::FloorDivide if b.low > 0 => {
            ends(|x, y| Ok(if is_infinite(x) { x } else { x.div_euclid(y) }))?
        }
        Arithmetic::Divide | Arithmetic::FloorDivide => (-largest, largest),
        Arithmetic::Modulo | Arithmetic::Remainder => {
            let most = magnitude(b).saturating_sub(1).max(0);
            // A remainder of `Modulo` has the sign of the divisor, the other that of the number.
            let (signed, most) = match operator {
                Arithmetic::Modulo => (b, most),
                _ => (a, most.min(largest)),
            };
            let (below, above) = (signed.low < 0, signed.high > 0);
            (-most * i64::from(below), most * i64::from(above))
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
            let most = widest_power(largest.max(1), b.high);
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
