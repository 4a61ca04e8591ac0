//! The next state of a loop: the values at the ends of the branches of its body.

use super::lowering::{Leaf, Lowering};
use super::state::PartFacts;
use super::values::TypedTerm;
use super::variables::Variables;
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::Expr;
use crate::notation::bones::tree::{Binder, Node};
use crate::notation::reader::tree::NodeId;

/// Packs the next state at the end of a branch.
pub(super) type Pack<'f, 't, 'p> =
    &'f mut dyn FnMut(&mut Lowering<'t, 'p>, &[TypedTerm], NodeId) -> Expr;

impl<'t, 'p> Lowering<'t, 'p> {
    /// The values of the next state, in the branches of the body; and the packed state, if there are several branches.
    pub(super) fn step(
        &mut self,
        body: NodeId,
        parts: &[PartFacts],
        variables: &Variables,
    ) -> (Vec<TypedTerm>, Option<Expr>) {
        if variables.count() == 1 {
            return (vec![self.term(body)], None);
        }
        let inner = self.tree.ungrouped(body);
        if let Node::Join(ref members) = *self.tree.node(inner)
            && members.len() == variables.count()
        {
            let kept = variables.kept.iter();
            return (kept.map(|&place| self.term(members[place])).collect(), None);
        }
        let mut found: Option<Vec<TypedTerm>> = None;
        let mut seen: Vec<PartFacts> = parts.to_vec();
        let kept = (&variables.kept[..], variables.count());
        let packed = self.branches(body, kept, &mut |this, values, id| {
            for (part, value) in seen.iter_mut().zip(values) {
                *part = part.or(PartFacts::of(value));
            }
            found.get_or_insert_with(|| values.to_vec());
            this.pack(values, parts, id)
        });
        // Values with the facts that hold in all branches.
        let values = found.unwrap_or_default();
        let values = values.into_iter().zip(seen);
        let values = values.map(|(value, part)| part.as_fact(&value)).collect();
        (values, Some(packed.expr))
    }

    /// The packed state of each branch of a body: that of the variables at some places, of so many.
    pub(super) fn branches(
        &mut self,
        id: NodeId,
        (kept, needed): (&[usize], usize),
        pack: Pack<'_, 't, 'p>,
    ) -> TypedTerm {
        let tree = self.tree;
        match *tree.node(id) {
            Node::Group(Some(inner)) => self.branches(inner, (kept, needed), pack),
            Node::Join(ref members) if members.len() == needed => {
                let kept = kept.iter();
                let values: Vec<_> = kept.map(|&place| self.term(members[place])).collect();
                TypedTerm::list(pack(self, &values, id))
            }
            Node::Bind(Binder::Let, binding) => {
                let leaf: Leaf<'_, 't, 'p> =
                    &mut |this, id| this.branches(id, (kept, needed), pack);
                self.bind(binding, leaf)
            }
            Node::If(condition, yes, no) => {
                let condition = (self.term(condition), condition);
                let leaf: Leaf<'_, 't, 'p> =
                    &mut |this, id| this.branches(id, (kept, needed), pack);
                self.choose(&condition, yes, no, leaf)
            }
            Node::Case(ref case) => {
                let leaf: Leaf<'_, 't, 'p> =
                    &mut |this, id| this.branches(id, (kept, needed), pack);
                self.case(id, case, leaf)
            }
            Node::Best(candidates, binding, None) => {
                let leaf: Leaf<'_, 't, 'p> =
                    &mut |this, id| this.branches(id, (kept, needed), pack);
                self.choice_of_state(id, candidates, binding, leaf)
            }
            _ if needed == 1 => {
                let value = self.term(id);
                TypedTerm::list(pack(self, &[value], id))
            }
            _ => {
                let found = match *tree.node(id) {
                    Node::Join(ref members) => members.len(),
                    _ => 1,
                };
                let message = format!(
                    "the loop has {needed} variables, and here {} for the next round",
                    match found {
                        1 => "is 1 value".to_owned(),
                        found => format!("are {found} values"),
                    }
                );
                let finding = Diagnostic::new(self.span(id), message).with_help(
                    "write one value for each variable, with commas between them; \
                     a list that is one value stands in parentheses",
                );
                self.refuse(ErrorKind::Type, finding)
            }
        }
    }
}
