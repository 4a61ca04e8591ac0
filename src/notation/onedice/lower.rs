//! A tree to a core program.
//!
//! Every part has two views, a number and a tuple, and what it belongs to asks for one of them. What is used twice is
//! bound by a `let` of the innermost [block](Lowering::block); what is only used once stays where it is. A variable
//! (`$t1`) is no more than the name of such a binding: setting it again binds another. As a binding holds
//! for all that is evaluated after it, a part that sets a variable puts its bindings into the block around it, and
//! what was evaluated before is bound, too, so that the order stays that of the text.

use super::facts::Facts;
use super::operator::{Default, Operator, Parameter};
use super::store::Store;
use super::tree::{Node, Operation, Tree};
use crate::error::ErrorKind;
use crate::ir::{
    Arena, Arithmetic, Comparison, Folding, Program, Selection, Site, SiteId, Term, TermId,
};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::NodeId;
use crate::notation::settings::{Settings, Wanted};
use crate::number::Integer;
use crate::stack;

/// What is asked of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Number,
    Tuple,
}

/// A value that may be used at any depth: a constant, or what is bound so many binders below the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Constant(TermId),
    Variable(u32),
}

/// A name without a value, or an `i` outside of any loop.
#[derive(Debug)]
pub(super) struct Unbound(pub(super) NodeId);

/// The program of a tree, or what has no value in it.
pub(super) fn lower(
    tree: &Tree,
    facts: &[Facts],
    settings: &Settings,
) -> Result<Program, Vec<Unbound>> {
    let mut arena = Arena::new();
    let nowhere = arena.site(Site::at(tree.span(tree.root)));
    let mut lowering = Lowering {
        tree,
        facts,
        settings,
        arena,
        nowhere,
        depth: 0,
        pending: Vec::new(),
        store: Store::default(),
        index: None,
        unbound: Vec::new(),
    };
    let view = match settings.wanted {
        Wanted::Number => View::Number,
        Wanted::Pool => View::Tuple,
    };
    let root = lowering.block(|lowering| lowering.view(tree.root, view));
    if lowering.unbound.is_empty() {
        Ok(Program::new(lowering.arena, root))
    } else {
        Err(lowering.unbound)
    }
}

pub(super) struct Lowering<'t> {
    pub(super) tree: &'t Tree,
    pub(super) facts: &'t [Facts],
    pub(super) settings: &'t Settings,
    pub(super) arena: Arena,
    /// The site of what cannot fail: always the same, so that equal terms stay equal.
    pub(super) nowhere: SiteId,
    /// How many binders there are around what is lowered next.
    pub(super) depth: u32,
    /// What the innermost block binds so far.
    pub(super) pending: Vec<TermId>,
    pub(super) store: Store,
    /// The `i` of the innermost loop.
    pub(super) index: Option<Held>,
    unbound: Vec<Unbound>,
}

impl Lowering<'_> {
    pub(super) fn number(&mut self, id: NodeId) -> TermId {
        self.view(id, View::Number)
    }

    pub(super) fn tuple(&mut self, id: NodeId) -> TermId {
        self.view(id, View::Tuple)
    }

    pub(super) fn view(&mut self, id: NodeId, view: View) -> TermId {
        stack::level(|| self.node(id, view))
    }

    fn node(&mut self, id: NodeId, view: View) -> TermId {
        let tree = self.tree;
        match tree.node(id) {
            Node::Group(inner) => self.view(*inner, view),
            Node::Index => match self.index {
                Some(index) => self.at(index),
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
                Some(value) => self.arena.integer(value.clone()),
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
                let list = self.arena.join(members.iter().copied());
                match view {
                    View::Number if members.len() > 1 => self.select(Selection::Last, 1, list),
                    _ => list,
                }
            }
        }
    }

    fn operation(&mut self, id: NodeId, operation: &Operation, view: View) -> TermId {
        let &Operation { left, right, .. } = operation;
        match operation.operator {
            operator if operator.is_arithmetic() => match view {
                View::Number => self.arithmetic(id, operation),
                View::Tuple => self.arithmetic_tuple(id, operation),
            },
            Operator::And => self.plain(Arithmetic::BitAnd, id, left, right),
            Operator::Or => self.plain(Arithmetic::BitOr, id, left, right),
            // The left side is evaluated first, so it is the one that the other is compared with.
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

    fn plain(&mut self, operator: Arithmetic, id: NodeId, left: NodeId, right: NodeId) -> TermId {
        let site = self.site(id, left, right);
        let parts = self.sequence(&[(left, View::Number), (right, View::Number)]);
        self.arena
            .add(Term::Arithmetic(operator, parts[0], parts[1], site))
    }

    /// 1 if the right number compares so with the left one, else 0.
    fn compare(&mut self, kept: Comparison, id: NodeId, left: NodeId, right: NodeId) -> TermId {
        let site = self.site(id, left, right);
        let parts = self.sequence(&[(left, View::Number), (right, View::Number)]);
        let kept = self.arena.add(Term::Filter(kept, parts[0], parts[1], site));
        self.arena.add(Term::Fold(Folding::Count, kept, site))
    }

    /// `A?`: 1 + 2 + … + A
    fn sum_of_steps(&mut self, id: NodeId, left: NodeId) -> TermId {
        let range = self.fact(left).number;
        let site = self.site(id, left, left);
        let most = self.number(left);
        let most = self.bind(most);
        let bad = self.outside(most, range, 0, None);
        let most = self.at(most);
        let one = self.constant(1);
        let next = self.fold(Arithmetic::Add, most, one, site);
        let product = self.fold(Arithmetic::Multiply, most, next, site);
        let two = self.constant(2);
        let sum = self.fold(Arithmetic::Divide, product, two, site);
        self.unless(bad, ErrorKind::Domain, id, sum)
    }

    fn integer(&mut self, id: NodeId) -> TermId {
        if let Ok(value) = self.tree.plain_words(id).parse::<Integer>() {
            return self.arena.integer(value);
        }
        self.fail(ErrorKind::Overflow, id)
    }

    fn without_value(&mut self, id: NodeId) -> TermId {
        self.unbound.push(Unbound(id));
        self.constant(1)
    }

    /// Leaves out what nobody looks at and what cannot fail.
    fn only_last(&self, members: &mut Vec<TermId>) {
        let last = members.pop();
        members.retain(|&member| {
            !matches!(
                self.arena.term(member),
                Term::Integer(_) | Term::Variable(_)
            )
        });
        members.extend(last);
    }

    /// Parts from left to right, each evaluated once.
    pub(super) fn sequence(&mut self, parts: &[(NodeId, View)]) -> Vec<TermId> {
        let sets = |&(id, _): &(NodeId, View)| self.fact(id).writes;
        let first_kept = parts.iter().rposition(sets).unwrap_or(0);
        let mut held = Vec::new();
        for &(id, view) in &parts[..first_kept] {
            let term = self.view(id, view);
            held.push(self.bind(term));
        }
        // Nothing is bound any more once the last part that sets a variable is read.
        let kept: Vec<_> = parts[first_kept..]
            .iter()
            .map(|&(id, view)| self.view(id, view))
            .collect();
        let mut all: Vec<_> = held.into_iter().map(|held| self.at(held)).collect();
        all.extend(kept);
        all
    }

    /// The same, where each is used more than once, or within another binder.
    pub(super) fn held(&mut self, parts: &[(NodeId, View)]) -> Vec<Held> {
        parts
            .iter()
            .map(|&(id, view)| {
                let term = self.view(id, view);
                self.bind(term)
            })
            .collect()
    }

    /// What `lower` makes, with all that it binds.
    pub(super) fn block(&mut self, lower: impl FnOnce(&mut Self) -> TermId) -> TermId {
        let outer = std::mem::take(&mut self.pending);
        let depth = self.depth;
        let body = lower(self);
        let pending = std::mem::replace(&mut self.pending, outer);
        self.depth = depth;
        self.bound(pending, body)
    }

    /// A body within its bindings.
    pub(super) fn bound(&mut self, pending: Vec<TermId>, body: TermId) -> TermId {
        let bindings = pending.into_iter().rev();
        bindings.fold(body, |body, value| {
            // `let x = e in x` is e.
            if *self.arena.term(body) == Term::Variable(0) {
                return value;
            }
            self.arena.add(Term::Let(value, body))
        })
    }

    /// A block for a part of the rule, unless the part sets variables: those hold after it.
    fn scoped(&mut self, id: NodeId, lower: impl FnOnce(&mut Self) -> TermId) -> TermId {
        if self.fact(id).writes {
            lower(self)
        } else {
            self.block(lower)
        }
    }

    /// Binds a value in the innermost block.
    pub(super) fn bind(&mut self, value: TermId) -> Held {
        match *self.arena.term(value) {
            Term::Integer(_) => Held::Constant(value),
            Term::Variable(distance) => Held::Variable(self.depth - 1 - distance),
            _ => {
                self.pending.push(value);
                self.depth += 1;
                Held::Variable(self.depth - 1)
            }
        }
    }

    /// A value where it is used now.
    pub(super) fn at(&mut self, held: Held) -> TermId {
        match held {
            Held::Constant(term) => term,
            Held::Variable(level) => self.arena.add(Term::Variable(self.depth - 1 - level)),
        }
    }

    /// A body with one more variable around it.
    pub(super) fn under(&mut self, body: impl FnOnce(&mut Self, Held) -> TermId) -> TermId {
        let variable = Held::Variable(self.depth);
        self.depth += 1;
        let body = self.block(|this| body(this, variable));
        self.depth -= 1;
        body
    }

    pub(super) fn foreach(
        &mut self,
        list: TermId,
        body: impl FnOnce(&mut Self, Held) -> TermId,
    ) -> TermId {
        let body = self.under(body);
        self.arena.add(Term::Foreach(list, body))
    }

    pub(super) fn looped(
        &mut self,
        first: TermId,
        body: impl FnOnce(&mut Self, Held) -> TermId,
    ) -> TermId {
        let body = self.under(body);
        self.arena.add(Term::While(first, body))
    }

    /// The members of a list that are out of bounds: none where that is plain to see.
    pub(super) fn outside(
        &mut self,
        value: Held,
        range: Range,
        low: i64,
        high: Option<i64>,
    ) -> Vec<TermId> {
        let value = self.at(value);
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

    /// A value, or an error if any of these lists has a member.
    pub(super) fn unless(
        &mut self,
        bad: Vec<TermId>,
        kind: ErrorKind,
        id: NodeId,
        good: TermId,
    ) -> TermId {
        if bad.is_empty() {
            return good;
        }
        let bad = self.arena.join(bad);
        let fail = self.fail(kind, id);
        self.arena.add(Term::If(bad, fail, good))
    }

    pub(super) fn fail(&mut self, kind: ErrorKind, id: NodeId) -> TermId {
        let site = self.site(id, id, id);
        self.arena.add(Term::Fail(kind, site))
    }

    /// The last member of the tuple of a part, which may have none.
    pub(super) fn last(&mut self, id: NodeId, tuple: TermId) -> TermId {
        let size = self.fact(id).size;
        if size.constant() == Some(1) {
            return tuple;
        }
        if size.is_at_least(1) {
            return self.select(Selection::Last, 1, tuple);
        }
        let tuple = self.bind(tuple);
        let tuple = self.at(tuple);
        let last = self.select(Selection::Last, 1, tuple);
        let fail = self.fail(ErrorKind::Domain, id);
        self.arena.add(Term::If(tuple, last, fail))
    }

    /// Some members, by a number that is known and not negative.
    pub(super) fn select(&mut self, selection: Selection, count: i64, list: TermId) -> TermId {
        let count = self.constant(count);
        self.select_by(selection, count, list)
    }

    pub(super) fn select_by(
        &mut self,
        selection: Selection,
        count: TermId,
        list: TermId,
    ) -> TermId {
        let site = self.nowhere;
        self.arena.add(Term::Select(selection, count, list, site))
    }

    /// The member at a place, 0 being the first.
    pub(super) fn member(&mut self, place: TermId, list: TermId) -> TermId {
        let rest = match self.known(place) {
            Some(0) => list,
            _ => self.select_by(Selection::DropFirst, place, list),
        };
        self.select(Selection::First, 1, rest)
    }

    pub(super) fn count(&mut self, list: TermId) -> TermId {
        let site = self.nowhere;
        self.arena.add(Term::Fold(Folding::Count, list, site))
    }

    pub(super) fn sum(&mut self, list: TermId) -> TermId {
        let site = self.nowhere;
        self.arena.add(Term::Fold(Folding::Sum, list, site))
    }

    pub(super) fn filter(
        &mut self,
        comparison: Comparison,
        number: TermId,
        list: TermId,
    ) -> TermId {
        let site = self.nowhere;
        self.arena.add(Term::Filter(comparison, number, list, site))
    }

    pub(super) fn constant(&mut self, value: i64) -> TermId {
        self.arena.integer(value)
    }

    /// The value of a constant that is not too large.
    pub(super) fn known(&self, id: TermId) -> Option<i64> {
        match self.arena.term(id) {
            Term::Integer(value) => value.to_i64(),
            _ => None,
        }
    }

    /// Arithmetic that is done at once where both numbers are known.
    pub(super) fn fold(
        &mut self,
        operator: Arithmetic,
        left: TermId,
        right: TermId,
        site: SiteId,
    ) -> TermId {
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
            None => self
                .arena
                .add(Term::Arithmetic(operator, left, right, site)),
        }
    }

    pub(super) fn fact(&self, id: NodeId) -> Facts {
        self.facts[id.index()]
    }

    pub(super) fn site(&mut self, whole: NodeId, left: NodeId, right: NodeId) -> SiteId {
        let [whole, left, right] = [whole, left, right].map(|id| self.tree.span(id));
        self.arena.site(Site::new(whole, left, right))
    }
}
