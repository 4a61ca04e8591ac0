//! Warnings about names that are not used, and about loops that seem to add up a total but do not.

use super::tree::{Binder, Binding, How, Node, Tree};
use crate::error::Diagnostic;
use crate::notation::reader::quote::{MOST_LISTED, shortened};
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::source::Span;
use crate::stack;

/// The warnings about the names of a rule, in the order of the text.
pub(super) fn warnings(tree: &Tree) -> Vec<Diagnostic> {
    let mut reader = Reader {
        tree,
        scope: Vec::new(),
        loops: Vec::new(),
        random: 0,
        found: Vec::new(),
    };
    reader.read(tree.root);
    reader.found.sort_by_key(|warning| warning.span);
    reader.found.truncate(MOST_LISTED);
    reader.found
}

struct Reader<'t> {
    tree: &'t Tree,
    /// The names in scope, the innermost last, each with whether it is used.
    scope: Vec<(&'t str, bool)>,
    /// For each `foreach` whose body is being read, the number of names in scope outside the body.
    loops: Vec<usize>,
    /// The number of dice and `perm` that have been read.
    random: usize,
    found: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn read(&mut self, id: NodeId) {
        stack::level(|| self.node(id));
    }

    fn node(&mut self, id: NodeId) {
        let tree = self.tree;
        // Whether a definition rolls is not known here.
        let rolls = tree.node(id).rolls() || matches!(tree.node(id), Node::Call(..));
        self.random += usize::from(rolls);
        match *tree.node(id) {
            Node::Best(_, Binding { name, .. }, _) | Node::Reroll(Binding { name, .. }) => {
                self.repeated(id, vec![name]);
            }
            Node::Bind(binder, binding) => self.binding(binder, binding),
            Node::Loop(ref repeated) => {
                let member = match repeated.how {
                    How::For(name, _) => Some(name),
                    How::Until(_) | How::While(_) => None,
                };
                let states = repeated.states.iter().map(|&(name, _)| name);
                self.repeated(id, states.chain(member).collect());
            }
            Node::Name => {
                let name = tree.words(id);
                let mut scope = self.scope.iter_mut().rev();
                if let Some((_, is_used)) = scope.find(|(known, _)| *known == name) {
                    *is_used = true;
                }
            }
            ref node => node.each_operand(|operand| self.read(operand)),
        }
    }

    /// A loop with a state, or a choice. Its names count as used: a counter may only be counted.
    fn repeated(&mut self, id: NodeId, names: Vec<Span>) {
        let tree = self.tree;
        let outside = self.scope.len();
        let names = names.into_iter().map(|name| (tree.slice(name), true));
        self.scope.extend(names);
        tree.node(id).each_operand(|operand| self.read(operand));
        self.scope.truncate(outside);
    }

    fn binding(&mut self, binder: Binder, Binding { name, value, body }: Binding) {
        let place = name;
        let name = self.tree.slice(place);
        self.read(value);
        if binder == Binder::Let {
            self.running_total(place, name);
        }
        if binder == Binder::Foreach {
            self.loops.push(self.scope.len());
        }
        self.scope.push((name, false));
        let random = self.random;
        self.read(body);
        let is_same = self.random == random;
        if binder == Binder::Foreach {
            self.loops.pop();
        }
        if self.scope.pop().is_some_and(|(_, is_used)| !is_used) {
            self.unused(binder, place, name, is_same);
        }
    }

    /// `let f = 0 in foreach i in 1..3 do let f = f+i in f`: an attempt to change a variable in a loop.
    fn running_total(&mut self, place: Span, name: &str) {
        let bound = self.scope.iter().rposition(|(known, _)| *known == name);
        let is_outside = bound.zip(self.loops.last());
        if is_outside.is_some_and(|(bound, outside)| bound < *outside) {
            let name = shortened(name);
            let message = format!("`{name}` starts anew for each member of `foreach`");
            let note = "`let` changes nothing outside its own `in`: this is no running total";
            self.found.push(
                Diagnostic::new(place, message)
                    .with_code("running-total")
                    .with_label("a new name that hides the one outside")
                    .with_note(note),
            );
        }
    }

    /// `let x=d6 in 1`: a name that is not used. `is_same` says whether each evaluation of the body gives the same value.
    fn unused(&mut self, binder: Binder, place: Span, name: &str, is_same: bool) {
        let message = format!("`{}` is never used", shortened(name));
        let warning = Diagnostic::new(place, message).with_code("unused");
        self.found.push(match binder {
            Binder::Foreach => {
                warning.with_help("write `n#…` to repeat something that is the same each time")
            }
            Binder::Let => {
                warning.with_help("leave it out, unless its value is to fail or never to end")
            }
            Binder::Select => {
                warning.with_help("the condition is the same for each member: use its name there")
            }
            Binder::While if is_same => warning.with_note(
                "what is repeated is the same each time: the loop ends after one round or never",
            ),
            Binder::While => {
                warning.with_note("each round is rolled afresh, whatever the last one was")
            }
        });
    }
}
