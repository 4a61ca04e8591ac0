//! Lowers a tree to a core program.
//!
//! Every part of a rule has two views, a number and a tuple; the operator around the part uses one of them. A value that is
//! used twice is bound by a `let` of the innermost [block](Lowering::block). A value that is used once stays in its place.
//!
//! A variable (`$t1`) stands for a binding, and setting the variable again makes another binding. The scope of the binding
//! must contain all later parts. So a part that sets a variable adds its bindings to the block around it. The parts before it
//! are bound as well, which keeps the order of evaluation.

use super::assignments::Assignments;
use super::facts::Facts;
use super::operator::{Default, Operator, Parameter};
use super::tree::{Node, Operation, Tree};
use crate::error::ErrorKind;
use crate::ir::{
    Arithmetic, Builder, Comparison, Expr, Folding, Name, Program, Selection, Site, SiteId,
};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;
use crate::notation::settings::{Settings, Wanted};
use crate::number::Integer;
use crate::stack;

/// A view of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Number,
    Tuple,
}

/// A name without a value, or an `i` outside of any loop.
#[derive(Debug)]
pub(super) struct Unbound(pub(super) NodeId);

/// The program of a tree, or the names in it that have no value.
pub(super) fn lower(
    tree: &Tree,
    facts: &[Facts],
    settings: &Settings,
) -> Result<Program, Vec<Unbound>> {
    let mut build = Builder::new();
    let nowhere = build.site(Site::at(tree.span(tree.root)));
    let mut lowering = Lowering {
        tree,
        facts,
        settings,
        build,
        nowhere,
        pending: Vec::new(),
        store: Assignments::default(),
        index: None,
        unbound: Vec::new(),
    };
    let view = match settings.wanted {
        Wanted::Number => View::Number,
        Wanted::Pool => View::Tuple,
    };
    let root = lowering.block(|lowering| lowering.view(tree.root, view));
    if lowering.unbound.is_empty() {
        Ok(lowering.build.program(root))
    } else {
        Err(lowering.unbound)
    }
}

pub(super) struct Lowering<'t> {
    pub(super) tree: &'t Tree,
    pub(super) facts: &'t [Facts],
    pub(super) settings: &'t Settings,
    pub(super) build: Builder,
    /// The one site of all terms that cannot fail, so that equal terms stay equal.
    pub(super) nowhere: SiteId,
    /// The bindings of the innermost block so far.
    pub(super) pending: Vec<(Name, Expr)>,
    pub(super) store: Assignments,
    /// The `i` of the innermost loop.
    pub(super) index: Option<Expr>,
    unbound: Vec<Unbound>,
}

impl Lowering<'_> {
    pub(super) fn number(&mut self, id: NodeId) -> Expr {
        self.view(id, View::Number)
    }

    pub(super) fn tuple(&mut self, id: NodeId) -> Expr {
        self.view(id, View::Tuple)
    }

    pub(super) fn view(&mut self, id: NodeId, view: View) -> Expr {
        stack::level(|| self.node(id, view))
    }

    fn node(&mut self, id: NodeId, view: View) -> Expr {
        let tree = self.tree;
        match tree.node(id) {
            Node::Group(inner) => self.view(*inner, view),
            Node::Index => match self.index {
                Some(index) => index,
                None => self.without_value(id),
            },
            Node::Infix(..) | Node::With(..) => {
                let operation = tree.operation(id).expect("these are operations");
                self.scoped(id, |this| this.operation(id, &operation, view))
            }
            Node::Integer => self.integer(id),
            Node::Missing(Default::Number(value)) => self.constant((*value).into()),
            Node::Missing(Default::Sides) => self.constant(self.settings.default_sides.into()),
            Node::Name => match self.settings.parameters.get(&tree.plain_words(id)) {
                Some(value) => self.build.integer(value.clone()),
                None => self.without_value(id),
            },
            Node::Pop(inner) if view == View::Tuple => self.tuple(*inner),
            Node::Pop(inner) => self.scoped(id, |this| {
                let tuple = this.tuple(*inner);
                this.last(id, tuple)
            }),
            Node::Tuple(members) => {
                let parts: Vec<_> = members.iter().map(|&id| (id, View::Number)).collect();
                let mut members = self.sequence(&parts);
                if view == View::Number {
                    self.only_last(&mut members);
                }
                let list = self.build.join(&members);
                match view {
                    View::Number if members.len() > 1 => self.select(Selection::Last, 1, list),
                    _ => list,
                }
            }
        }
    }

    fn operation(&mut self, id: NodeId, operation: &Operation, view: View) -> Expr {
        let &Operation { left, right, .. } = operation;
        match operation.operator {
            operator if operator.is_arithmetic() => match view {
                View::Number => self.arithmetic(id, operation),
                View::Tuple => self.arithmetic_tuple(id, operation),
            },
            Operator::And => self.plain(Arithmetic::BitAnd, id, left, right),
            Operator::Or => self.plain(Arithmetic::BitOr, id, left, right),
            // The left operand is evaluated first, and a filter evaluates its number first. So the left operand is the
            // number, and the comparison is reversed.
            Operator::Greater => self.compare(Comparison::Less, id, left, right),
            Operator::Less => self.compare(Comparison::Greater, id, left, right),
            Operator::Roll => self.roll(id, operation, view),
            Operator::Pool => self.pool(id, operation),
            Operator::Cross => self.cross(id, operation),
            Operator::Fate => self.fate(id, operation, view),
            Operator::Bonus | Operator::Penalty => self.percentile_alone(id, operation),
            Operator::KeepHigh => self.keep(Selection::High, id, operation, view),
            Operator::KeepLow => self.keep(Selection::Low, id, operation, view),
            Operator::DropHigh => self.keep(Selection::DropHigh, id, operation, view),
            Operator::DropLow => self.keep(Selection::DropLow, id, operation, view),
            Operator::AtLeast => self.limit(Arithmetic::Max, id, operation, view),
            Operator::AtMost => self.limit(Arithmetic::Min, id, operation, view),
            Operator::Slice => self.slice(id, operation, view),
            Operator::Loop => self.rounds(id, operation, view),
            Operator::Choose if operation.has(Parameter::Else) => self.choose(operation),
            Operator::Choose => self.sum_of_steps(id, left),
            _ => self.variable(operation),
        }
    }

    fn plain(&mut self, operator: Arithmetic, id: NodeId, left: NodeId, right: NodeId) -> Expr {
        let site = self.site(id, left, right);
        let parts = self.sequence(&[(left, View::Number), (right, View::Number)]);
        self.build.arithmetic(operator, parts[0], parts[1], site)
    }

    /// 1 if the comparison of the right number with the left number holds, else 0.
    fn compare(&mut self, kept: Comparison, id: NodeId, left: NodeId, right: NodeId) -> Expr {
        let site = self.site(id, left, right);
        let parts = self.sequence(&[(left, View::Number), (right, View::Number)]);
        let kept = self.build.filter(kept, parts[0], parts[1], site);
        self.build.fold(Folding::Count, kept, site)
    }

    /// `A?`: 1 + 2 + … + A
    fn sum_of_steps(&mut self, id: NodeId, left: NodeId) -> Expr {
        let range = self.fact(left).number;
        let site = self.site(id, left, left);
        let most = self.number(left);
        let most = self.bind(most);
        let bad = self.outside(most, range, 0, None);
        let one = self.constant(1);
        let next = self.fold(Arithmetic::Add, most, one, site);
        let product = self.fold(Arithmetic::Multiply, most, next, site);
        let two = self.constant(2);
        let sum = self.fold(Arithmetic::Divide, product, two, site);
        self.unless(&bad, ErrorKind::Domain, id, sum)
    }

    fn integer(&mut self, id: NodeId) -> Expr {
        if let Ok(value) = self.tree.plain_words(id).parse::<Integer>() {
            return self.build.integer(value);
        }
        self.fail(ErrorKind::Overflow, id)
    }

    fn without_value(&mut self, id: NodeId) -> Expr {
        self.unbound.push(Unbound(id));
        self.constant(1)
    }

    /// Removes the constants and variables before the last member: they are not used and cannot fail.
    fn only_last(&self, members: &mut Vec<Expr>) {
        let last = members.pop();
        let build = &self.build;
        members.retain(|&member| !is_plain(build, member));
        members.extend(last);
    }

    /// Lowers parts from left to right, for terms that are each used once. The parts before the last one that sets a variable
    /// are bound.
    pub(super) fn sequence(&mut self, parts: &[(NodeId, View)]) -> Vec<Expr> {
        let sets = |&(id, _): &(NodeId, View)| self.fact(id).writes;
        let first_kept = parts.iter().rposition(sets).unwrap_or(0);
        let (bound, kept) = parts.split_at(first_kept);
        let mut all = self.held(bound);
        all.extend(kept.iter().map(|&(id, view)| self.view(id, view)));
        all
    }

    /// Lowers parts from left to right and binds them, for terms that are used more than once or within another binder.
    pub(super) fn held(&mut self, parts: &[(NodeId, View)]) -> Vec<Expr> {
        parts
            .iter()
            .map(|&(id, view)| {
                let term = self.view(id, view);
                self.bind(term)
            })
            .collect()
    }

    /// The term that `lower` makes, within the bindings that `lower` adds.
    pub(super) fn block(&mut self, lower: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let outer = std::mem::take(&mut self.pending);
        let body = lower(self);
        let pending = std::mem::replace(&mut self.pending, outer);
        self.bound(pending, body)
    }

    /// A term within bindings.
    pub(super) fn bound(&mut self, pending: Vec<(Name, Expr)>, body: Expr) -> Expr {
        let bindings = pending.into_iter().rev();
        bindings.fold(body, |body, (name, value)| {
            // `let x = e in x` is e.
            if self.build.variable_of(body) == Some(name) {
                return value;
            }
            self.build.bind(name, value, body)
        })
    }

    /// Lowers a part in a block of its own, unless the part sets variables, which remain in scope after the part.
    fn scoped(&mut self, id: NodeId, lower: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if self.fact(id).writes {
            lower(self)
        } else {
            self.block(lower)
        }
    }

    /// A term for a value that is used more than once: binds the value in the innermost block, unless it is a constant or a
    /// variable.
    pub(super) fn bind(&mut self, value: Expr) -> Expr {
        if is_plain(&self.build, value) {
            return value;
        }
        let name = self.build.name();
        self.pending.push((name, value));
        self.build.variable(name)
    }

    pub(super) fn foreach(
        &mut self,
        list: Expr,
        body: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let name = self.build.name();
        let member = self.build.variable(name);
        let body = self.block(|this| body(this, member));
        self.build.foreach(name, list, body)
    }

    pub(super) fn looped(
        &mut self,
        first: Expr,
        body: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let name = self.build.name();
        let last = self.build.variable(name);
        let body = self.block(|this| body(this, last));
        self.build.repeat_while(name, first, body)
    }

    /// Lists that have a member if the value is below `low` or above `high`. A check that `range` proves needless is left out.
    pub(super) fn outside(
        &mut self,
        value: Expr,
        range: Range,
        low: i64,
        high: Option<i64>,
    ) -> Vec<Expr> {
        let mut bad = Vec::new();
        if !range.is_at_least(low) {
            let low = self.constant(low);
            bad.push(self.filter(Comparison::Less, low, value));
        }
        if let Some(high) = high.filter(|&high| !range.is_at_most(high)) {
            let high = self.constant(high);
            bad.push(self.filter(Comparison::Greater, high, value));
        }
        bad
    }

    /// The value `good`, or an error if one of the lists `bad` has a member.
    pub(super) fn unless(&mut self, bad: &[Expr], kind: ErrorKind, id: NodeId, good: Expr) -> Expr {
        if bad.is_empty() {
            return good;
        }
        let bad = self.build.join(bad);
        let fail = self.fail(kind, id);
        self.build.choose(bad, fail, good)
    }

    pub(super) fn fail(&mut self, kind: ErrorKind, id: NodeId) -> Expr {
        let site = self.site(id, id, id);
        self.build.fail(kind, site)
    }

    /// The last member of the tuple of a part; the error `domain` for an empty tuple.
    pub(super) fn last(&mut self, id: NodeId, tuple: Expr) -> Expr {
        let size = self.fact(id).size;
        if size.constant() == Some(1) {
            return tuple;
        }
        if size.is_at_least(1) {
            return self.select(Selection::Last, 1, tuple);
        }
        let tuple = self.bind(tuple);
        let last = self.select(Selection::Last, 1, tuple);
        let fail = self.fail(ErrorKind::Domain, id);
        self.build.choose(tuple, last, fail)
    }

    /// A selection of a constant number of members, zero or more.
    pub(super) fn select(&mut self, selection: Selection, count: i64, list: Expr) -> Expr {
        let count = self.constant(count);
        self.select_by(selection, count, list)
    }

    pub(super) fn select_by(&mut self, selection: Selection, count: Expr, list: Expr) -> Expr {
        let site = self.nowhere;
        self.build.select(selection, count, list, site)
    }

    /// The member at a place, 0 being the first.
    pub(super) fn member(&mut self, place: Expr, list: Expr) -> Expr {
        let rest = match self.known(place) {
            Some(0) => list,
            _ => self.select_by(Selection::DropFirst, place, list),
        };
        self.select(Selection::First, 1, rest)
    }

    pub(super) fn count(&mut self, list: Expr) -> Expr {
        let site = self.nowhere;
        self.build.fold(Folding::Count, list, site)
    }

    pub(super) fn sum(&mut self, list: Expr) -> Expr {
        let site = self.nowhere;
        self.build.fold(Folding::Sum, list, site)
    }

    pub(super) fn filter(&mut self, comparison: Comparison, number: Expr, list: Expr) -> Expr {
        let site = self.nowhere;
        self.build.filter(comparison, number, list, site)
    }

    pub(super) fn constant(&mut self, value: i64) -> Expr {
        self.build.integer(value)
    }

    /// The value of a constant that fits into 64 bits.
    pub(super) fn known(&self, id: Expr) -> Option<i64> {
        self.build.constant(id).and_then(Integer::to_i64)
    }

    /// Arithmetic, done at once for two constants.
    pub(super) fn fold(
        &mut self,
        operator: Arithmetic,
        left: Expr,
        right: Expr,
        site: SiteId,
    ) -> Expr {
        let known = self.known(left).zip(self.known(right));
        let value = known.and_then(|(left, right)| match operator {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Divide => left.checked_div(right),
            Arithmetic::Min => Some(left.min(right)),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Subtract => left.checked_sub(right),
            _ => None,
        });
        match value {
            Some(value) => self.constant(value),
            None => self.build.arithmetic(operator, left, right, site),
        }
    }

    pub(super) fn fact(&self, id: NodeId) -> Facts {
        self.facts[id.index()]
    }

    pub(super) fn site(&mut self, whole: NodeId, left: NodeId, right: NodeId) -> SiteId {
        let [whole, left, right] = [whole, left, right].map(|id| self.tree.span(id));
        self.build.site(Site::new(whole, left, right))
    }
}

/// Whether a term is a constant or a variable. Then it cannot fail, and all its uses have the same value.
fn is_plain(build: &Builder, term: Expr) -> bool {
    build.constant(term).is_some() || build.variable_of(term).is_some()
}
