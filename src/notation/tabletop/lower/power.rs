//! Powers and roots.

use super::Lowering;
use super::support::Support;
use super::value::{NumberValue, Rolled, denominator, numerator, ratio};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Expr, SiteId};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;
use crate::number::{Fraction, Integer, MAX_BITS};

/// The largest exponent for which the values of a power are listed.
const MOST_EXPONENT: u64 = 64;

impl Lowering<'_> {
    /// `a^b`: whole exponents, and 1/2.
    pub(super) fn power(&mut self, a: NumberValue, b: NumberValue, id: NodeId) -> NumberValue {
        let site = self.site(id);
        match b {
            NumberValue::Known(exponent) => self.known_power(a, &exponent, id),
            NumberValue::Rolled(exponent) if exponent.unit == Integer::ONE => {
                self.rolled_power(a, &exponent, id)
            }
            NumberValue::Rolled(exponent) => {
                // The exponent is whole, or 1/2, or an error.
                let a = self.held(a);
                let held = self.bind(exponent.term);
                let unit = self.build.integer(exponent.unit.clone());
                let rest = self.arithmetic(Arithmetic::Modulo, held, unit, site);
                let zero = self.constant(0);
                let is_whole = self.build.filter(Comparison::Equal, zero, rest, site);
                let twice = self.times(held, &Integer::from(2), site);
                let is_half = self.build.filter(Comparison::Equal, unit, twice, site);
                let whole = self.value(|this| {
                    let term = this.arithmetic(Arithmetic::Divide, held, unit, site);
                    let support = match exponent.unit.to_i64() {
                        Some(unit) => {
                            let range = exponent.support.range();
                            let down =
                                |bound: Option<i64>| bound.map(|bound| bound.div_euclid(unit));
                            Support::within(Range {
                                low: down(range.low),
                                high: down(range.high),
                            })
                        }
                        None => Support::UNKNOWN,
                    };
                    this.power(a.clone(), NumberValue::rolled(term, support), id)
                });
                let root = self.value(|this| this.root_of(a.clone(), id));
                let unit = self.common_unit([&whole, &root]);
                let (whole, root) = (self.in_unit(whole, &unit), self.in_unit(root, &unit));
                let fails = self.build.fail(ErrorKind::Domain, site);
                let other = self.build.choose(is_half, root, fails);
                let term = self.build.choose(is_whole, whole, other);
                NumberValue::Rolled(Rolled {
                    term,
                    unit,
                    support: Support::UNKNOWN,
                })
            }
        }
    }

    fn known_power(&mut self, a: NumberValue, exponent: &Fraction, id: NodeId) -> NumberValue {
        let site = self.site(id);
        if denominator(exponent) == Integer::from(2) && numerator(exponent) == Integer::ONE {
            return self.root_of(a, id);
        }
        if !exponent.is_integer() {
            return self.value(|this| {
                // The base is evaluated before the exponent is refused.
                let unit = a.unit();
                let base = this.in_unit(a, &unit);
                this.bind(base);
                this.fail(ErrorKind::Domain, site)
            });
        }
        let exponent = numerator(exponent);
        match a {
            NumberValue::Known(base) => self.power_of_known(&base, &exponent, site),
            NumberValue::Rolled(base) => {
                let support = Support::only(&exponent);
                let term = self.build.integer(exponent);
                let exponent = Rolled {
                    term,
                    unit: Integer::ONE,
                    support,
                };
                self.rolled_power(NumberValue::Rolled(base), &exponent, id)
            }
        }
    }

    fn power_of_known(&mut self, base: &Fraction, exponent: &Integer, site: SiteId) -> NumberValue {
        let is_zero = numerator(base).is_zero();
        if is_zero && exponent.is_negative() {
            return self.fail(ErrorKind::Domain, site);
        }
        let (top, bottom) = (numerator(base), denominator(base));
        let is_unit =
            |part: &Integer| part.is_zero() || *part == Integer::ONE || *part == Integer::from(-1);
        let size = exponent.to_i64().map(i64::unsigned_abs);
        let size = match size {
            _ if is_unit(&top) && is_unit(&bottom) => {
                // The power depends only on whether the exponent is even, or 0.
                let parity = exponent
                    .rem(&Integer::from(2))
                    .is_some_and(|rest| !rest.is_zero());
                if parity {
                    1
                } else {
                    2 * u64::from(!exponent.is_zero())
                }
            }
            Some(size) if size <= MAX_BITS => size,
            _ => return self.fail(ErrorKind::Overflow, site),
        };
        let (Ok(top), Ok(bottom)) = (top.pow(size), bottom.pow(size)) else {
            return self.fail(ErrorKind::Overflow, site);
        };
        let power = if exponent.is_negative() {
            Fraction::new(bottom.to_big(), top.to_big())
        } else {
            Fraction::new(top.to_big(), bottom.to_big())
        };
        self.known(power, site)
    }

    /// A power with a whole exponent.
    ///
    /// For a base A/U and an exponent b >= 0, the power is A^b·U^(h-b) / U^h, where h is the greatest exponent. For
    /// b = -k < 0 it is U^k·(m/A^k) / m, where m is a multiple of all A^k.
    fn rolled_power(&mut self, a: NumberValue, exponent: &Rolled, id: NodeId) -> NumberValue {
        let site = self.site(id);
        let base_unit = a.unit();
        let base_support = Self::support(&a, &base_unit);
        let range = exponent.support.range();
        let may_be_negative = !range.is_at_least(0);
        if base_unit == Integer::ONE && !may_be_negative {
            let support = powers(&base_support, range);
            let base = self.in_unit(a, &base_unit);
            let term = self.arithmetic(Arithmetic::Power, base, exponent.term, site);
            return NumberValue::rolled(term, support);
        }
        let least = range.low.map(|low| low.min(0).unsigned_abs());
        let most = match range.high {
            Some(high) => Some(high.max(0).unsigned_abs()),
            None if base_unit == Integer::ONE => Some(0),
            None => None,
        };
        let units = least.zip(most).and_then(|(least, most)| {
            let highest = base_unit.pow(most).ok()?;
            let multiple = self.multiple_of(&base_support, least, id)?;
            let unit = highest.lcm(&multiple).ok()?;
            Some((highest, unit))
        });
        let Some((highest, unit)) = units else {
            self.refuse_unit(id);
            return a;
        };
        let base = self.in_unit(a, &base_unit);
        let base = self.bind(base);
        let exponent = self.bind(exponent.term);
        let scale = self.build.integer(base_unit.clone());
        let power = |this: &mut Self, base, exponent| {
            this.arithmetic(Arithmetic::Power, base, exponent, site)
        };
        let positive = {
            let value = power(self, base, exponent);
            let factor = if base_unit == Integer::ONE {
                self.build.integer(unit.clone())
            } else {
                let most = i64::try_from(most.unwrap_or(0)).unwrap_or(i64::MAX);
                let most = self.constant(most);
                let rest = self.arithmetic(Arithmetic::Subtract, most, exponent, site);
                let factor = power(self, scale, rest);
                self.times(factor, &ratio(&unit, &highest), site)
            };
            self.arithmetic(Arithmetic::Multiply, value, factor, site)
        };
        let term = if may_be_negative {
            let opposite = self.build.negate(exponent, site);
            let scaled = power(self, scale, opposite);
            let value = power(self, base, opposite);
            let multiple = self.build.integer(unit.clone());
            let quotient = self.arithmetic(Arithmetic::Divide, multiple, value, site);
            let negative = self.arithmetic(Arithmetic::Multiply, scaled, quotient, site);
            let zero = self.constant(0);
            let is_zero = self.build.filter(Comparison::Equal, zero, base, site);
            let fails = self.build.fail(ErrorKind::Domain, site);
            let negative = self.build.choose(is_zero, fails, negative);
            let is_negative = self.build.filter(Comparison::Less, zero, exponent, site);
            self.build.choose(is_negative, negative, positive)
        } else {
            positive
        };
        NumberValue::Rolled(Rolled {
            term,
            unit,
            support: Support::UNKNOWN,
        })
    }

    /// The exact root; an error where there is none.
    pub(super) fn root_of(&mut self, value: NumberValue, id: NodeId) -> NumberValue {
        let site = self.site(id);
        // √(A/U) = √(AU)/U
        let unit = value.unit();
        let product = match &value {
            NumberValue::Known(_) => None,
            NumberValue::Rolled(rolled) => {
                let support = Self::support(&value, &unit);
                let range = unit
                    .to_i64()
                    .map(|unit| support.range().times(Range::only(unit)));
                let support = Support::within(range.unwrap_or(Range::UNKNOWN));
                Some((self.times(rolled.term, &unit, site), support))
            }
        };
        let Some((product, support)) = product else {
            let NumberValue::Known(number) = value else {
                unreachable!("it has no product");
            };
            if numerator(&number).is_negative() {
                return self.fail(ErrorKind::Domain, site);
            }
            let (top, bottom) = (number.numer().sqrt(), number.denom().sqrt());
            let root = Fraction::new(top, bottom);
            if &root * &root == number {
                return self.known(root, site);
            }
            return self.fail(ErrorKind::Domain, site);
        };
        let term = self.block(|this| {
            let product = this.bind(product);
            let root = this.root_rounded_down(product, &support, site);
            let root = this.block(|this| {
                let root = this.bind(root);
                let square = this.arithmetic(Arithmetic::Multiply, root, root, site);
                let is_exact = this.build.filter(Comparison::Equal, square, product, site);
                let fails = this.build.fail(ErrorKind::Domain, site);
                this.build.choose(is_exact, root, fails)
            });
            if support.is_never_negative() {
                return root;
            }
            this.unless_negative(product, root, site)
        });
        NumberValue::Rolled(Rolled {
            term,
            unit,
            support: Support::UNKNOWN,
        })
    }

    /// A term; an error if a number is negative.
    pub(super) fn unless_negative(&mut self, tested: Expr, term: Expr, site: SiteId) -> Expr {
        let zero = self.constant(0);
        let is_negative = self.build.filter(Comparison::Less, zero, tested, site);
        let fails = self.build.fail(ErrorKind::Domain, site);
        self.build.choose(is_negative, fails, term)
    }

    /// The root of an integer rounded down, for a variable or a constant. The root of a negative integer is of no use.
    pub(super) fn root_rounded_down(
        &mut self,
        radicand: Expr,
        support: &Support,
        site: SiteId,
    ) -> Expr {
        let Some(high) = support.range().high else {
            // Counts the squares 1, 4, 9, … up to the integer.
            let name = self.build.name();
            let last = self.build.variable(name);
            let one = self.constant(1);
            let next = self.arithmetic(Arithmetic::Add, last, one, site);
            let square = self.arithmetic(Arithmetic::Multiply, next, next, site);
            let fits = self
                .build
                .filter(Comparison::LessOrEqual, radicand, square, site);
            let nothing = self.build.empty();
            let body = self.build.choose(fits, next, nothing);
            let zero = self.constant(0);
            let roots = self.build.repeat_while(name, zero, body);
            let count = self.count(roots, site);
            return self.arithmetic(Arithmetic::Subtract, count, one, site);
        };
        // One bit of the root after the other, the highest first.
        self.block(|this| {
            let bits = high.max(1).unsigned_abs().isqrt().ilog2();
            let mut root = this.constant(0);
            for bit in (0..=bits).rev() {
                let value = this.constant(1 << bit);
                let next = this.arithmetic(Arithmetic::Add, root, value, site);
                let next = this.bind(next);
                let square = this.arithmetic(Arithmetic::Multiply, next, next, site);
                let fits = this
                    .build
                    .filter(Comparison::LessOrEqual, radicand, square, site);
                root = this.build.choose(fits, next, root);
                root = this.bind(root);
            }
            root
        })
    }
}

/// The values of a power with exponents that are not negative.
fn powers(base: &Support, exponents: Range) -> Support {
    let Some(exponent) = exponents.constant().and_then(|e| u64::try_from(e).ok()) else {
        let low = base.is_never_negative().then_some(0);
        return Support::within(Range { low, high: None });
    };
    if exponent > MOST_EXPONENT {
        return Support::UNKNOWN;
    }
    let exponent = u32::try_from(exponent).unwrap_or(u32::MAX);
    let is_even = exponent.is_multiple_of(2);
    let range = match (base.range().low, base.range().high) {
        (Some(low), Some(high)) => {
            let ends = low.checked_pow(exponent).zip(high.checked_pow(exponent));
            ends.map(|(a, b)| {
                let least = if is_even && low <= 0 && high >= 0 {
                    0
                } else {
                    a.min(b)
                };
                Range::between(least, a.max(b))
            })
        }
        _ => None,
    };
    let low = (is_even || base.is_never_negative()).then_some(0);
    let range = range.unwrap_or(Range { low, high: None });
    base.map(range, |value| value.checked_pow(exponent))
}
