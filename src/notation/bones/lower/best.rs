//! The best choice: `best y in L do E`, and `best y from L do E` for a part of a list.

use std::collections::BTreeSet;

use super::lowering::Lowering;
use super::values::{Bound, TypedTerm, ValueType};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Called, Candidates, Choice, Comparison, Name};
use crate::notation::bones::tree::{Binding, Node};
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::number::Integer;
use crate::source::Span;

/// The longest known list whose members are shown in the explanation of a choice.
const MOST_SHOWN: usize = 20;

impl Lowering<'_, '_> {
    /// `best … in … do …` and `best … from … do …`, with the place of a name behind `by`. A list that is known is taken value by value
    /// where the body needs that.
    pub(super) fn best(
        &mut self,
        id: NodeId,
        (candidates, by): (Candidates, Option<Span>),
        binding: Binding,
    ) -> TypedTerm {
        let list = self.term(binding.value);
        let list = self.as_member(&list, binding.value);
        let name = self.tree.slice(binding.name);
        let variable = self.build.name_of(list.expr);
        let bound = self.candidate(candidates, &list, variable);
        self.scope.push(Bound::new(name, &bound));
        let body = self.term(binding.body);
        self.scope.pop();
        let body = match self.members_to_try(candidates, &list) {
            Some(members) => self.member_by_member(id, binding, &members, &bound),
            None => body,
        };
        let mut choice = self.choice(id, binding, &bound, &list);
        let Some(by) = by else {
            if body.kind == ValueType::Record && !body.is_empty() {
                return self.no_aim(&body, binding.body);
            }
            let result = self.number(&body, binding.body);
            let best = self
                .build
                .best(candidates, variable, list.expr, result, choice);
            return match body.kind {
                // The chance of a condition is the mean of its number.
                ValueType::Condition => {
                    let holds = self.members(Comparison::Equal, &Integer::ONE, best, id);
                    self.condition(holds, None)
                }
                _ => TypedTerm::number(best),
            };
        };
        let body = self.spread(&body, binding.body);
        choice.aim = self.aim(by, &body, binding.body);
        let best = self
            .build
            .best(candidates, variable, list.expr, body.expr, choice);
        TypedTerm::list(best).of(body.members).into_record()
    }

    /// Refuses a record of which no part is named.
    fn no_aim(&mut self, body: &TypedTerm, id: NodeId) -> TypedTerm {
        let part = body.parts().and_then(|parts| parts.first());
        let part = part.map_or("part", |part| &part.name);
        let help = format!("write `by` and the part between the list and `do`, as in `by {part}`");
        let finding = Diagnostic::new(self.span(id), "this is a record, and has no mean itself")
            .with_help(help);
        self.refuse(ErrorKind::Type, finding)
    }

    /// A candidate of a list, which a name stands for.
    pub(super) fn candidate(
        &mut self,
        candidates: Candidates,
        list: &TypedTerm,
        name: Name,
    ) -> TypedTerm {
        let chosen = self.build.variable(name);
        let value = match candidates {
            Candidates::Members => TypedTerm::number(chosen),
            Candidates::Parts => TypedTerm::list(chosen),
        };
        value.of(list.members.clone())
    }

    fn members_to_try(&mut self, candidates: Candidates, list: &TypedTerm) -> Option<Vec<Integer>> {
        match candidates {
            Candidates::Members => self.value_by_value(list),
            Candidates::Parts => None,
        }
    }

    /// The value of a choice among known members: each has a body of its own, and the body of the chosen member counts.
    fn member_by_member(
        &mut self,
        id: NodeId,
        binding: Binding,
        members: &[Integer],
        chosen: &TypedTerm,
    ) -> TypedTerm {
        let name = self.tree.slice(binding.name);
        let different: BTreeSet<&Integer> = members.iter().collect();
        let mut bodies = Vec::new();
        for member in different {
            let value = self.constant(std::slice::from_ref(member), &chosen.members);
            self.scope.push(Bound::new(name, &value));
            bodies.push((member, self.term(binding.body)));
            self.scope.pop();
        }
        let place = binding.body;
        let mut bodies = bodies.into_iter().rev();
        let last = bodies.next().map(|(_, body)| body);
        let last = last.unwrap_or_else(|| TypedTerm::list(self.build.empty()));
        bodies.fold(last, |others, (member, body)| {
            let test = self.members(Comparison::Equal, member, chosen.expr, id);
            self.either(test, (&body, place), (&others, place))
        })
    }

    /// The values that are known at the place of a choice, by the names that the choice mentions.
    pub(super) fn choice(
        &self,
        id: NodeId,
        binding: Binding,
        chosen: &TypedTerm,
        list: &TypedTerm,
    ) -> Choice<Name> {
        let tree = self.tree;
        let mut mentioned: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if matches!(tree.node(id), Node::Name) {
                mentioned.insert(tree.words(id));
            }
            tree.node(id).each_operand(|operand| open.push(operand));
        }
        let mut known = Vec::new();
        let mut variables = Vec::new();
        for bound in self.scope.iter().rev() {
            // An inner name hides an outer one.
            if !mentioned.remove(bound.name) {
                continue;
            }
            let name = self.called(bound.name, &bound.value);
            match (&bound.value.known, self.build.variable_of(bound.value.expr)) {
                (Some(members), _) if members.len() <= MOST_SHOWN => {
                    known.push((name, members.to_vec()));
                }
                (None, Some(variable)) => variables.push((name, variable)),
                _ => {}
            }
        }
        known.reverse();
        variables.reverse();
        Choice {
            site: self.site_of(id, binding.value, binding.body),
            chosen: self.called(tree.slice(binding.name), chosen),
            list: self.called(tree.words(binding.value), list),
            aim: None,
            known: known.into(),
            variables: variables.into(),
        }
    }

    fn called(&self, text: &str, value: &TypedTerm) -> Called {
        Called {
            name: shortened(text).into(),
            shape: self.shape(value),
        }
    }
}
