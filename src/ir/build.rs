//! A builder of core programs whose variables have names.
//!
//! The caller makes one call for each term, operands first. [`Builder::program`] then makes a [`Program`](super::Program), in
//! which a variable is the distance to its binder. A term with free names can stand anywhere within the binders of those
//! names, and at several places: only [`Builder::program`] counts binders, and no caller needs to know the depth of a term.
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

use super::arena::{Arena, Program};
use super::choice::Choice;
use super::term::{
    Arithmetic, Arrangement, Candidates, Comparison, Faces, Folding, Selection, Site, SiteId,
    TermId,
};
use crate::error::ErrorKind;
use crate::limits::{Budget, LimitReached};
use crate::map::Map;
use crate::number::Integer;
use crate::stack;

/// A term of a [`Builder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(u32);

/// A variable of a [`Builder`]. Two binders share a name only where a term that contains a binder is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub(super) u32);

/// A builder of one program.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    pub(super) entries: Vec<BuiltTerm>,
    pub(super) integers: Vec<Integer>,
    /// The bytes of all integers.
    integer_bytes: u64,
    pub(super) faces: Vec<Faces>,
    pub(super) choices: Vec<Choice<Name>>,
    pub(super) names: u32,
    /// For names that stand for a term or for its members, that term, if it is known.
    meanings: Map<Name, Expr>,
    /// Holds only sites, and the program of [`Builder::around`], until [`Builder::program`] adds the terms.
    pub(super) arena: Arena,
}

/// A term without its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Arithmetic(Arithmetic, SiteId),
    Arrange(Arrangement),
    /// An index into [`Builder::choices`]; the second operand is the body.
    Best(Candidates, Name, usize),
    Compare,
    Die(SiteId),
    Difference(SiteId),
    Fail(ErrorKind, SiteId),
    Filter(Comparison, SiteId),
    Fold(Folding, SiteId),
    /// The second operand is the body.
    Foreach(Name),
    If,
    /// An index into [`Builder::integers`]; it has no operand.
    Integer(usize),
    Join,
    Let(Name),
    Negate(SiteId),
    /// An index into [`Builder::faces`]; it has no operand.
    Pick(usize),
    /// A term without free variables that is in the arena; it has no operand.
    Placed(TermId),
    Range(SiteId),
    Reject(SiteId),
    Repeat(SiteId),
    Select(Selection, SiteId),
    Variable(Name),
    Play(Name),
    While(Name),
    Without,
}

#[derive(Clone, Debug)]
pub(super) struct BuiltTerm {
    pub(super) shape: Shape,
    pub(super) operands: Box<[Expr]>,
    /// How often the term is an operand.
    pub(super) uses: u32,
    /// The number of terms in the term, with shared terms counted each time.
    size: u64,
    /// See [`Builder::is_plain`].
    is_plain: bool,
}

/// One constructor for each [`Term`](super::Term), which says what it means.
impl Builder {
    /// A builder without terms.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A builder of programs that use the value of another program, and the term of this value.
    #[must_use]
    pub fn around(program: &Program) -> (Self, Expr) {
        let mut build = Self {
            arena: program.arena().clone(),
            ..Self::default()
        };
        let value = build.add(Shape::Placed(program.root()), &[]);
        (build, value)
    }

    /// Fails if the terms so far exceed the limits of a budget, or if its time is over.
    ///
    /// # Errors
    ///
    /// Those of [`Budget::check`].
    pub fn within(&self, budget: &Budget<'_>) -> Result<(), LimitReached> {
        let entries = self.entries.len() * size_of::<BuiltTerm>();
        budget.holds(entries as u64 + self.integer_bytes)
    }

    /// A name that no binder has yet.
    pub fn name(&mut self) -> Name {
        self.names += 1;
        Name(self.names)
    }

    /// A name for the value of a term, or for a member of it, of which [`Builder::bounds`] knows the bounds.
    pub fn name_of(&mut self, value: Expr) -> Name {
        let name = self.name();
        self.meanings.insert(name, value);
        name
    }

    /// The term whose value or member a name stands for, if [`Builder::name_of`] made the name.
    pub(super) fn meaning(&self, name: Name) -> Option<Expr> {
        self.meanings.get(&name).copied()
    }

    /// Records a place, for terms that can fail.
    pub fn site(&mut self, site: Site) -> SiteId {
        self.arena.site(site)
    }

    /// The variable with this name.
    pub fn variable(&mut self, name: Name) -> Expr {
        self.add(Shape::Variable(name), &[])
    }

    /// `body`, in which the name stands for a value that is evaluated once.
    pub fn bind(&mut self, name: Name, value: Expr, body: Expr) -> Expr {
        self.add(Shape::Let(name), &[value, body])
    }

    /// The values of `body` joined, for each member of a list; the name stands for the member.
    pub fn foreach(&mut self, name: Name, list: Expr, body: Expr) -> Expr {
        self.of_loop(list, |build, list| {
            build.add(Shape::Foreach(name), &[list, body])
        })
    }

    /// The value of `body` for the candidate of a list that gives `body` the greatest mean; the name stands for the candidate.
    pub fn best(
        &mut self,
        candidates: Candidates,
        name: Name,
        list: Expr,
        body: Expr,
        choice: Choice<Name>,
    ) -> Expr {
        self.choices.push(choice);
        let shape = Shape::Best(candidates, name, self.choices.len() - 1);
        self.add(shape, &[list, body])
    }

    /// The values of `first`, then of `body` again and again until a value is empty, joined; the name stands for the
    /// previous value.
    pub fn repeat_while(&mut self, name: Name, first: Expr, body: Expr) -> Expr {
        self.add(Shape::While(name), &[first, body])
    }

    /// The number `worth` for the last state of a game. The first state is `first`, and the next states are values of `body` until one is
    /// empty. In `body` and in `worth` the name stands for the state.
    pub fn play(&mut self, name: Name, first: Expr, body: Expr, worth: Expr) -> Expr {
        self.add(Shape::Play(name), &[first, body, worth])
    }

    /// A constant.
    pub fn integer(&mut self, value: impl Into<Integer>) -> Expr {
        let value = value.into();
        self.integer_bytes += value.bytes();
        self.integers.push(value);
        self.add(Shape::Integer(self.integers.len() - 1), &[])
    }

    /// The empty list.
    pub fn empty(&mut self) -> Expr {
        self.add(Shape::Join, &[])
    }

    /// Lists, one after the other. A single part is returned as it is.
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

    /// A die with this number of sides.
    pub fn die(&mut self, sides: Expr, site: SiteId) -> Expr {
        self.add(Shape::Die(site), &[sides])
    }

    /// One of some faces, each as likely as its weight says.
    ///
    /// # Panics
    ///
    /// If there is no face, or a weight is less than 1.
    pub fn pick(&mut self, faces: Vec<(Integer, Integer)>) -> Expr {
        self.faces.push(Faces::new(faces));
        self.add(Shape::Pick(self.faces.len() - 1), &[])
    }

    /// The order of two lists as multisets: -1, 0 or 1.
    pub fn compare(&mut self, left: Expr, right: Expr) -> Expr {
        self.add(Shape::Compare, &[left, right])
    }

    /// A list without the members of another, as far as it has them.
    pub fn without(&mut self, list: Expr, taken: Expr) -> Expr {
        self.add(Shape::Without, &[list, taken])
    }

    /// The opposite of a number.
    pub fn negate(&mut self, number: Expr, site: SiteId) -> Expr {
        self.add(Shape::Negate(site), &[number])
    }

    /// Two numbers combined by an operator.
    pub fn arithmetic(
        &mut self,
        operator: Arithmetic,
        left: Expr,
        right: Expr,
        site: SiteId,
    ) -> Expr {
        self.add(Shape::Arithmetic(operator, site), &[left, right])
    }

    /// A list reduced to a number. Lists of which one is a loop's last state are reduced one by one.
    pub fn fold(&mut self, folding: Folding, list: Expr, site: SiteId) -> Expr {
        let operator = match folding {
            Folding::Count | Folding::Sum => Some(Arithmetic::Add),
            Folding::Product => Some(Arithmetic::Multiply),
            Folding::Only => None,
        };
        if let Some((operator, parts)) = operator.zip(self.parts_with_loops(list)) {
            let numbers = parts.iter().map(|&part| self.fold(folding, part, site));
            let numbers: Vec<Expr> = numbers.collect();
            let all = numbers.into_iter();
            if let Some(all) = all.reduce(|a, b| self.arithmetic(operator, a, b, site)) {
                return all;
            }
        }
        self.of_loop(list, |build, list| {
            build.add(Shape::Fold(folding, site), &[list])
        })
    }

    /// A list in another order.
    pub fn arrange(&mut self, arrangement: Arrangement, list: Expr) -> Expr {
        self.of_loop(list, |build, list| {
            build.add(Shape::Arrange(arrangement), &[list])
        })
    }

    /// The values of `body` joined, evaluated afresh `count` times.
    pub fn repeat(&mut self, count: Expr, body: Expr, site: SiteId) -> Expr {
        self.add(Shape::Repeat(site), &[count, body])
    }

    /// `count` members of a list.
    pub fn select(&mut self, selection: Selection, count: Expr, list: Expr, site: SiteId) -> Expr {
        self.of_loop(list, |build, list| {
            build.add(Shape::Select(selection, site), &[count, list])
        })
    }

    /// The members of a list for which the comparison with a number holds.
    pub fn filter(
        &mut self,
        comparison: Comparison,
        number: Expr,
        list: Expr,
        site: SiteId,
    ) -> Expr {
        self.of_loop(list, |build, list| {
            build.add(Shape::Filter(comparison, site), &[number, list])
        })
    }

    /// A list without the members of another.
    pub fn difference(&mut self, list: Expr, taken: Expr, site: SiteId) -> Expr {
        self.add(Shape::Difference(site), &[list, taken])
    }

    /// `yes` where the condition has a member, else `no`.
    pub fn choose(&mut self, condition: Expr, yes: Expr, no: Expr) -> Expr {
        self.add(Shape::If, &[condition, yes, no])
    }

    /// An error at a place.
    pub fn fail(&mut self, kind: ErrorKind, site: SiteId) -> Expr {
        self.add(Shape::Fail(kind, site), &[])
    }

    /// No value: the roll is left out. The term may only stand where the value of a program is decided, see [`super::Term::Reject`].
    pub fn reject(&mut self, site: SiteId) -> Expr {
        self.add(Shape::Reject(site), &[])
    }

    /// The number of terms that were made.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no term was made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A term that looks at a list. If the list is the last state of a loop, or is computed from it, the term gets a name for that state:
    /// `count 6s in (loop)` becomes `let state = (loop) in count 6s in state`. So everything that is asked of the end of a loop is in one
    /// body, however a rule is spelled.
    fn of_loop(&mut self, list: Expr, made: impl FnOnce(&mut Self, Expr) -> Expr) -> Expr {
        if self.is_last_state(list) {
            let name = self.name_of(list);
            let state = self.variable(name);
            let body = made(self, state);
            return self.bind(name, list, body);
        }
        let entry = self.entry(list);
        match (entry.shape, &*entry.operands) {
            (Shape::Let(name), &[value, body])
                if self.is_last_state(value) && !self.rolls(body, false) =>
            {
                let body = made(self, body);
                self.bind(name, value, body)
            }
            _ => made(self, list),
        }
    }

    /// The parts of a list, if one of them is the last state of a loop, or is computed from it.
    fn parts_with_loops(&self, list: Expr) -> Option<Box<[Expr]>> {
        let is_of_loop = |&part: &Expr| {
            let BuiltTerm {
                shape, operands, ..
            } = self.entry(part);
            let is_made = matches!(shape, Shape::Let(_)) && self.is_last_state(operands[0]);
            self.is_last_state(part) || is_made
        };
        let BuiltTerm {
            shape, operands, ..
        } = self.entry(list);
        let has_loops = *shape == Shape::Join && operands.iter().any(is_of_loop);
        has_loops.then(|| operands.clone())
    }

    /// Whether a term is a state of several members that a loop ends with.
    fn is_last_state(&self, term: Expr) -> bool {
        let entry = self.entry(term);
        let is_one = |count: &Integer| *count == Integer::ONE;
        let are_several = |count| self.constant(count).is_some_and(|count| !is_one(count));
        let of_loop = |list: Expr| matches!(self.entry(list).shape, Shape::While(_));
        matches!(entry.shape, Shape::Select(Selection::Last, _))
            && are_several(entry.operands[0])
            && of_loop(entry.operands[1])
    }

    fn add(&mut self, shape: Shape, operands: &[Expr]) -> Expr {
        let mut size = 1_u64;
        let mut is_plain = shape.is_plain();
        for operand in operands {
            let entry = &mut self.entries[operand.0 as usize];
            entry.uses = entry.uses.saturating_add(1);
            size = size.saturating_add(entry.size);
            is_plain &= entry.is_plain;
        }
        let id = Expr(u32::try_from(self.entries.len()).expect("fewer than 2^32 terms"));
        self.entries.push(BuiltTerm {
            shape,
            operands: operands.into(),
            uses: 0,
            size,
            is_plain,
        });
        id
    }

    pub(super) fn entry(&self, term: Expr) -> &BuiltTerm {
        &self.entries[term.0 as usize]
    }
}

/// Questions about a term that need no evaluation.
impl Builder {
    /// The value of a term that is a constant.
    #[must_use]
    pub fn constant(&self, term: Expr) -> Option<&Integer> {
        match self.entry(term).shape {
            Shape::Integer(index) => Some(&self.integers[index]),
            _ => None,
        }
    }

    /// The name of a term that is a variable.
    #[must_use]
    pub fn variable_of(&self, term: Expr) -> Option<Name> {
        match self.entry(term).shape {
            Shape::Variable(name) => Some(name),
            _ => None,
        }
    }

    /// The free names of a term, ascending.
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

    /// The number of terms in a term, with shared terms counted each time; at most [`u64::MAX`].
    #[must_use]
    pub fn size(&self, term: Expr) -> u64 {
        self.entry(term).size
    }

    /// Whether a term has nothing but operators on constants and variables. If its value is known, it need not be evaluated.
    #[must_use]
    pub fn is_plain(&self, term: Expr) -> bool {
        self.entry(term).is_plain
    }

    /// The faces of a term that picks one of some, in ascending order.
    #[must_use]
    pub fn faces(&self, term: Expr) -> Option<Vec<Integer>> {
        let Shape::Pick(index) = self.entry(term).shape else {
            return None;
        };
        let faces = self.faces[index].weighted().iter();
        let mut faces: Vec<Integer> = faces.map(|(face, _)| face.clone()).collect();
        faces.sort();
        Some(faces)
    }

    /// How many rolls of a die a list is, and the die.
    #[must_use]
    pub fn dice(&self, list: Expr) -> Option<(Expr, Expr)> {
        let BuiltTerm {
            shape: Shape::Repeat(_),
            ref operands,
            ..
        } = *self.entry(list)
        else {
            return None;
        };
        let (count, die) = (operands[0], operands[1]);
        matches!(self.entry(die).shape, Shape::Die(_) | Shape::Pick(_)).then_some((count, die))
    }

    /// Whether a term rolls, or has a name for the value of a term that rolls.
    #[must_use]
    pub fn is_random(&self, term: Expr) -> bool {
        self.rolls(term, true)
    }

    /// Whether a term rolls. If `names_count`, a term also rolls if it has a name for the value of a term that rolls.
    fn rolls(&self, term: Expr, names_count: bool) -> bool {
        let mut seen: Map<Expr, ()> = Map::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if seen.insert(term, ()).is_some() {
                continue;
            }
            let entry = self.entry(term);
            match entry.shape {
                Shape::Arrange(Arrangement::Shuffle) | Shape::Die(_) | Shape::Pick(_) => {
                    return true;
                }
                Shape::Variable(name) if names_count => open.extend(self.meaning(name)),
                _ => open.extend(entry.operands.iter().copied()),
            }
        }
        false
    }

    /// Whether the first `levels` levels of a term prove that each member of its value is zero or more in every outcome.
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
            | Shape::Play(_)
            | Shape::While(_) => entry.operands.iter().all(never),
            Shape::Filter(..) | Shape::Let(_) | Shape::Repeat(_) | Shape::Select(..) => {
                never(&entry.operands[1])
            }
            _ => false,
        }
    }
}

impl Shape {
    /// Whether the operator neither rolls nor fails, if its value is known, and binds nothing.
    fn is_plain(self) -> bool {
        match self {
            Self::Arrange(arrangement) => arrangement != Arrangement::Shuffle,
            Self::Arithmetic(..)
            | Self::Filter(..)
            | Self::Fold(..)
            | Self::If
            | Self::Integer(_)
            | Self::Join
            | Self::Negate(_)
            | Self::Range(_)
            | Self::Select(..)
            | Self::Variable(_) => true,
            _ => false,
        }
    }

    /// The name that a term binds in one of its operands.
    pub(super) fn binds_in(self, operand: usize) -> Option<Name> {
        match self {
            Self::Best(_, name, _) | Self::Foreach(name) | Self::Let(name) | Self::While(name)
                if operand == 1 =>
            {
                Some(name)
            }
            Self::Play(name) if operand > 0 => Some(name),
            _ => None,
        }
    }
}

/// The free names of terms.
pub(super) type FreeNames = Map<Expr, Rc<[Name]>>;
