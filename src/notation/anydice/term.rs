//! Random numbers as terms: what a die is before anybody needs its distribution.
//!
//! Each evaluation of a term is another roll. A term may also mention *hidden* numbers and rolls: those that a function was
//! given, while its body is run for all of them at once. A term with hidden numbers is *open*.

use std::hash::{BuildHasher as _, Hash, Hasher};
use std::rc::Rc;

use super::faces::Faces;
use super::tree::Infix;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// A random number. Terms share their parts, so everything that needs all parts is found when a term is made.
#[derive(Clone, Debug)]
pub(super) struct Term(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    shape: Shape,
    hash: u64,
    height: u32,
    /// The hidden names that no part binds, ascending.
    free: Box<[Hidden]>,
    rolls: bool,
    may_be_nothing: bool,
    may_fail: bool,
    /// The number of dice that one evaluation rolls, at least about.
    dice: u64,
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
            || self.0.hash == other.0.hash && stack::level(|| self.0.shape == other.0.shape)
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// A hidden number or roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Hidden(pub(super) u32);

/// What a term is.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Absolute(Term),
    /// How many members of a list compare so with a number.
    Count(List, Infix, Term),
    /// The sum of a number for each member of a list, which has the hidden name.
    Each(List, Hidden, Term),
    /// A die that is rolled again on this outcome, without end, and added.
    Explode(Term, Integer),
    Faces(Faces),
    Hidden(Hidden),
    If(Term, Term, Term),
    /// Two numbers combined by arithmetic, a condition, `&` or `|`.
    Infix(Infix, Term, Term, Span),
    /// The sum of the highest or lowest of several kinds of dice thrown together.
    Keep(End, u64, Box<[(u64, Term)]>),
    Let(Hidden, Bound, Term),
    /// The greater or the lesser of two numbers.
    Most(End, Term, Term),
    Negate(Term),
    Not(Term),
    /// The empty die.
    Nothing,
    /// Whether two lists of dice compare so, member by member from the highest.
    Order(Infix, List, List),
    /// The sum of the members at some positions.
    Ranked(List, Box<[Run]>),
    /// The sum of so many evaluations, where the number is random and not negative.
    Repeat(Term, Term, Span),
    /// The sum of so many evaluations.
    Sum(u64, Term),
    /// The sum of a list.
    Total(List),
    /// One of 1, …, n; of -1, …, n for a negative n; always 0 for 0.
    Uniform(Integer),
}

/// An end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    Greatest,
    Least,
}

/// What a hidden name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    Number(Term),
    /// So many evaluations, in no order.
    Roll(u64, Term),
}

/// Dice of one roll.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum List {
    Hidden(Hidden, u64),
    /// So many evaluations.
    Roll(u64, Term),
}

/// Positions from the highest, counted from 1, and how often each of them is named.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) times: u64,
}

impl List {
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Hidden(_, count) | Self::Roll(count, _) => *count,
        }
    }
}

impl Shape {
    fn each_part(&self, mut visit: impl FnMut(&Term)) {
        match self {
            Self::Faces(_)
            | Self::Hidden(_)
            | Self::Nothing
            | Self::Order(..)
            | Self::Ranked(..)
            | Self::Total(_)
            | Self::Uniform(_) => {}
            Self::Absolute(a)
            | Self::Count(_, _, a)
            | Self::Each(_, _, a)
            | Self::Explode(a, _)
            | Self::Negate(a)
            | Self::Not(a)
            | Self::Sum(_, a) => visit(a),
            Self::Infix(_, a, b, _)
            | Self::Let(_, Bound::Number(a) | Bound::Roll(_, a), b)
            | Self::Most(_, a, b)
            | Self::Repeat(a, b, _) => {
                visit(a);
                visit(b);
            }
            Self::Keep(_, _, kinds) => {
                for (_, die) in kinds {
                    visit(die);
                }
            }
            Self::If(c, a, b) => {
                visit(c);
                visit(a);
                visit(b);
            }
        }
    }

    fn each_list(&self, mut visit: impl FnMut(&List)) {
        match self {
            Self::Count(list, ..)
            | Self::Each(list, ..)
            | Self::Ranked(list, _)
            | Self::Total(list) => visit(list),
            Self::Order(_, a, b) => {
                visit(a);
                visit(b);
            }
            _ => {}
        }
    }
}

/// The hash of a term from those of its parts.
fn hash_of(shape: &Shape) -> u64 {
    std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default().hash_one(shape)
}

impl Term {
    pub(super) fn new(shape: Shape) -> Self {
        let mut inner = Inner {
            hash: hash_of(&shape),
            height: 0,
            free: Box::default(),
            rolls: match &shape {
                Shape::Faces(faces) => faces.only().is_none(),
                Shape::Uniform(sides) => !sides.is_zero(),
                _ => false,
            },
            may_be_nothing: matches!(shape, Shape::Nothing),
            may_fail: matches!(shape, Shape::Infix(Infix::Power, ..)),
            dice: u64::from(matches!(shape, Shape::Faces(_) | Shape::Uniform(_))),
            shape: Shape::Nothing,
        };
        let mut free: Vec<Hidden> = match &shape {
            Shape::Hidden(hidden) => vec![*hidden],
            _ => Vec::new(),
        };
        let bound = match &shape {
            Shape::Each(_, hidden, _) | Shape::Let(hidden, ..) => Some(*hidden),
            _ => None,
        };
        shape.each_part(|part| {
            inner.height = inner.height.max(part.0.height);
            inner.rolls |= part.0.rolls;
            inner.may_be_nothing |= part.0.may_be_nothing;
            inner.may_fail |= part.0.may_fail;
            inner.dice = inner.dice.saturating_add(part.0.dice);
            free.extend(part.0.free.iter().filter(|name| Some(**name) != bound));
        });
        shape.each_list(|list| match list {
            List::Hidden(hidden, _) => free.push(*hidden),
            List::Roll(_, die) => {
                inner.height = inner.height.max(die.0.height);
                inner.rolls |= die.0.rolls;
                inner.dice = inner
                    .dice
                    .saturating_add(die.0.dice.saturating_mul(list.count()));
                free.extend(&die.0.free);
            }
        });
        if let Shape::Sum(count, _) = &shape {
            inner.dice = inner.dice.saturating_mul(*count);
        }
        free.sort_unstable();
        free.dedup();
        inner.free = free.into();
        inner.height += 1;
        inner.shape = shape;
        Self(Rc::new(inner))
    }

    /// A term in which a name stands for a number. A name that is not needed is left out.
    pub(super) fn bind(hidden: Hidden, value: &Self, body: Self) -> Self {
        match body.shape() {
            Shape::Hidden(name) if *name == hidden => value.clone(),
            _ if !body.mentions(hidden) && !value.0.may_fail => body,
            _ => Self::new(Shape::Let(hidden, Bound::Number(value.clone()), body)),
        }
    }

    pub(super) fn certain(number: Integer) -> Self {
        Self::new(Shape::Faces(Faces::certain(number)))
    }

    pub(super) fn faces(faces: Faces) -> Self {
        Self::new(Shape::Faces(faces))
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.0.shape
    }

    /// The number of terms within one another.
    pub(super) fn height(&self) -> u32 {
        self.0.height
    }

    /// Whether a hidden number or roll is mentioned.
    pub(super) fn is_open(&self) -> bool {
        !self.0.free.is_empty()
    }

    /// The hidden names that are mentioned and not bound.
    pub(super) fn free(&self) -> &[Hidden] {
        &self.0.free
    }

    pub(super) fn mentions(&self, hidden: Hidden) -> bool {
        self.0.free.binary_search(&hidden).is_ok()
    }

    /// Whether two evaluations can differ.
    pub(super) fn rolls(&self) -> bool {
        self.0.rolls
    }

    /// The number of dice that one evaluation rolls, at least about.
    pub(super) fn dice(&self) -> u64 {
        self.0.dice
    }

    pub(super) fn may_be_nothing(&self) -> bool {
        self.0.may_be_nothing
    }

    /// The value of a term that has only one, as far as its shape shows it.
    pub(super) fn constant(&self) -> Option<&Integer> {
        match self.shape() {
            Shape::Faces(faces) => faces.only(),
            Shape::Uniform(sides) if sides.is_zero() => Some(sides),
            _ => None,
        }
    }

    /// What tells this term from all others, as long as it lives.
    pub(super) fn address(&self) -> usize {
        Rc::as_ptr(&self.0).cast::<()>() as usize
    }
}
