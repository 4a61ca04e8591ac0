//! The values of the variables (`$t1`) of a rule.

use crate::ir::Expr;

/// The number of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum VariableNumber {
    Known(i64),
    Rolled(Expr),
}

/// All settings of variables so far, in order. A variable has the value of its last setting, and is 0 before the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Assignments(pub(super) Vec<(VariableNumber, Expr)>);

impl Assignments {
    pub(super) fn set(&mut self, key: i64, value: Expr) {
        self.0.push((VariableNumber::Known(key), value));
    }
}
