//! A program in the form in which it is run: variables and functions by number, digits as integers.
//!
//! Each node of the tree has one operation, with the same number.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::tree::{
    CallPart, Chosen, Infix, NamePart, Node, ParameterType, Prefix, SequencePart, Tree,
};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;

/// A variable, by its place in [`Code::variables`].
pub(super) type Variable = usize;

/// The name of a function, by its place in [`Code::names`].
pub(super) type Name = usize;

/// A program that can be run.
#[derive(Debug)]
pub(super) struct Code<'t> {
    pub(super) tree: &'t Tree,
    operations: Vec<Operation>,
    pub(super) variables: Vec<&'t str>,
    /// The names of functions, with `_` for values.
    pub(super) names: Vec<String>,
}

/// A node of the tree.
#[derive(Debug)]
pub(super) enum Operation {
    Assign(Variable, NodeId),
    Block(Box<[NodeId]>),
    Call(Name, Box<[NodeId]>),
    Define(Rc<Function>),
    Group(NodeId),
    If(Box<[(NodeId, NodeId)]>, Option<NodeId>),
    Infix(Infix, NodeId, NodeId),
    Loop(Variable, NodeId, NodeId),
    Number(Integer),
    Output(NodeId, Option<Span>),
    Prefix(Prefix, NodeId),
    Result(NodeId),
    Sequence(Box<[SequencePart]>),
    Set(Span, Chosen),
    Variable(Variable),
}

/// A function as defined.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) id: NodeId,
    pub(super) name: Name,
    pub(super) parameters: Vec<(Variable, ParameterType)>,
    pub(super) body: NodeId,
    /// The variables and the functions that the body mentions.
    pub(super) mentions: BTreeSet<Variable>,
    pub(super) calls: BTreeSet<Name>,
    /// The variables that the body assigns.
    pub(super) assigns: BTreeSet<Variable>,
    /// A variable, no parameter, that the body reads before it assigns it.
    pub(super) carries: Option<Variable>,
}

impl<'t> Code<'t> {
    pub(super) fn operation(&self, id: NodeId) -> &Operation {
        &self.operations[id.index()]
    }

    pub(super) fn span(&self, id: NodeId) -> Span {
        self.tree.span(id)
    }

    /// The number of a variable, if the program mentions it.
    pub(super) fn variable(&self, name: &str) -> Option<Variable> {
        self.variables.iter().position(|known| *known == name)
    }

    /// The operation within any parentheses.
    pub(super) fn ungrouped(&self, id: NodeId) -> &Operation {
        self.operation(self.tree.ungrouped(id))
    }

    /// The program of a tree.
    pub(super) fn new(tree: &'t Tree) -> Result<Self, Error> {
        let mut code = Self {
            tree,
            operations: Vec::with_capacity(tree.nodes.len()),
            variables: Vec::new(),
            names: Vec::new(),
        };
        let mut numbers = Numbers::default();
        for id in tree.ids() {
            let operation = code.operation_of(id, &mut numbers)?;
            code.operations.push(operation);
        }
        Ok(code)
    }

    fn operation_of(&mut self, id: NodeId, numbers: &mut Numbers<'t>) -> Result<Operation, Error> {
        let tree = self.tree;
        let variable = |numbers: &mut Numbers<'t>, code: &mut Self, span: Span| {
            numbers.variable(&mut code.variables, tree.slice(span))
        };
        Ok(match tree.node(id) {
            Node::Assign(name, value) => Operation::Assign(variable(numbers, self, *name), *value),
            Node::Block(statements) => Operation::Block(statements.clone()),
            Node::Call(pieces) => {
                let words = pieces.iter().map(|piece| match piece {
                    CallPart::Value(_) => "_",
                    CallPart::Word(word) => tree.slice(*word),
                });
                let name = words.collect::<Vec<_>>().join(" ");
                let values = pieces.iter().filter_map(|piece| match piece {
                    CallPart::Value(value) => Some(*value),
                    CallPart::Word(_) => None,
                });
                Operation::Call(numbers.name(&mut self.names, &name), values.collect())
            }
            Node::Function(places, body) => {
                let words = places.iter().map(|place| match place {
                    NamePart::Parameter(..) => "_",
                    NamePart::Word(word) => tree.slice(*word),
                });
                let name = words.collect::<Vec<_>>().join(" ");
                let mut parameters = Vec::new();
                for place in places {
                    if let NamePart::Parameter(name, kind) = place {
                        parameters.push((variable(numbers, self, *name), *kind));
                    }
                }
                let name = numbers.name(&mut self.names, &name);
                Operation::Define(Rc::new(self.function(id, name, parameters, *body)))
            }
            Node::Group(inner) => Operation::Group(*inner),
            Node::If(branches, otherwise) => Operation::If(branches.clone(), *otherwise),
            Node::Infix(operator, a, b) => Operation::Infix(*operator, *a, *b),
            Node::Loop(name, members, block) => {
                Operation::Loop(variable(numbers, self, *name), *members, *block)
            }
            Node::Number => {
                let number = tree.words(id).parse::<Integer>().map_err(|_| {
                    let long = Diagnostic::new(tree.span(id), "this number is too long");
                    Error::new(ErrorKind::Overflow, long)
                })?;
                Operation::Number(number)
            }
            Node::Output(value, name) => Operation::Output(*value, *name),
            Node::Prefix(operator, value) => Operation::Prefix(*operator, *value),
            Node::Result(value) => Operation::Result(*value),
            Node::Sequence(parts) => Operation::Sequence(parts.clone()),
            Node::Set(name, chosen) => Operation::Set(*name, *chosen),
            Node::Variable => Operation::Variable(variable(numbers, self, tree.span(id))),
        })
    }

    fn function(
        &self,
        id: NodeId,
        name: Name,
        parameters: Vec<(Variable, ParameterType)>,
        body: NodeId,
    ) -> Function {
        let mut function = Function {
            id,
            name,
            parameters,
            body,
            mentions: BTreeSet::new(),
            calls: BTreeSet::new(),
            assigns: BTreeSet::new(),
            carries: None,
        };
        let mut reads: BTreeMap<Variable, usize> = BTreeMap::new();
        let mut assignments: BTreeMap<Variable, usize> = BTreeMap::new();
        // The nodes of a body stand before it, one after the other, within its text.
        let within = self.tree.span(body);
        for operation in (0..body.index()).rev() {
            if self.tree.spans[operation].start < within.start {
                break;
            }
            match &self.operations[operation] {
                Operation::Variable(variable) => {
                    function.mentions.insert(*variable);
                    reads.insert(*variable, self.tree.spans[operation].start);
                }
                Operation::Assign(variable, _) => {
                    function.assigns.insert(*variable);
                    assignments.insert(*variable, self.tree.spans[operation].end);
                }
                Operation::Loop(variable, members, _) => {
                    function.assigns.insert(*variable);
                    assignments.insert(*variable, self.tree.span(*members).end);
                }
                Operation::Call(name, _) => {
                    function.calls.insert(*name);
                }
                _ => {}
            }
        }
        let is_parameter = |variable: &Variable| {
            function
                .parameters
                .iter()
                .any(|(parameter, _)| parameter == variable)
        };
        // Nodes are visited from the last to the first, so the places are those of the first.
        let mut carried = assignments.iter().filter(|(variable, assigned)| {
            reads.get(variable).is_some_and(|read| read < assigned) && !is_parameter(variable)
        });
        let carries = carried.next().map(|(variable, _)| *variable);
        function.carries = carries;
        function
    }
}

/// The numbers of names while a program is read.
#[derive(Default)]
struct Numbers<'t> {
    variables: BTreeMap<&'t str, Variable>,
    names: BTreeMap<String, Name>,
}

impl<'t> Numbers<'t> {
    fn variable(&mut self, all: &mut Vec<&'t str>, name: &'t str) -> Variable {
        *self.variables.entry(name).or_insert_with(|| {
            all.push(name);
            all.len() - 1
        })
    }

    fn name(&mut self, all: &mut Vec<String>, name: &str) -> Name {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        all.push(name.to_owned());
        self.names.insert(name.to_owned(), all.len() - 1);
        all.len() - 1
    }
}
