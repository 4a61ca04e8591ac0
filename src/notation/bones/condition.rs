//! Reads a condition on the value of a program, which may be in any notation.

use super::context::Context;
use super::dice::Found;
use super::lexer::{self, Names};
use super::lower::condition::{self, VALUE, part_names};
use super::table::Table;
use super::tree::{Node, Tree, Word};
use super::{about_value, corrected, failed, hints, names, traps};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{Program, Shape};
use crate::notation::reader::tree::NodeId;
use crate::notation::settings::Settings;
use crate::source::Source;

/// See [`crate::notation::condition`].
pub(in crate::notation) fn condition(
    source: &Source,
    program: &Program,
    settings: &Settings,
) -> Result<Program, Error> {
    if !program.unit().is_whole() {
        let finding = Diagnostic::without_place("a condition is about whole numbers")
            .with_help("ask for one number or more: --at-least 1.5");
        return Err(Error::new(ErrorKind::Type, finding));
    }
    let mut bound = vec![VALUE];
    let parts = part_names(program.shape()).into_iter().flatten();
    bound.extend(parts.map(|part| &*part.name));
    let parameters = &settings.parameters;
    let is_given = |name: &str| bound.contains(&name) || parameters.contains_key(name);
    let names = Names {
        is_given: &is_given,
        is_defined: &|_| false,
        dice: None,
    };
    let span = source.span();
    let lexed = lexer::lex(Table::Bones, source.text(), span, names);
    let context = Context::new(Table::Bones, source.text(), span, &lexed, names);
    let meant = || about_value::meant(context, parameters).filter(|_| bound.len() == 1);
    let tree = super::parse(source, context, Found::default())
        .map_err(|error| corrected(error, meant()))?;
    let mut unbound = names::unbound(&tree, bound.clone(), &[], None);
    unbound.retain(|unbound| !parameters.contains_key(&unbound.name));
    if let Some(unbound) = unbound.first() {
        let error = failed(
            Table::Bones,
            ErrorKind::Unbound,
            [hints::unbound(context, unbound)],
        );
        return Err(corrected(error, meant()));
    }
    let is_asked = |id| matches!(tree.node(id), Node::Name) && bound.contains(&tree.words(id));
    if !tree.ids().any(is_asked) {
        let names = bound.join("` or `");
        let finding = Diagnostic::new(span, "this says nothing about the value of the rule")
            .with_help(format!("use `{names}`, as in `{VALUE} >= 3`"));
        return Err(corrected(Error::new(ErrorKind::Type, finding), meant()));
    }
    if let Some(finding) = tree.ids().find_map(|id| traps::compared_range(&tree, id)) {
        return Err(corrected(Error::new(ErrorKind::Type, finding), meant()));
    }
    if matches!(program.shape(), Shape::Numbers)
        && program.ends_with_numbers()
        && let Some(counted) = tree.ids().find(|&id| counts_value(&tree, id))
    {
        let finding = Diagnostic::new(tree.span(counted), "the value is one number, a total")
            .with_note("`4#d6` is a list of dice, of which `count` counts those that pass")
            .with_help(format!("compare the number: `{VALUE} >= 3`"));
        return Err(Error::new(ErrorKind::Type, finding));
    }
    condition::lower(&tree, program, parameters)
}

/// Whether a part of a condition counts the members of the value that pass filters.
fn counts_value(tree: &Tree, id: NodeId) -> bool {
    let Node::Word(Word::Count, mut list) = *tree.node(id) else {
        return false;
    };
    loop {
        list = tree.ungrouped(list);
        match *tree.node(list) {
            Node::Filter(_, _, inner) => list = inner,
            Node::Name => return tree.words(list) == VALUE,
            _ => return false,
        }
    }
}
