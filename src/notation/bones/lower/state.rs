//! The state of a loop, packed into one list.
//!
//! The list holds the members of all parts: first those of the parts of any length, then those of the longer others, then single
//! members, then the lengths of the first. So each part can be found from the end, also behind the states of earlier rounds, and
//! the pool of a loop stands before what is counted beside it, in whatever order they were written.

use std::rc::Rc;

use super::lowering::Lowering;
use super::records::met;
use super::values::{Members, RecordPart, TypedTerm, ValueType};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arithmetic, Comparison, Expr, Folding, Name, Selection};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;

/// The facts that always hold for one part of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PartFacts {
    kind: ValueType,
    members: Members,
    length: Option<usize>,
}

/// What the members of a part of a state always are: the values of a loop have no known ranges.
fn state_members(members: &Members) -> Members {
    match members {
        Members::Records(parts) => Members::Records(state_parts(parts)),
        members => members.clone(),
    }
}

fn state_parts(parts: &Rc<[RecordPart]>) -> Rc<[RecordPart]> {
    let parts = parts.iter().map(|part| RecordPart {
        range: None,
        ..part.clone()
    });
    parts.collect()
}

/// The longest list that counts as one of a fixed length.
const LONGEST: usize = 100;

impl PartFacts {
    pub(super) fn of(value: &TypedTerm) -> Self {
        let length = value.length.filter(|length| (1..=LONGEST).contains(length));
        let kind = match (value.kind, &value.members) {
            (ValueType::Number, Members::Records(_)) => ValueType::Record,
            (kind, _) => kind,
        };
        Self {
            kind,
            members: state_members(&value.members),
            length: length.filter(|_| value.kind != ValueType::Condition),
        }
    }

    /// The facts that hold for this part and for another value.
    pub(super) fn or(&self, other: Self) -> Self {
        let length = self.length.filter(|_| self.length == other.length);
        let members = match (&self.members, other.members) {
            _ if other.length == Some(0) => self.members.clone(),
            (_, members) if self.length == Some(0) => members,
            (own, members) if *own == members => members,
            (Members::Numbers | Members::Labels | Members::Either, _) => Members::Either,
            (Members::Records(own), Members::Records(other)) => Members::Records(met(own, &other)),
            (records, _) => records.clone(),
        };
        match (self.kind, other.kind) {
            (a, b) if a == b => Self {
                kind: a,
                members,
                length,
            },
            // Beside a number a condition counts as 1 or 0.
            (ValueType::Condition, ValueType::Number)
            | (ValueType::Number, ValueType::Condition) => Self {
                kind: ValueType::Number,
                members,
                length: Some(1),
            },
            _ => Self {
                kind: ValueType::List,
                members,
                length,
            },
        }
    }

    /// The value with only these facts about it.
    pub(super) fn as_fact(&self, value: &TypedTerm) -> TypedTerm {
        TypedTerm {
            kind: self.kind,
            members: self.members.clone(),
            length: self.length,
            known: None,
            ..value.clone()
        }
    }

    /// The number of members; `None` for a part of any length. A condition is one number.
    fn size(&self) -> Option<usize> {
        match (self.kind, &self.members) {
            (ValueType::Condition, _) => Some(1),
            (ValueType::Record, Members::Records(parts)) => Some(parts.len()),
            _ => self.length,
        }
    }
}

/// The length of a packed state, if it is always the same.
pub(super) fn size_of(parts: &[PartFacts]) -> Option<usize> {
    parts.iter().map(PartFacts::size).sum()
}

/// The parts in the order of their members.
fn order(parts: &[PartFacts]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&at| match parts[at].size() {
        None => 0,
        Some(1) => 2,
        Some(_) => 1,
    });
    order
}

impl Lowering<'_, '_> {
    /// The packed state of some values.
    pub(super) fn pack(&mut self, values: &[TypedTerm], parts: &[PartFacts], id: NodeId) -> Expr {
        let exprs: Vec<_> = values
            .iter()
            .zip(parts)
            .map(|(value, part)| self.in_state(value, part, id))
            .collect();
        let order = order(parts);
        let lists: Vec<_> = order
            .iter()
            .copied()
            .take_while(|&at| parts[at].size().is_none())
            .collect();
        if lists.is_empty() && order.is_sorted() {
            return self.build.join(&exprs);
        }
        // The values are evaluated in the order of their names.
        let names: Vec<Name> = exprs.iter().map(|_| self.build.name()).collect();
        let variables: Vec<Expr> = names
            .iter()
            .map(|&name| self.build.variable(name))
            .collect();
        let site = self.site_at(id);
        let mut members: Vec<Expr> = order.iter().map(|&at| variables[at]).collect();
        for list in lists {
            members.push(self.build.fold(Folding::Count, variables[list], site));
        }
        let mut packed = self.build.join(&members);
        for (name, expr) in names.into_iter().zip(exprs).rev() {
            packed = self.build.bind(name, expr, packed);
        }
        packed
    }

    /// A value as the members of its part of a state.
    fn in_state(&mut self, value: &TypedTerm, part: &PartFacts, id: NodeId) -> Expr {
        match (part.kind, &part.members) {
            (ValueType::Record, Members::Records(parts)) => {
                let record = self.spread(value, id);
                let mut record = self.with_parts(&record, parts, id);
                let is_like =
                    |record: &TypedTerm| record.parts().map(state_parts).as_ref() == Some(parts);
                if !is_like(&record) && record.parts().is_some() {
                    record = self.with_either_parts(&[(record, id)]).swap_remove(0);
                }
                if !is_like(&record) {
                    let message =
                        "this record has not the parts of the others in the state of the loop";
                    let finding = Diagnostic::new(self.span(id), message)
                        .with_help("give the state records of the same parts in each round");
                    self.refuse(ErrorKind::Type, finding);
                }
                record.expr
            }
            (_, Members::Records(_)) => {
                let message = "a list of records cannot be part of the state of a loop";
                let finding = Diagnostic::new(self.span(id), message)
                    .with_help("keep their parts in lists of numbers");
                self.refuse(ErrorKind::Type, finding);
                value.expr
            }
            (_, Members::Either) => {
                let value = self.either_of(value, id);
                self.member(&value, id)
            }
            (ValueType::Condition | ValueType::Number, _) => self.member(value, id),
            _ => value.expr,
        }
    }

    /// The parts of the last state in a list that ends with a packed state.
    pub(super) fn unpack(
        &mut self,
        packed: Expr,
        parts: &[PartFacts],
        id: NodeId,
    ) -> Vec<TypedTerm> {
        let order = order(parts);
        let lists = parts.iter().filter(|part| part.size().is_none()).count();
        let sizes: usize = parts.iter().filter_map(PartFacts::size).sum();
        let lengths: Vec<Expr> = (0..lists)
            .map(|list| {
                let length = self.members_before(packed, lists - list - 1, 1, None, id);
                self.natural(length, id)
            })
            .collect();
        let whole = (lists == 0).then_some(sizes);
        let mut after = sizes + lists;
        let mut values = vec![None; parts.len()];
        for (place, &at) in order.iter().enumerate() {
            let part = &parts[at];
            let value = match part.size() {
                Some(size) => {
                    after -= size;
                    self.members_before(packed, after, size, whole, id)
                }
                None => self.list_before(packed, after, &lengths[place + 1..], lengths[place], id),
            };
            values[at] = Some(self.as_part(value, part, id));
        }
        values.into_iter().flatten().collect()
    }

    /// Members of a state as the value of their part.
    fn as_part(&mut self, members: Expr, part: &PartFacts, id: NodeId) -> TypedTerm {
        match part.kind {
            ValueType::Condition => {
                let holds = self.members(Comparison::Equal, &Integer::ONE, members, id);
                self.condition(holds, None)
            }
            ValueType::List => TypedTerm::list(members)
                .with_length(part.length)
                .of(part.members.clone()),
            ValueType::Number => TypedTerm::number(members).of(part.members.clone()),
            ValueType::Record => TypedTerm::list(members)
                .of(part.members.clone())
                .into_record(),
        }
    }

    /// The only member of a list, which is never negative, as a term whose form shows that.
    fn natural(&mut self, length: Expr, id: NodeId) -> Expr {
        let site = self.site_at(id);
        let (sum, none) = (
            self.build.fold(Folding::Sum, length, site),
            self.build.integer(0),
        );
        self.build.arithmetic(Arithmetic::Max, none, sum, site)
    }

    /// `size` members of a list, before the last `after` ones. `whole` is the length of the list, if it is known.
    fn members_before(
        &mut self,
        list: Expr,
        after: usize,
        size: usize,
        whole: Option<usize>,
        id: NodeId,
    ) -> Expr {
        let site = self.site_at(id);
        let [size_expr, both] =
            [size, after + size].map(|count| self.build.integer(Integer::from(count)));
        if after == 0 {
            return match whole {
                Some(whole) if whole == size => list,
                _ => self.build.select(Selection::Last, size_expr, list, site),
            };
        }
        if whole == Some(after + size) {
            return self.build.select(Selection::First, size_expr, list, site);
        }
        let rest = self.build.select(Selection::Last, both, list, site);
        self.build.select(Selection::First, size_expr, rest, site)
    }

    /// The list of a length, before lists of other lengths and the last `after` members.
    fn list_before(
        &mut self,
        packed: Expr,
        after: usize,
        later: &[Expr],
        length: Expr,
        id: NodeId,
    ) -> Expr {
        let site = self.site_at(id);
        let after = self.build.integer(Integer::from(after));
        let mut rest = self.build.select(Selection::DropLast, after, packed, site);
        for &length in later.iter().rev() {
            rest = self.build.select(Selection::DropLast, length, rest, site);
        }
        self.build.select(Selection::Last, length, rest, site)
    }
}
