//! Random numbers as terms, which stand for dice until their distributions are needed.
//!
//! Each evaluation of a term is another roll. A term may also mention *hidden* numbers and rolls: those that a function was
//! given, while its body is run for all of them at once. A term with hidden numbers is *open*.

use std::hash::{BuildHasher as _, Hash, Hasher};
use std::rc::Rc;

use super::faces::Faces;
use super::tree::Infix;
use crate::ir::Comparison;
use crate::notation::extreme::Extreme;
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
    may_be_nothing: bool,
    effect: Effect,
    divides: bool,
    /// The number of terms. A shared term counts once for each use.
    size: u64,
    /// The number of dice that one evaluation rolls, at least about.
    dice: u64,
}

/// The effects that an evaluation may have besides its value.
#[derive(Clone, Copy, Debug)]
struct Effect {
    may_fail: bool,
    may_never_end: bool,
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
    /// The value of a call that has begun, evaluated once more.
    Again(Hidden),
    /// How many members of a list compare so with a number.
    Count(List, Comparison, Term),
    /// A die with so many sides, negative where the number is; 0 where it is 0.
    Die(Term),
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
    Keep(Extreme, u64, Box<[(u64, Term)]>),
    Let(Hidden, Bound, Term),
    /// Calls in terms of each other, each with its name. The value is that of the first.
    Loop(Box<[(Hidden, Term)]>),
    /// One of some terms, each as likely as its weight says.
    Mixture(Box<[(Integer, Term)]>),
    /// The greater or the lesser of two numbers.
    Most(Extreme, Term, Term),
    Negate(Term),
    Not(Term),
    /// The empty die.
    Nothing,
    /// Whether two lists of dice compare so, member by member from the highest.
    Order(Comparison, List, List),
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

/// What a hidden name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    Number(Term),
    /// So many evaluations, in no order.
    Roll(u64, Term),
}

/// Dice of one roll, and other lists of numbers, of which the order does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum List {
    Hidden(Hidden, u64),
    /// All members of some lists.
    Join(Box<[List]>),
    /// These numbers, which do not roll.
    Members(Box<[Term]>),
    /// So many evaluations.
    Roll(u64, Term),
    /// So many evaluations of the second term, where the first one is a number of at least 0.
    Throw(Term, Term),
}

/// A part of a list: a hidden roll, or a term with the number of its evaluations.
#[derive(Clone, Copy)]
enum ListPart<'t> {
    Roll(Hidden),
    Term(&'t Term, u64),
}

/// Positions from the highest, counted from 1, and how often each of them is named.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) times: u64,
}

impl List {
    /// The number of members; the largest number of all if it is not known.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Hidden(_, count) | Self::Roll(count, _) => *count,
            Self::Join(lists) => {
                let counts = lists.iter().map(Self::count);
                counts.fold(0, u64::saturating_add)
            }
            Self::Members(members) => members.len() as u64,
            Self::Throw(..) => u64::MAX,
        }
    }

    /// Whether the list must be rolled even if nothing asks for its members.
    pub(super) fn has_effect(&self) -> bool {
        let mut has_effect = false;
        self.each_part(&mut |part| match part {
            ListPart::Term(term, count) => has_effect |= count > 0 && term.has_effect(),
            ListPart::Roll(_) => {}
        });
        has_effect
    }

    /// The hidden rolls, and the terms with the number of their evaluations.
    fn each_part(&self, visit: &mut dyn FnMut(ListPart)) {
        match self {
            Self::Hidden(hidden, _) => visit(ListPart::Roll(*hidden)),
            Self::Join(lists) => lists.iter().for_each(|list| list.each_part(visit)),
            Self::Members(members) => members
                .iter()
                .for_each(|member| visit(ListPart::Term(member, 1))),
            Self::Roll(count, die) => visit(ListPart::Term(die, *count)),
            Self::Throw(count, die) => {
                visit(ListPart::Term(count, 1));
                visit(ListPart::Term(die, 1));
            }
        }
    }
}

impl Shape {
    fn each_part(&self, mut visit: impl FnMut(&Term)) {
        match self {
            Self::Again(_)
            | Self::Faces(_)
            | Self::Hidden(_)
            | Self::Nothing
            | Self::Order(..)
            | Self::Ranked(..)
            | Self::Total(_)
            | Self::Uniform(_) => {}
            Self::Absolute(a)
            | Self::Count(_, _, a)
            | Self::Die(a)
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
            Self::Loop(calls) => {
                for (_, value) in calls {
                    visit(value);
                }
            }
            Self::Mixture(parts) => {
                for (_, part) in parts {
                    visit(part);
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
            may_be_nothing: matches!(shape, Shape::Nothing),
            effect: Effect {
                may_fail: match &shape {
                    Shape::Infix(Infix::Power, a, b, _) => {
                        a.constant().is_none_or(Integer::is_zero)
                            && b.constant().is_none_or(Integer::is_negative)
                    }
                    _ => false,
                },
                may_never_end: matches!(shape, Shape::Loop(_)),
            },
            divides: match &shape {
                Shape::Infix(Infix::Divide, _, b, _) => b.constant().is_none_or(Integer::is_zero),
                _ => false,
            },
            size: 1,
            dice: match &shape {
                // A listed sum of many dice weighs as much as they do, about.
                Shape::Faces(faces) => 1 + faces.weighted().len() as u64 / 4,
                Shape::Die(_) | Shape::Uniform(_) => 1,
                _ => 0,
            },
            shape: Shape::Nothing,
        };
        let mut free: Vec<Hidden> = match &shape {
            Shape::Again(hidden) | Shape::Hidden(hidden) => vec![*hidden],
            _ => Vec::new(),
        };
        let is_bound = |name: &Hidden| match &shape {
            Shape::Each(_, hidden, _) | Shape::Let(hidden, ..) => name == hidden,
            Shape::Loop(calls) => calls.iter().any(|(hidden, _)| name == hidden),
            _ => false,
        };
        shape.each_part(|part| {
            inner.height = inner.height.max(part.0.height);
            inner.may_be_nothing |= part.0.may_be_nothing;
            inner.effect.may_fail |= part.0.effect.may_fail;
            inner.effect.may_never_end |= part.0.effect.may_never_end;
            inner.divides |= part.0.divides;
            inner.size = inner.size.saturating_add(part.0.size);
            inner.dice = inner.dice.saturating_add(part.0.dice);
            free.extend(part.0.free.iter().filter(|name| !is_bound(name)));
        });
        shape.each_list(|list| {
            list.each_part(&mut |part| match part {
                ListPart::Roll(hidden) => free.push(hidden),
                ListPart::Term(part, count) => {
                    inner.height = inner.height.max(part.0.height);
                    inner.effect.may_never_end |= part.0.effect.may_never_end;
                    inner.divides |= part.0.divides;
                    inner.size = inner.size.saturating_add(part.0.size);
                    let dice = part.0.dice.saturating_mul(count);
                    inner.dice = inner.dice.saturating_add(dice);
                    free.extend(&part.0.free);
                }
            });
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
            _ if !body.mentions(hidden) && !value.has_effect() => body,
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

    /// The number of dice that one evaluation rolls, at least about.
    pub(super) fn dice(&self) -> u64 {
        self.0.dice
    }

    /// The number of outcomes that the term lists itself.
    pub(super) fn listed(&self) -> u64 {
        match self.shape() {
            Shape::Faces(faces) => faces.len() as u64,
            _ => 1,
        }
    }

    /// The number of terms. A shared term counts once for each use.
    pub(super) fn size(&self) -> u64 {
        self.0.size
    }

    /// Whether a divisor is 0 or not known.
    pub(super) fn divides(&self) -> bool {
        self.0.divides
    }

    /// The sum of two terms, with equal dice together.
    pub(super) fn sum_of(a: &Self, b: &Self, span: Span) -> Self {
        let merged = if b.is_open() { None } else { a.with_more(b, 8) };
        merged.unwrap_or_else(|| Self::new(Shape::Infix(Infix::Add, a.clone(), b.clone(), span)))
    }

    /// This sum with one more summand, which it has already; `None` if it is not found in a few steps.
    fn with_more(&self, other: &Self, steps: u32) -> Option<Self> {
        let split = |term: &Self| match term.shape() {
            Shape::Sum(count, die) => (*count, die.clone()),
            _ => (1, term.clone()),
        };
        let ((own, die), (more, same)) = (split(self), split(other));
        if die == same && die.constant().is_none() {
            let count = own.checked_add(more)?;
            return Some(Self::new(Shape::Sum(count, die)));
        }
        let Shape::Infix(Infix::Add, a, b, span) = self.shape() else {
            return None;
        };
        let steps = steps.checked_sub(1)?;
        let add =
            |a: &Self, b: &Self| Self::new(Shape::Infix(Infix::Add, a.clone(), b.clone(), *span));
        match b.with_more(other, steps) {
            Some(more) => Some(add(a, &more)),
            None => a.with_more(other, steps).map(|more| add(&more, b)),
        }
    }

    pub(super) fn may_be_nothing(&self) -> bool {
        self.0.may_be_nothing
    }

    /// Whether the term must be evaluated even if nothing asks for its value.
    pub(super) fn has_effect(&self) -> bool {
        self.0.effect.may_fail || self.0.effect.may_never_end
    }

    /// Whether an evaluation may fail.
    pub(super) fn may_fail(&self) -> bool {
        self.0.effect.may_fail
    }

    /// Whether the shape shows that the value is at least 0, where this is known of some hidden numbers.
    pub(super) fn is_never_negative(&self, known: &dyn Fn(Hidden) -> bool) -> bool {
        let of = |term: &Self| stack::level(|| term.is_never_negative(known));
        match self.shape() {
            Shape::Absolute(_) | Shape::Count(..) | Shape::Not(_) | Shape::Order(..) => true,
            Shape::Explode(die, greatest) => !greatest.is_negative() && of(die),
            Shape::Faces(faces) => !faces.least().is_negative(),
            Shape::Hidden(hidden) => known(*hidden),
            Shape::If(_, a, b) | Shape::Infix(Infix::Add | Infix::Multiply, a, b, _) => {
                of(a) && of(b)
            }
            Shape::Infix(operator, ..) => operator.is_truth(),
            Shape::Most(Extreme::High, a, b) => of(a) || of(b),
            Shape::Most(Extreme::Low, a, b) => of(a) && of(b),
            Shape::Ranked(List::Hidden(hidden, _), _) | Shape::Total(List::Hidden(hidden, _)) => {
                known(*hidden)
            }
            Shape::Ranked(List::Roll(_, die), _)
            | Shape::Repeat(_, die, _)
            | Shape::Sum(_, die) => of(die),
            Shape::Uniform(sides) => !sides.is_negative(),
            _ => false,
        }
    }

    /// The value of a term that has only one, as far as its shape shows it.
    pub(super) fn constant(&self) -> Option<&Integer> {
        match self.shape() {
            Shape::Faces(faces) => faces.only(),
            Shape::Uniform(sides) if sides.is_zero() => Some(sides),
            _ => None,
        }
    }

    /// Whether a term is a round of a loop: it calls no more than once, at its end, or adds something to the value of that call.
    pub(super) fn is_round(&self, is_call: &dyn Fn(&Hidden) -> bool) -> bool {
        let goes_on = |term: &Self| term.free().iter().any(is_call);
        let inner = |term: &Self| stack::level(|| term.is_round(is_call));
        match self.shape() {
            Shape::Again(_) => true,
            _ if !goes_on(self) => true,
            Shape::If(condition, yes, no) => !goes_on(condition) && inner(yes) && inner(no),
            Shape::Infix(Infix::Add, a, b, _) if !goes_on(a) => inner(b),
            Shape::Infix(Infix::Add | Infix::Subtract, a, b, _) if !goes_on(b) => inner(a),
            Shape::Let(_, Bound::Number(bound) | Bound::Roll(_, bound), body) => {
                !goes_on(bound) && inner(body)
            }
            Shape::Mixture(parts) => parts.iter().all(|(_, part)| inner(part)),
            _ => false,
        }
    }

    /// The address of the term, which is unique as long as the term lives.
    pub(super) fn address(&self) -> usize {
        Rc::as_ptr(&self.0).cast::<()>() as usize
    }
}
