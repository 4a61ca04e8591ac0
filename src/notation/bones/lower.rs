//! Lowers a tree to a core program. The two tables differ here only in the operator `.` and in negative counts.

use std::collections::BTreeMap;

use super::table::Table;
use super::tree::{Binder, Binding, By, Filter, Modifier, Node, Operator, Tree, Word};
use crate::error::ErrorKind;
use crate::ir::{
    Arithmetic, Arrangement, Builder, Comparison, Expr, Folding, Name, Program, Selection, Site,
    SiteId,
};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// A name that nothing binds.
#[derive(Debug)]
pub(super) struct Unbound<'t> {
    pub(super) name: Span,
    /// The names that are bound at the place, the innermost last.
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
        build: Builder::new(),
        scope: Vec::new(),
        unbound: Vec::new(),
    };
    let root = lowering.term(tree.root);
    if lowering.unbound.is_empty() {
        Ok(lowering.build.program(root))
    } else {
        Err(lowering.unbound)
    }
}

struct Lowering<'t, 'p> {
    table: Table,
    tree: &'t Tree,
    parameters: &'p BTreeMap<String, Integer>,
    build: Builder,
    /// The names in scope, the innermost last.
    scope: Vec<(&'t str, Name)>,
    unbound: Vec<Unbound<'t>>,
}

impl Lowering<'_, '_> {
    fn term(&mut self, id: NodeId) -> Expr {
        stack::level(|| self.node(id))
    }

    fn node(&mut self, id: NodeId) -> Expr {
        let tree = self.tree;
        match *tree.node(id) {
            Node::Arithmetic(operator, a, b) => {
                let site = self.site(id, a, b);
                let operator = self.arithmetic(operator);
                let (a, b) = (self.term(a), self.term(b));
                self.build.arithmetic(operator, a, b, site)
            }
            Node::Bind(binder, Binding { name, value, body }) => {
                let value = self.term(value);
                let bound = self.build.name();
                self.scope.push((tree.slice(name), bound));
                let body = self.term(body);
                self.scope.pop();
                match binder {
                    Binder::Foreach => self.build.foreach(bound, value, body),
                    Binder::Let => self.build.bind(bound, value, body),
                    Binder::While => self.build.repeat_while(bound, value, body),
                }
            }
            Node::Die(sides) => {
                let site = self.site(id, sides, sides);
                let sides = self.term(sides);
                self.build.die(sides, site)
            }
            Node::Filter(filter, argument, list) => self.filter(id, filter, argument, list),
            Node::Group(None) | Node::Unreadable => self.build.empty(),
            Node::Group(Some(content)) => self.term(content),
            Node::If(condition, yes, no) => {
                let condition = self.term(condition);
                let (yes, no) = (self.term(yes), self.term(no));
                self.build.choose(condition, yes, no)
            }
            Node::Integer => self.integer(id),
            Node::Join(ref members) => {
                let members: Vec<_> = members.iter().map(|&member| self.term(member)).collect();
                self.build.join(&members)
            }
            Node::Name => self.name(id),
            Node::Negate(operand) => {
                let site = self.site(id, operand, operand);
                let operand = self.term(operand);
                self.build.negate(operand, site)
            }
            Node::Range(low, high) => {
                let site = self.site(id, low, high);
                let (low, high) = (self.term(low), self.term(high));
                self.build.range(low, high, site)
            }
            Node::Repeat(count, body) => {
                let site = self.site(id, count, body);
                let count = self.count(count);
                let body = self.term(body);
                self.build.repeat(count, body, site)
            }
            Node::Word(word, list) => {
                let site = self.site(id, list, list);
                let list = self.term(list);
                match word {
                    Word::Count => self.build.fold(Folding::Count, list, site),
                    Word::Perm => self.build.arrange(Arrangement::Shuffle, list),
                    Word::Prod => self.build.fold(Folding::Product, list, site),
                    Word::Rev => self.build.arrange(Arrangement::Reverse, list),
                    Word::Sort => self.build.arrange(Arrangement::Sort, list),
                    Word::Sum => self.build.fold(Folding::Sum, list, site),
                }
            }
        }
    }

    fn filter(&mut self, id: NodeId, filter: Filter, argument: NodeId, list: NodeId) -> Expr {
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
        self.build.select(selection, count, list, site)
    }

    fn comparison(
        &mut self,
        site: SiteId,
        kept: Comparison,
        argument: NodeId,
        list: NodeId,
    ) -> Expr {
        let (argument, list) = (self.term(argument), self.term(list));
        self.build.filter(kept, argument, list, site)
    }

    /// A count. In dicelab a negative count means 0.
    fn count(&mut self, id: NodeId) -> Expr {
        let count = self.term(id);
        if self.table == Table::Bones || self.build.never_negative(count, 8) {
            return count;
        }
        let none = self.build.integer(Integer::ZERO);
        let site = self.site(id, id, id);
        self.build.arithmetic(Arithmetic::Max, none, count, site)
    }

    fn integer(&mut self, id: NodeId) -> Expr {
        if let Ok(value) = self.tree.words(id).parse::<Integer>() {
            return self.build.integer(value);
        }
        let site = self.build.site(Site::at(self.tree.span(id)));
        self.build.fail(ErrorKind::Overflow, site)
    }

    fn name(&mut self, id: NodeId) -> Expr {
        let name = self.tree.words(id);
        let bound = self.scope.iter().rev().find(|(bound, _)| *bound == name);
        if let Some(&(_, bound)) = bound {
            return self.build.variable(bound);
        }
        if let Some(value) = self.parameters.get(name) {
            return self.build.integer(value.clone());
        }
        let is_known = |known: &Unbound<'_>| self.tree.slice(known.name) == name;
        if !self.unbound.iter().any(is_known) {
            self.unbound.push(Unbound {
                name: self.tree.span(id),
                scope: self.scope.iter().map(|&(bound, _)| bound).collect(),
            });
        }
        self.build.empty()
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
        self.build.site(Site::new(whole, left, right))
    }
}
