//! The type of a closed form.

use crate::algebra::Law;
use crate::engine::program::{NodeId, Store};
use crate::engine::stop::Attempt;
use crate::limits::{Budget, WorkPart};

/// A closed form.
#[derive(Clone, Copy)]
pub(in crate::engine) struct ClosedForm {
    /// The name in a trace of the analysis.
    pub(in crate::engine) name: &'static str,
    /// The distribution of a number. `None` where the rule does not apply to the form of the number.
    pub(in crate::engine) law: fn(&mut Store<'_>, NodeId) -> Attempt<Option<Law>>,
}

impl ClosedForm {
    /// Tells the observer that the rule applies, until the returned guard is dropped.
    pub(super) fn applies<'a>(&self, budget: &'a Budget<'_>) -> WorkPart<'a> {
        budget.part(self.name)
    }
}
