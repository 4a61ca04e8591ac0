//! Labels: lists that hold labels, numbers or both, and the places where only numbers may stand.

use super::lowering::Lowering;
use super::values::{Members, TypedTerm, ValueType};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arithmetic, Comparison, Expr, Shape};
use crate::notation::bones::tree::{Node, Tree};
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;

/// The labels of a tree in the order of the text, without quotes.
pub(super) fn labels_of(tree: &Tree) -> Vec<(NodeId, &str)> {
    let mut labels = Vec::new();
    for id in tree.ids() {
        if matches!(tree.node(id), Node::Text) {
            labels.push((id, text_of(tree, id)));
        }
    }
    labels.sort_unstable_by_key(|&(id, _)| tree.span(id).start);
    labels
}

/// The text of a label.
fn text_of(tree: &Tree, id: NodeId) -> &str {
    tree.slice(tree.span(id)).trim_matches('"')
}

impl Lowering<'_, '_> {
    /// A label.
    pub(super) fn label(&mut self, id: NodeId) -> TypedTerm {
        let code = self.labels.code(text_of(self.tree, id)).unwrap_or_default();
        let label = TypedTerm::number(self.build.integer(code.clone())).of(Members::Labels);
        label.with_number(Some(code))
    }

    /// The value, whose members must be numbers. A label is the error `type`.
    pub(super) fn numbers(&mut self, value: &TypedTerm, id: NodeId) -> TypedTerm {
        match value.members {
            _ if value.is_empty() => value.clone().of(Members::Numbers),
            Members::Numbers => value.clone(),
            Members::Labels => {
                let text = shortened(self.tree.words(id));
                let message = "a label stands where a number is needed";
                let finding = Diagnostic::new(self.span(id), message)
                    .with_label("always a label")
                    .with_help(format!(
                        "compare it: `{text} == \"…\"`, or count labels: `count ==\"…\" x`"
                    ));
                self.refuse(ErrorKind::Type, finding)
            }
            Members::Either => self.numbers_of_either(value, id),
            Members::Records(ref parts) => {
                let name = parts.first().map_or("a", |part| &*part.name).to_owned();
                let text = shortened(self.tree.words(id));
                let message = "a record stands where a number is needed";
                let finding = Diagnostic::new(self.span(id), message)
                    .with_help(format!("take a part of it: `{name} of {text}`"));
                self.refuse(ErrorKind::Type, finding)
            }
        }
    }

    /// The numbers of a list in which a label is the error `type`.
    fn numbers_of_either(&mut self, value: &TypedTerm, id: NodeId) -> TypedTerm {
        let site = self.site_at(id);
        let unit = self.labels.unit();
        self.each(value, Members::Numbers, |this, code| {
            let [divisor, zero] = [unit, Integer::ZERO].map(|number| this.build.integer(number));
            let place = this
                .build
                .arithmetic(Arithmetic::Modulo, code, divisor, site);
            let label = this.build.filter(Comparison::NotEqual, zero, place, site);
            let fail = this.build.fail(ErrorKind::Type, site);
            let number = this
                .build
                .arithmetic(Arithmetic::FloorDivide, code, divisor, site);
            this.build.choose(label, fail, number)
        })
    }

    /// The value with another member for each member.
    pub(super) fn each(
        &mut self,
        value: &TypedTerm,
        members: Members,
        form: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> TypedTerm {
        let is_one = value.kind == ValueType::Number;
        let name = self.build.name_of(value.expr);
        let variable = self.build.variable(name);
        let body = form(self, variable);
        let expr = if is_one {
            self.build.bind(name, value.expr, body)
        } else {
            self.build.foreach(name, value.expr, body)
        };
        let mapped = TypedTerm::list(expr).with_length(value.length).of(members);
        if is_one { mapped.into_number() } else { mapped }
    }

    /// The value with codes of numbers and labels for members.
    pub(super) fn either_of(&mut self, value: &TypedTerm, id: NodeId) -> TypedTerm {
        match value.members {
            Members::Numbers if value.is_empty() => value.clone().of(Members::Either),
            Members::Numbers => {
                let site = self.site_at(id);
                let number = self.number_value(value, id);
                let unit = self.labels.unit();
                let codes = number.known.as_deref().and_then(|known| {
                    let codes = known.iter().map(|number| number.mul(&unit).ok());
                    codes.collect::<Option<Vec<_>>>()
                });
                if let Some(codes) = codes {
                    return self.shared(&number, |this, _| this.constant(&codes, &Members::Either));
                }
                self.each(&number, Members::Either, |this, number| {
                    let unit = this.build.integer(unit);
                    this.build
                        .arithmetic(Arithmetic::Multiply, number, unit, site)
                })
            }
            Members::Labels | Members::Either => value.clone().of(Members::Either),
            Members::Records(_) => {
                let message = "a record stands beside a number or a label";
                let finding = Diagnostic::new(self.span(id), message).with_help(
                    "the values of a rule are all records of the same parts, or none is",
                );
                self.refuse(ErrorKind::Type, finding)
            }
        }
    }

    /// Values with members of the same form, so that they can stand in one list, or one for the other.
    pub(super) fn alike(&mut self, values: &[(TypedTerm, NodeId)]) -> Vec<TypedTerm> {
        let is_record = |value: &TypedTerm| value.parts().is_some();
        let full = || values.iter().filter(|(value, _)| !value.is_empty());
        if full().any(|(value, _)| is_record(value)) {
            return self.alike_records(values);
        }
        let mut members = full().map(|(value, _)| &value.members);
        let Some(first) = members.next() else {
            return values.iter().map(|(value, _)| value.clone()).collect();
        };
        if members.all(|other| other == first) {
            let first = first.clone();
            let like = |(value, _): &(TypedTerm, _)| {
                if value.is_empty() {
                    value.clone().of(first.clone())
                } else {
                    value.clone()
                }
            };
            return values.iter().map(like).collect();
        }
        let values = values.iter();
        values
            .map(|(value, id)| self.either_of(value, *id))
            .collect()
    }

    /// How the members of a rule's value are read.
    pub(super) fn shape(&self, value: &TypedTerm) -> Shape {
        let is_single = value.kind == ValueType::Number;
        let labels = self.labels.clone();
        match &value.members {
            Members::Numbers => Shape::Numbers,
            Members::Labels | Members::Either => Shape::Labels { labels, is_single },
            Members::Records(parts) => self.shape_of_records(parts, value.kind),
        }
    }

    /// Refuses a label or record where members are put in order or compared by size.
    pub(super) fn ordered(&mut self, value: &TypedTerm, id: NodeId, what: &str) -> TypedTerm {
        match value.members {
            Members::Records(ref parts) => {
                if parts.iter().all(|part| part.members == Members::Numbers) {
                    return value.clone();
                }
                let message = format!("`{what}` puts members in order, and labels have no order");
                let finding = Diagnostic::new(self.span(id), message)
                    .with_help("leave the labels out of these records, or use numbers for them");
                self.refuse(ErrorKind::Type, finding)
            }
            Members::Labels if !value.is_empty() => {
                let message = format!("`{what}` puts members in order, and labels have no order");
                let finding = Diagnostic::new(self.span(id), message)
                    .with_label("labels")
                    .with_help(
                        "labels are compared by `==` and `!=`, counted, and chosen by position",
                    );
                self.refuse(ErrorKind::Type, finding)
            }
            _ => self.numbers(value, id),
        }
    }
}
