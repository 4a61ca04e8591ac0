//! Reads a condition on the value of a program, which may be in any notation.

use std::sync::LazyLock;

use super::dice::DiceByPlace;
use super::error::failed;
use super::lexer::{self, Names};
use super::lower::condition::{self, VALUE, part_names};
use super::table::Table;
use super::tree::{Node, Tree, Word};
use super::{error, misreadings, names, print};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{Program, Shape};
use crate::notation::mend;
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
    let error = match read(source, program, settings) {
        Ok(tree) => return condition::lower(&tree, program, &settings.parameters),
        Err(error) => error,
    };
    if part_names(program.shape()).is_some() {
        return Err(error);
    }
    let words = |text: &str| {
        text.split(|sign: char| !sign.is_alphanumeric())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let typed = words(source.text());
    // A suggestion must keep each name of the text that has a value from outside.
    let keeps_names = |text: &str| {
        let given = settings
            .parameters
            .keys()
            .filter(|name| typed.contains(name));
        let kept = words(text);
        given.into_iter().all(|name| kept.contains(name))
    };
    let reads = |text: &str| {
        if !keeps_names(text) {
            return None;
        }
        let source = Source::new("suggestion", text);
        let tree = read(&source, program, settings).ok()?;
        Some(print::text(Table::Bones, &tree))
    };
    let table = &CONDITIONS;
    let reader = mend::Reader {
        table,
        reads: &reads,
        words: &[VALUE],
    };
    Err(match mend::meant(source.text(), source.span(), &reader) {
        Some(meant) => meant.instead_of(&error),
        None => error,
    })
}

/// The table of corrections for texts that are no conditions.
static CONDITIONS: LazyLock<mend::Table> =
    LazyLock::new(|| mend::Table::of(include_str!("condition.txt")));

/// The tree of a condition on the value of a program.
fn read(source: &Source, program: &Program, settings: &Settings) -> Result<Tree, Error> {
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
    let tree = super::parse(Table::Bones, source, span, &lexed, DiceByPlace::default())?;
    let mut unbound = names::unbound(&tree, bound.clone(), &[], None);
    unbound.retain(|unbound| !parameters.contains_key(&unbound.name));
    if let Some(unbound) = unbound.first() {
        return Err(failed(ErrorKind::Unbound, [error::unbound(unbound)]));
    }
    let is_asked = |id| matches!(tree.node(id), Node::Name) && bound.contains(&tree.words(id));
    if !tree.ids().any(is_asked) {
        let names = bound.join("` or `");
        let finding = Diagnostic::new(span, "this says nothing about the value of the rule")
            .with_help(format!("use `{names}`, as in `{VALUE} >= 3`"));
        return Err(Error::new(ErrorKind::Type, finding));
    }
    if let Some(number) = tree.ids().find_map(|id| number(&tree, id)) {
        let finding = Diagnostic::new(
            tree.span(number),
            "this stands for a condition, and is none",
        )
        .with_help(format!("compare it with the value: `{VALUE} == 3`"));
        return Err(Error::new(ErrorKind::Type, finding));
    }
    if let Some(finding) = tree
        .ids()
        .find_map(|id| misreadings::compared_range(&tree, id))
    {
        return Err(Error::new(ErrorKind::Type, finding));
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
    Ok(tree)
}

/// A part that stands in place of a condition: a number beside `and` or `or`, or a list.
fn number(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let is_number = |id: &NodeId| matches!(tree.node(tree.ungrouped(*id)), Node::Integer);
    match tree.node(id) {
        Node::Connect(_, a, b) => [*a, *b].into_iter().find(is_number),
        Node::Join(members) if id == tree.root => members.first().copied(),
        _ => None,
    }
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
