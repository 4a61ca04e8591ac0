//! Sums, products, quotients, comparisons and extremes of numbers.

use super::Lowering;
use super::support::Support;
use super::value::{NumberValue, Rolled, denominator, fraction, numerator, ratio};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Expr, SiteId};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;
use crate::notation::tabletop::error;
use crate::number::{Fraction, Integer, Overflow};

impl Lowering<'_> {
    /// A known number, or the error that it is too long.
    pub(super) fn known(&mut self, number: Fraction, site: SiteId) -> NumberValue {
        match NumberValue::known(number) {
            Ok(value) => value,
            Err(Overflow) => self.fail(ErrorKind::Overflow, site),
        }
    }

    /// A term times a known integer.
    pub(super) fn times(&mut self, term: Expr, factor: &Integer, site: SiteId) -> Expr {
        if *factor == Integer::ONE {
            return term;
        }
        if let Some(product) = self.build.constant(term).map(|term| term.mul(factor)) {
            return match product {
                Ok(product) => self.build.integer(product),
                Err(Overflow) => self.build.fail(ErrorKind::Overflow, site),
            };
        }
        let factor = self.build.integer(factor.clone());
        self.arithmetic(Arithmetic::Multiply, term, factor, site)
    }

    /// The unit of several numbers together. A unit that is too long is refused.
    pub(super) fn common_unit<'v>(
        &mut self,
        values: impl IntoIterator<Item = &'v NumberValue>,
    ) -> Integer {
        let mut unit = Integer::ONE;
        for value in values {
            match unit.lcm(&value.unit()) {
                Ok(more) => unit = more,
                Err(Overflow) => self.refuse_unit(self.tree.root),
            }
        }
        unit
    }

    pub(super) fn refuse_unit(&mut self, id: NodeId) {
        let refused = error::no_unit(self.tree.span(id));
        self.refusals.push((ErrorKind::Limit, refused));
    }

    /// The values of a number in a unit.
    pub(super) fn support(value: &NumberValue, unit: &Integer) -> Support {
        match value {
            NumberValue::Known(number) => {
                let scaled = number * fraction(unit);
                Integer::from_big(scaled.to_integer())
                    .map_or(Support::UNKNOWN, |scaled| Support::only(&scaled))
            }
            NumberValue::Rolled(rolled) => {
                let factor = ratio(unit, &rolled.unit).to_i64();
                match factor {
                    Some(1) => rolled.support.clone(),
                    Some(factor) => {
                        let range = rolled.support.range().times(Range::only(factor));
                        rolled.support.map(range, |value| value.checked_mul(factor))
                    }
                    None => Support::UNKNOWN,
                }
            }
        }
    }

    pub(super) fn add(&mut self, a: NumberValue, b: NumberValue, site: SiteId) -> NumberValue {
        if let (NumberValue::Known(a), NumberValue::Known(b)) = (&a, &b) {
            return self.known(a + b, site);
        }
        let unit = self.common_unit([&a, &b]);
        let (x, y) = (Self::support(&a, &unit), Self::support(&b, &unit));
        let range = x.range().plus(y.range());
        let support = x.combine(&y, range, i64::checked_add);
        let (a, b) = (self.in_unit(a, &unit), self.in_unit(b, &unit));
        let term = self.arithmetic(Arithmetic::Add, a, b, site);
        NumberValue::Rolled(Rolled {
            term,
            unit,
            support,
        })
    }

    pub(super) fn subtract(&mut self, a: NumberValue, b: NumberValue, site: SiteId) -> NumberValue {
        if let (NumberValue::Known(a), NumberValue::Known(b)) = (&a, &b) {
            return self.known(a - b, site);
        }
        let unit = self.common_unit([&a, &b]);
        let (x, y) = (Self::support(&a, &unit), Self::support(&b, &unit));
        let range = x.range().plus(y.range().negated());
        let support = x.combine(&y, range, i64::checked_sub);
        let (a, b) = (self.in_unit(a, &unit), self.in_unit(b, &unit));
        let term = self.arithmetic(Arithmetic::Subtract, a, b, site);
        NumberValue::Rolled(Rolled {
            term,
            unit,
            support,
        })
    }

    pub(super) fn negate(&mut self, value: NumberValue, site: SiteId) -> NumberValue {
        match value {
            NumberValue::Known(number) => NumberValue::Known(-number),
            NumberValue::Rolled(rolled) => NumberValue::Rolled(Rolled {
                term: self.build.negate(rolled.term, site),
                support: rolled
                    .support
                    .map(rolled.support.range().negated(), i64::checked_neg),
                unit: rolled.unit,
            }),
        }
    }

    pub(super) fn multiply(&mut self, a: NumberValue, b: NumberValue, site: SiteId) -> NumberValue {
        match (a, b) {
            (NumberValue::Known(a), NumberValue::Known(b)) => self.known(a * b, site),
            (NumberValue::Known(factor), NumberValue::Rolled(rolled))
            | (NumberValue::Rolled(rolled), NumberValue::Known(factor)) => {
                self.scaled(rolled, &factor, site)
            }
            (NumberValue::Rolled(a), NumberValue::Rolled(b)) => {
                let Ok(unit) = a.unit.mul(&b.unit) else {
                    self.refuse_unit(self.tree.root);
                    return NumberValue::Rolled(a);
                };
                let range = a.support.range().times(b.support.range());
                let support = if a.support.range() == Range::UNKNOWN {
                    Support::UNKNOWN
                } else {
                    a.support.combine(&b.support, range, i64::checked_mul)
                };
                let term = self.arithmetic(Arithmetic::Multiply, a.term, b.term, site);
                NumberValue::Rolled(Rolled {
                    term,
                    unit,
                    support,
                })
            }
        }
    }

    /// A rolled number times a known one.
    fn scaled(&mut self, rolled: Rolled, factor: &Fraction, site: SiteId) -> NumberValue {
        let (top, bottom) = (numerator(factor), denominator(factor));
        let (top, old) = if top.is_zero() {
            (top, Integer::ONE)
        } else {
            let shared = top.gcd(&rolled.unit);
            (ratio(&top, &shared), ratio(&rolled.unit, &shared))
        };
        let Ok(unit) = old.mul(&bottom) else {
            self.refuse_unit(self.tree.root);
            return NumberValue::Rolled(rolled);
        };
        let support = match top.to_i64() {
            Some(top) => {
                let range = rolled.support.range().times(Range::only(top));
                rolled.support.map(range, |value| value.checked_mul(top))
            }
            None => Support::UNKNOWN,
        };
        let term = self.times(rolled.term, &top, site);
        NumberValue::Rolled(Rolled {
            term,
            unit,
            support,
        })
    }

    /// The exact quotient. The unit needs the least common multiple of all values of a rolled divisor.
    pub(super) fn divide(&mut self, a: NumberValue, b: NumberValue, id: NodeId) -> NumberValue {
        let site = self.site(id);
        let b = match b {
            NumberValue::Known(b) if *b.numer() == Integer::ZERO.to_big() => {
                let zero = self.constant(0);
                let unit = a.unit();
                let a = self.in_unit(a, &unit);
                let term = self.arithmetic(Arithmetic::Divide, a, zero, site);
                return NumberValue::rolled(term, Support::within(Range::only(1)));
            }
            NumberValue::Known(b) => {
                let inverse = b.recip();
                return match a {
                    NumberValue::Known(a) => self.known(a * inverse, site),
                    NumberValue::Rolled(a) => self.scaled(a, &inverse, site),
                };
            }
            NumberValue::Rolled(b) => b,
        };
        let Some(multiple) = self.multiple_of(&b.support, 1, id) else {
            return NumberValue::Rolled(b);
        };
        // a/b = a · (m/B) · U / m, for b = B/U.
        let support = match multiple.to_i64() {
            Some(multiple) => {
                let inverse = |value: i64| match value {
                    0 => Some(0),
                    value => multiple.checked_div(value),
                };
                let range = Range::between(-multiple, multiple);
                b.support.map(range, inverse)
            }
            None => Support::UNKNOWN,
        };

        let dividend = self.build.integer(multiple.clone());
        let term = self.arithmetic(Arithmetic::Divide, dividend, b.term, site);
        let inverse = Rolled {
            term,
            unit: multiple,
            support,
        };
        let inverse = self.scaled(inverse, &fraction(&b.unit), site);
        self.multiply(a, inverse, site)
    }

    /// The least common multiple of a power of each value that is not zero. Values without a multiple within the limits are refused.
    pub(super) fn multiple_of(
        &mut self,
        support: &Support,
        exponent: u64,
        id: NodeId,
    ) -> Option<Integer> {
        let values = support.values();
        let multiple = values.and_then(|values| {
            let mut multiple = Integer::ONE;
            for value in values {
                if value != 0 {
                    let power = Integer::from(value).pow(exponent).ok()?;
                    let power = if power.is_negative() {
                        power.neg().ok()?
                    } else {
                        power
                    };
                    multiple = multiple.lcm(&power).ok()?;
                }
            }
            Some(multiple)
        });
        if multiple.is_none() {
            self.refuse_unit(id);
        }
        multiple
    }

    /// 1 if a comparison holds, else 0.
    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        a: NumberValue,
        b: NumberValue,
        site: SiteId,
    ) -> NumberValue {
        if let (NumberValue::Known(a), NumberValue::Known(b)) = (&a, &b) {
            return NumberValue::whole(i64::from(comparison.holds(a, b)));
        }
        let unit = self.common_unit([&a, &b]);
        let (a, b) = (self.in_unit(a, &unit), self.in_unit(b, &unit));
        let holds = if self.build.constant(b).is_some() {
            self.build.filter(comparison, b, a, site)
        } else {
            // A filter evaluates its number first, and `a` is to be evaluated first.
            self.build.filter(comparison.mirrored(), a, b, site)
        };
        let term = self.count(holds, site);
        NumberValue::rolled(term, Support::within(Range::between(0, 1)))
    }

    /// The greatest, or the least, of some numbers.
    pub(super) fn extreme(
        &mut self,
        is_max: bool,
        values: Vec<NumberValue>,
        site: SiteId,
    ) -> NumberValue {
        let unit = self.common_unit(&values);
        let operator = if is_max {
            Arithmetic::Max
        } else {
            Arithmetic::Min
        };
        let choose = |a: i64, b: i64| Some(if is_max { a.max(b) } else { a.min(b) });
        let mut values = values.into_iter();
        let mut best = values.next().unwrap_or_else(|| NumberValue::whole(0));
        for value in values {
            if let (NumberValue::Known(a), NumberValue::Known(b)) = (&best, &value) {
                let more = if (a < b) == is_max { b } else { a };
                best = NumberValue::Known(more.clone());
                continue;
            }
            let (x, y) = (Self::support(&best, &unit), Self::support(&value, &unit));
            let end = |a: Option<i64>, b: Option<i64>| a.zip(b).and_then(|(a, b)| choose(a, b));
            let (x_range, y_range) = (x.range(), y.range());
            let open = |a: Option<i64>, b: Option<i64>| a.or(b);
            // One bound is enough where the other operand cannot make the result worse.
            let range = if is_max {
                Range {
                    low: end(x_range.low, y_range.low).or(open(x_range.low, y_range.low)),
                    high: end(x_range.high, y_range.high),
                }
            } else {
                Range {
                    low: end(x_range.low, y_range.low),
                    high: end(x_range.high, y_range.high).or(open(x_range.high, y_range.high)),
                }
            };
            let support = x.combine(&y, range, choose);
            let (a, b) = (self.in_unit(best, &unit), self.in_unit(value, &unit));
            let term = self.arithmetic(operator, a, b, site);
            best = NumberValue::Rolled(Rolled {
                term,
                unit: unit.clone(),
                support,
            });
        }
        best
    }

    pub(super) fn absolute(&mut self, value: NumberValue, site: SiteId) -> NumberValue {
        if let NumberValue::Rolled(rolled) = &value
            && rolled.support.is_never_negative()
        {
            return value;
        }
        let value = self.held(value);
        let opposite = self.negate(value.clone(), site);
        self.extreme(true, vec![value, opposite], site)
    }

    /// -1, 0 or 1.
    pub(super) fn signum(&mut self, value: NumberValue, site: SiteId) -> NumberValue {
        let value = self.held(value);
        let (plus, minus) = (value.clone(), value);
        let plus = self.compare(Comparison::Greater, plus, NumberValue::whole(0), site);
        let minus = self.compare(Comparison::Less, minus, NumberValue::whole(0), site);
        self.subtract(plus, minus, site)
    }
}
