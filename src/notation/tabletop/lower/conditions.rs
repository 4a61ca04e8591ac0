//! The numbers of modifiers, and the conditions that dice meet.

use std::collections::BTreeMap;

use super::Lowering;
use super::value::{NumberValue, fraction};
use crate::ir::{Arithmetic, Comparison, Expr, SiteId};
use crate::notation::reader::tree::NodeId;
use crate::notation::tabletop::stages::{Condition, Count, Test};
use crate::notation::tabletop::tree::{Argument, ChainPart, Modified};
use crate::notation::tabletop::words::{Modifier, Takes};
use crate::number::{Integer, Overflow};

/// The numbers of a chain of modifiers. They are evaluated once, before the dice.
#[derive(Debug)]
pub(super) struct Numbers {
    /// The numbers, by the indexes of their nodes.
    values: BTreeMap<usize, NumberValue>,
    /// The unit of the dice, in which the values of dice, and the rolled numbers that they are compared with, are whole.
    pub(super) unit: Integer,
}

/// Comparisons with terms. A die meets the condition if any of them holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Tests(Vec<(Comparison, Expr)>);

impl Lowering<'_> {
    /// The numbers of a chain of modifiers, for dice with values in a unit.
    pub(super) fn numbers(&mut self, modifiers: &[Modified], unit: Integer) -> Numbers {
        let mut numbers = Numbers {
            values: BTreeMap::new(),
            unit,
        };
        for part in modifiers {
            let (id, is_alone) = match part.argument {
                Argument::Condition(_, id) => (id, false),
                Argument::Number(id) => (id, true),
                Argument::None => continue,
            };
            let value = self.number(id);
            let value = self.held(value);
            let is_limit = matches!(
                part.kind,
                ChainPart::Modifier(Modifier::Max | Modifier::Min)
            );
            let is_compared = match part.kind {
                ChainPart::Target => true,
                ChainPart::Modifier(Modifier::Margin) => false,
                ChainPart::Modifier(Modifier::Keep) => !is_alone,
                ChainPart::Modifier(modifier) => modifier.takes() == Takes::Condition,
            };
            // A known number needs no unit: a comparison of integers with it is one with the next integer.
            let is_rolled = matches!(value, NumberValue::Rolled(_));
            if is_limit || is_compared && is_rolled {
                match numbers.unit.lcm(&value.unit()) {
                    Ok(unit) => numbers.unit = unit,
                    Err(Overflow) => self.refuse_unit(id),
                }
            }
            numbers.values.insert(id.index(), value);
        }
        numbers
    }

    /// The tests of a condition, for dice that have a constant added before they are compared.
    pub(super) fn test(
        &mut self,
        numbers: &Numbers,
        test: Test,
        added: Option<&NumberValue>,
    ) -> Tests {
        let site = self.site(test.number);
        let mut value = numbers.value(test.number);
        if let Some(added) = added {
            value = self.subtract(value, added.clone(), site);
        }
        let number = match value {
            NumberValue::Known(number) => number * fraction(&numbers.unit),
            rolled @ NumberValue::Rolled(_) => {
                let number = self.in_unit(rolled, &numbers.unit);
                let number = self.bind(number);
                return Tests(vec![(test.comparison, number)]);
            }
        };
        if number.is_integer() {
            let number = NumberValue::Known(number);
            let number = self.in_unit(number, &Integer::ONE);
            return Tests(vec![(test.comparison, number)]);
        }
        let floor = self.in_unit(NumberValue::Known(number.floor()), &Integer::ONE);
        Tests(match test.comparison {
            Comparison::Equal => Vec::new(),
            Comparison::Greater | Comparison::GreaterOrEqual => vec![(Comparison::Greater, floor)],
            Comparison::Less | Comparison::LessOrEqual => vec![(Comparison::LessOrEqual, floor)],
            Comparison::NotEqual => vec![
                (Comparison::Greater, floor),
                (Comparison::LessOrEqual, floor),
            ],
        })
    }

    /// The tests of a condition. `default` is the number that a die equals by default.
    pub(super) fn tests(
        &mut self,
        numbers: &Numbers,
        condition: &Condition,
        default: Option<Expr>,
    ) -> Tests {
        let mut all = Tests::default();
        if let Some(default) = default.filter(|_| condition.has_default) {
            all.0.push((Comparison::Equal, default));
        }
        for &test in &condition.tests {
            let tests = self.test(numbers, test, None);
            all.0.extend(tests.0);
        }
        all
    }

    /// A list that has a member if any member of a list, which is evaluated more than once, meets a condition.
    pub(super) fn hits(&mut self, tests: &Tests, list: Expr, site: SiteId) -> Expr {
        let hits: Vec<Expr> = tests
            .0
            .iter()
            .map(|&(comparison, number)| self.build.filter(comparison, number, list, site))
            .collect();
        self.build.join(&hits)
    }

    /// The members of a list that meet a condition.
    pub(super) fn meeting(&mut self, tests: &Tests, list: Expr, site: SiteId) -> Expr {
        if let [(comparison, number)] = tests.0[..] {
            return self.build.filter(comparison, number, list, site);
        }
        self.each(list, |this, member| {
            let hits = this.hits(tests, member, site);
            let nothing = this.build.empty();
            this.build.choose(hits, member, nothing)
        })
    }

    /// The members of a list that do not meet a condition.
    pub(super) fn failing(&mut self, tests: &Tests, list: Expr, site: SiteId) -> Expr {
        tests.0.iter().fold(list, |list, &(comparison, number)| {
            self.build.filter(comparison.negated(), number, list, site)
        })
    }

    /// The greatest of some numbers of dice.
    pub(super) fn most(
        &mut self,
        numbers: &Numbers,
        counts: &[Count],
        site: SiteId,
    ) -> Option<Expr> {
        let mut most: Option<Expr> = None;
        for count in counts {
            let count = match count.0 {
                Some(id) => {
                    let count = numbers.value(id);
                    self.whole(count, id)
                }
                None => self.constant(1),
            };
            most = Some(match most {
                None => count,
                Some(most) => {
                    let known = self.build.constant(most).zip(self.build.constant(count));
                    match known.map(|(most, count)| most >= count && !count.is_negative()) {
                        Some(true) => most,
                        _ => self.arithmetic(Arithmetic::Max, most, count, site),
                    }
                }
            });
        }
        most
    }
}

impl Numbers {
    pub(super) fn value(&self, id: NodeId) -> NumberValue {
        let found = self.values.get(&id.index()).cloned();
        found.expect("every number of the chain is there")
    }
}

impl Tests {
    /// Whether no die meets the condition, whatever it shows.
    pub(super) fn is_never(&self) -> bool {
        self.0.is_empty()
    }
}
