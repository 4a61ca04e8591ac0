//! Counters of loops: variables to which each round adds the same number, and which decide nothing.
//!
//! A counter need not be part of the state: it follows from the number of rounds. So a loop whose value is a counter has no
//! more states than the loop without it.

use crate::ir::{Arithmetic, Expr, Folding};
use crate::notation::bones::tree::{Binder, How, Loop, Node, Operator, Tree};
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::number::Integer;

use super::lowering::Lowering;
use super::values::Value;

/// The variables of a loop, by their places.
#[derive(Debug)]
pub(super) struct Variables {
    /// The places of the variables that are part of the state.
    pub(super) kept: Vec<usize>,
    /// The places of the counters, each with what a round adds.
    pub(super) counters: Vec<(usize, Integer)>,
    /// The number of all variables.
    pub(super) count: usize,
}

impl Variables {
    /// All variables of a loop as its state.
    pub(super) fn all(count: usize) -> Self {
        Self {
            kept: (0..count).collect(),
            counters: Vec::new(),
            count,
        }
    }

    /// The variables of a loop. Counters are told apart only where the value of the loop depends on nothing else of the state.
    pub(super) fn of(tree: &Tree, repeated: &Loop) -> Self {
        let count = repeated.states.len();
        let condition = match repeated.how {
            How::For(..) => return Self::all(count),
            How::Until(condition) | How::While(condition) => condition,
        };
        let mut kept = Vec::new();
        let mut counters = Vec::new();
        for (place, &(name, _)) in repeated.states.iter().enumerate() {
            let name = tree.slice(name);
            let mut steps = Vec::new();
            let is_simple = steps_of(tree, repeated.body, (name, place, count), &mut steps);
            let is_alone =
                uses(tree, repeated.body, name) == steps.len() && uses(tree, condition, name) == 0;
            match steps.split_first() {
                Some((first, others))
                    if is_simple && is_alone && others.iter().all(|step| step == first) =>
                {
                    counters.push((place, first.clone()));
                }
                _ => kept.push(place),
            }
        }
        let needs_state = |&place: &usize| {
            let name = tree.slice(repeated.states[place].0);
            repeated
                .result
                .is_none_or(|result| uses(tree, result, name) > 0)
        };
        // Without a state nothing of the body is evaluated, so it may be nothing but sums.
        let body = tree.node(tree.ungrouped(repeated.body));
        let is_plain = matches!(body, Node::Arithmetic(..) | Node::Join(_));
        if counters.is_empty() || kept.iter().any(needs_state) || kept.is_empty() && !is_plain {
            return Self::all(count);
        }
        Self {
            kept,
            counters,
            count,
        }
    }
}

/// Collects what each branch of a body adds to a variable; `false` if a branch does something else.
fn steps_of(
    tree: &Tree,
    id: NodeId,
    variable: (&str, usize, usize),
    steps: &mut Vec<Integer>,
) -> bool {
    let (name, place, count) = variable;
    match *tree.node(id) {
        Node::Group(Some(inner)) => steps_of(tree, inner, variable, steps),
        Node::Bind(Binder::Let, binding) => steps_of(tree, binding.body, variable, steps),
        Node::If(_, yes, no) => {
            steps_of(tree, yes, variable, steps) && steps_of(tree, no, variable, steps)
        }
        Node::Case(ref case) => {
            let mut results = case.arms.iter().map(|arm| arm.result).chain(case.otherwise);
            results.all(|result| steps_of(tree, result, variable, steps))
        }
        Node::Join(ref members) if members.len() == count && count > 1 => {
            step(tree, members[place], name, steps)
        }
        _ if count == 1 => step(tree, id, name, steps),
        _ => false,
    }
}

/// The number that is added to a name, as in `rolls + 1`.
fn step(tree: &Tree, id: NodeId, name: &str, steps: &mut Vec<Integer>) -> bool {
    let Node::Arithmetic(Operator::Add, a, b) = *tree.node(tree.ungrouped(id)) else {
        return false;
    };
    let [a, b] = [a, b].map(|id| tree.ungrouped(id));
    let is_name = |id: NodeId| matches!(tree.node(id), Node::Name) && tree.words(id) == name;
    let number = |id: NodeId| match tree.node(id) {
        Node::Integer => tree.words(id).parse::<Integer>().ok(),
        _ => None,
    };
    let added = if is_name(a) {
        number(b)
    } else if is_name(b) {
        number(a)
    } else {
        None
    };
    let is_step = added.is_some();
    steps.extend(added);
    is_step
}

/// How often a name stands in a part of a tree.
fn uses(tree: &Tree, root: NodeId, name: &str) -> usize {
    let mut found = 0;
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        found += usize::from(matches!(node, Node::Name) && tree.words(id) == name);
        node.each_operand(|operand| open.push(operand));
    }
    found
}

impl Lowering<'_, '_> {
    /// The value of a counter from its first value and the number of rounds.
    pub(super) fn counted_value(
        &mut self,
        first: Expr,
        step: &Integer,
        rounds: Expr,
        id: NodeId,
    ) -> Value {
        let site = self.site_at(id);
        let added = if *step == Integer::ONE {
            rounds
        } else {
            let step = self.build.integer(step.clone());
            self.build
                .arithmetic(Arithmetic::Multiply, step, rounds, site)
        };
        if self.build.constant(first).is_some_and(Integer::is_zero) {
            return Value::number(added);
        }
        Value::number(self.build.arithmetic(Arithmetic::Add, first, added, site))
    }

    /// The number of rounds of a loop, from the list of all its states.
    pub(super) fn rounds_of(&mut self, states: Expr, size: usize, id: NodeId) -> Expr {
        let site = self.site_at(id);
        let one = self.build.integer(1);
        let mut count = self.build.fold(Folding::Count, states, site);
        if size > 1 {
            let size = self.build.integer(Integer::from(size));
            count = self.build.arithmetic(Arithmetic::Divide, count, size, site);
        }
        self.build
            .arithmetic(Arithmetic::Subtract, count, one, site)
    }
}
