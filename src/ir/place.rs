//! Makes a program from the terms of a builder: a name becomes the distance to its binder.
//!
//! The resulting term depends only on the builder's term and on the distances of its free names. So a term that is used more
//! than once is made once for each combination of these distances.

use super::arena::{Arena, Program};
use super::build::{Builder, Expr, FreeNames, Name, Shape};
use super::choice::Choice;
use super::term::{ChoiceId, Term, TermId};
use crate::map::Map;
use crate::stack;

impl Builder {
    /// The program that evaluates a term.
    ///
    /// # Panics
    ///
    /// If the term has a free name.
    #[must_use]
    pub fn program(mut self, root: Expr) -> Program {
        let mut arena = std::mem::take(&mut self.arena);
        arena.reserve(self.entries.len());
        let root = Placing {
            builder: &self,
            arena: &mut arena,
            depth: 0,
            levels: vec![None; self.names as usize + 1],
            free: Map::default(),
            placed: Map::default(),
        }
        .place(root);
        Program::new(arena, root)
    }
}

struct Placing<'b> {
    builder: &'b Builder,
    arena: &'b mut Arena,
    /// The number of binders around the term that is being placed.
    depth: u32,
    /// For each name in scope, the number of binders around its binder.
    levels: Vec<Option<u32>>,
    /// The free names of the terms that are used more than once.
    free: FreeNames,
    /// The results for terms that are used more than once, by the distances of their free names.
    placed: Map<(Expr, Box<[u32]>), TermId>,
}

impl Placing<'_> {
    fn place(&mut self, term: Expr) -> TermId {
        let entry = self.builder.entry(term);
        if let Shape::Placed(placed) = entry.shape {
            return placed;
        }
        if entry.uses <= 1 || entry.operands.is_empty() {
            return self.place_anew(term);
        }
        let free = self.builder.find_free(term, &mut self.free);
        let distances = free.iter().map(|&name| self.distance(name)).collect();
        let key = (term, distances);
        if let Some(&placed) = self.placed.get(&key) {
            return placed;
        }
        let placed = self.place_anew(term);
        self.placed.insert(key, placed);
        placed
    }

    fn place_anew(&mut self, term: Expr) -> TermId {
        let builder = self.builder;
        // A long text can nest thousands of bindings: a loop needs no stack for them.
        let mut bindings = Vec::new();
        let mut body = term;
        loop {
            let entry = builder.entry(body);
            let (Shape::Let(name), &[value, inner]) = (entry.shape, &*entry.operands) else {
                break;
            };
            if entry.uses > 1 && body != term {
                break;
            }
            let value = stack::level(|| self.place(value));
            bindings.push((name, value, self.enter(name)));
            body = inner;
        }
        let mut placed = if bindings.is_empty() {
            self.place_operands(term)
        } else {
            stack::level(|| self.place(body))
        };
        for (name, value, outer) in bindings.into_iter().rev() {
            self.leave(name, outer);
            placed = self.arena.add(Term::Let(value, placed));
        }
        placed
    }

    fn place_operands(&mut self, term: Expr) -> TermId {
        let entry = self.builder.entry(term);
        let mut operands = Vec::with_capacity(entry.operands.len());
        for (place, &operand) in entry.operands.iter().enumerate() {
            let bound = entry.shape.binds_in(place);
            let outer = bound.map(|name| (name, self.enter(name)));
            operands.push(stack::level(|| self.place(operand)));
            if let Some((name, outer)) = outer {
                self.leave(name, outer);
            }
        }
        if let (Shape::Best(candidates, _, index), &[list, body]) = (entry.shape, &operands[..]) {
            let choice = self.choice(term, index);
            return self.arena.add(Term::Best(candidates, list, body, choice));
        }
        self.term(entry.shape, &operands)
    }

    /// Enters the scope of a name and returns the level that the name had outside.
    fn enter(&mut self, name: Name) -> Option<u32> {
        self.depth += 1;
        self.levels[name.0 as usize].replace(self.depth - 1)
    }

    fn leave(&mut self, name: Name, outer: Option<u32>) {
        self.depth -= 1;
        self.levels[name.0 as usize] = outer;
    }

    fn term(&mut self, shape: Shape, operands: &[TermId]) -> TermId {
        let term = match (shape, operands) {
            (Shape::Arithmetic(operator, site), &[a, b]) => Term::Arithmetic(operator, a, b, site),
            (Shape::Arrange(arrangement), &[e]) => Term::Arrange(arrangement, e),
            (Shape::Compare, &[e, f]) => Term::Compare(e, f),
            (Shape::Without, &[e, f]) => Term::Without(e, f),
            (Shape::Pick(index), _) => Term::Pick(self.builder.faces[index].clone()),
            (Shape::Die(site), &[sides]) => Term::Die(sides, site),
            (Shape::Difference(site), &[e, f]) => Term::Difference(e, f, site),
            (Shape::Fail(kind, site), _) => Term::Fail(kind, site),
            (Shape::Reject(site), _) => Term::Reject(site),
            (Shape::Filter(comparison, site), &[a, e]) => Term::Filter(comparison, a, e, site),
            (Shape::Fold(folding, site), &[e]) => Term::Fold(folding, e, site),
            (Shape::Foreach(_), &[e, f]) => Term::Foreach(e, f),
            (Shape::If, &[c, e, f]) => Term::If(c, e, f),
            (Shape::Integer(index), _) => Term::Integer(self.builder.integers[index].clone()),
            (Shape::Let(_), &[e, f]) => Term::Let(e, f),
            (Shape::Negate(site), &[a]) => Term::Negate(a, site),
            (Shape::Range(site), &[a, b]) => Term::Range(a, b, site),
            (Shape::Repeat(site), &[n, e]) => Term::Repeat(n, e, site),
            (Shape::Select(selection, site), &[n, e]) => Term::Select(selection, n, e, site),
            (Shape::Variable(name), _) => Term::Variable(self.distance(name)),
            (Shape::Play(_), &[e, f, g]) => Term::Play(e, f, g),
            (Shape::While(_), &[e, f]) => Term::While(e, f),
            // Only a join is left: every other constructor fixes its number of operands.
            _ => return self.arena.join(operands.iter().copied()),
        };
        self.arena.add(term)
    }

    /// What is known of a choice at this place. Of the names around it, only its free names are surely in scope.
    fn choice(&mut self, term: Expr, index: usize) -> ChoiceId {
        let free = self.builder.find_free(term, &mut self.free);
        let choice = &self.builder.choices[index];
        let variables = choice.variables.iter();
        let variables = variables.filter(|(_, name)| free.contains(name));
        let variables = variables.map(|(text, name)| (text.clone(), self.distance(*name)));
        let placed = Choice {
            site: choice.site,
            chosen: choice.chosen.clone(),
            list: choice.list.clone(),
            aim: choice.aim,
            known: choice.known.clone(),
            variables: variables.collect(),
        };
        self.arena.choice(placed)
    }

    fn distance(&self, name: Name) -> u32 {
        let level = self.levels[name.0 as usize].expect("a name is used within its binder");
        self.depth - 1 - level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_that_is_used_at_two_depths_counts_binders_anew() {
        let mut build = Builder::new();
        let [outer, inner] = [build.name(), build.name()];
        let [one, two] = [build.integer(1), build.integer(2)];
        let x = build.variable(outer);
        let y = build.variable(inner);
        let below = build.join(&[x, y]);
        let below = build.bind(inner, two, below);
        let both = build.join(&[x, below]);
        let root = build.bind(outer, one, both);
        let text = "(let x0 1 (join x0 (let x1 2 (join x0 x1))))";
        assert_eq!(build.program(root).to_string(), text);
    }

    #[test]
    fn a_term_with_a_binder_in_it_can_be_used_twice() {
        let mut build = Builder::new();
        let name = build.name();
        let one = build.integer(1);
        let x = build.variable(name);
        let twice = build.join(&[x, x]);
        let part = build.bind(name, one, twice);
        let nested = build.bind(name, part, twice);
        let text = "(let x0 (let x0 1 (join x0 x0)) (join x0 x0))";
        assert_eq!(build.program(nested).to_string(), text);
    }
}
