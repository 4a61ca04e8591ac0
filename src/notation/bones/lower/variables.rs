//! The variables of a loop: those that are part of its state, and those that no round changes. A variable that no round changes is like a
//! name that is bound around the loop.

use crate::notation::bones::tree::{Binder, How, Loop, Node, Tree};
use crate::notation::reader::tree::NodeId;

/// The variables of a loop, by their places.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    /// The places of the variables that are part of the state.
    pub(super) kept: Vec<usize>,
    /// The places of the variables that no round changes.
    pub(super) fixed: Vec<usize>,
}

impl Variables {
    /// All variables of a loop as its state.
    pub(super) fn all(count: usize) -> Self {
        Self {
            kept: (0..count).collect(),
            fixed: Vec::new(),
        }
    }

    /// The variables of a loop. At least one is part of the state.
    pub(super) fn of(tree: &Tree, repeated: &Loop) -> Self {
        let count = repeated.states.len();
        if matches!(repeated.how, How::For(..)) {
            return Self::all(count);
        }
        let stays = |&place: &usize| {
            let name = tree.slice(repeated.states[place].0);
            stays(tree, repeated.body, name, (place, count))
        };
        let (fixed, kept): (Vec<_>, Vec<_>) = (0..count).partition(stays);
        if kept.is_empty() {
            return Self::all(count);
        }
        Self { kept, fixed }
    }

    /// The number of all variables.
    pub(super) fn count(&self) -> usize {
        self.kept.len() + self.fixed.len()
    }
}

/// Whether each branch of a body gives the variable with a name, at a place among so many, the value that it has.
fn stays(tree: &Tree, id: NodeId, name: &str, (place, count): (usize, usize)) -> bool {
    let stays = |id| stays(tree, id, name, (place, count));
    match *tree.node(id) {
        Node::Group(Some(inner)) => stays(inner),
        Node::Bind(Binder::Let, binding) | Node::Best(_, binding, None) => {
            tree.slice(binding.name) != name && stays(binding.body)
        }
        Node::If(_, yes, no) => stays(yes) && stays(no),
        Node::Case(ref case) => {
            let mut results = case.arms.iter().map(|arm| arm.result).chain(case.otherwise);
            results.all(stays)
        }
        Node::Join(ref members) if count > 1 => {
            let member = members.get(place).filter(|_| members.len() == count);
            member.is_some_and(|&member| {
                let member = tree.ungrouped(member);
                matches!(tree.node(member), Node::Name) && tree.words(member) == name
            })
        }
        _ => false,
    }
}
