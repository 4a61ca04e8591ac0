//! Values: terms with what is known of them before any roll; names in scope; and the failures of lowering.

use std::rc::Rc;

use crate::error::Error;
use crate::ir::Expr;
use crate::number::Integer;

/// What the values of an expression always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// The list `1` or the empty list.
    Condition,
    List,
    /// A list with one member.
    Number,
}

/// A term with what is known of it before any roll.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) expr: Expr,
    /// For a condition, a term that has a member where the condition holds, and at most one.
    pub(super) test: Option<Expr>,
    pub(super) kind: Kind,
    /// The number of members, where it is always the same.
    pub(super) length: Option<usize>,
    /// The members, if they are known before any roll.
    pub(super) known: Option<Rc<[Integer]>>,
}

impl Value {
    pub(super) fn list(expr: Expr) -> Self {
        Self {
            expr,
            test: None,
            kind: Kind::List,
            length: None,
            known: None,
        }
    }

    pub(super) fn number(expr: Expr) -> Self {
        Self::list(expr).into_number()
    }

    /// The same value as one that is always one number.
    pub(super) fn into_number(self) -> Self {
        Self {
            kind: Kind::Number,
            length: Some(1),
            ..self
        }
    }

    pub(super) fn with_length(self, length: Option<usize>) -> Self {
        Self { length, ..self }
    }

    pub(super) fn with_known(self, known: impl Into<Option<Vec<Integer>>>) -> Self {
        match known.into() {
            Some(known) => Self {
                length: Some(known.len()),
                known: Some(known.into()),
                ..self
            },
            None => self,
        }
    }

    pub(super) fn with_number(self, known: Option<Integer>) -> Self {
        self.with_known(known.map(|number| vec![number]))
    }

    /// The number, if it is known. A condition counts as 1 or 0.
    pub(super) fn known_number(&self) -> Option<Integer> {
        match (self.kind, self.known.as_deref()?) {
            (Kind::Condition, members) => Some(Integer::from(members.len())),
            (_, [number]) => Some(number.clone()),
            _ => None,
        }
    }

    /// Whether the value holds as a condition, if that is known.
    pub(super) fn known_truth(&self) -> Option<bool> {
        self.known.as_deref().map(|members| !members.is_empty())
    }

    /// A term that has a member where the value holds as a condition.
    pub(super) fn test(&self) -> Expr {
        self.test.unwrap_or(self.expr)
    }

    /// The same facts about a variable that stands for the value.
    pub(super) fn renamed(&self, variable: Expr) -> Self {
        Self {
            expr: variable,
            test: None,
            ..self.clone()
        }
    }

    /// The value with its terms changed.
    pub(super) fn map(self, mut change: impl FnMut(Expr) -> Expr) -> Self {
        Self {
            expr: change(self.expr),
            test: self.test.map(change),
            ..self
        }
    }
}

/// A name in scope.
#[derive(Clone, Debug)]
pub(super) struct Bound<'t> {
    pub(super) name: &'t str,
    pub(super) value: Value,
}

impl<'t> Bound<'t> {
    pub(super) fn new(name: &'t str, value: &Value) -> Self {
        Self {
            name,
            value: value.clone(),
        }
    }
}

/// Why a tree has no program.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: Error,
    /// Whether the reason is that a value is not known before any roll. A loop over a known list tries again with each
    /// member.
    pub(super) is_unknown: bool,
}
