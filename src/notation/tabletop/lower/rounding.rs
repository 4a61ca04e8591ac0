//! Rounding: `floor`, `ceil`, `round`, `trunc`, `//` and `%`.
//!
//! All of them are the quotient of two integers rounded down. A quotient or a root directly inside is rounded without a
//! unit of its own, so that any divisor and any root will do.

use super::Lowering;
use super::support::Support;
use super::value::{NumberValue, Rolled};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, SiteId};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;
use crate::notation::tabletop::token::Operator;
use crate::notation::tabletop::tree::Node;
use crate::notation::tabletop::words::Function;
use crate::number::{Fraction, Integer};

impl Lowering<'_> {
    /// A rounded number.
    pub(super) fn rounded(&mut self, function: Function, id: NodeId, site: SiteId) -> NumberValue {
        if let Some(radicand) = self.radicand(id) {
            let value = self.number(radicand);
            return self.rounded_root(function, value, id);
        }
        let inner = self.tree.ungrouped(id);
        let (a, b) = match *self.tree.node(inner) {
            Node::Binary(Operator::Divide, a, b) => (self.number(a), self.number(b)),
            _ => (self.number(id), NumberValue::whole(1)),
        };
        match function {
            Function::Ceil => {
                let a = self.negate(a, site);
                let floor = self.floor_of_quotient(a, b, site);
                self.negate(floor, site)
            }
            Function::Round => {
                // ⌊a/b + 1/2⌋ = ⌊(2a + b)/2b⌋
                let a = self.held(a);
                let b = self.held(b);
                let twice = self.multiply(NumberValue::whole(2), a, site);
                let top = self.add(twice, b.clone(), site);
                let bottom = self.multiply(NumberValue::whole(2), b, site);
                self.floor_of_quotient(top, bottom, site)
            }
            Function::Trunc => self.truncated(a, b, site),
            _ => self.floor_of_quotient(a, b, site),
        }
    }

    /// The quotient without its fraction.
    fn truncated(&mut self, a: NumberValue, b: NumberValue, site: SiteId) -> NumberValue {
        if let (NumberValue::Known(a), NumberValue::Known(b)) = (&a, &b)
            && *b != Fraction::from_integer(Integer::ZERO.to_big())
        {
            return self.known((a / b).trunc(), site);
        }
        let unit = self.common_unit([&a, &b]);
        let (a, b) = (self.in_unit(a, &unit), self.in_unit(b, &unit));
        let term = self.arithmetic(Arithmetic::Divide, a, b, site);
        NumberValue::rolled(term, Support::UNKNOWN)
    }

    /// The quotient rounded down.
    pub(super) fn floor_of_quotient(
        &mut self,
        a: NumberValue,
        b: NumberValue,
        site: SiteId,
    ) -> NumberValue {
        if let (NumberValue::Known(a), NumberValue::Known(b)) = (&a, &b)
            && *b != Fraction::from_integer(Integer::ZERO.to_big())
        {
            return self.known((a / b).floor(), site);
        }
        let unit = self.common_unit([&a, &b]);
        let (x, y) = (Self::support(&a, &unit), Self::support(&b, &unit));
        let (a, b) = (self.in_unit(a, &unit), self.in_unit(b, &unit));
        let support = quotients(&x, &y);
        let operator = if x.is_never_negative() && y.is_never_negative() {
            Arithmetic::Divide
        } else {
            Arithmetic::FloorDivide
        };
        let term = self.arithmetic(operator, a, b, site);
        NumberValue::rolled(term, support)
    }

    /// `a - b·⌊a/b⌋`
    pub(super) fn modulo(&mut self, a: NumberValue, b: NumberValue, site: SiteId) -> NumberValue {
        if let (NumberValue::Known(a), NumberValue::Known(b)) = (&a, &b)
            && *b != Fraction::from_integer(Integer::ZERO.to_big())
        {
            return self.known(a - b * (a / b).floor(), site);
        }
        let unit = self.common_unit([&a, &b]);
        let y = Self::support(&b, &unit);
        let (a, b) = (self.in_unit(a, &unit), self.in_unit(b, &unit));
        let term = self.arithmetic(Arithmetic::Modulo, a, b, site);
        let most = y.range().high.and_then(|high| high.checked_sub(1));
        let support = match most.filter(|_| y.is_never_negative()) {
            Some(most) => Support::within(Range::between(0, most.max(0))),
            None => Support::UNKNOWN,
        };
        NumberValue::Rolled(Rolled {
            term,
            unit,
            support,
        })
    }

    /// The operand of a root that a part is, or a power with exponent 1/2.
    fn radicand(&self, id: NodeId) -> Option<NodeId> {
        let inner = self.tree.ungrouped(id);
        let (base, exponent) = match self.tree.node(inner) {
            Node::Call(Function::Sqrt, arguments) => return Some(arguments[0]),
            Node::Call(Function::Pow, arguments) => (arguments[0], arguments[1]),
            Node::Binary(Operator::Power, base, exponent) => (*base, *exponent),
            _ => return None,
        };
        let words = self.tree.words(self.tree.ungrouped(exponent));
        let words: String = words.split_whitespace().collect();
        ["0.5", "1/2"].contains(&words.as_str()).then_some(base)
    }

    /// A rounded root of a number.
    fn rounded_root(&mut self, function: Function, value: NumberValue, id: NodeId) -> NumberValue {
        let site = self.site(id);
        match function {
            Function::Ceil => {
                // The least k with k² >= x is one more than the root of ⌈x⌉ - 1, for x > 0.
                let value = self.negate(value, site);
                let floor = self.floor_of_quotient(value, NumberValue::whole(1), site);
                let ceiling = self.negate(floor, site);
                let ceiling = self.held(ceiling);
                let below = self.subtract(ceiling.clone(), NumberValue::whole(1), site);
                let is_positive = self.compare(
                    crate::ir::Comparison::Greater,
                    ceiling.clone(),
                    NumberValue::whole(0),
                    site,
                );
                // For 0 this is the root of 0, times 0.
                let below = self.extreme(true, vec![below, NumberValue::whole(0)], site);
                let root = self.checked_root(ceiling, below, site);
                self.add(root, is_positive, site)
            }
            Function::Round => {
                // k <= √x + 1/2 exactly if 2k - 1 <= √4x.
                let fourfold = self.multiply(NumberValue::whole(4), value, site);
                let floor = self.floor_of_quotient(fourfold, NumberValue::whole(1), site);
                let floor = self.held(floor);
                let root = self.checked_root(floor.clone(), floor, site);
                let above = self.add(root, NumberValue::whole(1), site);
                self.floor_of_quotient(above, NumberValue::whole(2), site)
            }
            _ => {
                let floor = self.floor_of_quotient(value, NumberValue::whole(1), site);
                let floor = self.held(floor);
                self.checked_root(floor.clone(), floor, site)
            }
        }
    }

    /// The root of a whole number, rounded down; an error if another number is negative.
    fn checked_root(
        &mut self,
        tested: NumberValue,
        radicand: NumberValue,
        site: SiteId,
    ) -> NumberValue {
        if let (NumberValue::Known(tested), NumberValue::Known(radicand)) = (&tested, &radicand) {
            if tested.numer() < &Integer::ZERO.to_big() {
                return self.fail(ErrorKind::Domain, site);
            }
            return self.known(Fraction::from_integer(radicand.to_integer().sqrt()), site);
        }
        let one = Integer::ONE;
        let support = Self::support(&radicand, &one);
        let is_never_negative = Self::support(&tested, &one).is_never_negative();
        let (tested, radicand) = (self.in_unit(tested, &one), self.in_unit(radicand, &one));
        let term = self.block(|this| {
            let radicand = this.bind(radicand);
            let root = this.root_rounded_down(radicand, &support, site);
            if is_never_negative {
                return root;
            }
            this.unless_negative(tested, root, site)
        });
        let high = support
            .range()
            .high
            .map(|high| i64::try_from(high.unsigned_abs().isqrt()));
        let high = high.and_then(Result::ok);
        let low = Some(0);
        NumberValue::rolled(term, Support::within(Range { low, high }))
    }
}

/// The quotients rounded down.
fn quotients(a: &Support, b: &Support) -> Support {
    match b.range().constant() {
        Some(divisor) if divisor > 0 => {
            let down = |value: i64| value.div_euclid(divisor);
            let range = Range {
                low: a.range().low.map(down),
                high: a.range().high.map(down),
            };
            a.map(range, |value| Some(down(value)))
        }
        _ if a.is_never_negative() && b.is_never_negative() => Support::within(Range {
            low: Some(0),
            high: a.range().high,
        }),
        _ => Support::UNKNOWN,
    }
}
