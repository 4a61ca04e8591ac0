//! Loops whose body ends with a choice: `repeat … do best …`. Such a loop is a `Play` of the core language over the packed state, and each
//! choice maximises the mean of the loop's value.

use super::lowering::{Leaf, Lowering};
use super::state::PartFacts;
use super::values::{Bound, Members, TypedTerm, ValueType};
use super::variables::Variables;
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arithmetic, Candidates, Comparison, Expr, Folding, Selection};
use crate::notation::bones::tree::{Binder, Binding, How, Loop, Node};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;

/// The list that a loop goes through: the name of its members, the list, and what they are.
type Through<'a> = (Span, Expr, &'a Members);

impl<'t, 'p> Lowering<'t, 'p> {
    /// Whether a body ends with a choice in some branch.
    pub(super) fn ends_with_choice(&self, id: NodeId) -> bool {
        match *self.tree.node(id) {
            Node::Best(_, _, by) => by.is_none(),
            Node::Group(Some(inner)) => self.ends_with_choice(inner),
            Node::Bind(Binder::Let, binding) => self.ends_with_choice(binding.body),
            Node::If(_, yes, no) => self.ends_with_choice(yes) || self.ends_with_choice(no),
            Node::Case(ref case) => {
                let mut results = case.arms.iter().map(|arm| arm.result).chain(case.otherwise);
                results.any(|result| self.ends_with_choice(result))
            }
            _ => false,
        }
    }

    /// A loop whose body ends with a choice.
    pub(super) fn game(
        &mut self,
        id: NodeId,
        repeated: &Loop,
        names: &[Span],
        first: &[TypedTerm],
        variables: &Variables,
    ) -> TypedTerm {
        let How::For(member, list) = repeated.how else {
            return self.played(id, repeated, names, first, variables, None);
        };
        let members = self.term(list);
        let members = self.as_member(&members, list);
        self.shared(&members, |this, list| {
            let through = Some((member, list, &members.members));
            this.played(id, repeated, names, first, variables, through)
        })
    }

    fn played(
        &mut self,
        id: NodeId,
        repeated: &Loop,
        names: &[Span],
        first: &[TypedTerm],
        variables: &Variables,
        through: Option<Through<'_>>,
    ) -> TypedTerm {
        let site = self.site_at(id);
        let kept_names: Vec<Span> = variables.kept.iter().map(|&place| names[place]).collect();
        let kept = variables.kept.iter().map(|&place| first[place].clone());
        let place = through.map(|_| TypedTerm::number(self.build.integer(0)));
        let first: Vec<TypedTerm> = place.into_iter().chain(kept).collect();
        let mut parts: Vec<PartFacts> = first.iter().map(PartFacts::of).collect();
        let state = loop {
            let state = self.build.name();
            let packed = self.build.variable(state);
            let values = self.unpack(packed, &parts, id);
            let (places, values) = values.split_at(usize::from(through.is_some()));
            let outside = self.scope.len();
            let mut bound = self.enter(&kept_names, values);
            let (test, next_place) = match (repeated.how, through, places) {
                (How::For(..), Some((member, list, of)), [place]) => {
                    let one = self.build.integer(1);
                    let place = self.variable(&mut bound, place.clone()).expr;
                    let rest = self.build.select(Selection::DropFirst, place, list, site);
                    let current = self.build.select(Selection::First, one, rest, site);
                    let current = TypedTerm::number(current).of(of.clone());
                    let current = self.variable(&mut bound, current);
                    self.scope
                        .push(Bound::new(self.tree.slice(member), &current));
                    let length = self.build.fold(Folding::Count, list, site);
                    let goes_on = self.build.filter(Comparison::Greater, place, length, site);
                    let over = self.build.arithmetic(Arithmetic::Add, place, one, site);
                    (goes_on, Some(TypedTerm::number(over)))
                }
                (How::Until(condition) | How::While(condition), ..) => {
                    let value = self.term(condition);
                    (self.test(&value, condition), None)
                }
                (How::For(..), ..) => unreachable!("the list is known, and its place in the state"),
            };
            let mut seen = parts.clone();
            let kept = (&variables.kept[..], variables.count());
            let next = self.branches(repeated.body, kept, &mut |this, values, id| {
                let mut lists = Vec::new();
                let values = next_place.iter().chain(values).cloned();
                let values = values.map(|value| match value.kind {
                    ValueType::List => this.variable(&mut lists, value),
                    _ => value,
                });
                let values: Vec<TypedTerm> = values.collect();
                for (part, value) in seen.iter_mut().zip(&values) {
                    *part = part.or(PartFacts::of(value));
                }
                let packed = this.pack(&values, &parts, id);
                this.leave(lists, packed)
            });
            self.scope.truncate(outside);
            if self.failure.is_some() {
                return TypedTerm::list(self.build.empty());
            }
            if seen != parts {
                parts = seen;
                continue;
            }
            let nothing = self.build.empty();
            let round = match repeated.how {
                How::Until(_) => self.build.choose(test, nothing, next.expr),
                How::For(..) | How::While(_) => self.build.choose(test, next.expr, nothing),
            };
            break (state, self.leave(bound, round));
        };
        let (state, round) = state;
        let start = self.pack(&first, &parts, id);
        self.worth(
            id,
            repeated,
            (names, &kept_names),
            (state, start, round),
            &parts,
        )
    }

    /// The worth of the last state of a loop, as a term over the state.
    fn worth(
        &mut self,
        id: NodeId,
        repeated: &Loop,
        (names, kept_names): (&[Span], &[Span]),
        (state, start, round): (crate::ir::Name, Expr, Expr),
        parts: &[PartFacts],
    ) -> TypedTerm {
        let packed = self.build.variable(state);
        let values = self.unpack(packed, parts, id);
        let outside = self.scope.len();
        let unnamed = values.len() - kept_names.len();
        let bound = self.enter(kept_names, &values[unnamed..]);
        let (value, at) = match repeated.result {
            Some(result) => (self.term(result), result),
            None if names.len() == 1 => (self.whole_state(id, names), id),
            None => {
                let message = "this loop chooses, and has no number to choose for";
                let finding = Diagnostic::new(self.span(id), message)
                    .with_help("say what the last values are worth: `repeat … do best … then …`");
                return self.refuse(ErrorKind::Type, finding);
            }
        };
        let worth = self.number(&value, at);
        self.scope.truncate(outside);
        let worth = self.leave(bound, worth);
        let play = self.build.play(state, start, round, worth);
        if value.kind == ValueType::Condition {
            let holds = self.members(Comparison::Equal, &Integer::ONE, play, id);
            return self.condition(holds, None);
        }
        TypedTerm::number(play)
    }

    /// A choice at the end of the body of a loop: its leaves are next states.
    pub(super) fn choice_of_state(
        &mut self,
        id: NodeId,
        candidates: Candidates,
        binding: Binding,
        leaf: Leaf<'_, 't, 'p>,
    ) -> TypedTerm {
        let list = self.term(binding.value);
        let list = self.as_member(&list, binding.value);
        let variable = self.build.name_of(list.expr);
        let bound = self.candidate(candidates, &list, variable);
        self.scope
            .push(Bound::new(self.tree.slice(binding.name), &bound));
        let body = leaf(self, binding.body);
        self.scope.pop();
        let choice = self.choice(id, binding, &bound, &list);
        let (list, body) = (list.expr, body.expr);
        TypedTerm::list(self.build.best(candidates, variable, list, body, choice))
    }
}
