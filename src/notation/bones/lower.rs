//! A tree to a core program: names become distances to their binders, and the two tables, which by now
//! differ in two operators alone, become one language.

use std::collections::BTreeMap;

use super::table::Table;
use super::tree::{Binder, Binding, By, Filter, Modifier, Node, Operator, Tree, Word};
use crate::error::ErrorKind;
use crate::ir::{
    Arena, Arithmetic, Arrangement, Comparison, Folding, Program, Selection, Site, SiteId, Term,
    TermId,
};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// A name that nothing binds.
#[derive(Debug)]
pub(super) struct Unbound<'t> {
    pub(super) name: Span,
    /// The names that are bound there, the innermost last.
    pub(super) scope: Vec<&'t str>,
}

/// The program of a tree, or the first place of each name without a value.
pub(super) fn lower<'t>(
    table: Table,
    tree: &'t Tree,
    parameters: &BTreeMap<String, Integer>,
) -> Result<Program, Vec<Unbound<'t>>> {
    let mut lowering = Lowering {
        table,
        tree,
        parameters,
        arena: Arena::new(),
        scope: Vec::new(),
        unbound: Vec::new(),
    };
    let root = lowering.term(tree.root);
    if lowering.unbound.is_empty() {
        Ok(Program::new(lowering.arena, root))
    } else {
        Err(lowering.unbound)
    }
}

struct Lowering<'t, 'p> {
    table: Table,
    tree: &'t Tree,
    parameters: &'p BTreeMap<String, Integer>,
    arena: Arena,
    /// The names in scope, the innermost last.
    scope: Vec<&'t str>,
    unbound: Vec<Unbound<'t>>,
}

impl Lowering<'_, '_> {
    fn term(&mut self, id: NodeId) -> TermId {
        stack::level(|| self.node(id))
    }

    fn node(&mut self, id: NodeId) -> TermId {
        let tree = self.tree;
        match *tree.node(id) {
            Node::Arithmetic(operator, a, b) => {
                let site = self.site(id, a, b);
                let operator = self.arithmetic(operator);
                let (a, b) = (self.term(a), self.term(b));
                self.arena.add(Term::Arithmetic(operator, a, b, site))
            }
            Node::Bind(binder, Binding { name, value, body }) => {
                let value = self.term(value);
                self.scope.push(tree.slice(name));
                let body = self.term(body);
                self.scope.pop();
                self.arena.add(match binder {
                    Binder::Foreach => Term::Foreach(value, body),
                    Binder::Let => Term::Let(value, body),
                    Binder::While => Term::While(value, body),
                })
            }
            Node::Die(sides) => {
                let site = self.site(id, sides, sides);
                let sides = self.term(sides);
                self.arena.add(Term::Die(sides, site))
            }
            Node::Filter(filter, argument, list) => self.filter(id, filter, argument, list),
            Node::Group(None) | Node::Unreadable => self.arena.empty(),
            Node::Group(Some(content)) => self.term(content),
            Node::If(condition, yes, no) => {
                let condition = self.term(condition);
                let (yes, no) = (self.term(yes), self.term(no));
                self.arena.add(Term::If(condition, yes, no))
            }
            Node::Integer => self.integer(id),
            Node::Join(ref members) => {
                let members: Vec<_> = members.iter().map(|&member| self.term(member)).collect();
                self.arena.join(members)
            }
            Node::Name => self.name(id),
            Node::Negate(operand) => {
                let site = self.site(id, operand, operand);
                let operand = self.term(operand);
                self.arena.add(Term::Negate(operand, site))
            }
            Node::Range(low, high) => {
                let site = self.site(id, low, high);
                let (low, high) = (self.term(low), self.term(high));
                self.arena.add(Term::Range(low, high, site))
            }
            Node::Repeat(count, body) => {
                let site = self.site(id, count, body);
                let count = self.count(count);
                let body = self.term(body);
                self.arena.add(Term::Repeat(count, body, site))
            }
            Node::Word(word, list) => {
                let site = self.site(id, list, list);
                let list = self.term(list);
                self.arena.add(match word {
                    Word::Count => Term::Fold(Folding::Count, list, site),
                    Word::Perm => Term::Arrange(Arrangement::Shuffle, list),
                    Word::Prod => Term::Fold(Folding::Product, list, site),
                    Word::Rev => Term::Arrange(Arrangement::Reverse, list),
                    Word::Sort => Term::Arrange(Arrangement::Sort, list),
                    Word::Sum => Term::Fold(Folding::Sum, list, site),
                })
            }
        }
    }

    fn filter(&mut self, id: NodeId, filter: Filter, argument: NodeId, list: NodeId) -> TermId {
        let site = self.site(id, argument, list);
        let drops = filter.modifier == Some(Modifier::Drop);
        let selection = match (filter.by, drops) {
            (By::First, false) => Selection::First,
            (By::First, true) => Selection::DropFirst,
            (By::High, false) => Selection::High,
            (By::High, true) => Selection::DropHigh,
            (By::Last, false) => Selection::Last,
            (By::Last, true) => Selection::DropLast,
            (By::Low, false) => Selection::Low,
            (By::Low, true) => Selection::DropLow,
            (By::Value(comparison), _) => {
                let kept = if drops {
                    comparison.negated()
                } else {
                    comparison
                };
                return self.comparison(site, kept, argument, list);
            }
        };
        let count = self.count(argument);
        let list = self.term(list);
        self.arena.add(Term::Select(selection, count, list, site))
    }

    fn comparison(
        &mut self,
        site: SiteId,
        kept: Comparison,
        argument: NodeId,
        list: NodeId,
    ) -> TermId {
        let (argument, list) = (self.term(argument), self.term(list));
        self.arena.add(Term::Filter(kept, argument, list, site))
    }

    /// How many: in dicelab less than none is none.
    fn count(&mut self, id: NodeId) -> TermId {
        let count = self.term(id);
        if self.table == Table::Bones || never_negative(&self.arena, count, 8) {
            return count;
        }
        let none = self.arena.integer(Integer::ZERO);
        let site = self.site(id, id, id);
        self.arena
            .add(Term::Arithmetic(Arithmetic::Max, none, count, site))
    }

    fn integer(&mut self, id: NodeId) -> TermId {
        if let Ok(value) = self.tree.words(id).parse::<Integer>() {
            return self.arena.integer(value);
        }
        let site = self.arena.site(Site::at(self.tree.span(id)));
        self.arena.add(Term::Fail(ErrorKind::Overflow, site))
    }

    fn name(&mut self, id: NodeId) -> TermId {
        let name = self.tree.words(id);
        if let Some(distance) = self.scope.iter().rev().position(|&bound| bound == name) {
            let distance = u32::try_from(distance).expect("the depth of nesting is limited");
            return self.arena.add(Term::Variable(distance));
        }
        if let Some(value) = self.parameters.get(name) {
            return self.arena.integer(value.clone());
        }
        let is_known = |known: &Unbound<'_>| self.tree.slice(known.name) == name;
        if !self.unbound.iter().any(is_known) {
            self.unbound.push(Unbound {
                name: self.tree.span(id),
                scope: self.scope.clone(),
            });
        }
        self.arena.empty()
    }

    fn arithmetic(&self, operator: Operator) -> Arithmetic {
        match operator {
            Operator::Add => Arithmetic::Add,
            Operator::Concatenate if self.table == Table::Dicelab => Arithmetic::Shift,
            Operator::Concatenate => Arithmetic::Concatenate,
            Operator::Divide => Arithmetic::Divide,
            Operator::Multiply => Arithmetic::Multiply,
            Operator::Power => Arithmetic::Power,
            Operator::Remainder => Arithmetic::Remainder,
            Operator::Subtract => Arithmetic::Subtract,
        }
    }

    fn site(&mut self, whole: NodeId, left: NodeId, right: NodeId) -> SiteId {
        let [whole, left, right] = [whole, left, right].map(|id| self.tree.span(id));
        self.arena.site(Site::new(whole, left, right))
    }
}

/// Whether a number is zero or more whatever is rolled, as far as so many levels of the term show.
fn never_negative(arena: &Arena, id: TermId, levels: u32) -> bool {
    let Some(levels) = levels.checked_sub(1) else {
        return false;
    };
    let never = |id: &TermId| never_negative(arena, *id, levels);
    match arena.term(id) {
        Term::Integer(value) => !value.is_negative(),
        Term::Die(..) | Term::Fold(Folding::Count, ..) => true,
        Term::Arithmetic(Arithmetic::Remainder, a, ..) => never(a),
        Term::Arithmetic(
            Arithmetic::Add
            | Arithmetic::Divide
            | Arithmetic::Multiply
            | Arithmetic::Power
            | Arithmetic::Shift,
            a,
            b,
            _,
        ) => never(a) && never(b),
        Term::Arithmetic(Arithmetic::Max, a, b, _) => never(a) || never(b),
        // Of lists it asks about the members.
        Term::Arrange(_, e)
        | Term::Filter(_, _, e, _)
        | Term::Fold(Folding::Product | Folding::Sum, e, _)
        | Term::Repeat(_, e, _)
        | Term::Select(_, _, e, _) => never(e),
        Term::Join(parts) => parts.iter().all(never),
        _ => false,
    }
}
