use std::hash::BuildHasher;

use hashbrown::HashTable;

use super::choice::Choice;
use super::shape::Shape;
use super::term::{Arithmetic, Arrangement, ChoiceId, Site, SiteId, Term, TermId};
use crate::map::ValueHasher;
use crate::number::{Integer, Unit};
use crate::source::Span;

/// Hash-consed terms: equal terms have equal ids, and children come before parents.
///
/// A term that can fail contains its site. So two divisions at two places are two terms, with one error each. Equal terms
/// that cannot fail are one term.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    terms: Vec<Term>,
    sites: Vec<Site>,
    choices: Vec<Choice>,
    index: HashTable<TermId>,
    hasher: ValueHasher,
}

impl Arena {
    /// An arena without terms.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for so many more terms.
    pub(super) fn reserve(&mut self, terms: usize) {
        let Self {
            terms: known,
            index,
            hasher,
            ..
        } = self;
        known.reserve(terms);
        index.reserve(terms, |id| hasher.hash_one(&known[id.0 as usize]));
    }

    /// The id of a term, the same for equal terms.
    ///
    /// # Panics
    ///
    /// Beyond 2³² terms, which no text below the length limit reaches.
    pub fn add(&mut self, term: Term) -> TermId {
        let hash = self.hasher.hash_one(&term);
        if let Some(&id) = self
            .index
            .find(hash, |id| self.terms[id.0 as usize] == term)
        {
            return id;
        }
        let id = TermId(u32::try_from(self.terms.len()).expect("fewer than 2^32 terms"));
        self.terms.push(term);
        self.index.insert_unique(hash, id, |id| {
            self.hasher.hash_one(&self.terms[id.0 as usize])
        });
        id
    }

    /// The id of a constant.
    pub fn integer(&mut self, value: impl Into<Integer>) -> TermId {
        self.add(Term::Integer(value.into()))
    }

    /// The id of the parts joined. Nested joins are flattened, and a single part is returned as it is.
    pub fn join(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let mut flat = Vec::new();
        for part in parts {
            match self.term(part) {
                Term::Join(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        match flat[..] {
            [only] => only,
            _ => self.add(Term::Join(flat.into())),
        }
    }

    /// The id of the empty list.
    pub fn empty(&mut self) -> TermId {
        self.add(Term::Join(Box::default()))
    }

    /// Records a place.
    ///
    /// # Panics
    ///
    /// Beyond 2³² sites, which no text below the length limit reaches.
    pub fn site(&mut self, site: Site) -> SiteId {
        let id = SiteId(u32::try_from(self.sites.len()).expect("fewer than 2^32 sites"));
        self.sites.push(site);
        id
    }

    /// Records what is known of a choice.
    ///
    /// # Panics
    ///
    /// Beyond 2³² choices, which no text below the length limit reaches.
    pub fn choice(&mut self, choice: Choice) -> ChoiceId {
        let id = ChoiceId(u32::try_from(self.choices.len()).expect("fewer than 2^32 choices"));
        self.choices.push(choice);
        id
    }

    /// The choice of an id.
    #[must_use]
    pub fn choice_of(&self, id: ChoiceId) -> &Choice {
        &self.choices[id.0 as usize]
    }

    /// Whether the operator of a term alone shows that each value is a number.
    pub(crate) fn is_number(&self, id: TermId) -> bool {
        match self.term(id) {
            Term::Best(.., choice) => self.choice_of(*choice).aim.is_none(),
            term => term.is_number(),
        }
    }

    /// Whether a term may be a choice.
    #[must_use]
    pub fn has_choices(&self) -> bool {
        !self.choices.is_empty()
    }

    /// The term of an id.
    #[must_use]
    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id.0 as usize]
    }

    /// All terms. The id of a term is its place, and children come before parents.
    pub(crate) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The site of an id.
    #[must_use]
    pub fn site_of(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }

    /// The number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are no terms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// A core program: a term without free variables in its arena, and the question about its value.
#[derive(Clone, Debug)]
pub struct Program {
    arena: Arena,
    root: TermId,
    aim: Aim,
    unit: Unit,
    shape: Shape,
}

/// The question about a program's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Aim {
    /// The value itself.
    Value,
    /// The share of each number among the members: its expected count over the expected number of members. A value that
    /// is always empty has no shares: the error `domain` at this place.
    Share(Span),
}

impl Program {
    /// The program that evaluates `root`, a term without free variables.
    #[must_use]
    pub fn new(arena: Arena, root: TermId) -> Self {
        Self {
            arena,
            root,
            aim: Aim::Value,
            unit: Unit::WHOLE,
            shape: Shape::Numbers,
        }
    }

    /// The program that evaluates a term of an arena where its free variables have these values. The variables ascend.
    pub(crate) fn closed(
        arena: &Arena,
        term: TermId,
        variables: impl IntoIterator<Item = (u32, Vec<Integer>)>,
    ) -> Self {
        let mut arena = arena.clone();
        let mut root = term;
        let mut next = 0;
        for (variable, value) in variables {
            let nothing = arena.empty();
            for _ in next..variable {
                root = arena.add(Term::Let(nothing, root));
            }
            let members: Vec<TermId> = value
                .into_iter()
                .map(|member| arena.integer(member))
                .collect();
            let value = arena.join(members);
            root = arena.add(Term::Let(value, root));
            next = variable + 1;
        }
        Self::new(arena, root)
    }

    /// The same program with its result in this unit: in halves, the value 3 of the root stands for `3/2`.
    #[must_use]
    pub fn in_parts(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }

    /// The same program, whose members are read by this shape.
    #[must_use]
    pub fn shaped(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// What the members of the root's value stand for.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// As [`Program::shape`], to be changed.
    pub fn shape_mut(&mut self) -> &mut Shape {
        &mut self.shape
    }

    /// The same question about another term.
    pub(super) fn replaced(&self, arena: Arena, root: TermId) -> Self {
        Self {
            arena,
            root,
            aim: self.aim,
            unit: self.unit.clone(),
            shape: self.shape.clone(),
        }
    }

    /// The unit of the members of the root's value.
    #[must_use]
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// A program with the same result in another unit, in which the numbers of this unit are whole; `None` if they are not.
    #[must_use]
    pub fn converted(mut self, unit: &Unit) -> Option<Self> {
        if self.shape != Shape::Numbers {
            return Some(self);
        }
        let factor = unit.parts_of(&self.unit)?;
        if factor != Integer::ONE {
            let site = self.arena.site(Site::at(Span::default()));
            let factor = self.arena.integer(factor);
            let member = self.arena.add(Term::Variable(0));
            let scaled = Term::Arithmetic(Arithmetic::Multiply, member, factor, site);
            let body = self.arena.add(scaled);
            self.root = self.arena.add(Term::Foreach(self.root, body));
            self.unit = unit.clone();
        }
        Some(self)
    }

    /// The program that asks for the share of each number among the members of this program's value. The place is that of
    /// the error `domain`, for a value that is always empty.
    #[must_use]
    pub fn as_share(mut self, place: Span) -> Self {
        self.aim = Aim::Share(place);
        self
    }

    /// The question about the value of the root.
    #[must_use]
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// The terms.
    #[must_use]
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The term whose value is the result.
    #[must_use]
    pub fn root(&self) -> TermId {
        self.root
    }

    /// Whether the operator of the root alone shows that the members ascend.
    #[must_use]
    pub fn is_sorted(&self) -> bool {
        let root = self.arena.term(self.root);
        matches!(root, Term::Arrange(Arrangement::Sort, _) | Term::Range(..))
    }

    /// The program whose result is the multiset of this program's members: the same members in ascending order.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        if matches!(self.shape, Shape::Record { .. }) {
            return self;
        }
        if !self.is_sorted() && !self.arena.is_number(self.root) {
            self.root = self.arena.add(Term::Arrange(Arrangement::Sort, self.root));
        }
        self
    }
}
