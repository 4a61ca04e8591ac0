//! What the code of a routine says about the bounds of its values.

use super::bounds::Bounds;
use super::code::{Expr, ExprId, Flow, Gather, RoutineId, Slot, Source, SourceId};
use super::reading::Reading;
use crate::ir::{Arithmetic, Term};
use crate::map::Map;
use crate::stack;

/// What is known of expressions.
type Known = Map<ExprId, Bounds>;

impl Reading<'_> {
    /// The bounds of all members of an expression, if it has a value.
    pub(super) fn bounds(&self, id: ExprId) -> Bounds {
        self.bounds_with(id, &mut Known::default())
    }

    fn bounds_with(&self, id: ExprId, known: &mut Known) -> Bounds {
        if let Some(&bounds) = known.get(&id) {
            return bounds;
        }
        let bounds = stack::level(|| self.bounds_anew(id, known));
        known.insert(id, bounds);
        bounds
    }

    fn bounds_anew(&self, id: ExprId, known: &mut Known) -> Bounds {
        if let Some(place) = self.place(id) {
            return self.known.get(place).copied().unwrap_or_default();
        }
        match *self.code.expr(id) {
            Expr::Test(_) => Bounds::between(0, 1),
            Expr::Fold(folding, list) => self.bounds_with(list, known).folded(folding),
            Expr::Arithmetic(operator, a, b) => {
                let (a, b) = (self.bounds_with(a, known), self.bounds_with(b, known));
                let both = |a: Option<i64>, b: Option<i64>, of: fn(i64, i64) -> Option<i64>| {
                    a.zip(b).and_then(|(a, b)| of(a, b))
                };
                match operator {
                    Arithmetic::Max => Bounds {
                        least: a.least.max(b.least),
                        ..a.or(b)
                    },
                    Arithmetic::Min => Bounds {
                        greatest: [a.greatest, b.greatest].into_iter().flatten().min(),
                        ..a.or(b)
                    },
                    Arithmetic::Multiply if a.least >= Some(0) && b.least >= Some(0) => Bounds {
                        least: both(a.least, b.least, i64::checked_mul),
                        greatest: both(a.greatest, b.greatest, i64::checked_mul),
                    },
                    Arithmetic::Modulo if b.least > Some(0) => Bounds {
                        least: Some(0),
                        greatest: b.greatest.and_then(|most| most.checked_sub(1)),
                    },
                    Arithmetic::Divide | Arithmetic::FloorDivide
                        if a.least >= Some(0) && b.least > Some(0) =>
                    {
                        Bounds {
                            least: Some(0),
                            greatest: both(a.greatest, b.least, i64::checked_div),
                        }
                    }
                    _ => Bounds::default(),
                }
            }
            Expr::Linear(constant, ref atoms) => {
                let constant = Bounds::between(constant, constant);
                atoms.iter().fold(constant, |sum, &(factor, atom)| {
                    sum.plus(self.bounds_with(atom, known).times(factor))
                })
            }
            Expr::If(_, a, b) => self.bounds_with(a, known).or(self.bounds_with(b, known)),
            Expr::Join(ref parts) => {
                let parts = parts.iter().map(|&part| self.bounds_with(part, known));
                parts.reduce(Bounds::or).unwrap_or_default()
            }
            Expr::Range(a, b) => Bounds {
                least: self.bounds_with(a, known).least,
                greatest: self.bounds_with(b, known).greatest,
            },
            Expr::Arrange(_, list)
            | Expr::Copies(_, list)
            | Expr::Filter(_, _, list)
            | Expr::Let(_, _, list)
            | Expr::Select(_, _, list)
            | Expr::SelectSurely(_, _, list)
            | Expr::Without(list, _) => self.bounds_with(list, known),
            Expr::Slot(slot) => self.bounds_in(slot, known),
            _ => self
                .code
                .as_number(id)
                .map_or_else(Bounds::default, |number| Bounds::between(number, number)),
        }
    }

    /// The bounds of what a slot can hold.
    fn bounds_in(&self, slot: Slot, known: &mut Known) -> Bounds {
        if let Some(&value) = self.values.get(&slot) {
            return self.bounds_with(value, known);
        }
        let set = self.flows.iter().filter_map(|flow| match **flow {
            Flow::Bind(own, value, _) | Flow::Let(own, value, _) if own == slot => {
                Some(self.bounds_with(value, known))
            }
            Flow::Roll(own, source, ref arguments, _) if own == slot => {
                Some(self.bounds_rolled(source, arguments, known))
            }
            _ => None,
        });
        set.reduce(Bounds::or).unwrap_or_default()
    }

    /// The bounds of what a source can give.
    fn bounds_rolled(&self, source: SourceId, arguments: &[ExprId], known: &mut Known) -> Bounds {
        match *self.code.source(source) {
            Source::Call(routine) => self.bounds_of_routine(routine),
            Source::Die => Bounds {
                least: Some(1),
                ..arguments
                    .first()
                    .map_or_else(Bounds::default, |&sides| self.bounds_with(sides, known))
            },
            Source::Draw(_) => arguments
                .get(1)
                .map_or_else(Bounds::default, |&list| self.bounds_with(list, known)),
            Source::Each(routine, ref gather) | Source::Times(routine, ref gather) => {
                let each = self.bounds_of_routine(routine);
                match gather {
                    Gather::Fold(folding, _) => each.folded(*folding),
                    Gather::Join | Gather::Sorted => each,
                }
            }
            Source::Pick(term) => match self.arena.term(term) {
                Term::Pick(faces) => {
                    let faces = faces.weighted().iter().map(|(face, _)| {
                        let face = face.to_i64();
                        Bounds {
                            least: face,
                            greatest: face,
                        }
                    });
                    faces.reduce(Bounds::or).unwrap_or_default()
                }
                _ => Bounds::default(),
            },
            Source::Best(..) | Source::Loop(_) | Source::Play(_) | Source::Sum(_) => {
                Bounds::default()
            }
        }
    }

    /// The bounds of the values of a routine, whatever its arguments are.
    fn bounds_of_routine(&self, routine: RoutineId) -> Bounds {
        let called = Self::of(self.code, self.arena, self.code.routine(routine));
        let ends = called.flows.iter().filter_map(|flow| match **flow {
            Flow::End(value) | Flow::Stop(value) => Some(called.bounds(value)),
            _ => None,
        });
        ends.reduce(Bounds::or).unwrap_or_default()
    }
}
