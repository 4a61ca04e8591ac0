//! Variables of a loop that need not be part of its state: those that no round changes, and those to which each round only adds, and
//! which decide nothing: counters and sums.
//!
//! What no round changes is as a name that is bound around the loop, whatever its value is.
//!
//! A counter gets the same number in each round, so it follows from the number of rounds. A sum gets a value of the round: it is
//! the sum of what the rounds add. Neither need be part of the state, so a loop whose value is a counter or a sum has no more
//! states than the loop without it.

use crate::ir::{Arithmetic, Expr, Folding};
use crate::notation::bones::tree::{Binder, Binding, How, Loop, Node, Operator, Tree};
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::number::Integer;

use super::lowering::Lowering;
use super::values::{Kind, Members, Value};

/// The variables of a loop, by their places.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    /// The places of the variables that are part of the state.
    pub(super) kept: Vec<usize>,
    /// The places of the variables that no round changes, or that nothing looks at.
    pub(super) fixed: Vec<usize>,
    /// The places of the counters, each with what a round adds.
    pub(super) counters: Vec<(usize, Integer)>,
    /// The place of a sum.
    pub(super) sum: Option<usize>,
    /// The number of all variables.
    pub(super) count: usize,
}

impl Variables {
    /// All variables of a loop as its state.
    pub(super) fn all(count: usize) -> Self {
        Self {
            kept: (0..count).collect(),
            fixed: Vec::new(),
            counters: Vec::new(),
            sum: None,
            count,
        }
    }

    /// The same variables without counters and a sum.
    pub(super) fn without_sums(&self) -> Self {
        let is_kept = |place: &usize| !self.fixed.contains(place);
        Self {
            kept: (0..self.count).filter(is_kept).collect(),
            fixed: self.fixed.clone(),
            ..Self::all(self.count)
        }
    }

    /// The variables of a loop with these first values. Counters and a sum, which begin with a number, are told apart only where the
    /// value of the loop depends on nothing else of the state.
    pub(super) fn of(tree: &Tree, repeated: &Loop, first: &[Value]) -> Self {
        let count = repeated.states.len();
        let condition = match repeated.how {
            How::For(..) => return Self::all(count),
            How::Until(condition) | How::While(condition) => condition,
        };
        let mut found = Self {
            kept: Vec::new(),
            ..Self::all(count)
        };
        for (place, &(name, _)) in repeated.states.iter().enumerate() {
            let name = tree.slice(name);
            let mut added = Added {
                tree,
                name,
                place,
                count,
                uses: 0,
                steps: Vec::new(),
            };
            let only_adds = added.in_branches(repeated.body);
            let zero = Some(Integer::ZERO);
            if only_adds && added.steps.iter().all(|step| *step == zero) {
                found.fixed.push(place);
                continue;
            }
            let only_adds = only_adds
                && first[place].kind == Kind::Number
                && first[place].members == Members::Numbers
                && added.uses == uses(tree, repeated.body, name)
                && uses(tree, condition, name) == 0;
            let is_known = added.steps.iter().all(Option::is_some);
            let step = match added.steps.split_first() {
                Some((first, others)) if others.iter().all(|step| step == first) => first.clone(),
                _ => None,
            };
            match step {
                _ if !only_adds => found.kept.push(place),
                // What nothing looks at may stay as it is.
                _ if is_known
                    && repeated
                        .result
                        .is_some_and(|result| uses(tree, result, name) == 0) =>
                {
                    found.fixed.push(place);
                }
                Some(step) => found.counters.push((place, step)),
                None if found.sum.is_none() && count > 1 => found.sum = Some(place),
                None => found.kept.push(place),
            }
        }
        let needs_state = |&place: &usize| {
            let name = tree.slice(repeated.states[place].0);
            repeated
                .result
                .is_none_or(|result| uses(tree, result, name) > 0)
        };
        // Without a state one value alone is not evaluated, so it may be nothing but a sum.
        let body = tree.node(tree.ungrouped(repeated.body));
        let is_plain = count > 1 || matches!(body, Node::Arithmetic(..));
        let has_none = found.counters.is_empty() && found.sum.is_none();
        if has_none
            || found.kept.iter().any(needs_state)
            || found.kept.is_empty() && (found.sum.is_some() || !is_plain)
        {
            found = found.without_sums();
        }
        // Without a state the value depends on the number of rounds alone.
        let is_rounds = is_plain && repeated.result.is_some();
        if found.fixed.len() == count && !is_rounds {
            return Self::all(count);
        }
        found
    }
}

/// What the branches of a body add to a variable.
struct Added<'t> {
    tree: &'t Tree,
    name: &'t str,
    place: usize,
    /// The number of variables of the loop.
    count: usize,
    /// How often the variable stands where something is added to it.
    uses: usize,
    /// What each branch adds; `None` for what is not a number in the text.
    steps: Vec<Option<Integer>>,
}

impl Added<'_> {
    /// Whether each branch of a body only adds.
    fn in_branches(&mut self, id: NodeId) -> bool {
        match *self.tree.node(id) {
            Node::Group(Some(inner)) => self.in_branches(inner),
            Node::Bind(Binder::Let, binding) => {
                !self.is_hidden(binding) && self.in_branches(binding.body)
            }
            Node::Best(_, binding, None) if self.count > 1 => {
                !self.is_hidden(binding) && self.in_branches(binding.body)
            }
            Node::If(_, yes, no) => self.in_branches(yes) && self.in_branches(no),
            Node::Case(ref case) => {
                let mut results = case.arms.iter().map(|arm| arm.result).chain(case.otherwise);
                results.all(|result| self.in_branches(result))
            }
            Node::Join(ref members) if members.len() == self.count && self.count > 1 => {
                self.in_value(members[self.place])
            }
            _ if self.count == 1 => self.in_value(id),
            _ => false,
        }
    }

    /// Whether a new value of the variable is what it was and something more.
    fn in_value(&mut self, id: NodeId) -> bool {
        match *self.tree.node(id) {
            Node::Group(Some(inner)) => self.in_value(inner),
            // What the choice or the bound value does must be evaluated, so this is no counter.
            Node::Bind(Binder::Let, binding) => {
                self.steps.push(None);
                !self.is_hidden(binding) && self.in_value(binding.body)
            }
            Node::If(_, yes, no) => {
                self.steps.push(None);
                self.in_value(yes) && self.in_value(no)
            }
            _ => {
                let mut number = Some(Integer::ZERO);
                let is_sum = self.in_sum(id, &mut number);
                self.steps.push(number);
                is_sum
            }
        }
    }

    /// Whether a value is a sum in which the variable stands once, and the sum of the other numbers in the text, unless
    /// something else is added.
    fn in_sum(&mut self, id: NodeId, number: &mut Option<Integer>) -> bool {
        match *self.tree.node(id) {
            Node::Group(Some(inner)) => self.in_sum(inner, number),
            Node::Name if self.tree.words(id) == self.name => {
                self.uses += 1;
                true
            }
            Node::Arithmetic(operator @ (Operator::Add | Operator::Subtract), a, b) => {
                let stands_in = |id| uses(self.tree, id, self.name) > 0;
                let (whole, other) = match (stands_in(a), stands_in(b)) {
                    (true, false) => (a, b),
                    (false, true) if operator == Operator::Add => (b, a),
                    _ => return false,
                };
                let other = self.tree.ungrouped(other);
                let added = match self.tree.node(other) {
                    Node::Integer => self.tree.words(other).parse::<Integer>().ok(),
                    _ => None,
                };
                let sum = number.take().zip(added);
                *number = sum.and_then(|(sum, added)| match operator {
                    Operator::Subtract => sum.sub(&added).ok(),
                    _ => sum.add(&added).ok(),
                });
                self.in_sum(whole, number)
            }
            _ => false,
        }
    }

    /// Whether a `let` gives the variable's name to another value.
    fn is_hidden(&self, binding: Binding) -> bool {
        self.tree.slice(binding.name) == self.name
    }
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
