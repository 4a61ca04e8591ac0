//! What the variables (`$t1`) of a rule were set to.

use crate::ir::Expr;

/// The number of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    Known(i64),
    Rolled(Expr),
}

/// What was set so far, in that order: a variable is what it was set to last, and 0 before.
#[derive(Clone, Debug, Default)]
pub(super) struct Store(pub(super) Vec<(Key, Expr)>);

impl Store {
    pub(super) fn set(&mut self, key: i64, value: Expr) {
        self.0.push((Key::Known(key), value));
    }
}
