//! Lowers a condition on the value of a program.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::calls::Calls;
use super::labels;
use super::lowering::Lowering;
use super::values::{Bound, Members, RecordPart, TypedTerm, ValueType};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{Builder, Expr, Labels, Packing, Part, Program, Shape};
use crate::limits::{Budget, Limits, Unobserved};
use crate::notation::bones::table::Table;
use crate::notation::bones::tree::Tree;
use crate::notation::reader::quote::shortened;
use crate::number::Integer;

/// The name of the value in a condition on it.
pub(in crate::notation::bones) const VALUE: &str = "value";

/// The program whose value is 1 where the condition holds for the value of another program, and 0 where it does not.
pub(in crate::notation::bones) fn lower(
    tree: &Tree,
    program: &Program,
    parameters: &BTreeMap<String, Integer>,
) -> Result<Program, Error> {
    // A condition is short, and uses no definitions.
    let limits = Limits::default();
    let (mut build, outcome) = Builder::around(program);
    let name = build.name();
    let variable = build.variable(name);
    let mut lowering = Lowering {
        table: Table::Bones,
        tree,
        budget: &Budget::start(&limits, &Unobserved),
        parameters,
        definitions: &[],
        places: BTreeMap::new(),
        build,
        labels: labels(tree, program.shape())?,
        number_parts: super::number_parts_in(tree, &[]),
        is_last: false,
        scope: Vec::new(),
        calls: Calls::default(),
        failure: None,
        slips: BTreeMap::new(),
    };
    let value = value(program, variable);
    lowering.scope.push(Bound::new(VALUE, &value));
    if let Some(parts) = part_names(program.shape()) {
        let record = lowering.spread(&value, tree.root).expr;
        for (place, part) in parts.iter().enumerate() {
            let number = lowering.part_at(record, place, tree.root);
            let number = TypedTerm::number(number).of(members_of(part));
            lowering.scope.push(Bound::new(&part.name, &number));
        }
    }
    let condition = lowering.term(tree.root);
    // A list holds if it has a member, as in every rule. A number always has a member, so it is a slip.
    let may_hold = matches!(condition.kind, ValueType::Condition | ValueType::List);
    if lowering.failure.is_none() && !may_hold {
        let text = shortened(tree.words(tree.root));
        let finding = Diagnostic::new(tree.span(tree.root), "this is no condition")
            .with_help(format!("compare it with something: `{text} >= 1`"));
        lowering.refuse(ErrorKind::Type, finding);
    }
    let [one, zero] = [1, 0].map(|number| lowering.build.integer(number));
    let holds = lowering.build.choose(condition.test(), one, zero);
    let root = lowering.build.bind(name, outcome, holds);
    match lowering.failure {
        None => Ok(lowering.build.program(root)),
        Some(failure) => Err(failure.error),
    }
}

/// The parts of a value that is one record.
pub(in crate::notation::bones) fn part_names(shape: &Shape) -> Option<&[Part]> {
    let parts = shape.parts().filter(|_| shape.is_single());
    parts.map(|parts| &**parts)
}

/// The labels by which the value and the condition are read.
fn labels(tree: &Tree, shape: &Shape) -> Result<Labels, Error> {
    let labels = match shape {
        Shape::Numbers => return Ok(super::labels_in(tree, &[])),
        Shape::Labels { labels, .. }
        | Shape::Record { labels, .. }
        | Shape::Records { labels, .. } => labels,
    };
    for (id, text) in labels::labels_of(tree) {
        if labels.code(text).is_none() {
            let texts = labels.all().iter();
            let texts: Vec<_> = texts.map(|label| format!("\"{}\"", label.text)).collect();
            let finding = Diagnostic::new(tree.span(id), "the rule has no such label");
            return Err(Error::new(
                ErrorKind::Unbound,
                match &texts[..] {
                    [] => finding.with_help("its values are numbers"),
                    _ => finding.with_help(format!("its labels are {}", texts.join(", "))),
                },
            ));
        }
    }
    Ok(labels.clone())
}

/// The value of a program, which a variable stands for.
fn value(program: &Program, variable: Expr) -> TypedTerm {
    let value = TypedTerm::list(variable);
    let one_or_more = |value: TypedTerm, is_single: bool| {
        if is_single {
            value.into_number()
        } else {
            value
        }
    };
    match program.shape() {
        Shape::Numbers => one_or_more(value, program.ends_with_numbers()),
        Shape::Labels { is_single, .. } => one_or_more(value.of(Members::Either), *is_single),
        Shape::Record { parts, .. } => {
            let parts = parts.iter().map(|part| record_part(part, None));
            TypedTerm::record(variable, parts.collect())
        }
        Shape::Records {
            parts,
            packing,
            is_single,
            ..
        } => {
            let ranges = ranges(packing);
            let parts = parts.iter().zip(ranges);
            let parts: Rc<[_]> = parts
                .map(|(part, range)| record_part(part, range))
                .collect();
            one_or_more(value.of(Members::Records(parts)), *is_single)
        }
    }
}

fn record_part(part: &Part, range: Option<[Integer; 2]>) -> RecordPart {
    RecordPart {
        name: (*part.name).into(),
        members: members_of(part),
        range,
    }
}

fn members_of(part: &Part) -> Members {
    if part.has_labels {
        Members::Either
    } else {
        Members::Numbers
    }
}

/// The least and the greatest value of each part of packed records.
fn ranges(packing: &Packing) -> impl Iterator<Item = Option<[Integer; 2]>> {
    packing.digits().iter().map(|digit| {
        let above = digit.low.add(&digit.count).ok()?;
        let high = above.sub(&Integer::ONE).ok()?;
        Some([digit.low.clone(), high])
    })
}
