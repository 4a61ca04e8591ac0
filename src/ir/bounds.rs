//! Bounds of the members of a term and of their number, from the term alone.

use super::build::{Builder, Expr, Shape};
use super::term::{Arithmetic, Folding};
use crate::map::Map;
use crate::number::Integer;
use crate::stack;

/// The least and the greatest member that a term can have, and the most members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least member.
    pub low: Integer,
    /// The greatest member.
    pub high: Integer,
    /// The most members; `None` if there is no known limit.
    pub most: Option<Integer>,
}

impl Bounds {
    fn number(low: Integer, high: Integer) -> Self {
        let most = Some(Integer::ONE);
        Self { low, high, most }
    }

    /// The hull of both, for a value that is one of two.
    fn or(self, other: Self) -> Self {
        let most = self.most.clone().zip(other.most.clone());
        let most = most.map(|(a, b)| a.max(b));
        Self {
            most,
            ..self.hull(other)
        }
    }

    fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            most: None,
        }
    }
}

type FoundBounds = Map<Expr, Option<Bounds>>;

impl Builder {
    /// Bounds of the members of a term; `None` where none are known. Names stand for what [`Builder::name_of`] says.
    #[must_use]
    pub fn bounds(&self, term: Expr) -> Option<Bounds> {
        self.find_bounds(term, &mut FoundBounds::default())
    }

    fn find_bounds(&self, term: Expr, known: &mut FoundBounds) -> Option<Bounds> {
        if let Some(found) = known.get(&term) {
            return found.clone();
        }
        let found = stack::level(|| self.compute_bounds(term, known));
        known.insert(term, found.clone());
        found
    }

    fn compute_bounds(&self, term: Expr, known: &mut FoundBounds) -> Option<Bounds> {
        let entry = self.entry(term);
        let mut of = |place: usize| self.find_bounds(entry.operands[place], known);
        match entry.shape {
            Shape::Integer(index) => {
                let number = &self.integers[index];
                Some(Bounds::number(number.clone(), number.clone()))
            }
            Shape::Variable(name) => self.find_bounds(self.meaning(name)?, known),
            Shape::Die(_) => Some(Bounds::number(Integer::ONE, of(0)?.high)),
            Shape::Pick(index) => {
                let faces = self.faces[index].weighted();
                let (least, _) = faces.first()?;
                let (greatest, _) = faces.last()?;
                Some(Bounds::number(least.clone(), greatest.clone()))
            }
            Shape::Compare => Some(Bounds::number((-1).into(), Integer::ONE)),
            Shape::Negate(_) => {
                let Bounds { low, high, .. } = of(0)?;
                Some(Bounds::number(high.neg().ok()?, low.neg().ok()?))
            }
            Shape::Arithmetic(operator, _) => arithmetic(operator, &of(0)?, &of(1)?),
            Shape::Fold(Folding::Count, _) => Some(Bounds::number(Integer::ZERO, of(0)?.most?)),
            Shape::Fold(Folding::Only, _) => {
                let Bounds { low, high, .. } = of(0)?;
                Some(Bounds::number(low, high))
            }
            Shape::Fold(Folding::Sum, _) => {
                let Bounds { low, high, most } = of(0)?;
                let most = most?;
                let low = low.min(Integer::ZERO).mul(&most).ok()?;
                let high = high.max(Integer::ZERO).mul(&most).ok()?;
                Some(Bounds::number(low, high))
            }
            Shape::Arrange(_) | Shape::Difference(_) | Shape::Without => of(0),
            Shape::Best(..) | Shape::Filter(..) | Shape::Let(_) | Shape::Select(..) => of(1),
            Shape::If => {
                let operands = &entry.operands[1..];
                self.hull(operands, known, Bounds::or)
            }
            Shape::Join => {
                let add = |a: Bounds, b: Bounds| {
                    let most = a.most.clone().zip(b.most.clone());
                    let most = most.and_then(|(a, b)| a.add(&b).ok());
                    Bounds { most, ..a.hull(b) }
                };
                self.hull(&entry.operands, known, add)
            }
            Shape::Foreach(_) => {
                let (list, body) = (of(0)?.most, of(1)?);
                let most = list.zip(body.most.clone());
                let most = most.and_then(|(list, body)| list.mul(&body).ok());
                Some(Bounds { most, ..body })
            }
            Shape::Repeat(_) => {
                let (times, body) = (of(0)?.high, of(1)?);
                let most = body.most.clone().and_then(|most| most.mul(&times).ok());
                Some(Bounds { most, ..body })
            }
            Shape::Range(_) => {
                let (low, high) = (of(0)?.low, of(1)?.high);
                let most = high.sub(&low).ok()?.add(&Integer::ONE).ok();
                Some(Bounds { low, high, most })
            }
            Shape::Fail(..)
            | Shape::Fold(Folding::Product, _)
            | Shape::Placed(_)
            | Shape::Play(_)
            | Shape::Reject(_)
            | Shape::While(_) => None,
        }
    }

    /// The bounds of several parts together. Parts that never have a member, and errors, add nothing.
    fn hull(
        &self,
        parts: &[Expr],
        known: &mut FoundBounds,
        both: impl Fn(Bounds, Bounds) -> Bounds,
    ) -> Option<Bounds> {
        let mut all: Option<Bounds> = None;
        for &part in parts {
            let entry = self.entry(part);
            let is_nothing = match entry.shape {
                Shape::Fail(..) | Shape::Reject(_) => true,
                Shape::Join => entry.operands.is_empty(),
                _ => false,
            };
            if is_nothing {
                continue;
            }
            let bounds = self.find_bounds(part, known)?;
            all = Some(match all {
                None => bounds,
                Some(all) => both(all, bounds),
            });
        }
        all
    }
}

fn arithmetic(operator: Arithmetic, a: &Bounds, b: &Bounds) -> Option<Bounds> {
    // For the operators that call this, the least and the greatest value are found at ends of the operands.
    let ends = |value: &dyn Fn(&Integer, &Integer) -> Option<Integer>| {
        let ends = [&a.low, &a.high].map(|a| [&b.low, &b.high].map(|b| value(a, b)));
        let values: Option<Vec<Integer>> = ends.into_iter().flatten().collect();
        let values = values?;
        let low = values.iter().min()?.clone();
        Some(Bounds::number(low, values.into_iter().max()?))
    };
    match operator {
        Arithmetic::Add => ends(&|a, b| a.add(b).ok()),
        Arithmetic::Subtract => ends(&|a, b| a.sub(b).ok()),
        Arithmetic::Max => ends(&|a, b| Some(a.max(b).clone())),
        Arithmetic::Min => ends(&|a, b| Some(a.min(b).clone())),
        Arithmetic::Multiply => ends(&|a, b| a.mul(b).ok()),
        Arithmetic::Divide | Arithmetic::FloorDivide if b.low > Integer::ZERO => {
            ends(&|a, b| match operator {
                Arithmetic::Divide => a.div(b),
                _ => a.div_floor(b),
            })
        }
        Arithmetic::Modulo if b.low > Integer::ZERO => {
            let most = b.high.sub(&Integer::ONE).ok()?;
            Some(Bounds::number(Integer::ZERO, most))
        }
        Arithmetic::Remainder if b.low > Integer::ZERO => {
            let most = b.high.sub(&Integer::ONE).ok()?;
            let least = if a.low.is_negative() {
                most.neg().ok()?
            } else {
                Integer::ZERO
            };
            Some(Bounds::number(least, most))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Site;
    use crate::source::Span;

    #[test]
    fn bounds_of_sums_and_counts_follow_from_the_lists() {
        let mut build = Builder::new();
        let site = build.site(Site::at(Span::default()));
        let (three, six) = (build.integer(3), build.integer(6));
        let die = build.die(six, site);
        let dice = build.repeat(three, die, site);
        let name = build.name_of(dice);
        let variable = build.variable(name);
        let count = build.fold(Folding::Count, variable, site);
        let sum = build.fold(Folding::Sum, variable, site);
        let both = build.arithmetic(Arithmetic::Subtract, count, sum, site);
        let bounds = build.bounds(both).unwrap();
        // A list may have fewer members than it can have.
        assert_eq!((bounds.low, bounds.high), ((-18).into(), 3.into()));
        assert_eq!(build.bounds(dice).unwrap().most, Some(3.into()));
    }
}
