//! Loops with a state that end by a condition: `repeat` and `reroll`. Such a loop is a `While` of the core language over the packed
//! state, and its value is taken from the last state.

use super::lowering::Lowering;
use super::state::{PartFacts, size_of};
use super::values::{Bound, TypedTerm};
use super::variables::Variables;
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Expr, Name, Selection};
use crate::notation::bones::tree::{Binding, How, Loop};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;

/// The values of the next state, and its packed form if there are several branches.
type Next = (Vec<TypedTerm>, Option<Expr>);

/// What decides whether another round begins.
#[derive(Clone, Copy)]
pub(super) enum Ending {
    Until(NodeId),
    While(NodeId),
}

impl Lowering<'_, '_> {
    /// `reroll x = E until C`
    pub(super) fn reroll(&mut self, id: NodeId, binding: Binding) -> TypedTerm {
        let value = self.term(binding.value);
        let names = [binding.name];
        let again = value.clone();
        let mut body = |_: &mut Self, _: &[PartFacts]| (vec![again.clone()], None);
        let ending = Ending::Until(binding.body);
        match self.rounds(id, &names, &[value], ending, &mut body) {
            None => TypedTerm::list(self.build.empty()),
            Some((rounds, parts)) => {
                let names = (&names[..], &names[..]);
                self.last_state(id, names, rounds, &parts, (None, false))
            }
        }
    }

    /// `repeat … do … then …`
    pub(super) fn repeated(&mut self, id: NodeId, repeated: &Loop, is_last: bool) -> TypedTerm {
        let names: Vec<Span> = repeated.states.iter().map(|&(name, _)| name).collect();
        let mut first: Vec<TypedTerm> = repeated
            .states
            .iter()
            .map(|&(_, first)| self.term(first))
            .collect();
        if let Some(twice) = self.named_twice(&names) {
            let name = self.tree.slice(twice).to_owned();
            let message = format!("two variables of the loop are named `{name}`");
            let finding = Diagnostic::new(self.calls.place().unwrap_or(twice), message)
                .with_help("give one of them another name");
            return self.refuse(ErrorKind::Type, finding);
        }
        let chooses = self.ends_with_choice(repeated.body);
        let ending = match repeated.how {
            How::Until(condition) => Ending::Until(condition),
            How::While(condition) => Ending::While(condition),
            How::For(..) if chooses => {
                let variables = Variables::all(names.len());
                return self.game(id, repeated, &names, &first, &variables);
            }
            How::For(name, list) => {
                return self.for_each((id, is_last), repeated, &names, &first, (name, list));
            }
        };
        let variables = Variables::of(self.tree, repeated);
        let outside = self.scope.len();
        let mut bound = Vec::new();
        if !variables.fixed.is_empty() {
            if chooses {
                for &place in &variables.fixed {
                    first[place] = self.variable(&mut bound, first[place].clone());
                }
            } else {
                (bound, first) = self.starts(&first);
            }
            for &place in &variables.fixed {
                let name = self.tree.slice(names[place]);
                self.scope.push(Bound::new(name, &first[place]));
            }
        }
        let value = if chooses {
            self.game(id, repeated, &names, &first, &variables)
        } else {
            self.with_state((id, is_last), repeated, &names, &first, ending, &variables)
        };
        self.scope.truncate(outside);
        self.bound(bound, value)
    }

    /// A loop whose state has all variables except those that no round changes.
    fn with_state(
        &mut self,
        (id, is_last): (NodeId, bool),
        repeated: &Loop,
        names: &[Span],
        first: &[TypedTerm],
        ending: Ending,
        variables: &Variables,
    ) -> TypedTerm {
        let kept_names: Vec<Span> = variables.kept.iter().map(|&place| names[place]).collect();
        let kept = variables.kept.iter().map(|&place| first[place].clone());
        let kept: Vec<TypedTerm> = kept.collect();
        let mut body =
            |this: &mut Self, parts: &[PartFacts]| this.step(repeated.body, parts, variables);
        match self.rounds(id, &kept_names, &kept, ending, &mut body) {
            None => TypedTerm::list(self.build.empty()),
            Some((rounds, parts)) => {
                let names = (names, &kept_names[..]);
                self.last_state(id, names, rounds, &parts, (repeated.result, is_last))
            }
        }
    }

    /// All first values of a loop, which are evaluated before it: the variables that are bound around it, and the values.
    pub(super) fn starts(&mut self, first: &[TypedTerm]) -> (Vec<(Name, Expr)>, Vec<TypedTerm>) {
        let mut bound = Vec::new();
        let starts = first.iter().cloned();
        let starts = starts
            .map(|value| self.variable(&mut bound, value))
            .collect();
        (bound, starts)
    }

    /// A value that is evaluated before the following terms: a variable that is bound around them, or the constant if the value is known. A
    /// known value is evaluated all the same, because it may fail or never end.
    pub(super) fn variable(
        &mut self,
        bound: &mut Vec<(Name, Expr)>,
        value: TypedTerm,
    ) -> TypedTerm {
        if self.is_settled(&value) || self.build.variable_of(value.expr).is_some() {
            return value;
        }
        let name = self.build.name_of(value.expr);
        bound.push((name, value.expr));
        let expr = match value.known.as_deref() {
            Some(known) => self.constant(known, &value.members).expr,
            None => self.build.variable(name),
        };
        value.renamed(expr)
    }

    /// Whether a value is known, and its evaluation has no other effect.
    pub(super) fn is_settled(&self, value: &TypedTerm) -> bool {
        value.known.is_some() && self.build.is_plain(value.expr)
    }

    /// A value with variables bound around it.
    pub(super) fn bound(&mut self, bound: Vec<(Name, Expr)>, value: TypedTerm) -> TypedTerm {
        let bound = bound.into_iter().rev();
        bound.fold(value, |value, (name, part)| {
            value.map(|value| self.build.bind(name, part, value))
        })
    }

    fn named_twice(&self, names: &[Span]) -> Option<Span> {
        let mut names = names.iter().enumerate();
        let all: Vec<&str> = names
            .clone()
            .map(|(_, &name)| self.tree.slice(name))
            .collect();
        names
            .find(|&(place, &name)| all[..place].contains(&self.tree.slice(name)))
            .map(|(_, &name)| name)
    }

    /// The list of all states of a loop whose rounds end by a condition, and the parts of a state. `body` gives the values of the next
    /// state, or its packed form.
    fn rounds(
        &mut self,
        id: NodeId,
        names: &[Span],
        first: &[TypedTerm],
        ending: Ending,
        body: &mut dyn FnMut(&mut Self, &[PartFacts]) -> Next,
    ) -> Option<(Expr, Vec<PartFacts>)> {
        let mut parts: Vec<PartFacts> = first.iter().map(PartFacts::of).collect();
        loop {
            let state = self.build.name();
            let packed = self.build.variable(state);
            let values = self.unpack(packed, &parts, id);
            let outside = self.scope.len();
            let bound = self.enter(names, &values);
            let test = match ending {
                Ending::Until(condition) | Ending::While(condition) => {
                    let value = self.term(condition);
                    self.test(&value, condition)
                }
            };
            let (next, whole) = body(self, &parts);
            self.scope.truncate(outside);
            if self.failure.is_some() {
                return None;
            }
            let wider = parts.iter().zip(&next);
            let wider: Vec<PartFacts> = wider
                .map(|(part, next)| part.or(PartFacts::of(next)))
                .collect();
            if wider != parts {
                parts = wider;
                continue;
            }
            let next = match whole {
                Some(whole) => whole,
                None => self.pack(&next, &parts, id),
            };
            let nothing = self.build.empty();
            let round = match ending {
                Ending::Until(_) => self.build.choose(test, nothing, next),
                Ending::While(_) => self.build.choose(test, next, nothing),
            };
            let round = self.leave(bound, round);
            let start = self.pack(first, &parts, id);
            let rounds = self.build.repeat_while(state, start, round);
            return Some((rounds, parts));
        }
    }

    /// The value of a loop, from all its states. Only some variables are part of the states, behind the parts without a name; the other
    /// variables are in scope.
    pub(super) fn last_state(
        &mut self,
        id: NodeId,
        (all, names): (&[Span], &[Span]),
        rounds: Expr,
        parts: &[PartFacts],
        (result, is_last): (Option<NodeId>, bool),
    ) -> TypedTerm {
        // Where no list is part of it, the last state is a list of a known length.
        let (rounds, parts_of) = match size_of(parts) {
            Some(size) => {
                let site = self.site_at(id);
                let size = self.build.integer(Integer::from(size));
                let last = self.build.select(Selection::Last, size, rounds, site);
                (last, true)
            }
            None => (rounds, false),
        };
        if result.is_none() && parts_of && all.len() == 1 && parts.len() == 1 {
            return self.unpack(rounds, parts, id).swap_remove(0);
        }
        let name = self.build.name();
        let last = self.build.variable(name);
        let values = self.unpack(last, parts, id);
        let outside = self.scope.len();
        let unnamed = values.len() - names.len();
        let bound = self.enter(names, &values[unnamed..]);
        let value = match result {
            None => self.whole_state(id, all),
            Some(result) => self.last(is_last, result),
        };
        self.scope.truncate(outside);
        let value = self.bound(bound, value);
        value.map(|value| self.build.bind(name, rounds, value))
    }

    /// The value of a loop without `then`: its only variable, or a record of all, which are in scope.
    pub(super) fn whole_state(&mut self, id: NodeId, names: &[Span]) -> TypedTerm {
        let mut parts = Vec::with_capacity(names.len());
        for &name in names {
            let name = self.tree.slice(name);
            let bound = self.scope.iter().rev().find(|bound| bound.name == name);
            let value = bound.expect("a variable of the loop").value.clone();
            parts.push((name.to_owned(), value, id));
        }
        match &parts[..] {
            [(_, value, _)] => value.clone(),
            _ => self.record_of(id, parts),
        }
    }

    /// Brings names into scope for some values: each is bound to a variable, if it is not one.
    pub(super) fn enter(&mut self, names: &[Span], values: &[TypedTerm]) -> Vec<(Name, Expr)> {
        let mut bound = Vec::new();
        for (&name, value) in names.iter().zip(values) {
            let value = self.variable(&mut bound, value.clone());
            self.scope.push(Bound::new(self.tree.slice(name), &value));
        }
        bound
    }

    pub(super) fn leave(&mut self, bound: Vec<(Name, Expr)>, body: Expr) -> Expr {
        let bound = bound.into_iter().rev();
        bound.fold(body, |body, (name, value)| {
            self.build.bind(name, value, body)
        })
    }
}
