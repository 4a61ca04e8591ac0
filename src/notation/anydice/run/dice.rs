//! Dice: how they are made, and how their distributions are found.

use super::machine::Machine;
use super::stop::{Attempt, Stop};
use crate::engine;
use crate::error::{Diagnostic, ErrorKind};
use crate::notation::anydice::faces::{BYTES, Faces, Weights};
use crate::notation::anydice::lower;
use crate::notation::anydice::term::{Shape, Term};
use crate::notation::anydice::value::{Dice, Summed, Value};
use crate::number::{Fraction, Integer, Overflow};
use crate::source::Span;

/// Terms of this height are replaced by their distributions.
const HIGHEST: u32 = 100;

/// Terms of this size are replaced by their distributions.
const LARGEST: u64 = 10_000;

/// The most dice of one roll, and the most faces of a die whose faces are asked for.
const MOST: i64 = 10_000_000;

impl Machine<'_> {
    /// A sum, with its distribution for a die in which too many terms are within one another.
    pub(super) fn shallow(&mut self, sum: Summed, span: Span) -> Attempt<Summed> {
        Ok(match sum {
            Summed::Die(die)
                if !die.is_open() && (die.height() >= HIGHEST || die.size() >= LARGEST) =>
            {
                Summed::Die(Term::faces(self.faces(&die, span)?))
            }
            sum => sum,
        })
    }

    /// The distribution of a closed term that always has a number.
    pub(super) fn faces(&mut self, term: &Term, span: Span) -> Attempt<Faces> {
        match self.outcomes(term, span)?.faces {
            Some(faces) => Ok(faces),
            None => Err(Stop::Open("nothing comes out here")),
        }
    }

    /// The distribution of a closed term.
    pub(super) fn outcomes(&mut self, term: &Term, span: Span) -> Attempt<Outcomes> {
        if term.is_open() {
            return Err(Stop::Open(
                "the values of a die that depends on the roll are asked for",
            ));
        }
        let faces = match term.shape() {
            Shape::Faces(faces) => faces.clone(),
            Shape::Uniform(sides) => self.uniform(sides, span)?,
            _ => match self.known.get(term) {
                Some(known) => known.clone(),
                None => return self.analyzed(term, span),
            },
        };
        Ok(Outcomes {
            faces: Some(faces),
            nothing: None,
        })
    }

    fn analyzed(&mut self, term: &Term, span: Span) -> Attempt<Outcomes> {
        self.budget.look_at_clock()?;
        check_dice(term, span)?;
        let program = lower::program(term);
        let limits = self.budget.share(1);
        let answer = engine::analyze(&program, &limits, self.budget.observer())?;
        if !answer.is_complete() {
            let endless =
                Diagnostic::new(span, "this die has no end, so its values cannot be listed")
                    .with_help("set \"explode depth\" or \"maximum function depth\" to a number");
            return Err(Stop::new(ErrorKind::Domain, endless));
        }
        self.has_room(answer.outcomes().len(), BYTES)?;
        let mut weights = Weights::default();
        let mut nothing = None;
        for (value, weight) in answer.outcomes().iter() {
            match value.numbers().unwrap_or_default() {
                [] => nothing = Some(answer.probability(weight)),
                [number, ..] => {
                    let weight = Integer::from_big(weight.clone().into());
                    let weight = weight.map_err(|Overflow| too_fine(span))?;
                    weights
                        .add(number.clone(), &weight)
                        .map_err(|Overflow| too_fine(span))?;
                }
            }
        }
        let faces = weights.faces();
        if let (Some(faces), None) = (&faces, &nothing) {
            self.known.insert(term.clone(), faces.clone());
        }
        Ok(Outcomes { faces, nothing })
    }

    /// `count d sides`, where the number of dice is random.
    pub(super) fn random_dice(&mut self, count: &Term, sides: &Dice, span: Span) -> Attempt<Value> {
        let counts = self.faces(count, span)?;
        if !counts.least().is_negative() {
            let term = Term::new(Shape::Repeat(count.clone(), sides.sum(), span));
            return Ok(Value::single(term));
        }
        let mut parts = Vec::new();
        for (count, weight) in counts.weighted() {
            let dice = dice(count, sides.clone(), span)?;
            parts.push((weight.clone(), Value::Dice(dice)));
        }
        self.mixture(parts, span)
    }

    /// `count d sides`, where the number of dice depends on the roll.
    pub(super) fn throw(&mut self, count: &Summed, sides: &Dice, span: Span) -> Attempt<Value> {
        let Some(number) = count.term() else {
            return Ok(Value::Nothing);
        };
        if !self.is_never_negative(&number) {
            return Err(Stop::Open(
                "a number of dice that depends on the roll may be negative",
            ));
        }
        let die = sides.sum();
        // If the number of dice is rolled, the result is one die. If it is known in each case, the dice stay apart.
        Ok(if count.is_die() {
            Value::single(Term::new(Shape::Repeat(number, die, span)))
        } else {
            Value::Throw(number, die)
        })
    }

    /// The mixture of values, each with its weight. The empty die is left out.
    pub(super) fn mixture(&mut self, parts: Vec<(Integer, Value)>, span: Span) -> Attempt<Value> {
        let mut listed = Vec::new();
        let mut others = Vec::new();
        let mut scale = Integer::ONE;
        for (weight, value) in parts {
            let faces = match value {
                Value::Nothing => continue,
                Value::Number(number) => Faces::certain(number),
                Value::Sequence(members) => Faces::certain(super::sequence::total(&members)?),
                Value::Dice(dice) => {
                    let Some(faces) = self.listing(&dice.sum(), span)? else {
                        others.push((weight, dice.sum()));
                        continue;
                    };
                    faces
                }
                Value::Unknown(_) | Value::Pool(_) | Value::Row(_) | Value::Throw(..) => {
                    return Err(Stop::Open("a result depends on the roll"));
                }
            };
            let total = faces.total()?;
            if total != Integer::ONE {
                scale = scale.lcm(&total)?;
            }
            listed.push((weight, total, faces));
        }
        let mut weights = Weights::default();
        let mut all = Integer::ZERO;
        for (weight, total, faces) in listed {
            self.has_room(weights.len() + faces.len(), BYTES)?;
            let factor = scale.div(&total).unwrap_or(Integer::ONE).mul(&weight)?;
            for (outcome, weight) in faces.weighted() {
                weights.add(outcome.clone(), &weight.mul(&factor)?)?;
            }
            all = all.add(&weight)?;
        }
        let listed = weights.faces().map(Term::faces);
        Ok(match (listed, &others[..]) {
            (None, []) => Value::Nothing,
            (Some(listed), []) => Value::single(listed),
            (None, [(_, only)]) => Value::single(only.clone()),
            (listed, _) => {
                let listed = listed.map(|listed| (all, listed));
                let parts = listed.into_iter().chain(others).collect();
                Value::single(Term::new(Shape::Mixture(parts)))
            }
        })
    }

    /// The distribution of a term; `None` if it has no end, or mentions a call that is in progress.
    fn listing(&mut self, term: &Term, span: Span) -> Attempt<Option<Faces>> {
        if term.is_open() {
            return Ok(None);
        }
        match self.faces(term, span) {
            Ok(faces) => Ok(Some(faces)),
            Err(Stop::Error(error)) if error.kind() == ErrorKind::Domain => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    fn uniform(&self, sides: &Integer, span: Span) -> Attempt<Faces> {
        let count = sides.to_i64().filter(|sides| sides.abs() <= MOST);
        let Some(count) = count else {
            let message =
                format!("the values of a die with more than {MOST} sides cannot be listed");
            return Err(Stop::new(ErrorKind::Limit, Diagnostic::new(span, message)));
        };
        let range = match count {
            0 => 0..=0,
            1.. => 1..=count,
            _ => count..=-1,
        };
        let members = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
        self.has_room(members, BYTES)?;
        let faces = range.map(|face| (Integer::from(face), Integer::ONE));
        Ok(Faces::of_ascending(faces.collect()).expect("a die has a face"))
    }

    /// The distribution of a member of a sequence, all equally likely; `None` for the empty sequence.
    pub(super) fn faces_of(&self, members: &[Integer]) -> Attempt<Option<Faces>> {
        self.has_room(members.len(), BYTES)?;
        Ok(Faces::of_members(members))
    }

    /// The die with the sides that a value says; `None` for the empty die.
    pub(super) fn sides(&self, value: Value) -> Attempt<Option<Dice>> {
        Ok(match value {
            Value::Dice(dice) => Some(dice),
            Value::Nothing => None,
            Value::Number(sides) => Some(Dice::single(Term::new(Shape::Uniform(sides)))),
            Value::Sequence(members) => {
                let faces = self.faces_of(&members)?;
                faces.map(|faces| Dice::single(Term::faces(faces)))
            }
            Value::Unknown(sides) => Some(Dice::single(Term::new(Shape::Die(sides)))),
            Value::Pool(_) | Value::Row(_) | Value::Throw(..) => {
                return Err(Stop::Open("the faces of a die depend on the roll"));
            }
        })
    }
}

/// The distribution of a term: its numbers, and how probable it is that there is none.
pub(super) struct Outcomes {
    pub(super) faces: Option<Faces>,
    pub(super) nothing: Option<Fraction>,
}

/// The opposite of a die.
pub(super) fn negated(die: &Term) -> Term {
    match die.shape() {
        Shape::Uniform(sides) => match sides.neg() {
            Ok(sides) => Term::new(Shape::Uniform(sides)),
            Err(Overflow) => Term::new(Shape::Negate(die.clone())),
        },
        Shape::Negate(inner) => inner.clone(),
        _ => Term::new(Shape::Negate(die.clone())),
    }
}

fn too_fine(span: Span) -> Stop {
    let message = "the probabilities here need longer numbers than the limit";
    Stop::new(ErrorKind::Limit, Diagnostic::new(span, message))
}

/// Refuses a term that rolls too many dice, as one that is added to itself again and again does.
pub(super) fn check_dice(term: &Term, span: Span) -> Attempt<()> {
    if term.dice() <= MOST.unsigned_abs() {
        return Ok(());
    }
    let message = format!("more than {MOST} dice are added here");
    Err(Stop::new(ErrorKind::Limit, Diagnostic::new(span, message)))
}

/// The dice of `count d die`, where the number is known.
pub(super) fn dice(count: &Integer, sides: Dice, span: Span) -> Attempt<Dice> {
    if *count == Integer::ONE {
        return Ok(sides);
    }
    if count.is_zero() {
        return Ok(Dice::single(Term::new(Shape::Uniform(Integer::ZERO))));
    }
    let number = count.to_i64().map(i64::unsigned_abs);
    let Some(number) = number.filter(|number| *number <= MOST.unsigned_abs()) else {
        let message = format!("there are more dice than the limit of {MOST}");
        return Err(Stop::new(ErrorKind::Limit, Diagnostic::new(span, message)));
    };
    let mut die = sides.sum();
    if count.is_negative() {
        die = negated(&die);
    }
    Ok(Dice { count: number, die })
}

/// A weight as a probability.
pub(super) fn share(weight: &Integer, total: &Integer) -> Fraction {
    Fraction::new(weight.to_big(), total.to_big())
}
