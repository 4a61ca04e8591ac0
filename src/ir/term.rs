use std::sync::Arc;

use crate::error::ErrorKind;
use crate::number::Integer;
use crate::source::Span;

/// A term of an [`super::Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub(super) u32);

impl TermId {
    /// The place of the term in its arena.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A [`Site`] of the [`super::Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub(super) u32);

/// A [`super::Choice`] of the [`super::Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChoiceId(pub(super) u32);

/// The places of a term and of its operands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The whole expression, where the errors of the operator are reported.
    pub whole: Span,
    /// The first and second operand, where an operand that is not a number is reported. An operator
    /// with one operand repeats its span.
    pub operands: [Span; 2],
}

impl Site {
    /// A site with two operands.
    #[must_use]
    pub fn new(whole: Span, left: Span, right: Span) -> Self {
        Self {
            whole,
            operands: [left, right],
        }
    }

    /// A site with one operand.
    #[must_use]
    pub fn unary(whole: Span, operand: Span) -> Self {
        Self::new(whole, operand, operand)
    }

    /// A site whose operands have the span of the whole.
    #[must_use]
    pub fn at(whole: Span) -> Self {
        Self::new(whole, whole, whole)
    }
}

/// One term of the core language. The table in [`crate::ir`] gives the meaning of each; this is the
/// syntax alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// A constant.
    Integer(Integer),
    /// An entry of the environment, counted from the innermost, which is 0.
    Variable(u32),
    /// Lists, one after the other.
    Join(Box<[TermId]>),
    /// All integers between two numbers.
    Range(TermId, TermId, SiteId),
    /// A die and its number of sides.
    Die(TermId, SiteId),
    /// A die with these faces.
    Pick(Faces),
    /// The order of two lists as multisets.
    Compare(TermId, TermId),
    /// A list without the members of another, as far as it has them.
    Without(TermId, TermId),
    /// The opposite of a number.
    Negate(TermId, SiteId),
    /// Two numbers combined.
    Arithmetic(Arithmetic, TermId, TermId, SiteId),
    /// A list reduced to a number.
    Fold(Folding, TermId, SiteId),
    /// A list in another order.
    Arrange(Arrangement, TermId),
    /// A count, and the term that is evaluated that often.
    Repeat(TermId, TermId, SiteId),
    /// A count, and the list that this number of members is selected from.
    Select(Selection, TermId, TermId, SiteId),
    /// A number, and the list whose members are compared with it.
    Filter(Comparison, TermId, TermId, SiteId),
    /// A list without the members of another.
    Difference(TermId, TermId, SiteId),
    /// A condition and two branches.
    If(TermId, TermId, TermId),
    /// A value, and the body in which it is the innermost variable.
    Let(TermId, TermId),
    /// A list, and the body in which each member is the innermost variable in turn.
    Foreach(TermId, TermId),
    /// A list of candidates, and the body whose mean (or the mean of one member) is maximised. The innermost variable of the body is the
    /// candidate.
    Best(Candidates, TermId, TermId, ChoiceId),
    /// A first state, the body that computes the next state from the innermost variable, and the worth of the last state, a number. A
    /// `Best` at the end of the body maximises the mean of this number.
    Play(TermId, TermId, TermId),
    /// A first value, and the body that makes the next one from the innermost variable.
    While(TermId, TermId),
    /// An error that a notation defines, at the whole of the site.
    Fail(ErrorKind, SiteId),
    /// No value, for a roll that is left out. It stands only at the end of a program: at the root, or within the body of a `Let`, a
    /// branch of an `If`, or the first operand that rolls of any other term at the end.
    Reject(SiteId),
}

impl Term {
    /// Whether evaluating the term itself rolls: two evaluations with the same operands can differ.
    pub(crate) fn rolls(&self) -> bool {
        matches!(
            self,
            Self::Die(..) | Self::Pick(_) | Self::Arrange(Arrangement::Shuffle, _)
        )
    }

    /// Whether the operator alone shows that each value is a number. A choice has it in what it aims at.
    pub(crate) fn is_number(&self) -> bool {
        matches!(
            self,
            Self::Arithmetic(..)
                | Self::Compare(..)
                | Self::Die(..)
                | Self::Fold(..)
                | Self::Integer(_)
                | Self::Negate(..)
                | Self::Pick(_)
                | Self::Play(..)
        )
    }

    /// The same term with other operands. The function gets each operand with the number of variables that are bound in it.
    pub(crate) fn with_children(&self, mut of: impl FnMut(TermId, u32) -> TermId) -> Self {
        match *self {
            Self::Fail(..)
            | Self::Integer(_)
            | Self::Pick(_)
            | Self::Reject(_)
            | Self::Variable(_) => self.clone(),
            Self::Arrange(arrangement, e) => Self::Arrange(arrangement, of(e, 0)),
            Self::Die(e, site) => Self::Die(of(e, 0), site),
            Self::Fold(folding, e, site) => Self::Fold(folding, of(e, 0), site),
            Self::Negate(e, site) => Self::Negate(of(e, 0), site),
            Self::Arithmetic(operator, a, b, site) => {
                Self::Arithmetic(operator, of(a, 0), of(b, 0), site)
            }
            Self::Compare(a, b) => Self::Compare(of(a, 0), of(b, 0)),
            Self::Without(a, b) => Self::Without(of(a, 0), of(b, 0)),
            Self::Difference(a, b, site) => Self::Difference(of(a, 0), of(b, 0), site),
            Self::Filter(comparison, a, b, site) => {
                Self::Filter(comparison, of(a, 0), of(b, 0), site)
            }
            Self::Range(a, b, site) => Self::Range(of(a, 0), of(b, 0), site),
            Self::Repeat(a, b, site) => Self::Repeat(of(a, 0), of(b, 0), site),
            Self::Select(selection, a, b, site) => {
                Self::Select(selection, of(a, 0), of(b, 0), site)
            }
            Self::Best(candidates, e, f, choice) => {
                Self::Best(candidates, of(e, 0), of(f, 1), choice)
            }
            Self::Foreach(e, f) => Self::Foreach(of(e, 0), of(f, 1)),
            Self::Let(e, f) => Self::Let(of(e, 0), of(f, 1)),
            Self::Play(e, f, g) => Self::Play(of(e, 0), of(f, 1), of(g, 1)),
            Self::While(e, f) => Self::While(of(e, 0), of(f, 1)),
            Self::If(c, e, f) => Self::If(of(c, 0), of(e, 0), of(f, 0)),
            Self::Join(ref parts) => Self::Join(parts.iter().map(|&part| of(part, 0)).collect()),
        }
    }

    /// Calls `visit` with each child and the number of variables that the term binds in it.
    pub(crate) fn for_children(&self, mut visit: impl FnMut(TermId, u32)) {
        match self {
            Self::Fail(..)
            | Self::Integer(_)
            | Self::Pick(_)
            | Self::Reject(_)
            | Self::Variable(_) => {}
            Self::Arrange(_, e) | Self::Die(e, _) | Self::Fold(_, e, _) | Self::Negate(e, _) => {
                visit(*e, 0);
            }
            Self::Arithmetic(_, a, b, _)
            | Self::Compare(a, b)
            | Self::Without(a, b)
            | Self::Difference(a, b, _)
            | Self::Filter(_, a, b, _)
            | Self::Range(a, b, _)
            | Self::Repeat(a, b, _)
            | Self::Select(_, a, b, _) => {
                visit(*a, 0);
                visit(*b, 0);
            }
            Self::Best(_, e, f, _) | Self::Foreach(e, f) | Self::Let(e, f) | Self::While(e, f) => {
                visit(*e, 0);
                visit(*f, 1);
            }
            Self::Play(e, f, g) => {
                visit(*e, 0);
                visit(*f, 1);
                visit(*g, 1);
            }
            Self::If(c, e, f) => {
                visit(*c, 0);
                visit(*e, 0);
                visit(*f, 0);
            }
            Self::Join(parts) => parts.iter().for_each(|&part| visit(part, 0)),
        }
    }
}

/// The faces of a die: some integers, each once and in ascending order, with their weights.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Faces(Arc<[(Integer, Integer)]>);

impl Faces {
    /// Faces with their weights, in any order.
    ///
    /// # Panics
    ///
    /// If there is no face, a face comes twice, or a weight is less than 1.
    #[must_use]
    pub fn new(mut faces: Vec<(Integer, Integer)>) -> Self {
        faces.sort();
        assert!(!faces.is_empty(), "a die has a face");
        assert!(
            faces.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "each face is listed once"
        );
        assert!(
            faces.iter().all(|(_, weight)| *weight >= Integer::ONE),
            "weights are positive"
        );
        Self(faces.into())
    }

    /// The faces in ascending order, with their weights.
    #[must_use]
    pub fn weighted(&self) -> &[(Integer, Integer)] {
        &self.0
    }
}

/// Operators on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Arithmetic {
    /// The sum.
    Add,
    /// The bitwise *and* of the infinite two's complement forms.
    BitAnd,
    /// The bitwise *or* of the infinite two's complement forms.
    BitOr,
    /// `a` followed by the decimal digits of `b`: `(-10, 9)` is -109; `b < 0`: `domain`.
    Concatenate,
    /// The quotient, truncated toward zero; by zero: `division_by_zero`.
    Divide,
    /// The quotient, rounded down; by zero: `division_by_zero`.
    FloorDivide,
    /// The larger.
    Max,
    /// The smaller.
    Min,
    /// `a` less the product of `b` and the quotient rounded down: the remainder with the sign of `b`; by zero:
    /// `division_by_zero`.
    Modulo,
    /// The product.
    Multiply,
    /// The power; a negative exponent truncates the quotient toward zero (`2^-1` is 0, `(-1)^-1` is
    /// -1); `0^0` is 1; 0 to a negative power: `domain`.
    Power,
    /// The remainder, with the sign of `a`; by zero: `division_by_zero`.
    Remainder,
    /// `a·k + b` with `k` the least power of ten that is at least 10 and at least `b`:
    /// `(1, 10)` is 20.
    Shift,
    /// The difference.
    Subtract,
}

impl Arithmetic {
    /// Whether the operator has a value for all numbers.
    pub(crate) fn is_total(self) -> bool {
        match self {
            Self::Add
            | Self::BitAnd
            | Self::BitOr
            | Self::Max
            | Self::Min
            | Self::Multiply
            | Self::Shift
            | Self::Subtract => true,
            Self::Concatenate
            | Self::Divide
            | Self::FloorDivide
            | Self::Modulo
            | Self::Power
            | Self::Remainder => false,
        }
    }
}

/// Reductions of a list to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Folding {
    /// The number of members.
    Count,
    /// The only member; any other length is `type`.
    Only,
    /// The product of all members.
    Product,
    /// The sum of all members.
    Sum,
}

/// Lists made of the members of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Arrangement {
    /// In their order, but of equal members only the first.
    Distinct,
    /// Last first.
    Reverse,
    /// Uniformly random.
    Shuffle,
    /// Ascending.
    Sort,
}

/// Which members of a list are selected, for a number `n`. If the list has fewer members, `n` is the number of members. The
/// selected members keep their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Selection {
    /// All but the first `n`.
    DropFirst,
    /// All but the `n` greatest; among equal members the earliest are kept.
    DropHigh,
    /// All but the last `n`.
    DropLast,
    /// All but the `n` least; among equal members the earliest are kept.
    DropLow,
    /// The first `n`.
    First,
    /// The `n` greatest; among equal members the earliest are taken.
    High,
    /// The last `n`.
    Last,
    /// The `n` least; among equal members the earliest are taken.
    Low,
}

impl Selection {
    /// Whether the selected members are the first, the last, the greatest or the least ones.
    pub(crate) fn keeps(self) -> bool {
        matches!(self, Self::First | Self::High | Self::Last | Self::Low)
    }

    /// Whether members are selected by their places, and not by their values.
    pub(crate) fn is_by_place(self) -> bool {
        matches!(
            self,
            Self::DropFirst | Self::DropLast | Self::First | Self::Last
        )
    }
}

/// The candidates that a choice has in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Candidates {
    /// Each member, in order.
    Members,
    /// Each part of the list as a multiset: the longest first, and among parts of equal length the one that sorts first.
    /// The members of a part are in ascending order.
    Parts,
}

/// Comparisons of a member with a number, the member on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `member = number`
    Equal,
    /// `member > number`
    Greater,
    /// `member >= number`
    GreaterOrEqual,
    /// `member < number`
    Less,
    /// `member <= number`
    LessOrEqual,
    /// `member != number`
    NotEqual,
}

impl Comparison {
    /// The comparison that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::NotEqual => Self::Equal,
        }
    }

    /// The comparison with its sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }

    /// Whether the comparison of `member` with `number` holds.
    #[must_use]
    pub fn holds<T: Ord>(self, member: &T, number: &T) -> bool {
        match self {
            Self::Equal => member == number,
            Self::Greater => member > number,
            Self::GreaterOrEqual => member >= number,
            Self::Less => member < number,
            Self::LessOrEqual => member <= number,
            Self::NotEqual => member != number,
        }
    }
}
