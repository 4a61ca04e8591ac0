//! Values of a program: numbers, sequences, dice, and the empty die.

use std::rc::Rc;

use super::term::{Hidden, List, Shape, Term};
use crate::number::Integer;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Dice(Dice),
    /// The empty die.
    Nothing,
    Number(Integer),
    Sequence(Rc<[Integer]>),
    /// A number that depends on hidden numbers, and on nothing else.
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

    /// A value that a term has: a number if it never changes.
    pub(super) fn of_term(term: Term) -> Self {
        if term.rolls() {
            Self::single(term)
        } else {
            match term.constant() {
                Some(number) => Self::Number(number.clone()),
                None => Self::Unknown(term),
            }
        }
    }

    /// A value of a body on hidden values that a term has.
    pub(super) fn of_open(term: Term) -> Self {
        if term.rolls() {
            Self::single(term)
        } else {
            Self::Unknown(term)
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
