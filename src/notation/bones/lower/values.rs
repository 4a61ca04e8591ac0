//! Values: terms with what is known of them before any roll; names in scope; and the failures of lowering.

use std::rc::Rc;

use super::known;
use crate::error::Error;
use crate::ir::Expr;
use crate::number::Integer;

/// What the values of an expression always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ValueType {
    /// The list `1` or the empty list.
    Condition,
    List,
    /// A list with one member.
    Number,
    /// One record. Its term is the list of its parts.
    Record,
}

/// What the members of a value stand for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Members {
    Numbers,
    /// Labels by their [codes](crate::ir::Labels).
    Labels,
    /// Numbers and labels by their codes.
    Either,
    /// Records. In a list each is packed into a number.
    Records(Rc<[RecordPart]>),
}

/// A part of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RecordPart {
    pub(super) name: Rc<str>,
    /// Not records.
    pub(super) members: Members,
    /// The least and the greatest value, if they are known. In a list they always are.
    pub(super) range: Option<[Integer; 2]>,
}

/// A term with what is known of it before any roll.
#[derive(Clone, Debug)]
pub(super) struct TypedTerm {
    pub(super) expr: Expr,
    /// For a condition, a term that has a member where the condition holds, and at most one.
    pub(super) test: Option<Expr>,
    pub(super) kind: ValueType,
    pub(super) members: Members,
    /// The number of members, where it is always the same.
    pub(super) length: Option<usize>,
    /// The members, if they are known before any roll.
    pub(super) known: Option<Rc<[Integer]>>,
}

impl TypedTerm {
    pub(super) fn list(expr: Expr) -> Self {
        Self {
            expr,
            test: None,
            kind: ValueType::List,
            members: Members::Numbers,
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
            kind: ValueType::Number,
            length: Some(1),
            ..self
        }
    }

    /// A record from the list of its parts.
    pub(super) fn record(expr: Expr, parts: Rc<[RecordPart]>) -> Self {
        Self {
            kind: ValueType::Record,
            members: Members::Records(parts),
            ..Self::list(expr)
        }
    }

    /// The same value as one record.
    pub(super) fn into_record(self) -> Self {
        let kind = ValueType::Record;
        Self { kind, ..self }
    }

    pub(super) fn of(self, members: Members) -> Self {
        Self { members, ..self }
    }

    pub(super) fn with_length(self, length: Option<usize>) -> Self {
        Self { length, ..self }
    }

    pub(super) fn with_known(self, known: impl Into<Option<Vec<Integer>>>) -> Self {
        match known.into() {
            Some(known) => Self {
                length: Some(known.len()),
                known: known::is_short(&known).then(|| known.into()),
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
        self.known_member()
            .filter(|_| self.members == Members::Numbers)
    }

    /// The only member, if it is known. A condition counts as 1 or 0.
    pub(super) fn known_member(&self) -> Option<Integer> {
        match (self.kind, self.known.as_deref()?) {
            (ValueType::Condition, members) => Some(Integer::from(members.len())),
            (ValueType::List | ValueType::Number, [member]) => Some(member.clone()),
            _ => None,
        }
    }

    /// Whether the value holds as a condition, if that is known.
    pub(super) fn known_truth(&self) -> Option<bool> {
        self.known.as_deref().map(|members| !members.is_empty())
    }

    /// Whether the value is known to be the empty list, which fits lists of any members.
    pub(super) fn is_empty(&self) -> bool {
        self.length == Some(0)
    }

    /// The parts of the records that the members are.
    pub(super) fn parts(&self) -> Option<&Rc<[RecordPart]>> {
        match &self.members {
            Members::Records(parts) => Some(parts),
            _ => None,
        }
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
    pub(super) value: TypedTerm,
}

impl<'t> Bound<'t> {
    pub(super) fn new(name: &'t str, value: &TypedTerm) -> Self {
        Self {
            name,
            value: value.clone(),
        }
    }
}

/// A place whose meaning is probably not the one that was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::notation::bones) enum Slip {
    /// A condition that is a number, so that it always holds.
    AlwaysHolds,
    /// A filter that never keeps a member.
    KeepsNothing { reason: String },
    /// A filter that may keep a member.
    None,
    /// A repetition of a name whose value was rolled once.
    RolledOnce { name: String },
}

/// Why a tree has no program.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: Error,
    /// Whether the reason is that a value is not known before any roll. A loop over a known list tries again with each
    /// member.
    pub(super) is_unknown: bool,
}
