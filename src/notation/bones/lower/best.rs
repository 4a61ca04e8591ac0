//! The best choice: `best y in L do E`, and `best y from L do E` for a part of a list.

use std::collections::BTreeSet;

use super::lowering::Lowering;
use super::values::{Bound, Kind, Value};
use crate::ir::{Called, Candidates, Choice, Comparison, Expr, Name};
use crate::notation::bones::tree::{Binding, Node};
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::number::Integer;

/// The longest known list whose members explain a choice.
const MOST_SHOWN: usize = 20;

impl Lowering<'_, '_> {
    /// `best … in … do …` and `best … from … do …`. A list that is known is taken value by value where the body needs that.
    pub(super) fn best(&mut self, id: NodeId, candidates: Candidates, binding: Binding) -> Value {
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
        let choice = self.choice(id, binding, &bound, &list);
        let result = self.number(&body, binding.body);
        let best = self
            .build
            .best(candidates, variable, list.expr, result, choice);
        match body.kind {
            // The chance of a condition is the mean of its number.
            Kind::Condition => {
                let holds = self.members(Comparison::Equal, &Integer::ONE, best, id);
                self.condition(holds, None)
            }
            // A record was refused.
            Kind::List | Kind::Number | Kind::Record => Value::number(best),
        }
    }

    /// A candidate of a list, which a name stands for.
    pub(super) fn candidate(&mut self, candidates: Candidates, list: &Value, name: Name) -> Value {
        let chosen = self.build.variable(name);
        let value = match candidates {
            Candidates::Members => Value::number(chosen),
            Candidates::Parts => Value::list(chosen),
        };
        value.of(list.members.clone())
    }

    fn members_to_try(&mut self, candidates: Candidates, list: &Value) -> Option<Vec<Integer>> {
        match candidates {
            Candidates::Members => self.value_by_value(list),
            Candidates::Parts => None,
        }
    }

    /// The body for each of some known members: the one for the member that is chosen.
    fn member_by_member(
        &mut self,
        id: NodeId,
        binding: Binding,
        members: &[Integer],
        chosen: &Value,
    ) -> Value {
        let name = self.tree.slice(binding.name);
        let different: BTreeSet<&Integer> = members.iter().collect();
        let mut bodies = Vec::new();
        for member in different {
            let value = self.constant(std::slice::from_ref(member), &chosen.members);
            self.scope.push(Bound::new(name, &value));
            bodies.push((member, self.term(binding.body)));
            self.scope.pop();
        }
        let are_conditions = bodies.iter().all(|(_, body)| body.kind == Kind::Condition);
        let mut all: Option<Expr> = None;
        for (member, body) in bodies.into_iter().rev() {
            let body = self.number(&body, binding.body);
            all = Some(match all {
                None => body,
                Some(others) => {
                    let test = self.members(Comparison::Equal, member, chosen.expr, id);
                    self.build.choose(test, body, others)
                }
            });
        }
        let value = all.unwrap_or_else(|| self.build.empty());
        if are_conditions {
            let holds = self.members(Comparison::Equal, &Integer::ONE, value, id);
            return self.condition(holds, None);
        }
        Value::number(value)
    }

    /// What is known where something is chosen, by the names that the choice mentions.
    pub(super) fn choice(
        &self,
        id: NodeId,
        binding: Binding,
        chosen: &Value,
        list: &Value,
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
            known: known.into(),
            variables: variables.into(),
        }
    }

    fn called(&self, text: &str, value: &Value) -> Called {
        Called {
            name: shortened(text).into(),
            shape: self.shape(value),
        }
    }
}
