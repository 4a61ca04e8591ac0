//! A builder of core programs whose variables have names.
//!
//! In comes one call for each term, operands first; out goes a [`Program`](super::Program), in which each name is the distance to its
//! binder. A term with names in it can be put anywhere within the binders of those names, and more than once. So who
//! builds a term need not know how deep it will stand. [`Builder::program`] alone counts binders.
//!
//! ```
//! use dicedist::ir::{Builder, Folding, Site};
//! use dicedist::source::Span;
//!
//! // Two dice, each number that they show squared, added.
//! let mut build = Builder::new();
//! let site = build.site(Site::at(Span::default()));
//! let two = build.integer(2);
//! let six = build.integer(6);
//! let die = build.die(six, site);
//! let dice = build.repeat(two, die, site);
//! let name = build.name();
//! let face = build.variable(name);
//! let square = build.arithmetic(dicedist::ir::Arithmetic::Multiply, face, face, site);
//! let squares = build.foreach(name, dice, square);
//! let sum = build.fold(Folding::Sum, squares, site);
//!
//! let text = "(sum (foreach x0 (repeat 2 (die 6)) (multiply x0 x0)))";
//! assert_eq!(build.program(sum).to_string(), text);
//! ```

use std::rc::Rc;

use super::arena::Arena;
use super::term::{Arithmetic, Arrangement, Comparison, Folding, Selection, Site, SiteId};
use crate::error::ErrorKind;
use crate::map::Map;
use crate::number::Integer;
use crate::stack;

/// A term of a [`Builder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(u32);

/// A variable of a [`Builder`]. Each binder has a name of its own, unless a term with a binder in it is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub(super) u32);

/// A builder of one program.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    entries: Vec<Entry>,
    pub(super) integers: Vec<Integer>,
    pub(super) names: u32,
    /// The sites alone; terms come when the program is made.
    pub(super) arena: Arena,
}

/// A term without its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Arithmetic(Arithmetic, SiteId),
    Arrange(Arrangement),
    Die(SiteId),
    Difference(SiteId),
    Fail(ErrorKind, SiteId),
    Filter(Comparison, SiteId),
    Fold(Folding, SiteId),
    /// The second operand is the body.
    Foreach(Name),
    If,
    /// Not an operand but an entry of the table of integers.
    Integer(usize),
    Join,
    Let(Name),
    Negate(SiteId),
    Range(SiteId),
    Repeat(SiteId),
    Select(Selection, SiteId),
    Variable(Name),
    While(Name),
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) shape: Shape,
    pub(super) operands: Box<[Expr]>,
    /// How often it is an operand.
    pub(super) uses: u32,
    /// How many terms it is when written out.
    size: u64,
}

/// The terms, as [`Term`](super::Term) describes them.
impl Builder {
    /// A builder without terms.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A name that no binder has yet.
    pub fn name(&mut self) -> Name {
        self.names += 1;
        Name(self.names)
    }

    /// Records a place, for terms that can fail.
    pub fn site(&mut self, site: Site) -> SiteId {
        self.arena.site(site)
    }

    /// The value that a name is bound to.
    pub fn variable(&mut self, name: Name) -> Expr {
        self.add(Shape::Variable(name), &[])
    }

    /// `body`, in which the name is a value that is evaluated once.
    pub fn bind(&mut self, name: Name, value: Expr, body: Expr) -> Expr {
        self.add(Shape::Let(name), &[value, body])
    }

    /// `body` for each member of a list, in which the name is that member; joined.
    pub fn foreach(&mut self, name: Name, list: Expr, body: Expr) -> Expr {
        self.add(Shape::Foreach(name), &[list, body])
    }

    /// `first`, then `body` again and again, in which the name is the last value, until that is empty; joined.
    pub fn repeat_while(&mut self, name: Name, first: Expr, body: Expr) -> Expr {
        self.add(Shape::While(name), &[first, body])
    }

    /// A constant.
    pub fn integer(&mut self, value: impl Into<Integer>) -> Expr {
        self.integers.push(value.into());
        self.add(Shape::Integer(self.integers.len() - 1), &[])
    }

    /// The empty list.
    pub fn empty(&mut self) -> Expr {
        self.add(Shape::Join, &[])
    }

    /// Lists, one after the other; one alone is itself.
    pub fn join(&mut self, parts: &[Expr]) -> Expr {
        match parts {
            [only] => *only,
            _ => self.add(Shape::Join, parts),
        }
    }

    /// All integers from one to another.
    pub fn range(&mut self, low: Expr, high: Expr, site: SiteId) -> Expr {
        self.add(Shape::Range(site), &[low, high])
    }

    /// A die with so many sides.
    pub fn die(&mut self, sides: Expr, site: SiteId) -> Expr {
        self.add(Shape::Die(site), &[sides])
    }

    /// The opposite of a number.
    pub fn negate(&mut self, number: Expr, site: SiteId) -> Expr {
        self.add(Shape::Negate(site), &[number])
    }

    /// Two numbers combined.
    pub fn arithmetic(
        &mut self,
        operator: Arithmetic,
        left: Expr,
        right: Expr,
        site: SiteId,
    ) -> Expr {
        self.add(Shape::Arithmetic(operator, site), &[left, right])
    }

    /// A list made a number.
    pub fn fold(&mut self, folding: Folding, list: Expr, site: SiteId) -> Expr {
        self.add(Shape::Fold(folding, site), &[list])
    }

    /// A list in another order.
    pub fn arrange(&mut self, arrangement: Arrangement, list: Expr) -> Expr {
        self.add(Shape::Arrange(arrangement), &[list])
    }

    /// `body`, evaluated afresh so many times; joined.
    pub fn repeat(&mut self, count: Expr, body: Expr, site: SiteId) -> Expr {
        self.add(Shape::Repeat(site), &[count, body])
    }

    /// So many members of a list.
    pub fn select(&mut self, selection: Selection, count: Expr, list: Expr, site: SiteId) -> Expr {
        self.add(Shape::Select(selection, site), &[count, list])
    }

    /// The members of a list that compare so with a number.
    pub fn filter(
        &mut self,
        comparison: Comparison,
        number: Expr,
        list: Expr,
        site: SiteId,
    ) -> Expr {
        self.add(Shape::Filter(comparison, site), &[number, list])
    }

    /// A list less the members of another.
    pub fn difference(&mut self, list: Expr, taken: Expr, site: SiteId) -> Expr {
        self.add(Shape::Difference(site), &[list, taken])
    }

    /// The first of two terms where the condition has a member, else the second.
    pub fn choose(&mut self, condition: Expr, yes: Expr, no: Expr) -> Expr {
        self.add(Shape::If, &[condition, yes, no])
    }

    /// An error at a place.
    pub fn fail(&mut self, kind: ErrorKind, site: SiteId) -> Expr {
        self.add(Shape::Fail(kind, site), &[])
    }

    fn add(&mut self, shape: Shape, operands: &[Expr]) -> Expr {
        let mut size = 1_u64;
        for operand in operands {
            let entry = &mut self.entries[operand.0 as usize];
            entry.uses = entry.uses.saturating_add(1);
            size = size.saturating_add(entry.size);
        }
        let id = Expr(u32::try_from(self.entries.len()).expect("fewer than 2^32 terms"));
        self.entries.push(Entry {
            shape,
            operands: operands.into(),
            uses: 0,
            size,
        });
        id
    }

    pub(super) fn entry(&self, term: Expr) -> &Entry {
        &self.entries[term.0 as usize]
    }
}

/// What is known of terms without evaluating them.
impl Builder {
    /// The value of a constant.
    #[must_use]
    pub fn constant(&self, term: Expr) -> Option<&Integer> {
        match self.entry(term).shape {
            Shape::Integer(index) => Some(&self.integers[index]),
            _ => None,
        }
    }

    /// The name of a variable.
    #[must_use]
    pub fn variable_of(&self, term: Expr) -> Option<Name> {
        match self.entry(term).shape {
            Shape::Variable(name) => Some(name),
            _ => None,
        }
    }

    /// The names that nothing in a term binds, ascending.
    #[must_use]
    pub fn free(&self, term: Expr) -> Vec<Name> {
        self.find_free(term, &mut Map::default()).to_vec()
    }

    pub(super) fn find_free(&self, term: Expr, known: &mut FreeNames) -> Rc<[Name]> {
        if let Some(found) = known.get(&term) {
            return Rc::clone(found);
        }
        let entry = self.entry(term);
        let mut free: Vec<Name> = self.variable_of(term).into_iter().collect();
        for (place, &operand) in entry.operands.iter().enumerate() {
            let found = stack::level(|| self.find_free(operand, known));
            let bound = entry.shape.binds_in(place);
            free.extend(found.iter().filter(|&&name| Some(name) != bound));
        }
        free.sort_unstable();
        free.dedup();
        let free: Rc<[Name]> = free.into();
        known.insert(term, Rc::clone(&free));
        free
    }

    /// How many terms a term is when written out; the largest number where it is more.
    #[must_use]
    pub fn size(&self, term: Expr) -> u64 {
        self.entry(term).size
    }

    /// Whether a number, or each member of a list, is zero or more whatever is rolled, as far as so many levels of the
    /// term show.
    #[must_use]
    pub fn never_negative(&self, term: Expr, levels: u32) -> bool {
        let Some(levels) = levels.checked_sub(1) else {
            return false;
        };
        let entry = self.entry(term);
        let never = |term: &Expr| self.never_negative(*term, levels);
        match entry.shape {
            Shape::Integer(index) => !self.integers[index].is_negative(),
            Shape::Die(_) | Shape::Fold(Folding::Count, _) => true,
            Shape::Arithmetic(Arithmetic::Remainder, _) => never(&entry.operands[0]),
            Shape::Arithmetic(Arithmetic::Max, _) => entry.operands.iter().any(never),
            Shape::Arithmetic(
                Arithmetic::Add
                | Arithmetic::Divide
                | Arithmetic::Multiply
                | Arithmetic::Power
                | Arithmetic::Shift,
                _,
            )
            | Shape::Arrange(_)
            | Shape::Fold(Folding::Product | Folding::Sum, _)
            | Shape::Join
            | Shape::While(_) => entry.operands.iter().all(never),
            Shape::Filter(..) | Shape::Let(_) | Shape::Repeat(_) | Shape::Select(..) => {
                never(&entry.operands[1])
            }
            _ => false,
        }
    }
}

impl Shape {
    /// The name that a term binds in one of its operands.
    pub(super) fn binds_in(self, operand: usize) -> Option<Name> {
        match self {
            Self::Foreach(name) | Self::Let(name) | Self::While(name) if operand == 1 => Some(name),
            _ => None,
        }
    }
}

/// The names that are free in each of some terms.
pub(super) type FreeNames = Map<Expr, Rc<[Name]>>;
