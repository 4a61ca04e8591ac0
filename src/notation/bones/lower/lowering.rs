//! The lowering of one rule: the core program that is being built, the names in scope, and what every file of this folder needs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::calls::Calls;
use super::known;
use super::values::{Bound, Failure, Members, Slip, TypedTerm, ValueType};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{Builder, Comparison, Expr, Folding, Labels, Site, SiteId};
use crate::limits::{Budget, LimitReached};
use crate::notation::bones::definition::Definition;
use crate::notation::bones::table::Table;
use crate::notation::bones::tree::Tree;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;

/// The largest number of terms of a rule with all definitions and loops unfolded.
pub(super) const MOST_TERMS: usize = 1_000_000;

pub(super) struct Lowering<'t, 'p> {
    pub(super) table: Table,
    pub(super) tree: &'t Tree,
    pub(super) budget: &'p Budget<'p>,
    pub(super) parameters: &'p BTreeMap<String, Integer>,
    /// The definitions that can be used at the place that is being lowered.
    pub(super) definitions: &'t [Arc<Definition>],
    /// The places of all definitions by their names.
    pub(super) places: BTreeMap<&'t str, usize>,
    pub(super) build: Builder,
    /// All labels of the rule and of its definitions.
    pub(super) labels: Labels,
    /// The names of parts that are a number in all records that have them. In a record without such a part, the part is 0.
    pub(super) number_parts: BTreeSet<&'t str>,
    /// Whether the part that is being lowered is the last step of the rule, so that `given` may stand there.
    pub(super) is_last: bool,
    /// The names in scope, the innermost last.
    pub(super) scope: Vec<Bound<'t>>,
    pub(super) calls: Calls,
    /// Why the tree has no program. Nothing more is lowered after a failure.
    pub(super) failure: Option<Failure>,
    pub(super) slips: BTreeMap<Span, Slip>,
}

/// Lowers a part of a tree.
pub(super) type Leaf<'l, 't, 'p> = &'l mut dyn FnMut(&mut Lowering<'t, 'p>, NodeId) -> TypedTerm;

impl Lowering<'_, '_> {
    /// A known list.
    pub(super) fn constant(&mut self, members: &[Integer], of: &Members) -> TypedTerm {
        let parts: Vec<_> = members
            .iter()
            .map(|member| self.build.integer(member.clone()))
            .collect();
        let value = TypedTerm::list(self.build.join(&parts)).with_known(members.to_vec());
        let value = value.of(of.clone());
        match members {
            [_] => value.into_number(),
            _ => value,
        }
    }

    pub(super) fn join(&mut self, values: &[(TypedTerm, NodeId)]) -> TypedTerm {
        let values: Vec<_> = values
            .iter()
            .map(|(value, id)| (self.as_member(value, *id), *id))
            .collect();
        let values = self.alike(&values);
        let members = values.iter().find(|value| !value.is_empty());
        let members = members.map_or(Members::Numbers, |value| value.members.clone());
        let parts: Vec<_> = values.iter().map(|value| value.expr).collect();
        let lengths = values.iter().map(|value| value.length);
        let length = lengths
            .into_iter()
            .try_fold(0_usize, |sum: usize, length| sum.checked_add(length?));
        let known = values.iter().map(|value| value.known.as_deref());
        let known = known::join(known);
        TypedTerm::list(self.build.join(&parts))
            .with_length(length)
            .with_known(known)
            .of(members)
    }

    /// The place of a node in the source of the rule. For a node of a definition from another source it is the place of the
    /// call.
    pub(super) fn span(&self, id: NodeId) -> Span {
        self.calls.place().unwrap_or_else(|| self.tree.span(id))
    }

    pub(super) fn site(&mut self, whole: NodeId, left: NodeId, right: NodeId) -> SiteId {
        let site = self.site_of(whole, left, right);
        self.build.site(site)
    }

    /// The places of a node and of two operands.
    pub(super) fn site_of(&self, whole: NodeId, left: NodeId, right: NodeId) -> Site {
        let [whole, left, right] = [whole, left, right].map(|id| self.span(id));
        Site::new(whole, left, right)
    }

    /// The site of a term that is its own operand.
    pub(super) fn site_at(&mut self, id: NodeId) -> SiteId {
        let span = self.span(id);
        self.build.site(Site::at(span))
    }

    /// A value that is used more than once, or evaluated for its effect: `body` gets a variable or a constant for it.
    pub(super) fn shared(
        &mut self,
        value: &TypedTerm,
        body: impl FnOnce(&mut Self, Expr) -> TypedTerm,
    ) -> TypedTerm {
        let mut bound = Vec::new();
        let value = self.variable(&mut bound, value.clone());
        let body = body(self, value.expr);
        self.bound(bound, body)
    }

    /// The members of a value for which a comparison with a known number holds.
    pub(super) fn members(
        &mut self,
        comparison: Comparison,
        number: &Integer,
        list: Expr,
        id: NodeId,
    ) -> Expr {
        let number = self.build.integer(number.clone());
        let site = self.site_at(id);
        self.build.filter(comparison, number, list, site)
    }

    /// A condition, from a term that has one member where it holds and none elsewhere.
    pub(super) fn condition(&mut self, test: Expr, known: Option<bool>) -> TypedTerm {
        let (one, none) = (self.build.integer(1), self.build.empty());
        let expr = self.build.choose(test, one, none);
        let value = TypedTerm {
            test: Some(test),
            kind: ValueType::Condition,
            ..TypedTerm::list(expr)
        };
        let known = known.map(|holds| {
            if holds {
                vec![Integer::ONE]
            } else {
                Vec::new()
            }
        });
        value.with_known(known).with_length(None)
    }

    /// The value where a number is needed: a condition counts as 1 or 0. A label or a record is the error `type`.
    pub(super) fn number(&mut self, value: &TypedTerm, id: NodeId) -> Expr {
        let value = &self.numbers(value, id);
        self.member(value, id)
    }

    /// As [`Lowering::number`], with what is known of it.
    pub(super) fn number_value(&mut self, value: &TypedTerm, id: NodeId) -> TypedTerm {
        if value.kind != ValueType::Condition {
            return value.clone();
        }
        TypedTerm::number(self.member(value, id)).with_number(value.known_number())
    }

    /// A condition, as a term that has a member where it holds. A number is noted, because it always holds.
    pub(super) fn test(&mut self, value: &TypedTerm, id: NodeId) -> Expr {
        let is_here = self.calls.place().is_none();
        if is_here && value.kind == ValueType::Number && value.members == Members::Numbers {
            let place = self.span(id);
            self.slips.insert(place, Slip::AlwaysHolds);
        }
        value.test()
    }

    /// The value as a member of a list or a side of a comparison: a condition counts as 1 or 0.
    pub(super) fn member(&mut self, value: &TypedTerm, id: NodeId) -> Expr {
        if value.kind != ValueType::Condition {
            return value.expr;
        }
        let site = self.site_at(id);
        self.build.fold(Folding::Count, value.test(), site)
    }

    /// The value as one that always has one member: any other list is the error `type` at a node.
    pub(super) fn only(&mut self, value: &TypedTerm, id: NodeId) -> Expr {
        if value.kind == ValueType::Condition || value.length == Some(1) {
            return self.member(value, id);
        }
        let site = self.site_at(id);
        self.build.fold(Folding::Only, value.expr, site)
    }

    /// A value for a place that has none because of a failure.
    pub(super) fn refuse(&mut self, kind: ErrorKind, finding: Diagnostic) -> TypedTerm {
        self.fail(kind, finding, false)
    }

    /// As [`Lowering::refuse`], for something that must be known before any roll.
    pub(super) fn unknown(&mut self, kind: ErrorKind, finding: Diagnostic) -> TypedTerm {
        self.fail(kind, finding, true)
    }

    fn fail(&mut self, kind: ErrorKind, finding: Diagnostic, is_unknown: bool) -> TypedTerm {
        let error = Error::new(kind, finding);
        self.failure.get_or_insert(Failure { error, is_unknown });
        TypedTerm::list(self.build.empty())
    }

    /// A limit prevents the program.
    pub(super) fn fail_by(&mut self, reached: LimitReached) {
        self.fail_with(reached.into());
    }

    /// An error of a part prevents the program.
    pub(super) fn fail_with(&mut self, error: Error) -> TypedTerm {
        let is_unknown = false;
        self.failure.get_or_insert(Failure { error, is_unknown });
        TypedTerm::list(self.build.empty())
    }

    pub(super) fn too_large(&mut self, id: NodeId) {
        let most = MOST_TERMS;
        let message = format!("the rule has more than {most} parts with all definitions unfolded");
        let place: Span = self.span(id);
        let finding = Diagnostic::new(place, message)
            .with_help("write `repeat` for what is done again and again");
        self.refuse(ErrorKind::Limit, finding);
    }
}
