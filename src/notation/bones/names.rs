//! The names that need values from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::definition::Definition;
use super::tree::{Binding, How, Node, Tree};
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::source::Span;
use crate::stack;

/// A name that nothing binds.
#[derive(Debug)]
pub(super) struct Unbound {
    pub(super) name: String,
    /// The place of the name, or of the definition that uses the name.
    pub(super) place: Span,
    /// The name of the definition.
    pub(super) within: Option<String>,
}

/// The first place of each name that has no definition and that neither the tree nor `bound` binds. `itself` is the name of the definition
/// that the tree belongs to.
pub(super) fn unbound<'t>(
    tree: &'t Tree,
    bound: Vec<&'t str>,
    definitions: &[Arc<Definition>],
    itself: Option<&str>,
) -> Vec<Unbound> {
    let mut reader = Reader {
        tree,
        definitions: definitions
            .iter()
            .map(|definition| (definition.name.as_str(), &**definition))
            .collect(),
        itself,
        scope: bound,
        found: Vec::new(),
        known: BTreeSet::new(),
    };
    reader.read(tree.root);
    reader.found
}

struct Reader<'t, 'd> {
    tree: &'t Tree,
    definitions: BTreeMap<&'d str, &'d Definition>,
    itself: Option<&'d str>,
    scope: Vec<&'t str>,
    found: Vec<Unbound>,
    /// The names that were found.
    known: BTreeSet<String>,
}

impl Reader<'_, '_> {
    fn read(&mut self, id: NodeId) {
        stack::level(|| self.node(id));
    }

    fn node(&mut self, id: NodeId) {
        let tree = self.tree;
        match tree.node(id) {
            Node::Name => self.name(tree.span(id)),
            Node::Call(name, arguments) => {
                for &argument in arguments {
                    self.read(argument);
                }
                self.name(*name);
            }
            Node::Best(_, Binding { name, value, body }, _)
            | Node::Bind(_, Binding { name, value, body })
            | Node::Reroll(Binding { name, value, body }) => {
                self.read(*value);
                self.within(&[*name], &[*body]);
            }
            Node::Loop(repeated) => {
                let mut names = Vec::new();
                for &(name, first) in &repeated.states {
                    self.read(first);
                    names.push(name);
                }
                let states = names.clone();
                match repeated.how {
                    How::For(name, list) => {
                        self.read(list);
                        names.push(name);
                        self.within(&names, &[repeated.body]);
                    }
                    How::Until(condition) | How::While(condition) => {
                        self.within(&names, &[condition, repeated.body]);
                    }
                }
                if let Some(result) = repeated.result {
                    self.within(&states, &[result]);
                }
            }
            node => node.each_operand(|operand| self.read(operand)),
        }
    }

    fn within(&mut self, names: &[Span], parts: &[NodeId]) {
        let tree = self.tree;
        let outside = self.scope.len();
        self.scope
            .extend(names.iter().map(|&name| tree.slice(name)));
        for &part in parts {
            self.read(part);
        }
        self.scope.truncate(outside);
    }

    fn name(&mut self, place: Span) {
        let name = self.tree.slice(place);
        if self.scope.contains(&name) || self.itself == Some(name) {
            return;
        }
        match self.definitions.get(name).copied() {
            None => self.found(name, place, None),
            Some(definition) => {
                for free in &definition.free {
                    self.found(free, place, Some(name.to_owned()));
                }
            }
        }
    }

    fn found(&mut self, name: &str, place: Span, within: Option<String>) {
        if self.known.insert(name.to_owned()) {
            self.found.push(Unbound {
                name: name.to_owned(),
                place,
                within,
            });
        }
    }
}
