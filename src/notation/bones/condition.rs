//! Reads a condition on the value of a program, which may be in any notation.

use super::context::Context;
use super::lexer::{self, Names};
use super::lower::condition::{self, VALUE, part_names};
use super::table::Table;
use super::tree::Node;
use super::{failed, hints, names};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::Program;
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
    };
    let span = source.span();
    let lexed = lexer::lex(Table::Bones, source.text(), span, names);
    let tree = super::parse(Table::Bones, source, span, &lexed, names)?;
    let mut unbound = names::unbound(&tree, bound.clone(), &[], None);
    unbound.retain(|unbound| !parameters.contains_key(&unbound.name));
    if let Some(unbound) = unbound.first() {
        let context = Context::new(Table::Bones, source.text(), span, &lexed, names);
        let error = failed(
            Table::Bones,
            ErrorKind::Unbound,
            [hints::unbound(context, unbound)],
        );
        return Err(error);
    }
    let is_asked = |id| matches!(tree.node(id), Node::Name) && bound.contains(&tree.words(id));
    if !tree.ids().any(is_asked) {
        let finding =
            Diagnostic::new(span, "this says nothing about the value of the rule").with_help(
                format!("use `{}`, as in `{VALUE} >= 3`", bound.join("` or `")),
            );
        return Err(Error::new(ErrorKind::Type, finding));
    }
    condition::lower(&tree, program, parameters)
}
