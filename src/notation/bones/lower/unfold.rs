//! Unfolds definitions.

use std::sync::Arc;

use super::calls::{Call, DEEPEST, Signature};
use super::lowering::Lowering;
use super::values::{Bound, Members, TypedTerm};
use crate::error::{Diagnostic, ErrorKind};
use crate::notation::bones::definition::Definition;
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;

impl<'t> Lowering<'t, '_> {
    /// The definition of a name, and its place among all.
    pub(super) fn definition(&self, name: &str) -> Option<(usize, &'t Arc<Definition>)> {
        let &place = self.places.get(name)?;
        Some((place, self.definitions.get(place)?))
    }

    /// A call at a node: the arguments are evaluated once, from left to right, then the body.
    pub(super) fn call(
        &mut self,
        id: NodeId,
        name: Span,
        arguments: &[NodeId],
        is_last: bool,
    ) -> TypedTerm {
        let mut bound = Vec::new();
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let value = self.term(argument);
            values.push(self.variable(&mut bound, value));
        }
        let name = self.tree.slice(name);
        let Some((index, definition)) = self.definition(name) else {
            return TypedTerm::list(self.build.empty());
        };
        let parameters = definition.parameters.as_deref();
        let is_called = *self.tree.words(id) != *name;
        if parameters.unwrap_or_default().len() != values.len() || is_called != parameters.is_some()
        {
            return self.wrong_arguments(id, definition, values.len(), is_called);
        }
        if self.failure.is_some() {
            return TypedTerm::list(self.build.empty());
        }
        let known = values
            .iter()
            .map(|value| value.known.as_deref().map(<[_]>::to_vec));
        let known: Option<Vec<Vec<Integer>>> = known.collect();
        // A call at the end of the rule may leave rolls out.
        let are_numbers = values.iter().all(|value| value.members == Members::Numbers);
        let known = known.filter(|_| are_numbers && !is_last);
        let done = known.map(|known| (index, known));
        if let Some(value) = done.as_ref().and_then(|done| self.calls.done.get(done)) {
            let value = value.clone();
            return self.bound(bound, value);
        }
        let facts = |value: &TypedTerm| {
            let members = value.members.clone();
            (value.kind, members, value.length, value.known.clone())
        };
        let key = (index, values.iter().map(facts).collect());
        if self.is_endless(id, definition, &key) {
            return TypedTerm::list(self.build.empty());
        }
        let value = self.unfold(id, definition, index, &values, (key, is_last));
        // A value that is known, and nothing else, needs no program.
        let value = match value.known.as_deref() {
            Some(known) if self.is_settled(&value) => {
                let constant = self.constant(known, &value.members).expr;
                value.renamed(constant)
            }
            _ => value,
        };
        if let Some(done) = done
            && self.failure.is_none()
        {
            self.calls.done.insert(done, value.clone());
        }
        self.bound(bound, value)
    }

    fn unfold(
        &mut self,
        id: NodeId,
        definition: &'t Definition,
        index: usize,
        values: &[TypedTerm],
        (key, is_last): (Signature, bool),
    ) -> TypedTerm {
        let is_here = definition.tree.source.is_same(&self.tree.source);
        let place = self.calls.place();
        let place = place.or_else(|| (!is_here).then(|| self.tree.span(id)));
        let mut scope = Vec::new();
        let source = &definition.tree.source;
        for (&parameter, value) in definition.parameters.iter().flatten().zip(values) {
            scope.push(Bound::new(source.slice(parameter), value));
        }
        let tree = std::mem::replace(&mut self.tree, &definition.tree);
        let scope = std::mem::replace(&mut self.scope, scope);
        let definitions = self.definitions;
        self.definitions = &definitions[..=index];
        self.calls.open.push(Call {
            key,
            place,
            decided: 0,
        });
        let value = self.last(is_last, definition.tree.root);
        self.calls.open.pop();
        self.definitions = definitions;
        self.scope = scope;
        self.tree = tree;
        value
    }

    /// Whether a call would never stop unfolding, or is too deep.
    fn is_endless(&mut self, id: NodeId, definition: &Definition, key: &Signature) -> bool {
        let open = &self.calls.open;
        let same = open.iter().position(|call| call.key == *key);
        if same.is_none() && open.len() < DEEPEST {
            return false;
        }
        let cycle = &open[same.unwrap_or(DEEPEST / 2)..];
        let is_decided = cycle.iter().any(|call| call.decided > 0);
        let name = shortened(&definition.name);
        let place = self.span(id);
        if is_decided {
            let message = format!("`{name}` uses itself more than {DEEPEST} times within itself");
            let finding = Diagnostic::new(place, message)
                .with_help("write `repeat` for what is done again and again");
            self.unknown(ErrorKind::Limit, finding);
        } else {
            let message =
                format!("whether `{name}` uses itself again must be known before any roll");
            let finding = Diagnostic::new(place, message)
                .with_help("write `repeat x = … until … do …` where dice decide");
            self.unknown(ErrorKind::Domain, finding);
        }
        true
    }

    fn wrong_arguments(
        &mut self,
        id: NodeId,
        definition: &Definition,
        found: usize,
        is_called: bool,
    ) -> TypedTerm {
        let name = shortened(&definition.name);
        let needed = definition.parameters.as_ref().map(Vec::len);
        let count = |count: usize| match count {
            1 => "1 argument".to_owned(),
            count => format!("{count} arguments"),
        };
        let message = match needed {
            None => format!("`{name}` is a named roll and takes no arguments"),
            Some(needed) if !is_called => format!("`{name}` needs {}", count(needed)),
            Some(needed) => format!("`{name}` needs {}, and here are {found}", count(needed)),
        };
        let finding = Diagnostic::new(self.span(id), message)
            .with_note(format!("the definition is in {}", definition.place()))
            .with_help(format!("write `{}`", definition.heading()));
        self.refuse(ErrorKind::Type, finding)
    }
}
