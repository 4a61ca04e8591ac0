//! Values of a program: numbers, sequences, dice, and the empty die.

use std::rc::Rc;

use super::term::{Hidden, List, Shape, Term};
use crate::number::{Integer, Overflow};
use crate::source::Span;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Dice(Dice),
    /// The empty die.
    Nothing,
    Number(Integer),
    Sequence(Rc<[Integer]>),
    /// A number that depends on hidden numbers, and on nothing else: [`Value::unknown`] makes it.
    Unknown(Term),
    /// A sorted sequence of which some members depend on hidden numbers: a hidden roll, for example.
    Pool(List),
    /// A sequence of numbers, of which some depend on hidden numbers, and of sorted sequences.
    Row(Rc<[Value]>),
    /// So many dice of one kind, where the number depends on hidden numbers.
    Throw(Term, Term),
}

/// Some dice of one kind, which stay apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Dice {
    /// At least 1.
    pub(super) count: u64,
    pub(super) die: Term,
}

impl Dice {
    pub(super) fn single(die: Term) -> Self {
        Self { count: 1, die }
    }

    /// The sum of the dice.
    pub(super) fn sum(&self) -> Term {
        match self.count {
            1 => self.die.clone(),
            count => Term::new(Shape::Sum(count, self.die.clone())),
        }
    }
}

impl Value {
    pub(super) fn single(die: Term) -> Self {
        Self::Dice(Dice::single(die))
    }

    pub(super) fn number(number: impl Into<Integer>) -> Self {
        Self::Number(number.into())
    }

    pub(super) fn truth(holds: bool) -> Self {
        Self::number(i32::from(holds))
    }

    /// The number that a term without dice is in each case.
    pub(super) fn unknown(term: Term) -> Self {
        match term.constant() {
            Some(number) => Self::Number(number.clone()),
            None => Self::Unknown(term),
        }
    }

    /// The number of members that the value lists.
    pub(super) fn members(&self) -> u64 {
        match self {
            Self::Sequence(members) => members.len() as u64,
            Self::Row(members) => members.iter().map(Self::members).sum(),
            Self::Dice(Dice { die, .. }) => die.listed(),
            _ => 1,
        }
    }

    /// Whether a hidden name is in the value.
    pub(super) fn mentions(&self, name: Hidden) -> bool {
        match self {
            Self::Dice(dice) => dice.die.mentions(name),
            Self::Nothing | Self::Number(_) | Self::Sequence(_) => false,
            Self::Pool(list) => Term::new(Shape::Total(list.clone())).mentions(name),
            Self::Row(members) => members.iter().any(|member| member.mentions(name)),
            Self::Throw(count, die) => count.mentions(name) || die.mentions(name),
            Self::Unknown(term) => term.mentions(name),
        }
    }

    /// Whether a hidden number or roll is in the value.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Dice(dice) => dice.die.is_open(),
            Self::Nothing | Self::Number(_) | Self::Sequence(_) => false,
            Self::Unknown(_) | Self::Pool(_) | Self::Row(_) | Self::Throw(..) => true,
        }
    }
}

/// The sum of a value. Its kind is that of the value and does not depend on the term: a number computed from a die is a die, even if it can
/// only be one number.
#[derive(Clone, Debug)]
pub(super) enum Summed {
    Nothing,
    Number(Integer),
    /// A number that depends on hidden numbers.
    Unknown(Term),
    Die(Term),
}

impl Summed {
    /// The sum as a value.
    pub(super) fn value(self) -> Value {
        match self {
            Self::Nothing => Value::Nothing,
            Self::Number(number) => Value::Number(number),
            Self::Unknown(term) => Value::unknown(term),
            Self::Die(die) => Value::single(die),
        }
    }

    pub(super) fn is_die(&self) -> bool {
        matches!(self, Self::Die(_))
    }

    /// The sum with a term that is computed from several numbers, of which some may be dice.
    fn made(term: Term, of_dice: bool) -> Self {
        if of_dice {
            Self::Die(term)
        } else {
            Self::Unknown(term)
        }
    }

    /// A term of this number, which is not known.
    pub(super) fn map(self, make: impl FnOnce(Term) -> Shape) -> Self {
        let of_dice = self.is_die();
        self.term().map_or(Self::Nothing, |term| {
            Self::made(Term::new(make(term)), of_dice)
        })
    }

    /// A term of both, of which one is not known.
    pub(super) fn with(self, other: &Self, make: impl FnOnce(Term, Term) -> Term) -> Self {
        let of_dice = self.is_die() || other.is_die();
        match (self.term(), other.term()) {
            (Some(a), Some(b)) => Self::made(make(a, b), of_dice),
            _ => Self::Nothing,
        }
    }

    pub(super) fn term(&self) -> Option<Term> {
        match self {
            Self::Nothing => None,
            Self::Number(number) => Some(Term::certain(number.clone())),
            Self::Unknown(term) | Self::Die(term) => Some(term.clone()),
        }
    }
}

impl Summed {
    /// The sum of both.
    pub(super) fn plus(self, other: Self) -> Result<Self, Overflow> {
        Ok(match (self, other) {
            (Self::Number(a), Self::Number(b)) => Self::Number(a.add(&b)?),
            (Self::Number(zero), other) | (other, Self::Number(zero)) if zero.is_zero() => other,
            (a, b) => a.with(&b, |a, b| Term::sum_of(&a, &b, Span::default())),
        })
    }
}
