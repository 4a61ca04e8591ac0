//! `given`: a condition on what was rolled before.

use super::lowering::Lowering;
use super::values::TypedTerm;
use crate::error::{Diagnostic, ErrorKind};
use crate::notation::reader::tree::NodeId;

impl Lowering<'_, '_> {
    /// `value given condition`: the condition is evaluated first, and the value only where it holds.
    pub(super) fn given(
        &mut self,
        id: NodeId,
        value: NodeId,
        condition: NodeId,
        is_last: bool,
    ) -> TypedTerm {
        if !is_last {
            let message = "`given` stands only at the end of a rule, where its value is decided";
            let finding = Diagnostic::new(self.span(id), message).with_help(
                "write `reroll x = … until …` to roll a part of a rule again until a condition holds",
            );
            return self.refuse(ErrorKind::Domain, finding);
        }
        let holds = self.term(condition);
        let value = self.last(true, value);
        let site = self.site_at(condition);
        let test = self.test(&holds, condition);
        let rejected = self.build.reject(site);
        let value = TypedTerm {
            known: None,
            ..value
        };
        value.map(|value| self.build.choose(test, value, rejected))
    }
}
