//! Core terms whose variables have names, so that a term can be put anywhere within the binders of its names.
//!
//! The law of a die is used in several places: where the die is rolled first, and wherever it is rolled again, at other depths of
//! binders. [`Terms::program`] turns names into distances in the end.

use std::collections::BTreeMap;

use crate::error::ErrorKind;
use crate::ir::{
    Arena, Arithmetic, Arrangement, Comparison, Folding, Program, Selection, Site, SiteId, Term,
    TermId,
};
use crate::number::Integer;
use crate::stack;

/// A term of [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Expr(u32);

/// A variable. No two binders share one, but for those of a term that is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name(u32);

/// A term without its operands.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Arithmetic(Arithmetic, SiteId),
    Arrange(Arrangement),
    Die(SiteId),
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
    Overflow(SiteId),
    Range(SiteId),
    Repeat(SiteId),
    Select(Selection, SiteId),
    Variable(Name),
    While(Name),
}

#[derive(Debug)]
struct Entry {
    shape: Shape,
    operands: Box<[Expr]>,
    /// The names that nothing in it binds, ascending.
    free: Box<[Name]>,
    /// How many terms it is when written out.
    size: u64,
}

/// Terms, operands before the terms that hold them.
#[derive(Debug, Default)]
pub(super) struct Terms {
    entries: Vec<Entry>,
    integers: Vec<Integer>,
    names: u32,
    arena: Arena,
}

impl Terms {
    pub(super) fn name(&mut self) -> Name {
        self.names += 1;
        Name(self.names)
    }

    pub(super) fn site(&mut self, site: Site) -> SiteId {
        self.arena.site(site)
    }

    /// The names that nothing in a term binds, ascending.
    pub(super) fn free(&self, term: Expr) -> &[Name] {
        &self.entry(term).free
    }

    /// How many terms a term is when written out; the largest number where it is more.
    pub(super) fn size(&self, term: Expr) -> u64 {
        self.entry(term).size
    }

    /// The value of a constant.
    pub(super) fn constant(&self, term: Expr) -> Option<&Integer> {
        match self.entry(term).shape {
            Shape::Integer(index) => Some(&self.integers[index]),
            _ => None,
        }
    }

    /// Whether a term is the constant 1.
    pub(super) fn is_one(&self, term: Expr) -> bool {
        self.constant(term).and_then(Integer::to_i64) == Some(1)
    }

    /// Whether a number is zero or more whatever is rolled, as far as so many levels of the term show.
    pub(super) fn never_negative(&self, term: Expr, levels: u32) -> bool {
        let Some(levels) = levels.checked_sub(1) else {
            return false;
        };
        let entry = self.entry(term);
        let never = |term: &Expr| self.never_negative(*term, levels);
        match entry.shape {
            Shape::Integer(index) => !self.integers[index].is_negative(),
            Shape::Die(_) | Shape::Fold(Folding::Count, _) => true,
            Shape::Arithmetic(Arithmetic::Add | Arithmetic::Divide | Arithmetic::Multiply, _)
            | Shape::Fold(..)
            | Shape::Join => entry.operands.iter().all(never),
            Shape::Arithmetic(Arithmetic::Max, _) => entry.operands.iter().any(never),
            Shape::Let(_) | Shape::Repeat(_) | Shape::Select(..) | Shape::While(_) => {
                never(&entry.operands[1])
                    && (!matches!(entry.shape, Shape::While(_)) || never(&entry.operands[0]))
            }
            _ => false,
        }
    }

    pub(super) fn integer(&mut self, value: impl Into<Integer>) -> Expr {
        self.integers.push(value.into());
        self.add(Shape::Integer(self.integers.len() - 1), &[])
    }

    pub(super) fn variable(&mut self, name: Name) -> Expr {
        self.add(Shape::Variable(name), &[])
    }

    pub(super) fn overflow(&mut self, site: SiteId) -> Expr {
        self.add(Shape::Overflow(site), &[])
    }

    pub(super) fn arithmetic(
        &mut self,
        operator: Arithmetic,
        left: Expr,
        right: Expr,
        site: SiteId,
    ) -> Expr {
        // Two numbers of dice are one.
        if operator == Arithmetic::Multiply
            && let (Some(a), Some(b)) = (self.constant(left), self.constant(right))
            && let Ok(product) = a.mul(b)
        {
            return self.integer(product);
        }
        self.add(Shape::Arithmetic(operator, site), &[left, right])
    }

    /// What is left of `left` after whole multiples of `right`, which has the sign of `right`.
    pub(super) fn modulo(&mut self, left: Expr, right: Expr, site: SiteId) -> Expr {
        let rest = self.arithmetic(Arithmetic::Remainder, left, right, site);
        let above = self.arithmetic(Arithmetic::Add, rest, right, site);
        self.arithmetic(Arithmetic::Remainder, above, right, site)
    }

    pub(super) fn count(&mut self, list: Expr, site: SiteId) -> Expr {
        self.add(Shape::Fold(Folding::Count, site), &[list])
    }

    pub(super) fn sum(&mut self, list: Expr, site: SiteId) -> Expr {
        self.add(Shape::Fold(Folding::Sum, site), &[list])
    }

    pub(super) fn descending(&mut self, list: Expr) -> Expr {
        let ascending = self.ascending(list);
        self.add(Shape::Arrange(Arrangement::Reverse), &[ascending])
    }

    pub(super) fn ascending(&mut self, list: Expr) -> Expr {
        self.add(Shape::Arrange(Arrangement::Sort), &[list])
    }

    pub(super) fn die(&mut self, sides: Expr, site: SiteId) -> Expr {
        self.add(Shape::Die(site), &[sides])
    }

    /// The opposite of a number.
    pub(super) fn negate(&mut self, number: Expr, site: SiteId) -> Expr {
        match self.constant(number).map(Integer::neg) {
            Some(Ok(opposite)) => self.integer(opposite),
            _ => self.add(Shape::Negate(site), &[number]),
        }
    }

    pub(super) fn filter(
        &mut self,
        comparison: Comparison,
        number: Expr,
        list: Expr,
        site: SiteId,
    ) -> Expr {
        self.add(Shape::Filter(comparison, site), &[number, list])
    }

    pub(super) fn join(&mut self, parts: &[Expr]) -> Expr {
        match parts {
            [only] => *only,
            _ => self.add(Shape::Join, parts),
        }
    }

    pub(super) fn range(&mut self, low: Expr, high: Expr, site: SiteId) -> Expr {
        self.add(Shape::Range(site), &[low, high])
    }

    /// A term so many times; once is the term itself.
    pub(super) fn repeat(&mut self, count: Expr, body: Expr, site: SiteId) -> Expr {
        if self.is_one(count) {
            return body;
        }
        self.add(Shape::Repeat(site), &[count, body])
    }

    pub(super) fn select(
        &mut self,
        selection: Selection,
        count: Expr,
        list: Expr,
        site: SiteId,
    ) -> Expr {
        self.add(Shape::Select(selection, site), &[count, list])
    }

    /// One of two terms: the first where the condition has members.
    pub(super) fn choose(&mut self, condition: Expr, yes: Expr, no: Expr) -> Expr {
        self.add(Shape::If, &[condition, yes, no])
    }

    pub(super) fn bind(&mut self, name: Name, value: Expr, body: Expr) -> Expr {
        self.add(Shape::Let(name), &[value, body])
    }

    /// The body for each member; where it is the member, the list itself.
    pub(super) fn foreach(&mut self, name: Name, list: Expr, body: Expr) -> Expr {
        match self.entry(body).shape {
            Shape::Variable(member) if member == name => list,
            _ => self.add(Shape::Foreach(name), &[list, body]),
        }
    }

    pub(super) fn repeat_while(&mut self, name: Name, first: Expr, body: Expr) -> Expr {
        self.add(Shape::While(name), &[first, body])
    }

    /// The program of a term in which nothing is free.
    pub(super) fn program(mut self, root: Expr) -> Program {
        let mut arena = std::mem::take(&mut self.arena);
        let root = Placing {
            terms: &self,
            arena: &mut arena,
            scope: Vec::new(),
            placed: BTreeMap::new(),
        }
        .place(root);
        Program::new(arena, root)
    }

    fn entry(&self, term: Expr) -> &Entry {
        &self.entries[term.0 as usize]
    }

    fn add(&mut self, shape: Shape, operands: &[Expr]) -> Expr {
        let mut free: Vec<Name> = Vec::new();
        let mut size = 1_u64;
        for (place, &operand) in operands.iter().enumerate() {
            let entry = self.entry(operand);
            let bound = shape.binds().filter(|_| place == 1);
            free.extend(entry.free.iter().filter(|&&name| Some(name) != bound));
            size = size.saturating_add(entry.size);
        }
        if let Shape::Variable(name) = shape {
            free.push(name);
        }
        free.sort_unstable();
        free.dedup();
        let id = Expr(u32::try_from(self.entries.len()).expect("fewer than 2^32 terms"));
        self.entries.push(Entry {
            shape,
            operands: operands.into(),
            free: free.into(),
            size,
        });
        id
    }
}

impl Shape {
    /// The name that a term binds in its second operand.
    fn binds(self) -> Option<Name> {
        match self {
            Self::Foreach(name) | Self::Let(name) | Self::While(name) => Some(name),
            _ => None,
        }
    }
}

/// Names to distances. What a term becomes depends on how far its free names are alone.
struct Placing<'t> {
    terms: &'t Terms,
    arena: &'t mut Arena,
    /// The names in scope, the innermost last.
    scope: Vec<Name>,
    placed: BTreeMap<(Expr, Vec<u32>), TermId>,
}

impl Placing<'_> {
    fn place(&mut self, term: Expr) -> TermId {
        let terms = self.terms;
        let entry = terms.entry(term);
        let distances = entry.free.iter().map(|&name| self.distance(name)).collect();
        let key = (term, distances);
        if let Some(&placed) = self.placed.get(&key) {
            return placed;
        }
        let operands = entry.operands.iter().enumerate();
        let operands: Vec<TermId> = operands
            .map(|(place, &operand)| {
                let bound = entry.shape.binds().filter(|_| place == 1);
                self.scope.extend(bound);
                let placed = stack::level(|| self.place(operand));
                if bound.is_some() {
                    self.scope.pop();
                }
                placed
            })
            .collect();
        let placed = self.term(entry.shape, &operands);
        self.placed.insert(key, placed);
        placed
    }

    fn term(&mut self, shape: Shape, operands: &[TermId]) -> TermId {
        let term = match (shape, operands) {
            (Shape::Arithmetic(operator, site), &[a, b]) => Term::Arithmetic(operator, a, b, site),
            (Shape::Arrange(arrangement), &[e]) => Term::Arrange(arrangement, e),
            (Shape::Die(site), &[sides]) => Term::Die(sides, site),
            (Shape::Filter(comparison, site), &[a, e]) => Term::Filter(comparison, a, e, site),
            (Shape::Fold(folding, site), &[e]) => Term::Fold(folding, e, site),
            (Shape::Foreach(_), &[e, f]) => Term::Foreach(e, f),
            (Shape::If, &[c, e, f]) => Term::If(c, e, f),
            (Shape::Integer(index), _) => Term::Integer(self.terms.integers[index].clone()),
            (Shape::Let(_), &[e, f]) => Term::Let(e, f),
            (Shape::Negate(site), &[a]) => Term::Negate(a, site),
            (Shape::Overflow(site), _) => Term::Fail(ErrorKind::Overflow, site),
            (Shape::Range(site), &[a, b]) => Term::Range(a, b, site),
            (Shape::Repeat(site), &[n, e]) => Term::Repeat(n, e, site),
            (Shape::Select(selection, site), &[n, e]) => Term::Select(selection, n, e, site),
            (Shape::Variable(name), _) => Term::Variable(self.distance(name)),
            (Shape::While(_), &[e, f]) => Term::While(e, f),
            // A join; the others have as many operands as their constructors give them.
            _ => return self.arena.join(operands.iter().copied()),
        };
        self.arena.add(term)
    }

    fn distance(&self, name: Name) -> u32 {
        let distance = self.scope.iter().rev().position(|&bound| bound == name);
        let distance = distance.expect("a name is used within its binder");
        u32::try_from(distance).expect("the depth of nesting is limited")
    }
}
